"""What is searched, made of the record by whoever imports, and by a search that finds it behind.

Triggers write into the revision of an event, a person or a team when anything that is searched has changed
(`named`); after which of these changes the entry was made stands beside it (`searched`). It is behind where
both differ, whatever wrote, and the next search makes these entries anew before it looks (ADR 0039).
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import F, Model, Q

from config.database import deadlines
from tournaments.event import federations
from tournaments.models import (
    PersonRevision,
    Revision,
    SearchEntry,
    SearchKind,
    SearchSpelling,
    TeamRevision,
)
from tournaments.people.names import form_of
from tournaments.search.entries import IN_AN_ENTRY, hundred_of, key_of, within
from tournaments.search.peopletexts import read_persons, read_teams
from tournaments.search.spelling import spellings_of
from tournaments.search.texts import SearchText, read_events

logger = logging.getLogger(__name__)

LONGEST_AFTER_IMPORT = 30.0
"""Seconds that an import gives to what is searched, where nobody waits for its answer."""

AT_A_TIME = 50
"""Events that are read and written together: five thousand names."""

HUNDREDS_AT_A_TIME = 20
"""Hundreds of persons that are."""

LISTED_AT_A_TIME = 2_000
"""Persons of which it is asked at a time in which hundreds they are."""

IN_A_QUERY = 500
"""Words that are asked for at a time."""

BEHIND = Q(named__gt=F("searched"))
"""What is searched was made before the last change."""

SPELLINGS = SearchSpelling._meta.db_table
ADD_SPELLING = f"INSERT INTO {SPELLINGS} (form, word) VALUES (%s, %s) ON CONFLICT DO NOTHING"  # noqa: S608 - our own names

IS_BEHIND = "EXISTS (SELECT 1 FROM {} WHERE named > searched)"
REVISIONS = (Revision, PersonRevision, TeamRevision)
WHAT_IS_BEHIND = f"SELECT {', '.join(IS_BEHIND.format(each._meta.db_table) for each in REVISIONS)}"

Read = Callable[[Sequence[int]], Mapping[int, SearchText]]


class IndexedHundreds(NamedTuple):
    """Persons, or teams: where their changes are counted, and how the texts of hundreds are read."""

    kind: SearchKind
    revisions: type[Model]
    read: Read


OVER_EVENTS = (
    IndexedHundreds(SearchKind.PERSONS, PersonRevision, read_persons),
    IndexedHundreds(SearchKind.TEAMS, TeamRevision, read_teams),
)


def refresh() -> int:
    """Make anew what is searched of all that changed since, and return how many events, persons and teams.

    One query where none did; else nine for each fifty events, and fourteen for each twenty hundreds.
    """
    with connection.cursor() as cursor:
        cursor.execute(WHAT_IS_BEHIND)
        events, *others = cursor.fetchone()
    kinds = [kind for kind, is_behind in zip(OVER_EVENTS, others, strict=True) if is_behind]
    return (_refresh_events() if events else 0) + sum(map(_refresh_hundreds, kinds))


def refresh_after_import(seconds: float = LONGEST_AFTER_IMPORT) -> None:
    """Make what an import left behind, after its commit, so that the first reader does not wait for it.

    No more than so many seconds, nor than half of what a request has left. Where it fails, or the database is
    busy, the import stands: the log tells why, and the next search makes what is left.
    """
    transaction.on_commit(lambda: _refresh_or_log(seconds))


def _refresh_or_log(seconds: float) -> None:
    left = deadlines.time_left()
    try:
        with deadlines.within(seconds if left is None else min(seconds, left / 2)):
            refresh()
    except Exception:
        logger.warning("What is searched was left to the next search after an import.", exc_info=True)


def index(event_id: int) -> None:
    """Make what is searched of an event, in the transaction that wrote it; one query where it is there."""
    if Revision.objects.filter(BEHIND, pk=event_id).exists():
        _make([event_id], waits=True)


def index_all() -> None:
    """Make everything anew that is searched."""
    for revisions in REVISIONS:
        revisions._default_manager.update(searched=0)
    refresh()


def search_form() -> str:
    """Return what the entries depend on beside the record: how texts are folded, and federations named."""
    folder = Path(__file__).parent
    names = ("entries.py", "folding.py", "texts.py", "peopletexts.py", "spelling.py")
    made_of = [*(folder / name for name in names), federations.ROWS]
    return form_of(*made_of)


def _refresh_events() -> int:
    count = 0
    behind = Revision.objects.filter(BEHIND).order_by("event_id").values_list("event_id", flat=True)
    while found := list(behind[:AT_A_TIME]):
        if not _make(found):  # somebody writes to all of these: wait for one, holding nothing else
            _make(found[:1], waits=True)
        count += len(found)
    return count


@transaction.atomic
def _make(keys: Sequence[int], *, waits: bool = False) -> int:
    """Make these events anew, but those to which somebody writes at the moment; return how many it made.

    Who holds several events never waits for another one, so nobody waits for ever. What a writer has not
    committed is counted by the trigger when we are done, and is found behind again.
    """
    held = Revision.objects.select_for_update(skip_locked=_skips() and not waits).filter(pk__in=keys)
    named = dict(held.order_by("pk").values_list("event_id", "named"))
    _write(read_events(list(named)))
    _mark(Revision, named)
    return len(named)


def _refresh_hundreds(kind: IndexedHundreds) -> int:
    count, last = 0, 0
    behind = kind.revisions._default_manager.filter(BEHIND).order_by("pk").values_list("pk", flat=True)
    # From number to number: whom somebody writes to at the moment may still be behind afterwards.
    while found := list(behind.filter(pk__gte=last)[:LISTED_AT_A_TIME]):
        hundreds = list(dict.fromkeys(map(hundred_of, found)))[:HUNDREDS_AT_A_TIME]
        _make_hundreds(kind, hundreds)
        last = (hundreds[-1] + 1) * IN_AN_ENTRY
        count += sum(each < last for each in found)
    return count


@transaction.atomic
def _make_hundreds(kind: IndexedHundreds, hundreds: Sequence[int]) -> None:
    """Make the entries of these hundreds anew, one maker at a time.

    Makers wait for each other at the entries, which nobody else holds, and never for a writer: whom one holds
    at the moment stays behind, and is made once more when that one has committed.
    """
    keys = [key_of(kind.kind, each) for each in hundreds]
    blank = [SearchEntry(key=key, words="", folded="", shown="") for key in keys]
    SearchEntry.objects.bulk_create(blank, ignore_conflicts=True)
    entries = SearchEntry.objects.select_for_update().filter(key__in=keys).order_by("key")
    list(entries.values_list("key", flat=True))
    held = kind.revisions._default_manager.select_for_update(skip_locked=_skips()).filter(
        within(hundreds), BEHIND
    )
    named = dict(held.order_by("pk").values_list("pk", "named"))
    _write(kind.read(hundreds))
    _mark(kind.revisions, named)


def _skips() -> bool:
    return connection.features.has_select_for_update_skip_locked


def _mark(revisions: type[Model], named: Mapping[int, int]) -> None:
    """Note after which change what is searched was made."""
    for number in set(named.values()):
        made = [pk for pk, each in named.items() if each == number]
        revisions._default_manager.filter(pk__in=made).update(searched=number)


def _write(found: Mapping[int, SearchText]) -> None:
    """Write these entries, and how their new words may be misspelt."""
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
    """Write how these words may be misspelt, of those that can be; a query for each five hundred."""
    told = sorted(word for word in words if spellings_of(word))
    known: set[str] = set()
    for start in range(0, len(told), IN_A_QUERY):
        some = SearchSpelling.objects.filter(form__in=told[start : start + IN_A_QUERY], word=F("form"))
        known.update(some.values_list("word", flat=True))
    new = [(form, word) for word in told if word not in known for form in spellings_of(word)]
    if new:
        with connection.cursor() as cursor:
            cursor.executemany(ADD_SPELLING, new)
