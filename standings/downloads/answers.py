"""An event to take away: the event file, and for spreadsheets a CSV and an XLSX workbook."""

import csv
import re
from collections.abc import Callable
from io import StringIO
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse

from standings.downloads.lists import Cell, Number, results_lines, standings_lines
from standings.downloads.workbook import workbook
from standings.services import standings_of
from standings.serving.pages import event_page, only_read
from tournaments.event.document import Document
from tournaments.formats.json.writer import write
from tournaments.formats.tables.text import SPREADSHEET_SIGNS
from tournaments.formats.trf.writing import write_report
from tournaments.models import Event
from tournaments.public import public_document
from tournaments.stored import stored

BOM = "\ufeff"
"""Excel reads a CSV as UTF-8 only behind this mark; others skip it. Without it, half of the names break."""

FORMULA = re.compile(rf"(^|[;|\t])(?={SPREADSHEET_SIGNS})")
"""Where a text is a formula to a spreadsheet.

Where it parts cells at `;`, one of ours is several to it, and each may begin so.
"""


class Format(NamedTuple):
    """A form in which an event is taken away; `written` makes the file of an event and its document."""

    ending: str
    content_type: str
    written: Callable[[Event, Document], str | bytes]

    def public(self, event: Event) -> str | bytes:
        """Return the file that everybody may have; eleven queries at most, and those of the standings."""
        return self.written(event, public_document(event))

    def whole(self, event: Event) -> str | bytes:
        """Return the file with the days of birth, for those who are responsible for the event."""
        return self.written(event, stored(event).document)

    @property
    def name(self) -> str:
        """Return the text of links to it."""
        return self.ending.upper()

    @property
    def view(self) -> str:
        """Return the name of its address."""
        return f"event-{self.ending}"


def download(file: Format) -> Callable[..., HttpResponse]:
    """Return the public page of an event that a browser saves as a file, named after the event."""

    @event_page
    def page(_: HttpRequest, event: Event) -> HttpResponse:
        return HttpResponse(file.public(event))

    @only_read
    def answer(request: HttpRequest, slug: str) -> HttpResponse:
        response = page(request, slug)
        if response.status_code == 200:
            response["Content-Type"] = file.content_type
            response["Content-Disposition"] = f'attachment; filename="{slug}.{file.ending}"'
        return response

    return answer


def event_file(_: Event, document: Document) -> str:
    """Return the event in canonical form."""
    return write(document)


def event_csv(event: Event, document: Document) -> str:
    """Return the standings, an empty line, the results; a round or a board without a score leaves it blank.

    Drafts are left out, here as in workbooks and reports: only the event file comes back whole.
    """
    document = document.without_drafts()
    text = StringIO()
    lines = csv.writer(text)
    for line in (*standings_lines(document, standings_of(event)), [], *results_lines(document)):
        lines.writerow([safe(cell) for cell in line])
    return BOM + text.getvalue()


def event_xlsx(event: Event, document: Document) -> bytes:
    """Return a workbook of standings, cross table, results and competitors, a sheet each."""
    return workbook(document.without_drafts(), standings_of(event))


def event_trf(_: Event, document: Document) -> str:
    """Return a tournament report for other programs."""
    return write_report(document.without_drafts())


def safe(cell: Cell) -> Cell:
    """Return the cell as no spreadsheet takes it for a formula; numbers are left alone."""
    if isinstance(cell, Number) or not isinstance(cell, str):
        return cell
    return FORMULA.sub(r"\1'", cell)


FORMATS = (
    Format("csv", "text/csv; charset=utf-8", event_csv),
    Format("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", event_xlsx),
    Format("json", "application/json", event_file),
    Format("trf", "text/plain; charset=utf-8", event_trf),
)
"""Every form there is: pages link them, `export_event` writes them, archives hold them."""
