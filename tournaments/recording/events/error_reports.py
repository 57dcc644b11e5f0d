"""Error reports by readers: received, answered, closed."""

from collections.abc import Iterable, Mapping
from datetime import timedelta

from django.contrib.auth.models import User
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.models import ErrorReport, Event
from tournaments.recording.refusal import Refused, prose
from tournaments.recording.results.from_players import refuse_flood

MOST_A_MINUTE = 5
"""Limit of reports per network and minute."""

MOST_OPEN = 200
"""Limit of open reports per event, so that a flood from many networks does not fill the database."""

SAME_AGAIN = timedelta(hours=1)
"""The same text within that time counts as sent twice."""


def report_error(
    event: Event, page: str, revision: int, text: str, address: str = "", network: str = ""
) -> ErrorReport:
    """Store an error report for the desk of the event. Return the existing one if it was sent twice.

    Raise Refused if it is blank or too many are open; TooMany if the network has sent too many.
    """
    cleaned = prose(text)
    if not cleaned:
        raise Refused(_("Describe the error briefly."))
    waiting = ErrorReport.objects.filter(event=event, state=ErrorReport.State.OPEN)
    again = waiting.filter(page=page, text=cleaned, at__gt=timezone.now() - SAME_AGAIN).first()
    if again:
        return again
    refuse_flood(ErrorReport.objects.filter(network=network), MOST_A_MINUTE)
    if waiting.count() >= MOST_OPEN:
        raise Refused(_("Too many reports are waiting, so no more are accepted. Try again another day."))
    return ErrorReport.objects.create(
        event=event, page=page, revision=revision, text=cleaned, address=address, network=network
    )


def open_reports(events: Iterable[Event]) -> Mapping[int, int]:
    """Return the number of open reports by event key, without zeros. A single query."""
    rows = ErrorReport.objects.filter(event__in=events, state=ErrorReport.State.OPEN).order_by()
    return dict(rows.values("event").annotate(count=Count("pk")).values_list("event", "count"))


def answer_report(report: ErrorReport, answer: str, by: User) -> None:
    report.answer, report.state = prose(answer), ErrorReport.State.ANSWERED
    _save_report(report, by)


def set_state(report: ErrorReport, state: str, by: User) -> None:
    """Close or reopen a report. Raise Refused for any other state."""
    if state not in (ErrorReport.State.OPEN, ErrorReport.State.DONE):
        raise Refused(_("A report is open or done."))
    report.state = ErrorReport.State(state)
    _save_report(report, by)


def _save_report(report: ErrorReport, by: User) -> None:
    report.by, report.changed = by, timezone.now()
    report.save(update_fields=["state", "answer", "by", "changed"])
