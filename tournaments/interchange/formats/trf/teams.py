"""The matches of an event of teams, from the games of players and the records about matches."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from tournaments.event.choices import SCORELESS
from tournaments.event.document import EventEntry, GameEntry, PairingEntry, RoundEntry
from tournaments.event.finding import Place, errors, warning
from tournaments.event.scores import bye_points, own_match_points
from tournaments.interchange.formats.dummies import names_nobody
from tournaments.interchange.formats.log import Log
from tournaments.interchange.formats.options import taken_for_byes
from tournaments.interchange.formats.trf.abnormal import AbnormalRecords
from tournaments.interchange.formats.trf.cells import DECIDED, FULL_POINT, KIND_ALONE, PLAYED, points_alone
from tournaments.interchange.formats.trf.individual import add_points, bye_not_given, new_round, points_differ
from tournaments.interchange.formats.trf.meetings import ReportedMeeting, UnopposedCell, meetings_of_round
from tournaments.interchange.formats.trf.records import PlayerRecord
from tournaments.interchange.formats.trf.report_lines import reported_half_points
from tournaments.interchange.formats.trf.settings import Settings
from tournaments.interchange.formats.trf.team_records import (
    Sides,
    Teams,
    leading_match_points,
    scores_of_sides,
)

_ON_A_BOARD = frozenset("+-") | PLAYED


def boards_of_file(settings: Settings, teams: Teams, players: Mapping[int, PlayerRecord]) -> int:
    """Return the number of boards in a match: by `352`, a bye, or the players in matches."""
    boards = max(len(settings.text("352")), 1)
    for line in settings.records.get("320", ()):
        boards = max(boards, (reported_half_points(line.text[9:13]) or 0) // settings.game[0])
    seated: dict[tuple[int, int], int] = defaultdict(int)
    for number, team in teams.team_of.items():
        for round_, cell in enumerate(players[number].cells):
            if cell and (cell.opponent or cell.code == "+"):
                seated[round_, team] += 1
    return max(boards, *seated.values()) if seated else boards


def rounds_of_teams(
    event: EventEntry,
    settings: Settings,
    teams: Teams,
    players: Mapping[int, PlayerRecord],
    abnormal: AbnormalRecords,
    log: Log,
    chosen_bye: tuple[int, int] | None = None,
) -> tuple[RoundEntry, ...]:
    """Return all rounds with matches or byes.

    Tables are ordered by match points, then by the lower number. `chosen_bye`: game and match points of a
    pairing-allocated bye, used only if the report does not have them.
    """
    last = max((len(each.cells) for each in players.values()), default=0)
    last = max([last, *(round_ + 1 for round_, _ in (*teams.byes, *teams.forfeits))])
    points: dict[int, int] = defaultdict(int)
    match_points: dict[int, int] = defaultdict(int)
    byes = _TeamByes(event, teams, settings.game[0], chosen_bye)
    own = _PlayerPoints(event)
    rounds = []
    for index in range(last):
        pairings = _Round(event, teams, index, log, byes, own).pairings(players)
        pairings = abnormal.awarded(event, index + 1, pairings)
        if pairings:
            is_open = not any(each.second and each.kind != "pending" for each in pairings)
            rounds.append(new_round(settings, index, pairings, points, is_open=is_open))
        add_points(pairings, points)
        for pairing in pairings:
            for number, _, match in scores_of_sides(event, pairing):
                match_points[number] += match
    byes.report(log)
    if not errors(log.findings):
        file_win = settings.game[0]
        for number, team in teams.records.items():
            game, match = abnormal.beside_results(number)
            given = points.get(number, 0) * file_win // event.game_win
            for what, printed, own_points, bonus in (
                ("game points", team.game_points, given, game),
                ("match points", team.match_points, match_points.get(number, 0), match),
            ):
                # Programs print points with or without a bonus.
                if printed not in {None, own_points, own_points + bonus}:
                    log.findings.append(points_differ(team.line, what, printed or 0, own_points + bonus))
        own.compare(file_win, players, log)
    return tuple(rounds)


@dataclass
class _PlayerPoints:
    """The points of the players of teams by their cells, in half-points of the event."""

    event: EventEntry
    games: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    byes: dict[int, int] = field(default_factory=lambda: defaultdict(int))

    def count(self, meetings: Iterable[ReportedMeeting], alone: Iterable[UnopposedCell]) -> None:
        for each in meetings:
            self.games[each.first.number] += each.outcome.first or 0
            self.games[each.second.number] += each.outcome.second or 0
        win, draw = self.event.game_win, self.event.game_draw
        for player, cell in alone:
            if cell.code in _ON_A_BOARD:
                self.games[player.number] += points_alone(self.event, cell.code)
            else:
                self.byes[player.number] += {"U": win, "F": win, "H": draw}.get(cell.code, 0)

    def compare(self, file_win: int, players: Mapping[int, PlayerRecord], log: Log) -> None:
        """Add objections to printed points that differ from the games, with or without byes."""
        for number, player in players.items():
            games = self.games[number] * file_win
            # Some programs include the bye of a team in the points of its players, others do not.
            given = {games, games + self.byes[number] * file_win}
            if player.points is not None and player.points * self.event.game_win not in given:
                by_games = games // self.event.game_win
                log.findings.append(points_differ(player.line, "points", player.points, by_games))


@dataclass
class _TeamByes:
    """The points of pairing-allocated byes, and the byes whose points the report does not have."""

    event: EventEntry
    teams: Teams
    file_win: int
    chosen: tuple[int, int] | None
    unsaid: list[tuple[int, int]] = field(default_factory=list)  # by team and round, from 1
    unexplained: list[tuple[int, list[int]]] = field(default_factory=list)  # rounds from 1, and teams

    @property
    def points(self) -> tuple[int, int]:
        """Return game points and match points of a bye: by the report, by choice, or by the rules."""
        game, match = self.teams.bye
        if game is not None and match is not None:
            return game * self.event.game_win // self.file_win, match
        return self.chosen or bye_points(self.event, "bye")

    def report(self, log: Log) -> None:
        """Warn of byes with unknown points, and of teams without a match for no reason."""
        if self.unexplained:
            rounds = (
                f"round {round_}: {', '.join(map(self._name, teams))}" for round_, teams in self.unexplained
            )
            text = (
                f"Teams have no match, and no record gives the reason ({'; '.join(rounds)}). "
                "They get no points. Add a record 240 or 320 if one of them had a bye."
            )
            round_, teams = self.unexplained[0]
            place = Place(self.teams.records[teams[0]].line.place.path, round=round_)
            log.findings.append(warning("teams-without-match", place, text))
        is_in_rules = None not in (self.event.bye_game, self.event.bye_match)
        if self.unsaid and (self.chosen or not is_in_rules):
            who = ", ".join(f"{self._name(team)} (round {round_})" for team, round_ in self.unsaid)
            text = f"The report does not give the points of a bye for {who}. "
            place = self.teams.records[self.unsaid[0][0]].line.place
            taken = taken_for_byes(self.points, is_chosen=self.chosen is not None)
            log.findings.append(warning("bye-points", place, text + taken))

    def _name(self, team: int) -> str:
        return self.teams.records[team].name or f"team {team}"


@dataclass
class _TeamMatch:
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
        self.games[game.board] = _swapped_game(game) if is_turned else game

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
        new = GameEntry(board=self._free(board), kind="forfeit", first_score=0, second_score=0)
        game = sitting or new
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


def _swapped_game(game: GameEntry) -> GameEntry:
    white = {"first": "second", "second": "first"}.get(game.white, "")
    return replace(
        game,
        first_player=game.second_player,
        second_player=game.first_player,
        white=white,
        first_score=game.second_score,
        second_score=game.first_score,
    )


@dataclass
class _Round:
    """A round, from 0. Builds matches from games."""

    event: EventEntry
    teams: Teams
    index: int
    log: Log
    byes: _TeamByes
    own: _PlayerPoints

    def pairings(self, players: Mapping[int, PlayerRecord]) -> list[PairingEntry]:
        meetings, alone = meetings_of_round(self.event, players, self.index, self.log)
        self.own.count(meetings, alone)
        matches = self._matches(meetings)
        self._seat_alone(matches, alone)
        pairings = [self._match(sides, found) for sides, found in matches.items()]
        paired = {number for each in pairings for number in each.numbers}
        return pairings + self._byes(paired, alone)

    def _matches(self, meetings: Iterable[ReportedMeeting]) -> dict[Sides, _TeamMatch]:
        matches: dict[Sides, _TeamMatch] = {}
        # A forfeited match may have no games.
        for sides in (sides for round_, sides in self.teams.forfeits if round_ == self.index):
            matches[min(sides), max(sides)] = _TeamMatch()
        for meeting in meetings:
            first, second = (
                self.teams.team_of.get(each.number, 0) for each in (meeting.first, meeting.second)
            )
            if first and first == second:
                text = (
                    f"Player {meeting.first.number} meets {meeting.second.number}, of his own team. Correct."
                )
                place = Place(meeting.first.line.place.path, round=self.index + 1)
                self.log.add("plays-himself", place, text)
            elif first and second:
                matches.setdefault((min(first, second), max(first, second)), _TeamMatch()).meetings.append(
                    meeting
                )
        return matches

    def _seat_alone(self, matches: dict[Sides, _TeamMatch], alone: Iterable[UnopposedCell]) -> None:
        of_team = {team: match for sides, match in matches.items() for team in sides}
        for player, cell in alone:
            if cell.code not in _ON_A_BOARD:
                continue
            team = self.teams.team_of.get(player.number, 0)
            if team in of_team:
                of_team[team].alone.append((player, cell))
            elif team and cell.code != "-" and (self.index, team) not in self.teams.byes:
                place = Place(player.line.place.path, round=self.index + 1)
                text = (
                    f"Player {player.number} won a board, and his team has no match in that round. Add a 330."
                )
                self.log.add("board-without-match", place, text)

    def _match(self, sides: Sides, found: _TeamMatch) -> PairingEntry:
        games = found.games(self.event, self.teams, self.index, sides)
        white = next((game.white for game in games if game.white), "first")
        on = next((game.board for game in games if game.white), 1)
        # Colours alternate by board, so a known board determines White on board 1.
        first_has_white = (white == "first") == (on % 2 == 1)
        # A forfeit names White first.
        forfeits, turned = self.teams.forfeits, (sides[1], sides[0])
        if (self.index, sides) in forfeits or (self.index, turned) in forfeits:
            first_has_white = (self.index, sides) in forfeits
        if not first_has_white:
            sides = turned
            games = [_swapped_game(game) for game in games]
        return self._scored(sides, games, forfeits.get((self.index, sides)))

    def _scored(self, sides: Sides, games: list[GameEntry], won: Sides | None) -> PairingEntry:
        kinds = {each.kind for each in games}
        first = sum(each.first_score or 0 for each in games)
        second = sum(each.second_score or 0 for each in games)
        # Without a 330, a match is forfeited if all its boards are.
        kind = "forfeit" if won is not None or kinds == {"forfeit"} else "played"
        if "pending" in kinds and not kinds & {"played", "forfeit"}:
            return PairingEntry(table=0, first=sides[0], second=sides[1], kind="pending", games=tuple(games))
        # Without games, a forfeit has the score of all boards.
        if won is not None and not games:
            full = (self.event.boards or 1) * self.event.game_win
            first, second = full * won[0], full * won[1]
        usual = ({self.event.game_win, self.event.game_loss}, {self.event.game_draw})
        scores = ({each.first_score, each.second_score} for each in games if each.kind == "played")
        decided = DECIDED if any(each not in usual for each in scores) else ""
        points: tuple[int | None, int | None] = (None, None)
        if not kinds.intersection(SCORELESS):
            led = (
                leading_match_points(self.event, first, second),
                leading_match_points(self.event, second, first),
            )
            points = own_match_points(self.event, kind, (first, second), led)
        return PairingEntry(
            table=0,
            first=sides[0],
            second=sides[1],
            kind=kind,
            first_score=first,
            second_score=second,
            first_match_points=points[0],
            second_match_points=points[1],
            note=decided,
            games=tuple(games),
        )

    def _byes(self, paired: set[int], alone: Iterable[UnopposedCell]) -> list[PairingEntry]:
        codes: dict[int, str] = {}
        for player, cell in alone:
            team = self.teams.team_of.get(player.number, 0)
            if cell.code in "UFH":
                codes[team] = cell.code
        for round_, team in self.teams.byes:
            if round_ == self.index and team in paired:
                place = Place(self.teams.records[team].line.place.path, round=round_ + 1)
                self.log.findings.append(bye_not_given(f"team {team}", place))
            elif round_ == self.index:
                codes[team] = self.teams.byes[round_, team]
        if paired and not self.teams.lists_byes:
            codes |= self._unlisted_bye(paired | codes.keys())
        return [self._bye(team, code) for team, code in sorted(codes.items()) if team and team not in paired]

    def _unlisted_bye(self, known: set[int]) -> dict[int, str]:
        dummy_numbers = {number for number, team in self.teams.records.items() if names_nobody(team.name)}
        off = sorted(self.teams.records.keys() - known - dummy_numbers)
        if len(off) > 1:
            self.byes.unexplained.append((self.index + 1, off))
        return dict.fromkeys(off, "U") if len(off) == 1 else {}

    def _bye(self, team: int, code: str) -> PairingEntry:
        kind = KIND_ALONE[code]
        note = FULL_POINT if code == "F" else ""
        game, match = bye_points(self.event, kind)
        if note:
            game, match = (self.event.boards or 1) * self.event.game_win, self.event.match_win
        elif code == "U":
            game, match = self.byes.points
            if None in self.teams.bye:
                self.byes.unsaid.append((team, self.index + 1))
        own, _ = own_match_points(self.event, kind, (game, None), (match, None))
        return PairingEntry(
            table=0, first=team, kind=kind, first_score=game, first_match_points=own, note=note
        )
