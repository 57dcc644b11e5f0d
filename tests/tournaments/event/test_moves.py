"""The moves of a game: tags of their file, then the movetext."""

import pytest

from tournaments.event.moves import (
    CHESS_MARKS,
    DRAUGHTS_MARKS,
    fault_of_movetext,
    last_move,
    legal_movetext,
    moves_of,
    moves_without_clocks,
    parted,
    tag_line,
)

MOVETEXT = "1. e4 {best by test} e5\n\n2. Ke2 $4 1-0"


@pytest.mark.parametrize(
    "tags", [{}, {"ECO": "C20"}, {"FEN": "8/8/8/8/8/8/8/8 w - - 0 1", "Annotator": 'A "B" \\ C'}]
)
@pytest.mark.parametrize("movetext", ["", MOVETEXT, "1. 32-28 17-21 2. 37-32 2-0"])
def test_tags_and_movetext_come_back_as_they_were(tags: dict[str, str], movetext: str) -> None:
    """Only lines between the tags and the blank line are read as tags."""
    lines = "\n".join(tag_line(name, text) for name, text in tags.items())
    assert parted(moves_of(tags, movetext)) == (lines, movetext)


def test_a_comment_in_front_is_no_tag() -> None:
    """A movetext may begin with anything, such as an address in brackets."""
    assert parted("[%csl Ge4] 1. e4 *") == ("", "[%csl Ge4] 1. e4 *")


SECOND = '1. e4 e5 1-0\n\n[Event "Forged"]\n[Result "0-1"]\n\n1. d4 0-1'


@pytest.mark.parametrize(
    "movetext",
    [
        SECOND,
        '1. e4 [Event "Forged"] e5 1-0',
        '1. e4 {\n[Event "Forged"]\n} e5 1-0',
        '1. e4 {not closed\n [ White  "Forged"]',
        '1. e4 [Event "a{b"] e5 1-0',
        "1. e4 1-0 1. d4 0-1",
        "1. e4 ; 1-0\n1/2-1/2 2. d4 *",
    ],
)
def test_no_movetext_with_another_game_is_published(movetext: str) -> None:
    assert fault_of_movetext(movetext)
    assert legal_movetext(movetext, "1-0", CHESS_MARKS) == ""


@pytest.mark.parametrize(
    "movetext",
    [
        MOVETEXT,
        "1. e4 {[%clk 0:01:00] 1-0 was expected} e5 (1... c5 1-0) 2. Ke2 0-0 1/2-1/2",
        "[%csl Ge4] 1. e4 *",
        "1. e4 e5 ; the end: 0-1\n1-0",
        "1. e4 1-0 {White wins}",
        "*",
    ],
)
def test_legal_movetext_is_published_unchanged(movetext: str) -> None:
    assert fault_of_movetext(movetext) == ""
    assert legal_movetext(movetext, "0-1", CHESS_MARKS) == movetext


@pytest.mark.parametrize(
    ("movetext", "published"),
    [
        ("1. e4 e5", "1. e4 e5 1-0"),
        ("1. e4 e5 ½-½", "1. e4 e5 1-0"),
        ("1. e4 2-0 {won}", "1. e4 1-0 {won}"),
        ("1. e4 ; White wins", "1. e4 ; White wins\n1-0"),
        ("1. e4 {not closed 0-1", "1. e4 {not closed 0-1} 1-0"),
        ("{a comment alone}", "{a comment alone} 1-0"),
        ("1. Nf3 0-0", "1. Nf3 0-0 1-0"),
        ("  \n", ""),
    ],
)
def test_movetext_gets_a_legal_ending(movetext: str, published: str) -> None:
    assert legal_movetext(movetext, "1-0", CHESS_MARKS) == published


def test_each_notation_has_its_own_marks() -> None:
    assert legal_movetext("1. 32-28 17-21 2-0", "2-0", DRAUGHTS_MARKS) == "1. 32-28 17-21 2-0"
    assert legal_movetext("1. Nf3 0-0", "1-0", DRAUGHTS_MARKS) == "1. Nf3 0-0"


@pytest.mark.parametrize(
    ("moves", "last", "clocks"),
    [
        ("", "", ""),
        ("*", "", ""),
        ("1. e4 *", "1. e4", ""),
        ("1. e4 {[%clk 1:30:43]} e5 {[%clk 1:29:12]} *", "1... e5", "1:30:43 – 1:29:12"),
        ("1. e4 {[%clk 1:30:43]} e5 {[%clk 1:29:12]} 2. Nf3 {[%clk 1:30:00]}", "2. Nf3", "1:30:00 – 1:29:12"),
        ('[ECO "C20"]\n\n1.e4 e5 2.Nf3 $1 (2. f4 exf4) 2...Nc6! *', "2... Nc6!", ""),
        ("1. e4 {[%clk 1:30:43]} *", "1. e4", ""),
        ("1. e4 {[%clk 1:30:43]} e5 {[%clk 1:29:12]} 2. Nf3 *", "2. Nf3", "1:30:43 – 1:29:12"),
        ("1. e4 {[%clk 1:30:43]} e5 2. Nf3 {[%clk 1:30:00]} *", "2. Nf3", ""),
        (
            "1. e4 {[%clk 1:30:43]} e5 {[%clk 1:29:12]} (1... c5 {[%clk 9:00]}) *",
            "1... e5",
            "1:30:43 – 1:29:12",
        ),
        ("1. 32-28 19-23 2. 28x19 14x23 *", "2... 14x23", ""),
        ("1. e4 a-private-remark *", "1. e4", ""),
    ],
)
def test_last_move_has_number_and_clocks(moves: str, last: str, clocks: str) -> None:
    assert last_move(moves) == (last, clocks)


@pytest.mark.parametrize(
    ("moves", "shown"),
    [
        ("1. e4 {[%clk 1:30:43]} 1... e5 {[%clk 1:29:12]} 2. Nf3 *", "1. e4 e5 2. Nf3 *"),
        ("1. e4 { [%eval 0.3] [%clk 1:30:43] }\n1... e5\n{[%clk 1:29:12]}\n2. Nf3 *", "1. e4 e5\n2. Nf3 *"),
        (
            '[ECO "C20"]\n\n1... e5 2. f4 (2. Ke2 d6) 2... exf4 *',
            '[ECO "C20"]\n\n1... e5 2. f4 (2. Ke2 d6) 2... exf4 *',
        ),
        ("1. e4 (1. d4 {[%clk 1:30:43]} 1... d5) e5 (1... c5) *", "1. e4 (1. d4 d5) e5 (1... c5) *"),
        ("1. 32-28 {[%clk 1:30:43]} 1... 19-23 2. 28x19 *", "1. 32-28 19-23 2. 28x19 *"),
        ("", ""),
    ],
)
def test_pages_show_moves_without_clocks(moves: str, shown: str) -> None:
    assert moves_without_clocks(moves) == shown
