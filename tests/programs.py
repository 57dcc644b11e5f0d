"""Skip a test if a program that it starts is missing on this machine, and count the skipped tests."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.terminal import TerminalReporter

from tools import prerequisites

SKIPPED = "Skipped: needs "


def need(*names: str) -> str:
    """Return the path of the first program. Skip the test if any is missing; with COMPLETE=1, fail it.

    The names are those of PACKAGES in tools/prerequisites.py.
    """
    missing = [name for name in names if not prerequisites.find(name)]
    if missing:
        packages = " ".join(prerequisites.packages_of(missing))
        reason = f"needs {' and '.join(missing)} (Debian: apt-get install {packages})"
        if prerequisites.is_complete():
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    return prerequisites.find(names[0]) or ""


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: TerminalReporter) -> Iterator[None]:
    """Print how many tests were skipped because of missing programs, after everything else.

    The reasons are added to the file SKIPPED_TESTS, for the last lines of several runs of pytest.
    """
    skipped = [
        each for each in terminalreporter.stats.get("skipped", []) if each.longrepr[2].startswith(SKIPPED)
    ]
    reasons = [each.longrepr[2].removeprefix("Skipped: ") for each in skipped]
    for report, reason in zip(skipped, reasons, strict=True):
        report.longrepr = (__file__, None, reason)  # pytest prints a line for equal reasons
    if reasons and (path := os.environ.get("SKIPPED_TESTS")):
        Path(path).parent.mkdir(exist_ok=True)
        with Path(path).open("a", encoding="utf-8") as file:
            file.writelines(f"{reason}\n" for reason in reasons)
    yield
    for line in prerequisites.skipped_summary(reasons):
        terminalreporter.write_line(line, yellow=True)
