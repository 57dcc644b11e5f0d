"""The list of texts in which the surname of a hidden person still appears, with links to the screens."""

from typing import Any, cast

from django.contrib.admin.utils import label_for_field
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from tournaments.admin.frame import page
from tournaments.admin.permissions import organisers_only
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
from tournaments.people.services.mentions import MOST_PLACES, RemainingPlace, surname_places
from tournaments.people.views.search import desk_address, owner_or_404

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
