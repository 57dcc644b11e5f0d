"""Preparations that the processes of a run share: compiled tests and the migrated database."""

import subprocess
import sys
from pathlib import Path

import pytest
from _pytest.assertion import rewrite

ROOT = Path(__file__).resolve().parent.parent


def compile_share(config: pytest.Config, number: int, count: int) -> None:
    """Rewrite the assertions of every so many test modules, as their import would.

    In a fresh clone each process would rewrite all of them, for 17 seconds, because all import the same
    module at the same time.
    """
    if sys.dont_write_bytecode:
        return
    state = config.stash[rewrite.assertstate_key]
    for path in sorted((ROOT / "tests").rglob("test_*.py"))[number::count]:
        folder = rewrite.get_cache_dir(path)
        compiled = folder / f"{path.stem}{rewrite.PYC_TAIL}"
        if rewrite._read_pyc(path, compiled) is None:
            folder.mkdir(parents=True, exist_ok=True)
            source, code = rewrite._rewrite_test(path, config)
            rewrite._write_pyc(state, code, source, compiled)


class MigratingProcess:
    """Makes the template of the test databases while the workers collect the tests.

    Otherwise the first worker that needs it would create it while the other waits.
    """

    def pytest_sessionstart(self) -> None:
        self.process = subprocess.Popen([sys.executable, "-m", "tests.databases"], cwd=ROOT)

    def pytest_sessionfinish(self) -> None:
        self.process.wait()
