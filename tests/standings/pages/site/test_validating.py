"""Page that validates a file: findings, limits, and no traces."""

import json
import logging
from io import BytesIO
from threading import BoundedSemaphore, Thread
from typing import Any
from unittest.mock import patch

import openpyxl
import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from standings.pages.site import validating
from tests.tournaments.interchange.formats import samples
from tournaments.interchange.formats.json.parsing import MOST_BYTES
from tournaments.operations.processes import slots
from tournaments.operations.processes.confinement import TooMuchWorkError

FORM = "/validate/"
ANSWER = b'{"valid": false, "errors": 1, "warnings": 0, "findings": []}'


@pytest.fixture(autouse=True)
def _fresh_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(validating, "CPU_SECONDS", 120)
    monkeypatch.setattr(validating, "CLOCK_SECONDS", 120)  # test machines are busy
    monkeypatch.setattr(validating, "CPU_SECONDS_A_MINUTE", 480)
    monkeypatch.setattr(validating, "time", lambda: 0.0)  # the minute never changes during a test


def sent(client: Client, content: bytes | str, **headers: str) -> Any:
    """Submit a file, or pasted text, and return the response."""
    given = {"text": content} if isinstance(content, str) else {"file": SimpleUploadedFile("a.json", content)}
    return client.post(FORM, given, headers=headers)


def test_findings_have_line_numbers_and_no_cookie_is_set(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    client = Client(enforce_csrf_checks=True)
    text = samples.text(samples.players()).replace('"rounds": 3', '"rounds": 3, "secret-key": 1', 1)
    with caplog.at_level(logging.DEBUG):
        answer = sent(client, text.replace('"name"', '"nam\\u0065e"', 1).encode())
    page = answer.content.decode()
    assert answer.status_code == 200
    assert not answer.cookies
    assert "Not valid: <span" in " ".join(page.split())
    assert "Unknown key" in page
    assert answer["Cache-Control"] == "max-age=0, no-cache, no-store, must-revalidate, private"
    assert "secret" not in caplog.text


def test_pasted_text_that_is_valid_has_its_standings(client: Client) -> None:
    page = sent(client, samples.text(samples.players())).content.decode()
    assert '<h2 id="found">' in page
    assert "Top of the standings" in page
    dutch = client.post("/nl/validate/", {"text": samples.text(samples.players())}).content.decode()
    assert "Bovenste plaatsen van de stand" in dutch


def test_validating_needs_no_database(client: Client) -> None:
    """Without the `django_db` mark, any query fails."""
    assert client.get(FORM).status_code == 200
    assert sent(client, "{}").status_code == 200


@pytest.mark.parametrize(
    ("content", "status"), [("", 422), (" \n", 422), (b"x" * (MOST_BYTES + 1), 413), ("x" * 9_000_000, 413)]
)
def test_empty_and_too_large_files_are_refused_with_a_reason(
    client: Client, content: bytes | str, status: int
) -> None:
    answer = sent(client, content)
    assert answer.status_code == status
    assert 'class="refused" role="alert"' in answer.content.decode()


def test_page_counts_listed_errors_and_mentions_more(client: Client) -> None:
    data = samples.players() | {"competitors": [{} for _ in range(2000)]}
    page = " ".join(sent(client, samples.text(data)).content.decode().split())
    assert "More than 1000 errors" in page


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"[" * 1_000_000, id="deep"),
        pytest.param(b'{"a":' * 200_000, id="deep objects", marks=pytest.mark.exhaustive),
        pytest.param(b"1" * 2_000_000, id="digits"),
        pytest.param(
            b'{"format": "crosstable-event", "version": 1, "event": {"rounds": 1e999999999}}',
            id="huge number",
            marks=pytest.mark.exhaustive,
        ),
        pytest.param(b"\xff\xfe\x00", id="no text"),
        pytest.param(
            json.dumps({"format": "crosstable-event", "version": 1, "rounds": [1] * 5_000}).encode(),
            id="many findings",
        ),
    ],
)
def test_hostile_files_get_a_response(client: Client, content: bytes) -> None:
    answer = sent(client, content)
    assert answer.status_code == 200
    assert "Not valid" in answer.content.decode()


def test_workbook_is_read_within_the_limits_of_the_page(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slots, "usable_cores", lambda: 1)  # the parser's process needs no additional slot
    book, content = openpyxl.Workbook(), BytesIO()
    for row in [["No", "Name", "R1"], [1, "Ash", "2w1"], [2, "Birch", "1b0"]]:
        book.worksheets[0].append(row)
    book.save(content)
    file = SimpleUploadedFile("list.xlsx", content.getvalue())
    page = client.post(FORM, {"file": file}).content.decode()
    assert "missing-fact" in page
    assert "too-large-a-sheet" not in page


def test_limit_is_in_cpu_seconds_with_a_longer_wall_clock_limit(client: Client) -> None:
    with patch.object(validating, "run_confined", return_value=ANSWER) as run:
        assert sent(client, "{}").status_code == 200
    _, (_, cpu_seconds, _), _, clock_seconds, _ = run.call_args.args
    assert (cpu_seconds, clock_seconds) == (str(validating.CPU_SECONDS), validating.CLOCK_SECONDS)


def test_file_that_takes_too_many_cpu_seconds_is_refused(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(validating, "CPU_SECONDS", 0)
    answer = sent(client, "{}")
    assert answer.status_code == 422
    assert "takes too much time or memory" in answer.content.decode()


def _answer_costing(seconds: float | None) -> Any:
    """Patch the runner: each file takes this number of CPU seconds, or is killed if None."""

    def run(*given: Any, **_named: Any) -> bytes:
        given[-1](seconds)
        return ANSWER

    return patch.object(validating, "run_confined", run)


@pytest.mark.parametrize(("seconds", "files"), [(12, 4), (4, 10), (None, 4)], ids=["dear", "cheap", "killed"])
def test_budget_of_a_network_is_cpu_seconds(
    client: Client, monkeypatch: pytest.MonkeyPatch, seconds: int | None, files: int
) -> None:
    monkeypatch.setattr(validating, "CPU_SECONDS", 12)
    monkeypatch.setattr(validating, "CPU_SECONDS_A_MINUTE", 48)
    monkeypatch.setattr(validating, "thread_time", lambda: 0.0)
    with _answer_costing(seconds):
        statuses = [sent(client, "{}").status_code for _ in range(files + 1)]
        assert statuses == [200] * files + [429]
        assert client.post(FORM, {"text": "{}"}, REMOTE_ADDR="192.0.2.9").status_code == 200
        monkeypatch.setattr(validating, "time", lambda: 60.0)
        assert sent(client, "{}").status_code == 200


def status_while_another_file_is_checked(client: Client) -> int:
    statuses = []

    def run(*_given: Any, **_named: Any) -> bytes:
        statuses.append(sent(Client(), "{}").status_code)
        return ANSWER

    with patch.object(validating, "run_confined", run):
        assert sent(client, "{}").status_code == 200
    [status] = statuses
    return int(status)


def test_files_sent_at_the_same_time_share_the_budget(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(validating, "CPU_SECONDS_A_MINUTE", validating.CPU_SECONDS)
    assert status_while_another_file_is_checked(client) == 429


def test_file_is_refused_if_too_many_wait(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validating, "_QUEUE", BoundedSemaphore(1))
    assert status_while_another_file_is_checked(client) == 503


def test_file_is_refused_if_it_waits_too_long(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "usable_cores", lambda: 1)
    monkeypatch.setattr(validating, "_PATIENCE", 0)
    answers = []
    with slots.reading_slot():
        thread = Thread(target=lambda: answers.append(sent(client, "{}")))
        thread.start()
        thread.join()
    [answer] = answers
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "Yours was not read: send it again in a few seconds." in answer.content.decode()
    assert sent(client, "{}").status_code == 200


def test_slow_files_and_foreign_forms_are_refused(client: Client) -> None:
    assert sent(client, "{}", **{"Sec-Fetch-Site": "cross-site"}).status_code == 403
    with patch.object(validating, "run_confined", side_effect=TooMuchWorkError):
        assert sent(client, "{}").status_code == 422
