"""Standings, rounds of competitors, explanations of values, the check, and the criteria.

Keys are those of the event file, and every figure is an exact decimal as text (docs/api.md).
"""

from collections.abc import Iterator, Mapping, Sequence

from django.http import Http404, HttpRequest
from django.urls import reverse

from standings.api import event_schemas
from standings.api import figure_schemas as figures
from standings.api.ratings import rated_games, rating_data, ratings_of
from standings.api.record import data_version_of, match_in_progress
from standings.api.responses import endpoint, select_fields
from standings.basis import basis_of, basis_text
from standings.caching.bounded_cache import bounded_cache
from standings.caching.cached_pages import choices, event_view, require_results, static_page, uses_parameters
from standings.checking.comparing import Agreement
from standings.checking.pairings import pairings_verdict
from standings.checking.reports import UNCHECKED, checked_tables
from standings.checking.trust import trust_statement
from standings.engine import (
    POLICIES,
    SYSTEMS,
    ExplainedTerm,
    Standings,
    UnknownCriterionError,
    all_criteria,
    decimal_text,
)
from standings.services import (
    Ranked,
    paired_rounds,
    places_after_each_round,
    ranked,
    round_of_parameter,
    row_of,
)
from standings.statistics.ratings import PlayerRating
from standings.statistics.texts import cached_contenders, render_contenders
from standings.tables.cells import rounds_of_competitor
from standings.tables.sheet import StandingsSheet, published_figures
from tournaments.event.document import Document
from tournaments.event.schema import object_of
from tournaments.interchange.public import public_document
from tournaments.models import Event, Published

# --- standings and competitors ----------------------------------------------------------------------------


@endpoint(event_view)
@uses_parameters("after")
def standings(request: HttpRequest, event: Event) -> event_schemas.StandingsData:
    """The standings with all results, or after a round, and who can still win a live event."""
    return _standings_data(event, round_of_parameter(event, choices(request).get("after", "")))


@endpoint(event_view)
def standings_after(_: HttpRequest, event: Event, after: int) -> event_schemas.StandingsData:
    """The standings after an earlier round."""
    return _standings_data(event, after)


def _standings_data(event: Event, after: int | None) -> event_schemas.StandingsData:
    found = ranked(event, after)
    is_final = after is None or after == paired_rounds(event)
    sheet = StandingsSheet(event, found.standings, found.entries, "")
    trust = trust_statement(sheet, is_final=is_final)
    return event_schemas.StandingsData(
        event=event.slug,
        after=found.standings.table.rounds,
        system=found.standings.system.code,
        criteria=list(found.standings.criteria),
        rows=_standings_rows(found, ratings_of(event, found)),
        version=data_version_of(event),
        rests_on=basis_text(basis_of(found.standings.table)),
        trust=select_fields(event_schemas.TrustData, trust, verdict=trust.state, taken=trust.taken or None)
        if trust
        else None,
        contenders=_contenders_data(sheet) if after is None else None,
    )


def _contenders_data(sheet: StandingsSheet) -> event_schemas.ContendersData | None:
    found = cached_contenders(sheet.event)
    if found is None:
        return None
    words = render_contenders(sheet, found)
    return event_schemas.ContendersData(
        text=words.sentence,
        proof=found.proof.value,
        proof_text=words.proof,
        contenders=[
            event_schemas.ContenderData(
                number=sheet.entries[each.row].number,
                points=decimal_text(each.points, 2),
                most=decimal_text(each.most, 2),
            )
            for each in found.each
        ],
    )


def _standings_rows(found: Ranked, ratings: Mapping[int, PlayerRating]) -> list[event_schemas.RowData]:
    columns = published_figures(found.standings)
    rows: list[event_schemas.RowData] = []
    for at, row in zip(found.standings.order.tolist(), ranked_rows(found.standings), strict=True):
        entry = found.entries[at]
        rating = ratings.get(entry.number)
        rows.append(
            {
                "number": entry.number,
                "name": entry.name,
                "code": entry.code,
                **row,
                "rating": rating_data(rating) if rating else None,
                "published": {label: figures[at] for label, figures in columns if figures[at]},
            }
        )
    return rows


def ranked_rows(standings: Standings, shown: Sequence[str] = ()) -> list[event_schemas.RankedRow]:
    """Return the rows of the standings; `shown`: the codes of columns that do not decide places."""
    columns = [standings.column(code) for code in (*standings.criteria, *shown)]
    numbers = standings.table.numbers.tolist()
    return [
        select_fields(
            event_schemas.RankedRow,
            row,
            number=numbers[row.competitor],
            marks=list(row.marks),
            values={
                column.criterion.code: {
                    "text": column.text(row.competitor),
                    "levels": column.level_texts(row.competitor),
                }
                for column in columns
            },
        )
        for row in standings.rows()
    ]


@endpoint(event_view)
def competitor(_: HttpRequest, event: Event, number: int) -> event_schemas.CompetitorAnswer:
    """One competitor: its place and values, and round by round whom it met and where it stood then."""
    found, document = ranked(event), public_document(event)
    row = row_of(found.entries, number)
    entry = next((each for each in document.competitors if each.number == number), None)
    if entry is None:  # deleted a moment ago
        raise Http404
    ratings = ratings_of(event, found)
    return event_schemas.CompetitorAnswer(
        event=event.slug,
        version=data_version_of(event),
        after=found.standings.table.rounds,
        rests_on=basis_text(basis_of(found.standings.table)),
        competitor=object_of(entry),
        standing=next(each for each in _standings_rows(found, ratings) if each["number"] == number),
        rounds=list(_rounds_of(event, document, found, row)),
        rated_games=rated_games(ratings.get(number), found.standings.table.numbers.tolist()),
    )


def _rounds_of(
    event: Event, document: Document, found: Ranked, row: int
) -> Iterator[event_schemas.CompetitorRound]:
    number = found.entries[row].number
    pairings = {at: each for at, each in document.pairings() if number in each.numbers}
    totals = found.standings.table.points().cumsum(axis=1)[row].tolist()
    # Not strict: a round may have been paired since the standings were read. The next response has it.
    is_ordered = event.knows_round_order
    after_each = places_after_each_round(event) if is_ordered else [()] * len(totals)
    rounds = rounds_of_competitor(found.standings.table, row)
    for at, (total, places, met) in enumerate(zip(totals, after_each, rounds, strict=False), start=1):
        yield event_schemas.CompetitorRound(
            round=at,
            total=decimal_text(total, 2) if is_ordered else None,
            place=(places[row] or None) if places else None,
            pairing=object_of(pairings[at]) if at in pairings else None,
            in_progress=match_in_progress(met.table, met.result) if met.result.open_boards else None,
        )


# --- values -----------------------------------------------------------------------------------------------


@endpoint(event_view)
@bounded_cache
@uses_parameters("after")
def explanation(request: HttpRequest, event: Event, number: int, code: str) -> figures.ExplanationData:
    """How one competitor's value came about, term by term."""
    require_results(event)
    found = ranked(event, round_of_parameter(event, choices(request).get("after", "")))
    row, standings = row_of(found.entries, number), found.standings
    try:
        judged, explained = standings.column(code), standings.explain(row, code)
    except UnknownCriterionError as unknown:
        raise Http404 from unknown
    numbers = standings.table.numbers.tolist()
    return figures.ExplanationData(
        event=event.slug,
        version=data_version_of(event),
        after=standings.table.rounds,
        rests_on=basis_text(basis_of(standings.table)),
        criterion=explained.criterion.code,
        competitor=figures.CompetitorBrief(number=number, name=standings.table.names[row]),
        text=explained.text,
        levels=judged.level_texts(row),
        ruled=explained.ruled,
        computed=judged.as_computed.level_texts(row),
        sums=[str(fold) for fold in explained.calculations],
        lines=[_explanation_line(line, numbers) for line in explained.lines],
    )


def _explanation_line(line: ExplainedTerm, numbers: list[int]) -> figures.LineData:
    term, inner = line.term, line.inner
    return figures.LineData(
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


@endpoint(event_view)
def check(_: HttpRequest, event: Event) -> figures.CheckData:
    """The standings held against the published ones: how far they agree, and every difference."""
    published = Published.objects.filter(event=event).first()
    tables = checked_tables(event, published) if published else []
    pairings = pairings_verdict(event) if event.knows_results else None
    return figures.CheckData(
        event=event.slug,
        version=data_version_of(event),
        verdict=_check_state(event) if published else UNCHECKED,
        publisher=published.publisher if published else "",
        source=published.source if published else "",
        taken=(published.taken if published else "") or None,
        tables=[
            {"after": table.after, "columns": [_agreement(each) for each in table.agreements]}
            for table in tables
        ],
        pairings=select_fields(
            figures.PairingsCheckData, pairings, verdict=pairings.verdict.state, text=pairings.verdict.text
        )
        if pairings
        else None,
    )


def _check_state(event: Event) -> str:
    found = ranked(event)
    computed = StandingsSheet(event, found.standings.as_computed, found.entries, "", ruled=found.standings)
    trust = trust_statement(computed)
    return trust.state if trust else UNCHECKED


def _agreement(agreement: Agreement) -> figures.AgreementData:
    return select_fields(
        figures.AgreementData,
        agreement,
        agreeing=agreement.agreeing if agreement.checked else None,
        differences=[select_fields(figures.FiguresData, each) for each in agreement.differences],
        ruled=[select_fields(figures.FiguresData, each) for each in agreement.ruled],
    )


@endpoint(static_page)
def criteria(request: HttpRequest) -> figures.CriteriaData:
    """All criteria, ranking systems and policies for unplayed rounds."""
    return figures.CriteriaData(
        criteria=[
            select_fields(
                figures.CriterionData,
                each,
                abbreviation=each.abbr,
                page=request.build_absolute_uri(reverse("criterion", args=[each.code])),
            )
            for each in all_criteria()
        ],
        systems=[
            select_fields(figures.SystemData, each, criteria=list(each.criteria), unplayed=each.unplayed.code)
            for each in SYSTEMS.values()
        ],
        policies=list(POLICIES),
    )
