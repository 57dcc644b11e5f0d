"""The competitors of an event as its pages print them."""

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
    """Return the flag that the code had that year; nothing where there is none."""
    # None rather than a wrong one: flags change, and a code may have been another federation's.
    found = federation(code, year)
    if found is None or found.flag is None:
        return SafeString("")
    source = static(f"flags/{found.flag}.svg")
    return format_html('<img class="flag" src="{}" alt="" width="16" height="12" loading="lazy">', source)


class Flagged(Protocol):
    """A competitor with a code, and a flag of its own where that is another than the code's."""

    @property
    def code(self) -> str: ...
    @property
    def flag(self) -> str: ...


def country_of(event: Event, competitor: Flagged) -> str:
    """Return the code of the country; of a club or a city only the flag tells it, its code is its own."""
    return competitor.flag or (competitor.code if event.has_nations else "")


def flag_beside(event: Event, competitor: Flagged) -> SafeString:
    """Return the flag of a competitor's country in the year of the event."""
    return flag_of(country_of(event, competitor), year_of(event))


def code_beside(event: Event, competitor: Flagged) -> str:
    """Return the code as the pages of the event print it."""
    return printed_code(competitor.code, year_of(event)) if event.has_nations else competitor.code


def printed_code(code: str, year: int | None) -> str:
    """Return the code as a table prints it: an ISO country (`nl`) by its federation's code (`NED`)."""
    found = federation(code, year) if code.islower() else None
    return found.code if found else code


def year_of(event: Event) -> int | None:
    """Return the year the event was played in; None where that is not known."""
    return dates.year_of(event.start)
