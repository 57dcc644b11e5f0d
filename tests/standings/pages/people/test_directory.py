"""Pages of persons and teams across events."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from standings.careers import directory, medals
from standings.careers.directory import Directory
from standings.catalogue import peoplesearch
from tests.archives import archived
from tests.demo import DEN_HAAG, WORLD_1948, record
from tests.linked import league, named, person, players_named, team, world_champions
from tests.standings.drawn import visible
from tests.standings.pages.reading import read, rows
from tournaments.models import (
    Competitor,
    Event,
    Medal,
    Pairing,
    Person,
    PersonFederation,
    PersonIdentifier,
    PersonLink,
    PersonName,
    PersonTitle,
    TeamCode,
    TeamName,
)
from tournaments.people.matching.names import name_key
from tournaments.people.services.tallies import LISTED_TEAMS, Medals

pytestmark = pytest.mark.django_db(transaction=True)

ATOM = "{http://www.w3.org/2005/Atom}"


def test_career_of_a_world_champion(client: Client) -> None:
    record(DEN_HAAG, WORLD_1948)
    roozenburg, ghestem = world_champions()
    page = read(client, f"/people/{roozenburg.pk}/")
    assert ">Piet Roozenburg</span></h1>" in page
    assert "2 events linked, 1947–1948. Other events are not counted." in page
    assert rows(page, "events") == [
        ["1948", "World Championship 1948", "1 of 11", "37", "20", "17", "3", "0"],
        ["1947", "ZHDB Vierkamp Den Haag 1947", "1 of 4", "4", "3", "1", "2", "0"],
    ]
    assert rows(page, "years") == [
        ["1948", "1", "20", "17", "3", "0", "92.5"],
        ["1947", "1", "3", "1", "2", "0", "66.7"],
    ]
    assert rows(page, "met") == [["Pierre Ghestem", "3", "1", "2", "0", "66.7"]]
    assert f'href="/people/{roozenburg.pk}/against/{ghestem.pk}/"' in page
    assert 'href="/events/1948-world-championship/competitors/1/"' in page
    assert [each[1] for each in rows(page, "best")] == ["Reinier Cornelis Keller"] * 2 + ["Pierre Ghestem"]
    assert 'href="/events/1948-world-championship/rounds/22/' in page


def test_recorded_facts_of_a_person(client: Client) -> None:
    found = person("Piet Roozenburg", born="1924-10-24")
    PersonName.objects.create(person=found, name="Пит Розенбург", key="x")
    PersonFederation.objects.create(person=found, code="NED", since="1943", until="1960")
    PersonTitle.objects.create(person=found, title="GMI", since="1948")
    PersonIdentifier.objects.create(person=found, scheme="fide", value="1503014")
    PersonIdentifier.objects.create(person=found, scheme="fmjd", value="10123")
    page = read(client, f"/people/{found.pk}/")
    assert "born in 1924" in page
    assert "10-24" not in page
    assert "<bdi>Пит Розенбург</bdi>" in page
    assert "1943–1960" in page
    assert "since 1948" in page
    assert 'href="https://ratings.fide.com/profile/1503014"' in page
    assert "FMJD 10123" in visible(page.partition("</h1>")[2])
    data = json.loads(page.partition('<script type="application/ld+json">')[2].partition("</script>")[0])
    assert (data["@type"], data["name"], data["birthDate"]) == ("Person", "Piet Roozenburg", "1924")
    assert data["alternateName"] == ["Пит Розенбург"]
    assert data["sameAs"] == ["https://ratings.fide.com/profile/1503014"]


def test_ratings_have_a_chart_for_each_discipline_and_kind(client: Client) -> None:
    for year in (2001, 2003, 2005, 2007, 2009):
        league(year)
    Event.objects.filter(start__lt="2004").update(rated_as="standard")
    Event.objects.filter(start__in=("2005", "2007")).update(ratings_from="rapid")
    ann = person("Ann", *players_named("Ann"))
    headings = re.findall("<h2>(Ratings.*?)</h2>", read(client, f"/people/{ann.pk}/"))
    # The event of 2009 alone is no line.
    assert headings == [
        "Ratings, event by event: chess, standard play",
        "Ratings, event by event: chess, rapid play",
    ]
    Event.objects.filter(start="2007").update(ratings_from="")
    headings = re.findall("<h2>(Ratings.*?)</h2>", read(client, f"/people/{ann.pk}/"))
    assert headings[1:] == ["Ratings, event by event: chess, kind not recorded"]


def test_person_without_events(client: Client) -> None:
    page = read(client, f"/people/{person('Nobody Yet').pk}/")
    assert "No event is linked yet." in page
    assert "<table" not in page


def test_old_numbers_and_names_redirect_to_the_url(client: Client) -> None:
    found, gone = person("Jan Šmíd"), person("J. Smid")
    Person.objects.filter(pk=gone.pk).update(merged_into=found)
    for address in (f"/people/{found.pk}/", f"/people/{found.pk}-other/", f"/people/{gone.pk}-j-smid/"):
        answer = client.get(address)
        # Temporary redirects, because a merge can be undone.
        assert (answer.status_code, answer["Location"]) == (302, f"/people/{found.pk}-jan-%C5%A1m%C3%ADd/")
    assert client.get(f"/people/{found.pk}-jan-šmíd/").status_code == 200
    assert client.get(f"/people/{gone.pk + 1}/").status_code == 404
    dutch = client.get(f"/nl/people/{found.pk}/")
    assert dutch["Location"].startswith(f"/nl/people/{found.pk}-jan")


def test_hidden_person_has_no_facts(client: Client) -> None:
    record(DEN_HAAG, WORLD_1948)
    roozenburg, ghestem = world_champions()
    PersonIdentifier.objects.create(person=ghestem, scheme="fide", value="7")
    Person.objects.filter(pk=ghestem.pk).update(hidden=True)
    answer = client.get(f"/people/{ghestem.pk}-pierre-ghestem/")
    assert (answer.status_code, answer["Location"]) == (302, f"/people/{ghestem.pk}/")
    page = read(client, f"/people/{ghestem.pk}/")
    assert f"<h1>N.N. {ghestem.pk}</h1>" in page
    assert '<meta name="robots" content="noindex">' in page
    assert not re.search("Ghestem|1922|1948|profile|ld.json", page)
    assert client.get(f"/people/{roozenburg.pk}/against/{ghestem.pk}/").status_code == 404
    assert client.get(f"/people/{ghestem.pk}/against/").status_code == 404
    assert client.get(f"/people/{ghestem.pk}/feed.atom").status_code == 404
    assert "Ghestem" not in read(client, f"/people/{roozenburg.pk}/")


def test_head_to_head(client: Client) -> None:
    record(DEN_HAAG, WORLD_1948)
    roozenburg, ghestem = world_champions()
    page = read(client, f"/people/{roozenburg.pk}/against/{ghestem.pk}/")
    assert "Piet Roozenburg won 1, drew 2 and lost 0 against Pierre Ghestem: 2 of 3 points" in page
    assert [[*each[:3], each[-1]] for each in rows(page, "games")] == [
        ["1948", "World Championship 1948", "22", "2-0"],
        ["1948", "World Championship 1948", "11", "1-1"],
        ["1947", "ZHDB Vierkamp Den Haag 1947", "3", "1-1"],
    ]
    other = read(client, f"/people/{ghestem.pk}/against/{roozenburg.pk}/")
    assert "Pierre Ghestem won 0, drew 2 and lost 1 against Piet Roozenburg: 1 of 3 points" in other
    assert rows(other, "games")[0][-1] == "0-2"
    assert client.get(f"/people/{ghestem.pk}/against/{ghestem.pk}/").status_code == 404
    assert client.get(f"/people/{ghestem.pk}/against/99/").status_code == 404


def test_head_to_head_without_games(client: Client) -> None:
    league(2001)
    ann, bea, zoe = person("Ann", *players_named("Ann")), person("Bea", *players_named("Bea")), person("Zoe")
    page = read(client, f"/people/{ann.pk}/against/{bea.pk}/")
    assert "Ann and Bea have not met: both were in 1 event on this site." in page
    page = read(client, f"/people/{ann.pk}/against/{zoe.pk}/")
    assert "Ann and Zoe have not met: no event on this site had both." in page


def test_opponent_is_chosen_by_a_form(client: Client) -> None:
    record(DEN_HAAG, WORLD_1948)
    roozenburg, ghestem = world_champions()
    action = f"/people/{roozenburg.pk}/against/"
    assert f'action="{action}"' in read(client, f"/people/{roozenburg.pk}/")
    # The redirect to the only match is not cached, because later there may be two.
    answer = client.get(action, {"q": "ghest"})
    assert (answer.status_code, answer["Location"]) == (302, f"{action}{ghestem.pk}/")
    for asked in ("piet roozenburg", "nobody", "<b>"):
        assert "0 for <b>" in client.get(action, {"q": asked}).content.decode(), asked
    van_dijk = person("Geert Ghestem", *named("Geert van Dijk"))
    page = client.get(action, {"q": "ghestem"}).content.decode()
    assert listed(page) == ["Geert Ghestem", "Pierre Ghestem"]
    assert f'href="{action}{van_dijk.pk}/"' in page
    assert rows(read(client, action), "met")[1] == ["Geert van Dijk", "1", "0", "1", "0", "50.0"]
    assert client.get("/people/99/against/", {"q": "ghestem"}).status_code == 404


def test_shared_events_show_both_places(client: Client) -> None:
    record(DEN_HAAG, WORLD_1948)
    roozenburg, ghestem = world_champions()
    page = read(client, f"/people/{ghestem.pk}/against/{roozenburg.pk}/")
    assert rows(page, "shared") == [
        ["1948", "World Championship 1948", "3 of 11", "1 of 11"],
        ["1947", "ZHDB Vierkamp Den Haag 1947", "1 of 4", "1 of 4"],
    ]
    assert "<b>Pierre Ghestem</b>: 2 events linked, 1947–1948." in page


def test_players_of_a_team(client: Client) -> None:
    editions = [league(2001), league(2003, "DV Eindhoven")]
    ann = person("Anna Vos", *players_named("Ann"))
    club = team("Eindhoven", *(each.competitors.get(number=1) for each in editions), kind="clubs")
    page = read(client, f"/teams/{club.pk}/")
    # Each edition: Ann 1-0 and ½-½, Bea by forfeit and 0-1.
    assert rows(page, "players") == [
        ["Anna Vos WCM", "2", "2001 · 2003", "3", "4", "2", "2", "0", "75.0"],
        ["Bea", "2", "2001 · 2003", "2", "2", "0", "0", "2", "0.0"],
    ]
    assert f'<a href="/people/{ann.pk}-anna-vos/">Anna Vos</a>' in page
    assert 'href="/events/league-2003/competitors/1/"' in page
    assert "Players not linked across events" in page


def test_number_of_members_does_not_change_the_queries(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    editions = [league(year) for year in range(1980, 2000)]
    club = team("Eindhoven", *(each.competitors.get(number=1) for each in editions))
    read(client, f"/teams/{club.pk}-eindhoven/")
    TeamName.objects.create(team=club, name="Other", key="x")
    with django_assert_max_num_queries(20):
        assert len(rows(read(client, f"/teams/{club.pk}-eindhoven/"), "players")) == 2


def test_team_with_three_names(client: Client) -> None:
    editions = [league(2001), league(2003, "DV Eindhoven"), league(2005, "Eindhoven 2005")]
    club = team("Eindhoven", *(each.competitors.get(number=1) for each in editions), kind="clubs")
    huizen = team("Huizen", *named("Huizen"))
    TeamName.objects.create(team=club, name="DV Eindhoven", key="x", since="2002", until="2004")
    TeamCode.objects.create(team=club, code="EHV", since="2001")
    page = read(client, f"/teams/{club.pk}/")
    assert ">Eindhoven</span></h1>" in page
    assert [each[:4] for each in rows(page, "events")] == [
        ["2005", "League 2005", "Eindhoven 2005", "2 of 3"],
        ["2003", "League 2003", "DV Eindhoven", "2 of 3"],
        ["2001", "League 2001", "Dam Eindhoven", "2 of 3"],
    ]
    also = visible(page.partition("Also called:")[2].partition("</p>")[0])
    assert also == "DV Eindhoven 2002–2004 · Dam Eindhoven · Eindhoven 2005"
    text = read(client, f"/teams/{club.pk}/against/{huizen.pk}/")
    assert "Eindhoven won 3, drew 0 and lost 0 against Huizen: 3 of 3 points" in text
    assert [each[-1] for each in rows(text, "games")] == ["2-0"] * 3


def test_feed_of_a_person(client: Client) -> None:
    record(DEN_HAAG, WORLD_1948)
    roozenburg, _ = world_champions()
    answer = client.get(f"/people/{roozenburg.pk}/feed.atom")
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    titles = [each.findtext(f"{ATOM}title") for each in ET.fromstring(answer.content).iter(f"{ATOM}entry")]  # noqa: S314 - our own
    assert titles == [
        "World Championship 1948: place 1 of 11",
        "ZHDB Vierkamp Den Haag 1947: place 1 of 4",
    ]


def test_cached_page_needs_a_single_query(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    league(2001)
    ann, bea = person("Ann", *players_named("Ann")), person("Bea", *players_named("Bea"))
    for address, queries in ((f"/people/{ann.pk}-ann/", 1), (f"/people/{ann.pk}/against/{bea.pk}/", 2)):
        read(client, address)
        with django_assert_num_queries(queries):
            read(client, address)


@pytest.mark.parametrize(
    "change",
    [
        lambda: Competitor.objects.filter(number=1).update(name="Renamed"),
        lambda: Event.objects.update(state="draft"),
        lambda: Event.objects.all().delete(),
        lambda: PersonLink.objects.all().delete(),
    ],
    ids=["team renamed", "event a draft", "event deleted", "link gone"],
)
def test_cached_page_is_fresh(client: Client, change: Callable[[], object]) -> None:
    league(2001)
    address = f"/people/{person('Ann', *players_named('Ann')).pk}-ann/"
    assert "Dam Eindhoven" in read(client, address)
    change()
    assert "Dam Eindhoven" not in read(client, address)


def test_pages_in_dutch(client: Client) -> None:
    record(DEN_HAAG, WORLD_1948)
    roozenburg, ghestem = world_champions()
    page = read(client, f"/nl/people/{roozenburg.pk}/")
    assert "2 toernooien gekoppeld, 1947–1948." in page
    assert "92,5" in page
    assert "gewonnen" in read(client, f"/nl/people/{roozenburg.pk}/against/{ghestem.pk}/")


def test_pages_of_an_event_link_to_persons_and_teams(client: Client) -> None:
    event = league(2001)
    ann = person("Ann", *players_named("Ann"))
    club = team("Eindhoven", *named("Dam Eindhoven"))
    to_ann, to_club = f'href="/people/{ann.pk}-ann/"', f'href="/teams/{club.pk}-eindhoven/"'
    at = f"/events/{event.slug}/"
    assert to_club in read(client, f"{at}competitors/1/")
    for page in ("competitors/", "competitors/1/", "rounds/1/1/"):
        assert to_ann in read(client, f"{at}{page}"), page
    for page in ("competitors/", "standings/", "standings/after/1/", "crosstable/", "rounds/1/1/"):
        assert to_club in read(client, f"{at}{page}"), page
    assert f'href="/nl/people/{ann.pk}-ann/"' in read(client, f"/nl{at}competitors/1/")
    # URLs of hidden persons have no name.
    Person.objects.filter(pk=ann.pk).update(hidden=True)
    assert f'href="/people/{ann.pk}/"' in read(client, f"{at}rounds/1/1/")


def test_players_of_teams_link_to_persons(client: Client) -> None:
    record(DEN_HAAG)
    roozenburg, ghestem = world_champions()
    to_ghestem = f'href="/people/{ghestem.pk}-pierre-ghestem/"'
    for page in ("competitors/", "competitors/1/", "standings/", "crosstable/", "rounds/1/1/"):
        assert to_ghestem in read(client, f"{DEN_HAAG}{page}"), page
    both = f'href="/people/{ghestem.pk}/against/{roozenburg.pk}/"'
    assert both in read(client, f"{DEN_HAAG}rounds/3/1/")


def test_archives_have_no_links_to_persons(tmp_path: Path) -> None:
    event = league(2001)
    person("Ann", *players_named("Ann"))
    team("Eindhoven", *named("Dam Eindhoven"))
    pages = list(archived(event.slug, tmp_path).rglob("*.html"))
    assert len(pages) > 10
    assert [page for page in pages if re.search("people/|teams/", page.read_text(encoding="utf-8"))] == []


def listed(page: str) -> list[str]:
    """Return the names in a list in order."""
    return re.findall(r'<a class="name"[^>]*>(.*?)</a>', page)


def test_lists_contain_participants_of_public_events(client: Client) -> None:
    event = league(2001)
    ann, fay = person("Ann", *players_named("Ann")), person("Fay", *players_named("Fay"))
    person("Zoe")
    PersonFederation.objects.create(person=ann, code="NED")
    PersonTitle.objects.create(person=fay, title="WGM")
    PersonName.objects.create(person=fay, name="Фай", key=name_key("Фай"))
    team("Eindhoven", *named("Dam Eindhoven"))
    assert listed(read(client, "/people/")) == ["Fay", "Ann"]
    assert "2 players" in read(client, "/people/")
    for asked, found in (
        ({"q": "an"}, ["Ann"]),
        ({"q": "фай"}, ["Fay"]),
        ({"country": "NED"}, ["Ann"]),
        ({"title": "WGM"}, ["Fay"]),
        ({"title": "WGM", "country": "NED"}, []),
    ):
        assert listed(client.get("/people/", asked).content.decode()) == found, asked
    assert listed(read(client, "/teams/")) == ["Eindhoven"]
    Person.objects.filter(pk=ann.pk).update(hidden=True)
    Person.objects.filter(pk=fay.pk).update(name="Faye")
    assert listed(client.get("/people/", {"page": "9"}).content.decode()) == ["Faye"]
    Event.objects.filter(pk=event.pk).update(state="draft")
    assert listed(client.get("/teams/", {"page": "2"}).content.decode()) == []


def test_letters_lead_to_names(client: Client) -> None:
    league(2001)
    for name, player in (("Zomer", "Ann"), ("Øst", "Bea"), ("de Boer", "Dov"), ("Oa", "Fay")):
        person(name, *players_named(player))
    nav = read(client, "/people/").partition('aria-label="First letter"')[2].partition("</nav>")[0]
    assert re.findall(r'href="\?letter=(.)">\s*(.)<', nav) == [("d", "D"), ("o", "O"), ("z", "Z")]
    assert order(client, "/people/", letter="o") == ["Oa", "Øst"]
    assert order(client, "/people/", letter="x") == []


def test_sitemap_contains_listed_persons(client: Client) -> None:
    league(2001)
    ann, bea = person("Ann", *players_named("Ann")), person("Bea", *players_named("Bea"))
    person("Zoe")
    Person.objects.filter(pk=bea.pk).update(hidden=True)
    found = re.findall("<loc>http://testserver(/people/[^<]*)</loc>", read(client, "/sitemap.xml"))
    assert found == ["/people/", "/people/records/", f"/people/{ann.pk}-ann/"]


def test_lists_have_pages(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    league(2001)
    for name in ("Ann", "Bea", "Fay"):
        person(name, *players_named(name))
    monkeypatch.setattr(directory, "PER_PAGE", 2)
    first = read(client, "/people/")
    assert listed(first) == ["Fay", "Ann"]
    assert 'rel="next" href="?page=2"' in first
    last = client.get("/people/", {"page": "2"}).content.decode()
    assert listed(last) == ["Bea"]
    assert "3–3 of 3" in last


def order(client: Client, address: str, **asked: str) -> list[str]:
    """Return the names of a list with this query, over all pages."""
    page = client.get(address, asked).content.decode()
    names = listed(page)
    while 'rel="next"' in page:
        following = page.partition('rel="next" href="')[2].partition('"')[0].replace("&amp;", "&")
        page = client.get(address + following).content.decode()
        names += listed(page)
    return names


@pytest.fixture
def champions() -> tuple[Person, ...]:
    """Four players of the demo events of 1947 and 1948, three with medals, and two players of a league.

    Den Haag 1947: Roozenburg and Ghestem share place 1, Gordijn is 4th. 1948: Roozenburg 1, Ghestem 3.
    """
    record(DEN_HAAG, WORLD_1948)
    league(2001)
    ann = person("Ann", *players_named("Ann"))
    person("Dov", *players_named("Dov"))
    gordijn = person("Freek Gordijn", *named("Freek Gordijn"))
    roozenburg, ghestem = world_champions()
    for each, title in ((ghestem, "GMI"), (gordijn, "MF"), (ann, "odd")):
        PersonTitle.objects.create(person=each, title=title)
    for each, code in ((ghestem, "FRA"), (ann, "BEL")):
        PersonFederation.objects.create(person=each, code=code)
    return roozenburg, ghestem, gordijn, ann


@pytest.mark.parametrize(
    ("sort", "direction", "expected"),
    [
        ("", "", "Piet Roozenburg, Pierre Ghestem, Ann, Dov, Freek Gordijn"),
        ("name", "desc", "Piet Roozenburg, Pierre Ghestem, Freek Gordijn, Dov, Ann"),
        # 2 first places, 1 first and 1 third, then players without medals by name.
        ("gold", "", "Piet Roozenburg, Pierre Ghestem, Ann, Dov, Freek Gordijn"),
        ("gold", "asc", "Freek Gordijn, Dov, Ann, Pierre Ghestem, Piet Roozenburg"),
        ("bronze", "", "Pierre Ghestem, Piet Roozenburg, Ann, Dov, Freek Gordijn"),
        ("code", "", "Ann, Pierre Ghestem, Dov, Freek Gordijn, Piet Roozenburg"),
        ("title", "", "Pierre Ghestem, Freek Gordijn, Ann, Dov, Piet Roozenburg"),
    ],
)
@pytest.mark.parametrize("per_page", [2, 50])
def test_list_is_sorted_over_all_pages(
    client: Client,
    champions: object,
    monkeypatch: pytest.MonkeyPatch,
    sort: str,
    direction: str,
    expected: str,
    per_page: int,
) -> None:
    monkeypatch.setattr(directory, "PER_PAGE", per_page)
    values = {name: value for name, value in (("sort", sort), ("dir", direction)) if value}
    found = order(client, "/people/", **values)
    if (sort, direction) == ("gold", "asc"):
        # The three without a medal are level; the others follow.
        assert (set(found[:3]), found[3:]) == ({"Ann", "Dov", "Freek Gordijn"}, expected.split(", ")[3:])
    else:
        assert found == expected.split(", ")


def cells(page: str) -> list[list[str]]:
    """Return the visible cells of the list."""
    lines = re.findall(r"<tr.*?</tr>", page.partition("<tbody")[2].partition("</tbody>")[0], re.DOTALL)
    return [[visible(cell) for cell in re.findall(r"<t[dh].*?</t[dh]>", line)] for line in lines]


@pytest.mark.usefixtures("champions")
def test_list_shows_medals(client: Client) -> None:
    assert cells(read(client, "/people/")) == [
        ["Piet Roozenburg", "", "", "2", "2", "", "", ""],
        ["Pierre Ghestem", "FRA", "GMI", "2", "1", "", "1", ""],
        ["Ann", "BEL", "odd", "1", "", "", "", "0–1–0"],
        ["Dov", "", "", "1", "", "", "", "0–0–1"],
        ["Freek Gordijn", "", "MF", "1", "", "", "", ""],
    ]
    team("Eindhoven", *named("Dam Eindhoven"))
    assert cells(read(client, "/teams/")) == [["Eindhoven", "", "1", "", "1", ""]]
    data = client.get("/api/people/", {"sort": "gold"}).json()
    assert (data["behind"], data["listed"][0]["medals"]) == (0, [2, 0, 0])
    assert client.get("/api/people/", {"q": "ann"}).json()["listed"][0]["medals_with_teams"] == [0, 1, 0]


def test_medals_follow_the_current_standings() -> None:
    event = league(2001)
    team("Eindhoven", *named("Dam Eindhoven"))

    def told() -> list[Medals]:
        return [each.medals for each in Directory(LISTED_TEAMS, {}).lines]

    assert told() == [Medals(second=1)]
    Pairing.objects.filter(round__event=event, round__number=2, table=1).update(first_score=0, second_score=4)
    assert told() == [Medals(first=1)]
    Event.objects.filter(pk=event.pk).update(state="live")
    assert told() == [Medals()]
    Event.objects.filter(pk=event.pk).update(state="archived")
    assert told() == [Medals(first=1)]
    event.delete()
    assert (told(), Medal.objects.count()) == ([], 0)


def test_list_states_uncounted_events(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(medals, "AT_A_TIME", 1)
    team("Eindhoven", *(league(year).competitors.get(number=1) for year in (2001, 2003)))
    assert "1 change of events, players or teams is missing here" in read(client, "/teams/")
    page = read(client, "/teams/")
    assert "missing here" not in page
    assert cells(page) == [["Eindhoven", "", "2", "", "2", ""]]


def test_list_suggests_similar_names(client: Client) -> None:
    league(2001)
    ann, fay = person("Roozenburg, Ann", *players_named("Ann")), person("Fay", *players_named("Fay"))
    PersonIdentifier.objects.create(person=fay, scheme="fmjd", value="10123")
    PersonFederation.objects.create(person=fay, code="NED")
    page = client.get("/people/", {"q": "rozenburg"}).content.decode()
    assert listed(page) == ["Roozenburg, Ann"]
    assert "Not found: <b>rozenburg</b>; shown: <b>Roozenburg</b>" in page
    assert client.get("/api/people/", {"q": "rozenburg"}).json()["total"] == 0
    # No redirect to a person whom the search does not name exactly.
    answer = client.get(f"/people/{fay.pk}/against/", {"q": "rozenburg"})
    assert (answer.status_code, "Not found: <b>rozenburg</b>" in answer.content.decode()) == (200, True)
    assert listed(client.get("/people/", {"q": "10123"}).content.decode()) == ["Fay"]
    # A code is not a name, and has its own filter.
    assert listed(client.get("/people/", {"q": "ned"}).content.decode()) == []
    Person.objects.filter(pk=ann.pk).update(hidden=True)
    for asked in ("rozenburg", "roozenburg"):
        answer = client.get("/people/", {"q": asked})
        assert not re.search("Roozenburg|shown:", answer.content.decode())


def test_list_states_that_there_are_more_namesakes(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    league(2001)
    person("Ann", *players_named("Ann"))
    Person.objects.create(pk=10_000, name="Anna", key="anna")
    params = {"q": "ann"}
    assert "There are more with this name" not in client.get("/people/", params).content.decode()
    monkeypatch.setattr(directory, "MOST_NAMED", 1)
    monkeypatch.setattr(peoplesearch, "HUNDREDS_AT_A_TIME", 1)
    page = client.get("/people/", params).content.decode()
    assert "There are more with this name." in page
    assert listed(page) == ["Ann"]


@pytest.mark.parametrize("sort", ["", "name", "code", "title", "events", "gold", "team"])
def test_length_of_the_list_does_not_change_the_queries(
    client: Client, sort: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for year in range(2001, 2009):
        league(year)
    for at, (name, player) in enumerate(
        (each, one) for each in ("Ann", "Dov") for one in players_named(each)
    ):
        person(f"{name} {at}", player)
    asked = {"sort": sort} if sort else {}
    client.get("/people/")
    client.get("/people/?q=a")
    # The stamp, the directory (tests/standings/careers/test_tallies.py) and the search.
    with django_assert_max_num_queries(14):
        assert len(listed(client.get("/people/", {**asked, "q": "a"}).content.decode())) == 8
