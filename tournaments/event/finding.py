"""A finding: an error or an oddity of an event, its place, and how to correct it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

MOST_QUOTED = 80
"""The maximum length of a quoted value."""

MOST_SAID = 2_000
"""The maximum length of a message; lists of all criteria or keys have about 1,000 characters."""

TOO_MANY = "too-many-findings"
"""The code of the notice that further errors are not listed; it is not an error itself."""


def cut(text: str, most: int = MOST_QUOTED) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def cut_message(text: str) -> str:
    """Return a message whose quoted values are cut, and which is cut itself if it is too long."""
    if len(text) <= MOST_QUOTED:
        return text
    first, *parts = text.split("“")
    pieces = [first]
    for part in parts:
        value, closes, rest = part.partition("”")
        pieces.append(f"{cut(value)}{closes}{rest}" if closes else part)
    return cut("“".join(pieces), MOST_SAID)


class Severity(StrEnum):
    """An error excludes a file, an objection does until it is accepted with a reason; a warning is shown."""

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
        key = cut(name)
        return Place(f"{self.path}.{key}" if self.path else key, self.round, self.table)

    def item(self, name: str, index: int) -> "Place":
        return self.key(f"{name}[{index}]")


ROOT, EVENT = Place(), Place("event")


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding. `where`: the path in the file. `message`: has the conflicting figures and the correction."""

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
    return Finding(code, Severity.ERROR, place.path, cut_message(message), place.round, place.table)


def objection(code: str, place: Place, message: str) -> Finding:
    return Finding(code, Severity.OBJECTION, place.path, cut_message(message), place.round, place.table)


def warning(code: str, place: Place, message: str) -> Finding:
    return Finding(code, Severity.WARNING, place.path, cut_message(message), place.round, place.table)


def errors(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(each for each in findings if each.severity is Severity.ERROR)


def added_findings(found: Iterable[Finding], before: Iterable[Finding]) -> list[Finding]:
    """Return the findings that were not among those before, at any place."""
    known = {(each.code, each.message) for each in before}
    return [each for each in found if (each.code, each.message) not in known]


def by_kind(findings: Iterable[Any], of: Callable[[Any], Any] = lambda each: each) -> list[list[Any]]:
    """Return lists of findings with the same severity and code, errors first. `of`: an item's finding."""
    kinds: dict[tuple[str, str], list[Any]] = {}
    for each in findings:
        kinds.setdefault((of(each).severity, of(each).code), []).append(each)
    return [kinds[kind] for severity in Severity for kind in kinds if kind[0] == severity]


def lines_by_kind(findings: Iterable[Finding]) -> list[str]:
    return [f"{kind[0]}{f' {len(kind) - 1} more.' if kind[1:] else ''}" for kind in by_kind(findings)]


def count_of(findings: Iterable[Finding]) -> int:
    """Return the number of findings, without the notice that further ones are not listed."""
    return sum(1 for each in findings if each.code != TOO_MANY)


def is_cut(findings: Iterable[Finding]) -> bool:
    return any(each.code == TOO_MANY for each in findings)


def objections(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(each for each in findings if each.severity is Severity.OBJECTION)
