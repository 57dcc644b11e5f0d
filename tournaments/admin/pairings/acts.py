"""The acts of the pairing screen: what a form asks for, what it would break, how it is done and undone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
from tournaments.recording.arranging import (
    Seats,
    Tables,
    arrange,
    lock,
    read_seen,
    renumber_tables,
    seats_at,
)
from tournaments.recording.doubts import Doubt, doubts_of_pairs
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.seating import ROUNDS_OFF, read_command

MOST_PICKED = 2_000
STEP = "pairings-step"
"""Where the session has the last step, for `undo`: of one round, the last one that its account worked on."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a table is to be, in words, and what would be unusual about it."""

    words: str
    doubts: Sequence[Doubt]


@dataclass(frozen=True, slots=True)
class Question:
    """An act that waits for a yes: what it would change, and a reason where the round is published."""

    act: str
    text: str
    picked: Sequence[int]
    changes: Sequence[Change]
    needs_reason: bool

    @property
    def is_odd(self) -> bool:
        """Say whether something would be unusual enough to ask; how far apart two are is only told."""
        return any(doubt.code != "score-distance" for each in self.changes for doubt in each.doubts)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a posted form: it is `done`, in words, or `refused`, or there is a question first.

    `table` is one that changed, for the page to show.
    """

    done: str = ""
    refused: str = ""
    question: Question | None = None
    table: int | None = None


def take(request: HttpRequest, round_: Round) -> Outcome:
    """Do what the form asks for, or return why not, or what is to be asked first."""
    act, _blank, table = request.POST.get("act", "").partition(" ")
    try:
        if act in AT_ONCE:
            return AT_ONCE[act](request, round_, whole_number(table))
        return _seat(request, round_, act)
    except (Refused, Conflict) as fault:
        return Outcome(refused=str(fault))


def picked_in(values: QueryDict) -> list[int]:
    """Return the numbers that are ticked, in the order in which the page lists them."""
    found = (whole_number(each) for each in values.getlist("seat")[:MOST_PICKED])
    return [number for number in found if number]


# --- who sits where ---------------------------------------------------------------------------------------


def tables_after(board: Board, act: str, text: str, picked: Sequence[int]) -> Tables:
    """Return the tables that an act would change. Refused where it is none, or cannot be."""
    if stranger := next((number for number in picked if number not in board.members), None):
        raise Refused(_("There is no competitor %(number)s. Correct the number.") % {"number": stranger})
    seating = board.seating
    if act == "pair":
        command = read_command(board.event, board.members, text)
        if command.second is not None:
            return seating.pair(command.first, command.second, command.table)
        if command.is_parting:
            return seating.part([command.first])
        return seating.give_round_off([command.first], command.kind)
    if not picked:
        raise Refused(_("Nobody is picked. Tick a name first."))
    if act == "exchange":
        if len(picked) != 2:
            raise Refused(_("Pick two names: they change seats, or meet where neither has an opponent."))
        return seating.exchange(*picked)
    if act in {"turn", "part"}:
        return seating.turn(picked) if act == "turn" else seating.part(picked)
    kind = act.removeprefix("off-")
    if kind in ALONE:
        return seating.give_round_off(picked, kind)
    raise Refused(_("This page is an old one. Reload it, and try again."))


def changes_of(board: Board, tables: Tables) -> list[Change]:
    """Return what an act would make of the tables, each with what is unusual about it."""
    seated = [(table, seats) for table, seats in sorted(tables.items()) if seats is not None]
    pairs = [(seats.first, seats.second, seats.kind) for _table, seats in seated]
    doubts = doubts_of_pairs(board.round, pairs, board.facts)
    changes = [
        Change(_words(board, table, seats), [each for each in doubts if {*each.numbers} & {*seats.numbers}])
        for table, seats in seated
    ]
    staying = {number for _table, seats in seated for number in seats.numbers}
    left = [
        number
        for table in sorted(tables)
        for number in (board.seating.tables[table].numbers if table in board.seating.tables else ())
        if number not in staying
    ]
    if left:
        names = "; ".join(map(board.words_of, left))
        changes.append(Change(_("Not paired any more: %(names)s") % {"names": names}, ()))
    return changes


def _seat(request: HttpRequest, round_: Round, act: str) -> Outcome:
    board = Board(round_)
    text, picked = request.POST.get("text", ""), picked_in(request.POST)
    wanted = tables_after(board, act, text, picked)
    # What a person seats stays when the rest is proposed again.
    tables = {
        table: Seats(seats.first, seats.second, seats.kind, locked=True) if seats else None
        for table, seats in wanted.items()
    }
    before = {table: board.seating.tables.get(table) for table in tables}
    if all(seats is not None and seats.same_people(before[table]) for table, seats in tables.items()):
        return Outcome(done=_("They are paired so already."))
    changes = changes_of(board, tables)
    question = Question(act, text, picked, changes, needs_reason=not round_.is_draft)
    if "anyway" not in request.POST and (question.is_odd or question.needs_reason):
        return Outcome(question=question)
    seen = read_seen(request.POST.get("seen", ""))
    try:
        arrange(round_, tables, seen, who(request), request.POST.get("reason", ""))
    except Conflict as conflict:
        # What it would make of the round as it is by now, beside what the other one made of it.
        return Outcome(refused=str(conflict), question=question)
    except Refused as refused:
        # A missing reason is asked for again, with all that was said.
        return Outcome(refused=str(refused), question=question if question.needs_reason else None)
    if round_.is_draft:
        _keep(request, round_, {"seats": [_plain(before), _plain(tables)]})
    done = ". ".join(each.words for each in changes)
    changed = [table for table, seats in tables.items() if seats]
    return Outcome(done=f"{done}.", table=min(changed, default=None))


def _words(board: Board, table: int, seats: Seats) -> str:
    first = board.words_of(seats.first)
    if seats.second is None:
        words = {"table": table, "first": first, "kind": ROUNDS_OFF[Kind(seats.kind)]}
        return _("Table %(table)s: %(first)s, %(kind)s") % words
    words = {"table": table, "first": first, "second": board.words_of(seats.second)}
    return _("Table %(table)s: %(first)s – %(second)s") % words


# --- what is done at once ---------------------------------------------------------------------------------


def _lock(request: HttpRequest, round_: Round, table: int | None) -> Outcome:
    return _set_locks(request, round_, table, locked=True)


def _unlock(request: HttpRequest, round_: Round, table: int | None) -> Outcome:
    return _set_locks(request, round_, table, locked=False)


def _set_locks(request: HttpRequest, round_: Round, table: int | None, *, locked: bool) -> Outcome:
    """Lock or unlock a table, or those of whoever is ticked."""
    rows = round_.pairings.select_related("first", "second")
    tables = [table]
    if table is None:
        picked = {*picked_in(request.POST)}
        if not picked:
            raise Refused(_("Nobody is picked. Tick a name first."))
        tables = [row.table for row in rows if {*seats_at(row).numbers} & picked]
    count = lock(round_, [each for each in tables if each], who(request), locked=locked)
    locked_words = ngettext("%(count)s pairing is locked.", "%(count)s pairings are locked.", count)
    unlocked_words = ngettext("%(count)s pairing is unlocked.", "%(count)s pairings are unlocked.", count)
    return Outcome(done=(locked_words if locked else unlocked_words) % {"count": count}, table=table)


def _unlock_all(request: HttpRequest, round_: Round, _table: int | None) -> Outcome:
    lock(round_, round_.pairings.values_list("table", flat=True), who(request), locked=False)
    return Outcome(done=_("No pairing is locked any more."))


def _renumber(request: HttpRequest, round_: Round, _table: int | None) -> Outcome:
    numbers = Board(round_).new_numbers
    if not numbers:
        return Outcome(done=_("The tables are in order already."))
    _keep(request, round_, {"order": renumber_tables(round_, numbers, who(request))})
    return Outcome(done=_("The tables are numbered by score."))


def _undo(request: HttpRequest, round_: Round, _table: int | None) -> Outcome:
    """Take the last step of this account back; what it does is a step itself, which may be taken back."""
    step = last_step(request, round_)
    if not step:
        raise Refused(_("There is nothing to undo here."))
    if "order" in step:
        order = {int(key): table for key, table in step["order"].items()}
        _keep(request, round_, {"order": renumber_tables(round_, order, who(request))})
        return Outcome(done=_("The tables have their old numbers again."))
    before, after = ({int(table): _seats(each) for table, each in tables.items()} for tables in step["seats"])
    board = Board(round_)
    for table, seats in after.items():
        now = board.seating.tables.get(table)
        if not (seats.same_people(now) if seats else now is None):
            raise Refused(_("Table %(table)s was changed since: nothing is undone.") % {"table": table})
    changes = changes_of(board, before)
    arrange(round_, before, read_seen(board.seating.seen), who(request))
    _keep(request, round_, {"seats": [_plain(after), _plain(before)]})
    done = ". ".join([_("Undone"), *(each.words for each in changes)])
    return Outcome(done=f"{done}.", table=min(before))


AT_ONCE: dict[str, Callable[[HttpRequest, Round, int | None], Outcome]] = {
    "lock": _lock,
    "unlock": _unlock,
    "unlock-all": _unlock_all,
    "renumber": _renumber,
    "undo": _undo,
}


# --- the last step, as the session has it -----------------------------------------------------------------


def last_step(request: HttpRequest, round_: Round) -> dict[str, Any]:
    """Return the last step of this account in the round; empty where there is none to be undone."""
    step = request.session.get(STEP, {})
    return step if round_.is_draft and step.get("round") == round_.pk else {}


def _keep(request: HttpRequest, round_: Round, step: dict[str, Any]) -> None:
    request.session[STEP] = {"round": round_.pk, **step}


def _plain(tables: Tables) -> dict[str, Any]:
    """Return tables as JSON has them."""
    return {
        str(table): [seats.first, seats.second, seats.kind, seats.locked] if seats else None
        for table, seats in tables.items()
    }


def _seats(plain: Sequence[Any] | None) -> Seats | None:
    return Seats(*plain) if plain else None


# --- whom somebody has met --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Person:
    """A picked competitor, with the opponents met so far, by round."""

    number: int
    words: str
    past: PlayHistory
    met: Sequence[tuple[int, str, int]]


def people_of(board: Board, picked: Sequence[int]) -> list[Person]:
    """Return what is told of those who are picked: the opponents so far, round by round."""
    return [
        Person(
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
