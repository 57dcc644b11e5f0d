"""Hiding a person who asks for it under a pseudonym, showing the name again, and its remaining mentions."""

from typing import Any, cast

from django.contrib import messages
from django.contrib.admin.utils import label_for_field
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from tournaments.admin.frame import page, refusal_of, who
from tournaments.admin.permissions import organisers_only
from tournaments.event.numbers import whole_number
from tournaments.models import (
    Competitor,
    Event,
    FormerSlug,
    Game,
    ManualTiebreak,
    Override,
    Pairing,
    PairingsCheck,
    Person,
    Player,
    Published,
    Round,
    Series,
    Team,
    TeamName,
)
from tournaments.people.forms import ReasonForm
from tournaments.people.hiding.hidden_marks import is_mark_saved
from tournaments.people.public import PSEUDONYM
from tournaments.people.services.hiding import set_hidden
from tournaments.people.services.mentions import (
    MOST_PLACES,
    RemainingPlace,
    names_with_surname,
    surname_places,
)
from tournaments.people.texts import MARK_NOT_SAVED
from tournaments.people.views.detail import links_by_start
from tournaments.people.views.search import desk_address, owner_or_404, redirect_if_merged

_LISTED = (Event, Series, Competitor, Round, Published)
"""Models whose rows can be changed on a page of Django's admin."""

_OF_EVENT: dict[tuple[type[Model], str], str] = {
    (Event, "categories"): "event-categories",
    (Event, "prizes"): "event-prizes",
    (Event, "trf"): "event-import",
    (Override, ""): "event-overrides",
    (Player, ""): "event-roster",
    (ManualTiebreak, ""): "event-tiebreaks",
    (Game, ""): "event-import",
    (Pairing, "moves"): "event-import",
    (PairingsCheck, ""): "event-report-check",
}
"""Screens of an event by model and field. A blank field means all others."""


@organisers_only
def hide_person(request: HttpRequest, key: int) -> HttpResponse:
    person = cast("Person", owner_or_404(request, "person", key))
    if merged := redirect_if_merged(request, person):
        return merged
    form, fault = ReasonForm(request.POST if "asked" in request.POST else None), ""
    if form.is_valid():
        seen = whole_number(request.POST.get("seen", "")) or 0
        values = {"reason": form.cleaned_data["reason"], "hidden": not person.hidden, "seen": seen}
        fault = refusal_of(lambda: set_hidden(person, who(request), **values))
        if not fault:
            was_hidden = person.hidden
            shown, hidden = _("The public sees the name again."), _("The public now sees a pseudonym.")
            text = shown if was_hidden else hidden
            messages.success(request, text)
            if not is_mark_saved(person.pk, hidden=not was_hidden):
                messages.error(request, str(MARK_NOT_SAVED))
            return redirect("admin:person" if was_hidden else "admin:person-remaining", key)
        person = cast("Person", owner_or_404(request, "person", key))
    links = links_by_start(person)
    return page(
        request,
        None,
        "people/confirm",
        _("Show %(name)s again") % {"name": person.name}
        if person.hidden
        else _("Hide %(name)s") % {"name": person.name},
        _("For a person who asks to be hidden, or to be shown again. It takes effect at once."),
        told=[_("The public sees name, birth and ids again, as in the events. These events are concerned:")]
        if person.hidden
        else _hide_consequences(person),
        listed=[f"{each.event.start} {each.event.name}".strip() for each in links],
        form=form,
        fault=fault,
        seen=person.version,
        owner=person,
        back=desk_address(person),
        verb=_("Show again") if person.hidden else _("Hide"),
    )


def _hide_consequences(person: Person) -> list[str]:
    texts = [
        _(
            "The public sees “%(pseudonym)s” instead of name, ids, birth, titles, club and city: on "
            "pages, in files, in new archives, in the API and in searches, also in notes, reasons and "
            "games that mention the name."
        )
        % {"pseudonym": f"{PSEUDONYM} {person.pk}"},
        _(
            "Results, places and ratings stay. The original data are stored, and come back when the "
            "person is shown again. Uploaded files, backups and histories keep the name, visible to "
            "organisers only."
        ),
        _("Archives and files that were downloaded earlier cannot be changed. They concern these events:"),
    ]
    named = names_with_surname(person)
    if named:
        text = _(
            "Names and addresses of events, series and teams do not change. Check these, which may reveal "
            "the person: %(names)s."
        )
        texts.insert(2, text % {"names": ", ".join(named)})
    waiting = person.proposals.select_related("event", "competitor", "player").order_by("event", "pk")
    likely = [
        _("“%(entry)s” in “%(event)s”") % {"entry": entry.name, "event": each.event.name}
        for each in waiting
        if (entry := each.player or each.competitor)
    ]
    if likely:
        text = _(
            "These entries are not hidden with the person, for their likely links wait. Answer these first: "
            "%(entries)s."
        )
        texts.insert(2, text % {"entries": ", ".join(likely)})
    return texts


# --- remaining mentions of the surname --------------------------------------------------------------------


@organisers_only
def mentions(request: HttpRequest, key: int) -> HttpResponse:
    person = cast("Person", owner_or_404(request, "person", key))
    if not person.hidden:
        return redirect(desk_address(person))
    places = surname_places(person)
    names = dict(
        Event.objects.filter(pk__in={each.event for each in places if each.event}).values_list("pk", "name")
    )
    return page(
        request,
        None,
        "people/mentions",
        _("Remaining mentions of the surname of %(name)s") % {"name": person.name},
        _("The public can see these texts. Check whether each text means this person, and change it if so."),
        person=person,
        back=desk_address(person),
        places=[_place_row(each, names) for each in places[:MOST_PLACES]],
        most=MOST_PLACES if len(places) > MOST_PLACES else 0,
    )


def _place_row(place: RemainingPlace, names: dict[int, str]) -> dict[str, Any]:
    kind = capfirst(str(place.model._meta.verbose_name))
    if place.model in (Pairing, Game):
        kind = _("Round %(round)s, table %(table)s") % dict(
            zip(("round", "table"), place.numbers, strict=True)
        )
    elif place.numbers:
        kind = f"{kind} {place.numbers[0]}"
    field = "TRF" if place.field == "trf" else label_for_field(place.field, place.model)
    return {
        "event": names.get(place.event or 0, ""),
        "where": f"{kind}: {field}",
        "line": place.line,
        "address": _screen_address(place),
    }


def _screen_address(place: RemainingPlace) -> str:
    """Return the screen on which the text can be changed, or the one that shows it."""
    model, event = place.model, place.event
    if model in (Team, TeamName):
        return reverse("admin:team", args=[place.key])
    if model is Pairing and place.field == "note":
        return reverse("admin:results", args=[event, place.numbers[0]])
    name = _OF_EVENT.get((model, place.field)) or _OF_EVENT.get((model, ""))
    if name:
        return reverse(f"admin:{name}", args=[event])
    if model in _LISTED:
        return reverse(f"admin:{model._meta.label_lower.replace('.', '_')}_change", args=[place.key])
    if model is FormerSlug:
        return reverse("admin:tournaments_event_change", args=[event])
    return reverse("admin:event-desk", args=[event])
