"""Convert the rules, competitors and meetings of an event to the arrays of a crosstable."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, NamedTuple, Protocol

import numpy as np

from standings.engine import (
    NEVER,
    POLICIES,
    BoardFigure,
    Crosstable,
    Ints,
    PublishedRanking,
    RoundKind,
    Scale,
    Scoring,
)
from tournaments.event import choices
from tournaments.event.choices import NO_COLOURS, NO_ROUND_ORDER
from tournaments.event.rules import Rules
from tournaments.event.values import DROPPED

SIDE_FIGURES = {
    "opponent": -1,
    "kind": int(RoundKind.ABSENT),
    "game_points": 0,
    "match_points": -1,  # if they follow from the game points
    "advantage": 0,
    "games": 0,
    "colour": 0,
    "table_number": 0,
    "delayed": 0,
}
"""The arrays that every pairing fills for both sides, with their values for a round without a pairing."""

KINDS = {kind.value: int(RoundKind[kind.name]) for kind in choices.Kind}
SIDES = {"": 0, "first": 1, "second": -1}
"""The side with an advantage; or the side that has White, as the colour of the first: 1 White, -1 Black."""
DELAYS = {"": 0, **{each.value: at for at, each in enumerate(choices.Delay, start=1)}}

PER_BOARD = ("board_points", "board_kind", "board_colour")

POINTS_LABELS = frozenset({"pts", "pt", "points", "mp", "total", "score"})
"""Labels of published columns that contain points, in lower case."""

UNRATED = {"": None, DROPPED: 0}
"""The value that the engine needs for each rule for unrated competitors; any other rule is a rating."""

CYCLES = {choices.Schedule.ROUND_ROBIN.value: 1, choices.Schedule.DOUBLE_ROUND_ROBIN.value: 2}


class EventScoring(Protocol):
    """The scoring of an event, in half-points. The model, the document's event and `Rules` implement it."""

    @property
    def is_team(self) -> bool: ...
    @property
    def is_round_robin(self) -> bool: ...
    @property
    def boards(self) -> int | None: ...
    @property
    def game_win(self) -> int: ...
    @property
    def game_draw(self) -> int: ...
    @property
    def game_loss(self) -> int: ...
    @property
    def game_results(self) -> str: ...
    @property
    def match_win(self) -> int: ...
    @property
    def match_draw(self) -> int: ...
    @property
    def match_loss(self) -> int: ...
    @property
    def bye_game(self) -> int | None: ...
    @property
    def bye_match(self) -> int | None: ...


class PublishedOrder(Protocol):
    """The final standings of a source. The model and the document's entry implement it.

    `order`: lists of the numbers that share a place. `columns`: label → number → figure as text.
    """

    @property
    def order(self) -> Sequence[Sequence[int]]: ...
    @property
    def columns(self) -> Mapping[str, Mapping[str, str]]: ...
    @property
    def publisher(self) -> str: ...
    @property
    def source(self) -> str: ...


class CompetitorInfo(NamedTuple):
    """A competitor in tables. `key`: identifies it in meetings. Texts are only printed and filtered by.

    `birth_year`: blank if unknown; the full date of birth is never passed. `adjustments`: the bonus and
    penalty points as `PointsAdjustment` dicts.
    """

    key: int
    number: int
    name: str
    rating: int | None = None
    rating_class: str = ""
    outside: bool = False
    withdrawn_after: int | None = None
    manual: int | None = None
    manual_after: int | None = None
    code: str = ""
    flag: str = ""
    title: str = ""
    birth_year: str = ""
    adjustments: Sequence[Mapping[str, Any]] = ()
    pairing_number: int | None = None
    club: str = ""
    city: str = ""
    sex: str = ""
    categories: Sequence[str] = ()


class CrosstableMeeting(NamedTuple):
    """A pairing in the crosstable: competitors by key, scores in half-points."""

    round: int
    table: int
    first: int
    second: int | None
    colours: str
    kind: str
    first_score: int | None
    second_score: int | None
    first_match_points: int | None
    second_match_points: int | None
    advantage: str
    games_played: int | None
    delayed: str = ""


class CrosstableBoard(NamedTuple):
    """A board of the match at that table of that round. Scores in half-points; `white`: a side, or blank."""

    round: int
    table: int
    board: int
    white: str
    kind: str
    first_score: int | None
    second_score: int | None
    advantage: str
    games_played: int | None


def scoring_of(event: EventScoring) -> Scoring:
    return Scoring(
        game_win=event.game_win,
        game_draw=event.game_draw,
        match_win=event.match_win,
        match_draw=event.match_draw,
        match_loss=event.match_loss,
        boards=event.boards or 1,
        listed=bool(event.game_results),
    )


def build_crosstable(
    rules: Rules,
    entries: Sequence[CompetitorInfo],
    meetings: Sequence[CrosstableMeeting],
    boards: Sequence[CrosstableBoard] = (),
    planned_rounds: int = 0,
    unknown: Collection[str] = (),
    published: PublishedOrder | None = None,
) -> Crosstable:
    """Return the arrays of an event: a row per entry, a column per round up to the last that has a pairing.

    `planned_rounds`: the rounds of the event, 0 for the number of columns. `unknown`: the facts that the
    event does not know (`choices.UnknownFact`). `published`: the published standings, which are the ranking
    if the results are unknown. Boards without a match are ignored. Raise ValueError if a meeting has a key
    that no entry has.
    """
    if choices.UnknownFact.RESULTS in unknown:
        meetings = boards = ()  # incomplete results do not count
    of, met = _columns_of_records(CompetitorInfo, entries), _columns_of_records(CrosstableMeeting, meetings)
    rounds = max(met.round, default=0)
    scoring = scoring_of(rules)
    usual_primary = Scale.MATCH if rules.is_team else Scale.GAME
    arrays = _per_round(scoring, of.key, met, rounds)
    on_boards = _on_boards(scoring, arrays, of.key, met, boards) if rules.is_team else {}
    if not NO_COLOURS.isdisjoint(unknown):
        arrays["colour"][:] = 0
        if "board_colour" in on_boards:
            on_boards["board_colour"][:] = 0
    return Crosstable.of(
        tuple(of.name),
        rounds,
        scoring=scoring,
        primary=Scale(rules.primary) if rules.primary else usual_primary,
        unplayed=POLICIES[rules.unplayed] if rules.unplayed else None,
        games_each=(len(entries) - 1) * CYCLES.get(rules.schedule, 0),
        byes_are_wins=rules.wins_count_byes,
        half_annuls=rules.withdrawal_at_half == choices.WithdrawalAtHalf.ANNUL,
        numbers=_with_missing_as(of.number),
        pairing_numbers=_with_missing_as(
            [own or number for own, number in zip(of.pairing_number, of.number, strict=True)]
        ),
        rating=_with_missing_as(of.rating),
        rating_a=np.array([rating_class == "a" for rating_class in of.rating_class], dtype=bool),
        manual=_with_missing_as(of.manual),
        manual_after=_with_missing_as(of.manual_after, missing=rounds),
        outside=np.array(of.outside, dtype=bool),
        withdrawn_after=_with_missing_as(of.withdrawn_after, missing=NEVER),
        planned_rounds=max(planned_rounds, rounds),
        unrated=UNRATED.get(rules.unrated, int(rules.unrated) if rules.unrated.isdigit() else None),
        **_bonuses(of.adjustments, rounds, max(planned_rounds, rounds)),
        order_known=NO_ROUND_ORDER.isdisjoint(unknown),
        published=_ranking(of.number, published) if choices.UnknownFact.RESULTS in unknown else None,
        **on_boards,
        **arrays,
    )


def published_places(order: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
    """Yield (number, place). Shared places and empty lists (missing places) count for the next."""
    place = 1
    for sharing in order:
        for number in sharing:
            yield number, place
        place += max(len(sharing), 1)


def order_of_places(places: Mapping[int, int], most: int) -> list[list[int]]:
    """Return the numbers by place, as in `published_places`. A place from `most` on has no gap before it."""
    sharing: dict[int, list[int]] = {}
    for number, place in places.items():
        sharing.setdefault(place, []).append(number)
    order: list[list[int]] = []
    following = 1
    for place in sorted(sharing):
        order += [[]] * (place - following) if place < most else []
        order.append(sharing[place])
        following = max(place, following) + len(sharing[place])
    return order


def _ranking(numbers: Sequence[int], published: PublishedOrder | None) -> PublishedRanking:
    places = dict(published_places(published.order)) if published else {}
    columns = published.columns if published else {}
    return PublishedRanking(
        _with_missing_as([places.get(number, 0) for number in numbers]),
        # A database may change the order of JSON keys. Columns of points are usually the first ones.
        {
            label: [columns[label].get(str(number), "") for number in numbers]
            for label in sorted(columns, key=lambda label: (label.casefold() not in POINTS_LABELS, label))
        },
        (published.publisher or ("" if "://" in published.source else published.source)) if published else "",
    )


def _bonuses(
    adjustments: Sequence[Sequence[Mapping[str, Any]]], rounds: int, planned_rounds: int
) -> dict[str, Ints]:
    n = len(adjustments)
    shapes = {"{}_bonus": (n, rounds), "final_{}_bonus": (n,), "coming_{}_bonus": (n,)}
    bonuses = {
        name.format(score): np.zeros(shape, dtype=np.int64)
        for name, shape in shapes.items()
        for score in Scale
    }
    for row, given in enumerate(adjustments):
        for each in given:
            column = max(each["round"], 1) - 1
            for score in Scale:
                if each["final"]:
                    bonuses[f"final_{score}_bonus"][row] += each[score]
                elif column < rounds:
                    bonuses[f"{score}_bonus"][row, column] += each[score]
                elif column < planned_rounds:
                    bonuses[f"coming_{score}_bonus"][row] += each[score]
    return bonuses


def _per_round(scoring: Scoring, keys: Sequence[int], of: SimpleNamespace, rounds: int) -> dict[str, Ints]:
    """Return the (entries, rounds) arrays, from both sides of every meeting. `of`: meetings as columns."""
    row_of = {key: row for row, key in enumerate(keys)}
    first, second = _row_indexes(row_of, of.first), _row_indexes(row_of, of.second)
    kind = np.array([KINDS[kind] for kind in of.kind], dtype=np.int64)
    advantage = np.array([SIDES[better] for better in of.advantage], dtype=np.int64)
    delayed = np.array([DELAYS[mark] for mark in of.delayed], dtype=np.int64)
    games = _with_missing_as(of.games_played, missing=-1)
    games = np.where(games < 0, kind == RoundKind.PLAYED, games)
    are_known = np.array([not each for each in of.colours], dtype=bool)
    colour = np.where((second >= 0) & are_known, 1, 0)
    column, table = _with_missing_as(of.round) - 1, _with_missing_as(of.table)
    arrays = {name: np.full((len(keys), rounds), blank) for name, blank in SIDE_FIGURES.items()}
    for own, other, score, match_points, side in (
        (first, second, of.first_score, of.first_match_points, 1),
        (second, first, of.second_score, of.second_match_points, -1),
    ):
        figures = (
            other,
            kind,
            _with_missing_as(score),
            _with_missing_as(match_points, missing=-1),
            side * advantage,
            games,
            side * colour,
            table,
            delayed,
        )
        # A bye has no second side.
        has_competitor = own >= 0
        at = own[has_competitor], column[has_competitor]
        for array, values in zip(arrays.values(), figures, strict=True):
            array[at] = values[has_competitor]
    own, given = arrays["game_points"], arrays["match_points"]
    theirs = own[arrays["opponent"], np.arange(rounds)] if own.size else own
    follow = scoring.match_points(own, theirs, arrays["kind"])
    return arrays | {"match_points": np.where(given >= 0, given, follow)}


def _on_boards(
    scoring: Scoring,
    arrays: dict[str, Ints],
    keys: Sequence[int],
    met: SimpleNamespace,
    boards: Sequence[CrosstableBoard],
) -> dict[str, Ints]:
    """Return `boards`, (entries, rounds, BoardFigure), and PER_BOARD, (entries, rounds, boards).

    Both sides of every match are filled. Without boards there is only `boards`.
    """
    figures = np.zeros((*arrays["kind"].shape, len(BoardFigure)), dtype=np.int64)
    row_of = {key: row for row, key in enumerate(keys)}
    sides_at = {
        (number, table): (row_of[first], row_of[second])
        for number, table, first, second in zip(met.round, met.table, met.first, met.second, strict=True)
        if second is not None
    }
    # The match of a board may be in a draft, which is left out.
    matched = [board for board in boards if (board.round, board.table) in sides_at]
    if not matched:
        return {"boards": figures}
    played = _columns_of_records(CrosstableBoard, matched)
    sides = [sides_at[board.round, board.table] for board in matched]
    column = _with_missing_as(played.round) - 1
    kind = np.array([KINDS[kind] for kind in played.kind], dtype=np.int64)
    advantage = np.array([SIDES[better] for better in played.advantage], dtype=np.int64)
    games = _with_missing_as(played.games_played, missing=-1)
    games = np.where(games < 0, kind == RoundKind.PLAYED, games)
    known = (kind == RoundKind.PLAYED) | (kind == RoundKind.FORFEIT)
    as_game = replace(scoring, boards=1, match_win=4, match_draw=2, match_loss=0)
    scores = _with_missing_as(played.first_score), _with_missing_as(played.second_score)
    number = _with_missing_as(played.board) - 1
    shape = (*arrays["kind"].shape, max(scoring.boards, int(number.max()) + 1))
    by_board = {name: np.zeros(shape, dtype=np.int64) for name in PER_BOARD}
    white = np.array([SIDES[side] for side in played.white], dtype=np.int64)
    worth = [as_game.match_points(*sides_of, kind) for sides_of in (scores, scores[::-1])]
    for side, row in enumerate(np.array(sides).T):
        outcome = np.where(known, as_game.outcome(worth[side], worth[1 - side]), 0)
        better = advantage if side == 0 else -advantage
        for figure, amounts in (
            (BoardFigure.WON, outcome > 0),
            (BoardFigure.LOST, outcome < 0),
            (BoardFigure.PLUS, better > 0),
            (BoardFigure.MINUS, better < 0),
            (BoardFigure.GAMES_WON, games * (outcome > 0)),
            (BoardFigure.GAMES_LOST, games * (outcome < 0)),
            (BoardFigure.RECORDED, known),
            (BoardFigure.UNKNOWN, ~known),
        ):
            np.add.at(figures[:, :, figure], (row, column), amounts)
        at = row, column, number
        values = scores[side], kind, white if side == 0 else -white
        for array, amounts in zip(by_board.values(), values, strict=True):
            array[at] = amounts
    return {"boards": figures, **by_board}


def _columns_of_records(kind: type[NamedTuple], records: Sequence[NamedTuple]) -> SimpleNamespace:
    values = zip(*records, strict=True) if records else [()] * len(kind._fields)
    return SimpleNamespace(**dict(zip(kind._fields, values, strict=True)))


def _row_indexes(row_of: dict[int, int], keys: Iterable[int | None]) -> Ints:
    try:
        return np.array([-1 if key is None else row_of[key] for key in keys], dtype=np.int64)
    except KeyError as stranger:
        raise ValueError(
            f"a pairing names competitor {stranger}, but there is no such competitor"
        ) from stranger


def _with_missing_as(given: Iterable[int | None], missing: int = 0) -> Ints:
    # numpy converts arrays with None to floats, and scores must stay integers.
    return np.array([missing if value is None else value for value in given], dtype=np.int64)
