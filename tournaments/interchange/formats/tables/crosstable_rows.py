"""Pairings from a crosstable. Both cells of a pairing must have the same result."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from tournaments.event.choices import Kind
from tournaments.event.document import EventEntry
from tournaments.event.finding import Finding, Place, objection, warning
from tournaments.event.numbers import score_text
from tournaments.event.resultcodes import PairingResult
from tournaments.event.scores import number_of_boards, pairing_fault
from tournaments.interchange.formats.account import ReadingTally
from tournaments.interchange.formats.dummies import is_nobody
from tournaments.interchange.formats.log import Log
from tournaments.interchange.formats.options import ReadingOptions
from tournaments.interchange.formats.tables.crosstable_cells import (
    BLACK,
    EITHER,
    WHITE,
    CrosstableCell,
    colour_letter,
    read_cell,
)
from tournaments.interchange.formats.tables.dashed_cells import CellsByRound, DashReader
from tournaments.interchange.formats.tables.entrants import WHOLE, EntrantList
from tournaments.interchange.formats.tables.grid import as_day
from tournaments.interchange.formats.tables.heading_words import languages_of
from tournaments.interchange.formats.tables.headings import HeadedTable, TableMapping
from tournaments.interchange.formats.tables.merging import TabledPairing, raw_result, score
from tournaments.interchange.formats.tables.printed_figures import PrintedRow

ROUND = "round:"
_NOT_KNOWN = "an unknown result"


class CrosstableRows:
    """Reads the pairings from the rows of a crosstable."""

    def __init__(
        self, event: EventEntry, entrants: EntrantList, log: Log, tally: ReadingTally, options: ReadingOptions
    ) -> None:
        self.event, self.entrants, self.log, self.tally, self.options = event, entrants, log, tally, options
        self.b_is_white = False
        self.same_colours: list[tuple[CrosstableCell, CrosstableCell]] = []

    def read(
        self,
        table: HeadedTable,
        mapping: TableMapping,
        numbers: list[int | None],
        printed: Sequence[PrintedRow],
    ) -> list[TabledPairing]:
        """Return the pairings by round, in the order of the rows. `numbers`: the competitor of each row."""
        rounds = sorted(
            (int(each.removeprefix(ROUND)), at)
            for at, each in mapping.columns.items()
            if each.startswith(ROUND)
        )
        self.b_is_white, finding = read_colours(table, [at for _, at in rounds], self.options.colours)
        self.log.findings += [finding] if finding else []
        cells = {number: self._cells(table, column, numbers, number) for number, column in rounds}
        labels = self._labels(table, mapping, numbers, cells)
        points = {each.number: each.points for each in printed if each.points is not None}
        cells = DashReader(self.event, labels, points, self.options.dash, self.log).settle(cells)
        pairings = [each for number in cells for each in self._round(number, cells[number], labels)]
        self._object_to_colours()
        return pairings

    def _labels(
        self, table: HeadedTable, mapping: TableMapping, numbers: list[int | None], cells: CellsByRound
    ) -> dict[int, int]:
        labels: dict[int, int] = {}
        called = self._best_labels(table, mapping, numbers, cells)
        for row, number, label in zip(table.rows, numbers, called, strict=True):
            if number is None or label is None:
                continue
            if label in labels:
                text = f"{label} is used for two rows. Use a different one for each row."
                self.log.add("number-twice", table.grid.place(row), text)
            labels[label] = number
        return labels

    def _best_labels(
        self, table: HeadedTable, mapping: TableMapping, numbers: list[int | None], cells: CellsByRound
    ) -> list[int | None]:
        # Reports refer to opponents by place or by start number, and the heading does not say which. The
        # labels for which most cells are matched by the cell of the opponent are used.
        column, positions = mapping.column("label"), list(range(1, len(table.rows) + 1))
        ways: dict[str, list[int | None]] = {}
        if column is not None:
            found = [WHOLE.fullmatch(row.cell(column)) for row in table.rows]
            figures = [int(each[1]) if each else None for each in found]
            # A blank among places that count the rows is a shared place, not a row without a place.
            counts_rows = all(figure in {None, at} for figure, at in zip(figures, positions, strict=True))
            ways[f"“{table.labels[column]}”"] = [*positions] if counts_rows else figures
        if (own := mapping.column("number")) is not None:
            ways[f"“{table.labels[own]}”"] = numbers
        ways["the order of the rows"] = [*positions]
        answers = {name: _matched_cells(way, numbers, cells) for name, way in ways.items()}
        usual = next(iter(ways))
        best = max(ways, key=lambda name: (answers[name], name == usual))
        if best != usual:
            text = (
                f"The cells name opponents by {best}, not by {usual}: that way {answers[best]} of them are "
                f"answered by the cell of their opponent, and {answers[usual]} the other way."
            )
            self.log.findings.append(warning("named-by", Place(table.grid.name), text))
        return ways[best]

    def _cells(
        self, table: HeadedTable, column: int, numbers: list[int | None], round_: int
    ) -> dict[int, CrosstableCell]:
        cells: dict[int, CrosstableCell] = {}
        for row, number in zip(table.rows, numbers, strict=True):
            text = row.cell(column)
            if not text or number is None:
                continue
            place = table.grid.place(row).seated(round_, None).at(table.labels[column])
            reading = read_cell(text, b_is_white=self.b_is_white)
            if reading is None:
                message = (
                    f"“{text}” is no cell of a cross table. {as_day(text)}Write 12w1, +12, W12, 12b½, or BYE."
                )
                self.log.add("no-cell", place, message)
                self.tally.unread("cells", text)
                continue
            self.tally.read("cells")
            if number in cells:
                self.log.add("competitor-twice", place, f"{number} has two rows in this table. Keep one.")
            else:
                cells[number] = CrosstableCell(number, text, reading, place)
        return cells

    # --- a round ------------------------------------------------------------------------------------------

    def _round(
        self, number: int, cells: dict[int, CrosstableCell], labels: dict[int, int]
    ) -> Iterator[TabledPairing]:
        done: set[int] = set()
        for own, cell in cells.items():
            if own in done:
                continue
            if cell.reading.opponent is None:
                raw: dict[str, Any] = {"first": cell.number, "kind": cell.reading.kind}
                if cell.reading.score is not None:
                    raw["score"] = [score(cell.reading.score), None]
                yield TabledPairing(number, cell.place, raw)
                continue
            opponent = labels.get(cell.reading.opponent)
            other = cells.get(opponent or 0)
            if opponent is None or opponent == own:
                text = (
                    f"“{cell.text}”: no row of the table is {cell.reading.opponent}, or it is this one. "
                    "Correct it."
                )
                self.log.add("unknown-number", cell.place, text)
            # reported at the first of the two cells
            elif other and labels.get(other.reading.opponent or 0) != own:
                self._contradict(cell, other, "each names another opponent", "neither is read")
                done.add(opponent)
            else:
                done.add(opponent)
                yield from self._pairing(number, cell, other, opponent)

    def _contradict(
        self, cell: CrosstableCell, other: CrosstableCell, why: str, outcome: str = _NOT_KNOWN
    ) -> dict[str, Any]:
        text = f"{cell}, {other}: {why}. Correct one of the two; accept this, and {outcome}."
        self.log.findings.append(objection("contradiction", cell.place, text))
        return {"kind": "unknown"}

    def _pairing(
        self, number: int, cell: CrosstableCell, other: CrosstableCell | None, opponent: int
    ) -> Iterator[TabledPairing]:
        if other and cell.reading.colour and cell.reading.colour == other.reading.colour:
            self.same_colours.append((cell, other))
            uncoloured = (replace(each, reading=replace(each.reading, colour="")) for each in (cell, other))
            cell, other = uncoloured
        is_first = cell.reading.colour == "w" or (
            not cell.reading.colour and not (other and other.reading.colour == "w")
        )
        first, second = (cell, other) if is_first else (other, cell)
        sides = (cell.number, opponent) if is_first else (opponent, cell.number)
        if (result := self._combined_result(first, second)) is not None:
            if other is None and not self._is_nobody(opponent):
                text = (
                    f"{cell}, but the cell of {opponent} is empty in this round; the result is read from the "
                    "first cell. Check it."
                )
                self.log.findings.append(warning("one-sided", cell.place, text))
            is_sided = bool(cell.reading.colour or (other and other.reading.colour))
            raw = {"first": sides[0], "second": sides[1], **result}
            is_known = result["kind"] != "unknown" or any(
                each.reading.kind == "unknown" for each in (cell, other) if each
            )
            yield TabledPairing(number, cell.place, raw, is_sided=is_sided, is_known=is_known)

    def _is_nobody(self, number: int) -> bool:
        competitor = self.entrants.by_number.get(number)
        return competitor is not None and number in self.entrants.places and is_nobody(competitor)

    def _object_to_colours(self) -> None:
        if not self.same_colours:
            return
        cell, other = self.same_colours[0]
        text = (
            f"Both cells of {len(self.same_colours)} pairings have the same colour, such as {cell} and "
            f"{other}. Correct them; if you accept this, the colours of these pairings are unknown."
        )
        self.log.findings.append(objection("same-colour", cell.place, text))

    # --- both cells of a pairing --------------------------------------------------------------------------

    def _combined_result(
        self, first: CrosstableCell | None, second: CrosstableCell | None
    ) -> dict[str, Any] | None:
        there = [cell for cell in (first, second) if cell]
        kinds = {cell.reading.kind for cell in there}
        if kinds <= {"pending", "unknown"}:
            return {"kind": "unknown" if "unknown" in kinds else "pending"}
        if len(kinds) > 1:
            settled = [cell for cell in there if cell.reading.kind in {"played", "forfeit"}]
            # A forfeit and a game are both results; else a single cell has a result.
            if len(settled) == 2:
                return self._contradict(settled[0], settled[1], "one is a forfeit, the other a game")
            return self._contradict(there[0], there[1], "only one of them has a result")
        return self._forfeit(first, second) if kinds == {"forfeit"} else self._game(first, second)

    def _forfeit(self, first: CrosstableCell | None, second: CrosstableCell | None) -> dict[str, Any] | None:
        own_score, other_score = (cell.reading.score if cell else None for cell in (first, second))
        if own_score is not None and other_score is not None:  # cells such as `3f` and `1f`
            result = PairingResult(Kind.FORFEIT, own_score, other_score)
            if fault := pairing_fault(self.event, result):
                text = f"{score_text(own_score, other_score)} by forfeit cannot be: {fault}"
                return self._refuse_score(first, second, text)
            return raw_result(result)
        if own_score is not None or other_score is not None:  # a single cell does not determine the other
            why = "one of them has the points of a forfeit, the other has not"
            return self._refuse_score(first, second, why)
        win = number_of_boards(self.event) * self.event.game_win
        won = [cell.reading.outcome == "won" if cell else None for cell in (first, second)]
        # A single cell with a win or loss is enough for both sides.
        if won == [True, True] and first and second:
            return self._contradict(first, second, "both cannot win by forfeit")
        own = [not won[1 - at] if each is None else each for at, each in enumerate(won)]
        return raw_result(PairingResult(Kind.FORFEIT, win * own[0], win * own[1]))

    def _game(self, first: CrosstableCell | None, second: CrosstableCell | None) -> dict[str, Any] | None:
        scores = [self._score(cell) if cell else None for cell in (first, second)]
        if scores == [None, None] or any(
            cell and own is None for cell, own in zip((first, second), scores, strict=True)
        ):
            return None
        if self.event.game_results and None in scores:
            return self._refuse_score(
                first, second, "only one of them has the points of a game, which can end in several ways"
            )
        # A cell that has only the points of one side leaves the remaining points to the other.
        full = number_of_boards(self.event) * (self.event.game_win + self.event.game_loss)
        points = [
            max(full - (scores[1 - at] or 0), 0) if own is None else own for at, own in enumerate(scores)
        ]
        marks = (first.reading.advantage if first else "", second.reading.advantage if second else "")
        has_second = "+" in marks or "-" in marks
        advantage = "first" if marks[0] == "+" or marks[1] == "-" else "second" if has_second else ""
        result = PairingResult(Kind.PLAYED, points[0], points[1], advantage)
        fault = pairing_fault(self.event, result)
        # Points without an opponent are those of a bye.
        if fault and not any(self._is_nobody(cell.number) for cell in (first, second) if cell):
            return self._refuse_score(first, second, f"{score_text(*points)} cannot be: {fault}")
        return raw_result(result)

    def _score(self, cell: CrosstableCell) -> int | None:
        if cell.reading.score is not None:
            return cell.reading.score
        if self.event.is_team or self.event.game_results:
            text = f"“{cell.text}” has no score. Write the points after the opponent: 12w2½."
            self.log.add("no-score", cell.place, text)
            return None
        event = self.event
        return {"won": event.game_win, "drawn": event.game_draw}.get(cell.reading.outcome, event.game_loss)

    def _refuse_score(
        self, first: CrosstableCell | None, second: CrosstableCell | None, why: str
    ) -> dict[str, Any] | None:
        if first and second:
            return self._contradict(first, second, why)
        if cell := first or second:
            self.log.add("impossible-score", cell.place, f"{cell}: {why}. Correct it.")
        return None


def _matched_cells(way: Sequence[int | None], numbers: Sequence[int | None], cells: CellsByRound) -> int:
    called = {label: own for label, own in zip(way, numbers, strict=True) if label is not None}
    label_of = {own: label for label, own in called.items()}
    return sum(
        1
        for of_round in cells.values()
        for own, cell in of_round.items()
        if (other := of_round.get(called.get(cell.reading.opponent or 0) or 0)) is not None
        and other.number != own
        and other.reading.opponent == label_of.get(own)
    )


# --- the meaning of `b` -----------------------------------------------------------------------------------

_WITH_B = frozenset("zsa")  # letters for Black that occur with `b` only in Turkish: beyaz, siyah
_WHERE_B_IS_WHITE = frozenset({"French", "Spanish", "Italian", "Portuguese", "Polish", "Turkish"})


def read_colours(table: HeadedTable, columns: Sequence[int], choice: str) -> tuple[bool, Finding | None]:
    """Return whether `b` is White in the cells of the columns, and the evidence or a question as a finding.

    It is Black in English, White in French, Spanish, Italian, Polish and others. This follows from the other
    letters in the table: with `w`, `b` is Black; with `n`, `c`, `č` or `p` it is White. If `b` is the only
    letter, the language of the heading decides, else the user. `choice`: chosen by the user, or blank.
    """
    counts = Counter(
        letter for row in table.rows for at in columns if (letter := colour_letter(row.cell(at)))
    )
    if choice or not counts[EITHER]:
        return choice == "white", None
    whites = {each: counts[each] for each in WHITE if counts[each]}
    blacks = {each: counts[each] for each in BLACK if counts[each]}
    place = Place(table.grid.name)
    languages = languages_of(table.heading.cells if table.heading else ())
    if whites and not blacks:
        return False, None
    is_turkish = blacks.keys() == {"s"} and languages.keys() == {"Turkish"}
    if blacks and not whites and (is_turkish or not _WITH_B & blacks.keys()):
        text = (
            f"“b” is read as White, for the other letter is {_counted_letters(blacks)} beside "
            f"{counts[EITHER]} of it{_by_language(languages)}. Choose otherwise if b is Black."
        )
        return True, warning("colour-letters", place, text)
    if not (whites or blacks):
        count = counts[EITHER]
        is_white = bool(languages) and languages.keys() <= _WHERE_B_IS_WHITE
        if is_white or (languages and not languages.keys() & _WHERE_B_IS_WHITE):
            colour = "White" if is_white else "Black"
            by = _by_language(languages)
            text = f"“b” is the only letter of a colour ({count}), and read as {colour}{by}."
            return is_white, warning("colour-letters", place, text)
        text = (
            f"“b” is the only letter of a colour ({count}): it may be Black, as in English, or White, as "
            "in French, Spanish, Italian or Polish; it is read as Black. Choose the colour of b."
        )
        return False, objection("colour-letters", place, text)
    is_white = sum(blacks.values()) > sum(whites.values())
    text = (
        f"The cells say colours by {_counted_letters(whites | blacks | {EITHER: counts[EITHER]})}, so “b” "
        f"may be Black or White; it is read as {'White' if is_white else 'Black'}. Say which colour b is."
    )
    return is_white, objection("colour-letters", place, text)


def _by_language(languages: dict[str, list[str]]) -> str:
    told = [f"{name} (“{'”, “'.join(words[:3])}”)" for name, words in languages.items()]
    return f", and the heading is {' or '.join(told)}" if told else ""


def _counted_letters(letters: dict[str, int]) -> str:
    return " and ".join(f"“{letter}” ({count})" for letter, count in letters.items())
