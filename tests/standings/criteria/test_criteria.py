"""The criteria explained: their pages, their document, and the examples both print."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from standings.criteria.descriptions import FAMILIES, CriterionPage, families, page_of, policies, systems
from standings.criteria.examples import BOARDS, ROUND_ROBIN, TEAMS, TOURNAMENTS, Tournament
from standings.engine import POLICIES, SYSTEMS, UnknownCriterionError, every
from tests.standings.drawn import visible

CODES = [criterion.code for criterion in every()]
DOCUMENT = Path(__file__).parents[3] / "docs" / "criteria.md"
RENEW = "renew it: manage.py criteria --out docs/criteria.md"

# These tests have no database: a page that asked one would fail.


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


# --- the pages --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", CODES)
def test_every_criterion_has_its_page(client: Client, code: str) -> None:
    page = client.get(f"/criteria/{code}/")
    told = page_of(code)
    text = visible(page.content.decode())
    assert page.status_code == 200
    for said in (told.criterion.name, told.criterion.rule, told.criterion.source, told.sheet.value):
        assert said in text
    for system in SYSTEMS.values():
        assert (f'/criteria/#system-{system.code}"' in page.content.decode()) is (code in system.criteria)


def test_the_list_names_every_criterion_system_and_policy(client: Client) -> None:
    page = client.get("/criteria/").content.decode()
    for criterion in every():
        assert f'href="/criteria/{criterion.code}/">{criterion.name}</a>' in page
    for system in SYSTEMS.values():
        assert f'id="system-{system.code}"' in page
    for policy in POLICIES:
        assert f'id="unplayed-{policy}"' in page


@pytest.mark.django_db  # where nothing is found, an old site's address may lead on
@pytest.mark.parametrize("code", ["nothing", "solkoff@game", "Solkoff"])
def test_no_page_of_what_is_no_criterion(client: Client, code: str) -> None:
    page = client.get(f"/criteria/{code}/")
    assert page.status_code == 404
    assert b"There is nothing at this address" in page.content


@pytest.mark.parametrize("address", ["/criteria/", "/criteria/dsb/"])
def test_unchanged_page_is_304_and_carries_nothing_personal(client: Client, address: str) -> None:
    page = client.get(address)
    assert not page.cookies
    assert "Cookie" not in page.headers.get("Vary", "")
    assert page.headers["Cache-Control"].startswith("public")
    assert client.get(address).content == page.content
    unchanged = client.get(address, headers={"if-none-match": page.headers["ETag"]})
    assert unchanged.status_code == 304
    assert not unchanged.content


def test_each_page_has_an_etag_of_its_own(client: Client) -> None:
    tags = {client.get(f"/criteria/{code}/").headers["ETag"] for code in CODES}
    assert len(tags) == len(CODES)


# --- the document -----------------------------------------------------------------------------------------


def test_the_document_is_what_the_command_prints() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == printed(), RENEW


def test_the_document_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / "criteria.md"
    call_command("criteria", out=path)
    assert path.read_text(encoding="utf-8") == printed()


@pytest.mark.parametrize("code", CODES)
def test_every_criterion_has_its_section_and_stands_in_the_contents(code: str) -> None:
    told = page_of(code).criterion
    assert f'<a id="{code}"></a>\n\n### {told.name} ({told.abbr})\n\n{told.rule}\n' in printed()
    assert f"[{told.name}](#{code})" in printed().split("\n## ")[0]


def test_every_link_of_the_document_leads_somewhere() -> None:
    text = printed()
    for target in {link.split(")")[0] for link in text.split("](#")[1:]}:
        assert f'<a id="{target}"></a>' in text or f"\n## {target.replace('-', ' ').capitalize()}\n" in text


# --- what is said of them ---------------------------------------------------------------------------------


def test_families_hold_every_criterion_once() -> None:
    assert [family.name for family in families()] == list(map(str, FAMILIES.values()))
    listed = [criterion.code for family in families() for criterion in family.criteria]
    assert sorted(listed) == sorted(CODES)


def test_facts() -> None:
    assert facts("wins") == {
        "Better": "more",
        "Value": "one figure",
        "Teams": "counts matches; wins@game counts their boards",
    }
    assert facts("faster-wins") == {
        "Better": "fewer",
        "Value": "one figure",
        "Teams": "counted over the boards of their matches, forfeited ones as among players",
        "Fair": "only after Number of wins",
    }
    assert facts("solkoff-truncated-full")["Value"] == "several figures, compared from left to right"
    assert "buchholz@game or buchholz@match" in facts("buchholz")["Score"]
    assert "again inside each group" in facts("direct-encounter")["Looks at"]


def test_only_faster_wins_wants_fewer() -> None:
    assert [code for code in CODES if facts(code)["Better"] == "fewer"] == ["faster-wins"]


def test_seats() -> None:
    seats = [(seat.system.code, seat.words) for seat in page_of("dsmp").seats]
    assert seats == [("olympiad-2008", "3 of 4"), ("olympiad-2010", "4 of 4")]
    assert page_of("koya").seats == []


def test_systems_in_order() -> None:
    told = {told.system.code: told for told in systems()}
    names = [criterion.name for criterion in told["manual-round-robin"].criteria]
    assert names == ["Total score", "Number of wins", "Direct encounter", "Best opponents", "Manual"]
    assert (told["league"].freedom, told["fmjd-swiss"].freedom) == ("open", "frozen")
    assert told["league"].policy == "Olympiad from 2010"


def test_policies_in_a_sentence_each() -> None:
    told = {policy.code: dict(policy.sentences) for policy in policies()}
    assert told["fmjd"]["A bye"].startswith("An entry of 0")
    assert told["olimpbase"]["A bye"].startswith("A draw against oneself")
    assert told["olimpbase"]["Other rounds without an opponent"] == "No entry."
    assert "3-1" in told["olimpbase"]["Won by forfeit"]
    assert "virtual opponent" in told["olympiad-2010"]["Won by forfeit"]
    assert "count as draws" in told["olympiad-2010"]["What an opponent did not play"]


# --- the worked examples ----------------------------------------------------------------------------------


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
    ],
)
def test_worked_examples_by_hand(code: str, expected: list[str]) -> None:
    assert totals(code) == expected


def test_the_cut_is_struck_and_says_why(client: Client) -> None:
    lines = page_of("dsb").sheet.terms
    assert [(line.against, line.working, line.cut, line.note) for line in lines] == [
        ("D", "6 MP × 3 pts", False, ""),
        ("A", "6 MP × 1½ pts", False, ""),
        ("B", "2 MP × 0 pts", True, "lowest, cut"),
    ]
    assert "<s>2 MP × 0 pts</s>" in client.get("/criteria/dsb/").content.decode()


def test_what_a_tie_did_not_reach_is_not_struck() -> None:
    lines = page_of("best-opponents").sheet.terms
    assert [(line.counted, line.cut) for line in lines] == [(True, False), (False, False), (False, False)]
    assert page_of("best-opponents").tie == "P and Q are level with 5 points. It parts them."
    assert page_of("direct-encounter").tie.endswith("It does not part them.")


def test_what_is_of_the_whole_event_has_no_round() -> None:
    sheet = page_of("rating-a").sheet
    assert (*sheet.heads, sheet.terms[0].round, sheet.terms[0].against) == ("for", "of", "the event", "B")


def test_a_forfeit_says_so() -> None:
    assert page_of("game-points").sheet.terms[0].note == "by forfeit"


@pytest.mark.parametrize("tournament", TOURNAMENTS, ids=lambda tournament: tournament.code)
def test_every_tournament_is_drawn_in_full(tournament: Tournament) -> None:
    for line in tournament.rows:
        assert len(line.cells) == len(tournament.rounds)


def test_the_boards_of_a_match_stand_behind_its_points() -> None:
    assert [cell.text for cell in BOARDS.rows[0].cells] == ["B 4 (+×2 1+ =)", "C 3 (+ − 1+)", "–"]
    assert [cell.text for cell in BOARDS.rows[1].cells] == ["A 2 (−×2 1- =)", "–", "C +"]


def test_table_of_a_tournament() -> None:
    ann = TEAMS.rows[0]
    assert (ann.name, ann.rating, [cell.text for cell in ann.cells], ann.total) == (
        "A",
        "2400",
        ["B +", "C 2½", "D 1", "E 3"],
        "6",
    )
    assert not ROUND_ROBIN.rated


# --- unplayed rounds --------------------------------------------------------------------------------------


def test_policies_differ_where_opponents_count() -> None:
    told = unplayed("dsb")
    assert told["a bye (D, round 2)"] == ["0 MP × 4 pts = 0", *["6 MP × 2 pts = 12, against itself"] * 2]
    assert told["won by forfeit (A, round 1)"] == [
        "2 MP × 4 pts = 8, against B",
        "2 MP × 3 pts = 6, against B",
        "3 MP × 4 pts = 12, against virtual opponent for B",
    ]
    assert told["absent (C, round 4)"] == ["0 MP × 0 pts = 0", "no entry", "no entry"]
    assert told["an opponent who had a bye (C, round 1)"][2] == "5 MP × 3 pts = 15, against D"


def test_own_points_are_what_was_awarded() -> None:
    assert list(unplayed("match-points").values()) == [
        ["2 MP"],
        ["2 MP, against B"],
        ["0 MP, against A"],
        ["1 MP"],
        ["0 MP"],
    ]


def test_byes_are_wins_only_where_an_event_says_so() -> None:
    assert page_of("wins").unplayed.words.endswith("An event may let byes count as wins.")
    assert "An event" not in page_of("koya").unplayed.words
    assert unplayed("wins")["a bye (D, round 2)"] == ["no entry"]


def test_ratings_of_forfeits_count_and_byes_are_0() -> None:
    told = unplayed("average-rating-opponents")
    assert set(told["a bye (D, round 2)"]) == {"0 rating"}
    assert set(told["won by forfeit (A, round 1)"]) == {"2350 rating, against B"}


@pytest.mark.parametrize("code", ["manual", "rating-a", "plus-draws"])
def test_some_do_not_look_at_them(code: str) -> None:
    assert page_of(code).unplayed.rows == []


@pytest.mark.parametrize(("code", "drawn"), [("dsb", 1), ("solkoff", 2), ("manual", 1)])
def test_a_page_draws_each_tournament_it_speaks_of_once(client: Client, code: str, drawn: int) -> None:
    page = client.get(f"/criteria/{code}/").content.decode()
    assert page.count('id="drawn-') == drawn
    assert page.count('href="#drawn-teams"') == page.count('<div class="scroll unplayed"')


def test_no_page_of_an_unknown_code() -> None:
    with pytest.raises(UnknownCriterionError):
        page_of("nothing")


def test_the_page_of_an_alias_is_its_own() -> None:
    told: CriterionPage = page_of("buchholz")
    assert (told.criterion.code, told.criterion.name) == ("buchholz", "Buchholz")
