"""Page of a round: pairings and results."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.caching.cached_pages import choices, event_page, mark_uncacheable, uses_parameters
from standings.charts.upsets import RatedWin, upsets_of
from standings.pages.events.match import match_cards
from standings.pages.events.pairing_rows import PairingRow, board_results, by_name, pairing_rows
from standings.pages.frame import PageLink, event_response
from standings.pages.remarks import Remark
from standings.services import paired_rounds
from standings.tables.cells import ANNULLED
from standings.tables.sorting import SortKey
from standings.tables.switches import Switch, SwitchOption, carried_choices, query_of
from standings.texts import day_and_time_text, zone_text
from tournaments.models import Event
from tournaments.models.pairing import public_rounds


@dataclass(frozen=True)
class RoundCard:
    """A round with its pairings in the order of the tables."""

    number: int
    date: str
    open: bool
    pairings: list[PairingRow]
    awaited: int
    previous: int | None
    next: int | None

    @property
    def has_boards(self) -> bool:
        return any(line.boards for line in self.pairings)

    @property
    def annulled(self) -> bool:
        return any(side.css == ANNULLED for line in self.pairings for side in line.results)

    @property
    def knows_colours(self) -> bool:
        """Return whether the colours of all games are known, so that they can head the columns."""
        return all(line.white for line in self.pairings if line.second)

    @property
    def remarks(self) -> list[Remark]:
        return [remark for line in self.pairings for remark in line.remarks]


def round_card(event: Event, number: int) -> RoundCard | None:
    """Return the card of a round; None if it has no pairings or the order of rounds is unknown.

    Five queries, six for team events, and those of the standings.
    """
    stored = public_rounds(event).filter(number=number).first()
    if stored is None or not event.knows_round_order:
        return None
    boards = board_results(event, pairing__round=stored) if event.is_team else {}
    pairings = stored.pairings.select_related("first", "second").defer("moves").order_by("table")
    lines = list(pairing_rows(event, pairings, {stored.pk: number}, boards))
    if not lines:
        return None
    paired = public_rounds(event).filter(pairings__isnull=False).values_list("number", flat=True)
    # Rounds can be without pairings, so the next round is not always number + 1.
    others = set(paired.distinct())
    return RoundCard(
        number=number,
        date=day_and_time_text(stored, zone_text(event)),
        open=not stored.is_closed,
        pairings=lines,
        awaited=sum(line.is_awaited for line in lines),
        previous=max((other for other in others if other < number), default=None),
        next=min((other for other in others if other > number), default=None),
    )


@event_page
@uses_parameters("sort")
def round_(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    card = round_card(event, number)
    if card is None:
        raise Http404
    chosen = choices(request)
    named = chosen.get("sort") == SortKey.NAME
    if "sort" in chosen and not named:
        mark_uncacheable(request)
    # An archive has no separate pages of matches.
    is_archived = hasattr(request, "archive")
    matches = match_cards(event, number) if is_archived else []
    by_table = _("by match") if event.is_team else _("by table")
    orders = [
        SwitchOption(text, query_of({**carried_choices(chosen), "sort": sort}), is_chosen)
        for text, sort, is_chosen in ((by_table, "", not named), (_("by name"), SortKey.NAME.value, named))
    ]
    without_card = {
        match.table
        for match in matches
        if match.is_complete_in_its_line and (card.knows_colours or not match.has_colours)
    }
    matches = [match for match in matches if match.table not in without_card]
    addresses = [reverse(name, args=[event.slug]) for name in ("rounds", "competitors")]
    rows = (
        line.row(
            *addresses,
            has_boards=card.has_boards,
            is_place=line.table in without_card,
            has_flags=not is_archived,
        )
        for line in (by_name(card.pairings, players=not event.is_team) if named else card.pairings)
    )
    context = {
        "card": card,
        "rows": SafeString("\n".join(rows)),
        "named": named,
        "order": Switch(_("order"), orders),
        "rounds": range(1, paired_rounds(event) + 1),
        "previous": _round_link(event, card.previous),
        "next": _round_link(event, card.next),
        "upsets": upsets_of(_rated_wins(card)),
        "matches": matches,
        "has_colours": any(match.has_colours for match in matches),
        "lacks_boards": event.is_team and any(match.second and not match.boards for match in matches),
    }
    return event_response(request, event, "round", context)


def _rated_wins(card: RoundCard) -> Iterator[RatedWin]:
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


def _round_link(event: Event, number: int | None) -> PageLink | None:
    if number is None:
        return None
    label = _("Round %(number)s") % {"number": number}
    return PageLink(label, reverse("round", args=[event.slug, number]))
