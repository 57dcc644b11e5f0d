"""Small random valid documents."""

from typing import Any

from hypothesis import strategies as st

from tournaments.event.choices import REQUESTED
from tournaments.event.document import (
    CompetitorEntry,
    Document,
    EventEntry,
    GameEntry,
    PairingEntry,
    PlayerEntry,
    PointsAdjustment,
    PublishedEntry,
    RoundEntry,
    player_order,
)

SYSTEMS_OF_PLAYERS, SYSTEMS_OF_TEAMS = ["manual-swiss", "fide-swiss"], ["league", "fide-team-swiss"]
CRITERIA = [(), ("total-score", "manual"), ("PTS", "BH/C1", "wins", "SB"), ("TPN/R",)]

Draw = st.DrawFn
names = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=6)


@st.composite
def documents(draw: Draw) -> Document:
    """Return players or teams, at most seven, in at most three rounds."""
    boards = draw(st.none() | st.integers(1, 2))
    event = _event(draw, boards)
    numbers = draw(st.lists(st.integers(1, 12), min_size=2, max_size=7, unique=True))
    competitors = tuple(_competitor(draw, number, is_team=bool(boards)) for number in sorted(numbers))
    rounds = tuple(
        _round(draw, number, competitors, boards)
        for number in sorted(draw(st.sets(st.integers(1, event.planned_rounds), max_size=3)))
    )
    order = [[number] for number in draw(st.permutations(numbers))]
    published = draw(
        st.none() | st.just(PublishedEntry(order=order, columns={"X": {str(numbers[0]): "1.25"}}))
    )
    return Document(event, competitors, rounds, published=published)


def _event(draw: Draw, boards: int | None) -> EventEntry:
    return EventEntry(
        slug="generated",
        name=draw(names),
        discipline="chess",
        entrants="teams" if boards else "players",
        schedule=draw(st.sampled_from(["swiss", "round-robin"])),
        planned_rounds=draw(st.integers(3, 5)),
        boards=boards,
        game_win=2,
        game_draw=1,
        game_loss=0,
        system=draw(
            st.sampled_from(["league", "fide-team-swiss"] if boards else ["manual-swiss", "fide-swiss"])
        ),
        series=draw(st.sampled_from(["", "Cup", "Кубок"])),
        criteria=draw(
            st.sampled_from([(), ("total-score", "manual"), ("PTS", "BH/C1", "wins", "SB"), ("TPN/R",)])
        ),
        primary=draw(st.sampled_from(["", "game"])),
        unplayed=draw(st.sampled_from(["", "fide-2024"])),
        unrated=draw(st.sampled_from(["", "drop", "1400"])),
        bye_game=draw(st.none() | st.just(1)),
        notes=draw(names),
    )


def _competitor(draw: Draw, number: int, *, is_team: bool) -> CompetitorEntry:
    manual = draw(st.none() | st.integers(-2, 2))
    return CompetitorEntry(
        number=number,
        name=draw(st.sampled_from("ABCDEFGHIJ")),
        code=draw(st.sampled_from(["", "NED", "NED2"])),
        flag=draw(st.sampled_from(["", "FRA"])),
        rating=draw(st.none() | st.integers(0, 3000)),
        outside=draw(st.booleans()),
        club=draw(st.sampled_from(["", "Rooks"])),
        born=draw(st.sampled_from(["", "1990", "1990-05-04"])),
        categories=draw(st.sampled_from([(), ("U20",), ("W", "U20")])),
        fmjd_id=draw(st.none() | st.integers(1, 9)),
        withdrawn_after=draw(st.none() | st.integers(0, 3)),
        requested_byes=draw(st.dictionaries(st.sampled_from("123"), st.sampled_from(REQUESTED))),
        adjustments=_adjustments(draw, is_team=is_team),
        manual=manual,
        manual_after=None if manual is None else draw(st.integers(0, 3)),
        players=_players(draw) if is_team else (),
    )


def _adjustments(draw: Draw, *, is_team: bool) -> tuple[PointsAdjustment, ...]:
    """Return points of all kinds, repeated ones too, and points without a record."""
    return tuple(
        PointsAdjustment(
            round=draw(st.integers(0, 3)),
            game=draw(st.sampled_from([-3, -1, 2, 20])),
            match=draw(st.sampled_from([0, 2, -1])) if is_team else 0,
            final=draw(st.booleans()),
            reason=draw(st.sampled_from(["", "Late."])),
        )
        for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2])))
    )


def _players(draw: Draw) -> tuple[PlayerEntry, ...]:
    ids = draw(st.lists(st.integers(1, 6), max_size=3, unique=True))
    boards = draw(st.permutations([None, None, 1, 2, 3]))
    players = [
        PlayerEntry(
            name=draw(st.sampled_from(["X", "Y"])),
            fide_id=fide_id,
            board=board,
            born=draw(st.sampled_from(["", "1990"])),
        )
        for fide_id, board in zip(ids, boards, strict=False)
    ]
    if draw(st.booleans()):
        players.append(PlayerEntry(name="Z", fide_id=None, board=boards[-1]))
    return tuple(sorted(players, key=player_order))


def _round(
    draw: Draw, number: int, competitors: tuple[CompetitorEntry, ...], boards: int | None
) -> RoundEntry:
    seated: list[CompetitorEntry] = list(draw(st.permutations(competitors)))
    pairings = []
    tables = iter(sorted(draw(st.sets(st.integers(1, 9), min_size=7, max_size=7))))
    while seated:
        first = seated.pop()
        is_met: bool = draw(st.booleans())
        second = seated.pop() if seated and is_met else None
        pairings.append(_pairing(draw, next(tables), first, second, boards))
    return RoundEntry(
        number=number, state=draw(st.sampled_from(["published", "closed"])), pairings=tuple(pairings)
    )


def _pairing(
    draw: Draw, table: int, first: CompetitorEntry, second: CompetitorEntry | None, boards: int | None
) -> PairingEntry:
    most = 2 * (boards or 1)
    note = draw(st.sampled_from(["", "Late."]))
    if second is None:
        kind = draw(st.sampled_from(["bye", "half-bye", "zero-bye", "absent"]))
        score = draw(st.integers(0, most)) if kind.endswith("bye") and kind != "zero-bye" else 0
        return PairingEntry(table=table, first=first.number, kind=kind, first_score=score, note=note)
    kind = draw(st.sampled_from(["played", "played", "forfeit", "pending", "unknown"]))
    if kind in {"pending", "unknown"}:
        return PairingEntry(table=table, first=first.number, second=second.number, kind=kind, note=note)
    if kind == "forfeit":
        return PairingEntry(
            table=table,
            first=first.number,
            second=second.number,
            kind=kind,
            first_score=most,
            second_score=0,
            note=note,
        )
    games = tuple(_game(draw, board, first, second) for board in range(1, (boards or 0) + 1))
    own = sum(each.first_score or 0 for each in games) if boards else draw(st.integers(0, most))
    points: dict[str, Any] = {}
    if boards and draw(st.booleans()) and own * 2 != most:
        points = {"first_match_points": 2, "second_match_points": 2}
    return PairingEntry(
        table=table,
        first=first.number,
        second=second.number,
        kind=kind,
        first_score=own,
        second_score=most - own,
        note=note,
        games=games,
        **points,
    )


def _game(draw: Draw, board: int, first: CompetitorEntry, second: CompetitorEntry) -> GameEntry:
    score = draw(st.integers(0, 2))
    return GameEntry(
        board=board,
        first_player=draw(st.none() | st.sampled_from(first.players)) if first.players else None,
        second_player=draw(st.none() | st.sampled_from(second.players)) if second.players else None,
        white=draw(st.sampled_from(["", "first", "second"])),
        first_score=score,
        second_score=2 - score,
    )
