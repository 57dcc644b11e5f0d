"""Rules for every file."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from pkgutil import resolve_name

import pytest

ROOT = Path(__file__).resolve().parent.parent
NOT_OURS = {".git", ".venv", "__pycache__", "staticfiles", "build", "test-results"}
REQUIREMENTS = ["requirements.txt", "requirements-dev.txt"]

SAYS_NOTHING = {"util", "utils", "helper", "helpers", "common", "misc", "manager", "managers", "handlers"}

WITHOUT_DJANGO = """
import sys
for name in ("django", "config", "tournaments"):
    sys.modules[name] = None  # makes every import of it fail
import standings.engine
"""


def our_files() -> Iterator[Path]:
    """Every file of the tree that is not generated."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in NOT_OURS and not name.endswith("_cache")]
        yield from (Path(folder, name) for name in names if not name.startswith("db.sqlite3"))


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_every_requirement_has_its_version_and_hashes(name: str) -> None:
    requirements = (ROOT / name).read_text().replace("\\\n", " ").splitlines()

    assert requirements
    for requirement in requirements:
        assert re.fullmatch(r"[\w.\[\],-]+==\S+( ; [^#]+?)?(\s+--hash=sha256:[0-9a-f]{64})+", requirement)


def test_the_engine_needs_neither_django_nor_the_record() -> None:
    subprocess.run([sys.executable, "-c", WITHOUT_DJANGO], cwd=ROOT, check=True)


def test_no_line_of_a_template_is_too_long_to_read() -> None:
    lines = [
        (file.name, line)
        for file in our_files()
        if file.suffix == ".html" and "templates" in file.parts
        for line in file.read_text().splitlines()
    ]

    assert lines
    assert [line for line in lines if len(line[1]) > 160] == []


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [file for file in our_files() if file.suffix == ".py" and file.stem in SAYS_NOTHING] == []


def test_every_program_that_the_site_starts_has_a_deadline() -> None:
    starts = re.compile(r"subprocess\.(?:run|check_output|check_call|call)\((?:[^()]|\([^()]*\))*\)")
    folders = ("config", "standings", "tournaments")
    sources = [path.read_text() for name in folders for path in (ROOT / name).rglob("*.py")]

    assert sources
    assert [each for source in sources for each in starts.findall(source) if "timeout=" not in each] == []


def test_what_the_architecture_points_at_is_there() -> None:
    table = (ROOT / "docs/architecture.md").read_text().partition("## Where is")[2].partition("\n## ")[0]
    names = re.findall(r"`([\w.]+)`", table)

    assert len(names) >= 7
    for name in names:
        resolve_name(name)  # AttributeError or ImportError if it is missing
