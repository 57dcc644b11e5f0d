"""The ranking system of an event: another one, or the criteria of an open one in another order."""

from typing import Any, NamedTuple

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from standings.engine import SYSTEMS, RankingSystem
from tournaments.admin.frame import page, who
from tournaments.admin.permissions import desk_view, may_change_rules
from tournaments.admin.rulings.criteria import CriterionRow, criterion_rows, editor_of
from tournaments.admin.rulings.forms import ActAnswer, OverrideForm, ask_or_do
from tournaments.crosstable import judge
from tournaments.event.choices import Kind
from tournaments.event.judging import system_of
from tournaments.event.numbers import whole_number
from tournaments.models import Event, Override, Pairing
from tournaments.recording.rounds import current_round
from tournaments.recording.rules import is_frozen, rules_override
from tournaments.recording.systems import choose_system, order_criteria, suits
from tournaments.wording import name_of_system

ACTS = ("system", "order")
"""What the two forms of the screen ask for."""


class SystemChoice(NamedTuple):
    """A system that could be chosen, with the list that it starts with."""

    code: str
    name: str
    is_frozen: bool
    criteria: list[CriterionRow]
    is_chosen: bool


@desk_view()
def ranking(request: HttpRequest, event: Event) -> HttpResponse:
    """Show by what the event is decided; ask before a change where the event has results."""
    may_change = may_change_rules(request.user, event)
    if request.method == "POST" and not may_change:
        raise PermissionDenied
    posted = request.POST if request.method == "POST" else None
    act = posted.get("act", "") if posted else ""
    system = system_of(event)
    editor = editor_of(event, system.criteria, posted if act == "order" else None)
    why = {name: _why(event, name, posted if name == act and not editor.edited else None) for name in ACTS}
    answer = ActAnswer()
    if posted and act in ACTS and not editor.edited:
        answer = _answer(request, event, act, why[act])
    if answer.done:
        saved = _("Saved: it counts from now on, for every round.")
        recorded = _("Recorded with your reason: readers see what was changed, and why.")
        messages.success(request, recorded if why[act] else saved)
        return redirect("admin:event-ranking", event.pk)
    return page(
        request,
        event,
        "event_ranking",
        _("Ranking system"),
        _("By what the event is decided: its system, and the criteria in the order in which they count."),
        editor=editor,
        act=act,
        answer=answer,
        seen=_seen(event, posted, answer),
        may_change=may_change,
        why=why,
        **_context(event, system, posted.get("system", "") if posted else ""),
    )


def _why(event: Event, act: str, posted: Any) -> OverrideForm | None:
    """Return the form of the reason and of the first round touched; None while the rules are free."""
    if not is_frozen(event):
        return None
    form = OverrideForm(posted, event=event, current=current_round(event))
    # Two forms on one page ask the same, and ids are unique.
    form.auto_id = f"{act}-%s"
    return form


def _answer(request: HttpRequest, event: Event, act: str, why: OverrideForm | None) -> ActAnswer:
    if why and not why.is_valid():
        return ActAnswer()
    posted, by = request.POST, who(request)
    seen = whole_number(posted.get("seen", "")) or 0
    cleaned: dict[str, Any] = why.cleaned_data if why else {"reason": "", "after": None}
    reason, after = cleaned["reason"], cleaned["after"]
    # Without results nobody can move; frozen rules ask all the same, for the reason.
    ask = has_results(event) or why is not None
    if act == "system":
        code = posted.get("system", "")
        return ask_or_do(request, event, lambda: choose_system(event, code, seen, by, reason, after), ask=ask)
    codes = posted.getlist("criteria")
    return ask_or_do(request, event, lambda: order_criteria(event, codes, seen, by, reason, after), ask=ask)


def has_results(event: Event) -> bool:
    """Say whether another ranking could move anybody; one query."""
    return Pairing.objects.filter(round__event=event).exclude(kind=Kind.PENDING).exists()


def _seen(event: Event, posted: Any, answer: ActAnswer) -> int | str:
    """Return the version that the form was opened with; after a conflict the one that is shown now."""
    # After a conflict the page shows the new state, so confirming it again is a choice.
    if posted is None or answer.is_conflict:
        return event.version
    return str(posted.get("seen", event.version))


def _context(event: Event, system: RankingSystem, chosen: str) -> dict[str, Any]:
    ruled, standings = rules_override(event), judge(event)
    choices = [_choice(each, chosen) for each in SYSTEMS.values() if each.code != event.system]
    suiting = {each.code for each in SYSTEMS.values() if suits(each, event)}
    return {
        "system": system,
        "system_name": name_of_system(system),
        "ruled": ruled,
        "in_force": criterion_rows(standings.criteria),
        "is_starred": standings.has_other_rules,
        "has_older_list": ruled is not None and ruled.kind == Override.Kind.CRITERIA,
        "suiting": [each for each in choices if each.code in suiting],
        "others": [each for each in choices if each.code not in suiting],
    }


def _choice(system: RankingSystem, chosen: str) -> SystemChoice:
    return SystemChoice(
        system.code,
        name_of_system(system),
        system.frozen,
        criterion_rows(system.criteria),
        system.code == chosen,
    )
