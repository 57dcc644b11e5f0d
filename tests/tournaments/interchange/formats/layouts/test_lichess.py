"""Results and games of lichess: a final table without games; rounds of games by their times."""

import json

import pytest

from tournaments.interchange.formats.layouts.layout import LayoutFile
from tournaments.interchange.formats.layouts.lichess import LICHESS
from tournaments.interchange.formats.layouts.outline import outline_of
from tournaments.interchange.formats.validating.validation import Validation, validate

ARENA = [
    {"rank": 1, "score": 24, "rating": 2330, "username": "arends", "title": "IM", "team": "port",
     "performance": 2373, "sheet": {"scores": "25542300"}},
    {"rank": 2, "score": 4, "rating": 1830, "username": "brill", "title": "BOT", "performance": 1873,
     "sheet": {"scores": "20"}},
]  # fmt: skip
FORM = {"start": "2025-05-10", "name": "Harbour Arena"}
FACTS = outline_of({**FORM, "rounds": "3", "schedule": "swiss"}, "the form")


def game(
    number: int, players: str, seconds: int, winner: str = "", status: str = "mate", **more: object
) -> dict[str, object]:
    white, black = ({"user": {"name": each * 3, "id": each}, "rating": 1900} for each in players)
    found: dict[str, object] = {
        "id": f"game{number}", "variant": "standard", "createdAt": 1_746_914_274_364 + 1000 * seconds,
        "status": status, "players": {"white": white, "black": black}, "moves": "e4 e5 Nf3", **more,
    }  # fmt: skip
    return found | ({"winner": winner} if winner else {})


def read(objects: list[dict[str, object]], name: str = "a.ndjson") -> Validation:
    return validate("\n".join(map(json.dumps, objects)).encode(), name, facts=FACTS)


def rounds(found: Validation) -> list[str]:
    assert found.document, found.findings
    return [
        f"{number} {each.first}-{each.second} {each.kind} {each.first_score}:{each.second_score}"
        for number, each in found.document.pairings()
    ]


@pytest.mark.parametrize("name", ["a.ndjson", "a.json", "a", "a.txt", "results.trf"])
def test_results_are_a_final_table_whatever_the_name(name: str) -> None:
    found = validate(LICHESS.example.encode(), name, facts=FACTS)
    assert found.document
    published = found.document.published
    assert published
    assert published.order == [[1], [2]]
    assert published.columns["Points"] == {"1": "2.5", "2": "2"}
    assert published.columns["Tie break"] == {"1": "4.25", "2": "4.5"}
    assert [each.name for each in found.document.competitors] == ["arends", "brill"]
    assert not any(found.document.pairings())


def test_arena_has_its_score_and_teams() -> None:
    found = read(ARENA)
    assert found.document
    assert found.document.published
    assert found.document.published.columns["Score"] == {"1": "24", "2": "4"}
    assert [(each.title, each.club) for each in found.document.competitors] == [("IM", "port"), ("", "")]
    assert [each.finding.code for each in found.findings] == ["only-published"]


def test_schedule_of_an_arena_and_discipline_of_a_variant_are_missing() -> None:
    arena = [
        game(at, pair, 100 * at, "white", tournament="ar1") for at, pair in enumerate(("ab", "ac", "ab"))
    ]
    variant = [game(1, "ab", 0, "white", variant="antichess"), game(2, "cd", 1, "white")]
    found = [
        validate("\n".join(map(json.dumps, each)).encode(), "a.ndjson", facts=outline_of(FORM, "the form"))
        for each in (ARENA, arena, variant)
    ]
    findings = [each.finding for validation in found for each in validation.findings]
    missing = [each.where for each in findings if each.code == "missing-fact"]
    assert missing == ["schedule, rounds", "schedule", "discipline"]


def test_array_of_results_is_read_like_lines() -> None:
    found = validate(json.dumps(ARENA, indent=1).encode(), "a.json", facts=FACTS)
    assert found.document
    assert len(found.document.competitors) == 2


def test_second_game_of_a_player_begins_a_round_of_a_swiss_tournament() -> None:
    games = [
        game(1, "ab", 0, "white"), game(2, "cd", 1, status="draw"), game(3, "ac", 500, "black"),
        game(4, "eb", 501, "white", "noStart"), game(5, "ad", 1000, status="started"),
        game(6, "bc", 1001, status="aborted"),
    ]  # fmt: skip
    found = read([games[at] for at in (3, 0, 1, 2, 4, 5)])
    assert sorted(rounds(found)) == [
        "1 3-2 played 2:0", "1 4-5 played 1:1", "2 1-2 forfeit 2:0", "2 3-4 played 0:2",
        "3 3-5 pending None:None",
    ]  # fmt: skip
    assert [each.finding.code for each in found.findings] == ["rounds-by-time"]
    assert {each.what: each.unread for each in found.account}["games"] == 1


def test_game_of_an_arena_is_in_the_first_round_that_is_free() -> None:
    pairs = ["ab", "ab", "cd", "cd", "ef", "ef"] * 4
    found = read([game(at, pair, 100 * at, "white") for at, pair in enumerate(pairs)])
    met = [each.partition(" ")[0] for each in rounds(found)]
    assert {each: met.count(each) for each in met} == {str(at): 3 for at in range(1, 9)}


def test_games_as_pgn_have_the_same_rounds() -> None:
    tags = (
        '[Event "Hourly"]\n[Site "https://lichess.org/g{0}"]\n[Round "-"]\n[White "{1}"]\n'
        '[Black "{2}"]\n[Result "1-0"]\n[UTCDate "2025.05.10"]\n[UTCTime "21:{0}0:00"]\n\n1. e4 1-0\n'
    )
    text = "\n".join(tags.format(at, *pair) for at, pair in enumerate(("ab", "ac", "bc")))
    assert [each[:5] for each in rounds(validate(text.encode(), "a.pgn", facts=FACTS))] == [
        "1 1-2", "2 1-3", "3 2-3",
    ]  # fmt: skip


def test_damaged_lines_are_an_error() -> None:
    found = validate(LICHESS.example.encode()[:-30], "a.ndjson", facts=FACTS)
    assert found.document is None
    assert found.errors


def test_file_without_results_and_games_is_read() -> None:
    found = LICHESS.read(LayoutFile("a.ndjson", b"\n"))
    assert not found.games or not found.games.games
