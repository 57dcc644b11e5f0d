"""The admin under its own name."""

from django.contrib.admin.apps import AdminConfig


class DeskConfig(AdminConfig):
    """Django's admin, with the arbiter's desk as its site."""

    default_site = "tournaments.admin.site.DeskSite"

    def ready(self) -> None:
        """Register our screens once the packages have registered theirs: some of those are taken out."""
        super().ready()
        import tournaments.admin.screens  # noqa: F401, PLC0415 - the models are loaded only now
