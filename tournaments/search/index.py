"""The search index, updated after imports and before a search that finds it outdated.

Triggers set `named` in the revision of an event, a person or a team when searched data changes; `searched`
is the value when its entry was written. If they differ, the entry is outdated, and the next search updates
it first (ADR 0039).
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import F, Model, Q

from config.database import deadlines
from config.database.replica import read_connection
from tournaments.event import federations
from tournaments.models import (
    PersonRevision,
    Revision,
    SearchEntry,
    SearchKind,
    SearchSpelling,
    TeamRevision,
)
from tournaments.people.matching.names import form_of
from tournaments.search import texts
from tournaments.search.folding import spellings_of

logger = logging.getLogger(__name__)

LONGEST_AFTER_IMPORT = 30.0
"""Time limit in seconds for indexing after an import outside a request."""

AT_A_TIME = 50
"""Events per batch: five thousand names."""

HUNDREDS_AT_A_TIME = 20
"""Hundreds of persons per batch."""

LISTED_AT_A_TIME = 2_000
"""Persons per query of outdated revisions."""

IN_A_QUERY = 500
"""Words per query."""

BEHIND = Q(named__gt=F("searched"))
"""Outdated entries."""

SPELLINGS = SearchSpelling._meta.db_table
ADD_SPELLING = f"INSERT INTO {SPELLINGS} (form, word) VALUES (%s, %s) ON CONFLICT DO NOTHING"  # noqa: S608 - our own names

IS_BEHIND = "EXISTS (SELECT 1 FROM {} WHERE named > searched)"
REVISIONS = (Revision, PersonRevision, TeamRevision)
WHAT_IS_BEHIND = f"SELECT {', '.join(IS_BEHIND.format(each._meta.db_table) for each in REVISIONS)}"

Read = Callable[[Sequence[int]], Mapping[int, texts.SearchText]]


class IndexedHundreds(NamedTuple):
    """Persons or teams: model of their revisions, and function that reads the texts of hundreds."""

    kind: SearchKind
    revisions: type[Model]
    read: Read


OVER_EVENTS = (
    IndexedHundreds(SearchKind.PERSONS, PersonRevision, texts.read_persons),
    IndexedHundreds(SearchKind.TEAMS, TeamRevision, texts.read_teams),
)


def refresh() -> int:
    """Update all outdated entries. Return how many events, persons and teams were updated.

    A single query if there are none; otherwise nine per fifty events, and fourteen per twenty hundreds.
    """
    with read_connection().cursor() as cursor:
        cursor.execute(WHAT_IS_BEHIND)
        events, *others = cursor.fetchone()
    kinds = [kind for kind, is_behind in zip(OVER_EVENTS, others, strict=True) if is_behind]
    return (_refresh_events() if events else 0) + sum(map(_refresh_hundreds, kinds))


def refresh_after_import(seconds: float = LONGEST_AFTER_IMPORT) -> None:
    """Update the index after the commit of an import, so that the first reader does not wait.

    Limited to `seconds` and to half of the remaining time of a request. A failure is logged, and the next
    search updates the rest.
    """
    transaction.on_commit(lambda: _refresh_or_log(seconds))


def _refresh_or_log(seconds: float) -> None:
    left = deadlines.time_left()
    try:
        with deadlines.within(seconds if left is None else min(seconds, left / 2)):
            refresh()
    except Exception:
        logger.warning("What is searched was left to the next search after an import.", exc_info=True)


def update_index(event_id: int) -> None:
    """Update the index of an event, in the transaction that wrote it. A single query if it is current."""
    if Revision.objects.filter(BEHIND, pk=event_id).exists():
        _update_events([event_id], waits=True)


def search_form() -> str:
    """Return a description of the code that entries depend on: folding and names of federations."""
    folder = Path(__file__).parent
    return form_of(folder / "folding.py", folder / "texts.py", federations.ROWS)


def _refresh_events() -> int:
    count = 0
    behind = Revision.objects.filter(BEHIND).order_by("event_id").values_list("event_id", flat=True)
    while found := list(behind[:AT_A_TIME]):
        if not _update_events(found):  # all are locked by writers: wait for one, without holding other locks
            _update_events(found[:1], waits=True)
        count += len(found)
    return count


@transaction.atomic
def _update_events(keys: Sequence[int], *, waits: bool = False) -> int:
    """Update these events, except those locked by a writer. Return how many were updated.

    No deadlock is possible, because a process that holds several locks never waits. Uncommitted changes of
    a writer are counted by the trigger later, so the entry is outdated again.
    """
    held = Revision.objects.select_for_update(skip_locked=_can_skip_locked() and not waits).filter(
        pk__in=keys
    )
    named = dict(held.order_by("pk").values_list("event_id", "named"))
    _write_entries(texts.read_events(list(named)))
    _set_searched(Revision, named)
    return len(named)


def _refresh_hundreds(kind: IndexedHundreds) -> int:
    count, last = 0, 0
    behind = kind.revisions._default_manager.filter(BEHIND).order_by("pk").values_list("pk", flat=True)
    # In order of keys, because persons locked by a writer may remain outdated.
    while found := list(behind.filter(pk__gte=last)[:LISTED_AT_A_TIME]):
        hundreds = list(dict.fromkeys(map(texts.hundred_of, found)))[:HUNDREDS_AT_A_TIME]
        _update_hundreds(kind, hundreds)
        last = (hundreds[-1] + 1) * texts.IN_AN_ENTRY
        count += sum(each < last for each in found)
    return count


@transaction.atomic
def _update_hundreds(kind: IndexedHundreds, hundreds: Sequence[int]) -> None:
    """Update the entries of these hundreds, by one process at a time.

    Processes wait for each other at the entries, but never for a writer: persons locked by a writer stay
    outdated, and are updated again after its commit.
    """
    keys = [texts.entry_key(kind.kind, each) for each in hundreds]
    blank = [SearchEntry(key=key, words="", folded="", shown="") for key in keys]
    SearchEntry.objects.bulk_create(blank, ignore_conflicts=True)
    entries = SearchEntry.objects.select_for_update().filter(key__in=keys).order_by("key")
    list(entries.values_list("key", flat=True))
    held = kind.revisions._default_manager.select_for_update(skip_locked=_can_skip_locked()).filter(
        texts.within_hundreds(hundreds), BEHIND
    )
    named = dict(held.order_by("pk").values_list("pk", "named"))
    _write_entries(kind.read(hundreds))
    _set_searched(kind.revisions, named)


def _can_skip_locked() -> bool:
    return connection.features.has_select_for_update_skip_locked


def _set_searched(revisions: type[Model], named: Mapping[int, int]) -> None:
    for number in set(named.values()):
        made = [pk for pk, each in named.items() if each == number]
        revisions._default_manager.filter(pk__in=made).update(searched=number)


def _write_entries(found: Mapping[int, texts.SearchText]) -> None:
    before = SearchEntry.objects.filter(key__in=found).values_list("words", flat=True)
    known = {word for words in before for word in words.split(" ")}
    SearchEntry.objects.bulk_create(
        [
            SearchEntry(key=key, words=" ".join(sorted(each.words)), folded=each.folded, shown=each.shown)
            for key, each in sorted(found.items())
        ],
        update_conflicts=True,
        unique_fields=["key"],
        update_fields=["words", "folded", "shown"],
    )
    add_spellings({word for each in found.values() for word in each.words} - known)


def add_spellings(words: Iterable[str]) -> None:
    """Store the possible misspellings of words. A single query per five hundred words."""
    told = sorted(word for word in words if spellings_of(word))
    known: set[str] = set()
    for start in range(0, len(told), IN_A_QUERY):
        some = SearchSpelling.objects.filter(form__in=told[start : start + IN_A_QUERY], word=F("form"))
        known.update(some.values_list("word", flat=True))
    new = [(form, word) for word in told if word not in known for form in spellings_of(word)]
    if new:
        with connection.cursor() as cursor:
            cursor.executemany(ADD_SPELLING, new)
