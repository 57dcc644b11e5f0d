"""The prizes of an event: a list to write, how they are shared, special ones, and who would win what now."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.fields import PastedField
from tournaments.admin.frame import page, refusal_of, who
from tournaments.admin.permissions import desk_view
from tournaments.crosstable import entries_of, judge
from tournaments.event.numbers import whole_number
from tournaments.event.prizes import Sharing, plain_amount, read_amount, shows_prizes
from tournaments.event.prizetexts import prize_lines
from tournaments.models import Event
from tournaments.prizes.members import members_of
from tournaments.prizes.prize_list import PrizeList, awards_of, prize_list
from tournaments.prizes.texts import sharing_text
from tournaments.recording.pastedlist import PastedList
from tournaments.recording.prizes import PRIZE_RULES, PrizeLine, read_prize_list, set_prizes

MOST_SIGNS = 40_000


class PrizesForm(forms.Form):
    """The prizes, one a line, and how they are given."""

    text = PastedField(gettext_lazy("Prizes, one a line"), rows=10, most_signs=MOST_SIGNS, required=False)
    prize_currency = forms.RegexField(
        r"[A-Za-z]{3}",
        label=gettext_lazy("Currency"),
        required=False,
        widget=forms.TextInput(attrs={"size": 4, "maxlength": 3}),
        help_text=gettext_lazy("Three letters, such as EUR."),
    )
    prize_sharing = forms.ChoiceField(label=gettext_lazy("Sharing"), choices=Sharing.choices)
    prizes_cumulative = forms.BooleanField(
        label=gettext_lazy("One may have several prizes"),
        required=False,
        help_text=gettext_lazy("Otherwise a competitor wins at most one prize or share."),
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
        """Return the code in capitals."""
        return str(self.cleaned_data["prize_currency"]).upper()

    def clean_prize_step(self) -> int:
        """Return the step in hundredths; an error where it is no amount above 0."""
        step = read_amount(self.cleaned_data["prize_step"])
        if not step:
            raise ValidationError(_("Write an amount, such as 0.01, 1 or 5."))
        return step


@desk_view()
def prizes(request: HttpRequest, event: Event) -> HttpResponse:
    """Show prizes and who would win them; a post looks at others, or stores them."""
    posted = request.POST if request.method == "POST" else None
    form = PrizesForm(posted, initial=_initial(event))
    listed: PastedList[PrizeLine] = PastedList(())
    awards, fault, seen = awards_of(event), "", event.version
    if posted is not None:
        seen = whole_number(posted.get("seen", "")) or 0
        if form.is_valid():
            listed = read_prize_list(event, form.cleaned_data["text"])
            awards, fault = _awards(posted, listed)
            fault = fault or _try(request, event, form, listed, awards, seen)
            if "save" in posted and not fault and not listed.faults:
                messages.success(request, _("The prizes are saved."))
                return redirect("admin:event-prizes", event.pk)
    return page(
        request,
        event,
        "event_prizes",
        _("Prizes"),
        _("What there is to win, how it is shared, and who would have it after the standings of now."),
        form=form,
        pasted=listed,
        fault=fault,
        seen=seen,
        specials=[(name, ", ".join(map(str, numbers))) for name, numbers in _specials(event, awards)],
        list=_list_of(event, awards),
        sharing=sharing_text(
            event.prize_sharing, is_cumulative=event.prizes_cumulative, step=event.prize_step
        ),
        is_trial=posted is not None,
        has_page=event.is_public and shows_prizes(event) and posted is None,
    )


def _initial(event: Event) -> dict[str, Any]:
    rules = {name: getattr(event, name) for name in PRIZE_RULES}
    rules["prize_step"] = plain_amount(event.prize_step)
    if not event.prizes:
        rules["prize_sharing"] = Sharing.US_CHESS
    return {**rules, "text": "\n".join(prize_lines(event.prizes))}


def _try(
    request: HttpRequest,
    event: Event,
    form: PrizesForm,
    listed: PastedList[PrizeLine],
    awards: Mapping[int, list[str]],
    seen: int,
) -> str:
    """Store what was typed if that was asked for, and return why not; the event shows it either way."""
    if listed.faults:
        return ""
    rules = {name: form.cleaned_data[name] for name in PRIZE_RULES}
    offered = [prize for line in listed.lines for prize in line.prizes]
    if "save" in request.POST:
        return refusal_of(lambda: set_prizes(event, offered, rules, awards, seen, who(request)))
    event.prizes = offered
    for name, value in rules.items():
        setattr(event, name, value)
    return ""


def _awards(posted: Any, listed: PastedList[PrizeLine]) -> tuple[dict[int, list[str]], str]:
    """Return the special prizes of those who have any, by number, and what is wrong with a number."""
    awards: dict[int, list[str]] = defaultdict(list)
    names = [prize["name"] for line in listed.lines for prize in line.prizes if prize["name"]]
    for name in names:
        for text in filter(None, (each.strip() for each in posted.get(f"award {name}", "").split(","))):
            number = whole_number(text)
            if not number:
                return dict(awards), _("“%(text)s” is no start number. Write 12, or 12, 15.") % {
                    "text": text[:40]
                }
            awards[number].append(name)
    return dict(awards), ""


def _specials(event: Event, awards: Mapping[int, list[str]]) -> list[tuple[str, list[int]]]:
    names = [each["name"] for each in event.prizes if each["name"]]
    return [(name, [number for number, has in awards.items() if name in has]) for name in names]


def _list_of(event: Event, awards: Mapping[int, list[str]]) -> PrizeList | None:
    """Return who would win what now; nothing before the first round, or without prizes."""
    if not event.prizes:
        return None
    entries = entries_of(event)
    standings = judge(event, entries)
    if not standings.table.rounds:
        return None
    return prize_list(event, entries, standings, members_of(event), awards)
