"""Views that add and remove links to entries, and undo acts."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.admin.frame import page, refusal_of, who
from tournaments.admin.permissions import organisers_only, visible
from tournaments.event.numbers import whole_number
from tournaments.event.times import moment_text
from tournaments.models import EntryName, Event, PeopleAct, PersonLink, Team, TeamLink
from tournaments.people.admin.finding import Known, desk_address
from tournaments.people.admin.history import act_row, act_text
from tournaments.people.admin.known import MODELS, known_or_404
from tournaments.people.admin.knownforms import WhyForm
from tournaments.people.matching.entrants import Entrant, beside_each_other, entrants_at
from tournaments.people.matching.names import name_words
from tournaments.people.services.deciding import link_all, unlink
from tournaments.people.services.learning import entrants_of_links
from tournaments.people.services.undoing import undo_people_act
from tournaments.recording.refusal import Refused

MOST_FOUND = 100
"""Maximum number of entries in the list."""

LINK_MODELS: dict[str, Any] = {"person": PersonLink, "team": TeamLink}


class UnlinkedEntry(NamedTuple):
    """An entry without a link.

    `value`: its row in the form. `about`: tells namesakes apart. `barred`: why it cannot be linked.
    """

    value: str
    event: Event
    name: str
    team: str
    about: str
    barred: str


@organisers_only
def link_entry(request: HttpRequest, kind: str, key: int) -> HttpResponse:
    known, fault, form = known_or_404(request, kind, key), "", WhyForm(request.POST or None)
    if known.merged_into_id:
        return redirect(f"admin:{kind}", key)
    if request.method == "POST" and form.is_valid():
        chosen = _posted_entrants(request.POST.getlist("entry"))
        fault = refusal_of(lambda: _link_posted(chosen, known, request, form.cleaned_data["reason"]))
        if not fault:
            text = ngettext("%(count)s entry linked.", "%(count)s entries linked.", len(chosen))
            messages.success(request, text % {"count": len(chosen)})
            return redirect(f"admin:{kind}", key)
    text, event_text = request.GET.get("q", "")[:120], request.GET.get("event", "")[:120]
    found = _linkable_entries(text, event_text, known)
    return page(
        request,
        None,
        "known_link",
        _("Link an entry to %(name)s") % {"name": known.name},
        _("An entry in an event that is this person or team, under any name."),
        known=known,
        back=desk_address(known),
        text=text,
        event_text=event_text,
        found=found,
        offered=any(not each.barred for each in found),
        form=form,
        fault=fault,
    )


def _linkable_entries(text: str, event_text: str, known: Known) -> list[UnlinkedEntry]:
    """Return unlinked entries with these names, in events with `event_text` in their name; seven queries."""
    is_team = isinstance(known, Team)
    words = name_words(text)
    if not words and not event_text.strip():
        return []
    entry_names = EntryName.objects.filter(is_team=is_team, event__name__icontains=event_text.strip())
    for word in words:
        entry_names = entry_names.filter(key__contains=word)
    free = (
        Q(competitor__team_link=None)
        if is_team
        else Q(competitor__person_link=None, player__person_link=None)
    )
    entry_names = entry_names.filter(free).order_by("-event__start", "pk")
    keys = list(entry_names.values_list("competitor", "player")[:MOST_FOUND])
    found = entrants_at([one for one, _other in keys if one], [other for _one, other in keys if other])
    events = Event.objects.in_bulk({each.event for each in found})
    linked = entrants_of_links(known.links.filter(event__in=events))
    rows = []
    for entrant in found:
        barred = ""
        if other := beside_each_other(linked, [entrant]):
            text = _("%(name)s is number %(number)s of this event already")
            barred = text % {"name": known.name, "number": other.number}
        value = f"c{entrant.competitor}" if entrant.competitor else f"p{entrant.player}"
        about = _entrant_details(entrant)
        rows.append(UnlinkedEntry(value, events[entrant.event], entrant.name, entrant.team, about, barred))
    return sorted(rows, key=lambda each: (each.event.start, each.event.name, each.name), reverse=True)


def _entrant_details(entrant: Entrant) -> str:
    number = "" if entrant.player else _("number %(number)s") % {"number": entrant.number}
    details = (number, entrant.title, entrant.federation, entrant.born, *entrant.ids.values())
    return ", ".join(filter(None, details))


def _posted_entrants(values: Sequence[str]) -> list[Entrant]:
    keys: dict[str, list[int]] = {"c": [], "p": []}
    for value in values[:MOST_FOUND]:
        number = whole_number(value[1:])
        if number is not None and value[0] in keys:
            keys[value[0]].append(number)
    return entrants_at(keys["c"], keys["p"])


def _link_posted(chosen: Sequence[Entrant], known: Known, request: HttpRequest, reason: str) -> None:
    if not chosen:
        raise Refused(_("Tick the entries that are meant."))
    if any(each.is_team != isinstance(known, Team) for each in chosen):
        raise Refused(_("A team is no person. Choose other entries."))
    link_all(chosen, known, who(request), reason)


@organisers_only
def take_away(request: HttpRequest, kind: str, key: int) -> HttpResponse:
    row = visible(request.user, LINK_MODELS[kind]).filter(pk=key).select_related("event", kind).first()
    if row is None:
        raise Http404
    known: Known = getattr(row, kind)
    form = WhyForm(request.POST if "asked" in request.POST else None)
    fault = ""
    if form.is_valid():
        fault = refusal_of(lambda: unlink(row, who(request), form.cleaned_data["reason"]))
        if not fault:
            messages.success(request, _("The link is taken away. It is not proposed again."))
            return redirect(desk_address(known))
    text = _(
        "“%(entry)s” in “%(event)s” is not %(name)s (%(number)s) any more, "
        "and is never proposed as such again."
    )
    values = {"entry": row.name, "event": row.event.name, "name": known.name, "number": known.pk}
    return page(
        request,
        None,
        "people_ask",
        _("Take a link away"),
        _("The event does not change; the entry is just no longer linked. You can undo this in the history."),
        told=[text % values],
        form=form,
        fault=fault,
        back=desk_address(known),
        back_name=known.name,
        verb=_("Take it away"),
    )


@organisers_only
def undo_act(request: HttpRequest, key: int) -> HttpResponse:
    """Undo an act on persons, teams and links. The undo is recorded as an act, so it can be undone too."""
    act = visible(request.user, PeopleAct).filter(pk=key).first()
    if act is None:
        raise Http404
    known = _first_subject(act)
    form, fault = WhyForm(request.POST if "asked" in request.POST else None), ""
    if form.is_valid():
        fault = refusal_of(lambda: undo_people_act(act, who(request), form.cleaned_data["reason"]))
        if not fault:
            messages.success(request, _("Undone. The undoing can be undone as well."))
            subject = _first_subject(act)
            return redirect(desk_address(subject) if subject else "admin:people-acts")
    values, shown = {"what": act_text(act), "by": act.by, "at": moment_text(act.at)}, act_row(act)
    lines = [_("%(what)s, by %(by)s, %(at)s.") % values, *([act.reason] if act.reason else [])]
    return page(
        request,
        None,
        "people_ask",
        _("Undo"),
        _("Restores the state before this action. Later changes must be undone first."),
        told=lines,
        listed_as=_("Effects that will be undone"),
        listed=[*shown.changes, *([_("and %(count)s more") % {"count": shown.more}] if shown.more else [])],
        form=form,
        fault=fault,
        back=desk_address(known) if known else "",
        back_name=known.name if known else "",
        verb=_("Undo it"),
    )


def _first_subject(act: PeopleAct) -> Known | None:
    """Return the existing person or team with the lowest number that an act was about."""
    for each in act.subjects.order_by("number"):
        found: Any = (
            MODELS["team" if each.is_team else "person"]._default_manager.filter(pk=each.number).first()
        )
        if found:
            known: Known = found
            return known
    return None
