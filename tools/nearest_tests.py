"""Run the tests nearest to the changes, for `make check`.

    python -m tools.nearest_tests [--base origin/main] [--seconds 60] [--list]

Changes are the commits since BASE and all uncommitted changes. The nearest tests of a module mirror its path
or import it. Those of a template or document name it, or mirror a module that names it. Exhaustive tests are
left out, and browser tests unless they changed themselves. After SECONDS no further test starts; the last
line has the number of tests that were left out.
"""

import argparse
import re
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
BROWSER = TESTS / "browser"
PRODUCT = ("config", "standings", "tournaments")
MIRRORS = {
    "tournaments/admin": "desk",
    "tournaments/migrations": "tournaments/upgrading",
    "tournaments/people/views": "desk",
    "standings/engine": "engine",
    "config/trace": "trace",
    "static/js": "js",
}
"""Folders of the product whose tests are in a folder of another name. Others are in tests/FOLDER."""

OTHER_KINDS = {".js": "tests/js", ".po": "tests/standings/test_translation.py"}

SHARED: tuple[str, ...] = (
    "tests/cast.py",
    "tests/conftest.py",
    "tests/databases.py",
    "tests/settings.py",
    "tests/demo.py",
    "tests/replay.py",
)
SHARED += ("pyproject.toml", "requirements.txt", "requirements-dev.txt", "config/settings.py")
SHARED += ("config/urls.py", "tournaments/models", "templates/base.html")
"""Files and folders that all tests depend on. If one changes, SAMPLE is run."""

EVERY_PAGE = ("tests/standings/serving/test_every_address.py",)
"""The tests that request every public URL."""

SAMPLE = (
    *EVERY_PAGE,
    "tests/test_layout.py",
    "tests/engine/test_systems.py",
    "tests/tournaments/recording/events/test_rules.py",
    "tests/tournaments/operations/test_revision.py",
    "tests/desk/test_rounds.py",
    "tests/standings/test_services.py",
)


class TimeLimit:
    """Skips the tests that have not started in time."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.left_out = 0
        self._start = 0.0

    def pytest_collection_finish(self) -> None:
        """Start the clock when the first test is about to start."""
        self._start = time.monotonic()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self) -> bool | None:
        """Return True, which means done, for a test after the limit."""
        if time.monotonic() - self._start < self.seconds:
            return None
        self.left_out += 1
        return True

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.left_out:
            terminalreporter.write_line(f"{self.left_out} more tests were left to `make test`: time is up.")


def changed_files(base: str) -> set[str]:
    known = _git("rev-parse", "--verify", "--quiet", base, check=False)
    fork = _git("merge-base", base, "HEAD")[0] if known else "HEAD"
    return {*_git("diff", "--name-only", fork), *_git("ls-files", "--others", "--exclude-standard")}


def nearest_tests(changed: Iterable[str]) -> list[str]:
    found: dict[str, None] = {}
    for path in sorted(changed, key=lambda path: not path.startswith("tests/")):
        found |= dict.fromkeys(SAMPLE if path.startswith(SHARED) else _nearest(Path(path)))
    return [path for path in found if (ROOT / path).exists()]


def _nearest(path: Path) -> Iterable[str]:
    if path.suffix in OTHER_KINDS:
        return [OTHER_KINDS[path.suffix]]
    if path.suffix != ".py":
        if path.parts[0] != "templates":
            return _test_modules(rf"\b{re.escape(path.name)}")
        users = _modules(rf"""["'/]{path.stem}([.]html)?["']""", *PRODUCT)
        return [*EVERY_PAGE, *(test for user in users for test in _nearest(Path(user)))]
    if path.name.startswith("test_"):
        return [str(path)]
    package, _, name = ".".join(path.with_suffix("").parts).removesuffix(".__init__").rpartition(".")
    importers = _test_modules(rf"^ *((from|import) {package}\.{name}\b|from {package} import .*\b{name}\b)")
    product = next((each for each in MIRRORS if path.is_relative_to(each)), "")
    folder = TESTS / MIRRORS.get(product, "") / path.relative_to(product).parent
    patterns = [(folder, path.stem), (folder.parent, path.stem), (folder.parent, folder.name)]
    mirrors = [test for place, start in patterns for test in sorted(place.glob(f"test_{start}*.py"))]
    found = [*mirrors, *(ROOT / test for test in importers)] or sorted(folder.glob("test_*.py"))
    return [str(test.relative_to(ROOT)) for test in found if BROWSER not in test.parents]


def _test_modules(pattern: str) -> list[str]:
    found = _modules(pattern, "tests", ":!tests/browser")
    return [path for path in found if Path(path).name.startswith("test_")]


def _modules(pattern: str, *places: str) -> list[str]:
    found = _git("grep", "-lP", "--untracked", pattern, "--", *places, check=False)
    return [path for path in found if path.endswith(".py")]


def _git(*arguments: str, check: bool = True) -> list[str]:
    done = subprocess.run(
        ["git", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=check,
    )
    return done.stdout.split("\n")[:-1] if done.returncode == 0 else []


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.nearest_tests", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--base", default="origin/main")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--list", action="store_true", help="print the paths only")
    options = parser.parse_args()
    paths = nearest_tests(changed_files(options.base))
    if options.list or not paths:
        print(*(paths or ["No test is near to what changed."]), sep="\n")
        return 0
    code = pytest.main(["-q", "--maxfail=10", "-m", "not exhaustive", *paths], [TimeLimit(options.seconds)])
    return 0 if code == pytest.ExitCode.NO_TESTS_COLLECTED else int(code)


if __name__ == "__main__":
    sys.exit(main())
