"""Events with only a published ranking: pages and files show it as printed."""

import csv
import json
import re
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from standings.archive.builder import Origin, event_archive
from standings.careers.medals import count_medals
from standings.careers.records import youngest_winners
from tournaments.models import Event, Person
from tournaments.operations.revision import present
from tournaments.recording.imports.importing import ImportRequest, import_file

pytestmark = pytest.mark.django_db

CASE = Path(__file__).parents[1] / "cases" / "published-only.json"
BASE = "/events/harbour-open-2004/"
SENTENCE = "Printed by bulletin 2004; no results are known."
NO_SENTENCE = re.compile(r"<(style|script|head|footer)\b.*?</\1>|<[^>]*>", re.DOTALL)
CLAIM = re.compile(
    r"after round|before round|[Rr]ound \d|round by round|first round|\*|[Dd]ecided|criteri|agree|differs|"
    r"computed|checked|Scoring|[○●]|White|Black|not met|0 points|Race|Statistics|"
    r"Cross table|All games|C\.07|FIDE Swiss|system computes|[Nn]o result has been|feed of the results|"
    r"rounds for your|[Ss]wiss|[Rr]ound.robin"
)
SHOWN = ("", "standings/", "competitors/", "changes/", "downloads/", "screen/", "paste/", "compare/1/2/")
NOT_SHOWN = (
    "crosstable/", "rounds/", "rounds/1/", "rounds/1/1/", "statistics/", "check/", "live/", "map/",
    "standings/after/1/", "competitors/1/PTS/", "competitors/1/BH/",
)  # fmt: skip


def case(**event: Any) -> Any:
    """Return the data of the case, with other values for the event."""
    data = json.loads(CASE.read_bytes())
    data["event"].update({"unknown": ["results"], **event})
    return data


def imported(data: Any) -> Event:
    import_file("case.json", json.dumps(data).encode(), announce=lambda _: None)
    return Event.objects.get()


@pytest.fixture
def harbour() -> Event:
    """The case, with a shared second place and a fourth competitor without a published place."""
    data = case()
    data["competitors"].append({"number": 4, "name": "Dorst, Eva", "code": "NED"})
    data["published"]["order"] = [[1], [2, 3]]
    return imported(data)


@pytest.fixture
def partly(harbour: Event) -> Event:
    """The same event, with a recorded result of round 1."""
    data = json.loads(Client().get(f"/events/{harbour.slug}.json").content)
    won = {"table": 1, "first": 3, "second": 1, "score": [1, 0]}
    data["rounds"] = [{"number": 1, "pairings": [won]}]
    return imported(data)


def text_of(answer: Any) -> str:
    """Return the visible text of a page."""
    return " ".join(NO_SENTENCE.sub(" ", answer.text).split())


@pytest.mark.parametrize("recorded", ["harbour", "partly"])
def test_no_page_claims_more_than_the_published_ranking(
    recorded: str, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue(recorded)
    client, problems = Client(), []
    addresses = [
        *SHOWN,
        *(f"competitors/{number}/" for number in range(1, 5)),
        "compare/2/3/",
        "compare/1/4/",
    ]
    pages = [BASE + each for each in addresses] + [f"/embed{BASE}standings/"]
    for address in pages:
        answer = client.get(address)
        assert answer.status_code == 200, address
        shown = text_of(answer)
        problems += [
            f"{address}: …{shown[max(0, found.start() - 60) : found.end() + 60]}…"
            for found in CLAIM.finditer(shown)
        ]
    assert not problems, "\n".join(problems)
    for address in (BASE, f"{BASE[:-1]}.datacite.json", "/"):  # the import derived the schedule
        text = client.get(address).text
        assert not re.search("round.robin|[Ss]wiss|Pairings, results", text), address


@pytest.mark.parametrize("recorded", ["harbour", "partly"])
def test_pages_of_results_do_not_exist_and_no_page_links_them(
    recorded: str, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue(recorded)
    client = Client()
    for address in NOT_SHOWN:
        assert client.get(BASE + address).status_code == 404, address
    assert client.get(f"/embed{BASE}race/").status_code == 404
    assert f"{BASE}rounds/" not in client.get("/sitemap.xml").text
    for address in SHOWN:
        for target in NOT_SHOWN:
            assert f'href="{BASE}{target}' not in client.get(BASE + address).text, (address, target)


@pytest.mark.parametrize("recorded", ["harbour", "partly"])
def test_standings_are_the_published_ones(recorded: str, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue(recorded)
    page = Client().get(f"{BASE}standings/").text

    rows = [
        [NO_SENTENCE.sub("", cell) for cell in re.findall(r"<t[dh].*?(?=<t[dh]|</tr>)", row)]
        for row in re.findall(r"<tr role=row id=c.*?</tr>", page)
    ]
    assert [[each.strip() for each in row if each.strip()] for row in rows] == [
        ["1", "Arends, Bo", "NED", "7.5", "49.5"],
        ["2 shared", "Brill, Cas", "BEL", "7", "51"],
        ["2 shared", "Claes, Dee", "GER", "6.5", "45"],
        ["-", "Dorst, Eva", "NED"],
    ]
    assert SENTENCE in page
    assert "not in the published ranking" in page
    assert ">Pts</th>" in page
    assert ">Buchholz</th>" in page


def test_overview_and_list_name_the_winner(harbour: Event) -> None:
    client = Client()
    assert "1. Arends, Bo" in client.get(BASE).text
    assert SENTENCE in client.get(BASE).text
    assert "Arends" in text_of(client.get("/"))


def test_competitor_shows_place_and_printed_figures(harbour: Event) -> None:
    shown = text_of(Client().get(f"{BASE}competitors/2/"))
    assert "place 2 , shared printed by bulletin 2004; no results are known" in shown
    assert "Pts 7 Buchholz 51" in shown


def test_comparison_says_that_the_published_place_decides(harbour: Event) -> None:
    client = Client()
    shown = text_of(client.get(f"{BASE}compare/2/1/"))
    assert "The published place decides: Arends, Bo has place 1 , Brill, Cas has place 2 ." in shown
    assert "They share a place in the published ranking." in text_of(client.get(f"{BASE}compare/2/3/"))
    assert "The published ranking does not contain Dorst, Eva." in text_of(client.get(f"{BASE}compare/1/4/"))


def test_files_show_places_and_printed_figures(harbour: Event) -> None:
    client = Client()

    text = client.get(f"/events/{harbour.slug}.csv").text.removeprefix("\ufeff")
    lines = list(csv.reader(StringIO(text)))
    book = load_workbook(BytesIO(client.get(f"/events/{harbour.slug}.xlsx").content))

    heads = [
        "place",
        "number",
        "name",
        "code",
        "rating",
        "Pts",
        "Buchholz",
        "won",
        "drawn",
        "lost",
        "remarks",
    ]
    assert lines[:5] == [
        heads,
        ["1", "1", "Arends, Bo", "NED", "", "7.5", "49.5", "", "", "", ""],
        ["2", "2", "Brill, Cas", "BEL", "", "7", "51", "", "", "", ""],
        ["2", "3", "Claes, Dee", "GER", "", "6.5", "45", "", "", "", ""],
        ["", "4", "Dorst, Eva", "NED", "", "", "", "", "", "", ""],
    ]
    assert book.sheetnames == ["standings", "competitors", "about"]


def test_files_of_games_are_not_offered(harbour: Event) -> None:
    client = Client()
    for ending in ("trf", "pgn", "games.csv", "crosstable.csv", "crosstable.xlsx"):
        assert client.get(f"/events/{harbour.slug}.{ending}").status_code == 404, ending
    with pytest.raises(CommandError, match="No results of harbour-open-2004 are recorded"):
        call_command("export_event", harbour.slug, format="trf")


def test_api_shows_places_and_printed_figures(harbour: Event) -> None:
    client = Client()
    answer = client.get(f"/api/events/{harbour.slug}/standings/").json()

    rows = [(row["place"], row["number"], row["values"], row["decided_by"]) for row in answer["rows"]]
    assert rows == [(1, 1, {}, None), (2, 2, {}, "published"), (2, 3, {}, None), (None, 4, {}, None)]
    assert answer["rows"][0]["published"] == {"Pts": "7.5", "Buchholz": "49.5"}
    assert answer["criteria"] == []
    assert answer["trust"] is None
    check = client.get(f"/api/events/{harbour.slug}/check/").json()
    assert (check["verdict"], check["tables"], check["pairings"]) == ("unchecked", [], None)
    assert client.get(f"/api/events/{harbour.slug}/statistics/").status_code == 404
    assert set(client.get(f"/api/events/{harbour.slug}/").json()["links"]).isdisjoint({"statistics", "trf"})


def test_desk_refuses_the_tournament_report(harbour: Event, admin_client: Client) -> None:
    answer = admin_client.get(reverse("admin:event-report", args=[harbour.pk]), follow=True)
    assert "No results are recorded, so there is no tournament report." in answer.text


def test_printed_standings_name_no_criteria(harbour: Event, admin_client: Client) -> None:
    paper = reverse("event-printout", args=[harbour.pk, "standings"])
    shown = text_of(admin_client.get(paper))

    assert "Arends, Bo NED 7.5 49.5" in shown
    assert not CLAIM.findall(shown)
    for kind in ("crosstable", "colours"):
        other = reverse("event-printout", args=[harbour.pk, kind])
        assert admin_client.get(other).status_code == 404, kind


def test_team_event_with_olimpbase_columns_shows_printed_figures() -> None:
    data = case(entrants="teams", schedule="round-robin", system="league", boards=4)
    data["event"] |= {
        "scoring": {"game": [1, 0.5, 0], "match": [2, 1, 0]},
        "display": {"columns": "olimpbase"},
    }
    data["competitors"][0]["players"] = [{"board": 1, "name": "Faber, Gijs"}]
    imported(data)
    client = Client()

    for address in ("", "standings/", "competitors/1/"):
        shown = text_of(client.get(BASE + address))
        assert "7.5" in shown, address
        assert not CLAIM.findall(shown), address
    assert "Faber, Gijs" in client.get(f"{BASE}competitors/1/").text
    assert client.get(f"{BASE}crosstable/").status_code == 404


def test_category_has_places_of_the_published_ranking() -> None:
    imported(case(categories=[{"code": "other", "name": "Guests", "federations": ["BEL", "GER"]}]))
    shown = text_of(Client().get(f"{BASE}standings/category/other/"))

    assert "1 2 Brill, Cas BEL 7 51 2 3 Claes, Dee GER 6.5 45" in shown
    assert not CLAIM.findall(shown)


def test_career_and_series_count_the_place_and_no_games() -> None:
    data = case(series="Harbour Open")
    data["competitors"][0]["fide_id"] = 501
    imported(data)
    client = Client()
    [person] = client.get("/api/people/").json()["listed"]

    career = client.get(f"/api/people/{person['id']}/").json()
    shown = text_of(client.get(f"/people/{person['id']}/", follow=True))

    [event] = career["events"]
    assert (event["placed"], event["medal"], event["ranked"]) == (1, 1, 3)
    assert (event["points"], event["won"], event["drawn"], event["lost"]) == ("7.5", None, None, None)
    assert "Harbour Open 2004 1 of 3 7½ Head to head" in shown
    assert "7½ points" in client.get(reverse("person-feed", args=[person["id"]])).text
    assert "Arends, Bo 1 0 0 1" in text_of(client.get("/series/harbour-open/"))


def test_records_and_search_contain_the_winner() -> None:
    data = case(series="Harbour Open")
    data["competitors"][0] |= {"fide_id": 501, "born": "1990"}
    imported(data)
    Person.objects.update(born="1990")
    count_medals()
    [winner] = youngest_winners()
    assert (winner.who.name, winner.figure) == ("Arends, Bo", 14)
    shown = text_of(Client().get("/?q=arends"))
    assert "Arends, Bo" in shown


def test_event_of_points_that_are_no_number_has_no_points_in_a_career() -> None:
    data = case()
    data["competitors"][0]["fide_id"] = 501
    data["published"]["columns"] = {"Pts": {"1": "most"}}
    imported(data)
    client = Client()
    [person] = client.get("/api/people/").json()["listed"]
    assert client.get(f"/api/people/{person['id']}/").json()["events"][0]["points"] is None
    assert "points" not in client.get(reverse("person-feed", args=[person["id"]])).text


# --- results that are added later -------------------------------------------------------------------------

FINAL = CASE.with_name("cr-final-ranking.html")
CROSS = """\
Rk.;SNo;Name;1.Rd;2.Rd;3.Rd
1;2;Arends, Bo;4w1;2b½;3w1
2;1;Brill, Cas;3w1;1w½;4b½
3;4;Claes, Dee;2b0;4w1;1b0
4;3;Dorn, Eva;1b0;3b0;2w½
"""
# ruff: noqa: E501 - records have more columns than a line of code
REPORT = """\
012 Harbour Open
042 2024/02/11
062 4
001    1      Dorn, Eva                         2100 GER                         0.5    4     2 b 0     4 b 0     3 w =
001    2   GM Arends, Bo                        2447 NED                         2.5    1     1 w 1     3 b =     4 w 1
001    3      Brill, Cas                        2400 BEL                         2.0    2     4 w 1     2 w =     1 b =
001    4      Claes, Dee                        2000 GER                         1.0    3     3 b 0     1 w 1     2 b 0
"""


@pytest.fixture
def ranking() -> Event:
    """An event of which only the final ranking of chess-results.com is known."""
    import_file(FINAL.name, FINAL.read_bytes(), announce=lambda _: None)
    return Event.objects.get()


def add_results(event: Event, name: str, text: str) -> list[str]:
    """Import a file into the event. Return the messages of its findings."""
    request = ImportRequest(into=event.slug)
    found = import_file(name, text.encode(), announce=lambda _: None, wishes=request)
    return [each.message for each in found]


def test_report_with_another_spelling_of_a_name_is_refused_in_one_finding(ranking: Event) -> None:
    report = REPORT.replace("Claes, Dee", "Claes, D. ")
    messages = add_results(ranking, "report.trf", report)
    (message,) = [each for each in messages if not each.startswith("The competitors are numbered")]
    assert "The report lacks Claes, Dee. Write each name as it is in the event." in message
    assert not Event.objects.get().rounds.exists()


@pytest.mark.parametrize(("name", "text"), [("cross.csv", CROSS), ("report.trf", REPORT)])
def test_complete_results_are_computed_and_compared(ranking: Event, name: str, text: str) -> None:
    add_results(ranking, name, text)
    client = Client()

    event = Event.objects.get()
    assert (event.unknown, event.published.order) == ([], [[2], [1], [4], [3]])
    standings = client.get(f"/api/events/{event.slug}/standings/").json()
    assert [row["number"] for row in standings["rows"]] == [2, 1, 4, 3]
    assert standings["trust"]["places"] == standings["trust"]["agreeing"] == 4
    assert client.get(f"/events/{event.slug}/rounds/1/").status_code == 200


def test_report_names_each_difference(ranking: Event) -> None:
    other = CROSS.replace("4w1;1b0", "4w½;1b0").replace("3b0;2w½", "3b½;2w½")
    shown = "\n".join(add_results(ranking, "cross.csv", other))

    assert "Claes, Dee has 1 Pts in the source; the results add up to 0.5" in shown
    assert "Dorn, Eva has 0.5 Pts in the source; the results add up to 1" in shown
    assert "Brill, Cas has" not in shown


def test_incomplete_results_leave_the_published_standings(ranking: Event) -> None:
    add_results(ranking, "cross.csv", CROSS.replace(";2b½;3w1", ";2b½;").replace("4w1;1b0", "4w1;"))
    client = Client()

    assert Event.objects.get().unknown == ["results"]
    shown = text_of(client.get(f"/events/{ranking.slug}/standings/"))
    assert "printed by chess-results.com; no results are known" in shown.casefold()
    before = client.get(f"/events/{ranking.slug}.json").content
    import_file("again.json", before, announce=lambda _: None)
    assert client.get(f"/events/{ranking.slug}.json").content == before

    add_results(ranking, "cross.csv", CROSS)
    assert Event.objects.get().unknown == []


def test_downloaded_tables_change_nothing(ranking: Event) -> None:
    client = Client()
    before = client.get(f"/events/{ranking.slug}.json").content
    for ending in ("csv", "xlsx"):
        content = client.get(f"/events/{ranking.slug}.{ending}").content
        request = ImportRequest(into=ranking.slug)
        import_file(f"standings.{ending}", content, announce=lambda _: None, wishes=request)
    assert client.get(f"/events/{ranking.slug}.json").content == before


def test_archive_holds_no_page_of_results(harbour: Event) -> None:
    files = dict(event_archive(present(harbour.pk), Origin("http", "testserver")))

    kept = {name.partition("/")[0] for name in files}
    assert kept.isdisjoint({"rounds", "crosstable", "statistics", "check", f"{harbour.slug}.trf"})
    assert SENTENCE.encode() in files["standings/index.html"]


def test_validation_page_shows_the_ranking_as_published() -> None:
    upload = SimpleUploadedFile(CASE.name, CASE.read_bytes())
    shown = text_of(Client().post("/validate/", {"file": upload}))

    assert "Standings as published" in shown
    assert "1 Arends, Bo 7.5 49.5" in shown
    assert "after round" not in shown


def test_export_and_second_import_change_nothing(harbour: Event) -> None:
    before = Client().get(f"/events/{harbour.slug}.json").content
    import_file("again.json", before, announce=lambda _: None)

    assert Client().get(f"/events/{harbour.slug}.json").content == before
    assert json.loads(before)["event"]["unknown"] == ["results"]


def test_command_prints_the_published_ranking_and_refuses_to_check_it(harbour: Event) -> None:
    out = StringIO()
    call_command("standings", harbour.slug, stdout=out)

    lines = out.getvalue().splitlines()
    assert lines[0] == SENTENCE
    assert [line.split()[0] for line in lines[2:6]] == ["1", "2=", "2=", "-"]
    assert "49.5" in lines[2]
    with pytest.raises(CommandError, match="no results"):
        call_command("standings", harbour.slug, check=True, stdout=StringIO())
