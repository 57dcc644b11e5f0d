"""Start numbers of the players of teams; sex, date of birth and FIDE id in the columns of records.

The latter are fields of an event, and only the year of birth is public, so preserved lines do not contain
them. Lines of older event files do; their values are used for blank fields.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from tournaments.event.dates import iso_date
from tournaments.event.document import CompetitorEntry, Document, PairingEntry, PlayerEntry
from tournaments.interchange.formats.trf.report_lines import ReportLine, columns, whole

_SEXES = {"m": "m", "w": "w", "f": "w"}
_NATIONAL = 3  # letters in the tag of a record of national ratings
_BORN = slice(69, 79)
_YEAR = re.compile("(?<![0-9])[0-9]{4}(?![0-9])")
AnyPerson = TypeVar("AnyPerson", CompetitorEntry, PlayerEntry)


@dataclass(frozen=True, slots=True)
class Identity:
    """Sex, birth and FIDE id of the columns; blank or None if invalid."""

    sex: str = ""
    born: str = ""
    fide_id: int | None = None


def sex_of(text: str) -> str:
    return _SEXES.get(text.casefold(), "")


def fide_id_of_columns(text: str) -> int | None:
    return int(text) or None if re.fullmatch("[0-9]{1,17}", text) else None


def is_of_a_person(line: str) -> bool:
    """Return whether a line has the columns of a player: a player's record, or a national rating."""
    tag = ReportLine(0, line).tag
    return tag == "001" or is_national(tag)


def is_national(tag: str) -> bool:
    """Return whether a record is a national rating: its tag is the code of a federation."""
    return len(tag) == _NATIONAL and tag.isascii() and tag.isalpha() and tag.isupper() and tag[:2] != "XX"


# --- preserved lines of older event files -----------------------------------------------------------------


def with_people_of_lines(document: Document) -> Document:
    identities, remaining = identities_of(document.event.trf)
    if not identities:
        return document
    numbers = team_rosters(document).numbers if document.event.is_team else {}
    return replace(
        document,
        event=replace(document.event, trf=remaining),
        competitors=tuple(_with_identities(each, identities, numbers) for each in document.competitors),
    )


def identities_of(lines: Sequence[str]) -> tuple[dict[int, Identity], tuple[str, ...]]:
    """Return the personal data of preserved records by number, and the lines without it."""
    identities: dict[int, Identity] = {}
    remaining: list[str] = []
    for line in lines:
        number = whole(line[4:8]) if line.startswith("001 ") else None
        if number is None:
            remaining.append(line)
            continue
        born = columns(line, 70, 79)
        year = _YEAR.search(born)
        found = Identity(
            sex_of(columns(line, 10, 10)),
            iso_date(born, invalid=year[0] if year else ""),
            fide_id_of_columns(columns(line, 58, 68)),
        )
        text = _blanked(line, _BORN)
        text = _blanked(text, slice(9, 10)) if found.sex else text
        rest = (_blanked(text, slice(57, 68)) if found.fide_id else text).rstrip()
        remaining += [rest] if rest[8:].strip() else []
        if found != Identity():
            identities[number] = found
    return identities, tuple(remaining)


def _blanked(text: str, at: slice) -> str:
    return text[: at.start] + " " * len(text[at]) + text[at.stop :]


def _with_identities(
    competitor: CompetitorEntry,
    identities: Mapping[int, Identity],
    numbers: Mapping[tuple[int, int | str], int],
) -> CompetitorEntry:
    if not numbers:
        return _filled(competitor, identities.get(competitor.number, Identity()))
    players = tuple(
        _filled(
            each, replace(identities.get(numbers[competitor.number, each.identity], Identity()), fide_id=None)
        )
        for each in competitor.players
    )
    return replace(competitor, players=players)


def _filled(person: AnyPerson, found: Identity) -> AnyPerson:
    return replace(
        person,
        sex=person.sex or found.sex,
        born=person.born or found.born,
        fide_id=found.fide_id if person.fide_id is None else person.fide_id,
    )


# --- start numbers of the players of teams ---------------------------------------------------------------

Member = tuple[int, int | str]  # number of the team, and identity of the player in it


@dataclass(frozen=True)
class Rosters:
    """The players of each team in board order, and their start numbers."""

    players: Mapping[int, tuple[PlayerEntry, ...]]
    numbers: Mapping[Member, int]

    def number(self, team: int, player: PlayerEntry | None) -> int:
        return self.numbers.get((team, player.identity), 0) if player else 0


def team_rosters(document: Document) -> Rosters:
    """Return the teams, each with as many players as its matches need."""
    needed = {number for _, each in document.pairings() if is_filled(each) for number in each.numbers}
    boards = document.event.boards or 1
    players: dict[int, tuple[PlayerEntry, ...]] = {}
    for team in document.competitors:
        # A match with only a score needs a player on each board: records have no other place for the score.
        missing = range(len(team.players) + 1, boards + 1) if team.number in needed else ()
        players[team.number] = team.players + tuple(
            PlayerEntry(name=f"{team.name}, board {board}", board=board) for board in missing
        )
    members = ((team, player.identity) for team, listed in players.items() for player in listed)
    return Rosters(players, {member: number for number, member in enumerate(members, start=1)})


def is_filled(pairing: PairingEntry) -> bool:
    """Return whether a match has only a score, so that its boards must be filled."""
    return pairing.second is not None and not pairing.games
