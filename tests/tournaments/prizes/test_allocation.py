"""Who wins what of several funds: worked sums, and what holds for any prizes."""

from collections.abc import Collection
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.event.prizes import Sharing
from tournaments.prizes.allocation import Fund, FundWins, allocate
from tournaments.prizes.sharing import Contender, shares

EVERYBODY = range(100)
Drawn = tuple[list[Contender], list[Fund]]


def contenders(*points: int, shared: int = 0) -> list[Contender]:
    """Those with these points, in order; the last `shared` of them share a place."""
    own = len(points) - shared
    return [Contender(row, min(row, own) + 1, each) for row, each in enumerate(points)]


def fund(
    *amounts: int, code: str = "", goods: tuple[str, ...] = (), rows: Collection[int] = EVERYBODY
) -> Fund:
    return Fund(code, tuple(100 * each for each in amounts), goods, rows)


def paid(found: list[FundWins]) -> dict[str, dict[int, int]]:
    """What each row is paid in whole units, by fund."""
    return {
        each.fund.code: {win.contender.row: win.amount // 100 for win in each.wins if win.amount}
        for each in found
    }


# --- one fund ---------------------------------------------------------------------------------------------


def test_hort_is_half_of_the_own_prize_and_half_of_the_equal_share() -> None:
    """The example of the German Wikipedia, “Hort-System”: 1000, 500, 350, 200, 150, 100."""
    those = contenders(16, 16, 15, 14, 14, 14)
    found = allocate([fund(1000, 500, 350, 200, 150, 100)], those, Sharing.HORT)
    assert paid(found) == {"": {0: 875, 1: 625, 2: 350, 3: 175, 4: 150, 5: 125}}
    found = allocate([fund(100, 80, 60, 40, 20, 10)], those, Sharing.HORT)
    # 40 / 2 + 70 / 6 = 31.66, 20 / 2 + 11.66, 10 / 2 + 11.66
    assert [win.amount for win in found[0].wins] == [9500, 8500, 6000, 3166, 2166, 1666]
    assert found[0].rounded == 2


def test_equal_sharing_divides_the_prizes_of_all_who_are_level() -> None:
    found = allocate([fund(1000, 800, 700, 600, 400, 200)], contenders(9, 8, 7, 6, 6, 6), Sharing.EQUAL)
    assert paid(found) == {"": {0: 1000, 1: 800, 2: 700, 3: 400, 4: 400, 5: 400}}
    share = found[0].wins[3].share
    assert (share.first, share.last, share.pool) == (4, 6, (60000, 40000, 20000))


def test_who_is_level_with_the_last_prize_shares_it() -> None:
    found = allocate([fund(100, 50)], contenders(9, 8, 8, 8, 8, 8), Sharing.EQUAL)
    assert paid(found) == {"": {0: 100, 1: 10, 2: 10, 3: 10, 4: 10, 5: 10}}
    found = allocate([fund(100, 50)], contenders(9, 8, 8, 8, 8, 8), Sharing.HORT)
    assert paid(found) == {"": {0: 100, 1: 30, 2: 5, 3: 5, 4: 5, 5: 5}}


def test_by_place_only_those_share_whom_nothing_separates() -> None:
    those = contenders(9, 8, 8, 8, shared=2)  # places 1, 2, 3, 3
    assert paid(allocate([fund(100, 60, 40, 20)], those, Sharing.NONE)) == {"": {0: 100, 1: 60, 2: 30, 3: 30}}
    # Hort: 120 among three is 40; half of 60, of 30 and of 30 besides.
    assert paid(allocate([fund(100, 60, 40, 20)], those, Sharing.HORT)) == {"": {0: 100, 1: 50, 2: 35, 3: 35}}


def test_amounts_are_rounded_down_and_what_is_over_is_told() -> None:
    (found,) = allocate([fund(100)], contenders(5, 5, 5), Sharing.EQUAL)
    assert [win.amount for win in found.wins] == [3333, 3333, 3333]
    assert found.wins[0].share.exact == Fraction(10000, 3)
    assert found.rounded == 1
    (found,) = allocate([fund(100)], contenders(5, 5, 5), Sharing.EQUAL, step=500)
    assert (found.paid, found.rounded) == (9000, 1000)


def test_prizes_without_anybody_are_unclaimed() -> None:
    (found,) = allocate([fund(100, 50, 20, goods=("", "", "", "a book"))], contenders(5, 4), Sharing.EQUAL)
    assert (found.paid, found.unclaimed, found.unclaimed_goods) == (15000, 2000, ("a book",))


def test_goods_go_by_place_and_are_open_where_it_is_shared() -> None:
    those = contenders(9, 9, 8, 8, shared=2)
    (found,) = allocate([fund(goods=("cup", "medal", "book"))], those, Sharing.HORT)
    assert [(win.goods, win.are_open) for win in found.wins] == [
        (("cup",), False), (("medal",), False), (("book",), True), (("book",), True),
    ]  # fmt: skip


# --- several funds ----------------------------------------------------------------------------------------


def test_everybody_has_the_highest_prize_and_those_behind_move_up() -> None:
    women = fund(150, 60, code="W", rows=(2, 3, 5))
    found = allocate([fund(500, 300, 100), women], contenders(9, 8, 7, 6, 5, 4), Sharing.NONE)
    # The third has 100 in the whole, 150 among women: the fourth moves up, and stays for 100 against 60.
    assert paid(found) == {"": {0: 500, 1: 300, 3: 100}, "W": {2: 150, 5: 60}}
    assert [each.row for each in found[1].passed] == [3]
    assert [each.row for each in found[0].passed] == [2]


def test_of_equal_amounts_the_main_prize_is_taken() -> None:
    found = allocate([fund(500, 100), fund(100, code="W", rows=(1, 2))], contenders(9, 8, 7), Sharing.NONE)
    assert paid(found) == {"": {0: 500, 1: 100}, "W": {2: 100}}


def test_cumulative_prizes_add_up() -> None:
    funds = [fund(500, 300), fund(150, code="W", rows=(1, 2))]
    found = allocate(funds, contenders(9, 8, 7), Sharing.NONE, is_cumulative=True)
    assert paid(found) == {"": {0: 500, 1: 300}, "W": {1: 150}}


def test_who_leaves_a_shared_prize_leaves_more_to_the_others() -> None:
    # Three share 600 + 300: 300 each; the woman among them has 400, the other two then 450 each.
    found = allocate([fund(600, 300), fund(400, code="W", rows=(1,))], contenders(8, 8, 8), Sharing.EQUAL)
    assert paid(found) == {"": {0: 450, 2: 450}, "W": {1: 400}}


def test_under_hort_the_second_of_a_tie_may_be_better_off_elsewhere() -> None:
    funds = [fund(1000, 200), fund(500, code="W", rows=(1,))]
    # 500 + 300 and 100 + 300 in the whole; the first takes 500, and the other is alone at the top.
    assert paid(allocate(funds, contenders(8, 8), Sharing.HORT)) == {"": {0: 1000}, "W": {1: 500}}


def test_goods_are_less_than_any_money() -> None:
    juniors = fund(code="U20", goods=("a book",), rows=(1, 2))
    found = allocate([fund(50, 10), juniors], contenders(9, 8, 7), Sharing.NONE)
    assert paid(found)[""] == {0: 50, 1: 10}
    assert [(win.contender.row, win.goods) for win in found[1].wins] == [(2, ("a book",))]


# --- whatever the prizes are --------------------------------------------------------------------------------

PRIZES = st.lists(st.integers(0, 100_000), max_size=12).map(lambda each: tuple(sorted(each, reverse=True)))
POINTS = st.lists(st.integers(0, 6), min_size=1, max_size=16).map(lambda each: sorted(each, reverse=True))


@st.composite
def tournaments(draw: st.DrawFn) -> Drawn:
    points = draw(POINTS)
    places: list[int] = []
    for row, each in enumerate(points):
        is_shared = row and points[row - 1] == each and draw(st.booleans())
        places.append(places[-1] if is_shared else row + 1)
    those = [
        Contender(row, place, each) for row, (place, each) in enumerate(zip(places, points, strict=True))
    ]
    rows = st.sets(st.sampled_from(range(len(points))))
    funds = [Fund("", draw(PRIZES), (), range(len(points)))]
    funds += [Fund(code, draw(PRIZES), (), draw(rows)) for code in "AB"]
    return those, funds


SHARING = st.sampled_from(Sharing)
few = settings(max_examples=40, deadline=None)


@few
@given(tournaments(), SHARING, st.sampled_from([1, 100, 500]), st.booleans())
def test_no_fund_pays_more_than_it_has(
    drawn: Drawn, sharing: Sharing, step: int, is_cumulative: bool
) -> None:
    those, funds = drawn
    for each in allocate(funds, those, sharing, is_cumulative=is_cumulative, step=step):
        assert each.paid <= sum(each.fund.amounts)
        assert each.paid + each.unclaimed + each.rounded == sum(each.fund.amounts)
        assert 0 <= each.rounded < step * max(len(each.wins), 1)
        assert all(win.amount % step == 0 for win in each.wins)


@few
@given(tournaments(), SHARING)
def test_within_a_fund_nobody_behind_has_more(drawn: Drawn, sharing: Sharing) -> None:
    those, funds = drawn
    for each in allocate(funds, those, sharing):
        amounts = [win.amount for win in each.wins]
        assert amounts == sorted(amounts, reverse=True)


@few
@given(tournaments(), SHARING)
def test_nobody_has_two_prizes(drawn: Drawn, sharing: Sharing) -> None:
    those, funds = drawn
    winners = [win.contender.row for each in allocate(funds, those, sharing) for win in each.wins]
    assert len(winners) == len(set(winners))


@few
@given(tournaments(), SHARING)
def test_who_is_level_and_in_the_same_funds_has_the_same(drawn: Drawn, sharing: Sharing) -> None:
    those, funds = drawn
    found = allocate(funds, those, sharing)
    shares_of = {win.contender.row: (each.fund.code, win.share.exact) for each in found for win in each.wins}
    alike: dict[object, set[tuple[str, Fraction]]] = {}
    for each in those:
        level = each.points if sharing == Sharing.EQUAL else each.place
        funds_of = tuple(fund.code for fund in funds if each.row in fund.rows)
        alike.setdefault((level, funds_of), set()).add(shares_of.get(each.row, ("", Fraction(0))))
    for found_amounts in alike.values():
        assert len({amount for _code, amount in found_amounts}) == 1


@few
@given(tournaments())
def test_by_place_nobody_behind_has_more_of_a_fund_than_who_is_ahead_in_it_has_of_all(drawn: Drawn) -> None:
    those, funds = drawn
    apart = [each._replace(place=row + 1) for row, each in enumerate(those)]
    found = allocate(funds, apart, Sharing.NONE)
    won = {win.contender.row: win.share.exact for each in found for win in each.wins}
    for of_fund in found:
        for win in of_fund.wins:
            ahead = (row for row in of_fund.fund.rows if row < win.contender.row)
            assert all(won.get(row, 0) >= win.share.exact for row in ahead)


@few
@given(POINTS, PRIZES)
def test_sharing_keeps_the_pool_of_each_level(points: list[int], prizes: tuple[int, ...]) -> None:
    those = contenders(*points)
    for sharing in Sharing:
        found = shares(prizes, those, sharing)
        assert sum(each.exact for each in found) == sum(prizes[: len(found)])
