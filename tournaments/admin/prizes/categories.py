"""The categories of an event: a list to write, who belongs to each, and who is in or out by hand."""

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
from tournaments.event.categories import Why, why
from tournaments.event.categorytexts import category_text
from tournaments.event.numbers import whole_number
from tournaments.models import Competitor, Event
from tournaments.prizes.members import people_of
from tournaments.prizes.texts import category_name, rule_text
from tournaments.recording.pastedlist import PastedList
from tournaments.recording.prizes import CategoryLine, read_categories, set_categories

MOST_SIGNS = 20_000


class CategoriesForm(forms.Form):
    """The categories, one a line."""

    text = PastedField(gettext_lazy("Categories, one a line"), rows=8, most_signs=MOST_SIGNS, required=False)


@dataclass(frozen=True, slots=True)
class CategoryCount:
    """A category with those who belong, and those of whom the record does not tell; each with the number.

    `decided` were put in or taken out by hand.
    """

    code: str
    name: str
    rule: str
    members: list[Competitor]
    unknown: list[Competitor]
    decided: list[Competitor]


@desk_view()
def categories(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the categories with their members; a post looks at the list, or stores it."""
    posted = request.POST if request.method == "POST" else None
    written = "\n".join(map(category_text, event.categories))
    form = CategoriesForm(posted, initial={"text": written})
    listed: PastedList[CategoryLine] = PastedList(())
    fault, seen = "", event.version
    if posted is not None and form.is_valid():
        listed = read_categories(form.cleaned_data["text"])
        seen = whole_number(posted.get("seen", "")) or 0
        if "save" in posted and not listed.faults:
            found = [each.category for each in listed.lines if each.category]
            fault = refusal_of(lambda: set_categories(event, found, seen, who(request)))
            if not fault:
                messages.success(request, _("The categories are saved."))
                return redirect("admin:event-categories", event.pk)
    shown = [each.category for each in listed.lines if each.category] if listed.lines else event.categories
    return page(
        request,
        event,
        "event_categories",
        _("Categories"),
        _("Who is ranked and wins prizes besides the whole: women, juniors, bands of ratings, clubs."),
        form=form,
        pasted=listed,
        fault=fault,
        seen=seen,
        counts=_counts(event, shown),
        is_trial=bool(listed.lines),
    )


def _counts(event: Event, shown: list[Any]) -> list[CategoryCount]:
    people = people_of(event)
    rows = {each.number: each for each in Competitor.objects.filter(event=event)} if shown else {}
    return [_count(event, each, people, rows) for each in shown]


def _count(event: Event, category: Any, people: list[Any], rows: Mapping[int, Competitor]) -> CategoryCount:
    grounds = {person.number: why(category, person, event.start) for person in people}

    def of(*wanted: Why) -> list[Competitor]:
        return [rows[number] for number, ground in grounds.items() if ground in wanted]

    return CategoryCount(
        category["code"],
        category_name(category),
        rule_text(category) or _("by label"),
        of(Why.RULE, Why.LABEL, Why.DECIDED_IN),
        of(Why.UNKNOWN),
        of(Why.DECIDED_IN, Why.DECIDED_OUT),
    )
