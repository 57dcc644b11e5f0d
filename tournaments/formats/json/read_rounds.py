"""The rounds, from their objects in the file."""

from tournaments.event.document import (
    ALONE,
    SCORELESS,
    EventEntry,
    GameEntry,
    PairingEntry,
    PlayerEntry,
    RoundEntry,
)
from tournaments.event.scores import bye_points, own_match_points
from tournaments.event.states import DECIDED
from tournaments.formats.json import keys
from tournaments.formats.json.read_event import fide_id
from tournaments.formats.node import Node

KINDS = ("played", "forfeit", "bye", "half-bye", "zero-bye", "absent", "pending", "unknown")
STATES = ("draft", "published", "closed", "open")
BOARD_KINDS = ("played", "forfeit", "pending", "unknown")
SIDES = ("first", "second")

Sides = tuple[int | None, int | None]
NOTHING: Sides = (None, None)


def round_(node: Node, event: EventEntry) -> RoundEntry:
    """A round; a bye without a score gets what the event gives."""
    pairings = node.children("pairings", keys.PAIRING, required=True, seat="table")
    return RoundEntry(
        number=node.whole("number"),
        date=node.date("date"),
        state=_state(node),
        pairings=tuple(pairing(each, event) for each in pairings),
    )


def _state(node: Node) -> str:
    """The state of a round; `open` is what a published one was called in older files."""
    state = node.choice("state", STATES, "closed")
    return "published" if state == "open" else state


def pairing(node: Node, event: EventEntry) -> PairingEntry:
    """One pairing."""
    kind = node.choice("kind", KINDS, "played")
    scores = _scores(node, kind)
    given = _sides(node, "match_points", kind)
    if kind in ALONE and scores == NOTHING:
        given_game, given_match = bye_points(event, kind)
        scores = (given_game, None)
        given = (given_match, None) if event.is_team and given == NOTHING else given
    first_points, second_points = own_match_points(event, kind, scores, given) if event.is_team else given
    return PairingEntry(
        table=node.whole("table"),
        first=node.whole("first"),
        second=_second(node, kind),
        kind=kind,
        first_score=scores[0],
        second_score=scores[1],
        first_match_points=first_points,
        second_match_points=second_points,
        advantage=node.choice("advantage", SIDES, ""),
        games_played=node.whole_or_none("games_played"),
        note=node.text("note", 10_000, prose=True),
        games=tuple(board(each) for each in node.children("games", keys.GAME)),
    )


def board(node: Node) -> GameEntry:
    """One board of a match."""
    kind = node.choice("kind", BOARD_KINDS, "played")
    first_score, second_score = _scores(node, kind)
    return GameEntry(
        board=node.whole("board"),
        first_player=_named_player(node, "first"),
        second_player=_named_player(node, "second"),
        white=node.choice("white", SIDES, ""),
        kind=kind,
        first_score=first_score,
        second_score=second_score,
        advantage=node.choice("advantage", SIDES, ""),
        games_played=node.whole_or_none("games_played"),
    )


def _named_player(node: Node, side: str) -> PlayerEntry | None:
    """The player as this game names him; blank name where only the id is given."""
    name, number = node.text(side, 120), fide_id(node, f"{side}_fide_id")
    return PlayerEntry(name, number) if name or number is not None else None


def _second(node: Node, kind: str) -> int | None:
    if kind not in ALONE:
        return node.whole("second")
    if "second" in node.value:
        text = f"A {kind} has no opponent, yet there is a second. Take it out, or correct the kind."
        node.refuse("second", "opponent-of-a-bye", text)
    return None


def _scores(node: Node, kind: str) -> Sides:
    return _sides(node, "score", kind, required=kind in DECIDED)


def _sides(node: Node, key: str, kind: str, *, required: bool = False) -> Sides:
    """Half-points of both sides; of the first alone in a bye, of nobody where there is no result."""
    if kind in SCORELESS:
        if key in node.value:
            node.refuse(
                key, "score-without-result", f"A {kind} result has no {key}. Take one of the two out."
            )
        return NOTHING
    if node.get(key, required=required) is None:
        return NOTHING
    listed = node.fixed_list(key, 2, "[first, second]")
    if listed is None:
        return NOTHING
    (first, first_place), (second, second_place) = listed
    own = node.checked_points(first, first_place)
    if kind not in ALONE:
        return own, node.checked_points(second, second_place)
    if second is not None:
        node.log.add("opponent-of-a-bye", second_place, f"A {kind} has no second side. Write null there.")
    return own, None
