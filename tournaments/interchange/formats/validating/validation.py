"""Validation of a file: findings with line and column, and a summary. Nothing is stored.

The file is read as for an import, so a valid file can be imported if its slug is free.
"""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tournaments.event.document import Document
from tournaments.event.finding import Finding, Severity, count_of, is_cut
from tournaments.interchange.formats.account import Account
from tournaments.interchange.formats.file_formats import holds_event, is_report, read, suffix_of
from tournaments.interchange.formats.json.positions import Lines, Spot, spots, with_parents
from tournaments.interchange.formats.json.reader import Reading
from tournaments.interchange.formats.layouts.outline import NO_FACTS, EventOutline
from tournaments.interchange.formats.options import AS_FOUND, ReadingOptions

_LINE = re.compile(r"line ([0-9]+)(?:, column ([0-9]+))?")
_OF_KEYS = ("unknown-key", "key-twice")  # findings about a key, not its value


@dataclass(frozen=True, slots=True)
class LocatedFinding:
    """A finding with its line and column in the text, from 1, or None.

    `first_line`: the first line of a repeated key.
    """

    finding: Finding
    line: int | None = None
    column: int | None = None
    first_line: int | None = None

    def plain(self) -> dict[str, Any]:
        place = {"line": self.line, "column": self.column, "first_line": self.first_line}
        return asdict(self.finding) | place


@dataclass(frozen=True, slots=True)
class Validation:
    """The result of a validation. `document`: None if the structure of the file is invalid."""

    findings: tuple[LocatedFinding, ...]
    document: Document | None = None
    account: Account = ()

    def count(self, severity: Severity) -> int:
        return count_of(each.finding for each in self.findings if each.finding.severity is severity)

    @property
    def errors(self) -> int:
        """Return the number of findings that prevent the import: errors, and objections."""
        return self.count(Severity.ERROR) + self.count(Severity.OBJECTION)

    @property
    def warnings(self) -> int:
        return self.count(Severity.WARNING)

    @property
    def errors_are_cut(self) -> bool:
        return is_cut(each.finding for each in self.findings)

    def plain(self) -> dict[str, Any]:
        """Return data for JSON, with a summary; no event if the structure is invalid."""
        return {
            "valid": not self.errors,
            "errors": self.errors,
            "errors_are_cut": self.errors_are_cut,
            "warnings": self.warnings,
            "event": self.document and held(self.document),
            "account": [str(each) for each in self.account],
            "findings": [each.plain() for each in self.findings],
        }


def held(document: Document) -> dict[str, Any]:
    event = document.event
    pairings = [pairing for _, pairing in document.pairings()]
    about = {name: getattr(event, name) for name in ("slug", "name", "entrants", "schedule", "system")}
    return {
        **about,
        "planned_rounds": event.planned_rounds,
        "competitors": len(document.competitors),
        "players": sum(len(each.players) for each in document.competitors),
        "rounds": len(document.rounds),
        "pairings": len(pairings),
        "games": sum(len(each.games) for each in pairings),
    }


def validate(
    content: bytes, name: str, options: ReadingOptions = AS_FOUND, facts: EventOutline = NO_FACTS
) -> Validation:
    """Validate a file by its name, or by its first bytes if the name has no extension.

    `facts`: of the event, for tables without them.
    """
    is_object = content.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[", b"")
    suited = name if suffix_of(name) else f"{name or 'file'}{'.json' if is_object else '.trf'}"
    reading = read(suited, content, options=options, facts=facts)
    is_json = holds_event(suited, content) and not is_report(suited, content)
    found = _in_text_order(content, reading) if is_json else map(_by_line, reading.findings)
    return Validation(tuple(found), reading.document, reading.account)


def _by_line(finding: Finding) -> LocatedFinding:
    found = _LINE.fullmatch(finding.where)
    if found is None:
        return LocatedFinding(finding)
    return LocatedFinding(finding, int(found[1]), int(found[2]) if found[2] else None)


def _in_text_order(content: bytes, reading: Reading) -> Sequence[LocatedFinding]:
    paths = {each.where for each in reading.findings if not _LINE.fullmatch(each.where)}
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return [*map(_by_line, reading.findings)]
    found, lines = spots(text, paths) if paths else {}, Lines(text)
    located = [_in_text(each, found, lines) for each in reading.findings]
    return sorted(located, key=lambda each: (each.line or 0, each.column or 0))


def _in_text(finding: Finding, found: dict[str, Spot], lines: Lines) -> LocatedFinding:
    if _LINE.fullmatch(finding.where):
        return _by_line(finding)
    path, spot = next(
        ((each, found[each]) for each in with_parents(finding.where) if each in found), ("", None)
    )
    if spot is None:
        return LocatedFinding(finding)
    is_key = finding.code in _OF_KEYS and path == finding.where and spot.key is not None
    line, column = lines.position(spot.key if is_key and spot.key is not None else spot.value)
    is_twice = finding.code == "key-twice" and spot.first is not None
    first = lines.position(spot.first)[0] if is_twice and spot.first is not None else None
    return LocatedFinding(finding, line, column, first)
