"""Dates in the record: a day, `2018-09-24`, or only a year, `1948`; and times of rounds, `14:00`.

Times are in the event's time zone, and are printed with its name. Dates are checked with `is_date` before
they are stored. Functions that read a stored date return None if it is not valid, because a page must not
fail on a value that was written without the site.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, date, datetime, time, tzinfo
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo, available_timezones

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_YEAR = re.compile(r"[0-9]{4}")
_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")

ORDERS: dict[str, str] = {
    "dmy": "day, month, year",
    "mdy": "month, day, year",
    "ymd": "year, month, day",
}
"""The orders of a date in figures."""

_NAMES_OF_ORDERS = {**ORDERS, "ydm": "year, day, month"}  # some programs write the last in reports

SHORT_DATE = re.compile(r"[0-9]{1,2}([-./])[0-9]{1,2}\1[0-9]{1,2}")
_PARTED = r" ?[-/. ] ?"
_YEAR_FIRST = re.compile(rf"([0-9]{{4}}){_PARTED}([0-9]{{1,2}}){_PARTED}([0-9]{{1,2}})")
_UNPARTED = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")
_IN_FIGURES = re.compile(rf"([0-9]{{1,2}}){_PARTED}([0-9]{{1,2}}){_PARTED}([0-9]{{4}}|[0-9]{{1,2}})\.?")
_DAY_IN_WORDS = re.compile(
    r"([0-9]{1,2})(?:st|nd|rd|th)?\.? ?[-/ ]? ?([^\W\d_]{3,})\.?,? ?[-/ ]? ?([0-9]{4})"
)
_MONTH_IN_WORDS = re.compile(r"([^\W\d_]{3,})\.? ([0-9]{1,2})(?:st|nd|rd|th)?,? ([0-9]{4})")
_MONTHS = (
    "january januari januar janvier enero января", "february februari februar février febrero февраля",
    "march maart märz maerz mars marzo марта", "april avril abril апреля", "may mei mai mayo мая",
    "june juni juin junio июня", "july juli juillet julio июля", "august augustus août agosto августа",
    "september septembre septiembre сентября", "october oktober octobre octubre октября",
    "november novembre noviembre ноября", "december dezember décembre diciembre декабря",
)  # fmt: skip
_LONGEST_EVENT = 366  # days from the first round to the last
_LAST_OF_2000S = 49  # larger two-digit years belong to the 20th century


def parse_day(written: str) -> date | None:
    """Return the day; None if the text is only a year or not a valid day."""
    try:
        return date.fromisoformat(written) if _DAY.fullmatch(written) else None
    except ValueError:
        return None


@lru_cache  # called for the flag in every row of a table
def parse_year(written: str) -> int | None:
    """Return the year of a day or of a text that is only a year; None if it is neither."""
    if day := parse_day(written):
        return day.year
    return int(written) or None if _YEAR.fullmatch(written) else None


def last_day_of(written: str) -> date | None:
    year = parse_year(written)
    return parse_day(written) or (date(year, 12, 31) if year else None)


def is_date(written: str) -> bool:
    return parse_year(written) is not None


def ends_before(start: str, end: str) -> bool:
    """Return whether the end is before the start; a year includes all its days. False if one is unknown."""
    if not is_date(start) or not is_date(end):
        return False
    return end[: len(start)] < start[: len(end)]


def _invalid(message: Any, written: str) -> ValidationError:
    return ValidationError(message, params={"text": written})


def partial_date(written: str) -> None:
    """Raise ValidationError unless the text is a valid day or only a year."""
    if not is_date(written):
        raise _invalid(
            gettext_lazy("“%(text)s” is not a date. Write 2018-09-24, or 1948 for a year only."), written
        )


def whole_day(written: str) -> None:
    if parse_day(written) is None:
        raise _invalid(gettext_lazy("“%(text)s” is no day. Write 2018-10-06."), written)


# --- times of day -----------------------------------------------------------------------------------------


@cache
def time_zones() -> frozenset[str]:
    return frozenset(available_timezones())


def is_time(written: str) -> bool:
    return _TIME.fullmatch(written) is not None


def is_time_zone(written: str) -> bool:
    return written in time_zones()


def start_of(day: str, written: str, zone: str) -> datetime | None:
    """Return when a round starts; None if its day or time is unknown.

    The result is naive if the time zone is unknown.
    """
    known = parse_day(day)
    if known is None or not is_time(written):
        return None
    return datetime.combine(
        known, time.fromisoformat(written), tzinfo=ZoneInfo(zone) if is_time_zone(zone) else None
    )


def time_of_day(written: str) -> None:
    if not is_time(written):
        raise _invalid(gettext_lazy("“%(text)s” is no time of day. Write 14:00, or 09:30."), written)


def known_time_zone(written: str) -> None:
    if not is_time_zone(written):
        raise _invalid(
            gettext_lazy("“%(text)s” is no time zone. Write a name of the IANA's list, Europe/Amsterdam."),
            written,
        )


# --- dates in files and typed dates --------------------------------------------------------------------


class WrittenDate(NamedTuple):
    """A date of the record, or blank. `remark`: set if a part was inferred."""

    date: str
    remark: str = ""


class DateError(ValueError):
    """The text is not a date, or ambiguous; the message explains what to do."""


class AmbiguousDateError(DateError):
    """The text may be several dates, so the order must be chosen."""


def read_date(text: str, order: str = "") -> WrittenDate:
    """Return the date of a text such as `28. 07. 2005`, `07/28/2005`, `29 May 2020` or `1948`.

    `order`: one of ORDERS, or blank. If it is blank, figures must allow only one date, but with dots they are
    day, month, year. Raise AmbiguousDateError if they allow several dates, DateError if there is no such day.
    """
    spaced = " ".join(text.split())
    if not spaced.strip("0/-. "):
        return WrittenDate("")
    if _YEAR.fullmatch(spaced):
        return WrittenDate(spaced)
    written = ""
    if found := _YEAR_FIRST.fullmatch(spaced) or _UNPARTED.fullmatch(spaced):
        written = _date_text(*map(int, found.groups()))
    elif found := _DAY_IN_WORDS.fullmatch(spaced):
        written = _date_text(int(found[3]), _month(found[2]), int(found[1]))
    elif found := _MONTH_IN_WORDS.fullmatch(spaced):
        written = _date_text(int(found[3]), _month(found[1]), int(found[2]))
    elif found := _IN_FIGURES.fullmatch(spaced):
        # Dots are the separator only in countries where the day comes first.
        usual = "" if set(spaced) - set("0123456789. ") else "dmy"
        return _in_figures(text, found.groups(), order or usual)
    if not written:
        raise _no_date(text)
    return WrittenDate(written)


class DateOrder(NamedTuple):
    """The order of dates, one of ORDERS, with the evidence; blank if there is no evidence."""

    order: str = ""
    evidence: str = ""


def iso_date(text: str, order: str = "", invalid: str = "") -> str:
    """Return the date that `read_date` finds, or `invalid` for other texts."""
    try:
        return read_date(text, order).date
    except DateError:
        return invalid


def order_of(dates: Iterable[str], ascending: Sequence[str] = ()) -> DateOrder:
    """Return the order of the dates of a file, if only one order can read them all.

    A date is evidence if one of its figures cannot be a month. So are `ascending` dates, such as those of
    rounds, if they ascend within a year in only one order. Dates with dots are no evidence.
    """
    possible = dict.fromkeys(ORDERS, "")
    is_open = False
    for text in dict.fromkeys((*dates, *ascending)):
        allowed = _orders_of(text)
        is_open |= len(allowed) > 1
        if allowed and len(left := [each for each in possible if each in allowed]) < len(possible):
            possible = dict.fromkeys(left, text)
    if not is_open or not possible:
        return DateOrder()
    if len(possible) == 1:
        ((order, text),) = possible.items()
        return DateOrder(order, f"only “{text}” is possible")
    rising = [each for each in possible if _ascend(ascending, each)]
    if len(rising) == 1 and len(ascending) > 1:
        quoted = ", ".join(f"“{text}”" for text in ascending[:3])
        return DateOrder(rising[0], f"only so the days of the rounds follow each other: {quoted}")
    return DateOrder()


def order_of_rounds(start: str, rounds: Sequence[str], end: str) -> DateOrder:
    """Return the only order of two-digit years in which the rounds ascend within the event."""
    if not rounds or not all(map(SHORT_DATE.fullmatch, rounds)):
        return DateOrder()
    orders = [each for each in _NAMES_OF_ORDERS if _is_order_of_rounds(each, (start, *rounds, end))]
    if "ymd" in orders and all("/" in each for each in rounds):
        return DateOrder("ymd")
    if len(orders) != 1:
        return DateOrder()
    quoted = ", ".join(f"“{text}”" for text in rounds[:3])
    return DateOrder(orders[0], f"only so the rounds follow each other within the event: {quoted}")


def _is_order_of_rounds(order: str, written: Sequence[str]) -> bool:
    # Only the days of the event may have years of four digits, which have an order of their own.
    start, *days, end = (iso_date(each, order if SHORT_DATE.fullmatch(each) else "") for each in written)
    is_within = not any(ends_before(*pair) for pair in pairwise((start, *days, end)))
    return is_within and all(map(parse_day, days)) and int(days[-1][:4]) - int(days[0][:4]) <= 1


def date_order_text(found: DateOrder) -> str:
    return (
        f"Dates are read as {_NAMES_OF_ORDERS[found.order]}: {found.evidence}. Two-digit years are read as "
        "1950 to 2049. If this is wrong, choose the order."
    )


def _orders_of(text: str) -> dict[str, str]:
    spaced = " ".join(text.split())
    found = _IN_FIGURES.fullmatch(spaced)
    if not found or _YEAR_FIRST.fullmatch(spaced) or not set(spaced) - set("0123456789. "):
        return {}
    return {order: read.date for order in ORDERS for read in _ordered(found.groups(), order)}


def _ascend(dates: Sequence[str], order: str) -> bool:
    read = [_orders_of(text).get(order, "") for text in dates]
    days = [day for each in read if (day := parse_day(each))]
    return (
        len(days) == len(dates) > 1 and days == sorted(days) and (days[-1] - days[0]).days <= _LONGEST_EVENT
    )


def _in_figures(text: str, figures: tuple[str, ...], order: str) -> WrittenDate:
    allowed = {read.date: read for each in ([order] if order else ORDERS) for read in _ordered(figures, each)}
    if len(allowed) > 1:
        choices = " or ".join(sorted(allowed))
        raise AmbiguousDateError(
            f"“{text}” may be {choices}. Choose the order of dates: {', '.join(ORDERS)}."
        )
    if not allowed and order:
        raise DateError(
            f"“{text}” is no date in the order {_NAMES_OF_ORDERS[order]}. Correct it, or take another order."
        )
    if not allowed:
        raise _no_date(text)
    (read,) = allowed.values()
    return read._replace(remark=f"“{text}” was taken for {read.date}") if read.remark else read


def _ordered(figures: tuple[str, ...], order: str) -> Iterator[WrittenDate]:
    part = dict(zip(order, figures, strict=True))
    if max(map(len, (part["d"], part["m"]))) > 2:
        return
    year, is_short = int(part["y"]), len(part["y"]) < 3
    if is_short:
        year += 2000 if year <= _LAST_OF_2000S else 1900
    if written := _date_text(year, int(part["m"]), int(part["d"])):
        yield WrittenDate(written, "short" if is_short else "")


def _month(name: str) -> int:
    beginning = name.casefold()
    found = [
        number
        for number, names in enumerate(_MONTHS, start=1)
        if any(each.startswith(beginning) for each in names.split())
    ]
    return found[0] if len(found) == 1 else 0


def _date_text(year: int, month: int, day: int) -> str:
    """Return the date of the record, only the year if month and day are 0; blank if it does not exist."""
    if month == day == 0:
        return f"{year:04d}" if year else ""
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""


def _no_date(text: str) -> DateError:
    return DateError(f"“{text}” is not a date. Write 2018-09-24, or 1948 for a year only.")


def zone_of(name: str) -> tzinfo:
    return ZoneInfo(name) if is_time_zone(name) else UTC


def in_zone(name: str) -> AbstractContextManager[None]:
    override: AbstractContextManager[None] = timezone.override(zone_of(name))
    return override


def moment_text(at: datetime) -> str:
    """Return `24 September 2018, 14:00 CEST` in the active time zone and language."""
    return f"{date_format(timezone.localtime(at), 'DATETIME_FORMAT')} {_zone_name(at)}"


def clock_text(at: datetime) -> str:
    """Return `14:00 CEST` in the active time zone."""
    return f"{timezone.localtime(at):%H:%M} {_zone_name(at)}"


def _zone_name(at: datetime) -> str:
    name = f"{timezone.localtime(at):%Z}"
    return name if name.isalpha() else f"UTC{name}"
