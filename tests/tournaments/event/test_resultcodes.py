"""Format and parse results."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tournaments.event.choices import Kind
from tournaments.event.resultcodes import (
    PairingResult,
    ResultError,
    read_game,
    read_match,
    read_round_off,
    recorded_text,
    result_keys,
    result_text,
    side_texts,
)
from tournaments.models import Event, Pairing

PLAYERS = {"entrants": "players", "schedule": "swiss"}
CHESS = Event(**PLAYERS, game_win=2, game_draw=1)
DRAUGHTS = Event(**PLAYERS, game_win=4, game_draw=2)
THREE_POINTS = Event(**PLAYERS, game_win=6, game_draw=2)
DELFT = Event(**PLAYERS, game_win=24, game_draw=12)
TEAMS = Event(entrants="teams", schedule="swiss", boards=4, game_win=2, game_draw=1)
SCORINGS = (CHESS, DRAUGHTS, THREE_POINTS, DELFT)


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        (("played", 4, 0), "2-0"),
        (("played", 1, 1), "½-½"),
        (("played", 7, 1), "3½-½"),
        (("played", 2, 2, "first"), "1+ 1-"),
        (("played", 2, 2, "second"), "1- 1+"),
        (("played", 24, 0), "12-0"),
        (("forfeit", 4, 0), "+ -"),
        (("forfeit", 0, 4), "- +"),
        (("forfeit", 0, 0), "- -"),
        (("forfeit", 4, 4), "= ="),
        (("forfeit", 6, 2), "+ -"),
        (("bye", 4, None), "BYE"),
        (("half-bye", 2, None), "½bye"),
        (("zero-bye", 0, None), "0bye"),
        (("absent", 0, None), "–"),
        (("unknown", None, None), "?"),
        (("pending", None, None), ""),
    ],
)
def test_printed(facts: tuple[str, int | None, int | None], text: str) -> None:
    assert result_text(*facts) == text


def test_each_side_for_itself() -> None:
    assert side_texts("played", 3, 5) == ("1½", "2½")
    assert side_texts("forfeit", 4, 0) == ("+", "-")
    assert side_texts("bye", 4, None) == ("BYE", "")


@pytest.mark.parametrize(
    ("texts", "printed"),
    [
        (("1", "1-0", "1:0", "1–0", " 1 - 0 ", "1.0-0.0", "1,0-0"), "1-0"),
        (("0", "0-1"), "0-1"),
        (("=", "5", "½", "½-½", "0.5-0.5", "0,5:0,5", "1/2-1/2", "1/2"), "½-½"),
        (("+", "+-", "+ -", "+/-", "+:-", "+–"), "+ -"),
        (("-", "-+", "- +", "-/+"), "- +"),
        (("x", "X", "--", "- -", "-/-"), "- -"),
        (("==", "= =", "=/="), "= ="),
        (("?",), "?"),
        (("", "  "), ""),
    ],
)
def test_typed_in_chess(texts: tuple[str, ...], printed: str) -> None:
    assert {str(read_game(text, CHESS)) for text in texts} == {printed}


@pytest.mark.parametrize(
    ("texts", "printed"),
    [
        (("2", "2-0", "2:0"), "2-0"),
        (("1", "=", "5", "½", "1/2", "1-1"), "1-1"),
        (("0", "0-2"), "0-2"),
        (("w", "W", "1+ 1-", "1+-1-", "1+1-", "1+:1-"), "1+ 1-"),
        (("b", "1- 1+", "1--1+", "1-1+"), "1- 1+"),
    ],
)
def test_typed_in_draughts(texts: tuple[str, ...], printed: str) -> None:
    assert {str(read_game(text, DRAUGHTS)) for text in texts} == {printed}


def test_white_may_sit_second() -> None:
    assert str(read_game("w", DRAUGHTS, white="second")) == "1- 1+"
    with pytest.raises(ResultError, match="White"):
        read_game("w", DRAUGHTS, white="")


@pytest.mark.parametrize(
    ("text", "printed"),
    [("3", "3-0"), ("1", "1-1"), ("=", "1-1"), ("0", "0-3"), ("3-0", "3-0"), ("+", "+ -")],
)
def test_typed_in_three_points(text: str, printed: str) -> None:
    assert str(read_game(text, THREE_POINTS)) == printed


def test_points_of_a_side_determine_those_of_the_other_if_the_sum_is_fixed() -> None:
    assert str(read_game("12", DELFT)) == "12-0"
    assert str(read_game("5", DELFT)) == "5-7"
    assert str(read_game("=", DELFT)) == "6-6"


def test_games_of_a_micro_match() -> None:
    assert read_game("2-0 g3", DRAUGHTS) == PairingResult(Kind.PLAYED, 4, 0, games_played=3)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("3½-½", "3½-½"),
        ("2½:1½", "2½-1½"),
        ("3.5-0.5", "3½-½"),
        ("2-2", "2-2"),
        ("+", "+ -"),
        ("?", "?"),
        ("", ""),
    ],
)
def test_typed_for_a_match(text: str, printed: str) -> None:
    assert str(read_match(text, TEAMS)) == printed


@pytest.mark.parametrize(
    ("text", "scores", "printed"),
    [
        ("==", (4, 4), "= ="),
        ("== 2-2", (4, 4), "= ="),
        ("+- 3-1", (6, 2), "+ - (3-1)"),
        ("- + (½-3½)", (1, 7), "- + (½-3½)"),
        ("+ - 3-0", (6, 0), "+ - (3-0)"),
        ("= = (1-1)", (2, 2), "= = (1-1)"),
    ],
)
def test_a_forfeit_with_a_score_of_its_own(text: str, scores: tuple[int, int], printed: str) -> None:
    result = read_match(text, TEAMS)
    assert result == PairingResult(Kind.FORFEIT, *scores)
    row = Pairing(kind=Kind.FORFEIT, first_score=scores[0], second_score=scores[1])
    assert recorded_text(TEAMS, row) == printed
    assert read_match(printed, TEAMS) == result


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("+- 1-3", "Type -\\+ 1-3"),
        ("== 3-1", "Type \\+- 3-1"),
        ("=-", "Both sides cannot win by forfeit"),
        ("+- 5-0", "at most 4"),
    ],
)
def test_forfeit_with_contradictory_signs_and_score_is_refused(text: str, why: str) -> None:
    with pytest.raises(ResultError, match=why):
        read_match(text, TEAMS)


def test_a_match_that_cannot_be_halved_is_typed_with_its_score() -> None:
    odd = Event(entrants="teams", schedule="swiss", boards=1, game_win=3, game_draw=1)
    with pytest.raises(ResultError, match="cannot be halved"):
        read_match("==", odd)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("y", "bye"),
        ("bye", "bye"),
        ("BYE", "bye"),
        ("½bye", "half-bye"),
        ("=", "half-bye"),
        ("0bye", "zero-bye"),
        ("0", "zero-bye"),
        ("–", "absent"),
        ("-", "absent"),
    ],
)
def test_typed_for_a_round_off(text: str, kind: str) -> None:
    points = {"bye": 2, "half-bye": 1}
    assert read_round_off(text, CHESS) == PairingResult(Kind(kind), points.get(kind, 0))


@pytest.mark.parametrize(
    ("text", "event", "why"),
    [
        ("2-0", CHESS, "at most 1"),
        ("2-2", CHESS, "at most 1"),
        ("1-1", CHESS, "share 1"),
        ("½-½", DRAUGHTS, "share 2"),
        ("1½-½", DRAUGHTS, "whole points"),
        ("2-1", THREE_POINTS, "ends 3-0, 1-1, 0-3"),
        ("13", DELFT, "Type 12-0, 6-6, 0-12"),
        ("¼-¾", CHESS, "Type 1-0, ½-½, 0-1"),
        ("0.25-0.75", CHESS, "not a multiple of half a point"),
        ("++", CHESS, "Both sides"),
        ("1+ 1+", DRAUGHTS, "on one side"),
        ("2+ 0-", DRAUGHTS, "on one side"),
        ("w", CHESS, "draughts"),
        ("bye", CHESS, "no result of a game"),
        ("–", CHESS, "no result of a game"),
        ("1-0-0", CHESS, "no result of a game"),
        ("9" * 400, CHESS, "too long"),
    ],
)
def test_impossible_game_result_is_refused_with_the_reason(text: str, event: Event, why: str) -> None:
    with pytest.raises(ResultError, match=why):
        read_game(text, event)


@pytest.mark.parametrize(
    ("text", "why"), [("3", "both sides"), ("5-0", "at most 4"), ("3-2", "together"), ("bye", "3½-½")]
)
def test_impossible_match_result_is_refused(text: str, why: str) -> None:
    with pytest.raises(ResultError, match=why):
        read_match(text, TEAMS)


@pytest.mark.parametrize("text", ["", "1-0", "?", "1"])
def test_invalid_round_off_is_refused(text: str) -> None:
    with pytest.raises(ResultError, match="bye"):
        read_round_off(text, CHESS)


def test_a_referee_may_decide_unevenly() -> None:
    assert str(read_game("½-0", CHESS, note="Decided by the referee.")) == "½-0"
    with pytest.raises(ResultError):
        read_game("½-0", CHESS)


@pytest.mark.parametrize("text", ["p", "Postponed"])
def test_postponed_game_has_no_result(text: str) -> None:
    expected = PairingResult(Kind.PENDING, delayed="postponed")
    assert read_game(text, CHESS) == read_match(text, TEAMS) == expected


def test_the_keys_of_an_event() -> None:
    forfeits = {"+": "+ -", "-": "- +", "x": "- -", "?": "?", "p": "postponed", "j": "adjourned"}
    assert result_keys(CHESS) == {"1": "1-0", "=": "½-½", "5": "½-½", "0": "0-1", **forfeits}
    assert result_keys(DRAUGHTS) == {
        "2": "2-0", "1": "1-1", "=": "1-1", "5": "1-1", "0": "0-2", "w": "1+ 1-", "b": "1- 1+", **forfeits,
    }  # fmt: skip


def possible_games(event: Event) -> some.SearchStrategy[PairingResult]:
    """Every result of a game that the scoring can give."""
    win, draw = event.game_win, event.game_draw
    ends = [
        PairingResult(Kind.PLAYED, win, 0),
        PairingResult(Kind.PLAYED, draw, draw),
        PairingResult(Kind.PLAYED, 0, win),
    ]
    ends += [PairingResult(Kind.PLAYED, draw, draw, side) for side in ("first", "second")]
    ends += [
        PairingResult(Kind.FORFEIT, win, 0),
        PairingResult(Kind.FORFEIT, 0, win),
        PairingResult(Kind.FORFEIT, 0, 0),
    ]
    if 2 * draw == win:
        ends += [PairingResult(Kind.PLAYED, own, win - own) for own in range(0, win + 1, 1 + (draw % 2 == 0))]
    return some.sampled_from([*ends, PairingResult(Kind.UNKNOWN), PairingResult(Kind.PENDING)])


@given(
    some.sampled_from(SCORINGS).flatmap(lambda event: some.tuples(some.just(event), possible_games(event)))
)
def test_every_game_that_is_printed_is_read(case: tuple[Event, PairingResult]) -> None:
    event, result = case
    assert read_game(str(result), event) == result


@given(some.integers(1, 12), some.data())
def test_every_match_that_is_printed_is_read(boards: int, data: some.DataObject) -> None:
    event = Event(entrants="teams", schedule="swiss", boards=boards, game_win=2, game_draw=1)
    first = data.draw(some.integers(0, 2 * boards))
    second = data.draw(some.integers(0, 2 * boards - first))
    result = PairingResult(Kind.PLAYED, first, second)
    assert read_match(str(result), event) == result


@pytest.mark.parametrize("kind", ["bye", "half-bye", "zero-bye", "absent"])
@pytest.mark.parametrize("event", [*SCORINGS, TEAMS])
def test_every_round_off_that_is_printed_is_read(kind: str, event: Event) -> None:
    assert read_round_off(result_text(kind, 0, None), event).kind == kind


@given(some.text(max_size=12), some.sampled_from(SCORINGS))
def test_any_text_is_a_result_or_refused(text: str, event: Event) -> None:
    for read in (read_game, read_match, read_round_off):
        try:
            result = read(text, event)
        except ResultError:
            continue
        assert read(str(result), event).kind == result.kind
