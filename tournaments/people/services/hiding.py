"""Hide persons and show them again; hide them again after a restore of the database (ADR 0041)."""

from collections.abc import Sequence
from functools import partial
from logging import getLogger
from typing import Any

from django.contrib.auth.models import User
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, connection, transaction
from django.db.models import Model
from django.utils.translation import gettext as _

from tournaments import models
from tournaments.operations.compatibility import is_current
from tournaments.operations.epoch import epoch_begun
from tournaments.operations.takedowns import withdraw
from tournaments.people.entries import owner_at
from tournaments.people.hiding.anonymise import anonymise_again
from tournaments.people.hiding.hidden_marks import HiddenMark, MarkedEntry, hidden_marks
from tournaments.people.services.history import (
    Act,
    events_with_links,
    people_act,
    reload_owner,
)
from tournaments.recording.refusal import Refused, required

Kind = models.PeopleAct.Kind
AFTER_A_RESTORE = "restore"
"""Author of acts that hide persons again."""

log = getLogger(__name__)


def set_hidden(
    person: models.Person, by: User | str, reason: str, *, hidden: bool, seen: int | None = None
) -> models.PeopleAct:
    """Hide a person under a pseudonym everywhere, or show the person again. The history has the reason.

    Raise Refused if this is done already, Conflict if `seen` is not the version.
    """
    kind = Kind.HIDE if hidden else Kind.SHOW
    with people_act(kind, by, required(reason), events_with_links(person)) as act:
        now = reload_owner(person, seen)
        if now.hidden == hidden:
            raise Refused(_("Another person has already saved this."))
        act.change(now, hidden=hidden)
        if hidden:
            for event in sorted(events_with_links(person)):
                withdraw(event)  # the name must disappear even while the database is unavailable
        return act.store()


hide, show_person = partial(set_hidden, hidden=True), partial(set_hidden, hidden=False)


# --- after a restore ----------------------------------------------------------------------------------


def hide_again(**_about: Any) -> None:
    """Hide all persons that were hidden before the database was restored.

    An outdated schema is skipped: the `migrate` that completes it calls this function again.
    """
    if not is_current():
        return
    try:
        marks = hidden_marks()
    except (OSError, ValueError):
        log.exception(
            "Cannot read the list of hidden persons (HIDDEN_FILE): repair it before the site goes online"
        )
        return
    for mark in marks:
        _hide_marked(mark)


def _hide_marked(mark: HiddenMark) -> None:
    person = owner_at(models.Person, mark.person)
    events = {each.event for each in mark.entries} | (events_with_links(person) if person else set())
    with people_act(Kind.HIDE, AFTER_A_RESTORE, "Hidden before a backup was restored.", events) as act:
        if person is None:
            person = models.Person(pk=mark.person, name=mark.name, hidden=True)
            act.add(person)
            with connection.cursor() as cursor:
                for statement in connection.ops.sequence_reset_sql(no_style(), [models.Person]):
                    cursor.execute(statement)
        else:
            act.change(person, hidden=True)
        names = {person.name, *person.names.values_list("name", flat=True)}
        for name in dict.fromkeys((mark.name, *mark.names)):
            if name not in names:
                act.add(models.PersonName(person=person, name=name))
        for scheme, value in mark.ids:
            if not models.PersonIdentifier.objects.filter(scheme=scheme, value=value).exists():
                act.add(models.PersonIdentifier(person=person, scheme=scheme, value=value))
        for each in mark.entries:
            _restore_link(act, person, each)
        if act.changes:
            act.store()
            log.warning("Person %s is hidden again after a restore", person.pk)


def _restore_link(act: Act, person: models.Person, entry: MarkedEntry) -> None:
    links = models.PersonLink.objects.filter(event=entry.event)
    if links.filter(person=person, number=entry.number, name=entry.name).exists():
        return
    for side, key, rows in (
        ("competitor", entry.competitor, models.Competitor.objects.filter(event=entry.event)),
        ("player", entry.player, models.Player.objects.filter(competitor__event=entry.event)),
    ):
        row: Model | None = rows.filter(pk=key, name=entry.name).first() if key else None
        if row is None:
            continue
        if link := links.filter(**{side: row}).first():
            act.change(link, person=person)  # split off or merged since
            continue
        about: dict[str, Any] = {"number": entry.number, "name": entry.name, side: row}
        act.add(models.PersonLink(person=person, event_id=entry.event, how="hand", by=act.by, **about))


def hide_after_migrate(using: str, plan: Sequence[object] = (), **_about: object) -> None:
    """Hide after each `migrate`, because the previous one may have been interrupted.

    If it applied migrations, the program is new and may hide more values than the one before.
    """
    if using != DEFAULT_DB_ALIAS:
        return
    hide_again()
    if plan and is_current():
        with transaction.atomic():
            anonymise_again(list(models.Event.objects.values_list("pk", flat=True)))


def listen() -> None:
    """Hide again at every new epoch, because the database may have been restored."""
    epoch_begun.connect(hide_again, dispatch_uid="hide_again")
