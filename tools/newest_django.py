"""Run pytest with the newest Django that pyproject.toml allows: `python tools/newest_django.py [ARGUMENT…]`.

The requirement files pin the LTS version. This creates a second environment from them, upgrades Django in it,
and runs pytest there. The upgrade has no hashes, because no file lists the newest version.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "newest-django" / ".venv"
PYTHON = FOLDER / "bin" / "python"
STAMP = FOLDER / "made.stamp"
OLDEST_PYTHON = (3, 12)
REQUIREMENTS = [ROOT / "requirements.txt", ROOT / "requirements-dev.txt"]
PIP = [str(PYTHON), "-m", "pip", "--disable-pip-version-check"]
INSTALL = [*PIP, "install", "--quiet", "--no-deps", "--only-binary", ":all:"]


def main(arguments: list[str]) -> int:
    """Run pytest in the environment and return its exit code; 0 if this Python is too old."""
    if sys.version_info[:2] < OLDEST_PYTHON:
        have, needed = (".".join(map(str, version)) for version in (sys.version_info[:2], OLDEST_PYTHON))
        print(f"The newest Django is not tested: it needs Python {needed}, and this is {have}.")
        return 0
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    make_environment(environment)
    subprocess.run([PYTHON, "-m", "django", "--version"], env=environment, check=True)
    return subprocess.run(
        [PYTHON, "-m", "pytest", *arguments], cwd=ROOT, env=environment, check=False
    ).returncode


def make_environment(environment: dict[str, str]) -> None:
    """Install the requirement files if they have changed, then upgrade Django."""
    digest = hashlib.sha256(sys.version.encode())
    for path in REQUIREMENTS:
        digest.update(path.read_bytes())
    if not STAMP.exists() or STAMP.read_text() != digest.hexdigest():
        shutil.rmtree(FOLDER, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", str(FOLDER)], env=environment, check=True)
        for path in REQUIREMENTS:
            subprocess.run([*INSTALL, "--require-hashes", "-r", str(path)], env=environment, check=True)
        STAMP.write_text(digest.hexdigest())
    subprocess.run([*INSTALL, "--upgrade", allowed_django()], env=environment, check=True)
    subprocess.run([*PIP, "check"], env=environment, check=True)


def allowed_django() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return next(str(each) for each in project["dependencies"] if each.startswith("django>"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
