"""Imports as jobs: the worker reads, previews and stores uploads, within limits (ADR 0031).

Requests never parse a file, which could take minutes. A request queues a preview and waits for a moment. It
shows the preview if the worker has finished it, otherwise a page that reloads. The worker checks the user's
permissions again.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
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

from tournaments.admin.frame import job_page, page, wait_for_job, who
from tournaments.admin.imports.preview import (
    PURPOSE,
    TITLE,
    UNCHANGED,
    choices_among,
    context_of,
    push_report,
)
from tournaments.admin.imports.trial import import_upload, try_upload
from tournaments.admin.permissions import may_organise, may_record
from tournaments.interchange.formats.layouts.pgn import MOST_GAMES, games_of_feed
from tournaments.models import ApiToken, Job, Upload
from tournaments.operations import jobs
from tournaments.operations.processes.slots import are_slots_taken
from tournaments.operations.revision import revision_of
from tournaments.recording.integrity import sentence_of
from tournaments.recording.refusal import Busy, Refused
from tournaments.recording.results.boards import store_games
from tournaments.search.index import refresh_after_import

ProgressCallback = Callable[[int, int], None]

TOKEN = "token-of-the-form"  # noqa: S105 - replaced by the token of the request

MOST_AT_ONCE = 5
"""The maximum number of open import jobs per user."""


# --- in the request ---------------------------------------------------------------------------------------


def preview(request: HttpRequest, upload: Upload) -> HttpResponse:
    """Return the preview of an upload; respond 202 with the progress if it is not ready.

    A POST with `apply` requests the import, any other POST a preview with changed choices.
    """
    user, is_post = who(request), request.method == "POST"
    data = (request.POST if is_post else request.GET).dict()
    data.pop("csrfmiddlewaretoken", None)
    is_import = is_post and "apply" in data
    if not is_import:
        data = choices_among(data)
    last = jobs.last_job(_job_key(upload))
    is_open = last is not None and last.is_open
    if last is None or (not is_open and (is_post or _is_outdated(last, upload, data))):
        if has_many(user, Job.Kind.TRIAL, Job.Kind.IMPORT):
            text = _("%(count)s of your files are being read. Wait until they are done.")
            messages.warning(request, text % {"count": MOST_AT_ONCE})
            return redirect_to_uploads(upload)
        new_job = ask(upload, Job.Kind.IMPORT if is_import else Job.Kind.TRIAL, data=data)
        wait_for_job(new_job)
        last = jobs.last_job(_job_key(upload)) or new_job
    is_rejected = is_import and not is_open and last.state == Job.State.DONE and "body" in last.result
    if is_post and not is_rejected:
        return redirect(f"{request.path}?{urlencode({} if is_import else data)}")
    if last.state != Job.State.DONE:
        return job_page(
            request,
            upload.event,
            "import_waiting",
            _("Import of a file"),
            _("The worker reads the file. You can leave this page."),
            last,
            upload=upload,
            chosen={name: value for name, value in last.arguments["data"].items() if name != "apply"},
            is_machine_busy=last.state == Job.State.WAITING and are_slots_taken(),
        )
    body = mark_safe(last.result["body"].replace(TOKEN, get_token(request)))  # noqa: S308 - escaped by the worker's template
    return page(request, upload.event, "import_preview", str(TITLE), PURPOSE, body=body, upload=upload)


def has_many(user: User, *kinds: Job.Kind) -> bool:
    return Job.objects.filter(user=user, kind__in=kinds, state__in=jobs.OPEN).count() >= MOST_AT_ONCE


def ask(upload: Upload, kind: Job.Kind, **arguments: Any) -> Job:
    """Queue a job of an upload. `arguments`: `data`; `push` for the write API, with those of `_run_push`."""
    job = Job(kind=kind, key=_job_key(upload), arguments=arguments, upload=upload, user=upload.user)
    job.turn = jobs.Turn.IMPORT
    return jobs.ask(job)


def redirect_to_uploads(upload: Upload) -> HttpResponse:
    if upload.event is None:
        return redirect("admin:import")
    return redirect("admin:event-import", upload.event_id)


def _job_key(upload: Upload) -> str:
    return f"{Job.Kind.IMPORT}-{upload.pk}"


def _is_outdated(last: Job, upload: Upload, data: dict[str, str]) -> bool:
    if data and data != last.arguments["data"]:
        return True
    if last.state == Job.State.FAILED or upload.event is None:
        return False
    return bool(last.result.get("revision") != revision_of(upload.event.pk))


# --- in the worker ----------------------------------------------------------------------------------------


def run_trial(job: Job, report_progress: ProgressCallback) -> dict[str, Any]:
    upload, user = _job_upload(job), _job_user(job)
    push = job.arguments.get("push", {})
    if "boards" in push:
        return _run_boards(job, upload, user)
    if push:
        return _run_push(job, upload, user, push)
    return _rendered_preview(upload, user, job.arguments["data"])


def run_import(job: Job, report_progress: ProgressCallback) -> dict[str, Any]:
    """Import an upload as previewed. If this is rejected, return a new preview with the reason.

    The import and the end of the job are stored in one transaction, and an upload is imported at most once.
    So a killed worker leaves no partial import, and the job can be repeated, also by another worker.
    """
    user, data = _job_user(job), job.arguments["data"]
    try:
        with importing_as(user):
            upload = _job_upload(job, lock=True)
            if upload.applied is None:
                import_upload(upload, user, data)
            result = {"event": upload.event_id}
            jobs.end(job, result=result)
    except Refused as refused:
        return _rendered_preview(_job_upload(job), user, data, str(refused))
    refresh_after_import()
    return result


def _rendered_preview(upload: Upload, user: User, data: dict[str, str], problem: str = "") -> dict[str, Any]:
    trial = try_upload(upload, user, data)
    context = context_of(trial, data, problem) | {"event": upload.event, "csrf_token": TOKEN}
    return {"body": render_to_string("admin/import_preview_body.html", context), "revision": trial.revision}


def _run_push(job: Job, upload: Upload, user: User, push: dict[str, Any]) -> dict[str, Any]:
    """Preview a file of the write API, and import it if nothing is missing. Return the report.

    `push` has the `revision` of the event for which the file was made, or None, and the `home` of a lent
    event, or blank. Only imported uploads are stored.
    """
    data, home, dry_run = job.arguments["data"], push["home"], push["dry_run"]
    trial = try_upload(upload, user, data, home=home)
    report = push_report(trial, data, push["slug"], dry_run=dry_run)
    if push["revision"] not in (None, trial.revision):
        report |= {"status": 412, "detail": f"The event has revision {trial.revision} now. Read it again."}
    is_ready = report["status"] == 200 and report["state"] != UNCHANGED and not dry_run
    try:
        with importing_as(user):
            if is_ready:
                event = import_upload(upload, user, {**data, "token": trial.token}, home)
                report |= {"state": "applied", "revision": revision_of(event.pk)}
                if report["new"]:
                    ApiToken.objects.get(pk=push["token"]).events.add(event)
            jobs.end(job, result=report)
    except Refused as refused:
        is_by_database = type(refused) is Refused and refused.__cause__ is not None
        report |= {"status": 422 if is_by_database else 409, "detail": str(refused)}
    if report["state"] == "applied" and report["status"] == 200:
        refresh_after_import()
    else:
        _forget_upload(job, upload)
    return report


def _run_boards(job: Job, upload: Upload, user: User) -> dict[str, Any]:
    """Store the games of a live feed. Return the report, whose `status` is that of the response."""
    event, games = upload.event, games_of_feed(bytes(upload.file))
    if event is None or not 0 < len(games) <= MOST_GAMES:
        text = _("The file has %(count)s games with players. Send PGN or PDN with 1 to %(most)s games.")
        report = {"status": 422, "detail": text % {"count": len(games), "most": MOST_GAMES}}
    else:
        try:
            report = {"status": 200, **store_games(event, games, user), "revision": revision_of(event.pk)}
        except Refused as refused:
            report = {"status": 503 if isinstance(refused, Busy) else 409, "detail": str(refused)}
    _forget_upload(job, upload)  # last, so that another worker can repeat the job until then
    return report


def _forget_upload(job: Job, upload: Upload) -> None:
    with jobs.claimed(job):
        Job.objects.filter(pk=job.pk).update(upload=None)  # deleting the upload would delete the job
        Upload.objects.filter(pk=upload.pk).delete()


def _job_upload(job: Job, *, lock: bool = False) -> Upload:
    uploads = Upload.objects.select_related("event")
    return (uploads.select_for_update(of=("self",)) if lock else uploads).get(pk=job.upload_id or 0)


def _job_user(job: Job) -> User:
    user = User.objects.get(pk=job.user_id or 0)
    event, token = _job_upload(job).event, job.arguments.get("push", {}).get("token")
    is_valid = token is None or ApiToken.objects.get(pk=token).is_valid
    if not (is_valid and user.is_active and (may_record(user, event) if event else may_organise(user))):
        raise PermissionError
    return user


@contextmanager
def importing_as(user: User) -> Iterator[None]:
    """Run the block in a transaction. The history records the user.

    Raise Refused if the database refuses the changes.
    """
    HistoricalRecords.context.request = SimpleNamespace(user=user)
    try:
        with transaction.atomic():
            yield
    except Refused:
        raise
    except (IntegrityError, DataError) as refusal:
        raise Refused(_("%(why)s Nothing was saved.") % {"why": sentence_of(refusal)}) from refusal
    finally:
        del HistoricalRecords.context.request
