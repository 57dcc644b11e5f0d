"""The judgement: who stands where, and why."""

from django.apps import AppConfig


class StandingsConfig(AppConfig):
    """Standings, their pages and commands."""

    name = "standings"
    verbose_name = "Standings"
