"""The write API as URLs: authentication by token, limits of requests, and the OpenAPI document.

Only a bearer token counts. The session of a browser is never read, so no CSRF protection is needed.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from ninja import NinjaAPI
from ninja.errors import HttpError, Throttled, ValidationError
from ninja.security import HttpBearer
from ninja.throttling import SimpleRateThrottle

from config.trace.errorpage import PROBLEM_TYPE, WRITE_API, problem
from tournaments.accounts.models import ApiToken
from tournaments.accounts.services.tokens import token_of
from tournaments.api import files, homes, results
from tournaments.api.access import REFUSALS, ApiRequest, ProblemError, TokenData, refusals, token_data
from tournaments.interchange.formats.archives import most_bytes
from tournaments.operations.epoch import epoch_now
from tournaments.operations.restore_guard import checked_epoch

JSON = "application/json"
MOST_JSON_BYTES = 1024 * 1024
MOST_FEED_BYTES = 4 * 1024 * 1024
RATE = "300/m"  # requests per token

Answer = Callable[..., HttpResponse]


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
            each.callback = _with_limits(each.callback)
        return [*patterns, path("<path:other>", unknown)], *names

    def get_openapi_operation_id(self, operation: Any) -> str:
        return str(operation.view_func.__name__)

    def get_openapi_schema(self, **options: Any) -> Any:
        document = super().get_openapi_schema(**options)
        for operations in document["paths"].values():
            for operation in operations.values():
                operation.setdefault("parameters", [])
                for status, response in operation["responses"].items():
                    if status in REFUSALS:
                        response["description"] = REFUSALS[status]
                        response["content"] = {PROBLEM_TYPE: response["content"][JSON]}
        return document


def _with_limits(view: Answer) -> Answer:
    """Refuse bodies that are too large or of a wrong type before they are read, and rewrite 405."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        is_file, is_feed = (request.path_info.endswith(f"/{name}") for name in ("file", "boards"))
        most = most_bytes() if is_file else MOST_FEED_BYTES if is_feed else MOST_JSON_BYTES
        kind = request.content_type or ""
        length = int(request.META.get("CONTENT_LENGTH") or 0)
        if length > most:
            return respond(413, f"The body may have {most} bytes at most. Send a smaller file.")
        if request.method == "PUT" and length and not (is_file or is_feed) and kind != JSON:
            return respond(415, f"Send the body as {JSON}.")
        if request.method == "PUT" and kind.startswith("multipart/"):
            return respond(415, "Send the bytes of the file as the body, not as a form.")
        response = view(request, *args, **kwargs)
        if response.status_code == 405:
            allowed = response["Allow"]
            response = respond(405, f"This address has the methods {allowed}.")
            response["Allow"] = allowed
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return answer


def respond(status: int, detail: str, **more: Any) -> HttpResponse:
    response = HttpResponse(problem(status, detail, **more), status=status, content_type=PROBLEM_TYPE)
    response["Cache-Control"] = "no-store"
    return response


def unknown(_request: HttpRequest, **_parts: str) -> HttpResponse:
    return respond(404, f"There is nothing at this address. {WRITE_API}openapi.json lists all addresses.")


unknown.csrf_exempt = True  # type: ignore[attr-defined]  # read by Django

api = WriteAPI(
    title="Crosstable: write API",
    version="1",
    description="Files, results and live boards from other programs. Each request needs a token of the desk.",
    urls_namespace="write-api",
    docs_url=None,
    auth=ApiTokenBearer(),
    throttle=[TokenThrottle(RATE)],
)


for router in (files.router, homes.router, results.router):
    api.add_router("", router)


@api.get("/token", response={200: TokenData, **refusals()}, tags=["token"], summary="What the token permits.")
def token(request: ApiRequest) -> dict[str, Any]:
    return token_data(request.auth)


@api.exception_handler(ProblemError)
def _problem(_request: HttpRequest, error: ProblemError) -> HttpResponse:
    return respond(error.status, error.detail, **error.more)


@api.exception_handler(Http404)
def _not_found(request: HttpRequest, _error: Http404) -> HttpResponse:
    return unknown(request)


@api.exception_handler(HttpError)
def _http_error(_request: HttpRequest, error: HttpError) -> HttpResponse:
    detail = str(error)
    if error.status_code == 401:
        detail = "There is no valid token. Send “Authorization: Bearer ct_…”; tokens are created at the desk."
    response = respond(error.status_code, detail)
    if error.status_code == 401:
        response["WWW-Authenticate"] = "Bearer"
    if isinstance(error, Throttled):
        response["Retry-After"] = str(int(error.wait or 0) + 1)
    return response


@api.exception_handler(ValidationError)
def _invalid(_request: HttpRequest, error: ValidationError) -> HttpResponse:
    places = [".".join(map(str, each["loc"])) for each in error.errors]
    findings = [
        {"code": each["type"], "level": "error", "place": place, "text": each["msg"]}
        for each, place in zip(error.errors, places, strict=True)
    ]
    return respond(422, f"These values are not valid: {', '.join(places)}. Correct them.", findings=findings)


@api.exception_handler(Exception)
def _fault(_request: HttpRequest, error: Exception) -> HttpResponse:
    raise error  # handled by the middleware of outages, or an error of the server
