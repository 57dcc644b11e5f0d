"""The order of a start list: by rating, title or name, or by lot with a seed."""

import random
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any, Protocol, TypeVar

TITLES = (
    *(("GM", "GMI"), ("IM", "MI", "GMN"), ("WGM", "MIF", "GMIF"), ("FM", "MF"), ("WIM", "MFF")),
    *(("CM", "CMF", "MN"), ("WFM",), ("WCM", "CMFF")),
)
"""Titles of chess and of draughts, highest first (C.04.2, 2.1.2); titles in a group are equal."""

RANKS = {title: rank for rank, group in enumerate(TITLES) for title in group}


class Entrant(Protocol):
    @property
    def paired_as(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def rating(self) -> int | None: ...
    @property
    def title(self) -> str: ...


Each = TypeVar("Each", bound=Entrant)


def ordered(entrants: Iterable[Each], order: str, seed: str = "") -> list[Each]:
    """Return the entrants in the order `rating`, `title`, `name` or `lots`; lots are drawn with the seed.

    If the order is blank, rating and title decide, and equal players keep the order of their numbers. If
    rating or title are equal, the other one decides, then the alphabet; this order breaks no ties in the
    standings. The current number decides only between namesakes, so the same seed always gives the same
    order.
    """
    keys: dict[str, Callable[[Each], tuple[Any, ...]]] = {
        "": lambda each: (-(each.rating or 0), _rank(each)),
        "rating": lambda each: (-(each.rating or 0), _rank(each), _spoken(each)),
        "title": lambda each: (_rank(each), -(each.rating or 0), _spoken(each)),
        "name": lambda each: (_spoken(each), -(each.rating or 0)),
        # random.shuffle() may give another result for a seed in another version of Python. Only the name is
        # hashed, so that a late entry changes no order of others.
        "lots": lambda each: (sha256(f"{seed}:{_spoken(each)}".encode()).digest(),),
    }
    return sorted(entrants, key=lambda each: (*keys[order](each), each.paired_as))


def new_seed() -> str:
    return f"{random.SystemRandom().randrange(10**8):08d}"


def _rank(entrant: Entrant) -> int:
    return RANKS.get(entrant.title.upper(), len(TITLES))


def _spoken(entrant: Entrant) -> str:
    return entrant.name.casefold()
