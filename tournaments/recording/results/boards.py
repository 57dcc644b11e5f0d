"""Live boards: moves and results of running rounds, from the games of a file that grows."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import uuid4

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.event.choices import DECIDED, OVER, PairingSide, white_side
from tournaments.event.moves import moves_of, publishable_moves
from tournaments.event.numbers import score_text
from tournaments.event.resultcodes import ResultError, recorded_text, text_in
from tournaments.interchange.formats.layouts.game_tables import PLACED_TAGS, fault_of_moves, turned_result
from tournaments.interchange.formats.layouts.tagged_games import PlayedGame
from tournaments.interchange.formats.tables.entrants import name_key, spellings_of_name
from tournaments.models import Event, Game, Pairing, Receipt, Round
from tournaments.models.versioned import past_of
from tournaments.recording.locking import lock_event
from tournaments.recording.refusal import Refused
from tournaments.recording.results.storing import SubmittedResult, read_typed
from tournaments.recording.results.submissions import SAVED, enter

MOST_LISTED = 200


@dataclass(frozen=True, slots=True)
class FeedResult(SubmittedResult):
    is_of_feed: bool = True  # stored in the receipt


def store_games(event: Event, games: Sequence[PlayedGame], by: User) -> dict[str, Any]:
    """Store the moves of games in running rounds, and the results of games that never had one.

    A result that an earlier file gave is withdrawn if this file shows that the match has another game.
    Return the numbers of updated and unchanged games, and `unmatched`: at most 200 games that are not stored,
    or not as in the file, with the reason. Raise Refused if no round is running.
    """
    seen, several, changed = dict[int, str](), dict[int, PlayedGame](), dict[int, Any]()
    results: dict[SubmittedResult, tuple[PlayedGame, Any]] = {}
    strangers, unmatched = list[PlayedGame](), list[tuple[PlayedGame, str]]()
    with lock_event(event) as now:
        boards = list(_running_boards(now))
        model, path = (Game, "pairing__round__event") if now.is_team else (Pairing, "round__event")
        # Not for each game, because the event is locked.
        rows, problems = {each.row.pk for each in boards}, dict[int, str]()
        if model._default_manager.filter(**{path: event}, games_played__gt=1).exists():
            text = _("Matches here have several games. Enter the result of the match at the desk.")
            problems = dict.fromkeys(rows, text)
        had_result = past_of(model).objects.filter(id__in=rows, kind__in=DECIDED).values_list("id", flat=True)
        problems |= dict.fromkeys(had_result, _("The result was cleared. Enter it at the desk."))
        known = {key for board in boards for key in (*board.white, *board.black)}
        for game in reversed(games):  # the last of several games of two players is the newest
            board = _board_of(game, boards, known, several)
            if board is None:
                strangers.append(game)
                continue
            row = board.row
            if row.pk in seen:
                several.update({row.pk: game} if seen[row.pk] != board.side else {})
                continue
            seen[row.pk] = board.side
            try:
                moves = _storable_moves(game)
                # A game without an end is cut off if the file was read while the program wrote it.
                if moves not in {"", row.moves} and (game.text.end or not row.moves.startswith(moves)):
                    row.moves, changed[row.pk] = moves, row
                if submitted := _new_result(now, board, game, problems.get(row.pk, "")):
                    results[submitted] = game, row
            except (Refused, ResultError) as refused:
                unmatched.append((game, str(refused)))
        matches = {each.row.pk: each for each in boards if each.row.pk in several}
        withdrawn = _withdrawals(now, matches)
        # Without versions and history: an open form of the desk must not conflict with each move.
        model._default_manager.bulk_update(changed.values(), ["moves"], batch_size=100)
    text = _("The file has several games of these players. Enter the result of the match at the desk.")
    unmatched += [(game, text) for game, row in results.values() if row.pk in several]
    results = {submitted: found for submitted, found in results.items() if found[1].pk not in several}
    results |= {each: (several[pk], matches[pk].row) for pk, each in withdrawn.items()}
    # Not under the lock, which would stop the desk for seconds if a whole round ends.
    for outcome, (game, row) in zip(enter(event, list(results), by), results.values(), strict=True):
        if outcome.state == SAVED:
            changed[row.pk] = row
        if outcome.state != SAVED or row.pk in several:
            unmatched.append((game, outcome.message or text))
    text = _("No running round has this game, or several have. Compare round, names and colours.")
    unmatched += [(game, text) for game in strangers]  # last, because a file may have those of other events
    listed = [
        {"white": game.white.name, "black": game.black.name, "round": game.round, "reason": reason}
        for game, reason in unmatched[:MOST_LISTED]
    ]
    return {"updated": len(changed), "unchanged": len(seen.keys() - changed.keys()), "unmatched": listed}


class RunningBoard(NamedTuple):
    """A game of two players or a board of a match, if White is that side. `rounds`: its round, and 0."""

    row: Any
    pairing: Pairing
    rounds: tuple[int, int]
    side: str
    white: list[Any]
    black: list[Any]


def _running_boards(event: Event) -> Iterator[RunningBoard]:
    running = Round.objects.filter(event=event, state=Round.State.PUBLISHED)
    if event.state in OVER or not running.exists():
        raise Refused(_("No round of this event is running. Publish the pairings of a round first."))
    rows: list[Any]
    if event.is_team:
        games = Game.objects.filter(pairing__round__in=running, first_player__gt=0, second_player__gt=0)
        games = games.select_related("pairing__round", "first_player", "second_player")
        rows = [(each, each.pairing, each.white, each.first_player, each.second_player) for each in games]
    else:
        pairings = Pairing.objects.filter(round__in=running, second__gt=0)
        pairings = pairings.select_related("round", "first", "second")
        rows = [(each, each, white_side(event, each.colours), each.first, each.second) for each in pairings]
    for row, pairing, white, *players in rows:
        rounds = (0, pairing.round.number)
        first, second = (_keys_of(each.name, each.fide_id) for each in players)
        if white != PairingSide.SECOND:
            yield RunningBoard(row, pairing, rounds, "first", first, second)
        if white != PairingSide.FIRST:
            yield RunningBoard(row, pairing, rounds, "second", second, first)


def _board_of(
    game: PlayedGame, boards: Sequence[RunningBoard], known: set[Any], several: dict[int, PlayedGame]
) -> RunningBoard | None:
    # A game with other colours is another one of the same match.
    ids = (game.text.tag(f"{side}FideId", f"{side}FideID") for side in ("White", "Black"))
    names = map(_keys_of, (game.white.name, game.black.name), ids)
    white, black = (next((key for key in keys if key in known), None) for keys in names)
    of_round = [each for each in boards if game.round in each.rounds]
    found = [each for each in of_round if white in each.white and black in each.black]
    turned = (each for each in of_round if white in each.black and black in each.white)
    several.update((each.row.pk, game) for each in turned if not found)
    return found[0] if len(found) == 1 else None


def _keys_of(name: str, fide_id: object) -> list[Any]:
    """Return the keys of a player, the most certain first."""
    return [*([f"FIDE {fide_id}"] if fide_id else []), name_key(name), *spellings_of_name(name)]


def _storable_moves(game: PlayedGame) -> str:
    tags = {name: value for name, value in game.text.tags.items() if name not in PLACED_TAGS}
    moves = publishable_moves(moves_of(tags, game.text.movetext)) if game.text.has_moves else ""
    if why := fault_of_moves(moves):
        raise Refused(_("The moves are not stored: %(why)s.") % {"why": why})
    return moves


def _new_result(event: Event, board: RunningBoard, game: PlayedGame, problem: str) -> SubmittedResult | None:
    """Return the result to be stored, None if there is none. Raise Refused if another is stored."""
    row, number = board.row, board.row.board if event.is_team else None
    if not game.result:
        return None
    if game.text.end not in {"", game.text.tag("Result")}:
        raise Refused(_("The tag Result and the end of the moves differ, so no result is stored."))
    sent = game.result if board.side == "first" else turned_result(game.result)
    win, draw, loss = event.game_win, event.game_draw, event.game_loss
    points = {"1-0": (win, loss), "1/2-1/2": (draw, draw), "0-1": (loss, win)}
    points |= {"2-0": (win, loss), "1-1": (draw, draw), "0-2": (loss, win)}
    typed = score_text(*points[sent]) if sent in points and not event.game_results else sent
    result = read_typed(event, board.pairing, number, board.side, typed)
    if recorded := recorded_text(event, row) or row.delayed:
        if recorded == text_in(event, result, of_match=False):
            return None
        text = _("The event has the result %(stored)s, the file %(sent)s. Correct it at the desk.")
        raise Refused(text % {"stored": recorded, "sent": typed})
    if problem:
        raise Refused(problem)
    return FeedResult(uuid4(), board.pairing.pk, number, typed, row.version)


def _withdrawals(event: Event, boards: dict[int, RunningBoard]) -> dict[int, SubmittedResult]:
    """Return a blank result for each board whose present result only a feed has saved; one query."""
    stored = {pk: each for pk, each in boards.items() if recorded_text(event, each.row)}
    pairings = [str(each.pairing.pk) for each in stored.values()]
    receipts = Receipt.objects.filter(event=event, outcome__state=SAVED, outcome__sent__pairing__in=pairings)
    by_feed = defaultdict[tuple[str, str, int], set[bool]](set)
    for saved in receipts.values_list("outcome", flat=True):
        sent = saved["sent"]
        by_feed[sent["pairing"], sent["board"], saved["version"]].add("is_of_feed" in sent)
    return {
        pk: FeedResult(uuid4(), pairing.pk, number, "", row.version)
        for pk, (row, pairing, *_rest) in stored.items()
        for number in [row.board if event.is_team else None]
        if by_feed[str(pairing.pk), str(number), row.version] == {True}
    }
