"""Error responses, with the id under which the error is logged."""

import json
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation

from config.trace.current import begin

API = "/api/"

WRITE_API = "/api/write/"

PROBLEM_TYPE = "application/problem+json"

FAULT = (
    "Something went wrong here. It is our fault, not yours, and has been recorded."
    " If you tell us about it, name this: {id}"
)

BARE_TYPE = "text/html; charset=utf-8"
BARE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Error · Crosstable</title>
<h1>Something went wrong here</h1>
<p>It is our fault, not yours, and has been recorded.
If you tell us about it, name this: <code>{id}</code></p>
<p lang="nl">Er ging hier iets mis. Het is onze fout, niet die van u, en is vastgelegd.
Als u het ons meldt, noem dan dit: <code>{id}</code></p>
</html>
"""
"""A page that needs no template, translation or settings."""


def server_error(request: HttpRequest) -> HttpResponse:
    """Return 500 with the request id: a page in the language of the URL, or JSON below `/api/`.

    Django logs the exception afterwards under the same id. If a middleware failed, the language is not active
    yet.
    """
    request_id = begin(request.META).id
    if request.path_info.startswith(API):
        told = problem(500, FAULT.format(id=request_id))
        return HttpResponse(told, status=500, content_type=PROBLEM_TYPE)
    language = translation.get_language_from_path(request.path_info) or settings.LANGUAGE_CODE
    with translation.override(language):
        return HttpResponse(render_to_string("500.html", {"request_id": request_id}), status=500)


def problem(status: int, detail: str, **more: object) -> str:
    """Return problem details in JSON (RFC 9457)."""
    told = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        **more,
    }
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def bare_page(request_id: str) -> bytes:
    """Return the page for errors outside of Django."""
    return BARE.replace("{id}", request_id).encode()
