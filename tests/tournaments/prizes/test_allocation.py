"""Which players win which prizes: worked examples of the rules, and properties of random draws."""

import random
from collections import Counter
from collections.abc import Collection
from fractions import Fraction

import pytest

from tests.tournaments.prizes import brute_force
from tournaments.event.prizes import Sharing
from tournaments.prizes.allocation import Allocation, Fund, allocate, inversions
from tournaments.prizes.sharing import Contender

EVERYBODY = range(100)
EVERY_RULE = pytest.mark.parametrize("sharing", Sharing)


def contenders(*points: int, shared: int = 0) -> list[Contender]:
    """Return players with these points, in order; the last `shared` of them share a place."""
    own = len(points) - shared
    return [Contender(row, min(row, own) + 1, each) for row, each in enumerate(points)]


def fund(
    *amounts: float, code: str = "", goods: tuple[str, ...] = (), rows: Collection[int] = EVERYBODY
) -> Fund:
    return Fund(code, tuple(round(100 * each) for each in amounts), goods, rows)


def paid(found: Allocation) -> dict[int, Fraction]:
    """Return the exact amount of each row that gets money, in whole units."""
    amounts: dict[int, Fraction] = {}
    for win in found.wins:
        if win.share.exact:
            amounts[win.contender.row] = amounts.get(win.contender.row, Fraction(0)) + win.share.exact / 100
    return amounts


# --- US Chess' Official Rules of Chess, 7th edition, 32B1 to 32B4 ------------------------------------------


def test_each_tied_player_brings_a_prize_of_any_fund() -> None:
    """The main prizes are 300, 100 and 50; two women share first place, and 250 is for the best woman."""
    women = fund(250, code="W", rows=(0, 1, 3))
    found = allocate([fund(300, 100, 50), women], contenders(5, 5, 3, 2, 2, 1), Sharing.US_CHESS)
    assert paid(found) == {0: 275, 1: 275, 2: 100, 3: 25, 4: 25}


def test_player_with_a_small_category_prize_in_a_large_tie() -> None:
    """300 and 200 for four, and 150 for an eligible player: the example of WinTD's help on 32B3."""
    youth = fund(150, code="Y", rows=(2,))
    found = allocate([fund(300, 200), youth], contenders(5, 5, 5, 5), Sharing.US_CHESS)
    assert paid(found) == dict.fromkeys(range(4), Fraction(325, 2))


def test_player_takes_a_prize_that_others_in_the_tie_cannot_win_if_that_is_more() -> None:
    """32B3: 260 without sharing is more than a third of 300 + 200 + 260, so the other two share 300 + 200."""
    youth = fund(260, code="Y", rows=(2,))
    found = allocate([fund(300, 200), youth], contenders(5, 5, 5), Sharing.US_CHESS)
    assert paid(found) == {0: 250, 1: 250, 2: 260}


def test_no_share_is_larger_than_the_largest_prize_without_the_tie() -> None:
    """The limit in 32B3, as discussed in https://uschess.discourse.group/t/21917.

    Equal shares of 2000 + 1000 + 1000 + 800 are 1200, but E could win at most the fifth prize of 1000.
    """
    under_1700 = fund(2000, 1000, code="U1700", rows=(5, 6, 7))
    main = fund(12000, 6000, 3000, 1500, 1000, 800)
    found = allocate([main, under_1700], contenders(17, 15, 15, 15, 14, 14, 14, 14), Sharing.US_CHESS)
    raised = 1200 + Fraction(200, 3)
    assert paid(found) == {
        0: 12000, 1: 3500, 2: 3500, 3: 3500, 4: 1000, 5: raised, 6: raised, 7: raised,
    }  # fmt: skip


def test_category_prizes_larger_than_the_main_ones() -> None:
    """Shares of 536 and 817, as in https://forum.uschess.org/t/rule-32b3-question/16785."""
    under_2400 = fund(1379, 766, code="U2400", rows=(3, 4, 5))
    main = fund(2375, 1149, 536, 306, 230)
    found = allocate([main, under_2400], contenders(10, 9, 8, 8, 8, 8), Sharing.US_CHESS)
    assert paid(found) == {0: 2375, 1: 1149, 2: 536, 3: 817, 4: 817, 5: 817}


def test_main_prize_is_brought_before_equal_category_prizes() -> None:
    """32B4, as applied in https://uschess.discourse.group/t/prize-example/13188."""
    under_2200 = fund(100, code="U2200", rows=(1, 2, 4))
    found = allocate([fund(250, 150, 100), under_2200], contenders(8, 7, 7, 6, 5), Sharing.US_CHESS)
    assert paid(found) == {0: 250, 1: 125, 2: 125, 4: 100}


def test_tied_players_bring_the_prizes_that_are_worth_most_together() -> None:
    """https://uschess.discourse.group/t/prize-distribution/17265: 150 and 75.02 rather than 150 and 75."""
    funds = [fund(200, 150), fund(75.02, code="A", rows=(1, 3)), fund(75, code="B", rows=(2, 4))]
    found = allocate(funds, contenders(8, 7, 7, 6, 5), Sharing.US_CHESS)
    assert paid(found) == {0: 200, 1: Fraction(11251, 100), 2: Fraction(11251, 100), 4: 75}


def test_members_of_two_categories_take_their_prizes_together() -> None:
    """Player 1 as the only member would get 270, both members of B together 560 / 2."""
    funds = [fund(170, 40, 10), fund(270, code="A", rows=(1,)), fund(290, code="B", rows=(1, 2))]
    found = allocate(funds, contenders(5, 5, 5, 5), Sharing.US_CHESS)
    assert paid(found) == {0: 105, 1: 280, 2: 280, 3: 105}


# --- the other rules ---------------------------------------------------------------------------------------


def test_hort_is_the_average_of_own_prize_and_equal_share() -> None:
    """The example of the German Wikipedia, “Hort-System”: 1000, 500, 350, 200, 150, 100."""
    players = contenders(16, 16, 15, 14, 14, 14)
    found = allocate([fund(1000, 500, 350, 200, 150, 100)], players, Sharing.HORT)
    assert paid(found) == {0: 875, 1: 625, 2: 350, 3: 175, 4: 150, 5: 125}
    found = allocate([fund(100, 80, 60, 40, 20, 10)], players, Sharing.HORT)
    # 40 / 2 + 70 / 6 = 31.66, 20 / 2 + 11.66, 10 / 2 + 11.66
    assert [win.amount for win in found.wins] == [9500, 8500, 6000, 3166, 2166, 1666]


def test_hort_divides_the_prizes_of_several_funds() -> None:
    """50 % of 110 each; the better placed player gets 50 % of 120 as well, the other 50 % of 100."""
    women = fund(100, code="W", rows=(1,))
    found = allocate([fund(120), women], contenders(8, 8), Sharing.HORT)
    assert paid(found) == {0: 115, 1: 105}
    # 200 without sharing is more than (140 + 170) / 2.
    women = fund(200, code="W", rows=(1,))
    assert paid(allocate([fund(140), women], contenders(8, 8), Sharing.HORT)) == {0: 140, 1: 200}


def test_equal_sharing_divides_the_prizes_of_a_single_fund() -> None:
    found = allocate([fund(1000, 800, 700, 600, 400, 200)], contenders(9, 8, 7, 6, 6, 6), Sharing.EQUAL)
    assert paid(found) == {0: 1000, 1: 800, 2: 700, 3: 400, 4: 400, 5: 400}
    # Three share 600 + 300: 300 each; the woman among them has 400, the other two then 450 each.
    found = allocate([fund(600, 300), fund(400, code="W", rows=(1,))], contenders(8, 8, 8), Sharing.EQUAL)
    assert paid(found) == {0: 450, 1: 400, 2: 450}


def test_equal_sharing_of_a_fund_can_pay_a_lower_placed_player_more() -> None:
    women = fund(250, code="W", rows=(0, 1, 3))
    funds, players = [fund(300, 100, 50), women], contenders(5, 5, 3, 2, 2, 1)
    found = allocate(funds, players, Sharing.EQUAL)
    assert paid(found) == {0: 200, 1: 200, 2: 50, 3: 250}
    assert inversions(funds, players, found.wins) == [(players[3], (players[0], players[1]))]


def test_without_sharing_each_player_takes_the_largest_prize_that_is_left() -> None:
    women = fund(150, 60, code="W", rows=(2, 3, 5))
    found = allocate([fund(500, 300, 100), women], contenders(9, 8, 7, 6, 5, 4), Sharing.NONE)
    # The third has 100 as a main prize, 150 among women: the fourth moves up, and stays for 100 against 60.
    assert paid(found) == {0: 500, 1: 300, 2: 150, 3: 100, 5: 60}
    funds = [fund(500, 100), fund(100, code="W", rows=(1, 2))]
    assert paid(allocate(funds, contenders(9, 8, 7), Sharing.NONE)) == {0: 500, 1: 100, 2: 100}


def test_without_sharing_players_of_a_shared_place_share_their_prizes() -> None:
    players = contenders(9, 8, 8, 8, shared=2)  # places 1, 2, 3, 3
    assert paid(allocate([fund(100, 60, 40, 20)], players, Sharing.NONE)) == {0: 100, 1: 60, 2: 30, 3: 30}
    # Hort: 120 among three is 40; and 50 % of 60, of 30 and of 30.
    assert paid(allocate([fund(100, 60, 40, 20)], players, Sharing.HORT)) == {0: 100, 1: 50, 2: 35, 3: 35}
    women = fund(50, code="W", rows=(3,))
    found = allocate([fund(100, 60, 40, 20), women], players, Sharing.NONE)
    assert paid(found) == {0: 100, 1: 60, 2: 40, 3: 50}
    women = fund(30, code="W", rows=(3,))
    found = allocate([fund(100, 60, 40, 20), women], players, Sharing.NONE)
    assert paid(found) == {0: 100, 1: 60, 2: 35, 3: 35}


def test_cumulative_prizes_add_up() -> None:
    funds = [fund(500, 300), fund(150, code="W", rows=(1, 2))]
    found = allocate(funds, contenders(9, 8, 7), Sharing.US_CHESS, is_cumulative=True)
    assert paid(found) == {0: 500, 1: 450}


# --- rounding, goods, prizes that are left ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sharing", "amounts"),
    [
        (Sharing.US_CHESS, (100, 10, 10, 10, 10, 10)),
        (Sharing.EQUAL, (100, 10, 10, 10, 10, 10)),
        (Sharing.HORT, (100, 30, 5, 5, 5, 5)),
    ],
)
def test_players_level_with_the_last_prize_share_it(sharing: Sharing, amounts: tuple[int, ...]) -> None:
    found = allocate([fund(100, 50)], contenders(9, 8, 8, 8, 8, 8), sharing)
    assert paid(found) == dict(enumerate(amounts))


def test_amounts_are_rounded_down() -> None:
    found = allocate([fund(100)], contenders(5, 5, 5), Sharing.US_CHESS)
    assert [win.amount for win in found.wins] == [3333, 3333, 3333]
    assert found.wins[0].share.exact == Fraction(10000, 3)
    found = allocate([fund(100)], contenders(5, 5, 5), Sharing.US_CHESS, step=500)
    assert [win.amount for win in found.wins] == [3000, 3000, 3000]


@EVERY_RULE
def test_prizes_without_a_possible_winner_are_left(sharing: Sharing) -> None:
    funds = [fund(100, 50, 20, goods=("", "", "", "a book")), fund(30, code="W", rows=(7,))]
    found = allocate(funds, contenders(5, 4), sharing)
    assert paid(found) == {0: 100, 1: 50}
    assert [(each.fund, each.place, each.amount) for each in found.left] == [
        (0, 3, 2000),
        (0, 4, 0),
        (1, 1, 3000),
    ]


def test_goods_go_by_place_and_are_open_if_it_is_shared() -> None:
    players = contenders(9, 9, 8, 8, shared=2)
    found = allocate([fund(goods=("cup", "medal", "book"))], players, Sharing.HORT)
    assert [(win.goods, win.are_open) for win in found.wins] == [
        (("cup",), False), (("medal",), False), (("book",), True), (("book",), True),
    ]  # fmt: skip


def test_goods_with_money_go_by_place_in_their_fund() -> None:
    funds = [fund(100, goods=("cup",)), fund(60, code="W", goods=("medal",), rows=(1, 2))]
    found = allocate(funds, contenders(9, 9, 8), Sharing.US_CHESS)
    assert paid(found) == {0: 80, 1: 80}
    assert [win.goods for win in found.wins] == [("cup",), ("medal",)]


@pytest.mark.parametrize("sharing", [Sharing.US_CHESS, Sharing.HORT, Sharing.NONE])
def test_goods_of_two_funds_go_to_two_players(sharing: Sharing) -> None:
    """Each player has the goods of the prize they bring; both could win either prize."""
    funds = [fund(100, goods=("cup",)), fund(60, code="W", goods=("medal",), rows=(0, 1))]
    found = allocate(funds, contenders(9, 9), sharing)
    assert [(win.contender.row, win.goods, win.are_open) for win in found.wins] == [
        (0, ("cup",), False), (1, ("medal",), False),
    ]  # fmt: skip


@pytest.mark.parametrize("sharing", [Sharing.US_CHESS, Sharing.HORT, Sharing.NONE])
def test_goods_of_two_funds_are_open_between_players_of_a_shared_place(sharing: Sharing) -> None:
    funds = [fund(100, goods=("cup",)), fund(100, code="W", goods=("medal",), rows=(0, 1))]
    found = allocate(funds, contenders(9, 9, shared=2), sharing)
    assert [(win.goods, win.are_open) for win in found.wins] == [(("cup", "medal"), True)] * 2


def test_player_has_the_goods_that_others_in_the_tie_cannot_win() -> None:
    """Only player 0 can bring the prize of W, so player 1 brings the main prize, with its cup."""
    funds = [fund(100, goods=("cup",)), fund(60, code="W", goods=("medal",), rows=(0,))]
    for shared in (0, 2):
        found = allocate(funds, contenders(9, 9, shared=shared), Sharing.US_CHESS)
        assert [(win.goods, win.are_open) for win in found.wins] == [(("medal",), False), (("cup",), False)]


def test_goods_belong_to_the_prize_of_their_place() -> None:
    """The best placed player brings 100, the second 80, and the third 60 with the cup."""
    found = allocate([fund(100, 80, 60, goods=("", "", "cup"))], contenders(9, 9, 9), Sharing.US_CHESS)
    assert [win.goods for win in found.wins] == [(), (), ("cup",)]


@EVERY_RULE
def test_no_player_has_the_goods_of_two_prizes(sharing: Sharing) -> None:
    for seed in range(300):
        funds, players = drawn(seed, has_goods=True)
        found = allocate(funds, players, sharing)
        certain = [(win.contender, win.goods) for win in found.wins if win.goods and not win.are_open]
        assert all(len(goods) == 1 for _player, goods in certain)
        assert len({player for player, _goods in certain}) == len(certain)
        # Goods that are not open have one winner; no goods are lost.
        named = Counter(name for _player, goods in certain for name in goods)
        assert set(named.values()) <= {1}
        offered = {name for each in funds for name in each.goods if name}
        won = {name for win in found.wins for name in win.goods}
        left = {each.goods for each in found.left if each.goods}
        assert won | left == offered
        assert not won & left


@EVERY_RULE
def test_goods_agree_with_brute_force(sharing: Sharing) -> None:
    for seed in range(200):
        funds, players = drawn(seed, most=5, has_goods=True)
        found = allocate(funds, players, sharing)
        for pool in {win.pool for win in found.wins}:
            expected = brute_force.goods(funds, pool.prizes, pool.players)
            wins = {win.contender: win for win in found.wins if win.pool == pool}
            for player, outcomes in expected.items():
                names, are_open = (
                    (wins[player].goods, wins[player].are_open) if player in wins else ((), False)
                )
                assert (set(names), are_open) == (outcomes - {""}, len(outcomes) > 1), seed


@EVERY_RULE
def test_winner_gets_the_cup_and_the_second_the_money(sharing: Sharing) -> None:
    funds, players = [fund(0, 50, goods=("Cup", ""))], contenders(5, 4, 3)
    found = allocate(funds, players, sharing)
    assert [(win.contender.row, win.amount, win.goods) for win in found.wins] == [
        (0, 0, ("Cup",)),
        (1, 5000, ()),
    ]
    assert inversions(funds, players, found.wins) == []


@EVERY_RULE
def test_goods_are_less_than_any_money(sharing: Sharing) -> None:
    juniors = fund(code="U20", goods=("a book",), rows=(1, 2))
    found = allocate([fund(50, 10), juniors], contenders(9, 8, 7), sharing)
    assert paid(found) == {0: 50, 1: 10}
    assert [(win.contender.row, win.goods) for win in found.wins if win.goods] == [(2, ("a book",))]


# --- random draws ------------------------------------------------------------------------------------------


def drawn(seed: int, *, most: int = 9, has_goods: bool = False) -> tuple[list[Fund], list[Contender]]:
    """Return random prizes of the event and of up to four categories, and up to `most` players.

    If the draw has goods, about 50 % of the prizes have some, each with its own name, and some have no money.
    """
    pick = random.Random(seed)  # noqa: S311 - draws of a test, no secret
    points = sorted((pick.randint(0, 3) for _ in range(pick.randint(1, most))), reverse=True)
    players: list[Contender] = []
    for row, each in enumerate(points):
        is_shared = players and players[-1].points == each and pick.random() < 0.4
        players.append(Contender(row, players[-1].place if is_shared else row + 1, each))
    sizes = [pick.randint(0, 4), *(pick.randint(1, 3) for _ in range(pick.randint(0, 4)))]
    rows = [
        set(range(len(points))),
        *({row for row in range(len(points)) if pick.random() < 0.5} for _ in sizes[1:]),
    ]
    funds = [
        fund(*sorted((10 * pick.randint(1, 30) for _ in range(size)), reverse=True), rows=those)
        for size, those in zip(sizes, rows, strict=True)
    ]
    if has_goods:
        funds = [
            each._replace(
                amounts=tuple(amount if pick.random() < 0.8 else 0 for amount in each.amounts),
                goods=tuple(
                    f"{at}.{place}" if pick.random() < 0.5 else "" for place, _ in enumerate(each.amounts)
                ),
            )
            for at, each in enumerate(funds)
        ]
    return funds, players


def test_lower_place_never_gets_more_prize_money_without_sharing() -> None:
    for seed in range(2000):
        funds, players = drawn(seed)
        assert brute_force.inversions(funds, players, allocate(funds, players, Sharing.NONE)) == []


@pytest.mark.parametrize("sharing", [Sharing.US_CHESS, Sharing.HORT])
def test_lower_place_rarely_gets_more_prize_money_with_sharing(sharing: Sharing) -> None:
    found = 0
    for seed in range(1000):
        funds, players = drawn(seed)
        found += bool(brute_force.inversions(funds, players, allocate(funds, players, sharing)))
    assert found <= 1


def test_rule_32b3_can_pay_a_lower_placed_player_more() -> None:
    """Players 0 and 3 take 280 + 210 of U, so that player 1 gets all 250 of W."""
    funds = [fund(240, 200), fund(250, 220, code="W", rows=(0, 1)), fund(280, 210, code="U", rows=(0, 3))]
    players = contenders(5, 5, 5, 5, 5, 5)
    found = allocate(funds, players, Sharing.US_CHESS)
    assert paid(found) == {
        0: 245,
        3: 245,
        1: 250,
        2: Fraction(440, 3),
        4: Fraction(440, 3),
        5: Fraction(440, 3),
    }
    assert inversions(funds, players, found.wins) == [(players[1], (players[0],))]


@EVERY_RULE
def test_all_lower_placed_players_with_more_money_are_named(sharing: Sharing) -> None:
    for seed in range(300):
        funds, players = drawn(seed)
        found = allocate(funds, players, sharing)
        named = [
            (each.row, more.row) for more, less in inversions(funds, players, found.wins) for each in less
        ]
        assert sorted(named) == brute_force.inversions(funds, players, found)


@EVERY_RULE
def test_allocation_agrees_with_brute_force(sharing: Sharing) -> None:
    for seed in range(150):
        funds, players = drawn(seed, most=5)
        assert paid(allocate(funds, players, sharing)) == brute_force.paid(funds, players, sharing), seed


@EVERY_RULE
def test_sums_are_exact(sharing: Sharing) -> None:
    for seed in range(200):
        funds, players = drawn(seed)
        for is_cumulative in (False, True):
            found = allocate(funds, players, sharing, is_cumulative=is_cumulative, step=500)
            offered = sum(sum(each.amounts) for each in funds)
            assert (
                sum(win.share.exact for win in found.wins) + sum(each.amount for each in found.left)
                == offered
            )
            assert all(0 <= win.share.exact - win.amount < 500 for win in found.wins)
            assert all(win.amount % 500 == 0 for win in found.wins)
            if not is_cumulative:
                assert len({win.contender for win in found.wins}) == len(found.wins)


@EVERY_RULE
def test_level_players_with_the_same_eligibility_get_the_same(sharing: Sharing) -> None:
    for seed in range(200):
        funds, players = drawn(seed)
        amounts = paid(allocate(funds, players, sharing))
        alike: dict[object, set[Fraction]] = {}
        for each in players:
            is_by_points = sharing in (Sharing.US_CHESS, Sharing.EQUAL)
            level = each.points if is_by_points else each.place
            key = level, tuple(each.row in of.rows for of in funds)
            alike.setdefault(key, set()).add(amounts.get(each.row, Fraction(0)))
        assert all(len(found) == 1 for found in alike.values())


def test_large_tie_needs_no_recursion() -> None:
    players = contenders(*[5] * 1500)
    funds = [
        fund(*range(1500, 0, -1), rows=range(1500)),
        fund(*range(500, 0, -1), code="W", rows=range(0, 1500, 3)),
    ]
    found = allocate(funds, players, Sharing.US_CHESS)
    assert len(found.wins) == 1500
