"""Persons and teams looked for at the desk: by a name in any writing, by number, by an id."""

from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.event.numbers import whole_number
from tournaments.models import Person, PersonIdentifier, Team
from tournaments.people.matching.names import name_words

MOST_FOUND = 50
"""Of persons, and of teams, as many are listed at most."""

Known = Person | Team


class FoundKnown(NamedTuple):
    """A person or a team in a list; `about` tells it from others of the name, `entries` are counted."""

    pk: int
    name: str
    what: str
    about: str
    entries: int
    is_hidden: bool
    address: str


def address_of(known: Known) -> str:
    """Return the desk's page of a person or a team."""
    return reverse("admin:team" if isinstance(known, Team) else "admin:person", args=[known.pk])


def find_persons(text: str) -> list[FoundKnown]:
    """Return the persons that a text may mean, those changed last where it is blank; four queries."""
    found = _meant(Person.objects.all(), text)
    if found is None:
        return []
    by_id = PersonIdentifier.objects.filter(value=text.strip()[:32]).values("person")
    found |= Q(pk__in=by_id) if text.strip() else Q()
    rows = Person.objects.filter(found, merged_into=None).annotate(entries=Count("links"))
    rows = rows.prefetch_related("federations", "titles")
    return [
        FoundKnown(
            each.pk,
            each.name,
            _("person"),
            about_person(each),
            each.entries,
            each.hidden,
            address_of(each),
        )
        for each in rows.order_by(*_order(text))[:MOST_FOUND]
    ]


def find_teams(text: str) -> list[FoundKnown]:
    """Return the teams that a text may mean, as `find_persons` does; three queries."""
    found = _meant(Team.objects.all(), text)
    if found is None:
        return []
    rows = Team.objects.filter(found, merged_into=None).annotate(entries=Count("links"))
    return [
        FoundKnown(
            each.pk,
            each.name,
            _("team"),
            _joined([each.get_kind_display(), *(code.code for code in each.codes.all())]),
            each.entries,
            is_hidden=False,
            address=address_of(each),
        )
        for each in rows.prefetch_related("codes").order_by(*_order(text))[:MOST_FOUND]
    ]


def about_person(person: Person) -> str:
    """Return what tells a person from others of the name: federations, titles, birth."""
    federations = [each.code for each in person.federations.all()]
    titles = [each.title for each in person.titles.all()]
    return _joined([*federations, *titles, person.born])


def _meant(rows: QuerySet[Known], text: str) -> Q | None:
    """Return what those have whom a text may mean: every word of it in one name, or the number; else None."""
    if not text.strip():
        return Q()
    number, words = whole_number(text), name_words(text)
    if number is not None:
        return Q(pk=number)
    if not words:
        return None
    own, others = Q(), Q()
    for word in words:
        own &= Q(key__contains=word)
        others &= Q(key__contains=word)
    named = rows.model._meta.get_field("names").related_model
    owner = "team" if rows.model is Team else "person"
    return own | Q(pk__in=named._default_manager.filter(others).values(owner))


def _order(text: str) -> tuple[str, ...]:
    return ("name", "pk") if text.strip() else ("-changed_at", "-pk")


def _joined(texts: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(filter(None, texts)))
