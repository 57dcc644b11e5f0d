"""Create and edit persons and teams with their dependent rows; hide and show persons."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.db.models import Model
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.models import (
    PeopleAct,
    Person,
    PersonFederation,
    PersonIdentifier,
    PersonName,
    PersonTitle,
    Team,
    TeamCode,
    TeamName,
)
from tournaments.operations.takedowns import withdraw
from tournaments.people.matching.evidence import Known
from tournaments.people.services.acts import (
    Act,
    claimed,
    events_with_links,
    foreign_key_name,
    people_act,
    said_by,
)
from tournaments.people.services.sense import refuse_nonsense
from tournaments.recording.refusal import Refused, required

Kind = PeopleAct.Kind
HANGING: dict[type[Known], dict[str, type[Model]]] = {
    Person: {
        "names": PersonName,
        "federations": PersonFederation,
        "titles": PersonTitle,
        "identifiers": PersonIdentifier,
    },
    Team: {"names": TeamName, "codes": TeamCode},
}
"""Dependent rows that are edited with a person or a team, by related name."""

Rows = Sequence[Mapping[str, Any]]


def create_known(known: Known, by: User | str, reason: str, **rows: Rows) -> PeopleAct:
    """Store a new person or team with its rows, which sets its key. Raise Refused as `edit` does."""
    with people_act(Kind.CREATE, by, required(reason)) as act:
        _validate_row(known)
        refuse_nonsense(getattr(known, "born", ""), rows)
        act.add(known)
        _store_rows(act, known, rows)
        return act.store()


def edit(known: Known, seen: int, by: User | str, reason: str = "", **values: Any) -> PeopleAct | None:
    """Change fields and dependent rows of a person or a team. Return None if nothing differs.

    `values`: fields by name, and `names`, `federations`, `titles`, `identifiers` (of a team `names`,
    `codes`) with all rows of that kind as dicts. Raise Conflict if `seen` is not the version, Refused if a
    value is invalid or an id belongs to another person.
    """
    hanging = {name: values.pop(name) for name in HANGING[type(known)] if name in values}
    with people_act(Kind.EDIT, by, reason, events_with_links(known)) as act:
        now = claimed(known, seen)
        for name, value in values.items():
            setattr(now, name, value)
        _validate_row(now)
        refuse_nonsense(values.get("born", ""), hanging)
        act.change(claimed(known), **values)
        _store_rows(act, now, hanging)
        if act.changes:
            _raise_version(act, claimed(known), seen)
            return act.store()
    return None


def _raise_version(act: Act, known: Known, seen: int) -> None:
    """Raise the version even if only rows have changed, because forms display these rows."""
    if known.version == seen:
        known.version, known.changed_by, known.changed_at = seen + 1, act.by, timezone.now()
        known.save()


def hide(person: Person, by: User | str, reason: str, *, seen: int | None = None) -> PeopleAct:
    """Hide a person under a pseudonym everywhere. The reason is stored in the history.

    Raise Refused if the person is hidden already, Conflict if `seen` is not the version.
    """
    return _set_hidden(person, Kind.HIDE, by, reason, seen, hidden=True)


def show_person(person: Person, by: User | str, reason: str, *, seen: int | None = None) -> PeopleAct:
    """Show a hidden person again. Raises as `hide` does."""
    return _set_hidden(person, Kind.SHOW, by, reason, seen, hidden=False)


def _set_hidden(
    person: Person, kind: str, by: User | str, reason: str, seen: int | None, *, hidden: bool
) -> PeopleAct:
    with people_act(kind, by, required(reason), events_with_links(person)) as act:
        now = claimed(person, seen)
        if now.hidden == hidden:
            raise Refused(_("Another person has already saved this."))
        act.change(now, hidden=hidden)
        if hidden:
            for event in sorted(events_with_links(person)):
                withdraw(event)  # the name must disappear even while the database is unavailable
        return act.store()


def _store_rows(act: Act, known: Known, rows: Mapping[str, Rows]) -> None:
    for name, model in HANGING[type(known)].items():
        if name not in rows:
            continue
        there = {said_by(row): row for row in cast("Iterable[Model]", getattr(known, name).all())}
        wanted = {}
        for values in rows[name]:
            row = model(**{foreign_key_name(known): known}, **values)
            wanted[said_by(row)] = row
        for said, row in there.items():
            if said not in wanted:
                act.remove(row)
        for said, row in wanted.items():
            if said not in there:
                _validate_row(row)
                _add_row(act, row)


class IdTaken(Refused):
    """Raised if an id belongs to another person, who may be the same and can then be merged."""

    def __init__(self, identifier: PersonIdentifier, person: Person) -> None:
        values = {"what": identifier, "name": person.name, "number": person.pk}
        text = _("“%(what)s” is the id of %(name)s (%(number)s) already. If both are one, merge them.")
        super().__init__(text % values)
        self.person = person


def _add_row(act: Act, row: Model) -> None:
    if isinstance(row, PersonIdentifier):
        there = PersonIdentifier.objects.filter(scheme=row.scheme, value=row.value).select_related("person")
        for each in there:
            raise IdTaken(row, each.person)
    try:
        act.add(row)
    except IntegrityError:
        text = _("“%(what)s” is listed twice. Write it once.")
        raise Refused(text % {"what": row}) from None


def _validate_row(row: Model) -> None:
    try:
        row.clean_fields(exclude={"changed_at", "key"})
    except ValidationError as fault:
        raise Refused(" ".join(fault.messages)) from fault
