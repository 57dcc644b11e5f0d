"""Who is hidden, beside the database: a backup from before is restored without showing anybody again.

A file of our own, not a row, for a restore takes rows back. It says of each hidden person the number, the
names, ids and entries, because an old backup may know neither the person nor what is known by now (ADR 0041).
"""

import json
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, flock
from logging import getLogger
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections, transaction

from tournaments.models import Person, PersonLink

log = getLogger(__name__)


class MarkedEntry(NamedTuple):
    """An entry of a hidden person: the keys of its event and its row, its number, and the name it had."""

    event: int
    competitor: int | None
    player: int | None
    number: int
    name: str


class HiddenMark(NamedTuple):
    """A hidden person: the key, the name, the entries, the other names, the ids by scheme and value."""

    person: int
    name: str
    entries: list[MarkedEntry]
    names: list[str]
    ids: list[tuple[str, str]]


Marks = dict[str, dict[str, Any]]
"""The fields of a mark but the first, by the key of the person, by the address of the database."""


def hidden_marks() -> list[HiddenMark]:
    """Return who is hidden as the file has it; nobody where there is none yet. Raise OSError."""
    marks = _read().get(_base(), {})
    # A file that was written before names and ids were is one that a restore must not pass over.
    return [
        HiddenMark(int(key), name, [MarkedEntry(*each) for each in entries], *(more or ([], [])))
        for key, (name, entries, *more) in marks.items()
    ]


def note_hidden(persons: Collection[int]) -> None:
    """Write down, once this transaction is through, which of these persons are hidden and which are not."""
    if settings.HIDDEN_FILE and persons:
        transaction.on_commit(lambda: _note(persons))


def is_noted(person: int, *, hidden: bool) -> bool:
    """Return whether the file says that the person is hidden, or is not; True if there is to be no file."""
    if not settings.HIDDEN_FILE:
        return True
    try:
        return hidden == (person in {each.person for each in hidden_marks()})
    except (OSError, ValueError):
        return False


def _note(persons: Collection[int]) -> None:
    hidden = {person.pk: _mark_of(person) for person in Person.objects.filter(pk__in=persons, hidden=True)}
    try:
        with _writing() as marks:
            own = marks.setdefault(_base(), {})
            for key in persons:
                own.pop(str(key), None)
                if key in hidden:
                    own[str(key)] = hidden[key][1:]
    except OSError:
        # The act itself took place; a restore is what this is for.
        log.exception("Who is hidden could not be written beside the database (HIDDEN_FILE)")


def _mark_of(person: Person) -> HiddenMark:
    links = PersonLink.objects.filter(person=person).order_by("pk")
    rows = links.values_list("event", "competitor", "player", "number", "name")
    names = person.names.order_by("pk").values_list("name", flat=True)
    ids = person.identifiers.order_by("pk").values_list("scheme", "value")
    return HiddenMark(person.pk, person.name, [MarkedEntry(*row) for row in rows], [*names], [*ids])


@contextmanager
def _writing() -> Iterator[Marks]:
    """Yield what the file says, and write it back whole; one process at a time."""
    path = Path(settings.HIDDEN_FILE)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".lock").open("w") as lock:
        flock(lock, LOCK_EX)
        marks = _read()
        yield marks
        new = path.with_suffix(".new")
        new.write_text(json.dumps(marks, ensure_ascii=False, indent=1))
        new.chmod(0o600)
        new.replace(path)


def _read() -> Marks:
    path = Path(settings.HIDDEN_FILE)
    if not settings.HIDDEN_FILE or not path.exists():
        return {}
    found: Marks = json.loads(path.read_text())
    return found


def _base() -> str:
    """Return the database by its address: a scratch copy says nothing about the site's own."""
    database = connections.settings[DEFAULT_DB_ALIAS]
    return " ".join((database["HOST"], str(database["PORT"]), str(database["NAME"])))
