"""The original values of rows that were changed to hide a person (ADR 0041).

Values of an entry belong to its link: they move with the link, and wait while its entry is gone. Values of a
text belong to its row until an import or an edit overwrites the text.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Model

from tournaments.models import EntryName, Event, PersonLink, WithheldRow
from tournaments.operations.revision import EVENTS_OF
from tournaments.people.public import public_name

_WITH_ENTRIES: tuple[type[Model], ...] = (*EVENTS_OF, EntryName)
MODELS = {model._meta.model_name or "": model for model in _WITH_ENTRIES}
"""The changed tables, by the name in stored changes."""

ENTRY_TABLES = ("competitor", "player")

WAITING = 0
"""The key of waiting values, which no row has."""

Values = dict[str, Any]
Owner = tuple[str, int | None, int | None]


def original_values(links: Iterable[PersonLink]) -> dict[int, list[Values]]:
    """Return the original values of entries, oldest first, by the key of their link. A single query."""
    found: dict[int, list[Values]] = {each.pk: [] for each in links}
    entries = {_place(each): each.pk for each in links}
    rows = WithheldRow.objects.filter(event__in={each.event_id for each in links}, table__in=ENTRY_TABLES)
    for table, key, link, before in rows.order_by("pk").values_list("table", "key", "link", "before"):
        found.setdefault(link or entries.get((table, key)) or 0, []).append(before)
    return found


def settle(event: Event) -> list[WithheldRow]:
    """Delete overwritten values, and move values with their links. Return the others, one for each row.

    A single query if there are none.
    """
    stored = list(WithheldRow.objects.filter(event=event).order_by("pk"))
    if not stored:
        return []
    was = {row.pk: (row.link, row.key, row.before, row.after) for row in stored}
    _follow_links(event, stored)
    current = _current_values(stored)
    found: dict[Owner, WithheldRow] = {}
    for row in reversed(stored):
        later = found.get(owner_of_values(row))
        now = {**current.get((row.table, row.key), {}), **(later.before if later else {})}
        same = {name for name, value in row.after.items() if name in now and now[name] == value}
        if row.link and (row.key == WAITING or "name" in {*row.after} - same):
            row.key = WAITING  # also if the link is gone: undoing its removal needs the values
        elif not same or "name" in {*row.after} - same:
            continue
        else:
            row.before = {name: value for name, value in row.before.items() if name in same}
            row.after = {name: value for name, value in row.after.items() if name in same}
        if later:
            # The older values are the original ones, except if a newer name overwrote them.
            is_overwritten = row.key == WAITING != later.key
            first, then = (row, later) if is_overwritten else (later, row)
            later.before, later.after = {**first.before, **then.before}, {**row.after, **later.after}
        else:
            found[owner_of_values(row)] = row
    left = list(found.values())
    changed = [row for row in left if was[row.pk] != (row.link, row.key, row.before, row.after)]
    WithheldRow.objects.bulk_update(changed, ["link", "key", "before", "after"], batch_size=100)
    WithheldRow.objects.filter(pk__in=was.keys() - {row.pk for row in left}).delete()
    return left


def owner_of_values(row: WithheldRow) -> Owner:
    """Return what values belong to: the link of an entry, or the row of a text."""
    return row.table, row.link, None if row.link else row.key


def _follow_links(event: Event, stored: Sequence[WithheldRow]) -> None:
    links = PersonLink.objects.filter(event=event).select_related("person", "competitor", "player")
    by_key = {each.pk: each for each in links}
    by_entry = {_place(each): each for each in by_key.values()}
    for row in stored:
        if row.link is None and (owner := by_entry.get((row.table, row.key))) and owner.person.hidden:
            row.link = owner.pk  # release 1.0.0 stored none
        link = by_key.get(row.link or 0)
        if link is None:
            continue
        table, key = _place(link)
        if (table, key) == (row.table, row.key):
            continue
        entry, pseudonym = link.player or link.competitor, public_name(link.person)
        if entry and table == row.table and link.person.hidden and entry.name == pseudonym:
            row.key, row.after = key, {**row.after, "name": pseudonym}
        else:
            row.key = WAITING


def _place(link: PersonLink) -> tuple[str, int]:
    return ("player", link.player_id) if link.player_id else ("competitor", link.competitor_id or WAITING)


def _current_values(stored: Sequence[WithheldRow]) -> dict[tuple[str, int], Values]:
    found = {}
    for table in {row.table for row in stored}:
        rows = [row for row in stored if row.table == table]
        there = MODELS[table]._default_manager.filter(pk__in={row.key for row in rows})
        for values in there.values("pk", *{name for row in rows for name in row.after}):
            found[table, values["pk"]] = values
    return found
