"""Records of teams: members, matches by board, byes, forfeits."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from tournaments.event.choices import knows_colours
from tournaments.event.document import Document, EventEntry, GameEntry, PairingEntry
from tournaments.interchange.formats.trf.abnormal import FINAL_ROUND
from tournaments.interchange.formats.trf.cells import CODE_ALONE, FULL_POINT
from tournaments.interchange.formats.trf.identities import Rosters, is_filled
from tournaments.interchange.formats.trf.player_lines import PlayerSheets, absences, codes_of
from tournaments.interchange.formats.trf.team_records import leading_match_points, scores_of_sides
from tournaments.interchange.formats.trf.tournament_lines import (
    adjusted_points,
    game_points_in_units,
    padded_points,
    text_at_columns,
)

_NAME_WIDTH, _NICKNAME_WIDTH = 32, 5
Codes = tuple[str, str]


def sheets_of_teams(document: Document, rosters: Rosters) -> PlayerSheets:
    sheets = PlayerSheets(document.event, rosters.numbers.values())
    for number, pairing in document.pairings():
        if pairing.second is not None and not is_filled(pairing):
            for game in pairing.games:
                numbers = _start_numbers_of_game(pairing, game, rosters)
                is_known = game.white and knows_colours(sheets.event)
                first_white = game.white == "first" if is_known else None
                codes = codes_of(sheets.event, game)
                sheets.enter_game(number, numbers, codes, first_white=first_white)
        elif pairing.second is not None:
            _enter_filled(sheets, number, pairing, rosters)
    return sheets


def _start_numbers_of_game(pairing: PairingEntry, game: GameEntry, rosters: Rosters) -> tuple[int, int]:
    return rosters.number(pairing.first, game.first_player), rosters.number(
        pairing.second or 0, game.second_player
    )


def _enter_filled(sheets: PlayerSheets, round_: int, pairing: PairingEntry, rosters: Rosters) -> None:
    boards = sheets.event.boards or 1
    # In board order: the default without a line-up.
    seats = (
        [rosters.number(team, each) for each in rosters.players.get(team, ())[:boards]]
        for team in pairing.numbers
    )
    games = zip(*seats, filled_boards(sheets.event, pairing), strict=False)
    for board, (first, second, codes) in enumerate(games, start=1):
        sheets.enter_game(round_, (first, second), codes, first_white=board % 2 == 1)


def filled_boards(event: EventEntry, pairing: PairingEntry) -> list[Codes]:
    """Return games with the sum of a score that has no games: wins first, then draws, then losses.

    A match in progress has as many without a result. If no games have that sum, the nearest ones are
    returned.
    """
    boards = event.boards or 1
    if pairing.first_score is None or pairing.second_score is None:
        return [(" ", " ")] * boards
    won, lost, nothing = (("+", "-"), ("-", "+"), ("-", "-"))
    if pairing.kind == "played":
        won, lost = ("1", "0"), ("0", "1")
    wins, draws, losses = _division(event, pairing.first_score, pairing.second_score)
    games = [won] * wins + [("=", "=")] * draws + [lost] * losses
    return (games + [nothing] * boards)[:boards]


def _division(event: EventEntry, first: int, second: int) -> tuple[int, int, int]:
    boards = event.boards or 1
    rests = [
        (draws, first - draws * event.game_draw, second - draws * event.game_draw)
        for draws in range(boards + 1)
    ]
    exact = [
        (own // event.game_win, draws, other // event.game_win)
        for draws, own, other in rests
        if min(own, other) >= 0 and not own % event.game_win and not other % event.game_win
    ]
    fitting = [each for each in exact if sum(each) <= boards]
    return max(fitting, key=sum, default=(first // event.game_win, 0, second // event.game_win))


# --- records ----------------------------------------------------------------------------------------------


def team_lines(document: Document, rosters: Rosters, ranks: Mapping[int, int]) -> Iterator[str]:
    match, game = _totals(document)
    for team in document.competitors:
        members = [f"{rosters.number(team.number, each):4d}" for each in rosters.players[team.number]]
        yield text_at_columns(
            "310",
            (
                (4, f"{team.number:3d}"),
                (8, team.name[:_NAME_WIDTH].rstrip()),
                (41, team.code[:_NICKNAME_WIDTH]),
                (54, padded_points(match[team.number], 6)),
                (61, padded_points(game[team.number], 6)),
                (68, f"{ranks[team.number]:3d}"),
                *((73 + 5 * at, member) for at, member in enumerate(members)),
            ),
        )
    yield from _byes(document)
    yield from _line_ups(document, rosters)
    for number, pairing in document.pairings():
        if pairing.kind == "forfeit" and pairing.second is not None:
            first, second = pairing.first_score or 0, pairing.second_score or 0
            won = "+-" if first > second else "-+" if second > first else "--"
            yield f"330 {won} {number:3d} {pairing.first:3d} {pairing.second:3d}"
    event = document.event
    # `299` for match points that do not follow from the score
    for number, pairing in document.pairings():
        sides = list(scores_of_sides(event, pairing))
        if len(sides) == 2 and pairing.kind == "played":
            for (awarded, own, worth), (_, other, _) in zip(sides, sides[::-1], strict=True):
                if worth != leading_match_points(event, own, other):
                    code = "W" if worth == event.match_win else "D" if worth == event.match_draw else "L"
                    in_games = own * game_points_in_units(event)[0] // event.game_win
                    yield _points_line(code, worth, in_games, number, awarded)


def adjustment_lines(document: Document) -> Iterator[str]:
    """Yield `299` for bonus and penalty points."""
    event = document.event
    for competitor in document.competitors:
        for each in competitor.adjustments:
            round_ = FINAL_ROUND if each["final"] else each["round"]
            match = each["match"] if event.is_team else None
            yield _points_line("", match, adjusted_points(event, each), round_, competitor.number)


def _points_line(code: str, match: int | None, game: int, round_: int, number: int) -> str:
    points = "" if match is None else padded_points(match, 4), padded_points(game, 4)
    texts = (4, code), (7, points[0]), (13, points[1]), (19, f"{round_:3d}"), (23, f"{number:4d}")
    return text_at_columns("299", texts)


def _totals(document: Document) -> tuple[dict[int, int], dict[int, int]]:
    match: dict[int, int] = defaultdict(int)
    game: dict[int, int] = defaultdict(int)
    unit, win = game_points_in_units(document.event)[0], document.event.game_win
    for _, pairing in document.pairings():
        for number, score, worth in scores_of_sides(document.event, pairing):
            game[number] += score * unit // win
            match[number] += worth
    for each in document.competitors:
        match[each.number] += sum(bonus["match"] for bonus in each.adjustments)
        game[each.number] += sum(adjusted_points(document.event, bonus) for bonus in each.adjustments)
    return match, game


def _byes(document: Document) -> Iterator[str]:
    asked: dict[tuple[str, int], list[int]] = defaultdict(list)
    given: dict[int, int] = {}
    for number, pairing in document.pairings():
        code = "F" if pairing.note == FULL_POINT else CODE_ALONE.get(pairing.kind, "")
        if code:
            asked[code, number].append(pairing.first)
        elif pairing.kind == "bye":
            given.setdefault(number, pairing.first)
    for each in absences(document):
        asked[each.code, each.round].append(each.number)
    for (code, number), teams in sorted(asked.items(), key=lambda each: (each[0][1], each[0][0])):
        yield f"240 {code} {number:3d}" + "".join(f" {team:4d}" for team in sorted(teams))
    if given:
        # A single record for all: in the format, byes of all teams have the same points.
        first = next(
            each for _, each in document.pairings() if each.kind == "bye" and each.note != FULL_POINT
        )
        event = document.event
        (_, score, worth), *_ = scores_of_sides(event, first)
        game = score * game_points_in_units(event)[0] // event.game_win
        rounds = "".join(f" {given.get(number, 0):3d}" for number in range(1, max(given) + 1))
        yield f"320 {padded_points(worth, 4)} {padded_points(game, 4)}{rounds}"


def _line_ups(document: Document, rosters: Rosters) -> Iterator[str]:
    boards = document.event.boards or 1
    for number, pairing in document.pairings():
        if not pairing.games:
            continue
        seats = [[0, 0] for _ in range(boards)]
        for game in pairing.games:
            if game.board <= boards:
                seats[game.board - 1][:] = _start_numbers_of_game(pairing, game, rosters)
        for side, (team, other) in enumerate(
            ((pairing.first, pairing.second or 0), (pairing.second or 0, pairing.first))
        ):
            order = [each[side] for each in seats]
            alone = any(own == 0 and other for own, other in ((each[side], each[1 - side]) for each in seats))
            if alone or [each for each in order if each] != sorted(each for each in order if each):
                yield f"300 {number:3d} {team:3d} {other:3d}" + "".join(f" {each:04d}" for each in order)
