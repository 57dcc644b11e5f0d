"""JSON values from bytes: exact numbers, repeated keys recorded, no exceptions for invalid input."""

import json
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any, NoReturn

from tournaments.event.finding import Finding, Place, error
from tournaments.interchange.formats.json.positions import Lines, first_beyond, first_no_number

# ten times the file of 2,000 players and 13 rounds, or of an olympiad; reading takes two seconds
MOST_BYTES = 12 * 1024 * 1024

DEEPEST = 20  # twice the nesting of event files

_LONGEST_WHOLE = 18  # digits that fit the database's big integers


class Parsed(dict[str, Any]):
    """A JSON object with the list of its repeated keys."""

    twice: tuple[str, ...] = ()


def parse(source: str | bytes | Path) -> tuple[Any, Finding | None]:
    """Return the value of a JSON text, its bytes, or the file at a path; else a finding."""
    content, problem = content_of(source)
    if problem:
        return None, problem
    if len(content) > MOST_BYTES:
        return None, too_big()
    try:
        # Editors on Windows write a byte order mark.
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as undecodable:
        line = content.count(b"\n", 0, undecodable.start) + 1
        return None, error(
            "not-utf-8",
            Place(f"line {line}"),
            f"Byte 0x{content[undecodable.start]:02x} is not UTF-8. Save the file as UTF-8.",
        )
    return _parse_json(text)


def content_of(source: str | bytes | Path) -> tuple[bytes, Finding | None]:
    """Return the bytes, of a file at most a byte more than is read; or a finding."""
    if isinstance(source, str):
        # The reader has a finding for lone surrogates; a plain encode() would raise here.
        return source.encode("utf-8", "surrogatepass"), None
    if isinstance(source, bytes):
        return source, None
    try:
        with source.open("rb") as file:
            return file.read(MOST_BYTES + 1), None
    except OSError as problem:
        return b"", unreadable(problem)


def unreadable(problem: OSError) -> Finding:
    reason = problem.strerror or type(problem).__name__
    return error("unreadable-file", Place(), f"The file cannot be read: {reason}. Check its name.")


def _parse_json(text: str) -> tuple[Any, Finding | None]:
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_float=Decimal,
            # A Decimal is fast at any length, and readers of integers reject it.
            parse_int=lambda digits: int(digits) if len(digits) <= _LONGEST_WHOLE else Decimal(digits),
            parse_constant=_refuse,
        ), None
    except json.JSONDecodeError as problem:
        return None, error(
            "invalid-json",
            Place(f"line {problem.lineno}, column {problem.colno}"),
            f"This is not JSON: {problem.msg}. Mend the file there.",
        )
    except ValueError as problem:
        place = _line_and_column(text, first_no_number(text))
        return None, error(
            "invalid-json", place, f"This is not JSON: {problem} is no number. Leave the key out."
        )
    except RecursionError:
        place = _line_and_column(text, first_beyond(text, DEEPEST))
        return None, error("too-deep", place, "Lists or objects are nested too deeply for an event file.")


def _line_and_column(text: str, at: int | None) -> Place:
    if at is None:
        return Place()
    line, column = Lines(text).position(at)
    return Place(f"line {line}, column {column}")


def _object(pairs: list[tuple[str, Any]]) -> Parsed:
    parsed = Parsed(pairs)
    if len(parsed) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        parsed.twice = tuple(name for name, count in counts.items() if count > 1)
    return parsed


def _refuse(constant: str) -> NoReturn:
    # NaN and Infinity, which Python reads, but JSON does not have.
    raise ValueError(constant)


def too_big() -> Finding:
    most = MOST_BYTES // 1024 // 1024
    return error(
        "too-big", Place(), f"The file is larger than {most} MB. A file must contain one event only."
    )
