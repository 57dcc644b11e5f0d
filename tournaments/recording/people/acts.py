"""What is done to persons, teams and links: one writer at a time, every value kept, undone by another.

A row is changed through an `Act` alone, which notes what it was and what it became. Undoing writes the values
back where they are still what the act made of them, and is an act of its own (ADR 0040).
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db.models import Model, ProtectedError, Q
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
    PersonTally,
    PersonTitle,
    SiteRevision,
    Team,
    TeamCode,
    TeamLink,
    TeamName,
)
from tournaments.people.candidates import owners_of
from tournaments.people.entrants import entrants_at, person_side, team_side
from tournaments.people.evidence import Known
from tournaments.people.hiddenmarks import note_hidden
from tournaments.people.names import name_key
from tournaments.people.withholding import withhold_anew
from tournaments.recording.people.proposing import Row, likely_links
from tournaments.recording.refusal import Busy, Conflict, Refused, prose
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

Values = dict[str, Any]
KnownT = TypeVar("KnownT", bound=Known)


class Act:
    """One act while it is done: rows are added, changed and removed through it alone."""

    def __init__(self, kind: str, by: str, reason: str, events: Collection[int] = ()) -> None:
        self.kind, self.by, self.reason = kind, by, reason
        self.events = {*events}  # whose links it may change: they are locked
        self.changes: list[tuple[str, int, Values | None, Values | None]] = []
        self.subjects: set[tuple[bool, int]] = set()
        self.bereft: set[Row] = set()  # entries whose likely link went with a person or a team

    def add(self, row: Model) -> None:
        """Store a new row."""
        self._attribute(row)
        _fold(row)
        row.save(force_insert=True)
        self._note(row, None, image_of(row))

    def change(self, row: Model, **values: Any) -> None:
        """Store other values of a row; nothing happens where they are what it has."""
        before = image_of(row)
        for name, value in values.items():
            setattr(row, name, value)
        _fold(row)
        after = image_of(row)
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
        image, key = image_of(row), row.pk
        if isinstance(row, Person | Team):
            self._remove_hanging(row)
        try:
            row.delete()
        except ProtectedError:
            raise Refused(_still_in_use(row)) from None
        row.pk = key
        self._note(row, image, None)

    def _remove_hanging(self, known: Known) -> None:
        """Take away what would go with a person or a team, so that it is kept too and can come back."""
        tables = (
            ("names", "federations", "titles", "identifiers")
            if isinstance(known, Person)
            else ("names", "codes")
        )
        for table in tables:
            for each in getattr(known, table).all():
                self.remove(each)
        for proposal in known.proposals.all():
            self.bereft.add((proposal.competitor_id, proposal.player_id))
            self.remove(proposal)

    def _attribute(self, row: Model) -> None:
        if isinstance(row, Person | Team):
            row.changed_by, row.changed_at = self.by, timezone.now()

    def _note(self, row: Model, before: Values | None, after: Values | None) -> None:
        if isinstance(row, PersonLink | TeamLink):
            self.need([row.event_id])
        self.changes.append((row._meta.model_name or "", row.pk, before, after))
        for image in (before or {}, after or {}):
            self._tell({**image_of(row), **image}, row)

    def need(self, events: Iterable[int]) -> None:
        """Raise Busy where one of these events is not locked: it got its link after this act looked."""
        if not self.events.issuperset(events):
            raise Busy

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


def _fold(row: Model) -> None:
    """Let the key of a name be what the name is folded to now: a value that comes back may be older."""
    if isinstance(row, Person | PersonName | Team | TeamName):
        row.key = name_key(row.name)


def _still_in_use(row: Model) -> str:
    """Return why a person or a team cannot be taken away: the entries that are linked since."""
    if not isinstance(row, Person | Team):
        return _("“%(name)s” is still needed. Undo the later acts first.") % {"name": row}
    names = [
        _("“%(entry)s” in “%(event)s”") % {"entry": each.name, "event": each.event.name}
        for each in row.links.select_related("event").order_by("pk")[:3]
    ]
    if not names:
        text = _("Another number was merged into “%(name)s” since. Undo that merge first.")
        return text % {"name": row}
    text = _("“%(name)s” has got other entries since: %(entries)s. Undo first what linked them.")
    return text % {"name": row, "entries": ", ".join(names)}


@contextmanager
def acting(kind: str, by: "User | str", reason: str, events: Iterable[int] = ()) -> Iterator[Act]:
    """Run an act in one transaction, as the only writer of persons and teams; it is kept by `Act.store`.

    `events` are those whose links it changes, or whose persons it hides or shows: they are locked first, as
    every writer of an event does, and hide afterwards whom they have to.
    """
    keys = {*events}
    with saving():
        lock_people(keys)
        act = Act(kind, by if isinstance(by, str) else name_of(by), prose(reason), keys)
        yield act
        act.need(events_hidden_or_shown(act))
        withhold_anew(keys)
        people = {number for is_team, number in act.subjects if not is_team}
        _unlist(people)
        note_hidden(people)


def _unlist(people: Collection[int]) -> None:
    """Take those of these persons who are hidden, or merged, out of lists: they are tallied by readers."""
    gone = Q(person__hidden=True) | ~Q(person__merged_into=None)
    PersonTally.objects.filter(gone, person__in=people).delete()


def events_hidden_or_shown(act: Act) -> set[int]:
    """Return the events of the persons whom an act hides or shows, as they are now; one query, if any."""
    people = {
        key
        for name, key, before, after in act.changes
        if name == "person" and before and after and "hidden" in after
    }
    links = PersonLink.objects.filter(person__in=people).values_list("event", flat=True) if people else ()
    return {*links}


def lock_people(events: Iterable[int] = ()) -> None:
    """Wait for the turn to write persons and teams, until the end of the transaction.

    In the order of all writers: events, then the one row of the site, which the triggers write.
    """
    keys = sorted({*events})
    if keys:
        list(Event.objects.filter(pk__in=keys).order_by("pk").select_for_update(no_key=True).values("pk"))
    list(SiteRevision.objects.filter(pk=ONLY_SITE).select_for_update(no_key=True).values("pk"))


def propose_again(act: Act, rows: Collection[Row]) -> None:
    """Propose for entries, by the keys of their rows, whom else they may be; those gone are left out."""
    entrants = entrants_at([one for one, _ in rows if one], [other for _, other in rows if other])
    owners = owners_of(entrants)
    for event in Event.objects.filter(pk__in={each.event for each in entrants}).order_by("pk"):
        theirs = [each for each in entrants if each.event == event.pk]
        for proposal in likely_links(event, theirs, owners):
            if not LinkProposal.objects.filter(one=proposal.one, other=proposal.other).exists():
                act.add(proposal)


def events_of(known: Known) -> set[int]:
    """Return the events in which a person or a team has links, waiting ones too."""
    return {*known.links.values_list("event", flat=True)}


def side_of(known: Known) -> str:
    """Return a person or a team as a side of a proposal or a refusal."""
    return team_side(known.pk) if isinstance(known, Team) else person_side(known.pk)


def said_by(row: Model) -> tuple[Any, ...]:
    """Return what a row says that hangs on a person or a team, whosever it is."""
    return tuple(
        getattr(row, each.attname)
        for each in row._meta.concrete_fields
        if each.editable and not each.primary_key and not each.is_relation
    )


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


def image_of(row: Model) -> Values:
    """Return the values of a row as JSON holds them."""
    return {
        field.attname: _plain(getattr(row, field.attname))
        for field in row._meta.concrete_fields
        if not field.primary_key and field.name not in SAVED
    }


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value


def values_of(model: type[Model], image: Values) -> Values:
    fields = {field.attname: field for field in model._meta.concrete_fields}
    return {name: fields[name].to_python(value) for name, value in image.items() if name in fields}
