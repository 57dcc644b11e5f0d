"""Federation codes of chess and draughts: the federations that use them, and their flags.

federations.json has a row for each bearer of a code: its codes (the usual one first; two lower-case letters
are the ISO code of the country), its name, and its flag, a file of static/flags/, with its first year if
there was another flag before. Rows with years are bearers of the past. A row without a flag has none that
would be correct. A code without a bearer in that year is shown as text.
"""

import json
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cache
from gettext import GNUTranslations
from pathlib import Path
from unicodedata import combining, normalize

import pycountry
from django.conf import settings
from django.utils import translation
from django.utils.translation import pgettext

ROWS = Path(__file__).with_suffix(".json")

LOCATED = {"TPE": "tw", "MKD": "mk", "RUS": "ru"}
"""Federations that a map shows under the key of another name."""

LANGUAGES_OF_COUNTRIES = (
    *("ar", "az", "be", "bg", "cs", "da", "de", "el", "es", "et", "fa", "fi", "fr", "he", "hr", "hu", "hy"),
    *("id", "it", "ja", "ka", "kk", "ko", "lt", "lv", "nb_NO", "nl", "pl", "pt", "ro", "ru", "sk", "sl"),
    *("sr", "sv", "tr", "uk", "uz", "zh_CN"),
)
"""Languages of federations. All 150 take long to read, and in some a country has the name of another one."""

_OTHER_NAMES = {
    "great britain": "GBR",
    "turkey": "TUR",
    "holanda": "NED",
    "czech republic": "CZE",
    "сша": "USA",
}
_OTHER_NAMES |= dict.fromkeys(("россия", "russie", "russland", "rusia"), "RUS")


@dataclass(frozen=True)
class Federation:
    """The bearer of codes, and the years in which it had these and its flag.

    `codes`: the usual one first. `flag`: the key of static/flags/<key>.svg, None if no flag is correct.
    """

    codes: tuple[str, ...]
    name: str
    flag: str | None = None
    flag_since: int | None = None
    first_year: int | None = None
    last_year: int | None = None

    @property
    def code(self) -> str:
        return self.codes[0]

    @property
    def historical(self) -> bool:
        return self.first_year is not None


def federation(code: str, year: int | None = None) -> Federation | None:
    found = bearer_of(code, year)
    if found and year and found.flag_since and year < found.flag_since:
        # There was another flag then, and no flag is better than a wrong one.
        return replace(found, flag=None)
    return found


def location_of(code: str, year: int | None = None) -> str:
    """Return the key of the federation on a current map; else blank.

    The key is the ISO code of the country; for a nation of the United Kingdom the key of its flag.
    """
    found = bearer_of(code, year)
    if found is None:
        return ""
    country = next((each for each in found.codes if each.islower()), "")
    flag = found.flag or ""
    nation = flag if flag.startswith("gb-") else ""
    return country or nation or LOCATED.get(found.code, "")


def bearer_of(code: str, year: int | None) -> Federation | None:
    """Return the bearer of the code in that year, else the current or the last one. A number is ignored."""
    # The digits are a team's number: GEO2 is Georgia's second team.
    rows = _bearers_by_code().get(code.rstrip("0123456789"), ())
    past = [bearer for bearer in rows if bearer.historical]
    present = [bearer for bearer in rows if not bearer.historical]
    if year is None:
        found = present or past[-1:]
    else:
        # Rows without years are current bearers, which may have had the code then too.
        then = [each for each in past if (each.first_year or year) <= year <= (each.last_year or year)]
        found = then or present
    return found[0] if found else None


def code_of_name(name: str, *, with_past: bool = False) -> str:
    """Return the usual code of the current federation with that name in any language, else blank.

    `with_past`: if there is none, that of a former federation, such as the Soviet Union.
    """
    present, past = _codes_by_name()
    sought = _plain_name(name).removeprefix("the ")
    return present.get(sought, "") or (past.get(sought, "") if with_past else "")


def names_of_countries() -> list[tuple[str, str]]:
    """Return the names of countries in many languages, each with the ISO code of the country."""
    found = []
    for language in LANGUAGES_OF_COUNTRIES:
        with Path(pycountry.LOCALES_DIR, language, "LC_MESSAGES", "iso3166-1.mo").open("rb") as file:
            translated = GNUTranslations(file).gettext
        found += [
            (translated(getattr(each, "common_name", each.name)), each.alpha_2.lower())
            for each in pycountry.countries
        ]
    return found


def _plain_name(name: str) -> str:
    plain = "".join(sign for sign in normalize("NFKD", name.casefold()) if not combining(sign))
    return " ".join(plain.split())


@cache
def _codes_by_name() -> tuple[dict[str, str], dict[str, str]]:
    codes = {location_of(each.code): each.code for each in bearers()}
    present = {_plain_name(name): codes[iso] for name, iso in names_of_countries() if iso in codes}
    past: dict[str, str] = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            for each in bearers():
                names = past if each.historical else present
                names |= {
                    _plain_name(name): each.code for name in (each.name, pgettext("federation", each.name))
                }
    return present | _OTHER_NAMES, past


@cache
def bearers() -> tuple[Federation, ...]:
    rows = json.loads(ROWS.read_text(encoding="utf-8"))
    return tuple(Federation(**row | {"codes": tuple(row["codes"])}) for row in rows)


@cache
def _bearers_by_code() -> dict[str, list[Federation]]:
    found = defaultdict(list)
    for bearer in bearers():
        for code in bearer.codes:
            found[code].append(bearer)
    return dict(found)
