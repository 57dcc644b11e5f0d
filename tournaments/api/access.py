"""What requests of the write API may do, and its errors: problem details (RFC 9457)."""

from typing import Any

from django.http import HttpRequest
from ninja import Schema
from pydantic import Field

from tournaments.accounts.models import ApiToken
from tournaments.admin.permissions import events_of
from tournaments.models import Event
from tournaments.operations.revision import with_epoch

Action = ApiToken.Action
RETRY_SECONDS = "2"

REFUSALS = {
    400: "The body is not JSON.",
    401: "There is no token, or it is unknown, revoked or ended.",
    403: "The token or its account may not do this.",
    404: "There is no such address, event, round or table.",
    405: "The address has other methods.",
    409: "The data have changed since they were read.",
    412: "The event has another revision than If-Match.",
    413: "The body is too large.",
    415: "The body has the wrong media type.",
    422: "The request or the file was refused, with findings.",
    429: "There are too many requests.",
    503: "The site is busy or cannot write now.",
}
"""The status of each error, with its meaning."""


class FindingData(Schema):
    code: str
    level: str = Field(description="error, objection or warning")
    place: str
    text: str
    answer: str | None = Field(None, description="The query parameter that answers it.")


class ProblemData(Schema):
    """Problem details (RFC 9457). A conflict of a result has the stored value."""

    type: str = Field(examples=["about:blank"])
    title: str
    status: int
    detail: str
    findings: list[FindingData] | None = None
    changes: list[str] | None = None
    result: str | None = None
    version: int | None = None
    by: str | None = None
    at: str | None = None


class TokenData(Schema):
    name: str
    account: str
    actions: list[Action]
    events: list[str] | None = Field(description="Slugs. Null: all events that the account may record.")
    ends: str | None = Field(description="Last day, in UTC.")


class ApiRequest(HttpRequest):
    """A request with a valid token. `epoch`: that of the database."""

    auth: ApiToken
    epoch: str


class ProblemError(Exception):
    """Raise this to respond with problem details. `more`: further members."""

    def __init__(self, status: int, detail: str, **more: Any) -> None:
        super().__init__(detail)
        self.status, self.detail, self.more = status, detail, more


def refusals(*more: int) -> dict[Any, Any]:
    """Return the error responses of an operation: those of every operation, and `more`."""
    return dict.fromkeys(sorted({401, 403, 404, 429, 503, *more}), ProblemData)


def token_data(given: ApiToken) -> dict[str, Any]:
    slugs = events_of(given.user).filter(pk__in=given.events.all()).values_list("slug", flat=True)
    return {
        "name": given.name,
        "account": given.user.get_username(),
        "actions": given.actions,
        "events": None if given.all_events else sorted(slugs),
        "ends": given.ends.isoformat() if given.ends else None,
    }


def require_action(request: ApiRequest, action: Action) -> None:
    if action not in request.auth.actions:
        raise ProblemError(403, f"The token lacks the action “{action}”. Create a token with it at the desk.")


def find_event(request: ApiRequest, slug: str) -> Event | None:
    """Return the event with its epoch, None if the account has no such event.

    An event of other arbiters is None too, so that nobody learns about drafts.
    """
    event = with_epoch(events_of(request.auth.user)).filter(slug=slug).first()
    if event and not (request.auth.all_events or request.auth.events.filter(pk=event.pk).exists()):
        raise ProblemError(403, f"The token lacks the event “{slug}”. Create a token with it at the desk.")
    return event


def event_to_record(request: ApiRequest, slug: str, action: Action) -> Event:
    require_action(request, action)
    event = find_event(request, slug)
    if event is None:
        raise ProblemError(404, f"The account may record no event “{slug}”. Check the address of the event.")
    return event
