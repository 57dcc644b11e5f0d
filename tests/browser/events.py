"""The demo events as readers meet them, and events of any size."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tests.demo import record
from tournaments.event.choices import Kind
from tournaments.models import Competitor, Event, Pairing, Round

BATUMI = "/events/olympiad-2018-open/"
CHENNAI = "/events/olympiad-2022-open/"
OUAGADOUGOU = "/events/2022-ouagadougou-open/"
WORLD_1948 = "/events/1948-world-championship/"
DEN_HAAG = "/events/1947-vierkamp-den-haag/"


def load(*events: str) -> None:
    """Record demo events, given by their addresses."""
    record(*(event.strip("/").split("/")[-1] for event in events))


def create_players(slug: str, names: Sequence[str], rounds: int, **about: Any) -> Event:
    """A final event in chess of players by these names, its rounds closed and still without pairings."""
    known = {
        "name": slug.replace("-", " ").capitalize(),
        "state": Event.State.FINAL,
        "discipline": "chess",
        "entrants": Event.Entrants.PLAYERS,
        "schedule": Event.Schedule.SWISS,
        "planned_rounds": rounds,
        "game_win": 2,
        "game_draw": 1,
        "system": "manual-swiss",
        "start": "2024",
    }
    event = Event.objects.create(slug=slug, **(known | about))
    Competitor.objects.bulk_create(
        Competitor(event=event, number=number, name=name) for number, name in enumerate(names, start=1)
    )
    Round.objects.bulk_create(
        Round(event=event, number=number, state=Round.State.CLOSED) for number in range(1, rounds + 1)
    )
    return event


def play(event: Event, games: Iterable[tuple[int, int, int, int, int]]) -> None:
    """Record games: round, table, White's and Black's number, White's half-points."""
    players = {player.number: player for player in Competitor.objects.filter(event=event)}
    rounds = {each.number: each for each in Round.objects.filter(event=event)}
    Pairing.objects.bulk_create(
        Pairing(
            round=rounds[number],
            table=table,
            first=players[white],
            second=players[black],
            kind=Kind.PLAYED,
            first_score=score,
            second_score=2 - score,
        )
        for number, table, white, black, score in games
    )


def everybody_twice(players: int) -> Iterator[tuple[int, int, int, int, int]]:
    """A double round robin of an even number of players; who plays White scores by turns 1, ½ and 0."""
    half = players - 1
    for number in range(1, 2 * half + 1):
        circle = [players, *((at + number) % half + 1 for at in range(half))]
        for table in range(1, players // 2 + 1):
            pair = (circle[table - 1], circle[players - table])
            white, black = pair if number <= half else pair[::-1]
            yield number, table, white, black, (white * black + number) % 3
