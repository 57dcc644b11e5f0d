"""The command `crosstable`: its folder, its first account, and the wheel that contains it."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from django.contrib.auth.models import User
from django.test import Client

from config import __version__, commandline
from tools.drills.servers import free_port

ROOT = Path(__file__).parents[2]
LONGEST = 180.0
"""Timeout in seconds for a first start on a loaded machine."""


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    for name in ("SECRET_KEY", "ALLOWED_HOSTS", "HTTPS", "PROXIES", "LOG_LEVEL", "ACCESS_LOG"):
        monkeypatch.setenv(name, "")  # so that the values of the test are removed at its end
        monkeypatch.delenv(name)
    monkeypatch.setenv("CROSSTABLE_HOME", str(tmp_path / "own"))
    return tmp_path / "own"


def test_second_start_uses_the_secret_of_the_first(environment: Path) -> None:
    assert commandline.prepare_home() == environment
    secret = os.environ.pop("SECRET_KEY")
    commandline.prepare_home()
    assert os.environ["SECRET_KEY"] == secret
    assert len(secret) > 50
    assert (environment / "secret-key").stat().st_mode & 0o077 == 0
    assert {each.name for each in environment.iterdir()} == {"backups", "secret-key"}


def test_variables_of_the_user_have_priority(environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "mine")
    monkeypatch.setenv("PROXIES", "1")
    commandline.prepare_home("demo")
    assert (os.environ["SECRET_KEY"], os.environ["PROXIES"]) == ("mine", "1")
    assert os.environ["CROSSTABLE_HOME"] == str(environment / "demo")
    assert not (environment / "demo/secret-key").exists()


def test_used_port_is_reported_before_anything_is_created(
    environment: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(sys, "argv", ["crosstable", "serve", "--port", str(port)])
        with pytest.raises(SystemExit) as end:
            commandline.main()
    assert end.value.code == 1
    assert f"crosstable serve --port {port + 1}" in capsys.readouterr().err
    assert not (environment / "db.sqlite3").exists()


def test_help_of_a_managed_command_is_its_own(tmp_path: Path) -> None:
    # Not in this process, whose logging Django would configure again.
    command = [sys.executable, "-m", "config.commandline", "manage", "renew_epoch", "--help"]
    variables = os.environ | {"CROSSTABLE_HOME": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True)
    assert "Begin a new epoch" in done.stdout


@pytest.mark.django_db
def test_link_sets_the_password_of_the_first_account_once() -> None:
    path = f"/{commandline.invitation()}"
    assert commandline.invitation()  # the account has no password yet
    client = Client()
    form = client.get(path, follow=True)
    password = "correct horse battery"
    client.post(
        form.redirect_chain[-1][0], {"new_password1": password, "new_password2": password}, follow=True
    )
    user = User.objects.get(username=commandline.USER)
    assert (user.check_password(password), user.is_superuser) == (True, True)
    assert commandline.invitation() == ""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Return a folder with the content of the wheel."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    build = [*pip, "wheel", "--no-build-isolation", "--no-deps", "-w", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    [wheel] = tmp_path.glob("*.whl")
    assert wheel.name == f"crosstable-{__version__}-py3-none-any.whl"
    target = tmp_path / "installed"
    subprocess.run(
        [*pip, "install", "--no-deps", "--no-index", "--target", str(target), str(wheel)],
        check=True,
        capture_output=True,
    )
    return target


@pytest.fixture
def demo(installed: Path, tmp_path: Path) -> Iterator[tuple[int, Path]]:
    """A demo that is served from the wheel: its port and its output."""
    names = {"PATH", "LANG", "HOME"}
    variables = {name: value for name, value in os.environ.items() if name in names}
    variables |= {"PYTHONPATH": str(installed), "CROSSTABLE_HOME": str(tmp_path / "home")}
    port, log = free_port(), tmp_path / "log"
    command = [sys.executable, str(installed / "bin/crosstable"), "demo", "--no-browser", "--port", str(port)]
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=tmp_path, env=variables, stdout=output, stderr=output)
    yield port, log
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(60)
    finally:
        process.kill()


def response_of(port: int, path: str) -> str:
    end = monotonic() + LONGEST
    while monotonic() < end:
        with suppress(URLError, ConnectionError), urlopen(f"http://127.0.0.1:{port}{path}") as response:
            return str(response.read().decode())
        sleep(0.5)
    return ""


@pytest.mark.exhaustive  # builds and installs the wheel, and loads the demo
def test_wheel_serves_the_demo(demo: tuple[int, Path], tmp_path: Path) -> None:
    port, log = demo
    standings = response_of(port, "/events/olympiad-2018-open/standings/")
    assert f"Crosstable {__version__}" in standings, log.read_text()
    [css] = re.findall(r'href="(/static/css/site[^"]*\.css)"', standings)[:1]
    assert "{" in response_of(port, css)
    assert "arbiter: " in log.read_text()
    assert {each.name for each in (tmp_path / "home").iterdir()} == {"demo"}
