"""Reading of a file of any format."""

from collections.abc import Callable
from dataclasses import replace

from tournaments.event.document import Document
from tournaments.event.finding import Place, error, warning
from tournaments.interchange.formats.file_formats import (
    ENDINGS,
    address_for,
    address_of,
    holds_event,
    is_report,
    read_event_file,
    suffix_of,
    unknown_format,
)
from tournaments.interchange.formats.json.reader import Reading
from tournaments.interchange.formats.layouts.layout import LayoutFile
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
    if holds_event(name, content):
        slug = into or facts.slug or address_of(name)
        stored = base(slug) if is_report(name, content) else None
        reading = read_event_file(content, name, slug, options, stored)
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
