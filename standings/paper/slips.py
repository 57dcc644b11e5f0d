"""Result slips of games, and sheets of matches."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.pages.events.sides import COLOURS, table_word
from standings.paper.pairings import name_on_paper, result_on_paper
from standings.paper.printout import BLANK, Printout, cut_pages, piled, with_title
from standings.paper.source import PaperSource
from tournaments.event.choices import PairingSide, white_side
from tournaments.event.resultcodes import recorded_text
from tournaments.hall.links import entry_addresses, qr_code
from tournaments.models import Event, Game, Pairing, Player
from tournaments.recording.results.storing import white_at

PER_PAGE = (6, 3, 4, 8, 10)
"""The allowed numbers of slips per page, the default first."""

MOST_WITH_CODES = 8

MATCHES_PER_PAGE = (2, 1)
MOST_BOARDS = 8
"""A match with more boards takes a page."""

PILES = "piles"
"""The order for cutting a stack of pages."""


def slips(source: PaperSource) -> Iterator[Printout]:
    # The smallest slips have no room for a code next to each name.
    both = source.event.players_entry == Event.PlayersEntry.BOTH
    per = source.options.pieces([each for each in PER_PAGE if each <= MOST_WITH_CODES or not both])
    pieces = list(_slips_of_games(source))
    if source.options.order == PILES:
        pieces = piled(pieces, per)
    yield cut_pages(_("Result slips"), pieces, per, "slips", is_draft=source.is_draft)


def _slips_of_games(source: PaperSource) -> Iterator[str]:
    for pairing in source.wanted:
        if pairing.second is None or pairing.pk in source.decided:
            continue
        if not source.event.is_team:
            first, second = pairing.first, pairing.second
            names = name_on_paper(source, first), name_on_paper(source, second)
            colours = COLOURS[white_side(source.event, pairing.colours)]
            sides = zip(colours, (str(first.number), str(second.number)), names, strict=True)
            yield _slip(source, pairing, None, sides)
            continue
        for board in boards_on_paper(source, pairing):
            sides = zip(board.colours, ("", ""), (board.first, board.second), strict=True)
            yield _slip(source, pairing, board.number, sides)


def _slip(
    source: PaperSource, pairing: Pairing, board: int | None, sides: Iterable[tuple[str, str, SafeString]]
) -> str:
    codes = {side: _qr_code(at) for side, at in entry_addresses(source.request, pairing, board)}
    rows = format_html_join(
        "",
        '<div class="side"><span class="colour">{}</span><span class="number">{}</span>'
        '<b class="name">{}</b>{}<span class="box"></span></div>',
        ((*each, codes.get(side, "")) for side, each in zip(PairingSide.values, sides, strict=True)),
    )
    signed = format_html('<p class="signed"><span>{0}</span><span>{0}</span></p>', _("signature"))
    # A code for both sides is next to the signatures, so that names have enough room.
    return format_html(
        '<article class="piece slip">{}{}<div class="foot">{}{}</div></article>',
        piece_heading(source, pairing, board),
        rows,
        signed,
        codes.get("", ""),
    )


def _qr_code(address: str) -> SafeString:
    return format_html(
        '<span class="code-box" role="img" aria-label="{}">{}</span>',
        _("the form for this result, as a QR code"),
        qr_code(address),
    )


def piece_heading(source: PaperSource, pairing: Pairing, board: int | None = None) -> SafeString:
    draft = format_html('<b class="draft">{}</b>', _("DRAFT: not published")) if source.is_draft else ""
    return format_html(
        '<header><span class="event">{}</span><span>{}</span>{}'
        '<span class="at">{} <b>{}{}</b></span></header>',
        source.event.name,
        source.round_text,
        draft,
        table_word(source.event),
        pairing.table,
        f".{board}" if board else "",
    )


def match_sheets(source: PaperSource) -> Iterator[Printout]:
    boards = max([source.event.boards or 0, *(len(each.games.all()) for each in source.wanted)])
    offered = MATCHES_PER_PAGE if boards <= MOST_BOARDS else (1,)
    pieces = [_match_sheet(source, each) for each in source.wanted if each.second]
    per = source.options.pieces(offered)
    yield cut_pages(_("Match sheets"), pieces, per, "matches", is_draft=source.is_draft)


class BoardOnPaper(NamedTuple):
    """A board of a match sheet, with its result or box."""

    number: int
    colours: tuple[str, str]
    first: SafeString
    second: SafeString
    result: str


def boards_on_paper(source: PaperSource, match: Pairing) -> list[BoardOnPaper]:
    games = {each.board: each for each in match.games.all()}
    numbers = sorted({*range(1, (source.event.boards or 0) + 1), *games})
    return [_board(source, number, games.get(number)) for number in numbers]


def _match_sheet(source: PaperSource, match: Pairing) -> str:
    context = {
        "head": piece_heading(source, match),
        "match": match,
        "boards": boards_on_paper(source, match),
        "total": result_on_paper(source, match),
    }
    return render_to_string("paper/match.html", context)


def _board(source: PaperSource, number: int, game: Game | None) -> BoardOnPaper:
    return BoardOnPaper(
        number,
        COLOURS[game.white if game else white_at(number)],
        _player_with_rating(game.first_player if game else None),
        _player_with_rating(game.second_player if game else None),
        (recorded_text(source.event, game) if game else "") or BLANK,
    )


def _player_with_rating(player: Player | None) -> SafeString:
    if player is None:
        return SafeString("")
    name = with_title(player.name, player.title)
    return format_html('{} <span class="code">{}</span>', name, player.rating) if player.rating else name
