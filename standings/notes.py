"""What stands below a table: what its signs mean, what is missing, what was done by hand."""

from standings.columns import Sheet
from standings.engine import Crosstable, Kind
from tournaments.models import Event

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
    notes = (_cells(sheet), _legend(sheet), *missing_results(sheet.standings.table), _by_hand(sheet))
    return [note for note in notes if note]


def _cells(sheet: Sheet) -> str:
    if sheet.codes_tell:
        return "Each cell: the opponent's code and the own points."
    start = sheet.event.cell_number == Event.CellNumber.START
    number = "start number" if start else "place in this table"
    colour = "" if sheet.event.is_team else ", w for White or b for Black"
    return f"Each cell: the opponent's {number}{colour}, and the own points."


def _legend(sheet: Sheet) -> str:
    table = sheet.standings.table
    present = set(table.state.ravel().tolist())
    shown = [text for kind, text in LEGEND if kind in present]
    if table.advantage.any():
        shown.append("1+ and 1-: draw with advantage, with disadvantage")
    if table.outside.any():
        shown.append("place -: outside the competition")
    return " · ".join(shown)


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


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
