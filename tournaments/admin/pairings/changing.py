"""Pairings changed by hand: several at once, or one with its note, its match points and its rulings."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournaments.admin.frame import of_round, page, refusal_of, who
from tournaments.admin.pairings.screen import PairingRow, tables_of
from tournaments.admin.pairings.seats import SeatsOutcome, change_seats, lines_of
from tournaments.admin.permissions import desk_view
from tournaments.admin.results.sheet import round_of
from tournaments.event.numbers import score_text, whole_number
from tournaments.models import Event, Override, Pairing, Round
from tournaments.recording.matchpoints import award_match_points
from tournaments.recording.overrides import undo_override
from tournaments.recording.pairings import annotate, remove_pairing
from tournaments.recording.refusal import Refused
from tournaments.recording.rounds import unpaired_of
from tournaments.recording.rulings import findings_in
from tournaments.recording.seating import competitor_text


@desk_view()
def rearrange_round(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show every pairing without a result in fields, to be changed at once: who takes whose seat."""
    round_ = round_of(event, number)
    change = SeatsOutcome(lines_of(tables_of(round_)))
    if request.method == "POST":
        change = change_seats(request, round_, tables_of(round_))
        if not change.refusal:
            return redirect("admin:round-pairings", event.pk, number)
    return page(
        request,
        event,
        "pairings_change",
        _("Change the pairings of round %(round)s") % {"round": number},
        _("Seats several at once: whoever changes seats is typed at both tables, then all is saved."),
        **of_round(round_, **_form(request, event, round_, change)),
    )


@desk_view()
def one_pairing(request: HttpRequest, event: Event, number: int, table: int) -> HttpResponse:
    """Show one pairing: who sits there, its note, its match points, and what was changed by hand."""
    round_ = round_of(event, number)
    found = _table(round_, table)
    if found is None:
        return _gone(request, round_, table)
    change, refusal = SeatsOutcome(lines_of([found])), ""
    if request.method == "POST":
        # Unknown ones fall through to the seats, whose own check finds nothing changed.
        act = ACTS.get(request.POST.get("act", ""))
        if act:
            refusal = refusal_of(lambda: act(request, found.pairing))
        else:
            change = change_seats(request, round_, [found])
        if not (refusal or change.refusal):
            return redirect(request.path)
    return page(
        request,
        event,
        "pairing",
        _("Round %(round)s, table %(table)s") % {"round": number, "table": table},
        _("Changes who sits here, and records what was decided about it."),
        **of_round(round_, **_form(request, event, round_, change)),
        **_about(request, found),
        act_refusal=refusal,
        findings=[each for each in findings_in(round_) if each.table == table],
    )


@desk_view()
def remove_one(request: HttpRequest, event: Event, number: int, table: int) -> HttpResponse:
    """Ask, and take a pairing out of a round that is not set."""
    round_ = round_of(event, number)
    found, refusal = _table(round_, table), ""
    if found is None:
        return _gone(request, round_, table)
    if request.method == "POST":
        seen = whole_number(request.POST.get("seen", "")) or 0
        refusal = refusal_of(lambda: remove_pairing(found.pairing, seen, who(request)))
        if not refusal:
            messages.success(request, _("The pairing of table %(table)s is removed.") % {"table": table})
            return redirect("admin:round-pairings", event.pk, number)
    return page(
        request,
        event,
        "pairing_remove",
        _("Remove the pairing of table %(table)s") % {"table": table},
        _("Takes a pairing out of a round that is still being paired."),
        **of_round(round_, table=found, refusal=refusal),
    )


# --- acts on one pairing ----------------------------------------------------------------------------------


def _annotate(request: HttpRequest, pairing: Pairing) -> None:
    annotate(pairing, request.POST.get("note", ""), _seen(request), who(request))
    messages.success(request, _("The note is saved."))


def _award(request: HttpRequest, pairing: Pairing) -> None:
    points, reason = request.POST.get("points", ""), request.POST.get("reason", "")
    award_match_points(pairing, points, _seen(request), who(request), reason)
    messages.success(request, _("The match points are saved."))


def _undo(request: HttpRequest, pairing: Pairing) -> None:
    number = whole_number(request.POST.get("override", "")) or 0
    override = rulings_on(pairing).filter(number=number).first()
    if override is None:
        raise Refused(_("There is no such override of this pairing."))
    undo_override(override, who(request), request.POST.get("reason", ""))
    messages.success(request, _("The change is undone; the record of both stays."))


ACTS: dict[str, Callable[[HttpRequest, Pairing], None]] = {
    "note": _annotate,
    "points": _award,
    "undo": _undo,
}


def _seen(request: HttpRequest) -> int:
    return whole_number(request.POST.get("seen", "")) or 0


# --- told -------------------------------------------------------------------------------------------------


def rulings_on(pairing: Pairing) -> QuerySet[Override]:
    """Return the changes by hand of a pairing, the latest first, each with its undoing."""
    kind = Override.Kind.PAIRING
    changed = Override.objects.filter(event=pairing.round.event, kind=kind, round=pairing.round.number)
    return changed.filter(table=pairing.table).select_related("undone_by", "event").order_by("-number")


def _table(round_: Round, table: int) -> PairingRow | None:
    found = next((each for each in tables_of(round_) if each.pairing.table == table), None)
    if found is not None:
        # The round brings the event along, which the acts ask for.
        found.pairing.round = round_
    return found


def _gone(request: HttpRequest, round_: Round, table: int) -> HttpResponse:
    """Lead to the pairings instead, as for who goes back to a pairing that he has removed."""
    messages.info(request, _("There is no pairing at table %(table)s.") % {"table": table})
    return redirect("admin:round-pairings", round_.event.pk, round_.number)


def _form(request: HttpRequest, event: Event, round_: Round, change: SeatsOutcome) -> dict[str, Any]:
    """Return the context of the fields of seats."""
    return {
        "lines": change.lines,
        "refusal": change.refusal,
        "reason": request.POST.get("reason", ""),
        "members": [competitor_text(each) for each in event.competitors.all()],
        "unpaired": [competitor_text(each) for each in unpaired_of(round_)],
    }


def _about(request: HttpRequest, found: PairingRow) -> dict[str, Any]:
    pairing = found.pairing
    points = score_text(pairing.first_match_points, pairing.second_match_points)
    return {
        "table": found,
        "rulings": rulings_on(pairing),
        "note": request.POST.get("note", pairing.note),
        "points": request.POST.get("points", points),
        "act": request.POST.get("act", ""),
    }
