"""App configuration of the standings and their pages."""

from django.apps import AppConfig


class StandingsConfig(AppConfig):
    """Standings, their pages and commands."""

    name = "standings"
    verbose_name = "Standings"
