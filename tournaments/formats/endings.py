"""The formats that hold a whole event, by the ending of a file's name; tables need an event (`tables/`)."""

import re
from collections.abc import Callable
from pathlib import PurePath
from typing import NamedTuple

from django.utils.text import slugify

from tournaments.event.document import Document
from tournaments.event.finding import Place, error
from tournaments.formats.json.reader import Reading, read
from tournaments.formats.options import AS_FOUND, ReadingOptions
from tournaments.formats.tables.reading import SUFFIXES as TABLES
from tournaments.formats.tables.reading import WITH_MACROS
from tournaments.formats.trf.reading import read_report

_RECORD = re.compile(rb"^(?:\xef\xbb\xbf)?0[01][0-9] ", re.MULTILINE)

Reader = Callable[[bytes, str, ReadingOptions, Document | None], Reading]
"""The bytes of a file, the address of the event where they do not say it, how to read, and the event that is
stored there → what was read."""


class EventFormat(NamedTuple):
    """A format of whole events: its name in the plural, the endings of its files, and its reader."""

    name: str
    endings: tuple[str, ...]
    reader: Reader


FORMATS = (
    EventFormat("event files", (".json",), lambda content, *_: read(content)),
    EventFormat("tournament reports", (".trf", ".trfx", ".txt"), read_report),
)

READERS = {ending: each.reader for each in FORMATS for ending in each.endings}
"""The readers of whole events by the ending of a file's name."""

ENDINGS = (*READERS, *TABLES)
"""Every ending that is read; of a ZIP archive the files in it."""


def suffix_of(name: str) -> str:
    """Return the ending of a file's name, in small letters."""
    return PurePath(name).suffix.casefold()


def is_event(name: str) -> bool:
    """Say whether a file of that name may hold a whole event."""
    return suffix_of(name) in READERS


def is_report(name: str) -> bool:
    """Say whether a file of that name holds a tournament report."""
    return READERS.get(suffix_of(name)) is read_report


def is_table(name: str) -> bool:
    """Say whether a file of that name holds tables, or is refused as one."""
    return suffix_of(name) in (*TABLES, *WITH_MACROS)


def holds_tables(name: str, content: bytes) -> bool:
    """Say whether a file is to be read as tables, where there is an event to read them into.

    A `.txt` is a table unless it has the records of a report.
    """
    return is_table(name) or (suffix_of(name) == ".txt" and not _RECORD.search(content))


def address_of(name: str) -> str:
    """Return an address made of a file's name."""
    return slugify(PurePath(name).stem)[:80].strip("-") or "event"


def read_event_file(
    content: bytes,
    name: str,
    slug: str = "",
    options: ReadingOptions = AS_FOUND,
    base: Document | None = None,
) -> Reading:
    """Read a file as its name says; findings say why there is no document.

    `slug` is the address where the file names none, else it is made of the file's name. `base` is the event
    that is stored at that address; a report that says no settings leaves those alone.
    """
    reader = READERS.get(suffix_of(name))
    if reader is None:
        text = f"“{PurePath(name).name}” has none of the known endings: {', '.join(ENDINGS)}. Rename it."
        return Reading(None, (error("unknown-format", Place(), text),))
    return reader(content, slug or address_of(name), options, base)
