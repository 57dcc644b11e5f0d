"""Test settings for a site that stores posted data but, if HOLD is 1, never responds to a POST."""

import os
from collections.abc import Callable
from threading import Event

from django.http import HttpRequest, HttpResponse

from tests.settings import *  # noqa: F403 - all settings

MIDDLEWARE = ["tests.browser.holding.hold_answers", *MIDDLEWARE]  # noqa: F405 - from the same import


def hold_answers(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Block the response to every POST until the process is killed."""
    is_holding = os.environ["HOLD"] == "1"

    def carry(request: HttpRequest) -> HttpResponse:
        answer = get_response(request)
        if is_holding and request.method == "POST":
            Event().wait()
        return answer

    return carry
