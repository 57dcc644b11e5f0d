"""The list that games are rated for, proposed from the time control and the name of an event.

FIDE's Laws of Chess, Appendices A and B: with the increments of 60 moves, a player has more than 10 and less
than 60 minutes in rapid, at most 10 in blitz. A person decides; no proposal is stored.
"""

import re
from typing import NamedTuple

from tournaments.event.choices import RatedAs

MOVES = 60
_RAPID_FROM, _STANDARD_FROM = 10 * 60, 60 * 60
_MOST_MINUTES = 180  # a larger number before a plus is in seconds

_PERIOD = re.compile(r"(?:([0-9]{1,3})/)?([0-9]{1,6})(?:\+([0-9]{1,4}))?")
_SHORT = re.compile(r"([0-9]{1,3}) ?[+|] ?([0-9]{1,3})")
_MARKED = re.compile(r"([0-9]{1,3})[ .-]{0,2}([a-z]{1,8}|['′’\"″”]{1,2})")
_WORD = re.compile(r"[^\W\d_]{4,20}")

_UNITS = (
    (3600, ("hour", "uur", "stund", "heure", "hora", "ore")),
    (60, ("min", "'", "′", "’")),
    (1, ("sec", "sek", "seg", '"', "″", "”")),
)
_STARTS = {
    RatedAs.BLITZ: ("blitz", "snelscha", "relámpago", "éclair", "lampo"),
    RatedAs.RAPID: ("rapid", "rápid", "ràpid", "semirapid", "semilampo", "schnellscha", "активн"),
    RatedAs.STANDARD: ("standard", "classical", "classique", "klassisch"),
}


class ProposedKind(NamedTuple):
    """A proposed list and the text that it was read from."""

    kind: RatedAs
    read_from: str


def propose_kind(time_code: str, time_control: str, name: str) -> ProposedKind | None:
    """Return the list that the games are probably rated for; None if there is no evidence."""
    seconds = _of_code(time_code)
    if seconds is not None:
        return ProposedKind(_kind_by_seconds(seconds), time_code)
    for text in (time_control, name):
        if kind := _of_words(text):
            return ProposedKind(kind, text)
        seconds = _of_text(text) if text is time_control else None
        if seconds:
            return ProposedKind(_kind_by_seconds(seconds), text)
    return None


def _kind_by_seconds(seconds: int) -> RatedAs:
    if seconds >= _STANDARD_FROM:
        return RatedAs.STANDARD
    return RatedAs.RAPID if seconds > _RAPID_FROM else RatedAs.BLITZ


_SHORTEST = 180
"""Seconds for 60 moves: less than a game of blitz has."""


def _of_code(code: str) -> int | None:
    """Return the seconds for 60 moves by FIDE's code, `40/5400+30:1800+30`; None if it is no such code."""
    periods = [_PERIOD.fullmatch(each) for each in code.strip().split(":")]
    if not all(periods):
        return None
    seconds, left = 0, MOVES
    for moves, base, increment in (each.groups("0") for each in periods if each):
        in_period = min(int(moves) or left, left)
        seconds += int(base) + int(increment) * in_period
        left -= in_period
        if not left:
            break
    # `40/90` is meant in minutes, though the code has seconds: too short a time is no evidence.
    return seconds if seconds >= _SHORTEST else None


def _of_text(text: str) -> int | None:
    """Return the seconds for 60 moves by a time control as people write it: `90 minutes + 30 s`, `15+10`."""
    folded = " ".join(text.casefold().split())
    found = _SHORT.fullmatch(folded)
    if found and int(found[1]) <= _MOST_MINUTES:
        return 60 * int(found[1]) + MOVES * int(found[2])
    if (seconds := _of_code(folded)) is not None and ("/" in folded or "+" in folded):
        return seconds
    total = 0
    for number, unit in _MARKED.findall(folded):
        worth = _worth_of(unit)
        total += int(number) * worth * (MOVES if worth == 1 else 1)
    return total or None


def _worth_of(unit: str) -> int:
    if unit in {"s", "''", "′′", "’’"}:
        return 1
    if unit in {"m", "h"}:
        return 60 if unit == "m" else 3600
    return next((worth for worth, starts in _UNITS if unit.startswith(starts)), 0)


def _of_words(text: str) -> RatedAs | None:
    words = _WORD.findall(text.casefold())
    named = {kind for kind, starts in _STARTS.items() if any(word.startswith(starts) for word in words)}
    return named.pop() if len(named) == 1 else None
