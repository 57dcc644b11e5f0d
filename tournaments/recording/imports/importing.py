"""Imports for the desk and the commands: read a file, compare it with the database, store it (ADR 0027)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from tournaments.event.document import Document, GameEntry, PairingEntry
from tournaments.event.finding import Finding, Place, error, warning
from tournaments.event.rules import Rules
from tournaments.interchange.formats.file_formats import address_for, holds_event, is_report, read
from tournaments.interchange.formats.json.parsing import content_of
from tournaments.interchange.formats.json.reader import EDITION_BY_START, Reading
from tournaments.interchange.formats.layouts.outline import NO_FACTS, EventOutline
from tournaments.interchange.formats.layouts.recognition import RecognisedFile
from tournaments.interchange.formats.options import AS_FOUND, ReadingOptions
from tournaments.interchange.formats.trf.reading import ADDRESS, document_of_records
from tournaments.interchange.imports.applying import apply
from tournaments.interchange.imports.import_diff import ImportDiff, compare_with_stored
from tournaments.interchange.public import publishable
from tournaments.models import Event, Series, Upload
from tournaments.people.hiding.anonymise import anonymise
from tournaments.people.services.linking import link_entries
from tournaments.recording.corrections import places_by_number
from tournaments.recording.events.backups import keep
from tournaments.recording.events.rules import add_record
from tournaments.recording.events.systems import FIDE_POLICIES
from tournaments.recording.imports.changes import (
    CorrectedResult,
    corrections_of,
    lacks_acceptance,
    lacks_reason,
    log_corrections,
    moved_by_import,
    old_rules,
    paired_from_old,
    reason_to_accept,
)
from tournaments.recording.locking import lent_text
from tournaments.recording.refusal import prose
from tournaments.search.index import update_index
from tournaments.stored import stored

# --- comparison -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ImportTrial:
    """A file compared with the database, before anything is stored.

    `diff`: None if the file has errors. `forbidden`: findings of the comparison that no reason can
    override.
    """

    reading: Reading
    diff: ImportDiff | None = None
    forbidden: tuple[Finding, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        return (*self.reading.findings, *self.forbidden)

    @property
    def accepted(self) -> ImportDiff | None:
        return None if self.forbidden else self.diff

    @cached_property
    def corrected(self) -> list[CorrectedResult]:
        return corrections_of(self.diff) if self.diff else []

    @property
    def paired_from_old(self) -> str:
        return paired_from_old(self.corrected)

    @cached_property
    def old_rules(self) -> Rules | None:
        """Return the frozen rules that the import would change, in a single query."""
        return old_rules(self.diff) if self.diff else None

    def lacking(self, answers: Mapping[str, str]) -> tuple[Finding, ...]:
        """Return the findings for missing reasons. `answers`: `reason`, `accept` and `accept-CODE`."""
        if self.diff is None:
            return ()
        lacking = (
            lacks_reason(self.diff, self.corrected, self.old_rules, answers.get("reason", "")),
            lacks_acceptance(self.diff.objections, answers),
        )
        return tuple(each for each in lacking if each)


def try_import(reading: Reading, *, lock: bool = False, home: str = "") -> ImportTrial:
    """Compare a reading with the database. `lock` locks the event and needs a transaction.

    `home`: where the file comes from, if the event is lent to it. Only its home can import a lent event.
    """
    if reading.accepted is None:
        return ImportTrial(reading)
    diff = compare_with_stored(reading.accepted, reading, lock=lock, home=home)
    event, forbidden = diff.stored and diff.stored.event, diff.findings
    if event and event.home != home:
        text = lent_text(event) if event.home else _("This event is not lent to “%(home)s”.") % {"home": home}
        forbidden = (error("changed-elsewhere", Place("event"), text), *forbidden)
    return ImportTrial(reading, diff, forbidden)


# --- storage ----------------------------------------------------------------------------------------------


def store_trial(trial: ImportTrial, by: str, answers: Mapping[str, str]) -> Event:
    """Store a trial, inside the transaction that locks its event.

    A backup is stored first. Each changed published result is logged; the last log entry has the place
    changes of all of them. A change of frozen rules is stored as an override. Raise ValueError if the
    import is forbidden or lacks a reason.
    """
    diff, corrected, rules = trial.accepted, trial.corrected, trial.old_rules
    lacking, reason = trial.lacking(answers), answers.get("reason", "")
    if diff is None or lacking:
        raise ValueError("; ".join(str(each) for each in (*trial.findings, *lacking)))
    if diff.stored and not diff.differences.is_empty:
        # Stored before the import, which is undone by restoring this backup.
        keep(diff.stored.event, diff.stored.document, by, _("Before an import"))
    # Rankings of large events take long, so they are computed only if the log needs them.
    before = places_by_number(diff.stored.event) if diff.stored and corrected else {}
    event = apply(diff)
    if diff.differences.touches_entries or diff.hidden_matches.doubtful:
        link_entries(event, by, diff.hidden_matches)
    else:
        anonymise(event)  # notes and lines may contain the names of hidden persons
    if rules:
        add_record(event, rules, by, reason)  # also if the file removes the results
    if corrected:
        moved = moved_by_import(diff, before, places_by_number(event))
        log_corrections(event, corrected, moved, by, prose(reason))
    # Indexed here, because a search that indexes thousands of events would keep its reader waiting.
    update_index(event.pk)
    return event


def accepted_of(
    diff: ImportDiff, answers: Mapping[str, str], by: str, options: ReadingOptions
) -> dict[str, Any]:
    """Return overridden objections, the reasons, chosen options, and who (`by`) answered; else empty."""
    chosen = {name: value for name, value in asdict(options).items() if value}
    reasons = dict.fromkeys(reason_to_accept(each.code, answers) for each in diff.objections)
    if not (reasons or chosen):
        return {}
    listed = [str(each) for each in diff.objections]
    return {"by": by, "reason": " ".join(reasons), "objections": listed, "answers": chosen}


def keep_upload(
    event: Event, name: str, content: bytes, by: str, accepted: dict[str, Any] | None = None
) -> Upload:
    """Store an uploaded file with its event. Return the last upload if it has the same content.

    `accepted` is the result of `accepted_of`. An import with overridden objections is always stored.
    """
    digest = sha256(content).hexdigest()
    last = event.uploads.defer("file").first()
    if last and last.sha256 == digest and last.applied and not accepted:
        return last
    return Upload.objects.create(
        event=event,
        name=name[-255:],
        file=content,
        sha256=digest,
        by=by,
        applied=datetime.now(UTC),
        accepted=accepted or {},
    )


# --- command ----------------------------------------------------------------------------------------------

Announce = Callable[[ImportDiff], None]
Report = Callable[[Reading], None]
BY = "manage.py import_event"


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """Options of an import.

    `by`: name for the record. `reason`: why published results change. `accept`: why objections are
    overridden. `into`: slug of the event for tables and reports. `outline`: facts, before those of the file.
    `home`: as in `try_import`.
    """

    dry_run: bool = False
    by: str = BY
    reason: str = ""
    accept: str = ""
    into: str = ""
    options: ReadingOptions = AS_FOUND
    outline: EventOutline = NO_FACTS
    home: str = ""


AS_USUAL = ImportRequest()


def import_event(
    source: str | bytes | Path, *, announce: Announce, wishes: ImportRequest = AS_USUAL
) -> tuple[Finding, ...]:
    """Import an event file from its text, its bytes or a path. Return all findings, as `import_file` does."""
    content, problem = content_of(source)
    if problem:
        return (problem,)
    name = source.name if isinstance(source, Path) else "event.json"
    return import_file(name, content, announce=announce, wishes=wishes)


def import_file(
    name: str,
    content: bytes,
    *,
    announce: Announce,
    report: Report | None = None,
    wishes: ImportRequest = AS_USUAL,
) -> tuple[Finding, ...]:
    """Import a file of a known format in a single transaction. Return all findings.

    No data are stored if the file has errors, if the database forbids the import, or if there are
    objections and no reason to accept them. `announce` gets the diff, `report` the reading.
    """
    into, reading = wishes.into, read_upload(name, content, wishes.into, wishes.options, wishes.outline)
    if into and holds_event(name, content) and reading.document and reading.document.event.slug != into:
        text = f"This is the file of “{reading.document.event.slug}”, not of “{into}”. Leave --into out."
        another = error("another-event", Place("event.slug"), text)
        reading = replace(reading, findings=(*reading.findings, another))
    with transaction.atomic():
        trial = try_import(reading, lock=True, home=wishes.home)
        answers = {"reason": wishes.reason, "accept": wishes.accept}
        lacking = trial.lacking(answers)
        if trial.diff:
            announce(trial.diff)
        if trial.accepted and not (lacking or wishes.dry_run):
            event = store_trial(trial, wishes.by, answers)
            # A scheduler that imports the same file every night would fill the table of uploads.
            if not trial.accepted.differences.is_empty:
                accepted = accepted_of(trial.accepted, answers, wishes.by, wishes.options)
                keep_upload(event, name, content, wishes.by, accepted)
    if report:
        report(reading)
    return (*trial.findings, *lacking)


def read_upload(
    name: str,
    content: bytes,
    into: str = "",
    options: ReadingOptions = AS_FOUND,
    chosen: EventOutline = NO_FACTS,
    found: RecognisedFile | None = None,
    rounds: int = 0,
) -> Reading:
    """Read a file. Tables and reports are read into the event `into`; without it, tables as a new event.

    `chosen`: facts of any file. `found`: the tables, if the user changed their columns. `rounds`: the least
    number of rounds of `into`. Private parts are removed, with a finding.
    """
    taken: list[str] = []  # slugs of events that are not of this file

    def base(slug: str) -> Document | None:
        event = Event.objects.select_related("series").filter(slug=slug).first()
        if event and not (into or _belongs_to(event, name, content, chosen)):
            taken.append(slug)
            return None
        document = stored(event).document if event else None
        if document and document.event.planned_rounds < rounds:
            return replace(document, event=replace(document.event, planned_rounds=rounds))
        return document

    reading = read(name, content, base, into=into, options=options, facts=chosen, found=found)
    if taken and not chosen.slug and reading.document and is_report(name, content):
        # Editions often have the same file name, such as 1998/open.trf and 1999/open.trf.
        slug = address_for(reading.document.event.name, reading.document.event.start)
        if slug not in ("", *taken):
            named = chosen.with_fact("slug", slug, "the name and the year")
            return read_upload(name, content, into, options, named, found)
    for slug in taken:
        text = (
            f"There is an event “{slug}” that is not of this file. Read the file into it (--into {slug}), "
            "or give the new event another address (--slug)."
        )
        refused = error("address-taken", Place("slug"), text)
        reading = replace(reading, findings=(*reading.findings, refused))
    if (document := reading.document) and document.event.series:
        # Another spelling, such as HARBOUR CUP, creates no further series.
        stored_names = Series.objects.filter(name__iexact=document.event.series).values_list(
            "name", flat=True
        )
        if stored_names and document.event.series not in stored_names:
            event = replace(document.event, series=stored_names[0])
            reading = replace(reading, document=replace(document, event=event))
    return _without_private_parts(_with_stored_edition(reading))


def _with_stored_edition(reading: Reading) -> Reading:
    findings = tuple(each for each in reading.findings if each.code != EDITION_BY_START)
    if reading.document is None or findings == reading.findings:
        return reading
    event = reading.document.event
    same = Event.objects.filter(slug=event.slug, system=event.system, unplayed__in=("", *FIDE_POLICIES))
    unplayed = same.values_list("unplayed", flat=True).first()
    if unplayed is None:
        return reading
    document = replace(reading.document, event=replace(event, unplayed=unplayed))
    return replace(reading, document=document, findings=findings)


def _without_private_parts(reading: Reading) -> Reading:
    document = reading.document
    if document is None:
        return reading
    public = publishable(document)
    removed_lines = len(document.event.trf) - len(public.event.trf)
    stripped_games = sum(
        private_row.moves != public_row.moves
        for private_row, public_row in zip(_rows_with_moves(document), _rows_with_moves(public), strict=True)
    )
    if not removed_lines and not stripped_games:
        return reading
    parts = [
        f"{removed_lines} lines that match no field of the event" if removed_lines else "",
        f"tags or comments of {stripped_games} games" if stripped_games else "",
    ]
    text = (
        f"{' and '.join(filter(None, parts))} were not imported, because they may contain private data "
        "and would become public. They are still in the uploaded file."
    )
    left_out = warning("not-published", Place(), text[0].upper() + text[1:])
    return replace(reading, document=public, findings=(*reading.findings, left_out))


def _rows_with_moves(document: Document) -> Iterator[PairingEntry | GameEntry]:
    for round_ in document.rounds:
        for pairing in round_.pairings:
            yield pairing
            yield from pairing.games


def _belongs_to(event: Event, name: str, content: bytes, chosen: EventOutline) -> bool:
    if not is_report(name, content) or (own := document_of_records(content)) is None:
        return _is_of_file(event, name, content)
    if own.event.slug != ADDRESS:  # the report has a slug of its own
        return event.slug != chosen.slug or chosen.slug == own.event.slug or _is_of_file(event, name, content)
    start, title = chosen.start or own.event.start, chosen.name or own.event.name
    if not (start.startswith(event.start) or event.start.startswith(start)):  # only a year may be known
        return False
    return title.casefold() in (event.name.casefold(), ADDRESS) or _is_of_file(event, name, content)


def _is_of_file(event: Event, name: str, content: bytes) -> bool:
    same = Q(name=name[-255:]) | Q(sha256=sha256(content).hexdigest())
    return event.uploads.exclude(applied=None).filter(same).exists()
