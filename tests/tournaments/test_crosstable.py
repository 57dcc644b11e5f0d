"""The crosstable is the same from the database and from an event file."""

import numpy as np
import pytest
from pytest_django import DjangoAssertNumQueries

from standings.engine import NEVER, BoardFigure, RoundKind, Scale
from tests.cast import create_player_event, create_team_event
from tests.demo import DEMO, EACH_DEMO_EVENT
from tournaments.crosstable import crosstable_of, entries_of, judge
from tournaments.event.arrays import CompetitorInfo, CrosstableMeeting, build_crosstable
from tournaments.event.choices import Kind as Recorded
from tournaments.event.judging import crosstable_of_document, judge_document, system_of
from tournaments.event.rules import Rules
from tournaments.interchange.formats.json.reader import read
from tournaments.models import Competitor, Event, Game, ManualTiebreak, Override, Pairing, Round
from tournaments.recording.imports.importing import import_event

pytestmark = pytest.mark.django_db

PER_ROUND = (
    "opponent",
    "kind",
    "game_points",
    "match_points",
    "advantage",
    "games",
    "colour",
    "table_number",
)
PER_COMPETITOR = ("numbers", "rating", "rating_a", "manual", "manual_after", "outside", "withdrawn_after")


@pytest.fixture
def event() -> Event:
    return create_team_event()


def test_crosstable_needs_a_query_each_for_competitors_pairings_and_boards(
    event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(3):
        crosstable_of(event)
    entries = entries_of(event)
    with django_assert_num_queries(2):
        assert crosstable_of(event, entries).names == ("Reds", "Blues", "Greens")
    players = create_player_event()
    with django_assert_num_queries(2):
        assert crosstable_of(players).boards is None


def test_match_and_bye_are_stored_in_the_arrays(event: Event) -> None:
    table = crosstable_of(event)
    assert table.names == ("Reds", "Blues", "Greens")
    assert table.primary is Scale.MATCH
    assert {name: getattr(table, name)[:, 0].tolist() for name in PER_ROUND} == {
        "opponent": [1, 0, -1],
        "kind": [RoundKind.PLAYED, RoundKind.PLAYED, RoundKind.BYE],
        "game_points": [3, 1, 4],
        "match_points": [4, 0, 4],
        "advantage": [0, 0, 0],
        "games": [1, 1, 0],
        "colour": [1, -1, 0],
        "table_number": [1, 1, 2],
    }


def test_board_figures_are_counted_for_both_sides(event: Event) -> None:
    """Boards: won in three games; drawn with advantage for Blues; won by forfeit; lost by both; unknown."""
    match = Pairing.objects.get(table=1)
    Game.objects.filter(board=1).update(games_played=3)
    Game.objects.filter(board=2).update(advantage="second")
    Game.objects.create(pairing=match, board=3, kind=Recorded.FORFEIT, first_score=0, second_score=2)
    Game.objects.create(pairing=match, board=4, kind=Recorded.FORFEIT, first_score=0, second_score=0)
    Game.objects.create(pairing=match, board=5, kind=Recorded.UNKNOWN)
    boards = crosstable_of(event).boards
    assert boards is not None
    figures = [{each.name: int(boards[row, 0, each]) for each in BoardFigure} for row in range(3)]
    both = {"RECORDED": 4, "UNKNOWN": 1}
    reds = {"WON": 1, "LOST": 2, "PLUS": 0, "MINUS": 1, "GAMES_WON": 3, "GAMES_LOST": 0}
    blues = {"WON": 1, "LOST": 2, "PLUS": 1, "MINUS": 0, "GAMES_WON": 0, "GAMES_LOST": 3}
    assert figures == [reds | both, blues | both, dict.fromkeys(reds | both, 0)]


def test_round_without_pairings_has_no_column(event: Event) -> None:
    assert Round.objects.filter(event=event).count() == 2
    assert crosstable_of(event).rounds == 1


def test_stored_match_points_override_the_score(event: Event) -> None:
    Pairing.objects.filter(table=1).update(first_match_points=0, second_match_points=2)
    assert crosstable_of(event).match_points[:, 0].tolist() == [0, 2, 4]


def test_facts_of_competitors_reach_the_engine() -> None:
    event = create_player_event()
    Competitor.objects.filter(name="Ann").update(rating=2300, rating_class="a", withdrawn_after=1)
    Competitor.objects.filter(name="Bea").update(rating=2200, rating_class="b", outside=True)
    ManualTiebreak.objects.create(competitor=Competitor.objects.get(name="Bea"), number=-2)
    table = crosstable_of(event)
    assert {name: getattr(table, name).tolist() for name in PER_COMPETITOR} == {
        "numbers": [1, 2],
        "rating": [2300, 2200],
        "rating_a": [True, False],
        "manual": [0, -2],
        "manual_after": [1, 1],
        "outside": [False, True],
        "withdrawn_after": [1, NEVER],
    }
    assert table.games_each == 1


@pytest.mark.parametrize(
    ("facts", "games"),
    [({"schedule": "swiss"}, 0), ({"schedule": "round-robin"}, 1), ({"schedule": "double-round-robin"}, 2)],
)
def test_scheduled_games_reach_the_engine(facts: dict[str, str], games: int) -> None:
    event = create_player_event()
    for name, value in facts.items():
        setattr(event, name, value)
    assert crosstable_of(event).games_each == games


def test_switches_reach_the_engine(event: Event) -> None:
    event.primary, event.unplayed = "game", "fmjd"
    event.wins_count_byes, event.withdrawal_at_half = True, Event.WithdrawalAtHalf.ANNUL
    table = crosstable_of(event)
    assert (table.primary, table.policy.code, table.byes_are_wins, table.half_annuls) == (
        "game",
        "fmjd",
        True,
        True,
    )


def test_advantage_and_micro_match_are_read_from_both_sides() -> None:
    event = create_player_event()
    Pairing.objects.update(first_score=2, second_score=2, advantage="second", games_played=3)
    table = crosstable_of(event)
    assert (table.advantage[:, 0].tolist(), table.games[:, 0].tolist()) == ([-1, 1], [3, 3])


def test_competitor_of_another_event_in_a_pairing_is_an_error() -> None:
    meeting = CrosstableMeeting(1, 1, 1, 7, "", "played", 4, 0, None, None, "", None)
    with pytest.raises(ValueError, match="competitor 7, but there is no such"):
        build_crosstable(Rules.of(create_player_event()), [CompetitorInfo(1, 1, "Ann")], [meeting])


def test_event_criteria_replace_those_of_the_system(event: Event) -> None:
    assert system_of(event).criteria == ("match-points", "dsb", "game-points", "dsmp")
    event.criteria = ["wins"]
    assert system_of(event).criteria == ("wins",)
    event.system = "league"
    assert system_of(event).criteria == ("wins",)
    event.criteria = []
    assert system_of(event).criteria == ("match-points", "game-points", "direct-encounter", "manual")


def test_only_overrides_in_force_are_applied(
    event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    about = {"event": event, "reason": "a ruling", "by": "Arbiter"}
    blues = Competitor.objects.get(event=event, name="Blues")
    Override.objects.create(number=1, kind="place", competitor=blues, place=1, after=1, **about)
    undone = Override.objects.create(number=2, kind="pairing", round=1, table=1, **about)
    Override.objects.create(number=3, kind="undo", undoes=undone, **about)
    Override.objects.create(
        number=4, kind="value", competitor=blues, criterion="dsb", levels=["372.5"], **about
    )
    with django_assert_num_queries(4):
        place, value = judge(event).overrides
    assert (place.kind, place.competitor, place.place, place.after) == ("place", 1, 1, 1)
    assert (value.kind, value.criterion, [str(level) for level in value.levels]) == (
        "value",
        "dsb",
        ["745/2"],
    )
    assert value.after == 1  # the current round by default


@pytest.mark.parametrize("slug", EACH_DEMO_EVENT)
def test_database_and_file_give_the_same_crosstable(slug: str) -> None:
    path = DEMO / f"{slug}.json"
    document = read(path).accepted
    assert document is not None
    from_file = crosstable_of_document(document)
    import_event(path, announce=lambda _: None)
    event = Event.objects.get(slug=document.event.slug)
    recorded = crosstable_of(event)
    for name in (*PER_ROUND, *PER_COMPETITOR):
        assert np.array_equal(getattr(recorded, name), getattr(from_file, name)), name
    assert recorded.names == from_file.names
    assert (recorded.boards is None) == (from_file.boards is None) == (not event.is_team)
    assert np.array_equal(recorded.boards, from_file.boards)  # type: ignore[arg-type]  # None equals None
    assert (recorded.scoring, recorded.primary) == (from_file.scoring, from_file.primary)
    assert judge(event).overrides == judge_document(document).overrides
