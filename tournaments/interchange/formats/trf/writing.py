"""Tournament reports from documents. Comments contain the data that has no record."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tournaments.event.arrays import published_places
from tournaments.event.document import CompetitorEntry, Document, PlayerEntry, RoundEntry
from tournaments.event.judging import judge_document
from tournaments.event.schema import object_of
from tournaments.interchange.formats.json.writer import competitor_object, players_of_games
from tournaments.interchange.formats.trf.comments import (
    NOT_THERE,
    START,
    checksum_of_text,
    event_text,
    is_absence,
    json_text_of,
    pairing_text,
)
from tournaments.interchange.formats.trf.identities import team_rosters
from tournaments.interchange.formats.trf.player_lines import (
    line_of_player,
    ranks_by_points,
    sheets_of_players,
)
from tournaments.interchange.formats.trf.preserved import laid_over, preserved_of, section
from tournaments.interchange.formats.trf.reading import document_of_records, event_of_records
from tournaments.interchange.formats.trf.team_lines import adjustment_lines, sheets_of_teams, team_lines
from tournaments.interchange.formats.trf.tie_breaks import TAGS
from tournaments.interchange.formats.trf.tournament_lines import tournament_lines

LINE_END = "\r\n"  # the carriage return ends each line; Windows needs the line feed

LISTED_ONE_BY_ONE = frozenset({"299"})  # tags of records that are written in addition to preserved ones

ABSENT = ("absent",)  # subject of the comment about cells without a pairing


@dataclass(frozen=True, slots=True)
class WrittenComment:
    """A comment with data without a record: its subject, the keys of its object, and the line."""

    what: str
    keys: tuple[str, ...]
    where: str
    text: str


def write_report(document: Document) -> str:
    """Return the report in UTF-8. Reading and writing it again returns the same bytes."""
    records = _lines_of_records(document)
    return _lines_joined([*records, *(each.text for each in comments_of(document, records))])


def write_records(document: Document) -> str:
    """Return the records without our comments, for engines."""
    return _lines_joined(_lines_of_records(document))


def what_trf_cannot_say(document: Document) -> list[str]:
    """Return the data of the event without a record, in words for users."""
    found: dict[tuple[str, tuple[str, ...]], list[WrittenComment]] = {}
    for each in comments_of(document, _lines_of_records(document)):
        if each.keys != ABSENT:  # records have the absence, but not its reason
            found.setdefault((each.what, each.keys), []).append(each)
    texts = []
    for (what, keys), comments in found.items():
        first = f" {comments[0].where}" if comments[0].where else ""
        others = f" and {len(comments) - 1} more" if len(comments) > 1 else ""
        texts.append(f"{what}{first}{others}: {', '.join(keys)}" if keys else f"{what}{first}{others}")
    return texts


def _lines_joined(lines: list[str]) -> str:
    return "".join(f"{line}{LINE_END}" for line in lines)


# --- records ----------------------------------------------------------------------------------------------


def _lines_of_records(document: Document) -> list[str]:
    comments, preserved, others = preserved_of(document)
    rosters = team_rosters(document)
    ranks = placed = _places_to_report(document)
    people: list[tuple[int, CompetitorEntry | PlayerEntry]]
    if document.event.is_team:
        of_teams = rosters.players.items()
        people = [(rosters.number(team, each), each) for team, players in of_teams for each in players]
        sheets = sheets_of_teams(document, rosters)
        placed = ranks_by_points(sheets)
    else:
        people = [(each.number, each) for each in document.competitors]
        sheets = sheets_of_players(document)
    rated = sum(each.rating is not None for _, each in people)
    lines = list(tournament_lines(document, players=len(people), rated=rated))
    lines += [line_of_player(at, each, sheets.sheets[at], placed[at]) for at, each in people]
    if document.event.is_team:
        lines += team_lines(document, rosters, ranks)
    lines += adjustment_lines(document)
    preserved = [line for line in preserved if line[:3] != "032" or not document.event.country]
    # A preserved record replaces the generated records of its tag.
    known = {line[:3] for line in preserved} - LISTED_ONE_BY_ONE
    known |= {*TAGS} if known & {*TAGS} else set()  # the two records of tie-breaks have the same data
    lines = [line for line in lines if line[:3] not in known]
    return [*comments, *sorted([*laid_over(lines, document.event.trf), *preserved], key=section), *others]


def _places_to_report(document: Document) -> dict[int, int]:
    numbers = {each.number for each in document.competitors}
    order = document.published.order if document.published else []
    # A report is written with the places that were read.
    if {number for place in order for number in place} == numbers:
        return dict(published_places(order))
    standings = judge_document(document)
    number_of = standings.table.numbers.tolist()
    return {number_of[row.competitor]: row.place or at for at, row in enumerate(standings.rows(), start=1)}


# --- comments ---------------------------------------------------------------------------------------------


def comments_of(document: Document, records: list[str]) -> list[WrittenComment]:
    """Return comments with the data that is lost when the records are read."""
    reported = event_of_records(_lines_joined(records).encode("utf-8", "surrogatepass"))
    if reported is None:
        return []  # without competitors, an event has only a name and a date
    ours = object_of(replace(document.event, trf=()))
    reread_entry = object_of(replace(reported, trf=()))
    text = f"{START}event {checksum_of_text(event_text(reported))} {json_text_of(ours)}"
    event = WrittenComment("the event", _differing(ours, reread_entry), "", text)
    # Read with the event's comment, because scoring and system change how records are read.
    reread = document_of_records(_lines_joined([*records, event.text]).encode("utf-8", "surrogatepass"))
    if reread is None:
        return []
    return [
        event,
        *_comments_of_competitors(document, reread),
        *_comments_of_rounds(document, reread),
        *_of_rulings(document),
    ]


def _differing(ours: Mapping[str, Any], reread: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(key for key in dict.fromkeys((*ours, *reread)) if ours.get(key) != reread.get(key))


def _comments_of_competitors(document: Document, reread: Document) -> Iterator[WrittenComment]:
    seen, by_number = players_of_games(document), {each.number: each for each in reread.competitors}
    for each in document.competitors:
        ours, known = competitor_object(each, seen.get(each.number, set())), by_number.get(each.number)
        reported = json_text_of(object_of(known)) if known else ""
        if known and json_text_of(object_of(each)) != reported:
            text = f"{START}competitor {checksum_of_text(reported)} {json_text_of(ours)}"
            yield WrittenComment("competitor", _differing(ours, object_of(known)), str(each.number), text)


def _comments_of_rounds(document: Document, reread: Document) -> Iterator[WrittenComment]:
    ours = {each.number: each for each in document.rounds}
    by_number = {each.number: each for each in reread.rounds}
    for each in reread.rounds:
        stored = ours.get(each.number, RoundEntry(number=each.number))
        paired = {number for pairing in stored.pairings for number in pairing.numbers}
        absent = [row.first for row in each.pairings if is_absence(row) and row.first not in paired]
        if absent:
            others = (row for row in each.pairings if row.first not in absent)
            pairings = tuple(replace(row, table=at) for at, row in enumerate(others, start=1))
            by_number[each.number] = replace(each, pairings=pairings)
            text = f"{START}unpaired {each.number} {' '.join(map(str, absent))}"
            yield WrittenComment("round", ABSENT, str(each.number), text)
    for each in document.rounds:
        known = by_number.get(each.number, RoundEntry(number=each.number))
        if (tables := _tables(each, known)) and tables.text:
            yield tables
        seats = {pairing.first: pairing.table for pairing in (each if tables else known).pairings}
        yield from _of_pairings(each, known, seats)
        facts = [
            (of.date, of.time, of.state, of.pairing_numbers, of.provisional_results) for of in (each, known)
        ]
        if facts[0] != facts[1]:
            given: dict[str, Any] = {"date": each.date, "time": each.time, "state": each.state}
            given |= {"pairing_numbers": each.pairing_numbers}
            given |= {"provisional_results": object_of(each).get("provisional_results")}
            given = {name: value for name, value in given.items() if value or name in {"date", "state"}}
            text = f"{START}round {json_text_of({'number': each.number, **given})}"
            yield WrittenComment("round", tuple(given), str(each.number), text)


def _tables(stored: RoundEntry, reread: RoundEntry) -> WrittenComment | None:
    firsts = [pairing.first for pairing in stored.pairings]
    numbered = [pairing.table for pairing in stored.pairings] == list(range(1, len(firsts) + 1))
    if not numbered or sorted(firsts) != sorted(pairing.first for pairing in reread.pairings):
        return None
    same = firsts == [pairing.first for pairing in reread.pairings]
    text = "" if same else f"{START}tables {stored.number} {' '.join(map(str, firsts))}"
    return WrittenComment("round", ("tables",), str(stored.number), text)


def _of_pairings(ours: RoundEntry, reread: RoundEntry, seats: Mapping[int, int]) -> Iterator[WrittenComment]:
    known = {frozenset(each.numbers): each for each in reread.pairings}
    for each in ours.pairings:
        reread_entry = known.get(frozenset(each.numbers))
        now = replace(reread_entry, table=seats.get(reread_entry.first, 0)) if reread_entry else None
        if now is None or object_of(each) != object_of(now):
            check = checksum_of_text(pairing_text(reread_entry)) if reread_entry else NOT_THERE
            text = f"{START}pairing {ours.number} {check} {json_text_of(object_of(each))}"
            keys = _differing(object_of(each), object_of(now)) if now else ("all",)
            yield WrittenComment("pairing", keys, f"round {ours.number}, table {each.table}", text)


def _of_rulings(document: Document) -> Iterator[WrittenComment]:
    listed = (
        ("override", [object_of(each) for each in document.overrides]),
        ("change", [object_of(each) for each in document.changes]),
        ("acknowledged", [object_of(each) for each in document.acknowledged]),
        ("published", [object_of(document.published)] if document.published else []),
    )
    for what, entries in listed:
        for entry in entries:
            yield WrittenComment(what, (), "", f"{START}{what} {json_text_of(entry)}")
