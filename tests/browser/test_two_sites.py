"""A laptop in a hall and a site: the event is lent, changed without a network, shown and given back."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.cast import PASSWORD
from tools.drills.servers import free_port

pytestmark = pytest.mark.exhaustive  # two sites with their workers

ROOT = Path(__file__).parents[2]
WAITING = 90.0
"""Seconds for a site to start."""

SHOWN = 90_000
"""Milliseconds until a reader sees a change of the hall, on a busy machine; else a tenth of it."""

ACCOUNT = f"""
from django.contrib.auth.models import User
anna = User.objects.create_superuser("anna", password="{PASSWORD}")
"""
EVENT = """
from tests.proposals import create_open
from tournaments.accounts.services.tokens import create_token
create_open(8)
values = {"name": "Laptop of hall 2", "actions": ["home"], "all_events": True, "ends": None}
print("token", create_token(anna, values)[1])
"""


class Crosstable:
    """A site of the command `crosstable`, with its own folder."""

    def __init__(self, folder: Path) -> None:
        kept = {"PATH", "LANG", "HOME", "FONTCONFIG_FILE"}
        self.environment = {name: value for name, value in os.environ.items() if name in kept}
        self.environment |= {"CROSSTABLE_HOME": str(folder), "PYTHONPATH": str(ROOT)}
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None
        folder.mkdir()

    def run(self, *arguments: str, **variables: str) -> str:
        command = [sys.executable, "-m", "config.commandline", *arguments]
        environment = self.environment | variables
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self) -> None:
        command = [
            sys.executable,
            "-m",
            "config.commandline",
            "serve",
            "--no-browser",
            "--port",
            str(self.port),
        ]
        self.process = subprocess.Popen(
            command, env=self.environment, stdout=subprocess.DEVNULL, start_new_session=True
        )
        end = monotonic() + WAITING
        while monotonic() < end:
            with suppress(URLError, ConnectionError), urlopen(f"{self.url}/readyz"):  # noqa: S310 - http
                return
            sleep(0.2)
        raise AssertionError("The site did not start.")

    def stop(self, by: signal.Signals = signal.SIGTERM) -> None:
        if self.process:
            os.killpg(self.process.pid, by)  # the server has processes of its own
            self.process.wait(60)
            self.process = None


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Crosstable]:
    """The site of the federation with an open of eight players."""
    site = Crosstable(tmp_path / "site")
    site.run("manage", "migrate", "--verbosity", "0")
    yield site
    site.stop()


@pytest.fixture
def laptop(tmp_path: Path) -> Iterator[Crosstable]:
    laptop = Crosstable(tmp_path / "laptop")
    laptop.run("manage", "migrate", "--verbosity", "0")
    laptop.run("manage", "shell", "--command", ACCOUNT)
    yield laptop
    laptop.stop()


def log_in(page: Page, url: str) -> None:
    page.goto(f"{url}/admin/")
    page.get_by_label("Username").fill("anna")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.goto(f"{url}/admin/")
    page.get_by_role("link", name="Small Open").first.click()


def test_phone_shows_what_the_hall_paired_offline(
    browser: Browser, site: Crosstable, laptop: Crosstable
) -> None:
    token = site.run("manage", "shell", "--command", ACCOUNT + EVENT).split()[-1]
    site.start()
    laptop.run("borrow", f"{site.url}/events/small-open/", CROSSTABLE_TOKEN=token)
    phone = browser.new_page(viewport={"width": 360, "height": 740})
    phone.goto(f"{site.url}/events/small-open/")
    expect(phone.get_by_role("heading", level=1)).to_be_visible()
    # The site refuses changes, and names the home.
    office = browser.new_page()
    log_in(office, site.url)
    expect(office.get_by_text("Changed at Laptop of hall 2, not here.")).to_be_visible()

    # In the hall, without a network: pair and publish.
    site.stop(signal.SIGKILL)
    laptop.start()
    hall = browser.new_page()
    log_in(hall, laptop.url)
    hall.get_by_role("button", name="Propose round 1").click()
    hall.get_by_role("link", name="Publish pairings").click()
    hall.get_by_role("button", name="Publish pairings").click()
    expect(hall.locator("#count")).to_have_text("0 of 4 results are in.")

    site.start()
    began = monotonic()
    while monotonic() < began + SHOWN / 1000:
        response = phone.goto(f"{site.url}/events/small-open/rounds/1/")
        if response and response.ok:
            break
        sleep(0.5)
    expect(phone.get_by_text("Player 5").first).to_be_visible()

    # The laptop is killed while it sends results: nothing is lost or doubled.
    hall.locator('[data-label="1"] .typed').focus()
    for _table in range(4):
        hall.keyboard.press("1")
    expect(hall.locator("#entered")).to_have_text("4")
    laptop.stop(signal.SIGKILL)
    laptop.start()
    hall.reload()
    expect(hall.locator("#entered")).to_have_text("4")
    phone.goto(f"{site.url}/events/small-open/standings/")
    expect(phone.get_by_text("round 1").first).to_be_visible(timeout=SHOWN)

    # Given back, the site changes the event again, and the laptop refuses changes.
    hall.goto(f"{laptop.url}/admin/")
    hall.get_by_role("link", name="Small Open").first.click()
    hall.get_by_role("link", name="Home of the event").click()
    hall.get_by_role("button", name="Give it back").click()
    expect(hall.get_by_text("Changed at")).to_be_visible()
    end = monotonic() + SHOWN / 1000
    while monotonic() < end and office.get_by_text("Changed at").is_visible():
        office.reload()
    expect(office.get_by_text("Changed at")).to_be_hidden()
    expect(hall.get_by_text("Every change is sent to")).to_be_hidden()
