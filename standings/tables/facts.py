"""What a round of an event was for each competitor, as the tables show it."""

from standings.services import ranked
from standings.tables.cells import RoundResult, results_of_round
from tournaments.models import Event


def facts_in(event: Event, number: int) -> dict[int, RoundResult]:
    """Return what a round was for each competitor, by number, as the tables count it."""
    entries, standings = ranked(event)
    if number > standings.table.rounds:  # a draft, which the desk previews and no standings count
        return {}
    results = results_of_round(standings.table, number)
    return {entry.number: each for entry, each in zip(entries, results, strict=True)}
