"""Request the pages and files of the site in the current folder, and store the responses in a database.

`python visit.py FOLDER [--all] [--asked]` runs inside the tree of any revision. It imports the tree's
settings and runs its commands `migrate`, `demo` and `import_event`. Without `--asked` it follows links and
prints each request; with it, it reads requests from stdin.
"""

import json
import logging
import os
import re
import sqlite3
import sys
import traceback
import zlib
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urldefrag, urlencode, urljoin

if TYPE_CHECKING:
    from django.http import HttpResponse
    from django.test import Client

HOST = "crosstable.example"
ORIGIN = f"https://{HOST}"
DESK = "/admin/"
ORGANISER = "organiser"

EVENTS = Path(__file__).with_name("events")
"""Events with features that demo events lack: drafts, a live round, rulings of each kind, corrections."""

STARTS = (
    *("/", "/nl/", "/sitemap.xml", "/robots.txt", "/feed.atom", "/nl/feed.atom", "/healthz", "/readyz"),
    *("/api/", "/api/openapi.json", "/api/nowhere/", "/nowhere/", "/nl/nowhere/", "/events/nowhere/"),
    *("/?q=ned", "/nl/?q=ned", "/?q=nobody", "/?discipline=chess&year=2018", "/?page=99"),
    *(
        "/events/four-players/",
        "/events/open/standings/?sort=name",
        "/events/open-2025/",
        "/nl/events/four-players/",
    ),
    *(
        "/events/open-2024/poll/?revision=1&page=standings",
        "/events/open-2024/poll/?revision=1&page=rounds/3",
    ),
    *("/events/olympiad-2022-open/rounds/99/", "/events/olympiad-2022-open/competitors/999/"),
)
"""Start URLs: those without links to them, and missing pages."""

SKIPPED = re.compile(r"/admin/(logout|jsi18n|second-factor/setup)/|\.js$")
"""Not requested: URLs that end the session, contain a new secret each time, or are scripts."""

LINK = re.compile(r"""\b(?:href|src|hx-get|data-href)=["']([^"']*)["']""")
LOCATION = re.compile(r"<loc>([^<]*)</loc>")
JSON_LINK = re.compile(rf'"({re.escape(ORIGIN)}/[^"{{}}]*)"')
FORM = re.compile(r"<form\b.*?</form>", re.DOTALL)

PAGE_OF_EVENT = re.compile(r"/events/[^/]+/")
PAGE_WITH_API = re.compile(r"/events/[^/]+/(standings/|competitors/|check/|rounds/\d+/(\?|$)|(\?|$))")

FIRST, ONE_IN, FIRST_WITH_CHOICES, FIRST_BY_HTMX = 4, 30, 2, 1
"""Of a group of URLs, four are requested, then every thirtieth; two of those with choices."""


class Request(NamedTuple):
    """A request: URL, account (empty for a reader), and whether htmx sends it."""

    address: str
    account: str = ""
    htmx: bool = False


class Sample:
    """Selects requests of each group, the same in every visit."""

    def __init__(self, *, everything: bool) -> None:
        self.everything = everything
        self.counts: Counter[str] = Counter()

    def takes(self, request: Request) -> bool:
        group = group_of(request)
        self.counts[group] += 1
        if self.everything:
            return True
        if request.htmx:
            return self.counts[group] <= FIRST_BY_HTMX
        if "?" in group:
            return self.counts[group] <= FIRST_WITH_CHOICES
        return self.counts[group] <= FIRST or zlib.crc32(request.address.encode()) % ONE_IN == 0


def group_of(request: Request) -> str:
    """Return the request without numbers in its path and values in its query.

    The number of an event remains: each event of the desk is a group, as each slug is.
    """
    path, _, query = request.address.partition("?")
    names = ",".join(sorted({pair.partition("=")[0] for pair in query.split("&")})) if query else ""
    path = re.sub(r"(?<!/admin/events)/\d+(?=/|$)", "/n", path)
    return f"{request.account} {request.htmx} {path}{'?' if names else ''}{names}"


class Form(HTMLParser):
    """A form of a page; `address` is its URL with the default values, empty if the form changes data."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.action, self.changes, self.select = "", False, ""
        self.fields: dict[str, str] = {}
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.action, self.changes = given.get("action", ""), given.get("method", "get").lower() == "post"
        elif tag in {"input", "select", "button"} and "name" in given:
            self.fields[given["name"]] = given.get("value", "")
            self.select = given["name"] if tag == "select" else ""
        elif tag == "option" and ("selected" in given or not self.fields.get(self.select)):
            self.fields[self.select] = given.get("value", "")

    @property
    def address(self) -> str:
        return "" if self.changes else f"{self.action}?{urlencode(self.fields)}"


def links_of(address: str, content_type: str, text: str) -> Iterator[Request]:
    if content_type.startswith("text/html"):
        found = [unescape(link) for link in LINK.findall(text)]
        found += [Form(form).address for form in FORM.findall(text)]
    else:
        found = [*LOCATION.findall(text), *JSON_LINK.findall(text)]
    for link in found:
        target = urldefrag(urljoin(ORIGIN + address, link)).url
        if target.startswith(f"{ORIGIN}/"):
            target = target.removeprefix(ORIGIN)
            yield Request(target, ORGANISER if target.startswith(DESK) else "")
            if PAGE_OF_EVENT.match(target):
                yield Request(target, htmx=True)
            if PAGE_WITH_API.match(target):
                yield Request(f"/api{target}")


class Site:
    """The site of the current folder, with demo and additional events in a new database in the folder."""

    def __init__(self, folder: Path) -> None:
        os.environ.update(
            DJANGO_SETTINGS_MODULE="config.settings",
            DEBUG="0",
            SECRET_KEY="of no site",  # noqa: S106 - no signature leaves the process
            ALLOWED_HOSTS=HOST,
            DATABASE_URL=f"sqlite:///{folder / 'db.sqlite3'}",
            ARCHIVES=str(folder / "archives"),
            CACHE_URL="locmemcache://",
            ACCESS_LOG="0",
            READER_SECONDS="0",  # no deadline: on a busy machine, a page would become a 503
            DESK_SECONDS="0",
        )
        sys.path.insert(0, str(Path.cwd()))
        import django  # noqa: PLC0415 - of the tree's settings, which were named just now
        from django.conf import settings  # noqa: PLC0415 - after the set-up

        # Without hashed names, which would differ after every change of a style.
        settings.STORAGES = {
            "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
            "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
        }
        settings.WHITENOISE_AUTOREFRESH = settings.WHITENOISE_USE_FINDERS = True
        settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
        settings.LOGGING_CONFIG = None
        logging.basicConfig(level=logging.CRITICAL)
        django.setup()
        self._load()
        self.languages = [code for code, _name in settings.LANGUAGES]
        self.clients: dict[str, Client] = {}

    def _load(self) -> None:
        from django.core.management import call_command  # noqa: PLC0415 - after the set-up
        from django.test import override_settings  # noqa: PLC0415 - after the set-up

        call_command("migrate", verbosity=0)
        with override_settings(DEBUG=True), Path(os.devnull).open("w", encoding="utf-8") as nowhere:
            call_command("demo", stdout=nowhere)
            call_command("import_event", *sorted(EVENTS.glob("*.json")), stdout=nowhere, stderr=nowhere)

    def client(self, account: str) -> "Client":
        from django.contrib.auth import get_user_model  # noqa: PLC0415 - after the set-up
        from django.test import Client  # noqa: PLC0415 - after the set-up

        if account not in self.clients:
            client = self.clients[account] = Client(raise_request_exception=False, SERVER_NAME=HOST)
            if account:
                user = get_user_model().objects.get_by_natural_key(account)
                client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return self.clients[account]

    def answer(self, request: Request) -> "HttpResponse":
        headers = {"HX-Request": "true"} if request.htmx else {}
        return self.client(request.account).get(request.address, headers=headers, secure=True)  # type: ignore[return-value]  # the client types it apart

    def route_of(self, address: str) -> str:
        """Return the URL pattern of a URL, without its language."""
        from django.urls import Resolver404, resolve  # noqa: PLC0415 - after the set-up
        from django.utils import translation  # noqa: PLC0415 - after the set-up

        path = address.partition("?")[0]
        language = next((code for code in self.languages if path.startswith(f"/{code}/")), self.languages[0])
        with translation.override(language):
            try:
                route = resolve(path).route
            except Resolver404:
                return "static/" if path.startswith("/static/") else "(no route)"
        return route.removeprefix(f"{language}/") or "(first page)"


class Answers:
    """The responses of a visit in the order of the requests, in an SQLite database."""

    def __init__(self, path: Path) -> None:
        self.began = _today()
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.execute("PRAGMA synchronous=OFF")
        self.connection.execute("BEGIN")
        self.connection.execute(
            "CREATE TABLE answers (request TEXT PRIMARY KEY, kind TEXT, status INT, headers TEXT, body BLOB)"
        )

    def put(self, request: Request, kind: str, status: int, headers: dict[str, str], body: bytes) -> None:
        row = (json.dumps(request), kind, status, json.dumps(headers), zlib.compress(body, 1))
        self.connection.execute("INSERT INTO answers VALUES (?, ?, ?, ?, ?)", row)

    def close(self) -> None:
        self.connection.execute("CREATE TABLE visit (began TEXT, ended TEXT)")
        self.connection.execute("INSERT INTO visit VALUES (?, ?)", (self.began, _today()))
        self.connection.execute("COMMIT")
        self.connection.close()


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def visit(site: Site, answers: Answers, requests: Iterable[Request]) -> Iterator[tuple[Request, Any, bytes]]:
    for request in requests:
        response = site.answer(request)
        body = response.getvalue()
        response.close()
        if failure := getattr(response, "exc_info", None):
            body = "".join(traceback.format_exception(*failure)).encode()
        headers = dict(response.items())
        if response.cookies:
            headers["Set-Cookie"] = ", ".join(sorted(response.cookies))
        kind = site.route_of(request.address) + (" (htmx)" if request.htmx else "")
        answers.put(request, kind, response.status_code, headers, body)
        yield request, response, body


def crawl(site: Site, answers: Answers, sample: Sample) -> None:
    starts = [*map(Request, STARTS), Request(DESK, ORGANISER)]
    seen, waiting = set(starts), deque(starts)

    def requests() -> Iterator[Request]:
        while waiting:
            yield waiting.popleft()

    for request, response, body in visit(site, answers, requests()):
        print(json.dumps(request), flush=True)
        content_type = response.get("Content-Type", "")
        links: list[Request] = []
        if "Location" in response:
            target = urljoin(request.address, response["Location"]).removeprefix(ORIGIN)
            links.append(request._replace(address=target))
        if content_type.startswith(("text/html", "application/xml", "application/json")) and not request.htmx:
            links += links_of(request.address, content_type, body.decode())
        for link in links:
            if link not in seen and link.address.startswith("/") and not SKIPPED.search(link.address):
                seen.add(link)
                if sample.takes(link):
                    waiting.append(link)


def main() -> None:
    folder, options = Path(sys.argv[1]), sys.argv[2:]
    site, answers = Site(folder), Answers(folder / "answers.sqlite3")
    if "--asked" in options:
        asked = (Request(*json.loads(line)) for line in sys.stdin)
        deque(visit(site, answers, asked), maxlen=0)
    else:
        crawl(site, answers, Sample(everything="--all" in options))
    answers.close()


if __name__ == "__main__":
    main()
