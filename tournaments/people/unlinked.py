"""Entries that may be a person and are not linked: the newest of the same name in public events."""

from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q

from tournaments.event.choices import PUBLIC
from tournaments.models import EntryName, Event, Person, PersonLink, PersonName
from tournaments.people.candidates import refused_among
from tournaments.people.entrants import Entrant, entrants_at, person_side, sides
from tournaments.people.evidence import compare, contradicts, portrait, portrait_of
from tournaments.revision import MOST_UNLINKED


class UnlinkedEntry(NamedTuple):
    """An entry that may be the person, and its event."""

    entrant: Entrant
    event: Event


def unlinked_entries(person_id: int) -> list[UnlinkedEntry]:
    """Return the entries that may be a person who is not hidden, by the start of their events.

    They have one of the names of the person and nothing that contradicts it, nobody refused the link, and the
    person is linked to no other entry of their events. A fixed number of queries. Fresh under
    `person_page_stamp`.
    """
    person = Person.objects.prefetch_related("names", "titles", "identifiers").get(pk=person_id)
    keys = {person.key, *PersonName.objects.filter(person=person).values_list("key", flat=True)} - {""}
    linked = PersonLink.objects.filter(
        Q(competitor=OuterRef("competitor")) | Q(player=OuterRef("player")),
    )
    names = EntryName.objects.filter(~Exists(linked), key__in=keys, is_team=False, event__state__in=PUBLIC)
    found = list(names.select_related("event").order_by("-pk")[:MOST_UNLINKED])
    if not found:
        return []
    own = list(PersonLink.objects.filter(person=person))
    ours = portrait_of(_entrants(own), person)
    refused = refused_among({person_side(person_id)})
    events = {each.event_id: each.event for each in found}
    for link in own:
        events.pop(link.event_id, None)
    likely = [
        UnlinkedEntry(each, events[each.event])
        for each in _entrants(found)
        if each.event in events
        and sides(each.side, person_side(person_id)) not in refused
        and not contradicts(compare(ours, portrait(each)))
    ]
    return sorted(likely, key=lambda each: (each.event.start, each.event.pk, each.entrant.number))


def _entrants(rows: list[EntryName] | list[PersonLink]) -> list[Entrant]:
    """Return the entries of rows that name a competitor or a player; two queries at most."""
    competitors = [each.competitor_id for each in rows if each.competitor_id]
    return entrants_at(competitors, [each.player_id for each in rows if each.player_id])
