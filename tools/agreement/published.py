"""Published values: FIDE's exercises, gacrux's values for real reports, and tables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

EXERCISES = "trf/OttoMilvang+TieBreakServer/tec_exercises.json"
EDITIONS = {"2023": "fide-2024", "2024": "fide-2024", "2026": "fide-2026"}
"""Our policies by the year of an edition. The published exercises follow the rules of 2023."""

EVENTS = ("2018-moscow-open-a", "2025-potsdam-swiss")
MOST_IN_ORDER = 3
"""Longer lists of gacrux are independent columns instead of a ranking."""

PLACE, ORDER = "place", "order"
"""Codes for claims that are no criterion: a place, which may be shared, or a line of a table."""

UNRATED = "/U"
NO_CRITERIA = ("VUR", "NUM", "ABH")
"""Columns of gacrux that are no tie-breaks: voluntary unplayed rounds, games played, adjusted score."""


class Claim(NamedTuple):
    """A value published for a competitor under a code, as printed; None for no value."""

    code: str
    competitor: int
    value: str | None


@dataclass(frozen=True)
class Run:
    """Claims about a tournament under the same rules.

    `path`: the tournament. `source`: the group for totals. `edition`: one of our policies. `unrated`: the
    rating of unrated players, as in the rules of an event. `rounds`: the last round included, None for all.
    `criteria`: the criteria before the claimed tie-break or place. `match`: the numbers of two teams if only
    their match counts. `round_robin`: treat as a round robin, which reports do not state.
    """

    path: Path
    source: str
    edition: str
    claims: tuple[Claim, ...]
    unrated: str = ""
    rounds: int | None = None
    criteria: tuple[str, ...] = ()
    match: tuple[int, ...] = ()
    round_robin: bool = False


def runs_of(data: Path) -> Iterator[Run]:
    yield from exercises(data / EXERCISES)
    for path in sorted((data / "trf").rglob("*.expected.json")):
        said = json.loads(path.read_text())
        if "runs" in said:
            yield from of_gacrux(path, said["runs"])
        else:
            yield of_table(path, said["values"])
    for name in EVENTS:
        yield of_event(data / "events" / f"{name}.json")


# --- FIDE's exercises ---------------------------------------------------------------------------------------


def exercises(path: Path) -> Iterator[Run]:
    for case in json.loads(path.read_text())["cases"]:
        asked, _, of_match = case["tiebreak"].partition(" (")
        tournament = path.parent / case["file"]
        first = "MPTS" if "team" in case["file"] else "PTS"
        ranked = case["kind"] == "rank"
        claims = [
            Claim(PLACE if ranked else case["tiebreak"], int(number), None if value is None else str(value))
            for number, value in case["expected"].items()
        ]
        yield Run(
            path=tournament,
            source="TEC exercises",
            edition=EDITIONS[case["rules"]],
            claims=tuple(claims),
            criteria=(first, asked) if ranked else (first,),
            match=tuple(map(int, case["expected"])) if of_match else (),
            round_robin=case["rr"],
        )


# --- gacrux -------------------------------------------------------------------------------------------------


def of_gacrux(path: Path, runs: list[dict[str, Any]]) -> Iterator[Run]:
    for run in runs:
        asked = tuple(run["tiebreaks"])
        plain = tuple(code.partition(UNRATED)[0] for code in asked)
        claims = [
            Claim(code, int(number), value)
            for number, row in run["values"].items()
            for code, value in row.items()
        ]
        unrated = next((code.partition(UNRATED)[2] for code in asked if UNRATED in code), "")
        made = Run(
            path=path.with_name(path.name.removesuffix(".expected.json")),
            source="gacrux",
            edition=EDITIONS[run["rules_forced"]],
            claims=tuple(claims),
            unrated=unrated,
            rounds=run["rounds"],
            # The long lists contain no criterion that considers ties.
            criteria=plain[:1] if len(plain) > MOST_IN_ORDER else plain[:-1],
            round_robin=run["rr"],
        )
        yield made
        if len(plain) <= MOST_IN_ORDER:
            places = tuple(Claim(PLACE, int(number), str(place)) for number, place in run["rank"].items())
            yield replace(made, claims=places, criteria=plain)


# --- published tables -------------------------------------------------------------------------------------


def of_table(path: Path, values: dict[str, dict[str, str]]) -> Run:
    """Return the run of another program's table of a tournament without unplayed games."""
    claims = [
        Claim(code, int(number), value) for number, row in values.items() for code, value in row.items()
    ]
    report = path.with_name(path.name.removesuffix(".expected.json") + ".trf")
    return Run(report, "published tables", "fide-2026", tuple(claims), criteria=("PTS",))


def of_event(path: Path) -> Run:
    """Return the run of an event file: its published columns and places, under its own edition."""
    said = json.loads(path.read_text())
    claims = [
        Claim(code, int(number), str(value))
        for code, column in said["published"]["columns"].items()
        for number, value in column.items()
    ]
    seats = [competitor for seat in said["published"]["order"] for competitor in seat]
    claims += [Claim(ORDER, competitor, str(at)) for at, competitor in enumerate(seats, start=1)]
    criteria = tuple(said["event"]["criteria"])
    return Run(path, "published tables", said["event"]["rules"]["unplayed"], tuple(claims), criteria=criteria)
