"""Federation codes of chess and draughts: whose they are and which flag may stand beside them.

The facts are in federations.json, a row for each bearer of a code: its codes (the usual one first; two
lower-case letters are the ISO country's), its name, and its flag, a file of static/flags/, with the year it
came into use where another one flew before. Rows with years are bearers of the past, and a row without a flag
has none that we could show rightly. A code that nobody bore in that year is nobody's: it is shown as text.
"""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

ROWS = Path(__file__).with_suffix(".json")

LOCATED = {"TPE": "tw", "MKD": "mk", "RUS": "ru"}
"""Federations that have a place on a map under another name than a country's."""


@dataclass(frozen=True)
class Federation:
    """The bearer of a code; `flag` is a key of static/flags/<key>.svg, None where no flag is right."""

    code: str
    name: str
    flag: str | None


@dataclass(frozen=True)
class Bearer:
    """A federation with all its codes and the years in which they, and its flag, were its own."""

    federation: Federation
    codes: tuple[str, ...]
    first_year: int | None
    last_year: int | None
    flag_since: int | None

    @property
    def historical(self) -> bool:
        """Say whether it bore its codes in some years only."""
        return self.first_year is not None

    def bore_in(self, year: int) -> bool:
        """Say whether the codes were its own in that year."""
        return (self.first_year or year) <= year <= (self.last_year or year)

    def in_year(self, year: int | None) -> Federation:
        """Return the federation with the flag of that year; today's where no year is given."""
        if year and self.flag_since and year < self.flag_since:
            # Another flag flew then, and showing none is better than showing a wrong one.
            return replace(self.federation, flag=None)
        return self.federation


def federation(code: str, year: int | None = None) -> Federation | None:
    """Return who bore the code in that year, else today or last."""
    found = bearer_of(code, year)
    return found.in_year(year) if found else None


def location_of(code: str, year: int | None = None) -> str:
    """Return where on a map of today the bearer of the code is; blank where it is on none.

    That is the country's ISO code, or of a nation of the United Kingdom the key of its flag.
    """
    found = bearer_of(code, year)
    if found is None:
        return ""
    country = next((each for each in found.codes if each.islower()), "")
    flag = found.federation.flag or ""
    nation = flag if flag.startswith("gb-") else ""
    return country or nation or LOCATED.get(found.federation.code, "")


def bearer_of(code: str, year: int | None) -> Bearer | None:
    """Return who bore the code in that year, else today or last, with all its years; a number is left out."""
    # The digits are a team's number: GEO2 is Georgia's second team.
    rows = _bearers_by_code().get(code.rstrip("0123456789"), ())
    past = [bearer for bearer in rows if bearer.historical]
    present = [bearer for bearer in rows if not bearer.historical]
    if year is None:
        found = present or past[-1:]
    else:
        # Rows without years are today's bearers, who may have borne the code then too.
        found = [bearer for bearer in past if bearer.bore_in(year)] or present
    return found[0] if found else None


def code_of_name(name: str, *, with_past: bool = False) -> str:
    """Return the usual code of the federation of today with that name, blank where there is none.

    `with_past`: else that of one of the past, such as the Soviet Union.
    """
    sought = name.strip().casefold()
    named = [each for each in bearers() if each.federation.name.casefold() == sought]
    named.sort(key=lambda each: each.historical)
    return next((each.federation.code for each in named if with_past or not each.historical), "")


@cache
def bearers() -> tuple[Bearer, ...]:
    """Return every row of federations.json: by the usual code, a code's past bearers oldest first."""
    return tuple(_bearer(**row) for row in json.loads(ROWS.read_text(encoding="utf-8")))


def _bearer(
    codes: Iterable[str],
    name: str,
    flag: str | None = None,
    flag_since: int | None = None,
    first_year: int | None = None,
    last_year: int | None = None,
) -> Bearer:
    code, *others = codes
    return Bearer(Federation(code, name, flag), (code, *others), first_year, last_year, flag_since)


@cache
def _bearers_by_code() -> dict[str, list[Bearer]]:
    found = defaultdict(list)
    for bearer in bearers():
        for code in bearer.codes:
            found[code].append(bearer)
    return dict(found)
