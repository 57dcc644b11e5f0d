"""An open that an arbiter runs on the pages of the desk only."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from standings.services import ranked
from tests.cast import create_account
from tests.simulation.arbiter import ArbiterAtWork, ResultLine, new_event
from tests.simulation.drawing import Entrant, Lots, entrants
from tests.simulation.programs import differences, points_read_by_py4swiss
from tournaments.accounts.services.roles import Role
from tournaments.models import Event, Pairing

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass(frozen=True)
class Course:
    """Events of an open other than games; the keys of the mappings are rounds by default."""

    rounds: int
    at_the_start: int
    late: dict[int, list[Entrant]]
    """Players who come late, by their first round."""

    byes: dict[int, tuple[int, str]]
    """Round and kind of the byes that are requested before the first round, by number of the player."""

    absent: dict[int, tuple[int, ...]]
    withdrawn: dict[int, tuple[int, ...]]
    """Players who withdraw before the round."""

    forfeits: dict[tuple[int, str], str]
    """Games that are not played, by round and table."""

    forbidden: tuple[int, int]
    """They would be paired in the first round."""


SHORT = Course(
    rounds=4,
    at_the_start=18,
    late={2: entrants(2, first=19), 3: entrants(1, first=21)},
    byes={6: (2, "half-bye"), 11: (3, "zero-bye")},
    absent={1: (16, 17)},
    withdrawn={3: (12,)},
    forfeits={(2, "3"): "+", (3, "4"): "-", (3, "6"): "x"},
    forbidden=(1, 8),
)
LONG = Course(
    rounds=9,
    at_the_start=92,
    late={2: entrants(4, first=93), 3: entrants(4, first=97)},
    byes={30: (2, "half-bye"), 45: (4, "half-bye"), 46: (4, "half-bye"), 60: (5, "zero-bye")},
    absent={1: (80, 81), 5: (7,)},
    withdrawn={4: (12, 77), 6: (50,)},
    forfeits={(3, "5"): "+", (3, "20"): "-", (6, "9"): "x"},
    forbidden=(1, 24),
)


@pytest.mark.exhaustive
@pytest.mark.parametrize("course", [SHORT, LONG], ids=["short", "long"])
def test_an_open(transactional_db: None, tmp_path: Path, course: Course) -> None:
    organiser = create_account("otto", Role.ORGANISER)
    event = new_event(organiser, name="Open", planned_rounds=str(course.rounds))
    arbiter = ArbiterAtWork(event, organiser)
    _settle_pairing(arbiter, course)
    _enter_players(arbiter, course)
    lots = Lots("open")
    for number in range(1, course.rounds + 1):
        _at_the_door(arbiter, course, number)
        clicks = arbiter.clicks
        arbiter.propose(number)
        arbiter.publish()
        arbiter.enter(_results(event, course, number, lots))
        arbiter.close()
        assert arbiter.clicks - clicks <= 4
    report = arbiter.save_report(tmp_path)
    assert differences(report) == []
    assert points_read_by_py4swiss(report) == _points(event)
    games = Pairing.objects.filter(round__event=event, second__isnull=False)
    assert not games.filter(first__number__in=course.forbidden, second__number__in=course.forbidden).exists()
    assert not event.overrides.exists()


def _settle_pairing(arbiter: ArbiterAtWork, course: Course) -> None:
    """Set the pairing method of the event."""
    arbiter.go_to("tournaments_event_change?part=rounds")
    pair = {"forbidden_pairs-0-competitors": ", ".join(map(str, course.forbidden))}
    arbiter.press("Save", {"initial_colour": "white", "acceleration": "baku", **pair})


def _results(event: Event, course: Course, number: int, lots: Lots) -> Callable[[ResultLine], str]:
    """Return the results of a round, drawn by the ratings, except for unplayed games."""
    ratings = {each.name: each.rating or 0 for each in event.competitors.all()}

    def result(line: ResultLine) -> str:
        drawn = lots.result(ratings[line.first], ratings[line.second])
        return course.forfeits.get((number, line.label), drawn)

    return result


def _enter_players(arbiter: ArbiterAtWork, course: Course) -> None:
    """Enter the list and the requested byes."""
    arbiter.enter_competitors([each.line for each in entrants(course.at_the_start)])
    for number, (round_, kind) in course.byes.items():
        arbiter.go_to("event-participation", number)
        arbiter.press("Save the byes", {f"round-{round_}": kind})


def _at_the_door(arbiter: ArbiterAtWork, course: Course, number: int) -> None:
    """Enter late players, withdraw others, and mark absences."""
    for each in course.late.get(number, []):
        arbiter.go_to("event-attendance")
        arbiter.press("Enter", {"name": each.name, "rating": str(each.rating), "first_round": str(number)})
    for leaving in course.withdrawn.get(number, ()):
        arbiter.go_to("event-participation", leaving)
        arbiter.press("Withdraw", {"after": str(number - 1)})
    for absent in course.absent.get(number, ()):
        arbiter.go_to("event-attendance")
        arbiter.press(f"absent {absent} ")


def _points(event: Event) -> dict[int, int]:
    """Return ten times the points of all players, by number, from the public table."""
    entries, standings = ranked(event)
    half_points = standings.table.points().sum(axis=1).tolist()
    return {entry.number: 5 * points for entry, points in zip(entries, half_points, strict=True)}
