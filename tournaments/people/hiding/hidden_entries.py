"""The hidden persons of an event, found by links, with the redaction of its texts (ADR 0041).

Also its imported files as the public sees them.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.db.models import Model

from tournaments import models
from tournaments.people.hiding.redaction import Redaction
from tournaments.people.hiding.withheld import original_values
from tournaments.people.matching.names import name_words
from tournaments.people.public import public_name

IDS = ("fide_id", "fmjd_id")
"""Fields for ids of entries."""

EntryModel = models.Competitor | models.Player


class HiddenEntry(NamedTuple):
    """A hidden person's entry in an event, with the redaction of texts.

    `entry`: None if it is gone and its link waits; texts may still contain the name. `before`: original
    values of the changed fields.
    """

    link: models.PersonLink
    entry: EntryModel | None
    pseudonym: str
    redaction: Redaction
    before: Mapping[str, Any]

    def named(self, names: Collection[str]) -> "HiddenEntry":
        new = {*names} - {self.pseudonym, *self.redaction.names}
        if not new:
            return self
        return self._replace(redaction=replace(self.redaction, names={*new, *self.redaction.names}))


def hidden_entries(event: models.Event) -> list[HiddenEntry]:
    """Return the entries of hidden persons in an event. A single query if there are none, otherwise seven."""
    hidden = models.PersonLink.objects.filter(event=event, person__hidden=True)
    links = list(hidden.select_related("event", "person", "competitor", "player__competitor").order_by("pk"))
    if not links:
        return []
    known, others, before = _personal_values(links), _names_of_others(event, links), original_values(links)
    found = []
    for link in links:
        own, entry = known[link.person_id], link.competitor or link.player
        redaction = Redaction(
            public_name(link.person),
            names=frozenset(own["name"]),
            ids=frozenset(own["id"]),
            births=frozenset(own["born"]),
            others=others,
            shared=frozenset(word for name in others for word in name_words(name)),
            hidden_too=frozenset(name for pk in known if pk != link.person_id for name in known[pk]["name"]),
            number=entry.number if isinstance(entry, models.Competitor) else None,
        )
        original = {name: value for each in reversed(before[link.pk]) for name, value in each.items()}
        found.append(HiddenEntry(link, entry, redaction.pseudonym, redaction, original))
    return found


def without_hidden_names(event: models.Event) -> Callable[[str], str]:
    """Return a function that removes hidden persons from a text. A single query if there are none."""
    hidden = hidden_entries(event)

    def redact(text: str) -> str:
        for each in hidden:
            text = each.redaction.text(text, is_prose=True)
        return text

    return redact


def is_hiding(event: models.Event) -> bool:
    """Return whether the event has a hidden person. A single query."""
    return models.PersonLink.objects.filter(event=event, person__hidden=True).exists()


def is_entry_of_hidden(row: Model) -> bool:
    """Return whether a row is the entry of a hidden person. A single query if it is an entry."""
    if not isinstance(row, models.Competitor | models.Player):
        return False
    side = "competitor" if isinstance(row, models.Competitor) else "player"
    return models.PersonLink.objects.filter(**{side: row}, person__hidden=True).exists()


def _personal_values(hidden: Sequence[models.PersonLink]) -> dict[int, dict[str, set[str]]]:
    found: dict[int, dict[str, set[str]]] = {}
    for link in hidden:
        person = link.person
        found[person.pk] = {"name": {person.name}, "born": {person.born}, "id": set()}
    for each in models.PersonName.objects.filter(person__in=found):
        found[each.person_id]["name"].add(each.name)
    for identifier in models.PersonIdentifier.objects.filter(person__in=found):
        found[identifier.person_id]["id"].add(identifier.value)
    links = models.PersonLink.objects.filter(person__in=found).select_related(
        "person", "competitor", "player"
    )
    withheld = original_values(links)
    for link in links:
        own, entry = found[link.person_id], link.competitor or link.player
        own["name"].add(link.name)
        now = {name: getattr(entry, name) for name in ("name", "born", *IDS)} if entry else {}
        for values in (now, *withheld[link.pk]):
            own["name"].add(values.get("name", ""))
            own["born"].add(values.get("born", ""))
            own["id"] |= {str(values[name]) for name in IDS if values.get(name)}
    for link in hidden:
        own = found[link.person_id]
        own["name"] -= {public_name(link.person), ""}
        own["born"] -= {""}
    return found


def _names_of_others(event: models.Event, links: Sequence[models.PersonLink]) -> list[str]:
    own = {(each.competitor_id, each.player_id) for each in links}
    competitors = models.Competitor.objects.filter(event=event).values_list("pk", "name")
    players = models.Player.objects.filter(competitor__event=event).values_list("pk", "name")
    found = [name for key, name in competitors if (key, None) not in own]
    return found + [name for key, name in players if (None, key) not in own]


class Original(NamedTuple):
    """The public facts of an imported file. Only the desk can download the file.

    `size`: in bytes, or None if unknown.
    """

    name: str
    size: int | None
    sha256: str


def originals_of(event: models.Event) -> list[Original]:
    """Return the imported files of an event in order, without duplicates. Two queries.

    Event files are left out, because they contain the event itself from another site. File names are
    redacted.
    """
    rows = event.uploads.exclude(applied=None).exclude(name__iendswith=".json").order_by("applied", "pk")
    uploads = rows.values_list("name", "size", "sha256")
    redact = without_hidden_names(event)
    files = dict.fromkeys(uploads)
    return [Original(redact(name.rpartition("/")[2]), size, digest) for name, size, digest in files]
