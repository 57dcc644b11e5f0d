"""One competitor round by round, and the players of a team."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from math import inf
from typing import Any, NamedTuple

from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.basis import basis_of, rests_on
from standings.careers.leading import competitors_over_events, players_over_events
from standings.charts.placesline import line_of_places, scale_of
from standings.engine import RoundKind, Scale, Standings, get, points_text
from standings.entries import flag_beside
from standings.pages.codes import anchor_of
from standings.pages.explanation import explanations
from standings.pages.frame import Beside, event_answer
from standings.pages.overevents import PERSONS, TEAMS
from standings.pages.ratingcard import Met, RatingCard, met_in, rating_card
from standings.pages.remarks import BY_HAND, CORRECTED, Remark, Remarks, marks_of, remarks_of
from standings.pages.sides import NO_FLAG
from standings.services import places_after_each_round, ranked
from standings.serving.pages import event_page, knows
from standings.statistics.ratingcolumns import player_rating, rating_in
from standings.statistics.ratings import rules_in_force
from standings.statistics.scores import CountedGame, scores
from standings.tables.cells import ANNULLED, RoundCells, RoundResult, rounds_of_competitor, sign, tint
from standings.tables.sheet import shown_criteria
from standings.tables.switches import CARRIED
from standings.words import name_of, value_of
from tournaments.event.arrays import Entry
from tournaments.event.choices import Kind
from tournaments.event.resultcodes import side_texts
from tournaments.models import Event, Player
from tournaments.models.pairing import shown_games

NEIGHBOURS = 2
"""So many above and below in the table are offered first to be compared with."""


@dataclass(frozen=True)
class RoundLine:
    """One round of a competitor."""

    round: int
    opponent: Entry | None
    flag: SafeString
    colour: str
    result: str
    css: str
    words: SafeString
    table: int
    total: str
    place: str
    boards: list["BoardLine"]


@dataclass(frozen=True)
class PlayerLine:
    """One player of a team: a cell per round, then the points of the boards.

    `rounds` is where the addresses of rounds begin, `page` the person's page over events, blank for none.
    """

    name: str
    title: str
    rating: int | None
    cells: list["BoardCell"]
    total: str
    games: int
    rating_card: RatingCard | None
    rounds: str
    page: str

    @property
    def cells_html(self) -> SafeString:
        """Return the cells as HTML: the players of a team have seventy of them."""
        return SafeString("".join(cell.written(self.rounds) for cell in self.cells))


class BoardCell(NamedTuple):
    """The score of a player in a round, and the table; blank where he did not play."""

    result: str = ""
    css: str = ""
    round: int = 0
    table: int = 0
    words: str = ""
    board: int = 0
    against: str = ""

    def written(self, rounds: str) -> str:
        """Return the cell as HTML; `rounds` is where the addresses of rounds begin."""
        if not self.result:
            return f'<td role="cell" class="result {self.css or "out"}"></td>'
        result = escape(self.result)
        return (
            f'<td role="cell" class="result {self.css}"><a href="{rounds}{self.round}/{self.table}/"'
            f' aria-label="{result}: {escape(self.words)}">{result}</a></td>'
        )


class BoardLine(NamedTuple):
    """One board of a match, as the team's card tells it: the player, and what it was."""

    player: str
    cell: BoardCell


class CompetitorValue(NamedTuple):
    """The value of a competitor under a criterion; `address` is the criterion's in addresses."""

    address: str
    name: str
    text: str


@dataclass(frozen=True)
class CompetitorCard:
    """One competitor: where it stands, its rounds, its players; and whom to compare it with.

    `basis` says what the place and the values rest on, `computed` the place without rulings where it is
    another, and `remarks` why something carries a mark. `page` is that of the person or team over events.
    """

    entry: Entry
    flag: SafeString
    place: str
    computed: str
    basis: str
    values: list[CompetitorValue]
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
    def rating_cards(self) -> list[RatingCard]:
        """The ratings of the players of a team, in board order; those of whom there is anything to tell."""
        return [player.rating_card for player in self.players if player.rating_card]

    @property
    def has_changes(self) -> bool:
        """Say whether a player of a team has a rating change."""
        return any(card.has_change for card in self.rating_cards)


def competitor_card(event: Event, number: int) -> CompetitorCard | None:
    """The card of a competitor, None where there is none."""
    entries, standings = ranked(event)
    row = next((at for at, entry in enumerate(entries) if entry.number == number), None)
    if row is None:
        return None
    entry, remarks = entries[row], remarks_of(event)
    players = _players(event, number, standings.table.rounds) if event.is_team else []
    lines = list(_lines(event, standings, entries, row, remarks, _boards_by_round(players)))
    return CompetitorCard(
        entry=entry,
        flag=flag_beside(event, entry),
        place=f"{standings.place[row]}{standings.place_mark(row)}" if standings.place[row] else "",
        computed=_computed(standings, row),
        basis=rests_on(basis_of(standings.table)),
        values=[
            CompetitorValue(judged.criterion.address, name_of(judged.criterion), value_of(judged, row))
            for judged in shown_criteria(standings)
            if judged.text(row)
        ],
        rounds=lines,
        shared=bool(standings.sharing[row] > 1),
        remarks=[
            *remarks.competitors.get(number, []),
            *(remark for line in lines for remark in remarks.of_pairing(line.round, line.table)),
        ],
        players=players,
        rating_card=None if event.is_team else _rating(event, standings, entries, row),
        total_name=name_of(get("match-points" if standings.table.primary is Scale.MATCH else "game-points")),
        others=_others(entries, standings, row),
        line_of_places=_line_of_places(event, row),
        page=_page(event, number),
    )


def _page(event: Event, number: int) -> str:
    """Return the page of the person, or the team, that a competitor is over events; blank for none."""
    leading = competitors_over_events(event).get(number)
    return (TEAMS if event.is_team else PERSONS).leads_to(leading) if leading else ""


def _rating(event: Event, standings: Standings, entries: list[Entry], row: int) -> RatingCard | None:
    rating = rating_in(event, standings.table, row, entries[row].birth_year)
    return rating_card(entries[row].name, rating, met_in(entries))


def _others(entries: list[Entry], standings: Standings, row: int) -> list[tuple[str, list[Entry]]]:
    """Everybody else once, under headings: two on each side in the table, opponents by round, all others."""
    order = standings.order.tolist()
    at = order.index(row)
    beside = [*order[max(at - NEIGHBOURS, 0) : at], *order[at + 1 : at + 1 + NEIGHBOURS]]
    met = [each.opponent for each in rounds_of_competitor(standings.table, row) if each.opponent >= 0]
    # In a double round robin everybody is met twice.
    opponents = [each for each in dict.fromkeys(met) if each not in beside]
    near = {row, *beside, *opponents}
    by_heading = {
        _("Next in the table"): beside,
        _("Opponents"): opponents,
        _("All others"): [each for each in range(len(entries)) if each not in near],
    }
    return [(name, [entries[each] for each in rows]) for name, rows in by_heading.items() if rows]


def _line_of_places(event: Event, row: int) -> SafeString:
    places = places_after_each_round(event)
    return line_of_places([after[row] for after in places], scale_of(places))


def _computed(standings: Standings, row: int) -> str:
    """The place without rulings, empty where it is the same."""
    computed = standings.as_computed.place[row]
    return str(computed or "-") if computed != standings.place[row] else ""


def _boards_by_round(players: list[PlayerLine]) -> dict[int, list[BoardLine]]:
    """Return who played on which board, by round, in the order of the boards."""
    boards: dict[int, list[BoardLine]] = defaultdict(list)
    for player in players:
        for cell in player.cells:
            if cell.round:
                boards[cell.round].append(BoardLine(player.name, cell))
    return {number: sorted(lines, key=lambda line: line.cell.board) for number, lines in boards.items()}


def _lines(
    event: Event,
    standings: Standings,
    entries: list[Entry],
    row: int,
    remarks: Remarks,
    boards: Mapping[int, list[BoardLine]],
) -> Iterator[RoundLine]:
    table = standings.table
    places = places_after_each_round(event)
    totals = table.points().cumsum(axis=1)[row].tolist()
    # For its words alone: no cell is written, so nobody asks for labels or an address.
    words = RoundCells(entries, str, "", players=not event.is_team)
    since, corrected = _placed_since(standings, row), escape(_("corrected"))
    for competitor_round, total, after in zip(rounds_of_competitor(table, row), totals, places, strict=True):
        marks = marks_of(remarks.of_pairing(competitor_round.round, competitor_round.table))
        spoken = words.words(competitor_round, changed=BY_HAND in marks)
        opponent = entries[competitor_round.opponent] if competitor_round.opponent >= 0 else None
        yield RoundLine(
            round=competitor_round.round,
            opponent=opponent,
            flag=flag_beside(event, opponent) if opponent else NO_FLAG,
            colour={1: "○", -1: "●"}.get(competitor_round.result.colour, "") if not event.is_team else "",
            result=_result(competitor_round.result) + marks,
            css=tint(competitor_round.result),
            words=SafeString(f"{spoken}, {corrected}" if CORRECTED in marks else spoken),
            table=competitor_round.table,
            total=points_text(total, 2),
            place=f"{after[row] or '-'}{'*' if since <= competitor_round.round else ''}",
            boards=boards.get(competitor_round.round, []),
        )


def _placed_since(standings: Standings, row: int) -> float:
    """The first round after which the place is one set by hand; infinity for none."""
    rulings = (ruling for ruling in standings.overrides if ruling.kind == "place")
    return min((ruling.after for ruling in rulings if ruling.competitor == row), default=inf)


def _result(played: RoundResult) -> str:
    """Both sides' points, or the sign of what was not played."""
    own = sign(played)
    if played.kind != RoundKind.PLAYED or played.advantage:
        return own
    return f"{own}-{points_text(played.opponent_score, 2)}"


def _players(event: Event, number: int, rounds: int) -> list[PlayerLine]:
    """The players of a team who are listed or played, in board order; two queries."""
    games = shown_games(event)
    cells: dict[int, dict[int, BoardCell]] = defaultdict(dict)
    totals: dict[int, list[int]] = defaultdict(list)
    games_played, ratings = list[CountedGame](), dict[int | None, int | None]()
    names = {None: Met(_("nobody"))}
    # A board has its players in two columns, and a team is on either side.
    for side, other in (("first", "second"), ("second", "first")):
        played = games.filter(**{f"pairing__{side}__number": number}).exclude(**{f"{side}_player": None})
        for game in played.values(
            "kind",
            "board",
            player=F(f"{side}_player"),
            round=F("pairing__round__number"),
            table=F("pairing__table"),
            own=F(f"{side}_score"),
            theirs=F(f"{other}_score"),
            opponent=F(f"{other}_player"),
            against=F(f"{other}_player__name"),
            opponent_rating=F(f"{other}_player__rating"),
        ):
            cells[game["player"]][game["round"]] = _board_cell(game)
            if game["own"] is not None:
                totals[game["player"]].append(game["own"])
            games_played.append(_counted(game))
            if game["opponent"] is not None:
                ratings[game["opponent"]] = game["opponent_rating"]
                names[game["opponent"]] = Met(game["against"])
    players = Player.objects.filter(competitor__event=event, competitor__number=number).order_by(
        F("board").asc(nulls_last=True), "pk"
    )
    people = players_over_events(event)
    scored, in_force = scores(games_played, ratings), rules_in_force(event.discipline, event.start)
    return [
        PlayerLine(
            player.name,
            player.title,
            player.rating,
            [cells[player.pk].get(at, BoardCell()) for at in range(1, rounds + 1)],
            points_text(sum(totals[player.pk]), 2),
            len(totals[player.pk]),
            rating_card(
                player.name,
                player_rating(player.rating, scored.get(player.pk), in_force, player.born[:4]),
                names.__getitem__,
            ),
            reverse("rounds", args=[event.slug]),
            PERSONS.leads_to(people[player.pk]) if player.pk in people else "",
        )
        for player in players
    ]


def _counted(game: Mapping[str, Any]) -> CountedGame:
    return CountedGame(
        board=game["board"],
        first=game["player"],
        second=game["opponent"],
        kind=game["kind"],
        first_score=game["own"],
        second_score=game["theirs"],
        most=0,  # nobody asks for a share
        round=game["round"],
    )


def _board_cell(game: Mapping[str, Any]) -> BoardCell:
    own, theirs, against = game["own"], game["theirs"], game["against"] or _("nobody")
    values = {"number": game["round"], "board": game["board"], "name": against}
    result = side_texts(game["kind"], own, theirs)[0]
    words = _("round %(number)s, board %(board)s, against %(name)s") % values
    if game["kind"] == Kind.FORFEIT:
        css, words = "x", _("round %(number)s, board %(board)s, against %(name)s, by forfeit") % values
    elif own is None or theirs is None:
        css, result = "n", result or "·"
    else:
        css = "w" if own > theirs else "l" if own < theirs else "d"
    return BoardCell(result, css, game["round"], game["table"], words, game["board"], against)


@event_page
@knows(*CARRIED)
def competitor(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """One competitor, round by round."""
    card = competitor_card(event, number)
    if card is None:
        raise Http404
    previous, after = _beside(event, number)
    context = {"card": card, "code": anchor_of(event, card.entry), "previous": previous, "next": after}
    if hasattr(request, "archive"):
        # There they have no page each.
        context |= explanations(event, number)
    return event_answer(request, event, "competitor", context)


def _beside(event: Event, number: int) -> tuple[Beside | None, Beside | None]:
    """Return the cards of who stands right above the competitor and right below."""
    entries, standings = ranked(event)
    order = standings.order.tolist()
    at = next(place for place, row in enumerate(order) if entries[row].number == number)

    def card_of(row: int) -> Beside:
        place, entry = standings.place[row], entries[row]
        return Beside(f"{place or '-'} {entry.name}", reverse("competitor", args=[event.slug, entry.number]))

    return (
        card_of(order[at - 1]) if at else None,
        card_of(order[at + 1]) if at + 1 < len(order) else None,
    )
