"""Round-robin squares: a row and a column for each competitor, and the points of the row in the cells.

A square has no rounds. They are taken from the pairings of the event; an event without pairings gets those of
the Berger tables in the order of the rows, with a cycle for each game of a pair.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations

from tournaments.event.choices import Kind
from tournaments.event.document import EventEntry, PairingEntry, RoundEntry
from tournaments.event.finding import Place, warning
from tournaments.event.numbers import points_text, score_text
from tournaments.event.resultcodes import PairingResult, ResultError, parse_half_points
from tournaments.event.scores import number_of_boards, pairing_fault
from tournaments.interchange.formats.account import ReadingTally
from tournaments.interchange.formats.log import Log
from tournaments.interchange.formats.tables.headings import HeadedTable, TableMapping, has_points
from tournaments.interchange.formats.tables.merging import TabledPairing, raw_result
from tournaments.pairing.berger import berger

OPPONENT = "opponent:"
FORFEITS = {"+": True, "-": False, "–": False}
PARTED = re.compile(r"[\s·|]+")  # between the games of a pair that met several times: `2·1`, `½ 1`

DASHES = {"-", "–"}  # on both sides: a game to be played


Competitor = tuple[int, int]  # row from 0, and number


class MatrixRows:
    """Reads the pairings from the rows of a square."""

    def __init__(
        self, event: EventEntry, rounds: Iterable[RoundEntry], log: Log, tally: ReadingTally
    ) -> None:
        self.event, self.log, self.tally = event, log, tally
        self.paired: dict[frozenset[int], list[tuple[int, PairingEntry]]] = defaultdict(list)
        for each in sorted(rounds, key=lambda each: each.number):
            for pairing in each.pairings:
                self.paired[frozenset(pairing.numbers)].append((each.number, pairing))

    def read(
        self, table: HeadedTable, mapping: TableMapping, numbers: Sequence[int | None]
    ) -> list[TabledPairing]:
        """Return the pairings of the square. `numbers`: the competitor of each row."""
        self.table = table
        self.columns = [mapping.column(f"{OPPONENT}{at}") for at in range(1, len(numbers) + 1)]
        self._count(table, mapping)
        known = [(at, number) for at, number in enumerate(numbers) if number is not None]
        self.is_made = not self.paired and self.event.is_round_robin and len(known) > 1
        if self.is_made:
            self._make_schedule(known)
        return [each for one, other in combinations(known, 2) for each in self._games_of_pair(one, other)]

    def _make_schedule(self, known: Sequence[Competitor]) -> None:
        most = max((len(self._games(self._cell(*each))) for each in permutations(known, 2)), default=0)
        cycle = berger(len(known))
        for at, meetings in enumerate(cycle * most):
            turn = at // len(cycle) % 2
            for first, second in meetings:
                if second is not None:
                    white, black = (second, first) if turn else (first, second)
                    sides = known[white - 1][1], known[black - 1][1]
                    entry = PairingEntry(table=1, first=sides[0], second=sides[1], kind=Kind.PENDING)
                    self.paired[frozenset(sides)].append((at + 1, entry))
        if most:
            text = (
                "The square gives no rounds and no colours. Its games are stored in "
                f"{len(cycle) * most} rounds, by the Berger tables in the order of the rows; the site does "
                "not show these rounds, and no colours."
            )
            self.log.findings.append(warning("made-schedule", Place(self.table.grid.name), text))

    def _count(self, table: HeadedTable, mapping: TableMapping) -> None:
        for at, field in mapping.columns.items():
            if not field.startswith(OPPONENT):
                continue
            opponent = int(field.removeprefix(OPPONENT)) - 1
            if opponent >= len(table.rows):
                text = (
                    f"The column is that of row {opponent + 1}, and there are {len(table.rows)}. Correct it."
                )
                place = table.grid.place(table.heading or table.grid.rows[0]).at(table.labels[at])
                self.log.add("unknown-number", place, text)
            for own, row in enumerate(table.rows):
                text = row.cell(at)
                if own == opponent and has_points(text):
                    self.tally.unread("cells", text)
                elif text and own != opponent:
                    self.tally.read("cells")

    def _games_of_pair(self, one: Competitor, other: Competitor) -> Iterator[TabledPairing]:
        cells = self._cell(one, other), self._cell(other, one)
        games = [self._games(cell) for cell in cells]
        if not any(set(each) - DASHES for each in games):
            return
        paired = self.paired.get(frozenset((one[1], other[1])), [])
        if len(games[0]) != len(games[1]):
            self._refuse(
                one, other, "contradiction", ("have different numbers of games. Correct one of the two")
            )
        elif len(games[0]) > len(paired):
            text = f"have {len(games[0])}, but the event has paired the two {len(paired)} times"
            self._refuse(one, other, "no-meeting", f"{text}. Make its schedule first, then import this again")
        else:
            for (round_, known), own, theirs in zip(paired, games[0], games[1], strict=False):
                yield from self._game(round_, known, one, other, (own, theirs))

    def _games(self, cell: str) -> list[str]:
        """Return the results in a cell, separated or a character for each (`1½0`)."""
        points = (self.event.game_win, self.event.game_draw, self.event.game_loss)
        signs = {points_text(each) for each in points} | {"=", *FORFEITS}
        is_signs = len(cell) > 1 and not self.event.is_team and signs.issuperset(cell)
        if is_signs and all(len(each) == 1 for each in signs):
            return list(cell)
        return PARTED.split(cell) if cell else []

    def _game(
        self, round_: int, known: PairingEntry, one: Competitor, other: Competitor, cells: tuple[str, str]
    ) -> Iterator[TabledPairing]:
        if set(cells) <= DASHES:
            return
        if self.is_made and known.first == other[1]:
            one, other, cells = other, one, cells[::-1]
        try:
            result = self._result(*cells)
        except ResultError:
            why = "are no points. Write 1, ½, 0 as the event scores, or + and - for a forfeit"
            self._refuse(one, other, "no-cell", why)
            return
        scores = (result.first_score, result.second_score)
        scores = scores if known.first == one[1] else scores[::-1]
        if result.kind is Kind.PLAYED and (known.first_score, known.second_score) == scores:
            return  # points do not distinguish a game from a forfeit, so the known kind remains
        if fault := pairing_fault(self.event, result, known.note):
            score = score_text(result.first_score, result.second_score)
            self._refuse(one, other, "contradiction", f"make {score}, which cannot be: {fault}. Correct them")
            return
        raw = {"first": one[1], "second": other[1], **raw_result(result)}
        place = self.table.grid.place(self.table.rows[one[0]]).seated(round_, None)
        yield TabledPairing(round_, place, raw, is_sided=False)

    def _result(self, own: str, theirs: str) -> PairingResult:
        if own in FORFEITS and theirs in FORFEITS:
            win = number_of_boards(self.event) * self.event.game_win
            return PairingResult(Kind.FORFEIT, win * FORFEITS[own], win * FORFEITS[theirs])
        return PairingResult(Kind.PLAYED, self._points(own), self._points(theirs))

    def _points(self, text: str) -> int:
        is_draw = text == "=" and not self.event.is_team
        return self.event.game_draw if is_draw else parse_half_points(text)

    def _cell(self, one: Competitor, other: Competitor) -> str:
        column = self.columns[other[0]]
        return "" if column is None else self.table.rows[one[0]].cell(column).strip()

    def _refuse(self, one: Competitor, other: Competitor, code: str, why: str) -> None:
        cells = " and ".join(f"“{self._cell(*each)}”" for each in ((one, other), (other, one)))
        column, row = self.columns[other[0]], self.table.grid.place(self.table.rows[one[0]])
        place = row if column is None else row.at(self.table.labels[column])
        self.log.add(code, place, f"The cells of {one[1]} and {other[1]}, {cells}, {why}.")
