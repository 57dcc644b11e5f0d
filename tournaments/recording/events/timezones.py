"""Suggest the time zone of an event from its country and place, by IANA's zone table."""

from functools import cache
from importlib.resources import files
from typing import NamedTuple

from tournaments.event.federations import location_of
from tournaments.recording.pairings.pasted_pairings import fold_text

_MAIN = ("mainland", "most of", "peninsula", "Beijing Time")
"""Texts in zone.tab that mark the main zone of a country with several zones."""


class Zone(NamedTuple):
    """A row of the table: ISO country code in lower case, zone, part of the country."""

    country: str
    name: str
    part: str

    @property
    def city(self) -> str:
        return fold_text(self.name.rpartition("/")[2].replace("_", " "))


@cache  # tzdata comes with icalendar
def _time_zones() -> tuple[Zone, ...]:
    table = (files("tzdata") / "zoneinfo" / "zone.tab").read_text()
    rows = (line.split("\t") for line in table.splitlines() if line and not line.startswith("#"))
    return tuple(Zone(row[0].lower(), row[2], row[3] if len(row) > 3 else "") for row in rows)


def propose_time_zone(country: str, place: str) -> str:
    """Return the time zone of a place. Blank if country and place are ambiguous or unknown.

    `country`: code of a federation. If it is blank, only cities in names of zones are found.
    """
    code = location_of(country)[:2] if country else ""
    if country and not code:
        return ""
    zones = [each for each in _time_zones() if code in ("", each.country)]
    city = fold_text(place.partition(",")[0].partition("(")[0]).strip()
    matching = [each for each in zones if each.city == city]
    if not matching and code:
        matching = (
            zones
            if len(zones) == 1
            else [each for each in zones if any(word in each.part for word in _MAIN) and "-" not in each.part]
        )
    return matching[0].name if len(matching) == 1 else ""
