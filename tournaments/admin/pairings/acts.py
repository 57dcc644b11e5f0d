"""Actions of the pairing screen: reading the form, checks before a change, storing and undo."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.admin.frame import who
from tournaments.admin.pairings import proposing
from tournaments.admin.pairings.board import Board
from tournaments.event.choices import ALONE, Kind
from tournaments.event.numbers import whole_number
from tournaments.models import Round
from tournaments.recording.locking import saving
from tournaments.recording.pairings.by_hand import Seats, Tables, renumber_tables, seats_at
from tournaments.recording.pairings.drafts import ask_for_proposal, toggle_applied
from tournaments.recording.pairings.pasted_pairings import ROUNDS_OFF, read_command
from tournaments.recording.pairings.rearranging import Seating, arrange, lock, read_seen
from tournaments.recording.pairings.unusual import Doubt, doubts_of_pairs, is_allowed, pairable
from tournaments.recording.refusal import Conflict, Refused

MOST_PICKED, MOST_NAMED = 2_000, 10
STEP = "pairings-last-step"
"""Session key of the last step, for undo. Only the last round that the user worked on has one."""


WAYS_FOR_DISPLACED = {
    "": gettext_lazy("again, as few as possible"),
    "each-other": gettext_lazy("with each other, even against the rules"),
    "engine": gettext_lazy("by the engine, with all not paired"),
    "left": gettext_lazy("later"),
}
"""How the opponents are paired whom a typed pair of a draft displaces."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The tables that an action changes. `displaced`: former opponents of a typed pair of a draft.

    `by_engine` returns the competitors that the engine pairs then. None: the engine is not used.
    """

    tables: Tables
    displaced: Sequence[int] = ()
    by_engine: Callable[[], Sequence[int]] | None = None


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
    freed: str
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


def plan_action(board: Board, act: str, text: str, picked: Sequence[int], freed: str = "") -> Plan:
    """Return what an action would change. Raise Refused if it is unknown or impossible."""
    if unknown := next((number for number in picked if number not in board.members), None):
        raise Refused(_("There is no competitor %(number)s. Correct the number.") % {"number": unknown})
    seating = board.seating
    if act == "pair":
        command = read_command(board.event, board.members, text)
        if command.second is not None:
            tables = seating.pair(command.first, command.second, command.table)
            return _plan_typed(board, (command.first, command.second), tables, freed)
        if not command.kind:
            return Plan(seating.part([command.first]))
        return Plan(seating.give_round_off([command.first], command.kind))
    if not picked:
        raise Refused(_("No player is selected. Select a player first."))
    if act == "exchange":
        if len(picked) != 2:
            raise Refused(_("Select two players to swap them, or to pair them if both are unpaired."))
        return Plan(seating.exchange(*picked))
    if act in {"turn", "part"}:
        return Plan(seating.turn(picked) if act == "turn" else seating.part(picked))
    kind = act.removeprefix("off-")
    if kind in ALONE:
        return Plan(seating.give_round_off(picked, kind))
    raise Refused(_("This page is an old one. Reload it, and try again."))


def _plan_typed(board: Board, typed: tuple[int, int], tables: Tables, freed: str) -> Plan:
    opponents = [board.seating.opponent_of(number) for number in typed]
    displaced = [number for number in opponents if number and number not in typed]
    if not board.round.is_draft or not (displaced or freed == "engine"):
        return Plan(tables)
    alone = {
        table: seats if seats and {*typed} & {*seats.numbers} else None for table, seats in tables.items()
    }
    rest = [seats for table, seats in tables.items() if seats and not alone[table]]
    if freed == "left":
        return Plan(alone, displaced)
    if not board.event.is_round_robin and (freed == "engine" or (not freed and board.proposal)):
        free = {*displaced} - board.facts.off.keys()
        if freed or not rest:
            free |= {each.number for each in board.unpaired} - {*typed}
        others = [row for table, row in board.seating.rows.items() if table not in tables]
        return Plan(alone, displaced, partial(pairable, board.facts, others, sorted(free)) if free else None)
    # Without a proposal, the engine would replace pairings that were made by hand.
    is_kept = freed == "each-other" or all(is_allowed(board.facts, seats) for seats in rest)
    return Plan(tables if is_kept else alone, displaced)


def table_changes(board: Board, tables: Tables) -> list[TableChange]:
    """Return the effect of an action on each table, with what is unusual about it."""
    seated = [(table, seats) for table, seats in sorted(tables.items()) if seats is not None]
    doubts = doubts_of_pairs(board.round, [seats for _table, seats in seated], board.facts)
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
    freed = request.POST.get("freed", "")
    plan = plan_action(board, act, text, picked, freed)
    # Pairings made by hand are locked, so that a new proposal keeps them. Those that result are not.
    tables: Tables = {
        table: replace(seats, locked=not {*seats.numbers} <= {*plan.displaced}) if seats else None
        for table, seats in plan.tables.items()
    }
    current = board.seating.tables
    if all(seats is not None and seats.same_people(current.get(table)) for table, seats in tables.items()):
        return Outcome(done=_("They are paired so already."))
    changes = table_changes(board, tables)
    question = Question(act, text, freed, picked, changes, needs_reason=not round_.is_draft)
    if "anyway" not in request.POST and (question.is_odd or question.needs_reason):
        return Outcome(question=question)
    seen, proposal = read_seen(request.POST.get("seen", "")), None
    try:
        with saving():
            old, now = arrange(round_, tables, seen, who(request), request.POST.get("reason", ""))
            if plan.by_engine:
                name, only = board.proposal.options["method"] if board.proposal else "", plan.by_engine()
                proposal = ask_for_proposal(board.event, who(request), round_.number, name, only)
    except Conflict as conflict:
        # The question shows the change of the current round, next to what another user saved.
        return Outcome(refused=str(conflict), question=question)
    except Refused as refused:
        other = _("Or choose “%(pair)s” or “%(leave)s” for the opponents.")
        other %= {"pair": WAYS_FOR_DISPLACED["each-other"], "leave": WAYS_FOR_DISPLACED["left"]}
        why = f"{refused} {other}" if plan.by_engine else str(refused)
        # Ask for the missing reason again, with all that was typed.
        return Outcome(refused=why, question=question if question.needs_reason else None)
    words = list[str]()
    if proposal:
        proposing.wait_for(proposal)
        proposal.refresh_from_db()
        waiting = _("The engine is pairing them. Reload the page in a moment")
        keep = _("A new proposal replaces other tables too. To keep them, type pairs of the free players")
        words += [] if proposal.applied else [f"{proposal.problem} {keep}" if proposal.problem else waiting]
        if proposal.applied:
            now = Seating(round_.pairings.select_related("first", "second")).tables
    tables = _store_tables(request, board, old, now, proposal.pk if proposal and proposal.applied else None)
    changes = table_changes(board, tables)
    new = [seats for seats in tables.values() if seats and not seats.locked and seats not in old.values()]
    paired = {number for seats in new for number in seats.numbers}
    if plan.displaced and paired >= {*plan.displaced}:
        told = _("“%(text)s”: %(names)s, their opponents, are paired with each other")
        if len(paired) > len(plan.displaced):
            told = _("“%(text)s”: the engine paired %(names)s again")
        elif len(paired) == 1:
            told = _("“%(text)s”: %(names)s, the opponent until now, has the bye")
        words.append(told % {"text": text, "names": _(" and ").join(map(board.words_of, plan.displaced))})
    words += [each.words for each in changes]
    if len(words) > MOST_NAMED:
        words[MOST_NAMED:] = [_("Further changes: %(count)s") % {"count": len(words) - MOST_NAMED}]
    changed = [table for table, seats in tables.items() if seats]
    return Outcome(done=f"{'. '.join(words)}.", table=min(changed, default=None))


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
        {int(table): Seats(**seats) if seats else None for table, seats in tables.items()}
        for tables in step["seats"]
    )
    board = Board(round_)
    for table, seats in after.items():
        now = board.seating.tables.get(table)
        if not (seats.same_people(now) if seats else now is None):
            raise Refused(_("Table %(table)s has changed since. It cannot be undone.") % {"table": table})
    with saving():
        old, new = arrange(round_, before, read_seen(request.POST.get("seen", "")), who(request))
        changes = table_changes(board, _store_tables(request, board, old, new, step["proposal"]))
        if key := step["proposal"]:
            toggle_applied(round_, key)
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


def _store_tables(request: HttpRequest, board: Board, old: Tables, now: Tables, key: int | None) -> Tables:
    changed = [table for table in {**old, **now} if old.get(table) != now.get(table)]
    before, after = ({table: each.get(table) for table in changed} for each in (old, now))
    if board.round.is_draft:
        seats = [_tables_as_json(before), _tables_as_json(after)]
        _store_step(request, board.round, {"seats": seats, "proposal": key})
    return after


def _tables_as_json(tables: Tables) -> dict[str, Any]:
    return {str(table): asdict(seats) if seats else None for table, seats in tables.items()}


# --- earlier opponents ------------------------------------------------------------------------------------


def picked_opponents(board: Board, picked: Sequence[int]) -> list[dict[str, Any]]:
    return [
        {
            "number": number,
            "words": board.words_of(number),
            # round, text and number of each earlier opponent
            "met": sorted(
                (round_number, board.words_of(other), other)
                for other, rounds in board.facts.past(number).met.items()
                for round_number in rounds
            ),
        }
        for number in picked
        if number in board.members
    ]
