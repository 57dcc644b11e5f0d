"""The formats that hold a whole event, by the ending of a file's name; everything else has a layout."""

import re
from collections.abc import Callable
from pathlib import PurePath
from typing import NamedTuple

from django.utils.text import slugify

from tournaments.event.document import Document
from tournaments.event.finding import Finding, Place, error
from tournaments.formats.json.reader import Reading, read_to_import
from tournaments.formats.layouts import LAYOUTS
from tournaments.formats.options import AS_FOUND, ReadingOptions
from tournaments.formats.tables.reading import SUFFIXES, WITH_MACROS
from tournaments.formats.trf.reading import read_report

_RECORD = re.compile(rb"^(?:\xef\xbb\xbf)?0[01][0-9] ", re.MULTILINE)

_PLAYER = re.compile(rb"^(?:\xef\xbb\xbf)?001 [ 0-9]{3}[0-9] [ mwfMWF]", re.MULTILINE)
"""The beginning of the record of a player in a report, which no other format has."""

Reader = Callable[[bytes, str, ReadingOptions, Document | None], Reading]
"""The bytes of a file, the address of the event where they do not say it, how to read, and the event that is
stored there → what was read."""


class EventFormat(NamedTuple):
    """A format of whole events: its name in the plural, the endings of its files, and its reader."""

    name: str
    endings: tuple[str, ...]
    reader: Reader


FORMATS = (
    EventFormat("event files", (".json",), lambda content, *_: read_to_import(content)),
    EventFormat("tournament reports", (".trf", ".trfx", ".txt"), read_report),
)

READERS = {ending: each.reader for each in FORMATS for ending in each.endings}
"""The readers of whole events by the ending of a file's name."""

TABLES = tuple(
    dict.fromkeys(
        ending
        for ending in (*SUFFIXES, *(each for layout in LAYOUTS for each in layout.endings))
        if ending not in READERS
    )
)
"""The endings of files that layouts read; a `.txt` is one of them where it has no records of a report."""

ENDINGS = (*READERS, *TABLES)
"""Every ending that is read; of a ZIP archive the files in it."""


UNKNOWN_FORMAT = "unknown-format"
"""The code of the finding that a file is of no known format."""


def suffix_of(name: str) -> str:
    """Return the ending of a file's name, in small letters."""
    return PurePath(name).suffix.casefold()


def is_report(name: str, content: bytes) -> bool:
    """Return whether a file holds a tournament report."""
    return _reader_of(name, content) is read_report


def is_table(name: str) -> bool:
    """Say whether a file of that name holds tables, or is refused as one."""
    return suffix_of(name) in (*TABLES, *WITH_MACROS)


def holds_event(name: str, content: bytes) -> bool:
    """Return whether a file is an event file or a report, by its content first; layouts read the others."""
    return _reader_of(name, content) is not None


def _reader_of(name: str, content: bytes) -> Reader | None:
    """Return the reader of a whole event, by the content or else by the ending; None if there is none."""
    suffix = suffix_of(name)
    text = content.replace(b"\0", b"")  # which stand between the letters of UTF-16
    start = content[:20].lstrip(b"\xef\xbb\xbf \t\r\n")
    if _PLAYER.search(text) and not start.startswith((b"{", b"<")):
        return read_report
    # A text of a word processor begins with a brace too.
    if start.startswith(b"{") and not (is_table(name) and start.startswith(b"{\\")):
        return READERS[".json"]
    if suffix in READERS and suffix != ".txt":
        return READERS[suffix]
    # A row of a table may begin as a record does.
    return read_report if not is_table(name) and _RECORD.search(text) else None


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
    reader = _reader_of(name, content)
    if reader is None:
        return Reading(None, (unknown_format(name),))
    return reader(content, slug or address_of(name), options, base)


def unknown_format(name: str) -> Finding:
    """Return the error that a file is neither known by its ending nor by what stands in it."""
    text = (
        f"“{PurePath(name).name}” has none of the known endings ({', '.join(ENDINGS)}), and nothing in it is "
        "known either. Rename it, or choose its layout."
    )
    return error(UNKNOWN_FORMAT, Place(), text)
