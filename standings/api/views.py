"""What the endpoints answer: kept like any page, as JSON in English, readable from every site.

What an event file says too is said in its words, and every figure is exact, as text (docs/api.md).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Any, TypeVar, cast, get_type_hints

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import resolve, reverse
from django.views.decorators.csrf import csrf_exempt

from standings.api import answers
from standings.api.ratings import rated_games, rating_data, ratings_of
from standings.basis import basis_of, rests_on
from standings.catalogue.eventlines import entries_in
from standings.catalogue.listing import ASKED, Listing
from standings.checking.comparing import Agreement
from standings.checking.reports import checked_tables, verdict_of
from standings.engine import (
    POLICIES,
    SYSTEMS,
    ExplainedTerm,
    Judged,
    Row,
    Standings,
    UnknownCriterionError,
    decimal_text,
    every,
)
from standings.eventwords import last_recorded_day
from standings.services import NoSuchRoundError, Ranked, places_after_each_round, ranked
from standings.serving.pages import choices, event_page, knows, only_shown, site_page, static_page
from standings.serving.seldom import seldom
from standings.statistics.ratings import PlayerRating
from tournaments.event.arrays import Entry
from tournaments.event.declaring import object_of
from tournaments.event.document import Document
from tournaments.event.layout import Lines, printed, spread
from tournaments.models import Event, Published
from tournaments.public import public_document

JSON = "application/json"
FAULTS = {
    404: "There is nothing at this address.",
    405: "This address is read by GET or HEAD and by nothing else.",
    410: "This event was removed.",
    503: "The data cannot be had at the moment. Please ask again.",
}

Page = Callable[..., HttpResponse]
Shape = TypeVar("Shape")


def as_json(page: Page) -> Page:
    """Return the page as an answer of the API: JSON, its faults too, and any site may read it."""

    @csrf_exempt  # it only reads: what is no GET is 405, not a token that is missing
    @wraps(page)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response = page(request, *args, **kwargs)
        except Http404:
            response = HttpResponse(status=404)
        if response.status_code in FAULTS:
            response.content = printed({"error": FAULTS[response.status_code]}) + "\n"
        if response.status_code == 200 or response.status_code in FAULTS:
            response["Content-Type"] = JSON
        response["Access-Control-Allow-Origin"] = "*"
        return response

    return answer


def taken(shape: type[Shape], source: object, **given: Any) -> Shape:
    """Return an answer of the values given, and for its other keys of the source's attributes."""
    values = {key: given[key] if key in given else getattr(source, key) for key in get_type_hints(shape)}
    return cast("Shape", values)


def _version(event: Event) -> int:
    """Return the revision that the event was read at; that of a kept page always was."""
    return cast("int", event.data_version)


def endpoint(kept: Callable[[Page], Page], text: Callable[[Any], str] = spread) -> Callable[..., Page]:
    """Return a decorator: the view that answers what a function returns, kept as pages are by `kept`."""

    def decorate(answer: Callable[..., Any]) -> Page:
        @wraps(answer)
        def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            return HttpResponse(text(answer(request, *args, **kwargs)) + "\n")

        return as_json(kept(page))

    return decorate


@as_json
def nothing(request: HttpRequest, **_: str) -> HttpResponse:
    """Any other address below `/api/`: leads on where only the slash at its end is missing."""
    if resolve(f"{request.path_info}/").url_name:
        return HttpResponsePermanentRedirect(request.get_full_path(force_append_slash=True))
    raise Http404


# --- events -----------------------------------------------------------------------------------------------


@endpoint(site_page)
@knows(*ASKED)
def events(request: HttpRequest) -> answers.EventsData:
    """The public events, a page of them, searched and filtered as on the first page of the site."""
    listing = Listing(choices(request))
    if listing.is_only_shown:
        only_shown(request)
    found = Event.objects.select_related("series").in_bulk(listing.keys)
    entries = entries_in(listing.keys)
    absolute, here = request.build_absolute_uri, reverse("api-events")
    return answers.EventsData(
        total=listing.total,
        page=listing.page,
        pages=listing.pages,
        previous=absolute(here + listing.query(listing.page - 1)) if listing.page > 1 else None,
        next=absolute(here + listing.query(listing.page + 1)) if listing.page < listing.pages else None,
        events=[_brief(found[pk], entries.get(pk, 0), request) for pk in listing.keys if pk in found],
    )


def _brief(event: Event, entries: int, request: HttpRequest) -> answers.EventBrief:
    return taken(
        answers.EventBrief,
        event,
        series=event.series.slug if event.series else None,
        rounds=event.planned_rounds,
        competitors=entries,
        address=request.build_absolute_uri(reverse("api-event", args=[event.slug])),
    )


@endpoint(event_page)
def event(request: HttpRequest, event: Event) -> answers.EventAnswer:
    """One event: what it is, how far it has come, where everything of it is."""
    document = public_document(event)

    def link(name: str, *further: object) -> str:
        return request.build_absolute_uri(reverse(name, args=[event.slug, *further]))

    links = answers.EventLinks(
        page=link("event"),
        standings=link("api-standings"),
        competitors=link("api-competitors"),
        event_file=link("event-json"),
    )
    return answers.EventAnswer(
        event=object_of(document.event),
        version=_version(event),
        told_until=last_recorded_day(event) or None,
        competitors=len(document.competitors),
        rounds=[
            taken(
                answers.RoundBrief,
                each,
                pairings=len(each.pairings),
                awaited=sum(pairing.kind == "pending" for pairing in each.pairings),
                address=link("api-round", each.number),
            )
            for each in document.rounds
            if each.pairings
        ],
        links=cast("Any", Lines(links)),  # printed with one a line
    )


@endpoint(event_page)
def round_(_: HttpRequest, event: Event, number: int) -> answers.RoundAnswer:
    """The pairings and results of a round, with the boards of each match."""
    rounds = public_document(event).rounds
    found = next((each for each in rounds if each.number == number and each.pairings), None)
    if found is None:
        raise Http404
    return taken(
        answers.RoundAnswer,
        found,
        event=event.slug,
        version=_version(event),
        pairings=[object_of(each) for each in found.pairings],
    )


# --- standings and competitors ----------------------------------------------------------------------------


@endpoint(event_page)
def standings(_: HttpRequest, event: Event, after: int | None = None) -> answers.StandingsData:
    """The standings after the last paired round, or after an earlier one."""
    found = _ranked(event, after)
    return answers.StandingsData(
        event=event.slug,
        after=found.standings.table.rounds,
        system=found.standings.system.code,
        criteria=list(found.standings.criteria),
        rows=_rows(found, ratings_of(event, found)),
        version=_version(event),
        rests_on=rests_on(basis_of(found.standings.table)),
    )


def _rows(found: Ranked, ratings: Mapping[int, PlayerRating]) -> list[answers.RowData]:
    """Return the rows of standings, each with who it is, and with the rating of a player."""
    by_number = {entry.number: entry for entry in found.entries}
    rows = ranked_rows(found.standings)
    return [_named(row, by_number[row["number"]], ratings.get(row["number"])) for row in rows]


def _named(row: answers.RankedRow, entry: Entry, rating: PlayerRating | None) -> answers.RowData:
    rated = rating_data(rating) if rating else None
    return {"number": entry.number, "name": entry.name, "code": entry.code, **row, "rating": rated}


def ranked_rows(standings: Standings, shown: Sequence[str] = ()) -> list[answers.RankedRow]:
    """Return the rows of standings; `shown` are the codes of further columns, which decide nothing."""
    columns = [standings.column(code) for code in (*standings.criteria, *shown)]
    numbers = standings.table.numbers.tolist()
    return [_ranked_row(row, numbers[row.competitor], columns) for row in standings.rows()]


def _ranked_row(row: Row, number: int, columns: Sequence[Judged]) -> answers.RankedRow:
    return taken(
        answers.RankedRow,
        row,
        number=number,
        marks=list(row.marks),
        values={
            column.criterion.code: {
                "text": column.text(row.competitor),
                "levels": column.level_texts(row.competitor),
            }
            for column in columns
        },
    )


@endpoint(event_page)
def competitors(_: HttpRequest, event: Event) -> answers.CompetitorsData:
    """All competitors, teams with their players."""
    # As in the event file but for the players whom its games would tell: here nothing else tells them.
    entries = [object_of(each) for each in public_document(event).competitors]
    return answers.CompetitorsData(event=event.slug, version=_version(event), competitors=entries)


@endpoint(event_page)
def competitor(_: HttpRequest, event: Event, number: int) -> answers.CompetitorAnswer:
    """One competitor: its place and values, and round by round whom it met and where it stood then."""
    found, document = ranked(event), public_document(event)
    row = _row(found, number)
    entry = next((each for each in document.competitors if each.number == number), None)
    if entry is None:  # taken out a moment ago
        raise Http404
    ratings = ratings_of(event, found)
    return answers.CompetitorAnswer(
        event=event.slug,
        version=_version(event),
        after=found.standings.table.rounds,
        rests_on=rests_on(basis_of(found.standings.table)),
        competitor=object_of(entry),
        standing=next(each for each in _rows(found, ratings) if each["number"] == number),
        rounds=list(_rounds_of(event, document, found, row)),
        rated_games=rated_games(ratings.get(number), found.standings.table.numbers.tolist()),
    )


def _rounds_of(
    event: Event, document: Document, found: Ranked, row: int
) -> Iterator[answers.CompetitorRound]:
    """Yield each paired round: what the competitor had and where it stood after it, and whom it met."""
    number = found.entries[row].number
    pairings = {at: each for at, each in document.pairings() if number in each.numbers}
    totals = found.standings.table.points().cumsum(axis=1)[row].tolist()
    # Not strict: a round may have been paired since the standings were read, and the next answer has it.
    after_each = zip(totals, places_after_each_round(event), strict=False)
    for at, (total, places) in enumerate(after_each, start=1):
        yield answers.CompetitorRound(
            round=at,
            total=decimal_text(total, 2),
            place=places[row] or None,
            pairing=object_of(pairings[at]) if at in pairings else None,
        )


def _ranked(event: Event, after: int | None) -> Ranked:
    try:
        return ranked(event, after)
    except NoSuchRoundError as missing:
        raise Http404 from missing


def _row(found: Ranked, number: int) -> int:
    row = next((at for at, entry in enumerate(found.entries) if entry.number == number), None)
    if row is None:
        raise Http404
    return row


# --- values -----------------------------------------------------------------------------------------------


@endpoint(event_page)
@seldom
@knows("after")
def explanation(request: HttpRequest, event: Event, number: int, code: str) -> answers.ExplanationData:
    """How one competitor's value came about, term by term."""
    after = choices(request).get("after")
    found = _ranked(event, int(after) if after else None)
    row, standings = _row(found, number), found.standings
    try:
        judged, explained = standings.column(code), standings.explain(row, code)
    except UnknownCriterionError as unknown:
        raise Http404 from unknown
    numbers = standings.table.numbers.tolist()
    return answers.ExplanationData(
        event=event.slug,
        version=_version(event),
        after=standings.table.rounds,
        rests_on=rests_on(basis_of(standings.table)),
        criterion=explained.criterion.code,
        competitor=answers.CompetitorBrief(number=number, name=standings.table.names[row]),
        text=explained.text,
        levels=judged.level_texts(row),
        ruled=explained.ruled,
        computed=judged.as_computed.level_texts(row),
        sums=[str(fold) for fold in explained.folds],
        lines=[_line(line, numbers) for line in explained.lines],
    )


def _line(line: ExplainedTerm, numbers: list[int]) -> answers.LineData:
    term, inner = line.term, line.inner
    return answers.LineData(
        round=term.round or None,
        opponent=numbers[term.opponent] if term.opponent >= 0 else None,
        against=str(term.against),
        kind=term.kind.name.lower().replace("_", "-"),
        virtual=term.virtual,
        amount=decimal_text(term.amount.numerator, term.amount.denominator),
        text=term.text,
        factors=[{"text": factor.text, "symbol": str(factor.symbol)} for factor in term.factors],
        counted=line.counted,
        notes=[str(note) for note in line.notes],
        inner={"competitor": numbers[inner.row], "criterion": inner.code} if inner else None,
    )


@endpoint(event_page)
def check(_: HttpRequest, event: Event) -> answers.CheckData:
    """The standings held against the published ones: how far they agree, and every difference."""
    published = Published.objects.filter(event=event).first()
    tables = checked_tables(event, published) if published else []
    return answers.CheckData(
        event=event.slug,
        version=_version(event),
        verdict=verdict_of(event, published).state,
        publisher=published.publisher if published else "",
        source=published.source if published else "",
        taken=(published.taken if published else "") or None,
        tables=[
            {"after": table.after, "columns": [_agreement(each) for each in table.agreements]}
            for table in tables
        ],
    )


def _agreement(agreement: Agreement) -> answers.AgreementData:
    return taken(
        answers.AgreementData,
        agreement,
        agreeing=agreement.agreeing if agreement.checked else None,
        differences=[taken(answers.FiguresData, each) for each in agreement.differences],
        ruled=[taken(answers.FiguresData, each) for each in agreement.ruled],
    )


@endpoint(static_page)
def criteria(request: HttpRequest) -> answers.CriteriaData:
    """All criteria, ranking systems and policies for unplayed rounds."""
    return answers.CriteriaData(
        criteria=[
            taken(
                answers.CriterionData,
                each,
                abbreviation=each.abbr,
                page=request.build_absolute_uri(reverse("criterion", args=[each.code])),
            )
            for each in every()
        ],
        systems=[
            taken(answers.SystemData, each, criteria=list(each.criteria), unplayed=each.unplayed.code)
            for each in SYSTEMS.values()
        ],
        policies=list(POLICIES),
    )
