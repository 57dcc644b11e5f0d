"""The competitors of an event as its pages print them."""

from functools import lru_cache
from typing import NamedTuple

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournaments.federations import federation
from tournaments.models import Competitor, Event


class Entry(NamedTuple):
    """One competitor, in the order of the crosstable's rows."""

    number: int
    name: str
    code: str
    flag: str
    title: str
    rating: int | None
    rating_class: str
    outside: bool
    withdrawn_after: int | None


def entries_of(event: Event) -> list[Entry]:
    """All competitors by number; one query."""
    rows = Competitor.objects.filter(event=event).order_by("number").values_list(*Entry._fields)
    return [Entry(*row) for row in rows]


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
    """The year the event was played in."""
    return int(event.start[:4]) if event.start else None
