"""An event file → a document and its findings. Bad input is a finding, never an exception."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tournaments.event.checks import check
from tournaments.event.completing import complete, in_order, of_its_event
from tournaments.event.document import FORMAT, VERSION, Document
from tournaments.event.finding import Finding, Place, errors, objections
from tournaments.formats.account import Account, ReadingTally
from tournaments.formats.json.parsing import parse
from tournaments.formats.log import Log, read_entry
from tournaments.formats.trf.identities import with_people_of_lines


@dataclass(frozen=True, slots=True)
class Reading:
    """A document and its findings, with an account of what was read.

    There is no document where the shape of the file is wrong.
    """

    document: Document | None
    findings: tuple[Finding, ...]
    account: Account = ()

    @property
    def errors(self) -> tuple[Finding, ...]:
        """Return the findings that keep the event out."""
        return errors(self.findings)

    @property
    def objections(self) -> tuple[Finding, ...]:
        """Return the findings that keep the file out until they are accepted with a reason."""
        return objections(self.findings)

    @property
    def accepted(self) -> Document | None:
        """Return the document, if nothing keeps it out."""
        return None if self.errors else self.document


def read(source: str | bytes | Path) -> Reading:
    """Read an event file: its text, its bytes, or its path. Findings stand in the order of the file."""
    value, problem = parse(source)
    if problem:
        return Reading(None, (problem,))
    log = Log()
    if not _is_event_file(value, log):
        return Reading(None, tuple(log.findings))
    as_written = read_entry(Document, value, Place(), log)
    if as_written is None:
        return Reading(None, tuple(log.findings))
    # Checked before sorting, so that each place is the one in the file.
    document, remarks = complete(of_its_event(as_written))
    return Reading(with_people_of_lines(in_order(document)), (*remarks, *check(document)), _account(document))


def _account(document: Document) -> Account:
    """Count what an event file holds: it is read whole, for a key that nobody knows is an error."""
    tally = ReadingTally()
    tally.read("competitors", len(document.competitors))
    tally.read("pairings", sum(1 for _ in document.pairings()))
    if document.published:
        tally.read("ranks", sum(map(len, document.published.order)))
    return tally.account()


def _is_event_file(value: Any, log: Log) -> bool:
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        log.add(
            "wrong-format", Place("format"), f"This is no event file. One begins with “format”: “{FORMAT}”."
        )
        return False
    version = value.get("version")
    if version != VERSION or isinstance(version, bool):
        log.add(
            "wrong-version", Place("version"), f"Version {version} is unknown; this site reads {VERSION}."
        )
        return False
    return True
