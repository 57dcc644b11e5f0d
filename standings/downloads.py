"""An event to take away: the event file, and a CSV for spreadsheets with the standings, then the results."""

import csv
from collections.abc import Callable, Iterable, Iterator
from io import StringIO

from django.http import HttpRequest, HttpResponse

from standings.columns import exact_texts, shown_criteria
from standings.engine import Standings, decimal_text
from standings.pages import event_page, only_read
from standings.services import standings_of
from tournaments.files.document import Document, Game, Pairing, Player
from tournaments.files.stored import stored
from tournaments.files.writer import write
from tournaments.models import Event

BOM = "\ufeff"
"""Excel reads a CSV as UTF-8 only behind this mark; others skip it. Without it, half of the names break."""

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""A text that begins with one of these is a formula to a spreadsheet."""

RESULTS = (
    "round", "table", "board", "first number", "first", "first player", "first score",
    "second score", "second player", "second number", "second", "kind", "white", "advantage", "note",
)  # fmt: skip

Cell = str | int | None


class Number(str):
    """Machine text of a number, which stays as it is in a spreadsheet: `-2`, `372.5`."""

    __slots__ = ()


def download(text_of: Callable[[Event], str], ending: str, content_type: str) -> Callable[..., HttpResponse]:
    """The public page of an event that a browser saves as a file, named after the event."""

    @event_page
    def page(_: HttpRequest, event: Event) -> HttpResponse:
        return HttpResponse(text_of(event))

    @only_read
    def answer(request: HttpRequest, slug: str) -> HttpResponse:
        response = page(request, slug)
        if response.status_code == 200:
            response["Content-Type"] = content_type
            response["Content-Disposition"] = f'attachment; filename="{slug}.{ending}"'
        return response

    return answer


def event_file(event: Event) -> str:
    """The event in canonical form; eleven queries at most."""
    return write(stored(event).document)


def event_csv(event: Event) -> str:
    """The standings, an empty line, the results; a round or a board without a score leaves it blank."""
    text = StringIO()
    lines = csv.writer(text)
    document = stored(event).document
    for line in (*_standings(document, standings_of(event)), [], *_results(document)):
        lines.writerow([safe(cell) for cell in line])
    return BOM + text.getvalue()


def safe(cell: Cell) -> Cell:
    """The cell as no spreadsheet takes it for a formula; numbers are left alone."""
    if isinstance(cell, Number) or not isinstance(cell, str) or not cell.startswith(FORMULA):
        return cell
    return f"'{cell}"


def _standings(document: Document, standings: Standings) -> Iterator[list[Cell]]:
    """A heading and a line for each competitor, in standings order."""
    criteria = shown_criteria(standings)
    values = [exact_texts(judged) for judged in criteria]
    names = (judged.criterion.code for judged in criteria)
    yield ["place", "number", "name", "code", "rating", *names, "won", "drawn", "lost", "remarks"]
    counts = standings.table.won_drawn_lost.tolist()
    for row in standings.rows():
        each = document.competitors[row.competitor]
        remarks = [*(["outside the competition"] if row.outside else []), *row.marks]
        figures = (Number(column[row.competitor]) for column in values)
        lead = (row.place, each.number, each.name, each.code, each.rating)
        yield [*lead, *figures, *counts[row.competitor], ", ".join(remarks)]


def _results(document: Document) -> Iterator[Iterable[Cell]]:
    """A heading, and a line for each pairing, behind a team's match one for each of its boards."""
    yield RESULTS
    names = {each.number: each.name for each in document.competitors}
    for number, pairing in document.pairings():
        sides = pairing.first, names[pairing.first], pairing.second, names.get(pairing.second or 0, "")
        yield _line(number, pairing.table, pairing, sides)
        for game in pairing.games:
            yield _line(number, pairing.table, game, sides)


Sides = tuple[int, str, int | None, str]


def _line(number: int, table: int, result: Pairing | Game, sides: Sides) -> list[Cell]:
    """A match, a game of players, or a board; scores in points."""
    first, first_name, second, second_name = sides
    board, white, players, note = None, "", ("", ""), ""
    if isinstance(result, Game):
        board, white = result.board, result.white
        players = (_name(result.first_player), _name(result.second_player))
    else:
        note = result.note
    return [
        number, table, board, first, first_name, players[0], _points(result.first_score),
        _points(result.second_score), players[1], second, second_name, result.kind, white,
        result.advantage, note,
    ]  # fmt: skip


def _name(player: Player | None) -> str:
    return player.name if player else ""


def _points(half_points: int | None) -> Cell:
    return None if half_points is None else Number(decimal_text(half_points, 2))
