"""The fixed cast of the tests: a small team event and a small event of players, recorded in the database."""

from tournaments.event.choices import Kind
from tournaments.models import Competitor, Event, Game, Pairing, Player, Round, Series


def create_team_event(slug: str = "two-teams") -> Event:
    """A Swiss of two rounds for the teams Reds, Blues, Greens: one match with two boards played, one bye."""
    series, _ = Series.objects.get_or_create(slug="cup", defaults={"name": "Cup"})
    event = Event.objects.create(
        slug=slug,
        name="Cup of Teams",
        series=series,
        state=Event.State.LIVE,
        discipline="chess",
        entrants=Event.Entrants.TEAMS,
        schedule=Event.Schedule.SWISS,
        planned_rounds=2,
        boards=2,
        game_win=2,
        game_draw=1,
        system="olympiad-2010",
    )
    names = ("Reds", "Blues", "Greens")
    teams = [
        Competitor.objects.create(event=event, number=number, name=name)
        for number, name in enumerate(names, start=1)
    ]
    players = [
        Player.objects.create(competitor=team, board=board, name=f"{team.name} {board}")
        for team in teams
        for board in (1, 2)
    ]
    first = Round.objects.create(event=event, number=1, date="2026-05-01", state=Round.State.CLOSED)
    Round.objects.create(event=event, number=2, state=Round.State.PUBLISHED)
    match = Pairing.objects.create(
        round=first,
        table=1,
        first=teams[0],
        second=teams[1],
        kind=Kind.PLAYED,
        first_score=3,
        second_score=1,
    )
    Pairing.objects.create(round=first, table=2, first=teams[2], kind=Kind.BYE, first_score=4)
    for board, score in ((1, (2, 0)), (2, (1, 1))):
        Game.objects.create(
            pairing=match,
            board=board,
            first_player=players[board - 1],
            second_player=players[board + 1],
            white="first" if board == 1 else "second",
            kind=Kind.PLAYED,
            first_score=score[0],
            second_score=score[1],
        )
    return event


def create_player_event(slug: str = "two-players") -> Event:
    """A round robin of Ann and Bea in draughts, one game won by Ann."""
    event = Event.objects.create(
        slug=slug,
        name="Match of Two",
        state=Event.State.FINAL,
        discipline="draughts-100",
        entrants=Event.Entrants.PLAYERS,
        schedule=Event.Schedule.ROUND_ROBIN,
        planned_rounds=1,
        game_win=4,
        game_draw=2,
        system="manual-round-robin",
    )
    ann = Competitor.objects.create(event=event, number=1, name="Ann", code="NED")
    bea = Competitor.objects.create(event=event, number=2, name="Bea", code="FRA")
    only = Round.objects.create(event=event, number=1, state=Round.State.CLOSED)
    Pairing.objects.create(
        round=only, table=1, first=ann, second=bea, kind=Kind.PLAYED, first_score=4, second_score=0
    )
    return event


def create_event_to_come(slug: str = "to-come") -> Event:
    """A live Swiss in chess of nine rounds for players: none is paired, and only Ann has entered."""
    event = Event.objects.create(
        slug=slug,
        name="To come",
        state=Event.State.LIVE,
        discipline="chess",
        entrants=Event.Entrants.PLAYERS,
        schedule=Event.Schedule.SWISS,
        planned_rounds=9,
        game_win=2,
        game_draw=1,
        system="manual-swiss",
    )
    Competitor.objects.create(event=event, number=1, name="Ann", code="NED")
    return event
