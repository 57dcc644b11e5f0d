"""`crosstable update` of a server (deploy/crosstable): what it starts and reports if a step fails."""

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "deploy" / "crosstable"
STUBS = {
    "id": "echo 0",
    "sleep": "exit 0",
    "systemctl": 'echo "systemctl $*" >> log',
    "curl": "grep --quiet --line-regexp --file=lib/version ready",
    "setpriv": 'shift 3; exec "$@"',
}
"""Programs of the system. The site answers if the file `ready` contains the installed version."""

DJANGO = """
version=$(cat lib/version)
shift 3
echo "$version $*" >> log
case "$*" in
    *--restore*) test -e restorable ;;
    update*) touch backups/crosstable-20261128T120000Z.dump; exit "$(cat update)" ;;
esac
"""
OLD = "backups/crosstable-20261127T120000Z.dump"
NEW = "backups/crosstable-20261128T120000Z.dump"


@pytest.fixture
def server(tmp_path: Path) -> Path:
    """A server after the package of 1.1.0 has been unpacked over 1.0.0."""
    text = SCRIPT.read_text()
    for path, name in {
        "/usr/lib/crosstable": "lib",
        "/var/backups/crosstable": "backups",
        "/var/cache/crosstable/locks": "locks",
        "/etc/crosstable.env": "env",
    }.items():
        text = text.replace(path, name)
    programs = STUBS | {"crosstable": text.partition("\n")[2]}
    for version, lib in (("1.0.0", "lib.before"), ("1.1.0", "lib")):
        programs |= {f"{lib}/bin/python": DJANGO, f"{lib}/bin/crosstable": f"echo {version}"}
        (tmp_path / lib / "bin").mkdir(parents=True)
        (tmp_path / lib / "version").write_text(f"{version}\n")
        (tmp_path / lib / "site.env").touch()
    for name, program in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh -e\n{program}\n")
        (tmp_path / name).chmod(0o755)
    for folder in ("backups", "locks"):
        (tmp_path / folder).mkdir()
    (tmp_path / "env").write_text("ALLOWED_HOSTS=crosstable.example\n")
    (tmp_path / OLD).touch()
    return tmp_path


def run_update(server: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["./crosstable", "update"],
        cwd=server,
        env={"PATH": f"{server}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def log_of(server: Path) -> list[str]:
    return (server / "log").read_text().splitlines()


def test_update_removes_the_copy_of_the_previous_version(server: Path) -> None:
    (server / "update").write_text("0")
    (server / "ready").write_text("1.1.0\n")
    done = run_update(server)
    assert (done.returncode, done.stderr) == (0, "")
    assert log_of(server) == [
        "systemctl stop crosstable-worker.service",
        "1.1.0 collectstatic --no-input --verbosity 0",
        "1.1.0 update --closed backups",
        "systemctl restart crosstable.service",
        "1.1.0 update_lists",
        "systemctl start crosstable-worker.service",
    ]
    assert not (server / "lib.before").exists()


@pytest.mark.parametrize(
    ("code", "ready", "is_restorable", "report"),
    [
        pytest.param(1, "1.0.0", True, "runs with the previous version and its data: 1.0.0", id="migration"),
        pytest.param(0, "1.0.0", True, "runs with the previous version and its data: 1.0.0", id="restart"),
        pytest.param(3, "1.0.0", True, "runs with the previous version and its data: 1.0.0", id="both"),
        pytest.param(0, "1.0.0", False, "runs with the previous version and the migrated data", id="restore"),
        pytest.param(0, "", False, f"then run: crosstable restore {NEW}", id="nothing works"),
        pytest.param(1, "", True, "then run: systemctl restart crosstable.service", id="no answer"),
    ],
)
def test_update_that_fails_starts_the_previous_version(
    server: Path, code: int, ready: str, is_restorable: bool, report: str
) -> None:
    (server / "update").write_text(str(code))
    (server / "ready").write_text(f"{ready}\n")
    if is_restorable:
        (server / "restorable").touch()
    done = run_update(server)
    assert done.returncode == 1
    assert report in done.stderr
    restore = f"1.0.0 update --closed --restore {NEW} backups"
    assert log_of(server)[-4 if code == 1 else -5 :] == [
        "systemctl restart crosstable.service" if code == 0 else "1.1.0 update --closed backups",
        *([] if code == 1 else [restore]),
        "1.0.0 collectstatic --no-input --verbosity 0",
        "systemctl restart crosstable.service",
        "systemctl start crosstable-worker.service",
    ]
    assert [each.name for each in server.glob("lib*")] == ["lib"]


def test_update_without_a_previous_version_reports_that_the_site_does_not_answer(server: Path) -> None:
    (server / "lib.before").rename(server / "elsewhere")
    (server / "update").write_text("0")
    (server / "ready").touch()
    done = run_update(server)
    assert (done.returncode, log_of(server)[-1]) == (1, "systemctl start crosstable-worker.service")
    assert "journalctl --unit=crosstable.service" in done.stderr
