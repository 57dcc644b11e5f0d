"""What is done to persons, teams and links: one writer at a time, every value kept, undone by another.

A row is changed through an `Act` alone, which notes what it was and what it became. Undoing writes the values
back where they are still what the act made of them, and is an act of its own (ADR 0086).
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import IntegrityError
from django.db.models import ForeignKey, Model, ProtectedError
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.epoch import ONLY_SITE
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
    PersonTitle,
    SiteRevision,
    Team,
    TeamCode,
    TeamLink,
    TeamName,
)
from tournaments.people.entrants import person_side, team_side
from tournaments.people.evidence import Known
from tournaments.people.hiddenmarks import note_hidden
from tournaments.people.withholding import withhold_anew
from tournaments.recording.refusal import Conflict, Refused, prose
from tournaments.recording.turns import name_of, saving

TABLES: dict[str, type[Model]] = {
    model._meta.model_name or "": model
    for model in (
        *(Person, PersonName, PersonFederation, PersonTitle, PersonIdentifier, PersonLink),
        *(Team, TeamName, TeamCode, TeamLink, LinkProposal, LinkRefusal),
    )
}
"""What acts change, by the name under which an act keeps it."""

SAVED = {"version", "changed_by", "changed_at"}
"""Columns that tell of the last saving: no act brings old ones back."""

SEEN = {"competitor_id", "player_id", "number", "name", "team", "at"}
"""Columns of links that follow the entry, whatever people decide."""

GOES_WITH_ITS_EVENT = (PersonLink, TeamLink, LinkProposal)

Values = dict[str, Any]
KnownT = TypeVar("KnownT", bound=Known)


class Act:
    """One act while it is done: rows are added, changed and removed through it alone."""

    def __init__(self, kind: str, by: str, reason: str) -> None:
        self.kind, self.by, self.reason = kind, by, reason
        self.changes: list[tuple[str, int, Values | None, Values | None]] = []
        self.subjects: set[tuple[bool, int]] = set()

    def add(self, row: Model) -> None:
        """Store a new row."""
        self._attribute(row)
        row.save(force_insert=True)
        self._note(row, None, _image(row))

    def change(self, row: Model, **values: Any) -> None:
        """Store other values of a row; nothing happens where they are what it has."""
        before = _image(row)
        for name, value in values.items():
            setattr(row, name, value)
        after = _image(row)
        changed = [name for name in after if after[name] != before[name]]
        if not changed:
            return
        if isinstance(row, Person | Team):
            row.version += 1
        self._attribute(row)
        row.save()
        self._note(row, {name: before[name] for name in changed}, {name: after[name] for name in changed})

    def remove(self, row: Model) -> None:
        """Delete a row; Refused where something hangs on it that the act did not take away first."""
        image, key = _image(row), row.pk
        try:
            row.delete()
        except ProtectedError:
            raise Refused(
                _("“%(name)s” has got other entries since. Undo first what linked them.") % {"name": row}
            ) from None
        row.pk = key
        self._note(row, image, None)

    def _attribute(self, row: Model) -> None:
        if isinstance(row, Person | Team):
            row.changed_by, row.changed_at = self.by, timezone.now()

    def _note(self, row: Model, before: Values | None, after: Values | None) -> None:
        self.changes.append((row._meta.model_name or "", row.pk, before, after))
        for image in (before or {}, after or {}):
            self._tell({**_image(row), **image}, row)

    def _tell(self, image: Values, row: Model) -> None:
        if isinstance(row, Person | Team):
            self.subjects.add((isinstance(row, Team), row.pk))
        if key := image.get("person_id"):
            self.subjects.add((False, key))
        if isinstance(image.get("team_id"), int):
            self.subjects.add((True, image["team_id"]))

    def store(self, undoes: PeopleAct | None = None) -> PeopleAct:
        """Keep the act in the history."""
        act = PeopleAct.objects.create(
            kind=self.kind, by=self.by, reason=self.reason, changes=self.changes, undoes=undoes
        )
        ActSubject.objects.bulk_create(
            ActSubject(act=act, is_team=is_team, number=number) for is_team, number in sorted(self.subjects)
        )
        return act


@contextmanager
def acting(kind: str, by: "User | str", reason: str, events: Iterable[int] = ()) -> Iterator[Act]:
    """Run an act in one transaction, as the only writer of persons and teams; it is kept by `Act.store`.

    `events` are those whose links it changes, or whose persons it hides or shows: they are locked first, as
    every writer of an event does, and hide afterwards whom they have to.
    """
    keys = {*events}
    with saving():
        lock_people(keys)
        act = Act(kind, by if isinstance(by, str) else name_of(by), prose(reason))
        yield act
        withhold_anew(keys)
        note_hidden({number for is_team, number in act.subjects if not is_team})


def lock_people(events: Iterable[int] = ()) -> None:
    """Wait for the turn to write persons and teams, until the end of the transaction.

    In the order of all writers: events, then the one row of the site, which the triggers write.
    """
    keys = sorted({*events})
    if keys:
        list(Event.objects.filter(pk__in=keys).order_by("pk").select_for_update(no_key=True).values("pk"))
    list(SiteRevision.objects.filter(pk=ONLY_SITE).select_for_update(no_key=True).values("pk"))


def events_of(known: Known) -> set[int]:
    """Return the events in which a person or a team has links, waiting ones too."""
    return {*known.links.values_list("event", flat=True)}


def side_of(known: Known) -> str:
    """Return a person or a team as a side of a proposal or a refusal."""
    return team_side(known.pk) if isinstance(known, Team) else person_side(known.pk)


def word_of(known: Known) -> str:
    """Return the name of the column in which other rows hold it."""
    return "team" if isinstance(known, Team) else "person"


def claimed(known: KnownT, seen: int | None = None) -> KnownT:
    """Return a person or a team as it is within an act.

    Refused where it is gone or was merged, Conflict where its version is not the one seen.
    """
    row = type(known)._default_manager.filter(pk=known.pk).first()
    if row is None:
        raise Refused(_("This is not there any more: somebody has removed it. Go back to the list."))
    if row.merged_into_id:
        raise Refused(
            _("“%(name)s” was merged into number %(into)s meanwhile. Look at that one.")
            % {"name": row.name, "into": row.merged_into_id}
        )
    if seen is not None and row.version != seen:
        raise Conflict(row.version, row.changed_by, row.changed_at)
    return row  # type: ignore[return-value]  # of the type that was asked


# --- undone ------------------------------------------------------------------------------------------------


def undo(act: PeopleAct, by: "User | str", reason: str = "") -> PeopleAct:
    """Undo an act, be it the undoing of another: every value is again what it was before.

    Refused where it was undone already, or where a later act changed the same; that one is undone first.
    What hangs on an entry or an event that is gone meanwhile stays gone.
    """
    try:
        with acting(PeopleAct.Kind.UNDO, by, reason, _events_of(act)) as done:
            standing = _standing(act)
            for name, key, before, after in reversed(standing.changes):
                _put_back(done, TABLES[name], key, before, after)
            return done.store(undoes=standing)
    except IntegrityError:  # a name or an id that somebody gave again since
        raise Refused(
            _("Something that was done since stands in the way. Undo the later acts first.")
        ) from None


def _standing(act: PeopleAct) -> PeopleAct:
    """Return the act by which it holds: itself, or what undid its undoing; Refused where it is undone."""
    while undoing := PeopleAct.objects.filter(undoes=act).first():
        again = PeopleAct.objects.filter(undoes=undoing).first()
        if again is None:
            raise Refused(_("This was undone already. Undo the undoing to have it back."))
        act = again
    return act


def _events_of(act: PeopleAct) -> set[int]:
    """Return the events whose links an act changed, as far as they are there."""
    keys: dict[str, set[int]] = {name: set() for name in TABLES}
    found: set[int] = set()
    for name, key, before, after in act.changes:
        keys[name].add(key)
        found |= {image["event_id"] for image in (before, after) if image and "event_id" in image}
    # What is hidden or shown again is so in every event of the person.
    found |= {*PersonLink.objects.filter(person__in=keys["person"]).values_list("event", flat=True)}
    for model in (PersonLink, TeamLink):
        links = model.objects.filter(pk__in=keys[model._meta.model_name or ""])
        found |= {*links.values_list("event", flat=True)}
    return found


def _put_back(act: Act, model: type[Model], key: int, before: Values | None, after: Values | None) -> None:
    row = model._default_manager.filter(pk=key).first()
    if after is None:
        _bring_back(act, model, key, before or {}, row)
        return
    if row is None:
        if issubclass(model, GOES_WITH_ITS_EVENT):
            return  # its event or its entry is gone
        raise Refused(_("What this act changed is not there any more. Undo first what took it away."))
    _compare(row, after)
    if before is None:
        act.remove(row)
    else:
        act.change(row, **_values(model, before))


def _compare(row: Model, after: Values) -> None:
    """Refuse where a row has not the values that an act gave it."""
    now = _image(row)
    ignored = SEEN if isinstance(row, PersonLink | TeamLink) and "event_id" in after else set()
    differing = [name for name in after if name not in ignored and now[name] != after[name]]
    if differing:
        raise Refused(
            _("“%(name)s” was changed again since (%(what)s). Undo the later act first.")
            % {"name": row, "what": ", ".join(name.removesuffix("_id") for name in differing)}
        )


def _bring_back(act: Act, model: type[Model], key: int, image: Values, there: Model | None) -> None:
    """Store a row again that an act took away."""
    if there is not None:
        raise Refused(_("“%(name)s” is there again already. Undo the later act first.") % {"name": there})
    row = model(pk=key, **_values(model, image))
    for field in model._meta.concrete_fields:
        target = getattr(row, field.attname)
        if not isinstance(field, ForeignKey) or target is None:
            continue
        if field.related_model._default_manager.filter(pk=target).exists():
            continue
        if isinstance(row, PersonLink | TeamLink) and field.name in {"competitor", "player"}:
            setattr(row, field.attname, None)  # the entry went meanwhile: the link waits for it
        elif isinstance(row, GOES_WITH_ITS_EVENT):
            return
        else:
            raise Refused(_("What this act changed is not there any more. Undo first what took it away."))
    if isinstance(row, PersonLink | TeamLink):
        _refuse_if_taken(row)
    if isinstance(row, LinkProposal) and LinkProposal.objects.filter(one=row.one, other=row.other).exists():
        return
    act.add(row)


def _refuse_if_taken(link: PersonLink | TeamLink) -> None:
    """Refuse where the entry of a link that comes back has another one by now."""
    columns = ("competitor_id", "player_id") if isinstance(link, PersonLink) else ("competitor_id",)
    for column in columns:
        key = getattr(link, column)
        if key and type(link).objects.filter(**{column: key}).exists():
            raise Refused(
                _("“%(name)s” was linked to somebody else since. Undo that first.") % {"name": link.name}
            )


def _image(row: Model) -> Values:
    """Return the values of a row as JSON holds them."""
    return {
        field.attname: _plain(getattr(row, field.attname))
        for field in row._meta.concrete_fields
        if not field.primary_key and field.name not in SAVED
    }


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value


def _values(model: type[Model], image: Values) -> Values:
    fields = {field.attname: field for field in model._meta.concrete_fields}
    return {name: fields[name].to_python(value) for name, value in image.items() if name in fields}
