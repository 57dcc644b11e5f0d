"""Categories and prizes are parsed from texts and formatted again."""

from typing import Any

import pytest

from tournaments.event.texts import (
    CategoryError,
    PrizeError,
    category_text,
    prize_lines,
    read_category,
    read_prizes,
)


@pytest.mark.parametrize(
    ("text", "said", "again"),
    [
        ("U20", {"code": "U20", "age_under": 20}, "U20"),
        ("w", {"code": "w", "sex": "w"}, "w"),
        ("S65 = Veterans / nl Veteranen",
         {"code": "S65", "age_from": 65, "name": "Veterans", "names": {"nl": "Veteranen"}},
         "S65 = Veterans / nl Veteranen"),
        ("1800-1999", {"code": "1800-1999", "rating_from": 1800, "rating_to": 1999}, "1800-1999"),
        ("B: –1799 unrated", {"code": "B", "rating_to": 1799, "unrated": True}, "B: -1799 unrated"),
        ("A: 2200+", {"code": "A", "rating_from": 2200}, "A: 2200-"),
        ("Girls: W U16 on 2024-09-01", {"code": "Girls", "sex": "w", "age_under": 16, "age_on": "2024-09-01"},
         "Girls: W U16 on 2024-09-01"),
        ("Local: club DC Utrecht, DV Delft; fed NED",
         {"code": "Local", "clubs": ["DC Utrecht", "DV Delft"], "federations": ["NED"]},
         "Local: club DC Utrecht, DV Delft; fed NED"),
        ("Guest", {"code": "Guest"}, "Guest"),
        ("U20:", {"code": "U20"}, "U20:"),
        ("Guest = / nl Gast", {"code": "Guest", "names": {"nl": "Gast"}}, "Guest = / nl Gast"),
    ],
)  # fmt: skip
def test_a_category_is_read_and_written(text: str, said: dict[str, Any], again: str) -> None:
    found = read_category(text)
    assert {key: value for key, value in found.items() if value} == said
    assert category_text(found) == again
    assert read_category(again) == found


@pytest.mark.parametrize(
    "text", ["", "a b", "B: old", "B: U0", "B: U20 on monday", "W = Women / Dames", "x/y"]
)
def test_invalid_category_is_refused(text: str) -> None:
    with pytest.raises(CategoryError):
        read_category(text)


def prizes(*lines: str) -> list[tuple[str, int, str, int, str]]:
    found: list[Any] = []
    for line in lines:
        last: dict[str, int] = {}
        for each in found:
            last[each["category"]] = max(last.get(each["category"], 0), each["place"])
        found += read_prizes(line, {"W", "U20", "1800-1999"}, last)
    again = list(prize_lines(found))
    assert [each for line in again for each in read_prizes(line, {"W", "U20", "1800-1999"}, {})] or not found
    return [(each["category"], each["place"], each["name"], each["amount"], each["goods"]) for each in found]


def test_main_prizes_on_several_lines_or_a_single_line() -> None:
    expected = [("", 1, "", 60000, "a cup"), ("", 2, "", 40050, ""), ("", 3, "", 20000, "")]
    assert prizes("1. 600 + a cup", "2) € 400,50", "3\t200 EUR") == expected
    assert prizes("600 + a cup; 400.50; 200") == expected
    assert prizes("600 + a cup", "400,50", "200,-") == expected


def test_prizes_of_categories_and_special_prizes() -> None:
    assert prizes("W: 150; 75", "1800-1999: a book", "Best game: 25 + flowers", "4-5. 20") == [
        ("W", 1, "", 15000, ""),
        ("W", 2, "", 7500, ""),
        ("1800-1999", 1, "", 0, "a book"),
        ("", 0, "Best game", 2500, "flowers"),
        ("", 4, "", 2000, ""),
        ("", 5, "", 2000, ""),
    ]


def test_they_are_written_as_they_are_read() -> None:
    lines = ["1. 600 + a cup", "2. 400", "3-5. 100", "W: 150; 75", "U20: 1-2. 50; a book", "Best game: 25"]
    found: list[Any] = []
    for line in lines:
        last = {"": max((each["place"] for each in found if not each["category"]), default=0)}
        found += read_prizes(line, {"W", "U20"}, last)
    assert list(prize_lines(found)) == lines


@pytest.mark.parametrize("line", ["1.000", "1. 1.000,00", "W:", "5-3. 10", "0. 10", ": 5 :"])
def test_invalid_prize_is_refused(line: str) -> None:
    with pytest.raises(PrizeError):
        read_prizes(line, {"W"}, {})
