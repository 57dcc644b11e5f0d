"""Two events with a hidden person, and the texts that readers must not find."""

import json
from typing import Any

from tests.cast import chess_swiss_file, stored_event
from tests.replay import built_once
from tournaments.event.finding import errors
from tournaments.models import Competitor, Event, Person, PersonIdentifier, PersonLink, PersonName, Player
from tournaments.recording.imports.importing import ImportRequest, import_file

NAME, OTHER_NAME, BORN, FIDE_ID, CLUB = (
    "Quixley, Zora",
    "Zora Quixley-Thorne",
    "2007-03-29",
    99887766,
    "Club Vexburg",
)
CYRILLIC_NAME = "Зора Квиксли"
TRACES = (
    *("Quixley", "Zora", "Thorne", "Квиксли", "Зора", "Kviksli"),
    *("2007-03-29", "29.03.2007", "99887766", "Vexburg", "55443322"),
)
"""Texts that identify her. Other players have the same year of birth."""

PARTICULARS = {
    "title": "WGM",
    "sex": "w",
    "born": BORN,
    "fide_id": FIDE_ID,
    "club": CLUB,
    "rating": 2111,
    "categories": ["Vexburg juniors"],
}


def players_file() -> dict[str, Any]:
    """Return the file of six players. She is number 4, and is named in notes, moves, lines and rulings."""
    data = chess_swiss_file()
    data["event"] |= {
        "slug": "six-hidden", "name": "Six and One", "state": "final", "rounds": 3,
        "notes": f"{NAME} won the best game.",
        "categories": [{"code": "U20", "age_under": 20}, {"code": "W", "sex": "w"}],
        "trf": [
            f"001    4 wWGM {NAME:33} 2111 NED {FIDE_ID:>11} 2007/03/29  0.0    6",
            f"### protest of {NAME} ({FIDE_ID})",
        ],
    }  # fmt: skip
    data["competitors"][3] |= {"name": NAME, **PARTICULARS}
    data["competitors"][0] |= {"born": "2006", "sex": "w"}
    for number, side in ((1, "Black"), (2, "White")):
        for each in data["rounds"][number - 1]["pairings"]:
            if 4 in (each["first"], each["second"]):
                each["note"] = f"Quixley came late; {OTHER_NAME} says so."
                tags = f'[{side}Team "{CLUB}"]\n[{side}Title "WGM"]\n[Annotator "Q"]'
                each["moves"] = f"{tags}\n\n1. e4 {{Zora Quixley thinks}} e5"
    data["overrides"] = [
        {
            "id": 1, "kind": "place", "competitor": 4, "place": 6, "by": "anna",
            "reason": f"Agreed with {NAME}.", "at": "2026-05-09T12:00:00Z",
        }
    ]  # fmt: skip
    return data


def teams_file() -> dict[str, Any]:
    """Return the file of a match of two teams on two boards. She plays for Reds on board 2."""
    return {
        "format": "crosstable-event",
        "version": 1,
        "event": {
            "slug": "teams-hidden", "name": "Teams and One", "state": "final", "discipline": "chess",
            "entrants": "teams", "schedule": "swiss", "rounds": 1, "boards": 2, "start": "2026-06-01",
            "scoring": {"game": [1, 0.5, 0], "match": [2, 1, 0]}, "system": "olympiad-2010",
        },
        "competitors": [
            {"number": 1, "name": "Reds", "code": "NED", "players": [
                {"name": "Ann", "board": 1, "rating": 2300}, {"name": NAME, "board": 2, **PARTICULARS},
            ]},
            {"number": 2, "name": "Blues", "code": "BEL", "players": [
                {"name": "Bob", "board": 1, "rating": 2200}, {"name": "Cor", "board": 2, "rating": 2150},
            ]},
        ],
        "rounds": [{"number": 1, "pairings": [
            {"table": 1, "first": 1, "second": 2, "score": [1.5, 0.5], "games": [
                {"board": 1, "first": "Ann", "second": "Bob", "white": "first", "score": [0.5, 0.5]},
                {"board": 2, "first": NAME, "second": "Cor", "white": "second", "score": [1, 0],
                 "moves": f'[BlackTitle "WGM"]\n\n1. d4 {{{NAME}}} d5'},
            ]},
        ]}],
    }  # fmt: skip


@built_once
def create_person(**about: Any) -> Person:
    """Create her, with another name and two ids, without an entry."""
    person = Person.objects.create(name=NAME, born=BORN, sex="w", note="Wrote on 3 May.", **about)
    for name in (OTHER_NAME, CYRILLIC_NAME):
        PersonName.objects.create(person=person, name=name)
    PersonIdentifier.objects.create(person=person, scheme="fide", value=str(FIDE_ID))
    PersonIdentifier.objects.create(person=person, scheme="ned", value="55443322")
    return person


def link(person: Person, entry: Competitor | Player) -> PersonLink:
    """Link an entry to her."""
    team = entry.competitor if isinstance(entry, Player) else entry
    side = {"player": entry} if isinstance(entry, Player) else {"competitor": entry}
    return PersonLink.objects.create(
        person=person, event=team.event, how="id", number=team.number, name=entry.name, **side
    )


@built_once
def create_events() -> tuple[Event, Event]:
    """Create both events."""
    return stored_event(players_file()), stored_event(teams_file())


@built_once
def imported(file: dict[str, Any]) -> Event:
    """Import an event file to where it belongs, as a command does, and return the event."""
    wishes = ImportRequest(by="otto", reason="As the file has it.")
    found = import_file(
        "event.json", json.dumps(file).encode(), announce=lambda _proposal: None, wishes=wishes
    )
    assert not errors(found), found
    return Event.objects.get(slug=file["event"]["slug"])
