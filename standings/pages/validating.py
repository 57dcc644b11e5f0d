"""The page that validates a file without storing it: no account, no cookie, nothing kept, nothing logged.

As with the reports of errors (ADR 0024) no cookie decides anything, so no token protects the form. The file
stays in memory, and is looked at in a process of its own, which has so many seconds and megabytes.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from math import ceil
from threading import BoundedSemaphore
from time import thread_time, time
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
from standings.downloads.eventschema import schema_address
from standings.pages.errorreport import is_from_here
from tournaments.interchange.formats.endings import ENDINGS
from tournaments.interchange.formats.json.parsing import MOST_BYTES
from tournaments.operations.processes.confinement import TooMuchWorkError, run_confined
from tournaments.operations.processes.slots import BusyError, reading_slot

CPU_SECONDS, MEGABYTES = 12, 1_000
"""What checking one file may take."""

CLOCK_SECONDS = 45
"""Seconds by the clock after which a file is given up, on a machine that has much else to do."""

CPU_SECONDS_A_MINUTE = 48
"""CPU seconds that the files of one network may take in a minute, of the 60 that a core has."""

MOST_AT_ONCE = 4
"""Files that are checked or wait in one serving process. More would take the threads of readers."""

MOST_SHOWN = 200
"""So many findings are shown; the command tells all."""

WAITS = {429: 60, 503: 5}
"""Seconds after which it helps to try again, by the status of the answer."""

_MOST_SENT = MOST_BYTES + 64 * 1024  # what a form has beside its file
_LONGEST_NAME = 120
_PROCESS = "tournaments.interchange.formats.validating"
_MILLI = 1_000  # the cache counts whole numbers
_QUEUE = BoundedSemaphore(MOST_AT_ONCE)
_PATIENCE = 5.0  # seconds for which a file waits for its turn; with CLOCK_SECONDS less than nginx waits


class _InMemory(MemoryFileUploadHandler):
    """Keeps every file in memory: a large one would else lie on a disk while it is looked at."""

    def handle_raw_input(self, *_args: Any, **_named: Any) -> None:
        self.activated = True


class NotLookedAtError(Exception):
    """Raised where nothing was looked at; it says why in words, and the status of the answer."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


@static_page
def _form(request: HttpRequest) -> HttpResponse:
    """The form alone."""
    return rendered(request, "standings/validate.html", _about(request))


@csrf_exempt  # no cookie is asked for, so another site can do nothing here in a reader's name
@require_http_methods(["GET", "HEAD", "POST"])
def validating(request: HttpRequest) -> HttpResponse:
    """Show the form, or what was found in the file that was sent."""
    if request.method != "POST":
        return _form(request)
    try:
        with _budget(request) as charge:
            shown, status = _shown(_looked_at(*_sent(request), charge)), 200
    except NotLookedAtError as refused:
        shown, status = {"refusal": str(refused)}, refused.status
    answer = rendered(request, "standings/validate.html", _about(request) | shown)
    answer.status_code = status
    answer["X-Robots-Tag"] = "noindex"
    if status in WAITS:
        answer["Retry-After"] = str(WAITS[status])
    add_never_cache_headers(answer)
    return answer


def _about(request: HttpRequest) -> dict[str, Any]:
    return {
        "canonical": request.build_absolute_uri(request.path),
        "schema": schema_address(request),
        "megabytes": MOST_BYTES // 1024 // 1024,
        "endings": ",".join(ENDINGS),
    }


def _shown(found: dict[str, Any]) -> dict[str, Any]:
    findings = found["findings"]
    return {
        "found": found,
        "findings": findings[:MOST_SHOWN],
        "more": max(0, len(findings) - MOST_SHOWN),
        "standings": found.get("standings"),
    }


def _sent(request: HttpRequest) -> tuple[str, bytes]:
    """Return the name and the bytes of the file of a form; the name is blank where it was pasted.

    Raise NotLookedAtError where there is none, or too much.
    """
    if not is_from_here(request):
        raise NotLookedAtError(_("This form came from another site. Choose the file here."), 403)
    too_large = _("This is too large for an event file. Choose a file of at most 12 MB.")
    if int(request.META.get("CONTENT_LENGTH") or 0) > _MOST_SENT:
        raise NotLookedAtError(too_large, 413)
    request.upload_handlers = [_InMemory(request)]
    try:
        file, text = request.FILES.get("file"), request.POST.get("text", "")
    except RequestDataTooBig as much:
        told = _("This is too much to paste. Save it as a file, and choose that file.")
        raise NotLookedAtError(told, 413) from much
    except (MultiPartParserError, TooManyFieldsSent, UnreadablePostError) as broken:
        raise NotLookedAtError(_("The form arrived incomplete. Send it again."), 400) from broken
    content = file.read() if file else text.encode("utf-8", "surrogatepass")
    if not content.strip():
        raise NotLookedAtError(_("It is empty. Choose a file, or paste its text."), 422)
    if len(content) > MOST_BYTES:
        raise NotLookedAtError(too_large, 413)
    return (file.name or "")[-_LONGEST_NAME:].replace("\0", "") if file else "", content


def _looked_at(name: str, content: bytes, charge: Callable[[float | None], None]) -> dict[str, Any]:
    """Return what the process found that checks the file; raise NotLookedAtError if it does not."""
    arguments = [name or "pasted", str(CPU_SECONDS), str(MEGABYTES)]
    try:
        with _queue():
            slot = reading_slot(_PATIENCE, after_others=True)
            answer = run_confined(_PROCESS, arguments, content, CLOCK_SECONDS, charge, slot=slot)
    except BusyError as busy:
        text = _("The server is reading other files. Yours was not read: send it again in a few seconds.")
        raise NotLookedAtError(text, 503) from busy
    except TooMuchWorkError as much:
        text = _("This file takes too much time or memory to check here. Use the command manage.py validate.")
        raise NotLookedAtError(text, 422) from much
    return {"name": name, **json.loads(answer)}


@contextmanager
def _queue() -> Iterator[None]:
    """Count a file among those that are checked or wait. Raise BusyError if they are too many."""
    if not _QUEUE.acquire(blocking=False):
        raise BusyError
    try:
        yield
    finally:
        _QUEUE.release()


@contextmanager
def _budget(request: HttpRequest) -> Iterator[Callable[[float | None], None]]:
    """Yield a function that charges CPU seconds to the network of the request; None is the most for one file.

    The most that one file may take is charged in advance, so that files sent at the same time do not exceed
    the budget together. The unused part is returned afterwards. Raise NotLookedAtError if too little is left.
    """
    network = f"{settings.SECRET_KEY} {network_of(client_address(request))}"
    name = f"validating-{blake2b(network.encode(), digest_size=12).hexdigest()}-{int(time() // 60)}"
    used: list[float | None] = []
    started = thread_time()
    cache.add(name, 0, 120)
    # A ValueError says that the cache dropped the entry.
    with suppress(ValueError):
        if cache.incr(name, _MILLI * CPU_SECONDS) > _MILLI * CPU_SECONDS_A_MINUTE:
            cache.decr(name, _MILLI * CPU_SECONDS)
            text = _("The files from your network have used their computing time. Try again in a minute.")
            raise NotLookedAtError(text, 429)
    try:
        yield used.append
    finally:
        used.append(thread_time() - started)
        seconds = sum(CPU_SECONDS if each is None else each for each in used)
        with suppress(ValueError):
            cache.decr(name, _MILLI * CPU_SECONDS - ceil(_MILLI * seconds))
