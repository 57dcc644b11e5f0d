"""Fills and reads the database of a drill's site, in a separate process.

python -m tools.drills.record fill      # create events, arbiters and sessions; print what clients need
python -m tools.drills.record stored    # print all results by pairing
python -m tools.drills.record paired    # print the number of pairings of the proposed round
"""

import json
import sys
from itertools import pairwise
from random import Random

import django

django.setup()

from django.contrib.auth.models import User
from django.urls import reverse

from tests.cast import PASSWORD, browser_of, create_account, create_event
from tournaments.accounts.services.roles import Role
from tournaments.event.choices import Kind
from tournaments.models import Competitor, Event, Pairing, Round

EVENTS = ("hall", "next-door")
ARBITERS = ("first", "second")
PLAYERS = 80

OPEN, OPEN_PLAYERS, OPEN_ROUNDS = "open", 1_000, 4
"""A large Swiss with its number of played rounds; the next round is proposed."""


def fill() -> None:
    """Create two live events with 80 players and no results, and two arbiters of both."""
    arbiters = [create_account(name, Role.ARBITER) for name in ARBITERS]
    create_account("organiser", Role.ORGANISER)
    for slug in EVENTS:
        event = create_event(slug, planned_rounds=3)
        event.arbiters.set(arbiters)
        _pair_first_round(event)
    large = create_event(OPEN, planned_rounds=9, system="fide-swiss", unplayed="fide-2026")
    large.arbiters.set(arbiters)
    _play_rounds(large)
    json.dump(
        {
            "password": PASSWORD,
            "users": {each.username: {"id": each.pk, "cookie": _cookie(each)} for each in arbiters},
            "events": {slug: _addresses(Event.objects.get(slug=slug)) for slug in EVENTS},
            "open": _addresses_of_open(large),
        },
        sys.stdout,
    )


def stored() -> None:
    """Print `{pairing: [first score, second score, version]}` for all results; half-points."""
    rows = Pairing.objects.exclude(first_score=None).values_list(
        "pk", "first_score", "second_score", "version"
    )
    json.dump({pk: found for pk, *found in rows}, sys.stdout)


def paired() -> None:
    """Print the number of pairings of the next round of the large Swiss."""
    rows = Pairing.objects.filter(round__event__slug=OPEN, round__number=OPEN_ROUNDS + 1)
    print(rows.count())


def _pair_first_round(event: Event) -> None:
    players = Competitor.objects.bulk_create(
        Competitor(event=event, number=number, name=f"Player {number}") for number in range(1, PLAYERS + 1)
    )
    first = Round.objects.create(event=event, number=1, state=Round.State.PUBLISHED)
    pairs = list(pairwise(players))[::2]
    Pairing.objects.bulk_create(
        Pairing(round=first, table=table, first=white, second=black, kind=Kind.PENDING)
        for table, (white, black) in enumerate(pairs, start=1)
    )


def _play_rounds(event: Event) -> None:
    """Create the rounds of the large Swiss: upper half against lower half, shifted each round."""
    players = Competitor.objects.bulk_create(
        Competitor(event=event, number=number, name=f"Player {number}", rating=2_600 - number)
        for number in range(1, OPEN_PLAYERS + 1)
    )
    half, draw = OPEN_PLAYERS // 2, Random(OPEN)  # noqa: S311 - results of nobody
    for number in range(1, OPEN_ROUNDS + 1):
        played = Round.objects.create(event=event, number=number, state=Round.State.CLOSED)
        rows = []
        for at in range(half):
            pair = (players[at], players[half + (at + number - 1) % half])
            white, black = pair if (at + number) % 2 else pair[::-1]
            score = draw.choice((0, 1, 2))
            rows.append(
                Pairing(
                    round=played,
                    table=at + 1,
                    first=white,
                    second=black,
                    kind=Kind.PLAYED,
                    first_score=score,
                    second_score=2 - score,
                )
            )
        Pairing.objects.bulk_create(rows)


def _addresses_of_open(event: Event) -> dict[str, object]:
    place = [event.pk, OPEN_ROUNDS + 1]
    return {
        "id": event.pk,
        "propose": reverse("admin:round-propose", args=place),
        "wait": reverse("admin:round-proposal", args=place),
        "screen": reverse("admin:round-pairings", args=place),
    }


def _addresses(event: Event) -> dict[str, object]:
    place = [event.pk, 1]
    pairings = Pairing.objects.filter(round__event=event).order_by("table")
    return {
        "id": event.pk,
        "screen": reverse("admin:results", args=place),
        "send": reverse("admin:results-entries", args=place),
        "pairings": list(pairings.values_list("pk", flat=True)),
    }


def _cookie(account: User) -> str:
    (cookie,) = browser_of(account).cookies.values()
    return f"{cookie.key}={cookie.value}"


if __name__ == "__main__":
    {"fill": fill, "stored": stored, "paired": paired}[sys.argv[1]]()
