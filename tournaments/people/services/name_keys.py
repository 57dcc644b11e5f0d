"""Recompute the keys of names after a change of the folding, in suggestions and refusals too."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.db import transaction
from django.db.models import Model, Q
from django.db.models.functions import Coalesce

from tournaments.models import (
    EntryName,
    Event,
    LinkProposal,
    LinkRefusal,
    PeopleAct,
    Person,
    PersonName,
    Team,
    TeamName,
    WithheldRow,
)
from tournaments.people.hiding.anonymise import reveal
from tournaments.people.hiding.import_filter import HiddenMatches
from tournaments.people.matching.entrants import Entrant, entrants_of, sides
from tournaments.people.matching.names import name_key
from tournaments.people.services.history import lock_people
from tournaments.people.services.linking import link_entries

AT_A_TIME = 2_000
"""Batch size for reading names."""

BY = "manage.py migrate"


def renew_keys() -> None:
    """Recompute the keys of all names, and suggest links of new namesakes. Refusals stay in force.

    Reads every name once, and writes only changed keys.
    """
    for model in (Person, PersonName, Team, TeamName):
        for rows in _batches(model, "name", "key"):
            outdated = {key: folded for key, name, was in rows if (folded := name_key(name)) != was}
            with transaction.atomic():
                lock_people()
                for key, folded in outdated.items():
                    model._default_manager.filter(pk=key).update(key=folded)
    hiding = WithheldRow.objects.values_list("event", flat=True)
    named = Coalesce("competitor__name", "player__name")
    found = set()
    for rows in _batches(EntryName, named, "key", "event"):
        found |= {event for _key, name, was, event in rows if name_key(name) != was}
    for key in sorted({*found, *hiding}):
        with transaction.atomic():
            lock_people([key])
            event = Event.objects.get(pk=key)
            reveal(event)  # names of hidden persons are folded too; linking hides them again
            names = EntryName.objects.filter(event=event)
            keys = {(each.competitor_id, each.player_id): each.key for each in names}
            entrants = entrants_of(event)
            teams = {each.number: keys.get(each.row, "") for each in entrants if each.is_team}
            new = {_former_side(each, keys, teams): each.side for each in entrants if not each.ids}
            _rename_sides({was: now for was, now in new.items() if was != now}, event)
            link_entries(event, BY, HiddenMatches({}, {}, {}))  # no entry was typed


def _batches(model: type[Model], *names: Any) -> Iterator[list[tuple[Any, ...]]]:
    last = 0
    rows = model._default_manager.order_by("pk")
    while part := list(rows.filter(pk__gt=last).values_list("pk", *names)[:AT_A_TIME]):
        yield part
        last = part[-1][0]


def _former_side(entrant: Entrant, keys: Mapping[Any, str], teams: Mapping[int, str]) -> str:
    key, team = keys.get(entrant.row, ""), teams.get(entrant.number, "")
    return f"entry:{entrant.event}:{key}@{team}" if entrant.team else f"entry:{entrant.event}:{key}"


def _rename_sides(new: Mapping[str, str], event: Event) -> None:
    if not new:
        return
    start = f"entry:{event.pk}:"
    about = Q(one__startswith=start) | Q(other__startswith=start)
    for suggestion in LinkProposal.objects.filter(about):
        one, other = sides(*(new.get(each, each) for each in (suggestion.one, suggestion.other)))
        if LinkProposal.objects.filter(one=one, other=other).exclude(pk=suggestion.pk).exists():
            suggestion.delete()
        else:
            LinkProposal.objects.filter(pk=suggestion.pk).update(one=one, other=other)
    for refusal in LinkRefusal.objects.filter(about):
        one, other = sides(*(new.get(each, each) for each in (refusal.one, refusal.other)))
        LinkRefusal.objects.filter(pk=refusal.pk).update(one=one, other=other)
    for act in PeopleAct.objects.order_by("pk").iterator(chunk_size=100):
        changes = [
            [name, key, _renamed_image(before, new), _renamed_image(after, new)]
            for name, key, before, after in act.changes
        ]
        if changes != act.changes:
            PeopleAct.objects.filter(pk=act.pk).update(changes=changes)


def _renamed_image(image: dict[str, Any] | None, new: Mapping[str, str]) -> dict[str, Any] | None:
    if not (image and "one" in image and "other" in image):
        return image
    one, other = sides(*(new.get(each, each) for each in (image["one"], image["other"])))
    return {**image, "one": one, "other": other}
