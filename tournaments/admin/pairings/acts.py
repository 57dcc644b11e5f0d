"""Actions of the pairing screen: reading the form, checks before a change, storing and undo."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.admin.frame import who
from tournaments.admin.pairings.board import Board
from tournaments.event.choices import ALONE, Kind
from tournaments.event.numbers import whole_number
from tournaments.models import Round
from tournaments.pairing.history import PlayHistory
from tournaments.recording.pairings.pasted_pairings import ROUNDS_OFF, read_command
from tournaments.recording.pairings.rearranging import (
    Seats,
    Tables,
    arrange,
    lock,
    read_seen,
    renumber_tables,
    seats_at,
)
from tournaments.recording.pairings.unusual import Doubt, doubts_of_pairs
from tournaments.recording.refusal import Conflict, Refused

MOST_PICKED = 2_000
STEP = "pairings-step"
"""Session key of the last step, for undo. Only the last round that the user worked on has one."""


@dataclass(frozen=True, slots=True)
class TableChange:
    """The new content of a table as text, and what is unusual about it."""

    words: str
    doubts: Sequence[Doubt]


@dataclass(frozen=True, slots=True)
class Question:
    """An action that must be confirmed. A reason is required if the round is published."""

    act: str
    text: str
    picked: Sequence[int]
    changes: Sequence[TableChange]
    needs_reason: bool

    @property
    def is_odd(self) -> bool:
        """Return whether a confirmation is needed. A distance in score is only shown."""
        return any(doubt.code != "score-distance" for each in self.changes for doubt in each.doubts)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a posted form: `done` as text, `refused`, or a `question` first.

    `table`: a changed table, to which the page scrolls.
    """

    done: str = ""
    refused: str = ""
    question: Question | None = None
    table: int | None = None


def execute_action(request: HttpRequest, round_: Round) -> Outcome:
    act, _blank, table = request.POST.get("act", "").partition(" ")
    try:
        if act in AT_ONCE:
            return AT_ONCE[act](request, round_, whole_number(table))
        return _apply_seating(request, round_, act)
    except (Refused, Conflict) as fault:
        return Outcome(refused=str(fault))


def picked_numbers(values: QueryDict) -> list[int]:
    found = (whole_number(each) for each in values.getlist("seat")[:MOST_PICKED])
    return [number for number in found if number]


# --- seats ------------------------------------------------------------------------------------------------


def tables_after(board: Board, act: str, text: str, picked: Sequence[int]) -> Tables:
    """Return the tables that an action would change. Raise Refused if it is unknown or impossible."""
    if unknown := next((number for number in picked if number not in board.members), None):
        raise Refused(_("There is no competitor %(number)s. Correct the number.") % {"number": unknown})
    seating = board.seating
    if act == "pair":
        command = read_command(board.event, board.members, text)
        if command.second is not None:
            return seating.pair(command.first, command.second, command.table)
        if command.is_parting:
            return seating.part([command.first])
        return seating.give_round_off([command.first], command.kind)
    if not picked:
        raise Refused(_("No player is selected. Select a player first."))
    if act == "exchange":
        if len(picked) != 2:
            raise Refused(_("Select two players to swap them, or to pair them if both are unpaired."))
        return seating.exchange(*picked)
    if act in {"turn", "part"}:
        return seating.turn(picked) if act == "turn" else seating.part(picked)
    kind = act.removeprefix("off-")
    if kind in ALONE:
        return seating.give_round_off(picked, kind)
    raise Refused(_("This page is an old one. Reload it, and try again."))


def table_changes(board: Board, tables: Tables) -> list[TableChange]:
    """Return the effect of an action on each table, with what is unusual about it."""
    seated = [(table, seats) for table, seats in sorted(tables.items()) if seats is not None]
    pairs = [(seats.first, seats.second, seats.kind) for _table, seats in seated]
    doubts = doubts_of_pairs(board.round, pairs, board.facts)
    changes = [
        TableChange(
            _table_text(board, table, seats), [each for each in doubts if {*each.numbers} & {*seats.numbers}]
        )
        for table, seats in seated
    ]
    staying = {number for _table, seats in seated for number in seats.numbers}
    removed = [
        number
        for table in sorted(tables)
        for number in (board.seating.tables[table].numbers if table in board.seating.tables else ())
        if number not in staying
    ]
    if removed:
        names = "; ".join(map(board.words_of, removed))
        changes.append(TableChange(_("Not paired any more: %(names)s") % {"names": names}, ()))
    return changes


def _apply_seating(request: HttpRequest, round_: Round, act: str) -> Outcome:
    board = Board(round_)
    text, picked = request.POST.get("text", ""), picked_numbers(request.POST)
    new_tables = tables_after(board, act, text, picked)
    # Pairings made by hand are locked, so that a new proposal keeps them.
    tables = {
        table: Seats(seats.first, seats.second, seats.kind, locked=True) if seats else None
        for table, seats in new_tables.items()
    }
    before = {table: board.seating.tables.get(table) for table in tables}
    if all(seats is not None and seats.same_people(before[table]) for table, seats in tables.items()):
        return Outcome(done=_("They are paired so already."))
    changes = table_changes(board, tables)
    question = Question(act, text, picked, changes, needs_reason=not round_.is_draft)
    if "anyway" not in request.POST and (question.is_odd or question.needs_reason):
        return Outcome(question=question)
    seen = read_seen(request.POST.get("seen", ""))
    try:
        arrange(round_, tables, seen, who(request), request.POST.get("reason", ""))
    except Conflict as conflict:
        # The question shows the change of the current round, next to what another user saved.
        return Outcome(refused=str(conflict), question=question)
    except Refused as refused:
        # Ask for the missing reason again, with all that was typed.
        return Outcome(refused=str(refused), question=question if question.needs_reason else None)
    if round_.is_draft:
        _store_step(request, round_, {"seats": [_tables_as_json(before), _tables_as_json(tables)]})
    done = ". ".join(each.words for each in changes)
    changed = [table for table, seats in tables.items() if seats]
    return Outcome(done=f"{done}.", table=min(changed, default=None))


def _table_text(board: Board, table: int, seats: Seats) -> str:
    first = board.words_of(seats.first)
    if seats.second is None:
        words = {"table": table, "first": first, "kind": ROUNDS_OFF[Kind(seats.kind)]}
        return _("Table %(table)s: %(first)s, %(kind)s") % words
    words = {"table": table, "first": first, "second": board.words_of(seats.second)}
    return _("Table %(table)s: %(first)s – %(second)s") % words


# --- actions without a question ---------------------------------------------------------------------------


def _set_locks(request: HttpRequest, round_: Round, table: int | None, *, locked: bool) -> Outcome:
    rows = round_.pairings.select_related("first", "second")
    tables = [table]
    if table is None:
        picked = {*picked_numbers(request.POST)}
        if not picked:
            raise Refused(_("No player is selected. Select a player first."))
        tables = [row.table for row in rows if {*seats_at(row).numbers} & picked]
    count = lock(round_, [each for each in tables if each], who(request), locked=locked)
    locked_text = ngettext("%(count)s pairing is locked.", "%(count)s pairings are locked.", count)
    unlocked_text = ngettext("%(count)s pairing is unlocked.", "%(count)s pairings are unlocked.", count)
    return Outcome(done=(locked_text if locked else unlocked_text) % {"count": count}, table=table)


def _unlock_all_tables(request: HttpRequest, round_: Round, _table: int | None) -> Outcome:
    lock(round_, round_.pairings.values_list("table", flat=True), who(request), locked=False)
    return Outcome(done=_("No pairing is locked any more."))


def _renumber_by_score(request: HttpRequest, round_: Round, _table: int | None) -> Outcome:
    numbers = Board(round_).new_numbers
    if not numbers:
        return Outcome(done=_("The tables are in order already."))
    _store_step(request, round_, {"order": renumber_tables(round_, numbers, who(request))})
    return Outcome(done=_("The tables are numbered by score."))


def _undo_last_step(request: HttpRequest, round_: Round, _table: int | None) -> Outcome:
    """Undo the last step of this user. The undo is a step as well, so it can be undone."""
    step = last_step(request, round_)
    if not step:
        raise Refused(_("There is nothing to undo."))
    if "order" in step:
        order = {int(key): table for key, table in step["order"].items()}
        _store_step(request, round_, {"order": renumber_tables(round_, order, who(request))})
        return Outcome(done=_("The tables have their old numbers again."))
    before, after = (
        {int(table): Seats(*seats) if seats else None for table, seats in tables.items()}
        for tables in step["seats"]
    )
    board = Board(round_)
    for table, seats in after.items():
        now = board.seating.tables.get(table)
        if not (seats.same_people(now) if seats else now is None):
            raise Refused(_("Table %(table)s has changed since. It cannot be undone.") % {"table": table})
    changes = table_changes(board, before)
    arrange(round_, before, read_seen(board.seating.seen), who(request))
    _store_step(request, round_, {"seats": [_tables_as_json(after), _tables_as_json(before)]})
    done = ". ".join([_("Undone"), *(each.words for each in changes)])
    return Outcome(done=f"{done}.", table=min(before))


AT_ONCE: dict[str, Callable[[HttpRequest, Round, int | None], Outcome]] = {
    "lock": partial(_set_locks, locked=True),
    "unlock": partial(_set_locks, locked=False),
    "unlock-all": _unlock_all_tables,
    "renumber": _renumber_by_score,
    "undo": _undo_last_step,
}


# --- the last step in the session -------------------------------------------------------------------------


def last_step(request: HttpRequest, round_: Round) -> dict[str, Any]:
    """Return the last step of this user in the round, empty if there is none or the round is published."""
    step = request.session.get(STEP, {})
    return step if round_.is_draft and step.get("round") == round_.pk else {}


def _store_step(request: HttpRequest, round_: Round, step: dict[str, Any]) -> None:
    request.session[STEP] = {"round": round_.pk, **step}


def _tables_as_json(tables: Tables) -> dict[str, Any]:
    return {
        str(table): [seats.first, seats.second, seats.kind, seats.locked] if seats else None
        for table, seats in tables.items()
    }


# --- earlier opponents ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PickedCompetitor:
    """A picked competitor. `met`: round, text and number of each earlier opponent."""

    number: int
    words: str
    past: PlayHistory
    met: Sequence[tuple[int, str, int]]


def picked_opponents(board: Board, picked: Sequence[int]) -> list[PickedCompetitor]:
    return [
        PickedCompetitor(
            number,
            board.words_of(number),
            past := board.history_of(number),
            sorted(
                (round_number, board.words_of(other), other)
                for other, rounds in past.met.items()
                for round_number in rounds
            ),
        )
        for number in picked
        if number in board.members
    ]
