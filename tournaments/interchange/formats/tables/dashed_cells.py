"""The meaning of `-1` in a crosstable: a bye with a point, or a game lost to number 1.

chess-results writes a round without an opponent as a dash and the points; others write a loss as a dash and
the opponent. Cells such as `+12` in the table imply the second meaning. Else the cell of the opponent
decides, or the printed points.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tournaments.event.document import EventEntry
from tournaments.event.numbers import points_text
from tournaments.event.scores import bye_points
from tournaments.interchange.formats.log import Log
from tournaments.interchange.formats.tables.crosstable_cells import (
    CellReading,
    CrosstableCell,
    dashed,
    has_result_first,
)

CellsByRound = dict[int, dict[int, CrosstableCell]]  # by round and number of the competitor


@dataclass(frozen=True, slots=True)
class DashReader:
    """Distinguishes byes from losses.

    `printed`: half-points by competitor. `choice`: the meaning chosen for the import.
    """

    event: EventEntry
    labels: Mapping[int, int]
    printed: Mapping[int, int]
    choice: str
    log: Log

    def settle(self, cells: CellsByRound) -> CellsByRound:
        """Return the cells with byes for rounds off. A finding reports cells that can be both."""
        every = [(number, cell) for number, of_round in cells.items() for cell in of_round.values()]
        are_losses = any(has_result_first(cell.text) and self._kind(cell) is None for _, cell in every)
        if self.event.is_team or self.choice == "loss" or (not self.choice and are_losses):
            return cells
        settled = {number: dict(of_round) for number, of_round in cells.items()}
        open_: dict[int, list[tuple[int, CrosstableCell]]] = {}
        for number, cell in [(number, cell) for number, cell in every if self._kind(cell)]:
            other = cells[number].get(self.labels.get(cell.reading.opponent or 0, 0))
            is_own = other is not None and other.number == cell.number
            # No competitor meets itself, or a number without a row.
            if self.choice == "bye" or is_own or self.labels.get(cell.reading.opponent or 0) is None:
                settled[number][cell.number] = self._as_round_off(cell)
            elif other is None:
                open_.setdefault(cell.number, []).append((number, cell))
            elif self.labels.get(other.reading.opponent or 0) != cell.number:
                settled[number][cell.number] = self._as_round_off(cell)
        for own, undecided in open_.items():
            self._by_points(own, undecided, settled)
        return settled

    def _kind(self, cell: CrosstableCell) -> str | None:
        figure = dashed(cell.text)
        kinds = {self.event.game_draw: "half-bye", self.event.game_win: "bye"}
        return kinds.get(2 * figure) if figure else None

    def _as_round_off(self, cell: CrosstableCell) -> CrosstableCell:
        score = 2 * (dashed(cell.text) or 0)
        return replace(cell, reading=CellReading(None, self._kind(cell) or "", score=score))

    def _by_points(
        self, own: int, undecided: list[tuple[int, CrosstableCell]], settled: CellsByRound
    ) -> None:
        doubtful = {number for number, _ in undecided}
        others = [
            self._points(of_round[own].reading)
            for number, of_round in settled.items()
            if own in of_round and number not in doubtful
        ]
        printed, offs = self.printed.get(own), [self._as_round_off(cell) for _, cell in undecided]
        known = [each for each in others if each is not None]
        if printed is not None and len(known) == len(others):
            missing = printed - sum(known)
            if missing == sum(each.reading.score or 0 for each in offs):
                settled_offs = zip(undecided, offs, strict=True)
                for (number, _), off in settled_offs:
                    settled[number][own] = off
                return
            # The printed points without the known cells equal those of as many losses.
            if missing == len(undecided) * self.event.game_loss:
                return
        for _, cell in undecided:
            gave = points_text(2 * (dashed(cell.text) or 0))
            text = (
                f"“{cell.text}” may be a round without an opponent that gave {gave}, or a loss against "
                f"{cell.reading.opponent}; the table does not show which. Choose the meaning of a dash "
                "before a number."
            )
            self.log.add("two-readings", cell.place, text)

    def _points(self, reading: CellReading) -> int | None:
        event = self.event
        if reading.score is not None:
            return reading.score
        if reading.opponent is None:
            return bye_points(event, reading.kind)[0]
        if reading.kind not in {"played", "forfeit"}:
            return None
        lost = 0 if reading.kind == "forfeit" else event.game_loss
        return {"won": event.game_win, "drawn": event.game_draw}.get(reading.outcome, lost)
