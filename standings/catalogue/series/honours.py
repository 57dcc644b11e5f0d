"""The medals of a series, and the totals of each competitor over all editions.

Only finished editions count. A team is its federation in the year of the edition, with the number of a second
team (GEO2 is not GEO). Other teams and players are the same if they are linked to the same team or person or
have the same id; without a link and an id, their exact names are compared.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from standings.catalogue.series.results import Result, results_of_all
from standings.flags import year_of
from tournaments.event.federations import federation
from tournaments.models import Competitor, Event
from tournaments.people.services.tallies import MEDALS
from tournaments.search.folding import sort_key

Key = tuple[str | int, ...]
"""A competitor over all editions: `("person", 12)`, `("fide", 1503014)`, `("code", "GEO")`."""

Entered = tuple[int, int]
"""The key of the event and the number of the competitor."""

SCORING_OF = attrgetter("match_win", "match_draw", "match_loss", "game_win", "game_draw", "game_loss")


class Appearance(NamedTuple):
    """A competitor in an edition."""

    event: Event
    result: Result


@dataclass
class Career:
    """The totals of a team or player over all editions.

    `last`: the latest appearance, with the name to show. `medals`: the number of first, second and third
    places; `podiums`: their years. `best`: the best place, 0 if there is none. `points`: half-points of
    games, out of `most`.
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
        """Add an edition. Editions are added in chronological order."""
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
    """A career with its place in a table; equal careers share a place."""

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
    """Return the tables of the finished editions with the same kind of entrants as the latest.

    One query if results are cached; none if all teams are federations.
    """
    over = sorted((event for event in events if event.is_over), key=lambda event: (event.start, event.pk))
    counted = [event for event in over if event.entrants == over[-1].entrants]
    found: dict[Key, Career] = {}
    results = {pk: each.rows for pk, each in results_of_all(counted).items()}
    keys = _career_keys(counted, results)
    for event in counted:
        for result in results[event.pk]:
            career = found.setdefault(keys[event.pk, result.number], Career(Appearance(event, result)))
            career.add(event, result)
    careers = list(found.values())
    won = [career for career in careers if any(career.medals)]
    return Honours(
        medals=_ranked_careers(won, lambda career: tuple(career.medals)),
        all_time=_ranked_careers(careers, lambda career: (career.match_points, career.points)),
        is_team=bool(counted) and counted[-1].is_team,
        mixed=len(set(map(SCORING_OF, counted))) > 1,
    )


def _career_keys(events: Sequence[Event], results: Mapping[int, Sequence[Result]]) -> dict[Entered, Key]:
    keys: dict[Entered, Key] = {}
    others: list[Event] = []
    for event in events:
        rows = results[event.pk]
        codes = {result.code for result in rows}
        # Codes of clubs do not identify a team, nor do codes that two teams share.
        if event.is_team and event.has_nations and all(codes) and len(codes) == len(rows):
            year = year_of(event)
            for result in rows:
                keys[event.pk, result.number] = ("code", _of_federation(result.code, year) or result.name)
        else:
            others.append(event)
    if others:
        keys |= _keys_by_identity(others, results)
    return keys


def _keys_by_identity(events: Sequence[Event], results: Mapping[int, Sequence[Result]]) -> dict[Entered, Key]:
    """Return keys by links and ids, by names for competitors without either; one query."""
    keys = _identities(events)
    names: dict[str, set[Key]] = defaultdict(set)
    entered: set[tuple[Key, int]] = set()
    for event in events:
        for result in results[event.pk]:
            if key := keys.get((event.pk, result.number)):
                names[result.name].add(key)
                entered.add((key, event.pk))
    for event in events:
        counted = Counter(result.name for result in results[event.pk])
        for result in results[event.pk]:
            at = event.pk, result.number
            if at in keys:
                continue
            known = names.get(result.name, set())
            if counted[result.name] > 1:
                keys[at] = ("entry", *at)  # namesakes in the same edition are different competitors
            elif len(known) == 1 and not any((key, event.pk) in entered for key in known):
                [keys[at]] = known
            else:
                keys[at] = ("code", result.name)
    return keys


def _identities(events: Sequence[Event]) -> dict[Entered, Key]:
    """Return the keys of competitors with a link or an id; one query.

    A linked person is also found by the id, unless two persons have it. Hidden persons have no key.
    """
    rows = Competitor.objects.filter(event__in=[each.pk for each in events]).values_list(
        *("event", "number", "fide_id", "fmjd_id", "person_link__person", "person_link__person__hidden"),
        "team_link__team",
    )
    found: dict[Entered, Key] = {}
    persons: dict[Key, set[int]] = defaultdict(set)
    by_id: dict[Entered, Key] = {}
    for event, number, fide, fmjd, person, is_hidden, team in rows:
        ids: list[Key] = [(kind, key) for kind, key in (("fide", fide), ("fmjd", fmjd)) if key]
        if is_hidden:
            continue
        if person or team:
            found[event, number] = ("person", person) if person else ("team", team)
            for each in ids if person else ():
                persons[each].add(person)
        elif ids:
            by_id[event, number] = ids[0]
    for at, key in by_id.items():
        linked = persons.get(key, set())
        found[at] = ("person", *linked) if len(linked) == 1 else key
    return found


def _of_federation(code: str, year: int | None) -> str:
    """Return the federation of a code in that year with the team's number; blank if unknown.

    All codes of a federation are the same (ROM is ROU), under all its flags. Another federation that had the
    same code is a different one (GER was West Germany).
    """
    found = federation(code, year)
    number = code[len(code.rstrip("0123456789")) :]
    return f"{found.code}{number} {found.name}" if found else ""


def _ranked_careers(careers: Sequence[Career], figures: Callable[[Career], tuple[int, ...]]) -> list[Placed]:
    """Return the careers by these figures, highest first; equal careers share a place, sorted by name."""
    # Sort equal careers by name. They still share the place.
    by_name = sorted(careers, key=lambda career: sort_key(career.last.result.name))
    placed: list[Placed] = []
    for at, career in enumerate(sorted(by_name, key=figures, reverse=True), start=1):
        level = placed and figures(placed[-1].career) == figures(career)
        placed.append(Placed(placed[-1].place if level else at, career))
    return placed
