"""The URLs of the site, and an empty view."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from config.urls import urlpatterns as site


def empty(_request: HttpRequest) -> HttpResponse:
    """Measures the middleware only."""
    return HttpResponse()


urlpatterns = [path("empty/", empty), *site]
