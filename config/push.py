"""The client `crosstable push`: send files of pairing programs to a site, without a database."""

import json
import os
import re
import sys
from argparse import Namespace
from contextlib import suppress
from getpass import getpass
from hashlib import sha256
from http.client import HTTPException
from ipaddress import ip_address
from math import inf
from pathlib import Path
from time import monotonic, sleep, strftime
from typing import Any
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPHandler, HTTPSHandler, OpenerDirector, ProxyHandler, Request

from django.utils.text import slugify

from tournaments.interchange.formats.foreign_files import foreign_refusal
from tournaments.interchange.formats.json.parsing import MOST_BYTES

QUIET, QUIET_IF_SHORTER = 2.0, 10.0  # seconds without a change until a file is complete
BETWEEN_FEEDS = 10.0  # seconds: each change of moves makes readers load their pages again
TIMEOUT, LONGEST_DELAY, PATIENCE = 30.0, 60.0, 120.0  # PATIENCE: seconds of attempts without --watch
MOST_LINES = 30  # of a response
MOST_BYTES_READ = 3 * MOST_BYTES  # an event file as text in JSON: é has 2 bytes in UTF-8, 6 in JSON
_MAY_HAVE_ZEROS = (b"PK", b"\xd0\xcf\x11\xe0", b"\xff\xfe", b"\xfe\xff")  # workbooks, archives, UTF-16
_BINARY = "This binary file is not read. Write a report (TRF); in Draughts Arbiter, the tournament table."


class NotSentError(Exception):
    """Why a file was not sent, and the seconds until the next attempt; `inf`: only after a change."""


class Site:
    """A site, by the address of its first page or of a page of an event (`event`: the slug)."""

    def __init__(self, address: str, home: Path, *, insecure: bool = False) -> None:
        parts = urlsplit(address if "://" in address else f"https://{address}")
        path, _, rest = f"{parts.path.rstrip('/')}/".partition("/events/")
        self.event = rest.partition("/")[0]
        self.address = f"{parts.scheme}://{parts.netloc.lower()}{path.rstrip('/')}/"
        is_safe = parts.scheme == "https" and bool(parts.hostname)
        with suppress(ValueError):
            host = ip_address("127.0.0.1" if parts.hostname == "localhost" else parts.hostname or "")
            is_safe |= parts.scheme == "http" and (host.is_loopback or (insecure and host.is_private))
        if not is_safe:
            raise SystemExit("Use https://, or in your own network --insecure and a numeric address.")
        self._opener = OpenerDirector()  # follows no redirects: another address gets no token
        for handler in (ProxyHandler({} if parts.scheme == "http" else None), HTTPHandler(), HTTPSHandler()):
            self._opener.add_handler(handler)
        self._tokens = home / "tokens.json"
        self._token = os.environ.get("CROSSTABLE_TOKEN") or json_of(self._tokens).get(self.address, "")
        self._is_typed = False
        if not re.fullmatch("[!-~]+", self._token):
            self._type_token("Create a token at the desk of the site, and set CROSSTABLE_TOKEN.")

    def _type_token(self, problem: str) -> None:
        if sys.stdin.isatty() and not os.environ.get("CROSSTABLE_TOKEN"):
            self._token = getpass(f"{problem}\nToken for {self.address} (it is not shown): ").strip()
            self._is_typed = bool(re.fullmatch("[!-~]+", self._token))
        if not self._is_typed:
            raise SystemExit(problem)

    def request(self, method: str, path: str, content: bytes | None = None, **headers: str) -> dict[str, Any]:
        """Return the JSON of the response with its `status` and `wait`, the seconds of Retry-After."""
        headers |= {"Authorization": f"Bearer {self._token}", "Content-Type": "application/octet-stream"}
        request = Request(f"{self.address}api/write/{path}", content, headers, method=method)  # noqa: S310 - http
        try:
            with self._opener.open(request, timeout=TIMEOUT) as response:
                status, received, text = response.status, response.headers, response.read(MOST_BYTES_READ)
        except (OSError, HTTPException) as problem:
            raise NotSentError(f"No connection to {self.address} ({problem}).", 0) from problem
        body, wait = json_of(text), received.get("Retry-After", "")
        is_valid = bool(body) or 400 <= status < 500  # a network may require a login by a page of its own
        detail = body.get("detail") or body.get("title") or f"{self.address} responds with status {status}."
        body |= {"status": status, "detail": detail, "wait": float(wait) if wait.isdecimal() else 1.0}
        if status == 401:  # the stored token stays until another is accepted: the site may be misconfigured
            self._type_token(f"{detail} Create another token at the desk of {self.address}")
            return self.request(method, path, content, **headers)
        if self._is_typed:
            self.keep_token()
        if 300 <= status < 400:
            raise SystemExit(f"{self.address} has moved to {received.get('Location')}. Use that address.")
        if status in {408, 429} or status >= 500 or not is_valid:
            raise NotSentError(detail, body["wait"])
        return body

    def put(self, path: str, content: bytes, **headers: str) -> dict[str, Any]:
        """Send a file, and wait until it was read. Return as `request`."""
        body, end = self.request("PUT", path, content, **headers), monotonic() + PATIENCE
        while body["status"] == 202 and monotonic() < end:
            sleep(body["wait"])
            body = self.request("GET", f"jobs/{body['job'].rpartition('/')[2]}")
        if body["status"] == 202:
            raise NotSentError(f"{self.address} has not read the file yet.", body["wait"])
        return body

    def keep_token(self) -> None:
        store_value(self._tokens, self.address, self._token)
        self._is_typed = False


def json_of(source: bytes | Path) -> dict[str, Any]:
    try:
        return dict(json.loads(source.read_bytes() if isinstance(source, Path) else source))
    except (OSError, ValueError, TypeError):
        return {}


def store_value(path: Path, key: str, value: object) -> None:
    """Store a value in a JSON file that only the user can read, and that is never incomplete."""
    content, new = json_of(path) | {key: value}, path.with_name(f"{path.name}-{os.getpid()}")
    new.touch(mode=0o600)
    new.write_text(json.dumps(content, indent=1))
    new.replace(path)


class Push:
    """A file or a folder of games (`name`), and its event. `code`: exit code, None until it is known."""

    def __init__(self, site: Site, name: str, home: Path, options: Namespace) -> None:
        self.site, self.name, self.options, self._memory = site, name, options, home / "push.json"
        self.code: int | None = None
        self._key = f"{site.address} {Path(name).absolute()}"
        self._known: dict[str, Any] = json_of(self._memory).get(self._key, {})
        is_of_games = name.casefold().endswith((".pgn", ".pdn")) or Path(name).is_dir()
        self._is_feed = options.watch and is_of_games
        self._event = options.event or site.event or self._known.get("event", "")
        self._state: tuple[Path, int, int, int] | None = None
        self._since, self._readable, self._due, self._delay, self._size = 0.0, -inf, 0.0, 0.0, 0
        self._unread, self._waiting = False, ("", b"")
        self._problems, self._unmatched = set[str](), set[str]()

    def step(self, now: float) -> None:
        """Send the newest content if it is time. Print only what is unusual, and only once."""
        try:
            self._read_if_complete(now)
            self._readable = now
        except OSError as problem:
            if now - self._readable > LONGEST_DELAY:  # no program needs so long to write a file
                self.code = 1
                self._say(f"not readable ({problem.strerror})", self._problems)
        if not self._waiting[1] or now < self._due:
            return
        try:
            outcome = self._send(*self._waiting)
        except NotSentError as problem:
            text, wait = problem.args
            self._delay = min(max(self._delay * 2, 1), LONGEST_DELAY)
            self._due = now + max(self._delay, wait)
            self.code = 1 if wait == inf else None
            self._say(text if wait == inf else f"{text} Sent later.", self._problems)
        else:
            if self._problems or not self.options.watch:
                self._say(outcome, set())
            self._waiting, self._delay, self._problems, self.code = ("", b""), 0, set(), 0
            self._due = now + BETWEEN_FEEDS * self._is_feed

    def _read_if_complete(self, now: float) -> None:
        path = Path(self.name)
        if path.is_dir():
            games = ((each.stat().st_mtime_ns, each) for each in path.rglob("*.[pP][gGdD][nN]"))
            path = max(games, default=(0, path))[1]
        status = path.stat()
        state = (path, status.st_size, status.st_mtime_ns, status.st_ino)
        if state != self._state:
            # A feed of many boards changes every second, so it is read after the first change.
            self._since = self._since if self._unread and self._is_feed else now
            self._state, self._unread = state, status.st_size > 0
        quiet = QUIET if self._is_feed or status.st_size >= self._size else QUIET_IF_SHORTER
        if self._unread and now - self._since >= quiet:
            content = path.read_bytes()
            if path.stat().st_mtime_ns == status.st_mtime_ns:
                self._unread, self._size, self._waiting = False, len(content), (path.name, content)
                self._due = 0 if self._due == inf else self._due

    def _send(self, name: str, content: bytes) -> str:
        refusal = foreign_refusal(content, name)
        has_zeros = b"\0" in content[:4096] and not content.startswith(_MAY_HAVE_ZEROS)
        if refusal or (has_zeros and re.search(rb"[\x01-\x08\x0e-\x1f]", content[:4096])):
            raise NotSentError(refusal.message if refusal else _BINARY, inf)
        if not self._event:
            events = self.site.request("GET", "token").get("events") or []
            self._event = events[0] if len(events) == 1 else slugify(Path(name).stem) or "event"
        new = {"event": self._event, "sha256": sha256(content).hexdigest()}
        if new.items() <= self._known.items():
            return "unchanged since it was sent"
        query = {"name": name} | self._known.get("answers", {}) | self.options.answers
        headers = self._preview(content, query) if self._known.get("event") != self._event else {}
        body = self._put(content, query, headers)
        if body["status"] in {403, 404, 409, 412} and self.options.watch:  # until the site changes
            raise NotSentError(body["detail"], LONGEST_DELAY)
        if body["status"] >= 300:
            raise NotSentError(summary_of_response(body, is_short=self.options.watch), inf)
        for each in body.get("unmatched", ())[:MOST_LINES]:
            self._say(" ".join(str(each.get(part)) for part in ("white", "black", "reason")), self._unmatched)
        # A reason is for a single change.
        answers = {part: text for part, text in query.items() if not re.match("name$|reason|accept", part)}
        self._known = new | {"answers": answers}
        store_value(self._memory, self._key, self._known)
        return "sent"

    def _preview(self, content: bytes, query: dict[str, str]) -> dict[str, str]:
        """Show the changes, add answers to the query, and request consent. Return a header for the change."""
        is_asking = sys.stdin.isatty() and not self.options.yes
        body: dict[str, Any] = {"status": 200, "changes": ["moves and results of games in running rounds"]}
        while not self._is_feed:
            body = self._put(content, query | {"dry_run": "true"}, {})
            found = (each for each in body.get("findings", ()) if each.get("answer", "name") not in query)
            questions = {each["answer"]: each["text"] for each in found}
            if body.get("new") and "rounds" not in query:  # a table has only the rounds played so far
                questions["rounds"] = "How many rounds will there be? Blank: as in the file."
            typed = {part: input(f"{text}\n{part}: ") for part, text in questions.items() if is_asking}
            query |= {part: text.strip() for part, text in typed.items() if text.strip()}
            if not any(typed.values()):
                break
        if body["status"] >= 300:
            raise NotSentError(summary_of_response(body), inf)
        self._say(f"→ {self.site.address}events/{self._event}/\n  {summary_of_response(body)}", set())
        if not self.options.yes and not (is_asking and input("Send? [y/N] ").casefold().startswith("y")):
            raise SystemExit("Not sent. To send without this question, add --yes.")
        return {"If-Match": f'"{body["revision"]}"'} if "revision" in body else {}

    def _put(self, content: bytes, query: dict[str, str], headers: dict[str, str]) -> dict[str, Any]:
        path = f"events/{self._event}/{'boards' if self._is_feed else 'file'}?{urlencode(query)}"
        body = self.site.put(path, content, **headers)
        if body["status"] == 200 and not body.keys() & {"state", "updated"}:
            raise NotSentError(f"{self.site.address} has not read the file yet.", body["wait"])
        return body

    def _say(self, text: str, said: set[str]) -> None:
        if text not in said:
            said.add(text)
            line = f"{strftime('%H:%M ') if self.options.watch else ''}{self.name}: {text}"
            print(re.sub(r"[^\n -~\u00a0-\uffff]", "?", line), flush=True)  # noqa: T201 - of a command


def summary_of_response(body: dict[str, Any], *, is_short: bool = False) -> str:
    lines = list(body.get("changes", ())) if body["status"] == 200 else [body["detail"]]
    for each in sorted(body.get("findings", ()), key=lambda each: each["level"] == "warning"):
        answer = f" (--answer {each['answer']}=…)" if each.get("answer") else ""
        lines.append(": ".join(filter(None, (each["level"], each["place"], each["text"]))) + answer)
    return " ".join(lines[:2]) if is_short else "\n  ".join(lines[:MOST_LINES])


def run_push(options: Namespace, home: Path) -> int | str:
    """Send the files, with --watch until Ctrl-C. Return the argument of `sys.exit`."""
    options.answers = dict(each.partition("=")[::2] for each in options.answer)
    site = Site(options.to, home, insecure=options.insecure)
    pushes = [Push(site, name, home, options) for name in options.files]
    end = inf if options.watch else monotonic() + PATIENCE
    with suppress(KeyboardInterrupt, EOFError):
        while monotonic() < end and (options.watch or any(each.code is None for each in pushes)):
            for each in pushes:
                each.step(monotonic())
            sleep(0.5)
    unsent = ", ".join(each.name for each in pushes if each.code is None)
    return f"Not sent: {unsent}" if unsent else max(each.code or 0 for each in pushes)
