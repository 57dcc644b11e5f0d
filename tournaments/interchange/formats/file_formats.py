"""The formats of complete events by file name extension; all other files have a layout."""

import re
from collections.abc import Callable
from pathlib import PurePath
from typing import NamedTuple

from django.utils.text import slugify

from tournaments.event.document import Document
from tournaments.event.finding import Finding, Place, error
from tournaments.interchange.formats.foreign_files import UNKNOWN_FORMAT, foreign_refusal
from tournaments.interchange.formats.json.reader import Reading, read_to_import
from tournaments.interchange.formats.layouts import LAYOUTS
from tournaments.interchange.formats.layouts.layout import LayoutFile
from tournaments.interchange.formats.layouts.lichess import is_of_lichess
from tournaments.interchange.formats.layouts.recognition import read_by_layout
from tournaments.interchange.formats.options import AS_FOUND, ReadingOptions
from tournaments.interchange.formats.tables.reading import SUFFIXES, WITH_MACROS
from tournaments.interchange.formats.trf.reading import read_report

_RECORD = re.compile(rb"^(?:\xef\xbb\xbf)?0[01][0-9] ", re.MULTILINE)

_PLAYER = re.compile(rb"^(?:\xef\xbb\xbf)?001 [ 0-9]{3}[0-9] [ mwfMWF]", re.MULTILINE)
"""The beginning of a player's record in a report, which no other format has."""

# (content, slug of events without one, options, stored event) → reading
Reader = Callable[[bytes, str, ReadingOptions, Document | None], Reading]


class EventFormat(NamedTuple):
    """A format of complete events: its name in the plural, its file name extensions, and its reader."""

    name: str
    endings: tuple[str, ...]
    reader: Reader


FORMATS = (
    EventFormat("event files", (".json",), lambda content, *_: read_to_import(content)),
    EventFormat("tournament reports", (".trf", ".trfx", ".txt"), read_report),
)

READERS = {ending: each.reader for each in FORMATS for ending in each.endings}  # by file name extension

TABLES = tuple(
    dict.fromkeys(
        ending
        for ending in (*SUFFIXES, *(each for layout in LAYOUTS for each in layout.endings))
        if ending not in READERS
    )
)
"""The extensions of files with layouts. A `.txt` is a report if it has records."""

ENDINGS = (*READERS, *TABLES)  # all extensions that are read, also of files in ZIP archives


LONGEST_ADDRESS = 80


def suffix_of(name: str) -> str:
    return PurePath(name).suffix.casefold()


def is_report(name: str, content: bytes) -> bool:
    return _reader_of(name, content) is read_report


def is_table(name: str) -> bool:
    """Return whether a file of that name has tables, even if these are rejected later."""
    return suffix_of(name) in (*TABLES, *WITH_MACROS)


def holds_event(name: str, content: bytes) -> bool:
    """Return whether a file is an event file or a report, by content before name; layouts read the others."""
    return _reader_of(name, content) is not None


def _reader_of(name: str, content: bytes) -> Reader | None:
    if is_of_lichess(content) or foreign_refusal(content):
        return None
    suffix = suffix_of(name)
    text = content.replace(b"\0", b"")  # they separate the letters of UTF-16
    start = content[:20].lstrip(b"\xef\xbb\xbf \t\r\n")
    if _PLAYER.search(text) and not start.startswith((b"{", b"<")):
        return read_report
    if start.startswith(b"{"):
        return READERS[".json"]
    # A row of a table may begin like a record.
    if not is_table(name) and _RECORD.search(text):
        return read_report
    # The findings of the reader explain a damaged file best, if it has no table.
    named = READERS.get(suffix) if suffix != ".txt" else None
    return None if named and read_by_layout(LayoutFile(name, content)).has_evidence else named


def address_of(name: str) -> str:
    return slugify(PurePath(name).stem)[:LONGEST_ADDRESS].strip("-") or "event"


def address_for(name: str, start: str) -> str:
    """Return a slug from the name, with the year if the name lacks it. Blank without Latin letters."""
    base, year = slugify(name), start[:4]
    parts = [base[: LONGEST_ADDRESS - len(year) - 1].strip("-"), year if year not in base else ""]
    return "-".join(part for part in parts if part) if base else ""


def read_event_file(
    content: bytes,
    name: str,
    slug: str = "",
    options: ReadingOptions = AS_FOUND,
    base: Document | None = None,
) -> Reading:
    """Read a file by its name. Findings explain a missing document.

    `slug`: used if the file has no slug; without it, the slug follows from the file name. `base`: the stored
    event with that slug; a report without settings does not change those.
    """
    reader = _reader_of(name, content)
    if reader is None:
        return Reading(None, (unknown_format(name, content),))
    return reader(content, slug or address_of(name), options, base)


def unknown_format(name: str, content: bytes) -> Finding:
    """Return the finding about a file that no reader reads, with advice if its program is known."""
    if refusal := foreign_refusal(content, name):
        return refusal
    text = (
        f"“{PurePath(name).name}” has none of the known extensions ({', '.join(ENDINGS)}), and its "
        "content was not recognised. Rename the file, or choose its layout."
    )
    return error(UNKNOWN_FORMAT, Place(), text)
