"""The pairings and results of a round."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.caching.cached_pages import choices, event_page, knows, only_shown
from standings.charts.upsets import RatedWin, upsets_of
from standings.eventwords import day_and_time_text, zone_text
from standings.pages.frame import Beside, event_answer
from standings.pages.match import match_cards
from standings.pages.pairinglines import PairingLine, SideResult, by_name, pairing_lines
from standings.pages.remarks import Remark
from standings.services import paired_rounds
from standings.tables.cells import ANNULLED
from standings.tables.sorting import SortKey
from standings.tables.switches import CARRIED, Switch, SwitchOption, carried_choices, query_of
from tournaments.event.choices import Kind
from tournaments.event.resultcodes import side_texts
from tournaments.models import Event, Round
from tournaments.models.pairing import shown_games, shown_rounds


@dataclass(frozen=True)
class RoundCard:
    """A round: its pairings in the order of the tables, and how many results are still to come."""

    number: int
    date: str
    open: bool
    pairings: list[PairingLine]
    awaited: int
    previous: int | None
    next: int | None

    @property
    def has_boards(self) -> bool:
        """Say whether the results of any boards are known."""
        return any(line.boards for line in self.pairings)

    @property
    def annulled(self) -> bool:
        """Say whether a result counts for nobody, because somebody withdrew."""
        return any(side.css == ANNULLED for line in self.pairings for side in line.results)

    @property
    def knows_colours(self) -> bool:
        """Return whether the colours of all games are known, so that columns can be headed by them."""
        return all(line.white for line in self.pairings if line.second)

    @property
    def remarks(self) -> list[Remark]:
        """Return the corrections and rulings of this round."""
        return [remark for line in self.pairings for remark in line.remarks]


def round_card(event: Event, number: int) -> RoundCard | None:
    """The card of a round; None if nothing is paired there, or if the order of the rounds is not known.

    Five queries, six of a match's boards, and those of the standings.
    """
    found = shown_rounds(event).filter(number=number).first()
    if found is None or not event.knows_round_order:
        return None
    boards = _boards(event, found) if event.is_team else {}
    pairings = found.pairings.select_related("first", "second").defer("moves").order_by("table")
    lines = list(pairing_lines(event, pairings, {found.pk: number}, boards))
    if not lines:
        return None
    paired = shown_rounds(event).filter(pairings__isnull=False).values_list("number", flat=True)
    # A round may be without pairings, so the next one is not always number + 1.
    others = set(paired.distinct())
    return RoundCard(
        number=number,
        date=day_and_time_text(found, zone_text(event)),
        open=not found.is_closed,
        pairings=lines,
        awaited=sum(line.is_awaited for line in lines),
        previous=max((other for other in others if other < number), default=None),
        next=min((other for other in others if other > number), default=None),
    )


def _boards(event: Event, found: Round) -> dict[int, list[SideResult]]:
    """Return what the first side of each match of the round got on each board; one query."""
    boards: dict[int, list[SideResult]] = defaultdict(list)
    games = shown_games(event).filter(pairing__round=found).order_by("pairing", "board")
    for game in games.values_list("pairing", "kind", "first_score", "second_score", named=True):
        own, theirs = game.first_score, game.second_score
        text = side_texts(game.kind, own, theirs)[0]
        if game.kind == Kind.FORFEIT:
            css = "x"
        elif own is None or theirs is None:
            css, text = "n", text or "·"
        else:
            css = "w" if own > theirs else "l" if own < theirs else "d"
        boards[game.pairing].append(SideResult(text, css))
    return boards


@event_page
@knows("sort", *CARRIED)
def round_(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """The pairings and results of a round, by table or by name."""
    card = round_card(event, number)
    if card is None:
        raise Http404
    chosen = choices(request)
    named = chosen.get("sort") == SortKey.NAME
    if "sort" in chosen and not named:
        only_shown(request)
    # An archive has them on this page, and no page for each.
    matches = match_cards(event, number) if hasattr(request, "archive") else []
    lines = by_name(card.pairings, players=not event.is_team) if named else card.pairings
    context = {
        "card": card,
        "rows": _rows(event, card, lines, {match.table for match in matches if match.is_told_by_its_line}),
        "named": named,
        "order": _order(event, chosen, named=named),
        "rounds": range(1, paired_rounds(event) + 1),
        "previous": _beside(event, card.previous),
        "next": _beside(event, card.next),
        "upsets": upsets_of(_wins(card)),
        "matches": [match for match in matches if not match.is_told_by_its_line],
        "has_colours": any(match.has_colours for match in matches),
        "lacks_boards": event.is_team and any(match.second and not match.boards for match in matches),
    }
    return event_answer(request, event, "round", context)


def _rows(event: Event, card: RoundCard, lines: list[PairingLine], told_by_line: set[int]) -> SafeString:
    """Return the lines as rows of a table, as HTML: a round has a hundred."""
    rounds = reverse("rounds", args=[event.slug])
    competitors = reverse("competitors", args=[event.slug])
    return SafeString(
        "\n".join(
            line.row(rounds, competitors, has_boards=card.has_boards, is_place=line.table in told_by_line)
            for line in lines
        )
    )


def _wins(card: RoundCard) -> Iterator[RatedWin]:
    """Return the pairings of the round that were played and won, each from the winner's side."""
    for line in card.pairings:
        sides = [line.first, line.second]
        tints = [result.css for result in line.results]
        if line.second is None or tints not in (["w", "l"], ["l", "w"]):
            continue
        winner, loser = sides if tints[0] == "w" else sides[::-1]
        if winner and loser and winner.number and loser.number:
            yield RatedWin(
                winner.name, winner.number, winner.rating, loser.name, loser.number, loser.rating, line.table
            )


def _order(event: Event, chosen: dict[str, str], *, named: bool) -> Switch:
    """Return the switch between the order of the tables and that of the names."""
    table = _("by match") if event.is_team else _("by table")
    options = ((table, "", not named), (_("by name"), SortKey.NAME.value, named))
    kept = carried_choices(chosen)
    return Switch(
        _("order"), [SwitchOption(text, query_of({**kept, "sort": sort}), now) for text, sort, now in options]
    )


def _beside(event: Event, number: int | None) -> Beside | None:
    if number is None:
        return None
    label = _("Round %(number)s") % {"number": number}
    return Beside(label, reverse("round", args=[event.slug, number]))
