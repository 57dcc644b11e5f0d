"""Middleware for the desk only, so that it costs nothing on public pages."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django_otp.middleware import OTPMiddleware
from simple_history.middleware import HistoryRequestMiddleware

from tournaments.accounts.services.login_delays import finish_attempt
from tournaments.accounts.services.sessions import update_last_seen
from tournaments.admin import epochs

Answer = Callable[[HttpRequest], HttpResponse]

DESK = "/admin/"
"""Prefix of all URLs of the desk."""

LAYERS: tuple[Callable[[Answer], Answer], ...] = (
    HistoryRequestMiddleware,  # records the user in the history of saved rows
    OTPMiddleware,  # sets whether the user is verified by a second factor
    epochs.layer,  # refuses forms that were rendered before a restore
)
"""Outermost first."""


def kept_for_the_way_back(response: HttpResponse) -> HttpResponse:
    """Let the browser cache the response to a form, for the back button.

    Django's admin sends no-store. Without this, going back to a preview shows the browser's request to send
    the form again.
    """
    if getattr(response, "is_for_the_way_back", False):
        response["Cache-Control"] = "private, no-cache"
    return response


def middleware(answer: Answer) -> Answer:
    """Apply the middleware above to requests of the desk."""
    at_the_desk = answer
    for layer in reversed(LAYERS):
        at_the_desk = layer(at_the_desk)

    def either(request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(DESK):
            return answer(request)
        response = kept_for_the_way_back(at_the_desk(request))
        update_last_seen(request.session)
        return finish_attempt(request, response)

    return either
