"""Missing prerequisites are found before any download, and installed if possible."""

import ast
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import programs
from tools import prerequisites

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "tools" / "prerequisites.py"
STUB = """#!/bin/sh
echo "$(basename "$0") $*, policy: $(cat "$POLICY" 2>/dev/null | tail -n 1)" >>"$LOG"
if [ "$(basename "$0") $*" = "$FAILS" ]; then exit 100; fi
"""


@pytest.fixture
def new_clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prerequisites, "ROOT", tmp_path)
    monkeypatch.delenv("COMPLETE", raising=False)


@pytest.fixture
def busy_port() -> Iterator[int]:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        yield server.getsockname()[1]


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["prerequisites.py", *arguments])
    return prerequisites.main()


# --- Python and the port ------------------------------------------------------------------------------------


def test_python_3_6_can_read_the_script() -> None:
    tree = ast.parse(SCRIPT.read_text(), feature_version=(3, 6))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    annotations = [each.returns for each in functions] + [
        arg.annotation for f in functions for arg in f.args.args
    ]

    assert len(functions) > 10
    # Old versions accept a string or a name, but not `str | None` or list[str].
    assert all(isinstance(each, ast.Constant | ast.Name) for each in annotations)


def test_all_problems_of_run_are_in_one_message(
    new_clone: None, busy_port: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(prerequisites, "OLDEST_PYTHON", (3, 99))

    code = run(monkeypatch, "run", "--port", str(busy_port))

    message = capsys.readouterr().err
    assert code == 1
    assert "Version 3.99 or later is needed" in message
    assert f"Port {busy_port} is in use" in message


def test_missing_venv_is_named_with_its_package(
    new_clone: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(prerequisites, "_has_venv", lambda: False)
    monkeypatch.setattr(prerequisites, "system_ids", lambda: ["ubuntu", "debian"])

    code = run(monkeypatch, "setup")

    message = capsys.readouterr().err
    assert code == 1
    assert "has no venv module" in message
    assert prerequisites.venv_package() in message


def test_python_of_an_environment_that_exists_is_not_checked(
    new_clone: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prerequisites, "OLDEST_PYTHON", (3, 99))
    assert run(monkeypatch, "setup") == 1
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "made.stamp").touch()

    assert run(monkeypatch, "setup") == 0


def test_message_on_a_busy_port_names_its_process_and_a_free_port(
    busy_port: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(monkeypatch, "run", "--port", str(busy_port))

    message = capsys.readouterr().err
    free = int(message.rpartition("make run PORT=")[2])
    assert code == 1
    if sys.platform == "linux":
        assert f"by process {os.getpid()} " in message
    assert run(monkeypatch, "run", "--port", str(free)) == 0


@pytest.mark.parametrize("port", ["", "http", "0", "65536", "-1"])
def test_number_of_no_port_is_refused(port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, "run", f"--port={port}") == 1


# --- programs of the tests ----------------------------------------------------------------------------------


@pytest.fixture
def no_nginx(new_clone: None, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """A machine without nginx and Chromium, on which installing succeeds. Returns the installed packages."""
    missing = ["nginx", "chromium"]
    installed: list[list[str]] = []

    def install(packages: list[str], prefix: list[str]) -> bool:
        installed.append(packages)
        missing.clear()
        return True

    monkeypatch.setattr(prerequisites, "missing_programs", lambda: list(missing))
    monkeypatch.setattr(prerequisites, "install", install)
    monkeypatch.setattr(prerequisites, "root_prefix", list)
    return installed


def test_debian_installs_missing_programs(
    no_nginx: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(prerequisites, "system_ids", lambda: ["debian"])
    monkeypatch.setenv("COMPLETE", "1")

    assert run(monkeypatch, "test") == 0

    assert no_nginx == [["nginx-light", "chromium-headless-shell"]]
    assert capsys.readouterr() == ("", "")


def test_old_python_is_reported_before_any_installation(
    no_nginx: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(prerequisites, "system_ids", lambda: ["debian"])
    monkeypatch.setattr(prerequisites, "OLDEST_PYTHON", (3, 99))

    assert run(monkeypatch, "test") == 1

    message = capsys.readouterr().err
    assert no_nginx == []
    assert "3.99 or later" in message
    assert "apt-get install --no-install-recommends nginx-light chromium-headless-shell" in message


@pytest.mark.parametrize("complete", ["", "1"])
def test_install_command_is_printed_without_root(
    complete: str,
    no_nginx: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(prerequisites, "system_ids", lambda: ["debian"])
    monkeypatch.setattr(prerequisites, "root_prefix", lambda: None)
    monkeypatch.setenv("COMPLETE", complete)

    code = run(monkeypatch, "test")

    assert code == (1 if complete else 0)
    assert no_nginx == []
    assert "apt-get install --no-install-recommends nginx-light chromium-headless-shell\n" in "".join(
        capsys.readouterr()
    )


def test_message_on_ubuntu_explains_that_chromium_is_a_snap(
    no_nginx: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(prerequisites, "system_ids", lambda: ["ubuntu", "debian"])

    assert run(monkeypatch, "test") == 0

    message = capsys.readouterr().out
    assert no_nginx == []
    assert "apt-get install --no-install-recommends nginx-light\n" in message
    assert "CHROMIUM" in message


def test_snap_of_chromium_is_used_only_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name, **_: f"/snap/bin/{name}")
    monkeypatch.delenv("CHROMIUM", raising=False)
    assert prerequisites.find("chromium") is None

    monkeypatch.setenv("CHROMIUM", "chromium")
    assert prerequisites.find("chromium") == "/snap/bin/chromium"


# --- installation -----------------------------------------------------------------------------------------


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A system whose commands append to the file `log`, in a folder with a space."""
    root = tmp_path / "a system"
    root.mkdir()
    for name in ("apt-get", "systemctl", "service"):
        (root / name).write_text(STUB)
        (root / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{root}:{os.environ['PATH']}")
    monkeypatch.setenv("LOG", str(root / "log"))
    monkeypatch.setenv("POLICY", str(root / "policy-rc.d"))
    return root


def calls(system: Path) -> list[str]:
    return (system / "log").read_text().splitlines()


def test_services_are_neither_started_nor_enabled(system: Path) -> None:
    done = prerequisites.install(["nginx-light", "openssl"], [], str(system / "policy-rc.d"))

    assert done
    assert calls(system) == [
        "apt-get -q update, policy: exit 101",
        "apt-get -q --yes --no-install-recommends install nginx-light openssl, policy: exit 101",
        "systemctl disable --quiet nginx, policy: exit 101",
        "service nginx stop, policy: exit 101",
    ]
    assert not (system / "policy-rc.d").exists()


def test_existing_policy_rc_d_is_not_changed(system: Path) -> None:
    policy = system / "policy-rc.d"
    policy.write_text("#!/bin/sh\nexit 0")

    prerequisites.install(["redis-server"], [], str(policy))

    assert policy.read_text() == "#!/bin/sh\nexit 0"
    assert "service redis-server stop, policy: exit 0" in calls(system)


def test_policy_rc_d_of_a_killed_installation_is_removed(system: Path) -> None:
    policy = system / "policy-rc.d"
    shutil.copy(system / "apt-get", system / "apt-get.kept")
    (system / "apt-get").write_text(f'#!/bin/sh\ncp "$POLICY" "{system}/left"\nkill -KILL $PPID\n')
    assert not prerequisites.install(["openssl"], [], str(policy))
    assert policy.exists()
    shutil.move(system / "apt-get.kept", system / "apt-get")

    assert prerequisites.install(["openssl"], [], str(policy))

    assert not policy.exists()


def test_failed_installation_is_reported(system: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAILS", "apt-get -q --yes --no-install-recommends install openssl")

    assert not prerequisites.install(["openssl"], [], str(system / "policy-rc.d"))
    assert not (system / "policy-rc.d").exists()


# --- tests that need a program ------------------------------------------------------------------------------


def test_missing_program_skips_a_test_or_fails_it_if_complete(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(prerequisites, "find", {"openssl": "/bin/openssl"}.get)
    monkeypatch.delenv("COMPLETE", raising=False)
    assert programs.need("openssl") == "/bin/openssl"
    with pytest.raises(pytest.skip.Exception, match=r"needs nginx \(Debian: apt-get install nginx-light\)"):
        programs.need("openssl", "nginx")

    monkeypatch.setenv("COMPLETE", "1")
    with pytest.raises(pytest.fail.Exception, match="needs nginx"):
        programs.need("nginx")


def test_last_lines_count_skipped_tests_by_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    nginx, redis, vendor = (
        "Skipped: needs nginx",
        "Skipped: needs redis-server",
        "Skipped: SQLite has no server",
    )
    path = tmp_path / "build" / "skipped"
    monkeypatch.setenv("SKIPPED_TESTS", str(path))
    lines: list[str] = []
    for reasons in ([nginx, vendor, nginx], [redis]):
        reports = [
            SimpleNamespace(longrepr=("test.py", number, reason)) for number, reason in enumerate(reasons)
        ]
        reporter: Any = SimpleNamespace(
            stats={"skipped": reports}, write_line=lambda line, **_: lines.append(line)
        )
        list(programs.pytest_terminal_summary(reporter))

    assert run(monkeypatch, "skipped", str(path)) == 0

    assert lines == [
        "2 tests were skipped:",
        "  2: needs nginx",
        "1 test was skipped:",
        "  1: needs redis-server",
    ]
    assert capsys.readouterr().out == "3 tests were skipped:\n  2: needs nginx\n  1: needs redis-server\n"


# --- Makefile ---------------------------------------------------------------------------------------------


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The Makefile, requirement files and the script, in a folder with a space."""
    clone = tmp_path / "a clone"
    (clone / "tools").mkdir(parents=True)
    shutil.copy(SCRIPT, clone / "tools")
    for name in ("Makefile", "requirements.txt", "requirements-dev.txt"):
        shutil.copy(ROOT / name, clone)
    return clone


def make(clone: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(
        ["make", *arguments],
        cwd=clone,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("jobs", [(), ("--jobs=2",)])
def test_busy_port_is_reported_before_any_installation(
    jobs: tuple[str, ...], clone: Path, busy_port: int
) -> None:
    done = make(clone, *jobs, "run", f"PORT={busy_port}", f"PYTHON={sys.executable}")

    assert done.returncode
    assert f"Port {busy_port} is in use" in done.stderr
    assert not (clone / ".venv").exists()


def test_missing_programs_are_reported_before_any_installation(clone: Path) -> None:
    python = clone / "python"
    python.write_text('#!/bin/sh\necho "asked: $*"\nexit 1\n')
    python.chmod(0o755)

    done = make(clone, "--jobs=2", "--keep-going", "lint", "test", "PYTHON=./python")

    assert done.returncode
    assert "asked: tools/prerequisites.py test" in done.stdout
    assert not (clone / ".venv").exists()


def test_interrupted_installation_of_packages_is_repeated(clone: Path) -> None:
    packages = clone / ".venv" / "lib" / "python3.11" / "site-packages"
    for name in ("complete", "unfinished"):
        (packages / f"{name}-1.0.dist-info").mkdir(parents=True)
        (packages / f"{name}-1.0.dist-info" / "METADATA").touch()
    (packages / "complete-1.0.dist-info" / "RECORD").touch()
    pip = clone / ".venv" / "bin" / "pip"
    pip.parent.mkdir()
    pip.write_text("#!/bin/sh\nls .venv/lib/python3.11/site-packages\n")
    pip.chmod(0o755)

    done = make(clone, "setup", "PYTHON=true")

    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if "dist-info" in line] == [
        "complete-1.0.dist-info"
    ] * 2
    assert (clone / ".venv" / "tools.stamp").exists()
