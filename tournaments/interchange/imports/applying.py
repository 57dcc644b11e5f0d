"""Store the changes of an import in the database. Unchanged rows keep key and version."""

from itertools import chain, count

from django.db import transaction
from django.db.models import F
from django.utils.text import slugify

from tournaments import models
from tournaments.event.document import CompetitorEntry, Document, OverrideEntry
from tournaments.event.schema import field_values
from tournaments.event.values import LARGEST
from tournaments.interchange.imports.differences import Differences
from tournaments.interchange.imports.import_diff import ImportDiff
from tournaments.interchange.imports.matching import RowChange
from tournaments.interchange.imports.storing_pairings import (
    Keyring,
    clear_pairings,
    keyring,
    store_pairings,
    store_rounds,
    update_rows,
)
from tournaments.models.rows import insert_all
from tournaments.operations.takedowns import withdraw
from tournaments.stored import Stored

_ASIDE = LARGEST + 1
"""Temporary offset of swapped numbers: the database refuses a duplicate number, even for a moment."""


def apply(diff: ImportDiff) -> models.Event:
    """Store the changes in a single transaction. Raise ValueError if it has findings.

    Files contain the names of hidden persons, so the caller must link the entries or hide these persons.
    """
    if diff.findings:
        raise ValueError(f"{diff.document.event.slug}: {diff.findings[0]}")
    found, stored = diff.differences, diff.stored
    with transaction.atomic():
        event = _store_event(diff.document, stored, found)
        keys = keyring(event.pk, stored, found)
        if stored:
            # In this order, because pairings refer to competitors and players.
            clear_pairings(found, stored)
            _clear_competitors(found, stored, keys)
        _store_competitors(found, keys)
        _store_manual(found, keys)
        _store_players(found, stored, keys)
        store_rounds(found, keys)
        store_pairings(found, stored, keys)
        _remove_players(found, stored)
        _store_rulings(found, stored, keys)
        if stored:
            withdraw(event.pk)  # cached pages may contain removed names
    return event


# --- event ------------------------------------------------------------------------------------------------


def _store_event(document: Document, stored: Stored | None, found: Differences) -> models.Event:
    event = stored.event if stored else models.Event()
    if not found.event.is_same:
        for name, value in field_values(document.event, "series", "former_slugs").items():
            setattr(event, name, value)
        event.series = _get_series(document.event.series)
        event.version += stored is not None
        event.save()
    insert_all(models.FormerSlug(event=event, slug=slug) for slug in found.former_slugs)
    return event


def _get_series(name: str) -> models.Series | None:
    if not name:
        return None
    there = models.Series.objects.filter(name=name).first()
    # Another import may create it at the same time.
    return there or models.Series.objects.get_or_create(name=name, defaults={"slug": _free_slug(name)})[0]


def _free_slug(name: str) -> str:
    base = slugify(name)[:45] or "series"
    taken = set(models.Series.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    slugs = chain([base], (f"{base}-{number}" for number in count(2)))
    return next(slug for slug in slugs if slug not in taken)


# --- competitors and players ------------------------------------------------------------------------------


def _clear_competitors(found: Differences, stored: Stored, keys: Keyring) -> None:
    leaving = [stored.competitors[row.old.number] for row in found.competitors if row.old and not row.new]
    models.Competitor.objects.filter(pk__in=leaving).delete()
    moving = [
        keys.competitors[row.new.number]
        for row in found.competitors
        if row.old and row.new and row.old.number != row.new.number
    ]
    if moving:
        models.Competitor.objects.filter(pk__in=moving).update(number=F("number") + _ASIDE)
    reseated = [
        stored.players[each.team.old.number, each.row.old.identity]
        for each in found.players
        if each.team.old and each.team.new and each.row.old and each.row.old.board is not None
    ]
    if reseated:
        models.Player.objects.filter(pk__in=reseated).update(board=None)


_OTHER_FIELDS = ("manual", "manual_after", "manual_pinned", "players")


def _store_competitors(found: Differences, keys: Keyring) -> None:
    changed = [row.new for row in found.competitors if row.old and row.new]
    update_rows(
        models.Competitor,
        [(keys.competitors[each.number], field_values(each, *_OTHER_FIELDS)) for each in changed],
    )
    added = [
        models.Competitor(event_id=keys.event, **field_values(row.new, *_OTHER_FIELDS))
        for row in found.competitors
        if row.new and not row.old
    ]
    keys.competitors.update({each.number: each.pk for each in insert_all(added)})


def _store_manual(found: Differences, keys: Keyring) -> None:
    changed = [row.new for row in found.competitors if row.new and _is_manual_changed(row)]
    pks = [keys.competitors[each.number] for each in changed]
    versions: dict[int, int] = {}
    if pks:
        there = models.ManualTiebreak.objects.filter(competitor__in=pks)
        versions = dict(there.values_list("competitor", "version"))
        there.delete()
    insert_all(
        models.ManualTiebreak(
            competitor_id=pk, number=each.manual, after=each.manual_after, version=versions.get(pk, 0) + 1
        )
        for pk, each in zip(pks, changed, strict=True)
        if each.manual is not None
    )


def _is_manual_changed(row: RowChange[CompetitorEntry]) -> bool:
    was, now = ((each.manual, each.manual_after) if each else (None, None) for each in (row.old, row.new))
    return was != now


def _store_players(found: Differences, stored: Stored | None, keys: Keyring) -> None:
    changed = []
    added = {}
    for each in found.players:
        team, player = each.team.new, each.row.new
        if team is None or player is None:
            continue
        if each.team.old and each.row.old and stored:
            key = stored.players[each.team.old.number, each.row.old.identity]
            changed.append((key, field_values(player)))
        else:
            made = models.Player(competitor_id=keys.competitors[team.number], **field_values(player))
            added[team.number, player.identity] = made
    update_rows(models.Player, changed)
    insert_all(added.values())
    keys.players.update({name: made.pk for name, made in added.items()})


def _remove_players(found: Differences, stored: Stored | None) -> None:
    leaving = [
        stored.players[each.team.old.number, each.row.old.identity]
        for each in found.players
        if stored and each.team.old and each.team.new and each.row.old and not each.row.new
    ]
    if leaving:
        models.Player.objects.filter(pk__in=leaving).delete()


# --- overrides and logs -----------------------------------------------------------------------------------


def _store_rulings(found: Differences, stored: Stored | None, keys: Keyring) -> None:
    numbered = dict(stored.overrides) if stored else {}
    for override in sorted((row.new for row in found.overrides if row.new), key=lambda each: each.number):
        numbered[override.number] = _create_override(override, numbered, keys).pk
    _renumber_moved(found, keys)
    insert_all(
        models.Change(event_id=keys.event, **field_values(row.new))
        for row in found.changes
        if row.new and not row.old
    )
    for change in found.changes:
        if change.old and change.new:  # only the numbers of competitors can differ
            same = field_values(change.old, "moved")
            models.Change.objects.filter(event=keys.event, **same).update(
                moved=field_values(change.new)["moved"]
            )
    _store_acknowledgements(found, keys)
    for table in found.published:
        there = models.Published.objects.filter(event=keys.event)
        if table.new is None:
            there.delete()
        elif pks := list(there.values_list("pk", flat=True)):
            update_rows(models.Published, [(pk, field_values(table.new)) for pk in pks])
        else:
            insert_all([models.Published(event_id=keys.event, **field_values(table.new))])


def _renumber_moved(found: Differences, keys: Keyring) -> None:
    numbers = {row.old.number: row.new.number if row.new else None for row in found.competitors if row.old}
    recorded_by_file = {row.new.number for row in found.overrides if row.new}
    if all(old == new for old, new in numbers.items()):
        return
    recorded = (
        models.Override.objects.filter(event=keys.event)
        .exclude(moved=[])
        .exclude(number__in=recorded_by_file)
    )
    for override in recorded:
        moved = [[numbers.get(number, number), *places] for number, *places in override.moved]
        override.moved = [each for each in moved if each[0]]
        override.save(update_fields=["moved"])


def _create_override(override: OverrideEntry, numbered: dict[int, int], keys: Keyring) -> models.Override:
    return models.Override.objects.create(
        event_id=keys.event,
        competitor_id=None if override.competitor is None else keys.competitors[override.competitor],
        undoes_id=None if override.undoes is None else numbered[override.undoes],
        **field_values(override, "competitor", "undoes", "pinned"),
    )


def _store_acknowledgements(found: Differences, keys: Keyring) -> None:
    for row in found.acknowledged:
        if row.old and not row.new:
            same = models.Acknowledgement.objects.filter(event=keys.event, **field_values(row.old))
            # One of several equal rows, because the comparison counts them.
            models.Acknowledgement.objects.filter(pk__in=same.values("pk")[:1]).delete()
    insert_all(
        models.Acknowledgement(event_id=keys.event, **field_values(row.new))
        for row in found.acknowledged
        if row.new and not row.old
    )
