"""The addresses of the site, and one that does nothing."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from config.urls import urlpatterns as site


def empty(_request: HttpRequest) -> HttpResponse:
    """What the middleware alone costs."""
    return HttpResponse()


urlpatterns = [path("empty/", empty), *site]
