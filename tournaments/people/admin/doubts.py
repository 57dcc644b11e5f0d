"""Namesakes of hidden persons that the import could not tell apart, for an organiser to decide."""

from typing import NamedTuple

from django.http import HttpRequest
from django.urls import reverse

from tournaments.admin.permissions import visible
from tournaments.models import PeopleAct, Person


class DoubtRow(NamedTuple):
    """A person hidden in doubt.

    `undo` and `merge`: addresses that show them again, or merge them with the hidden one.
    """

    name: str
    reason: str
    undo: str
    merge: str


def open_doubts(request: HttpRequest) -> list[DoubtRow]:
    """Return the persons hidden in doubt until an organiser decides; two queries, a single one if none."""
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
            rows.append(DoubtRow(person.name, act.reason, undo, f"{merge}?other={person.pk}"))
    return rows
