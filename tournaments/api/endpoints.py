"""The write API as URLs: authentication by token, limits of requests, and the OpenAPI document.

Only a bearer token counts. The session of a browser is never read, so no CSRF protection is needed.
"""

from datetime import date
from functools import wraps
from typing import Any, cast

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from ninja import NinjaAPI, Schema
from ninja.errors import HttpError, Throttled, ValidationError
from ninja.security import HttpBearer
from ninja.throttling import SimpleRateThrottle
from pydantic import Field

from config.trace.errorpage import PROBLEM_TYPE, WRITE_API, problem
from tournaments.accounts.models import ApiToken
from tournaments.accounts.services.tokens import token_of
from tournaments.admin.permissions import View, events_of
from tournaments.api import files, homes, results
from tournaments.api.access import Action, ApiRequest, responses
from tournaments.interchange.formats.archives import most_bytes
from tournaments.operations.epoch import epoch_now
from tournaments.operations.restore_guard import checked_epoch
from tournaments.recording.refusal import Busy, Refused

JSON = "application/json"
MOST_JSON_BYTES = 1024 * 1024
MOST_FEED_BYTES = 4 * 1024 * 1024
RATE = "300/m"  # requests per token


class ApiTokenBearer(HttpBearer):
    def authenticate(self, request: HttpRequest, token: str) -> ApiToken | None:
        # A restored database has older revisions and versions, so its new epoch begins before they are used.
        cast("ApiRequest", request).epoch = checked_epoch(epoch_now(), {})
        return token_of(token)


class TokenThrottle(SimpleRateThrottle):
    def get_cache_key(self, request: HttpRequest) -> str:
        return f"api-token-{cast('ApiRequest', request).auth.pk}"


class WriteAPI(NinjaAPI):
    """A django-ninja API all of whose errors are problem details, also in its OpenAPI document."""

    @property
    def urls(self) -> Any:
        patterns, *names = super().urls
        for each in patterns:
            each.callback = _with_limits(cast("View", each.callback))
        return [*patterns, path("<path:other>", unknown)], *names

    def get_openapi_operation_id(self, operation: Any) -> str:
        return str(operation.view_func.__name__)

    def get_openapi_schema(self, **options: Any) -> Any:
        document = super().get_openapi_schema(**options)
        for operations in document["paths"].values():
            for operation in operations.values():
                operation.setdefault("parameters", [])
                for status, response in operation["responses"].items():
                    if status >= 400:
                        response["content"] = {PROBLEM_TYPE: response["content"].pop(JSON)}
        return document


def _with_limits(view: View) -> View:
    """Refuse bodies that are too large or of a wrong type before they are read, and rewrite 405."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        is_feed = request.path_info.endswith("/boards")
        is_file = is_feed or request.path_info.endswith("/file")
        most = MOST_FEED_BYTES if is_feed else most_bytes() if is_file else MOST_JSON_BYTES
        length = int(request.META.get("CONTENT_LENGTH") or 0)
        if length > most:
            return respond(413, f"The body may have {most} bytes at most. Send a smaller file.")
        kind = request.content_type or ""
        is_wrong = kind.startswith("multipart/") if is_file else kind != JSON
        if request.method == "PUT" and length and is_wrong:
            return respond(415, f"Send results as {JSON}, and a file as its bytes, not as a form.")
        response = view(request, *args, **kwargs)
        if response.status_code == 405:
            response.content = problem(405, f"This address has the methods {response['Allow']}.")
            response["Content-Type"] = PROBLEM_TYPE
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return answer


def respond(status: int, detail: str, **more: Any) -> HttpResponse:
    return HttpResponse(problem(status, detail, **more), status=status, content_type=PROBLEM_TYPE)


@csrf_exempt
def unknown(_request: HttpRequest, **_parts: str) -> HttpResponse:
    return respond(404, f"There is nothing at this address. {WRITE_API}openapi.json lists all addresses.")


api = WriteAPI(
    title="Crosstable: write API",
    version="1",
    description="Files and results from other programs. Each request needs a token of the desk.",
    urls_namespace="write-api",
    docs_url=None,
    auth=ApiTokenBearer(),
    throttle=[TokenThrottle(RATE)],
)
for router in (files.router, homes.router, results.router):
    api.add_router("", router)


class TokenData(Schema):
    name: str
    account: str = Field(alias="user.username")
    actions: list[Action]
    events: list[str] | None = Field(None, description="Slugs. Null: all events that the account may record.")
    ends: date | None = Field(description="The last day, in UTC.")

    @staticmethod
    def resolve_events(token: ApiToken) -> list[str] | None:
        own = events_of(token.user).filter(pk__in=token.events.all())
        return None if token.all_events else sorted(own.values_list("slug", flat=True))


@api.get("/token", response=responses(TokenData), tags=["token"], summary="What the token permits.")
def get_token(request: ApiRequest) -> ApiToken:
    return request.auth


def _respond_to_error(request: HttpRequest, error: Exception | type[Exception]) -> HttpResponse:
    if isinstance(error, Http404):
        return unknown(request)
    if isinstance(error, ValidationError):
        places = [".".join(map(str, each["loc"])) for each in error.errors]
        findings = [
            {"code": each["type"], "level": "error", "place": place, "text": each["msg"]}
            for each, place in zip(error.errors, places, strict=True)
        ]
        return respond(422, f"Correct these values: {', '.join(places)}.", findings=findings)
    if isinstance(error, Refused) and not isinstance(error, Busy):
        return respond(409, str(error))
    if not isinstance(error, HttpError):
        raise error  # handled by the middleware of outages, or an error of the server
    if error.status_code == 401:
        response = respond(401, "Send “Authorization: Bearer ct_…” with a valid token of the desk.")
        response["WWW-Authenticate"] = "Bearer"
        return response
    response = respond(error.status_code, str(error), **getattr(error, "more", {}))
    if isinstance(error, Throttled):
        response["Retry-After"] = str(int(error.wait or 0) + 1)
    return response


for kind in (Http404, ValidationError, HttpError, Exception):
    api.add_exception_handler(kind, _respond_to_error)
