"""Expected scores and rating changes: figures published by FIDE, editions of the rules, and properties."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from standings.statistics.ratings import (
    RATING_RULES,
    KReason,
    Missing,
    PlayerRating,
    RatedGame,
    rules_in_force,
)
from tournaments.models import Event

WON, DRAWN, LOST = 2, 1, 0


def rated_event(
    discipline: str = "chess",
    start: str = "2026-05-01",
    rated_as: str = "standard",
    ratings_from: str = "",
) -> Event:
    return Event(discipline=discipline, start=start, rated_as=rated_as, ratings_from=ratings_from)


def player(
    rating: int,
    *results: tuple[int, int],
    start: str = "2026-05-01",
    born: int | None = None,
    discipline: str = "chess",
) -> PlayerRating:
    """Return a player with games as (rating of the opponent, half-points of 2)."""
    games = tuple(
        RatedGame(number, None, theirs, points) for number, (theirs, points) in enumerate(results, start=1)
    )
    return PlayerRating(rating, games, rules_in_force(rated_event(discipline, start)), born)


def change_of(rating: PlayerRating) -> int:
    assert rating.change is not None
    return rating.change.change


def expected_of(rating: PlayerRating) -> list[int]:
    """Return the expected score of each game, per cent."""
    assert rating.change is not None
    return [each.expected for each in rating.change.games]


QUEENSLAND = (
    (1063, WON),
    (1299, WON),
    (1413, WON),
    (1872, DRAWN),
    (1851, LOST),
    (1427, WON),
    (1682, WON),
)


class TestPublishedCalculations:
    """Figures of FIDE's rating server and press releases."""

    def test_limit_applies_to_one_game_only_under_rules_of_2022(self) -> None:
        """A calculation of ratings.fide.com, quoted at chesschat.org (thread 18971)."""
        rating = player(2000, *QUEENSLAND, start="2022-10-29")
        assert rating.change is not None
        assert [each.gain for each in rating.change.games] == [8, 1, 2, -17, -70, 2, 13]
        assert (rating.change.gain, rating.change.coefficient.k, rating.change.change) == (-61, 20, -1220)
        assert rating.change.whole == -12

    def test_limit_applies_to_every_game_before_and_after(self) -> None:
        # Four games at .08, according to the same author: 1.6 each.
        for start in ("2021-12-31", "2024-03-01"):
            rating = player(2000, *QUEENSLAND, start=start)
            assert rating.change is not None
            assert [each.gain * 20 for each in rating.change.games][:3] == [160, 160, 160]
            assert rating.change.change == -61 * 20 + (7 + 6 + 6) * 20

    def test_wins_of_a_top_player_until_october_2025(self) -> None:
        """Eleven wins against opponents of at most 2250 gave 0.8 each (ChessBase, 30 September 2025)."""
        assert change_of(player(2807, *11 * [(2250, WON)], start="2025-09-18")) == 11 * 80
        assert change_of(player(2807, (2250, WON), start="2025-10-01")) == 30  # a difference of 557: .97

    def test_both_sides_of_a_game_since_october_2025(self) -> None:
        """FIDE's calculations of December 2025: expected scores of 2813 against 2400 are .93 and .08."""
        assert expected_of(player(2813, (2400, WON), start="2025-10-31")) == [93]
        assert expected_of(player(2400, (2813, LOST), start="2025-10-31")) == [8]

    def test_half_a_point_is_rounded_away_from_zero(self) -> None:
        """FIDE rounded −2.50 to −3 (December 2025)."""
        odd = player(2500, (2325, DRAWN), (2489, DRAWN))  # −.23 − .02
        assert (change_of(odd), odd.change and odd.change.whole) == (-250, -3)

    def test_k_is_limited_by_the_number_of_games(self) -> None:
        """39 games with K 20 were rated with K 17 (FIDE's list of October 2026)."""
        rating = player(2000, *39 * [(2000, WON)])
        assert rating.change is not None
        assert rating.change.coefficient == (20, KReason.UNDER, 17)
        assert rating.change.change == 39 * 50 * 17


@pytest.mark.parametrize(("games", "k"), [(35, 20), (36, 19), (1, 20)])  # 35 × 20 = 700 is within the limit
def test_k_at_the_limit_of_700(games: int, k: int) -> None:
    change = player(2000, *games * [(2000, WON)]).change
    assert change is not None
    assert change.coefficient.k == k


@pytest.mark.parametrize(
    ("rating", "start", "born", "k", "reason"),
    [
        (2400, "2026-05-01", 2010, 10, KReason.TOP),
        (2399, "2026-05-01", None, 20, KReason.UNDER),
        (2299, "2026-05-01", 2008, 40, KReason.JUNIOR),  # until the end of the year of the 18th birthday
        (2299, "2026-05-01", 2007, 20, KReason.UNDER),
        (2300, "2026-05-01", 2008, 20, KReason.UNDER),
        (2000, "2015-05-01", 1998, 40, KReason.JUNIOR),  # until the birthday itself
        (2000, "2015-05-01", 1997, 20, KReason.UNDER),
        (2000, "2014-06-30", 2000, 15, KReason.UNDER),  # before the rule for juniors
        (2450, "2010-01-01", None, 10, KReason.TOP),
    ],
)
def test_proposed_k_by_rating_and_age(
    rating: int, start: str, born: int | None, k: int, reason: KReason
) -> None:
    change = player(rating, (2000, WON), start=start, born=born).change
    assert change is not None
    assert change.coefficient == (k, reason, k)


class TestLimit:
    def test_the_lower_rated_is_always_limited(self) -> None:
        for rules in RATING_RULES:
            rating = player(1500, (2000, WON), (2400, LOST), start=rules.since.isoformat())
            assert expected_of(rating) == [8, 8]

    def test_difference_of_400_is_not_limited(self) -> None:
        rating = player(2000, (1600, WON), (2400, WON))
        assert rating.change is not None
        assert [(each.difference, each.counted) for each in rating.change.games] == [(400, 400), (-400, -400)]

    def test_one_of_two_equal_differences_is_limited(self) -> None:
        assert expected_of(player(2000, (1400, WON), (1400, WON), start="2023-01-01")) == [92, 98]

    @pytest.mark.parametrize(("rating", "expected"), [(2649, 92), (2650, 100)])
    def test_no_limit_from_2650_on(self, rating: int, expected: int) -> None:
        assert expected_of(player(rating, (1800, WON))) == [expected]


@pytest.mark.parametrize(
    ("start", "since", "until"),
    [
        ("2009-07-01", date(2009, 7, 1), None),
        ("2014-06-30", date(2009, 7, 1), None),
        ("2021-12-31", date(2014, 7, 1), None),
        ("2022-01-01", date(2022, 1, 1), None),
        ("2024-02-29", date(2022, 1, 1), None),
        ("2024-03-01", date(2024, 3, 1), None),
        ("2025-09-30", date(2024, 3, 1), None),
        ("2025-10-01", date(2025, 10, 1), None),
        ("2024", date(2022, 1, 1), date(2024, 3, 1)),  # only the year is known, so the edition is uncertain
        ("2023", date(2022, 1, 1), None),
    ],
)
def test_rules_by_the_day_on_which_an_event_begins(start: str, since: date, until: date | None) -> None:
    in_force = rules_in_force(rated_event(start=start))
    assert in_force.rules is not None
    assert (in_force.rules.since, in_force.until, in_force.missing) == (since, until, None)


@pytest.mark.parametrize(
    ("rating", "missing"),
    [
        (player(0, (2000, WON)), Missing.UNRATED),
        (player(2000), Missing.NO_OPPONENT),
        (player(2000, (0, WON)), Missing.NO_OPPONENT),
        (player(2000, (2000, WON), discipline="draughts-100"), Missing.DISCIPLINE),
        (player(2000, (2000, WON), start=""), Missing.DATE),
        (player(2000, (2000, WON), start="2009-06-30"), Missing.EARLIER),
    ],
)
def test_missing_facts_are_stated(rating: PlayerRating, missing: Missing) -> None:
    assert (rating.missing, rating.change) == (missing, None)


@pytest.mark.parametrize(
    ("event", "missing"),
    [
        (rated_event(rated_as=""), Missing.KIND),
        (rated_event(rated_as="", ratings_from="standard"), Missing.KIND),
        (rated_event(rated_as="rapid", ratings_from="standard"), Missing.OTHER_LIST),
        (rated_event(ratings_from="local"), Missing.LOCAL_LIST),
        (rated_event("draughts-100", ratings_from="local"), Missing.LOCAL_LIST),
        (rated_event(start="2024-02-29", rated_as="rapid"), Missing.EARLIER_RAPID),
        (rated_event(start="2023-07-01", rated_as="blitz", ratings_from="blitz"), Missing.EARLIER_RAPID),
    ],
)
def test_no_change_unless_the_event_is_rated_for_the_list_of_its_ratings(
    event: Event, missing: Missing
) -> None:
    rating = PlayerRating(2000, (RatedGame(1, None, 2000, WON),), rules_in_force(event))
    assert (rating.missing, rating.change) == (missing, None)


@pytest.mark.parametrize("kind", ["rapid", "blitz"])
def test_rapid_and_blitz_have_the_limit_of_400_at_every_rating(kind: str) -> None:
    games = (RatedGame(1, None, 2200, WON),)
    rapid, standard = (
        PlayerRating(2700, games, rules_in_force(rated_event(rated_as=each, ratings_from=each)))
        for each in (kind, "standard")
    )
    assert (change_of(rapid), change_of(standard)) == (80, 40)  # .92 and .96 expected, K 10


def test_performance_of_an_unrated_player() -> None:
    rating = player(0, (2000, WON), (0, LOST), (2100, DRAWN))
    assert (rating.average, rating.percent, rating.bonus, rating.performance) == (2050, 75, 193, 2243)


games = st.lists(
    st.tuples(st.integers(1000, 2900), st.sampled_from((WON, DRAWN, LOST))), min_size=1, max_size=13
)
ratings = st.integers(1000, 2900)
days = st.dates(date(2009, 7, 1), date(2030, 1, 1)).map(str)


@given(ratings, games, days)
def test_change_is_k_times_score_minus_expected(
    rating: int, results: list[tuple[int, int]], day: str
) -> None:
    change = player(rating, *results, start=day).change
    assert change is not None
    assert change.gain == sum(50 * points for _, points in results) - change.expected
    assert change.change == change.gain * change.coefficient.k
    assert abs(change.whole * 100 - change.change) <= 50
    assert 0 <= change.expected <= 100 * len(results)


@given(ratings, ratings, days)
def test_expected_scores_add_up_to_1_unless_one_is_limited(one: int, other: int, day: str) -> None:
    [first], [second] = (
        expected_of(player(own, (theirs, DRAWN), start=day)) for own, theirs in ((one, other), (other, one))
    )
    if abs(one - other) <= 400 or max(one, other) < 2650:
        assert first + second == 100


@given(ratings, games, days)
def test_order_of_games_does_not_change_the_result(
    rating: int, results: list[tuple[int, int]], day: str
) -> None:
    there, back = player(rating, *results, start=day), player(rating, *reversed(results), start=day)
    assert (change_of(there), there.performance) == (change_of(back), back.performance)
