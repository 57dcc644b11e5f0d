"""Changes to persons, teams and links: serialized, stored as acts, and undone by other acts.

Rows are changed only through an `Act`, which stores the old and the new values. An undo restores the old
values if the row still has the new ones, and is an act too (ADR 0040).
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db.models import Model, ProtectedError, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.models import (
    ActSubject,
    Event,
    LinkProposal,
    LinkRefusal,
    PeopleAct,
    Person,
    PersonFederation,
    PersonIdentifier,
    PersonLink,
    PersonName,
    PersonTally,
    PersonTitle,
    SiteRevision,
    Team,
    TeamCode,
    TeamLink,
    TeamName,
)
from tournaments.operations.epoch import ONLY_SITE
from tournaments.people.hiding.anonymise import anonymise_again
from tournaments.people.hiding.hidden_marks import save_hidden_marks
from tournaments.people.matching.candidates import owners_of, suggest_links
from tournaments.people.matching.entrants import Row, entrants_at
from tournaments.people.matching.names import name_key
from tournaments.people.models.team import Owner
from tournaments.recording.locking import name_of_user, saving
from tournaments.recording.refusal import Busy, Conflict, Refused, prose

TABLES: dict[str, type[Model]] = {
    model._meta.model_name or "": model
    for model in (
        *(Person, PersonName, PersonFederation, PersonTitle, PersonIdentifier, PersonLink),
        *(Team, TeamName, TeamCode, TeamLink, LinkProposal, LinkRefusal),
    )
}
"""Models that acts change, by the name that acts store."""

SAVED = {"version", "changed_by", "changed_at"}
"""Columns about the last save. They are never restored."""

Values = dict[str, Any]
OwnerT = TypeVar("OwnerT", bound=Owner)


class Act:
    """An act in progress. Rows are added, changed and removed only through it."""

    def __init__(self, kind: str, by: str, reason: str, events: Collection[int] = ()) -> None:
        self.kind, self.by, self.reason = kind, by, reason
        self.events = {*events}  # events whose links the act may change; they are locked
        self.changes: list[tuple[str, int, Values | None, Values | None]] = []
        self.subjects: set[tuple[bool, int]] = set()
        self.bereft: set[Row] = set()  # entries whose suggestions were deleted with a person or a team

    def add(self, row: Model) -> None:
        self._set_author(row)
        _update_key(row)
        row.save(force_insert=True)
        self._log(row, None, image_of(row))

    def change(self, row: Model, **values: Any) -> None:
        """Set values of a row. Unchanged values are not saved."""
        before = image_of(row)
        for name, value in values.items():
            setattr(row, name, value)
        _update_key(row)
        after = image_of(row)
        changed = [name for name in after if after[name] != before[name]]
        if not changed:
            return
        if isinstance(row, Person | Team):
            row.version += 1
        self._set_author(row)
        row.save()
        self._log(row, {name: before[name] for name in changed}, {name: after[name] for name in changed})

    def remove(self, row: Model) -> None:
        """Delete a row. Raise Refused if rows depend on it that the act has not removed."""
        image, key = image_of(row), row.pk
        if isinstance(row, Person | Team):
            self._remove_dependents(row)
        try:
            row.delete()
        except ProtectedError:
            raise Refused(_in_use_text(row)) from None
        row.pk = key
        self._log(row, image, None)

    def _remove_dependents(self, owner: Owner) -> None:
        """Remove dependent rows of a person or a team first, so that they are stored and can be restored."""
        for table in owner.DEPENDENT_ROWS:
            for each in getattr(owner, table).all():
                self.remove(each)
        for suggestion in owner.proposals.all():
            self.bereft.add((suggestion.competitor_id, suggestion.player_id))
            self.remove(suggestion)

    def _set_author(self, row: Model) -> None:
        if isinstance(row, Person | Team):
            row.changed_by, row.changed_at = self.by, timezone.now()

    def _log(self, row: Model, before: Values | None, after: Values | None) -> None:
        if isinstance(row, PersonLink | TeamLink):
            self.need([row.event_id])
        self.changes.append((row._meta.model_name or "", row.pk, before, after))
        for image in (before or {}, after or {}):
            self._add_subjects({**image_of(row), **image}, row)

    def need(self, events: Iterable[int]) -> None:
        """Raise Busy if an event is not locked: its link was created after the act started."""
        if not self.events.issuperset(events):
            raise Busy

    def _add_subjects(self, image: Values, row: Model) -> None:
        if isinstance(row, Person | Team):
            self.subjects.add((isinstance(row, Team), row.pk))
        if key := image.get("person_id"):
            self.subjects.add((False, key))
        if isinstance(image.get("team_id"), int):
            self.subjects.add((True, image["team_id"]))

    def store(self, undoes: PeopleAct | None = None) -> PeopleAct:
        act = PeopleAct.objects.create(
            kind=self.kind, by=self.by, reason=self.reason, changes=self.changes, undoes=undoes
        )
        ActSubject.objects.bulk_create(
            ActSubject(act=act, is_team=is_team, number=number) for is_team, number in sorted(self.subjects)
        )
        return act


def _update_key(row: Model) -> None:
    """Recompute the key of a name, because a restored value may have an older key."""
    if isinstance(row, Person | PersonName | Team | TeamName):
        row.key = name_key(row.name)


def _in_use_text(row: Model) -> str:
    if not isinstance(row, Person | Team):
        return _("“%(name)s” is still needed. Undo the later acts first.") % {"name": row}
    names = [
        _("“%(entry)s” in “%(event)s”") % {"entry": each.name, "event": each.event.name}
        for each in row.links.select_related("event").order_by("pk")[:3]
    ]
    if not names:
        text = _("Another number was merged into “%(name)s” since. Undo that merge first.")
        return text % {"name": row}
    text = _("“%(name)s” has been linked to more entries since: %(entries)s. Undo those links first.")
    return text % {"name": row, "entries": ", ".join(names)}


@contextmanager
def people_act(kind: str, by: "User | str", reason: str, events: Iterable[int] = ()) -> Iterator[Act]:
    """Run an act in a single transaction, with persons and teams locked. `Act.store` stores it.

    `events`: events whose links change or whose persons are hidden or shown. They are locked first, as in
    every write to an event, and anonymised again at the end.
    """
    keys = {*events}
    with saving():
        lock_people(keys)
        act = Act(kind, by if isinstance(by, str) else name_of_user(by), prose(reason), keys)
        yield act
        act.need(events_hidden_or_shown(act))
        anonymise_again(keys)
        people = {number for is_team, number in act.subjects if not is_team}
        # Remove hidden and merged persons from lists, because readers compute the tallies
        is_unlisted = Q(person__hidden=True) | ~Q(person__merged_into=None)
        PersonTally.objects.filter(is_unlisted, person__in=people).delete()
        save_hidden_marks(people)


def events_hidden_or_shown(act: Act) -> set[int]:
    """Return the events of persons that an act hides or shows. At most 1 query."""
    people = {
        key
        for name, key, before, after in act.changes
        if name == "person" and before and after and "hidden" in after
    }
    links = PersonLink.objects.filter(person__in=people).values_list("event", flat=True) if people else ()
    return {*links}


def lock_people(events: Iterable[int] = ()) -> None:
    """Lock persons and teams until the end of the transaction.

    Lock order of all writers: events, then the row of the site, which the triggers write.
    """
    keys = sorted({*events})
    if keys:
        list(Event.objects.filter(pk__in=keys).order_by("pk").select_for_update(no_key=True).values("pk"))
    list(SiteRevision.objects.filter(pk=ONLY_SITE).select_for_update(no_key=True).values("pk"))


def suggest_again(act: Act, rows: Collection[Row]) -> None:
    """Propose links for entries, by the keys of their rows. Deleted entries are ignored."""
    entrants = entrants_at(rows)
    owners = owners_of(entrants)
    for event in Event.objects.filter(pk__in={each.event for each in entrants}).order_by("pk"):
        theirs = [each for each in entrants if each.event == event.pk]
        for suggestion in suggest_links(event, theirs, owners):
            if not LinkProposal.objects.filter(one=suggestion.one, other=suggestion.other).exists():
                act.add(suggestion)


def events_with_links(owner: Owner) -> set[int]:
    return {*owner.links.values_list("event", flat=True)}


def values_of_row(row: Model) -> tuple[Any, ...]:
    return tuple(
        getattr(row, each.attname)
        for each in row._meta.concrete_fields
        if each.editable and not each.primary_key and not each.is_relation
    )


def owner_kind(owner: Owner) -> str:
    return "team" if isinstance(owner, Team) else "person"


def reload_owner(owner: OwnerT, seen: int | None = None) -> OwnerT:
    """Return the locked person or team.

    Raise Refused if it was deleted or merged, Conflict if its version is not `seen`.
    """
    row = type(owner)._default_manager.filter(pk=owner.pk).first()
    if row is None:
        raise Refused(_("This record was deleted. Go back to the list."))
    if row.merged_into_id:
        raise Refused(
            _("“%(name)s” has been merged into number %(into)s. Open that record.")
            % {"name": row.name, "into": row.merged_into_id}
        )
    if seen is not None and row.version != seen:
        raise Conflict(row.version, row.changed_by, row.changed_at)
    return row  # type: ignore[return-value]  # the type of the argument


def image_of(row: Model) -> Values:
    return {
        field.attname: _json_value(getattr(row, field.attname))
        for field in row._meta.concrete_fields
        if not field.primary_key and field.name not in SAVED
    }


def _json_value(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value


def values_of_image(model: type[Model], image: Values) -> Values:
    fields = {field.attname: field for field in model._meta.concrete_fields}
    return {name: fields[name].to_python(value) for name, value in image.items() if name in fields}
