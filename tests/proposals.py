"""Helpers for tests of proposals: an open to pair, and the job of the worker without waiting."""

import sys
from pathlib import Path

from django.contrib.auth.models import User

from tests.cast import create_event
from tests.replay import built_once
from tournaments.models import Competitor, Event, Job, Pairing, Proposal, Round
from tournaments.recording.pairings.drafts import ask_for_proposal, make_proposal


@built_once
def create_open(players: int = 12, slug: str = "small-open", rounds: int = 5, **about: object) -> Event:
    """Create a live chess open of so many players, rated in the order of their numbers, without pairings."""
    event = create_event(
        slug, **{"system": "fide-swiss", "planned_rounds": rounds, "initial_colour": "white", **about}
    )
    Competitor.objects.bulk_create(
        Competitor(event=event, number=number, name=f"Player {number}", rating=2500 - 10 * number)
        for number in range(1, players + 1)
    )
    return event


def propose(event: Event, by: User, number: int | None = None, engine: str = "") -> Proposal:
    """Ask for a proposal and make it, as the worker's lane does."""
    asked = ask_for_proposal(event, by, number, engine)
    make_now(asked)
    return Proposal.objects.select_related("round__event").get(pk=asked.pk)


def py4swiss_command() -> str:
    """Return the PAIRING_COMMAND for py4swiss, which writes the pairs into a file."""
    program = Path(sys.executable).parent / "py4swiss"
    return f"""sh -c '{program} -t "$0" -p "$0.out" && cat "$0.out"' {{report}}"""


def make_now(asked: Proposal) -> bool:
    """Make a proposal as the worker does. Return that it is done, as `proposing.wait_for` does."""
    Job.objects.filter(kind=Job.Kind.PROPOSAL).update(state=Job.State.DONE)
    found = Proposal.objects.select_related("round__event", "user").get(pk=asked.pk)
    assert found.user
    make_proposal(found, found.user)
    return True


def pairs_of(event: Event, number: int) -> list[tuple[int, int | None]]:
    """Return the pairs of a round by table."""
    rows = Pairing.objects.filter(round__event=event, round__number=number).order_by("table")
    return list(rows.values_list("first__number", "second__number"))


def play_round(event: Event, number: int) -> None:
    """Publish a round and let the lower number win every game."""
    Round.objects.filter(event=event, number=number).update(state=Round.State.PUBLISHED)
    for row in Pairing.objects.filter(round__event=event, round__number=number, kind="pending"):
        assert row.second
        first, second = (2, 0) if row.first.number < row.second.number else (0, 2)
        Pairing.objects.filter(pk=row.pk).update(kind="played", first_score=first, second_score=second)
