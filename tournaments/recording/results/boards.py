"""Live boards: moves and results of running rounds, from the games of a file that grows."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.event.choices import DECIDED, OVER, white_side
from tournaments.event.moves import moves_of, publishable_moves
from tournaments.event.numbers import score_text
from tournaments.event.resultcodes import ResultError, recorded_text, text_in
from tournaments.interchange.formats.layouts.game_tables import PLACED_TAGS, fault_of_moves, turned_result
from tournaments.interchange.formats.layouts.tagged_games import PlayedGame
from tournaments.interchange.formats.tables.entrants import name_key, spellings_of_name
from tournaments.models import Event, Game, Pairing, Round
from tournaments.models.versioned import past_of
from tournaments.recording.locking import lock_event
from tournaments.recording.refusal import Refused
from tournaments.recording.results.storing import SubmittedResult, read_typed, record_result


class RunningBoard(NamedTuple):
    """A game of players, or a board of a match. `white`: the side with White, blank if unknown."""

    row: Pairing | Game
    pairing: Pairing
    board: int | None
    white: str


def store_games(event: Event, games: Sequence[PlayedGame], by: User) -> dict[str, Any]:
    """Store the moves of games of running rounds, and the results of those without a result.

    Return `updated` and `unchanged`, the numbers of games, and `unmatched`: games that are not stored, or not
    as in the file, with the reason. Raise Refused if no round is running.
    """
    seen, moved, decided, unmatched = set[int](), dict[int, Any](), set[int](), []
    with lock_event(event) as now:
        boards = _RunningBoards(now)
        for game in reversed(games):  # the last of several games of two players is the newest
            try:
                board, side = boards.find(game)
                key = board.row.pk
                if key in seen:
                    continue
                seen.add(key)
                if _has_new_moves(board.row, game):
                    moved[key] = board.row
                if submitted := _new_result(now, board, game, side):
                    with transaction.atomic():
                        record_result(now, submitted, by)
                    decided.add(key)
            except (Refused, ResultError) as refused:
                sides = {"white": game.white.name, "black": game.black.name}
                unmatched.append({**sides, "round": game.round, "reason": str(refused)})
        # Without versions and history: an open form of the desk must not conflict with each move.
        model = Game if now.is_team else Pairing
        model._default_manager.bulk_update(moved.values(), ["moves"], batch_size=100)
    updated = len(decided | moved.keys())
    return {"updated": updated, "unchanged": len(seen) - updated, "unmatched": unmatched}


class _RunningBoards:
    """The boards of published rounds that are not closed. Raise Refused if there is no such round."""

    def __init__(self, event: Event) -> None:
        self._players = defaultdict[Any, set[int]](set)  # by the keys of their names
        self._boards = defaultdict[Any, list[tuple[RunningBoard, str]]](list)  # by round (or 0), White, Black
        running = Round.objects.filter(event=event, state=Round.State.PUBLISHED)
        if event.state in OVER or not running.exists():
            raise Refused(_("No round of this event is running. Publish the pairings of a round first."))
        pairings = Pairing.objects.filter(round__in=running, second__gt=0)
        games = Game.objects.filter(pairing__in=pairings, first_player__gt=0, second_player__gt=0)
        for each in games.select_related("pairing__round", "first_player", "second_player"):
            self._add(
                RunningBoard(each, each.pairing, each.board, each.white),
                each.first_player,
                each.second_player,
            )
        if not event.is_team:
            for pairing in pairings.select_related("round", "first", "second"):
                white = white_side(event, pairing.colours)
                self._add(RunningBoard(pairing, pairing, None, white), pairing.first, pairing.second)

    def _add(self, board: RunningBoard, first: Any, second: Any) -> None:
        for player in (first, second):
            for key in _keys_of(player.name, player.fide_id):
                self._players[key].add(player.pk)
        for number in (0, board.pairing.round.number):
            if board.white != "second":
                self._boards[number, first.pk, second.pk].append((board, "first"))
            if board.white != "first":
                self._boards[number, second.pk, first.pk].append((board, "second"))

    def find(self, game: PlayedGame) -> tuple[RunningBoard, str]:
        """Return the board of a game, and the side of the player with White. Raise Refused if none fits."""
        white = _keys_of(game.white.name, game.text.tag("WhiteFideId", "WhiteFideID"))
        black = _keys_of(game.black.name, game.text.tag("BlackFideId", "BlackFideID"))
        known = (
            next((self._players[key] for key in keys if key in self._players), ()) for keys in (white, black)
        )
        found = [each for pair in product(*known) for each in self._boards.get((game.round, *pair), ())]
        if len(found) != 1:
            text = _("No running round has this game, or several have. Compare round, names and colours.")
            raise Refused(text)
        return found[0]


def _keys_of(name: str, fide_id: object) -> list[Any]:
    """Return the keys of a player, the most certain first."""
    ids = [f"FIDE {fide_id}"] if fide_id else []
    return [*ids, name_key(name), *spellings_of_name(name)]


def _has_new_moves(row: Pairing | Game, game: PlayedGame) -> bool:
    tags = {name: value for name, value in game.text.tags.items() if name not in PLACED_TAGS}
    moves = publishable_moves(moves_of(tags, game.text.movetext))
    if why := fault_of_moves(moves):
        raise Refused(_("The moves are not stored: %(why)s.") % {"why": why})
    # The last game has no end if the file was read while the program wrote it.
    is_cut_off = not game.text.end and row.moves.startswith(moves)
    if moves == row.moves or is_cut_off or not game.text.has_moves:
        return False
    row.moves = moves
    return True


def _new_result(event: Event, board: RunningBoard, game: PlayedGame, side: str) -> SubmittedResult | None:
    """Return the result to be stored, None if there is none. Raise Refused if another is stored."""
    if not game.result:
        return None
    if game.text.end not in {"", game.text.tag("Result")}:
        raise Refused(_("The tag Result and the end of the moves differ, so no result is stored."))
    sent = game.result if side == "first" else turned_result(game.result)
    win, draw, loss = event.game_win, event.game_draw, event.game_loss
    points = dict.fromkeys(("1-0", "2-0"), (win, loss)) | dict.fromkeys(("0-1", "0-2"), (loss, win))
    points |= dict.fromkeys(("1/2-1/2", "1-1"), (draw, draw))
    typed = score_text(*points[sent]) if sent in points and not event.game_results else sent
    result = read_typed(event, board.pairing, board.board, board.white, typed)
    recorded = recorded_text(event, board.row) or board.row.delayed
    if recorded and recorded != text_in(event, result, of_match=False):
        text = _("The event has the result %(stored)s, the file %(sent)s. Correct it at the desk.")
        raise Refused(text % {"stored": recorded, "sent": typed})
    if not recorded and past_of(type(board.row)).objects.filter(id=board.row.pk, kind__in=DECIDED).exists():
        raise Refused(_("The result was cleared at the desk. Enter it there."))
    submitted = SubmittedResult(uuid4(), board.pairing.pk, board.board, typed, board.row.version)
    return None if recorded else submitted
