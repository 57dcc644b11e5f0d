"""Charts and the share image as files: formats, the round in the picture, and the styles."""

import re

import pytest
from defusedxml.ElementTree import fromstring  # type: ignore[import-untyped]  # the package has no types
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.cast import create_team_event
from tests.demo import record
from tournaments.models import Event

pytestmark = pytest.mark.django_db(transaction=True)

OPEN = "2022-ouagadougou-open"
PAGE = f"/events/{OPEN}/"


@pytest.fixture
def recorded() -> None:
    record(OPEN)


def texts_of(svg: bytes) -> list[str]:
    root = fromstring(svg)
    return [each.text or "" for each in root.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.usefixtures("recorded")
def test_race_after_a_round_names_event_round_and_address(client: Client) -> None:
    answer = client.get(f"{PAGE}standings/after/7/?picture=race.svg")
    texts = texts_of(answer.content)
    assert "After round 7." in " ".join(texts)
    tick = re.search(rb'class="tick scale" x="(-\d+)"', answer.content)
    assert tick, "the scale is to the left of the names"
    assert Event.objects.get().name in texts
    assert f"http://testserver{PAGE}" in texts
    assert answer["Content-Type"] == "image/svg+xml"
    assert answer["Content-Disposition"] == f'attachment; filename="{OPEN}-7-race.svg"'
    assert texts_of(client.get(f"/nl{PAGE}standings/after/7/?picture=race.svg").content) != texts
    again = client.get(f"{PAGE}standings/after/7/?picture=race.svg")
    assert (again.content, again["Content-Type"]) == (answer.content, answer["Content-Type"])


@pytest.mark.usefixtures("recorded")
def test_options_that_do_not_change_a_chart_share_its_file(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    drawn = client.get(f"{PAGE}standings/?picture=race.svg")
    with django_assert_num_queries(1):
        again = client.get(
            f"{PAGE}standings/?picture=race.svg&sort=name&why=long&layout=wide&columns=club&cells=W12&club=x"
        )
    assert again.content == drawn.content
    assert client.get(f"{PAGE}statistics/?page=2&picture=scatter.svg").status_code == 404


@pytest.mark.usefixtures("recorded")
def test_file_has_only_css_that_image_programs_know(client: Client) -> None:
    for page, chart in (("", "race"), ("statistics/", "scatter"), ("statistics/", "score_group_bars")):
        drawn = client.get(f"{PAGE}{page}?picture={chart}.svg").content.decode()
        style = drawn.partition("<style>")[2].partition("</style>")[0]
        assert ".race .place-1{color: #" in style
        assert "polyline{stroke: currentColor;}" in style
        for part in ("var(", "color-mix(", ":is(", ":not(", "@media", ":hover"):
            assert part not in style, part
        for part in ('class="hit"', "<a ", "href="):
            assert part not in drawn, part


@pytest.mark.usefixtures("recorded")
def test_every_chart_of_a_page_is_a_file_of_both_formats(client: Client) -> None:
    found = set()
    for page in ("", "standings/", "statistics/", "map/"):
        for chart in re.findall(
            rf'"{PAGE}{page}[?]picture=(\w+)[.]png"', client.get(PAGE + page).content.decode()
        ):
            found.add(chart)
            assert client.get(f"{PAGE}{page}?picture={chart}.png").content.startswith(b"\x89PNG")
            assert fromstring(client.get(f"{PAGE}{page}?picture={chart}.svg").content).get("width")
    assert {"race", "scatter", "score_group_bars", "map"} <= found


@pytest.mark.usefixtures("recorded")
def test_overview_links_to_the_race_after_each_earlier_round(client: Client) -> None:
    page = client.get(PAGE).content.decode()
    after = [f'"{PAGE}standings/after/{number}/?picture=race.png"' for number in range(1, 10)]
    assert [address in page for address in after] == [False, *[True] * 7, False]
    assert "<b>After round 9.</b>" in page
    frame = client.get(f"/embed{PAGE}race/?after=4").content.decode()
    assert "<b>After round 4.</b>" in frame
    file = re.findall(r'href="([^"]*picture=race[.]svg)"', frame)[0].replace("&amp;", "&")
    assert "After round 4." in " ".join(texts_of(client.get(file).content))


@pytest.mark.parametrize("address", ["?picture=race.png", "statistics/?picture=legend.png", "card.gif"])
def test_unknown_charts_and_formats_are_not_found(client: Client, address: str) -> None:
    create_team_event()
    assert client.get(f"/events/two-teams/{address}").status_code == 404


def test_share_image_names_the_round(client: Client) -> None:
    create_team_event()
    assert "after round 1" in " ".join(texts_of(client.get("/events/two-teams/card.svg?after=1").content))
    page = client.get("/events/two-teams/standings/after/1/").content.decode()
    assert re.search(r"/events/two-teams/card[.]png[?]v=\d+&amp;after=1", page)


def test_image_and_race_after_the_last_round_are_checked_like_the_final_table(client: Client) -> None:
    record(OPEN)
    agreement = "68 of 68 places agree"
    assert agreement in " ".join(texts_of(client.get(f"{PAGE}card.svg?after=9").content))
    assert agreement in client.get(f"/embed{PAGE}race/?after=9").content.decode()
