"""Readers pay nothing for the desk: its layers stand round its own addresses only."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.urls import reverse
from simple_history.models import HistoricalRecords

from config.desk import DESK, middleware


class Seen:
    """Answers, and keeps what the layers had done to the request by then."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        self.knows_who_asks = getattr(HistoricalRecords.context, "request", None) is request
        self.asks_for_second_factor = hasattr(request.user, "is_verified")
        return HttpResponse()


@pytest.mark.django_db  # the epoch of forms
@pytest.mark.parametrize(
    ("address", "is_desk"),
    [("/", False), ("/events/the-cup/", False), ("/administration/", False), ("/admin/", True)],
)
def test_the_layers_of_the_desk_stand_round_its_addresses_only(address: str, is_desk: bool) -> None:
    request, seen = RequestFactory().get(address), Seen()
    request.user, request.session = AnonymousUser(), SessionStore()

    middleware(seen)(request)

    assert (seen.knows_who_asks, seen.asks_for_second_factor) == (is_desk, is_desk)


def test_the_desk_starts_where_its_addresses_do() -> None:
    assert reverse("admin:index") == DESK
