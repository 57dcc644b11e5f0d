"""What a request of the write API may do, and its errors: problem details (RFC 9457)."""

from typing import Any

from django.http import HttpRequest
from ninja import Schema
from ninja.errors import HttpError
from pydantic import Field

from tournaments.accounts.models import ApiToken
from tournaments.admin.permissions import events_of
from tournaments.models import Event
from tournaments.operations.revision import with_epoch

Action = ApiToken.Action


class FindingData(Schema):
    code: str
    level: str = Field(description="error, objection or warning")
    place: str
    text: str
    answer: str | None = Field(None, description="The query parameter that answers it, if there is one.")


class ProblemData(Schema):
    """Problem details. Those of a refused file have findings, those of a conflict the stored result."""

    type: str
    title: str
    status: int
    detail: str
    findings: list[FindingData] | None = None
    changes: list[str] | None = None
    result: str | None = None
    version: str | None = None
    by: str | None = None
    at: str | None = None


class ApiRequest(HttpRequest):
    """A request with a valid token. `epoch`: that of the database."""

    auth: ApiToken
    epoch: str


class ProblemError(HttpError):
    """Raise this to respond with problem details. `more`: further members."""

    def __init__(self, status: int, detail: str, **more: Any) -> None:
        super().__init__(status, detail)
        self.more = more


def responses(answer: Any, *more: int) -> dict[Any, Any]:
    """Return the responses of an operation: its answer, the errors of every operation, and `more`."""
    return {200: answer, **dict.fromkeys(sorted({401, 403, 404, 429, 503, *more}), ProblemData)}


def require_action(request: ApiRequest, action: Action) -> None:
    if action not in request.auth.actions:
        raise ProblemError(403, f"The token lacks the action “{action}”. Create a token with it at the desk.")


def find_event(request: ApiRequest, slug: str) -> Event | None:
    """Return the event, None if there is none or it is one of other arbiters, which may be a draft."""
    event = with_epoch(events_of(request.auth.user)).filter(slug=slug).first()
    if event and not (request.auth.all_events or request.auth.events.filter(pk=event.pk).exists()):
        raise ProblemError(403, f"The token lacks the event “{slug}”. Create a token with it at the desk.")
    return event


def require_event(request: ApiRequest, slug: str) -> Event:
    event = find_event(request, slug)
    if event is None:
        raise ProblemError(404, f"The account may record no event “{slug}”. Check the address of the event.")
    return event
