"""An arbiter who runs an event on the pages of the desk, by the texts of links and buttons."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.contrib.auth.models import User
from django.core.management import call_command
from django.urls import reverse
from selectolax.lexbor import LexborNode

from tests.cast import browser_of
from tests.markup import attributes_of
from tests.plainbrowser import PlainBrowser
from tournaments.models import Event


@dataclass(frozen=True)
class ResultLine:
    """A line of the results screen: the name of its field, its table or board, and its players."""

    field: str
    label: str
    first: str
    second: str


class ArbiterAtWork(PlainBrowser):
    """The browser of an arbiter of one event."""

    def __init__(self, event: Event, account: User) -> None:
        super().__init__(browser_of(account))
        self.event = event

    def go_to(self, screen: str, *place: object) -> None:
        """Open a screen of the event. `screen` may have a query string."""
        name, mark, query = screen.partition("?")
        self.open(reverse(f"admin:{name}", args=[self.event.pk, *place]) + mark + query)

    def enter_competitors(self, lines: list[str]) -> None:
        """Paste the entry list, and show the event to readers."""
        self.go_to("event-roster")
        self.press("Preview", {"text": "\n".join(lines)})
        self.press("Enter")
        self.go_to("event-publish", "live")
        self.press("Set it live")

    def propose(self, number: int) -> None:
        """Have a round proposed, from the event's first screen."""
        self.go_to("event-desk")
        self.press(f"Propose round {number}")
        # The job of the worker; the waiting page then redirects.
        call_command("work", "--until-empty")
        self.open(self.address)

    def publish(self) -> None:
        """Publish the pairings on the screen, and confirm."""
        self.follow("Publish pairings")
        self.press("Publish")

    def enter(self, result_of: Callable[[ResultLine], str]) -> None:
        """Type the results that the page lacks, and save them; typing is no click."""
        before = self.clicks
        values = {line.field: result_of(line) for line in self.result_lines()}
        self.press("Save", values)
        self.clicks = before

    def result_lines(self) -> list[ResultLine]:
        """Return the lines of the results screen in which a result is missing."""
        found = []
        for row in self.page.css("tr[data-line]"):
            about, [first, _result, second, *_] = attributes_of(row), row.css("td")
            names = [_named_in(cell) for cell in (first, second)]
            if not about.get("data-text"):
                found.append(ResultLine(f"text-{about['data-line']}", about["data-label"], *names))
        return found

    def save_report(self, folder: Path) -> Path:
        """Return a file with the tournament report that the desk exports."""
        answer = self.client.get(reverse("admin:event-report", args=[self.event.pk]))
        path = folder / f"{self.event.slug}.trf"
        path.write_bytes(answer.content)
        return path

    def close(self) -> None:
        """Close the round, and confirm if there is a question."""
        self.press("Close")
        if "close" in self.address:
            self.press("Close")


def _named_in(cell: LexborNode) -> str:
    """Return the name in a cell of the results screen; blank if there is no name."""
    name = cell.css_first("bdi")
    return name.text().strip() if name else ""


def new_event(organiser: User, **about: str) -> Event:
    """Create an event by the short form, by default a Swiss for chess players."""
    browser = PlainBrowser(browser_of(organiser))
    browser.open(reverse("admin:event-new"))
    usual = {"discipline": "chess", "entrants": "players", "schedule": "swiss", "start": "2026-11-20"}
    browser.press("Create", usual | about)
    return Event.objects.latest("pk")
