"""The public data of a person, decided only here (docs/people.md).

Everything that shows a person (pages, files, addresses, the API, the search) uses `public_person`, or
`public_name` for the name only. For a hidden person both return only a pseudonym.
"""

from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.text import slugify

from tournaments.interchange.public import public_birth
from tournaments.models import Person
from tournaments.people.models.team import Owner

PSEUDONYM = "N.N."
"""Nomen nescio, the same in every language, followed by the permanent number of the person."""

LONGEST_SLUG = 60


class PublicSpan(NamedTuple):
    """A name, federation, code or title with partial dates, blank if unknown."""

    text: str
    since: str = ""
    until: str = ""


class PublicPerson(NamedTuple):
    """The public data of a person. For a hidden person only `id`, the pseudonym and `is_hidden`.

    `born`: year. `names`: other names. `identifiers`: pairs of scheme and value. The note is internal and
    not included.
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
    """Return the public data of a person. Four queries, none after `with_public_facts`."""
    name = public_name(person)
    if person.hidden:
        return PublicPerson(person.pk, name, "", is_hidden=True)
    return PublicPerson(
        person.pk,
        name,
        public_slug(person),
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
    """Prefetch the data for `public_person`: four queries for any number of persons."""
    return people.prefetch_related(*Person.DEPENDENT_ROWS)


def public_name(owner: Owner) -> str:
    """Return the public name of a person or a team. No query."""
    is_hidden = isinstance(owner, Person) and owner.hidden
    return f"{PSEUDONYM} {owner.pk}" if is_hidden else owner.name


def public_slug(owner: Owner) -> str:
    """Return the slug. Blank for a hidden person, and for a name without letters."""
    is_hidden = isinstance(owner, Person) and owner.hidden
    return "" if is_hidden else slug_of(owner.name)


def slug_of(name: str) -> str:
    return slugify(name, allow_unicode=True)[:LONGEST_SLUG].strip("-")
