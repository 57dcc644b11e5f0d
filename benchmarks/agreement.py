"""Whether gacrux and our engine find the same values, player by player; nothing is timed that does not agree.

Values must be equal exactly, as fractions. Direct encounter is no value on gacrux's side but the place inside
the tie, and the two rules differ in one point: ours (DrA 8) decides only where all of the tie have met;
FIDE's (C.07, 6.2) also where not all have, if no results of the games missing could bring others level with
whoever leads. So ties in which all have met must be parted alike, the others must be undecided on our side,
and those that gacrux parts all the same are counted.
"""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from benchmarks import ours, peers
from benchmarks.generated import Tournament
from standings.engine import Standings, rank


class Same(NamedTuple):
    """One criterion under both its names."""

    ours: str
    theirs: str


SCORE = Same("total-score", "PTS")
ENCOUNTER = Same("direct-encounter", "DE")
CRITERIA = (
    SCORE,
    Same("solkoff", "BH"),
    Same("solkoff-truncated-short", "BH/C1"),
    Same("sonneborn-berger", "SB"),
    ENCOUNTER,
    Same("wins", "WIN"),
    Same("progress", "PS"),
)
ENCOUNTER_FIRST = (SCORE, ENCOUNTER)  # many more ties to compare than after three other criteria


class Ties(NamedTuple):
    """How many ties came to the direct encounter, in how many all had met, and what gacrux alone parted."""

    compared: int
    all_met: int
    theirs_alone: int


def codes_of(criteria: Sequence[Same]) -> tuple[str, ...]:
    """The list as our engine takes it."""
    return tuple(same.ours for same in criteria)


def names_of(criteria: Sequence[Same]) -> tuple[str, ...]:
    """The list as gacrux takes it."""
    return tuple(same.theirs for same in criteria)


def compare(tournament: Tournament, criteria: Sequence[Same] = CRITERIA) -> Ties:
    """Compare every value of every player; AssertionError with the first that differs."""
    standings = rank(ours.crosstable_of(tournament), ours.ordered_by(codes_of(criteria)))
    found = peers.judge(peers.document_of(tournament), names_of(criteria))
    columns = list(zip(*peers.values_of(found), strict=True))
    for same, theirs in zip(criteria, columns, strict=True):
        if same != ENCOUNTER:
            _compare_values(same, standings, theirs)
    return _compare_ties(tournament, standings, columns[criteria.index(ENCOUNTER)])


def _compare_values(same: Same, standings: Standings, theirs: Sequence[Fraction]) -> None:
    column = standings.column(same.ours)
    for player, value in enumerate(theirs):
        mine = column.levels(player)
        assert mine == [value], f"{same}, player {player + 1}: {mine}, {value}"


def _compare_ties(tournament: Tournament, standings: Standings, theirs: Sequence[Fraction]) -> Ties:
    """Compare, in each tie that comes to the direct encounter, how far below its first everybody is."""
    met = _opponents(tournament)
    before, after = _places_around_encounter(standings)
    all_met, theirs_alone = [], []
    ties = _ties(before)
    for tie in ties:
        below = [after[player] - before[player] for player in tie]
        first = min(theirs[player] for player in tie)
        below_by_theirs = [theirs[player] - first for player in tie]
        if all(met[player].issuperset(tie) for player in tie):
            assert below == below_by_theirs, f"direct encounter of {tie}: {below}, {below_by_theirs}"
            all_met.append(tie)
        else:
            assert not any(below), f"direct encounter of {tie}, who have not all met: {below}"
            theirs_alone += [tie] if any(below_by_theirs) else []
    return Ties(len(ties), len(all_met), len(theirs_alone))


def _places_around_encounter(standings: Standings) -> tuple[list[int], list[int]]:
    """Of each player, the place before the direct encounter is looked at, and after it."""
    at = standings.criteria.index(ENCOUNTER.ours)
    lists = standings.criteria[:at], standings.criteria[: at + 1]
    before, after = (rank(standings.table, ours.ordered_by(criteria)).place.tolist() for criteria in lists)
    return before, after


def _ties(places: Sequence[int]) -> list[list[int]]:
    """Players on one place, from two on."""
    players = defaultdict(list)
    for player, place in enumerate(places):
        players[place].append(player)
    return [tie for tie in players.values() if len(tie) > 1]


def _opponents(tournament: Tournament) -> list[set[int]]:
    """Of each player, everybody met, and the player too."""
    met = [{player} for player in range(tournament.players)]
    for game in tournament.games:
        met[game.white].add(game.black)
        met[game.black].add(game.white)
    return met
