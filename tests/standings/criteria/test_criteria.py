"""Descriptions of criteria: pages, printed document, and the examples in both."""

import re
from functools import cache
from html import escape
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from standings.criteria.descriptions import (
    RULE_BOOKS,
    RULE_BOOKS_BY_SOURCE,
    SOURCES,
    CriterionPage,
    page_of,
    policies,
    rule_books,
    systems,
)
from standings.criteria.editions import EXAMPLES, EditionExample, PlacesUnderEditions, handbook_editions
from standings.criteria.examples import BOARDS, POTSDAM, ROUND_ROBIN, TEAMS, TOURNAMENTS, Tournament
from standings.engine import POLICIES, SYSTEMS, UnknownCriterionError, all_criteria
from tests.standings.drawn import visible

CODES = [criterion.code for criterion in all_criteria()]

# These tests have no database access, so a query on a page makes them fail.


@cache
def printed() -> str:
    out = StringIO()
    call_command("criteria", stdout=out)
    return out.getvalue()


def facts(code: str) -> dict[str, str]:
    return dict(page_of(code).properties)


def totals(code: str) -> list[str]:
    return [f"{total.sum} = {total.figure}".removeprefix(" = ") for total in page_of(code).sheet.totals]


def unplayed(code: str) -> dict[str, list[str]]:
    return dict(page_of(code).unplayed.rows)


# --- pages ------------------------------------------------------------------------------------------------


def test_every_criterion_has_a_page(client: Client, subtests: pytest.Subtests) -> None:
    tags = set()
    for code in CODES:
        page = client.get(f"/criteria/{code}/")
        tags.add(page.headers["ETag"])
        with subtests.test(code):
            assert page.status_code == 200
            tells_of_its_criterion(page.content.decode(), code)
    assert len(tags) == len(CODES)


def tells_of_its_criterion(page: str, code: str) -> None:
    told = page_of(code)
    text = visible(page)
    for said in (told.criterion.name, told.criterion.rule, told.criterion.source, told.sheet.value):
        assert said in text
    for system in SYSTEMS.values():
        assert (f'/criteria/#system-{system.code}"' in page) is (code in system.criteria)


def test_list_contains_every_criterion_system_and_policy(client: Client) -> None:
    page = client.get("/criteria/").content.decode()
    for criterion in all_criteria():
        assert f'href="/criteria/{criterion.code}/">{escape(criterion.name)}</a>' in page
    for system in SYSTEMS.values():
        assert f'id="system-{system.code}"' in page
    for policy in POLICIES:
        assert f'id="unplayed-{policy}"' in page


@pytest.mark.django_db  # unknown URLs are looked up as redirects of the old site
@pytest.mark.parametrize("code", ["nothing", "solkoff@game", "Solkoff"])
def test_unknown_criterion_is_404(client: Client, code: str) -> None:
    page = client.get(f"/criteria/{code}/")
    assert page.status_code == 404
    assert b"There is no page at this address" in page.content


@pytest.mark.parametrize("address", ["/criteria/", "/criteria/dsb/"])
def test_unchanged_page_is_304_without_personal_data(client: Client, address: str) -> None:
    page = client.get(address)
    assert not page.cookies
    assert "Cookie" not in page.headers.get("Vary", "")
    assert page.headers["Cache-Control"].startswith("public")
    assert client.get(address).content == page.content
    unchanged = client.get(address, headers={"if-none-match": page.headers["ETag"]})
    assert unchanged.status_code == 304
    assert not unchanged.content


# --- document ---------------------------------------------------------------------------------------------


def test_command_writes_the_document(tmp_path: Path) -> None:
    path = tmp_path / "criteria.md"
    call_command("criteria", out=path)
    assert path.read_text(encoding="utf-8") == printed()


def test_every_criterion_has_a_section_and_a_contents_entry(subtests: pytest.Subtests) -> None:
    contents = printed().split("\n## ")[0]
    for told in all_criteria():
        with subtests.test(told.code):
            section = f'<a id="{told.code}"></a>\n\n#### {told.name} ({told.abbr})\n\n{told.rule}\n'
            assert section in printed()
            assert f"[{told.name}](#{told.code})" in contents


def test_document_has_no_dead_links() -> None:
    text = printed()
    for target in {link.split(")")[0] for link in text.split("](#")[1:]}:
        assert f'<a id="{target}"></a>' in text or f"\n## {target.replace('-', ' ').capitalize()}\n" in text


# --- descriptions -----------------------------------------------------------------------------------------


def test_rule_books_contain_every_criterion_once() -> None:
    books = rule_books()
    assert [book.name for book in books] == list(map(str, RULE_BOOKS.values()))
    listed = [criterion.code for book in books for _, criteria in book.families for criterion in criteria]
    assert sorted(listed) == sorted(CODES)


def test_sources_of_criteria_are_explained() -> None:
    for criterion in all_criteria():
        for part in criterion.source.split("; "):
            assert any(part.startswith(name) for name, _ in SOURCES), criterion.code


def test_criterion_of_an_unknown_source_has_no_rule_book(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(RULE_BOOKS_BY_SOURCE, "DrA")
    with pytest.raises(LookupError, match="no rule book for DrA 2"):
        page_of("wins")


def test_properties_of_criteria() -> None:
    assert facts("wins") == {
        "In short": "number of wins (wins by forfeit count, byes do not)",
        "Better": "more",
        "Value": "a single figure",
        "Teams": "counts matches; wins@game counts their boards",
    }
    assert facts("faster-wins") == {
        "In short": "games in the micro-matches won, the fewer the better",
        "Better": "fewer",
        "Value": "a single figure",
        "Teams": "counted over the boards of the matches; forfeited boards count as for players",
        "Fair": "only after Number of wins",
    }
    assert facts("solkoff-truncated-full")["Value"] == "several figures, compared from left to right"
    assert "buchholz@game or buchholz@match" in facts("buchholz")["Score"]
    assert "again in each group" in facts("direct-encounter")["Considers"]


def test_reversed_criteria() -> None:
    assert [code for code in CODES if facts(code).get("Better") == "fewer"] == ["faster-wins", "TPN", "BC"]


def test_properties_in_the_handbook() -> None:
    assert facts("EDEBT") == {
        "In short": "place by the results against each other; for two teams board count, then first boards",
        "Article": "13.3.2",
        "Type": "A: results of the tied competitors against each other",
        "Edition": "new in the edition of 2026",
        "For": "teams only",
        "Value": "the place among the level competitors; 0 if all remain level",
        "Considers": "only competitors still level after the earlier criteria",
    }
    assert facts("SB")["Type"] == "B: own results; C: results of the opponents"
    assert facts("BH")["Intended for"].startswith("Swiss tournaments")
    assert facts("BC")["Fair"] == "only after Game points"


@pytest.mark.parametrize(
    ("code", "taken"),
    [
        ("BH", ["BH-C1", "BH-M1", "BH-P", "BH:MP"]),
        ("KS", ["KS-L60", "KS:MP"]),
        ("SSSC", ["SSSC-K2", "SSSC-P", "SSSC-F", "SSSC:MP"]),
        ("TPN", ["TPN-R"]),
        ("BC", []),
        ("buchholz", []),
    ],
)
def test_page_lists_modifiers_of_the_code(code: str, taken: list[str]) -> None:
    assert [modifier.criterion.abbr for modifier in page_of(code).modifiers] == taken


def test_description_of_a_cut_matches_the_engine() -> None:
    values = {code: page_of(code).modifiers[0].does for code in ("BH", "SB", "PS", "ARO")}
    assert "least significant value" in values["BH"]
    assert "14.1.1" in values["SB"]
    assert "after round 1" in values["PS"]
    assert "lowest-rated" in values["ARO"]


def test_code_with_modifiers_has_its_own_example(client: Client) -> None:
    page = client.get("/criteria/BH-C1/").content.decode()
    assert "<h1>Buchholz Cut 1 " in page
    assert "Example: David has 11½" in visible(page)
    assert '<link rel="canonical" href="http://testserver/criteria/BH-C1/">' in page


@pytest.mark.parametrize("spelling", ["bh-c1", "Bh-c1"])
def test_other_spellings_redirect_to_the_page(client: Client, spelling: str) -> None:
    answer = client.get(f"/criteria/{spelling}/")
    assert (answer.status_code, answer.headers["Location"]) == (301, "/criteria/BH-C1/")


def test_positions_in_ranking_systems() -> None:
    seats = [(seat.system.code, seat.words) for seat in page_of("dsmp").seats]
    assert seats == [("olympiad-2008", "3 of 4"), ("olympiad-2010", "4 of 4")]
    assert page_of("koya").seats == []


def test_systems_list_criteria_in_order() -> None:
    told = {told.system.code: told for told in systems()}
    names = [criterion.name for criterion in told["manual-round-robin"].criteria]
    assert names == ["Total score", "Number of wins", "Direct encounter", "Best opponents", "Manual"]
    assert (told["league"].freedom, told["fmjd-swiss"].freedom) == ("open", "frozen")
    assert told["league"].policy == "Olympiad from 2010"


def test_policies_have_a_sentence_per_kind_of_round() -> None:
    values = {policy.code: dict(policy.sentences) for policy in policies()}
    assert values["fmjd"]["A bye"].startswith("Counts as 0")
    assert values["olimpbase"]["A bye"].startswith("A draw against oneself")
    assert values["olimpbase"]["Other rounds without an opponent"] == "Does not count."
    assert "3-1" in values["olimpbase"]["Won by forfeit"]
    assert "virtual opponent" in values["olympiad-2010"]["Won by forfeit"]
    assert "count as draws" in values["olympiad-2010"]["Unplayed rounds of an opponent"]


# --- examples ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("total-score", ["1 + 2 + 0 + 2 = 5"]),
        ("wins@game", ["1 + 1 = 2"]),
        ("progress", ["1 + 3 + 3 + 5 = 12"]),
        ("solkoff", ["4 + 3 + 5 + 4 = 16"]),
        ("buchholz-median", ["4 + 4 = 8"]),
        ("solkoff-truncated-full", ["4 + 5 + 4 = 13", "5 + 4 = 9", "5"]),
        ("solkoff-plus", ["15 + 16 + 12 + 16 = 59"]),
        ("sonneborn-berger", ["3 + 0 + 4 + 8 = 15"]),
        ("koya", ["1 + 2 = 3"]),
        ("won-lost-ratio", ["2 won / 1 lost"]),
        ("plus-minus-draws", ["-1 - 1 = -2"]),
        ("average-rating-opponents", ["6650 / 4 = 1662.5"]),
        ("total-rating-opponents", ["0 + 2150 + 2300 + 2200 = 6650"]),
        ("direct-encounter", ["1 from 1 game"]),
        ("best-opponents", ["1 against V"]),
        ("faster-wins", ["1 + 3 = 4"]),
        ("slower-losses", ["3 + 2 = 5"]),
        ("game-points", ["4 + 2½ + 1 + 3 = 10½"]),
        ("dsb", ["18 + 9 = 27"]),
        ("dsmp", ["6 + 6 = 12"]),
        ("manual", ["1"]),
        ("BH", ["3 + 2½ + 1½ + 3½ + 3½ = 14"]),
        ("BH/C1", ["3 + 1½ + 3½ + 3½ = 11½"]),
        ("SB", ["3 + 1¼ + 1½ + 1¾ + 1¾ = 9¼"]),
        ("PS", ["1 + 1½ + 2½ + 3 + 3½ = 11½"]),
        ("REP", ["1 + 1 + 1 = 3"]),
        ("DE", ["2 from 2 games: place 1 (6)"]),
    ],
)
def test_examples_match_values_computed_by_hand(code: str, expected: list[str]) -> None:
    assert totals(code) == expected


def test_every_example_has_a_value() -> None:
    for code in CODES:
        assert page_of(code).sheet.value not in {"?", "·"}, (
            f"The example of {code} has no value; choose another in EXAMPLES_BY_CODE of"
            " standings/criteria/examples.py."
        )


def test_cut_term_is_struck_out_with_a_reason(client: Client) -> None:
    lines = page_of("dsb").sheet.terms
    assert [(line.against, line.working, line.cut, line.note) for line in lines] == [
        ("D", "6 MP × 3 pts", False, ""),
        ("A", "6 MP × 1½ pts", False, ""),
        ("B", "2 MP × 0 pts", True, "lowest, cut"),
    ]
    assert "<s>2 MP × 0 pts</s>" in client.get("/criteria/dsb/").content.decode()


def test_term_that_ties_did_not_reach_is_not_struck_out() -> None:
    lines = page_of("best-opponents").sheet.terms
    assert [(line.counted, line.cut) for line in lines] == [(True, False), (False, False), (False, False)]
    assert page_of("best-opponents").tie == (
        "P and Q are level with 5 points. This criterion separates them."
    )
    assert page_of("direct-encounter").tie.endswith("This criterion does not separate them.")


def test_term_of_the_entire_event_has_no_round() -> None:
    sheet = page_of("rating-a").sheet
    assert (*sheet.heads, sheet.terms[0].round, sheet.terms[0].against) == ("for", "of", "the event", "B")


def test_forfeit_has_a_note() -> None:
    assert page_of("game-points").sheet.terms[0].note == "by forfeit"


@pytest.mark.parametrize("tournament", TOURNAMENTS, ids=lambda tournament: tournament.code)
def test_tournaments_have_all_rows_and_rounds(tournament: Tournament) -> None:
    for line in tournament.rows:
        assert len(line.cells) == len(tournament.rounds)


def test_boards_follow_the_points_of_a_match() -> None:
    assert [cell.text for cell in BOARDS.rows[0].cells] == ["B 4 (+×2 1+ =)", "C 3 (+ − 1+)", "–"]
    assert [cell.text for cell in BOARDS.rows[1].cells] == ["A 2 (−×2 1- =)", "–", "C +"]


def test_tournament_as_table() -> None:
    ann = TEAMS.rows[0]
    assert (ann.name, ann.rating, [cell.text for cell in ann.cells], ann.total) == (
        "A",
        "2400",
        ["B +", "C 2½", "D 1", "E 3"],
        "6",
    )
    assert not ROUND_ROBIN.rated


# --- unplayed rounds --------------------------------------------------------------------------------------


def test_policies_differ_for_criteria_on_opponents() -> None:
    told = unplayed("dsb")
    assert told["a bye (D, round 2)"] == [
        "0 MP × 4 pts = 0",
        *["6 MP × 2 pts = 12, against itself"] * 2,
        *["2 MP × 2 pts = 4", "6 MP × 4 pts = 24", "4 MP × 4 pts = 16"],
    ]
    assert told["won by forfeit (A, round 1)"][:3] == [
        "2 MP × 4 pts = 8, against B",
        "2 MP × 3 pts = 6, against B",
        "3 MP × 4 pts = 12, against virtual opponent for B",
    ]
    assert told["absent (C, round 4)"][:3] == ["0 MP × 0 pts = 0", "does not count", "does not count"]
    assert told["an opponent with a bye (C, round 1)"][2] == "5 MP × 3 pts = 15, against D"


def test_own_points_are_the_awarded_points() -> None:
    assert list(unplayed("match-points").values()) == [
        ["2 MP"],
        ["2 MP, against B"],
        ["0 MP, against A"],
        ["1 MP"],
        ["0 MP"],
    ]


def test_byes_are_wins_only_if_the_event_requires_it() -> None:
    assert page_of("wins").unplayed.words.endswith("An event may let byes count as wins.")
    assert "An event" not in page_of("koya").unplayed.words
    assert unplayed("wins")["a bye (D, round 2)"] == ["does not count"]


def test_ratings_of_forfeits_count_and_byes_are_0() -> None:
    told = unplayed("average-rating-opponents")
    assert set(told["a bye (D, round 2)"]) == {"0 rating"}
    assert set(told["won by forfeit (A, round 1)"]) == {"2350 rating, against B"}


@pytest.mark.parametrize("code", ["manual", "rating-a", "plus-draws"])
def test_some_criteria_ignore_unplayed_rounds(code: str) -> None:
    assert page_of(code).unplayed.rows == []


@pytest.mark.parametrize(("code", "drawn"), [("dsb", 1), ("solkoff", 2), ("manual", 1)])
def test_page_shows_each_tournament_once(client: Client, code: str, drawn: int) -> None:
    page = client.get(f"/criteria/{code}/").content.decode()
    assert page.count('id="drawn-') == drawn
    assert page.count('href="#drawn-teams"') == page.count('<div class="scroll unplayed"')


def test_unknown_code_has_no_page() -> None:
    with pytest.raises(UnknownCriterionError):
        page_of("nothing")


def test_alias_has_its_own_page() -> None:
    told: CriterionPage = page_of("buchholz")
    assert (told.criterion.code, told.criterion.name) == ("buchholz", "Buchholz")


# --- editions of FIDE's rules -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("anchor", "values"),
    [
        ("bye", ["13½", "15", "14"]),
        ("forfeit", ["12", "13½", "12½"]),
        ("cut", ["12", "11½", "11½"]),
        ("products", ["4", "6½", "6"]),
        ("latecomer", ["19½", "13", "13"]),
    ],
)
def test_example_has_a_value_per_edition(anchor: str, values: list[str]) -> None:
    example = next(each for each in EXAMPLES if each.anchor == anchor)
    assert [value.value for value in example.values] == values


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.anchor)
def test_differences_cite_their_article(example: EditionExample) -> None:
    assert example.differing
    for _number, _cell, worths in example.differing:
        notes = [term.note for _, term in worths]
        assert any(re.search(r"\((2009|14|.*16\.\d.*)\)", note) for note in notes), notes


def test_potsdam_values_match_the_edition_of_2024() -> None:
    """Brunk, Faust and Käding on chess-results.com: Buchholz 26½, 29½, 29½."""
    standings = PlacesUnderEditions(POTSDAM)._standings[1]
    assert standings.column("BH").texts[:3] == ["26½", "29½", "29½"]


def test_places_that_depend_on_the_edition() -> None:
    places = PlacesUnderEditions(POTSDAM)
    assert places.words.startswith(f"{len(places.moved)} of 21 players")
    assert {name for name, _points, _places in places.moved} == {"Nguyen", "Stephan", "Skorwider", "Grinman"}


def test_editions_page_shows_examples_and_places(client: Client) -> None:
    text = visible(client.get("/criteria/editions/").content.decode())
    assert [edition.year for edition in handbook_editions()] == ["2009", "2024", "2026"]
    for said in ("events that began before 1 August 2023", "before 1 March 2026", "Standard points", "RTNG"):
        assert said in text
    assert "Uitgaven" in client.get("/nl/criteria/editions/").content.decode()


def test_editions_page_is_not_cached_across_languages(client: Client) -> None:
    english = visible(client.get("/criteria/editions/").content.decode())
    dutch = visible(client.get("/nl/criteria/editions/").content.decode())
    assert "a dummy with own score" in english
    assert "a dummy with own score" not in dutch
