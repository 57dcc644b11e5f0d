"""A client generated from the OpenAPI document reads what the endpoints answer."""

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

from tests.demo import record

pytestmark = pytest.mark.django_db(transaction=True)

SLUG, CODE = "olympiad-2022-open", "dsb"
PACKAGE = "generated_client"

CALLS: list[tuple[str, str, dict[str, Any]]] = [
    ("api", "Index", {}),
    ("api_events", "Events", {"entrants": "teams"}),
    ("api_events_slug", "EventAnswer", {"slug": SLUG}),
    ("api_events_slug_standings", "Standings", {"slug": SLUG}),
    ("api_events_slug_standings_after_after", "Standings", {"slug": SLUG, "after": 3}),
    ("api_events_slug_rounds_number", "RoundAnswer", {"slug": SLUG, "number": 1}),
    ("api_events_slug_competitors", "Competitors", {"slug": SLUG}),
    ("api_events_slug_competitors_number", "CompetitorAnswer", {"slug": SLUG, "number": 1}),
    (
        "api_events_slug_competitors_number_code",
        "Explanation",
        {"slug": SLUG, "number": 1, "code": CODE, "after": 5},
    ),
    ("api_events_slug_check", "Check", {"slug": SLUG}),
    ("api_criteria", "Criteria", {}),
]
"""Each operation by its id, the class that it answers with, and what it is asked."""


@pytest.fixture
def generated(client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Return the package that a generator makes of the document, as anybody would have it."""
    document = tmp_path / "openapi.json"
    document.write_bytes(client.get("/api/openapi.json").content)
    config = tmp_path / "config.yaml"
    config.write_text("post_hooks: []\n")  # what it writes is not formatted for us
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


def test_a_generated_client_reads_every_answer(client: Client, generated: ModuleType) -> None:
    record(SLUG)
    transport = httpx.WSGITransport(app=get_wsgi_application())
    with generated.Client(base_url="http://testserver", httpx_args={"transport": transport}) as site:
        for operation, name, asked in CALLS:
            called = importlib.import_module(f"{PACKAGE}.api.default.{operation}")
            answer = called.sync_detailed(client=site, **asked)
            assert (answer.status_code, type(answer.parsed).__name__) == (200, name)
            assert answer.parsed.to_dict() == json.loads(answer.content), operation
        missing = importlib.import_module(f"{PACKAGE}.api.default.api_events_slug")
        fault = missing.sync(client=site, slug="nobody")
        assert type(fault).__name__ == "Fault"
        assert fault.error == "There is nothing at this address."


def test_every_operation_is_called(client: Client) -> None:
    paths = json.loads(client.get("/api/openapi.json").content)["paths"]
    operations = {each["get"]["operationId"] for each in paths.values()}
    assert {operation for operation, _, _ in CALLS} == operations - {"api_openapi_json"}
