"""`make run` in a new clone: every supported Python, a folder with a space, an unprivileged user."""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tools.drills.servers import free_port
from tools.withpg import is_open_to_all

pytestmark = pytest.mark.exhaustive
ROOT = Path(__file__).parents[2]
SECONDS = 1800
"""Timeout for the downloads and the first start on a loaded machine."""


def find_python(version: str) -> Path | None:
    """Return a Python of this version that every user can run, else one for this user only."""
    name = f"python{version}"
    places = [
        Path("/usr/bin"),
        Path(sys.base_prefix) / "bin",
        *Path.home().glob(f".pyenv/versions/{version}.*/bin"),
    ]
    if elsewhere := shutil.which(name):
        places.append(Path(elsewhere).parent)
    works = [each / name for each in places if _has_venv(each / name)]
    return next(filter(is_open_to_all, works), works[0] if works else None)


def _has_venv(python: Path) -> bool:
    with suppress(OSError):
        return (
            subprocess.run([python, "-c", "import ensurepip"], capture_output=True, check=False).returncode
            == 0
        )
    return False


class Clone:
    """A clone of the last commit and its user: the user nobody instead of root, if it can run the Python."""

    def __init__(self, folder: Path, python: Path) -> None:
        self.folder, self.python, self.port = folder / "a clone", python, free_port()
        self.user = pwd.getpwnam("nobody") if os.geteuid() == 0 and is_open_to_all(python) else None
        self.log = folder / "log"
        subprocess.run(["git", "clone", "--quiet", ROOT, self.folder], check=True)
        if self.user:
            for path in (folder, *folder.rglob("*")):
                os.chown(path, self.user.pw_uid, self.user.pw_gid, follow_symlinks=False)

    @contextmanager
    def run(self) -> Iterator["subprocess.Popen[bytes]"]:
        """Start `make run`; at the end, kill all its processes."""
        keep = {
            name: value
            for name, value in os.environ.items()
            if name.startswith(("PIP_", "SSL_", "LANG", "PATH"))
        }
        owner = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}
        with self.log.open("wb") as log:
            process = subprocess.Popen(
                ["make", "run", f"PORT={self.port}", f"PYTHON={self.python}"],
                cwd=self.folder,
                env=keep | {"HOME": str(self.folder.parent)},
                stdout=log,
                stderr=log,
                start_new_session=True,
                **owner,  # type: ignore[call-overload] # mypy does not know the types of a dict's values
            )
        try:
            yield process
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def wait(self, process: "subprocess.Popen[bytes]", condition: Callable[[], bool]) -> None:
        """Wait for the condition; fail with the log if the process ends before."""
        end = time.monotonic() + SECONDS
        while not condition():
            assert process.poll() is None, self.log.read_text()
            assert time.monotonic() < end, self.log.read_text()
            time.sleep(0.2)

    def serves(self) -> bool:
        """Return whether the home page responds."""
        with suppress(URLError, ConnectionError), urlopen(f"http://127.0.0.1:{self.port}/") as page:
            return bool(page.status == 200)
        return False


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with access for every user, unlike pytest's."""
    folder = Path(tempfile.mkdtemp(prefix="fresh-", dir="/tmp"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_site_starts_after_an_interruption_and_keeps_the_accounts(version: str, folder: Path) -> None:
    python = find_python(version)
    if python is None:
        pytest.skip(f"needs Python {version} with venv")
    clone = Clone(folder, python)
    packages = clone.folder / ".venv" / "lib" / f"python{version}" / "site-packages"

    with clone.run() as first:
        clone.wait(first, (packages / "django").exists)
    with clone.run() as second:
        clone.wait(second, clone.serves)
    assert "organiser: " in clone.log.read_text()
    with clone.run() as third:
        clone.wait(third, clone.serves)

    log = clone.log.read_text()
    assert "organiser: " not in log
    assert "The demo events exist already and are not changed." in log
