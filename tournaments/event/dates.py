"""Dates as the record writes them: a day, `2018-09-24`, or a year alone, `1948`. The one rule for both.

A round that has a day may have the time at which it starts, `14:00`, by the clocks of the event's time zone.

Whatever writes a date asks `is_date`. Whatever shows one asks for its day or its year and gets None where the
text is neither, because a page must not fall over what somebody wrote past the site.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time
from functools import cache, lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo, available_timezones

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_YEAR = re.compile(r"[0-9]{4}")
_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")

ORDERS: dict[str, str] = {
    "dmy": "day, month, year",
    "mdy": "month, day, year",
    "ymd": "year, month, day",
}
"""The orders in which people write a date in figures."""

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
_LAST_OF_2000S = 49  # two figures above it are a year of the century before


def day_of(written: str) -> date | None:
    """Return the day; None for a year alone and for what is no day of the calendar."""
    try:
        return date.fromisoformat(written) if _DAY.fullmatch(written) else None
    except ValueError:
        return None


@lru_cache  # the flag of every row of a table asks for the year of its event
def year_of(written: str) -> int | None:
    """Return the year of a day, or the year alone; None for what is neither."""
    if day := day_of(written):
        return day.year
    return int(written) or None if _YEAR.fullmatch(written) else None


def last_day_of(written: str) -> date | None:
    """Return the day, or the last one of a year; None for what is neither."""
    year = year_of(written)
    return day_of(written) or (date(year, 12, 31) if year else None)


def is_date(written: str) -> bool:
    """Say whether the text is a day of the calendar or a year alone."""
    return year_of(written) is not None


def ends_before(start: str, end: str) -> bool:
    """Say whether an end lies before its start, as far as both are known; a year alone has all its days."""
    if not is_date(start) or not is_date(end):
        return False
    return end[: len(start)] < start[: len(end)]


def partial_date(written: str) -> None:
    """Raise ValidationError unless the text is a day of the calendar, or a year alone."""
    if not is_date(written):
        raise ValidationError(
            gettext_lazy("“%(text)s” is no date. Write 2018-09-24, or 1948 for a year alone."),
            code="bad-date",
            params={"text": written},
        )


def whole_day(written: str) -> None:
    """Raise ValidationError unless the text is a day of the calendar."""
    if day_of(written) is None:
        raise ValidationError(
            gettext_lazy("“%(text)s” is no day. Write 2018-10-06."),
            code="bad-date",
            params={"text": written},
        )


# --- times of day -----------------------------------------------------------------------------------------


@cache
def time_zones() -> frozenset[str]:
    """Return the names of all time zones, such as Europe/Amsterdam; they are read from files once."""
    return frozenset(available_timezones())


def is_time(written: str) -> bool:
    """Say whether the text is a time of day in hours and minutes, `14:00`."""
    return _TIME.fullmatch(written) is not None


def is_time_zone(written: str) -> bool:
    """Say whether the text is the name of a time zone."""
    return written in time_zones()


def start_of(day: str, written: str, zone: str) -> datetime | None:
    """Return when a round starts; None where its day or its time is not known.

    It has the time zone where that is known, else none.
    """
    known = day_of(day)
    if known is None or not is_time(written):
        return None
    return datetime.combine(
        known, time.fromisoformat(written), tzinfo=ZoneInfo(zone) if is_time_zone(zone) else None
    )


def time_of_day(written: str) -> None:
    """Raise ValidationError unless the text is a time of day."""
    if not is_time(written):
        raise ValidationError(
            gettext_lazy("“%(text)s” is no time of day. Write 14:00, or 09:30."),
            code="bad-time",
            params={"text": written},
        )


def known_time_zone(written: str) -> None:
    """Raise ValidationError unless the text is the name of a time zone."""
    if not is_time_zone(written):
        raise ValidationError(
            gettext_lazy("“%(text)s” is no time zone. Write a name of the IANA's list, Europe/Amsterdam."),
            code="bad-time-zone",
            params={"text": written},
        )


# --- dates as files and people write them --------------------------------------------------------------


class WrittenDate(NamedTuple):
    """A date as the record writes it, blank where none is said; with a remark where a part was inferred."""

    date: str
    remark: str = ""


class DateError(ValueError):
    """A text is no date, or may be several; the message says what it is and what to do."""


class AmbiguousDateError(DateError):
    """A text may be several dates: somebody has to say in which order it is written."""


def read_date(text: str, order: str = "") -> WrittenDate:
    """Return the date that a text of the wild says: `28. 07. 2005`, `07/28/2005`, `29 May 2020`, `1948`.

    `order` is one of ORDERS, blank where nobody said it: then figures that allow one date only are taken,
    and figures parted by points are day, month, year. AmbiguousDateError where they allow several,
    DateError where there is no such day.
    """
    spaced = " ".join(text.split())
    if not spaced.strip("0/-. "):
        return WrittenDate("")
    if _YEAR.fullmatch(spaced):
        return WrittenDate(spaced)
    if found := _YEAR_FIRST.fullmatch(spaced) or _UNPARTED.fullmatch(spaced):
        return WrittenDate(_checked(text, _written(*map(int, found.groups()))))
    if found := _DAY_IN_WORDS.fullmatch(spaced):
        return WrittenDate(_checked(text, _written(int(found[3]), _month(found[2]), int(found[1]))))
    if found := _MONTH_IN_WORDS.fullmatch(spaced):
        return WrittenDate(_checked(text, _written(int(found[3]), _month(found[1]), int(found[2]))))
    if found := _IN_FIGURES.fullmatch(spaced):
        # Points alone part the figures where the day comes first.
        usual = "" if set(spaced) - set("0123456789. ") else "dmy"
        return _in_figures(text, found.groups(), order or usual)
    raise _no_date(text)


class DateOrder(NamedTuple):
    """The order in which dates are written, one of ORDERS, with the evidence; blank where nothing tells."""

    order: str = ""
    evidence: str = ""


def order_of(dates: Iterable[str], ascending: Sequence[str] = ()) -> DateOrder:
    """Return the order in which dates of one file are written, where it takes one to read them all.

    A date decides where one of its figures can be no month; so do dates in their order, such as those of
    rounds, where only one order lets them ascend within a year. Dates parted by points tell nothing.
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
        return DateOrder(order, f"“{text}” can be nothing else")
    rising = [each for each in possible if _ascend(ascending, each)]
    if len(rising) == 1 and len(ascending) > 1:
        shown = ", ".join(f"“{text}”" for text in ascending[:3])
        return DateOrder(rising[0], f"only so the days of the rounds follow each other: {shown}")
    return DateOrder()


def order_in_words(found: DateOrder) -> str:
    """Return the sentence that tells in which order dates were read, and why."""
    return (
        f"Dates are read as {ORDERS[found.order]}: {found.evidence}. Short years are those from 1950 to "
        "2049. Choose the order where it is another."
    )


def _orders_of(text: str) -> dict[str, str]:
    """Return the orders in which a date in figures can be read, each with the date; none for other texts."""
    spaced = " ".join(text.split())
    found = _IN_FIGURES.fullmatch(spaced)
    if not found or _YEAR_FIRST.fullmatch(spaced) or not set(spaced) - set("0123456789. "):
        return {}
    return {order: read.date for order in ORDERS for read in _ordered(found.groups(), order)}


def _ascend(dates: Sequence[str], order: str) -> bool:
    """Say whether dates read in an order follow each other and lie within a year."""
    read = [_orders_of(text).get(order, "") for text in dates]
    days = [day for each in read if (day := day_of(each))]
    return (
        len(days) == len(dates) > 1 and days == sorted(days) and (days[-1] - days[0]).days <= _LONGEST_EVENT
    )


def _in_figures(text: str, figures: tuple[str, ...], order: str) -> WrittenDate:
    allowed = {read.date: read for each in ([order] if order else ORDERS) for read in _ordered(figures, each)}
    if len(allowed) > 1:
        choices = " or ".join(sorted(allowed))
        raise AmbiguousDateError(
            f"“{text}” may be {choices}. Say in which order dates are written: {', '.join(ORDERS)}."
        )
    if not allowed and order:
        raise DateError(
            f"“{text}” is no date in the order {ORDERS[order]}. Correct it, or take another order."
        )
    if not allowed:
        raise _no_date(text)
    (read,) = allowed.values()
    return read._replace(remark=f"“{text}” was taken for {read.date}") if read.remark else read


def _ordered(figures: tuple[str, ...], order: str) -> Iterator[WrittenDate]:
    """Yield the date that figures are in an order, if there is that day; a short year has a remark."""
    part = dict(zip(order, figures, strict=True))
    if max(map(len, (part["d"], part["m"]))) > 2:
        return
    year, is_short = int(part["y"]), len(part["y"]) < 3
    if is_short:
        year += 2000 if year <= _LAST_OF_2000S else 1900
    if written := _written(year, int(part["m"]), int(part["d"])):
        yield WrittenDate(written, "short" if is_short else "")


def _month(name: str) -> int:
    """Return the number of the month with that name or its beginning, 0 where there is none."""
    beginning = name.casefold()
    found = [
        number
        for number, names in enumerate(_MONTHS, start=1)
        if any(each.startswith(beginning) for each in names.split())
    ]
    return found[0] if len(found) == 1 else 0


def _written(year: int, month: int, day: int) -> str:
    """Return the day as the record writes it, the year where nothing else is known; blank for no day."""
    if month == day == 0:
        return f"{year:04d}" if year else ""
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""


def _checked(text: str, written: str) -> str:
    if not written:
        raise _no_date(text)
    return written


def _no_date(text: str) -> DateError:
    return DateError(f"“{text}” is no date. Write 2018-09-24, or 1948 for a year alone.")
