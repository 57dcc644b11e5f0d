"""Changes to persons, teams and links: serialized, stored as acts, and undone by other acts.

Rows are changed only through an `Act`, which stores the old and the new values. An undo restores the old
values if the row still has the new ones, and is an act too (ADR 0040).
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import IntegrityError
from django.db.models import ForeignKey, Model, ProtectedError, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.event.dates import moment_text
from tournaments.models import (
    ActSubject,
    Competitor,
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
    Player,
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

SEEN = {"competitor_id", "player_id", "number", "name", "team", "at"}
"""Columns of links that follow the entry, independent of decisions."""

FOLLOWS = {"key"}
"""Columns derived from others."""

GOES_WITH_ITS_EVENT = (PersonLink, TeamLink, LinkProposal)

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
        if isinstance(row, Person | Team):  # dependent rows are stored too, so that they can be restored
            for table in row.DEPENDENT_ROWS:
                for each in getattr(row, table).all():
                    self.remove(each)
            for suggestion in row.proposals.all():
                self.bereft.add((suggestion.competitor_id, suggestion.player_id))
                self.remove(suggestion)
        try:
            row.delete()
        except ProtectedError:
            raise Refused(_in_use_text(row)) from None
        row.pk = key
        self._log(row, image, None)

    def _set_author(self, row: Model) -> None:
        if isinstance(row, Person | Team):
            row.changed_by, row.changed_at = self.by, timezone.now()

    def _log(self, row: Model, before: Values | None, after: Values | None) -> None:
        if isinstance(row, PersonLink | TeamLink):
            self.need([row.event_id])
        self.changes.append((row._meta.model_name or "", row.pk, before, after))
        if isinstance(row, Person | Team):
            self.subjects.add((isinstance(row, Team), row.pk))
        for changed in (before or {}, after or {}):
            image = {**image_of(row), **changed}
            if key := image.get("person_id"):
                self.subjects.add((False, key))
            if isinstance(image.get("team_id"), int):
                self.subjects.add((True, image["team_id"]))

    def need(self, events: Iterable[int]) -> None:
        """Raise Busy if an event is not locked: its link was created after the act started."""
        if not self.events.issuperset(events):
            raise Busy

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
    values = {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if not field.primary_key and field.name not in SAVED
    }
    return {name: each.isoformat() if hasattr(each, "isoformat") else each for name, each in values.items()}


def values_of_image(model: type[Model], image: Values) -> Values:
    fields = {field.attname: field for field in model._meta.concrete_fields}
    return {name: fields[name].to_python(value) for name, value in image.items() if name in fields}


# --- undo ---------------------------------------------------------------------------------------------------


def undo_people_act(act: PeopleAct, by: "User | str", reason: str = "") -> PeopleAct:
    """Restore the values before an act, which may be an undo.

    Raise Refused if the act was undone already, or if a later act changed the same rows; that act must be
    undone first. Rows of deleted entries and events are not restored.
    """
    try:
        with people_act(PeopleAct.Kind.UNDO, by, reason, _events_of_act(act)) as undo_act:
            in_force = _act_in_force(act)
            for name, key, before, after in reversed(in_force.changes):
                try:
                    _restore(undo_act, in_force, name, key, before, after)
                except _ChangedSinceError as fault:
                    later = _latest_change(in_force, name, key)
                    raise Refused(f"{fault} {_act_text(later[0])}" if later else str(fault)) from None
            for name, key, before, _after in undo_act.changes:
                row = TABLES[name]._default_manager.filter(pk=key).first() if before is None else None
                owner = getattr(row, "person", None) or getattr(row, "team", None)
                if isinstance(owner, Person | Team) and owner.merged_into_id:
                    text = _("“%(name)s” was merged into number %(into)s since. Undo that merge first.")
                    raise Refused(text % {"name": owner, "into": owner.merged_into_id})
            _require_nothing_new(undo_act)
            suggest_again(undo_act, undo_act.bereft)
            return undo_act.store(undoes=in_force)
    except IntegrityError:  # a name or an id that was assigned again since
        raise Refused(_("A later action prevents this. Undo the later actions first.")) from None


class _ChangedSinceError(Refused):
    """A row is not as the act left it. The later act is added to the message."""


def _latest_change(
    act: PeopleAct, name: str, key: int
) -> tuple[PeopleAct, Values | None, Values | None] | None:
    """Return the latest later act that changed a row, with the values before and after it."""
    for later in PeopleAct.objects.filter(pk__gt=act.pk).order_by("-pk").iterator(chunk_size=100):
        for model, row, before, after in later.changes:
            if (model, row) == (name, key):
                return later, before, after
    return None


def _was_removed_later(act: PeopleAct, name: str, key: int) -> bool:
    if not (later := _latest_change(act, name, key)):
        return False
    _act, before, after = later
    model = TABLES[name]
    return after is None and not _missing_targets(model(pk=key, **values_of_image(model, before or {})))


def _missing_targets(row: Model) -> list[str]:
    waits = {"competitor", "player"} if isinstance(row, PersonLink | TeamLink) else set()
    named = [field for field in row._meta.concrete_fields if isinstance(field, ForeignKey)]
    return [
        field.attname
        for field in named
        if field.name not in waits
        and (target := getattr(row, field.attname)) is not None
        and not field.related_model._default_manager.filter(pk=target).exists()
    ]


def _act_text(act: PeopleAct) -> str:
    values = {"kind": act.get_kind_display(), "by": act.by, "at": moment_text(act.at)}
    return _("The later act in the history: %(kind)s, by %(by)s, %(at)s.") % values


def _require_nothing_new(undo_act: Act) -> None:
    """Raise Refused if a person is merged again who has got entries or ids since.

    New suggestions of that person are suggested again for the remaining one.
    """
    for name, key, _before, after in list(undo_act.changes):
        if name not in {"person", "team"} or not (after and after.get("merged_into_id")):
            continue
        owner: Any = TABLES[name]._default_manager.get(pk=key)
        if owner.links.exists() or (name == "person" and owner.identifiers.exists()):
            text = _("“%(name)s” has got entries or ids since the split. Merge the two by hand.")
            raise Refused(text % {"name": owner})
        for suggestion in owner.proposals.all():
            undo_act.bereft.add((suggestion.competitor_id, suggestion.player_id))
            undo_act.remove(suggestion)


def _act_in_force(act: PeopleAct) -> PeopleAct:
    while undoing := PeopleAct.objects.filter(undoes=act).first():
        again = PeopleAct.objects.filter(undoes=undoing).first()
        if again is None:
            raise Refused(_("This was undone already. Undo the undoing to have it back."))
        act = again
    return act


def _events_of_act(act: PeopleAct) -> set[int]:
    keys: dict[str, set[int]] = {name: set() for name in TABLES}
    found: set[int] = set()
    for name, key, before, after in act.changes:
        keys[name].add(key)
        found |= {image["event_id"] for image in (before, after) if image and "event_id" in image}
    # Hiding affects all events of the person.
    found |= {*PersonLink.objects.filter(person__in=keys["person"]).values_list("event", flat=True)}
    for model in (PersonLink, TeamLink):
        links = model.objects.filter(pk__in=keys[model._meta.model_name or ""])
        found |= {*links.values_list("event", flat=True)}
    return found


def _restore(
    act: Act, undone: PeopleAct, name: str, key: int, before: Values | None, after: Values | None
) -> None:
    model = TABLES[name]
    row = model._default_manager.filter(pk=key).first()
    if after is None:
        _add_again(act, undone, model, key, before or {}, row)
        return
    if row is None:
        # The row was deleted with its event or entry, unless a later act removed it.
        if issubclass(model, GOES_WITH_ITS_EVENT) and not _was_removed_later(undone, name, key):
            return
        raise _ChangedSinceError(_("A record changed by this action was deleted. Undo the deletion first."))
    _require_unchanged(row, after)
    if before is None:
        act.remove(row)
    else:
        act.change(row, **values_of_image(model, before))


def _require_unchanged(row: Model, after: Values) -> None:
    now = image_of(row)
    ignored = FOLLOWS | SEEN if isinstance(row, PersonLink | TeamLink) and "event_id" in after else FOLLOWS
    differing = [name for name in after if name not in ignored and now[name] != after[name]]
    if differing:
        raise _ChangedSinceError(
            _("“%(name)s” was changed again since (%(what)s). Undo the later act first.")
            % {"name": row, "what": ", ".join(name.removesuffix("_id") for name in differing)}
        )


def _add_again(
    act: Act, undone: PeopleAct, model: type[Model], key: int, image: Values, there: Model | None
) -> None:
    if there is not None:
        raise _ChangedSinceError(
            _("“%(name)s” is there again already. Undo the later act first.") % {"name": there}
        )
    row = model(pk=key, **values_of_image(model, image))
    if _missing_targets(row):
        if isinstance(row, GOES_WITH_ITS_EVENT):
            return
        raise _ChangedSinceError(_("A record changed by this action was deleted. Undo the deletion first."))
    if isinstance(row, PersonLink | TeamLink):
        if not Competitor.objects.filter(pk=row.competitor_id or 0).exists():
            row.competitor = None
        if isinstance(row, PersonLink) and not Player.objects.filter(pk=row.player_id or 0).exists():
            row.player = None
        _require_free_entry(row)
    same = LinkProposal.objects.filter(one=row.one, other=row.other) if isinstance(row, LinkProposal) else ()
    for suggestion in same:  # suggested again by an import, or by a later act, which must be undone first
        if later := _latest_change(undone, "linkproposal", suggestion.pk):
            text = _("“%(name)s” has been suggested again since. Undo the later action first.") % {
                "name": image["one"]
            }
            raise Refused(f"{text} {_act_text(later[0])}")
        return
    act.add(row)


def _require_free_entry(link: PersonLink | TeamLink) -> None:
    columns = ("competitor_id", "player_id") if isinstance(link, PersonLink) else ("competitor_id",)
    for column in columns:
        key = getattr(link, column)
        if key and type(link).objects.filter(**{column: key}).exists():
            raise _ChangedSinceError(
                _("“%(name)s” has been linked to another person since. Undo that link first.")
                % {"name": link.name}
            )
