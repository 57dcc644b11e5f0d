"""The results of each competitor in an edition, cached by the revision of the event."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from standings.basis import Basis, basis_of
from standings.engine import Crosstable, Ints, Scale
from standings.flags import country_of
from standings.services import Ranked, cached_for_all, default_round
from tournaments.models import Event


class Result(NamedTuple):
    """The place of a competitor, 0 if there is none, and its matches.

    `mark`: the star of a place set by hand. `points`: half-points of games, out of `most`.
    """

    number: int
    name: str
    code: str
    flag: str
    place: int
    mark: str
    matches: int
    won: int
    drawn: int
    lost: int
    match_points: int
    points: int
    most: int


class Results(NamedTuple):
    """The results of an edition in the order of the standings, empty before the first pairing."""

    rows: list[Result]
    basis: Basis


def results_of_all(events: Sequence[Event]) -> dict[int, Results]:
    """Return results by event; no query if they are cached, else five in total."""
    return cached_for_all("results", events, _results_of_event)


def _results_of_event(event: Event, found: Ranked) -> Results:
    entries, standings = found
    after = default_round(event, standings)
    standings = standings if after is None else standings.after(after)
    basis = basis_of(standings.table)
    if not standings.has_places:
        return Results([], basis)
    counted = _outcome_counts(standings.table).tolist()
    rows = [
        Result(
            (entry := entries[row.competitor]).number,
            entry.name,
            entry.code,
            country_of(event, entry),
            row.place or 0,
            standings.place_mark(row.competitor),
            *counted[row.competitor],
        )
        for row in standings.rows()
    ]
    return Results(rows, basis)


def _outcome_counts(table: Crosstable) -> Ints:
    """Return (n, 7) the figures of a Result from `matches` on. A bye is no match, a forfeit is a match."""
    met, outcome = table.met, table.outcome
    matches = np.count_nonzero(met, axis=1)
    ended = [np.count_nonzero(met & (outcome == which), axis=1) for which in (1, 0, -1)]
    points = [np.where(met, table.points(scale), 0).sum(axis=1) for scale in (Scale.MATCH, Scale.GAME)]
    return np.stack([matches, *ended, *points, matches * table.scoring.win(Scale.GAME)], axis=1)
