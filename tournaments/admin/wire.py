"""Entries as the script of a screen sends them, and their answers: JSON, of which nothing is believed.

The results screen and the attendance send theirs alike (`static/js/results/queue.js`).
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
from tournaments.recording.entries import BUSY, EntryOutcome

HIGHEST_KEY, HIGHEST_VERSION = 2**63 - 1, 2**31 - 1
MOST = 1_000
OF_NO_ROW = -1
Entry = TypeVar("Entry")


class Malformed(ValueError):  # noqa: N818 - what it is, as Conflict and Refused are
    """Raised where something else than a list of entries comes: no page of ours sends that."""


def take_in_entries(
    request: HttpRequest,
    event: Event,
    read: Callable[[Mapping[str, Any]], Entry],
    enter: Callable[[Event, Sequence[Entry], User], list[EntryOutcome]],
) -> HttpResponse:
    """Answer what became of each entry that a script has sent, read one by one by `read`.

    400 where something else was sent, 409 where another account is logged in than typed them, 503 where
    somebody else keeps the event locked; the script sends all of them again.
    """
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    try:
        sent = body_of(request)
        entries = list_of(sent.get("entries"), read)
    except Malformed:
        return HttpResponse(status=400)
    # What lay in the browser overnight is not entered under the name of whoever logs in next morning.
    if sent.get("user") != request.user.pk:
        return HttpResponse(status=409)
    outcomes = enter(event, entries, who(request))
    if any(each.state == BUSY for each in outcomes):
        # All are sent again, under their ids: those that were taken in get the same answer again.
        return HttpResponse(status=503, headers={"Retry-After": UnavailableError.retry_after})
    return JsonResponse({"outcomes": [outcome_json(each, event.epoch) for each in outcomes]})


def body_of(request: HttpRequest) -> dict[str, Any]:
    """Return the object that a request has as its body; Malformed where it has none."""
    try:
        body = decoded(request.body)
    except RawPostDataException as fault:  # a form, and not what the script sends
        raise Malformed from fault
    if not isinstance(body, dict):
        raise Malformed
    return body


def list_of(sent: Any, read: Callable[[Mapping[str, Any]], Entry]) -> list[Entry]:
    """Return the entries in a decoded JSON list; Malformed where one is none."""
    # The client sends at most a hundred at once; more is not ours.
    if not isinstance(sent, list) or len(sent) > MOST or not all(isinstance(each, Mapping) for each in sent):
        raise Malformed
    return [read(each) for each in sent]


def decoded(text: str | bytes) -> Any:
    """Return the value of a JSON text; Malformed where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise Malformed from fault


def number_of(value: Any, highest: int, lowest: int = 0) -> int:
    """Return a whole number in its range; Malformed where it is none."""
    # True is an int in Python, and JSON has it.
    if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
        raise Malformed
    return value


def id_of(value: Any) -> UUID:
    """Return the id of an entry; Malformed where it is none."""
    try:
        return UUID(str(value))
    except ValueError as fault:
        raise Malformed from fault


def version_text(version: int, epoch: str) -> str:
    """Return the version of a row as the script keeps and sends it: `5.EPOCH`."""
    return f"{version}.{epoch}"


def version_of(sent: Any, epoch: str, highest: int = HIGHEST_VERSION) -> int:
    """Return the version that was seen; that of another epoch is one that no row has, and so a conflict."""
    if not isinstance(sent, str):  # kept by a browser since before there were epochs
        return number_of(sent, highest)
    version, _dot, of_epoch = sent.partition(".")
    seen = whole_number(version, highest)
    if seen is None:
        raise Malformed
    return seen if of_epoch == epoch else OF_NO_ROW


def outcome_json(outcome: EntryOutcome, epoch: str) -> dict[str, Any]:
    """Return an outcome as the script reads it."""
    # The last is a property, which asdict() leaves out.
    return {
        **asdict(outcome),
        "version": version_text(outcome.version, epoch),
        "agrees": outcome.agrees,
    }


def words_of_the_connection() -> dict[str, str]:
    """Return what a script says of the connection, of entries in words that suit any screen."""
    return {
        "all_saved": _("Everything is saved."),
        "sending": _("Being saved: %(count)s."),
        "lost": _("No connection. Kept in this browser: %(count)s. Go on; it is tried again by itself."),
        "busy": _("The site is busy. Kept in this browser: %(count)s. Go on; it is tried again by itself."),
        "fault": _(
            "The server made a mistake, and has recorded it. Kept in this browser: %(count)s."
            " It is tried again by itself; if that does not help, tell who runs the site this: %(id)s"
        ),
        "login": _(
            "You are logged out. Kept in this browser: %(count)s."
            " Log in again in another tab; it goes on here."
        ),
        "other_account": _(
            "Another account is logged in now, so nothing is sent. Kept in this browser: %(count)s."
            " Log in as %(name)s again."
        ),
        "gone": _(
            "You may not work on this event any more. Kept in this browser: %(count)s. Ask the organiser."
        ),
        "broken": _(
            "The server did not understand this page. Kept in this browser: %(count)s. Reload the page."
        ),
        "not_kept": _(
            "This browser keeps nothing between pages: leave this page open until everything is saved."
        ),
        "undecided": _("To be looked at: %(count)s."),
        "others_wait": _(
            "Another account has results in this browser that are not saved yet."
            " They go out when it opens their round."
        ),
        "elsewhere": _("Results of round %(round)s are not saved yet. Open that round to send them."),
    }
