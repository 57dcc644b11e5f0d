"""Only a browser test runs once more after a failure, and it is listed if it then passes."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CONFTEST = """
from tests.browser.flaky import pytest_terminal_summary, rerun_once

def pytest_collection_modifyitems(items, config):
    rerun_once([item for item in items if "browser" in item.path.parts], config)
"""
COUNT = """
from pathlib import Path
import pytest

def count_run(name):
    path = Path(name + ".runs")
    path.write_text(path.read_text() + "x" if path.exists() else "x")
    return len(path.read_text())
"""
PASSES_AT_LAST = """
def test_call():
    assert count_run("call") == 2

@pytest.fixture
def checked():
    yield
    assert count_run("teardown") == 2

def test_teardown(checked):
    pass

def test_stable():
    assert count_run("stable") == 1
"""
FAILS = """
def test_broken():
    assert count_run("broken") == 0
"""
NO_BROWSER = """
def test_plain():
    assert count_run("plain") == 2
"""

XDIST = pytest.mark.parametrize(
    "workers",
    [pytest.param([], id="one process", marks=pytest.mark.exhaustive), pytest.param(["-n", "2"], id="xdist")],
)
"""`make test` uses xdist."""


def run(folder: Path, arguments: list[str], **files: str) -> subprocess.CompletedProcess[str]:
    """Write the files FOLDER__NAME, and run their folders."""
    (folder / "browser").mkdir()
    (folder / "browser" / "conftest.py").write_text(CONFTEST)
    for name, source in files.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(COUNT + source)
    plugins = ["-p", "xdist", "-p", "pytest_rerunfailures", "-p", "no:cacheprovider"]
    folders = sorted({name.split("__")[0] for name in files})
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-ra", *plugins, *arguments, *folders],
        cwd=folder,
        env=os.environ
        | {"PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def runs(folder: Path) -> dict[str, int]:
    """How often each test ran."""
    return {path.stem: len(path.read_text()) for path in folder.glob("*.runs")}


def flaky_in(output: str) -> list[str]:
    return re.findall(r"^FLAKY browser/test_browser\.py::(\w+)$", output, re.MULTILINE)


@XDIST
def test_browser_test_that_passes_the_second_time_is_listed_last(tmp_path: Path, workers: list[str]) -> None:
    done = run(tmp_path, workers, browser__test_browser=PASSES_AT_LAST)

    assert done.returncode == 0, done.stdout + done.stderr
    assert runs(tmp_path) == {"call": 2, "teardown": 2, "stable": 1}
    *_, heading, first, second, totals = done.stdout.splitlines()
    assert "2 flaky: failed, then passed" in heading
    assert sorted(flaky_in(f"{first}\n{second}")) == ["test_call", "test_teardown"]
    assert "2 rerun" in totals
    assert 'assert count_run("call") == 2' in done.stdout  # the first failure can be read


@XDIST
def test_second_failure_fails_the_run_and_other_tests_run_once(tmp_path: Path, workers: list[str]) -> None:
    done = run(tmp_path, workers, browser__test_browser=PASSES_AT_LAST + FAILS, plain__test_plain=NO_BROWSER)

    assert done.returncode == 1, done.stdout + done.stderr
    assert runs(tmp_path) == {"call": 2, "teardown": 2, "stable": 1, "broken": 2, "plain": 1}
    assert sorted(flaky_in(done.stdout)) == ["test_call", "test_teardown"]
    assert "FAILED browser/test_browser.py::test_broken" in done.stdout
    assert "FAILED plain/test_plain.py::test_plain" in done.stdout


def test_browser_tests_under_a_debugger_run_once(tmp_path: Path) -> None:
    done = run(tmp_path, ["--pdb"], browser__test_browser=FAILS)

    assert done.returncode != 0
    assert runs(tmp_path) == {"broken": 1}


def test_this_test_would_not_be_rerun(request: pytest.FixtureRequest) -> None:
    assert request.node.get_closest_marker("flaky") is None
