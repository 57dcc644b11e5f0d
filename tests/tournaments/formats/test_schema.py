"""The published schema and the reader know the same keys and refuse the same shapes."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.tournaments.formats import samples
from tournaments.formats import node
from tournaments.formats.json import keys, reader
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
SCHEMA = json.loads((Path(reader.__file__).parent / "event.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
FILES = sorted([*(ROOT / "tournaments/demo").glob("*.json"), *(ROOT / "tests/golden").glob("*.json")])

event = SCHEMA["$defs"]["event"]["properties"]
OBJECTS = {
    keys.DOCUMENT: SCHEMA,
    keys.EVENT: SCHEMA["$defs"]["event"],
    keys.SCORING: event["scoring"],
    keys.RULES: event["rules"],
    keys.BYE: event["rules"]["properties"]["bye"],
    keys.DISPLAY: event["display"],
    keys.COMPETITOR: SCHEMA["$defs"]["competitor"],
    keys.PLAYER: SCHEMA["$defs"]["player"],
    keys.ROUND: SCHEMA["$defs"]["round"],
    keys.PAIRING: SCHEMA["$defs"]["pairing"],
    keys.GAME: SCHEMA["$defs"]["game"],
    keys.OVERRIDE: SCHEMA["$defs"]["override"],
    keys.CHANGED_RULES: SCHEMA["$defs"]["changed_rules"],
    keys.CHANGE: SCHEMA["$defs"]["change"],
    keys.ACKNOWLEDGED: SCHEMA["$defs"]["acknowledgement"],
    keys.PUBLISHED: SCHEMA["$defs"]["published"],
    keys.PUBLISHED_TABLE: SCHEMA["$defs"]["published_table"],
    keys.KNOWN: SCHEMA["$defs"]["known"],
}


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_real_events_keep_to_the_schema(file: Path) -> None:
    assert VALIDATOR.is_valid(json.loads(file.read_text(encoding="utf-8")))


@pytest.mark.parametrize("sample", [samples.players, samples.teams, samples.olympiad, samples.changed_rules])
def test_the_samples_keep_to_the_schema(sample: Any) -> None:
    assert VALIDATOR.is_valid(sample())


@pytest.mark.parametrize("known", OBJECTS)
def test_schema_and_reader_know_the_same_keys(known: tuple[str, ...]) -> None:
    assert set(OBJECTS[known]["properties"]) == set(known)
    assert OBJECTS[known]["additionalProperties"] is False


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


def limit(of: tuple[str, ...], key: str) -> int:
    """The longest text the schema lets stand under a key."""
    found = OBJECTS[of]["properties"][key]
    found = SCHEMA["$defs"][found["$ref"].rsplit("/", 1)[-1]] if "$ref" in found else found
    return int(found.get("items", found)["maxLength"])


@pytest.mark.parametrize(
    ("of", "key", "model", "field"),
    [
        *(
            (keys.EVENT, key, Event, key)
            for key in ("slug", "name", "place", "country", "licence", "system", "discipline")
        ),
        (keys.EVENT, "series", Series, "name"),
        (keys.RULES, "unplayed", Event, "unplayed"),
        *(
            (keys.COMPETITOR, key, Competitor, key)
            for key in ("name", "code", "flag", "title", "rating_class")
        ),
        *((keys.PLAYER, key, Player, key) for key in ("name", "title")),
        *((keys.OVERRIDE, key, Override, key) for key in ("was", "by", "criterion")),
        *((keys.CHANGE, key, Change, key) for key in ("was", "now", "by")),
        *((keys.ACKNOWLEDGED, key, Acknowledgement, key) for key in ("finding", "by")),
    ],
)
def test_texts_fit_the_database(of: tuple[str, ...], key: str, model: Any, field: str) -> None:
    assert limit(of, key) == model._meta.get_field(field).max_length


def test_numbers_leave_the_database_room_to_move_rows() -> None:
    largest_small_integer = 2**15 - 1
    assert SCHEMA["$defs"]["number"]["maximum"] == node.LARGEST
    assert largest_small_integer == 2 * node.LARGEST + 1
