"""Categories and prizes of an event: rows to edit, members of categories, sharing, and current winners."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.forms import BaseFormSet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language_info, gettext_lazy
from django.utils.translation import gettext as _

from tournaments.admin.fields import ListField
from tournaments.admin.frame import page, refusal_of, who
from tournaments.admin.permissions import desk_view
from tournaments.admin.rows import MOST_ROWS, NumbersField, Row, RowsField, WholeField, differing_values
from tournaments.crosstable import entries_of, judge
from tournaments.event.categories import LONGEST_CODE, OLDEST, EventCategory, Why, is_code, membership_reason
from tournaments.event.choices import Sex
from tournaments.event.dates import whole_day
from tournaments.event.numbers import whole_number
from tournaments.event.prizes import Sharing, plain_amount, read_amount, shows_prizes
from tournaments.event.values import LARGEST_RATING
from tournaments.models import Competitor, Event
from tournaments.prizes.members import members_of, people_of
from tournaments.prizes.prize_list import PrizeList, awards_of, prize_list
from tournaments.prizes.texts import category_name, rule_text, sharing_text
from tournaments.recording.events.prizes import LONGEST_NAME, PRIZE_RULES, set_categories, set_prizes

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
        validators=[whole_day],
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


_MONEY_SIGNS = re.compile(r"[€$£\s]|[A-Z]{3}|,-$")


class PrizeRow(Row):
    """A prize of one or several places, or a special prize with a name and its winners."""

    category = forms.ChoiceField(label=gettext_lazy("Category"), required=False)
    first = WholeField(gettext_lazy("Place"))
    last = WholeField(gettext_lazy("to place"))
    amount = forms.CharField(
        label=gettext_lazy("Amount"),
        required=False,
        widget=forms.TextInput(attrs={"size": 8, "inputmode": "decimal"}),
    )
    goods = forms.CharField(
        label=gettext_lazy("Goods, such as a cup"), max_length=LONGEST_NAME, required=False
    )
    name = forms.CharField(label=gettext_lazy("Special prize, name"), max_length=LONGEST_NAME, required=False)
    winners = NumbersField(gettext_lazy("given to, start numbers"))

    def __init__(self, *args: Any, codes: Sequence[str], **options: Any) -> None:
        super().__init__(*args, **options)
        category = cast("forms.ChoiceField", self.fields["category"])
        category.choices = [("", _("whole event")), *((code, code) for code in codes)]

    def clean_amount(self) -> int:
        text = str(self.cleaned_data["amount"])
        amount = read_amount(_MONEY_SIGNS.sub("", text)) if text.strip() else 0
        if amount is None:
            raise ValidationError(_("“%(text)s” is no amount. Write 1000 or 12.50.") % {"text": text[:40]})
        return amount

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        first, last = cleaned["first"], cleaned["last"]
        if not (cleaned["amount"] or cleaned["goods"]):
            raise ValidationError(_("Write an amount, such as 150, or goods, such as a cup."))
        if last and not 0 < first <= last < first + MOST_ROWS:
            raise ValidationError(_("Write the first and the last place, such as 4 and 6."))
        if cleaned["name"] and first:
            raise ValidationError(_("A special prize has no place."))
        if cleaned["winners"] and not cleaned["name"]:
            raise ValidationError(_("Only special prizes are given by hand. Write the name of the prize."))
        return cleaned


class PrizesField(RowsField):
    """The prizes, of which equal ones of consecutive places share a row. A blank place is the next one."""

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, BaseFormSet):
            return value
        rows: list[dict[str, Any]] = []
        for prize in value:
            row = {key: prize[key] for key in ("category", "name", "goods", "winners")}
            row |= {"amount": plain_amount(prize["amount"]) if prize["amount"] else ""}
            if place := prize["place"]:
                last = rows[-1] if rows else {}
                if {**last, **row} == last and (last["last"] or last["first"]) == place - 1:
                    last["last"] = place
                    continue
            rows.append({**row, "first": place, "last": 0})
        return rows

    def clean(self, value: Any) -> list[dict[str, Any]]:
        """Return the prizes, each with the start numbers of its winners."""
        prizes, reached = [], Counter[str]()
        for row in super().clean(value):
            first = 0 if row["name"] else row["first"] or reached[row["category"]] + 1
            last = row["last"] or first
            reached[row["category"]] = max(reached[row["category"]], last)
            what = {key: row[key] for key in ("category", "name", "amount", "goods", "winners")}
            prizes += [{**what, "place": place} for place in range(first, last + 1)]
        return prizes


class PrizesForm(forms.Form):
    prizes = PrizesField(
        PrizeRow,
        extra=3,
        label=gettext_lazy("Prizes"),
        help_text=gettext_lazy("Without a place: the next place of the category."),
    )
    prize_currency = forms.RegexField(
        r"[A-Za-z]{3}",
        label=gettext_lazy("Currency"),
        required=False,
        widget=forms.TextInput(attrs={"size": 4, "maxlength": 3}),
        help_text=gettext_lazy("Three letters, such as EUR."),
    )
    prize_sharing = forms.ChoiceField(label=gettext_lazy("Sharing"), choices=Sharing.choices)
    prizes_cumulative = forms.BooleanField(
        label=gettext_lazy("Several prizes per player"),
        required=False,
        help_text=gettext_lazy("If not ticked, a competitor wins at most one prize or share."),
    )
    prize_step = forms.CharField(
        label=gettext_lazy("Round down to multiples of"),
        widget=forms.TextInput(attrs={"size": 6, "maxlength": 12, "inputmode": "decimal"}),
        help_text=gettext_lazy("0.01 is exact to the cent; 5 pays in notes of five."),
    )
    prizes_public = forms.BooleanField(
        label=gettext_lazy("Show the prize list before the event is final"), required=False
    )

    def clean_prize_currency(self) -> str:
        return str(self.cleaned_data["prize_currency"]).upper()

    def clean_prize_step(self) -> int:
        step = read_amount(self.cleaned_data["prize_step"])
        if not step:
            raise ValidationError(_("Write an amount, such as 0.01, 1 or 5."))
        return step

    def __init__(self, event: Event, data: Any) -> None:
        rules = {name: getattr(event, name) for name in PRIZE_RULES}
        rules["prize_step"] = plain_amount(event.prize_step)
        if not event.prizes:
            rules["prize_sharing"] = Sharing.US_CHESS
        awards = awards_of(event)
        prizes = [{**prize, "winners": _winners(awards, prize["name"])} for prize in event.prizes]
        super().__init__(data, initial={**rules, "prizes": prizes})
        codes = [each["code"] for each in event.categories]
        codes += sorted({each["category"] for each in event.prizes} - {"", *codes})
        self.fields["prizes"].widget.row_options = {"codes": codes}


def _winners(awards: Mapping[int, Sequence[str]], name: str) -> list[int]:
    return sorted(number for number, names in awards.items() if name and name in names)


@desk_view()
def prizes(request: HttpRequest, event: Event) -> HttpResponse:
    posted = request.POST if request.method == "POST" else None
    form = PrizesForm(event, posted)
    differences: list[tuple[str, str, str]] = []
    awards, error, seen, is_trial = awards_of(event), "", event.version, False
    if posted is not None:
        seen = whole_number(posted.get("seen", "")) or 0
        if form.is_valid():
            is_trial, awards = True, defaultdict(list)
            offered: list[Any] = []
            for row in form.cleaned_data["prizes"]:
                offered.append({key: value for key, value in row.items() if key != "winners"})
                for number in row["winners"]:
                    if row["name"] not in awards[number]:
                        awards[number].append(row["name"])
            rules = {name: form.cleaned_data[name] for name in PRIZE_RULES}
            if "save" in posted:
                error = refusal_of(lambda: set_prizes(event, offered, rules, awards, seen, who(request)))
                if not error:
                    messages.success(request, _("The prizes are saved."))
                    return redirect("admin:event-prizes", event.pk)
                if seen != event.version:
                    differences, seen = differing_values(PrizesForm(event, None), form), event.version
            else:
                event.prizes = offered
                for name, value in rules.items():
                    setattr(event, name, value)
    return page(
        request,
        event,
        "event_prizes",
        _("Prizes"),
        _("Prizes, how they are shared, and the winners by the present standings."),
        form=form,
        fault=error,
        differences=differences,
        seen=seen,
        list=_current_prize_list(event, awards),
        sharing=sharing_text(event),
        is_trial=is_trial,
        has_page=event.is_public and shows_prizes(event) and posted is None,
    )


def _current_prize_list(event: Event, awards: Mapping[int, list[str]]) -> PrizeList | None:
    if not event.prizes:
        return None
    entries = entries_of(event)
    standings = judge(event, entries)
    if not standings.table.rounds:
        return None
    return prize_list(event, entries, standings, members_of(event), awards)
