"""The hall screen: standings, pairings and results on large pages that change automatically.

All pages are in a single document, and the script shows them in turn. Without the script, each page is a
document that links to the next.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.basis import basis_text
from standings.caching.cached_pages import choices, event_view, mark_uncacheable, uses_parameters
from standings.checking.trust import trust_statement
from standings.engine import CriterionColumn, RoundKind, Row, Standings
from standings.flags import flag_html
from standings.pages.events.pairing_rows import PairingRow
from standings.pages.events.round import RoundCard, round_card
from standings.pages.events.sides import Side, table_word
from standings.pages.frame import default_sheet, event_response
from standings.tables.cells import boards_open, form_letter, rounds_of_competitor, tint
from standings.tables.columns import place_text
from standings.tables.sheet import StandingsSheet, displayed_criteria, published_figures
from standings.tables.switches import query_of
from standings.texts import value_of
from tournaments.hall.links import qr_code
from tournaments.models import Event
from tournaments.search.folding import sort_key

LINES = 14
"""Lines that are readable from eight metres."""

MOST_IN_ONE_COLUMN = 3 * LINES
"""Longer lists of pairings have two columns."""

NAMES_ABREAST = 3
ALL_SHOWN = 8 * LINES
"""Standings of more competitors show the leaders only, unless the URL has `top`."""

LEADERS = 4 * LINES
FORM_ROUNDS = 11
SECONDS = "10"
"""Seconds per page, unless the URL has `seconds`."""

CHOICES = ("show", "top", "part", "seconds", "page", "running")


@dataclass(frozen=True)
class ScreenPage:
    """A page of the screen. `kind`: `standings`, `pairings`, `names` or `results`. `columns`: tables."""

    kind: str
    title: str
    heads: SafeString
    columns: Sequence[SafeString]


@event_view
@uses_parameters(*CHOICES)
def screen(request: HttpRequest, event: Event) -> HttpResponse:
    chosen = choices(request, CHOICES)
    sheet = default_sheet(request, event)
    pages = list(_screen_pages(sheet, chosen))
    number = int(chosen.get("page", 1))
    if number > max(len(pages), 1):
        mark_uncacheable(request)  # do not cache an unlimited number of URLs
    visible = pages if "page" not in chosen else pages[number - 1 : number] or pages[:1]
    following = str(number + 1) if number < len(pages) else ""
    address = request.build_absolute_uri(reverse("event", args=[event.slug]))
    context = {
        "pages": visible,
        "count": len(pages),
        "number": number if len(visible) == 1 else 1,
        "seconds": chosen.get("seconds", SECONDS),
        "next": query_of({**chosen, "page": following}),
        "round": sheet.running.round,
        "basis": basis_text(sheet.running),
        "edition": sheet.edition_text,
        "trust": trust_statement(sheet, is_final=sheet.with_running is None),
        "phone": address,
        "qr": qr_code(address),
    }
    return event_response(request, event, "screen", context)


def _screen_pages(sheet: StandingsSheet, chosen: Mapping[str, str]) -> Iterator[ScreenPage]:
    """Yield the pages of each kind; if several screens share them, the part of this screen."""
    part, _of, parts = chosen.get("part", "1of1").partition("of")
    requested = chosen.get("show", "")
    for pages in _pages_by_kind(sheet, requested.split(",") if requested else [], chosen.get("top", "")):
        size = -(-len(pages) // int(parts))
        yield from pages[(int(part) - 1) * size : int(part) * size]


def _pages_by_kind(sheet: StandingsSheet, requested: Sequence[str], top: str) -> Iterator[list[ScreenPage]]:
    basis, event = sheet.running, sheet.event
    if sheet.standings.has_places and not event.knows_round_order:
        yield _standings_pages(sheet, top)
        return
    card = round_card(event, basis.round) if basis.round else None
    if card is None:
        return
    if not requested and event.state != Event.State.LIVE:
        requested = ["standings"]
    elif not requested:
        requested = ["pairings", "names", "standings"] if basis.pending else ["results", "standings"]
    for kind in requested:
        if kind == "standings":
            yield _standings_pages(sheet, top)
        elif kind == "names":
            yield _name_pages(event, card)
        elif kind == "pairings":
            yield _pairing_pages(event, card, kind, _("round %(number)s: pairings by table"))
        else:
            # Until the round has a result, show the results of the previous one.
            begun = basis.pending < basis.paired or basis.running
            last = card if begun or basis.round == 1 else round_card(event, basis.round - 1) or card
            yield _pairing_pages(event, last, kind, _("round %(number)s: results"))


# --- standings --------------------------------------------------------------------------------------------


def _standings_pages(sheet: StandingsSheet, top: str) -> list[ScreenPage]:
    all_rows = sheet.rows
    usual = len(all_rows) if len(all_rows) <= ALL_SHOWN else LEADERS
    rows = all_rows[: len(all_rows) if top == "all" else int(top) if top else usual]
    deciding = displayed_criteria(sheet.standings)[:2]
    lines = [_standings_row(sheet, row, deciding) for row in rows]
    title = basis_text(sheet.basis)
    if len(rows) < len(all_rows):
        title = _("the first %(count)s of %(all)s, %(basis)s") % {
            "count": len(rows),
            "all": len(all_rows),
            "basis": title,
        }
    who = _("team") if sheet.event.is_team else _("name")
    heads = [("no", _("pl.")), ("who", who), ("form", _("form") if sheet.event.knows_round_order else "")]
    labels = [column.criterion.abbr for column in deciding]
    labels += [label for label, _figures in published_figures(sheet.standings)[:2]]
    heads += [("lead" if at == 0 else "tb", label) for at, label in enumerate(labels)]
    return _pages_of_rows("standings", title, heads, lines, 1)


def _standings_row(sheet: StandingsSheet, row: Row, deciding: Sequence[CriterionColumn]) -> str:
    entry = sheet.entries[row.competitor]
    place = place_text(sheet, row, sheet.first_on_place, escape(_("shared")))
    mark = sheet.standings.place_mark(row.competitor)
    texts = [value_of(column, row.competitor) for column in deciding]
    texts += [figures[row.competitor] for _label, figures in published_figures(sheet.standings)[:2]]
    values = "".join(
        f'<td class="{"tb" if at else "lead"}">{escape(text)}</td>' for at, text in enumerate(texts)
    )
    form = _form_squares(sheet.shown_results, row.competitor) if sheet.event.knows_round_order else ""
    return (
        f'<tr><td class="no">{place}{mark}</td>{_name_cell(flag_html(sheet.event, entry), entry.name, 38)}'
        f'<td class="form">{form}</td>{values}</tr>'
    )


def _form_squares(standings: Standings, row: int) -> str:
    results = [competitor_round.result for competitor_round in rounds_of_competitor(standings.table, row)]
    while results and results[-1].kind == RoundKind.PENDING and not results[-1].open_boards:
        results.pop()
    last = results[-FORM_ROUNDS:]
    return "".join(f'<i class="{tint(result)}">{escape(form_letter(result))}</i>' for result in last)


# --- pairings and results ---------------------------------------------------------------------------------


def _pairing_pages(event: Event, card: RoundCard, kind: str, title: str) -> list[ScreenPage]:
    columns = 2 if len(card.pairings) > MOST_IN_ONE_COLUMN else 1
    room, boards = 16 if columns == 2 else 32, event.boards or 0
    lines = [_pairing_row(line, room, boards) for line in card.pairings]
    first, second = (_("team"), _("team")) if event.is_team else (_("White"), _("Black"))
    if not event.is_team and not card.knows_colours:
        first, second = _("name"), _("opponent")
    heads = [("no", table_word(event)), ("first", first), ("result", _("result")), ("second", second)]
    return _pages_of_rows(kind, title % {"number": card.number}, heads, lines, columns)


def _pairing_row(line: PairingRow, room: int, boards: int) -> str:
    result = " : ".join(f'<b class="{side.css}">{escape(side.text)}</b>' for side in line.results)
    if line.second:
        second = _name_cell(line.second.flag, line.second.name, room, "second")
    else:
        second = f'<td class="second alone">{escape(line.unopposed)}</td>'
    below = escape(line.delayed or line.last_move)
    if line.shows_boards and not below:
        # Sources omit boards that have not started.
        dots = " ·" * (boards - len(line.boards))
        still_open = escape(boards_open(line.open_boards)) if line.open_boards else ""
        below = f'<span class="spoken">{still_open}</span> {line.boards_html}{dots}'
    below = f"<small>{below}</small>" if below else ""
    # No table is used for a bye.
    table = line.table if line.second else ""
    return (
        f'<tr><td class="no">{table}</td>{_name_cell(line.first.flag, line.first.name, room, "first")}'
        f'<td class="result">{result or "–"}{escape(line.marks)}{below}</td>{second}</tr>'
    )


def _name_pages(event: Event, card: RoundCard) -> list[ScreenPage]:
    words = {"": ("", ""), "first": (_("White"), _("Black"))}
    paired = [(line, line.first, words[line.white][0]) for line in card.pairings]
    paired += [(line, line.second, words[line.white][1]) for line in card.pairings if line.second]
    paired.sort(key=lambda item: (sort_key(item[1].name), item[1].number))
    columns = 1 if len(paired) <= 2 * LINES else NAMES_ABREAST
    lines = [_name_row(line, side, colour, with_opponent=columns == 1) for line, side, colour in paired]
    heads = [("who", _("team") if event.is_team else _("name")), ("no", table_word(event))]
    heads += [("second", _("opponent"))] if columns == 1 else []
    title = _("round %(number)s: pairings by name") % {"number": card.number}
    return _pages_of_rows("names", title, heads, lines, columns)


def _name_row(line: PairingRow, side: Side, colour: str, *, with_opponent: bool) -> str:
    other = line.second if side is line.first else line.first
    room = 34 if with_opponent else 17
    who = _name_cell(side.flag, side.name, room)
    if other is None:
        word = escape(line.unopposed)
        return f'<tr>{who}<td class="no alone" colspan="{1 + with_opponent}">{word}</td></tr>'
    opponent = _name_cell(other.flag, other.name, room, "second") if with_opponent else ""
    return f'<tr>{who}<td class="no">{line.table} <small>{escape(colour)}</small></td>{opponent}</tr>'


# --- tables and cells -------------------------------------------------------------------------------------


def _pages_of_rows(
    kind: str, title: str, heads: Sequence[tuple[str, str]], lines: Sequence[str], columns: int
) -> list[ScreenPage]:
    size = LINES * columns
    head = SafeString("".join(f'<th scope="col" class="{css}">{escape(text)}</th>' for css, text in heads))
    pages = (lines[at : at + size] for at in range(0, len(lines), size))
    tables = ([page[at : at + LINES] for at in range(0, len(page), LINES)] for page in pages)
    return [ScreenPage(kind, title, head, [SafeString("\n".join(each)) for each in page]) for page in tables]


def _name_cell(flag: str, name: str, room: int, css: str = "who") -> str:
    """Return the cell of a name, in smaller letters if it is longer than `room` characters."""
    size = "" if len(name) <= room else " long" if len(name) <= 1.25 * room else " longer"
    # Load flags immediately: the network may be down when the page is first shown.
    still = flag.replace(' loading="lazy"', "")
    return f'<th scope="row" class="{css}{size}">{still}<span>{escape(name)}</span></th>'
