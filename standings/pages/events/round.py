"""Page of a round: pairings and results."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.caching.cached_pages import choices, event_page, mark_uncacheable, uses_parameters
from standings.charts.svg import element
from standings.pages.events.match import match_cards
from standings.pages.events.notes import Remark
from standings.pages.events.pairing_rows import PairingRow, board_results, by_name, rows_of
from standings.pages.events.sides import Side
from standings.pages.frame import PageLink, event_response, links_beside
from standings.services import paired_rounds
from standings.tables.cells import ANNULLED
from standings.tables.sorting import SortKey
from standings.tables.switches import Switch, SwitchOption, carried_choices, query_of
from standings.texts import day_and_time_text, zone_text
from tournaments.models import Event
from tournaments.models.pairing import public_rounds

UPSETS = 5
"""Number of upsets shown. Wins with the same difference as the last are all shown or all omitted."""
MOST_UPSETS = 8
"""Maximum number of upsets, including equal ones."""


@dataclass(frozen=True)
class RoundCard:
    """A round with its pairings in the order of the tables. `rounds`: the rounds that have pairings."""

    number: int
    date: str
    open: bool
    pairings: list[PairingRow]
    awaited: int
    rounds: set[int]

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
    lines = rows_of(event, stored.pairings.order_by("table"), boards)
    if not lines:
        return None
    paired = public_rounds(event).filter(pairings__isnull=False).values_list("number", flat=True)
    return RoundCard(
        number=number,
        date=day_and_time_text(stored, zone_text(event)),
        open=not stored.is_closed,
        pairings=lines,
        awaited=sum(line.is_awaited for line in lines),
        rounds=set(paired.distinct()),
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
    matches = list(match_cards(event, number, {})) if is_archived else []
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

    def round_link(number: int) -> PageLink:
        label = _("Round %(number)s") % {"number": number}
        return PageLink(label, reverse("round", args=[event.slug, number]))

    context = {
        "card": card,
        "rows": SafeString("\n".join(rows)),
        "named": named,
        "order": Switch(_("order"), orders),
        "rounds": range(1, paired_rounds(event) + 1),
        # Rounds can be without pairings, so the next round is not always number + 1.
        **links_beside(card.rounds, number, round_link),
        "upsets": upsets_of(card.pairings),
        "matches": matches,
        "has_colours": any(match.has_colours for match in matches),
        "lacks_boards": event.is_team and any(match.second and not match.boards for match in matches),
    }
    return event_response(request, event, "round", context)


class Upset(NamedTuple):
    """A win against a higher rating. `bar`: a bar for the difference."""

    difference: int
    table: int
    winner: Side
    loser: Side
    bar: SafeString = SafeString("")


def upsets_of(pairings: Iterable[PairingRow]) -> list[Upset]:
    """Return the wins against the largest rating differences, with bars."""
    wins = []
    for line in pairings:
        tints = [result.css for result in line.results]
        if line.second is None or tints not in (["w", "l"], ["l", "w"]):
            continue
        winner, loser = (line.first, line.second) if tints[0] == "w" else (line.second, line.first)
        if winner.rating and loser.rating and loser.rating > winner.rating:
            wins.append(Upset(loser.rating - winner.rating, line.table, winner, loser))
    wins.sort(key=lambda each: -each.difference)
    shown: list[Upset] = []
    for _difference, group in groupby(wins, lambda each: each.difference):
        alike = list(group)
        # Wins with the same difference have no order, so they are listed together or not at all.
        if shown and (len(shown) >= UPSETS or len(shown) + len(alike) > MOST_UPSETS):
            break
        shown += alike
    upsets = []
    for each in shown:
        width = f"{100 * each.difference // shown[0].difference}%"
        bar = element("rect", class_="bar", width=width, height=8, rx=2)
        svg = element("svg", bar, class_="bars", width="100%", height=8, aria_hidden="true")
        upsets.append(each._replace(bar=svg))
    return upsets
