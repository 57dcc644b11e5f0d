"""Every code of a federation as the page of codes prints it: whose, in which years, under which flag."""

from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.entries import flag_of
from standings.words import name_of_federation
from tournaments.federations import Bearer, bearers, federation


class Code(NamedTuple):
    """A code, and the anchor of the line that tells of it: the code, with a year where that is taken."""

    text: str
    anchor: str


class Line(NamedTuple):
    """A federation: its codes, the usual one first, and who bears that one in other years."""

    codes: list[Code]
    name: str
    flag: SafeString
    flag_since: int | None
    years: str
    otherwise: str


def lines() -> tuple[list[Line], list[Line]]:
    """The federations of today by name, and those that bore their codes in certain years only, by code."""
    taken: set[str] = set()
    today = [_line(each, taken) for each in bearers() if not each.historical]
    certain = [_line(each, taken) for each in bearers() if each.historical]
    return sorted(today, key=lambda line: line.name), certain


def anchor_of(code: str) -> str:
    """The anchor of a code as it stands beside a competitor (GEO2); empty where the page has no such code."""
    return code.rstrip("0123456789") if federation(code) else ""


def _line(bearer: Bearer, taken: set[str]) -> Line:
    codes = [Code(code, f"{code}-{bearer.first_year}" if code in taken else code) for code in bearer.codes]
    taken.update(bearer.codes)
    usual, name = bearer.codes[0], name_of_federation(bearer.federation)
    flag = flag_of(usual, bearer.last_year or bearer.first_year)
    return Line(codes, name, flag, bearer.flag_since, _years(bearer), _otherwise(usual, bearer))


def _years(bearer: Bearer) -> str:
    first, last = bearer.first_year, bearer.last_year
    if first is None:
        return ""
    if last is None:
        return _("from %(year)s") % {"year": first}
    return str(first) if first == last else f"{first}–{last}"


def _otherwise(code: str, bearer: Bearer) -> str:
    """Who bears the code today, where that is somebody else; empty where nobody does."""
    today = (each for each in bearers() if not each.historical and code in each.codes)
    return next((name_of_federation(each.federation) for each in today if each is not bearer), "")
