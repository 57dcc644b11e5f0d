"""Validate event files and reports without a database, and print errors with their lines."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from json import dumps
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from tournaments.event.finding import Place, by_kind, error
from tournaments.interchange.formats.json.parsing import MOST_BYTES
from tournaments.interchange.formats.layouts.outline import EventOutline, add_outline_options, outline_given
from tournaments.interchange.formats.options import ReadingOptions, add_reading_options, options_of
from tournaments.interchange.formats.sources import Source, sources
from tournaments.interchange.formats.validating.validation import LocatedFinding, Validation, held, validate

STANDARD_INPUT = "-"
VALID, INVALID, UNREADABLE = 0, 1, 2
"""Exit codes: all files can be imported; a file has errors; a file cannot be read at all."""

MOST_LINES = 3  # of a kind of findings; a file with hundreds must fit on a screen

NOT_READ = ("unreadable-file", "unknown-format", "broken-archive", "encrypted", "unknown-packing")
"""Codes of findings if a file is not in a known format."""


class Command(BaseCommand):
    """`manage.py validate FILE…`."""

    help = (
        "Checks event files, tournament reports and tables, with line and column of each error; also in "
        "folders, ZIP archives and from standard input (-). Saves nothing and needs no database. Exit "
        "code 0: valid; 1: errors, with --strict also warnings; 2: a file cannot be read."
    )
    # they need production settings, but this command runs on any machine
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", metavar="FILE", nargs="+", help="Files, folders, ZIP archives, or -.")
        parser.add_argument("--json", action="store_true", help="Print everything as JSON.")
        parser.add_argument("--strict", action="store_true", help="Let warnings fail, too.")
        add_reading_options(parser)
        add_outline_options(parser)

    def handle(self, *_: Any, files: list[str], json: bool, strict: bool, **options: Any) -> None:
        code, told = VALID, list[dict[str, Any]]()
        passed_over: dict[str, str] = {}
        reading, facts = options_of(options), outline_given(options)
        for name, found, can_be_read in _validated(files, reading, facts, passed_over):
            wrong = found.errors or (strict and found.warnings)
            code = max(code, (INVALID if wrong else VALID) if can_be_read else UNREADABLE)
            if json:
                told.append({"file": name, "read": can_be_read, **found.plain()})
            else:
                for kind in by_kind(found.findings, lambda each: each.finding):
                    for each in kind[:MOST_LINES]:
                        self.stdout.write(_line(name, each))
                    if kind[MOST_LINES:]:
                        more = f"{len(kind) - MOST_LINES} more [{kind[0].finding.code}]"
                        self.stdout.write(f"{name}: {more}; --json lists them")
                self.stdout.write(_summary(name, found))
        if json:
            answer = {"valid": code == VALID, "files": told, "passed_over": passed_over}
            self.stdout.write(dumps(answer, ensure_ascii=False, indent=1))
        else:
            for name, reason in passed_over.items():
                self.stdout.write(f"{name}: passed over; it is {reason}")
        if code:
            sys.exit(code)


def _validated(
    files: list[str], options: ReadingOptions, facts: EventOutline, passed_over: dict[str, str]
) -> Iterator[tuple[str, Validation, bool]]:
    """Yield the name of each file, its validation, and whether it can be read at all.

    Skipped files are added to `passed_over`, with the reason.
    """
    for name in files:
        count = 0
        for each in _sources(name):
            if each.passed_over:
                passed_over[each.name] = each.passed_over
                continue
            count += 1
            content, problem = each.read()
            found = (
                Validation((LocatedFinding(problem),))
                if problem
                else validate(content, each.name, options, facts)
            )
            can_be_read = not any(one.finding.code in NOT_READ for one in found.findings)
            yield each.name, found, can_be_read
        if not count:
            nothing = error("no-file", Place(), "There is no file in it.")
            yield name, Validation((LocatedFinding(nothing),)), False


def _sources(name: str) -> Iterator[Source]:
    if name == STANDARD_INPUT:
        yield Source("standard input", lambda: (sys.stdin.buffer.read(MOST_BYTES + 1), None))
    else:
        yield from sources([Path(name)])


def _line(name: str, located: LocatedFinding) -> str:
    """Return a finding in the format of compilers, so that editors link to the line."""
    place = ":".join(str(each) for each in (name, located.line, located.column) if each)
    also = f" First on line {located.first_line}." if located.first_line else ""
    return f"{place}: {located.finding}{also}"


def _summary(name: str, found: Validation) -> str:
    verdict = "not valid" if found.errors else "valid"
    more_than = "more than " if found.errors_are_cut else ""
    counts = f"{more_than}{_counted(found.errors, 'error')}, {_counted(found.warnings, 'warning')}"
    if found.document is None:
        return f"{name}: {verdict}; {counts}"
    about = held(found.document)
    kinds = ("competitor", "round", "pairing", "game")
    holds = ", ".join(_counted(about[f"{kind}s"], kind) for kind in kinds)
    return f"{name}: {verdict}; {counts}; “{about['name']}”: {holds}"


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
