"""Persons who asked to be left out, hidden again after a restore of the database (ADR 0041)."""

from logging import getLogger
from typing import Any

from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import Model

from tournaments.epoch import epoch_begun
from tournaments.models import (
    Competitor,
    PeopleAct,
    Person,
    PersonIdentifier,
    PersonLink,
    PersonName,
    Player,
)
from tournaments.people.hiddenmarks import HiddenMark, MarkedEntry, hidden_marks
from tournaments.recording.people.acts import Act, acting, events_of
from tournaments.schema import is_current

AFTER_A_RESTORE = "restore"
"""Who hides persons that a backup brought back."""

log = getLogger(__name__)


def hide_again(**_about: Any) -> None:
    """Hide everybody who was hidden before the database became an older one.

    A database with an older schema is left alone: the `migrate` that completes it calls this again.
    """
    if not is_current():
        return
    try:
        marks = hidden_marks()
    except (OSError, ValueError):
        log.exception("Who was hidden cannot be read (HIDDEN_FILE): look at it before readers do")
        return
    for mark in marks:
        _hide_again(mark)


def _hide_again(mark: HiddenMark) -> None:
    """Hide a person of a mark, or whom it is merged into, and the entries that the database lost."""
    person = Person.objects.filter(pk=mark.person).first()
    while person and person.merged_into:
        person = person.merged_into
    events = {each.event for each in mark.entries} | (events_of(person) if person else set())
    with acting(PeopleAct.Kind.HIDE, AFTER_A_RESTORE, "Hidden before a backup was restored.", events) as act:
        if person is None:
            person = Person(pk=mark.person, name=mark.name, hidden=True)
            act.add(person)
            _count_on()
        else:
            act.change(person, hidden=True)
        _name_again(act, person, mark)
        for each in mark.entries:
            _link_again(act, person, each)
        if act.changes:
            act.store()
            log.warning("Person %s is hidden again after a restore", person.pk)


def _name_again(act: Act, person: Person, mark: HiddenMark) -> None:
    """Give a person the names that texts are freed of, and the ids that files are linked by."""
    known = {person.name, *person.names.values_list("name", flat=True)}
    for name in dict.fromkeys((mark.name, *mark.names)):
        if name not in known:
            act.add(PersonName(person=person, name=name))
    for scheme, value in mark.ids:
        if not PersonIdentifier.objects.filter(scheme=scheme, value=value).exists():
            act.add(PersonIdentifier(person=person, scheme=scheme, value=value))


def _count_on() -> None:
    """Let the database number persons beyond those that came back; SQLite does so itself."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), [Person]):
            cursor.execute(statement)


def _link_again(act: Act, person: Person, entry: MarkedEntry) -> None:
    """Link an entry that is nobody's in the older database, or somebody else's, if its name is the same."""
    links = PersonLink.objects.filter(event=entry.event)
    if links.filter(person=person, number=entry.number, name=entry.name).exists():
        return
    for side, key, rows in (
        ("competitor", entry.competitor, Competitor.objects.filter(event=entry.event)),
        ("player", entry.player, Player.objects.filter(competitor__event=entry.event)),
    ):
        row: Model | None = rows.filter(pk=key, name=entry.name).first() if key else None
        if row is None:
            continue
        if link := links.filter(**{side: row}).first():
            act.change(link, person=person)  # it was split off, or merged, since
            continue
        about: dict[str, Any] = {"number": entry.number, "name": entry.name, side: row}
        act.add(PersonLink(person=person, event_id=entry.event, how="hand", by=act.by, **about))


def hide_after_migrate(using: str, **_about: object) -> None:
    """Hide after each `migrate`: the one before, of an older backup, may have been interrupted."""
    if using == DEFAULT_DB_ALIAS:
        hide_again()


def listen() -> None:
    """Hide again whenever a new epoch begins: an older database may have come."""
    epoch_begun.connect(hide_again, dispatch_uid="hide_again")
