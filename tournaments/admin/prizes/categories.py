"""The categories of an event: a list to edit, and the members of each category."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.fields import PastedField
from tournaments.admin.frame import page, refusal_of, who
from tournaments.admin.permissions import desk_view
from tournaments.event.categories import Why, membership_reason
from tournaments.event.numbers import whole_number
from tournaments.event.texts import category_text
from tournaments.models import Competitor, Event
from tournaments.prizes.members import people_of
from tournaments.prizes.texts import category_name, rule_text
from tournaments.recording.events.prizes import CategoryLine, read_categories, set_categories
from tournaments.recording.refusal import PastedList

MOST_SIGNS = 20_000


class CategoriesForm(forms.Form):
    """The categories, one per line."""

    text = PastedField(
        gettext_lazy("Categories, one per line"), rows=8, most_signs=MOST_SIGNS, required=False
    )


@dataclass(frozen=True, slots=True)
class CategoryCount:
    """A category with its members, and competitors for whom membership is unknown.

    `decided`: included or excluded by hand.
    """

    code: str
    name: str
    rule: str
    members: list[Competitor]
    unknown: list[Competitor]
    decided: list[Competitor]


@desk_view()
def categories(request: HttpRequest, event: Event) -> HttpResponse:
    posted = request.POST if request.method == "POST" else None
    stored_text = "\n".join(map(category_text, event.categories))
    form = CategoriesForm(posted, initial={"text": stored_text})
    listed: PastedList[CategoryLine] = PastedList(())
    error, seen = "", event.version
    if posted is not None and form.is_valid():
        listed = read_categories(form.cleaned_data["text"])
        seen = whole_number(posted.get("seen", "")) or 0
        if "save" in posted and not listed.faults:
            new_categories = [each.category for each in listed.lines if each.category]
            error = refusal_of(lambda: set_categories(event, new_categories, seen, who(request)))
            if not error:
                messages.success(request, _("The categories are saved."))
                return redirect("admin:event-categories", event.pk)
    listed_categories = (
        [each.category for each in listed.lines if each.category] if listed.lines else event.categories
    )
    people = people_of(event)
    rows = {each.number: each for each in Competitor.objects.filter(event=event)} if listed_categories else {}
    return page(
        request,
        event,
        "event_categories",
        _("Categories"),
        _("Separate standings and prizes: women, juniors, rating groups, clubs."),
        form=form,
        pasted=listed,
        fault=error,
        seen=seen,
        counts=[_category_count(event, each, people, rows) for each in listed_categories],
        is_trial=bool(listed.lines),
    )


def _category_count(
    event: Event, category: Any, people: list[Any], rows: Mapping[int, Competitor]
) -> CategoryCount:
    reason_by_number = {person.number: membership_reason(category, person, event.start) for person in people}

    def of(*reasons: Why) -> list[Competitor]:
        return [rows[number] for number, reason in reason_by_number.items() if reason in reasons]

    return CategoryCount(
        category["code"],
        category_name(category),
        rule_text(category) or _("by label"),
        of(Why.RULE, Why.LABEL, Why.DECIDED_IN),
        of(Why.UNKNOWN),
        of(Why.DECIDED_IN, Why.DECIDED_OUT),
    )
