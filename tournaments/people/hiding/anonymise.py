"""Replace hidden persons in the rows of an event by pseudonyms.

Pages, files, archives, the API and the search are built from these rows, so all of them hide the person,
including pages written later. The original values stay with the act that hid the person, visible only to
the desk (ADR 0041).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from django.db import models as fields
from django.db import transaction
from django.db.models import F, Model, Q

from tournaments import models
from tournaments.event.choices import knows_colours
from tournaments.event.document import EventEntry
from tournaments.models.versioned import Versioned
from tournaments.operations.revision import EVENTS_OF
from tournaments.operations.takedowns import withdraw
from tournaments.people.hiding.hidden_entries import HiddenEntry, hidden_entries
from tournaments.people.hiding.withheld import MODELS, WAITING, Owner, owner_of_values, settle
from tournaments.people.matching.names import name_key
from tournaments.prizes.members import members_of

OF_THE_EVENT: dict[type[Model], str] = {
    models.Event: "pk",
    models.Player: "competitor__event",
    models.ManualTiebreak: "competitor__event",
    models.Pairing: "round__event",
    models.Game: "pairing__round__event",
}
"""Lookup from a row to its event, if it is not `event`."""

NOT_SEARCHED: frozenset[type[Model]] = frozenset(
    {models.Series, models.FormerSlug, models.PersonLink, models.TeamLink}
)
"""Tables of an event without text about persons. Links are handled separately."""

OWN_NAMES = frozenset({"name", "code", "slug"})
"""Fields with names of entries and events. Names of entries are replaced because they are linked."""

PROSE = frozenset(
    {"note", "notes", "reason", "was", "adjustments", "category_decisions", "sources", "source"}
)
"""Fields with sentences, in which a surname without a first name counts as the person's name."""

IDENTITY: dict[str, Any] = {"title": "", "born": "", "club": "", "city": "", "fide_id": None, "fmjd_id": None}
"""Personal fields of an entry except the name, and their values after hiding."""

PERSONAL_RULES = ("age_under", "age_from", "clubs")
"""Rules of categories that need hidden fields."""

COLOURS = {"first": ("White", "Black"), "second": ("Black", "White"), "": ("", "")}
"""Colours of the first and the second side, by the side with White."""


def anonymise(event: models.Event) -> frozenset[int]:
    """Replace the names of hidden persons in all rows of the event. Return the ids of these persons.

    Idempotent. Must run in a transaction after every change of the event's entries.
    """
    hidden = hidden_entries(event)
    if not hidden:
        return frozenset()
    stored = {owner_of_values(row): row for row in settle(event)}
    labels = _dependent_categories(event)
    changed = [row for each in hidden for row in _identity_rows(each, labels, stored)]
    changed += [row for model in _text_fields_by_model() for row in _text_rows(event, model, hidden)]
    rows = [each for each in changed if each.before != each.after]
    for each in rows:
        _update(each.table, each.key, each.after)
        each.event = event
        former = stored.get(owner_of_values(each))
        if former and former.key == each.key:
            each.before, each.after = {**each.before, **former.before}, {**former.after, **each.after}
        if former and former.pk:
            former.delete()
        stored[owner_of_values(each)] = each
    models.WithheldRow.objects.bulk_create(row for row in stored.values() if not row.pk)
    if rows:
        withdraw(event.pk)  # cached pages contain removed names
    return frozenset(each.link.person_id for each in hidden)


def reveal(event: models.Event) -> None:
    """Restore the original values of all rows, except values that were changed since or wait for an entry.

    Must run in a transaction. Persons who are still hidden must be hidden again afterwards.
    """
    for row in settle(event):
        if row.key != WAITING:
            _update(row.table, row.key, row.before)
            row.delete()


@contextmanager
def with_real_names(event: models.Event) -> Iterator[models.Event]:
    """Temporarily restore the original values, and yield the event as loaded then.

    For backups and clones, which hide the persons again when they are stored. Nothing is visible outside,
    because everything is rolled back. A single query if nobody is hidden.
    """
    if not models.WithheldRow.objects.filter(event=event).exists():
        yield event
        return
    with transaction.atomic():
        reveal(event)
        yield models.Event.objects.select_related("series").get(pk=event.pk)
        transaction.set_rollback(True)


def anonymise_again(events: Collection[int]) -> None:
    """Re-apply anonymisation to these events. A single query if no person is hidden."""
    rows = models.Event.objects.filter(pk__in=events)
    hides = Q(person_links__person__hidden=True) | Q(pk__in=models.WithheldRow.objects.values("event"))
    for event in rows.filter(hides).distinct().order_by("pk"):
        reveal(event)
        anonymise(event)


# --- entries ----------------------------------------------------------------------------------------------


def _dependent_categories(event: models.Event) -> dict[int, list[str]]:
    asking = {each["code"] for each in event.categories if any(each.get(name) for name in PERSONAL_RULES)}
    labels: dict[int, list[str]] = {}
    for code, found in members_of(event).items():
        for number in found.numbers if code in asking else ():
            labels.setdefault(number, []).append(code)
    return labels


def declared_labels(labels: Collection[str], event: models.Event | EventEntry) -> list[str]:
    """Return the labels of a hidden person: codes of the event's categories, because others are free text."""
    return [each["code"] for each in event.categories if each["code"] in labels]


def _identity_rows(
    hidden: HiddenEntry, labels: Mapping[int, Sequence[str]], stored: Mapping[Owner, models.WithheldRow]
) -> Iterator[models.WithheldRow]:
    entry = hidden.entry
    if entry is None:
        return
    if entry.name != hidden.pseudonym and not hidden.redaction.is_name(entry.name):
        return  # another person is entered here, and the link will be updated
    after = {**IDENTITY, "name": hidden.pseudonym}
    own = labels.get(entry.number, ()) if isinstance(entry, models.Competitor) else ()
    after["categories"] = declared_labels((*entry.categories, *own), hidden.link.event)
    row = _change_of(entry, after)
    row.link = hidden.link.pk
    former = stored.get(owner_of_values(row))
    known = former.after if former and former.key == entry.pk else {}
    if entry.name == hidden.pseudonym and "name" not in known:  # imported with the pseudonym
        row.before["name"], row.after["name"] = hidden.link.name, entry.name
    yield row
    side = "competitor" if isinstance(entry, models.Competitor) else "player"
    for found in models.EntryName.objects.filter(**{side: entry}):
        key = _change_of(found, {"key": name_key(hidden.pseudonym)})
        if not key.before and owner_of_values(key) not in stored:
            key.before["key"] = name_key(hidden.before.get("name", hidden.link.name))
            key.after["key"] = found.key
        yield key


def _change_of(row: Model, after: Mapping[str, Any]) -> models.WithheldRow:
    before = {name: getattr(row, name) for name in after}
    return _withheld_row(type(row), row.pk, before, after)


def _withheld_row(
    model: type[Model], key: int, before: Mapping[str, Any], after: Mapping[str, Any]
) -> models.WithheldRow:
    changed = [name for name in after if before[name] != after[name]]
    return models.WithheldRow(
        table=model._meta.model_name or "",
        key=key,
        before={name: before[name] for name in changed},
        after={name: after[name] for name in changed},
    )


# --- texts ------------------------------------------------------------------------------------------------


@cache
def _text_fields_by_model() -> dict[type[Model], tuple[str, ...]]:
    return {
        model: names
        for model in EVENTS_OF
        if model not in NOT_SEARCHED
        and (names := tuple(each for each in text_fields(model) if each not in OWN_NAMES | IDENTITY.keys()))
    }


def text_fields(model: type[Model]) -> list[str]:
    kinds = (fields.CharField, fields.TextField, fields.JSONField)
    return [
        field.name for field in model._meta.concrete_fields if isinstance(field, kinds) and not field.choices
    ]


def _text_rows(
    event: models.Event, model: type[Model], hidden: Sequence[HiddenEntry]
) -> Iterator[models.WithheldRow]:
    names = _text_fields_by_model()[model]
    sides = _SIDES.get(model, ())
    links = {each.entry.pk: each.link.pk for each in hidden if isinstance(each.entry, model)}
    rows = model._default_manager.filter(**{OF_THE_EVENT.get(model, "event"): event.pk})
    for row in rows.order_by("pk").values("pk", *names, *sides):
        if model is models.Pairing:
            row["white"] = "" if row["colours"] or not knows_colours(event) else "first"
        found = _withheld_row(model, row["pk"], row, {name: _redacted(name, row, hidden) for name in names})
        found.link = links.get(found.key)
        yield found


_SIDES: dict[type[Model], tuple[str, ...]] = {
    models.Pairing: ("first", "second", "colours"),
    models.Game: ("first_player", "second_player", "white"),
}
"""Columns with the players of a game, needed for its moves."""


def _redacted(name: str, row: Mapping[str, Any], hidden: Sequence[HiddenEntry]) -> Any:
    value = row[name]
    for each in hidden:
        if name == "moves" and value:
            colour = _colour_of(row, each)
            value = each.redaction.moves(value, colour)
        elif name == "trf":
            value = [each.redaction.line(line) for line in value]
        else:
            value = each.redaction.value(value, is_prose=name in PROSE)
    return value


def _colour_of(row: Mapping[str, Any], hidden: HiddenEntry) -> str | None:
    if hidden.entry is None:
        return None
    is_board = "first_player" in row
    seats = ("first_player", "second_player") if is_board else ("first", "second")
    if is_board != isinstance(hidden.entry, models.Player):
        return None
    found = [
        colour
        for seat, colour in zip(seats, COLOURS[row["white"]], strict=True)
        if row[seat] == hidden.entry.pk
    ]
    return found[0] if found else None


def _update(table: str, key: int, values: Mapping[str, Any]) -> None:
    model = MODELS[table]
    # With the version, so that open forms detect the change.
    versions = {"version": F("version") + 1} if issubclass(model, Versioned) else {}
    if values:
        model._default_manager.filter(pk=key).update(**values, **versions)
