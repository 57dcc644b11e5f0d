"""Files of all formats: complete events by file name extension, and all other files by layout."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath
from typing import NamedTuple

from django.utils.text import slugify

from tournaments.event.document import Document
from tournaments.event.finding import Finding, Place, error, warning
from tournaments.interchange.formats.foreign_files import UNKNOWN_FORMAT, foreign_refusal
from tournaments.interchange.formats.json.reader import Reading, read_to_import
from tournaments.interchange.formats.layouts import LAYOUTS
from tournaments.interchange.formats.layouts.layout import LayoutFile
from tournaments.interchange.formats.layouts.lichess import is_of_lichess
from tournaments.interchange.formats.layouts.outline import NO_FACTS, EventOutline
from tournaments.interchange.formats.layouts.reading import (
    outline_for,
    read_into_event,
    read_new_event,
    replaced_facts,
    with_facts,
)
from tournaments.interchange.formats.layouts.recognition import RecognisedFile, read_by_layout
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


def read_event_file(content: bytes, name: str, options: ReadingOptions = AS_FOUND) -> Reading:
    """Read a file by its name, which also gives a missing slug. Findings explain a missing document."""
    reader = _reader_of(name, content)
    if reader is None:
        return Reading(None, (unknown_format(name, content),))
    return reader(content, address_of(name), options, None)


def unknown_format(name: str, content: bytes) -> Finding:
    """Return the finding about a file that no reader reads, with advice if its program is known."""
    if refusal := foreign_refusal(content, name):
        return refusal
    text = (
        f"“{PurePath(name).name}” has none of the known extensions ({', '.join(ENDINGS)}), and its "
        "content was not recognised. Rename the file, or choose its layout."
    )
    return error(UNKNOWN_FORMAT, Place(), text)


FindEvent = Callable[[str], Document | None]  # the stored event with a slug


def read(
    name: str,
    content: bytes,
    base: FindEvent = lambda _slug: None,
    *,
    into: str = "",
    options: ReadingOptions = AS_FOUND,
    facts: EventOutline = NO_FACTS,
    found: RecognisedFile | None = None,
) -> Reading:
    """Read a file of any format. Findings explain a missing document.

    `base`: finds the stored event of the file, whose settings win. `into`: slug of the event that tables are
    read into; without it they are read as a new event. `facts`: of any file, before those in it.
    `found`: the tables, if the user changed their columns.
    """
    if reader := _reader_of(name, content):
        slug = into or facts.slug or address_of(name)
        stored = base(slug) if reader is read_report else None
        reading = reader(content, slug, options, stored)
        if facts.slug and reading.document and reading.document.event.slug != facts.slug:
            base(facts.slug)  # the file must not replace another event
        return with_facts(reading, facts, is_stored=stored is not None)
    event = base(into) if into else None
    if into and event is None:
        text = f"There is no event “{into}”. Give the address of an existing event with --into."
        return Reading(None, (error("table-without-event", Place(), text),))
    found = found or read_by_layout(LayoutFile(name, content, options))
    if suffix_of(name) not in ENDINGS and not found.has_evidence:
        return Reading(None, (unknown_format(name, content),))
    if event:
        return read_into_event(event, found, options)
    outline = outline_of_file(name, found, facts)
    event = base(outline.slug)
    if event is None:
        reading = read_new_event(found, outline, options)
        replaced = replaced_facts(facts, found.reading.outline)
        return replace(reading, findings=(*reading.findings, *replaced))
    # The event may have been corrected since it was imported, so its settings win.
    reading = read_into_event(event, found, options)
    if not any(facts.fact(each) for each in facts.places if each != "slug"):
        return reading
    text = f"The event “{outline.slug}” exists and keeps its settings. The values given here are ignored."
    return replace(reading, findings=(*reading.findings, warning("settings-kept", Place("slug"), text)))


def outline_of_file(name: str, found: RecognisedFile, chosen: EventOutline) -> EventOutline:
    """Return all facts of a new event, chosen ones before those of the file; the slug follows from them."""
    outline = outline_for(found.reading, chosen, name)
    slug = address_for(outline.name.replace("_", " "), outline.start) or address_of(name)
    return outline.with_fact("slug", slug, "the name and the year")
