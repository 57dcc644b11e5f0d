"""The desk's own middleware, for which readers do not pay."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django_otp.middleware import OTPMiddleware
from simple_history.middleware import HistoryRequestMiddleware

from tournaments.admin import epochs
from tournaments.admin.accounts.throttle import finish
from tournaments.sessions import touch

Answer = Callable[[HttpRequest], HttpResponse]

DESK = "/admin/"
"""Where every address of the desk starts."""

LAYERS: tuple[Callable[[Answer], Answer], ...] = (
    HistoryRequestMiddleware,  # who is asking, for the history of what a form saves
    OTPMiddleware,  # whether he has shown his second factor
    epochs.layer,  # whether a form was made before a restore
)
"""Outermost first."""


def kept_for_the_way_back(response: HttpResponse) -> HttpResponse:
    """Return the answer; the browser may show it again on its way back where it answered a form.

    Django's admin forbids browsers to store anything; then the way back to a preview is an error of the
    browser, which asks for a form to be sent again.
    """
    if getattr(response, "is_for_the_way_back", False):
        response["Cache-Control"] = "private, no-cache"
    return response


def middleware(answer: Answer) -> Answer:
    """Return the layers round an answer of the desk; any other is given as it is."""
    at_the_desk = answer
    for layer in reversed(LAYERS):
        at_the_desk = layer(at_the_desk)

    def either(request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(DESK):
            return answer(request)
        response = kept_for_the_way_back(at_the_desk(request))
        touch(request.session)
        return finish(request, response)

    return either
