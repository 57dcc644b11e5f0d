"""A generated client reads every response of the API, and rebuilds events from them."""

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
from django.core.wsgi import get_wsgi_application
from django.test import Client
from django.utils import timezone

from tests.cast import create_team_event
from tests.demo import record
from tests.linked import both_sides
from tournaments.event.document import FORMAT
from tournaments.interchange.formats.json.reader import read
from tournaments.interchange.formats.json.writer import write
from tournaments.models import Change, Event, Override, Published

pytestmark = pytest.mark.django_db(transaction=True)

SLUG, CODE = "two-teams", "dsb"
PACKAGE = "generated_client"

CALLS: list[tuple[str, str, dict[str, Any]]] = [
    ("site.index", "Index", {}),
    ("site.events", "Events", {"entrants": "teams"}),
    ("site.events", "Events", {"modified_since": "2020-01-01", "limit": 1}),
    ("site.series_list", "SeriesList", {}),
    ("site.series", "Series", {"slug": "cup"}),
    ("site.congress_list", "CongressList", {}),
    ("site.congress", "Congress", {"slug": "cup-2026"}),
    ("site.people", "PeopleList", {}),
    ("site.person", "Person", {"key": 1}),
    ("site.person_opponents", "Opponents", {"key": 1}),
    ("site.person_against", "HeadToHead", {"key": 1, "against": 2}),
    ("site.teams", "PeopleList", {}),
    ("site.team", "TeamOverEvents", {"key": 1}),
    ("site.team_opponents", "Opponents", {"key": 1}),
    ("site.team_against", "HeadToHead", {"key": 1, "against": 2}),
    ("event.event", "EventAnswer", {"slug": SLUG}),
    ("event.standings", "Standings", {"slug": SLUG}),
    ("event.standings_after", "Standings", {"slug": SLUG, "after": 1}),
    ("event.round_", "RoundAnswer", {"slug": SLUG, "number": 1}),
    ("event.competitors", "Competitors", {"slug": SLUG}),
    ("event.competitor", "CompetitorAnswer", {"slug": SLUG, "number": 1}),
    ("event.explanation", "Explanation", {"slug": SLUG, "number": 1, "code": CODE, "after": 1}),
    ("event.categories", "Categories", {"slug": SLUG}),
    ("event.prizes", "Prizes", {"slug": SLUG}),
    ("event.statistics", "Statistics", {"slug": SLUG}),
    ("event.changes", "Changes", {"slug": SLUG}),
    ("event.published", "PublishedAnswer", {"slug": SLUG}),
    ("event.check", "Check", {"slug": SLUG}),
    ("event.event_file", "EventFile", {"slug": SLUG}),
    ("rules.criteria", "Criteria", {}),
]
"""Each operation by its module, with the class of its response and its arguments."""


@pytest.fixture
def generated(client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Return the package that a client generator makes from the OpenAPI document."""
    document = tmp_path / "openapi.json"
    document.write_bytes(client.get("/api/openapi.json").content)
    config = tmp_path / "config.yaml"
    config.write_text("post_hooks: []\n")  # skip formatting of the generated code
    generator = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"]
    files = [f"--path={document}", f"--config={config}", f"--output-path={tmp_path / PACKAGE}"]
    made = subprocess.run(
        [*generator, *files, "--fail-on-warning"], capture_output=True, text=True, check=False, timeout=120
    )
    assert made.returncode == 0, made.stdout + made.stderr
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module(PACKAGE)
    for name in [each for each in sys.modules if each.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


def called(generated: ModuleType, site: Any, operation: str, **asked: Any) -> Any:
    """Return the parsed response of an operation after comparing it with the raw response."""
    module = importlib.import_module(f"{generated.__name__}.api.{operation}")
    answer = module.sync_detailed(client=site, **asked)
    assert answer.status_code == 200, operation
    assert answer.parsed.to_dict() == json.loads(answer.content), operation
    return answer.parsed


def rebuilt(generated: ModuleType, site: Any, slug: str) -> str:
    """Return the event file, made only from the other responses of the API."""
    event = called(generated, site, "event.event", slug=slug)
    rounds = [
        called(generated, site, "event.round_", slug=slug, number=each.number).to_dict()
        for each in event.rounds
    ]
    changes = called(generated, site, "event.changes", slug=slug).to_dict()
    published = called(generated, site, "event.published", slug=slug).to_dict()["published"]
    whole = {
        "format": FORMAT,
        "version": 1,
        "event": event.to_dict()["event"],
        "competitors": called(generated, site, "event.competitors", slug=slug).to_dict()["competitors"],
        "rounds": [
            {key: each[key] for key in ("number", "date", "time", "state", "pairings") if each[key] != ""}
            for each in rounds
        ],
        **{key: changes[key] for key in ("overrides", "changes", "acknowledged")},
        **({"published": published} if published else {}),
    }
    reading = read(json.dumps(whole).encode())
    assert not reading.errors
    assert reading.document
    return write(reading.document)


def test_a_generated_client_reads_every_answer_and_rebuilds_events(
    client: Client, generated: ModuleType
) -> None:
    section = create_team_event()
    both_sides(section)
    Event.objects.filter(pk=section.pk).update(congress="Cup 2026", section="Open")
    about = {"reason": "The hall's clock stood.", "by": "A. Arbiter", "at": timezone.now()}
    placed = {"kind": "place", "competitor": section.competitors.get(number=1), "place": 2, "after": 1}
    Override.objects.create(event=section, number=1, **placed, **about)
    Change.objects.create(
        event=section, round=1, table=1, was="2-0", now="1½-½", moved=[[1, 2, 1], [2, None, 3]], **about
    )
    Published.objects.create(event=section, order=[[1], [3, 2]], columns={"MP": {"1": "2", "3": "2"}})
    record("2022-ouagadougou-open")
    transport = httpx.WSGITransport(app=get_wsgi_application())
    with generated.Client(base_url="http://testserver", httpx_args={"transport": transport}) as site:
        for operation, name, asked in CALLS:
            assert type(called(generated, site, operation, **asked)).__name__ == name
        missing = importlib.import_module(f"{PACKAGE}.api.event.event").sync(client=site, slug="nobody")
        assert (type(missing).__name__, missing.status) == ("Problem", 404)
        assert missing.detail == "There is nothing at this address."
        for slug in (SLUG, "2022-ouagadougou-open"):
            assert rebuilt(generated, site, slug) == client.get(f"/events/{slug}.json").content.decode()


def test_every_operation_is_called(client: Client) -> None:
    paths = json.loads(client.get("/api/openapi.json").content)["paths"]
    operations = {f"{each['get']['tags'][0]}.{each['get']['operationId']}" for each in paths.values()}
    # The generator has no class for the document itself, and none for lines of JSON.
    assert {operation.rstrip("_") for operation, _, _ in CALLS} == operations - {"site.document", "site.bulk"}
