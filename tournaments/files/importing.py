"""An event file into the database, in one call."""

from collections.abc import Callable
from pathlib import Path

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.files.applying import apply
from tournaments.files.finding import Finding
from tournaments.files.proposal import Proposal, propose
from tournaments.files.reader import read
from tournaments.recording.backups import keep


def import_event(
    source: str | bytes | Path,
    *,
    announce: Callable[[Proposal], None],
    dry_run: bool = False,
    by: str = "manage.py import_event",
) -> tuple[Finding, ...]:
    """Read, compare, announce the differences, then store them in one transaction. Returns every finding.

    Nothing is announced or stored if the file has errors; nothing is stored if the database forbids it. What
    an import changes leaves no history row by row: a backup of the event is kept first (ADR 0021).
    """
    reading = read(source)
    if reading.accepted is None:
        return reading.findings
    with transaction.atomic():
        proposal = propose(reading.accepted, lock=True)
        announce(proposal)
        if not (proposal.findings or dry_run):
            if proposal.stored and not proposal.differences.is_empty:
                keep(proposal.stored.event, proposal.stored.document, by, _("Before an import"))
            apply(proposal)
    return (*reading.findings, *proposal.findings)
