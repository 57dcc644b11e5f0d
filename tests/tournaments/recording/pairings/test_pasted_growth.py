"""Pasted texts are parsed within the request, so the time must be linear in their length (ADR 0031)."""

from collections.abc import Callable

import pytest

from tests.cast import create_player_event
from tests.growth import growth
from tournaments.admin import redirects
from tournaments.admin.events import newevents
from tournaments.admin.fields import LONGEST_BLOCK
from tournaments.models import Event, Round, Series
from tournaments.recording.competitors.pasted_list import read_roster
from tournaments.recording.events.editions import read_editions
from tournaments.recording.events.redirects import read_redirects
from tournaments.recording.pairings.pasted_pairings import read_pairings
from tournaments.recording.results.sheets import read_block

TIMES, MOST = 4, 8.5
"""Linear work takes four times as long, quadratic work sixteen times."""

Reader = Callable[[Event, str], object]

READERS: dict[str, tuple[Reader, int]] = {
    "roster": (read_roster, 100_000),
    "headed roster": (lambda event, text: read_roster(event, f"Name;Rating\n{text}"), 100_000),
    "editions": (read_editions, newevents.MOST_SIGNS),
    "redirects": (lambda _event, text: read_redirects(text), redirects.MOST_SIGNS),
    "pairings": (lambda event, text: read_pairings(_round(event), text), LONGEST_BLOCK),
    "results": (lambda event, text: read_block(_round(event), text), LONGEST_BLOCK),
}


def _round(event: Event) -> Round:
    found = event.rounds.first()
    assert found
    return found


@pytest.mark.exhaustive
@pytest.mark.django_db
@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize(
    "repeated",
    ["1\n", "a", " ", ";", "1 -", "N{0}\n", "/a{0},/b{0}\n", "1999;Cup {0}\n"],
)
def test_cost_of_a_pasted_text_grows_with_its_length(kind: str, repeated: str) -> None:
    event = create_player_event()
    event.series = Series.objects.create(name="Cup", slug="cup")
    read, longest = READERS[kind]

    def act(length: int) -> None:
        read(event, "".join(repeated.format(at) for at in range(length // len(repeated.format(9999)))))

    # A busy machine only makes measurements longer, so a single good measurement is enough.
    assert min(growth(act, longest // 20, TIMES, tries=2) for _ in range(2)) < MOST
