"""The screen of a round's pairings, with changes and their checks."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.frame import of_round, page
from tournaments.admin.pairings.acts import (
    WAYS_FOR_DISPLACED,
    Outcome,
    TableChange,
    execute_action,
    last_step,
    picked_numbers,
    picked_opponents,
    plan_action,
    table_changes,
)
from tournaments.admin.pairings.board import Board
from tournaments.admin.permissions import desk_view
from tournaments.admin.results.sheet import round_of
from tournaments.event.choices import Kind
from tournaments.models import Event, Round
from tournaments.recording.pairings.differences import draft_doubts
from tournaments.recording.refusal import Refused
from tournaments.stored import stored

ROUNDS_OFF_KEYS = (
    (Kind.BYE, "y", gettext_lazy("bye")),
    (Kind.HALF_BYE, "=", gettext_lazy("½ bye")),
    (Kind.ZERO_BYE, "0", gettext_lazy("0 bye")),
    (Kind.ABSENT, "-", gettext_lazy("absent")),
)
"""Rounds off for a competitor without an opponent, and their keyboard keys."""


@desk_view()
def pairings(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show the screen. A POST executes an action, or asks first if its effect is unusual.

    The script requests the changed part of the page (`fragment`). Without the script, a redirect leads back
    to the page.
    """
    round_, outcome = round_of(event, number), Outcome()
    is_fragment = "fragment" in request.POST or "fragment" in request.GET
    if request.method == "POST" and request.POST.get("act") != "about":
        outcome = execute_action(request, round_)
        if outcome.done and not is_fragment:
            messages.success(request, outcome.done)
            at = f"#table-{outcome.table}" if outcome.table else ""
            return redirect(request.path + at)
    context = of_round(round_, **_screen_context(request, round_, outcome))
    if is_fragment:
        return render(request, "admin/pairings_board.html", {"event": event, "is_fragment": True, **context})
    # How the data changed since the draft was proposed.
    outdated = draft_doubts(round_, stored(event).document) if context["board"].proposal else ()
    return page(
        request,
        event,
        "pairings",
        _("Pairings of round %(round)s") % {"round": number},
        _("The pairings, the reasons for them, and anything unusual."),
        **context,
        outdated=list(outdated),
    )


@desk_view()
def check(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Return the effect of an action and what is unusual about it as HTML. Nothing is stored."""
    board = Board(round_of(event, number))
    picked, text = picked_numbers(request.GET), request.GET.get("text", "")
    freed = request.GET.get("freed", "")
    context = _picked_context(board, "pair" if text else "exchange", text, picked, freed)
    return render(request, "admin/pairings_about.html", {"event": event, "round": board.round, **context})


def _screen_context(request: HttpRequest, round_: Round, outcome: Outcome) -> dict[str, Any]:
    picked = [] if outcome.done else picked_numbers(request.POST)
    board = Board(round_, picked)
    about = _picked_context(board, "exchange", "", picked) if picked and not outcome.question else {}
    return {
        "board": board,
        "outcome": outcome,
        "refusal": outcome.refused,
        "question": outcome.question,
        "reason": request.POST.get("reason", ""),
        "text": "" if outcome.done else request.POST.get("text", ""),
        "freed": "" if outcome.done else request.POST.get("freed", ""),
        "ways_for_displaced": WAYS_FOR_DISPLACED.items(),
        "keys": ROUNDS_OFF_KEYS,
        "may_undo": bool(last_step(request, round_)),
        **about,
    }


def _picked_context(board: Board, act: str, text: str, picked: list[int], freed: str = "") -> dict[str, Any]:
    changes, refused = list[TableChange](), ""
    if text or len(picked) == 2:
        try:
            changes = table_changes(board, plan_action(board, act, text, picked, freed).tables)
        except Refused as why:
            refused = str(why)
    return {"people": picked_opponents(board, picked), "changes": changes, "check_refused": refused}
