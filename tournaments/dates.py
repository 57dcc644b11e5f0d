"""Dates as the record writes them: a day, `2018-09-24`, or a year alone, `1948`. The one rule for both.

Whatever writes a date asks `is_date`. Whatever shows one asks for its day or its year and gets None where the
text is neither, because a page must not fall over what somebody wrote past the site.
"""

import re
from datetime import date

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_YEAR = re.compile(r"[0-9]{4}")


def day_of(written: str) -> date | None:
    """Return the day; None for a year alone and for what is no day of the calendar."""
    try:
        return date.fromisoformat(written) if _DAY.fullmatch(written) else None
    except ValueError:
        return None


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
