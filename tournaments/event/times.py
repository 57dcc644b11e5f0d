"""Times in the time zone of the event, with the name of the zone."""

from contextlib import AbstractContextManager
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format

from tournaments.event.dates import is_time_zone


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
