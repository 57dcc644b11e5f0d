"""Records about the pairing of an event: initial colour, acceleration, forbidden pairs, type of team Swiss.

They are `152`, `250`, `260` and `192` of FIDE; pairing programs write `XXC` and `XXP` for two of them. Data
without a field remains a preserved line.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tournaments.event.document import EventEntry, ForbiddenGroup
from tournaments.event.pairingsettings import BAKU, forbidden_group, phases
from tournaments.interchange.formats.trf.report_lines import ReportLine, reported_half_points, whole

Records = Mapping[str, list[ReportLine]]

# the fields of an event in these records
FIELDS = ("initial_colour", "acceleration", "accelerated_to", "forbidden_pairs", "team_colours")

_COLOURS = {"W": "white", "B": "black"}
_CONFIGURED = re.compile(r"(white|black)1", re.IGNORECASE)
_TYPES = {"_TYPEA": "type-a", "_TYPEB": "type-b", "": "none"}
_TEAM_SWISS = re.compile(r"FIDE_TEAM(|_TYPEA|_TYPEB)(?:_(MP|GP)(?:_(?:MP|GP))?)?(?:_BAKU)?")


@dataclass
class PairingRecords:
    """The data of the records by field of the event, and the lines without a field."""

    fields: dict[str, Any] = field(default_factory=dict)
    not_taken: list[ReportLine] = field(default_factory=list)


def pairing_records(
    records: Records, numbers: Collection[int], rounds: int | None, win: int, *, is_team: bool
) -> PairingRecords:
    """Return the data of the records.

    `numbers`: of the competitors. `win`: points of a win.
    """
    found = PairingRecords()
    for line in records.get("XXC", ()):
        words = line.text[3:].split()
        for word in words:
            if said := _CONFIGURED.fullmatch(word):
                found.fields["initial_colour"] = said[1].lower()
        if len(words) != 1 or not _CONFIGURED.fullmatch(words[0]):
            found.not_taken.append(line)
    for line in records.get("152", ()):
        if colour := _COLOURS.get(line.text[3:].strip().upper()[:1]):
            found.fields["initial_colour"] = colour
        else:
            found.not_taken.append(line)
    _read_acceleration(records, found, rounds, win, is_team=is_team)
    _read_forbidden(records, found, numbers, rounds)
    if is_team:
        for line in records.get("192", ()):
            said = _TEAM_SWISS.fullmatch(line.text[4:].strip().upper())
            if said and said[0] not in {"FIDE_TEAM", "FIDE_TEAM_BAKU"}:
                found.fields["team_colours"] = _TYPES[said[1]]
    return found


def with_fields_of_records(event: EventEntry, reported: EventEntry) -> EventEntry:
    """Return the event of our comment, with pairing data of records that the comment does not have.

    Older reports have this data only in records.
    """
    if any(getattr(event, name) for name in FIELDS):
        return event
    return replace(event, **{name: getattr(reported, name) for name in FIELDS})


def without_fields_of_records(event: EventEntry) -> EventEntry:
    """Return the event without the data of these records, so that older checksums remain valid."""
    return replace(
        event, initial_colour="", acceleration="", accelerated_to=None, forbidden_pairs=(), team_colours=""
    )


# --- reading ----------------------------------------------------------------------------------------------


def _read_acceleration(
    records: Records, found: PairingRecords, rounds: int | None, win: int, *, is_team: bool
) -> None:
    lines = records.get("250", [])
    if not lines:
        return
    points = slice(4, 8) if is_team else slice(9, 13)
    said = [
        (
            reported_half_points(line.text[points].strip() or "0"),
            whole(line.text[14:17]),
            whole(line.text[18:21]),
            whole(line.text[22:26]),
            whole(line.text[27:31]),
        )
        for line in lines
    ]
    last = said[0][4]
    baku = [(each.points, each.first, each.last, 1, last) for each in phases(rounds or 0, win)]
    if last and said == baku:
        found.fields |= {"acceleration": BAKU, "accelerated_to": last}
    else:
        found.not_taken += lines


def _read_forbidden(
    records: Records, found: PairingRecords, numbers: Collection[int], rounds: int | None
) -> None:
    groups: list[ForbiddenGroup] = []
    for line in (*records.get("260", ()), *records.get("XXP", ())):
        is_fides = line.tag == "260"
        listed = [whole(each) for each in line.text[11 if is_fides else 3 :].split()]
        first = (whole(line.text[4:7]) or 1) if is_fides else 1
        last = (whole(line.text[8:11]) or first) if is_fides else rounds or 0
        known = [each for each in listed if each in numbers]
        within = rounds is None or first <= last <= rounds
        if len(known) != len(listed) or len(set(known)) < 2 or not within:
            found.not_taken.append(line)
            continue
        group = forbidden_group(
            (each for each in known if each), 0 if first == 1 else first, 0 if last == rounds else last
        )
        # Both records may be the same, for programs that read only one of them.
        if group not in groups:
            groups.append(group)
    if groups:
        found.fields["forbidden_pairs"] = tuple(groups)


# --- writing ----------------------------------------------------------------------------------------------


def pairing_lines(event: EventEntry, game: int, match: int) -> Iterator[str]:
    """Yield the records about the pairing. `game` and `match`: points of a win.

    Data for engines of players is written in both forms, because each engine reads only one.
    """
    if event.initial_colour:
        yield f"152 {event.initial_colour[0].upper()}"
        if not event.is_team:
            yield f"XXC {event.initial_colour}1"
    if event.acceleration and event.accelerated_to:
        for each in phases(event.planned_rounds, match if event.is_team else game):
            points = f"{each.points / 2:4.1f}"
            scores = f"{points}     " if event.is_team else f"     {points}"
            yield f"250 {scores} {each.first:3d} {each.last:3d} {1:4d} {event.accelerated_to:4d}"
    for group in event.forbidden_pairs:
        first, last = group["first_round"] or 1, group["last_round"] or event.planned_rounds
        numbers = "".join(f" {number:4d}" for number in group["competitors"])
        yield f"260 {first:3d} {last:3d}{numbers}"
        if not event.is_team and (first, last) == (1, event.planned_rounds):
            yield "XXP " + " ".join(map(str, group["competitors"]))
