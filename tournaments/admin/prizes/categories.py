"""The categories of an event: rows to edit, and the members of each category."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language_info, gettext_lazy
from django.utils.translation import gettext as _

from tournaments.admin.fields import ListField
from tournaments.admin.frame import page, refusal_of, who
from tournaments.admin.permissions import desk_view
from tournaments.admin.rows import Row, RowsField, WholeField, differing_values
from tournaments.event.categories import (
    LONGEST_CODE,
    OLDEST,
    EventCategory,
    Why,
    is_code,
    membership_reason,
)
from tournaments.event.choices import Sex
from tournaments.event.dates import parse_day
from tournaments.event.numbers import whole_number
from tournaments.event.values import LARGEST_RATING
from tournaments.models import Competitor, Event
from tournaments.prizes.members import people_of
from tournaments.prizes.texts import category_name, rule_text
from tournaments.recording.events.prizes import LONGEST_NAME, set_categories

ANY = gettext_lazy("any")


class CategoryRow(Row):
    """A category. `languages`: the codes of languages in which it can have another name."""

    data_class = EventCategory

    code = forms.CharField(
        label=gettext_lazy("Code"), max_length=LONGEST_CODE, widget=forms.TextInput(attrs={"size": 8})
    )
    name = forms.CharField(label=gettext_lazy("Name"), max_length=LONGEST_NAME, required=False)
    sex = forms.ChoiceField(label=gettext_lazy("Sex"), choices=[("", ANY), *Sex.choices], required=False)
    age_under = WholeField(gettext_lazy("Younger than"), most=OLDEST)
    age_from = WholeField(gettext_lazy("Age from"), most=OLDEST)
    age_on = forms.CharField(
        label=gettext_lazy("Age on day"),
        required=False,
        widget=forms.TextInput(attrs={"size": 10, "placeholder": "2018-10-06"}),
    )
    rating_from = WholeField(gettext_lazy("Rating from"), most=LARGEST_RATING)
    rating_to = WholeField(gettext_lazy("Rating to"), most=LARGEST_RATING)
    unrated = forms.BooleanField(label=gettext_lazy("Unrated players"), required=False)
    clubs = ListField(
        gettext_lazy("Clubs, a line each"),
        longest=120,
        separator="\n",
        widget=forms.Textarea(attrs={"rows": 2, "cols": 24}),
    )
    federations = ListField(gettext_lazy("Federations"), longest=8)

    def __init__(self, *args: Any, languages: Mapping[str, str], **options: Any) -> None:
        super().__init__(*args, **options)
        for code, language in languages.items():
            label = _("Name in %(language)s") % {"language": language}
            self.fields[f"names_{code}"] = forms.CharField(
                label=label,
                max_length=LONGEST_NAME,
                required=False,
                initial=self.initial.get("names", {}).get(code, ""),
            )
        self.order_fields(["code", "name", *(f"names_{code}" for code in languages)])

    def clean_code(self) -> str:
        code = str(self.cleaned_data["code"])
        if not is_code(code):
            raise ValidationError(_("Write letters, digits, + and -, such as U20."))
        return code

    def clean_age_on(self) -> str:
        day = str(self.cleaned_data["age_on"])
        if day and not parse_day(day):
            raise ValidationError(_("“%(text)s” is no day. Write 2018-10-06.") % {"text": day[:40]})
        return day

    def entry(self) -> Any:
        values = dict(super().entry())
        keys = [key for key in values if key.startswith("names_")]
        names = {key.removeprefix("names_"): values.pop(key) for key in keys}
        return {**values, "names": {code: name for code, name in names.items() if name}}


class CategoriesForm(forms.Form):
    categories = RowsField(CategoryRow, label=gettext_lazy("Categories"))

    def __init__(self, event: Event, data: Any) -> None:
        super().__init__(data, initial={"categories": event.categories})
        stored = {code: code for each in event.categories for code in each.get("names") or {}}
        offered = {code: get_language_info(code)["name_translated"] for code, _name in settings.LANGUAGES}
        languages = stored | offered
        self.fields["categories"].widget.row_options = {"languages": languages}


@desk_view()
def categories(request: HttpRequest, event: Event) -> HttpResponse:
    posted = request.POST if request.method == "POST" else None
    form = CategoriesForm(event, posted)
    differences: list[tuple[str, str, str]] = []
    listed, error, seen, is_trial = event.categories, "", event.version, False
    if posted is not None:
        seen = whole_number(posted.get("seen", "")) or 0
        if form.is_valid():
            listed, is_trial = form.cleaned_data["categories"], True
            if "save" in posted:
                error = refusal_of(lambda: set_categories(event, listed, seen, who(request)))
                if not error:
                    messages.success(request, _("The categories are saved."))
                    return redirect("admin:event-categories", event.pk)
                if seen != event.version:
                    differences, seen = differing_values(CategoriesForm(event, None), form), event.version
    people = people_of(event)
    rows = {each.number: each for each in Competitor.objects.filter(event=event)} if listed else {}
    return page(
        request,
        event,
        "event_categories",
        _("Categories"),
        _("Separate standings and prizes: women, juniors, rating groups, clubs."),
        form=form,
        fault=error,
        differences=differences,
        seen=seen,
        counts=[_category_count(event, each, people, rows) for each in listed],
        is_trial=is_trial,
    )


def _category_count(
    event: Event, category: Any, people: list[Any], rows: Mapping[int, Competitor]
) -> dict[str, Any]:
    reason_by_number = {person.number: membership_reason(category, person, event.start) for person in people}

    def of(*reasons: Why) -> list[Competitor]:
        return [rows[number] for number, reason in reason_by_number.items() if reason in reasons]

    return {
        "code": category["code"],
        "name": category_name(category),
        "rule": rule_text(category) or _("by label"),
        "members": of(Why.RULE, Why.LABEL, Why.DECIDED_IN),
        "unknown": of(Why.UNKNOWN),
        # included or excluded by hand
        "decided": of(Why.DECIDED_IN, Why.DECIDED_OUT),
    }
