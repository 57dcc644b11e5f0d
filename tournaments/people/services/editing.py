"""Create and edit persons and teams with their dependent rows."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.db.models import Model
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.event.dates import ends_before
from tournaments.models import (
    PeopleAct,
    Person,
    PersonFederation,
    PersonIdentifier,
    PersonTitle,
)
from tournaments.people.matching.entrants import SCHEMES, Entrant, federation_code
from tournaments.people.models.team import Owner
from tournaments.people.services.history import (
    Act,
    events_with_links,
    owner_kind,
    people_act,
    reload_owner,
    values_of_row,
)
from tournaments.recording.refusal import Refused, required

Kind = PeopleAct.Kind
Rows = Sequence[Mapping[str, Any]]


def create_owner(owner: Owner, by: User | str, reason: str, **rows: Rows) -> PeopleAct:
    """Store a new person or team with its rows, which sets its key. Raise Refused as `edit` does."""
    with people_act(Kind.CREATE, by, required(reason)) as act:
        _validate_row(owner)
        require_plausible(getattr(owner, "born", ""), rows)
        act.add(owner)
        _store_rows(act, owner, rows)
        return act.store()


def edit(owner: Owner, seen: int, by: User | str, reason: str = "", **values: Any) -> PeopleAct | None:
    """Change fields and dependent rows of a person or a team. Return None if nothing differs.

    `values`: fields by name, and `names`, `federations`, `titles`, `identifiers` (of a team `names`,
    `codes`) with all rows of that kind as dicts. Raise Conflict if `seen` is not the version, Refused if a
    value is invalid or an id belongs to another person.
    """
    hanging = {name: values.pop(name) for name in owner.DEPENDENT_ROWS if name in values}
    with people_act(Kind.EDIT, by, reason, events_with_links(owner)) as act:
        now = reload_owner(owner, seen)
        for name, value in values.items():
            setattr(now, name, value)
        _validate_row(now)
        require_plausible(values.get("born", ""), hanging)
        act.change(reload_owner(owner), **values)
        _store_rows(act, now, hanging)
        if act.changes:
            stored = reload_owner(owner)
            if stored.version == seen:
                # Only rows have changed. Forms display them, so they check this version.
                stored.version, stored.changed_by, stored.changed_at = seen + 1, act.by, timezone.now()
                stored.save()
            return act.store()
    return None


def _store_rows(act: Act, owner: Owner, rows: Mapping[str, Rows]) -> None:
    for name in owner.DEPENDENT_ROWS:
        if name not in rows:
            continue
        related = getattr(owner, name)
        there: dict[Any, Model] = {values_of_row(row): row for row in related.all()}
        wanted = {}
        for values in rows[name]:
            row = related.model(**{owner_kind(owner): owner}, **values)
            wanted[values_of_row(row)] = row
        for content, row in there.items():
            if content not in wanted:
                act.remove(row)
        for content, row in wanted.items():
            if content not in there:
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


def add_entry_data(act: Act, entrant: Entrant, person: Person) -> None:
    """Add the entry's ids, federation, title, sex and birth if the person lacks them. No dates are added."""
    for scheme, value in entrant.ids.items():
        if not PersonIdentifier.objects.filter(scheme=scheme, value=value).exists():
            act.add(PersonIdentifier(person=person, scheme=scheme, value=value))
    code = federation_code(entrant)
    if code and not person.federations.filter(code=code).exists():
        act.add(PersonFederation(person=person, code=code))
    if entrant.title and not person.titles.filter(title=entrant.title).exists():
        act.add(PersonTitle(person=person, title=entrant.title))
    blank = {
        name: getattr(entrant, name)
        for name in ("sex", "born")
        if getattr(entrant, name) and not getattr(person, name)
    }
    act.change(person, **blank)


def move_split_data(
    act: Act, person: Person, new: Person, gone: Sequence[Entrant], left: Sequence[Entrant]
) -> None:
    """Move to a split-off person the data that only the moved entries have.

    Dated federations and titles stay, because a user typed them.
    """
    ids = _ids_of_entrants(gone) - _ids_of_entrants(left)
    for identifier in person.identifiers.all():
        if (identifier.scheme, identifier.value) in ids:
            act.change(identifier, person=new)
    codes = {federation_code(each) for each in gone} - {federation_code(each) for each in left}
    for federation in person.federations.filter(since="", until="", code__in=codes):
        act.change(federation, person=new)
    titles = {each.title for each in gone} - {each.title for each in left}
    for title in person.titles.filter(since="", title__in=titles):
        act.change(title, person=new)
    for entrant in gone:
        add_entry_data(act, entrant, new)


def _ids_of_entrants(entrants: Iterable[Entrant]) -> set[tuple[str, str]]:
    return {each for entrant in entrants for each in entrant.ids.items()}


LONGEST_NUMBER = 10
"""Digits of an id of FIDE or the FMJD."""


def require_plausible(born: str, rows: Mapping[str, Rows]) -> None:
    """Raise Refused for implausible values, with the line and a correction."""
    _refuse_future(_("The birth"), born)
    for each in (row for listed in rows.values() for row in listed):
        since, until = each.get("since", ""), each.get("until", "")
        _refuse_future(_("“%(line)s”: the beginning") % {"line": _joined_row(each)}, since)
        if since and until and ends_before(since, until):
            text = _("“%(line)s” ends before it begins. Write since when first, then until when.")
            raise Refused(text % {"line": _joined_row(each)})
    for each in rows.get("identifiers", ()):
        scheme, value = each["scheme"], each["value"]
        if scheme in SCHEMES and not (value.isascii() and value.isdigit() and len(value) <= LONGEST_NUMBER):
            text = _("“%(value)s” is not an id of %(whose)s: such an id has at most %(most)s digits.")
            raise Refused(text % {"value": value, "whose": scheme.upper(), "most": LONGEST_NUMBER})
    dated = [each for each in rows.get("federations", ()) if each.get("since") or each.get("until")]
    for one, other in combinations(dated, 2):
        if one["code"] != other["code"] and _overlap(one, other):
            text = _(
                "“%(one)s” and “%(other)s” overlap in time. Enter the end of the earlier one, or leave "
                "the dates out."
            )
            raise Refused(text % {"one": _joined_row(one), "other": _joined_row(other)})


def _refuse_future(what: str, date: str) -> None:
    today = timezone.localdate().isoformat()
    if date > today[: len(date)]:
        text = _("%(what)s, %(date)s, is still to come. Check the year.")
        raise Refused(text % {"what": what, "date": date})


def _overlap(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    ends_first = one.get("until") and other.get("since") and not ends_before(one["until"], other["since"])
    ends_last = other.get("until") and one.get("since") and not ends_before(other["until"], one["since"])
    return not (ends_first or ends_last)


def _joined_row(row: Mapping[str, Any]) -> str:
    return "; ".join(str(value) for value in row.values()).rstrip("; ")
