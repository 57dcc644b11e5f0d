"""Namesakes of hidden persons whom nothing tells apart, as the desk asks who is who."""

from typing import NamedTuple

from django.http import HttpRequest
from django.urls import reverse

from tournaments.admin.permissions import visible
from tournaments.models import PeopleAct, Person


class ShownDoubt(NamedTuple):
    """Somebody hidden in doubt: why, how to show them again, and how to say that it is the hidden one."""

    name: str
    reason: str
    undo: str
    merge: str


def open_doubts(request: HttpRequest) -> list[ShownDoubt]:
    """Return who is hidden in doubt, and nobody has decided; two queries, one where nobody is."""
    acts = visible(request.user, PeopleAct).filter(kind=PeopleAct.Kind.DOUBT, undone_by=None)
    listed = list(acts.prefetch_related("subjects").order_by("pk"))
    made = {act.pk: key for act in listed for name, key, before, _after in act.changes if name == "person"}
    waiting = Person.objects.filter(pk__in=made.values(), hidden=True, merged_into=None).in_bulk()
    return [_shown(act, waiting[made[act.pk]]) for act in listed if made.get(act.pk) in waiting]


def _shown(act: PeopleAct, person: Person) -> ShownDoubt:
    others = [each.number for each in act.subjects.all() if each.number != person.pk]
    merge = reverse("admin:person-merge", args=others[:1] or [person.pk])
    return ShownDoubt(
        person.name,
        act.reason,
        reverse("admin:people-undo", args=[act.pk]),
        f"{merge}?other={person.pk}",
    )
