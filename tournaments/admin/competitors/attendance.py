"""Attendance before a round, on a phone at the entrance. Marks are stored offline like results."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import Any
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.db.models import Max
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from tournaments.admin.competitors.registersheet import BornField, SexField
from tournaments.admin.frame import page, refusal_in, who
from tournaments.admin.permissions import desk_view
from tournaments.admin.ratinglists import lookup_address
from tournaments.admin.steps import steps_of
from tournaments.admin.wire import (
    HIGHEST_KEY,
    connection_texts,
    id_of,
    number_of,
    take_in_entries,
    version_of,
    version_text,
)
from tournaments.event.choices import Kind, Presence
from tournaments.event.dates import clock_text
from tournaments.event.numbers import whole_number
from tournaments.models import Attendance, Competitor, Event, Pairing, Round
from tournaments.operations.revision import revision_of
from tournaments.recording.competitors.attendance import (
    AttendanceMark,
    count_attendance,
    current_marks,
    mark,
    mark_others_absent,
    rounds_off,
)
from tournaments.recording.competitors.participation import (
    come_back,
    enter_late,
    next_to_pair,
    request_bye,
    withdraw_competitor,
)
from tournaments.recording.locking import lock_event, name_of_user
from tournaments.recording.pairings.pasted_pairings import fold_text
from tournaments.recording.refusal import Conflict, Refused

MAX_STATE_LENGTH = 10


@dataclass(frozen=True, slots=True)
class AttendanceRow:
    """A row of the page: a competitor with the last mark. `off`: the text of a bye or withdrawal, if any."""

    competitor: Competitor
    mark: Attendance | None
    off: str

    @property
    def state(self) -> str:
        return self.mark.state if self.mark else ""

    @property
    def seen(self) -> int:
        return self.mark.pk if self.mark else 0

    @property
    def note(self) -> str:
        return note_of(self.mark)

    @property
    def words(self) -> str:
        """Return the texts that a search compares: the number, and the folded name and federation."""
        return f"{self.competitor.number} {fold_text(self.competitor.name)} {fold_text(self.competitor.code)}"


class LateEntryForm(forms.Form):
    """A late entry. Other fields can be entered in the register later."""

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
            self.fields["code"].label = _("Code")
            for name in ("title", "sex", "born", "fide_id", "fmjd_id"):
                del self.fields[name]
        first = next_to_pair(event)
        self.fields["first_round"].choices = [  # type: ignore[attr-defined]  # it is a ChoiceField
            (number, str(number)) for number in range(first, event.planned_rounds + 1)
        ]


@desk_view()
def attendance(request: HttpRequest, event: Event) -> HttpResponse:
    first = next_to_pair(event)
    number = whole_number(request.GET.get("round", ""), event.planned_rounds) or first
    late = LateEntryForm(event, request.POST if "enter" in request.POST else None)
    if request.method == "POST" and _handle_plain_form(request, event, number, late):
        key = (request.POST.get("mark") or request.POST.get("off", "")).split(" ")[0]
        return redirect(request.get_full_path() + (f"#c{key}" if key else ""))
    stamp = _attendance_revision(event, number)
    rows = _attendance_rows(event, number)
    is_next = number == first
    published = event.rounds.filter(number__gte=number).exclude(state=Round.State.DRAFT)
    forfeits = Pairing.objects.filter(round__event=event, round__number=number - 1, kind=Kind.FORFEIT)
    lost = forfeits.filter(second_score=0).order_by().values_list("second", flat=True)
    query = fold_text(request.GET.get("q", ""))
    return page(
        request,
        event,
        "event_attendance",
        _("Attendance before round %(round)s") % {"round": number},
        _("Mark absent players: they are not paired. Present, late and unmarked players are."),
        number=number,
        rounds=range(1, event.planned_rounds + 1),
        is_next=is_next,
        # In a round robin the last round played decides how results count, so it is chosen on another page.
        has_byes=not (event.is_round_robin or event.is_over or published.exists()),
        # The next step after the attendance, without the link to this page.
        steps=replace(steps_of(event, number), others=()) if is_next else None,
        people=[each for each in rows if matches_query(query, each.words)],
        count=count_attendance(event, number),
        no_shows=lost.union(forfeits.filter(first_score=0).order_by().values_list("first", flat=True)),
        presences=[(each.value, each.label) for each in (Presence.PRESENT, Presence.LATE, Presence.ABSENT)],
        asked=request.GET.get("q", ""),
        late=late,
        rating_lookup="" if event.is_team else lookup_address(event),
        stamp=stamp,
        shape=_digest_of_rows(rows),
        words=json.dumps(_script_texts(), ensure_ascii=False),
        by=name_of_user(who(request)),
    )


@desk_view()
def marks(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    def read(sent: Mapping[str, Any]) -> AttendanceMark:
        return AttendanceMark(
            id_of(sent.get("id")),
            number_of(sent.get("competitor"), HIGHEST_KEY),
            number,
            str(sent.get("text", ""))[:MAX_STATE_LENGTH],
            version_of(sent.get("seen"), event.epoch, HIGHEST_KEY),
        )

    return take_in_entries(request, event, read, mark)


@desk_view()
@require_GET
def news(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Respond 204 if the attendance has not changed, else with all marks, versions and authors."""
    stamp = _attendance_revision(event, number)
    if request.GET.get("revision") == stamp:
        return HttpResponse(status=204)
    rows = _attendance_rows(event, number)
    lines = {
        str(each.competitor.pk): [each.state, version_text(each.seen, event.epoch), each.note]
        for each in rows
    }
    return JsonResponse({"revision": stamp, "lines": lines, "shape": _digest_of_rows(rows), "needs": ""})


def matches_query(query: str, words: str) -> bool:
    """Return whether each query word is a prefix of a word. A number must be the number or begin it."""
    words_of_row = words.split()
    if query.isdecimal():
        return words_of_row[0] == query or (len(query) > 1 and words_of_row[0].startswith(query))
    return all(any(word.startswith(each) for word in words_of_row) for each in query.split())


def note_of(row: Attendance | None) -> str:
    if row is None:
        return ""
    at = clock_text(row.at)
    return f"{name_of_user(row.by)} {at}" if row.by else at


def _attendance_rows(event: Event, number: int) -> list[AttendanceRow]:
    marked, off = current_marks(event, number), rounds_off(event, number)
    return [
        AttendanceRow(each, marked.get(each.pk), _round_off_text(each, off.get(each.number, Kind.ABSENT)))
        for each in event.competitors.order_by("number")
    ]


def _round_off_text(competitor: Competitor, kind: Kind | None) -> str:
    if kind is None:
        return _("withdrawn after round %(round)s") % {"round": competitor.withdrawn_after}
    return "" if kind == Kind.ABSENT else str(kind.label)


def _digest_of_rows(rows: list[AttendanceRow]) -> str:
    """Return a digest of the rows. If it differs, the script reloads the page."""
    lines = "\n".join(f"{each.competitor.pk} {each.competitor.name} {each.off}" for each in rows)
    return sha256(lines.encode()).hexdigest()[:16]


def _attendance_revision(event: Event, number: int) -> str:
    """Return the version of the attendance. Marks leave the event's revision, so public pages stay valid."""
    marked = Attendance.objects.filter(competitor__event=event, round=number)
    return f"{event.epoch}-{revision_of(event.pk)}-{marked.aggregate(Max('pk'))['pk__max'] or 0}"


def _handle_plain_form(request: HttpRequest, event: Event, number: int, late: LateEntryForm) -> bool:
    """Handle the plain form. Return False if it has an error."""
    if "mark" in request.POST:
        return _store_button_mark(request, event, number, request.POST["mark"])
    if "off" in request.POST:
        return _store_round_off(request, event, number, request.POST["off"])
    if "others-absent" in request.POST:
        with lock_event(event) as now:
            absent = mark_others_absent(now, number, who(request))
        messages.success(request, _("Marked absent: %(count)s.") % {"count": absent})
        return True
    if late.is_valid():
        with refusal_in(late):
            _row, notices = enter_late(event, by=who(request), **late.cleaned_data)
            messages.success(request, " ".join(notices))
    return late.is_valid()


def _store_button_mark(request: HttpRequest, event: Event, number: int, sent: str) -> bool:
    """Store the mark of a button, `12 late 7`: the competitor's key, the state, the version shown."""
    key, state, seen = (*sent.split(" "), "", "", "")[:3]
    entry = AttendanceMark(
        uuid4(), whole_number(key) or 0, number, state, whole_number(seen, HIGHEST_KEY) or 0
    )
    [outcome] = mark(event, [entry], who(request))
    if outcome.state == "conflict" and not outcome.agrees:
        their_label = Presence(outcome.text).label if outcome.text else _("not marked")
        values = {"by": outcome.by, "theirs": their_label, "mine": Presence(outcome.mine).label}
        messages.error(
            request,
            _("%(by)s has marked this competitor %(theirs)s. Press %(mine)s again to change it.") % values,
        )
    elif outcome.state != "saved" and not outcome.agrees:
        messages.error(request, outcome.message)
    return True


def _store_round_off(request: HttpRequest, event: Event, number: int, sent: str) -> bool:
    # The competitor's key, the kind and the version shown, such as `12 half-bye 7`.
    key, kind, version = (*sent.split(" "), "", "", "")[:3]
    competitor = get_object_or_404(event.competitors, pk=whole_number(key) or 0)
    competitor.event = event
    acts: dict[str, Callable[..., list[str]]] = {
        "withdraw": partial(withdraw_competitor, competitor, number - 1),
        "return": partial(come_back, competitor),
    }
    act = acts.get(kind, partial(request_bye, competitor, number, kind))
    try:
        notices = act(whole_number(version) or 0, who(request))
    except (Refused, Conflict) as fault:
        messages.error(request, str(fault))
    else:
        messages.success(request, " ".join(notices))
    return True


def _script_texts() -> dict[str, str]:
    return {
        **connection_texts(),
        "conflict": _("%(by)s marked %(theirs)s at %(at)s, you %(mine)s."),
        "conflict_untold": _("Conflict: another person marked %(theirs)s, you marked %(mine)s."),
        "nothing": _("not marked"),
        "no_line": _("The mark “%(text)s” is not saved, and its line is gone: %(message)s"),
        "told_failed": _("%(label)s is not marked: %(message)s"),
        "told_conflict": _("%(label)s: another person marked %(theirs)s, you marked %(mine)s. Choose one."),
        "told_marked": _("%(label)s: %(text)s"),
        "found": _("%(count)s found"),
        **{state.value: str(state.label) for state in Presence},
    }
