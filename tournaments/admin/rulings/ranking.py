"""The ranking system of an event: another one, or the criteria of an open one in another order."""

from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from standings.engine import SYSTEMS, RankingSystem
from tournaments.admin.frame import page, who
from tournaments.admin.permissions import desk_view
from tournaments.admin.rulings.asking import Answer, ask_or_do
from tournaments.admin.rulings.criteria import Listed, editor_of, listed
from tournaments.crosstable import system_of
from tournaments.models import Event, Kind, Pairing
from tournaments.numbers import whole_number
from tournaments.recording import choose_system, criteria_override, order_criteria, suits
from tournaments.wording import name_of_system


class Choice(NamedTuple):
    """A system that could be chosen, with the list that it starts with."""

    code: str
    name: str
    is_frozen: bool
    criteria: list[Listed]
    is_chosen: bool


@desk_view()
def ranking(request: HttpRequest, event: Event) -> HttpResponse:
    """By what the event is decided; asks before it changes an event that has results."""
    posted = request.POST if request.method == "POST" else None
    act = posted.get("act", "") if posted else ""
    system = system_of(event)
    editor = editor_of(event, system.criteria, posted if act == "order" else None)
    answer = Answer()
    if posted and act in {"system", "order"} and not editor.edited:
        answer = _answer(request, event, act)
    if answer.done:
        messages.success(request, _("Saved: it counts from now on, for every round."))
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
        **_told(event, system, posted.get("system", "") if posted else ""),
    )


def _answer(request: HttpRequest, event: Event, act: str) -> Answer:
    posted = request.POST
    seen = whole_number(posted.get("seen", "")) or 0
    ask = has_results(event)
    if act == "system":
        code = posted.get("system", "")
        return ask_or_do(request, event, lambda: choose_system(event, code, seen, who(request)), ask=ask)
    codes = posted.getlist("criteria")
    return ask_or_do(request, event, lambda: order_criteria(event, codes, seen, who(request)), ask=ask)


def has_results(event: Event) -> bool:
    """Whether another ranking could move anybody; one query."""
    return Pairing.objects.filter(round__event=event).exclude(kind=Kind.PENDING).exists()


def _seen(event: Event, posted: Any, answer: Answer) -> int | str:
    """The version that the form was opened with; after a conflict the one that is shown now."""
    if posted is None or answer.is_conflict:
        return event.version
    return str(posted.get("seen", event.version))


def _told(event: Event, system: RankingSystem, chosen: str) -> dict[str, Any]:
    ruled = criteria_override(event)
    choices = [_choice(each, chosen) for each in SYSTEMS.values() if each.code != event.system]
    suiting = {each.code for each in SYSTEMS.values() if suits(each, event)}
    return {
        "system": system,
        "system_name": name_of_system(system),
        "ruled": ruled,
        "in_force": listed(ruled.criteria if ruled else system.criteria),
        "suiting": [each for each in choices if each.code in suiting],
        "others": [each for each in choices if each.code not in suiting],
    }


def _choice(system: RankingSystem, chosen: str) -> Choice:
    return Choice(
        system.code, name_of_system(system), system.frozen, listed(system.criteria), system.code == chosen
    )
