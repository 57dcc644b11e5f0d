"""Search of persons and teams on the desk: by name in any script, number or id."""

from typing import NamedTuple

from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.admin.frame import add_redirect_message, page
from tournaments.admin.permissions import organisers_only, visible
from tournaments.event.numbers import whole_number
from tournaments.models import (
    LinkProposal,
    PeopleAct,
    Person,
    PersonIdentifier,
    Team,
)
from tournaments.people.matching.names import name_words
from tournaments.people.models.team import Owner
from tournaments.people.services.history import owner_kind

MOST_FOUND = 50
"""Maximum number of persons, and of teams, in a list."""


class SearchRow(NamedTuple):
    """A person or a team in a list. `about`: tells namesakes apart."""

    owner: Owner
    what: str
    about: str
    address: str


def desk_address(owner: Owner) -> str:
    return reverse(f"admin:{owner_kind(owner)}", args=[owner.pk])


def find_owners(model: type[Owner], text: str) -> list[SearchRow]:
    """Return the persons or teams that match a text, the last changed if it is blank; four queries.

    `entries` of each is the number of links.
    """
    found = _name_condition(model._default_manager.all(), text)
    if found is None:
        return []
    if model is Person and text.strip():
        by_id = PersonIdentifier.objects.filter(value=text.strip()[:32]).values("person")
        found |= Q(pk__in=by_id)
    rows = model._default_manager.filter(found, merged_into=None).annotate(entries=Count("links"))
    rows = rows.prefetch_related(*(("federations", "titles") if model is Person else ("codes",)))
    what = _("person") if model is Person else _("team")
    rows = rows.order_by(*(("name", "pk") if text.strip() else ("-changed_at", "-pk")))
    return [SearchRow(each, what, _about_owner(each), desk_address(each)) for each in rows[:MOST_FOUND]]


def _about_owner(owner: Owner) -> str:
    """Return federations, titles and birth, or kind and codes, which distinguish namesakes."""
    if isinstance(owner, Team):
        texts = [owner.get_kind_display(), *(each.code for each in owner.codes.all())]
    else:
        federations = [each.code for each in owner.federations.all()]
        texts = [*federations, *(each.title for each in owner.titles.all()), owner.born]
    return ", ".join(dict.fromkeys(filter(None, texts)))


def _name_condition(rows: QuerySet[Owner], text: str) -> Q | None:
    """Return a condition: the number, or a name with all parts of the text. None if no row can match."""
    if not text.strip():
        return Q()
    number, words = whole_number(text), name_words(text)
    if number is not None:
        return Q(pk=number)
    if not words:
        return None
    matches = Q()
    for word in words:
        matches &= Q(key__contains=word)
    named = rows.model._meta.get_field("names").related_model
    owner = "team" if rows.model is Team else "person"
    return matches | Q(pk__in=named._default_manager.filter(matches).values(owner))


@organisers_only
def search(request: HttpRequest) -> HttpResponse:
    text = request.GET.get("q", "")[:120]
    return page(
        request,
        None,
        "people/search",
        _("Persons and teams"),
        _(
            "One record per person and per team, linked to their entries in several events. The public "
            "can follow them across events."
        ),
        text=text,
        found=[*find_owners(Person, text), *find_owners(Team, text)],
        waiting=LinkProposal.objects.count(),
        doubts=open_doubts(request),
    )


def owner_or_404(request: HttpRequest, kind: str, key: int) -> Owner:
    """Return the person or team. Raise Http404 if it does not exist or the user may not see it."""
    owner: Owner = get_object_or_404(visible(request.user, MODELS[kind]), pk=key)
    return owner


def redirect_if_merged(request: HttpRequest, owner: Owner) -> HttpResponse | None:
    """Return a redirect to the person or team that `owner` was merged into, if it was."""
    if not owner.merged_into_id:
        return None
    add_redirect_message(request, _("Number %(number)s was merged into this one.") % {"number": owner.pk})
    return redirect(f"admin:{owner_kind(owner)}", owner.merged_into_id)


MODELS: dict[str, type[Owner]] = {"person": Person, "team": Team}


def open_doubts(request: HttpRequest) -> list[dict[str, str]]:
    """Return the persons hidden in doubt until an organiser decides; two queries, a single one if none.

    `undo` and `merge`: addresses that show them again, or merge them with the hidden one.
    """
    acts = visible(request.user, PeopleAct).filter(kind=PeopleAct.Kind.DOUBT, undone_by=None)
    doubts = list(acts.prefetch_related("subjects").order_by("pk"))
    person_keys = {
        act.pk: key for act in doubts for name, key, _before, _after in act.changes if name == "person"
    }
    waiting = Person.objects.filter(pk__in=person_keys.values(), hidden=True, merged_into=None).in_bulk()
    rows = []
    for act in doubts:
        person = waiting.get(person_keys.get(act.pk))
        if person:
            hidden = [each.number for each in act.subjects.all() if each.number != person.pk]
            undo = reverse("admin:people-undo", args=[act.pk])
            merge = reverse("admin:person-merge", args=hidden[:1] or [person.pk])
            links = {"undo": undo, "merge": f"{merge}?other={person.pk}"}
            rows.append({"name": person.name, "reason": act.reason, **links})
    return rows
