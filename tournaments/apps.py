"""The record: what happened."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """The record of events, competitors, rounds and results."""

    name = "tournaments"
    verbose_name = "Tournaments"
