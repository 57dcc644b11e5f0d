"""Findings of an event, and acknowledged warnings."""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.event.checks import check_document, unacknowledged
from tournaments.event.document import Document
from tournaments.event.finding import Finding, Severity
from tournaments.models import Acknowledgement, Event, Round
from tournaments.recording.locking import lock_event, name_of_user
from tournaments.recording.refusal import Refused, required
from tournaments.stored import stored

LEFT_OUT = "not-in-schedule"


def findings_of(event: Event) -> tuple[Finding, ...]:
    """Return all findings of an event, including acknowledged ones. At most eleven queries."""
    return check_document(stored(event).document)


def open_findings(event: Event) -> tuple[Finding, ...]:
    return open_findings_of(stored(event).document)


def open_findings_of(document: Document) -> tuple[Finding, ...]:
    return unacknowledged(check_document(document), document)


def findings_in(round_: Round) -> tuple[Finding, ...]:
    """Return the unacknowledged findings about a round or about the entire event."""
    return about_round(open_findings(round_.event), round_.number)


def about_round(findings: Iterable[Finding], number: int) -> tuple[Finding, ...]:
    return tuple(each for each in findings if each.round in (None, number))


def left_out(event: Event) -> tuple[Finding, ...]:
    """Return the findings about competitors who are missing from the schedule of a round robin."""
    if not event.is_round_robin:
        return ()
    return tuple(each for each in open_findings(event) if each.code == LEFT_OUT)


def acknowledge(
    event: Event, finding: str, by: User, reason: str, round_: int | None = None, table: int | None = None
) -> Acknowledgement:
    """Acknowledge the warnings with that code at that round and table.

    Raise Refused if there is none, if it is an error, or if it is acknowledged already.
    """
    with lock_event(event) as now:
        reason_text = required(reason)
        matching = [
            each
            for each in open_findings(now)
            if (each.code, each.round, each.table) == (finding, round_, table)
        ]
        if not matching:
            raise Refused(_("There is no such warning any more. Reload the page."))
        if any(each.severity is Severity.ERROR for each in matching):
            raise Refused(
                _("This is an error, and is not accepted but corrected: %(error)s")
                % {"error": matching[0].message}
            )
        return Acknowledgement.objects.create(
            event=now, finding=finding, round=round_, table=table, reason=reason_text, by=name_of_user(by)
        )
