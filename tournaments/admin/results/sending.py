"""Endpoints for the script of the results screen: storing entries, polling, and previews of place changes."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from tournaments.admin.frame import who
from tournaments.admin.permissions import desk_view
from tournaments.admin.results.sheet import board_row, line_key, round_of, sent_by_line, shape_of, with_newest
from tournaments.admin.wire import (
    HIGHEST_KEY,
    Malformed,
    body_of,
    id_of,
    list_of,
    number_of,
    outcome_json,
    take_in_entries,
    version_of,
    version_text,
)
from tournaments.event.choices import is_settled
from tournaments.models import Event, Round
from tournaments.operations.revision import revision_of
from tournaments.recording.corrections import needs_reason
from tournaments.recording.results.preview import ResultPreview, preview_results
from tournaments.recording.results.sheets import result_lines
from tournaments.recording.results.storing import SubmittedResult
from tournaments.recording.results.submissions import distinct_notes, enter

ALWAYS, STANDING, NEVER = "always", "standing", ""
"""When a result of the round needs a reason: always, if the line has a result, or never."""


@desk_view()
def take_in(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    round_of(event, number)
    return take_in_entries(request, event, partial(parse_result, epoch=event.epoch), enter)


@desk_view()
@require_POST
def try_one(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    round_of(event, number)
    try:
        entries = list_of(body_of(request).get("entries"), partial(parse_result, epoch=event.epoch))
    except Malformed:
        return HttpResponse(status=400)
    trial = preview_results(event, entries, who(request))
    return JsonResponse(
        {"outcomes": [outcome_json(each, event.epoch) for each in trial.outcomes], "moves": moves_text(trial)}
    )


@desk_view()
@require_GET
def news(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Return 204 if the page is up to date, otherwise result and version of every line as JSON."""
    revision = f"{event.epoch}-{revision_of(event.pk)}"
    round_ = None
    if event.players_entry:
        round_ = round_of(event, number)
        revision = with_newest(revision, round_)
    # Cheap, because every page polls each five seconds: a query, or three if players can send results.
    if request.GET.get("revision") == revision:
        return HttpResponse(status=204)
    round_ = round_ or round_of(event, number)
    # If the pairings were taken back, the page learns it from the shape and reloads.
    lines = [] if round_.is_draft else result_lines(round_, totals="totals" in request.GET)
    news: dict[str, Any] = {
        "revision": revision,
        "lines": {line_key(line): [line.typed, version_text(line.version, event.epoch)] for line in lines},
        "shape": shape_of(event, [board_row(event, line) for line in lines]),
        "needs": needs_of(event, round_),
        "sent": {
            key: render_to_string("admin/results_sent.html", {"sent": each}).strip()
            for key, each in sent_by_line(round_, lines).items()
        },
    }
    return JsonResponse(news)


def needs_of(event: Event, round_: Round) -> str:
    """Return when a result of the round needs a reason, with at most a single query."""
    if is_settled(event.state, round_.state):
        return ALWAYS
    return STANDING if needs_reason(round_) else NEVER


def moves_text(trial: ResultPreview) -> list[str]:
    return [
        _("%(name)s: place %(was)s to %(now)s")
        % {"name": each.name, "was": each.was or "–", "now": each.now or "–"}
        for each in trial.moved
    ]


def preview_of(trial: ResultPreview | None) -> dict[str, list[str]]:
    """Return the context of `results_moves.html`: place changes, and rounds that are paired already."""
    return {
        "moves": moves_text(trial) if trial else [],
        "notes_of_trial": distinct_notes(trial.outcomes) if trial else [],
    }


LONGEST_RESULT, LONGEST_REASON = 60, 10_000
HIGHEST_BOARD = 2**15 - 1


def results_json(entries: list[SubmittedResult]) -> str:
    return json.dumps([{**asdict(each), "id": str(each.id)} for each in entries], ensure_ascii=False)


def printable_result(text: Any) -> str:
    """Return a typed result without control characters, cut to the maximum length."""
    return "".join(sign for sign in str(text) if sign.isprintable())[:LONGEST_RESULT].strip()


def parse_result(sent: Mapping[str, Any], epoch: str) -> SubmittedResult:
    """Return an entry, with versions of that epoch. Raise Malformed if it is invalid."""
    board = sent.get("board")
    return SubmittedResult(
        id_of(sent.get("id")),
        number_of(sent.get("pairing"), HIGHEST_KEY),
        None if board is None else number_of(board, HIGHEST_BOARD),
        printable_result(sent.get("text", "")),
        version_of(sent.get("seen"), epoch),
        reason=str(sent.get("reason", ""))[:LONGEST_REASON],
    )
