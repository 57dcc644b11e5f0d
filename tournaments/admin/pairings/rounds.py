"""The rounds of an event, their dates and times, opening the next one, and the pairings of a round robin."""

from datetime import date
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.dates import WEEKDAYS
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.admin.fields import ListField
from tournaments.admin.frame import page, refusal_of, who
from tournaments.admin.permissions import desk_view
from tournaments.admin.rows import MOST_ROWS
from tournaments.admin.steps import first_unfinished, rounds_of
from tournaments.event.dates import parse_day, partial_date, time_of_day, whole_day
from tournaments.event.numbers import whole_number
from tournaments.models import Event
from tournaments.recording.competitors.start_numbers import why_numbers_stand
from tournaments.recording.events.rulings import left_out
from tournaments.recording.refusal import Refused
from tournaments.recording.rounds.dates import (
    RoundStart,
    Starts,
    StartsChanged,
    set_starts,
    spread,
    starts_of,
)
from tournaments.recording.rounds.opening import doubt_before_opening, next_round, open_round, remove_round
from tournaments.recording.rounds.schedules import generate_schedule, schedule_of

SHOWN_BACKUPS = 5


class StartForm(forms.Form):
    """A row of the schedule. `seen`: date and time as stored when the form was opened."""

    number = forms.IntegerField(widget=forms.HiddenInput)
    seen = forms.CharField(widget=forms.HiddenInput, required=False)
    date = forms.CharField(required=False, max_length=10, validators=[partial_date])
    time = forms.CharField(required=False, max_length=5, validators=[time_of_day])

    @property
    def weekday(self) -> str:
        day = parse_day(str(self["date"].value() or ""))
        return date_format(day, "D") if day else ""

    def clean(self) -> None:
        if self.cleaned_data.get("time") and not parse_day(self.cleaned_data.get("date", "")):
            text = _("A round with a time needs its day. Write its date, or take the time out.")
            self.add_error("time", text)


StartFormSet = forms.formset_factory(StartForm, extra=0, max_num=MOST_ROWS, absolute_max=MOST_ROWS)


class TimesField(ListField):
    """Times of a day, separated by commas or blanks. `-` is a day without rounds."""

    def clean(self, value: Any) -> Any:
        found = sorted(super().clean(",".join(str(value or "").replace(",", " ").split())))
        if found != ["-"]:
            for each in found:
                time_of_day(each)
        return found


class FillForm(forms.Form):
    """How to fill the schedule: the first day, and the times of all days and of single weekdays."""

    first = forms.CharField(label=gettext_lazy("First day"), max_length=10, validators=[whole_day])
    number = forms.IntegerField(label=gettext_lazy("From round"), required=False, min_value=1)
    times = TimesField(gettext_lazy("Every day at"), longest=5)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields |= {f"day{at}": TimesField(label, longest=5) for at, label in WEEKDAYS.items()}

    def filled(self, starts: Starts) -> dict[int, RoundStart]:
        """Return starts from the given round on, or of rounds without a date; an error if there are none."""
        values = self.cleaned_data
        own = [values[f"day{at}"] for at in WEEKDAYS]
        # Without any time, there is a round a day.
        usual = values["times"] or ([] if any(own) else [""])
        times = [[each for each in found or usual if each != "-"] for found in own]
        number = values["number"]
        numbers = [each for each, start in starts.items() if (each >= number if number else not start.date)]
        if not any(times):
            self.add_error("times", _("No weekday has a round. Write times, or take out a -."))
        elif not numbers and number:
            text = _("No round is filled. The last round is %(round)s.")
            self.add_error("number", text % {"round": max(starts, default=0)})
        elif not numbers:
            text = _("All rounds have a date. To replace dates, write the round to begin with.")
            self.add_error("number", text)
        else:
            return spread(numbers, date.fromisoformat(values["first"]), times)
        return {}


@desk_view()
def dates(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the dates of all rounds. A POST saves them, or fills the form, which is not saved then."""
    stored, posted, refusal = starts_of(event), request.POST, ""
    shown = {name: posted.get(f"initial-{name}", posted[name]) for name in posted if name.startswith("fill-")}
    # Enter presses the same button in the table and in the fields for filling.
    is_filling = "fill" in posted or any(posted[name] != text for name, text in shown.items())
    fill = FillForm(posted if is_filling else None, prefix="fill", initial={"first": event.start})
    rows = StartFormSet(request.POST) if request.method == "POST" else _start_forms(stored, stored)
    if request.method == "POST" and rows.is_valid():
        typed, seen = dict[int, RoundStart](), dict[int, RoundStart]()
        for row in rows.cleaned_data:
            typed[row["number"]] = RoundStart(row["date"], row["time"])
            seen[row["number"]] = RoundStart(*row["seen"].split(" ", 1))
        if is_filling and fill.is_valid() and (filled := fill.filled(typed)):
            rows = _start_forms(typed | filled, seen)
        elif not is_filling:
            try:
                count = set_starts(event, typed, seen, who(request))
            except Refused as refused:
                refusal = str(refused)
                if isinstance(refused, StartsChanged):
                    rows = _start_forms(typed, seen | dict(refused.stored))
            else:
                text = ngettext("%(count)s round is changed.", "%(count)s rounds are changed.", count)
                messages.success(request, text % {"count": count})
                return redirect("admin:event-dates", event.pk)
    purpose = _("Date and time of every round. Readers of a public event see them, also in their calendars.")
    context = {"rows": rows, "fill": fill, "refusal": refusal, "is_filled": is_filling and not rows.is_bound}
    return page(request, event, "dates", _("Schedule"), purpose, **context)


def _start_forms(starts: Starts, seen: Starts) -> Any:
    return StartFormSet(
        initial=[
            {"number": number, "date": start.date, "time": start.time, "seen": seen.get(number, "")}
            for number, start in starts.items()
        ]
    )


@desk_view()
def rounds(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the rounds. A POST removes the last round, or opens the next one, after a question if the last
    round has a date or is incomplete.
    """
    following, doubt, refusal = next_round(event), "", ""
    removed = whole_number(request.POST.get("remove", ""))
    dated = event.rounds.filter(number=removed).exclude(date="").first() if removed else None
    if removed and (dated is None or "anyway" in request.POST):
        refusal = refusal_of(lambda: remove_round(event, removed, who(request)))
        text = _("Round %(round)s is removed.") % {"round": removed}
        messages.add_message(request, messages.ERROR if refusal else messages.SUCCESS, refusal or text)
        return redirect("admin:event-rounds", event.pk)
    # With the number, simultaneous POSTs open a single round.
    if number := whole_number(request.POST.get("number", "")):
        # “anyway” is the second button of the question, which is shown only once.
        if number == following and "anyway" not in request.POST:
            doubt = doubt_before_opening(event)
        if not doubt:
            refusal = refusal_of(lambda: open_round(event, who(request), expected=number))
            if not refusal:
                messages.success(request, _("Round %(round)s is open. Now pair it.") % {"round": number})
                return redirect("admin:round-pairings", event.pk, number)
    found = list(rounds_of(event))
    context = {
        "refusal": refusal,
        "doubt": doubt,
        "to_remove": dated,
        "rounds": found,
        "last": found[-1] if found else None,
        "to_pair": None if event.is_over else first_unfinished(event, found),
        "following": following if following <= event.planned_rounds and not event.is_over else None,
        "is_over": event.is_over,
        "is_shown": event.is_public,
        # A competitor entered after the schedule was made is in no round, which is easily overlooked.
        "findings": left_out(event),
        "backups": event.backups.defer("file")[:SHOWN_BACKUPS],
    }
    purpose = _("Open the rounds one by one, and close each round when its results are complete.")
    return page(request, event, "rounds", _("Rounds"), purpose, **context)


@desk_view()
def schedule(request: HttpRequest, event: Event) -> HttpResponse:
    refusal, preview = "", None
    try:
        if request.method == "POST":
            replacing = whole_number(request.POST.get("replacing", "")) or 0
            count = generate_schedule(event, who(request), replacing=replacing)
            text = ngettext("%(count)s round is paired.", "%(count)s rounds are paired.", count)
            messages.success(request, text % {"count": count})
            return redirect("admin:event-rounds", event.pk)
    except Refused as refused:
        refusal = str(refused)
    try:
        preview = schedule_of(event)
    except Refused as refused:
        refusal = str(refused)
    purpose = _("Pairs every round of a round robin by Berger tables, in the order of the start numbers.")
    context = {
        "refusal": refusal,
        "schedule": preview,
        "games": sum(second is not None for each in preview.rounds for _first, second in each)
        if preview
        else 0,
        "numbers_stand": why_numbers_stand(event),
        "is_changing": preview is not None and len(preview.rounds) != event.planned_rounds,
    }
    return page(request, event, "schedule", _("Pairings of all rounds"), purpose, **context)
