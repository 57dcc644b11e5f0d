"""The pairings of a round: one screen to look at them, to change them, and to ask what that would break."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.frame import of_round, page
from tournaments.admin.pairings.acts import (
    Change,
    Outcome,
    changes_of,
    last_step,
    people_of,
    picked_in,
    tables_after,
    take,
)
from tournaments.admin.pairings.board import Board
from tournaments.admin.permissions import desk_view
from tournaments.admin.results.sheet import round_of
from tournaments.event.choices import Kind
from tournaments.models import Event, Round
from tournaments.recording.differences import draft_doubts
from tournaments.recording.doubts import Doubt
from tournaments.recording.refusal import Refused
from tournaments.stored import stored

ROUNDS_OFF_KEYS = (
    (Kind.BYE, "y", gettext_lazy("bye")),
    (Kind.HALF_BYE, "=", gettext_lazy("½ bye")),
    (Kind.ZERO_BYE, "0", gettext_lazy("0 bye")),
    (Kind.ABSENT, "-", gettext_lazy("absent")),
)
"""What one who has no opponent may have, and the key that means it."""


@desk_view()
def pairings(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show the screen; do one act on the pairings, or ask first where it would make something unusual.

    The script asks for the part of the page that an act changes, and anybody else is led back to the page.
    """
    round_, outcome = round_of(event, number), Outcome()
    is_fragment = "fragment" in request.POST or "fragment" in request.GET
    if request.method == "POST":
        outcome = _take(request, round_)
        if outcome.done and not is_fragment:
            messages.success(request, outcome.done)
            at = f"#table-{outcome.table}" if outcome.table else ""
            return redirect(request.path + at)
    context = of_round(round_, **_context(request, round_, outcome))
    if is_fragment:
        return render(request, "admin/pairings_board.html", {"event": event, "is_fragment": True, **context})
    return page(
        request,
        event,
        "pairings",
        _("Pairings of round %(round)s") % {"round": number},
        _("Says who meets whom, why, and what is unusual about it."),
        **context,
        outdated=_outdated(context["board"]),
    )


def _outdated(board: Board) -> list[Doubt]:
    """Return how the data have changed since the draft was proposed; no query without a proposal."""
    if board.proposal is None:
        return []
    return list(draft_doubts(board.round, stored(board.event).document))


@desk_view()
def check(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Answer what an act would make of the round and what would be unusual, in words; nothing is stored."""
    board = Board(round_of(event, number))
    picked, text = picked_in(request.GET), request.GET.get("text", "")
    context = _about(board, "pair" if text else "exchange", text, picked)
    return render(request, "admin/pairings_about.html", {"event": event, "round": board.round, **context})


def _take(request: HttpRequest, round_: Round) -> Outcome:
    if request.POST.get("act") == "about":
        return Outcome()
    return take(request, round_)


def _context(request: HttpRequest, round_: Round, outcome: Outcome) -> dict[str, Any]:
    picked = [] if outcome.done else picked_in(request.POST)
    board = Board(round_, picked)
    about = _about(board, "exchange", "", picked) if picked and not outcome.question else {}
    return {
        "board": board,
        "outcome": outcome,
        "refusal": outcome.refused,
        "question": outcome.question,
        "reason": request.POST.get("reason", ""),
        "text": "" if outcome.done else request.POST.get("text", ""),
        "keys": ROUNDS_OFF_KEYS,
        "may_undo": bool(last_step(request, round_)),
        **about,
    }


def _about(board: Board, act: str, text: str, picked: Sequence[int]) -> dict[str, Any]:
    """Return who is picked, whom they have met, and what an act on them would make."""
    changes, refused = list[Change](), ""
    if text or len(picked) == 2:
        try:
            changes = changes_of(board, tables_after(board, act, text, picked))
        except Refused as why:
            refused = str(why)
    return {"people": people_of(board, picked), "changes": changes, "check_refused": refused}
