"""The medals of a series, and the sums of each competitor over all editions, of what the standings gave.

Only editions that are over count. A team is its federation in the year of the edition, with the number of a
second team (GEO2 is not GEO). Teams without such a code of their own, and players, go by their exact names.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from standings.catalogue.series.results import Result, results_of_all
from standings.entries import year_of
from tournaments.event.federations import federation
from tournaments.models import Event

MEDALS = 3


class Appearance(NamedTuple):
    """One competitor in one edition."""

    event: Event
    result: Result


@dataclass
class Career:
    """All editions of one team, or player, added up; points are half-points.

    `last` is the latest appearance, which says how it is called. `medals`: how often on places 1, 2, 3;
    `podiums`: when. `best`: the best place, 0 for none.
    `points`: of games, of the `most` possible.
    """

    last: Appearance
    medals: list[int] = field(default_factory=lambda: [0] * MEDALS)
    podiums: list[Appearance] = field(default_factory=list)
    best: int = 0
    editions: int = 0
    matches: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    match_points: int = 0
    points: int = 0
    most: int = 0

    def add(self, event: Event, result: Result) -> None:
        """Count an edition, which is later than those before."""
        self.last = Appearance(event, result)
        self.editions += 1
        if 0 < result.place <= MEDALS:
            self.medals[result.place - 1] += 1
            self.podiums.append(self.last)
        if result.place:
            self.best = min(result.place, self.best or result.place)
        for name in ("matches", "won", "drawn", "lost", "match_points", "points", "most"):
            setattr(self, name, getattr(self, name) + getattr(result, name))


class Placed(NamedTuple):
    """A career and its place in a table; who is level shares one."""

    place: int
    career: Career


@dataclass(frozen=True)
class Honours:
    """The tables of a series. `mixed`: editions scored matches or games differently."""

    medals: list[Placed]
    all_time: list[Placed]
    is_team: bool
    mixed: bool


def honours_of(events: Sequence[Event]) -> Honours:
    """The tables of the editions that are over, of those with entrants as in the latest one.

    No query where their results are kept.
    """
    over = sorted((event for event in events if event.is_over), key=lambda event: (event.start, event.pk))
    counted = [event for event in over if event.entrants == over[-1].entrants]
    careers = _careers(counted)
    won = [career for career in careers if any(career.medals)]
    return Honours(
        medals=_ranked(won, lambda career: tuple(career.medals)),
        all_time=_ranked(careers, lambda career: (career.match_points, career.points)),
        is_team=bool(counted) and counted[-1].is_team,
        mixed=len({_scoring(event) for event in counted}) > 1,
    )


def _careers(events: Sequence[Event]) -> list[Career]:
    found: dict[str, Career] = {}
    results_by_event = results_of_all(events)
    for event in events:
        results = results_by_event[event.pk].rows
        for key, result in zip(_keys(event, results), results, strict=True):
            career = found.setdefault(key, Career(Appearance(event, result)))
            career.add(event, result)
    return list(found.values())


def _keys(event: Event, results: Sequence[Result]) -> list[str]:
    """Return the key that tells each competitor, in its edition and from one edition to the next."""
    codes = [result.code for result in results]
    if not event.is_team or not event.has_nations or not all(codes) or len(set(codes)) < len(codes):
        # Codes of clubs and of two teams alike tell nobody; names are all there is.
        return [result.name for result in results]
    year = year_of(event)
    return [_of_federation(result.code, year) or result.name for result in results]


def _of_federation(code: str, year: int | None) -> str:
    """The federation that the code stood for that year, with the team's number; blank where it was nobody's.

    Its codes are one (ROM is ROU), and so are years under different flags; another bearer of the same code is
    not it (GER was West Germany).
    """
    found = federation(code, year)
    number = code[len(code.rstrip("0123456789")) :]
    return f"{found.code}{number} {found.name}" if found else ""


def _ranked(careers: Sequence[Career], figures: Callable[[Career], tuple[int, ...]]) -> list[Placed]:
    """The careers by those figures, the highest first; level ones share a place and stand by name."""
    # The name orders the lines of those who are level; they share the place all the same.
    by_name = sorted(careers, key=lambda career: career.last.result.name.casefold())
    placed: list[Placed] = []
    for at, career in enumerate(sorted(by_name, key=figures, reverse=True), start=1):
        level = placed and figures(placed[-1].career) == figures(career)
        placed.append(Placed(placed[-1].place if level else at, career))
    return placed


def _scoring(event: Event) -> tuple[int, ...]:
    return (
        event.match_win,
        event.match_draw,
        event.match_loss,
        event.game_win,
        event.game_draw,
        event.game_loss,
    )
