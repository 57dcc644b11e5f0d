"""The client `crosstable push`, with a clock of the test and a small server in place of the site."""

import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from config import commandline, push
from tests.clock import Clock
from tournaments.interchange.formats.json.parsing import MOST_BYTES

TOKEN = "ct_" + "a" * 43
APPLIED = {"state": "applied", "revision": 7, "changes": [], "findings": []}
PREVIEWED = {"state": "previewed", "revision": 6, "changes": ["+ round 1"], "findings": []}
QUESTION = {
    "title": "Refused",
    "detail": "The file needs an answer.",
    "findings": [
        {"code": "c", "level": "objection", "place": "line 4", "text": "3.5 or 4?", "answer": "accept-points"}
    ],
}
Answer = tuple[int, dict[str, Any] | bytes, dict[str, str]]


class FakeSite:
    """A server that records requests. `answer` returns status, JSON and headers of the response."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, str, dict[str, str], bytes]] = []
        self.headers: list[dict[str, str]] = []
        self.answers: list[Answer] = []
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_PUT(self) -> None:
                parts = urlsplit(self.path)
                content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                fake.requests.append((self.command, parts.path, dict(parse_qsl(parts.query)), content))
                fake.headers.append(dict(self.headers))
                status, body, headers = fake.next_answer(dict(parse_qsl(parts.query)))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body if isinstance(body, bytes) else json.dumps(body).encode())

            do_GET = do_PUT  # noqa: N815 - a name of the library

            def log_message(self, *_arguments: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/"

    def next_answer(self, query: dict[str, str]) -> Answer:
        if self.answers:
            return self.answers.pop(0)
        return 200, PREVIEWED if query.get("dry_run") else APPLIED, {}

    @property
    def stored(self) -> list[bytes]:
        return [
            content
            for method, _, query, content in self.requests
            if method == "PUT" and not query.get("dry_run")
        ]

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def site() -> Iterator[FakeSite]:
    fake = FakeSite()
    yield fake
    fake.close()


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(push, "monotonic", clock)
    monkeypatch.setattr(push, "sleep", clock.sleep)
    monkeypatch.setenv("CROSSTABLE_TOKEN", TOKEN)
    return clock


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "Spring Open.trf"
    path.write_bytes(b"012 Spring Open\n")
    return path


Watch = Callable[..., tuple[push.Push, Callable[[float], None]]]


@pytest.fixture
def watch(site: FakeSite, clock: Clock, tmp_path: Path) -> Watch:
    """Return a function that creates a watched file, and a function that lets seconds pass."""

    def create(path: Path, **options: Any) -> tuple[push.Push, Callable[[float], None]]:
        given = {"watch": True, "event": "spring-open", "yes": True, "answers": {}} | options
        watched = push.Push(push.Site(site.address, tmp_path), str(path), tmp_path, Namespace(**given))

        def wait(seconds: float) -> None:
            for _ in range(round(seconds * 2)):
                watched.step(clock())
                clock.sleep(0.5)

        return watched, wait

    return create


PushOnce = Callable[..., int | str | None]


@pytest.fixture
def push_once(site: FakeSite, report: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PushOnce:
    """Return a function that runs the command for the event “open”, and returns its exit code."""
    monkeypatch.setenv("CROSSTABLE_HOME", str(tmp_path))
    for name in ("SECRET_KEY", "ALLOWED_HOSTS", "HTTPS", "PROXIES", "LOG_LEVEL", "ACCESS_LOG"):
        monkeypatch.setenv(name, os.environ.get(name, ""))

    def push_once(*options: str, file: Path = report, event: str = "open") -> int | str | None:
        command = ["crosstable", "push", str(file), "--to", site.address, *options]
        monkeypatch.setattr(sys, "argv", [*command, *(["--event", event] if event else [])])
        with pytest.raises(SystemExit) as end:
            commandline.main()
        return end.value.code

    return push_once


class Keyboard:
    """Typed lines in place of a terminal."""

    def __init__(self) -> None:
        self.prompts: list[str] = []
        self.lines: list[str] = []

    def read(self, prompt: str) -> str:
        self.prompts.append(prompt)
        return self.lines.pop(0)


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Keyboard:
    keyboard = Keyboard()
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", keyboard.read)
    monkeypatch.setattr(push, "getpass", keyboard.read)
    return keyboard


Capture = pytest.CaptureFixture[str]

# --- one push ---------------------------------------------------------------------------------------------


def test_first_push_shows_the_changes_and_waits_for_consent(
    site: FakeSite, report: Path, push_once: PushOnce, keyboard: Keyboard, capsys: Capture
) -> None:
    keyboard.lines = ["n"]
    assert "Not sent" in str(push_once())
    assert "+ round 1" in capsys.readouterr().out
    assert site.stored == []
    keyboard.lines = ["y"]
    assert push_once() == 0
    assert site.stored == [report.read_bytes()]
    assert site.headers[-1]["If-Match"] == '"6"'
    assert site.requests[-1][:3] == ("PUT", "/api/write/events/open/file", {"name": "Spring Open.trf"})


def test_later_pushes_are_silent_and_send_only_changes(
    site: FakeSite, report: Path, push_once: PushOnce, capsys: Capture
) -> None:
    assert push_once("--yes") == 0
    site.address += "events/open/standings/"  # the page names the event
    assert push_once(event="") == 0
    assert "unchanged" in capsys.readouterr().out
    report.write_bytes(b"012 Spring Open\n042 2026/05/01\n")
    assert push_once(event="") == 0
    assert len(site.stored) == 2
    assert [query.get("dry_run") for _, _, query, _ in site.requests] == ["true", None, None]
    assert "If-Match" not in site.headers[-1]


def test_first_push_without_terminal_needs_yes(
    site: FakeSite, push_once: PushOnce, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False, raising=False)
    assert "--yes" in str(push_once())
    assert site.stored == []


def test_event_of_the_token_is_the_default(site: FakeSite, push_once: PushOnce, tmp_path: Path) -> None:
    for events, slug in ((["club-2026"], "club-2026"), (None, "spring-open"), (["a", "b"], "spring-open")):
        site.answers = [(200, {"name": "laptop", "events": events}, {})]
        assert push_once("--yes", event="") == 0
        assert site.requests[-1][1] == f"/api/write/events/{slug}/file"
        (tmp_path / "push.json").unlink()


def test_questions_are_answered_by_typing_or_by_options(
    site: FakeSite, report: Path, push_once: PushOnce, tmp_path: Path, capsys: Capture
) -> None:
    site.answers = [(422, QUESTION, {})]
    assert push_once("--yes") == 1
    assert "3.5 or 4? (--answer accept-points=…)" in capsys.readouterr().out
    assert site.stored == []
    assert push_once("--yes", "--answer", "accept-points=as printed", "--reason", "typo") == 0
    assert site.requests[-1][2] == {"name": report.name, "accept-points": "as printed", "reason": "typo"}


def test_typed_answer_is_sent(site: FakeSite, push_once: PushOnce, keyboard: Keyboard) -> None:
    keyboard.lines = ["checked", "y"]
    site.answers = [(422, QUESTION, {})]
    assert push_once() == 0
    assert "3.5 or 4?" in keyboard.prompts[0]
    assert site.requests[-1][2]["accept-points"] == "checked"


def test_number_of_rounds_of_a_new_event_is_a_question(
    site: FakeSite, report: Path, push_once: PushOnce, keyboard: Keyboard
) -> None:
    keyboard.lines = ["9", "y"]
    site.answers = [(200, PREVIEWED | {"new": True, "revision": 0}, {})] * 2
    assert push_once() == 0
    assert "How many rounds" in keyboard.prompts[0]
    assert site.requests[-1][2] == {"name": report.name, "rounds": "9"}
    assert site.headers[-1]["If-Match"] == '"0"'


def test_typed_facts_are_sent_again_but_reasons_are_not(
    site: FakeSite, report: Path, push_once: PushOnce
) -> None:
    given = ("--answer", "dates=dmy", "--answer", "accept-points=checked", "--reason", "typo")
    assert push_once("--yes", *given) == 0
    report.write_bytes(b"012 Spring Open\n012\n")
    assert push_once() == 0
    assert site.requests[-1][2] == {"name": report.name, "dates": "dmy"}


@pytest.mark.parametrize(
    ("name", "content", "advice"),
    [
        ("open.TUNx", b"\x93\xff\x89D\0\0", "Swiss-Manager choose Other › FIDE data export"),
        ("open.vegx", b"Vega 8.3 #\n", "Vega choose Rating Report"),
        ("open.sce", b"SQLite format 3\0\x10\0\x01", "Sharly Chess"),
        ("open.da", b"\x05\0\x01\0Open\0\0", "Draughts Arbiter"),
    ],
)
def test_binary_file_is_not_sent(
    name: str,
    content: bytes,
    advice: str,
    site: FakeSite,
    push_once: PushOnce,
    tmp_path: Path,
    capsys: Capture,
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert push_once("--yes", file=path) == 1
    assert advice in capsys.readouterr().out
    assert site.requests == []


def test_text_in_utf16_is_sent(site: FakeSite, report: Path, watch: Watch) -> None:
    report.write_bytes("012 Spring Open\r\n".encode("utf-16"))
    watch(report)[1](3)
    assert len(site.stored) == 1


def test_missing_file_and_lost_network_end_with_an_error(
    site: FakeSite, push_once: PushOnce, tmp_path: Path, capsys: Capture
) -> None:
    assert push_once("--yes", file=tmp_path / "none.trf") == 1
    assert "No such file" in capsys.readouterr().out
    site.answers = [(503, {}, {})] * 100
    assert "Not sent" in str(push_once("--yes"))
    assert 5 < len(site.requests) < 12


def test_largest_event_file_is_received(site: FakeSite, clock: Clock, tmp_path: Path) -> None:
    file = "é" * (MOST_BYTES // 2 - 100)
    site.answers = [(200, {"file": file}, {})]
    assert push.Site(site.address, tmp_path).request("PUT", "events/open/home")["file"] == file


# --- watching ---------------------------------------------------------------------------------------------


def test_file_is_sent_once_it_has_not_changed_for_two_seconds(
    site: FakeSite, report: Path, watch: Watch
) -> None:
    _, wait = watch(report)
    for length in range(1, 6):  # saved in steps
        report.write_bytes(b"012 Spring Open\n" * length)
        wait(1)
    assert site.requests == []
    wait(2)
    assert site.stored == [b"012 Spring Open\n" * 5]
    wait(60)
    assert len(site.stored) == 1


def test_replaced_and_deleted_files_are_followed(
    site: FakeSite, report: Path, watch: Watch, capsys: Capture
) -> None:
    _, wait = watch(report)
    wait(3)
    capsys.readouterr()
    new = report.with_suffix(".new")
    new.write_bytes(b"012 Spring Open, replaced\n")
    new.replace(report)
    wait(3)
    report.unlink()
    wait(5)
    report.touch()
    wait(5)  # an empty file is not complete
    report.write_bytes(b"012 Spring Open, written again\n")
    wait(3)
    assert [each[17:] for each in site.stored] == [b"", b"replaced\n", b"written again\n"]
    assert capsys.readouterr().out == ""


def test_shorter_file_is_sent_later(site: FakeSite, report: Path, watch: Watch) -> None:
    _, wait = watch(report)
    report.write_bytes(b"012 Spring Open\n" * 9)
    wait(3)
    report.write_bytes(b"012 Spring Open\n")
    wait(9)
    assert len(site.stored) == 1
    wait(2)
    assert site.stored[1:] == [b"012 Spring Open\n"]


def test_locked_file_is_reported_once_after_a_minute(
    site: FakeSite,
    report: Path,
    watch: Watch,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:
    _, wait = watch(report)
    wait(3)
    capsys.readouterr()
    with monkeypatch.context() as patch:
        report.write_bytes(b"012 Spring Open, locked\n")

        def refuse(_path: Path) -> bytes:
            raise PermissionError(13, "Permission denied")

        patch.setattr(Path, "read_bytes", refuse)
        wait(50)
        assert capsys.readouterr().out == ""
        wait(100)
        assert capsys.readouterr().out.count("not readable") == 1
    wait(2)
    assert site.stored[-1] == b"012 Spring Open, locked\n"
    assert capsys.readouterr().out.endswith("sent\n")


def test_newest_content_is_sent_after_an_outage(
    site: FakeSite, report: Path, watch: Watch, capsys: Capture
) -> None:
    watched, wait = watch(report)
    wait(3)
    capsys.readouterr()
    address, watched.site.address = watched.site.address, "http://127.0.0.1:1/"
    for number in range(1, 4):
        report.write_bytes(b"012 Spring Open\n" + b"132 round\n" * number)
        wait(120)
    assert capsys.readouterr().out.count("No connection") == 1
    watched.site.address = address
    wait(61)
    assert site.stored[1:] == [b"012 Spring Open\n" + b"132 round\n" * 3]
    assert capsys.readouterr().out.endswith("sent\n")


def test_delays_grow_up_to_a_minute(site: FakeSite, report: Path, clock: Clock, watch: Watch) -> None:
    site.answers = [(503, {"detail": "The desk is closed."}, {})] * 50
    times: list[float] = []
    original = site.next_answer

    def note(query: dict[str, str]) -> Answer:
        times.append(clock.now)
        return original(query)

    site.next_answer = note  # type: ignore[method-assign] # adds the time of each request
    watch(report)[1](400)
    pauses = [later - earlier for earlier, later in pairwise(times)]
    assert pauses[:4] == [1, 2, 4, 8]
    assert set(pauses[6:]) == {60}


def test_busy_site_sets_the_time_of_the_next_attempt(
    site: FakeSite, report: Path, watch: Watch, capsys: Capture
) -> None:
    site.answers = [(503, {"detail": "A backup runs."}, {"Retry-After": "45"})]
    _, wait = watch(report)
    wait(45)
    assert len(site.requests) == 1
    wait(5)
    assert len(site.stored) == 1
    assert capsys.readouterr().out.count("A backup runs. Sent later.") == 1


def test_waiting_job_is_followed_to_its_end(site: FakeSite, report: Path, watch: Watch) -> None:
    waiting = (
        202,
        {"state": "waiting", "job": "https://elsewhere.example/api/write/jobs/9"},
        {"Retry-After": "2"},
    )
    site.answers = [waiting, waiting, (200, PREVIEWED, {}), waiting, (200, APPLIED, {})]
    watch(report)[1](3)
    assert [(method, path) for method, path, _, _ in site.requests] == [
        ("PUT", "/api/write/events/spring-open/file"),
        ("GET", "/api/write/jobs/9"),
        ("GET", "/api/write/jobs/9"),
        ("PUT", "/api/write/events/spring-open/file"),
        ("GET", "/api/write/jobs/9"),
    ]


def test_refused_content_is_reported_once_and_the_next_one_is_sent(
    site: FakeSite, report: Path, watch: Watch, capsys: Capture
) -> None:
    _, wait = watch(report)
    wait(3)
    capsys.readouterr()
    site.answers = [(422, QUESTION, {})] * 2
    report.write_bytes(b"012 Spring Open\n001 a\n")
    wait(60)
    report.write_bytes(b"012 Spring Open\n001 aa\n")
    wait(60)
    output = capsys.readouterr().out
    assert output.count("3.5 or 4?") == 1
    assert len(output.splitlines()) == 1
    assert len(site.stored) == 3
    report.write_bytes(b"012 Spring Open\n001 aaa\n")
    wait(3)
    assert site.stored[-1] == report.read_bytes()
    assert capsys.readouterr().out.endswith("sent\n")


def test_event_with_another_home_gets_the_content_when_it_is_back(
    site: FakeSite, report: Path, watch: Watch, capsys: Capture
) -> None:
    _, wait = watch(report)
    wait(3)
    capsys.readouterr()
    site.answers = [(409, {"detail": "The laptop of the hall has this event."}, {})] * 3
    report.write_bytes(b"012 Spring Open\n001 a\n")
    wait(200)
    assert capsys.readouterr().out.count("The laptop of the hall has this event.") == 1
    assert site.stored[-1] == report.read_bytes()


def test_restart_does_not_repeat_a_push(site: FakeSite, report: Path, watch: Watch, tmp_path: Path) -> None:
    watch(report)[1](3)
    watch(report, yes=False)[1](30)
    assert len(site.stored) == 1
    [known] = json.loads((tmp_path / "push.json").read_text()).values()
    assert known["sha256"] == sha256(report.read_bytes()).hexdigest()
    report.write_bytes(b"012 Spring Open\n001 a\n")  # while the client does not run
    watch(report, yes=False)[1](3)
    assert len(site.stored) == 2


def test_page_of_another_server_is_not_a_confirmation(site: FakeSite, report: Path, watch: Watch) -> None:
    _, wait = watch(report)
    wait(3)
    report.write_bytes(b"012 Spring Open\n001 a\n")
    site.answers = [(200, b"<html>Log in to the network</html>", {}), (200, {"logged in": False}, {})]
    wait(10)
    assert site.stored[-3:] == [report.read_bytes()] * 3
    wait(120)
    assert len(site.stored) == 4


# --- boards of a live feed --------------------------------------------------------------------------------


def test_games_of_a_watched_folder_go_to_the_boards(
    site: FakeSite, tmp_path: Path, watch: Watch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "Open"
    first, second = folder / "round-1/games.pgn", folder / "round-2/GAMES.PGN"
    for path in (first, second):
        path.parent.mkdir(parents=True)
    first.write_text('[White "A"]\n\n1. e4 *\n')
    _, wait = watch(folder)
    unmatched = {"white": "A", "black": "B", "round": 1, "reason": "The event has another result."}
    site.answers = [(200, {"updated": 1, "unchanged": 0, "unmatched": [unmatched]}, {})] * 3
    wait(3)
    first.write_text('[White "A"]\n\n1. e4 e5 *\n')
    wait(12)
    second.write_text('[White "C"]\n\n1. d4 *\n')
    os.utime(second, (2_000_000_000, 2_000_000_000))
    wait(12)
    assert [path for _, path, _, _ in site.requests] == ["/api/write/events/spring-open/boards"] * 3
    assert site.stored[-1] == second.read_bytes()
    assert capsys.readouterr().out.count("A B The event has another result.") == 1


def test_file_that_changes_every_second_is_sent_every_ten_seconds(
    site: FakeSite, tmp_path: Path, watch: Watch
) -> None:
    path = tmp_path / "games.pgn"
    path.write_text("1. e4")
    _, wait = watch(path)
    site.answers = [(200, {"updated": 1, "unchanged": 0, "unmatched": []}, {})] * 9
    for second in range(30):
        path.write_text("1. e4" + " e5" * second)
        wait(1)
    assert 3 <= len(site.stored) <= 4
    wait(12)
    assert site.stored[-1] == path.read_bytes()


def test_games_are_a_file_unless_they_are_watched(site: FakeSite, tmp_path: Path, watch: Watch) -> None:
    path = tmp_path / "games.pgn"
    path.write_text("1. e4")
    _, wait = watch(path, watch=False)
    wait(3)
    assert [path for _, path, _, _ in site.requests] == ["/api/write/events/spring-open/file"] * 2


# --- token and address ------------------------------------------------------------------------------------


@pytest.fixture
def untold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CROSSTABLE_TOKEN")


def stored_token(site: FakeSite, home: Path) -> str | None:
    token: str | None = push.json_of(home / "tokens.json").get(site.address)
    return token


@pytest.mark.usefixtures("untold")
def test_typed_token_is_stored_for_the_user_only(
    site: FakeSite, report: Path, push_once: PushOnce, keyboard: Keyboard, tmp_path: Path, capsys: Capture
) -> None:
    keyboard.lines = [TOKEN, "y"]
    assert push_once() == 0
    report.write_bytes(b"012 Spring Open\n001 a\n")
    assert push_once() == 0
    assert len(keyboard.prompts) == 2
    assert {each["Authorization"] for each in site.headers} == {f"Bearer {TOKEN}"}
    assert (tmp_path / "tokens.json").stat().st_mode & 0o777 == 0o600
    assert stored_token(site, tmp_path) == TOKEN
    assert TOKEN not in capsys.readouterr().out


@pytest.mark.usefixtures("untold")
def test_refused_token_is_stored_until_another_is_accepted(
    site: FakeSite, push_once: PushOnce, keyboard: Keyboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    push.store_value(tmp_path / "tokens.json", site.address, TOKEN)
    refusal: Answer = (401, {"detail": "This token was revoked."}, {})
    site.answers, keyboard.lines = [refusal, refusal], ["ct_wrong", ""]
    assert "revoked" in str(push_once("--yes"))
    assert stored_token(site, tmp_path) == TOKEN  # the site may be misconfigured
    site.answers, keyboard.lines = [refusal], ["ct_new"]
    assert push_once("--yes") == 0
    assert stored_token(site, tmp_path) == "ct_new"
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False)
    (tmp_path / "push.json").unlink()
    site.answers = [refusal]
    assert "revoked" in str(push_once("--yes"))
    assert stored_token(site, tmp_path) == "ct_new"


@pytest.mark.parametrize(
    ("address", "insecure", "allowed"),
    [
        ("https://results.example", False, True),
        ("results.example/crosstable/", False, True),
        ("http://localhost:8000", False, True),
        ("http://[::1]:8000", False, True),
        ("http://192.168.1.7:8000", False, False),
        ("http://192.168.1.7:8000", True, True),
        ("http://results.example", True, False),
        ("http://8.8.8.8", True, False),
        ("https:///", False, False),
        ("ftp://localhost/", True, False),
    ],
)
def test_token_is_sent_without_tls_only_in_own_networks(
    address: str, insecure: bool, allowed: bool, clock: Clock, tmp_path: Path
) -> None:
    if allowed:
        assert push.Site(address, tmp_path, insecure=insecure).address.endswith("/")
    else:
        with pytest.raises(SystemExit):
            push.Site(address, tmp_path, insecure=insecure)


def test_token_follows_no_redirect(site: FakeSite, report: Path, watch: Watch) -> None:
    elsewhere = "https://elsewhere.example/"
    site.answers = [(301, {}, {"Location": elsewhere})]
    with pytest.raises(SystemExit, match=elsewhere):
        watch(report, event="")[1](3)


def test_texts_of_a_site_control_no_terminal(
    site: FakeSite, report: Path, watch: Watch, capsys: Capture
) -> None:
    site.answers = [(200, PREVIEWED | {"changes": ["name: \x1b]0;x\x07 Zoë → Иван"]}, {})]
    watch(report)[1](3)
    output = capsys.readouterr().out
    assert "Zoë → Иван" in output
    assert not {"\x1b", "\x07"} & set(output)
