"""The published schema and the reader know the same keys and refuse the same shapes."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.tournaments.formats import samples
from tournaments.event.values import LARGEST
from tournaments.formats.json import schema
from tournaments.formats.json.reader import read
from tournaments.models import (
    Acknowledgement,
    Change,
    Competitor,
    Event,
    Override,
    Player,
    Series,
)

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads(schema.SCHEMA.read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
FILES = sorted([*(ROOT / "tournaments/demo").glob("*.json"), *(ROOT / "tests/golden").glob("*.json")])


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_real_events_keep_to_the_schema(file: Path) -> None:
    assert VALIDATOR.is_valid(json.loads(file.read_text(encoding="utf-8")))


@pytest.mark.parametrize("sample", [samples.players, samples.teams, samples.olympiad, samples.changed_rules])
def test_the_samples_keep_to_the_schema(sample: Any) -> None:
    assert VALIDATOR.is_valid(sample())


def test_the_schema_and_the_table_of_keys_are_those_of_the_document() -> None:
    """`python -m tournaments.formats.json.schema` writes both."""
    assert schema.SCHEMA.read_text(encoding="utf-8") == schema.schema_text()
    page = schema.PAGE.read_text(encoding="utf-8")
    assert page == schema.page_text(page)


def keys_of(value: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """Every key of every object in the data."""
    for each in value.values() if isinstance(value, dict) else value:
        if isinstance(each, dict | list):
            yield from keys_of(each)
    if isinstance(value, dict):
        yield from ((value, key) for key in value)


def agree(data: Any) -> bool:
    """Whether the schema refuses what the reader cannot make a tree of, and nothing else."""
    return VALIDATOR.is_valid(data) == (read(json.dumps(data)).document is not None)


@pytest.mark.parametrize("sample", [samples.players, samples.teams, samples.olympiad, samples.changed_rules])
def test_they_agree_on_what_is_required(sample: Any) -> None:
    data = sample()
    for holder, key in list(keys_of(data)):
        value = holder.pop(key)
        assert agree(data), (key, holder)
        holder[key] = value


@pytest.mark.parametrize("sample", [samples.players, samples.teams])
@pytest.mark.parametrize("value", [None, True, -1, 0, 0.25, 10**6, "", "☃", "x" * 300, [], [1], {}, {"a": 1}])
def test_they_agree_on_what_a_value_may_be(sample: Any, value: Any) -> None:
    data = sample()
    for holder, key in list(keys_of(data)):
        was, holder[key] = holder[key], value
        assert agree(data), (key, holder)
        holder[key] = was


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


def test_numbers_leave_the_database_room_to_move_rows() -> None:
    largest_small_integer = 2**15 - 1
    assert SCHEMA["$defs"]["competitor"]["properties"]["number"]["maximum"] == LARGEST
    assert largest_small_integer == 2 * LARGEST + 1
