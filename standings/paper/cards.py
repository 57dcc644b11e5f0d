"""Table cards, name plates and labels."""

from collections.abc import Iterator
from typing import NamedTuple

from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.flags import code_beside
from standings.pages.events.sides import COLOURS, table_word
from standings.paper.printout import Printout, cut_pages, size_of, with_title
from standings.paper.source import PaperSource
from tournaments.event.choices import white_side
from tournaments.models import Event

CARDS_PER_PAGE = (4, 1, 2)
PLATES_PER_PAGE = (2, 1, 3)
LABELS_PER_PAGE = (24, 21, 16, 14)
"""The labels per page of standard sheets: 70 x 37, 63.5 x 38.1, 105 x 37 and 99.1 x 38.1 mm."""


def table_cards(source: PaperSource) -> Iterator[Printout]:
    cards = list(_cards_of_round(source) if source.round else _cards_of_event(source))
    per = source.options.pieces(CARDS_PER_PAGE)
    yield cut_pages(_("Table cards"), cards, per, "cards", is_draft=source.is_draft)


def _cards_of_round(source: PaperSource) -> Iterator[str]:
    draft = format_html('<p class="draft">{}</p>', _("DRAFT: not published")) if source.is_draft else ""
    for pairing in source.wanted:
        if pairing.second is None:
            continue
        colours = COLOURS["" if source.event.is_team else white_side(source.event, pairing.colours)]
        sides = format_html_join(
            "",
            '<p class="who {}">{} {}</p>',
            (
                (size_of(side.name), colour, with_title(side.name, side.title))
                for colour, side in zip(colours, (pairing.first, pairing.second), strict=True)
            ),
        )
        below = format_html("{}<p>{} · {}</p>{}", sides, source.event.name, source.round_text, draft)
        yield _table_card(source.event, pairing.table, below)


def _cards_of_event(source: PaperSource) -> Iterator[str]:
    tables = len(source.competitors) // 2
    first, last = max(source.options.first, 1), source.options.last or tables
    for table in range(first, min(last, first + 999) + 1):
        yield _table_card(source.event, table, format_html("<p>{}</p>", source.event.name))


def _table_card(event: Event, table: int, below: SafeString) -> str:
    return format_html(
        '<article class="piece card"><p class="word">{}</p><p class="big">{}</p>{}</article>',
        table_word(event),
        table,
        below,
    )


def name_plates(source: PaperSource) -> Iterator[Printout]:
    plates = [_plate(each) for each in _requested_people(source, with_city=True)]
    yield cut_pages(_("Name plates"), plates, source.options.pieces(PLATES_PER_PAGE), "plates")


class NamedPiece(NamedTuple):
    """The texts of a piece for a player. `number`: the start number, of players of teams the board."""

    number: str
    name: str
    title: str
    below: str


def _requested_people(source: PaperSource, *, with_city: bool) -> Iterator[NamedPiece]:
    for each in source.competitors:
        if not source.options.among(each.number):
            continue
        if source.event.is_team:
            for player in each.players.all():
                yield NamedPiece(str(player.board or ""), player.name, player.title, each.name)
            continue
        origin = (code_beside(source.event, each), each.club, each.city if with_city else "")
        yield NamedPiece(str(each.number), each.name, each.title, " · ".join(filter(None, origin)))


def _plate(piece: NamedPiece) -> str:
    half = format_html(
        '<p class="who {}">{}</p><p class="below">{}</p>',
        size_of(piece.name),
        with_title(piece.name, piece.title),
        piece.below,
    )
    return format_html(
        '<article class="piece plate"><div class="half over" aria-hidden="true">{}</div>'
        '<div class="half">{}</div></article>',
        half,
        half,
    )


def labels(source: PaperSource) -> Iterator[Printout]:
    per = source.options.pieces(LABELS_PER_PAGE)
    pieces = [_label(source.event, each) for each in _requested_people(source, with_city=False)]
    yield cut_pages(_("Labels"), pieces, per, "labels")


def _label(event: Event, piece: NamedPiece) -> str:
    return format_html(
        '<article class="piece label"><p class="who">{}</p><p>{}</p><p class="event">{} {}</p></article>',
        with_title(piece.name, piece.title),
        piece.below,
        event.name,
        escape(piece.number and f"· {piece.number}"),
    )
