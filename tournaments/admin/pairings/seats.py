"""Who sits where, changed by hand: at one table or at several at once, one arbiter beside another."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.admin.frame import who
from tournaments.admin.pairings.screen import MOST_LINES, PairingRow
from tournaments.event.numbers import whole_number
from tournaments.models import Event, Pairing, Round
from tournaments.recording.pairings import PairingMove, members_of, rearrange
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.seating import seats_of, sides_text
from tournaments.recording.turns import last_saved

THEIRS, MINE = "theirs", "mine"


@dataclass(frozen=True, slots=True)
class SeatsLine:
    """A pairing as the form prints it.

    `seen` is the version shown and `shown` who sat there then; `first` and `second` stand in the fields.
    A conflict shows what is `stored` by whom, under which version, and asks to choose.
    """

    table: PairingRow
    seen: int
    shown: str
    first: str
    second: str
    fault: str = ""
    by: str = ""

    @property
    def pairing(self) -> Pairing:
        """Return the row."""
        return self.table.pairing

    @property
    def is_conflict(self) -> bool:
        """Say whether somebody else seated this table meanwhile, and otherwise."""
        return bool(self.by)

    @property
    def is_changed(self) -> bool:
        """Say whether the fields say something else than was shown."""
        return _sides_text(self.first, self.second) != self.shown


@dataclass(frozen=True, slots=True)
class SeatsOutcome:
    """The outcome of a posted form: nothing said is success."""

    lines: list[SeatsLine]
    refusal: str = ""


def lines_of(tables: Sequence[PairingRow]) -> list[SeatsLine]:
    """Return the lines as stored, of the pairings that have no result."""
    return [_as_stored(table) for table in tables if not table.is_decided]


def change_seats(request: HttpRequest, round_: Round, tables: Sequence[PairingRow]) -> SeatsOutcome:
    """Store the lines that were changed, all or none."""
    lines = list(_posted(request, {each.pairing.pk: each for each in tables if not each.is_decided}))
    moves, faults = _moves(round_.event, [line for line in lines if line.is_changed])
    if faults:
        return SeatsOutcome([_with_fault(line, faults) for line in lines], _("Nothing is saved yet."))
    try:
        changed = rearrange(round_, moves, who(request), request.POST.get("reason", ""))
    except Refused as refused:
        return SeatsOutcome(lines, str(refused))
    # Which line it was is not asked: each is compared with what is stored now.
    except Conflict:
        purpose = _(
            "Somebody else has seated a table meanwhile. Choose for each; nothing of yours is saved yet."
        )
        return SeatsOutcome([_against(line) for line in lines], purpose)
    _tell(request, changed)
    return SeatsOutcome([])


def _sides_text(first: str, second: str) -> str:
    return f"{first} – {second}"


def _as_stored(table: PairingRow) -> SeatsLine:
    shown = _sides_text(table.first, table.second)
    return SeatsLine(table, table.pairing.version, shown, table.first, table.second)


def _posted(request: HttpRequest, tables: Mapping[int, PairingRow]) -> Iterator[SeatsLine]:
    """Yield the lines as they were typed, each with the choice that was made of a conflict."""
    names = ("pairing", "seen", "shown", "first", "second")
    columns = [request.POST.getlist(name)[:MOST_LINES] for name in names]
    for key, seen, shown, first, second in zip(*columns, strict=False):
        table = tables.get(whole_number(key) or 0)
        if table is None:
            continue
        choice = request.POST.get(f"choose-{key}", "")
        version = request.POST.get(f"stored-{key}", "") if choice == MINE else seen
        # A button for colours changed over: the usual mistake at a board.
        sides = (second, first) if request.POST.get("swap") == key else (first, second)
        typed = SeatsLine(table, whole_number(version) or 0, shown, *(side.strip() for side in sides))
        # As if nothing had been typed, so the line is no move.
        yield _as_stored(table) if choice == THEIRS else typed


def _moves(event: Event, lines: Sequence[SeatsLine]) -> tuple[list[PairingMove], dict[int, str]]:
    """Return the moves of the lines, and by the pairing's key the faults of those that ask for none."""
    members = members_of(event) if lines else {}
    moves, faults = list[PairingMove](), dict[int, str]()
    for line in lines:
        try:
            seats = seats_of(event, members, line.first, line.second)
        except Refused as fault:
            faults[line.pairing.pk] = str(fault)
        else:
            moves.append(PairingMove(line.pairing.pk, line.seen, seats.first, seats.second, seats.kind))
    return moves, faults


def _with_fault(line: SeatsLine, faults: Mapping[int, str]) -> SeatsLine:
    return SeatsLine(
        line.table, line.seen, line.shown, line.first, line.second, faults.get(line.pairing.pk, "")
    )


def _against(line: SeatsLine) -> SeatsLine:
    """Return a line against what is stored now; unless a choice is made, it is a conflict again."""
    if not line.is_changed or line.seen == line.pairing.version:
        return line if line.is_changed else _as_stored(line.table)
    by = last_saved(line.pairing)[0] or _("an import")
    return SeatsLine(line.table, line.seen, line.shown, line.first, line.second, by=by)


def _tell(request: HttpRequest, changed: Sequence[Pairing]) -> None:
    if not changed:
        messages.info(request, _("Nothing was changed."))
        return
    message = ngettext("Changed: %(who)s.", "Changed: %(who)s.", len(changed))
    messages.success(request, message % {"who": "; ".join(_sides_text(*sides_text(row)) for row in changed)})
