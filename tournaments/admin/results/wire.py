"""Entries as a page sends them: JSON, of which nothing is believed."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from uuid import UUID

from tournaments.event.numbers import whole_number
from tournaments.recording.entries import ResultEntry

LONGEST_RESULT, LONGEST_REASON = 60, 10_000
HIGHEST_KEY, HIGHEST_BOARD, HIGHEST_VERSION = 2**63 - 1, 2**15 - 1, 2**31 - 1
MOST = 1_000
OF_NO_ROW = -1


class Malformed(ValueError):  # noqa: N818 - what it is, as Conflict and Refused are
    """Raised where something else than a list of entries comes: no page of ours sends that."""


def entries_of(sent: Any, epoch: str) -> list[ResultEntry]:
    """Return the entries in a decoded JSON list, read in that epoch; Malformed where one is none."""
    # The client sends at most a hundred at once; more is not ours.
    if not isinstance(sent, list) or len(sent) > MOST:
        raise Malformed
    return [_entry(each, epoch) for each in sent]


def version_text(version: int, epoch: str) -> str:
    """Return the version of a row as the script keeps and sends it: `5.EPOCH`."""
    return f"{version}.{epoch}"


def decoded(text: str | bytes) -> Any:
    """Return the value of a JSON text; Malformed where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise Malformed from fault


def encoded(entries: list[ResultEntry]) -> str:
    """Return entries as JSON, to be sent back by a form."""
    return json.dumps([{**asdict(each), "id": str(each.id)} for each in entries], ensure_ascii=False)


def result_typed(text: Any) -> str:
    """Return a typed result without what no result has: control characters, and more signs than any takes."""
    return "".join(sign for sign in str(text) if sign.isprintable())[:LONGEST_RESULT].strip()


def number_of(value: Any, highest: int, lowest: int = 0) -> int:
    """Return a whole number in its range; Malformed where it is none."""
    # True is an int in Python, and JSON has it.
    if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
        raise Malformed
    return value


def _version(sent: Any, epoch: str) -> int:
    """Return the version that was seen; that of another epoch is one that no row has, and so a conflict."""
    if not isinstance(sent, str):  # kept by a browser since before there were epochs
        return number_of(sent, HIGHEST_VERSION)
    version, _, of_epoch = sent.partition(".")
    seen = whole_number(version, HIGHEST_VERSION)
    if seen is None:
        raise Malformed
    return seen if of_epoch == epoch else OF_NO_ROW


def _entry(sent: Any, epoch: str) -> ResultEntry:
    if not isinstance(sent, Mapping):
        raise Malformed
    board = sent.get("board")
    return ResultEntry(
        _id(sent.get("id")),
        number_of(sent.get("pairing"), HIGHEST_KEY),
        None if board is None else number_of(board, HIGHEST_BOARD),
        result_typed(sent.get("text", "")),
        _version(sent.get("seen"), epoch),
        reason=str(sent.get("reason", ""))[:LONGEST_REASON],
    )


def _id(value: Any) -> UUID:
    try:
        return UUID(str(value))
    except ValueError as fault:
        raise Malformed from fault
