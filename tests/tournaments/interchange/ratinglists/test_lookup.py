"""Lookup of players by typed names."""

from pathlib import Path

import pytest

from tests.ratinglists import imported
from tournaments.interchange.ratinglists.folder import newest
from tournaments.interchange.ratinglists.lookup import look_up, namesakes_in, players_in
from tournaments.interchange.ratinglists.players import RatedPlayer


@pytest.fixture(autouse=True)
def there(tmp_path: Path) -> None:
    """Import a list with the players."""
    imported(tmp_path)


def found(text: str, kind: str = "", most: int = 10) -> list[RatedPlayer]:
    used = newest("fide")
    assert used is not None
    return look_up(used, text, kind, most)


def ids(text: str, kind: str = "", most: int = 10) -> list[int]:
    """Return the ids of the suggested players."""
    return [player.id for player in found(text, kind, most)]


@pytest.mark.parametrize(
    "text", ["carlsen", "Carlsen, Magnus", "magnus carlsen", "CARL MAG", "mag car", " 1503014 ", "Çarlsén"]
)
def test_a_player_is_found_by_any_form_of_the_name(text: str) -> None:
    assert ids(text) == [1503014]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Müller, Hans", [4800025, 4800024]),  # both spellings, by rating
        ("Mueller", [4800024]),
        ("muller schmidt", [4800026]),
        ("muller-schmidt h", [4800026]),
        ("o'connor", [5800027]),
        ("OConnor Sean", [5800027]),
        ("hungary", []),
    ],
)
def test_marks_hyphens_and_apostrophes_do_not_matter(text: str, expected: list[int]) -> None:
    assert ids(text) == expected


def test_the_likeliest_come_first() -> None:
    # the bare surname first, then the name with a second given name
    assert ids("muller") == [4800025, 4800026]
    assert ids("pe") == [703303]
    assert ids("hans mul", most=1) == [4800025]


@pytest.mark.parametrize(
    "text", ["", "a", "-", '"', "NOT *", "a OR b", "%", "' ; DROP", "x" * 500, "99999999999999999"]
)
def test_no_text_is_too_strange(text: str) -> None:
    assert ids(text) == []


def test_players_are_found_by_id_and_namesakes_by_full_name(tmp_path: Path) -> None:
    used = imported(tmp_path)

    assert players_in(used, [703303, 1]).keys() == {703303}
    assert [player.id for player in namesakes_in(used, "Hans Muller")] == [4800025]
    assert namesakes_in(used, "Muller, H.") == []


def test_a_player_has_the_fields_of_a_competitor() -> None:
    (player,) = found("sean", "rapid")

    assert player.particulars("fide", "rapid") == {
        "name": "O`Connor, Sean Patrick", "title": "", "rating": 1650, "code": "IRL", "sex": "m",
        "born": "2011", "fide_id": 5800027,
    }  # fmt: skip
    assert player.rating() is None
