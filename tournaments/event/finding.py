"""A finding: what is wrong in an event, where, and what to do about it."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

MOST_QUOTED = 80
"""So many characters of a value are quoted."""

MOST_SAID = 2_000
"""So long may a message be: lists of every known criterion or key are about half as long."""

TOO_MANY = "too-many-findings"
"""The code of the notice that further errors are not listed. It is not one of the errors."""


def cut(text: str, most: int = MOST_QUOTED) -> str:
    """Return at most so many characters of a text; an ellipsis stands for the others."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def message_of(text: str) -> str:
    """Return a message in which each value in quotation marks is cut, and the whole of it if it is long."""
    if len(text) <= MOST_QUOTED:
        return text
    first, *parts = text.split("“")
    pieces = [first]
    for part in parts:
        value, closes, rest = part.partition("”")
        pieces.append(f"{cut(value)}{closes}{rest}" if closes else part)
    return cut("“".join(pieces), MOST_SAID)


class Severity(StrEnum):
    """An error keeps a file out, an objection until it is accepted with a reason; a warning is shown."""

    ERROR = "error"
    OBJECTION = "objection"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the file: a path such as `rounds[3].pairings[12].score`, and its round and table if any."""

    path: str = ""
    round: int | None = None
    table: int | None = None

    def key(self, name: str) -> "Place":
        """Return the place of the value under a key of this object; a long key is cut."""
        key = cut(name)
        return Place(f"{self.path}.{key}" if self.path else key, self.round, self.table)

    def item(self, name: str, index: int) -> "Place":
        """Return the place of an element of the list under a key, counted from 0."""
        return self.key(f"{name}[{index}]")


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. `where` is the path in the file; the message holds both figures and says what to do."""

    code: str
    severity: Severity
    where: str
    message: str
    round: int | None = None
    table: int | None = None

    def __str__(self) -> str:
        seat = [f"round {self.round}"] if self.round is not None else []
        seat += [f"table {self.table}"] if self.table is not None else []
        place = " · ".join(filter(None, (self.where, ", ".join(seat))))
        return f"{self.severity}: {place}: {self.message} [{self.code}]".replace(": :", ":", 1)


def error(code: str, place: Place, message: str) -> Finding:
    """Return a finding that keeps the event out."""
    return Finding(code, Severity.ERROR, place.path, message_of(message), place.round, place.table)


def objection(code: str, place: Place, message: str) -> Finding:
    """Return a finding about a file that keeps it out until somebody accepts it with a reason."""
    return Finding(code, Severity.OBJECTION, place.path, message_of(message), place.round, place.table)


def warning(code: str, place: Place, message: str) -> Finding:
    """Return a finding that somebody should look at."""
    return Finding(code, Severity.WARNING, place.path, message_of(message), place.round, place.table)


def errors(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return those that keep the event out."""
    return tuple(each for each in findings if each.severity is Severity.ERROR)


def count_of(findings: Iterable[Finding]) -> int:
    """Return how many findings there are, without the notice that further ones are not listed."""
    return sum(1 for each in findings if each.code != TOO_MANY)


def is_cut(findings: Iterable[Finding]) -> bool:
    """Return whether there are further findings that are not listed."""
    return any(each.code == TOO_MANY for each in findings)


def objections(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return those that keep a file out until they are accepted with a reason."""
    return tuple(each for each in findings if each.severity is Severity.OBJECTION)
