"""The unit tests of the scripts: those of static/js/NAME.js are in NAME.test.js here, and Node runs them.

Node comes with Playwright, which `make test` installs.
"""

import re
import subprocess
from functools import cache
from pathlib import Path

import playwright
import pytest

from tests.programs import need

HERE = Path(__file__).parent
SCRIPTS = HERE.parents[1] / "static/js"
NODE = Path(playwright.__file__).parent / "driver/node"
COMMAND = [str(NODE), "--test-reporter=tap", "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"]

DECLARED = re.compile(r'^test\("([^"]+)"', re.MULTILINE)
EXPORT = re.compile(r"^export |^  else globalThis\.archive = ", re.MULTILINE)
"""What others can import; or, of a script that is no module, what it gives its tests."""
REPORTED = re.compile(r"^(ok|not ok) \d+ - (.+)$", re.MULTILINE)

FILES = {file.relative_to(HERE).as_posix(): file for file in sorted(HERE.rglob("*.test.js"))}
CASES = [(name, test) for name, file in FILES.items() for test in DECLARED.findall(file.read_text())]


@pytest.fixture(scope="module", autouse=True)
def node() -> None:
    """Assert that Node starts."""
    need("libatomic")
    found = subprocess.run([NODE, "--version"], capture_output=True, text=True, timeout=60, check=False)
    assert found.returncode == 0, found.stderr


@cache
def report_of(name: str) -> tuple[dict[str, str], str]:
    """Run a file of tests; return "ok" or "not ok" for each test, and all that was printed."""
    command = [*COMMAND, str(FILES[name])]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return {test: verdict for verdict, test in REPORTED.findall(run.stdout)}, run.stdout + run.stderr


@pytest.mark.parametrize(("name", "test"), CASES, ids=[" ".join(case) for case in CASES])
def test_script(name: str, test: str) -> None:
    verdicts, printed = report_of(name)
    assert verdicts.get(test) == "ok", printed


@pytest.mark.parametrize("name", FILES)
def test_no_test_is_left_out(name: str) -> None:
    verdicts, printed = report_of(name)
    assert list(verdicts) == [test for file, test in CASES if file == name], printed


def test_every_module_that_others_import_has_tests() -> None:
    modules = [path for path in SCRIPTS.rglob("*.js") if EXPORT.search(path.read_text())]
    assert {f"{path.relative_to(SCRIPTS).with_suffix('')}.test.js" for path in modules} == FILES.keys()
