"""Data that persons get from their entries: ids, federations, titles, sex and birth."""

from collections.abc import Iterable, Sequence

from tournaments.models import PersonFederation, PersonIdentifier, PersonLink, PersonTitle, TeamLink
from tournaments.people.matching.entrants import Entrant, entrants_at, federation_code
from tournaments.people.models.person import Person
from tournaments.people.services.acts import Act


def learn(act: Act, entrant: Entrant, person: Person) -> None:
    """Add the entry's ids, federation, title, sex and birth if the person lacks them. No dates are added."""
    for scheme, value in entrant.ids.items():
        if not PersonIdentifier.objects.filter(scheme=scheme, value=value).exists():
            act.add(PersonIdentifier(person=person, scheme=scheme, value=value))
    code = federation_code(entrant)
    if code and not person.federations.filter(code=code).exists():
        act.add(PersonFederation(person=person, code=code))
    if entrant.title and not person.titles.filter(title=entrant.title).exists():
        act.add(PersonTitle(person=person, title=entrant.title))
    blank = {
        name: getattr(entrant, name)
        for name in ("sex", "born")
        if getattr(entrant, name) and not getattr(person, name)
    }
    act.change(person, **blank)


def part(act: Act, person: Person, new: Person, gone: Sequence[Entrant], left: Sequence[Entrant]) -> None:
    """Move to a split-off person the data that only the moved entries have.

    Dated federations and titles stay, because a user typed them.
    """
    ids = _ids_of_entrants(gone) - _ids_of_entrants(left)
    for identifier in person.identifiers.all():
        if (identifier.scheme, identifier.value) in ids:
            act.change(identifier, person=new)
    codes = {federation_code(each) for each in gone} - {federation_code(each) for each in left}
    for federation in person.federations.filter(since="", until="", code__in=codes):
        act.change(federation, person=new)
    titles = {each.title for each in gone} - {each.title for each in left}
    for title in person.titles.filter(since="", title__in=titles):
        act.change(title, person=new)
    for entrant in gone:
        learn(act, entrant, new)


def entrants_of_links(links: Iterable[PersonLink | TeamLink]) -> list[Entrant]:
    """Return the existing entries of links. At most two queries."""
    rows = [(each.competitor_id, getattr(each, "player_id", None)) for each in links]
    return entrants_at([one for one, _ in rows if one], [other for _, other in rows if other])


def _ids_of_entrants(entrants: Iterable[Entrant]) -> set[tuple[str, str]]:
    return {each for entrant in entrants for each in entrant.ids.items()}
