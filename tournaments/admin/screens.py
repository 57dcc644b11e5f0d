"""Every screen that Django's admin lists; importing this registers them, after the packages' own."""

from tournaments.admin import accounts, competitors, events, record, redirects, rounds

__all__ = ["accounts", "competitors", "events", "record", "redirects", "rounds"]
