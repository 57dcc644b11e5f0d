"""Printouts for the hall: content, order and language."""

import re

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from selectolax.lexbor import LexborHTMLParser, LexborNode

from standings.paper.kinds import KINDS, kinds_for
from tests.cast import (
    Hall,
    create_event_to_come,
    create_player_event,
    create_team_event,
    match_file,
    open_hall,
    prizes_file,
    swiss_file,
)
from tournaments.event.choices import Kind, Language, Presence
from tournaments.models import Attendance, Competitor, Event, Game, Override, Pairing, Player, Round

OF_ROUNDS = [each.name for each in KINDS if each.of_round and each.name not in {"matches", "categories"}]
"""The printouts of a round of any event of players."""


@pytest.fixture
def hall(db: None) -> Hall:
    return open_hall()


def printout(hall: Hall, kind: str, number: int | None = None, query: str = "") -> LexborHTMLParser:
    """Return a printout of the event or a round as the arbiter's browser gets it."""
    name, parts = ("event-printout", [kind]) if number is None else ("round-printout", [number, kind])
    answer = hall.browser.get(reverse(name, args=[hall.event.pk, *parts]) + query)
    assert answer.status_code == 200
    return LexborHTMLParser(answer.content)


def cells(row: LexborNode) -> list[str]:
    return [" ".join(cell.text().split()) for cell in row.css("th, td")]


def rows(page: LexborHTMLParser) -> list[list[str]]:
    return [cells(row) for row in page.css("table.rows > tbody > tr")]


def words(page: LexborHTMLParser) -> str:
    body = page.css_first("main")
    return " ".join(body.text().split()) if body else ""


def draft(hall: Hall, number: int = 2) -> None:
    Round.objects.filter(event=hall.event, number=number).update(state=Round.State.DRAFT)


# --- pairings ---------------------------------------------------------------------------------------------


def test_pairings_by_table_have_points_before_the_round_and_boxes_for_results(hall: Hall) -> None:
    page = printout(hall, "pairings", 2)
    assert rows(page) == [
        ["1", "1", "Ann", "2", "", "1", "Cas", "3"],
        ["2", "4", "Dov", "1", "2-0", "0", "Bea", "2"],
    ]
    assert [bool(row.css(".box")) for row in page.css("table.rows > tbody > tr")] == [True, False]


def test_byes_are_among_the_pairings(hall: Hall) -> None:
    late = Competitor.objects.create(event=hall.event, number=5, name="Eve")
    round_ = Round.objects.get(event=hall.event, number=2)
    Pairing.objects.create(round=round_, table=3, first=late, kind=Kind.HALF_BYE, first_score=1)
    by_table, by_name = rows(printout(hall, "pairings", 2)), rows(printout(hall, "names", 2))
    assert by_table[-1] == ["", "5", "Eve", "0", "", "", "half-point bye", ""]
    assert by_name[-1] == ["Eve", "5", "0", "", "½bye", "half-point bye", ""]


def test_pairings_by_name_have_table_and_colour(hall: Hall) -> None:
    assert [row[:6] for row in rows(printout(hall, "names", 2))] == [
        ["Ann", "1", "2", "○", "1", "Cas"],
        ["Bea", "2", "0", "●", "2", "Dov"],
        ["Cas", "3", "1", "●", "1", "Ann"],
        ["Dov", "4", "1", "○", "2", "Bea"],
    ]


def test_names_are_in_two_columns_if_that_saves_paper(hall: Hall) -> None:
    assert not printout(hall, "names", 2).css(".two")
    two = printout(hall, "names", 2, "?columns=2")
    assert two.css(".two")
    assert rows(two)[0] == ["Ann", "1", "2", "○", "1", ""]


def test_a_pairing_changed_by_hand_has_its_star_and_its_reason(hall: Hall) -> None:
    Override.objects.create(
        event=hall.event, number=1, kind=Override.Kind.PAIRING, round=2, table=2,
        was="4-3", reason="Cas was ill.", by="anna",
    )  # fmt: skip
    page = printout(hall, "pairings", 2)
    assert [row[4] for row in rows(page)] == ["", "2-0*"]
    assert "Cas was ill. (anna" in words(page)


def test_tables_from_to(hall: Hall) -> None:
    assert [row[0] for row in rows(printout(hall, "pairings", 2, "?from=2&to=9"))] == ["2"]


@pytest.mark.parametrize("kind", ["pairings", "names", "slips", "cards"])
def test_draft_is_marked_on_every_printout_of_its_pairings(hall: Hall, kind: str) -> None:
    assert "DRAFT" not in words(printout(hall, kind, 2))
    draft(hall)
    assert "DRAFT: not published" in words(printout(hall, kind, 2))


def test_heading_has_the_version_of_the_printout(hall: Hall) -> None:
    first = words(printout(hall, "pairings", 2))
    Competitor.objects.filter(event=hall.event, number=4).update(name="Don")
    second = words(printout(hall, "pairings", 2))
    versions = [re.findall(r"printed .* · data version (\d+)", each) for each in (first, second)]
    assert int(versions[0][0]) < int(versions[1][0])


# --- what is cut ------------------------------------------------------------------------------------------


def test_a_slip_for_each_game(hall: Hall) -> None:
    slips = printout(hall, "slips", 2).css(".slip")
    names = [[name.text() for name in slip.css(".name")] for slip in slips]
    assert names == [["Ann", "Cas"], ["Dov", "Bea"]]
    assert [slip.css(".at")[0].text().split() for slip in slips] == [["table", "1"], ["table", "2"]]
    assert len(slips[0].css(".box")) == 2


@pytest.mark.parametrize(("entry", "codes"), [("", 0), ("one", 1), ("both", 2)])
def test_a_slip_has_a_code_for_each_side_that_sends_its_result(hall: Hall, entry: str, codes: int) -> None:
    Event.objects.filter(pk=hall.event.pk).update(players_entry=entry)
    for slip in printout(hall, "slips", 2).css(".slip"):
        assert len(slip.css("[role=img] svg.qr")) == codes


def test_the_smallest_slips_have_no_room_for_two_codes(hall: Hall) -> None:
    assert printout(hall, "slips", 2, "?per=10").css(".per-10")
    Event.objects.filter(pk=hall.event.pk).update(players_entry="both")
    assert printout(hall, "slips", 2, "?per=10").css(".per-6")


@pytest.mark.django_db
def test_each_board_of_a_match_has_a_slip(db: None) -> None:
    slips = printout(open_hall(match_file()), "slips", 1).css(".slip .at")
    assert [slip.text().split() for slip in slips] == [["match", f"1.{board}"] for board in (1, 2, 3)]


@pytest.mark.django_db
def test_pages_cut_through_at_once_make_piles_in_the_order_of_the_tables() -> None:
    names = [{"number": each, "name": f"P{each}"} for each in range(1, 15)]
    pairs = [
        {"table": each, "first": 2 * each - 1, "second": 2 * each, "kind": "pending"} for each in range(1, 8)
    ]
    rounds = [{"number": 1, "state": "open", "pairings": pairs}]
    hall = open_hall({**swiss_file(), "competitors": names, "rounds": rounds})
    pages = printout(hall, "slips", 1, "?per=3&order=piles").css(".cut")
    tables = [[each.text() for each in page.css(".at b")] for page in pages]
    assert tables == [["1", "4", "7"], ["2", "5"], ["3", "6"]]


@pytest.mark.django_db
def test_a_match_sheet_has_the_line_up_with_colours_and_boxes() -> None:
    hall = open_hall(match_file())
    match = Pairing.objects.get(round__event=hall.event)
    assert match.second
    first = Player.objects.create(competitor=match.first, name="Ada", board=1)
    second = Player.objects.create(competitor=match.second, name="Bo", board=1)
    Game.objects.create(
        pairing=match, board=1, white="second", kind=Kind.PENDING, first_player=first, second_player=second
    )
    page = printout(hall, "matches", 1)
    assert rows(page)[0] == ["1", "●", "Ada", "", "Bo", "○"]
    assert [row[:3] for row in rows(page)[1:]] == [["2", "●", ""], ["3", "○", ""], ["", "", "total"]]
    assert len(page.css(".boards .box")) == 4


def test_cards_of_an_event_count_its_tables(hall: Hall) -> None:
    assert [each.text() for each in printout(hall, "cards").css(".big")] == ["1", "2"]
    assert [each.text() for each in printout(hall, "cards", query="?from=3&to=5").css(".big")] == [
        "3",
        "4",
        "5",
    ]


def test_a_plate_reads_from_both_sides(hall: Hall) -> None:
    plate = printout(hall, "plates").css(".plate")[0]
    assert [who.text().strip() for who in plate.css(".who")] == ["Ann", "Ann"]


# --- lists and tables -------------------------------------------------------------------------------------


def test_start_list_omits_empty_columns(hall: Hall) -> None:
    Competitor.objects.filter(event=hall.event, number=2).update(rating=1820, born="1999-05-01")
    page = printout(hall, "start-list")
    assert [each.text() for each in page.css("table.rows > thead th")] == ["no.", "name", "rating", "born"]
    assert rows(page)[:2] == [["1", "Ann", "", ""], ["2", "Bea", "1820", "1999"]]


def test_start_list_shows_the_seed_of_drawn_numbers(hall: Hall) -> None:
    assert "drawn by lot" not in str(printout(hall, "start-list").html)
    Event.objects.update(start_order="lots", start_seed="12345678")
    assert "Numbers drawn by lot, seed 12345678" in str(printout(hall, "start-list").html)


def test_a_list_of_attendance_knows_byes_and_withdrawals(hall: Hall) -> None:
    Competitor.objects.filter(event=hall.event, number=1).update(requested_byes={"4": "half-bye"})
    Competitor.objects.filter(event=hall.event, number=2).update(withdrawn_after=2)
    assert [row[2:] for row in rows(printout(hall, "attendance"))][:2] == [
        ["", "", "", "½bye", ""],
        ["", "", "–", "–", ""],
    ]


def test_attendance_list_of_a_round_marks_absent_players(hall: Hall) -> None:
    late = Competitor.objects.get(event=hall.event, number=3)
    Competitor.objects.filter(event=hall.event, number=4).update(requested_byes={"3": "zero-bye"})
    Round.objects.create(event=hall.event, number=3)
    Attendance.objects.create(competitor=late, round=3, state=Presence.ABSENT)
    assert [row[2] for row in rows(printout(hall, "attendance", 3))] == ["", "", "–", "0bye"]


def test_colours_so_far(hall: Hall) -> None:
    assert rows(printout(hall, "colours"))[0] == ["1", "Ann", "2", "○", "○", "+2"]
    assert rows(printout(hall, "colours", 2))[0] == ["1", "Ann", "2", "○", "+1"]


def test_standings_of_a_round_are_those_before_it_until_it_is_closed(hall: Hall) -> None:
    assert "after round 1" in words(printout(hall, "standings", 2))
    assert "during round 2" in words(printout(hall, "standings"))
    Round.objects.filter(event=hall.event).update(state=Round.State.CLOSED)
    assert "during round 2" in words(printout(hall, "standings", 2))


def test_standings_from_place_to_place(hall: Hall) -> None:
    assert [row[:2] for row in rows(printout(hall, "standings", query="?from=2&to=3"))] == [
        ["2", "Ann"],
        ["3", "Cas"],
    ]


def test_range_of_places_omits_competitors_without_a_place(hall: Hall) -> None:
    Competitor.objects.filter(event=hall.event, name="Dov").update(outside=True)
    assert ["-", "Dov"] in [row[:2] for row in rows(printout(hall, "standings"))]
    assert [row[1] for row in rows(printout(hall, "standings", query="?to=2"))] == ["Ann", "Cas"]


def test_wall_list_has_places_names_and_points(hall: Hall) -> None:
    page = printout(hall, "wall")
    assert rows(page)[0] == ["1", "Dov", "3"]
    assert page.css("section.wall")


def test_booklet_has_lists_published_rounds_and_the_games_of_each_competitor(hall: Hall) -> None:
    draft(hall)
    Override.objects.create(
        event=hall.event, number=1, kind=Override.Kind.PAIRING, round=1, table=1,
        was="2-1", reason="Bea was late.", by="anna",
    )  # fmt: skip
    page = printout(hall, "booklet")
    titles = [each.attributes["aria-label"] for each in page.css("section.printout")]
    assert titles == [
        "Start list", "Standings after round 1", "Cross table after round 1", "Pairings by table Round 1",
        "Players after round 1",
    ]  # fmt: skip
    assert "DRAFT" not in words(page)
    first = page.css(".games .part")[0]
    assert " ".join(first.css("h3")[0].text().split()) == "1 Ann"
    assert [cells(row) for row in first.css(".rows > tbody > tr")] == [["1", "Bea", "○", "2-0*", "2", "1"]]
    assert "Bea was late." in first.css(".note")[0].text()


def test_booklet_has_the_scores_of_team_players(db: None, admin_client: Client) -> None:
    event = create_team_event()
    page = admin_client.get(reverse("event-printout", args=[event.pk, "booklet"]))
    notes = [" ".join(each.text().split()) for each in LexborHTMLParser(page.content).css(".games .note")]
    assert notes == ["Greens 1 0/0 · Greens 2 0/0", "Reds 1 1/1 · Reds 2 ½/1", "Blues 1 0/1 · Blues 2 ½/1"]


def test_a_wide_cross_table_is_parted_between_columns(hall: Hall) -> None:
    parts = printout(hall, "crosstable", query="?size=a5").css("section")
    names = [[row[1] for row in map(cells, part.css("table.rows > tbody > tr"))] for part in parts]
    assert len(set(map(tuple, names))) == 1
    heads = [head.text() for head in printout(hall, "crosstable").css("table.rows > thead th")]
    assert {"R1", "R2", "Pts"} <= set(heads)


@pytest.mark.django_db
def test_round_robin_is_printed_as_a_matrix(client: Client) -> None:
    hall = open_hall({**swiss_file(), "rounds": []}, schedule="round-robin", system="manual-round-robin")
    assert len(printout(hall, "crosstable").css(".self")) == 4


def test_categories_follow_each_other_with_their_own_places(db: None) -> None:
    page = printout(open_hall(prizes_file()), "categories")
    assert [each.text() for each in page.css("h3")] == ["Women", "Under 20", "Group B", "Unrated"]
    women = page.css(".part")[0].css("table.rows > tbody > tr")
    assert [cells(row)[:3] for row in women] == [
        ["1", "1", "Bea"],
        ["2 shared", "4", "Ann"],
        ["2 shared", "4", "Eef"],
    ]
    assert "R1" not in [head.text() for head in page.css("thead th")]


def test_prize_list_has_winners_and_calculations(db: None) -> None:
    hall = open_hall(prizes_file())
    page = printout(hall, "prizes")
    assert [each.text() for each in page.css("h3")] == [
        "Main prizes",
        "Women",
        "Under 20",
        "Unrated",
        "Special prizes",
    ]
    assert "Prizes offered" in words(page)
    round_ = reverse("round-printout", args=[hall.event.pk, 1, "prizes"])
    assert hall.browser.get(round_).status_code == 404


def test_event_without_categories_and_prizes_has_no_such_printouts(hall: Hall) -> None:
    names = {each.name for each in kinds_for(hall.event, of_round=False)}
    assert not names & {"categories", "prizes"}


# --- which, in what language, at what cost ----------------------------------------------------------------


def test_everything_of_a_round_in_one(hall: Hall) -> None:
    page = printout(
        hall, "together", 2, "?printout=standings&printout=pairings&printout=slips&printout=nonsense"
    )
    titles = [each.attributes["aria-label"] for each in page.css("section")]
    assert titles == ["Pairings by table Round 2", "Result slips", "Standings after round 1"]
    assert "No sheets are chosen" in words(printout(hall, "together", 2))


def test_choice_offers_the_printouts_of_the_round(hall: Hall) -> None:
    page = hall.browser.get(reverse("round-paper", args=[hall.event.pk, 2])).content.decode()
    offered = re.findall(r'name="printout" value="([a-z-]+)"( checked)?', page)
    assert [name for name, _checked in offered] == [
        each.name for each in kinds_for(hall.event, of_round=True)
    ]
    assert [name for name, checked in offered if checked] == ["pairings", "names", "slips", "standings"]
    event = hall.browser.get(reverse("event-paper", args=[hall.event.pk])).content.decode()
    assert reverse("round-paper", args=[hall.event.pk, 2]) in event


def test_there_is_no_match_sheet_of_players(hall: Hall) -> None:
    for parts in ([2, "matches"], [2, "nonsense"], [9, "pairings"]):
        answer = hall.browser.get(reverse("round-printout", args=[hall.event.pk, *parts]))
        assert answer.status_code == 404


def test_the_language_is_the_events(hall: Hall) -> None:
    Event.objects.filter(pk=hall.event.pk).update(language="nl")
    page = printout(hall, "pairings", 2)
    assert "Indeling per bord Ronde 2" in words(page)
    assert page.css("html")[0].attributes["lang"] == "nl"
    answer = hall.browser.get(reverse("round-printout", args=[hall.event.pk, 2, "pairings"]))
    assert answer["Content-Language"] == "nl"
    assert [head.text() for head in page.css("table.rows > thead th")][:3] == ["bord", "nr.", "○ Wit"]


def test_printouts_have_the_languages_of_the_pages() -> None:
    assert [(each.value, each.value) for each in Language] == [
        (code, code) for code, _name in settings.LANGUAGES
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("make", [create_team_event, create_player_event, create_event_to_come])
def test_every_printout_of_every_event_is_a_page(make: object, admin_client: Client) -> None:
    event = make()  # type: ignore[operator]  # one of the three
    rounds = [None, *event.rounds.values_list("number", flat=True)]
    addresses = [
        reverse("event-printout", args=[event.pk, each.name])
        if number is None
        else reverse("round-printout", args=[event.pk, number, each.name])
        for number in rounds
        for each in kinds_for(event, of_round=number is not None)
    ]
    assert [address for address in addresses if admin_client.get(address).status_code != 200] == []


def test_unknown_option_is_ignored(hall: Hall) -> None:
    plain = words(printout(hall, "slips", 2))
    odd = "?per=7&order=-1&size=a0&from=x&to=%C2%B2&columns=999999&after=0&large=yes"
    assert words(printout(hall, "slips", 2, odd)) == plain


@pytest.mark.django_db
@pytest.mark.parametrize("kind", OF_ROUNDS)
def test_printout_takes_the_same_queries_for_any_number_of_competitors(kind: str) -> None:
    hall = open_hall()
    few = _queries(hall, kind)
    Competitor.objects.bulk_create(
        Competitor(event=hall.event, number=number, name=f"Player {number}") for number in range(5, 45)
    )
    extra = list(Competitor.objects.filter(event=hall.event, number__gt=4))
    round_ = Round.objects.get(event=hall.event, number=2)
    Pairing.objects.bulk_create(
        Pairing(round=round_, table=3 + at, first=extra[2 * at], second=extra[2 * at + 1]) for at in range(20)
    )
    assert _queries(hall, kind) == few


def _queries(hall: Hall, kind: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        printout(hall, kind, 2)
    return len(queries)
