"""Entries that the script of a page sends as JSON, and the responses. All input is validated.

The results page and the attendance use the same format (`static/js/results/queue.js`).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeVar
from uuid import UUID

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.http.request import RawPostDataException
from django.utils.translation import gettext as _

from config.database.faults import UnavailableError
from tournaments.admin.frame import who
from tournaments.event.numbers import whole_number
from tournaments.models import Event
from tournaments.recording.results.submissions import BUSY, SubmissionOutcome

HIGHEST_KEY, HIGHEST_VERSION = 2**63 - 1, 2**31 - 1
MAX_ENTRIES = 1_000
OF_NO_ROW = -1
SubmissionT = TypeVar("SubmissionT")


class Malformed(ValueError):  # noqa: N818 - named like Conflict and Refused
    """Raised if the request is not a list of entries. Our pages never send this."""


def take_in_entries(
    request: HttpRequest,
    event: Event,
    read: Callable[[Mapping[str, Any]], SubmissionT],
    enter: Callable[[Event, Sequence[SubmissionT], User], list[SubmissionOutcome]],
) -> HttpResponse:
    """Record the entries that a script has sent, and respond with the outcome of each as JSON.

    `read` parses an entry. Respond 400 if the body is malformed, 409 if another user is logged in than the
    one who typed the entries, and 503 if the event is locked; then the script sends all of them again.
    """
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    try:
        sent = body_of(request)
        entries = list_of(sent.get("entries"), read)
    except Malformed:
        return HttpResponse(status=400)
    # Entries that stayed in the browser overnight are not recorded for the user of the next morning.
    if sent.get("user") != request.user.pk:
        return HttpResponse(status=409)
    outcomes = enter(event, entries, who(request))
    if any(each.state == BUSY for each in outcomes):
        # The script sends all again. The ids make recorded entries return the same outcome.
        return HttpResponse(status=503, headers={"Retry-After": UnavailableError.retry_after})
    return JsonResponse({"outcomes": [outcome_json(each, event.epoch) for each in outcomes]})


def body_of(request: HttpRequest) -> dict[str, Any]:
    try:
        body = decoded(request.body)
    except RawPostDataException as fault:  # a form
        raise Malformed from fault
    if not isinstance(body, dict):
        raise Malformed
    return body


def list_of(sent: Any, read: Callable[[Mapping[str, Any]], SubmissionT]) -> list[SubmissionT]:
    """Return the parsed entries of a JSON list. Raise Malformed if it is not a list of objects."""
    # The script sends at most 20 at once.
    is_short_list = isinstance(sent, list) and len(sent) <= MAX_ENTRIES
    if not is_short_list or not all(isinstance(each, Mapping) for each in sent):
        raise Malformed
    return [read(each) for each in sent]


def decoded(text: str | bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise Malformed from fault


def number_of(value: Any, highest: int, lowest: int = 0) -> int:
    # bool is a subclass of int, and JSON has booleans.
    if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
        raise Malformed
    return value


def id_of(value: Any) -> UUID:
    try:
        return UUID(str(value))
    except ValueError as fault:
        raise Malformed from fault


def version_text(version: int, epoch: str) -> str:
    return f"{version}.{epoch}"


def version_of(sent: Any, epoch: str, highest: int = HIGHEST_VERSION) -> int:
    """Return the version that the user saw. If the epoch differs: `OF_NO_ROW`, which is always a conflict."""
    if not isinstance(sent, str):  # stored by a browser before there were epochs
        return number_of(sent, highest)
    version, _dot, of_epoch = sent.partition(".")
    seen = whole_number(version, highest)
    if seen is None:
        raise Malformed
    return seen if of_epoch == epoch else OF_NO_ROW


def outcome_json(outcome: SubmissionOutcome, epoch: str) -> dict[str, Any]:
    # `agrees` is a property, which asdict() omits.
    return {**asdict(outcome), "version": version_text(outcome.version, epoch), "agrees": outcome.agrees}


def connection_texts() -> dict[str, str]:
    """Return the script's messages about saving and the connection, for all kinds of entries."""
    return {
        "saving": _("saving …"),
        "saved": _("saved"),
        "failed": _("not saved"),
        "keep": _("Keep %(theirs)s"),
        "put": _("Put %(mine)s"),
        "all_saved": _("Everything is saved."),
        "sending": _("Being saved: %(count)s."),
        "lost": _(
            "No connection. Saved in this browser only: %(count)s. Continue; they are sent automatically."
        ),
        "busy": _(
            "The site is busy. Saved in this browser only: %(count)s. Continue; they are sent automatically."
        ),
        "fault": _(
            "Server error; it was logged. Saved in this browser only: %(count)s. They are sent again "
            "automatically. If the error stays, give the operators this code: %(id)s"
        ),
        "login": _(
            "You are logged out. Saved in this browser only: %(count)s. Log in again in another tab, then "
            "continue here."
        ),
        "other_account": _(
            "Another account is logged in, so nothing is sent. Saved in this browser only: %(count)s. Log "
            "in as %(name)s again."
        ),
        "gone": _(
            "You no longer have access to this event. Saved in this browser only: %(count)s. Ask the "
            "organiser."
        ),
        "broken": _(
            "The server could not read this page. Saved in this browser only: %(count)s. Reload the page."
        ),
        "not_kept": _(
            "This browser cannot store unsent entries: leave this page open until everything is saved."
        ),
        "undecided": _("To be looked at: %(count)s."),
        "others_wait": _(
            "Another account has results in this browser that are not saved yet."
            " They go out when it opens their round."
        ),
        "elsewhere": _("Results of round %(round)s are not saved yet. Open that round to send them."),
    }
