"""Attendance before a round, for a phone at the door: marks by big buttons, kept offline like results."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.db.models import Max
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.competitors.registersheet import BornField, SexField
from tournaments.admin.frame import page, who
from tournaments.admin.permissions import desk_view
from tournaments.admin.ratinglists.lookup import lookup_address
from tournaments.admin.steps import steps_of
from tournaments.admin.wire import (
    HIGHEST_KEY,
    id_of,
    number_of,
    take_in_entries,
    version_of,
    version_text,
    words_of_the_connection,
)
from tournaments.event.choices import Kind, Presence
from tournaments.event.numbers import whole_number
from tournaments.event.times import clock_text
from tournaments.models import Attendance, Competitor, Event
from tournaments.operations.revision import revision_of
from tournaments.recording.attendance import (
    PresenceEntry,
    count,
    mark,
    mark_others_absent,
    marks_of,
    rounds_off,
)
from tournaments.recording.locking import lock_event, name_of
from tournaments.recording.participation import enter_late, next_to_pair
from tournaments.recording.refusal import Refused
from tournaments.recording.seating import folded

LONGEST_STATE = 10


@dataclass(frozen=True, slots=True)
class PersonAtTheDoor:
    """A line of the screen: somebody, the mark that holds, and the kind of round off, if any."""

    competitor: Competitor
    mark: Attendance | None
    is_off: bool
    off: str

    @property
    def state(self) -> str:
        """Return the state that was marked last, blank for none."""
        return self.mark.state if self.mark else ""

    @property
    def seen(self) -> int:
        """Return the version of the mark."""
        return self.mark.pk if self.mark else 0

    @property
    def note(self) -> str:
        """Return who made the mark, and when: `Anna 09:12`."""
        return note_of(self.mark)

    @property
    def words(self) -> str:
        """Return what a search looks in: the number, and the name in small letters without marks."""
        return f"{self.competitor.number} {folded(self.competitor.name)} {folded(self.competitor.code)}"


class LateEntryForm(forms.Form):
    """Somebody who was not expected; what is not known at the door is typed in the register later."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    rating = forms.IntegerField(label=gettext_lazy("Rating"), required=False, min_value=0, max_value=9999)
    title = forms.CharField(label=gettext_lazy("Title"), required=False, max_length=8)
    code = forms.CharField(label=gettext_lazy("Federation"), required=False, max_length=8)
    sex = SexField(label=gettext_lazy("Sex"), required=False, max_length=10)
    born = BornField(label=gettext_lazy("Born"), required=False, max_length=30)
    fide_id = forms.IntegerField(label=gettext_lazy("FIDE id"), required=False, min_value=1)
    fmjd_id = forms.IntegerField(label=gettext_lazy("FMJD id"), required=False, min_value=1)
    first_round = forms.TypedChoiceField(label=gettext_lazy("Plays from round"), coerce=int)

    def __init__(self, event: Event, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "late_%s", **kwargs})
        if event.is_team:
            for name in ("title", "sex", "born", "fide_id", "fmjd_id"):
                del self.fields[name]
        first = next_to_pair(event)
        self.fields["first_round"].choices = [  # type: ignore[attr-defined]  # a choice field's
            (number, str(number)) for number in range(first, event.planned_rounds + 1)
        ]


@desk_view()
def attendance(request: HttpRequest, event: Event) -> HttpResponse:
    """Show who is there before a round; take in a mark of the plain form, a late entry, or all absent."""
    number = _round_of(request, event)
    late = LateEntryForm(event, request.POST if "enter" in request.POST else None)
    if request.method == "POST" and _done(request, event, number, late):
        anchor = f"#c{request.POST['mark'].split(' ')[0]}" if "mark" in request.POST else ""
        return redirect(f"{request.get_full_path()}{anchor}")
    stamp = _stamp(event, number)
    people = _people(event, number)
    is_next = number == next_to_pair(event)
    asked = folded(request.GET.get("q", ""))
    return page(
        request,
        event,
        "event_attendance",
        _("Attendance before round %(round)s") % {"round": number},
        _("Mark who is there. Who is late is paired; who is absent is not."),
        number=number,
        rounds=range(1, event.planned_rounds + 1),
        is_next=is_next,
        # Whoever has marked everybody goes on from here; the way to this screen itself is left out.
        steps=replace(steps_of(event, number), others=()) if is_next else None,
        people=[each for each in people if is_meant(asked, each.words)],
        count=count(event, number),
        presences=[(state.value, state.label) for state in Presence],
        asked=request.GET.get("q", ""),
        late=late,
        rating_lookup="" if event.is_team else lookup_address(event),
        stamp=stamp,
        shape=_shape(people),
        words=json.dumps(_words(), ensure_ascii=False),
        by=name_of(who(request)),
    )


@desk_view()
def marks(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Answer what became of each mark that the script has sent."""

    def read(sent: Mapping[str, Any]) -> PresenceEntry:
        return PresenceEntry(
            id_of(sent.get("id")),
            number_of(sent.get("competitor"), HIGHEST_KEY),
            number,
            str(sent.get("text", ""))[:LONGEST_STATE],
            version_of(sent.get("seen"), event.epoch, HIGHEST_KEY),
        )

    return take_in_entries(request, event, read, mark)


@desk_view()
def news(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Answer 204 where attendance is as the page shows it; else every mark with its version and author."""
    if request.method != "GET":
        return HttpResponseNotAllowed(["GET"])
    stamp = _stamp(event, number)
    if request.GET.get("revision") == stamp:
        return HttpResponse(status=204)
    people = _people(event, number)
    lines = {
        str(each.competitor.pk): [each.state, version_text(each.seen, event.epoch), each.note]
        for each in people
    }
    return JsonResponse({"revision": stamp, "lines": lines, "shape": _shape(people), "needs": ""})


def is_meant(asked: str, words: str) -> bool:
    """Say whether each word that was typed begins one of those; a number means that number alone."""
    known = words.split()
    if asked.isdecimal():
        return known[0] == asked or (len(asked) > 1 and known[0].startswith(asked))
    return all(any(word.startswith(each) for word in known) for each in asked.split())


def note_of(row: Attendance | None) -> str:
    """Return who made a mark, and when; blank without one."""
    if row is None:
        return ""
    at = clock_text(row.at)
    return f"{name_of(row.by)} {at}" if row.by else at


def _round_of(request: HttpRequest, event: Event) -> int:
    asked = whole_number(request.GET.get("round", ""), event.planned_rounds)
    return asked or next_to_pair(event)


def _people(event: Event, number: int) -> list[PersonAtTheDoor]:
    marked, off = marks_of(event, number), rounds_off(event, number)
    return [
        PersonAtTheDoor(
            each,
            marked.get(each.pk),
            is_off=off.get(each.number, Kind.ABSENT) != Kind.ABSENT,
            off=_off_in_words(each, off.get(each.number, Kind.ABSENT), number),
        )
        for each in event.competitors.order_by("number")
    ]


def _off_in_words(competitor: Competitor, kind: Kind | None, number: int) -> str:
    if kind == Kind.HALF_BYE:
        return _("half-point bye")
    if kind == Kind.ZERO_BYE:
        return _("bye without points")
    if kind is None:
        return _("withdrawn after round %(round)s") % {"round": competitor.withdrawn_after}
    return ""


def _shape(people: list[PersonAtTheDoor]) -> str:
    """Return what must be the same for the page to show all lines as they are."""
    lines = "\n".join(f"{each.competitor.pk} {each.competitor.name} {each.off}" for each in people)
    return sha256(lines.encode()).hexdigest()[:16]


def _stamp(event: Event, number: int) -> str:
    """Return what the screen is of: marks raise no revision of the event, so that readers reload nothing."""
    marked = Attendance.objects.filter(competitor__event=event, round=number)
    return f"{event.epoch}-{revision_of(event.pk)}-{marked.aggregate(Max('pk'))['pk__max'] or 0}"


def _done(request: HttpRequest, event: Event, number: int, late: LateEntryForm) -> bool:
    """Do what a plain form asks, and say whether it was done."""
    if "mark" in request.POST:
        return _mark_one(request, event, number, request.POST["mark"])
    if "others-absent" in request.POST:
        with lock_event(event) as now:
            absent = mark_others_absent(now, number, who(request))
        messages.success(request, _("Marked absent: %(count)s.") % {"count": absent})
        return True
    if not late.is_valid():
        return False
    try:
        _row, told = enter_late(event, by=who(request), **late.cleaned_data)
    except Refused as refused:
        late.add_error(None, str(refused))
        return False
    for each in told:
        messages.success(request, each)
    return True


def _mark_one(request: HttpRequest, event: Event, number: int, sent: str) -> bool:
    """Store the mark of a button, `12 late 7`: the competitor's key, the state, the version seen."""
    key, state, seen = (*sent.split(" "), "", "", "")[:3]
    entry = PresenceEntry(
        uuid4(), whole_number(key) or 0, number, state, whole_number(seen, HIGHEST_KEY) or 0
    )
    [outcome] = mark(event, [entry], who(request))
    if outcome.state == "conflict" and not outcome.agrees:
        theirs = Presence(outcome.text).label if outcome.text else _("not marked")
        values = {"by": outcome.by, "theirs": theirs, "mine": Presence(outcome.mine).label}
        messages.error(
            request,
            _("%(by)s has marked this one %(theirs)s meanwhile. Press %(mine)s again to change it.") % values,
        )
    elif outcome.state != "saved" and not outcome.agrees:
        messages.error(request, outcome.message)
    return True


def _words() -> dict[str, str]:
    return {
        **words_of_the_connection(),
        "saving": _("saving …"),
        "saved": _("saved"),
        "failed": _("not saved"),
        "conflict": _("%(by)s marked %(theirs)s at %(at)s, you %(mine)s."),
        "conflict_untold": _("%(theirs)s was marked meanwhile, by you %(mine)s."),
        "keep": _("Keep %(theirs)s"),
        "put": _("Put %(mine)s"),
        "no value": _("not marked"),
        "no_line": _("The mark “%(text)s” is not saved, and its line is gone: %(message)s"),
        "told_failed": _("%(label)s is not marked: %(message)s"),
        "told_conflict": _("%(label)s: somebody else marked %(theirs)s, you %(mine)s. Choose one."),
        "told_marked": _("%(label)s: %(text)s"),
        "found": _("%(count)s found"),
        **{state.value: str(state.label) for state in Presence},
    }
