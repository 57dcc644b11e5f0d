"""The tests' settings for a site that stores what is posted to it, and never answers that if HOLD is 1."""

import os
from collections.abc import Callable
from threading import Event

from django.http import HttpRequest, HttpResponse

from tests.settings import *  # noqa: F403 - every setting is wanted

MIDDLEWARE = ["tests.browser.holding.hold_answers", *MIDDLEWARE]  # noqa: F405 - one of them


def hold_answers(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Keep the answer to every POST until the process is killed."""
    is_holding = os.environ["HOLD"] == "1"

    def carry(request: HttpRequest) -> HttpResponse:
        answer = get_response(request)
        if is_holding and request.method == "POST":
            Event().wait()
        return answer

    return carry
