"""Stores a generated tournament in the database."""

from tools.benchmarks.generated import Tournament
from tournaments.event.choices import Kind
from tournaments.models import Competitor, Event, Pairing, Round


def record(tournament: Tournament) -> Event:
    event = Event.objects.create(
        slug="generated",
        name="Generated Swiss",
        state=Event.State.LIVE,
        discipline="chess",
        entrants=Event.Entrants.PLAYERS,
        schedule=Event.Schedule.SWISS,
        planned_rounds=tournament.rounds,
        game_win=2,
        game_draw=1,
        system="fmjd-swiss",
    )
    players = Competitor.objects.bulk_create(
        Competitor(event=event, number=number, name=f"Player {number}", rating=rating)
        for number, rating in enumerate(tournament.ratings, start=1)
    )
    rounds = Round.objects.bulk_create(
        Round(event=event, number=number, state=Round.State.CLOSED)
        for number in range(1, tournament.rounds + 1)
    )
    Pairing.objects.bulk_create(
        Pairing(
            round=rounds[game.round - 1],
            table=game.table,
            first=players[game.white],
            second=players[game.black],
            kind=Kind.PLAYED,
            first_score=game.score,
            second_score=2 - game.score,
        )
        for game in tournament.games
    )
    return event
