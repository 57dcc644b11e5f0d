"""Rank an event file with its rulings, without a database."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, Literal, NamedTuple, TypeVar, cast

from standings.engine import FMJD, SYSTEMS, Crosstable, RankingOverride, RankingSystem, Standings, rank
from tournaments.event import document
from tournaments.event.arrays import CompetitorInfo, CrosstableBoard, CrosstableMeeting, build_crosstable
from tournaments.event.choices import OverrideKind
from tournaments.event.dates import parse_year
from tournaments.event.rules import Rules, first_rules, in_force, is_starred, rules_after_each

Record = TypeVar("Record", bound=NamedTuple)


def system_of(event: Any) -> RankingSystem:
    return Rules.of(event).ranking_system


OLYMPIADS = (
    (1976, "olympiad-1976"), (1978, "olympiad-1978"), (2004, "olympiad-2004"), (2008, "olympiad-2008"),
    (2010, "olympiad-2010"),
)  # fmt: skip
"""The rules of the chess olympiads, by the first year in which they applied."""


def usual_system(discipline: str, *, is_team: bool, is_swiss: bool, name: str = "", start: str = "") -> str:
    """Return the code of the usual ranking system for such an event.

    A chess olympiad, recognised by its name, has the rules of its year.
    """
    is_chess, year = discipline == "chess", parse_year(start) or 0
    if is_chess and is_team and is_swiss and "olympiad" in name.casefold():
        held = [code for since, code in OLYMPIADS if since <= year]
        if held:
            return held[-1]
    if is_chess:
        suits = (
            code
            for code, each in SYSTEMS.items()
            if each.chess and each.suits(round_robin=not is_swiss, teams=is_team, chess=True)
        )
        return next(suits)
    if is_swiss:
        return "fmjd-swiss"
    return "league" if is_team else "manual-round-robin"


def unplayed_by_draughts_rules(event: Any) -> bool:
    """Return whether unplayed rounds of a chess Swiss count by draughts' rules, which is only the default."""
    is_open = event.discipline == "chess" and not event.is_round_robin and not event.unplayed
    system = SYSTEMS.get(event.system)
    return is_open and system is not None and system.unplayed is FMJD


def crosstable_of_document(read: document.Document) -> Crosstable:
    return _played_crosstable(read)(Rules.of(read.event))


def judge_document(read: document.Document) -> Standings:
    rulings = [_build_record(OverrideRecord, each) for each in read.overrides]
    return judged(Rules.of(read.event), _played_crosstable(read), rulings)


def _played_crosstable(read: document.Document) -> Callable[..., Crosstable]:
    pairings = list(read.without_drafts().pairings())
    return partial(
        build_crosstable,
        entries=[
            _build_record(CompetitorInfo, each, key=each.number, birth_year=each.born[:4])
            for each in read.competitors
        ],
        meetings=[_build_record(CrosstableMeeting, pairing, round=number) for number, pairing in pairings],
        boards=[
            _build_record(CrosstableBoard, game, round=number, table=pairing.table)
            for number, pairing in pairings
            for game in pairing.games
        ],
        planned_rounds=read.event.planned_rounds,
        unknown=read.event.unknown,
        published=read.published,
    )


def _build_record(kind: type[Record], source: object, **given: object) -> Record:
    """Build a `kind` from the given values and, for its other fields, from attributes of the source."""
    # By name, so that a missing field raises an error and no value is assigned to another field.
    return kind._make(given[name] if name in given else getattr(source, name) for name in kind._fields)


class OverrideRecord(NamedTuple):
    """An override with the number of the competitor."""

    number: int
    kind: str
    rules_from: Mapping[str, Any]
    rules_to: Mapping[str, Any]
    after: int | None = None
    round: int | None = None
    table: int | None = None
    competitor: int | None = None
    criterion: str = ""
    levels: Sequence[str] = ()
    place: int | None = None
    criteria: Sequence[str] = ()
    undoes: int | None = None
    reason: str = ""


def change_of_rules(was: Rules, now: Rules, number: int) -> OverrideRecord:
    """Return an override of kind `rules` from one to the other, from the current round on."""
    return OverrideRecord(number, OverrideKind.RULES, was.differing(now), now.differing(was))


def judged(
    now: Rules,
    played: Callable[[Rules], Crosstable],
    rulings: Sequence[OverrideRecord],
    without: int | None = None,
) -> Standings:
    """Rank by the first rules; the overrides lead from these to the rules in force.

    `played`: returns the crosstable under the rules that it gets. `without`: the number of an override to
    ignore.
    """
    first = first_rules(now, rulings)
    table = played(first)
    standing = [ruling for ruling in in_force(rulings) if ruling.number != without]
    changes = {ruling.number: (before, after) for ruling, before, after in rules_after_each(first, standing)}
    row = {number: at for at, number in enumerate(table.numbers.tolist())}
    overrides = []
    for ruling in standing:
        before, after = changes.get(ruling.number, (first, first))
        override = RankingOverride(
            kind=cast("Literal['pairing', 'criteria', 'value', 'place', 'rules']", ruling.kind),
            after=table.rounds if ruling.after is None else ruling.after,
            round=ruling.round or 0,
            table=ruling.table or 0,
            # The engine uses indexes of rows, and -1 for no row.
            competitor=-1 if ruling.competitor is None else row[ruling.competitor],
            criterion=ruling.criterion,
            levels=tuple(Fraction(level) for level in ruling.levels),
            place=ruling.place or 0,
            criteria=tuple(ruling.criteria),
            reason=ruling.reason,
        )
        if ruling.kind == OverrideKind.RULES:
            given = (played(after), after.ranking_system)
            override = replace(override, becomes=given, is_starred=is_starred(before))
        overrides.append(override)
    return rank(table, first.ranking_system, overrides)
