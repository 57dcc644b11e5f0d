"""Two editions of a cup of teams with boards, between which a player changes team, board and federation."""

from typing import Any, NamedTuple

from tests.cast import stored_event
from tests.linked import named, person, players_named, team
from tournaments.models import Event, Person, Team


class Transfers(NamedTuple):
    """The two editions, and who is known over both: persons by name, teams by their first name."""

    editions: list[Event]
    persons: dict[str, Person]
    teams: dict[str, Team]


def transfers() -> Transfers:
    """Record the cups of 2001 and 2003.

    2001: Reds 1½-½ Blues (Ann beats Dov, Ben draws with Eva), Greens 1-1 Reds (Ann loses to Fay, the
    substitute Cas beats Gus), Blues 1½-½ Greens (Dov draws with Fay, Eva wins by forfeit against Gus).
    Two match points for a win, one for a draw and for a bye: Reds 2+1+1 = 4, Blues 0+1+2 = 3,
    Greens 1+1+0 = 2.

    2003: Ann plays for the Blues, now called Blue Club, on board 2, and so for Belgium. Blue Club 1½-½ Reds
    (Dov beats Ben, Ann draws with Cas), Greens 0-2 Blue Club (Dov beats Fay, Ann wins by forfeit against the
    substitute Hal), Reds 1½-½ Greens (Ben draws with Fay, Cas beats Gus). Blue Club 2+2+1 = 5,
    Reds 0+1+2 = 3, Greens 1+0+0 = 1.

    The first team of a match has White on odd boards. In each round the third team has a bye. Hal and Gus are
    not known over events.
    """
    first = _edition(
        2001,
        ("Reds", "NED", [("Ann", 1, 2100), ("Ben", 2, 2000), ("Cas", 3, 1900)]),
        ("Blues", "BEL", [("Dov", 1, 2200), ("Eva", 2, 2050)]),
        ("Greens", "GER", [("Fay", 1, 2150), ("Gus", 2, None)]),
        [
            ([1.5, 0.5], [_board(1, "Ann", "Dov", 1, 0), _board(2, "Ben", "Eva", 0.5, 0.5)]),
            ([1, 1], [_board(1, "Fay", "Ann", 1, 0), _board(2, "Gus", "Cas", 0, 1)]),
            ([1.5, 0.5], [_board(1, "Dov", "Fay", 0.5, 0.5), _board(2, "Eva", "Gus", 1, 0, "forfeit")]),
        ],
    )
    second = _edition(
        2003,
        ("Blue Club", "BEL", [("Dov", 1, 2210), ("Ann", 2, 2120)]),
        ("Reds", "NED", [("Ben", 1, 2010), ("Cas", 2, 1950)]),
        ("Greens", "GER", [("Fay", 1, 2160), ("Gus", 2, None), ("Hal", 3, None)]),
        [
            ([1.5, 0.5], [_board(1, "Dov", "Ben", 1, 0), _board(2, "Ann", "Cas", 0.5, 0.5)]),
            ([0, 2], [_board(1, "Fay", "Dov", 0, 1), _board(2, "Hal", "Ann", 0, 1, "forfeit")]),
            ([1.5, 0.5], [_board(1, "Ben", "Fay", 0.5, 0.5), _board(2, "Cas", "Gus", 1, 0)]),
        ],
    )
    names = ("Ann", "Ben", "Cas", "Dov", "Eva", "Fay")
    return Transfers(
        [first, second],
        {name: person(name, *players_named(name)) for name in names},
        {
            "Reds": team("Reds", *named("Reds")),
            "Blues": team("Blues", *named("Blues"), *named("Blue Club")),
            "Greens": team("Greens", *named("Greens")),
        },
    )


def _board(number: int, first: str, second: str, *told: Any) -> dict[str, Any]:
    """Return a board; the team that is first has White on odd ones."""
    own, theirs, *kind = told
    return {
        "board": number,
        "first": first,
        "second": second,
        "white": "first" if number % 2 else "second",
        "score": [own, theirs],
        **({"kind": kind[0]} if kind else {}),
    }


SEATED = [(1, 2, 3), (3, 1, 2), (2, 3, 1)]
"""Of each round the team that is first, its opponent, and who has the bye."""


def _edition(year: int, *told: Any) -> Event:
    *teams, matches = told
    return stored_event(
        {
            "format": "crosstable-event",
            "version": 1,
            "event": {
                "slug": f"cup-{year}", "name": f"Cup {year}", "state": "final", "start": str(year),
                "discipline": "chess", "entrants": "teams", "schedule": "round-robin", "rounds": 3,
                "boards": 2, "scoring": {"game": [1, 0.5, 0], "match": [2, 1, 0]}, "system": "league",
            },
            "competitors": [
                {
                    "number": number, "name": name, "code": code,
                    "players": [
                        {"name": each, "board": board, **({"rating": rating} if rating else {})}
                        for each, board, rating in players
                    ],
                }
                for number, (name, code, players) in enumerate(teams, 1)
            ],
            "rounds": [
                {"number": number, "pairings": [
                    {"table": 1, "first": seats[0], "second": seats[1], "score": score, "games": boards},
                    {"table": 2, "first": seats[2], "kind": "bye", "score": [1, None]},
                ]}
                for number, (seats, (score, boards)) in enumerate(zip(SEATED, matches, strict=True), 1)
            ],
        }
    )  # fmt: skip
