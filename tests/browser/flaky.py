"""Run a failed browser test once more, and list the tests that passed only then."""

from collections.abc import Generator, Iterable

import pytest

LONGEST = 80
"""Lines of a failure; Playwright may print thousands."""


def rerun_once(items: Iterable[pytest.Item], config: pytest.Config) -> None:
    """Let pytest-rerunfailures rerun these tests once if they fail."""
    if config.option.usepdb:
        return  # the plugin refuses to rerun under a debugger
    for item in items:
        item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(wrapper=True, tryfirst=True)  # around pytest's own wrapper, which prints the short summary
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Generator[None]:
    """Print the flaky tests last, after their first failures."""
    yield
    failed = {
        report.nodeid for kind in ("failed", "error") for report in terminalreporter.stats.get(kind, [])
    }
    first_failures = {
        report.nodeid: report
        for report in terminalreporter.stats.get("rerun", [])
        if report.nodeid not in failed
    }
    if not first_failures:
        return
    terminalreporter.section("first failures of flaky tests", yellow=True)
    for name, report in first_failures.items():
        terminalreporter.write_sep("_", name, yellow=True)
        for line in report.longreprtext.splitlines()[:LONGEST]:
            terminalreporter.write_line(line)
    count = len(first_failures)
    terminalreporter.section(f"{count} flaky: failed, then passed", yellow=True, bold=True)
    for name in first_failures:
        terminalreporter.write_line(f"FLAKY {name}", yellow=True)
