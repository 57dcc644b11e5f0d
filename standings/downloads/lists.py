"""An event as plain tables with a heading line: standings, cross table, results, competitors; as CSV."""

import csv
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import StringIO

from django.utils.translation import override

from standings.engine import Standings, decimal_text, fraction_text
from standings.statistics.ratingcolumns import ratings_in
from standings.statistics.ratings import PlayerRating
from standings.statistics.texts import exact_hundredths
from standings.tables.sheet import StandingsSheet, displayed_criteria, published_figures
from standings.tables.values import exact_texts
from tournaments.event.arrays import CompetitorInfo
from tournaments.event.choices import Kind, PairingColours, knows_results, knows_round_order, white_side
from tournaments.event.document import Document, EventEntry, GameEntry, PairingEntry
from tournaments.event.resultcodes import recorded_text, side_texts
from tournaments.interchange.formats.layouts import own_tables
from tournaments.interchange.formats.tables.text import FORMULA
from tournaments.models import Event
from tournaments.prizes.members import Members, rows_among
from tournaments.prizes.prize_list import PrizeList

Cell = str | int | None
Row = Iterable[Cell]

RATINGS = ("performance", "expected score", "rating change", "K")


class Number(str):
    """The text of a number, which spreadsheets read as it is: `-2`, `372.5`."""

    __slots__ = ()


def standings_rows(document: Document, standings: Standings) -> Iterator[Row]:
    """Return a line per competitor in the order of the standings, with ratings if any player has one."""
    criteria = displayed_criteria(standings)
    values: list[Sequence[str]] = [exact_texts(judged) for judged in criteria]
    births = [each.born for each in document.competitors]
    ratings = ratings_in(document.event, standings.table, births)
    rated = any(each.rated for each in ratings)
    behind = (*own_tables.STANDINGS_BEHIND, *(RATINGS if rated else ()))
    printed = published_figures(standings)
    labels = (*(judged.criterion.code for judged in criteria), *(label for label, _figures in printed))
    yield [*own_tables.STANDINGS_AHEAD, *labels, *behind]
    values += [figures for _label, figures in printed]
    counts: list[list[int | None]] = standings.table.won_drawn_lost.tolist()
    if not knows_results(document.event):
        counts = [[None] * 3] * len(counts)
    for row in standings.rows():
        each = document.competitors[row.competitor]
        remarks = [*([own_tables.OUTSIDE] if row.outside else []), *row.marks]
        figures = (Number(column[row.competitor]) for column in values)
        lead = (row.place, each.number, each.name, each.code, each.rating)
        known = _rating_cells(ratings[row.competitor]) if rated else ()
        yield [*lead, *figures, *counts[row.competitor], ", ".join(remarks), *known]


def _rating_cells(rating: PlayerRating) -> list[Cell]:
    change = rating.change
    if change is None:
        return [rating.performance, None, None, None]
    figures = (Number(exact_hundredths(each)) for each in (change.expected, change.change))
    return [rating.performance, *figures, change.coefficient.k]


def results_rows(document: Document) -> Iterator[Row]:
    yield own_tables.RESULT_COLUMNS
    names = {each.number: each.name for each in document.competitors}
    is_ordered = knows_round_order(document.event)
    for each in document.rounds:
        for pairing in each.pairings:
            sides = pairing.first, names[pairing.first], pairing.second, names.get(pairing.second or 0, "")
            results: tuple[PairingEntry | GameEntry, ...] = (pairing, *pairing.games)
            for result in results:
                seat = [each.number, each.date, pairing.table] if is_ordered else [None, each.date, None]
                yield [*seat, *_result_line(document.event, result, sides)]


Sides = tuple[int, str, int | None, str]


def _result_line(event: EventEntry, result: PairingEntry | GameEntry, sides: Sides) -> list[Cell]:
    first, first_name, second, second_name = sides
    board, white, players, note = None, "", ["", ""], ""
    if isinstance(result, GameEntry):
        board, white = result.board, result.white
        both = result.first_player, result.second_player
        players = [player.name if player else "" for player in both]
    else:
        note = result.note
        is_unknown = not event.is_team and second is not None and not white_side(event, result.colours)
        white = PairingColours.UNKNOWN.value if is_unknown else ""  # else the first player has White
    return [
        board, first, first_name, players[0],
        points_cell(result.first_score), points_cell(result.second_score),
        players[1], second, second_name, result.kind, white, result.advantage, result.games_played, note,
    ]  # fmt: skip


def points_cell(half_points: int | None) -> Cell:
    """Return half-points as an exact decimal in points, blank for None."""
    return None if half_points is None else Number(decimal_text(half_points, 2))


def category_rows(
    event: Event, entries: Sequence[CompetitorInfo], standings: Standings, of: Members
) -> Iterator[Row]:
    yield ["category", "place", "overall place", "number", "name"]
    places = standings.place.tolist()
    for each in event.categories:
        for row in rows_among(standings, of[each["code"]].numbers):
            entry = entries[row.competitor]
            yield [each["code"], row.place, places[row.competitor] or None, entry.number, entry.name]


def prize_rows(listed: PrizeList) -> Iterator[Row]:
    yield ["prize", "place", "number", "name", "amount", "goods", "how"]
    for fund in listed.funds:
        for each in fund.winners:
            who = each.entry.number, each.entry.name
            yield [
                fund.code,
                each.position,
                *who,
                Number(each.amount),
                " / ".join(each.goods),
                each.explanation,
            ]
    for special in listed.specials:
        for entry in special.winners:
            yield [special.name, None, entry.number, entry.name, Number(special.amount), special.goods, ""]


def about_rows(sheet: StandingsSheet) -> Iterator[Row]:
    """Return the basis of the standings and the edition of FIDE's rules, in English."""
    with override("en"):
        basis, edition = sheet.basis_text, sheet.edition_text
    yield ["about", "text"]
    yield ["standings", basis]
    if edition:
        yield ["rules", edition]


# --- the cross table --------------------------------------------------------------------------------------


def crosstable_rows(document: Document, standings: Standings) -> Iterator[Row]:
    """Yield a line per competitor in the order of the standings: `12w1` against start number 12."""
    # Columns need an order of the rounds, and results.
    rounds = [each.number for each in document.rounds if knows_round_order(document.event)]
    yield ["place", "number", "name", *(f"R{number}" for number in rounds)]
    cells = round_cells(document, {each.number: each.number for each in document.competitors})
    for row in standings.rows():
        each = document.competitors[row.competitor]
        played = (cells[each.number].get(number, "") for number in rounds)
        yield [row.place, each.number, each.name, *played]


def round_cells(
    document: Document,
    labels: Mapping[int, int],
    bye_cell: Callable[[EventEntry, PairingEntry, str], str] = lambda _event, _pairing, usual: usual,
) -> dict[int, dict[int, str]]:
    """Return the cells by competitor and round.

    `labels`: the number in the cells of opponents. `bye_cell`: returns the cell of a bye from its usual text.
    """
    cells: dict[int, dict[int, str]] = defaultdict(dict)
    for number, each in document.pairings():
        own, theirs = cell_texts(document, each)
        if each.second is None:
            cells[each.first][number] = bye_cell(document.event, each, own)
        else:
            # `x`, as in other programs, if the colours are unknown
            white, black = ("w", "b") if white_side(document.event, each.colours) else ("x", "x")
            cells[each.first][number] = f"{labels[each.second]}{white}{own}"
            cells[each.second][number] = f"{labels[each.first]}{black}{theirs}"
    return cells


def cell_texts(document: Document, pairing: PairingEntry) -> tuple[str, str]:
    """Return the cells of both sides. A forfeit with an unusual score shows its points, `3f` and `1f`."""
    if pairing.kind == Kind.UNKNOWN:
        return "?", "?"  # for both sides
    first, second = pairing.first_score, pairing.second_score
    sides = side_texts(pairing.kind, first, second, pairing.advantage)
    if pairing.kind != Kind.FORFEIT or recorded_text(document.event, pairing) in {"+ -", "- +", "- -"}:
        return sides
    return f"{fraction_text(first or 0, 2)}f", f"{fraction_text(second or 0, 2)}f"


def standings_with_rounds(document: Document, standings: Standings) -> Iterator[Row]:
    of_rounds = crosstable_rows(document, standings)
    for line, cells in zip(standings_rows(document, standings), of_rounds, strict=True):
        yield [*line, *list(cells)[3:]]


# --- who takes part ---------------------------------------------------------------------------------------


def competitor_rows(document: Document) -> Iterator[Row]:
    yield own_tables.COMPETITOR_COLUMNS
    for each in document.competitors:
        outside = "yes" if each.outside else ""
        own = (each.number, each.name, each.code, each.flag, each.title, each.rating, each.rating_class)
        yield [*own, outside, each.withdrawn_after, *5 * [None]]
        for player in each.players:
            known = (player.board, player.name, player.title, player.rating, player.fide_id)
            yield [each.number, each.name, *7 * [None], *known]


BOM = "\ufeff"
"""Excel detects UTF-8 only by this mark; others skip it. Without it, names with accents break."""


def csv_text(lines: Iterable[Row], delimiter: str = ",", decimal: str = ".") -> str:
    text = StringIO()
    written = csv.writer(text, delimiter=delimiter)
    for line in lines:
        cells = map(safe, line)
        written.writerow([cell.replace(".", decimal) if isinstance(cell, Number) else cell for cell in cells])
    return BOM + text.getvalue()


def safe(cell: Cell) -> Cell:
    """Return the cell so that no spreadsheet reads it as a formula. Numbers are unchanged."""
    if isinstance(cell, Number) or not isinstance(cell, str):
        return cell
    return FORMULA.sub(r"\1'", cell)
