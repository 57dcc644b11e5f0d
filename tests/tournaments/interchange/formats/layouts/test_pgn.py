"""Games with tags: players and teams, rounds and boards, unchanged moves."""

from itertools import combinations
from operator import attrgetter
from typing import Any

import pytest

from tests.tournaments.interchange.formats import samples
from tournaments.event.moves import parted
from tournaments.interchange.formats.layouts.game_texts import split_into_games
from tournaments.interchange.formats.layouts.layout import LayoutFile, LayoutReading
from tournaments.interchange.formats.layouts.outline import EventOutline
from tournaments.interchange.formats.layouts.pgn import PDN, PGN
from tournaments.interchange.formats.layouts.recognition import recognised
from tournaments.interchange.formats.options import ReadingOptions
from tournaments.interchange.formats.tables.headings import MappedTable
from tournaments.interchange.formats.tables.listed_games import ListedGame
from tournaments.interchange.formats.tables.reading import mapped_tables, read_tables
from tournaments.interchange.formats.validating.validation import validate


def game(white: str, black: str, result: str, moves: str = "1. e4", **tags: str) -> str:
    """Return a game with its tags. A name may have a team after a bar."""
    sides: dict[str, str] = {}
    for side, told in (("White", white), ("Black", black)):
        name, _, team = told.partition("/")
        sides |= {side: name} | ({f"{side}Team": team} if team else {})
    found = {"Event": "Quay Cup", "Round": "1", **sides, "Result": result, **tags}
    return "".join(f'[{name} "{text}"]\n' for name, text in found.items()) + f"\n{moves} {result}\n\n"


def reading_of(text: str, **options: str) -> LayoutReading:
    return PGN.read(LayoutFile("games.pgn", text.encode(), ReadingOptions(**options)))


def games_of(reading: LayoutReading) -> tuple[ListedGame, ...]:
    assert reading.games
    return reading.games.games


def column(reading: LayoutReading, *fields: str) -> list[tuple[Any, ...]]:
    return [tuple(attrgetter(*fields, "line")(each)[:-1]) for each in games_of(reading)]


def codes(reading: LayoutReading) -> list[str]:
    return [each.code for each in reading.findings]


MOVES = [
    '1. e4 {a comment\n\nwith [Event "no"] in it; and a line} e5',
    "1. e4 ; to the end {of it\ne5",
    "%escaped {\n1. d4",
]


@pytest.mark.parametrize("moves", MOVES)
def test_moves_are_unchanged(moves: str) -> None:
    text = game("Ann", "Bea", "1-0", moves, ECO="C20") + game("Bea", "Cyd", "0-1", Round="2")
    first, second = column(reading_of(text), "moves")
    assert parted(first[0]) == ('[ECO "C20"]', f"{moves} 1-0")
    assert second == ("1. e4 0-1",)


def test_unclosed_comment_ends_with_its_game() -> None:
    text = game("Ann", "Bea", "1-0", "1. e4 {open") + game("Bea", "Cyd", "0-1", Round="2")
    games, others = split_into_games(text.splitlines())
    assert ([each.tags["White"] for each in games], others) == (["Ann", "Bea"], [])


def test_round_tag_has_round_and_board() -> None:
    text = game("Ann", "Bea", "1-0", Round="3.2") + game("Cyd", "Dov", "*", Round="3.1", Date="2021.05.02")
    assert column(reading_of(text), "round", "table", "date", "first.name", "result") == [
        (3, 1, "2021-05-02", "Cyd", ""),
        (3, 2, "", "Ann", "1-0"),
    ]


def test_first_team_has_white_on_board_1() -> None:
    text = game("A1/Reds", "B1/Blues", "1-0", Round="1.1") + game("B2/Blues", "A2/Reds", "1-0", Round="1.2")
    found = reading_of(text)
    assert found.outline.entrants == "teams"
    assert column(found, "first.name", "board", "first.player", "result", "second.name", "white") == [
        ("Reds", None, "", "1-1", "Blues", ""),
        ("Reds", 1, "A1", "1-0", "Blues", "first"),
        ("Reds", 2, "A2", "0-1", "Blues", "second"),
    ]
    reading = read_tables(samples.document(samples.teams()), found.tables, games=found.games)
    assert reading.document
    played = [each for _, each in reading.document.pairings() if each.games and each.games[0].moves]
    assert [each.games[1].moves for each in played] == ["1. e4 1-0"]


def test_clubs_are_no_teams() -> None:
    text = game("Ann/Reds", "Bea/Blues", "1-0") + game("Cyd/Reds", "Dov/Greens", "1-0")
    assert reading_of(text).outline.entrants == "players"


def test_contradictions_are_objections() -> None:
    assert codes(reading_of(game("Ann", "Bea", "1-0").replace("e4 1-0", "e4 0-1"))) == ["two-results"]
    twice = game("Ann", "Bea", "1-0") + game("Ann", "Bea", "0-1")
    assert codes(reading_of(twice)) == ["game-twice"]
    boards = "".join(game(f"A{at}/Reds", f"B{at}/Blues", "1-0", Round=f"1.{at}") for at in (1, 2))
    more = "".join(game(f"A{at}/Reds", f"B{at}/Greens", "1-0", Round=f"2.{at}") for at in (1, 2, 3))
    assert codes(reading_of(boards + more)) == ["boards-missing-in-file"]


def _match(first: str, second: str, *results: str, number: str = "1", is_numbered: bool = False) -> str:
    """Return the games of two players with alternating colours."""
    sides = (first, second)
    return "".join(
        game(
            sides[at % 2], sides[(at + 1) % 2], result, Round=f"{number}.{at + 1}" if is_numbered else number
        )
        for at, result in enumerate(results)
    )


@pytest.mark.parametrize("is_numbered", [False, True])
def test_games_of_a_match_have_separate_rounds(*, is_numbered: bool) -> None:
    """Only the first game used to be read, with a warning at most."""
    text = (
        _match("Ann", "Bea", "1-0", "1-0", is_numbered=is_numbered)
        + _match("Cyd", "Dov", "0-1", "1/2-1/2", is_numbered=is_numbered)
        + _match("Ann", "Cyd", "1-0", "1/2-1/2", "0-1", number="2", is_numbered=is_numbered)
    )
    found = reading_of(text)
    assert codes(found) == ["rounds-by-game"]
    assert column(found, "round", "first.name", "second.name", "result") == [
        (1, "Ann", "Bea", "1-0"), (1, "Cyd", "Dov", "0-1"),
        (2, "Bea", "Ann", "1-0"), (2, "Dov", "Cyd", "1/2-1/2"),
        (3, "Ann", "Cyd", "1-0"), (4, "Cyd", "Ann", "1/2-1/2"), (5, "Ann", "Cyd", "0-1"),
    ]  # fmt: skip
    assert '[Round "2' in column(found, "moves")[4][0]


def test_matches_of_a_round_may_have_different_lengths() -> None:
    text = _match("Ann", "Bea", "1-0", "1-0", "1/2-1/2") + _match("Cyd", "Dov", "0-1", "1/2-1/2")
    assert [each for (each,) in column(reading_of(text), "round")] == [1, 1, 2, 2, 3]


def test_single_pair_with_two_games_is_an_objection() -> None:
    text = _match("Ann", "Bea", "1-0", "1-0") + game("Cyd", "Dov", "1-0") + game("Eve", "Fay", "1-0")
    found = reading_of(text)
    assert [(each.code, each.severity) for each in found.findings] == [("game-twice", "objection")]


def test_forfeits_byes_and_open_games() -> None:
    text = (
        game("Ann", "Bea", "1-0", "", Termination="forfeit")
        + game("Cyd", "Dov", "0-1", Termination="time forfeit")
        + game("BYE", "Eve", "0-1", "")
        + game("Fay", "Gus", "*", "")
    )
    assert [result for (result,) in column(reading_of(text), "result")] == ["+-", "0-1", "bye", ""]


def test_single_event_of_several_is_read() -> None:
    text = game("Ann", "Bea", "1-0") + game("Cyd", "Dov", "1-0") + game("Eve", "Fay", "1-0", Event="Blitz")
    found = reading_of(text)
    assert (codes(found), len(games_of(found))) == (["several-events"], 2)
    assert column(reading_of(text, part="blitz"), "first.name") == [("Eve",)]
    (games,) = (each for each in found.account or () if each.what == "games")
    assert (games.read, games.unread, games.examples) == (2, 1, ("Eve – Fay",))


def test_other_rating_or_spelling_is_stored_with_the_moves() -> None:
    text = game("Ann", "Bea", "1-0", WhiteElo="2100", WhiteFideId="7") + game(
        "Ann B.", "Cyd", "1-0", Round="2", WhiteElo="2111", WhiteFideId="7"
    )
    found = reading_of(text)
    assert [row.cells[0] for row in found.tables[0][0].rows] == ["Ann", "Bea", "Cyd"]
    assert column(found, "first.name", "moves")[1] == (
        "Ann",
        '[White "Ann B."]\n[WhiteElo "2111"]\n\n1. e4 1-0',
    )


def test_dates_are_rounds_if_no_game_has_a_round() -> None:
    text = game("Ann", "Bea", "1-0", Round="?", Date="2021.05.02") + game(
        "Ann", "Cyd", "1-0", Round="?", Date="2021.05.01"
    )
    found = reading_of(text)
    assert (codes(found), column(found, "round", "second.name")) == (
        ["rounds-by-day"],
        [(1, "Cyd"), (2, "Bea")],
    )


def test_round_robin_without_rounds_gets_berger_rounds_and_keeps_its_colours() -> None:
    pairs = [("Ann", "Bea"), ("Cyd", "Ann"), ("Dov", "Ann"), ("Bea", "Cyd"), ("Dov", "Bea"), ("Cyd", "Dov")]
    text = "".join(game(*pair, "1-0", Round="?", Date="????.??.??") for pair in pairs)
    found = reading_of(text)

    assert codes(found) == []
    rounds = column(found, "round", "first.name", "second.name")
    assert [[(first, second) for at, first, second in rounds if at == number] for number in (1, 2, 3)] == [
        [("Dov", "Ann"), ("Bea", "Cyd")],
        [("Cyd", "Dov"), ("Ann", "Bea")],
        [("Dov", "Bea"), ("Cyd", "Ann")],
    ]
    document = validate(text.encode(), "games.pgn", facts=EventOutline(start="2020")).document
    assert document is not None
    assert (document.event.unknown, document.event.schedule) == (("round_order",), "round-robin")


def test_incomplete_round_robin_without_rounds_is_refused() -> None:
    text = game("Ann", "Bea", "1-0", Round="?") + game("Bea", "Cyd", "1-0", Round="?")

    assert codes(reading_of(text)) == ["no-round"]


@pytest.mark.parametrize("result", ["0–1 (F)", "0-1 (F)", "0-1F"])
def test_result_by_forfeit_in_the_tag(result: str) -> None:
    text = game("Ann", "Bea", "*").replace('[Result "*"]', f'[Result "{result}"]')

    assert (codes(reading_of(text)), column(reading_of(text), "result")) == ([], [("-+",)])


@pytest.mark.parametrize("result", ["0–1 (F)", "0-1F", "-/+", "- : +"])
def test_forfeit_after_the_tags_is_not_a_move(result: str) -> None:
    assert column(reading_of(game("Ann", "Bea", result, "")), "result", "moves") == [("-+", "")]


def test_draughts_are_recognised_by_results() -> None:
    text = game("Ann (Quay)", "Bea", "2-0", "1. 32-28")
    assert recognised(LayoutFile("games.txt", text.encode())).layout is PDN
    found = PDN.read(LayoutFile("games.txt", text.encode()))
    assert (found.outline.scoring, found.tables[0][0].rows[0].cells[-1]) == ("2-1-0", "Quay")


def test_moves_match_players_with_other_spellings() -> None:
    """Players are not added to the event; their games are omitted with an objection."""
    base = read_tables(
        samples.document(samples.players()),
        _tables("No;Name;FIDE id\n7;Carlström, Åke;\n8;Zed;77\n", "Round;White;Black;Result\n1;7;8;2-0\n"),
    ).document
    assert base
    text = game("Carlstrom,A", "Zett", "*", "1. e4", BlackFideId="77") + game(
        "Carlstrom, Ake", "Yan", "1-0", Round="2"
    )
    found = reading_of(text)
    reading = read_tables(base, found.tables, games=found.games)
    assert reading.document
    assert len(reading.document.competitors) == len(base.competitors)
    (played,) = (each for number, each in reading.document.pairings() if number == 1 and each.first == 7)
    assert (played.second, played.first_score, played.moves) == (8, 4, "1. e4 *")
    assert "game-of-strangers" in {each.code for each in reading.findings}
    counts = {each.what: each for each in reading.account}
    assert counts["games"].examples == ("Carlstrom, Ake – Yan",)
    assert counts["games of the event with moves"].read == 1


def _tables(*texts: str) -> tuple[MappedTable, ...]:
    return mapped_tables([table for text in texts for table in LayoutFile("a.csv", text.encode()).tables])


def test_event_tag_of_broadcasts_has_round_and_players() -> None:
    text = game("Ann", "Bea", "1-0", Event="Round 1: Ann - Bea", Site="https://a.example/1") + game(
        "Bea", "Ann", "1-0", Round="2", Event="Round 2: Bea - Ann", Site="https://a.example/2"
    )
    found = reading_of(text)
    assert (found.outline.name, found.outline.sources, codes(found)) == ("", "", [])
    assert column(found, "moves")[1][0].splitlines()[:2] == [
        '[Event "Round 2: Bea - Ann"]',
        '[Site "https://a.example/2"]',
    ]
    rounds = game("Ann", "Bea", "1-0", Event="Quay Cup, Round 1") + game(
        "Bea", "Ann", "1-0", Round="2", Event="Quay Cup, Round 2"
    )
    assert (reading_of(rounds).outline.name, codes(reading_of(rounds))) == ("Quay Cup", [])


def test_codes_after_names_are_teams() -> None:
    text = game("Arends B RED", "Brill C BLU", "1-0") + game("Bolt E BLU", "Ames D RED", "1-0")
    found = reading_of(text)
    assert found.outline.entrants == "teams"
    assert column(found, "first.name", "first.player", "second.name")[1:] == [
        ("RED", "Arends B", "BLU"),
        ("RED", "Ames D", "BLU"),
    ]


def test_games_without_a_round_are_omitted() -> None:
    text = game("Ann", "Bea", "1-0") + game("Ann", "Bea", "0-1", Round="?")
    assert (codes(reading_of(text)), len(games_of(reading_of(text)))) == (["no-round"], 1)


def test_round_robin_without_rounds_may_lack_a_game() -> None:
    names = ["Ann", "Bea", "Cyd", "Dov"]
    games = [game(*pair, "1-0", Round="?") for pair in combinations(names, 2)]
    complete, incomplete = (reading_of("".join(each)) for each in (games, games[1:]))

    assert (codes(complete), codes(incomplete)) == ([], ["missing-games"])
    assert "Ann – Bea" in incomplete.findings[0].message
    assert len(games_of(incomplete)) == 5
    assert codes(reading_of("".join(games[2:]))) == ["no-round"]
