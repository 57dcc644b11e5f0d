"""The tests' settings behind a slow network: LATENCY seconds, half on the way in, half on the way out."""

import os
import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from tests.settings import *  # noqa: F403 - every setting is wanted

MIDDLEWARE = ["tests.browser.slow.network", *MIDDLEWARE]  # noqa: F405 - one of them


def network(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Keeps every request and every answer on the way for a while; scripts and styles the browser has."""
    half = float(os.environ["LATENCY"]) / 2

    def carry(request: HttpRequest) -> HttpResponse:
        pause = 0 if request.path.startswith("/static/") else half
        time.sleep(pause)
        answer = get_response(request)
        time.sleep(pause)
        return answer

    return carry
