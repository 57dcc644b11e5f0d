"""The screen of a pairing: note, match points and changes by hand."""

from collections.abc import Callable

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournaments.admin.frame import add_redirect_message, of_round, page, refusal_of, who
from tournaments.admin.pairings.board import tables_by_hand
from tournaments.admin.permissions import desk_view
from tournaments.admin.results.sheet import round_of
from tournaments.event.numbers import score_text, whole_number
from tournaments.event.resultcodes import recorded_text
from tournaments.models import Event, Override, Pairing
from tournaments.recording.corrections import paired_before
from tournaments.recording.events.rulings import findings_in
from tournaments.recording.overrides import undo_override
from tournaments.recording.pairings.by_hand import annotate
from tournaments.recording.pairings.pasted_pairings import sides_text
from tournaments.recording.refusal import Refused
from tournaments.recording.teams.match_scores import award_match_points, has_result


@desk_view()
def one_pairing(request: HttpRequest, event: Event, number: int, table: int) -> HttpResponse:
    round_ = round_of(event, number)
    pairing = round_.pairings.select_related("first", "second").filter(table=table).first()
    if pairing is None:
        # For example if the browser goes back to a pairing that was removed.
        add_redirect_message(request, _("There is no pairing at table %(table)s.") % {"table": table})
        return redirect("admin:round-pairings", event.pk, number)
    # The actions read the event of the round, which is loaded already.
    pairing.round = round_
    refusal = ""
    act = ACTS.get(request.POST.get("act", ""))
    if act:
        refusal = refusal_of(lambda: act(request, pairing))
        if not refusal:
            return redirect(request.path)
    points = score_text(pairing.first_match_points, pairing.second_match_points)
    first, second = sides_text(pairing)
    return page(
        request,
        event,
        "pairing",
        _("Round %(round)s, table %(table)s") % {"round": number, "table": table},
        _("Decisions about this pairing and changes made by hand."),
        **of_round(round_, refusal=refusal, reason=request.POST.get("reason", "")),
        pairing=pairing,
        first=first,
        second=second,
        result=recorded_text(event, pairing),
        is_decided=has_result(pairing),
        by_hand=table in tables_by_hand(round_),
        rulings=rulings_on(pairing),
        note=request.POST.get("note", pairing.note),
        points=request.POST.get("points", points),
        act=request.POST.get("act", ""),
        findings=[each for each in findings_in(round_) if each.table == table],
    )


# --- actions ------------------------------------------------------------------------------------------


def _save_note(request: HttpRequest, pairing: Pairing) -> None:
    annotate(pairing, request.POST.get("note", ""), _seen_version(request), who(request))
    messages.success(request, _("The note is saved."))


def _save_match_points(request: HttpRequest, pairing: Pairing) -> None:
    points, reason = request.POST.get("points", ""), request.POST.get("reason", "")
    row = award_match_points(pairing, points, _seen_version(request), who(request), reason)
    messages.success(request, _("The match points are saved."))
    if row.version != pairing.version and (
        text := paired_before(pairing.round.event, pairing.round, stood=True)
    ):
        messages.warning(request, text)


def _undo_change(request: HttpRequest, pairing: Pairing) -> None:
    number = whole_number(request.POST.get("override", "")) or 0
    override = rulings_on(pairing).filter(number=number).first()
    if override is None:
        raise Refused(_("There is no such override of this pairing."))
    undo_override(override, who(request), request.POST.get("reason", ""))
    messages.success(request, _("The change is undone; the record of both stays."))


ACTS: dict[str, Callable[[HttpRequest, Pairing], None]] = {
    "note": _save_note,
    "points": _save_match_points,
    "undo": _undo_change,
}


def _seen_version(request: HttpRequest) -> int:
    return whole_number(request.POST.get("seen", "")) or 0


def rulings_on(pairing: Pairing) -> QuerySet[Override]:
    """Return the changes of a pairing by hand, the latest first, each with its undo."""
    kind = Override.Kind.PAIRING
    changed = Override.objects.filter(event=pairing.round.event, kind=kind, round=pairing.round.number)
    return changed.filter(table=pairing.table).select_related("undone_by", "event").order_by("-number")
