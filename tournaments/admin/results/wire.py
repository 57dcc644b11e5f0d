"""Typed results as JSON. Input is never trusted."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from tournaments.admin.wire import HIGHEST_KEY, id_of, list_of, number_of, version_of
from tournaments.recording.results.submissions import SubmittedResult

LONGEST_RESULT, LONGEST_REASON = 60, 10_000
HIGHEST_BOARD = 2**15 - 1


def parse_results(sent: Any, epoch: str) -> list[SubmittedResult]:
    """Return the entries of a decoded JSON list, with versions of that epoch.

    Raise Malformed if an entry is invalid.
    """
    return list_of(sent, lambda each: parse_result(each, epoch))


def results_json(entries: list[SubmittedResult]) -> str:
    return json.dumps([{**asdict(each), "id": str(each.id)} for each in entries], ensure_ascii=False)


def printable_result(text: Any) -> str:
    """Return a typed result without control characters, cut to the maximum length."""
    return "".join(sign for sign in str(text) if sign.isprintable())[:LONGEST_RESULT].strip()


def parse_result(sent: Mapping[str, Any], epoch: str) -> SubmittedResult:
    """Return an entry, with versions of that epoch. Raise Malformed if it is invalid."""
    board = sent.get("board")
    return SubmittedResult(
        id_of(sent.get("id")),
        number_of(sent.get("pairing"), HIGHEST_KEY),
        None if board is None else number_of(board, HIGHEST_BOARD),
        printable_result(sent.get("text", "")),
        version_of(sent.get("seen"), epoch),
        reason=str(sent.get("reason", ""))[:LONGEST_REASON],
    )
