"""Store the changes of an import in the database. Unchanged rows keep key and version."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import F
from django.utils.text import slugify

from tournaments import models
from tournaments.event.document import CompetitorEntry, Document, GameEntry, PairingEntry
from tournaments.event.schema import field_values
from tournaments.event.values import LARGEST
from tournaments.interchange.imports.differences import Differences, PairingChange, RowChange
from tournaments.interchange.imports.import_diff import ImportDiff
from tournaments.models.rows import insert_all
from tournaments.models.versioned import Versioned
from tournaments.operations.takedowns import withdraw
from tournaments.stored import Stored

_ASIDE = LARGEST + 1
"""Temporary offset of swapped numbers: the database refuses a duplicate number, even for a moment."""


@dataclass(frozen=True, slots=True)
class _Keyring:
    """Keys of the rows that pairings, games and overrides refer to."""

    event: int
    competitors: dict[int, int] = field(default_factory=dict)  # by number
    players: dict[tuple[int | None, int | str], int] = field(default_factory=dict)  # by team and identity
    rounds: dict[int, int] = field(default_factory=dict)  # by number


def _keyring(event: int, stored: Stored | None, found: Differences) -> _Keyring:
    """Return the keys of all remaining rows by their new identities."""
    if stored is None:
        return _Keyring(event)
    # Removed first and added again below with the new numbers, so that removed competitors stay out.
    numbers = {number: number for number in stored.competitors}
    for changed in found.competitors:
        if changed.old:
            numbers.pop(changed.old.number)
    numbers.update({row.old.number: row.new.number for row in found.competitors if row.old and row.new})
    identities = {(number, identity): identity for number, identity in stored.players if number in numbers}
    for player in found.players:
        team, row = player.team.old, player.row
        if team and row.old and team.number in numbers:
            identities.pop((team.number, row.old.identity))
            if row.new:
                identities[team.number, row.old.identity] = row.new.identity
    gone = {row.old.number for row in found.rounds if row.old and not row.new}
    return _Keyring(
        event,
        {new: stored.competitors[old] for old, new in numbers.items()},
        {(numbers[old[0]], new): stored.players[old] for old, new in identities.items()},
        {number: pk for number, pk in stored.rounds.items() if number not in gone},
    )


AnyModel = TypeVar("AnyModel", bound=Versioned)

_NOT_CHANGED = ("table", "first", "second", "games")
"""Fields that do not change if a pairing stays in place, or are not columns."""

_ROWS_A_STATEMENT = 100
"""A longer CASE expression takes longer to build than another statement."""


def _update_rows(model: type[AnyModel], rows: Sequence[tuple[int, dict[str, Any]]]) -> None:
    """Update rows, given as key and values, and increment their versions.

    All rows must have the same fields.
    """
    if rows:
        changed = [model(pk=pk, version=F("version") + 1, **values) for pk, values in rows]
        written = [*rows[0][1], "version"]
        model._default_manager.bulk_update(changed, written, batch_size=_ROWS_A_STATEMENT)


def _store_rows(
    model: type[models.Competitor | models.Round],
    rows: Sequence[RowChange[Any]],
    pks: dict[int, int],
    event: int,
    without: Iterable[str],
) -> None:
    """Update changed rows and add new ones. `pks`: keys by number, including those of new rows afterwards."""
    changed = [row.new for row in rows if row.old and row.new]
    _update_rows(model, [(pks[each.number], field_values(each, *without)) for each in changed])
    new = [row.new for row in rows if row.new and not row.old]
    added = insert_all([model(event_id=event, **field_values(each, *without)) for each in new])
    pks.update({each.number: each.pk for each in added})


def apply(diff: ImportDiff) -> models.Event:
    """Store the changes in a single transaction. Raise ValueError if it has findings.

    Files contain the names of hidden persons, so the caller must link the entries or hide these persons.
    """
    if diff.findings:
        raise ValueError(f"{diff.document.event.slug}: {diff.findings[0]}")
    found, stored = diff.differences, diff.stored
    with transaction.atomic():
        event = _store_event(diff.document, stored, found)
        keys = _keyring(event.pk, stored, found)
        if stored:
            # In this order, because pairings refer to competitors and players.
            _clear_pairings(found, stored)
            _clear_competitors(found, stored, keys)
        without = ("manual", "manual_after", "manual_pinned", "players")
        _store_rows(models.Competitor, found.competitors, keys.competitors, event.pk, without)
        _store_manual(found, keys)
        _store_players(found, stored, keys)
        _store_rows(models.Round, found.rounds, keys.rounds, event.pk, ("pairings",))
        _store_pairings(found, stored, keys)
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
    defaults: dict[str, Any] = {"slug": lambda: _free_slug(name)}
    return models.Series.objects.get_or_create(name=name, defaults=defaults)[0]


def _free_slug(name: str) -> str:
    base = slugify(name)[:45] or "series"
    taken = set(models.Series.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    slugs = chain([base], (f"{base}-{number}" for number in count(2)))
    return next(slug for slug in slugs if slug not in taken)


# --- competitors and players ------------------------------------------------------------------------------


def _clear_competitors(found: Differences, stored: Stored, keys: _Keyring) -> None:
    leaving = [stored.competitors[row.old.number] for row in found.competitors if row.old and not row.new]
    models.Competitor.objects.filter(pk__in=leaving).delete()
    moving = [
        keys.competitors[row.new.number]
        for row in found.competitors
        if row.old and row.new and row.old.number != row.new.number
    ]
    models.Competitor.objects.filter(pk__in=moving).update(number=F("number") + _ASIDE)
    reseated = [
        stored.players[each.team.old.number, each.row.old.identity]
        for each in found.players
        if each.team.old and each.team.new and each.row.old and each.row.old.board is not None
    ]
    models.Player.objects.filter(pk__in=reseated).update(board=None)


def _store_manual(found: Differences, keys: _Keyring) -> None:
    changed = [row.new for row in found.competitors if row.new and _is_manual_changed(row)]
    pks = [keys.competitors[each.number] for each in changed]
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


def _store_players(found: Differences, stored: Stored | None, keys: _Keyring) -> None:
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
    _update_rows(models.Player, changed)
    insert_all(added.values())
    keys.players.update({name: made.pk for name, made in added.items()})


def _remove_players(found: Differences, stored: Stored | None) -> None:
    leaving = [
        stored.players[each.team.old.number, each.row.old.identity]
        for each in found.players
        if stored and each.team.old and each.team.new and each.row.old and not each.row.new
    ]
    models.Player.objects.filter(pk__in=leaving).delete()


# --- rounds, pairings and games ---------------------------------------------------------------------------
#
# A pairing with another table or competitor is deleted and inserted again with the same key: the database
# refuses a duplicate table or competitor in a round, even for a moment.


def _clear_pairings(found: Differences, stored: Stored) -> None:
    leaving = [
        stored.pairings[each.round, each.row.old.table][0]
        for each in found.pairings
        if each.row.old and (each.is_relocated or not each.row.new)
    ]
    # Their games are deleted too, and inserted again with the pairing.
    models.Pairing.objects.filter(pk__in=leaving).delete()
    games = [
        stored.games[each.round, each.row.old.table, row.old.board][0]
        for each in found.pairings
        if each.row.old and each.row.new and not each.is_relocated
        for row in each.games
        if row.old and not row.new
    ]
    models.Game.objects.filter(pk__in=games).delete()
    rounds = [stored.rounds[row.old.number] for row in found.rounds if row.old and not row.new]
    models.Round.objects.filter(pk__in=rounds).delete()


def _store_pairings(found: Differences, stored: Stored | None, keys: _Keyring) -> None:
    """Store new, changed and relocated pairings, then their games. Changed rows get the next version."""
    stored_pairings: dict[tuple[int, int], tuple[int, int]] = stored.pairings if stored else {}
    staying = [each for each in found.pairings if each.row.verb == "changed" and not each.is_relocated]
    _update_rows(
        models.Pairing,
        [
            (stored_pairings[each.round, each.row.new.table][0], field_values(each.row.new, *_NOT_CHANGED))
            for each in staying
            if each.row.new
        ],
    )
    arriving = [each for each in found.pairings if each.row.verb == "added" or each.is_relocated]
    made = insert_all([_pairing_row(each, stored_pairings, keys) for each in arriving])
    at_table = {pairing: key for pairing, (key, _) in stored_pairings.items()}
    at_table.update({(each.round, row.table): row.pk for each, row in zip(arriving, made, strict=True)})
    _store_games(found.pairings, at_table, stored, keys)


def _pairing_row(
    found: PairingChange, stored_pairings: dict[tuple[int, int], tuple[int, int]], keys: _Keyring
) -> models.Pairing:
    pairing, old = found.row.either, found.row.old
    key, version = stored_pairings[found.round, old.table] if old else (None, 0)
    return models.Pairing(
        pk=key,
        version=version + 1,
        round_id=keys.rounds[found.round],
        first_id=keys.competitors[pairing.first],
        second_id=None if pairing.second is None else keys.competitors[pairing.second],
        **field_values(pairing, "first", "second", "games"),
    )


def _store_games(
    pairings: Iterable[PairingChange],
    at_table: dict[tuple[int, int], int],
    stored: Stored | None,
    keys: _Keyring,
) -> None:
    stored_games = stored.games if stored else {}
    changed: list[tuple[int, dict[str, Any]]] = []
    added: list[models.Game] = []
    for each in pairings:
        pairing = each.row.new
        if pairing is None:
            continue
        for row in each.games:
            if row.new is None:
                continue
            values = _game_values(row.new, pairing, keys)
            key, version = _key_and_version(each, row, stored_games)
            if key is None or each.is_relocated:
                values["pairing_id"] = at_table[each.round, pairing.table]
                added.append(models.Game(pk=key, version=version, **values))
            else:
                changed.append((key, values))
    _update_rows(models.Game, changed)
    insert_all(added)


def _key_and_version(
    found: PairingChange, row: RowChange[GameEntry], stored_games: dict[tuple[int, int, int], tuple[int, int]]
) -> tuple[int | None, int]:
    if row.old is None or found.row.old is None:
        return None, 1
    key, version = stored_games[found.round, found.row.old.table, row.old.board]
    # An unchanged game that is relocated keeps its version, so that forms stay valid.
    return key, version if row.is_same else version + 1


def _game_values(game: GameEntry, pairing: PairingEntry, keys: _Keyring) -> dict[str, Any]:
    first, second = game.first_player, game.second_player
    return {
        **field_values(game, "first_player", "second_player"),
        "first_player_id": first and keys.players[pairing.first, first.identity],
        "second_player_id": second and keys.players[pairing.second, second.identity],
    }


# --- overrides and logs -----------------------------------------------------------------------------------


def _store_rulings(found: Differences, stored: Stored | None, keys: _Keyring) -> None:
    numbered = dict(stored.overrides) if stored else {}
    gone = [row.old.number for row in found.overrides if row.old]  # only its home removes them
    models.Override.objects.filter(event_id=keys.event, number__in=gone).delete()
    for override in sorted((row.new for row in found.overrides if row.new), key=lambda each: each.number):
        created = models.Override.objects.create(
            event_id=keys.event,
            competitor_id=None if override.competitor is None else keys.competitors[override.competitor],
            undoes_id=None if override.undoes is None else numbered[override.undoes],
            **field_values(override, "competitor", "undoes", "pinned"),
        )
        numbered[override.number] = created.pk
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
        elif not there.update(version=F("version") + 1, **field_values(table.new)):
            insert_all([models.Published(event_id=keys.event, **field_values(table.new))])


def _renumber_moved(found: Differences, keys: _Keyring) -> None:
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


def _store_acknowledgements(found: Differences, keys: _Keyring) -> None:
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
