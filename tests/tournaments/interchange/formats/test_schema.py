"""The published schema and the reader have the same keys and reject the same structures."""

import json
from collections.abc import Callable, Iterator
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.tournaments.interchange.formats import samples
from tests.tournaments.interchange.formats.fuzzing import long_enough
from tournaments.event.values import LARGEST
from tournaments.interchange.formats.json import schema
from tournaments.interchange.formats.json.reader import read
from tournaments.models import (
    Acknowledgement,
    Change,
    Competitor,
    Event,
    Override,
    Player,
    Series,
)

ROOT = Path(__file__).parents[4]
SCHEMA = json.loads(schema.schema_text())
VALIDATOR = Draft202012Validator(SCHEMA)
VALUES = st.sampled_from(
    [
        *(
            None,
            True,
            False,
            0,
            1,
            2,
            0.5,
            1.5,
            -1,
            4,
            20_000,
            1e30,
            "",
            "a",
            "1",
            "2026-02-30",
            "2024-02-29",
        ),
        *(
            "pending",
            "bye",
            "played",
            "forfeit",
            "draft",
            "players",
            "rules",
            "place",
            "swiss",
            "14:00",
            "\u001f",
        ),
        *([], [1], [1, 0], [0.5, None], [2, 1, 0], [[1, 0]], {}, {"1": "half-bye"}, {"game": [1, 0.5, 0]}),
    ]
)
FILES = sorted([*(ROOT / "tournaments/demo").glob("*.json"), *(ROOT / "tests/golden").glob("*.json")])


def test_schema_is_valid() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_real_events_match_the_schema(file: Path) -> None:
    assert VALIDATOR.is_valid(json.loads(file.read_text(encoding="utf-8")))


@pytest.mark.parametrize("sample", [samples.players, samples.teams, samples.olympiad, samples.changed_rules])
def test_samples_match_the_schema(sample: Any) -> None:
    assert VALIDATOR.is_valid(sample())


def test_text_of_the_schema_has_its_address() -> None:
    address = "https://results.example/schema/event/1.json"
    assert json.loads(schema.schema_text(address)) == {"$id": address, **SCHEMA}


def test_table_has_every_key_with_value_default_and_meaning() -> None:
    rows = schema.key_table().splitlines()
    assert len(rows) == 2 + sum(len(keys) for _, _, keys in schema.described_keys())
    required = "| document | `competitors` **required** | list; each: object: competitor. "
    assert any(row.startswith(required) for row in rows)
    assert any(row.startswith("| event | `scoring.game` | ") for row in rows)
    assert any("; default `" in row for row in rows)


def keys_of(value: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """Return all keys of all objects in the data."""
    for each in value.values() if isinstance(value, dict) else value:
        if isinstance(each, dict | list):
            yield from keys_of(each)
    if isinstance(value, dict):
        yield from ((value, key) for key in value)


def agree(data: Any) -> bool:
    """Return whether the schema accepts all that the reader accepts, and rejects structural errors.

    Of the faults that checks find, a schema can express some.
    """
    reading = read(json.dumps(data))
    return bool(reading.accepted) <= VALIDATOR.is_valid(data) <= (reading.document is not None)


@pytest.mark.parametrize(
    "sample",
    [
        *(samples.players, samples.changed_rules),  # keys of teams, and others
        *(pytest.param(each, marks=pytest.mark.exhaustive) for each in (samples.teams, samples.olympiad)),
    ],
)
def test_schema_and_reader_require_the_same_keys(sample: Any) -> None:
    data = sample()
    for holder, key in list(keys_of(data)):
        value = holder.pop(key)
        assert agree(data), (key, holder)
        holder[key] = value


@pytest.mark.parametrize(
    "sample", [samples.players, pytest.param(samples.teams, marks=pytest.mark.exhaustive)]
)
@pytest.mark.parametrize("value", [None, True, -1, 0, 0.25, 10**6, "", "☃", "x" * 300, [], [1], {}, {"a": 1}])
def test_schema_and_reader_accept_the_same_values(sample: Any, value: Any) -> None:
    data = sample()
    for holder, key in list(keys_of(data)):
        was, holder[key] = holder[key], value
        assert agree(data), (key, holder)
        holder[key] = was


def at(*keys: str | int) -> Callable[[Any], Any]:
    """Return a getter of the object or list at these keys of a sample."""
    return lambda data: reduce(getitem, keys, data)


EVENT, OVERRIDE = at("event"), at("overrides", 0)
DAMAGES: list[tuple[Callable[[Any], Any], dict[str, Any]]] = [
    *((EVENT, {"start": day}) for day in ("2026-02-29", "1900-02-29", "2026-04-31", "2026-13-01", "0000")),
    (EVENT, {"system": "no-such-system"}),
    (EVENT, {"name": "Two\nlines"}),
    (EVENT, {"boards": None}),
    (EVENT, {"entrants": "players"}),
    (EVENT, {"rules": {"bye": {"game": 0.25}}}),
    (EVENT, {"pairing": {"acceleration": "baku"}, "schedule": "round-robin"}),
    (at("competitors", 0), {"requested_byes": {"16384": "half-bye"}}),
    (at("competitors", 0), {"manual": None, "manual_after": 1}),
    (at("rounds", 0), {"time": "14:00", "date": "2026"}),
    (at("rounds", 0), {"state": "draft"}),
    (at("rounds", 0, "pairings", 0), {"games_played": 3}),
    (at("rounds", 0, "pairings", 0), {"kind": "pending"}),
    (at("rounds", 0, "pairings", 1), {"second": 1}),
    (OVERRIDE, {"table": None}),
    (OVERRIDE, {"place": 1}),
    (OVERRIDE, {"kind": "criteria"}),
    (OVERRIDE, {"moved": [[1, 2, 3]]}),
    (OVERRIDE, {"at": "2022-05-17"}),
    (at("published", "columns"), {"Fine\x1b": {"1": 3}}),
]


@pytest.mark.parametrize(("found", "damage"), DAMAGES, ids=[repr(damage) for _found, damage in DAMAGES])
def test_both_reject_what_a_schema_can_express(found: Callable[[Any], Any], damage: dict[str, Any]) -> None:
    data = samples.teams()
    assert agree(data)
    assert VALIDATOR.is_valid(data)
    for key, value in damage.items():
        found(data)[key] = value
        if value is None:
            del found(data)[key]
    assert not VALIDATOR.is_valid(data)
    assert read(json.dumps(data)).accepted is None


@long_enough
@given(st.data())
def test_schema_and_reader_agree_on_several_faults(data: st.DataObject) -> None:
    whole = data.draw(st.sampled_from([samples.players, samples.teams, samples.olympiad]))()
    everywhere = list(keys_of(whole))
    for _ in range(data.draw(st.integers(1, 3))):
        holder, key = data.draw(st.sampled_from(everywhere))
        _, other = data.draw(st.sampled_from(everywhere))
        holder[data.draw(st.sampled_from([key, other]))] = data.draw(VALUES)
    assert agree(whole)


def test_all_keys_have_title_and_description() -> None:
    """Keys have title and description at their place in the schema."""
    objects = [SCHEMA, *(each for each in SCHEMA["$defs"].values() if "properties" in each)]
    assert [each["title"] for each in objects if not each.get("description")] == []
    assert list(without_words(objects)) == []


def without_words(objects: list[dict[str, Any]]) -> Iterator[str]:
    for each in objects:
        for key, said in each["properties"].items():
            if not said.get("title") or not said.get("description", "").endswith((".", "]", "…")):
                yield key
            if "properties" in said:
                yield from without_words([said])


TEXTS = {
    Event: ("event", "slug name place country licence system discipline"),
    Competitor: ("competitor", "name code flag title rating_class"),
    Player: ("player", "name title"),
    Override: ("override", "was by criterion"),
    Change: ("change", "was now by"),
    Acknowledgement: ("acknowledgement", "finding by"),
}


@pytest.mark.parametrize("model", TEXTS)
def test_texts_fit_the_database(model: Any) -> None:
    name, keys = TEXTS[model]
    for key in keys.split():
        found = SCHEMA["$defs"][name]["properties"][key]
        found = SCHEMA["$defs"][found["$ref"].rsplit("/", 1)[-1]] if "$ref" in found else found
        assert found["maxLength"] == model._meta.get_field(key).max_length


def test_texts_of_other_names_fit_the_database() -> None:
    event = SCHEMA["$defs"]["event"]["properties"]
    assert event["series"]["maxLength"] == Series._meta.get_field("name").max_length
    unplayed = event["rules"]["properties"]["unplayed"]
    assert unplayed["maxLength"] == Event._meta.get_field("unplayed").max_length


def test_numbers_leave_room_to_move_rows() -> None:
    largest_small_integer = 2**15 - 1
    assert SCHEMA["$defs"]["competitor"]["properties"]["number"]["maximum"] == LARGEST
    assert largest_small_integer == 2 * LARGEST + 1
