"""Every importable download gives a new event with the same figures."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from standings.downloads.views import FORMATS, Format, formats_of
from standings.tables.sheet import displayed_criteria
from standings.tables.values import exact_texts
from tests.cast import stored_event
from tests.demo import record
from tournaments.event.document import Document, GameEntry, PairingEntry
from tournaments.event.judging import judge_document
from tournaments.interchange.formats.json.reader import Reading
from tournaments.interchange.formats.layouts.outline import NO_FACTS, EventOutline, outline_of
from tournaments.interchange.formats.options import AS_FOUND, ReadingOptions
from tournaments.models import Event
from tournaments.recording.imports.importing import import_event, read_upload
from tournaments.stored import load

pytestmark = pytest.mark.django_db

GOLDEN = Path(__file__).parents[2] / "golden"
WHOLE = {"json", "trf"}
"""The formats with all settings of the event."""
WITHOUT_BYES = {"games.csv", "pgn", "pdn"}
WITHOUT_NUMBERS = {"pgn", "pdn"}
WITHOUT_BOARDS = {"crosstable.csv", "crosstable.xlsx"}
WITHOUT_OUTSIDE = WITHOUT_BYES | WITHOUT_BOARDS
"""The formats that do not contain who plays outside the competition."""


def swiss_of_players() -> dict[str, Any]:
    """Return five players in chess: all kinds of byes, an absence, a forfeit, an open game, an outsider."""
    names = ("Arends, Bo", "Brill, Cas", "Claes, Dee", "Dorn, Eva", "Ekman, Finn")
    rounds = [
        [
            {"table": 1, "first": 1, "second": 4, "score": [1, 0]},
            {"table": 2, "first": 5, "second": 2, "score": [0.5, 0.5]},
            {"table": 3, "first": 3, "kind": "bye"},
        ],
        [
            {"table": 1, "first": 3, "second": 1, "kind": "forfeit", "score": [0, 1]},
            {"table": 2, "first": 4, "second": 5, "score": [1, 0]},
            {"table": 3, "first": 2, "kind": "half-bye"},
        ],
        [
            {"table": 1, "first": 1, "second": 2, "kind": "pending"},
            {"table": 2, "first": 5, "second": 3, "score": [0, 1]},
        ],
    ]
    return {
        "format": "crosstable-event", "version": 1,
        "event": {
            "slug": "harbour-open", "name": "Harbour Open", "start": "2026-05-01", "state": "live",
            "discipline": "chess", "entrants": "players", "schedule": "swiss", "rounds": 4,
            "scoring": {"game": [1, 0.5, 0]}, "system": "fide-swiss",
        },
        "competitors": [
            {"number": at, "name": name, "rating": 2200 - 50 * at, "code": "NED", "fide_id": 1000 + at,
             **({"outside": True} if at == 5 else {})}
            for at, name in enumerate(names, start=1)
        ],
        "rounds": [
            {"number": at, "date": f"2026-05-0{at}", "state": "published" if at == 3 else "closed",
             "pairings": pairings}
            for at, pairings in enumerate(rounds, start=1)
        ],
    }  # fmt: skip


def swiss_of_teams() -> dict[str, Any]:
    """Three teams on two boards: a bye a round, a board without an opponent, a match decided by forfeit."""
    teams = {1: ("Reds", "RED"), 2: ("Blues", "BLU"), 3: ("Greens", "GRE")}

    def board(number: int, first: str, second: str, *score: float, **more: str) -> dict[str, Any]:
        white = "first" if number == 1 else "second"
        return {"board": number, "first": first, "second": second, "score": [*score], "white": white, **more}

    rounds = [
        [
            {"table": 1, "first": 1, "second": 2, "score": [1.5, 0.5],
             "games": [board(1, "Red 1", "Blue 1", 1, 0), board(2, "Red 2", "Blue 2", 0.5, 0.5)]},
            {"table": 2, "first": 3, "kind": "bye"},
        ],
        [
            {"table": 1, "first": 3, "second": 1, "score": [1, 1],
             "games": [board(1, "Green 1", "Red 1", 0, 1),
                       board(2, "Green 2", "Red 2", 1, 0, kind="forfeit")]},
            {"table": 2, "first": 2, "kind": "bye"},
        ],
        [
            {"table": 1, "first": 2, "second": 3, "kind": "forfeit", "score": [2, 0],
             "games": [board(1, "Blue 1", "Green 1", 1, 0, kind="forfeit"),
                       board(2, "Blue 2", "Green 2", 1, 0, kind="forfeit")]},
            {"table": 2, "first": 1, "kind": "bye"},
        ],
    ]  # fmt: skip
    return {
        "format": "crosstable-event", "version": 1,
        "event": {
            "slug": "harbour-teams", "name": "Harbour Teams", "start": "2026-05-01", "state": "final",
            "discipline": "chess", "entrants": "teams", "schedule": "swiss", "rounds": 3, "boards": 2,
            "scoring": {"game": [1, 0.5, 0], "match": [2, 1, 0]}, "system": "fide-team-swiss",
        },
        "competitors": [
            {"number": at, "name": name, "code": code,
             "players": [{"name": f"{name[:-1]} {seat}", "board": seat} for seat in (1, 2)]}
            for at, (name, code) in teams.items()
        ],
        "rounds": [
            {"number": at, "date": f"2026-05-0{at}", "state": "closed", "pairings": pairings}
            for at, pairings in enumerate(rounds, start=1)
        ],
    }  # fmt: skip


def event_named(name: str) -> Event:
    """Return one of the events above, a demo event, or a golden event."""
    if name == "players":
        return stored_event(swiss_of_players())
    if name == "teams":
        return stored_event(swiss_of_teams())
    if (GOLDEN / f"{name}.json").exists():
        import_event(GOLDEN / f"{name}.json", announce=lambda _: None)
    else:
        record(name)
    return Event.objects.get(slug=name)


def imported(event: Event, form: Format, options: ReadingOptions = AS_FOUND) -> Reading:
    """Import a download as a new event, with the settings that the format lacks."""
    content = form.public(event, "http://testserver/")
    facts = {
        "slug": "copy", "name": event.name, "start": event.start or "2026", "discipline": event.discipline,
        "entrants": event.entrants, "schedule": event.schedule, "rounds": str(event.planned_rounds),
        "boards": str(event.boards or ""), "system": event.system,
    }  # fmt: skip
    chosen: EventOutline = NO_FACTS if form.ending in WHOLE else outline_of(facts, "as given")
    raw = content.encode() if isinstance(content, str) else content
    return read_upload(f"copy.{form.ending}", raw, options=options, chosen=chosen)


# --- what is compared -------------------------------------------------------------------------------------


def names_of(document: Document) -> dict[int | None, str]:
    """Return the names without a suffix in brackets, which PDN uses for places."""
    return {None: "", **{each.number: each.name.partition(" (")[0] for each in document.competitors}}


def games_of(pairing: PairingEntry, *, is_turned: bool) -> tuple[Any, ...]:
    """Return the boards of a match from the side whose name comes first."""

    def sides(game: GameEntry) -> tuple[Any, ...]:
        found = [
            (game.first_player and game.first_player.name, game.first_score, game.white == "first"),
            (game.second_player and game.second_player.name, game.second_score, game.white == "second"),
        ]
        return game.board, game.kind, *(found[::-1] if is_turned else found)

    return tuple(map(sides, pairing.games))


def played(document: Document, form: Format) -> set[Any]:
    """Return every pairing with its result, regardless of the stored order of the teams."""
    names = names_of(document)

    def told(number: int, each: PairingEntry) -> tuple[Any, ...]:
        sides = [
            (names[each.first], each.first_score, each.first_match_points),
            (names[each.second], each.second_score, each.second_match_points),
        ]
        is_turned = document.event.is_team and names[each.second] < names[each.first]
        games = () if form.ending in WITHOUT_BOARDS else games_of(each, is_turned=is_turned)
        return number, each.kind, *(sides[::-1] if is_turned else sides), games

    return {told(number, each) for number, each in document.pairings()}


def standings(document: Document) -> list[tuple[Any, ...]]:
    judged = judge_document(document)
    names, values = names_of(document), [exact_texts(each) for each in displayed_criteria(judged)]
    return sorted(
        (
            names[document.competitors[row.competitor].number],
            row.place or 0,
            *(texts[row.competitor] for texts in values),
        )
        for row in judged.rows()
    )


def without_byes(document: Document) -> Document:
    """Return the document as imported from a list of games."""
    rounds = tuple(
        replace(each, pairings=tuple(one for one in each.pairings if one.second is not None))
        for each in document.rounds
    )
    return replace(document, rounds=rounds)


def differences(base: Document, read: Document, form: Format) -> Iterator[str]:
    """Yield the differences of an imported format, as far as it contains the data."""
    read = replace(read, event=base.event)
    if form.ending in WITHOUT_BYES:
        base = without_byes(base)
    if form.ending in WITHOUT_OUTSIDE:
        base = replace(base, competitors=tuple(replace(each, outside=False) for each in base.competitors))
    if form.ending not in WITHOUT_NUMBERS and {(each.number, each.name) for each in base.competitors} != {
        (each.number, each.name) for each in read.competitors
    }:
        yield "who takes part"
    if played(base, form) != played(read, form):
        yield f"results {played(base, form) ^ played(read, form)}"
    if standings(base) != standings(read):
        yield f"standings {set(standings(base)) ^ set(standings(read))}"


EVENTS = ["players", "teams", pytest.param("2022-ouagadougou-open", marks=pytest.mark.exhaustive)]
MORE = ["1948-world-championship", "olympiad-2022-open", "2018-moscow-open-a", "2025-potsdam-swiss"]


@pytest.mark.parametrize("name", EVENTS)
def test_every_download_is_imported_with_every_figure(name: str, subtests: Any) -> None:
    event = event_named(name)
    base = load(event.slug)
    for form in formats_of(event):
        if form.is_importable:
            with subtests.test(form=form.ending):
                reading = imported(event, form)
                assert reading.accepted is not None, reading.findings
                assert [*differences(base, reading.accepted, form)] == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", MORE)
def test_downloads_of_real_events_are_imported_or_objected_to(name: str, subtests: Any) -> None:
    event = event_named(name)
    base = load(event.slug)
    for form in formats_of(event):
        if form.is_importable:
            with subtests.test(form=form.ending):
                reading = imported(event, form)
                assert reading.document is not None, reading.findings
                assert reading.objections or [*differences(base, reading.document, form)] == []


def test_matches_without_games_are_in_the_tables_and_not_in_a_list_of_games() -> None:
    event = event_named("bavarian-club-teams")
    forms = {each.ending: each for each in FORMATS}
    read = imported(event, forms["csv"]).accepted
    assert read is not None
    assert [*differences(load(event.slug), read, forms["csv"])] == []
    (finding,) = imported(event, forms["games.csv"]).errors
    assert finding.code == "no-games"


def test_competitors_without_a_game_are_named_when_a_list_of_games_is_imported() -> None:
    event = event_named("players")
    (finding,) = imported(event, next(each for each in FORMATS if each.ending == "games.csv")).findings
    assert finding.code == "no-byes-in-games"
    assert "Claes, Dee (round 1), Brill, Cas (round 2), Dorn, Eva (round 3)" in finding.message


@pytest.mark.parametrize("ending", [each.ending for each in FORMATS if not each.is_importable])
def test_download_that_cannot_be_imported_is_refused_and_marked_at_its_link(
    ending: str, client: Client
) -> None:
    event = event_named("teams")
    reading = imported(event, next(each for each in FORMATS if each.ending == ending))
    assert reading.document is None
    assert reading.errors
    page = client.get(reverse("downloads", args=[event.slug])).content.decode()
    about = page.partition(f"/events/{event.slug}.{ending}")[2].partition("</dd>")[0]
    assert "It cannot be imported." in about


MATCH_ONLY = {"games.csv", "pgn"}
WITHOUT_NAMES = {"trf", "pgn"}


def teams_without_names(*, has_boards: bool) -> Event:
    """Return an event of two teams whose match has a score, and boards without players if `has_boards`."""
    games = [{"board": 1, "score": [1, 0]}, {"board": 2, "score": [0.5, 0.5]}]
    match = {"table": 1, "first": 1, "second": 2, "score": [1.5, 0.5]}
    return stored_event({
        "format": "crosstable-event", "version": 1,
        "event": {
            "slug": "harbour-teams", "name": "Harbour Teams", "start": "2026-05-01", "state": "final",
            "discipline": "chess", "entrants": "teams", "schedule": "round-robin", "rounds": 1, "boards": 2,
            "scoring": {"game": [1, 0.5, 0], "match": [2, 1, 0]}, "system": "manual-round-robin",
            "criteria": ["match-points"],
        },
        "competitors": [{"number": 1, "name": "Reds"}, {"number": 2, "name": "Blues"}],
        "rounds": [{"number": 1, "pairings": [match | ({"games": games} if has_boards else {})]}],
    })  # fmt: skip


@pytest.mark.parametrize(("has_boards", "lacking"), [(False, MATCH_ONLY), (True, WITHOUT_NAMES)])
def test_forms_without_games_say_so_next_to_their_link(
    has_boards: bool, lacking: set[str], client: Client
) -> None:
    event = teams_without_names(has_boards=has_boards)
    base = load(event.slug)
    page = client.get(reverse("downloads", args=[event.slug])).content.decode()
    for form in formats_of(event):
        if form.is_importable:
            about = page.rpartition(f'/events/{event.slug}.{form.ending}"')[2].partition("</dd>")[0]
            assert ("It cannot be imported." in about) == (form.ending in lacking), form.ending
            reading = imported(event, form)
            is_same = reading.accepted is not None and [*differences(base, reading.accepted, form)] == []
            assert (is_same and not reading.objections) == (form.ending not in lacking), form.ending


def test_the_table_to_paste_is_refused_with_advice() -> None:
    event = event_named("players")
    (finding,) = imported(event, next(each for each in FORMATS if each.ending == "html")).errors
    assert finding.code == "table-to-paste"
    assert "Download the event file (JSON), the CSV or the report (TRF)" in finding.message


def test_points_of_a_team_bye_are_requested_if_they_contradict_the_rules() -> None:
    data = swiss_of_teams()
    data["event"]["rules"] = {"bye": {"game": 1, "match": 1}}
    event = stored_event(data)
    form = next(each for each in FORMATS if each.ending == "crosstable.csv")
    reading = imported(event, form)
    assert {each.code for each in reading.findings} >= {"printed-points", "bye-points"}
    message = next(each.message for each in reading.findings if each.code == "bye-points")
    assert message == (
        "The points of a team bye are missing from the table (byes: 3). Taken: 2 match points and 2 game "
        "points, by the rules of the event. Choose another answer if the bye gave something else."
    )
    chosen = imported(event, form, ReadingOptions(bye="draw")).accepted
    assert chosen is not None
    assert (chosen.event.bye_game, chosen.event.bye_match) == (2, 2)
    assert [*differences(load(event.slug), chosen, form)] == []
    data = swiss_of_teams()
    data["event"]["slug"] = "usual-teams"
    usual = imported(stored_event(data), form)
    assert "bye-points" not in {each.code for each in usual.findings}
