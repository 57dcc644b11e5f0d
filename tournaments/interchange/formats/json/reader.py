"""Documents from event files. Invalid input is a finding, never an exception."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from standings.engine import edition_of, ranks_by_edition
from tournaments.event.checks import check_document
from tournaments.event.checks.event import OTHER_EDITION
from tournaments.event.checks.published import POINTS_DIFFER
from tournaments.event.choices import EventState, UnknownFact, knows_results
from tournaments.event.completing import complete, in_order, of_its_event
from tournaments.event.document import FORMAT, VERSION, Document
from tournaments.event.finding import Finding, Place, errors, objections, warning
from tournaments.interchange.formats.account import Account, ReadingTally
from tournaments.interchange.formats.json.parsing import parse
from tournaments.interchange.formats.log import Log, read_object
from tournaments.interchange.formats.trf.identities import with_people_of_lines

# code of a finding: the edition of FIDE's rules follows from the start of the event
EDITION_BY_START = "edition-by-start"

# code of a finding: results are unknown because the file has only a ranking
ONLY_PUBLISHED = "only-published"


@dataclass(frozen=True, slots=True)
class Reading:
    """A document with its findings and an account.

    `document`: None if the structure of the file is invalid. `proposed`: facts that the file lacks.
    """

    document: Document | None
    findings: tuple[Finding, ...]
    account: Account = ()
    proposed: tuple[str, ...] = ()

    @property
    def errors(self) -> tuple[Finding, ...]:
        return errors(self.findings)

    @property
    def objections(self) -> tuple[Finding, ...]:
        """Return the findings that prevent the import until they are accepted with a reason."""
        return objections(self.findings)

    @property
    def accepted(self) -> Document | None:
        return None if self.errors else self.document


def read(source: str | bytes | Path) -> Reading:
    """Read an event file: its text, its bytes, or its path. Findings are in the order of the file."""
    value, problem = parse(source)
    if problem:
        return Reading(None, (problem,))
    log = Log()
    as_written = read_object(Document, value, Place(), log) if _is_event_file(value, log) else None
    if as_written is None:
        return Reading(None, tuple(log.findings))
    # Checked before sorting, so that each place is the one in the file.
    document, remarks = complete(of_its_event(as_written))
    tally = ReadingTally()
    tally.read("competitors", len(document.competitors))
    tally.read("pairings", sum(1 for _ in document.pairings()))
    if document.published:
        tally.read("ranks", sum(map(len, document.published.order)))
    return Reading(
        with_people_of_lines(in_order(document)), (*remarks, *check_document(document)), tally.account()
    )


def read_to_import(source: str | bytes | Path) -> Reading:
    """Read an event file as an import does: add the facts that it leaves out, and report each of them.

    They are unknown results, and the edition of FIDE's rules at the start of the event. `read` leaves such
    events as they are, because a backup must come back unchanged.
    """
    reading = with_unknown_results(read(source))
    event = reading.document and reading.document.event
    if (
        not (reading.document and event)
        or event.unplayed
        or not knows_results(event)
        or not ranks_by_edition(event.system)
    ):
        return reading
    code = edition_of(event.start).code
    document = replace(reading.document, event=replace(event, unplayed=code))
    reason = (
        f"The event starts on {event.start}, so unplayed rounds count by"
        if event.start
        else "It names no start of the event either, so unplayed rounds count by the newest edition,"
    )
    text = (
        f"The file names no edition of FIDE's rules. {reason} “{code}”. To choose another one, write it "
        "into “rules.unplayed”."
    )
    place = Place("event").key("rules").key("unplayed")
    findings = (each for each in reading.findings if each.code != OTHER_EDITION)
    return replace(reading, document=document, findings=(*findings, warning(EDITION_BY_START, place, text)))


def with_unknown_results(reading: Reading) -> Reading:
    """Return a final event with a published ranking and no pairings with `results` as an unknown fact."""
    document = reading.document
    if not (document and document.published and document.published.order):
        return reading
    event = document.event
    is_over = event.state in (EventState.FINAL, EventState.ARCHIVED)
    if not is_over or UnknownFact.RESULTS in event.unknown or any(document.pairings()):
        return reading
    unknown = tuple(sorted({*event.unknown, UnknownFact.RESULTS.value}))
    text = (
        "The event is over and has a published ranking, but no pairings. Its results are taken as unknown, "
        "and the published places as its standings. If results are known, add the pairings to the file."
    )
    findings = (each for each in reading.findings if each.code not in (POINTS_DIFFER, OTHER_EDITION))
    return replace(
        reading,
        document=replace(document, event=replace(event, unknown=unknown)),
        findings=(*findings, warning(ONLY_PUBLISHED, Place("event").key("unknown"), text)),
    )


def _is_event_file(value: Any, log: Log) -> bool:
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        log.add(
            "wrong-format",
            Place("format"),
            f"This is not an event file. An event file begins with “format”: “{FORMAT}”.",
        )
        return False
    version = value.get("version")
    if version != VERSION or isinstance(version, bool):
        log.add(
            "wrong-version", Place("version"), f"Version {version} is unknown; this site reads {VERSION}."
        )
        return False
    return True
