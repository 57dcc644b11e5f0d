"""The order of a start list: by rating, title or name, or by lots drawn with a seed."""

import random
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any, Protocol, TypeVar

TITLES = (
    *(("GM", "GMI"), ("IM", "MI", "GMN"), ("WGM", "MIF", "GMIF"), ("FM", "MF"), ("WIM", "MFF")),
    *(("CM", "CMF", "MN"), ("WFM",), ("WCM", "CMFF")),
)
"""Titles of chess and of draughts, the highest first (C.04.2, 2.1.2); those of one group are level."""

_RANKS = {title: rank for rank, group in enumerate(TITLES) for title in group}


class Entrant(Protocol):
    """A competitor as a start list orders it."""

    @property
    def number(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def rating(self) -> int | None: ...
    @property
    def title(self) -> str: ...


Each = TypeVar("Each", bound=Entrant)


def ordered(entrants: Iterable[Each], order: str, seed: str = "") -> list[Each]:
    """Return the entrants in the order `rating`, `title`, `name` or `lots`; lots are drawn with the seed.

    If the order is blank, rating and title decide, and players who are level keep the order of their numbers.
    Where rating or title leave some level, the other one decides, then the alphabet: numbers need an order,
    and a start list breaks no tie of the standings. The number that somebody has now decides between
    namesakes only, so the same seed gives the same order again.
    """
    keys: dict[str, Callable[[Each], tuple[Any, ...]]] = {
        "": lambda each: (-(each.rating or 0), _rank(each)),
        "rating": lambda each: (-(each.rating or 0), _rank(each), _spoken(each)),
        "title": lambda each: (_rank(each), -(each.rating or 0), _spoken(each)),
        "name": lambda each: (_spoken(each), -(each.rating or 0)),
        "lots": lambda each: (_lot(each, seed),),
    }
    return sorted(entrants, key=lambda each: (*keys[order](each), each.number))


def new_seed() -> str:
    """Return a seed that nobody chose."""
    return f"{random.SystemRandom().randrange(10**8):08d}"


def _lot(entrant: Entrant, seed: str) -> bytes:
    # Not random.shuffle(): what it does with a seed may change with the version of Python. Of the name alone,
    # so that whoever enters later moves nobody past anybody else.
    return sha256(f"{seed}:{_spoken(entrant)}".encode()).digest()


def _rank(entrant: Entrant) -> int:
    return _RANKS.get(entrant.title.upper(), len(TITLES))


def _spoken(entrant: Entrant) -> str:
    return entrant.name.casefold()
