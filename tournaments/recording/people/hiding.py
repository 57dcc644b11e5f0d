"""Persons who asked to be left out, hidden again after a restore of the database (ADR 0090)."""

from logging import getLogger
from typing import Any

from django.core.management.color import no_style
from django.db import connection

from tournaments.epoch import epoch_begun
from tournaments.models import Competitor, Event, PeopleAct, Person, PersonLink, Player
from tournaments.people.hiddenmarks import HiddenMark, hidden_marks
from tournaments.people.names import name_key
from tournaments.recording.people.acts import Act, acting

AFTER_A_RESTORE = "restore"
"""Who hides persons that a backup brought back."""

log = getLogger(__name__)


def hide_again(**_about: Any) -> None:
    """Hide everybody who was hidden before the database became an older one."""
    try:
        marks = hidden_marks()
    except (OSError, ValueError):
        log.exception("Who was hidden cannot be read (HIDDEN_FILE): look at it before readers do")
        return
    for mark in marks:
        person = Person.objects.filter(pk=mark.person).first()
        if person is None or not (person.hidden or person.merged_into_id):
            _hide_again(mark, person)


def _hide_again(mark: HiddenMark, person: Person | None) -> None:
    reason = "Hidden before a backup was restored."
    events = {event for event, *_rest in mark.entries}
    with acting(PeopleAct.Kind.HIDE, AFTER_A_RESTORE, reason, events) as act:
        if person is None:
            person = Person(pk=mark.person, name=mark.name, key=name_key(mark.name), hidden=True)
            act.add(person)
            _count_on()
        else:
            act.change(person, hidden=True)
        for event, competitor, player, number, name in mark.entries:
            _link_again(act, person, event, competitor, player, number, name)
        act.store()
    log.warning("Person %s is hidden again after a restore", mark.person)


def _count_on() -> None:
    """Let the database number persons beyond those that came back; SQLite does so itself."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), [Person]):
            cursor.execute(statement)


def _link_again(
    act: Act, person: Person, event: int, competitor: int | None, player: int | None, number: int, name: str
) -> None:
    """Link an entry that the older database has without the link, if it is the same by its name."""
    taken = PersonLink.objects.filter(event=event)
    if taken.filter(person=person, number=number, name=name).exists():
        return
    there: dict[str, Any] = {}
    if competitor and not taken.filter(competitor=competitor).exists():
        there["competitor"] = Competitor.objects.filter(pk=competitor, event=event, name=name).first()
    if player and not taken.filter(player=player).exists():
        there["player"] = Player.objects.filter(pk=player, competitor__event=event, name=name).first()
    if any(there.values()) and Event.objects.filter(pk=event).exists():
        act.add(
            PersonLink(
                person=person, event_id=event, how="hand", number=number, name=name, by=act.by, **there
            )
        )


def listen() -> None:
    """Hide again whenever a new epoch begins: an older database may have come."""
    epoch_begun.connect(hide_again, dispatch_uid="hide_again")
