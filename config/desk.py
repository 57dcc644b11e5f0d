"""What only the desk needs of every request: readers do not pay for it."""

from collections.abc import Callable

from axes.middleware import AxesMiddleware
from django.http import HttpRequest, HttpResponse
from django_otp.middleware import OTPMiddleware
from simple_history.middleware import HistoryRequestMiddleware

Answer = Callable[[HttpRequest], HttpResponse]

DESK = "/admin/"
"""Where every address of the desk starts."""

LAYERS: tuple[Callable[[Answer], Answer], ...] = (
    HistoryRequestMiddleware,  # who is asking, for the history of what a form saves
    OTPMiddleware,  # whether he has shown his second factor
    AxesMiddleware,  # tells who tried too often to log in
)
"""Outermost first."""


def middleware(answer: Answer) -> Answer:
    """The layers round an answer of the desk; any other is given as it is."""
    at_the_desk = answer
    for layer in reversed(LAYERS):
        at_the_desk = layer(at_the_desk)

    def either(request: HttpRequest) -> HttpResponse:
        is_desk = request.path_info.startswith(DESK)
        return at_the_desk(request) if is_desk else answer(request)

    return either
