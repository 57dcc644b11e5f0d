"""Files of the write API: sent in a request, read and imported by the jobs of the worker."""

from typing import Any

from django.core.exceptions import SuspiciousFileOperation
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.text import get_valid_filename
from ninja import Query, Router, Schema, Status
from pydantic import Field

from config.database.bulkhead import place_among
from config.database.faults import TooManyAtOnceError
from tournaments.accounts.services.tokens import log_use
from tournaments.admin.imports.bundles import store_upload
from tournaments.admin.imports.import_jobs import ask_push, wait_for
from tournaments.admin.imports.preview import choices_among
from tournaments.admin.permissions import may_create
from tournaments.api.access import (
    RETRY_SECONDS,
    Action,
    ApiRequest,
    FindingData,
    ProblemError,
    find_event,
    refusals,
    require_action,
)
from tournaments.event.numbers import whole_number
from tournaments.models import Job
from tournaments.operations import jobs
from tournaments.operations.revision import revision_of

router = Router(tags=["files"])

WAIT_SECONDS = 10.0
MOST_WAITING = 4
"""Requests of a process that wait for their jobs at the same time. Others get 202 immediately."""

OWN_PARAMETERS = ("name", "dry_run", "lent")


class FileReport(Schema):
    """What the file changes. `changes` has at most 200 lines for each table."""

    state: str = Field(description="previewed, applied, or unchanged")
    event: str = Field(description="Slug.")
    revision: int = Field(description="Of the event, after the import. 0 for a preview of a new event.")
    new: bool
    changes: list[str]
    findings: list[FindingData]
    url: str = Field(description="The page of the event.")


class FileWaiting(Schema):
    state: str = Field(description="waiting")
    job: str = Field(description="The address that has the report when the worker is done.")


ANSWERS = {200: FileReport, 202: FileWaiting}
OTHER_PARAMETERS = {
    "reason": "Why published results or frozen rules change. Public.",
    "accept": "Why the objections to the file are accepted; accept-CODE for those with a code.",
    "start": "A fact of a new event, as in the form of the desk: start, discipline, encoding …",
}
FILE_BODY = {
    "parameters": [
        {"name": name, "in": "query", "required": False, "description": text, "schema": {"type": "string"}}
        for name, text in OTHER_PARAMETERS.items()
    ]
    + [
        {
            "name": "If-Match",
            "in": "header",
            "required": False,
            "description": "The revision of the event that the file was made for; 0 for a new event.",
            "schema": {"type": "string"},
        }
    ],
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    },
}


@router.put(
    "/events/{slug:slug}/file",
    response={**ANSWERS, **refusals(409, 412, 413, 415, 422)},
    summary="Read a file into an event, or create the event.",
    openapi_extra=FILE_BODY,
    exclude_none=True,
)
def put_file(
    request: ApiRequest,
    response: HttpResponse,
    slug: str,
    name: str = Query(description="The name of the file.", max_length=200, min_length=1),
    dry_run: bool = Query(False, description="Only return the changes."),
    lent: bool = Query(False, description="The event is lent to the token. Other files are refused then."),
) -> Any:
    token, event = request.auth, find_event(request, slug)
    require_action(request, Action.HOME if lent else Action.FILES if event else Action.CREATE)
    if event is None and not may_create(token.user):
        text = "The account may record no event “{}”, and only organisers create events. Ask an organiser."
        raise ProblemError(403, text.format(slug))
    given = {key: value for key, value in request.GET.items() if key not in OWN_PARAMETERS}
    data = choices_among(given)
    if unknown := sorted(given.keys() - data.keys()):
        raise ProblemError(422, f"Unknown parameters: {', '.join(unknown)}. Leave them out.")
    seen = _seen_revision(request)
    revision = revision_of(event.pk) if event else 0
    if seen is not None and seen != revision:
        text = f"The event has revision {revision} now, not {seen}. Read it again, then send the file."
        raise ProblemError(412, text)
    content = request.read()
    if not content:
        raise ProblemError(422, "The body is empty. Send the bytes of the file.")
    try:
        valid_name = get_valid_filename(name)
    except SuspiciousFileOperation as fault:
        raise ProblemError(422, "The parameter “name” is no name of a file. Correct it.") from fault
    if event is None:
        data["slug"] = slug
    upload = store_upload(token.user, valid_name, content, event)
    home = token.name if lent else ""
    push = {"dry_run": dry_run, "token": token.pk, "slug": slug, "revision": seen, "home": home}
    try:
        job = ask_push(upload, token.user, data, push)
    except jobs.FullError as full:
        upload.delete()
        raise ProblemError(429, "Several of your files are being read. Send it again later.") from full
    if not dry_run:
        log_use(token, f"file “{valid_name}” to {slug}")
    try:
        with place_among("pushes", MOST_WAITING):
            wait_for(job, WAIT_SECONDS)
    except TooManyAtOnceError:
        pass  # the client asks again
    return _answer_of(request, response, job)


@router.get(
    "/jobs/{int:number}",
    response={**ANSWERS, **refusals(409, 412, 422)},
    summary="The report of a file that was waiting.",
    exclude_none=True,
)
def get_job(request: ApiRequest, response: HttpResponse, number: int) -> Any:
    own = Job.objects.filter(user=request.auth.user, arguments__push__token=request.auth.pk)
    return _answer_of(request, response, get_object_or_404(own, pk=number))


def _answer_of(request: ApiRequest, response: HttpResponse, job: Job) -> Any:
    # The import has the same key as the preview before it.
    last = jobs.last_job(job.key) or job
    if last.is_open:
        address = reverse("write-api:get_job", args=[job.pk])
        response["Location"], response["Retry-After"] = address, RETRY_SECONDS
        return Status(202, {"state": "waiting", "job": address})
    if last.state == Job.State.FAILED:
        raise ProblemError(422, f"The file could not be read: {last.failure}")
    report = last.result
    if report["status"] != 200:
        more = {"findings": report["findings"], "changes": report["changes"]}
        raise ProblemError(report["status"], report["detail"], **more)
    return {**report, "url": request.build_absolute_uri(reverse("event", args=[report["event"]]))}


def _seen_revision(request: ApiRequest) -> int | None:
    header = request.headers.get("If-Match", "").strip()
    if header in ("", "*"):
        return None
    seen = whole_number(header.strip('"'))
    if seen is None:
        raise ProblemError(422, 'If-Match must be the revision of the event, such as "12".')
    return seen
