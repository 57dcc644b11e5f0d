"""Update the ratings of an event from a rating list: show all differences, and store the selected ones."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.admin.frame import page, who
from tournaments.admin.permissions import desk_view, may_change_rules
from tournaments.event.choices import RatedAs
from tournaments.event.numbers import whole_number
from tournaments.interchange.ratinglists.folder import RatingList, lists
from tournaments.interchange.ratinglists.players import source_of
from tournaments.models import Event
from tournaments.recording.competitors import ratings
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.results.preview import MovedPlace, place_changes

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
DEFAULT_FIELDS = ("rating", "title")
"""The fields that are selected by default. Names are often spelled as the players prefer."""


class ChosenListForm(forms.Form):
    """The rating list to compare with, and the kind of its ratings."""

    chosen = forms.ChoiceField(label=gettext_lazy("List"))
    kind = forms.ChoiceField(
        label=gettext_lazy("Ratings"), choices=[("", gettext_lazy("choose")), *RatedAs.choices]
    )

    def __init__(self, data: QueryDict, available: list[RatingList], kind: str) -> None:
        defaults = {"chosen": available[0].name, "kind": kind}
        super().__init__({name: data.get(name) or value for name, value in defaults.items()})
        self.fields["chosen"].choices = [(each.name, str(each)) for each in available]  # type: ignore[attr-defined]  # a choice field


@desk_view()
def event_ratings(request: HttpRequest, event: Event) -> HttpResponse:
    available = lists(source_of(event.discipline))
    title = _("Update ratings")
    purpose = _("Compare the event with a rating list and choose the values to update.")
    if not available:
        return page(request, event, "event_ratings", title, purpose, form=None)
    data = request.POST if request.method == "POST" else request.GET
    form = ChosenListForm(data, available, event.ratings_from or event.rated_as)
    if not form.is_valid():
        return page(request, event, "event_ratings", title, purpose, form=form, compared=None)
    rating_list = next(each for each in available if each.name == form.cleaned_data["chosen"])
    kind = form.cleaned_data["kind"]
    error, moved_places, is_trial = "", list[MovedPlace](), False
    if request.method == "POST":
        is_trial = "try" in request.POST
        error, moved_places = _update_or_preview(request, event, rating_list, kind)
        if not error and not is_trial:
            return redirect("admin:event-ratings", event.pk)
    compared = ratings.compare_ratings(event, rating_list, kind)
    selected = set(request.POST.getlist("row"))
    rows = [
        (
            each,
            [(LABELS[name], old, new) for name, (old, new) in each.fields.items()],
            # By default, all but matches by name only.
            each.key in selected if request.method == "POST" else not each.by_name,
        )
        for each in compared.differences
    ]
    return page(
        request,
        event,
        "event_ratings",
        title,
        purpose,
        form=form,
        used=rating_list,
        compared=compared,
        rows=rows,
        columns=[(name, LABELS[name], name in _selected_fields(request)) for name in ratings.FIELDS],
        why=ratings.reason_needed(event),
        reason=request.POST.get("reason", ""),
        may_take=may_change_rules(request.user, event),
        fault=error,
        moved=moved_places,
        is_trial=is_trial and not error,
    )


def _update_or_preview(
    request: HttpRequest, event: Event, rating_list: RatingList, kind: str
) -> tuple[str, list[MovedPlace]]:
    """Store the selected values, or preview them. Return the error message, and the changes in places."""
    if not may_change_rules(request.user, event):
        return _("The event is over: an organiser changes ratings."), []
    seen = {
        key: whole_number(request.POST.get(f"seen-{key}", "")) or 0 for key in request.POST.getlist("row")
    }
    reason = request.POST.get("reason", "")
    is_trial = "try" in request.POST

    def take() -> int:
        given_reason = reason.strip() or ("…" if is_trial else "")
        return ratings.take_over_ratings(
            event, rating_list, seen, _selected_fields(request), who(request), kind=kind, reason=given_reason
        )

    try:
        if is_trial:
            return "", place_changes(event, take)
        count = take()
    except (Conflict, Refused) as error:
        return str(error), []
    text = ngettext("%(count)d row updated from %(list)s.", "%(count)d rows updated from %(list)s.", count)
    messages.success(request, text % {"count": count, "list": rating_list})
    return "", []


def _selected_fields(request: HttpRequest) -> list[str]:
    if request.method != "POST":
        return [*DEFAULT_FIELDS]
    return [name for name in ratings.FIELDS if name in request.POST.getlist("field")]
