"""Primary keys by the names a proposed document uses, as they become known while it is stored."""

from dataclasses import dataclass, field

from tournaments.imports.differences import Differences
from tournaments.stored import Stored


@dataclass(frozen=True, slots=True)
class Keyring:
    """Keys of the rows that pairings, games and overrides refer to."""

    event: int
    competitors: dict[int, int] = field(default_factory=dict)  # by number
    players: dict[tuple[int | None, int | str], int] = field(default_factory=dict)  # by team and identity
    rounds: dict[int, int] = field(default_factory=dict)  # by number


def keyring(event: int, stored: Stored | None, found: Differences) -> Keyring:
    """The keys of every row that stays, under the names it is to have."""
    if stored is None:
        return Keyring(event)
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
