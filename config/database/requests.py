"""A request has so much time, and every query in it what is left of it."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from config.database.deadlines import within

DESK = "/admin/"
"""Where organisers and arbiters work, whose files take longer than a reader's page."""


def middleware(answer: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Give each request its seconds: once they are over, its next query is refused with DatabaseBusyError."""

    def in_time(request: HttpRequest) -> HttpResponse:
        is_desk = request.path_info.startswith(DESK)
        with within(settings.DESK_SECONDS if is_desk else settings.READER_SECONDS):
            return answer(request)

    return in_time
