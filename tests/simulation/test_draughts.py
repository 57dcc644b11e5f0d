"""A draughts Swiss of 22 players, odd after a withdrawal: proposals are a help, and only hands make a `*`."""

import pytest

from tests.cast import create_account
from tests.simulation.arbiter import ArbiterAtWork, ResultLine, new_event
from tests.simulation.drawing import Lots, entrants
from tournaments.accounts.services.roles import Role
from tournaments.models import Event, Pairing

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.exhaustive]

PLAYERS, ROUNDS, WITHDRAWN_BEFORE, CHANGED = 22, 7, 4, 5
RESULTS = ("2-0", "1-1", "0-2")


def test_a_draughts_swiss(transactional_db: None) -> None:
    organiser = create_account("otto", Role.ORGANISER)
    event = new_event(organiser, name="Draughts", discipline="draughts-100", planned_rounds=str(ROUNDS))
    arbiter = ArbiterAtWork(event, organiser)
    arbiter.go_to("tournaments_event_change?part=rounds")
    arbiter.press("Save", {"initial_colour": "white"})
    arbiter.enter_competitors([each.line for each in entrants(PLAYERS)])
    ratings = {each.name: each.rating or 0 for each in event.competitors.all()}
    lots = Lots("draughts", RESULTS)

    def result(line: ResultLine) -> str:
        return lots.result(ratings[line.first], ratings[line.second])

    for number in range(1, ROUNDS + 1):
        if number == WITHDRAWN_BEFORE:
            arbiter.go_to("event-participation", 9)
            arbiter.press("Withdraw", {"after": str(number - 1)})
        arbiter.propose(number)
        assert arbiter.says("FMJD's own rules are not published as a program")
        arbiter.publish()
        if number == CHANGED:
            _seat_anew(arbiter)
        arbiter.enter(result)
        arbiter.close()
    changed = event.overrides.values_list("kind", "round", "table")
    assert sorted(changed) == [("pairing", CHANGED, 3), ("pairing", CHANGED, 4)]
    # No pair meets twice, except the pair that the arbiter made.
    by_hand = Pairing.objects.filter(round__event=event, round__number=CHANGED, table__in=(3, 4))
    seated = {frozenset(pair) for pair in by_hand.values_list("first__number", "second__number")}
    assert set(_rematches(event)) <= seated
    assert [len(byes) for byes in _byes(event)] == [0, 0, 0, 1, 1, 1, 1]
    assert len(set.union(*_byes(event))) == 4


def _seat_anew(arbiter: ArbiterAtWork) -> None:
    """Pair White of table 3 with Black of table 4 in a published round, and the other two with each other."""
    rows = Pairing.objects.filter(round__event=arbiter.event, round__number=CHANGED).order_by("table")
    (white, _black), (_white, black) = rows.values_list("first__number", "second__number")[2:4]
    arbiter.go_to("round-pairings", CHANGED)
    arbiter.press("Pair", {"text": f"{white} {black}"})
    asked = "Do it anyway" if arbiter.says("This would be unusual") else "Change it"
    arbiter.press(asked, {"reason": "The wrong card was drawn."})
    arbiter.go_to("results", CHANGED)


def _rematches(event: Event) -> list[frozenset[int]]:
    """Return the pairs that met more than once, by number."""
    met = [frozenset(pair) for pair in _games(event)]
    return [pair for pair in set(met) if met.count(pair) > 1]


def _games(event: Event) -> list[tuple[int, int]]:
    rows = Pairing.objects.filter(round__event=event, second__isnull=False)
    return list(rows.values_list("first__number", "second__number"))


def _byes(event: Event) -> list[set[int]]:
    """Return the number of the player with the bye, by round."""
    rows = Pairing.objects.filter(round__event=event, kind="bye").values_list(
        "round__number", "first__number"
    )
    return [{number for at, number in rows if at == round_} for round_ in range(1, ROUNDS + 1)]
