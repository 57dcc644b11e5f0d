"""The units of deploy/: systemd can parse them, and all have the same hardening."""

import re
import shutil
import subprocess
from io import StringIO
from pathlib import Path

import pytest
from django.core import mail
from django.core.management import call_command
from pytest_django import Settings

from config.mailing import admins
from tests.programs import need

ROOT = Path(__file__).resolve().parent.parent
UNITS = sorted(path for path in (ROOT / "deploy").iterdir() if path.suffix in {".service", ".timer"})
SERVICES = [path for path in UNITS if path.suffix == ".service"]
MOST_EXPOSED = 4.0
"""The maximum of `systemd-analyze security`: 10 is a service without restrictions."""


@pytest.fixture
def systemd() -> None:
    """Skip a test if systemd is not installed; it need not run."""
    need("systemd-analyze")


def hardening(path: Path) -> list[str]:
    """The lines from NoNewPrivileges on."""
    found = re.search(r"^NoNewPrivileges=.*?(?=\n\n|\Z)", path.read_text(), re.MULTILINE | re.DOTALL)
    return found[0].strip().splitlines() if found else []


def test_units_that_step_back_do_so_between_services_too() -> None:
    nice = {path.name for path in SERVICES if re.search("^Nice=", path.read_text(), re.MULTILINE)}
    light = {path.name for path in SERVICES if re.search("^CPUWeight=", path.read_text(), re.MULTILINE)}
    assert "crosstable-worker.service" in nice
    assert nice == light


@pytest.mark.usefixtures("systemd")
def test_systemd_understands_every_unit(tmp_path: Path) -> None:
    """Missing programs are replaced, because verify reports them."""
    programs = tmp_path / "lib" / "bin"
    programs.mkdir(parents=True)
    for name in ("python", "granian"):
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(0o755)
    for path in UNITS:
        (tmp_path / path.name).write_text(
            path.read_text().replace("/usr/lib/crosstable", str(tmp_path / "lib"))
        )
    # An instance of a template unit needs a name.
    names = [tmp_path / path.name.replace("@.", "@crosstable-backup.") for path in UNITS]
    shutil.copy(
        tmp_path / "crosstable-failed@.service", tmp_path / "crosstable-failed@crosstable-backup.service"
    )

    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *names],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    ours = [line for line in done.stderr.splitlines() if "crosstable" in line or str(tmp_path) in line]
    assert ours == []
    assert done.returncode == 0, done.stderr


@pytest.mark.usefixtures("systemd")
@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.stem)
def test_no_service_may_do_much(path: Path, tmp_path: Path) -> None:
    unit = shutil.copy(path, tmp_path / path.name.replace("@.", "@one."))
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", unit],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    found = re.search(r"Overall exposure level for .*: ([\d.]+)", done.stdout)
    assert found, done.stderr
    assert float(found[1]) <= MOST_EXPOSED


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.stem)
def test_every_service_is_closed_as_the_sites_own_is(path: Path) -> None:
    own = hardening(ROOT / "deploy" / "crosstable.service")

    assert len(own) > 15
    assert hardening(path) == own


@pytest.mark.parametrize(
    "path", [path for path in UNITS if path.suffix == ".timer"], ids=lambda path: path.stem
)
def test_a_timer_starts_a_service_whose_failure_is_told(path: Path) -> None:
    assert "OnFailure=crosstable-failed@%N.service" in path.with_suffix(".service").read_text()


def test_admins_are_told_of_a_unit_that_failed(settings: Settings) -> None:
    settings.ADMINS = admins(["anna@crosstable.example"])
    output = StringIO()

    call_command("tell_admins", "crosstable-backup", stderr=output)

    (message,) = mail.outbox
    assert message.to == ["anna@crosstable.example"]
    assert "crosstable-backup has failed" in message.subject
    assert "Its last lines" in output.getvalue()
