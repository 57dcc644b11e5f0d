"""Shared by the fuzz tests: the number of inputs, how files are damaged, and checks of findings.

CI runs a few inputs, the same each time; `FUZZ_INPUTS=20000` is the long run (docs/import.md).
"""

import json
import os
from collections.abc import Iterable
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tournaments.event.finding import Finding, errors

INPUTS = int(os.environ.get("FUZZ_INPUTS", "30"))  # inputs for each property

long_enough = settings(
    max_examples=INPUTS,
    deadline=None,
    derandomize=True,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.function_scoped_fixture,
        HealthCheck.data_too_large,
    ],
)

NO_PLACE = {
    *("broken-archive", "nested-archive", "too-big", "unknown-format", "table-without-event"),
    *("too-many-findings", "too-deep", "not-a-report"),
    *(
        "encrypted",
        "macros",
        "too-large-a-sheet",
        "too-large-a-page",
        "unreadable-workbook",
        "unreadable-table",
    ),
    *("empty-table", "unknown-table", "missing-column", "no-games"),
}
"""Codes of findings about a file, sheet or table as such. A sheet is named if there are several."""

VALUES: list[Any] = [
    None, True, -1, 0, 3, 1e9, 0.25, 10**30, "", "x", "1-0", "a\x00b", "\ud800", [], {}, [1], "☃" * 300,
]  # fmt: skip


def said(findings: Iterable[Finding]) -> None:
    """Check that findings have a message, and errors a place."""
    for each in findings:
        assert each.code
        assert each.message.endswith((".", "?")), each
    for each in errors(tuple(findings)):
        assert each.where or each.code in NO_PLACE, each


def damaged(draw: Any, content: bytes) -> bytes:
    """Return the bytes with some replaced, removed or inserted."""
    raw = bytearray(content)
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, max(len(raw) - 1, 0)))
        until = at + draw(st.integers(0, 8))
        raw[at:until] = draw(st.binary(max_size=8))
    return bytes(raw)


def changed(draw: Any, content: bytes) -> bytes:
    """Return an event file with a value replaced by another one."""
    value = json.loads(content)
    parent, here = None, value
    key: Any = None
    while isinstance(here, dict | list) and here and draw(st.integers(0, 6)):
        parent, key = (
            here,
            draw(st.sampled_from(sorted(here) if isinstance(here, dict) else range(len(here)))),
        )
        here = here[key]
    if parent is not None:
        parent[key] = draw(st.sampled_from(VALUES))
    return json.dumps(value).encode()
