"""The admin under its own name."""

from importlib import import_module

from django.contrib.admin.apps import AdminConfig

LISTS = (
    "accounts.accounts",
    "competitors.competitors",
    "events.events",
    "pairings.lists",
    "rulings.records",
    "redirects",
)
"""The modules of `tournaments.admin` whose import registers lists of Django's admin."""


class DeskConfig(AdminConfig):
    """Django's admin, with the arbiter's desk as its site."""

    default_site = "tournaments.admin.site.DeskSite"

    def ready(self) -> None:
        """Register our screens once the packages have registered theirs: some of those are taken out."""
        super().ready()
        import_module("config.checks")
        for module in LISTS:
            import_module(f"tournaments.admin.{module}")  # only now: they need the models
