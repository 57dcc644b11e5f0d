"""One competitor round by round, and the players of a team."""

from dataclasses import dataclass
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.basis import basis_of, rests_on
from standings.caching.cached_pages import event_page, knows
from standings.careers.leading import competitors_over_events
from standings.charts.placesline import line_of_places, scale_of
from standings.engine import Crosstable, Scale, Standings, get_criterion
from standings.flags import flag_beside
from standings.pages.codes import anchor_of
from standings.pages.explanation import explanations
from standings.pages.frame import Beside, default_round_asked, event_answer
from standings.pages.overevents import PERSONS, TEAMS
from standings.pages.ratingcard import RatingCard, met_in, rating_card
from standings.pages.remarks import Remark, remarks_of
from standings.pages.roundlines import RoundLine, RoundRows, boards_by_round, round_lines
from standings.pages.teamplayers import PlayerLine, TeamPlayers
from standings.services import places_after_each_round, ranked, remembered
from standings.statistics.ratingcolumns import rating_in
from standings.tables.cells import ANNULLED, RUNNING, rounds_of_competitor
from standings.tables.sheet import published_figures, shown_criteria
from standings.tables.switches import CARRIED
from standings.words import name_of, value_of
from tournaments.event.arrays import Entry
from tournaments.models import Event

NEIGHBOURS = 2
"""So many above and below in the table are offered first to be compared with."""


class CompetitorValue(NamedTuple):
    """The value of a competitor under a criterion; `address` is the criterion's in addresses."""

    address: str
    name: str
    text: str


@dataclass(frozen=True)
class CompetitorCard:
    """One competitor: where it stands, its rounds, its players; and whom to compare it with.

    `basis` says what the place and the values rest on, `computed` the place without rulings where it is
    another, and `remarks` why something carries a mark. `printed`: label and figure of each column, if only
    the published ranking is known. `page` is that of the person or team over events.
    """

    entry: Entry
    flag: SafeString
    place: str
    computed: str
    basis: str
    values: list[CompetitorValue]
    printed: list[tuple[str, str]]
    rounds: list[RoundLine]
    remarks: list[Remark]
    shared: bool
    players: list[PlayerLine]
    total_name: str
    others: list[tuple[str, list[Entry]]]
    rating_card: RatingCard | None
    line_of_places: SafeString
    page: str

    @property
    def annulled(self) -> bool:
        """Say whether a result counts for nobody, because somebody withdrew."""
        return any(line.css == ANNULLED for line in self.rounds)

    @property
    def has_running(self) -> bool:
        """Return whether a match of the team is in progress."""
        return any(line.css == RUNNING for line in self.rounds)

    @property
    def rating_cards(self) -> list[RatingCard]:
        """The ratings of the players of a team, in board order; those of whom there is anything to tell."""
        return [player.rating_card for player in self.players if player.rating_card]

    @property
    def has_changes(self) -> bool:
        """Say whether a player of a team has a rating change."""
        return any(card.has_change for card in self.rating_cards)


class Cards:
    """The cards of an event's competitors, and what all of them are made of, read once.

    `only` is the number of the one that is asked for; None reads for all of them. `linked`: the cards lead to
    persons and teams over events, which no archive has. Place and values are those after the round `after`,
    None for the last one.
    """

    def __init__(
        self, event: Event, only: int | None = None, *, linked: bool = False, after: int | None = None
    ) -> None:
        self.event = event
        self.entries, self.standings = ranked(event)
        self.placed = ranked(event, after).standings
        self.row_of = {entry.number: row for row, entry in enumerate(self.entries)}
        if only is not None and only not in self.row_of:
            return
        self.remarks, self.places = remarks_of(event), places_after_each_round(event)
        self.scale, self.basis = scale_of(self.places), rests_on(basis_of(self.placed.table))
        rounds = self.standings.table.rounds
        self.teams = TeamPlayers(event, rounds, only, linked=linked) if event.is_team else None
        self.over_events = competitors_over_events(event) if linked else {}

    def of(self, number: int) -> CompetitorCard | None:
        """Return the card of the competitor with that number, None where there is none."""
        row = self.row_of.get(number)
        if row is None:
            return None
        standings, table = self.placed, self.standings.table
        players = self.teams.lines(number) if self.teams else []
        lines = self._lines(row, players)
        return CompetitorCard(
            entry=self.entries[row],
            flag=flag_beside(self.event, self.entries[row]),
            place=f"{standings.place[row]}{standings.place_mark(row)}" if standings.place[row] else "",
            computed=_computed(standings, row),
            basis=self.basis,
            values=[
                CompetitorValue(judged.criterion.address, name_of(judged.criterion), value_of(judged, row))
                for judged in shown_criteria(standings)
                if judged.text(row)
            ],
            printed=[
                (label, figures[row]) for label, figures in published_figures(standings) if figures[row]
            ],
            rounds=lines,
            shared=bool(standings.sharing[row] > 1),
            remarks=[
                *self.remarks.competitors.get(number, []),
                *(remark for line in lines for remark in self.remarks.of_pairing(line.round, line.table)),
            ],
            players=players,
            rating_card=None if self.event.is_team else self._rating(row),
            total_name=name_of(
                get_criterion("match-points" if table.primary is Scale.MATCH else "game-points")
            ),
            others=_others(self.entries, standings, table, row),
            line_of_places=line_of_places(
                [after[row] for after in self.places[: self.placed.table.rounds]], self.scale
            ),
            page=self._page(number),
        )

    def _lines(self, row: int, players: list[PlayerLine]) -> list[RoundLine]:
        told = (self.event, self.standings, self.entries, row, self.remarks, self.places)
        return list(round_lines(*told, boards_by_round(players), last_placed=self.placed.table.rounds))

    def _page(self, number: int) -> str:
        """Return the page of the person, or the team, that a competitor is over events; blank for none."""
        leading = self.over_events.get(number)
        return (TEAMS if self.event.is_team else PERSONS).leads_to(leading) if leading else ""

    def _rating(self, row: int) -> RatingCard | None:
        rating = rating_in(self.event, self.standings.table, row, self.entries[row].birth_year)
        competitors = reverse("competitors", args=[self.event.slug])
        return rating_card(self.entries[row].name, rating, met_in(self.entries), competitors)


def competitor_card(event: Event, number: int) -> CompetitorCard | None:
    """Return the card of a competitor, None where there is none; five queries, and those of the standings."""
    return Cards(event, number).of(number)


def _others(
    entries: list[Entry], standings: Standings, table: Crosstable, row: int
) -> list[tuple[str, list[Entry]]]:
    """Everybody else once, under headings: two on each side in the table, opponents by round, all others."""
    order = standings.order.tolist()
    at = order.index(row)
    beside = [*order[max(at - NEIGHBOURS, 0) : at], *order[at + 1 : at + 1 + NEIGHBOURS]]
    met = [each.opponent for each in rounds_of_competitor(table, row) if each.opponent >= 0]
    # In a double round robin everybody is met twice.
    opponents = [each for each in dict.fromkeys(met) if each not in beside]
    near = {row, *beside, *opponents}
    by_heading = {
        _("Neighbours in the standings"): beside,
        _("Opponents"): opponents,
        _("All others"): [each for each in range(len(entries)) if each not in near],
    }
    return [(name, [entries[each] for each in rows]) for name, rows in by_heading.items() if rows]


def _computed(standings: Standings, row: int) -> str:
    """The place without rulings, empty where it is the same."""
    computed = standings.as_computed.place[row]
    return str(computed or "-") if computed != standings.place[row] else ""


@event_page
@knows(*CARRIED)
def competitor(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """One competitor, round by round."""
    is_archived = hasattr(request, "archive")
    # An archive has a page of every competitor: what their cards share is read for the first of them.
    after = default_round_asked(request, event)
    cards = (
        remembered("cards", event, Cards) if is_archived else Cards(event, number, linked=True, after=after)
    )
    card = cards.of(number)
    if card is None:
        raise Http404
    previous, following = _beside(event, number, after)
    rows = RoundRows(event, number, linked=not is_archived, has_boards=bool(card.players))
    context = {
        "card": card,
        "round_rows": rows.html(card.rounds),
        "code": anchor_of(event, card.entry),
        "previous": previous,
        "next": following,
        "query": "" if after is None else f"?after={after}",
    }
    if is_archived:
        # There they have no page each.
        context |= explanations(event, number)
    return event_answer(request, event, "competitor", context)


def _beside(event: Event, number: int, round_: int | None) -> tuple[Beside | None, Beside | None]:
    """Return the cards of who stands right above the competitor after that round, and right below."""
    entries, standings = ranked(event, round_)
    order = standings.order.tolist()
    at = next(place for place, row in enumerate(order) if entries[row].number == number)

    def card_of(row: int) -> Beside:
        place, entry = standings.place[row], entries[row]
        return Beside(f"{place or '-'} {entry.name}", reverse("competitor", args=[event.slug, entry.number]))

    return (
        card_of(order[at - 1]) if at else None,
        card_of(order[at + 1]) if at + 1 < len(order) else None,
    )
