"""What the public reads of a person: decided here and nowhere else (docs/people.md).

Whatever shows a person, in a page, a file, an address, the API or a search, asks `public_person`, or
`public_name` where the name is all that is shown. Of who is hidden both tell a pseudonym and nothing else.
"""

from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.text import slugify

from tournaments.models import Person
from tournaments.public import public_birth

PSEUDONYM = "N.N."
"""Nomen nescio, the same in every language; the number of the person follows, which stays."""

LONGEST_SLUG = 60


class PublicSpan(NamedTuple):
    """A federation or a title with its dates, partial as the record has them; blank where not known."""

    text: str
    since: str = ""
    until: str = ""


class PublicPerson(NamedTuple):
    """A person as readers may know them; of who is hidden only `id`, the pseudonym and `is_hidden`.

    `born` is a year. `names` are the other names. `identifiers` are pairs of scheme and value. The note is
    the desk's and not among this.
    """

    id: int
    name: str
    slug: str
    is_hidden: bool
    sex: str = ""
    born: str = ""
    names: tuple[str, ...] = ()
    federations: tuple[PublicSpan, ...] = ()
    titles: tuple[PublicSpan, ...] = ()
    identifiers: tuple[tuple[str, str], ...] = ()
    sources: tuple[str, ...] = ()


def public_person(person: Person) -> PublicPerson:
    """Return what readers are told of a person; four queries, none where `with_public_facts` read them."""
    name = public_name(person)
    if person.hidden:
        return PublicPerson(person.pk, name, "", is_hidden=True)
    return PublicPerson(
        person.pk,
        name,
        slug_of(person),
        is_hidden=False,
        sex=person.sex,
        born=public_birth(person.born),
        names=tuple(each.name for each in person.names.all()),
        federations=tuple(PublicSpan(each.code, each.since, each.until) for each in person.federations.all()),
        titles=tuple(PublicSpan(each.title, each.since) for each in person.titles.all()),
        identifiers=tuple((each.scheme, each.value) for each in person.identifiers.all()),
        sources=tuple(person.sources),
    )


def with_public_facts(people: QuerySet[Person]) -> QuerySet[Person]:
    """Return persons with all that `public_person` tells of them: four queries, however many they are."""
    return people.prefetch_related("names", "federations", "titles", "identifiers")


def public_name(person: Person) -> str:
    """Return the name that readers are shown; no query."""
    return f"{PSEUDONYM} {person.pk}" if person.hidden else person.name


def slug_of(person: Person) -> str:
    """Return the name in an address, blank of who is hidden and of a name without a letter for it."""
    return "" if person.hidden else slugify(person.name, allow_unicode=True)[:LONGEST_SLUG].strip("-")


def hidden_among(people: Iterable[int]) -> frozenset[int]:
    """Return which of these persons are hidden; one query."""
    return frozenset(Person.objects.filter(pk__in=set(people), hidden=True).values_list("pk", flat=True))
