"""Categories and prizes in event files: reading, writing, publication and findings."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.cast import prizes_file
from tournaments.event.document import Document
from tournaments.interchange.formats.json.reader import read
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.public import public

Change = Callable[[Any], object]


def document(change: Change = dict.copy) -> Document:
    data = prizes_file()
    change(data)
    found = read(json.dumps(data))
    assert found.accepted, found.findings
    return found.accepted


def test_a_file_comes_back_as_it_was() -> None:
    text = write(document())
    again = read(text).accepted
    assert again == document()
    assert write(again) == text
    event = json.loads(text)["event"]
    assert event["prizes"]["list"][4] == {"category": "W", "place": 2, "amount": 20.5}
    assert event["categories"][1] == {"code": "U20", "age_under": 20}
    assert document().event.prizes[4]["amount"] == 2050


def test_event_without_categories_and_prizes_omits_their_keys() -> None:
    def without(data: Any) -> None:
        del data["event"]["categories"], data["event"]["prizes"], data["competitors"][3]["awards"]

    assert "categories" not in write(document(without))
    assert '"prize' not in write(document(without))


def test_file_without_a_rule_for_shared_prizes_means_equal_sharing() -> None:
    """Version 1 of the format promises this default."""
    assert document().event.prize_sharing == "equal"
    named = document(lambda data: data["event"]["prizes"].update(sharing="us-chess"))
    assert named.event.prize_sharing == "us-chess"
    assert '"sharing": "us-chess"' in write(named)


def test_special_prizes_are_published_with_the_list_of_prizes() -> None:
    final = document()
    live = replace(final, event=replace(final.event, state="live"))
    assert public(final).competitors[3].awards == ("Best game",)
    assert public(live).competitors[3].awards == ()
    shown = replace(live, event=replace(live.event, prizes_public=True))
    assert public(shown).competitors[3].awards == ("Best game",)


def of_event(key: str, at: int, **values: Any) -> Change:
    return lambda data: (data["event"]["prizes"]["list"] if key == "list" else data["event"][key])[at].update(
        values
    )


def of_competitor(**values: Any) -> Change:
    return lambda data: data["competitors"][0].update(values)


OUT = {"category": "W", "belongs": False, "reason": "Plays in the open."}


@pytest.mark.parametrize(
    ("code", "change", "where"),
    [
        ("category-twice", of_event("categories", 1, code="w"), "event.categories[1].code"),
        ("bad-category", of_event("categories", 1, code="a/b"), "event.categories[1].code"),
        ("category-empty", of_event("categories", 2, rating_from=2200), "event.categories[2].rating_from"),
        ("category-empty", of_event("categories", 1, age_from=20), "event.categories[1].age_under"),
        (
            "unknown-category",
            of_competitor(category_decisions=[{**OUT, "category": "X"}]),
            "competitors[0].category_decisions[0].category",
        ),
        (
            "category-twice",
            of_competitor(category_decisions=[OUT, OUT]),
            "competitors[0].category_decisions[1]",
        ),
        ("unknown-category", of_event("list", 3, category="X"), "event.prizes.list[3].category"),
        ("prize-for-nothing", of_event("list", 3, name="Both"), "event.prizes.list[3]"),
        ("prize-for-nothing", of_event("list", 3, amount=0), "event.prizes.list[3]"),
        ("prize-rises", of_event("list", 1, amount=101), "event.prizes.list[1].amount"),
        ("prize-missing", of_event("list", 2, place=4), "event.prizes.list[2].place"),
        ("prize-twice", of_event("list", 2, place=2), "event.prizes.list[2]"),
        ("unknown-prize", of_competitor(awards=["Fair play"]), "competitors[0].awards[0]"),
        ("not-hundredths", of_event("list", 0, amount=100.005), "event.prizes.list[0].amount"),
        ("out-of-range", of_event("list", 0, amount=-1), "event.prizes.list[0].amount"),
    ],
)
def test_faults_are_reported_with_their_place(code: str, change: Change, where: str) -> None:
    data = prizes_file()
    change(data)
    found = read(json.dumps(data)).findings
    assert (code, where) in [(each.code, each.where) for each in found]


def test_money_after_a_place_with_goods_only_is_accepted() -> None:
    def cup_first(data: Any) -> None:
        of_event("list", 0, amount=0, goods="Cup")(data)

    assert document(cup_first).event.prizes[0]["goods"] == "Cup"


def test_amounts_are_compared_across_a_place_with_goods_only() -> None:
    data = prizes_file()
    data["event"]["prizes"]["list"] = [
        {"place": 1, "amount": 100},
        {"place": 2, "goods": "Cup"},
        {"place": 3, "amount": 101},
    ]
    found = read(json.dumps(data)).findings
    assert ("prize-rises", "event.prizes.list[2].amount") in [(each.code, each.where) for each in found]


def test_a_label_that_the_record_contradicts_is_warned_of() -> None:
    found = read(json.dumps(prizes_file() | {"competitors": _labelled("B", 5)})).findings
    assert [(each.code, each.where) for each in found] == [
        ("category-contradicted", "competitors[4].categories")
    ]
    assert read(json.dumps(prizes_file() | {"competitors": _labelled("U20", 5)})).findings == ()


def _labelled(label: str, number: int) -> list[dict[str, Any]]:
    return [
        each | ({"categories": [label]} if each["number"] == number else {})
        for each in prizes_file()["competitors"]
    ]
