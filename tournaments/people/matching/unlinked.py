"""Unlinked entries that may belong to a person: the newest namesakes in public events."""

from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q

from tournaments.event.choices import PUBLIC
from tournaments.models import EntryName, Event, Person, PersonLink, PersonName
from tournaments.operations.revision import MOST_UNLINKED
from tournaments.people.matching.candidates import refused_among
from tournaments.people.matching.entrants import Entrant, entrants_of_links, side_of, sides
from tournaments.people.matching.evidence import compare_entrants, contradicts, portrait, portrait_of


class UnlinkedEntry(NamedTuple):
    """A possible entry of the person, with its event."""

    entrant: Entrant
    event: Event


def unlinked_entries(person_id: int) -> list[UnlinkedEntry]:
    """Return unlinked entries that may belong to a visible person, by start of the event.

    They have a name of the person, no contradiction and no refusal, and the person has no other entry in
    the event. A fixed number of queries. Valid for `person_page_stamp`.
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
    ours = portrait_of(entrants_of_links(own), person)
    refused = refused_among({side_of(person)})
    events = {each.event_id: each.event for each in found}
    for link in own:
        events.pop(link.event_id, None)
    likely = [
        UnlinkedEntry(each, events[each.event])
        for each in entrants_of_links(found)
        if each.event in events
        and sides(each.side, side_of(person)) not in refused
        and not contradicts(compare_entrants(ours, portrait(each)))
    ]
    return sorted(likely, key=lambda each: (each.event.start, each.event.pk, each.entrant.number))
