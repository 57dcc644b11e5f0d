"""Views that add and remove links to entries, and undo acts."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.admin.frame import page, refusal_of, who
from tournaments.admin.permissions import organisers_only, visible
from tournaments.event.numbers import whole_number
from tournaments.models import EntryName, Event, PersonLink, Team, TeamLink
from tournaments.people.forms import ReasonForm
from tournaments.people.matching.entrants import Entrant, entrants_at, entrants_of_links, first_distinct_entry
from tournaments.people.matching.names import name_words
from tournaments.people.models.team import Owner
from tournaments.people.services.decisions import link_all, unlink
from tournaments.people.views.search import desk_address, owner_or_404, redirect_if_merged
from tournaments.recording.refusal import Refused

MOST_FOUND = 100
"""Maximum number of entries in the list."""

LINK_MODELS: dict[str, Any] = {"person": PersonLink, "team": TeamLink}


@organisers_only
def link_entry(request: HttpRequest, kind: str, key: int) -> HttpResponse:
    owner, fault, form = owner_or_404(request, kind, key), "", ReasonForm(request.POST or None)
    if merged := redirect_if_merged(request, owner):
        return merged
    if request.method == "POST" and form.is_valid():
        chosen = _posted_entrants(request.POST.getlist("entry"))
        fault = refusal_of(lambda: _link_posted(chosen, owner, request, form.cleaned_data["reason"]))
        if not fault:
            text = ngettext("%(count)s entry linked.", "%(count)s entries linked.", len(chosen))
            messages.success(request, text % {"count": len(chosen)})
            return redirect(f"admin:{kind}", key)
    text, event_text = request.GET.get("q", "")[:120], request.GET.get("event", "")[:120]
    found = _linkable_entries(text, event_text, owner)
    return page(
        request,
        None,
        "people/link",
        _("Link an entry to %(name)s") % {"name": owner.name},
        _("An entry in an event that is this person or team, under any name."),
        owner=owner,
        back=desk_address(owner),
        text=text,
        event_text=event_text,
        found=found,
        offered=any(not each["barred"] for each in found),
        form=form,
        fault=fault,
    )


def _linkable_entries(text: str, event_text: str, owner: Owner) -> list[dict[str, Any]]:
    """Return unlinked entries with these names, in events with `event_text` in their name; seven queries."""
    is_team = isinstance(owner, Team)
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
    found = entrants_at(entry_names.values_list("competitor", "player")[:MOST_FOUND])
    events = Event.objects.in_bulk({each.event for each in found})
    linked = entrants_of_links(owner.links.filter(event__in=events))
    rows: list[dict[str, Any]] = []
    for entrant in found:
        barred = ""
        if other := first_distinct_entry(linked, [entrant]):
            text = _("%(name)s is number %(number)s of this event already")
            barred = text % {"name": owner.name, "number": other.number}
        number = "" if entrant.player else _("number %(number)s") % {"number": entrant.number}
        details = (number, entrant.title, entrant.federation, entrant.born, *entrant.ids.values())
        row = {
            "entry": entrant,
            "value": f"c{entrant.competitor}" if entrant.competitor else f"p{entrant.player}",
            "event": events[entrant.event],
            "about": ", ".join(filter(None, details)),
            "barred": barred,
        }
        rows.append(row)
    rows.sort(key=lambda row: (row["event"].start, row["event"].name, row["entry"].name), reverse=True)
    return rows


def _posted_entrants(values: Sequence[str]) -> list[Entrant]:
    keys = [(value[:1], whole_number(value[1:])) for value in values[:MOST_FOUND]]
    return entrants_at((key if kind == "c" else None, key if kind == "p" else None) for kind, key in keys)


def _link_posted(chosen: Sequence[Entrant], owner: Owner, request: HttpRequest, reason: str) -> None:
    if not chosen:
        raise Refused(_("Tick the entries that are meant."))
    if any(each.is_team != isinstance(owner, Team) for each in chosen):
        raise Refused(_("A team is no person. Choose other entries."))
    link_all(chosen, owner, who(request), reason)


@organisers_only
def remove_link(request: HttpRequest, kind: str, key: int) -> HttpResponse:
    links = visible(request.user, LINK_MODELS[kind]).select_related("event", kind)
    row = get_object_or_404(links, pk=key)
    owner: Owner = getattr(row, kind)
    form = ReasonForm(request.POST if "asked" in request.POST else None)
    fault = ""
    if form.is_valid():
        fault = refusal_of(lambda: unlink(row, who(request), form.cleaned_data["reason"]))
        if not fault:
            messages.success(request, _("The link is taken away. It is not suggested again."))
            return redirect(desk_address(owner))
    text = _(
        "“%(entry)s” in “%(event)s” is not %(name)s (%(number)s) any more, "
        "and is never suggested as such again."
    )
    values = {"entry": row.name, "event": row.event.name, "name": owner.name, "number": owner.pk}
    return page(
        request,
        None,
        "people/confirm",
        _("Take a link away"),
        _("The event does not change; the entry is just no longer linked. You can undo this in the history."),
        told=[text % values],
        form=form,
        fault=fault,
        owner=owner,
        back=desk_address(owner),
        verb=_("Take it away"),
    )
