"""Ratings of an event updated from a list: its differences first, then those that were chosen."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.admin.frame import page, who
from tournaments.admin.permissions import desk_view, may_change_rules
from tournaments.admin.ratinglists.lists import KIND_LABELS
from tournaments.event.numbers import whole_number
from tournaments.interchange.ratinglists.folder import RatingList, lists
from tournaments.interchange.ratinglists.players import kind_of_ratings, source_of
from tournaments.models import Event
from tournaments.recording.preview import MovedPlace, place_changes
from tournaments.recording.ratings import (
    FIELDS,
    RatedComparison,
    RatedDifference,
    compare_ratings,
    reason_needed,
    take_over_ratings,
)
from tournaments.recording.refusal import Conflict, Refused

LABELS = {
    "rating": gettext_lazy("rating"),
    "title": gettext_lazy("title"),
    "name": gettext_lazy("name"),
    "code": gettext_lazy("federation"),
    "born": gettext_lazy("born"),
    "sex": gettext_lazy("sex"),
    "fide_id": gettext_lazy("FIDE id"),
    "fmjd_id": gettext_lazy("FMJD id"),
}
USUAL = ("rating", "title")
"""What is taken unless somebody chooses otherwise: names are often written as people want them."""


class ChosenListForm(forms.Form):
    """The list, and the ratings of it, that the event is held against."""

    chosen = forms.ChoiceField(label=gettext_lazy("List"))
    kind = forms.ChoiceField(
        label=gettext_lazy("Ratings"), choices=[("", gettext_lazy("choose")), *KIND_LABELS.items()]
    )

    def __init__(self, data: QueryDict, there: list[RatingList], kind: str) -> None:
        usual = {"chosen": there[0].name, "kind": kind}
        super().__init__({name: data.get(name) or value for name, value in usual.items()})
        self.fields["chosen"].choices = [(each.name, str(each)) for each in there]  # type: ignore[attr-defined]  # of a choice


@dataclass(frozen=True, slots=True)
class ShownDifference:
    """A row of the screen: the difference, both values in words by column, and whether it is ticked."""

    each: RatedDifference
    cells: list[tuple[str, Any, Any]]
    is_chosen: bool


@desk_view()
def event_ratings(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the differences between the event and a list; a post takes over those that were chosen."""
    there = lists(source_of(event.discipline))
    title = _("Update ratings")
    purpose = _("Holds the event against a rating list and shows what differs. You choose what is taken.")
    if not there:
        return page(request, event, "event_ratings", title, purpose, form=None)
    given = request.POST if request.method == "POST" else request.GET
    form = ChosenListForm(given, there, kind_of_ratings(event))
    if not form.is_valid():
        return page(request, event, "event_ratings", title, purpose, form=form, compared=None)
    used = next(each for each in there if each.name == form.cleaned_data["chosen"])
    kind = form.cleaned_data["kind"]
    fault, moved, is_trial = "", list[MovedPlace](), False
    if request.method == "POST":
        is_trial = "try" in request.POST
        fault, moved = _act(request, event, used, kind)
        if not fault and not is_trial:
            return redirect("admin:event-ratings", event.pk)
    compared = compare_ratings(event, used, kind)
    return page(
        request,
        event,
        "event_ratings",
        title,
        purpose,
        form=form,
        used=used,
        compared=compared,
        rows=_rows(compared, request),
        columns=[(name, LABELS[name], name in _fields(request)) for name in FIELDS],
        why=reason_needed(event),
        reason=request.POST.get("reason", ""),
        may_take=may_change_rules(request.user, event),
        fault=fault,
        moved=moved,
        is_trial=is_trial and not fault,
    )


def _act(request: HttpRequest, event: Event, used: RatingList, kind: str) -> tuple[str, list[MovedPlace]]:
    """Take over what was chosen, or try it; why not, or blank, and the places that a trial would move."""
    if not may_change_rules(request.user, event):
        return _("The event is over: an organiser changes ratings."), []
    seen = {
        key: whole_number(request.POST.get(f"seen-{key}", "")) or 0 for key in request.POST.getlist("row")
    }
    reason = request.POST.get("reason", "")
    is_trial = "try" in request.POST

    def take() -> int:
        told = reason.strip() or ("…" if is_trial else "")
        return take_over_ratings(event, used, seen, _fields(request), who(request), kind=kind, reason=told)

    try:
        if is_trial:
            return "", place_changes(event, take)
        count = take()
    except (Conflict, Refused) as fault:
        return str(fault), []
    text = ngettext("%(count)d row updated from %(list)s.", "%(count)d rows updated from %(list)s.", count)
    messages.success(request, text % {"count": count, "list": used})
    return "", []


def _fields(request: HttpRequest) -> list[str]:
    """Return the fields that are to be taken: those that were ticked, the usual ones on a fresh screen."""
    if request.method != "POST":
        return [*USUAL]
    return [name for name in FIELDS if name in request.POST.getlist("field")]


def _rows(compared: RatedComparison, request: HttpRequest) -> list[ShownDifference]:
    """Return the rows; all are ticked at first but those of whom the name alone tells who it is."""
    chosen = set(request.POST.getlist("row"))
    return [
        ShownDifference(
            each,
            [(str(LABELS[name]), was, new) for name, (was, new) in each.fields.items()],
            each.key in chosen if request.method == "POST" else not each.by_name,
        )
        for each in compared.differences
    ]
