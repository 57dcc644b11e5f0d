"""The prizes of an event: a list to edit, the rules of sharing, special prizes, and current winners."""

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
from tournaments.event.texts import prize_lines
from tournaments.models import Event
from tournaments.prizes.members import members_of
from tournaments.prizes.prize_list import PrizeList, awards_of, prize_list
from tournaments.prizes.texts import sharing_text
from tournaments.recording.events.prizes import PRIZE_RULES, PrizeLine, read_prize_list, set_prizes
from tournaments.recording.refusal import PastedList

MOST_SIGNS = 40_000


class PrizesForm(forms.Form):
    """The prizes, one per line, and how they are shared."""

    text = PastedField(gettext_lazy("Prizes, one per line"), rows=10, most_signs=MOST_SIGNS, required=False)
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


@desk_view()
def prizes(request: HttpRequest, event: Event) -> HttpResponse:
    posted = request.POST if request.method == "POST" else None
    form = PrizesForm(posted, initial=_initial_values(event))
    listed: PastedList[PrizeLine] = PastedList(())
    awards, error, seen = awards_of(event), "", event.version
    if posted is not None:
        seen = whole_number(posted.get("seen", "")) or 0
        if form.is_valid():
            listed = read_prize_list(event, form.cleaned_data["text"])
            awards, error = _posted_awards(posted, listed)
            error = error or _save_or_preview(request, event, form, listed, awards, seen)
            if "save" in posted and not error and not listed.faults:
                messages.success(request, _("The prizes are saved."))
                return redirect("admin:event-prizes", event.pk)
    return page(
        request,
        event,
        "event_prizes",
        _("Prizes"),
        _("Prizes, how they are shared, and the winners by the present standings."),
        form=form,
        pasted=listed,
        fault=error,
        seen=seen,
        specials=[
            (name, ", ".join(str(number) for number, names in awards.items() if name in names))
            for name in (each["name"] for each in event.prizes)
            if name
        ],
        list=_current_prize_list(event, awards),
        sharing=sharing_text(
            event.prize_sharing, is_cumulative=event.prizes_cumulative, step=event.prize_step
        ),
        is_trial=posted is not None,
        has_page=event.is_public and shows_prizes(event) and posted is None,
    )


def _initial_values(event: Event) -> dict[str, Any]:
    rules = {name: getattr(event, name) for name in PRIZE_RULES}
    rules["prize_step"] = plain_amount(event.prize_step)
    if not event.prizes:
        rules["prize_sharing"] = Sharing.US_CHESS
    return {**rules, "text": "\n".join(prize_lines(event.prizes))}


def _save_or_preview(
    request: HttpRequest,
    event: Event,
    form: PrizesForm,
    listed: PastedList[PrizeLine],
    awards: Mapping[int, list[str]],
    seen: int,
) -> str:
    """Save the list if requested, otherwise apply it to the event in memory. Return the error message."""
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


def _posted_awards(posted: Any, listed: PastedList[PrizeLine]) -> tuple[dict[int, list[str]], str]:
    awards: dict[int, list[str]] = defaultdict(list)
    names = [prize["name"] for line in listed.lines for prize in line.prizes if prize["name"]]
    for name in names:
        for text in filter(None, (each.strip() for each in posted.get(f"award {name}", "").split(","))):
            number = whole_number(text)
            if not number:
                return dict(awards), _("“%(text)s” is not a start number. Write 12, or 12, 15.") % {
                    "text": text[:40]
                }
            awards[number].append(name)
    return dict(awards), ""


def _current_prize_list(event: Event, awards: Mapping[int, list[str]]) -> PrizeList | None:
    if not event.prizes:
        return None
    entries = entries_of(event)
    standings = judge(event, entries)
    if not standings.table.rounds:
        return None
    return prize_list(event, entries, standings, members_of(event), awards)
