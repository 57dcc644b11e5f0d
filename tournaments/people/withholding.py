"""Hidden persons taken out of the rows of an event: from then on everything made of them says the pseudonym.

Pages, files, archives, the API and searches read rows; so a page that is written tomorrow hides whom those of
today hide. What the rows said stays with the act that hid the person, for the desk alone (ADR 0041).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from django.db import models as fields
from django.db import transaction
from django.db.models import F, Model, Q

from tournaments import models
from tournaments.categories import members_of
from tournaments.event.unknown import knows_colours
from tournaments.models.versioned import Versioned
from tournaments.people.hiddenentries import Entry, HiddenEntry, hidden_entries, table_of
from tournaments.people.names import name_key
from tournaments.people.public import public_name
from tournaments.revision import EVENTS_OF
from tournaments.withdrawals import withdraw

OF_THE_EVENT: dict[type[Model], str] = {
    models.Event: "pk",
    models.Player: "competitor__event",
    models.ManualTiebreak: "competitor__event",
    models.Pairing: "round__event",
    models.Game: "pairing__round__event",
}
"""The way from a row to its event, where that is not `event`."""

NOT_SEARCHED: frozenset[type[Model]] = frozenset(
    {models.Series, models.FormerSlug, models.PersonLink, models.TeamLink}
)
"""Tables of an event without a text that says who somebody is; links are dealt with as links."""

OWN_NAMES = frozenset({"name", "code", "slug"})
"""Fields that name an entry or an event: an entry's change because it is linked, never by their text."""

PROSE = frozenset(
    {"note", "notes", "reason", "was", "adjustments", "category_decisions", "sources", "source"}
)
"""Fields in which people write sentences, so that a surname alone means the person."""

_WITH_ENTRIES: tuple[type[Model], ...] = (*EVENTS_OF, models.EntryName)
MODELS = {model._meta.model_name or "": model for model in _WITH_ENTRIES}
"""The tables whose rows are changed, by the name under which it is kept what they said."""

IDENTITY: dict[str, Any] = {"title": "", "born": "", "club": "", "city": "", "fide_id": None, "fmjd_id": None}
"""What an entry says of a person beside the name, and what is left of it."""

ASK_WHO = ("age_under", "age_from", "clubs")
"""What rules of categories ask that an entry does not say any more."""

COLOURS = {"first": ("White", "Black"), "second": ("Black", "White"), "": ("", "")}
"""The colours of the first and the second side, by who has White."""


def withhold(event: models.Event) -> frozenset[int]:
    """Write the pseudonym wherever a row of the event says who a hidden person is; return who that is.

    Inside a transaction, and after every change of the event's entries. Nothing is changed twice.
    """
    hidden = hidden_entries(event)
    if not hidden:
        return frozenset()
    labels = _labels_kept(event)
    changed = [row for each in hidden for row in _identity_rows(each, labels)]
    changed += [row for model in _searched() for row in _text_rows(event, model, hidden)]
    rows = [each for each in changed if each.before != each.after]
    for each in rows:
        _write(each.table, each.key, each.after)
        each.event = event
    models.WithheldRow.objects.bulk_create(rows)
    if rows:
        withdraw(event.pk)  # names that are there no more
    return frozenset(each.link.person_id for each in hidden)


def reveal(event: models.Event) -> None:
    """Write back what rows of the event said before anybody was withheld; what was changed since stays.

    Inside a transaction; whoever is hidden still is withheld again afterwards.
    """
    for row in reversed(models.WithheldRow.objects.filter(event=event).order_by("pk")):
        there = MODELS[row.table]._default_manager.filter(pk=row.key)
        for now in there.values(*row.after):
            _write(
                row.table, row.key, {name: row.before[name] for name in now if now[name] == row.after[name]}
            )
        row.delete()


@contextmanager
def unveiled(event: models.Event) -> Iterator[models.Event]:
    """Let rows of the event say meanwhile what they said before anybody was withheld; yield it as it is then.

    For what is kept for the desk, a backup, or made anew of it, a clone: both withhold when they are stored.
    Nothing of it is seen outside, for all of it is rolled back. One query where nobody is hidden.
    """
    if not models.WithheldRow.objects.filter(event=event).exists():
        yield event
        return
    with transaction.atomic():
        reveal(event)
        yield models.Event.objects.select_related("series").get(pk=event.pk)
        transaction.set_rollback(True)


def withhold_anew(events: Collection[int]) -> None:
    """Let each of these events hide whom it has to by now, and nobody else; one query where nobody is."""
    rows = models.Event.objects.filter(pk__in=events)
    hides = Q(person_links__person__hidden=True) | Q(pk__in=models.WithheldRow.objects.values("event"))
    for event in rows.filter(hides).distinct().order_by("pk"):
        reveal(event)
        withhold(event)


def give_withheld(event: models.Event, link: models.PersonLink, entry: Entry) -> None:
    """Keep with another row of the event what was withheld of a hidden person, whose entry it is by now.

    The row was written without it. What was kept is that of the row which the link had, else of one that is
    gone; where nothing was, the name comes back with the person.
    """
    model, key = type(entry), entry.pk
    rows = models.WithheldRow.objects.filter(event=event, table=table_of(model)).order_by("pk")
    if rows.filter(key=key).exists():
        return
    own = link.competitor_id if model is models.Competitor else link.player_id
    there = {*model._default_manager.filter(pk__in=rows.values("key")).values_list("pk", flat=True)}
    kept = [each for each in rows if each.key == own or (each.key not in there and _is_named(each, link))]
    for each in kept:
        each.key = key
        each.save()
    if not kept:
        before, after = {"name": link.name}, {"name": public_name(link.person)}
        models.WithheldRow.objects.create(
            event=event, table=table_of(model), key=key, before=before, after=after
        )


def _is_named(row: models.WithheldRow, link: models.PersonLink) -> bool:
    return name_key(row.before.get("name", "")) == name_key(link.name)


# --- the entries themselves -------------------------------------------------------------------------------


def _labels_kept(event: models.Event) -> dict[int, list[str]]:
    """Return the categories that each number belongs to by what is withheld: a label keeps it in them."""
    asking = {each["code"] for each in event.categories if any(each.get(name) for name in ASK_WHO)}
    labels: dict[int, list[str]] = {}
    for code, found in members_of(event).items():
        for number in found.numbers if code in asking else ():
            labels.setdefault(number, []).append(code)
    return labels


def _identity_rows(hidden: HiddenEntry, labels: Mapping[int, Sequence[str]]) -> Iterator[models.WithheldRow]:
    """Yield what becomes of an entry, and of the key of its name; the link keeps the name."""
    entry = hidden.entry
    if entry is None:
        return
    if entry.name != hidden.pseudonym and not hidden.redaction.is_name(entry.name):
        return  # somebody else is entered here by now: the link says so, or soon will
    after = {**IDENTITY, "name": hidden.pseudonym}
    if isinstance(entry, models.Competitor):
        own = [each for each in labels.get(entry.number, ()) if each not in entry.categories]
        after["categories"] = [*entry.categories, *own]
    yield _row(entry, after)
    side = "competitor" if isinstance(entry, models.Competitor) else "player"
    for found in models.EntryName.objects.filter(**{side: entry}):
        yield _row(found, {"key": name_key(hidden.pseudonym)})


def _row(row: Model, after: dict[str, Any]) -> models.WithheldRow:
    """Return a change of a row, of the values that differ."""
    before = {name: getattr(row, name) for name in after if getattr(row, name) != after[name]}
    after = {name: after[name] for name in before}
    return models.WithheldRow(table=table_of(type(row)), key=row.pk, before=before, after=after)


# --- texts ------------------------------------------------------------------------------------------------


@cache
def _searched() -> dict[type[Model], tuple[str, ...]]:
    """Return the fields with texts of each table of an event: a new one is searched without being named."""
    return {
        model: names
        for model in EVENTS_OF
        if model not in NOT_SEARCHED and (names := tuple(_text_fields(model)))
    }


def _text_fields(model: type[Model]) -> Iterator[str]:
    for field in model._meta.concrete_fields:
        is_text = isinstance(field, fields.CharField | fields.TextField | fields.JSONField)
        if is_text and not field.choices and field.name not in OWN_NAMES and field.name not in IDENTITY:
            yield field.name


def _text_rows(
    event: models.Event, model: type[Model], hidden: Sequence[HiddenEntry]
) -> Iterator[models.WithheldRow]:
    """Yield the rows of a table whose texts say who a hidden person is; one query."""
    names = _searched()[model]
    sides = _SIDES.get(model, ())
    rows = model._default_manager.filter(**{OF_THE_EVENT.get(model, "event"): event.pk})
    for row in rows.order_by("pk").values("pk", *names, *sides):
        if model is models.Pairing:
            row["white"] = "" if row["colours"] or not knows_colours(event) else "first"
        before = {name: row[name] for name in names}
        after = {name: _without(name, row, hidden) for name in names}
        if before != after:
            changed = [name for name in names if before[name] != after[name]]
            yield models.WithheldRow(
                table=table_of(model),
                key=row["pk"],
                before={name: before[name] for name in changed},
                after={name: after[name] for name in changed},
            )


_SIDES: dict[type[Model], tuple[str, ...]] = {
    models.Pairing: ("first", "second", "colours"),
    models.Game: ("first_player", "second_player", "white"),
}
"""Who sits at a game, beside its moves."""


def _without(name: str, row: Mapping[str, Any], hidden: Sequence[HiddenEntry]) -> Any:
    """Return a value of a row without any of the hidden persons."""
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
    """Return the colour of a hidden person at a game, blank where unknown, None of who is not there."""
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


def _write(table: str, key: int, values: Mapping[str, Any]) -> None:
    """Store values of a row under a next version, so that an open form sees that it has changed."""
    model = MODELS[table]
    versions = {"version": F("version") + 1} if issubclass(model, Versioned) else {}
    if values:
        model._default_manager.filter(pk=key).update(**values, **versions)
