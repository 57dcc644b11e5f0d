"""Checks of rounds and pairings: competitors at the tables, results, repeated meetings, and line-ups."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from tournaments.event.checks.references import check_competitor_exists, repeated, round_within
from tournaments.event.choices import SCORELESS, BoardOrder
from tournaments.event.document import (
    CompetitorEntry,
    Document,
    EventEntry,
    GameEntry,
    PairingEntry,
    RoundEntry,
)
from tournaments.event.finding import ROOT, Finding, Place, error, warning
from tournaments.event.moves import fault_of_movetext, parted
from tournaments.event.numbers import points_text, score_text
from tournaments.event.scores import game_fault, pairing_fault

MOST_NAMED = 4
"""The number of earlier rounds that a finding names."""

WITHOUT_RESULT = frozenset({"zero-bye", "absent", "pending", "unknown"})


def check_rounds(document: Document) -> Iterator[Finding]:
    members = {each.number: each for each in document.competitors}
    for index in repeated(each.number for each in document.rounds):
        text = f"Round {document.rounds[index].number} is there already. Give each round its own number."
        yield error(
            "round-twice",
            ROOT.item("rounds", index).key("number"),
            text,
        )
    for at, round_ in enumerate(document.rounds):
        place = Place(f"rounds[{at}]", round_.number)
        yield from round_within(round_.number, document.event, place.key("number"))
        for index in repeated(each.table for each in round_.pairings):
            table = round_.pairings[index].table
            text = f"Table {table} is in round {round_.number} already. Give each pairing its own."
            yield error("table-twice", _place_of_pairing(place, index, table).key("table"), text)
        yield from _check_provisional_results(document, round_, place)
        seated: dict[int, int] = {}
        for index, pairing in enumerate(round_.pairings):
            seat = _place_of_pairing(place, index, pairing.table)
            yield from _check_seats(document.event, pairing, members, seated, seat)
            if round_.is_draft:
                yield from _no_result(pairing, seat)
            yield from pairing_result(document.event, pairing, seat)
            yield from game_results(document.event, pairing, seat)


def _check_provisional_results(document: Document, round_: RoundEntry, place: Place) -> Iterator[Finding]:
    if not round_.provisional_results:
        return
    games = {(number, each.table) for number, each in document.pairings() if each.second is not None}
    for index, result in enumerate(round_.provisional_results):
        at = place.item("provisional_results", index)
        if result["round"] >= round_.number or (result["round"], result["table"]) not in games:
            text = f"There is no game at table {result['table']} of round {result['round']}, before round "
            yield error("unknown-game", at, f"{text}{round_.number}. Correct round or table.")


def _no_result(pairing: PairingEntry, place: Place) -> Iterator[Finding]:
    """Refuse results in a draft: its pairings are not published, so no game can have been played."""
    has_result = pairing.second is not None and pairing.kind != "pending"
    if has_result or any(game.kind != "pending" for game in pairing.games):
        text = f"Round {place.round} is a draft and has a result at table {pairing.table}. "
        yield error("result-in-draft", place, text + "Publish its pairings, or take the result out.")


def _place_of_pairing(place: Place, index: int, table: int) -> Place:
    return Place(f"{place.path}.pairings[{index}]", place.round, table)


def _check_seats(
    event: EventEntry,
    pairing: PairingEntry,
    members: dict[int, CompetitorEntry],
    seated: dict[int, int],
    place: Place,
) -> Iterator[Finding]:
    if pairing.first == pairing.second:
        text = (
            f"Competitor {pairing.first} is paired with the same competitor. Correct one of the two numbers."
        )
        yield error("plays-himself", place.key("second"), text)
        return
    for side, competitor in zip(("first", "second"), pairing.numbers, strict=False):
        yield from check_competitor_exists(competitor, members, place.key(side))
        if competitor in seated:
            yield error(
                "competitor-twice",
                place.key(side),
                f"Competitor {competitor} is paired at table {seated[competitor]} and at table "
                f"{pairing.table} of round {place.round}. Remove one of the pairings.",
            )
        seated.setdefault(competitor, pairing.table)
        if competitor in members:
            yield from _withdrawn(event, members[competitor], pairing, place.key(side))


def _withdrawn(
    event: EventEntry, competitor: CompetitorEntry, pairing: PairingEntry, place: Place
) -> Iterator[Finding]:
    last, number = competitor.withdrawn_after, place.round or 0
    if last is None or number <= last:
        return
    withdrew = f"{competitor.name} withdrew after round {last} and"
    if pairing.kind == "pending":
        if event.is_round_robin:  # the withdrawal decides the game
            return
        text = f"{withdrew} is paired in round {number}. Change the pairing, enter a forfeit, or correct the "
        yield warning("withdrawn-paired", place, f"{text}withdrawal.")
    # A withdrawal is recorded in later rounds as absences or zero-point byes.
    elif pairing.kind not in WITHOUT_RESULT:
        text = f"{withdrew} has a result in round {number}. Correct the withdrawal or the pairing."
        yield warning("withdrawn-plays", place, text)


def meetings(document: Document) -> Iterator[Finding]:
    most = 2 if document.event.schedule == "double-round-robin" else 1
    met: dict[tuple[int, int], list[int]] = defaultdict(list)
    pairings = (
        (each.number, f"rounds[{at}].pairings[{index}]", pairing)
        for at, each in enumerate(document.rounds)
        for index, pairing in enumerate(each.pairings)
    )
    for number, path, pairing in sorted(pairings, key=lambda each: each[0]):
        if pairing.second is None or pairing.first == pairing.second:
            continue
        before = met[min(pairing.numbers), max(pairing.numbers)]
        if len(before) >= most:
            earlier = " and ".join(map(str, before[:MOST_NAMED]))
            earlier += " and others" if len(before) > MOST_NAMED else ""
            yield warning(
                "met-before",
                Place(path, number, pairing.table),
                f"{pairing.first} and {pairing.second} met in round {earlier} and "
                f"again in round {number}; here they meet {'once' if most == 1 else 'twice'}. "
                "Correct the pairing, or acknowledge it.",
            )
        before.append(number)


def check_schedule(document: Document) -> Iterator[Finding]:
    """Warn of competitors who are missing from a round robin that is paired to its last round."""
    event, paired = document.event, [each for each in document.rounds if each.pairings]
    if not event.is_round_robin or len(paired) < event.planned_rounds:
        return
    seated = {number for _round_number, pairing in document.pairings() for number in pairing.numbers}
    # For example a competitor who entered after the schedule was made.
    for index, each in enumerate(document.competitors):
        if each.number not in seated and each.withdrawn_after is None:
            text = f"{each.number} {each.name} is in no pairing of the {len(paired)} rounds. "
            text += "Pair all rounds again, add the pairings, or enter the withdrawal."
            yield warning("not-in-schedule", ROOT.item("competitors", index), text)


# --- line-ups ---------------------------------------------------------------------------------------------


def check_lineups(document: Document) -> Iterator[Finding]:
    """Warn of teams that are not in their board order, if it is fixed and players have a board."""
    if document.event.board_order != BoardOrder.FIXED:
        return
    members = {each.number: each for each in document.competitors}
    for at, each in enumerate(document.rounds):
        # Old sources have the board on which a player played most games, so closed rounds are not checked.
        if each.state == "closed":
            continue
        for index, pairing in enumerate(each.pairings):
            place = Place(f"rounds[{at}].pairings[{index}]", each.number, pairing.table)
            for side, number in zip(("first", "second"), pairing.numbers, strict=False):
                if number in members:
                    yield from _board_order(members[number], side, pairing, place)


def _board_order(team: CompetitorEntry, side: str, pairing: PairingEntry, place: Place) -> Iterator[Finding]:
    orders = {each.identity: each.board for each in team.players}
    games = sorted(pairing.games, key=lambda each: each.board)
    players = [each.first_player if side == "first" else each.second_player for each in games]
    seated = [(player, orders.get(player.identity)) for player in players if player is not None]
    placed = [(player, order) for player, order in seated if order is not None]
    for (above, number), (below, lower) in pairwise(placed):
        if number > lower:
            text = (
                f"{team.name}: {above.name}, {number} in the board order, sits above {below.name}, {lower}."
            )
            yield warning("board-order", place.key("games"), f"{text} Correct the line-up, or accept it.")
            # Report a single finding per side: further ones follow from the first.
            return


def pairing_result(event: EventEntry, pairing: PairingEntry, place: Place) -> Iterator[Finding]:
    if fault := pairing_fault(event, pairing, pairing.note):
        yield _impossible(pairing, fault, place)
    yield from _check_advantage(pairing, place)
    sides = pairing.first_match_points, pairing.second_match_points
    points = [each for each in sides if each is not None]
    if points and not event.is_team:
        yield error(
            "teams-only", place.key("match_points"), "Only a team event has match points. Take them out."
        )
    elif any(each > event.match_win for each in points):
        text = f"{score_text(*sides)} match points, but a match gives at most {points_text(event.match_win)}."
        yield error("impossible-match-points", place.key("match_points"), f"{text} Correct them.")
    if pairing.games_played is not None and event.is_team:
        text = (
            "In a team event the number of games belongs to a game, not to the match. Move the key to the "
            "game."
        )
        yield error("players-only", place.key("games_played"), text)
    if pairing.moves and event.is_team:
        text = "In a team event each game has its moves, not the match. Move the key to the game."
        yield error("players-only", place.key("moves"), text)
    yield from _moves(pairing.moves, place)


def _moves(moves: str, place: Place) -> Iterator[Finding]:
    if moves and (fault := fault_of_movetext(parted(moves)[1])):
        yield warning("moves-not-legal", place.key("moves"), f"{fault} Until then no file has these moves.")


def game_results(event: EventEntry, pairing: PairingEntry, place: Place) -> Iterator[Finding]:
    if not pairing.games:
        return
    if not event.is_team or pairing.second is None:
        text = "Only a match of two teams has games. Take them out."
        yield error("teams-only", place.key("games"), text)
        return
    for index in repeated(each.board for each in pairing.games):
        text = f"Board {pairing.games[index].board} is in this match already. Give each game its own."
        yield error("board-twice", place.item("games", index).key("board"), text)
    for index, game in enumerate(pairing.games):
        at = place.item("games", index)
        if event.boards and game.board > event.boards:
            text = (
                f"Board {game.board}, but the matches have {event.boards} boards. Correct one of the two "
                "numbers."
            )
            yield error("board-beyond-last", at.key("board"), text)
        if fault := game_fault(event, game, pairing.note):
            yield _impossible(game, fault, at)
        yield from _check_advantage(game, at)
        yield from _moves(game.moves, at)
    # Without a score, or with an unknown game, there is no sum to compare.
    if pairing.kind in SCORELESS or any(game.kind in SCORELESS for game in pairing.games):
        return
    first = sum(game.first_score or 0 for game in pairing.games)
    second = sum(game.second_score or 0 for game in pairing.games)
    if (first, second) != (pairing.first_score, pairing.second_score):
        yield error(
            "games-do-not-add-up",
            place.key("games"),
            f"The games add up to {score_text(first, second)}, the match is "
            f"{score_text(pairing.first_score, pairing.second_score)}. Correct a game or the score.",
        )


def _impossible(result: PairingEntry | GameEntry, fault: str, place: Place) -> Finding:
    score = score_text(result.first_score, result.second_score)
    kind = {"played": "", "forfeit": " by forfeit"}.get(result.kind, f" for a {result.kind}")
    return error(
        "impossible-score", place.key("score"), f"{score}{kind} cannot be: {fault}. Correct the score."
    )


def _check_advantage(result: PairingEntry | GameEntry, place: Place) -> Iterator[Finding]:
    # An advantage marks the better side of a draw; a won game has none.
    if result.advantage and (result.kind != "played" or result.first_score != result.second_score):
        shown = score_text(result.first_score, result.second_score) or result.kind
        text = f"An advantage belongs to a drawn game; this is {shown}. Take it out, or correct the score."
        yield error("advantage-without-draw", place.key("advantage"), text)
