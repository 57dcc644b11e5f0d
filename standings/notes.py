"""What stands below a table: what its signs mean, what is missing, what was done by hand."""

from dataclasses import dataclass
from datetime import datetime

from standings.cells import AS_RECORDED, COLOUR_FIRST, RESULT_FIRST
from standings.columns import Sheet
from standings.engine import Crosstable, Kind, get
from tournaments.models import Event, Override

LEGEND = (
    (Kind.BYE, "BYE: without an opponent"),
    (Kind.HALF_BYE, "½bye: half-point bye"),
    (Kind.ZERO_BYE, "0bye: zero-point bye"),
    (Kind.FORFEIT, "+ and -: decided by forfeit, - -: lost by forfeit on both sides"),
    (Kind.ABSENT, "–: absent"),
    (Kind.UNKNOWN, "?: result unknown"),
    (Kind.ANNULLED, "struck out: annulled"),
)


def notes_of(sheet: Sheet) -> list[str]:
    """The notes that this table needs, and no others."""
    missing = missing_results(sheet.standings.table)
    notes = (_cells(sheet), _legend(sheet), _notation(sheet), *missing, _by_hand(sheet))
    return [note for note in notes if note]


def _cells(sheet: Sheet) -> str:
    if sheet.codes_tell:
        return "Each cell: the opponent's code and the own points."
    start = sheet.event.cell_number == Event.CellNumber.START
    number = "start number" if start else "place in this table"
    if sheet.event.is_team:
        return f"Each cell: the opponent's {number}, and the own points."
    if sheet.style.cells == RESULT_FIRST:
        signs = "+ won, = drawn or − lost"
        return f"Each cell: {signs}, the opponent's {number}, w for White or b for Black."
    if sheet.style.cells == COLOUR_FIRST:
        return f"Each cell: W for White or B for Black, the opponent's {number}, and the own points."
    return f"Each cell: the opponent's {number}, w for White or b for Black, and the own points."


def _legend(sheet: Sheet) -> str:
    table = sheet.standings.table
    present = set(table.state.ravel().tolist())
    shown = [text for kind, text in LEGEND if kind in present]
    if table.advantage.any():
        draw = "=" if sheet.style.cells == RESULT_FIRST else sheet.style.points(sheet.event.game_draw or 2)
        shown.append(f"{draw}+ and {draw}-: draw with advantage, with disadvantage")
    if table.outside.any():
        shown.append("place -: outside the competition")
    return " · ".join(shown)


def _notation(sheet: Sheet) -> str:
    """What is shown in another notation than the event's own, and what is not."""
    style, win = sheet.style, sheet.event.game_win
    if style._replace(cells="") == AS_RECORDED or not win or 2 * style.shows == style.of:
        return ""
    shown, own = style.points(win), AS_RECORDED.points(win)
    return f"Points of games are shown with {shown} for a win; other values stay as computed, with {own}."


def missing_results(table: Crosstable) -> list[str]:
    """What the standings do without: results still to come, and results that nobody knows."""
    pending, unknown = table.awaited(Kind.PENDING), table.awaited(Kind.UNKNOWN)
    notes = []
    if pending:
        paired = int((table.opponent[:, -1] >= 0).sum()) // 2
        notes.append(f"During round {table.rounds}: {paired - pending} of {paired} results in.")
    if unknown:
        notes.append(f"Computed without {_count(unknown, 'unknown result')}.")
    return notes


def _by_hand(sheet: Sheet) -> str:
    changes = len(sheet.standings.overrides)
    return f"*: {_count(changes, 'manual change')}." if changes else ""


@dataclass(frozen=True)
class Ruled:
    """A manual change in words, with its reason, and who made it when."""

    what: str
    reason: str
    by: str
    at: datetime


def manual_changes(sheet: Sheet, paired: int) -> list[Ruled]:
    """The manual changes that touch these standings; one query, none where there are no changes.

    `paired` is the last paired round: a change that names no round touches the standings after that one.
    """
    if not (sheet.ruled or sheet.standings).overrides:
        return []
    recorded = Override.objects.filter(event=sheet.event, undone_by=None).exclude(kind=Override.Kind.UNDO)
    return [
        Ruled(_what(ruling), ruling.reason, ruling.by, ruling.at)
        for ruling in recorded.select_related("competitor").order_by("number")
        if (ruling.after or paired) <= sheet.standings.table.rounds
    ]


def _what(ruling: Override) -> str:
    """The change as the beginning of a sentence."""
    name = ruling.competitor.name if ruling.competitor else ""
    was = f" (computed: {ruling.was})" if ruling.was else ""
    if ruling.kind == Override.Kind.PAIRING:
        return f"The pairing of round {ruling.round}, table {ruling.table} was changed{was}"
    if ruling.kind == Override.Kind.CRITERIA:
        return f"The criteria were changed to {', '.join(get(code).name for code in ruling.criteria)}{was}"
    if ruling.kind == Override.Kind.VALUE:
        return f"{get(ruling.criterion).name} of {name} was set to {' · '.join(ruling.levels)}{was}"
    return f"The place of {name} was set to {ruling.place}{was}"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
