"""A file into the database, in one call: read, compared, announced, stored in one transaction."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from django.db import transaction

from tournaments.event.document import Document
from tournaments.event.finding import Finding, Place, error, errors
from tournaments.formats.account import Account
from tournaments.formats.endings import address_of, holds_tables, is_report, is_table, read_event_file
from tournaments.formats.json.reader import Reading
from tournaments.formats.options import AS_FOUND, ReadingOptions
from tournaments.formats.sources import content_of
from tournaments.formats.tables.reading import read_tables, tables_of, understood
from tournaments.imports.proposal import Proposal, propose
from tournaments.models import Event
from tournaments.recording.imports import accepted_of, keep_upload, lacks_acceptance, lacks_reason, store
from tournaments.stored import stored

Announce = Callable[[Proposal], None]
Report = Callable[[Account], None]
BY = "manage.py import_event"


@dataclass(frozen=True, slots=True)
class Wishes:
    """How somebody wants a file imported; `by` is the name that the record gets.

    `reason` says why published results change, `accept` why it is imported against objections; `into` is the
    address of the event that tables and reports are read into.
    """

    dry_run: bool = False
    by: str = BY
    reason: str = ""
    accept: str = ""
    into: str = ""
    options: ReadingOptions = AS_FOUND


AS_USUAL = Wishes()


def no_report(_account: Account) -> None:
    """Report nothing."""


def import_event(
    source: str | bytes | Path, *, announce: Announce, report: Report = no_report, wishes: Wishes = AS_USUAL
) -> tuple[Finding, ...]:
    """Import an event file: its text, its bytes, or a file of a known format by its path. Every finding.

    `import_file` says what is announced and stored.
    """
    if isinstance(source, Path):
        content, problem = content_of(source)
        if problem:
            return (problem,)
        return import_file(source.name, content, announce=announce, report=report, wishes=wishes)
    content = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    return import_file("event.json", content, announce=announce, report=report, wishes=wishes)


def import_file(
    name: str,
    content: bytes,
    *,
    announce: Announce,
    report: Report = no_report,
    wishes: Wishes = AS_USUAL,
) -> tuple[Finding, ...]:
    """Import a file of a known format. Every finding.

    Nothing is announced or stored if the file has errors; nothing is stored if the database forbids it, or if
    there are objections and no reason to pass over them. What was read of the file is reported at the end.
    """
    reading = read_file(name, content, wishes.into, wishes.options)
    found = _import(reading, name, content, announce, wishes)
    report(reading.account)
    return found


def read_file(name: str, content: bytes, into: str = "", options: ReadingOptions = AS_FOUND) -> Reading:
    """What a file of that name holds; tables and reports are read into the event `into`."""
    if not (holds_tables(name, content) if into else is_table(name)):
        reading = read_event_file(content, name, into, options, base_of(name, into))
        return _of_the_event(reading, into) if into else reading
    event = Event.objects.select_related("series").filter(slug=into).first() if into else None
    if event is None:
        text = f"There is no event “{into}”." if into else "A table is no whole event."
        hint = f"{text} Say into which event it goes: --into with its address."
        return Reading(None, (error("table-without-event", Place(), hint),))
    return read_into(stored(event).document, name, content, options)


def base_of(name: str, slug: str) -> Document | None:
    """The event at that address, or at that of the name, that a report may be of; None for other files."""
    if not is_report(name):
        return None
    event = Event.objects.select_related("series").filter(slug=slug or address_of(name)).first()
    return stored(event).document if event else None


def _of_the_event(reading: Reading, into: str) -> Reading:
    """The reading, with an error where the file is another event's."""
    if reading.document is None or reading.document.event.slug == into:
        return reading
    text = f"This is the file of “{reading.document.event.slug}”, not of “{into}”. Leave --into out."
    return replace(reading, findings=(*reading.findings, error("another-event", Place("event.slug"), text)))


def read_into(base: Document, name: str, content: bytes, options: ReadingOptions = AS_FOUND) -> Reading:
    """The tables of a file read into an event, as their headings say."""
    found = tables_of(content, name, options)
    if errors(found.findings):
        return Reading(None, found.findings)
    reading = read_tables(base, found.tables, understood(found.tables), options)
    return replace(reading, findings=(*found.findings, *reading.findings))


def _import(
    reading: Reading, name: str, content: bytes, announce: Announce, wishes: Wishes
) -> tuple[Finding, ...]:
    if reading.accepted is None:
        return reading.findings
    with transaction.atomic():
        proposal = propose(reading.accepted, reading, lock=True)
        announce(proposal)
        lacking = (
            lacks_reason(proposal, wishes.reason),
            lacks_acceptance(proposal.objections, wishes.accept),
        )
        forbidden = (*proposal.findings, *(each for each in lacking if each))
        if not (forbidden or wishes.dry_run):
            event = store(proposal, wishes.by, wishes.reason, wishes.accept)
            if not proposal.differences.is_empty:
                keep_upload(event, name, content, wishes.by, accepted_of(proposal, wishes.accept))
    return (*reading.findings, *forbidden)
