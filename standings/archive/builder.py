"""The files of an archive, rendered by the views of the site for a marked request.

The checksums are in the format of `sha256sum --check`. The bytes of a ZIP depend only on its files.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from hashlib import sha256
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import resolve, reverse

from standings.archive.compact import compact
from standings.archive.contents import INDEX, Contents, contents_of, criteria_pages
from standings.archive.links import Find, Statics, between_files
from standings.caching.cached_pages import Archived, rendered
from standings.downloads.views import DownloadedEvent, formats_of
from standings.pages.frame import sheet_of
from standings.pages.live.share_image import png_of
from standings.texts import dates_text, day_text, last_recorded_day
from tournaments.event.dates import last_day_of
from tournaments.event.reuse import licence_of
from tournaments.interchange.formats.json.schema import schema_text
from tournaments.interchange.formats.sources import IMAGE, README, SCHEMA, SUMS
from tournaments.models import Event
from tournaments.operations.revision import revision_of
from tournaments.people.hiding.hidden_entries import originals_of

EMPTY_LINES = re.compile(r"\n{3,}")
"""Empty lines that conditional template blocks leave."""

MISSING = "404.html"
"""The error page of web hosts."""

UNIX, READABLE = 3, 0o100644 << 16
DOS_EPOCH = date(1980, 1, 1)
"""The earliest day in a ZIP."""

File = tuple[str, bytes]
"""The name in the archive, and the content."""

ReportProgress = Callable[[int, int], None]
"""Is called with the number of rendered pages and the total."""


def ignore_progress(_made: int, _all: int) -> None:
    pass


class OvertakenError(Exception):
    """The event changed while its archive was built."""


class Origin(NamedTuple):
    """The live site of an archive: `https`, `results.example.org`.

    `base`: the URL of the published site with a final slash, or blank.
    """

    scheme: str
    host: str
    base: str = ""

    def address_of(self, path: str) -> str:
        return f"{self.scheme}://{self.host}{path}"


def event_archive(event: Event, origin: Origin, tell: ReportProgress = ignore_progress) -> Iterator[File]:
    """Yield a self-contained archive of an event: pages, criteria, data and checksums.

    The event must have its revision. Raise OvertakenError at the end if it has changed; all files are invalid
    then.
    """
    contents = contents_of(event, "")
    contents.pages.update(criteria_pages(event))
    archived = Archived(event, day_text(last_recorded_day(event)), alone=True)
    files = _files(event, origin, contents, archived, contents.find, tell)
    sums: dict[str, str] = {}
    for name, content in chain(files, [schema_file(origin)]):
        sums[name] = sha256_hex(content)
        yield name, content
    yield SUMS, checksum_lines(sums.items())


def schema_file(origin: Origin) -> File:
    address = settings.SITE_ADDRESS or origin.address_of("")
    return SCHEMA.as_posix(), schema_text(f"{address}{reverse('event-schema')}").encode()


def write_zip(event: Event, origin: Origin, to: Path, tell: ReportProgress = ignore_progress) -> None:
    """Write the archive in a folder with the slug of the event; raises as `event_archive` does."""
    # The last day of the data as file date, so that the same data give the same bytes.
    day = max(last_day_of(last_recorded_day(event)) or DOS_EPOCH, DOS_EPOCH)
    moment = (day.year, day.month, day.day, 0, 0, 0)
    with ZipFile(to, "w", ZIP_DEFLATED) as archive:
        for name, content in event_archive(event, origin, tell):
            entry = ZipInfo(f"{event.slug}/{name}", moment)
            # Both depend on the machine, and the bytes must not.
            entry.create_system, entry.external_attr = UNIX, READABLE
            archive.writestr(entry, content, ZIP_DEFLATED)


def event_in_site(
    event: Event, origin: Origin, folder: str, elsewhere: Find, tell: ReportProgress
) -> Iterator[File]:
    """Yield the files of an event in a published site. `elsewhere` finds pages of other events."""
    contents = contents_of(event, folder)

    def find(address: str) -> str | None:
        return contents.find(address) or elsewhere(address)

    image = f"{folder}{IMAGE}" if origin.base else ""
    archived = Archived(event, day_text(last_recorded_day(event)), image=image and origin.base + image)
    if image:
        yield image, png_of(sheet_of(event, None))
    yield from _files(event, origin, contents, archived, find, tell, folder)


def missing_page(origin: Origin, find: Find) -> File:
    """Return the error page of the web host.

    It is shown at any URL, so its links are absolute if `base` is known.
    """
    address = reverse("events")
    html = rendered(_request(address, origin, Archived()), "standings/archive_missing.html", {}).content
    return MISSING, compact(between_files(html.decode(), address, MISSING, find, origin.base)).encode()


def _files(
    event: Event,
    origin: Origin,
    contents: Contents,
    archived: Archived,
    find: Find,
    tell: ReportProgress,
    folder: str = "",
) -> Iterator[File]:
    yield from render_pages(contents.pages, origin, archived, find, tell)
    page = origin.address_of(reverse("event", args=[event.slug]))
    formats = [each for each in formats_of(event) if each.is_archived]
    for file in formats:
        content = file.written(DownloadedEvent(event, page, in_archive=True))
        name = contents.files[reverse(file.view, args=[event.slug])]
        yield name, content if isinstance(content, bytes) else content.encode()
    context = {
        "event": event,
        "dates": dates_text(event),
        "address": page,
        "last_day": archived.last_day,
        "alone": archived.alone,
        "formats": formats,
        "licence": licence_of(event.licence),
        "originals": originals_of(event),
    }
    text = render_to_string("standings/archive_readme.txt", context)
    yield f"{folder}{README}", EMPTY_LINES.sub("\n\n", f"{text.strip()}\n").encode()
    if revision_of(event.pk) != event.data_version:
        raise OvertakenError(f"{event} changed while its archive was made.")


def render_pages(
    pages: Mapping[str, str],
    origin: Origin,
    archived: Archived,
    find: Find,
    tell: ReportProgress = ignore_progress,
) -> Iterator[File]:
    statics = Statics(find)
    for count, (address, file) in enumerate(pages.items(), start=1):
        canonical = f"{origin.base}{file.removesuffix(INDEX)}" if origin.base else ""
        request = _request(address, origin, archived._replace(canonical=canonical))
        match = resolve(request.path)
        answer: HttpResponse = match.func(request, *match.args, **match.kwargs)
        if answer.status_code != 200:
            raise LookupError(f"{request.path} answers {answer.status_code}")
        html = answer.content.decode()
        yield file, compact(between_files(html, address, file, statics.find)).encode()
        tell(count, len(pages))
    yield from statics.files()


def _request(address: str, origin: Origin, archived: Archived) -> HttpRequest:
    path, _, query = address.partition("?")
    request = WSGIRequest(
        {
            "REQUEST_METHOD": "GET",
            "wsgi.url_scheme": origin.scheme,
            "HTTP_HOST": origin.host,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "wsgi.input": BytesIO(),
        }
    )
    request.archive = archived  # type: ignore[attr-defined]  # ours
    return request


def public_host() -> str:
    hosts: Iterable[str] = settings.ALLOWED_HOSTS
    return next((host for host in hosts if host != "*" and not host.startswith(".")), "")


def site_address() -> str:
    """Return the URL of the site outside a request: `SITE_ADDRESS`, else the first host, else blank."""
    host = public_host()
    usual = f"{'http' if settings.DEBUG else 'https'}://{host}" if host else ""
    return settings.SITE_ADDRESS or usual


def sha256_hex(content: bytes) -> str:
    return sha256(content).hexdigest()


def checksum_lines(sums: Iterable[tuple[str, str]]) -> bytes:
    return "".join(f"{digits}  {name}\n" for name, digits in sorted(sums)).encode()
