"""Standings, competitors, categories, prizes, explanations, statistics, the check, and the criteria.

Keys are those of the event file, and every figure is an exact decimal as text (docs/api.md).
"""

from collections.abc import Iterator, Mapping, Sequence

from django.http import Http404, HttpRequest

from standings.api import event_schemas as schemas
from standings.api.record import match_in_progress
from standings.api.responses import endpoint
from standings.caching.cached_pages import choices, event_view, require_results, static_page, uses_parameters
from standings.caching.page_cache import bounded_cache
from standings.checking.pairings import pairings_verdict
from standings.checking.reports import UNCHECKED, checked_tables
from standings.checking.trust import trust_statement
from standings.engine import POLICIES, SYSTEMS, ExplainedTerm, Standings, UnknownCriterionError, all_criteria
from standings.services import (
    Ranked,
    category_members,
    paired_rounds,
    places_after_each_round,
    prizes_of,
    ranked,
    round_of_parameter,
    row_of,
)
from standings.statistics.ratingcolumns import ratings_in
from standings.statistics.ratings import PlayerRating
from standings.statistics.scorers import TeamRow, scorers_of
from standings.statistics.summary import summary_of
from standings.statistics.texts import ContendersTable, cached_contenders
from standings.tables.cells import rounds_of_competitor
from standings.tables.sheet import StandingsSheet, published_figures
from tournaments.event.categories import EventCategory
from tournaments.event.document import Document
from tournaments.event.prizes import shows_prizes
from tournaments.event.schema import object_of, with_blanks
from tournaments.interchange.public import public_document
from tournaments.models import Event, Published
from tournaments.prizes.members import rows_among
from tournaments.prizes.prize_list import PrizeList
from tournaments.prizes.texts import category_name

# --- standings and competitors ----------------------------------------------------------------------------


@endpoint(event_view)
@uses_parameters("after")
def standings(request: HttpRequest, event: Event) -> schemas.StandingsData:
    """The standings, now or after a round, and the competitors that can still win a live event."""
    return _standings_data(event, round_of_parameter(event, choices(request).get("after", "")))


@endpoint(event_view)
def standings_after(_: HttpRequest, event: Event, after: int) -> schemas.StandingsData:
    """The standings after a round."""
    return _standings_data(event, after)


def _standings_data(event: Event, after: int | None) -> schemas.StandingsData:
    found = ranked(event, after)
    is_final = after is None or after == paired_rounds(event)
    sheet = StandingsSheet(event, found.standings, found.entries, "")
    return schemas.StandingsData.of(
        found,
        event=event,
        rows=_standings_rows(found, _ratings_of(event, found)),
        trust=trust_statement(sheet, is_final=is_final),
        contenders=_contenders_data(sheet) if after is None else None,
    )


def _contenders_data(sheet: StandingsSheet) -> schemas.ContendersData | None:
    found = cached_contenders(sheet.event)
    if found is None:
        return None
    words = ContendersTable(sheet, found)
    return schemas.ContendersData.of(
        found,
        text=words.sentence,
        proof_text=words.proof,
        contenders=[
            schemas.ContenderData.of(each, number=sheet.entries[each.row].number) for each in found.each
        ],
    )


def _standings_rows(found: Ranked, ratings: Mapping[int, PlayerRating]) -> list[schemas.RowData]:
    columns = published_figures(found.standings)
    rows = []
    for at, row in zip(found.standings.order.tolist(), ranked_rows(found.standings), strict=True):
        entry = found.entries[at]
        published = {label: figures[at] for label, figures in columns if figures[at]}
        rating = ratings.get(entry.number)
        rows.append(
            schemas.RowData.of(row, name=entry.name, code=entry.code, rating=rating, published=published)
        )
    return rows


def ranked_rows(standings: Standings, shown: Sequence[str] = ()) -> list[schemas.RankedRow]:
    """Return the rows of the standings; `shown`: the codes of columns that do not decide places."""
    columns = [standings.column(code) for code in (*standings.criteria, *shown)]
    numbers = standings.table.numbers.tolist()
    return [
        schemas.RankedRow.of(
            row,
            number=numbers[row.competitor],
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
def competitor(_: HttpRequest, event: Event, number: int) -> schemas.CompetitorAnswer:
    """A competitor: place, values, and for each round the pairing, the points and the place."""
    found, document = ranked(event), public_document(event)
    row = row_of(found.entries, number)
    entry = next((each for each in document.competitors if each.number == number), None)
    if entry is None:  # deleted a moment ago
        raise Http404
    ratings = _ratings_of(event, found)
    return schemas.CompetitorAnswer.of(
        found,
        event=event,
        competitor=entry,
        standing=next(each for each in _standings_rows(found, ratings) if each.number == number),
        rounds=_rounds_of(event, document, found, row),
        rated_games=_rated_games(ratings.get(number), found.standings.table.numbers.tolist()),
    )


def _rounds_of(
    event: Event, document: Document, found: Ranked, row: int
) -> Iterator[schemas.CompetitorRound]:
    number = found.entries[row].number
    pairings = {at: each for at, each in document.pairings() if number in each.numbers}
    totals = found.standings.table.points().cumsum(axis=1)[row].tolist()
    # Not strict: a round may have been paired since the standings were read. The next response has it.
    is_ordered = event.knows_round_order
    after_each = places_after_each_round(event) if is_ordered else [()] * len(totals)
    rounds = rounds_of_competitor(found.standings.table, row)
    for at, (total, places, met) in enumerate(zip(totals, after_each, rounds, strict=False), start=1):
        yield schemas.CompetitorRound.of(
            None,
            round=at,
            total=total if is_ordered else None,
            place=(places[row] or None) if places else None,
            pairing=pairings.get(at),
            in_progress=match_in_progress(met.table, met.result) if met.result.open_boards else None,
        )


def _ratings_of(event: Event, found: Ranked) -> dict[int, PlayerRating]:
    ratings = ratings_in(event, found.standings.table, [entry.birth_year for entry in found.entries])
    return {entry.number: rating for entry, rating in zip(found.entries, ratings, strict=False)}


def _rated_games(rating: PlayerRating | None, numbers: list[int]) -> list[schemas.RatedGameData]:
    """Return the games of a rating change; `numbers`: the numbers of the rows of the crosstable."""
    games = rating.change.games if rating and rating.change else ()
    opponents = [each.game.opponent for each in games]
    return [
        schemas.RatedGameData.of(each, opponent=numbers[opponent] if isinstance(opponent, int) else None)
        for each, opponent in zip(games, opponents, strict=True)
    ]


# --- categories and prizes --------------------------------------------------------------------------------


@endpoint(event_view)
def categories(_: HttpRequest, event: Event) -> schemas.CategoriesData:
    """The categories of the event, with the places of their members."""
    found, members = ranked(event), category_members(event)
    return schemas.CategoriesData.of(
        found,
        event=event,
        categories=[
            schemas.CategoryData(
                category=object_of(with_blanks(EventCategory, each), EventCategory),
                name=category_name(each),
                rows=_category_rows(found, members[each["code"]].numbers),
            )
            for each in event.categories
        ],
    )


def _category_rows(found: Ranked, numbers: frozenset[int]) -> list[schemas.CategoryRow]:
    places = found.standings.place.tolist()
    return [
        schemas.CategoryRow.of(
            row,
            number=found.entries[row.competitor].number,
            name=found.entries[row.competitor].name,
            place_in_whole=places[row.competitor] or None,
        )
        for row in rows_among(found.standings, numbers)
    ]


@endpoint(event_view)
def prizes(_: HttpRequest, event: Event) -> schemas.PrizesData:
    """The prizes, their winners, and an explanation of each amount. Empty until the prize list is public."""
    found = ranked(event)
    is_shown = shows_prizes(event) and found.standings.table.rounds
    listed = prizes_of(event, found) if is_shown else PrizeList((), (), (), "", "")
    return schemas.PrizesData.of(listed, event=event, standings=found.standings)


# --- values -----------------------------------------------------------------------------------------------


@endpoint(event_view)
@bounded_cache
@uses_parameters("after")
def explanation(request: HttpRequest, event: Event, number: int, code: str) -> schemas.ExplanationData:
    """The terms of a competitor's value of a criterion."""
    require_results(event)
    found = ranked(event, round_of_parameter(event, choices(request).get("after", "")))
    row, standings = row_of(found.entries, number), found.standings
    try:
        judged, explained = standings.column(code), standings.explain(row, code)
    except UnknownCriterionError as unknown:
        raise Http404 from unknown
    numbers = standings.table.numbers.tolist()
    return schemas.ExplanationData.of(
        explained,
        event=event,
        after=standings.table.rounds,
        rests_on=standings.table,
        competitor={"number": number, "name": standings.table.names[row]},
        levels=judged.level_texts(row),
        computed=judged.as_computed.level_texts(row),
        lines=[_explanation_line(line, numbers) for line in explained.lines],
    )


def _explanation_line(line: ExplainedTerm, numbers: list[int]) -> schemas.LineData:
    opponent, inner = line.term.opponent, line.inner
    return schemas.LineData.of(
        line,
        opponent=numbers[opponent] if opponent >= 0 else None,
        inner={"competitor": numbers[inner.row], "criterion": inner.code} if inner else None,
    )


@endpoint(event_view)
def statistics(_: HttpRequest, event: Event) -> schemas.StatisticsData:
    """Statistics: results of games, scores of players and the best players of each board."""
    require_results(event)
    found = ranked(event)
    sheet = StandingsSheet(event, found.standings, found.entries, "")
    summary, scorers = summary_of(sheet), scorers_of(sheet)
    return schemas.StatisticsData.of(
        scorers,
        event=event,
        standings=found.standings,
        results=(summary.every, *summary.boards),
        match_scores=summary.match_scores,
        widest_wins=summary.biggest,
        teams=[_team_boards(each, scorers.boards) for each in scorers.teams],
    )


def _team_boards(line: TeamRow, boards: list[int]) -> schemas.TeamBoardsData:
    scores = zip(boards, line.boards, strict=True)
    return schemas.TeamBoardsData(
        number=line.entry.number,
        boards=[schemas.BoardScoreData.of(score, board=board) for board, score in scores],
    )


@endpoint(event_view)
def check(_: HttpRequest, event: Event) -> schemas.CheckData:
    """The comparison of the computed standings with the published ones, with every difference."""
    published = Published.objects.filter(event=event).first()
    return schemas.CheckData.of(
        published or Published(),
        event=event,
        verdict=_check_state(event) if published else UNCHECKED,
        tables=checked_tables(event, published) if published else [],
        pairings=pairings_verdict(event) if event.knows_results else None,
    )


def _check_state(event: Event) -> str:
    found = ranked(event)
    computed = StandingsSheet(event, found.standings.as_computed, found.entries, "", ruled=found.standings)
    trust = trust_statement(computed)
    return trust.state if trust else UNCHECKED


@endpoint(static_page)
def criteria(request: HttpRequest) -> schemas.CriteriaData:
    """All criteria, ranking systems and policies for unplayed rounds."""
    return schemas.CriteriaData.of(
        None, request, criteria=all_criteria(), systems=SYSTEMS.values(), policies=list(POLICIES)
    )
