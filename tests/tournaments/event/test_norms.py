"""Norms by B.01 of 2024, calculated by hand."""

from dataclasses import replace

import pytest

from tests.cast import chess_swiss_file
from tests.tournaments.interchange.formats import samples
from tournaments.event.document import PairingEntry
from tournaments.event.norms import NORMS, NormCheck, NormGame, NormPlayer, check_norm, norm_players, norms_of

GM, IM, WGM, WIM = NORMS
OPPONENTS = (
    # title, federation, rating
    ("GM", "GER", 2600), ("GM", "FRA", 2580), ("GM", "NED", 2550), ("IM", "NED", 2480), ("IM", "NED", 2450),
    ("FM", "NED", 2350), ("", "POL", 2300), ("CM", "POL", 2150), ("", "USA", None),
)  # fmt: skip


def player(
    points: int, opponents: tuple[tuple[str, str, int | None], ...] = OPPONENTS, **about: str
) -> NormPlayer:
    """Return a player of NED with this number of half-points, wins first."""
    games = []
    for number, (title, federation, rating) in enumerate(opponents, start=1):
        made = min(2, max(0, points - 2 * (number - 1)))
        games.append(NormGame(number, f"Opponent {number}", title, federation, rating, made))
    return NormPlayer(1, "Ann", "FM", "NED", "w", tuple(games))


def failed(check: NormCheck) -> list[str]:
    """Return the articles that are not met, with their requirements."""
    return [f"{each.article} {each.what} {each.found}" for each in check.requirements if not each.is_met]


def test_only_the_lowest_opponent_is_raised_to_the_floor() -> None:
    check = check_norm(player(12), IM)

    # The unrated opponent's 1400 is raised to 2050, and 2150 is not changed: 2600 + 2580 + 2550 + 2480 + 2450
    # + 2350 + 2300 + 2150 + 2050 = 21510, of 9.
    assert (check.average, check.raised) == (2390, 9)
    # 6 of 9 is 67 %: dp 125.
    assert check.performance == 2515
    assert failed(check) == []
    # 5½ of 9 is 61 %: dp 80, 2470; 5 of 9 is 56 %: dp 43, 2433.
    assert check.needed == 11


def test_another_floor_gives_another_average() -> None:
    # The unrated opponent counts 2200; the opponent with 2150, also below the floor, is not raised.
    assert check_norm(player(12), GM).average == 2407  # 21660 / 9 = 2406.67
    assert check_norm(player(12), WIM).average == 2368  # 21310 / 9 = 2367.78


def test_each_article_is_checked_separately() -> None:
    short = player(12, OPPONENTS[:8])
    assert failed(check_norm(short, IM)) == ["1.4.1 games 8"]
    at_home = tuple((title, "NED", rating) for title, _, rating in OPPONENTS)
    assert failed(check_norm(player(12, at_home), IM)) == [
        "1.4.3 other federations 0", "1.4.4 own federation 9", "1.4.4 one federation 9",
    ]  # fmt: skip
    untitled = tuple((title if title == "GM" else "", code, rating) for title, code, rating in OPPONENTS)
    assert failed(check_norm(player(12, untitled), IM)) == ["1.4.5a titled 3"]
    masters = tuple(("FM", code, rating) for _, code, rating in OPPONENTS)
    assert failed(check_norm(player(12, masters), IM)) == ["1.4.5 GM/IM 0"]


def test_double_round_robin_requires_50_percent_with_the_title() -> None:
    ten = (*OPPONENTS, ("FM", "USA", 2400))
    assert failed(check_norm(player(14, ten), IM, is_double=True)) == []
    assert failed(check_norm(player(16, ten), GM, is_double=True)) == ["1.4.5 GM 3"]


@pytest.mark.parametrize(
    ("title", "sex", "sought"),
    [
        ("", "w", ["GM", "IM", "WGM", "WIM"]),
        ("WGM", "w", ["GM", "IM"]),
        ("IM", "w", ["GM"]),
        ("GM", "w", []),
        ("FM", "m", ["GM", "IM"]),
        ("", "", ["GM", "IM"]),
    ],
)
def test_only_titles_that_a_player_lacks_are_listed(title: str, sex: str, sought: list[str]) -> None:
    document = samples.document(chess_swiss_file())
    ann = replace(document.competitors[0], title=title, sex=sex, code="NED")
    others = tuple(
        replace(each, title="IM", rating=2400, code=f"F{each.number}", sex="m")
        for each in document.competitors[1:]
    )
    event = replace(document, competitors=(ann, *others))
    won = tuple(
        replace(each, pairings=tuple(_won_by_ann(pairing) for pairing in each.pairings))
        for each in event.rounds
    )
    # All points of three games: dp 800.
    listed = [check.title for check in norms_of(replace(event, rounds=won)) if check.player.number == 1]
    assert listed == sought


def _won_by_ann(pairing: PairingEntry) -> PairingEntry:
    """Return a pairing of number 1 with a win for that number."""
    if 1 not in pairing.numbers:
        return pairing
    is_first = pairing.first == 1
    return replace(pairing, first_score=2 * is_first, second_score=2 * (not is_first))


def test_byes_and_forfeits_are_no_games() -> None:
    document = samples.document(samples.players())
    played = sum(
        pairing.kind == "played" for _number, pairing in document.pairings() if pairing.second is not None
    )

    assert sum(len(each.games) for each in norm_players(document)) == 2 * played


def test_players_have_the_federation_of_their_team_only_if_it_is_a_nation() -> None:
    document = samples.document(samples.teams())
    everybody = norm_players(document)

    assert [each.name for each in everybody][:1] == ["Rik"]
    assert {each.federation for each in everybody} == {""}  # its teams are cities
