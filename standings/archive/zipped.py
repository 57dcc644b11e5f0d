"""An archive as a ZIP file whose bytes follow from its files."""

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from standings.archive.making import Origin, Tell, alone, tell_nobody
from standings.eventwords import last_recorded_day
from tournaments.event.dates import last_day_of
from tournaments.models import Event

UNIX, READABLE = 3, 0o100644 << 16
DOS_EPOCH = 1980
"""A ZIP knows no year before."""


def write_zip(event: Event, origin: Origin, to: Path, tell: Tell = tell_nobody) -> None:
    """Write the archive, all of it in one folder named after the event; raises as `making.alone` does."""
    moment = _moment(last_recorded_day(event))
    with ZipFile(to, "w", ZIP_DEFLATED) as archive:
        for name, content in alone(event, origin, tell):
            entry = ZipInfo(f"{event.slug}/{name}", moment)
            # Both differ from one machine to the next, and the bytes must not.
            entry.create_system, entry.external_attr = UNIX, READABLE
            archive.writestr(entry, content, ZIP_DEFLATED)


def _moment(told: str) -> tuple[int, int, int, int, int, int]:
    """The date of the files: the last day the data tell of, so that the same data make the same bytes."""
    day = last_day_of(told)
    if day is None or day.year < DOS_EPOCH:
        return (DOS_EPOCH, 1, 1, 0, 0, 0)
    return (day.year, day.month, day.day, 0, 0, 0)
