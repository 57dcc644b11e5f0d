"""Results of single rounds by competitor number."""

from standings.services import ranked
from standings.tables.cells import RoundResult, results_of_round
from tournaments.models import Event


def facts_in(event: Event, number: int) -> dict[int, RoundResult]:
    """Return the results of a round by competitor number. Empty if the round does not count yet."""
    entries, standings = ranked(event)
    if number > standings.table.rounds:  # a draft, previewed at the desk
        return {}
    results = results_of_round(standings.table, number)
    return {entry.number: each for entry, each in zip(entries, results, strict=True)}
