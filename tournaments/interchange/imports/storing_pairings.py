"""Store rounds, pairings and games.

A pairing with another table or competitor is deleted and inserted again with the same key: the database
refuses a duplicate table or competitor in a round, even for a moment.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db.models import F

from tournaments import models
from tournaments.event.document import GameEntry, PairingEntry
from tournaments.event.schema import field_values
from tournaments.interchange.imports.differences import Differences, PairingChange
from tournaments.interchange.imports.matching import RowChange
from tournaments.models.rows import insert_all
from tournaments.models.versioned import Versioned
from tournaments.stored import Stored


@dataclass(frozen=True, slots=True)
class Keyring:
    """Keys of the rows that pairings, games and overrides refer to."""

    event: int
    competitors: dict[int, int] = field(default_factory=dict)  # by number
    players: dict[tuple[int | None, int | str], int] = field(default_factory=dict)  # by team and identity
    rounds: dict[int, int] = field(default_factory=dict)  # by number


def keyring(event: int, stored: Stored | None, found: Differences) -> Keyring:
    """Return the keys of all remaining rows by their new identities."""
    if stored is None:
        return Keyring(event)
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
    return Keyring(
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


def update_rows(model: type[AnyModel], rows: Sequence[tuple[int, dict[str, Any]]]) -> None:
    """Update rows, given as key and values, and increment their versions.

    All rows must have the same fields.
    """
    if rows:
        changed = [model(pk=pk, version=F("version") + 1, **values) for pk, values in rows]
        written = [*rows[0][1], "version"]
        model._default_manager.bulk_update(changed, written, batch_size=_ROWS_A_STATEMENT)


def clear_pairings(found: Differences, stored: Stored) -> None:
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


def store_rounds(found: Differences, keys: Keyring) -> None:
    changed = [row.new for row in found.rounds if row.old and row.new]
    update_rows(
        models.Round,
        [(keys.rounds[each.number], field_values(each, "number", "pairings")) for each in changed],
    )
    added = [
        models.Round(event_id=keys.event, **field_values(row.new, "pairings"))
        for row in found.rounds
        if row.new and not row.old
    ]
    keys.rounds.update({each.number: each.pk for each in insert_all(added)})


def store_pairings(found: Differences, stored: Stored | None, keys: Keyring) -> None:
    """Store new, changed and relocated pairings, then their games. Changed rows get the next version."""
    stored_pairings: dict[tuple[int, int], tuple[int, int]] = stored.pairings if stored else {}
    staying = [each for each in found.pairings if each.row.verb == "changed" and not each.is_relocated]
    update_rows(
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
    found: PairingChange, stored_pairings: dict[tuple[int, int], tuple[int, int]], keys: Keyring
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
    keys: Keyring,
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
    update_rows(models.Game, changed)
    insert_all(added)


def _key_and_version(
    found: PairingChange, row: RowChange[GameEntry], stored_games: dict[tuple[int, int, int], tuple[int, int]]
) -> tuple[int | None, int]:
    if row.old is None or found.row.old is None:
        return None, 1
    key, version = stored_games[found.round, found.row.old.table, row.old.board]
    # An unchanged game that is relocated keeps its version, so that forms stay valid.
    return key, version if row.is_same else version + 1


def _game_values(game: GameEntry, pairing: PairingEntry, keys: Keyring) -> dict[str, Any]:
    first, second = game.first_player, game.second_player
    return {
        **field_values(game, "first_player", "second_player"),
        "first_player_id": first and keys.players[pairing.first, first.identity],
        "second_player_id": second and keys.players[pairing.second, second.identity],
    }
