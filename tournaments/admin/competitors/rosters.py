"""Paste competitors as a list: a preview, then all rows are recorded together."""

from collections.abc import Collection, Iterable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.competitors.registersheet import columns_of, text_of_value
from tournaments.admin.fields import PastedField, PastedListForm
from tournaments.admin.frame import page, refusal_in, who
from tournaments.admin.permissions import desk_view
from tournaments.event.numbers import whole_number
from tournaments.models import Event
from tournaments.people.matching.names import name_key
from tournaments.recording.competitors.pasted_list import (
    MOST_LOOKED_UP,
    RosterLine,
    RosterList,
    enter_roster,
    read_roster,
    with_rated_players,
)
from tournaments.recording.competitors.ratings import reason_needed
from tournaments.recording.events.rulings import left_out


class RosterForm(PastedListForm):
    text = PastedField(gettext_lazy("Competitors, a line each"), rows=16, most_signs=100_000, required=False)


@desk_view()
def roster(request: HttpRequest, event: Event) -> HttpResponse:
    form = RosterForm(request.POST or None, request.FILES or None)
    pasted = RosterList(())
    findings = ()
    if form.is_valid():
        text, findings = form.cleaned_data["text"], form.cleaned_data.get("findings", ())
        form = RosterForm({"text": text})  # so that the preview posts the text of a file too
        if "enter" in request.POST:
            with refusal_in(form):
                return _enter(request, event, text)
        pasted = read_roster(event, text)
        if not pasted.faults:
            pasted = with_rated_players(event, pasted)
    columns = {each.name: each for of in (False, event.is_team) for each in columns_of(event, players=of)}
    posted = (*request.POST.getlist("listed"), *request.POST.getlist("update"))
    ticks = {each.partition(":")[0] for each in posted} if "enter" in request.POST else None
    used = {name for each in pasted.lines for name in (*each.values, *each.filled)} - {"name"}
    return page(
        request,
        event,
        "event_roster",
        _("Paste competitors"),
        _("Enter a complete list, from a spreadsheet or an email. You see a preview first."),
        form=form,
        findings=findings,
        pasted=pasted,
        columns=[each for name, each in columns.items() if name in used],
        shown=[_shown_line(each, [name for name in columns if name in used], ticks) for each in pasted.lines],
        is_ready=any(not each.stored or each.changes for each in pasted.lines)
        and not (pasted.faults or "change" in request.POST),
        there=event.competitors.count(),
        is_long=len(pasted.lines) > MOST_LOOKED_UP,
        why=reason_needed(event) if any("rating" in each.changes for each in pasted.lines) else "",
        reason=request.POST.get("reason", ""),
        has_stored=any(each.stored for each in pasted.lines),
    )


def _shown_line(each: RosterLine, names: Iterable[str], ticks: Collection[str] | None) -> dict[str, Any]:
    changes = each.changes
    if ticks is not None:
        is_ticked = (each.version.partition(":")[0] or str(each.line)) in ticks
    elif changes:
        is_ticked = all(was in ("", None, []) for was, _new in changes.values())
    else:
        is_ticked = each.listed is not None and name_key(each.listed.name) == name_key(each.name)
    cells = [
        {
            "text": text_of_value(each.values.get(name, each.filled.get(name))),
            "was": text_of_value(changes[name][0]) or "–" if name in changes else "",
            "is_filled": name in each.filled,
        }
        for name in names
    ]
    return {"line": each.line, "fault": each.fault, "of": each, "cells": cells, "is_ticked": is_ticked}


def _enter(request: HttpRequest, event: Event, text: str) -> HttpResponse:
    listed = {whole_number(each) or 0 for each in request.POST.getlist("listed")}
    updates = request.POST.getlist("update")
    entered = enter_roster(event, text, who(request), listed, updates, request.POST.get("reason", ""))
    if entered.players:
        text = _("Entered: teams %(competitors)s, players of them %(players)s.")
    else:
        text = _("Competitors entered: %(competitors)s.")
    messages.success(request, text % {"competitors": entered.competitors, "players": entered.players})
    if updates:
        messages.success(request, _("Entries changed: %(count)s.") % {"count": len(updates)})
    for each in left_out(event):
        messages.warning(request, each.message)
    return redirect("admin:event-register", event.pk)
