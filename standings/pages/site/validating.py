"""Page that validates a file without an account, a cookie, storage or logging.

No cookie has any effect, so the form has no CSRF token (ADR 0024). The file stays in memory and is checked in
a separate process with limits on seconds and megabytes.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from math import ceil
from threading import BoundedSemaphore
from time import thread_time, time
from types import SimpleNamespace
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.core.files.uploadhandler import MemoryFileUploadHandler
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from config.trace.addresses import client_address, network_of
from standings.caching.cached_pages import rendered, static_page
from standings.downloads.views import schema_address
from standings.pages.events.error_report import is_same_origin
from tournaments.event.finding import by_kind
from tournaments.interchange.formats.file_formats import ENDINGS
from tournaments.interchange.formats.json.parsing import MOST_BYTES
from tournaments.operations.processes.confinement import TooMuchWorkError, run_confined
from tournaments.operations.processes.slots import BusyError, reading_slot

CPU_SECONDS, MEGABYTES = 12, 1_000
"""Limits for checking a file."""

CLOCK_SECONDS = 45
"""Wall-clock seconds after which a check is stopped, on a busy machine."""

CPU_SECONDS_A_MINUTE = 48
"""CPU seconds per minute for the files of one network."""

MOST_AT_ONCE = 4
"""Files that are checked or wait per process. More would occupy the threads of readers."""

WAITS = {429: 60, 503: 5}
"""Seconds for `Retry-After`, by status."""

_MOST_SENT = MOST_BYTES + 64 * 1024  # the other fields of the form
_LONGEST_NAME = 120
_PROCESS = "tournaments.interchange.formats.validating"
_MILLI = 1_000  # the cache counts integers
_QUEUE = BoundedSemaphore(MOST_AT_ONCE)
_PATIENCE = 5.0  # seconds in the queue; with CLOCK_SECONDS shorter than nginx's timeout


class _InMemory(MemoryFileUploadHandler):
    """Keep every upload in memory: Django would write a large one to disk."""

    def handle_raw_input(self, *_args: Any, **_named: Any) -> None:
        self.activated = True


class UncheckedFileError(Exception):
    """The file was not checked; the text is the reason, with the status of the response."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


@static_page
def _empty_form(request: HttpRequest) -> HttpResponse:
    return rendered(request, "standings/validate.html", _form_context(request))


@csrf_exempt  # no cookie is used, so another site cannot act for a reader
@require_http_methods(["GET", "HEAD", "POST"])
def validating(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _empty_form(request)
    try:
        with _cpu_budget(request) as charge:
            report, status = _findings_of(*_sent_file(request), charge), 200
        context = {
            "found": report,
            "kinds": by_kind(report["findings"], lambda each: SimpleNamespace(**each)),
            "standings": report.get("standings"),
        }
    except UncheckedFileError as refused:
        context, status = {"refusal": str(refused)}, refused.status
    response = rendered(request, "standings/validate.html", _form_context(request) | context)
    response.status_code = status
    response["X-Robots-Tag"] = "noindex"
    if status in WAITS:
        response["Retry-After"] = str(WAITS[status])
    add_never_cache_headers(response)
    return response


def _form_context(request: HttpRequest) -> dict[str, Any]:
    return {
        "schema": schema_address(request),
        "megabytes": MOST_BYTES // 1024 // 1024,
        "endings": ",".join(ENDINGS),
    }


def _sent_file(request: HttpRequest) -> tuple[str, bytes]:
    """Return the name and content of the file; the name is empty if it was pasted.

    Raise UncheckedFileError if there is none, or if it is too large.
    """
    if not is_same_origin(request):
        raise UncheckedFileError(_("This form came from another site. Choose the file here."), 403)
    too_large = _("This is too large for an event file. Choose a file of at most 12 MB.")
    if int(request.META.get("CONTENT_LENGTH") or 0) > _MOST_SENT:
        raise UncheckedFileError(too_large, 413)
    request.upload_handlers = [_InMemory(request)]
    try:
        file, text = request.FILES.get("file"), request.POST.get("text", "")
    except RequestDataTooBig as much:
        too_long = _("This is too much to paste. Save it as a file, and choose that file.")
        raise UncheckedFileError(too_long, 413) from much
    except (MultiPartParserError, TooManyFieldsSent, UnreadablePostError) as unreadable:
        raise UncheckedFileError(_("The form arrived incomplete. Send it again."), 400) from unreadable
    content = file.read() if file else text.encode("utf-8", "surrogatepass")
    if not content.strip():
        raise UncheckedFileError(_("It is empty. Choose a file, or paste its text."), 422)
    if len(content) > MOST_BYTES:
        raise UncheckedFileError(too_large, 413)
    return (file.name or "")[-_LONGEST_NAME:].replace("\0", "") if file else "", content


def _findings_of(name: str, content: bytes, charge: Callable[[float | None], None]) -> dict[str, Any]:
    """Return the findings of the checking process; raise UncheckedFileError if it was not run to the end."""
    arguments = [name or "pasted", str(CPU_SECONDS), str(MEGABYTES)]
    try:
        with _place_in_queue():
            slot = reading_slot(_PATIENCE, after_others=True)
            answer = run_confined(_PROCESS, arguments, content, CLOCK_SECONDS, charge, slot=slot)
    except BusyError as busy:
        text = _("The server is reading other files. Yours was not read: send it again in a few seconds.")
        raise UncheckedFileError(text, 503) from busy
    except TooMuchWorkError as much:
        text = _("This file takes too much time or memory to check here. Use the command manage.py validate.")
        raise UncheckedFileError(text, 422) from much
    return {"name": name, **json.loads(answer)}


@contextmanager
def _place_in_queue() -> Iterator[None]:
    """Count a file among those checked or waiting. Raise BusyError if there are too many."""
    if not _QUEUE.acquire(blocking=False):
        raise BusyError
    try:
        yield
    finally:
        _QUEUE.release()


@contextmanager
def _cpu_budget(request: HttpRequest) -> Iterator[Callable[[float | None], None]]:
    """Yield a function that charges CPU seconds to the network of the request; None is the most for one file.

    The maximum of a file is charged in advance, so that simultaneous files do not exceed the budget together.
    The unused part is returned afterwards. Raise UncheckedFileError if the rest of the budget is too small.
    """
    network = f"{settings.SECRET_KEY} {network_of(client_address(request))}"
    name = f"validating-{blake2b(network.encode(), digest_size=12).hexdigest()}-{int(time() // 60)}"
    used: list[float | None] = []
    started = thread_time()
    cache.add(name, 0, 120)
    # ValueError: the cache dropped the entry.
    with suppress(ValueError):
        if cache.incr(name, _MILLI * CPU_SECONDS) > _MILLI * CPU_SECONDS_A_MINUTE:
            cache.decr(name, _MILLI * CPU_SECONDS)
            text = _("The files from your network have used their computing time. Try again in a minute.")
            raise UncheckedFileError(text, 429)
    try:
        yield used.append
    finally:
        used.append(thread_time() - started)
        seconds = sum(CPU_SECONDS if seconds_used is None else seconds_used for seconds_used in used)
        with suppress(ValueError):
            cache.decr(name, _MILLI * CPU_SECONDS - ceil(_MILLI * seconds))
