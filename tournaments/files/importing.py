"""A file into the database, in one call: read, compared, announced, stored in one transaction."""

from collections.abc import Callable
from pathlib import Path

from django.db import transaction

from tournaments.files.document import Document
from tournaments.files.finding import Finding, Place, error, errors
from tournaments.files.formats import is_table, read_event_file
from tournaments.files.parsing import MOST_BYTES, unreadable
from tournaments.files.proposal import Proposal, propose
from tournaments.files.reader import Reading, read
from tournaments.files.stored import stored
from tournaments.files.tables.reading import read_tables, tables_of, understood
from tournaments.models import Event
from tournaments.recording.imports import corrections_of, keep_upload, lacks_reason, store

Announce = Callable[[Proposal], None]
BY = "manage.py import_event"


def import_event(
    source: str | bytes | Path, *, announce: Announce, dry_run: bool = False, by: str = BY, reason: str = ""
) -> tuple[Finding, ...]:
    """Import an event file: its text, its bytes, or a file of a known format by its path. Every finding.

    Nothing is announced or stored if the file has errors; nothing is stored if the database forbids it.
    """
    if isinstance(source, Path):
        content, problem = content_of(source)
        if problem:
            return (problem,)
        return import_file(source.name, content, announce=announce, dry_run=dry_run, by=by, reason=reason)
    content = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    return _import(read(content), "event.json", content, announce, dry_run=dry_run, by=by, reason=reason)


def import_file(
    name: str,
    content: bytes,
    *,
    announce: Announce,
    dry_run: bool = False,
    by: str = BY,
    reason: str = "",
    into: str = "",
) -> tuple[Finding, ...]:
    """Import a file of a known format; `into` is the address of the event that tables are read into."""
    reading = read_file(name, content, into)
    return _import(reading, name, content, announce, dry_run=dry_run, by=by, reason=reason)


def read_file(name: str, content: bytes, into: str = "") -> Reading:
    """What a file of that name holds; tables are read into the event with the address `into`."""
    if not is_table(name):
        return read_event_file(content, name)
    event = Event.objects.select_related("series").filter(slug=into).first() if into else None
    if event is None:
        text = f"There is no event “{into}”." if into else "A table is no whole event."
        hint = f"{text} Say into which event it goes: --into with its address."
        return Reading(None, (error("table-without-event", Place(), hint),))
    return read_into(stored(event).document, name, content)


def read_into(base: Document, name: str, content: bytes) -> Reading:
    """The tables of a file read into an event, as their headings say."""
    found = tables_of(content, name)
    if errors(found.findings):
        return Reading(None, found.findings)
    reading = read_tables(base, found.tables, understood(found.tables))
    return Reading(reading.document, (*found.findings, *reading.findings))


def content_of(file: Path) -> tuple[bytes, Finding | None]:
    """The bytes of a file, at most one more than any reader takes; or the finding why there are none."""
    try:
        with file.open("rb") as opened:
            return opened.read(MOST_BYTES + 1), None
    except OSError as problem:
        return b"", unreadable(problem)


def _import(
    reading: Reading, name: str, content: bytes, announce: Announce, *, dry_run: bool, by: str, reason: str
) -> tuple[Finding, ...]:
    if reading.accepted is None:
        return reading.findings
    with transaction.atomic():
        proposal = propose(reading.accepted, lock=True)
        announce(proposal)
        problem = lacks_reason(corrections_of(proposal), reason)
        forbidden = (*proposal.findings, *([problem] if problem else []))
        if not (forbidden or dry_run):
            event = store(proposal, by, reason)
            if not proposal.differences.is_empty:
                keep_upload(event, name, content, by)
    return (*reading.findings, *forbidden)
