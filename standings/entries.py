"""The competitors of an event as its pages print them."""

from functools import lru_cache

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournaments import dates
from tournaments.arrays import Entry
from tournaments.crosstable import entries_of
from tournaments.federations import federation
from tournaments.models import Event

__all__ = ["Entry", "entries_of", "flag_of", "printed_code", "year_of"]


@lru_cache(maxsize=4096)
def flag_of(code: str, year: int | None) -> SafeString:
    """The flag that the code had that year; nothing where there is none, so that none is ever wrong."""
    found = federation(code, year)
    if found is None or found.flag is None:
        return SafeString("")
    source = static(f"flags/{found.flag}.svg")
    return format_html('<img class="flag" src="{}" alt="" width="16" height="12" loading="lazy">', source)


def printed_code(code: str, year: int | None) -> str:
    """The code as a table prints it: an ISO country (`nl`) by its federation's code (`NED`)."""
    found = federation(code, year) if code.islower() else None
    return found.code if found else code


def year_of(event: Event) -> int | None:
    """Return the year the event was played in; None where that is not known."""
    return dates.year_of(event.start)
