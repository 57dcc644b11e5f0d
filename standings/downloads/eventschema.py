"""The JSON Schema of event files at a URL that is permanent for the version."""

from functools import cache
from hashlib import blake2b

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import condition

from standings.caching.cached_pages import read_only
from tournaments.interchange.formats.json.schema import schema_text

CONTENT_TYPE = "application/schema+json"
FRESH = 24 * 60 * 60
"""The cache lifetime in seconds. Only optional keys are ever added to a version."""


def schema_address(request: HttpRequest | None = None) -> str:
    """Return the permanent URL of the schema: on `SITE_ADDRESS`, else on the requested host.

    Blank if neither is known.
    """
    path = reverse("event-schema")
    if settings.SITE_ADDRESS:
        return f"{settings.SITE_ADDRESS}{path}"
    return request.build_absolute_uri(path) if request else ""


@cache
def schema_of_site(address: str = "") -> str:
    return schema_text(address)


def _schema_etag(request: HttpRequest) -> str:
    text = schema_of_site(schema_address(request))
    return f'W/"{blake2b(text.encode(), digest_size=12).hexdigest()}"'


@read_only
@condition(etag_func=_schema_etag)
def event_schema_view(request: HttpRequest) -> HttpResponse:
    return HttpResponse(
        schema_of_site(schema_address(request)),
        headers={
            "Content-Type": CONTENT_TYPE,
            "Cache-Control": f"public, max-age={FRESH}",
        },
    )
