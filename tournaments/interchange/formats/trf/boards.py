"""The boards of a match, from the cells of its players."""

from dataclasses import dataclass, field, replace

from tournaments.event.document import EventEntry, GameEntry
from tournaments.interchange.formats.trf.cells import points_alone
from tournaments.interchange.formats.trf.meetings import ReportedMeeting, UnopposedCell
from tournaments.interchange.formats.trf.team_records import Sides, Teams


@dataclass
class TeamMatch:
    """The games of a match, and its players without an opponent on their board."""

    meetings: list[ReportedMeeting] = field(default_factory=list)
    alone: list[UnopposedCell] = field(default_factory=list)

    def games(self, event: EventEntry, teams: Teams, index: int, sides: Sides) -> list[GameEntry]:
        """Return the games by board, renumbered if contradictory boards exceed the number of boards."""
        boards = _MatchBoards(event, teams, index, sides, self._seated(event, teams, sides))
        for meeting in self.meetings:
            boards.add(meeting)
        # Winners first, so that double forfeits go to the boards that are left.
        for player, cell in sorted(self.alone, key=lambda each: each[1].code == "-"):
            boards.add_alone(player.number, cell.code)
        games = sorted(boards.games.values(), key=lambda each: each.board)
        # The line-ups (`300`) of two teams may contradict each other.
        if games and games[-1].board > (event.boards or 1):
            return [replace(each, board=board) for board, each in enumerate(games, start=1)]
        return games

    def _seated(self, event: EventEntry, teams: Teams, sides: Sides) -> set[int]:
        seated = {each.number for game in self.meetings for each in (game.first, game.second)}
        seated |= {player.number for player, cell in self.alone if cell.code != "-"}
        for team in sides:
            members = teams.records[team].players
            # `-` may also be a player who was not in the line-up, because a team has only as many boards as
            # the event.
            free = (event.boards or 1) - len(seated.intersection(members))
            absent = {player.number for player, cell in self.alone if cell.code == "-"}
            seated |= set([each for each in members if each in absent][: max(free, 0)])
        self.alone = [(player, cell) for player, cell in self.alone if player.number in seated]
        return seated


class _MatchBoards:
    """Fills the boards of a match. A game is on the board of its players."""

    def __init__(self, event: EventEntry, teams: Teams, index: int, sides: Sides, seated: set[int]) -> None:
        self.teams, self.event, self.sides = teams, event, sides
        self.games: dict[int, GameEntry] = {}
        lineups = [
            teams.lineups.get((index, team))
            or [each for each in teams.records[team].players if each in seated]
            for team in sides
        ]
        self.seats = [{number: at for at, number in enumerate(each, start=1) if number} for each in lineups]
        self.has_lineup = [(index, team) in teams.lineups for team in sides]

    def add(self, meeting: ReportedMeeting) -> None:
        ended = meeting.outcome
        is_turned = self.teams.team_of[meeting.first.number] != self.sides[0]
        numbers = (meeting.first.number, meeting.second.number)
        first, second = numbers[::-1] if is_turned else numbers
        game = GameEntry(
            board=self._free(self._board(first, second)),
            first_player=self.teams.named(numbers[0]),
            second_player=self.teams.named(numbers[1]),
            white=meeting.white,
            kind=ended.kind,
            first_score=ended.first,
            second_score=ended.second,
        )
        self.games[game.board] = swapped_game(game) if is_turned else game

    def _board(self, first: int, second: int) -> int:
        seats = self.seats[0].get(first), self.seats[1].get(second)
        if self.has_lineup[1] and not self.has_lineup[0]:
            seats = seats[1], seats[0]
        if any(self.has_lineup):
            return seats[0] or seats[1] or 1
        return max(seats[0] or 1, seats[1] or 1)

    def _free(self, board: int) -> int:
        while board in self.games:
            board += 1
        return board

    def add_alone(self, number: int, code: str) -> None:
        side = 0 if self.teams.team_of[number] == self.sides[0] else 1
        player, board = self.teams.named(number), self.seats[side].get(number, 1)
        # Two players without opponents on the same board: their records do not refer to each other.
        sitting = self._lacking(side, board)
        game = sitting or GameEntry(
            board=self._free(board),
            first_player=None,
            second_player=None,
            white="",
            kind="forfeit",
            first_score=0,
            second_score=0,
        )
        score = points_alone(self.event, code)
        changed = (
            replace(game, second_player=player, second_score=score)
            if side
            else replace(game, first_player=player, first_score=score)
        )
        self.games[game.board] = changed

    def _lacking(self, side: int, board: int) -> GameEntry | None:
        full = len(self.games) >= (self.event.boards or 1)
        lacking = [
            each for each in self.games.values() if (each.first_player, each.second_player)[side] is None
        ]
        return next((each for each in lacking if full or each.board == board), None)


def swapped_game(game: GameEntry) -> GameEntry:
    white = {"first": "second", "second": "first"}.get(game.white, "")
    return replace(
        game,
        first_player=game.second_player,
        second_player=game.first_player,
        white=white,
        first_score=game.second_score,
        second_score=game.first_score,
    )
