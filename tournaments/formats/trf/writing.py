"""A document → a tournament report. What its records cannot say stands in comments that this site reads."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tournaments.event.document import Document, RoundEntry
from tournaments.event.judging import judge_document
from tournaments.formats.json.writer import (
    acknowledgement_entry,
    change_entry,
    competitor_entry,
    event_entry,
    override_entry,
    pairing_entry,
    players_of_games,
    published_entry,
)
from tournaments.formats.trf.kept import kept_of, laid_over, section
from tournaments.formats.trf.own import (
    NOT_THERE,
    START,
    competitor_text,
    event_text,
    is_absence,
    pairing_text,
    sum_of,
    text_of,
)
from tournaments.formats.trf.player_lines import Person, player_lines, ranks_by_points, sheets_of_players
from tournaments.formats.trf.reading import ADDRESS, read_report
from tournaments.formats.trf.rosters import Rosters, rosters_of
from tournaments.formats.trf.team_lines import sheets_of_teams, team_lines
from tournaments.formats.trf.tournament_lines import tournament_lines

LINE_END = "\r\n"
"""Every line ends with a carriage return; Windows wants a line feed behind it."""

ABSENT = ("absent",)
"""What a comment is about that says whose cells are no pairings."""


@dataclass(frozen=True, slots=True)
class Comment:
    """Something no record says: what it is about, which keys of its object, and the line that says it."""

    what: str
    keys: tuple[str, ...]
    where: str
    text: str


def write_report(document: Document) -> str:
    """The report; read and written again it is the same, byte for byte. UTF-8."""
    records = _records(document)
    return _joined([*records, *(each.text for each in comments_of(document, records))])


def what_trf_cannot_say(document: Document) -> list[str]:
    """What no record of a report says of this event, in words; other programs will not know it."""
    found: dict[tuple[str, tuple[str, ...]], list[Comment]] = {}
    for each in comments_of(document, _records(document)):
        if each.keys != ABSENT:  # the records say that he is not there, if not why
            found.setdefault((each.what, each.keys), []).append(each)
    return [_in_words(what, keys, comments) for (what, keys), comments in found.items()]


def _in_words(what: str, keys: tuple[str, ...], comments: list[Comment]) -> str:
    first = f" {comments[0].where}" if comments[0].where else ""
    others = f" and {len(comments) - 1} more" if len(comments) > 1 else ""
    return f"{what}{first}{others}: {', '.join(keys)}" if keys else f"{what}{first}{others}"


def _joined(lines: list[str]) -> str:
    return "".join(f"{line}{LINE_END}" for line in lines)


# --- records ----------------------------------------------------------------------------------------------


def _records(document: Document) -> list[str]:
    """All lines but our comments: what was kept stands where records of its kind do."""
    comments, kept, others = kept_of(document)
    rosters = rosters_of(document)
    people = _people(document, rosters)
    sheets = sheets_of_teams(document, rosters) if document.event.is_team else sheets_of_players(document)
    ranks = _ranks(document)
    rated = sum(each.rating is not None for each in people)
    lines = list(tournament_lines(document, players=len(people), rated=rated))
    lines += player_lines(people, sheets, ranks_by_points(sheets) if document.event.is_team else ranks)
    if document.event.is_team:
        lines += team_lines(document, rosters, ranks)
    kept = [line for line in kept if line[:3] != "032" or not document.event.country]
    known = {line[:3] for line in kept}
    lines = [line for line in lines if line[:3] not in known]
    return [*comments, *sorted([*laid_over(lines, document.event.trf), *kept], key=section), *others]


def _people(document: Document, rosters: Rosters) -> list[Person]:
    if not document.event.is_team:
        return [
            Person(
                each.number, each.name, each.title, each.rating, each.code, each.fide_id, each.sex, each.born
            )
            for each in document.competitors
        ]
    return [
        Person(
            rosters.number(team, each),
            each.name,
            each.title,
            each.rating,
            "",
            each.fide_id,
            each.sex,
            each.born,
        )
        for team, players in rosters.players.items()
        for each in players
    ]


def _ranks(document: Document) -> dict[int, int]:
    """The place of everybody: the published one where all have one, else ours; nobody is without."""
    numbers = {each.number for each in document.competitors}
    order = document.published.order if document.published else []
    if {number for place in order for number in place} == numbers:
        return _published_ranks(order)
    standings = judge_document(document)
    own = standings.table.numbers.tolist()
    return {own[row.competitor]: row.place or at for at, row in enumerate(standings.rows(), start=1)}


def _published_ranks(order: list[list[int]]) -> dict[int, int]:
    ranks: dict[int, int] = {}
    at = 1
    for place in order:
        ranks.update(dict.fromkeys(place, at))
        at += max(len(place), 1)
    return ranks


# --- comments ---------------------------------------------------------------------------------------------


def comments_of(document: Document, records: list[str]) -> list[Comment]:
    """What the records do not bring back, found by reading them."""
    alone = read_report(_joined(records).encode("utf-8", "surrogatepass"), ADDRESS).document
    if alone is None:
        return []  # an event of nobody: what it is called and when is all there is
    event = _of_event(document, alone)
    told = read_report(_joined([*records, event.text]).encode("utf-8", "surrogatepass"), ADDRESS).document
    heard = told or alone
    return [event, *_of_competitors(document, heard), *_of_rounds(document, heard), *_of_rulings(document)]


def _of_event(document: Document, heard: Document) -> Comment:
    own = event_entry(replace(document.event, trf=()))
    said = event_entry(replace(heard.event, trf=()))
    text = f"{START}event {sum_of(event_text(heard.event))} {text_of(own)}"
    return Comment("the event", _differing(own, said), "", text)


def _differing(own: Mapping[str, Any], said: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(key for key in dict.fromkeys((*own, *said)) if own.get(key) != said.get(key))


def _of_competitors(document: Document, heard: Document) -> Iterator[Comment]:
    seen, by_number = players_of_games(document), {each.number: each for each in heard.competitors}
    for each in document.competitors:
        own, known = competitor_entry(each, seen.get(each.number, set())), by_number.get(each.number)
        if known and text_of(competitor_entry(each, set())) != competitor_text(known):
            text = f"{START}competitor {sum_of(competitor_text(known))} {text_of(own)}"
            yield Comment(
                "competitor", _differing(own, competitor_entry(known, set())), str(each.number), text
            )


def _of_rounds(document: Document, heard: Document) -> Iterator[Comment]:
    own = {each.number: each for each in document.rounds}
    by_number = {each.number: each for each in heard.rounds}
    for each in heard.rounds:
        absent = _absent(own.get(each.number, RoundEntry(each.number)), each)
        if absent:
            by_number[each.number] = _without(each, absent)
            text = f"{START}unpaired {each.number} {' '.join(map(str, absent))}"
            yield Comment("round", ABSENT, str(each.number), text)
    for each in document.rounds:
        known = by_number.get(each.number, RoundEntry(each.number))
        if (tables := _tables(each, known)) and tables.text:
            yield tables
        seats = {pairing.first: pairing.table for pairing in (each if tables else known).pairings}
        yield from _of_pairings(each, known, seats)
        if (each.date, each.state) != (known.date, known.state):
            entry = {"number": each.number, "date": each.date, "state": each.state}
            yield Comment("round", ("date", "state"), str(each.number), f"{START}round {text_of(entry)}")


def _absent(own: RoundEntry, heard: RoundEntry) -> list[int]:
    """Whose cells in the records are no pairings of the round."""
    paired = {number for pairing in own.pairings for number in pairing.numbers}
    return [each.first for each in heard.pairings if is_absence(each) and each.first not in paired]


def _without(heard: RoundEntry, absent: Collection[int]) -> RoundEntry:
    kept = (each for each in heard.pairings if each.first not in absent)
    return replace(heard, pairings=tuple(replace(each, table=at) for at, each in enumerate(kept, start=1)))


def _tables(own: RoundEntry, heard: RoundEntry) -> Comment | None:
    """At which tables the pairings of a round were, where they are the same pairings in another order."""
    firsts = [pairing.first for pairing in own.pairings]
    numbered = [pairing.table for pairing in own.pairings] == list(range(1, len(firsts) + 1))
    if not numbered or sorted(firsts) != sorted(pairing.first for pairing in heard.pairings):
        return None
    same = firsts == [pairing.first for pairing in heard.pairings]
    text = "" if same else f"{START}tables {own.number} {' '.join(map(str, firsts))}"
    return Comment("round", ("tables",), str(own.number), text)


def _of_pairings(own: RoundEntry, heard: RoundEntry, seats: Mapping[int, int]) -> Iterator[Comment]:
    known = {frozenset(each.numbers): each for each in heard.pairings}
    for each in own.pairings:
        said = known.get(frozenset(each.numbers))
        now = replace(said, table=seats.get(said.first, 0)) if said else None
        if now is None or pairing_entry(each) != pairing_entry(now):
            check = sum_of(pairing_text(said)) if said else NOT_THERE
            text = f"{START}pairing {own.number} {check} {text_of(pairing_entry(each))}"
            keys = _differing(pairing_entry(each), pairing_entry(now)) if now else ("all",)
            yield Comment("pairing", keys, f"round {own.number}, table {each.table}", text)


def _of_rulings(document: Document) -> Iterator[Comment]:
    listed = (
        ("override", [override_entry(each) for each in document.overrides]),
        ("change", [change_entry(each) for each in document.changes]),
        ("acknowledged", [acknowledgement_entry(each) for each in document.acknowledged]),
        ("published", [entry for entry in (published_entry(document.published),) if entry]),
    )
    for what, entries in listed:
        for entry in entries:
            yield Comment(what, (), "", f"{START}{what} {text_of(entry)}")
