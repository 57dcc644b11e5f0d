"""An open of 100 players and 9 rounds, run as an arbiter runs it: by the desk's pages alone."""

from collections.abc import Callable
from pathlib import Path

import pytest

from standings.services import ranked
from tests.cast import create_account
from tests.simulation.arbiter import ArbiterAtWork, ResultLine, new_event
from tests.simulation.drawing import Lots, entrants
from tests.simulation.programs import differences, points_read_by_py4swiss
from tournaments.admin.permissions import Role
from tournaments.models import Event, Pairing

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS, AT_THE_START = 9, 92
LATE = {2: entrants(4, first=93), 3: entrants(4, first=97)}
"""Who comes late, by the first round."""

BYES = {30: (2, "half-bye"), 45: (4, "half-bye"), 46: (4, "half-bye"), 60: (5, "zero-bye")}
"""Byes that are asked for before the first round, by number."""

ABSENT = {1: (80, 81), 5: (7,)}
"""Who is not at the door, by round."""

WITHDRAWN = {4: (12, 77), 6: (50,)}
"""Who withdraws before a round."""

FORFEITS = {(3, "5"): "+", (3, "20"): "-", (6, "9"): "x"}
"""Games that are not played, by round and table."""

FORBIDDEN = (1, 24)
"""They would meet in the first round."""


def test_an_open(transactional_db: None, tmp_path: Path) -> None:
    organiser = create_account("otto", Role.ORGANISER)
    event = new_event(organiser, name="Open", planned_rounds=str(ROUNDS))
    arbiter = ArbiterAtWork(event, organiser)
    _settle_pairing(arbiter)
    _enter_players(arbiter)
    lots = Lots("open")
    for number in range(1, ROUNDS + 1):
        _at_the_door(arbiter, number)
        clicks = arbiter.clicks
        arbiter.propose(number)
        arbiter.publish()
        arbiter.enter(_results(event, number, lots))
        arbiter.close()
        assert arbiter.clicks - clicks <= 4
    report = arbiter.save_report(tmp_path)
    assert differences(report) == []
    assert points_read_by_py4swiss(report) == _points(event)
    games = Pairing.objects.filter(round__event=event, second__isnull=False)
    assert not games.filter(first__number__in=FORBIDDEN, second__number__in=FORBIDDEN).exists()
    assert not event.overrides.exists()


def _settle_pairing(arbiter: ArbiterAtWork) -> None:
    """Say in the settings how the event is paired."""
    arbiter.go_to("tournaments_event_change")
    pair = "-".join(map(str, FORBIDDEN))
    arbiter.press("Save", {"initial_colour": "white", "acceleration": "baku", "forbidden_pairs": pair})


def _results(event: Event, number: int, lots: Lots) -> Callable[[ResultLine], str]:
    """Return the results of a round, drawn by the ratings, but for those that are no games."""
    ratings = {each.name: each.rating or 0 for each in event.competitors.all()}

    def result(line: ResultLine) -> str:
        drawn = lots.result(ratings[line.first], ratings[line.second])
        return FORFEITS.get((number, line.label), drawn)

    return result


def _enter_players(arbiter: ArbiterAtWork) -> None:
    """Enter the list and write down the byes that are asked for."""
    arbiter.enter_competitors([each.line for each in entrants(AT_THE_START)])
    for number, (round_, kind) in BYES.items():
        arbiter.go_to("event-participation", number)
        arbiter.press("Save the byes", {f"round-{round_}": kind})


def _at_the_door(arbiter: ArbiterAtWork, number: int) -> None:
    """Enter who is late, take out who withdraws, and mark who is absent."""
    for each in LATE.get(number, []):
        arbiter.go_to("event-attendance")
        arbiter.press("Enter", {"name": each.name, "rating": str(each.rating), "first_round": str(number)})
    for leaving in WITHDRAWN.get(number, ()):
        arbiter.go_to("event-participation", leaving)
        arbiter.press("Withdraw", {"from": str(number)})
    for absent in ABSENT.get(number, ()):
        arbiter.go_to("event-attendance")
        arbiter.press(f"absent {absent} ")


def _points(event: Event) -> dict[int, int]:
    """Return ten times the points of everybody, by number, as the public table has them."""
    entries, standings = ranked(event)
    half_points = standings.table.points().sum(axis=1).tolist()
    return {entry.number: 5 * points for entry, points in zip(entries, half_points, strict=True)}
