"""The API: responses match their schemas, endpoints are documented and cached like pages."""

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from jsonschema import Draft202012Validator
from pytest_django import DjangoAssertNumQueries, Settings

from standings.api.endpoints import ENDPOINTS, schemas, urlpatterns
from standings.api.kinds import ResponseModel
from standings.api.schemas import schema_name
from tests.cast import create_event_to_come, create_player_event, create_team_event
from tests.conftest import forget
from tests.demo import EACH_DEMO_EVENT, record
from tests.linked import person, team
from tests.snapshots import take_snapshot
from tournaments.models import Competitor, Event, FormerSlug
from tournaments.operations.revision import revision_of

pytestmark = pytest.mark.django_db(transaction=True)

SCHEMA_OF = {each.name: schema_name(each.answer) for each in ENDPOINTS}
OF_EVENT = [each.name for each in ENDPOINTS if each.route.startswith("events/{slug}")]
SLUGS = {"api-series": "cup", "api-congress": "cup-2026"}
PARTS = {"after": 1, "number": 1, "code": "total-score"}
OVER_EVENTS = ("api-person", "api-team")

EVENT_FILE = "/events/{slug}.json"
NOT_FOUND = {
    "type": "about:blank",
    "title": "Not Found",
    "status": 404,
    "detail": "There is nothing at this address.",
}


def read(client: Client, address: str) -> Any:
    answer = client.get(address)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/json"), address
    return json.loads(answer.content)


def faults(schema: str, data: Any) -> list[str]:
    """Return the violations of the schema."""
    whole = {"$ref": f"#/components/schemas/{schema}", "components": {"schemas": schemas()}}
    found = Draft202012Validator(whole).iter_errors(data)
    return [f"{schema} {'/'.join(map(str, each.absolute_path))}: {each.message}" for each in found]


def address(name: str, slug: str, **parts: Any) -> str:
    endpoint = next(each for each in ENDPOINTS if each.name == name)
    values = {"slug": SLUGS.get(name, slug), **PARTS, **_known(name), **parts}
    return reverse(
        name, kwargs={key: value for key, value in values.items() if f"{{{key}}}" in endpoint.route}
    )


def _known(name: str) -> dict[str, int]:
    """Return the keys of the first two competitors if they are persons or teams, else no keys."""
    first, second = Competitor.objects.order_by("pk")[:2] if name.startswith(OVER_EVENTS) else (None, None)
    if not (first and second):
        return {}
    if name.startswith("api-team"):
        one, other = team("Reds", first), team("Blues", second)
        return {"key": one.pk, "against": other.pk}
    return {
        key: person(f"Of {competitor.name}", *competitor.players.all()[:1]).pk
        for key, competitor in (("key", first), ("against", second))
    }


def leaves(data: Any) -> Iterator[Any]:
    """Yield all scalar values of a response."""
    if isinstance(data, dict | list):
        for each in data.values() if isinstance(data, dict) else data:
            yield from leaves(each)
    else:
        yield data


def create_section() -> Event:
    """Create the event of two teams in a series and a congress."""
    event = create_team_event()
    Event.objects.filter(pk=event.pk).update(congress="Cup 2026", section="Open")
    return event


@pytest.mark.parametrize("slug", EACH_DEMO_EVENT)
def test_every_answer_about_a_demo_event_keeps_to_its_schema(client: Client, slug: str) -> None:
    record(slug)
    criteria = read(client, address("api-standings", slug))["criteria"]
    for name in OF_EVENT:
        for code in criteria if name == "api-explanation" else [""]:
            assert faults(SCHEMA_OF[name], read(client, address(name, slug, code=code))) == []


@pytest.mark.parametrize("make", [create_team_event, create_player_event])
def test_every_answer_about_an_event_of_the_cast(client: Client, make: Any) -> None:
    slug = make().slug
    for name in OF_EVENT:
        assert faults(SCHEMA_OF[name], read(client, address(name, slug))) == []


def test_answers_about_an_event_before_its_first_game(client: Client) -> None:
    create_event_to_come()
    event = read(client, "/api/events/to-come/")
    assert faults("EventAnswer", event) == []
    assert (event["rounds"], event["told_until"]) == ([], None)
    assert faults("Standings", read(client, "/api/events/to-come/standings/")) == []
    assert client.get("/api/events/to-come/rounds/1/").status_code == 404


def test_every_answer_about_the_site_keeps_to_its_schema(client: Client, subtests: pytest.Subtests) -> None:
    create_section()
    create_player_event()
    created = take_snapshot()
    for name in [each.name for each in ENDPOINTS if each.name not in OF_EVENT]:
        created.restore()
        forget()
        with subtests.test(name):
            assert faults(SCHEMA_OF[name], read(client, address(name, ""))) == []


def test_every_address_is_documented_and_every_schema_is_used(client: Client) -> None:
    document = read(client, "/api/openapi.json")
    assert set(document["paths"]) == {*(each.path for each in ENDPOINTS), "/api/events.ndjson", EVENT_FILE}
    named = {pattern.name for pattern in urlpatterns if pattern.name}  # except the catch-all
    assert named == {*(each.name for each in ENDPOINTS), "api-bulk"}
    used = {
        operation["get"]["responses"]["200"]["content"]["application/json"]["schema"]["$ref"]
        for path, operation in document["paths"].items()
        if path != "/api/events.ndjson"
    }
    assert {reference.rpartition("/")[2] for reference in used} <= set(document["components"]["schemas"])
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_names_are_good_for_a_generator_and_examples_are_valid(client: Client) -> None:
    document = read(client, "/api/openapi.json")
    named = document["components"]["schemas"]
    assert len({name.casefold() for name in named}) == len(named)
    assert [name for name in named if not name[0].isupper() or not name.isalnum()] == []
    inner = [f"{name}.{key}" for name, schema in named.items() for key in objects_inside(schema)]
    assert inner == []
    operations = [each["get"] for each in document["paths"].values()]
    assert len({each["operationId"] for each in operations}) == len(operations)
    for parameter in [each for operation in operations for each in operation["parameters"]]:
        whole = {**parameter["schema"], "components": document["components"]}
        assert Draft202012Validator(whole).is_valid(parameter["example"]), parameter


def objects_inside(schema: Any) -> Iterator[str]:
    """Yield the keys of unnamed objects in a schema."""
    for key, each in schema.get("properties", {}).items():
        items = each.get("items", {}) if isinstance(each, dict) else {}
        if any(isinstance(one, dict) and "properties" in one for one in (each, items)):
            yield key


def test_every_documented_parameter_is_used(client: Client) -> None:
    create_team_event()
    document = read(client, "/api/openapi.json")
    for path, operation in document["paths"].items():
        told = {each["name"] for each in operation["get"]["parameters"] if each["in"] == "path"}
        assert told == {part.split("}")[0] for part in path.split("{")[1:]}
    asked = {each["name"] for each in document["paths"]["/api/events/"]["get"]["parameters"]}
    filters = {"q", "discipline", "schedule", "entrants", "country", "year", "series", "place"}
    assert asked == {*filters, "page", "limit", "modified_since", "cursor"}


def test_no_figure_is_a_float(client: Client) -> None:
    record("olympiad-2018-open")
    standings = read(client, "/api/events/olympiad-2018-open/standings/")
    assert standings["rows"][0]["values"]["dsb"] == {"text": "372½", "levels": ["372.5"]}
    assert not [each for each in leaves(standings) if isinstance(each, float)]
    pairings = client.get("/api/events/olympiad-2018-open/rounds/1/").content.decode()
    file = client.get("/events/olympiad-2018-open.json").content.decode()
    match = next(line.strip(" ,") for line in pairings.splitlines() if '"score": [3.5, 0.5]' in line)
    assert match in file


def test_explanation_matches_the_page(client: Client) -> None:
    record("2022-ouagadougou-open")
    data = read(client, "/api/events/2022-ouagadougou-open/competitors/1/solkoff-truncated-short/?after=5")
    assert data["after"] == 5
    cut = [line for line in data["lines"] if not line["counted"]]
    assert [line["notes"] for line in cut] == [["lowest, cut"]]
    counted = sum(Decimal(line["amount"]) for line in data["lines"] if line["counted"])
    assert [str(counted)] == data["levels"] == data["computed"]
    assert data["sums"][0].endswith(f"= {counted}")


def test_a_competitor_with_its_values_and_its_rounds(client: Client) -> None:
    record("olympiad-2018-open")
    base = "/api/events/olympiad-2018-open/"
    data = read(client, f"{base}competitors/1/")
    row = next(each for each in read(client, f"{base}standings/")["rows"] if each["number"] == 1)
    assert (data["standing"], data["after"]) == (row, 11)
    assert data["competitor"] == read(client, f"{base}competitors/")["competitors"][0]
    for each in data["rounds"]:
        after = read(client, f"{base}standings/after/{each['round']}/")
        then = next(other for other in after["rows"] if other["number"] == 1)
        assert each["place"] == then["place"]
        assert [each["total"]] == then["values"]["match-points"]["levels"]
        assert each["pairing"] in read(client, f"{base}rounds/{each['round']}/")["pairings"]
        assert 1 in (each["pairing"]["first"], each["pairing"]["second"])


def test_rounds_without_a_pairing_of_the_competitor(client: Client) -> None:
    event = create_team_event()
    Competitor.objects.create(event=event, number=4, name="Late", outside=True)
    data = read(client, "/api/events/two-teams/competitors/4/")
    assert faults("CompetitorAnswer", data) == []
    assert data["rounds"] == [{"round": 1, "total": "0", "place": None, "pairing": None, "in_progress": None}]


def test_the_list_is_searched_filtered_and_paged_as_on_the_first_page(client: Client) -> None:
    for number in range(27):
        Event.objects.filter(pk=create_player_event(f"event-{number}").pk).update(name=f"Match {number}")
    create_team_event()
    first = read(client, "/api/events/?entrants=players")
    assert (first["total"], first["page"], first["pages"], len(first["events"])) == (27, 1, 2, 25)
    assert first["next"] == "http://testserver/api/events/?entrants=players&page=2"
    second = read(client, first["next"].removeprefix("http://testserver"))
    assert (len(second["events"]), second["next"]) == (2, None)
    assert second["previous"] == "http://testserver/api/events/?entrants=players"
    assert [each["slug"] for each in read(client, "/api/events/?q=reds")["events"]] == ["two-teams"]
    assert read(client, "/api/events/?q=nobody")["events"] == []


def test_answer_is_cached_and_conditional_by_etag(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    event = create_team_event()
    answer = client.get("/api/events/two-teams/standings/")
    assert json.loads(answer.content)["version"] == revision_of(event.pk)
    with django_assert_num_queries(1):
        again = client.get("/api/events/two-teams/standings/", headers={"if-none-match": answer["ETag"]})
    assert (again.status_code, again["Access-Control-Allow-Origin"]) == (304, "*")
    packed = client.get("/api/events/two-teams/standings/", headers={"accept-encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert not packed.cookies
    Event.objects.filter(pk=event.pk).update(name="Another Cup")
    assert client.get("/api/events/two-teams/", headers={"if-none-match": answer["ETag"]}).status_code == 200


def test_cached_answer_is_served_without_building_it_again(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_team_event()
    made = client.get("/api/events/two-teams/standings/").content
    monkeypatch.delattr(ResponseModel, "of")
    assert client.get("/api/events/two-teams/standings/").content == made
    with pytest.raises(AttributeError):
        client.get("/api/events/two-teams/standings/?after=1")


def test_every_endpoint(client: Client, subtests: pytest.Subtests) -> None:
    create_section()
    created = take_snapshot()
    for name in [each.name for each in ENDPOINTS]:
        created.restore()
        forget()
        where = address(name, "two-teams")
        for holds in (is_as_fresh_as_a_page, any_site_may_read_and_nobody_may_write):
            with subtests.test(holds.__name__, address=where):
                holds(client, where)


def is_as_fresh_as_a_page(client: Client, where: str) -> None:
    answer, page = client.get(where), client.get("/events/two-teams/")
    assert answer["Cache-Control"] == page["Cache-Control"]
    assert "Accept-Encoding" in answer["Vary"]
    again = client.get(where, headers={"if-none-match": answer["ETag"]})
    assert (again.status_code, again["ETag"], again.content) == (304, answer["ETag"], b"")


def any_site_may_read_and_nobody_may_write(client: Client, where: str) -> None:
    assert client.get(where)["Access-Control-Allow-Origin"] == "*"
    assert client.head(where).status_code == 200
    refused = Client(enforce_csrf_checks=True).post(where)
    assert (refused.status_code, refused["Allow"]) == (405, "GET, HEAD, OPTIONS")
    assert (refused["Content-Type"], refused["Access-Control-Allow-Origin"]) == (
        "application/problem+json",
        "*",
    )
    assert faults("Problem", json.loads(refused.content)) == []


def test_a_draft_is_not_found_a_removed_event_gone_and_a_former_slug_leads_on(
    client: Client, subtests: pytest.Subtests
) -> None:
    event = create_team_event()
    FormerSlug.objects.create(event=event, slug="two")
    for name in OF_EVENT:
        Event.objects.update(state=Event.State.LIVE)
        with subtests.test(name):
            moved = client.get(address(name, "two"))
            assert (moved.status_code, moved["Location"]) == (301, address(name, "two-teams"))
            for state, status in ((Event.State.DRAFT, 404), (Event.State.REMOVED, 410)):
                Event.objects.update(state=state)
                answer = client.get(address(name, "two-teams"))
                assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (status, "*")
                assert faults("Problem", json.loads(answer.content)) == []


@pytest.mark.parametrize(
    "rest",
    [
        "standings/after/9/",
        "rounds/9/",
        "competitors/9/",
        "competitors/9/dsb/",
        "competitors/1/luck/",
        "competitors/1/dsb/?after=9",
    ],
)
def test_unknown_objects_are_404(client: Client, rest: str) -> None:
    create_team_event()
    answer = client.get(f"/api/events/two-teams/{rest}")
    assert (answer.status_code, json.loads(answer.content)) == (
        404,
        NOT_FOUND,
    )


@pytest.mark.parametrize(
    "rest",
    [
        *("nothing", "nothing/", "v1/events/", "events.json", "openapi.json/", "events//"),
        *("events/two-teams/rounds/", "events/two-teams/rounds/one/", "events/two-teams/players/"),
        *("events/nobody/", "events/nobody/standings/", "<b>/"),
    ],
)
@pytest.mark.parametrize("debug", [False, True])
def test_unknown_address_is_a_json_404(client: Client, settings: Settings, rest: str, debug: bool) -> None:
    settings.DEBUG = debug
    create_team_event()
    answer = client.get(f"/api/{rest}")
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert json.loads(answer.content) == NOT_FOUND
    assert Client(enforce_csrf_checks=True).post(f"/api/{rest}").status_code in (404, 405)


@pytest.mark.parametrize("rest", ["", "/events", "/events/two-teams/standings", "/criteria"])
def test_a_missing_slash_is_added(client: Client, rest: str) -> None:
    create_team_event()
    moved = client.get(f"/api{rest}?q=1")
    assert (moved.status_code, moved["Location"]) == (301, f"/api{rest}/?q=1")
