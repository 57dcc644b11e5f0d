"""Values that others give: FIDE's exercises, what gacrux found in real reports, and published tables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

EXERCISES = "trf/OttoMilvang+TieBreakServer/tec_exercises.json"
EDITIONS = {"2023": "fide-2024", "2024": "fide-2024", "2026": "fide-2026"}
"""Our policies by the years in which editions are named; the published exercises are of the rules of 2023."""

EVENTS = ("2018-moscow-open-a", "2025-potsdam-swiss")
MOST_IN_ORDER = 3
"""Longer lists of gacrux are columns side by side, and no ranking."""

PLACE, ORDER = "place", "order"
"""What is claimed of a competitor beside its values: a place, which may be shared, or a line of a table."""

UNRATED = "/U"
NO_CRITERIA = ("VUR", "NUM", "ABH")
"""Columns of gacrux that are no tie-breaks: voluntary unplayed rounds, games played, the adjusted score."""


class Claim(NamedTuple):
    """A value that somebody gives a competitor under a code, as printed; None for none."""

    code: str
    competitor: int
    value: str | None


@dataclass(frozen=True)
class Run:
    """Claims about one tournament under the same rules.

    `path`: of the tournament. `source`: the group that totals are counted by. `edition`: one of our policies.
    `unrated`: the rating of who has none, as in the rules of an event. `rounds`: the last round shown, None
    for all that are recorded. `criteria`: those that rank before what is claimed of a tie, or of a place.
    `match`: the numbers of two teams of whose match alone is spoken. `round_robin`: taken for one, of which
    the reports themselves say nothing.
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
    """Yield all runs of a folder with the layout of `data`."""
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
    """Yield the exercises of the Technical Commission, a run each."""
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
    """Yield what gacrux found in a report, a run of its own for each list that it was asked for."""
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
            # In the long lists no criterion looks at a tie.
            criteria=plain[:1] if len(plain) > MOST_IN_ORDER else plain[:-1],
            round_robin=run["rr"],
        )
        yield made
        if len(plain) <= MOST_IN_ORDER:
            places = tuple(Claim(PLACE, int(number), str(place)) for number, place in run["rank"].items())
            yield replace(made, claims=places, criteria=plain)


# --- published tables ---------------------------------------------------------------------------------------


def of_table(path: Path, values: dict[str, dict[str, str]]) -> Run:
    """Return the run of a table that another program made of a tournament in which everybody played."""
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
