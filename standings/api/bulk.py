"""All public event files as one NDJSON stream, written while they are read."""

import zlib
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from threading import BoundedSemaphore
from typing import Any

from django.db.models import Max
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import http_date

from standings.api.lists import EVER, OVERLAP, changed_events, parse_time
from standings.api.responses import RefusedError, json_view
from standings.build import build
from standings.caching.cached_pages import accepted_coding, read_only, uses_parameters
from standings.caching.outage_copies import BRIEFLY
from tournaments.event.choices import PUBLIC
from tournaments.event.json_writer import json_text
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.public import public_document
from tournaments.models import Event
from tournaments.operations.revision import SiteStamp, present, site_revision

SUMMARY = "All public event files, or the modified ones, one per line, the oldest change first."
NDJSON = "application/x-ndjson"

MOST_AT_ONCE = 2
"""The number of concurrent streams per process. Each takes a thread until it is read."""

AGAIN = 60
"""Retry-After in seconds if all streams are taken."""

_FREE = BoundedSemaphore(MOST_AT_ONCE)


@json_view
@read_only
@uses_parameters("modified_since")
def bulk(request: HttpRequest) -> HttpResponseBase:
    """Stream the event files; three queries, and twelve per event while it is written.

    Each line has a slug, the time of the last change, and an event file, or `removed` if the event is no
    longer public. The last line confirms that the stream is complete. After an interruption, clients continue
    from the last time that they read.
    """
    since = parse_time(request.GET.get("modified_since") or EVER)
    stamp, until = site_revision(), timezone.now() - OVERLAP
    every = changed_events(parse_time(EVER)).order_by()
    latest: datetime | None = every.aggregate(at=Max("revision__changed_at"))["at"]
    etag = f'W/"bulk-{build()}-{stamp}-{since:%Y%m%d%H%M%S%f}"'
    # Round up: another change within the same second would otherwise count as known.
    modified = int((latest + timedelta(seconds=1)).timestamp()) if latest else None
    unchanged = get_conditional_response(request, etag=etag, last_modified=modified)
    if unchanged is not None:
        return _with_headers(unchanged, etag, modified)
    takes_gzip = bool(accepted_coding(request, "gzip"))
    if request.method == "HEAD":
        answer = StreamingHttpResponse([], content_type=NDJSON)
    else:
        if not _FREE.acquire(blocking=False):
            raise RefusedError(
                503, "Others read all events at the moment. Please ask again in a minute.", AGAIN
            )
        # Django closes the iterator, also if the client disconnects.
        answer = StreamingHttpResponse(
            LineStream(_bulk_lines(since, stamp, until), is_packed=takes_gzip), content_type=NDJSON
        )
    if takes_gzip:
        answer["Content-Encoding"] = "gzip"
    answer["Content-Disposition"] = 'attachment; filename="events.ndjson"'
    return _with_headers(answer, etag, modified)


def _with_headers(answer: HttpResponseBase, etag: str, modified: int | None) -> HttpResponseBase:
    patch_vary_headers(answer, ["Accept-Encoding"])
    answer["Cache-Control"], answer["ETag"] = BRIEFLY, etag
    if modified is not None:
        answer["Last-Modified"] = http_date(modified)
    return answer


class LineStream:
    """An iterator over the lines, compressed if `is_packed`, which frees its place when it is closed.

    Not a generator: closing a generator that was never started does not run its `finally`.
    """

    def __init__(self, lines: Iterable[bytes], *, is_packed: bool) -> None:
        self._parts = _packed(lines) if is_packed else iter(lines)
        self._is_closed = False

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        return next(self._parts)

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            _FREE.release()


def _packed(lines: Iterable[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(level=1, wbits=zlib.MAX_WBITS | 16)
    for line in lines:
        # Flush after each line, so that clients have whole lines after an interruption.
        yield packer.compress(line) + packer.flush(zlib.Z_SYNC_FLUSH)
    yield packer.flush()


def _bulk_lines(since: datetime, stamp: SiteStamp, until: datetime) -> Iterator[bytes]:
    found = changed_events(since).values_list("pk", "slug", "revision__changed_at", named=True)
    counts = {"events": 0, "removed": 0}
    for line in list(found):
        file = _file_of(line.pk)
        counts["events" if file else "removed"] += 1
        told = {"slug": line.slug, "modified": line.revision__changed_at.isoformat()}
        told_file = f'"event_file": {file}' if file else '"removed": true'
        yield f"{json_text(told)[:-1]}, {told_file}}}\n".encode()
    last: dict[str, Any] = {"until": until.isoformat(), "epoch": stamp.epoch, **counts}
    yield f"{json_text(last)}\n".encode()


def _file_of(pk: int) -> str:
    try:
        event = present(pk)
    except Event.DoesNotExist:
        return ""
    if event.state not in PUBLIC:
        return ""
    # JSON strings contain no line breaks, so all of them are whitespace between tokens.
    return " ".join(part.strip(" ") for part in write(public_document(event)).split("\n")).strip()
