"""`make release`: which checkouts are refused, and the files of a release with their signature."""

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.programs import need
from tools.release import NotReleasedError, make_release, version_to_release

CHANGELOG = "# Changelog\n\n## Unreleased\n\n## 1.2.0 – 2026-11-28\n\n- A line.\n\n## 1.1.0 – 2026-11-01\n"
PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "crosstable"
requires-python = ">=3.11"
version = "1.2.0"
[tool.hatch.build.targets.wheel]
packages = ["config"]
"""
PACKAGE = '#!/bin/sh -e\necho "of $(basename "$1")" > "$2/crosstable_1.2.0_amd64.deb"\n'
"""Replaces the script that builds the Debian package, which takes minutes (tools/drills/deployment.py)."""

KEY = "release@crosstable.example"


def git(root: Path, *command: str) -> None:
    author = ["-c", "user.name=Anna", "-c", "user.email=anna@crosstable.example"]
    subprocess.run(["git", *author, *command], cwd=root, check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    files = {
        "config/__init__.py": '__version__ = "1.2.0"\n',
        "CHANGELOG.md": CHANGELOG,
        "pyproject.toml": PROJECT,
        "deploy/package": PACKAGE,
        ".gitignore": "build/\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "deploy/package").chmod(0o755)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message=Release")
    return tmp_path


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A new key in a folder of its own."""
    need("gpg")
    with tempfile.TemporaryDirectory(prefix="gpg-") as folder:  # a short path, because it contains a socket
        monkeypatch.setenv("GNUPGHOME", folder)
        new = ["gpg", "--batch", "--quiet", "--passphrase", "", "--quick-gen-key", KEY, "default", "default"]
        subprocess.run(new, check=True, capture_output=True)
        yield KEY
        subprocess.run(["gpgconf", "--kill", "all"], check=False)


def test_release_has_checksums_and_a_signature(checkout: Path, key: str) -> None:
    folder = make_release(checkout, key)

    files = {"crosstable-1.2.0.tar.gz", "crosstable-1.2.0-py3-none-any.whl", "crosstable_1.2.0_amd64.deb"}
    assert {each.name for each in folder.iterdir()} == files | {"SHA256SUMS", "SHA256SUMS.asc"}
    for check in (
        ["sha256sum", "--check", "SHA256SUMS"],
        ["gpg", "--verify", "SHA256SUMS.asc", "SHA256SUMS"],
    ):
        subprocess.run(check, cwd=folder, check=True, capture_output=True)
    assert all(name in (folder / "SHA256SUMS").read_text() for name in files)
    (folder / "SHA256SUMS").write_text("changed")
    with pytest.raises(subprocess.CalledProcessError):
        subprocess.run(check, cwd=folder, check=True, capture_output=True)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (CHANGELOG.replace("1.2.0", "1.3.0"), r"needs a section “## 1\.2\.0"),
        (CHANGELOG.replace(" – 2026-11-28", ""), "needs a section"),
        (CHANGELOG.replace("2026-11-28", "2026-13-28"), "needs a section"),
        (CHANGELOG.replace("## Unreleased\n", "## Unreleased\n\n- A later line.\n"), "under “Unreleased”"),
    ],
)
def test_version_needs_a_dated_section_with_all_changes(checkout: Path, text: str, reason: str) -> None:
    (checkout / "CHANGELOG.md").write_text(text)
    git(checkout, "commit", "--quiet", "--all", "--message=Change")
    with pytest.raises(NotReleasedError, match=reason):
        version_to_release(checkout)


def test_changed_files_are_not_released(checkout: Path) -> None:
    (checkout / "new.py").write_text("")
    with pytest.raises(NotReleasedError, match=r"Commit these files first:\n.*new\.py"):
        version_to_release(checkout)


def test_version_is_released_once(checkout: Path) -> None:
    git(checkout, "tag", "v1.2.0")
    assert version_to_release(checkout) == "1.2.0"
    git(checkout, "commit", "--quiet", "--allow-empty", "--message=Later")
    with pytest.raises(NotReleasedError, match="from another commit"):
        version_to_release(checkout)
