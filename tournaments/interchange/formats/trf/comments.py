"""Comment lines of this site: objects of the event file for data that no record has (ADR 0029).

`### crosstable pairing 3 5f0c2a91 {"table": 4, …}` is a pairing of round 3. The eight digits are a checksum
of the records about it. If another program has changed these, the comment is ignored.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any
from zlib import crc32

from tournaments.event.completing import competitor_of, pairing_of
from tournaments.event.document import (
    AcknowledgementEntry,
    ChangeEntry,
    CompetitorEntry,
    Document,
    EventEntry,
    OverrideEntry,
    PairingEntry,
    PublishedEntry,
    RoundEntry,
)
from tournaments.event.finding import warning
from tournaments.event.json_writer import json_text
from tournaments.event.schema import FileObject, object_of
from tournaments.interchange.formats.json.parsing import parse
from tournaments.interchange.formats.log import Log, read_object
from tournaments.interchange.formats.trf.pairing_lines import (
    with_fields_of_records,
    without_fields_of_records,
)
from tournaments.interchange.formats.trf.report_lines import ReportLine

START = "### crosstable "
NOT_THERE = "-" * 8

_CHECKED = re.compile(
    r"(?P<what>event|competitor|pairing)(?: (?P<round>[1-9][0-9]{0,3}))? (?P<sum>[0-9a-f-]{8}) (?P<json>.*)"
)
_PLAIN = re.compile(r"(?P<what>override|change|acknowledged|published|round) (?P<json>.*)")
_NUMBERS = re.compile(
    r"(?P<what>tables|unpaired) (?P<round>[1-9][0-9]{0,3}) (?P<numbers>[1-9][0-9]{0,4}(?: [1-9][0-9]{0,4})*)"
)
_ENTRIES: Mapping[str, type[FileObject]] = {
    "event": EventEntry, "competitor": CompetitorEntry, "pairing": PairingEntry, "override": OverrideEntry,
    "change": ChangeEntry, "acknowledged": AcknowledgementEntry, "published": PublishedEntry,
    "round": RoundEntry,
}  # fmt: skip
_FIELDS_OF_RECORDS = ("name", "place", "country", "start", "end", "planned_rounds", "entrants", "boards")


@dataclass(frozen=True, slots=True)
class ReadComment:
    """A comment line with an object of the event file."""

    line: ReportLine
    checksum: str
    entry: Any
    round: int = 0


@dataclass
class ReadComments:
    """The comment lines of this site by subject."""

    log: Log
    objects: dict[str, list[ReadComment]] = field(default_factory=dict)
    tables: dict[int, tuple[ReportLine, list[int]]] = field(default_factory=dict)  # first sides, by table
    unpaired: dict[int, tuple[ReportLine, list[int]]] = field(default_factory=dict)  # cells without a pairing

    def of(self, what: str) -> list[ReadComment]:
        return self.objects.get(what, [])


def read_comments(lines: Sequence[ReportLine], log: Log) -> ReadComments:
    """Return the comment lines of this site by subject.

    An invalid comment is an error, because ignoring it would lose data.
    """
    comments = ReadComments(log)
    for line in lines:
        text = line.text.removeprefix(START)
        if found := _NUMBERS.fullmatch(text):
            listed = comments.tables if found["what"] == "tables" else comments.unpaired
            listed[int(found["round"])] = line, [int(each) for each in found["numbers"].split()]
        elif found := _CHECKED.fullmatch(text) or _PLAIN.fullmatch(text):
            _read_comment(comments, line, found.groupdict())
        else:
            log.add(
                "bad-comment", line.place, "This comment of Crosstable cannot be read. Take the line out."
            )
    return comments


def _read_comment(comments: ReadComments, line: ReportLine, found: Mapping[str, str | None]) -> None:
    what = found["what"] or ""
    value, problem = parse(found["json"] or "")
    if problem:
        comments.log.add("bad-comment", line.place, f"{problem.message} Or take the line out.")
        return
    if what == "round" and isinstance(value, dict):
        # The pairings of a round are in records and in separate comments.
        if "pairings" in value:
            text = "Unknown key “pairings”. Known keys: number, date, state."
            comments.log.add("unknown-key", line.place.key("pairings"), text)
        value = {**value, "pairings": []}
    entry = read_object(_ENTRIES[what], value, line.place, comments.log)
    # An invalid object is ignored; the data of the records remains.
    if entry is not None:
        comment = ReadComment(line, found.get("sum") or "", entry, int(found.get("round") or 0))
        comments.objects.setdefault(what, []).append(comment)


# --- text and checksum ------------------------------------------------------------------------------------


def json_text_of(entry: Any) -> str:
    """Return an object of the event file in a single line."""
    return json_text(_flat(entry))


def _flat(value: Any) -> Any:
    # The writer of event files has its own type for lists that it breaks into lines.
    if isinstance(value, dict):
        return {key: _flat(each) for key, each in value.items()}
    return [_flat(each) for each in value] if isinstance(value, list) else value


def checksum_of_text(text: str) -> str:
    """Return the checksum of the records about an object."""
    return f"{crc32(text.encode('utf-8', 'surrogatepass')):08x}"


def event_text(event: EventEntry) -> str:
    """Return the data of an event in records, as text. The slug is not part of it."""
    # Without fields that did not exist when the first of these comments were written.
    return json_text_of(object_of(replace(without_fields_of_records(event), slug="report", trf=())))


def pairing_text(pairing: PairingEntry) -> str:
    """Return the data of a pairing in records, as text. Records have no tables."""
    return json_text_of(object_of(replace(pairing, table=0)))


def _holds(comment: ReadComment, reported: str, log: Log) -> bool:
    if comment.checksum == checksum_of_text(reported):
        return True
    text = "The records were changed after this comment was written, so they count. Take the line out."
    log.findings.append(warning("outdated-comment", comment.line.place, text))
    return False


# --- merging comments -------------------------------------------------------------------------------------


def event_with_comments(comments: ReadComments, reported: EventEntry) -> EventEntry:
    """Return the event of our comment. Data that other programs changed in records has priority."""
    for comment in comments.of("event"):
        commented: EventEntry = comment.entry
        # If another program changed the tournament's records, these have priority over our comment.
        if not _holds(comment, event_text(reported), comments.log) or commented.entrants != reported.entrants:
            commented = replace(commented, **{name: getattr(reported, name) for name in _FIELDS_OF_RECORDS})
        return with_fields_of_records(commented, reported)
    return reported


def competitors_with_comments(
    comments: ReadComments, event: EventEntry, reported: Sequence[CompetitorEntry]
) -> tuple[CompetitorEntry, ...]:
    by_number = {each.number: each for each in reported}
    for comment in comments.of("competitor"):
        commented = competitor_of(comment.entry, of_nations=event.has_nations)
        known = by_number.get(commented.number)
        if known and _holds(comment, json_text_of(object_of(known)), comments.log):
            by_number[commented.number] = commented
    return tuple(by_number.values())


def rounds_with_comments(
    comments: ReadComments, event: EventEntry, reported: Sequence[RoundEntry]
) -> tuple[RoundEntry, ...]:
    by_number = {each.number: each for each in reported}
    # The order matters: unpaired competitors leave tables, which single pairings then use.
    for number, (line, unpaired) in comments.unpaired.items():
        if number in by_number:
            by_number[number] = _unpaired(by_number[number], line, unpaired, comments.log)
            if not by_number[number].pairings:
                del by_number[number]
    for number, (line, firsts) in comments.tables.items():
        if number in by_number:
            by_number[number] = _in_tables(by_number[number], line, firsts, comments.log)
    pairings: dict[int, list[ReadComment]] = {}
    for comment in comments.of("pairing"):
        pairings.setdefault(comment.round, []).append(comment)
    for number, found in pairings.items():
        by_number[number] = _with_commented_pairings(
            by_number.get(number, RoundEntry(number=number)), found, event, comments.log
        )
    for comment in comments.of("round"):
        commented = comment.entry
        by_number[commented.number] = replace(
            commented, pairings=by_number.get(commented.number, commented).pairings
        )
    return tuple(by_number[number] for number in sorted(by_number))


def is_absence(pairing: PairingEntry) -> bool:
    """Return whether a record has this pairing for unpaired competitors."""
    return pairing.kind in {"half-bye", "zero-bye"}


def _unpaired(round_: RoundEntry, line: ReportLine, numbers: Sequence[int], log: Log) -> RoundEntry:
    remaining = tuple(each for each in round_.pairings if each.first not in numbers or not is_absence(each))
    if len(remaining) + len(numbers) != len(round_.pairings):
        text = (
            f"A competitor listed here has a pairing in round {round_.number}, which counts. Remove the line."
        )
        log.findings.append(warning("outdated-comment", line.place, text))
    return replace(
        round_, pairings=tuple(replace(each, table=at) for at, each in enumerate(remaining, start=1))
    )


def _in_tables(round_: RoundEntry, line: ReportLine, firsts: Sequence[int], log: Log) -> RoundEntry:
    table_of = {first: table for table, first in enumerate(firsts, start=1)}
    if sorted(table_of) != sorted(each.first for each in round_.pairings):
        text = f"Other pairings than those of round {round_.number} are listed by table. Take the line out."
        log.findings.append(warning("outdated-comment", line.place, text))
        return round_
    pairings = (replace(each, table=table_of[each.first]) for each in round_.pairings)
    return replace(round_, pairings=tuple(sorted(pairings, key=lambda each: each.table)))


def _with_commented_pairings(
    round_: RoundEntry, comments: Sequence[ReadComment], event: EventEntry, log: Log
) -> RoundEntry:
    seats = {each.first: each for each in round_.pairings}
    paired = {number for each in round_.pairings for number in each.numbers}
    tables: dict[int, int] = {}
    for comment in comments:
        commented = pairing_of(event, comment.entry)
        known = next((seats[number] for number in commented.numbers if number in seats), None)
        if known and known.numbers != commented.numbers and set(known.numbers) != set(commented.numbers):
            known = None
        if known and _holds(comment, pairing_text(known), log):
            del seats[known.first]
            seats[commented.first], tables[commented.first] = commented, commented.table
        # A pairing without a record is added only if both players have no other pairing now.
        elif known is None and comment.checksum == NOT_THERE and not paired & set(commented.numbers):
            seats[commented.first], tables[commented.first] = commented, commented.table
    pairings = _making_way(tuple(seats.values()), tables)
    return replace(round_, pairings=tuple(sorted(pairings, key=lambda each: each.table)))


def _making_way(pairings: Sequence[PairingEntry], tables: Mapping[int, int]) -> Iterator[PairingEntry]:
    taken = {each.table for each in pairings} | set(tables.values())
    free = (table for table in count(1) if table not in taken)
    for each in pairings:
        is_taken = each.first not in tables and each.table in tables.values()
        yield replace(each, table=next(free)) if is_taken else each


def with_commented_rulings(comments: ReadComments, document: Document) -> Document:
    """Return the document with the rulings, change log and published standings of our comments."""
    found = {what: tuple(comment.entry for comment in comments.of(what)) for what in _ENTRIES}
    return replace(
        document,
        overrides=found["override"],
        changes=found["change"],
        acknowledged=found["acknowledged"],
        published=found["published"][0] if found["published"] else document.published,
    )
