"""Long imports: what takes longer than a request may is read, tried and stored by the worker.

The screens are the same. The worker makes the preview, and the request shows it as it was made; it stores
what was previewed, and asks again whether that is allowed.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import DataError, IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from simple_history.models import HistoricalRecords

from tournaments import jobs
from tournaments.admin.frame import page, who
from tournaments.admin.imports.preview import PURPOSE, TITLE, context_of
from tournaments.admin.imports.trial import import_upload, try_upload
from tournaments.admin.permissions import may_create, may_record
from tournaments.formats.endings import is_event
from tournaments.models import Job, Upload
from tournaments.recording.refusal import Refused
from tournaments.recording.turns import name_of
from tournaments.revision import revision_of
from tournaments.search.index import refresh_after_import

Tell = Callable[[int, int], None]

TABLES_WEIGH = 5
"""Cells are understood one by one: a byte of a table takes as long as five of an event file."""

TOKEN = "token-of-the-form"  # noqa: S105 - it stands where a request puts its own
AGAIN = 3
"""Seconds after which the page of who waits asks again."""


def is_long(upload: Upload) -> bool:
    """Say whether a file is too large to be read while somebody waits for an answer."""
    weight = 1 if is_event(upload.name) else TABLES_WEIGH
    return bool(len(upload.file) * weight > settings.IMPORT_LONG_BYTES)


# --- in the request ---------------------------------------------------------------------------------------


def preview_of_long(request: HttpRequest, upload: Upload) -> HttpResponse:
    """Answer the preview of a large file, or 202 and how far it is; what is posted becomes a job."""
    data = (request.POST if request.method == "POST" else request.GET).dict()
    data.pop("csrfmiddlewaretoken", None)
    last = jobs.last_job(_key(upload))
    if request.method == "POST":
        if last is None or not last.is_open:
            _ask(request, upload, data, Job.Kind.IMPORT if "apply" in data else Job.Kind.TRIAL)
        return redirect(request.path)
    if last is None or (not last.is_open and _is_overtaken(last, upload, data)):
        last = _ask(request, upload, data, Job.Kind.TRIAL)
    return _shown(request, upload, last) if last.state == Job.State.DONE else _waiting(request, upload, last)


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
        _("Import of a large file"),
        _("It is read beside the site, so that nobody waits for it."),
        upload=upload,
        job=job,
        chosen={name: value for name, value in job.arguments["data"].items() if name != "apply"},
        ahead=jobs.ahead_of(job) if job.state == Job.State.WAITING else 0,
        is_stuck=jobs.is_stuck(job),
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
        problem = _("The database refused it: %(why)s. Nothing was stored.") % {"why": refusal}
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
