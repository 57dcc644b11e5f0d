"""A file with the hidden persons, so that restoring an older database does not reveal them.

It is a file because a restore replaces rows. For each hidden person it has number, names, ids and entries,
because an old backup may lack them (ADR 0041).
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
    """An entry of a hidden person: keys of event and row, number, and original name."""

    event: int
    competitor: int | None
    player: int | None
    number: int
    name: str


class HiddenMark(NamedTuple):
    """A hidden person: key, name, entries, other names, and ids by scheme and value."""

    person: int
    name: str
    entries: list[MarkedEntry]
    names: list[str]
    ids: list[tuple[str, str]]


Marks = dict[str, dict[str, Any]]
"""The fields of a mark except the key, by the key of the person, by the name of the database."""


def hidden_marks() -> list[HiddenMark]:
    """Return the hidden persons in the file. Empty without a file. Raise OSError if it cannot be read."""
    marks = _read_file().get(_database_name(), {})
    # A file of an earlier release lacks names and ids, and must still be read.
    return [
        HiddenMark(int(key), name, [MarkedEntry(*each) for each in entries], *(more or ([], [])))
        for key, (name, entries, *more) in marks.items()
    ]


def save_hidden_marks(persons: Collection[int]) -> None:
    if settings.HIDDEN_FILE and persons:
        transaction.on_commit(lambda: _update_file(persons))


def is_mark_saved(person: int, *, hidden: bool) -> bool:
    """Return whether the file has this state of the person. True if no file is configured."""
    if not settings.HIDDEN_FILE:
        return True
    try:
        return hidden == (person in {each.person for each in hidden_marks()})
    except (OSError, ValueError):
        return False


def _update_file(persons: Collection[int]) -> None:
    hidden = {person.pk: _mark_of(person) for person in Person.objects.filter(pk__in=persons, hidden=True)}
    try:
        with _locked_file() as marks:
            own = marks.setdefault(_database_name(), {})
            for key in persons:
                own.pop(str(key), None)
                if key in hidden:
                    own[str(key)] = hidden[key][1:]
    except OSError:
        # The act itself is stored; the file is only needed for a restore.
        log.exception("Cannot save the list of hidden persons next to the database (HIDDEN_FILE)")


def _mark_of(person: Person) -> HiddenMark:
    links = PersonLink.objects.filter(person=person).order_by("pk")
    rows = links.values_list("event", "competitor", "player", "number", "name")
    names = person.names.order_by("pk").values_list("name", flat=True)
    ids = person.identifiers.order_by("pk").values_list("scheme", "value")
    return HiddenMark(person.pk, person.name, [MarkedEntry(*row) for row in rows], [*names], [*ids])


@contextmanager
def _locked_file() -> Iterator[Marks]:
    path = Path(settings.HIDDEN_FILE)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".lock").open("w") as lock:
        flock(lock, LOCK_EX)
        marks = _read_file()
        yield marks
        new = path.with_suffix(".new")
        about = connections.settings[DEFAULT_DB_ALIAS]
        by_key = {f"{about['HOST']} {about['PORT']} {name}": own for name, own in marks.items()}
        new.write_text(json.dumps(by_key, ensure_ascii=False, indent=1))
        new.chmod(0o600)
        new.replace(path)


def _read_file() -> Marks:
    path = Path(settings.HIDDEN_FILE)
    if not settings.HIDDEN_FILE or not path.exists():
        return {}
    found: Marks = {}
    for key, marks in json.loads(path.read_text()).items():  # the key begins with host and port
        found.setdefault(key.split(" ", 2)[2], {}).update(marks)
    return found


def _database_name() -> str:
    """Return the name of the database, whose hosts may change. A scratch copy has its own marks."""
    return str(connections.settings[DEFAULT_DB_ALIAS]["NAME"])
