"""App configuration of the record of events."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class TournamentsConfig(AppConfig):
    """The record of events, competitors, rounds and results."""

    name = "tournaments"
    verbose_name = "Tournaments"

    def ready(self) -> None:
        """Install triggers and roles after, and remove triggers before, every `migrate`."""
        from tournaments.accounts.services.roles import install_roles  # noqa: PLC0415 - the models are loaded only now
        from tournaments.operations.compatibility import refuse_to_migrate  # noqa: PLC0415 - the same
        from tournaments.operations.epoch import ensure_epoch  # noqa: PLC0415 - the same
        from tournaments.operations.restore_guard import check_before_migrate  # noqa: PLC0415 - the same
        from tournaments.operations.triggers import install_triggers, set_triggers_aside  # noqa: PLC0415 - the same
        from tournaments.people.services.hiding import hide_after_migrate, listen  # noqa: PLC0415 - the same
        from tournaments.recording.rebuild import rebuild_stale_indexes  # noqa: PLC0415 - the same

        listen()
        pre_migrate.connect(refuse_to_migrate, sender=self)
        pre_migrate.connect(check_before_migrate, sender=self)
        pre_migrate.connect(set_triggers_aside, sender=self)
        post_migrate.connect(install_triggers, sender=self)
        post_migrate.connect(ensure_epoch, sender=self)
        post_migrate.connect(hide_after_migrate, sender=self)
        post_migrate.connect(rebuild_stale_indexes, sender=self)
        post_migrate.connect(install_roles, sender=self)
