"""The order of a start list."""

from typing import NamedTuple

import pytest

from tournaments.pairing.startorder import ordered


class Entrant(NamedTuple):
    paired_as: int
    name: str
    rating: int | None = None
    title: str = ""


LIST = (
    Entrant(1, "Ann", None, "WGM"),
    Entrant(2, "bea", 2200),
    Entrant(3, "Cas", 2200, "IM"),
    Entrant(4, "Dov", 2100, "GMI"),
    Entrant(5, "Bea", 2200),
)


@pytest.mark.parametrize(
    ("order", "numbers"), [("rating", [3, 2, 5, 4, 1]), ("title", [4, 3, 1, 2, 5]), ("name", [1, 2, 5, 3, 4])]
)
def test_equal_players_are_ordered_by_the_next_rule(order: str, numbers: list[int]) -> None:
    assert [each.paired_as for each in ordered(LIST, order)] == numbers


def test_lots_depend_neither_on_numbers_nor_on_later_entries() -> None:
    people = [each for each in LIST if each.name != "bea"]
    drawn = [each.name for each in ordered(people, "lots", "2026")]
    turned = [each._replace(paired_as=10 - each.paired_as) for each in reversed(people)]
    assert [each.name for each in ordered(turned, "lots", "2026")] == drawn
    later = [each.name for each in ordered([*people, Entrant(6, "Eva")], "lots", "2026")]
    assert [name for name in later if name != "Eva"] == drawn
    assert {tuple(each.name for each in ordered(people, "lots", str(seed))) for seed in range(40)} > {
        tuple(drawn)
    }
