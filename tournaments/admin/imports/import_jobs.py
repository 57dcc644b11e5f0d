"""Imports as jobs: the worker reads, compares and stores every uploaded file, within limits (ADR 0031).

A request never reads a file: it may be made to take minutes. The request asks for a preview, waits a moment,
and shows the preview as the worker made it, or a page that asks again. The worker stores what was previewed,
and checks again whether the account may do that.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.models import User
from django.db import DataError, IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from simple_history.models import HistoricalRecords

from tournaments.admin.frame import page, who
from tournaments.admin.imports.preview import PURPOSE, TITLE, choices_among, context_of
from tournaments.admin.imports.trial import import_upload, try_upload
from tournaments.admin.permissions import may_create, may_record
from tournaments.models import Job, Upload
from tournaments.operations import jobs
from tournaments.operations.processes.slots import are_slots_taken
from tournaments.operations.revision import revision_of
from tournaments.recording.integrity import sentence_of
from tournaments.recording.locking import name_of
from tournaments.recording.refusal import Refused
from tournaments.search.index import refresh_after_import

Tell = Callable[[int, int], None]

TOKEN = "token-of-the-form"  # noqa: S105 - it stands where a request puts its own
AGAIN = 3
"""Seconds after which the page of who waits asks again."""

MOMENT, LOOK = 2.0, 0.05
"""Seconds for which the request that asks for a job waits, and between two looks."""

MOST_AT_ONCE = 5
"""Files of one account that wait or are read at a time."""


# --- in the request ---------------------------------------------------------------------------------------


def preview(request: HttpRequest, upload: Upload) -> HttpResponse:
    """Return the preview of an upload, or status 202 and how far it is.

    A POST request with `apply` asks for the import, any other for a preview with other choices.
    """
    posted = request.method == "POST"
    data = (request.POST if posted else request.GET).dict()
    data.pop("csrfmiddlewaretoken", None)
    is_import = posted and "apply" in data
    if not is_import:
        data = choices_among(data)
    last = jobs.last_job(_key(upload))
    is_open = last is not None and last.is_open
    if last is None or (not is_open and (posted or _is_overtaken(last, upload, data))):
        if _open_jobs(request) >= MOST_AT_ONCE:
            return _refused(request, upload)
        asked = _ask(request, upload, data, Job.Kind.IMPORT if is_import else Job.Kind.TRIAL)
        wait_for(asked)
        last = jobs.last_job(_key(upload)) or asked
    is_refused = is_import and not is_open and last.state == Job.State.DONE and "body" in last.result
    if posted and not is_refused:
        return redirect(f"{request.path}?{urlencode({} if is_import else data)}")
    if last.state != Job.State.DONE:
        return _waiting(request, upload, last)
    return _shown(request, upload, last)


def wait_for(job: Job) -> None:
    """Wait a moment for a job to end."""
    end = monotonic() + MOMENT
    while monotonic() < end and Job.objects.filter(pk=job.pk, state__in=jobs.OPEN).exists():
        sleep(LOOK)


def _open_jobs(request: HttpRequest) -> int:
    kinds = (Job.Kind.TRIAL, Job.Kind.IMPORT)
    return Job.objects.filter(user=who(request), kind__in=kinds, state__in=jobs.OPEN).count()


def _refused(request: HttpRequest, upload: Upload) -> HttpResponse:
    text = _("%(count)s of your files are being read. Wait until they are done.") % {"count": MOST_AT_ONCE}
    messages.warning(request, text)
    if upload.event is None:
        return redirect("admin:import")
    return redirect("admin:event-import", upload.event_id)


def _ask(request: HttpRequest, upload: Upload, data: dict[str, str], kind: Job.Kind) -> Job:
    job = Job(kind=kind, key=_key(upload), arguments={"data": data}, upload=upload, user=who(request))
    job.turn = jobs.Turn.IMPORT
    return jobs.ask(job)


def _key(upload: Upload) -> str:
    """Return the key of an upload's jobs: it is tried or imported, never both at once."""
    return f"{Job.Kind.IMPORT}-{upload.pk}"


def _is_overtaken(last: Job, upload: Upload, data: dict[str, str]) -> bool:
    """Say whether something else is asked than the last preview shows, or the event has changed since."""
    if data and data != last.arguments["data"]:
        return True
    if last.state == Job.State.FAILED or upload.event is None:
        return False
    return bool(last.result.get("revision") != revision_of(upload.event.pk))


def _shown(request: HttpRequest, upload: Upload, job: Job) -> HttpResponse:
    body = mark_safe(job.result["body"].replace(TOKEN, get_token(request)))  # noqa: S308 - the worker's template has escaped it
    return page(request, upload.event, "import_preview", str(TITLE), PURPOSE, body=body)


def _waiting(request: HttpRequest, upload: Upload, job: Job) -> HttpResponse:
    answer = page(
        request,
        upload.event,
        "import_waiting",
        _("Import of a file"),
        _("The worker reads the file. You can leave this page."),
        upload=upload,
        job=job,
        chosen={name: value for name, value in job.arguments["data"].items() if name != "apply"},
        ahead=jobs.ahead_of(job) if job.state == Job.State.WAITING else 0,
        is_stuck=jobs.is_stuck(job),
        is_machine_busy=job.state == Job.State.WAITING and are_slots_taken(),
    )
    if job.is_open:
        answer.status_code = 202
        answer["Retry-After"] = answer["Refresh"] = str(AGAIN)
    return answer


# --- in the worker ----------------------------------------------------------------------------------------


def run_trial(job: Job, tell: Tell) -> dict[str, Any]:
    """Read and compare an upload, and return its preview."""
    upload, user = _upload_of(job), _user_of(job)
    return _tried(upload, user, job.arguments["data"])


def run_import(job: Job, tell: Tell) -> dict[str, Any]:
    """Import an upload as it was previewed; where that is refused, return a new preview that says why.

    The import and the end of its job are stored together, and an upload is imported once: a worker that is
    killed leaves all of it or nothing, and doing it again does no harm.
    """
    user, data = _user_of(job), job.arguments["data"]
    try:
        with acting(user), transaction.atomic():
            upload = _upload_of(job, lock=True)
            if upload.applied is None:
                import_upload(upload, user, name_of(user), data)
            result = {"event": upload.event_id}
            jobs.end(job, result=result)
    except Refused as refused:
        return _tried(_upload_of(job), user, data, str(refused))
    except (IntegrityError, DataError) as refusal:
        problem = _("%(why)s Nothing was stored.") % {"why": sentence_of(refusal)}
        return _tried(_upload_of(job), user, data, problem)
    refresh_after_import()
    return result


def _tried(upload: Upload, user: User, data: dict[str, str], problem: str = "") -> dict[str, Any]:
    """Return the preview as a page has it, and the revision of the event that it is of."""
    revision = revision_of(upload.event.pk) if upload.event else 0
    context = context_of(try_upload(upload, user, data), data, problem)
    context |= {"event": upload.event, "csrf_token": TOKEN}
    return {"body": render_to_string("admin/import_preview_body.html", context), "revision": revision}


def _upload_of(job: Job, *, lock: bool = False) -> Upload:
    uploads = Upload.objects.select_related("event")
    return (uploads.select_for_update(of=("self",)) if lock else uploads).get(pk=job.upload_id or 0)


def _user_of(job: Job) -> User:
    """Return who asked, if he may still do it. Raise PermissionError where he lost the role meanwhile."""
    user = User.objects.get(pk=job.user_id or 0)
    event = _upload_of(job).event
    if not (user.is_active and (may_record(user, event) if event else may_create(user))):
        raise PermissionError
    return user


@contextmanager
def acting(user: User) -> Iterator[None]:
    """Let the history of what is saved in the block name the user, as it does in a request of his."""
    HistoricalRecords.context.request = SimpleNamespace(user=user)
    try:
        yield
    finally:
        del HistoricalRecords.context.request
