"""Format of event files: schema, page and examples."""

import json

import pytest
from django.test import Client
from django.utils.html import escape
from django.utils.text import capfirst
from jsonschema import Draft202012Validator
from pytest_django.fixtures import Settings

from standings.pages.site.file_formats import EXAMPLES, FOLDER, example, layout_descriptions
from tests.cast import create_player_event
from tournaments.event.document import CompetitorEntry
from tournaments.event.judging import judge_document
from tournaments.event.schema import file_keys
from tournaments.interchange.formats.json.reader import read
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.formats.layouts import LAYOUTS

SCHEMA = "/schema/event/1.json"


def test_schema_is_served_to_every_origin(client: Client, settings: Settings) -> None:
    answer = client.get(SCHEMA)
    data = json.loads(answer.content)
    assert data["$id"] == "http://testserver/schema/event/1.json"
    assert answer["Content-Type"] == "application/schema+json"
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "max-age=86400" in answer["Cache-Control"]
    assert not answer.cookies
    assert client.get(SCHEMA, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    Draft202012Validator.check_schema(data)
    settings.SITE_ADDRESS = "https://results.example"
    assert json.loads(client.get(SCHEMA).content)["$id"] == "https://results.example/schema/event/1.json"


@pytest.mark.django_db
def test_event_files_and_the_api_refer_to_the_schema(client: Client) -> None:
    create_player_event()
    assert client.get("/events/two-players.json")["Link"] == f'<http://testserver{SCHEMA}>; rel="describedby"'
    assert SCHEMA in client.get("/api/openapi.json").content.decode()


def test_page_describes_every_key(client: Client) -> None:
    page = client.get("/event-file/").content.decode()
    assert all(f"<code>{key.path}</code>" in page for key in file_keys(CompetitorEntry))
    assert "Plays outside the competition." in page
    assert "http://testserver/schema/event/1.json" in page
    dutch = client.get("/nl/event-file/").content.decode()
    assert '<h2 id="versions">Versies</h2>' in dutch


def test_page_of_layouts_shows_every_layout_with_its_example(client: Client) -> None:
    answer = client.get("/layouts/")
    page = answer.content.decode()
    for layout in LAYOUTS:
        assert f'<h2 id="{layout.code}" lang="en">{escape(capfirst(layout.name))}</h2>' in page
        assert escape(layout.example.strip()) in page
    assert "Recognised by ." not in page
    assert "<h1>Bestanden van andere programma" in client.get("/nl/layouts/").content.decode()
    assert not answer.cookies
    assert client.get("/layouts/", headers={"If-None-Match": answer["ETag"]}).status_code == 304
    assert 'href="/layouts/"' in client.get("/validate/").content.decode()


def test_square_of_matches_is_described_by_its_own_rules() -> None:
    [about] = [each.about for each in layout_descriptions() if each.code == "match-square"]
    assert any("rounds by Berger tables" in " ".join(text.split()) for text in about)


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_is_valid_canonical_small_and_has_standings(name: str, client: Client) -> None:
    answer = client.get(f"/event-file/examples/{name}.json")
    text = answer.content.decode()
    reading = read(text)
    assert reading.findings == ()
    assert reading.accepted
    assert write(reading.accepted) == text
    assert len(text) < 6_000
    assert answer["Content-Disposition"] == f'attachment; filename="{name}.json"'
    judge_document(reading.accepted)
    schema = json.loads(client.get(SCHEMA).content)
    assert Draft202012Validator(schema).is_valid(json.loads(text))


@pytest.mark.django_db
def test_every_example_is_listed(client: Client) -> None:
    assert {each.stem for each in FOLDER.glob("*.json")} == {*EXAMPLES}
    assert example("none") == ""
    assert client.get("/event-file/examples/none.json").status_code == 404
