"""The file formats in which an event can be downloaded, and the JSON Schema of event files."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from django.conf import settings
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import condition

from standings.caching.cached_pages import choices, event_view, read_only, uses_parameters
from standings.downloads import lists
from standings.downloads.citations import CitedEvent, bibtex, cff, citation_data, datacite, ris
from standings.downloads.crosstables import crosstable_csv, crosstable_xlsx
from standings.downloads.gamefiles import game_list, is_draughts, pdn, pgn
from standings.downloads.pastable import pastable_file
from standings.downloads.workbook import workbook
from standings.services import Ranked, category_members, default_round, memoized_on_event, ranked
from standings.tables.sheet import StandingsSheet
from standings.tables.switches import SHOWN
from tournaments.event.document import Document
from tournaments.event.prizes import shows_prizes
from tournaments.interchange.formats.json.schema import schema_text
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.formats.trf.writing import write_report
from tournaments.interchange.public import public_document
from tournaments.models import Event
from tournaments.models.pairing import all_public_games
from tournaments.prizes.prize_list import prize_list
from tournaments.stored import stored


@dataclass
class DownloadedEvent:
    """An event that is exported, with the URL of its page. Its document is read on first use.

    `whole`: with dates of birth, for the organisers. `in_archive`: without data that only this site has.
    `after`: the round of the standings, None for the last.
    """

    event: Event
    address: str = ""
    whole: bool = False
    in_archive: bool = False
    after: int | None = None

    @cached_property
    def document(self) -> Document:
        """Return the document; at most eleven queries."""
        if self.whole:
            return stored(self.event).document
        # An archive contains a dozen formats of an event, and reads it once.
        return memoized_on_event("document", self.event, public_document)


Writer = Callable[[DownloadedEvent], str | bytes]


def _with_rounds(event: Event) -> bool:
    return event.knows_results and event.knows_round_order


class Format(NamedTuple):
    """A file format for events.

    `name`: the text of links. `about`: a sentence about its use. `fits`: returns whether an event has it.
    `is_archived`: archives contain it, as it adds to the event file. `is_importable`: the importer can read
    it. `has_default_standings`: users get the standings that pages show first. `needs_games`: it has no
    results without the games of matches, or with `needs_players`, without the players of these games.
    `has_address`: it contains the URL of the event.
    """

    ending: str
    content_type: str
    written: Writer
    name: str | Promise
    about: str | Promise
    fits: Callable[[Event], bool] = lambda _: True
    is_archived: bool = True
    is_importable: bool = True
    has_default_standings: bool = False
    needs_games: bool = False
    needs_players: bool = False
    has_address: bool = False
    is_citation: bool = False

    def public(self, event: Event, address: str = "", after: int | None = None) -> str | bytes:
        """Return the public file; the queries of the document and of the standings."""
        return self.written(DownloadedEvent(event, address, after=after))

    @property
    def view(self) -> str:
        return f"event-{self.ending}"


def download_view(file: Format) -> Callable[..., HttpResponseBase]:
    @event_view
    @uses_parameters(*(["running"] if file.has_default_standings else []))
    def page(request: HttpRequest, event: Event) -> HttpResponse:
        if not file.fits(event):
            raise Http404
        address = request.build_absolute_uri(reverse("event", args=[event.slug]))
        asks_for_all = not file.has_default_standings or choices(request).get("running") == SHOWN
        after = None if asks_for_all else default_round(event)
        return HttpResponse(file.public(event, address, after), content_type=file.content_type)

    @read_only
    def answer(request: HttpRequest, slug: str) -> HttpResponse:
        response = page(request, slug)
        if response.status_code == 200:
            response["Content-Type"] = file.content_type
            response["Content-Disposition"] = f'attachment; filename="{slug}.{file.ending}"'
            if file.ending == "json":
                response["Link"] = f'<{schema_address(request)}>; rel="describedby"'
        return response

    return answer


def formats_of(event: Event) -> list[Format]:
    return [each for each in FORMATS if each.fits(event)]


def notes_on_games(event: Event) -> dict[str, str]:
    """Return by ending why files of games contain no results; one query for teams."""
    if not event.is_team:
        return {}
    has_player = Q(first_player__isnull=False) | Q(second_player__isnull=False)
    found = (
        all_public_games()
        .filter(pairing__round__event=event)
        .aggregate(all=Count("pk"), named=Count("pk", filter=has_player))
    )
    if found["named"]:
        return {}
    if found["all"]:
        text = _("The players of the boards are not named, so programs find no results in it.")
        return {each.ending: text for each in FORMATS if each.needs_players}
    text = _("The boards of the matches are not recorded, so it contains no games.")
    return {each.ending: text for each in FORMATS if each.needs_games}


def event_csv(event: Event, document: Document, after: int | None = None) -> str:
    """Return the standings, an empty line, and the results; unknown scores are blank.

    Each row of the standings ends with its rounds: `12w1`, against start number 12 with White. The standings
    by category follow after another empty line, if there are categories. Drafts are left out, here as in
    workbooks and reports: only the event file is complete. The cells and results are always those of all
    rounds. The last lines state the rounds of the standings.
    """
    document = document.without_drafts()
    entries, standings = ranked(event, after)
    blocks = [lists.standings_with_rounds(document, standings)]
    if event.knows_results:
        blocks.append(lists.results_rows(document))
    if members := category_members(event):
        blocks.append(lists.category_rows(event, entries, standings, members))
    blocks.append(lists.about_rows(_downloaded_sheet(event, Ranked(entries, standings), after)))
    parted = ((*([[]] if number else []), *block) for number, block in enumerate(blocks))
    return lists.csv_text(chain.from_iterable(parted))


def event_xlsx(event: Event, document: Document, after: int | None = None) -> bytes:
    """Return a workbook with standings, cross table, results and competitors.

    Sheets for categories and the published prize list follow if there are any. The last sheet states the
    rounds of the standings.
    """
    entries, standings = ranked(event, after)
    further: dict[str, Iterable[lists.Row]] = {}
    members = category_members(event)
    if members:
        further["categories"] = lists.category_rows(event, entries, standings, members)
    if shows_prizes(event) and standings.table.rounds:
        awards = {each.number: each.awards for each in document.competitors}
        further["prizes"] = lists.prize_rows(prize_list(event, entries, standings, members, awards))
    further["about"] = lists.about_rows(_downloaded_sheet(event, Ranked(entries, standings), after))
    return workbook(document.without_drafts(), standings, further)


def _downloaded_sheet(event: Event, found: Ranked, after: int | None) -> StandingsSheet:
    running = None if after is None else ranked(event).standings
    return StandingsSheet(event, found.standings, found.entries, "", with_running=running)


def _of_document(write: Callable[[Event, Document], str | bytes]) -> Writer:
    return lambda taken: write(taken.event, taken.document)


def _of_standings(write: Callable[[Event, Document, int | None], str | bytes]) -> Writer:
    return lambda taken: write(taken.event, taken.document, taken.after)


def _of_citation(write: Callable[[CitedEvent], str]) -> Writer:
    return lambda taken: write(citation_data(taken.event, taken.address, in_archive=taken.in_archive))


CSV, XLSX = "text/csv; charset=utf-8", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PGN, PLAIN = "application/vnd.chess-pgn; charset=utf-8", "text/plain; charset=utf-8"
FORMATS = (
    Format(
        "csv", CSV, _of_standings(event_csv), "CSV",
        gettext_lazy("Standings for any spreadsheet, with every round and all results if they are known."),
        has_default_standings=True,
    ),
    Format(
        "xlsx", XLSX, _of_standings(event_xlsx), "XLSX",
        gettext_lazy(
            "A workbook with standings and competitors, and the cross table and results if they are known."
        ),
        is_archived=False, has_default_standings=True,
    ),
    Format(
        "json", "application/json", lambda taken: write(taken.document), "JSON",
        gettext_lazy("The event file: all recorded data, to import into another site of this kind."),
    ),
    Format(
        "trf", PLAIN, lambda taken: write_report(taken.document.without_drafts()), "TRF",
        gettext_lazy(
            "FIDE's tournament report (TRF26, with the records of TRF16), for pairing programs and officers."
        ),
        fits=attrgetter("knows_results"), needs_players=True,
    ),
    Format(
        "crosstable.csv", CSV, _of_document(crosstable_csv), gettext_lazy("Cross table, CSV"),
        gettext_lazy("The standings with cells such as 4w1, laid out as chess-results.com saves them."),
        fits=_with_rounds,
    ),
    Format(
        "crosstable.xlsx", XLSX, _of_document(crosstable_xlsx), gettext_lazy("Cross table, XLSX"),
        gettext_lazy("The same as a workbook with a single sheet."), fits=_with_rounds, is_archived=False,
    ),
    Format(
        "games.csv", CSV, _of_document(game_list), gettext_lazy("List of games, CSV"),
        gettext_lazy(
            "A line for each game: round, board, both players with their ids, result. Without byes: to "
            "import the event, take CSV, JSON or TRF."
        ),
        fits=attrgetter("knows_results"), is_archived=False, needs_games=True,
    ),
    Format(
        "pgn", PGN, _of_document(pgn), "PGN",
        gettext_lazy(
            "Every game for chess programs: players, result, and moves if known. Without byes: to import "
            "the event, take CSV, JSON or TRF."
        ),
        fits=lambda event: event.discipline == "chess" and event.knows_results, is_archived=False,
        needs_games=True, needs_players=True,
    ),
    Format(
        "pdn", PLAIN, _of_document(pdn), "PDN",
        gettext_lazy(
            "Every game for draughts programs: players, result, and moves if known. Without byes: to "
            "import the event, take CSV, JSON or TRF."
        ),
        fits=lambda event: is_draughts(event.discipline) and event.knows_results, is_archived=False,
        needs_games=True, needs_players=True,
    ),
    Format(
        "html", "text/html; charset=utf-8",
        lambda taken: pastable_file(taken.event, taken.address, taken.after), "HTML",
        gettext_lazy("The standings as a table to paste into a page or a mail, without scripts and styles."),
        is_archived=False, is_importable=False, has_default_standings=True, has_address=True,
    ),
    Format(
        "bib", "application/x-bibtex; charset=utf-8", _of_citation(bibtex), "BibTeX",
        gettext_lazy("The citation for LaTeX and its bibliographies."),
        is_importable=False, has_address=True, is_citation=True,
    ),
    Format(
        "ris", "application/x-research-info-systems; charset=utf-8", _of_citation(ris), "RIS",
        gettext_lazy("The citation for Zotero, EndNote, Mendeley and other reference managers."),
        is_importable=False, has_address=True, is_citation=True,
    ),
    Format(
        "cff", "application/yaml; charset=utf-8", _of_citation(cff), "CFF",
        gettext_lazy("The citation as a CITATION.cff, which code hosts and archives of research data read."),
        is_importable=False, has_address=True, is_citation=True,
    ),
    Format(
        "datacite.json", "application/json", _of_citation(datacite), "DataCite",
        gettext_lazy("Metadata for depositing the data in a repository with a DOI."),
        is_importable=False, has_address=True, is_citation=True,
    ),
)  # fmt: skip
"""All formats: pages link to them, `export_event` writes them, archives contain some."""

MAIN = FORMATS[:4]
"""The formats with links on every page of standings. The others are on the page of downloads."""


SCHEMA_TYPE = "application/schema+json"
SCHEMA_FRESH = 24 * 60 * 60
"""The cache lifetime in seconds. Only optional keys are ever added to a version."""


def schema_address(request: HttpRequest) -> str:
    """Return the permanent URL of the schema: on `SITE_ADDRESS`, else on the requested host."""
    path = reverse("event-schema")
    return f"{settings.SITE_ADDRESS}{path}" if settings.SITE_ADDRESS else request.build_absolute_uri(path)


def _schema_etag(request: HttpRequest) -> str:
    text = schema_text(schema_address(request))
    return f'W/"{blake2b(text.encode(), digest_size=12).hexdigest()}"'


@read_only
@condition(etag_func=_schema_etag)
def event_schema_view(request: HttpRequest) -> HttpResponse:
    return HttpResponse(
        schema_text(schema_address(request)),
        headers={
            "Content-Type": SCHEMA_TYPE,
            "Cache-Control": f"public, max-age={SCHEMA_FRESH}",
        },
    )
