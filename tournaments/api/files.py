"""Files of the write API: sent in a request, read and imported by a job of the worker."""

from contextlib import suppress
from typing import Any

from django.core.exceptions import SuspiciousFileOperation
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.text import get_valid_filename
from ninja import Router, Schema, Status
from ninja.params.functions import Header, Query
from pydantic import Field

from config.database.bulkhead import place_among
from config.database.faults import TooManyAtOnceError
from tournaments.accounts.services.tokens import log_use
from tournaments.admin.frame import wait_for_job
from tournaments.admin.imports.bundles import store_upload
from tournaments.admin.imports.import_jobs import ask, has_many
from tournaments.admin.imports.preview import choices_among
from tournaments.admin.permissions import may_organise
from tournaments.api.access import (
    Action,
    ApiRequest,
    FindingData,
    ProblemError,
    find_event,
    require_action,
    require_event,
    responses,
)
from tournaments.models import Job

router = Router(tags=["files"])

WAIT_SECONDS = 10.0
MOST_WAITING = 4
"""Requests of a process that wait for their jobs at the same time. Others get 202 immediately."""


class FileReport(Schema):
    state: str = Field(description="previewed, applied, or unchanged")
    event: str = Field(description="Slug.")
    revision: int = Field(description="Of the event, after the import. 0 in a preview of a new event.")
    new: bool
    changes: list[str] = Field(description="At most 200 lines for each table.")
    findings: list[FindingData]
    url: str = Field(description="The page of the event.")


class FileWaiting(Schema):
    state: str = Field(description="waiting")
    job: str = Field(description="The address that has the report when the worker has read the file.")


class BoardsReport(Schema):
    updated: int = Field(description="Games with new moves or a new result.")
    unchanged: int
    unmatched: list[dict[str, str | int]] = Field(
        description="At most 200 games that are not stored as sent: white, black, round (or 0), reason."
    )
    revision: int = Field(description="Of the event.")


class FileParameters(Schema):
    name: str = Field(description="The name of the file.", max_length=200)
    dry_run: bool = Field(False, description="Only return the changes.")
    lent: bool = Field(False, description="The event is lent to this token.")
    reason: str = Field("", description="Why published results or frozen rules change. Public.")
    accept: str = Field("", description="Why the file is imported in spite of its objections.")


BYTES = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
BODY = {"requestBody": {"required": True, "content": BYTES}}


@router.put(
    "/events/{slug:slug}/file",
    response={202: FileWaiting, **responses(FileReport, 409, 412, 413, 415, 422)},
    summary="Read a file into an event, or create the event.",
    description="Further parameters: accept-CODE, and facts of the event as in the form of the desk.",
    openapi_extra=BODY,
    exclude_none=True,
)
def put_file(
    request: ApiRequest,
    response: HttpResponse,
    slug: str,
    query: FileParameters = Query(...),  # noqa: B008 - as django-ninja declares parameters
    revision: str = Header("", alias="If-Match", pattern=r'^("?[0-9]{1,9}"?)?$'),
) -> Any:
    token, event = request.auth, find_event(request, slug)
    require_action(request, Action.HOME if query.lent else Action.FILES if event else Action.CREATE)
    if event is None and query.lent:
        raise ProblemError(404, f"There is no event “{slug}” that was lent. Check the address of the event.")
    if event is None and not may_organise(token.user):
        text = (
            f"The account may record no event “{slug}”, and only organisers create events. Ask an organiser."
        )
        raise ProblemError(403, text)
    own = query.model_dump(include={"reason", "accept"})
    given = {key: str(value) for key, value in request.GET.items() if key not in FileParameters.model_fields}
    data = own | choices_among(given) | ({} if event else {"slug": slug})
    if unknown := sorted(given.keys() - data.keys()):
        raise ProblemError(422, f"Unknown parameters: {', '.join(unknown)}. Leave them out.")
    try:
        name = get_valid_filename(query.name)
    except SuspiciousFileOperation as fault:
        raise ProblemError(422, "The parameter “name” is no name of a file. Correct it.") from fault
    seen = int(revision.strip('"')) if revision else None
    home = token.name if query.lent else ""
    push = {"slug": slug, "revision": seen, "dry_run": query.dry_run, "token": token.pk, "home": home}
    return _read_body(request, response, name, event, data=data, push=push)


@router.put(
    "/events/{slug:slug}/boards",
    response={202: FileWaiting, **responses(BoardsReport, 409, 413, 415, 422)},
    tags=["boards"],
    summary="Update the games of running rounds from PGN or PDN.",
    openapi_extra=BODY,
)
def put_boards(request: ApiRequest, response: HttpResponse, slug: str) -> Any:
    require_action(request, Action.BOARDS)
    push = {"token": request.auth.pk, "boards": True}
    return _read_body(request, response, f"{slug}.pgn", require_event(request, slug), data={}, push=push)


def _read_body(request: ApiRequest, response: HttpResponse, name: str, event: Any, **arguments: Any) -> Any:
    content, user = request.read(), request.auth.user
    if not content:
        raise ProblemError(422, "The body is empty. Send the bytes of the file.")
    if has_many(user, Job.Kind.TRIAL, Job.Kind.IMPORT):
        raise ProblemError(429, "Several of your files are being read. Send this file again later.")
    job = ask(store_upload(user, name, content, event), Job.Kind.TRIAL, **arguments)
    if arguments["push"].get("dry_run") is False:  # not for each state of live boards
        log_use(request.auth, f"file to {arguments['push']['slug']}")
    with suppress(TooManyAtOnceError), place_among("pushes", MOST_WAITING):  # the client asks again
        wait_for_job(job, WAIT_SECONDS)
    return get_job(request, response, job.pk)


@router.get(
    "/jobs/{int:number}",
    response={202: FileWaiting, **responses(FileReport | BoardsReport, 409, 412, 422)},
    summary="The report of a file that was waiting.",
    exclude_none=True,
)
def get_job(request: ApiRequest, response: HttpResponse, number: int) -> Any:
    own = Job.objects.filter(user=request.auth.user, arguments__push__token=request.auth.pk)
    job = get_object_or_404(own, pk=number)
    if job.is_open:
        address = reverse("write-api:get_job", args=[number])
        response["Location"], response["Retry-After"] = address, "2"
        return Status(202, {"state": "waiting", "job": address})
    if job.state == Job.State.FAILED:
        raise ProblemError(422, f"The file could not be read: {job.failure}")
    report = job.result
    if report["status"] != 200:
        more = {name: report[name] for name in ("findings", "changes") if name in report}
        raise ProblemError(report["status"], report["detail"], **more)
    if job.arguments["push"].get("boards"):
        return report
    return {**report, "url": request.build_absolute_uri(reverse("event", args=[report["event"]]))}
