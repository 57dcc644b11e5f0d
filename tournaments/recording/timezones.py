"""The time zone of an event, proposed from its country and place by the IANA's table of zones."""

from functools import cache
from importlib.resources import files
from typing import NamedTuple

from tournaments.event.federations import location_of
from tournaments.recording.seating import folded

_MAIN = ("mainland", "most of", "peninsula", "Beijing Time")


class Zone(NamedTuple):
    """A row of the table: the country's ISO code in small letters, the zone, its part of the country."""

    country: str
    name: str
    part: str

    @property
    def city(self) -> str:
        """Return the city that names the zone, folded."""
        return folded(self.name.rpartition("/")[2].replace("_", " "))


@cache  # tzdata comes with icalendar
def _zones() -> tuple[Zone, ...]:
    table = (files("tzdata") / "zoneinfo" / "zone.tab").read_text()
    rows = (line.split("\t") for line in table.splitlines() if line and not line.startswith("#"))
    return tuple(Zone(row[0].lower(), row[2], row[3] if len(row) > 3 else "") for row in rows)


def propose_time_zone(country: str, place: str) -> str:
    """Return the time zone of a place; blank if country and place allow several, or are not known.

    `country` is a federation's code. Without it, only a city that names a zone is known.
    """
    code = location_of(country)[:2] if country else ""
    if country and not code:
        return ""
    there = [each for each in _zones() if code in ("", each.country)]
    city = folded(place.partition(",")[0].partition("(")[0]).strip()
    named = [each for each in there if each.city == city]
    if not named and code:
        named = there if len(there) == 1 else [each for each in there if _is_main(each)]
    return named[0].name if len(named) == 1 else ""


def _is_main(zone: Zone) -> bool:
    return any(word in zone.part for word in _MAIN) and "-" not in zone.part
