"""Registration of the project's admin site."""

from importlib import import_module

from django.contrib.admin.apps import AdminConfig

LISTS = (
    "tournaments.accounts.admin",
    "tournaments.admin.competitors.competitors",
    "tournaments.admin.events.events",
    "tournaments.admin.records",
    "tournaments.admin.redirects",
)
"""Modules that register Django's admin pages when they are imported."""


class DeskConfig(AdminConfig):
    """Django's admin, with the arbiter's desk as its site."""

    default_site = "tournaments.admin.site.DeskSite"

    def ready(self) -> None:
        """Register our admin classes last, because some of them replace those of installed packages."""
        super().ready()
        import_module("config.checks")
        for module in LISTS:
            import_module(module)  # imported here because they need the models
