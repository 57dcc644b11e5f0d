"""Look up players in the newest lists by typed name or id."""

import re
import sqlite3
from collections.abc import Collection, Sequence

from tournaments.interchange.ratinglists.folder import RatingList, path_of, reading
from tournaments.interchange.ratinglists.players import RatedPlayer, folded, spellings

MOST = 10
"""Limit of suggestions."""

LEAST_SIGNS = 2
"""Minimum length of a query, because shorter ones match too many names."""

CANDIDATES = 200
"""Limit of matching players that are sorted, strongest first."""

LONGEST_QUERY, MOST_WORDS = 80, 6
_ID = re.compile(r"\d{3,17}")
_COLUMNS = "id, name, federation, sex, title, born, standard, rapid, blitz, is_inactive"


def look_up(used: RatingList, text: str, kind: str = "", most: int = MOST) -> list[RatedPlayer]:
    """Return the matching players of a list, likeliest first.

    Every word must be a name or its beginning, in any order; diacritics, hyphens and case are ignored.
    Empty if the text is too short.
    """
    text = text[:LONGEST_QUERY].strip()
    if _ID.fullmatch(text):
        found = players_in(used, [int(text)])
        return list(found.values())
    words = [spellings(word) for word in re.split(r"[\s,;./_-]+", text) if folded(word)][:MOST_WORDS]
    if not words or max(len(forms[0]) for forms in words) < LEAST_SIGNS:
        return []
    try:
        with reading(path_of(used)) as opened:
            places = _matching_places(opened, words, is_whole=False)
            if len(places) == CANDIDATES:  # a complete word may be the name of a weaker player
                places |= _matching_places(opened, words, is_whole=True)
            found_players = _players(opened, "place", places)
    except sqlite3.OperationalError:  # the file was just deleted
        return []
    typed = [forms[0] for forms in words]
    return sorted(found_players, key=lambda player: _likelihood(player, typed, kind))[:most]


def players_in(used: RatingList, ids: Collection[int]) -> dict[int, RatedPlayer]:
    try:
        with reading(path_of(used)) as opened:
            return {player.id: player for player in _players(opened, "id", ids)}
    except sqlite3.OperationalError:
        return {}


def namesakes_in(used: RatingList, name: str) -> list[RatedPlayer]:
    """Return the players of a list with exactly this name, its words in any order."""
    words = sorted(folded(name).split())
    return [
        player
        for player in look_up(used, name, most=CANDIDATES)
        if sorted(folded(player.name).split()) == words
    ]


def _matching_places(
    opened: sqlite3.Connection, words: Sequence[tuple[str, ...]], *, is_whole: bool
) -> set[int]:
    star = "" if is_whole else "*"
    # Quoted, so that a word is never an operator.
    choices = (" OR ".join(f'"{form}"{star}' for form in forms) for forms in words)
    query = " AND ".join(f"({each})" for each in choices)
    rows = opened.execute(
        "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid LIMIT ?", [query, CANDIDATES]
    )
    return {int(place) for (place,) in rows}


def _players(opened: sqlite3.Connection, column: str, keys: Collection[int]) -> list[RatedPlayer]:
    found: list[RatedPlayer] = []
    listed = list(keys)
    for start in range(0, len(listed), 500):
        some = listed[start : start + 500]
        marks = ", ".join("?" * len(some))
        query = f"SELECT {_COLUMNS} FROM player WHERE {column} IN ({marks})"  # noqa: S608 - our own names
        found += (RatedPlayer._make((*row[:-1], bool(row[-1]))) for row in opened.execute(query, some))
    return found


def _likelihood(
    player: RatedPlayer, typed: Sequence[str], kind: str
) -> tuple[bool, int, bool, bool, int, str, int]:
    """Return the sort key, likeliest first.

    First names without other words, then complete words, the surname first, active players, and the
    rating.
    """
    words = folded(player.name).split()
    whole = sum(word in words for word in typed)
    surname = folded(player.name.partition(",")[0]).split()
    begins = bool(surname) and surname[0].startswith(typed[0])
    return (
        whole < len(words),
        -whole,
        not begins,
        player.is_inactive,
        -(player.rating(kind) or 0),
        player.name,
        player.id,
    )
