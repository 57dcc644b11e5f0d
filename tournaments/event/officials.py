"""Officials of an event in a report: `IA Jansen, Piet (1234567)`."""

import re

from tournaments.event.document import Official

TITLES = ("IA", "FA", "NA", "RA", "IO", "MIA")
"""Titles of arbiters and organisers, which precede their names."""

LONGEST_NAME = 120
_WITH_ID = re.compile(r"(?P<name>.*)\((?>(?:FIDE(?:\s++id)?:?\s*+)?)(?P<id>[0-9]{3,12})\)", re.IGNORECASE)


def signature(official: Official) -> str:
    """Return title, name and id in the form of a report: `IA Jansen, Piet (1234567)`."""
    number = official["fide_id"]
    parts = (official["title"], official["name"], f"({number})" if number else "")
    return " ".join(filter(None, parts))


def signed(role: str, text: str) -> Official | None:
    """Return the official in a record of a report; None if it has no name."""
    text = " ".join(text.split())
    found = _WITH_ID.fullmatch(text)
    name = found["name"].rstrip() if found else text
    title, _space, rest = name.partition(" ")
    title, name = (title, rest) if title in TITLES and rest else ("", name)
    if not name or len(name) > LONGEST_NAME:
        return None
    return Official(role=role, title=title, name=name, fide_id=int(found["id"]) if found else None)


def of_role(officials: tuple[Official, ...] | list[Official], role: str) -> list[Official]:
    return [each for each in officials if each["role"] == role]
