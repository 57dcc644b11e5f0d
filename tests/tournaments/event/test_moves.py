"""The moves of a game: tags of their file in front, the movetext behind."""

import pytest

from tournaments.event.moves import moves_of, parted, tag_line

MOVETEXT = "1. e4 {best by test} e5\n\n2. Ke2 $4 1-0"


@pytest.mark.parametrize(
    "tags", [{}, {"ECO": "C20"}, {"FEN": "8/8/8/8/8/8/8/8 w - - 0 1", "Annotator": 'A "B" \\ C'}]
)
@pytest.mark.parametrize("movetext", ["", MOVETEXT, "1. 32-28 17-21 2. 37-32 2-0"])
def test_tags_and_movetext_come_back_as_they_were(tags: dict[str, str], movetext: str) -> None:
    """Only what stands between the tags and the blank line is taken for tags."""
    lines = "\n".join(tag_line(name, text) for name, text in tags.items())
    assert parted(moves_of(tags, movetext)) == (lines, movetext)


def test_a_comment_in_front_is_no_tag() -> None:
    """A movetext may begin with anything, such as an address in brackets."""
    assert parted("[%csl Ge4] 1. e4 *") == ("", "[%csl Ge4] 1. e4 *")
