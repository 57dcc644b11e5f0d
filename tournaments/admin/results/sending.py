"""What the screen's script asks: take these entries in, is there anything new, what would this move?"""

from dataclasses import asdict
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.http.request import RawPostDataException
from django.utils.translation import gettext as _

from config.database.faults import UnavailableError
from tournaments.admin.frame import who
from tournaments.admin.permissions import desk_view
from tournaments.admin.results.sheet import key_of, round_of, rows_of, shape_of
from tournaments.admin.results.wire import Malformed, decoded, entries_of, version_text
from tournaments.event.choices import is_settled
from tournaments.models import Event, Round
from tournaments.recording.corrections import needs_reason
from tournaments.recording.entries import BUSY, EntryOutcome, enter
from tournaments.recording.sheets import lines_of
from tournaments.recording.trials import EntryTrial, try_out
from tournaments.revision import revision_of

ALWAYS, STANDING, NEVER = "always", "standing", ""
"""When a result needs a reason here: in every line, in those that have a result, or in none."""


@desk_view()
def take_in(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Answer what became of each entry; 409 where another account is logged in than typed them.

    503 where somebody else keeps the event locked; the script sends all of them again.
    """
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    round_of(event, number)
    try:
        sent = _body(request)
        entries = entries_of(sent.get("entries"), event.epoch)
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


@desk_view()
def try_one(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Answer which places the entries would move, in words; nothing is stored."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    round_of(event, number)
    try:
        entries = entries_of(_body(request).get("entries"), event.epoch)
    except Malformed:
        return HttpResponse(status=400)
    trial = try_out(event, entries, who(request))
    return JsonResponse(
        {"outcomes": [outcome_json(each, event.epoch) for each in trial.outcomes], "moves": moves_text(trial)}
    )


@desk_view()
def news(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Answer 204 where the event is as the page shows it; else every line's result and version, as JSON."""
    if request.method != "GET":
        return HttpResponseNotAllowed(["GET"])
    revision = f"{event.epoch}-{revision_of(event.pk)}"
    # One small query for a page that asks every five seconds.
    if request.GET.get("revision") == revision:
        return HttpResponse(status=204)
    round_ = round_of(event, number)
    # Taken back meanwhile: the page learns it from the shape and reloads.
    lines = [] if round_.is_draft else lines_of(round_, totals="totals" in request.GET)
    news: dict[str, Any] = {
        "revision": revision,
        "lines": {key_of(line): [line.typed, version_text(line.version, event.epoch)] for line in lines},
        "shape": shape_of(event, rows_of(event, lines)),
        "needs": needs_of(event, round_),
    }
    return JsonResponse(news)


def needs_of(event: Event, round_: Round) -> str:
    """Return when a result of the round needs a reason; at most one query."""
    if is_settled(event.state, round_.state):
        return ALWAYS
    return STANDING if needs_reason(round_) else NEVER


def moves_text(trial: EntryTrial) -> list[str]:
    """Return the places that would move, each in words."""
    return [
        _("%(name)s: place %(was)s becomes %(now)s")
        % {"name": each.name, "was": each.was or "–", "now": each.now or "–"}
        for each in trial.moved
    ]


def outcome_json(outcome: EntryOutcome, epoch: str) -> dict[str, Any]:
    """Return an outcome as the script reads it."""
    # The last is a property, which asdict() leaves out.
    return {
        **asdict(outcome),
        "version": version_text(outcome.version, epoch),
        "agrees": outcome.agrees,
    }


def _body(request: HttpRequest) -> dict[str, Any]:
    try:
        body = decoded(request.body)
    except RawPostDataException as fault:  # a form, and not what the script sends
        raise Malformed from fault
    if not isinstance(body, dict):
        raise Malformed
    return body
