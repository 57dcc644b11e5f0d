"""An event file into the database, in one call."""

from collections.abc import Callable
from pathlib import Path

from django.db import transaction

from tournaments.files.applying import apply
from tournaments.files.finding import Finding
from tournaments.files.proposal import Proposal, propose
from tournaments.files.reader import read


def import_event(
    source: str | bytes | Path, *, announce: Callable[[Proposal], None], dry_run: bool = False
) -> tuple[Finding, ...]:
    """Read, compare, announce the differences, then store them in one transaction. Returns every finding.

    Nothing is announced or stored if the file has errors; nothing is stored if the database forbids it.
    """
    reading = read(source)
    if reading.accepted is None:
        return reading.findings
    with transaction.atomic():
        proposal = propose(reading.accepted, lock=True)
        announce(proposal)
        if not (proposal.findings or dry_run):
            apply(proposal)
    return (*reading.findings, *proposal.findings)
