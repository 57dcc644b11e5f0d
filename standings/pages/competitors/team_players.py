"""Players of teams: a cell for each round, points, and rating changes."""

from collections import defaultdict
from html import escape
from typing import Any, NamedTuple

from django.db.models import F, Q
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.careers.overevents import players_over_events
from standings.engine import fraction_text
from standings.pages.competitors.rating_card import MetOpponent, RatingCard, rating_card
from standings.pages.events.pairing_rows import board_result
from standings.statistics.ratingcolumns import player_rating
from standings.statistics.ratings import rules_in_force
from standings.statistics.scores import CountedGame, scores
from tournaments.event.choices import Kind
from tournaments.models import Event, Player
from tournaments.models.pairing import public_games


class BoardCell(NamedTuple):
    """The score of a player in a round, and the table; empty if the player had no board."""

    result: str = ""
    css: str = ""
    round: int = 0
    table: int = 0
    words: str = ""
    board: int = 0
    against: str = ""
    player: str = ""

    @property
    def html(self) -> SafeString:
        """Return the board of a match on the team's card."""
        return SafeString(
            f"{self.board} {escape(self.player)}"
            f' <b class="{self.css}">{escape(self.result)}</b> {escape(self.against)}<br>'
        )

    def written(self, rounds: str) -> str:
        """Return the cell as HTML; `rounds` is the start of the rounds' URLs, empty for no link."""
        css, result = self.css or "out", escape(self.result)
        if not rounds:
            return f'<td role="cell" class="{css}">{result}</td>'
        if not result:
            return f'<td role="cell" class="result {css}"></td>'
        return (
            f'<td role="cell" class="result {self.css}"><a href="{rounds}{self.round}/{self.table}/"'
            f' aria-label="{result}: {escape(self.words)}">{result}</a></td>'
        )


class PlayerRow(NamedTuple):
    """A player of a team: a cell per round, and the total.

    `rounds`: the start of the rounds' URLs, empty for no links. `page`: URL of the person across events, or
    empty.
    """

    name: str
    title: str
    rating: int | None
    cells: list[BoardCell]
    total: str
    games: int
    rating_card: RatingCard | None
    rounds: str
    page: str

    @property
    def cells_html(self) -> SafeString:
        # Not in the template, because a team has about seventy cells.
        return SafeString("".join(cell.written(self.rounds) for cell in self.cells))


class BoardSide(NamedTuple):
    """A side of a board: the team's start number, the player, and the score in half-points."""

    team: int | None
    player: int | None
    score: int | None
    name: str | None
    rating: int | None


class BoardGame(NamedTuple):
    """A board of a match, from one of its sides."""

    kind: str
    board: int
    round: int
    table: int
    own: BoardSide
    theirs: BoardSide

    def cell(self) -> BoardCell:
        against = self.theirs.name or _("no player")
        words = (
            _("round %(number)s, board %(board)s, against %(name)s, by forfeit")
            if self.kind == Kind.FORFEIT
            else _("round %(number)s, board %(board)s, against %(name)s")
        ) % {"number": self.round, "board": self.board, "name": against}
        result, css = board_result(self.kind, self.own.score, self.theirs.score)
        name = self.own.name or ""
        return BoardCell(result, css, self.round, self.table, words, self.board, against, name)

    def counted(self) -> CountedGame:
        """Return the game for scores. `most` is 0 because the opponent's share is not used."""
        return CountedGame(
            self.board,
            self.own.player,
            self.theirs.player,
            self.kind,
            self.own.score,
            self.theirs.score,
            most=0,
            round=self.round,
        )


class TeamPlayers:
    """The players of teams who are in the roster or played; two queries, for a team or for all.

    `rounds`: the number of rounds. `only`: the start number of the only team to read, None for all. `linked`:
    players link to persons across events, and cells to their matches.
    """

    def __init__(self, event: Event, rounds: int, only: int | None = None, *, linked: bool = False) -> None:
        self.rounds = range(1, rounds + 1)
        self.address, self.competitors = (
            reverse(name, args=[event.slug]) for name in ("rounds", "competitors")
        )
        if not linked:
            self.address = ""
        self.in_force = rules_in_force(event)
        self.players: dict[int, list[Any]] = defaultdict(list)
        listed = Player.objects.filter(competitor__event=event)
        if only is not None:
            listed = listed.filter(competitor__number=only)
        fields = ("pk", "name", "title", "rating", "born", "competitor__number")
        for player in listed.order_by(F("board").asc(nulls_last=True), "pk").values_list(*fields, named=True):
            self.players[player.competitor__number].append(player)
        self.games = games_of_teams(event, only)
        self.people = players_over_events(event) if linked else {}

    def lines(self, number: int) -> list[PlayerRow]:
        cells: dict[int | None, dict[int, BoardCell]] = defaultdict(dict)
        points: dict[int | None, list[int]] = defaultdict(list)
        games = self.games.get(number, [])
        names: dict[int | None, MetOpponent] = {None: MetOpponent(_("no player"))}
        for game in games:
            cells[game.own.player][game.round] = game.cell()
            if game.own.score is not None:
                points[game.own.player].append(game.own.score)
            if game.theirs.player is not None:
                names[game.theirs.player] = MetOpponent(game.theirs.name or "")
        ratings = {game.theirs.player: game.theirs.rating for game in games if game.theirs.player is not None}
        scored = scores((game.counted() for game in games), ratings)
        return [
            PlayerRow(
                player.name,
                player.title,
                player.rating,
                [cells[player.pk].get(at, BoardCell()) for at in self.rounds],
                fraction_text(sum(points[player.pk]), 2),
                len(points[player.pk]),
                rating_card(
                    player.name,
                    player_rating(player.rating, scored.get(player.pk), self.in_force, player.born[:4]),
                    names.__getitem__,
                    self.competitors,
                ),
                self.address,
                self.people[player.pk].address if player.pk in self.people else "",
            )
            for player in self.players.get(number, [])
        ]


def games_of_teams(event: Event, only: int | None) -> dict[int, list[BoardGame]]:
    """Return the boards of each team by its start number, in the order of boards; one query."""
    games = public_games(event)
    if only is not None:
        games = games.filter(Q(pairing__first__number=only) | Q(pairing__second__number=only))
    fields = ["kind", "board", "pairing__round__number", "pairing__table"]
    for side in ("first", "second"):
        player = f"{side}_player"
        fields += [
            f"pairing__{side}__number",
            player,
            f"{side}_score",
            f"{player}__name",
            f"{player}__rating",
        ]
    boards_by_team: dict[int, list[BoardGame]] = defaultdict(list)
    for kind, board, number, table, *both in games.order_by("board").values_list(*fields):
        first, second = BoardSide(*both[:5]), BoardSide(*both[5:])
        # The team is the first side of some boards and the second of others.
        for own, theirs in ((first, second), (second, first)):
            if own.player is not None and own.team is not None:
                boards_by_team[own.team].append(BoardGame(kind, board, number, table, own, theirs))
    return boards_by_team
