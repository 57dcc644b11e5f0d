"""Prometheus metrics: access and counting."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from tests.cast import create_team_event

pytestmark = pytest.mark.urls("tests.trace.conftest")
TOKEN = "a token of 32 random characters"
ROOT = Path(__file__).resolve().parents[2]

COUNTING = """
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
import django
django.setup()
from config.trace.metrics import count_page, making, metrics
from django.test import RequestFactory
for _ in range(2):
    if process := os.fork():
        assert os.waitpid(process, 0)[1] == 0
    else:
        for _ in range(3):
            count_page("hit")
        making().__enter__()
        os._exit(0)
token = {"Authorization": "Bearer " + os.environ["METRICS_TOKEN"]}
print(metrics(RequestFactory().get("/metrics", headers=token)).content.decode())
"""
"""Two processes count three pages each and end while they generate a fourth; then a third is scraped."""


def figure(client: Client, name: str) -> float:
    """Return the value of a metric, 0 if it is missing."""
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    found = re.search(rf"^{re.escape(name)} (\S+)$", answer.content.decode(), re.MULTILINE)
    return float(found[1]) if found else 0


@pytest.fixture
def counting(settings: Settings) -> None:
    """Switch metrics on."""
    settings.METRICS_TOKEN = TOKEN


@pytest.mark.django_db
def test_metrics_are_404_without_a_token_setting(client: Client) -> None:
    assert client.get("/metrics").status_code == 404


@pytest.mark.parametrize("given", ["", "Bearer ", "Bearer wrong", f"Basic {TOKEN}"])
def test_metrics_require_the_token(client: Client, counting: None, given: str) -> None:
    assert client.get("/metrics", headers={"Authorization": given}).status_code == 401


@pytest.mark.django_db(transaction=True)
def test_requests_are_counted_by_route_method_and_status(client: Client, counting: None) -> None:
    create_team_event()
    address = reverse("standings", args=["two-teams"])
    name = 'crosstable_request_seconds_count{method="GET",route="standings",status="%s"}'
    before = figure(client, name % 200), figure(client, name % 304)
    etag = client.get(address)["ETag"]
    client.get(address, headers={"If-None-Match": etag})

    assert (figure(client, name % 200) - before[0], figure(client, name % 304) - before[1]) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_pages_are_counted_by_cache_outcome(client: Client, counting: None) -> None:
    create_team_event()
    address = reverse("standings", args=["two-teams"])
    names = [f'crosstable_pages_total{{kept="{kept}"}}' for kept in ("miss", "hit", "unchanged", "stale")]
    before = [figure(client, name) for name in names]
    etag = client.get(address)["ETag"]
    client.get(address)
    client.get(address, headers={"If-None-Match": etag})

    assert [figure(client, name) - was for name, was in zip(names, before, strict=True)] == [1, 1, 1, 0]


def test_unknown_methods_and_missing_pages_share_a_label_each(client: Client, counting: None) -> None:
    name = 'crosstable_request_seconds_count{method="other",route="none",status="404"}'
    before = figure(client, name)
    for number in range(3):
        client.generic(f"BREW{number}", f"/nothing/{number}/")

    assert figure(client, name) - before == 3


@pytest.mark.django_db
def test_errors_are_counted_by_exception_class(reader: Client, counting: None) -> None:
    name = 'crosstable_errors_total{kind="ValueError"}'
    before = figure(reader, name)
    reader.get("/raising/")

    assert figure(reader, name) - before == 1


def test_metrics_sum_processes_without_gauges_of_dead_ones(tmp_path: Path) -> None:
    environment = os.environ | {"METRICS_TOKEN": "x" * 32, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path / "made")}
    run = subprocess.run(
        [sys.executable, "-c", COUNTING],
        cwd=ROOT,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )

    assert 'crosstable_pages_total{kept="hit"} 6.0' in run.stdout
    assert "crosstable_pages_being_made 0.0" in run.stdout
