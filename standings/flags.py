"""Flags and federation codes of competitors, as printed on the pages of an event."""

from functools import lru_cache
from typing import Protocol

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournaments.event import dates
from tournaments.event.federations import federation
from tournaments.models import Event


@lru_cache(maxsize=4096)
def flag_of(code: str, year: int | None) -> SafeString:
    """Return the flag of the code in that year; empty if there is none."""
    # No flag is better than a wrong one: flags change, and a code may have belonged to another federation.
    found = federation(code, year)
    if found is None or found.flag is None:
        return SafeString("")
    source = static(f"flags/{found.flag}.svg")
    return format_html('<img class="flag" src="{}" alt="" width="16" height="12" loading="lazy">', source)


class Flagged(Protocol):
    """A competitor with a code, and with a flag if that differs from the code's."""

    @property
    def code(self) -> str: ...
    @property
    def flag(self) -> str: ...


def country_of(event: Event, competitor: Flagged) -> str:
    """Return the country code: the flag's for a club or a city, whose code is not a country."""
    return competitor.flag or (competitor.code if event.has_nations else "")


def flag_html(event: Event, competitor: Flagged) -> SafeString:
    return flag_of(country_of(event, competitor), year_of(event))


def code_beside(event: Event, competitor: Flagged) -> str:
    return printed_code(competitor.code, year_of(event)) if event.has_nations else competitor.code


def printed_code(code: str, year: int | None) -> str:
    """Return the code for tables: the federation's code (`NED`) for an ISO country (`nl`)."""
    found = federation(code, year) if code.islower() else None
    return found.code if found else code


def year_of(event: Event) -> int | None:
    return dates.parse_year(event.start)
