"""Page of a competitor: rounds, values, and the players of a team."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.basis import basis_of, basis_text
from standings.caching.cached_pages import event_page
from standings.careers.overevents import competitors_over_events
from standings.charts.race import places_sparkline, scale_of
from standings.engine import Crosstable, Scale, Standings, get_criterion
from standings.flags import flag_html
from standings.pages.competitors.explanation import explanations
from standings.pages.competitors.followed import groups_of
from standings.pages.competitors.open_games import open_games
from standings.pages.competitors.rating_card import RatingCard, opponent_naming, rating_card
from standings.pages.competitors.round_lines import RoundRow, RoundRows, boards_by_round, round_lines
from standings.pages.competitors.team_players import PlayerRow, TeamPlayers
from standings.pages.events.notes import Remark, remarks_of
from standings.pages.frame import PageLink, default_sheet_round, event_response, links_beside
from standings.pages.site.codes import anchor_of
from standings.services import memoized_on_event, places_after_each_round, ranked
from standings.statistics.ratingcolumns import rating_in
from standings.tables.cells import ANNULLED, RUNNING, rounds_of_competitor
from standings.tables.sheet import displayed_criteria, published_figures
from standings.texts import CriterionTexts, criterion_texts, value_of
from tournaments.event.arrays import CompetitorInfo
from tournaments.models import Event
from tournaments.texts import criterion_name

NEIGHBOURS = 2
"""Competitors above and below in the table that are offered first for a comparison."""


@dataclass(frozen=True)
class CompetitorCard:
    """A competitor with place, values, rounds and players.

    `basis`: the results that place and values are based on. `computed`: the place without rulings, empty if
    it is the same. `remarks`: reasons of all marks. `printed`: label and figure of each column if only the
    published ranking is known. `others`: competitors to compare with, under headings. `page`: URL of the
    person or team across events. `groups`: keys and names of a player's federation and club.
    """

    entry: CompetitorInfo
    flag: SafeString
    place: str
    computed: str
    basis: str
    values: list[tuple[CriterionTexts, str]]
    printed: list[tuple[str, str]]
    rounds: list[RoundRow]
    remarks: list[Remark]
    shared: bool
    players: list[PlayerRow]
    total_name: str
    others: list[tuple[str, list[CompetitorInfo]]]
    rating_card: RatingCard | None
    line_of_places: SafeString
    page: str
    groups: list[tuple[str, str]]

    @property
    def annulled(self) -> bool:
        return any(line.css == ANNULLED for line in self.rounds)

    @property
    def has_running(self) -> bool:
        return any(line.css == RUNNING for line in self.rounds)

    @property
    def rating_cards(self) -> list[RatingCard]:
        return [player.rating_card for player in self.players if player.rating_card]

    @property
    def has_changes(self) -> bool:
        return any(card.has_change for card in self.rating_cards)


class Cards:
    """The cards of an event's competitors, and the data that they share.

    `only`: the number of the only competitor to read, None for all. `linked`: cards link to persons and teams
    across events (not in archives). `after`: the round of places and values, None for the last.
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
        self.met = opponent_naming(self.entries)
        self.scale, self.basis = scale_of(self.places), basis_text(basis_of(self.placed.table))
        rounds = self.standings.table.rounds
        self.teams = TeamPlayers(event, rounds, only, linked=linked) if event.is_team else None
        self.over_events = competitors_over_events(event) if linked else {}

    def of(self, number: int) -> CompetitorCard | None:
        row = self.row_of.get(number)
        if row is None:
            return None
        standings, table = self.placed, self.standings.table
        computed = standings.as_computed.place[row]
        players = self.teams.lines(number) if self.teams else []
        lines = list(
            round_lines(
                self.event,
                self.standings,
                self.entries,
                row,
                self.remarks,
                self.places,
                boards_by_round(players),
                last_placed=self.placed.table.rounds,
            )
        )
        return CompetitorCard(
            entry=self.entries[row],
            flag=flag_html(self.event, self.entries[row]),
            place=f"{standings.place[row]}{standings.place_mark(row)}" if standings.place[row] else "",
            computed="" if computed == standings.place[row] else str(computed or "-"),
            basis=self.basis,
            values=[
                (criterion_texts(column.criterion), value_of(column, row))
                for column in displayed_criteria(standings)
                if column.text(row)
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
            rating_card=None
            if self.event.is_team
            else rating_card(
                self.entries[row].name,
                rating_in(self.event, self.standings.table, row, self.entries[row].birth_year),
                self.met,
                reverse("competitors", args=[self.event.slug]),
            ),
            total_name=criterion_name(
                get_criterion("match-points" if table.primary is Scale.MATCH else "game-points")
            ),
            others=_competitors_to_compare(self.entries, standings, table, row),
            line_of_places=places_sparkline(
                [after[row] for after in self.places[: self.placed.table.rounds]], self.scale
            ),
            page=self.over_events[number].address if number in self.over_events else "",
            groups=[] if self.event.is_team else list(groups_of(self.event, self.entries[row])),
        )


def _competitors_to_compare(
    entries: list[CompetitorInfo], standings: Standings, table: Crosstable, row: int
) -> list[tuple[str, list[CompetitorInfo]]]:
    """Return all other competitors under headings: neighbours in the table, opponents by round, others."""
    order = standings.order.tolist()
    at = order.index(row)
    neighbours = [*order[max(at - NEIGHBOURS, 0) : at], *order[at + 1 : at + 1 + NEIGHBOURS]]
    met = [pairing.opponent for pairing in rounds_of_competitor(table, row) if pairing.opponent >= 0]
    # Opponents meet twice in a double round robin.
    opponents = [other for other in dict.fromkeys(met) if other not in neighbours]
    near = {row, *neighbours, *opponents}
    by_heading = {
        _("Neighbours in the standings"): neighbours,
        _("Opponents"): opponents,
        _("All others"): [other for other in range(len(entries)) if other not in near],
    }
    return [(name, [entries[other] for other in rows]) for name, rows in by_heading.items() if rows]


@event_page
def competitor(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    is_archived = hasattr(request, "archive")
    # An archive has a page of every competitor, so their shared data is read once.
    after = default_sheet_round(request, event)
    cards = (
        memoized_on_event("cards", event, Cards)
        if is_archived
        else Cards(event, number, linked=True, after=after)
    )
    card = cards.of(number)
    if card is None:
        raise Http404
    rows = RoundRows(event, number, linked=not is_archived, has_boards=bool(card.players))
    context = {
        "card": card,
        # An archive is read when the games are over.
        "open_games": [] if is_archived else open_games(event, number),
        "round_rows": rows.html(card.rounds),
        "code": anchor_of(event, card.entry),
        **_neighbour_links(event, number, after),
        "query": "" if after is None else f"?after={after}",
    }
    if is_archived:
        # An archive has no separate pages of explanations.
        context |= explanations(event, number)
    return event_response(request, event, "competitor", context)


def _neighbour_links(event: Event, number: int, round_: int | None) -> dict[str, PageLink | None]:
    entries, standings = ranked(event, round_)
    order = standings.order.tolist()
    at = next(place for place, row in enumerate(order) if entries[row].number == number)

    def card_of(beside: int) -> PageLink:
        place, entry = standings.place[order[beside]], entries[order[beside]]
        return PageLink(
            f"{place or '-'} {entry.name}", reverse("competitor", args=[event.slug, entry.number])
        )

    return links_beside(range(len(order)), at, card_of)
