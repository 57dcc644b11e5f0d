"""Compares the points and places that a table prints with the results."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tournaments.event.arrays import order_of_places
from tournaments.event.checks.published import (
    OF_GAMES,
    OF_MATCHES,
    OF_THE_PRIMARY_SCORE,
    points_are_of_matches,
    sums_of,
)
from tournaments.event.choices import Kind
from tournaments.event.document import Document, EventEntry, PublishedEntry
from tournaments.event.finding import Finding, objection
from tournaments.event.numbers import exact_text, points_text
from tournaments.event.resultcodes import half_points_or_none
from tournaments.event.scores import full_score
from tournaments.interchange.formats.account import ReadingTally
from tournaments.interchange.formats.tables.entrants import WHOLE
from tournaments.interchange.formats.tables.grid import MOST_ENTRANTS, RowPlace
from tournaments.interchange.formats.tables.heading_words import MEANINGS, word_of
from tournaments.interchange.formats.tables.headings import PRINTED, HeadedTable, TableMapping

_HALF_AS_X = re.compile(r"(?<!\d)(\d*+)x")  # 7x is 7½ in texts of Swiss-Manager
_AGAINST = re.compile(r"^([\d½]\S*?)\s?[-–]\s?[\d½]\S*$")  # 9-1 is 9 points of 10
_LONGEST_FIGURE, _LONGEST_LABEL = 20, 120  # stored in an event file
_SHARED = re.compile(
    r"=?0*(\d{1,5})(?:st|nd|rd|th|er|e|[ªº°])?\.?\s*(?:[-–—/]\s*\d{1,5}\.?|=)?"
)  # also a shared place: `3-4`, `=3`

_SHOWN = 5  # rounds in a finding
_NOUGHT = re.compile(r"-0+(?:[.,]0+)?")
_WITH_DECIMALS = re.compile(r"([+-]?\d*)(?:[.,](\d+)|½)")


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """The points, in half-points, and the place of a competitor as printed; None if not printed."""

    number: int
    place: RowPlace
    points: int | None = None
    rank: int | None = None
    figures: tuple[tuple[str, str], ...] = ()  # printed texts by column label


def printed_rows(
    table: HeadedTable, mapping: TableMapping, numbers: Sequence[int | None], tally: ReadingTally
) -> list[PrintedRow]:
    """Return the printed values of the rows, and count the figures. `numbers`: the competitor of each row."""
    points, rank = mapping.column("points"), mapping.column("label")
    if rank is not None and "label" not in MEANINGS.get(word_of(table.labels[rank]), ()):
        rank = None
    columns = {each: table.labels[at] for at, each in mapping.columns.items()}
    printed = [at for at, each in mapping.columns.items() if each == PRINTED]
    rows = []
    for row, number in zip(table.rows, numbers, strict=True):
        if number is not None:
            place = table.grid.place(row, columns)
            score, position = (row.cell(at) if at is not None else "" for at in (points, rank))
            score = _AGAINST.sub(r"\1", score)
            made, stood = half_points_or_none(_HALF_AS_X.sub(r"\1½", score)), _printed_rank(position)
            for what, text, value in (("points", score, made), ("ranks", position, stood)):
                if value is not None:
                    tally.read(what)
                elif text:
                    tally.unread(what, text)
            texts = [(table.labels[at][:_LONGEST_LABEL], text) for at in printed if (text := row.cell(at))]
            figures = tuple(each for each in texts if len(each[1]) <= _LONGEST_FIGURE)
            if figures:
                tally.read("printed figures", len(figures))
            for _, text in texts:
                if len(text) > _LONGEST_FIGURE:
                    tally.unread("printed figures", text)
            rows.append(PrintedRow(number, place, made, stood, figures))
    return rows


def _printed_rank(text: str) -> int | None:
    found = WHOLE.fullmatch(text) or _SHARED.fullmatch(text)
    return int(found[1]) if found else None


def published_of(
    document: Document, rows: Sequence[PrintedRow], rounds: Collection[int] | None = None
) -> PublishedEntry | None:
    """Return the printed values as published standings, None if there are none.

    They are the standings after the last of `rounds`. A competitor without a place shares the place printed
    above.
    """
    numbers = {each.number for each in document.competitors}
    # Of two rows of a competitor the first is used; both are compared with the results.
    rows = [*{row.number: row for row in reversed(rows) if row.number in numbers}.values()][::-1]
    columns: dict[str, dict[str, str]] = {}
    for row in rows:
        heading = row.place.columns.get("points", "").strip(" .")
        is_known = heading.casefold() in OF_GAMES | OF_MATCHES | OF_THE_PRIMARY_SCORE  # to the checks
        points = {} if row.points is None else {heading if is_known else "Pts": exact_text(row.points)}
        for label, text in {**dict(row.figures), **points}.items():
            columns.setdefault(label, {})[str(row.number)] = _exact(text)
    order = _printed_order(rows)
    if not (order or columns):
        return None
    last = max(rounds or (), default=document.event.planned_rounds)
    if last < document.event.planned_rounds:
        return PublishedEntry(after_round={str(last): {"order": order, "columns": columns, "source": ""}})
    return PublishedEntry(order=order, columns=columns)


def _exact(text: str) -> str:
    text = _HALF_AS_X.sub(r"\1½", text) if _HALF_AS_X.fullmatch(text) else text
    found = _WITH_DECIMALS.fullmatch(text)
    # An event file has a single form of zero, without a sign.
    if _NOUGHT.fullmatch(text):
        return "0"
    return f"{found[1] or 0}.{found[2] or 5}" if found else text


def _printed_order(rows: Sequence[PrintedRow]) -> list[list[int]]:
    if not rows or rows[0].rank is None:
        return []
    places: dict[int, int] = {}
    rank = rows[0].rank
    for row in rows:
        places[row.number] = rank = rank if row.rank is None else row.rank
    return order_of_places(places, MOST_ENTRANTS)


def printed_contradictions(
    document: Document, rows: Sequence[PrintedRow], rounds: Collection[int] | None = None
) -> list[Finding]:
    """Return objections to printed points or places that do not follow from the results.

    `rounds`: those of the table; its points are of these rounds, or of all up to the last of them.
    Competitors with a missing or unknown result are not compared, nor round robins with a withdrawal, whose
    results may be annulled.
    """
    event = document.event
    numbers = {each.number for each in document.competitors}
    rows = [row for row in rows if row.number in numbers]  # without dummies
    # The results of a withdrawn player may be annulled, which only the ranking decides.
    if event.is_round_robin and any(each.withdrawn_after is not None for each in document.competitors):
        return []
    if not any(document.pairings()):
        return list(_of_table(event, rows))
    # A table after round 5 prints the points of its rounds, or of all up to the last of them.
    tried = [document]
    if rounds is not None:
        tried = [_only(document, rounds), _only(document, range(max(rounds) + 1))]
    found = [_faults_of_published(each, rows) for each in tried if any(True for _ in each.pairings())]
    return min(found, key=len, default=[])


def _only(document: Document, rounds: Collection[int]) -> Document:
    return replace(document, rounds=tuple(each for each in document.rounds if each.number in rounds))


def _faults_of_published(document: Document, rows: Sequence[PrintedRow]) -> list[Finding]:
    event = document.event
    kinds = (False, True) if event.is_team else (False,)
    columns = [sums_of(document, is_match=is_match) for is_match in kinds]
    points = min((list(_of_points(document, rows, *each)) for each in columns), key=len)
    # The figures show which score a table of teams prints. Places follow the primary score.
    return points + list(_of_places(document, rows, *columns[points_are_of_matches(event)]))


def _of_points(
    document: Document, rows: Sequence[PrintedRow], sums: dict[int, int], open_: set[int]
) -> Iterator[Finding]:
    names = {each.number: each.name for each in document.competitors}
    for row in rows:
        if row.points is None or row.number in open_ or row.points == sums[row.number]:
            continue
        text = (
            f"{points_text(row.points)} is printed for {names.get(row.number)}, and the results that were "
            f"read add up to {points_text(sums[row.number])}. "
            f"{_explanation(document, row.number, row.points - sums[row.number])}Correct one of the two."
        )
        yield objection("printed-points", row.place.key("points"), text)


def _of_places(
    document: Document, rows: Sequence[PrintedRow], sums: dict[int, int], open_: set[int]
) -> Iterator[Finding]:
    outside = {each.number for each in document.competitors if each.outside}
    ranked = [row for row in rows if row.rank is not None and row.number not in outside | open_]
    ranked.sort(key=lambda row: row.rank or 0)
    for before, row in pairwise(ranked):
        if row.rank != before.rank and sums[row.number] > sums[before.number]:
            why = _explanation(document, before.number, sums[row.number] - sums[before.number])
            text = (
                f"By the results, place {before.rank} has {points_text(sums[before.number])} points and "
                f"place {row.rank} {points_text(sums[row.number])}. {why}Correct one of the two, or say that "
                "the column holds numbers and not places."
            )
            yield objection("printed-places", row.place.key("label"), text)


def _of_table(event: EventEntry, rows: Sequence[PrintedRow]) -> Iterator[Finding]:
    most, before, above = full_score(event) * event.planned_rounds, 0, 0
    for row in rows:
        points, rank = row.points, row.rank or before  # without a place, the place above is shared
        if event.is_team or points is None or not rank:
            continue
        if points > most:
            text = f"{points_text(points)} points are more than the rounds can give. Correct one of the two."
            yield objection("printed-points", row.place.key("points"), text)
        if before and (points != above if rank == before else points > above and rank > before):
            text = f"Place {before} of {points_text(above)} points is above {rank} of {points_text(points)}."
            yield objection("printed-places", row.place.key("label"), f"{text} Correct points or places.")
        before, above = rank, points


def _explanation(document: Document, number: int, missing: int) -> str:
    event = document.event
    played = {at: each for at, each in document.pairings() if number in each.numbers}
    idle = [
        each.number
        for each in document.rounds
        if each.number not in played or played[each.number].kind == Kind.ABSENT
    ]
    won, lost = (
        [
            at
            for at, each in played.items()
            if each.kind == Kind.FORFEIT
            and bool(each.first_score if each.first == number else each.second_score) is is_won
        ]
        for is_won in (True, False)
    )
    bye = full_score(event)
    if 0 < missing <= bye * len(idle):
        return f"No games are played in {_rounds_text(idle)}: a bye may be missing. "
    if 0 < missing <= bye * len(lost):
        return f"The forfeit of {_rounds_text(lost)} may have given points. "
    if 0 < -missing <= bye * len(won):
        return f"The forfeit of {_rounds_text(won)} may not have counted. "
    return ""


def _rounds_text(numbers: Sequence[int]) -> str:
    several = ", ".join(map(str, numbers[:_SHOWN])) + (", …" if len(numbers) > _SHOWN else "")
    return f"round {several}" if len(numbers) == 1 else f"rounds {several}"
