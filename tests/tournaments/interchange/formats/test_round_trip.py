"""Writing and reading, storing and loading: no data is lost, and the bytes are equal."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.cast import create_player_event, create_team_event
from tests.tournaments.interchange.formats import samples
from tests.tournaments.interchange.formats.generated import documents
from tournaments.event.document import Document
from tournaments.interchange.formats.json.reader import read
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.imports.applying import apply
from tournaments.interchange.imports.import_diff import compare_with_stored
from tournaments.models import Event, Game, Pairing, Player
from tournaments.stored import load

ROOT = Path(__file__).parents[4]
FILES = sorted([*(ROOT / "tournaments/demo").glob("*.json"), *(ROOT / "tests/golden").glob("*.json")])
OURS = [samples.players, samples.teams, samples.olympiad, samples.changed_rules]


def stored(document: Document) -> Document:
    apply(compare_with_stored(document))
    return load(document.event.slug)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_real_events_are_in_canonical_form(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    reading = read(text)
    assert reading.findings == ()
    assert reading.document
    assert write(reading.document) == text


@pytest.mark.django_db
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_real_events_come_back_from_the_database(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    document = read(text).accepted
    assert document
    assert write(stored(document)) == text


@pytest.mark.parametrize("sample", OURS)
def test_file_preserves_all_facts(sample: Any) -> None:
    document = samples.document(sample())
    assert read(write(document)).document == document
    assert json.loads(write(document)) == expected(sample())


def expected(data: Any) -> Any:
    """Return the sample as written: without defaults, with byes, ids and the rounds of rulings."""
    for each in data["rounds"]:
        _without(each, "state", "closed")
        for pairing in each["pairings"]:
            _without(pairing, "kind", "played")
            if pairing.get("kind") in {"bye", "half-bye"}:
                pairing.setdefault("score", [1, None])
            for game in pairing.get("games", []):
                _without(game, "kind", "played")
                if game.get("first") == "Bo":
                    game["first_fide_id"] = 21
    for override in data.get("overrides", []):
        if override["kind"] in {"value", "criteria"}:
            override["after"] = 2
    return data


def _without(holder: dict[str, Any], key: str, default: str) -> None:
    if holder.get(key) == default:
        del holder[key]


@pytest.mark.django_db
@pytest.mark.parametrize("sample", OURS)
def test_file_is_equal_after_the_database(sample: Any) -> None:
    document = samples.document(sample())
    again = stored(document)
    assert again == document
    assert write(again) == write(document)


@pytest.mark.django_db
@pytest.mark.parametrize("create", [create_team_event, create_player_event])
def test_entered_event_is_equal_after_its_file(create: Any) -> None:
    event = create()
    text = write(load(event.slug))
    kept = (
        sorted(Game.objects.values_list("pk", "version")),
        sorted(Pairing.objects.values_list("pk", "version")),
    )

    document = read(text).accepted
    assert document
    assert compare_with_stored(document).differences.event.is_same
    Pairing.objects.all().delete()
    event.delete()
    assert write(stored(document)) == text
    assert [len(each) for each in kept] == [Game.objects.count(), Pairing.objects.count()]


def test_players_only_in_games_are_not_listed() -> None:
    data = json.loads(write(samples.document(samples.teams())))
    names = [[player["name"] for player in each.get("players", [])] for each in data["competitors"]]
    assert names == [["Rik"], [], []]


def test_player_with_further_data_is_listed() -> None:
    data = samples.teams()
    data["competitors"][1]["players"] = [{"name": "Bo", "city": "Gent", "fide_id": 21}]
    written = json.loads(write(samples.document(data)))
    assert written["competitors"][1]["players"] == [{"name": "Bo", "city": "Gent", "fide_id": 21}]


def test_a_namesake_without_id_is_listed() -> None:
    data = samples.teams()
    data["competitors"][1]["players"] = [{"name": "Bas"}, {"name": "Bas", "fide_id": 2}]
    document = samples.document(data)
    assert read(write(document)).document == document


def test_file_has_a_line_for_each_competitor_and_pairing() -> None:
    lines = write(samples.document(samples.players())).splitlines()
    assert '  {"number": 1, "name": "Ann"},' in lines
    assert '   {"table": 1, "first": 1, "second": 2, "score": [2, 0]},' in lines
    assert '   {"table": 3, "first": 2, "kind": "absent"}' in lines


def test_texts_are_written_unchanged() -> None:
    document = samples.document(samples.players())
    named = replace(document.competitors[0], name='Ильич "Ёж" \\ ½')
    document = replace(document, competitors=(named, *document.competitors[1:]))
    assert 'Ильич \\"Ёж\\" \\\\ ½' in write(document)
    assert read(write(document)).document == document


@given(documents())
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_generated_documents_are_read_as_written(document: Document) -> None:
    reading = read(write(document))
    assert reading.errors == ()
    assert reading.document == document
    assert write(reading.document) == write(document)


@pytest.mark.django_db
@given(documents(), documents())
@settings(
    max_examples=40 if os.environ.get("EXAMPLES") == "random" else 10,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
def test_any_document_replaces_any_other(one: Document, other: Document) -> None:
    """The loaded event is the second document, without data of the first."""
    Pairing.objects.all().delete()
    Event.objects.all().delete()
    assert stored(one) == one
    # A year would preserve the stored date of the same year, because public files have no dates.
    others = tuple(replace(each, born=each.born and "1991") for each in other.competitors)
    event = replace(other.event, former_slugs=one.event.former_slugs)
    other = replace(other, event=event, competitors=others)
    assert stored(other) == other
    assert compare_with_stored(other).differences.event.is_same
    assert Player.objects.count() == sum(len(each.players) for each in other.competitors)
