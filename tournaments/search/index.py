"""The tables of the search, made of the record by whoever imports, and by a search that finds them behind.

Triggers write into an event's revision when anything that is searched has changed (`named`); after which of
these changes the tables were made stands beside it (`searched`). They are behind where both differ, whatever
wrote, and the next search makes these events anew before it looks (ADR 0087).
"""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from django.db import connection, transaction
from django.db.models import F, Q

from tournaments.epoch import ONLY_SITE
from tournaments.event import federations
from tournaments.models import Revision, SearchEntry, SearchKind, SearchSpelling, SearchWord, SiteRevision
from tournaments.search.spelling import spellings_of
from tournaments.search.texts import EventTexts, read_texts

AT_A_TIME = 50
"""Events that are read and written together: five thousand names."""

IN_A_QUERY = 500
"""Words that are asked for at a time."""

BEHIND = Q(named__gt=F("searched"))
"""What of an event is searched was made before its last change."""

OF_EVENTS = (SearchKind.EVENT, SearchKind.NAME)
WORDS, SPELLINGS = SearchWord._meta.db_table, SearchSpelling._meta.db_table
ADD_WORD = f"INSERT INTO {WORDS} (key, kind, word) VALUES (%s, %s, %s)"  # noqa: S608 - our own names
TAKE_WORD = f"DELETE FROM {WORDS} WHERE key = %s AND kind = %s AND word = %s"  # noqa: S608 - the same
ADD_SPELLING = f"INSERT INTO {SPELLINGS} (form, word) VALUES (%s, %s) ON CONFLICT DO NOTHING"  # noqa: S608


def refresh() -> int:
    """Make anew what is searched of all events that changed since, and return how many these were.

    One query where none did; else nine for each fifty of them.
    """
    count = 0
    while found := _behind():
        if not _make(found):  # somebody writes to all of these: wait for one, holding nothing else
            _make(found[:1], waits=True)
        count += len(found)
    return count


def index(event_id: int) -> None:
    """Make what is searched of an event, in the transaction that wrote it; one query where it is there."""
    if Revision.objects.filter(BEHIND, pk=event_id).exists():
        _make([event_id], waits=True)


def ensure_indexed(using: str, **_: object) -> None:
    """Make everything anew that another version of this code made, after a `migrate`."""
    if connection.alias != using or not _has_tables():
        return
    form = _form()
    site = SiteRevision.objects.filter(pk=ONLY_SITE)
    if site.exclude(search_form=form).exists():
        Revision.objects.update(searched=0)
        refresh()
        site.update(search_form=form)


def _has_tables() -> bool:
    # A `migrate` to an early state runs this too.
    needed = {SearchEntry._meta.db_table, SiteRevision._meta.db_table}
    if not needed <= set(connection.introspection.table_names()):
        return False
    with connection.cursor() as cursor:
        columns = connection.introspection.get_table_description(cursor, SiteRevision._meta.db_table)
    return "search_form" in {column.name for column in columns}


def _form() -> str:
    """Return what the tables depend on beside the record: how texts are folded, and federations named."""
    folder = Path(__file__).parent
    made_of = [*(folder / name for name in ("folding.py", "texts.py", "spelling.py")), federations.ROWS]
    return sha256(b"".join(each.read_bytes() for each in made_of)).hexdigest()[:16]


def _behind() -> list[int]:
    behind = Revision.objects.filter(BEHIND).order_by("event_id")
    return list(behind.values_list("event_id", flat=True)[:AT_A_TIME])


@transaction.atomic
def _make(keys: Sequence[int], *, waits: bool = False) -> int:
    """Make these events anew, but those to which somebody writes at the moment; return how many it made.

    Who holds several events never waits for another one, so nobody waits for ever. What a writer has not
    committed is counted by the trigger when we are done, and is found behind again.
    """
    skips = connection.features.has_select_for_update_skip_locked and not waits
    held = Revision.objects.select_for_update(skip_locked=skips).filter(pk__in=keys).order_by("pk")
    named = dict(held.values_list("event_id", "named"))
    _write(read_texts(list(named)))
    for number in set(named.values()):
        made = [pk for pk, each in named.items() if each == number]
        Revision.objects.filter(pk__in=made).update(searched=number)
    return len(named)


def _write(found: dict[int, EventTexts]) -> None:
    """Write what is new and take away what is no more: of most changes that is a name or two."""
    now = {
        (pk, kind, word)
        for pk, each in found.items()
        for kind, words in (
            (SearchKind.EVENT.value, each.own_words()),
            (SearchKind.NAME.value, each.words_of_names()),
        )
        for word in words
    }
    before = set(
        SearchWord.objects.filter(key__in=found, kind__in=OF_EVENTS).values_list("key", "kind", "word")
    )
    SearchEntry.objects.bulk_create(
        [
            SearchEntry(kind=SearchKind.EVENT, key=pk, folded=each.folded, shown=each.shown)
            for pk, each in found.items()
        ],
        update_conflicts=True,
        unique_fields=["kind", "key"],
        update_fields=["folded", "shown"],
    )
    new = sorted(now - before)
    _each(TAKE_WORD, sorted(before - now))
    _each(ADD_WORD, new)
    _each(ADD_SPELLING, _unknown_spellings({word for _pk, kind, word in new if kind == SearchKind.NAME}))


def _unknown_spellings(words: set[str]) -> list[tuple[str, str]]:
    told = sorted(word for word in words if spellings_of(word))
    known: set[str] = set()
    for start in range(0, len(told), IN_A_QUERY):
        some = SearchSpelling.objects.filter(form__in=told[start : start + IN_A_QUERY], word=F("form"))
        known.update(some.values_list("word", flat=True))
    return [(form, word) for word in told if word not in known for form in spellings_of(word)]


def _each(statement: str, rows: Sequence[tuple[int | str, ...]]) -> None:
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(statement, rows)
