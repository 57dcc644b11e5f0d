"""The newest Django is tested in a separate environment, or the reason is printed."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tools import newest_django


class Commands:
    """Records commands without running them; `python -m venv` creates its folder."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, command: list[Any], **_: Any) -> "subprocess.CompletedProcess[str]":
        words = [str(each) for each in command]
        self.lines.append(" ".join(words[1:]))
        if words[1:3] == ["-m", "venv"]:
            Path(words[3]).mkdir(parents=True)
        return subprocess.CompletedProcess(command, 3 if "pytest" in words else 0)


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Commands:
    commands = Commands()
    monkeypatch.setattr(subprocess, "run", commands)
    monkeypatch.setattr(newest_django, "FOLDER", tmp_path / "a folder" / ".venv")
    monkeypatch.setattr(newest_django, "STAMP", tmp_path / "a folder" / ".venv" / "made.stamp")
    monkeypatch.setattr(sys, "version_info", (3, 12, 0))
    return commands


def test_old_python_leaves_it_out_and_gives_the_reason(
    commands: Commands, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 11, 9))

    assert newest_django.main([]) == 0

    assert commands.lines == []
    assert "needs Python 3.12, and this is 3.11" in capsys.readouterr().out


def test_django_is_upgraded_after_the_requirement_files(commands: Commands) -> None:
    assert newest_django.main(["-q"]) == 3  # the exit code of pytest

    venv, site, dev, upgrade, check, version, tests = commands.lines
    assert venv.startswith("-m venv ")
    assert [line.rpartition("/")[2] for line in (site, dev)] == ["requirements.txt", "requirements-dev.txt"]
    assert "--require-hashes" in site
    assert upgrade.endswith("--upgrade django>=5.2,<7")
    assert check.endswith(" check")
    assert (version, tests) == ("-m django --version", "-m pytest -q")


def test_environment_is_kept_until_the_requirement_files_change(
    commands: Commands, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    files = [tmp_path / "requirements.txt"]
    files[0].write_text("django==5.2.1")
    monkeypatch.setattr(newest_django, "REQUIREMENTS", files)
    newest_django.main([])
    first = len(commands.lines)

    newest_django.main([])
    assert len(commands.lines) == first + 4  # upgrade, check, version, tests

    files[0].write_text("django==5.2.2")
    newest_django.main([])
    assert len(commands.lines) == 2 * first + 4
