"""The results of a competitor in an event, from the cached standings without a query."""

from standings.careers.participation import ANNULLED, CareerGame, CareerOpponent, Participation, place_number
from standings.catalogue.outcomes import Outcome
from standings.engine import RoundKind, fraction_text
from standings.flags import country_of
from standings.services import ranked
from standings.statistics.counting import FORFEIT, PLAYED, UNKNOWN
from standings.statistics.ratingcolumns import rating_in
from standings.tables.cells import ADVANTAGE, CrosstableRound, rounds_of_competitor, sign
from tournaments.event.arrays import POINTS_LABELS, CompetitorInfo
from tournaments.event.resultcodes import half_points_or_none
from tournaments.models import Event

KINDS = {
    RoundKind.PLAYED: PLAYED,
    RoundKind.FORFEIT: FORFEIT,
    RoundKind.ANNULLED: ANNULLED,
    RoundKind.UNKNOWN: UNKNOWN,
}
"""The kinds of games. Other kinds of round have no opponent or no result yet."""


def participation_of(event: Event, number: int, outcome: Outcome) -> Participation | None:
    """Return the results of the competitor with that number, None if unknown.

    The event must have its `data_version`. No query if its standings are cached.
    """
    entries, standings = ranked(event)
    table = standings.table
    row = next((at for at, entry in enumerate(entries) if entry.number == number), None)
    if row is None:
        return None
    entry, games_played = entries[row], table.games[row].tolist()
    points: int | None = int(table.totals(table.scale)[row] + table.final_bonus(table.scale)[row])
    if table.published is not None:
        printed = (
            texts for label, texts in table.published.columns.items() if label.casefold() in POINTS_LABELS
        )
        points = half_points_or_none(next(printed, {row: ""})[row])
    return Participation(
        event=event,
        number=number,
        name=entry.name,
        place=outcome.places.get(number, ("", ""))[0],
        ranked=ranked_in(outcome),
        points=points,
        all_games=tuple(
            _game_of_competitor(event, each, entries[each.opponent], games_played[each.round - 1], outcome)
            for each in rounds_of_competitor(table, row)
            if each.opponent >= 0 and each.result.kind in KINDS
        ),
        code=country_of(event, entry),
        title=entry.title,
        rating=entry.rating or 0,
        rated=None if event.is_team else rating_in(event, table, row, entry.birth_year),
    )


def ranked_in(outcome: Outcome) -> int:
    return sum(1 for place, _country in outcome.places.values() if place)


def _game_of_competitor(
    event: Event, met: CrosstableRound, opponent: CompetitorInfo, games_played: int, outcome: Outcome
) -> CareerGame:
    result = met.result
    # A micro-match has several games, with both colours.
    has_colour = not event.is_team and games_played <= 1
    return CareerGame(
        round=met.round,
        table=met.table,
        board=0,
        colour=result.colour if has_colour else 0,
        kind=KINDS[RoundKind(result.kind)],
        own=result.score,
        theirs=result.opponent_score,
        ended=result.outcome,
        result="" if result.kind == RoundKind.UNKNOWN else _result_signs(met),
        opponent=CareerOpponent(
            name=opponent.name,
            code=country_of(event, opponent),
            rating=opponent.rating or 0,
            number=opponent.number,
            entry=opponent.key,
            placed=place_number(outcome.places.get(opponent.number, ("", ""))[0]),
        ),
    )


def _result_signs(met: CrosstableRound) -> str:
    """Return the points of both sides, or the signs of an unplayed game: `2-0`, `1+ 1-`, `+ -`."""
    result = met.result
    own = sign(result)
    if result.kind == RoundKind.FORFEIT:
        theirs = sign(result._replace(score=result.opponent_score, opponent_score=result.score))
        return own if own == theirs == "- -" else f"{own} {theirs}"
    theirs = fraction_text(result.opponent_score, 2) + ADVANTAGE[-result.advantage]
    return f"{own} {theirs}" if result.advantage else f"{own}-{theirs}"
