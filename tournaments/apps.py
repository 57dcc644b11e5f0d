"""The record: what happened."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class TournamentsConfig(AppConfig):
    """The record of events, competitors, rounds and results."""

    name = "tournaments"
    verbose_name = "Tournaments"

    def ready(self) -> None:
        """Have the triggers installed after every `migrate`; the models are loaded only now."""
        from tournaments.triggers import install_triggers  # noqa: PLC0415

        post_migrate.connect(install_triggers, sender=self)
