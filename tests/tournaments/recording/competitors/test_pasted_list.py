"""Pasted lists of competitors: parsing, faults, and entering all lines or no line."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from tests.cast import create_team_event
from tournaments.models import Competitor, Event, Player
from tournaments.models.versioned import past_of
from tournaments.recording.competitors.pasted_list import RosterLine, enter_roster, read_roster
from tournaments.recording.events.creation import create_event
from tournaments.recording.refusal import Refused


@pytest.fixture
def players(arbiter: User) -> Event:
    """An event of players without competitors."""
    return create_event("open", "Open", "draughts-100", "players", "swiss", arbiter)


@pytest.fixture
def teams(db: None) -> Event:
    """A team event with three teams: Reds, Blues and Greens."""
    return create_team_event()


def only(event: Event, text: str) -> RosterLine:
    """Return the only line of a list."""
    (line,) = read_roster(event, text).lines
    return line


def said(line: RosterLine) -> tuple[Any, ...]:
    return line.number, line.name, line.code, line.rating, line.title, line.fault


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Ann", ("Ann", "", None, "")),
        ("Ann\tNED\t2310\tMI", ("Ann", "NED", 2310, "MI")),
        ("Ann;NED;2310;MI", ("Ann", "NED", 2310, "MI")),
        ("Ann, NED, 2310, MI", ("Ann", "NED", 2310, "MI")),
        ("Bierema, B.; NED; ; MI", ("Bierema, B.", "NED", None, "MI")),
        ("Bierema, B.", ("Bierema, B.", "", None, "")),
        ("Bierema, Bob, NED", ("Bierema, Bob", "NED", None, "")),
        ("Bierema, B., NED, 2310", ("Bierema, B.", "NED", 2310, "")),
        ("Bierema, B., , 2310, MI", ("Bierema, B.", "", 2310, "MI")),
        ("Bierema, B., NED, , MI", ("Bierema, B.", "NED", None, "MI")),
        ("  Ann \t NED \t\t", ("Ann", "NED", None, "")),
        ("Ann;;2310;;;", ("Ann", "", 2310, "")),
        ("Zwart\u200b, Zoë\x00;NED", ("Zwart\u200b, Zoë", "NED", None, "")),
    ],
)
def test_lines_are_parsed(players: Event, text: str, read: tuple[Any, ...]) -> None:
    assert said(only(players, text)) == (1, *read, "")


@pytest.mark.parametrize(
    "text", ["7. Ann;NED", "7) Ann;NED", "7 Ann; NED", "7;Ann;NED", "7\tAnn\tNED", "7, Ann, NED"]
)
def test_a_number_in_front_is_the_start_number(players: Event, text: str) -> None:
    assert said(only(players, text)) == (7, "Ann", "NED", None, "", "")


def test_numbers_go_on_from_those_that_are_there(teams: Event) -> None:
    roster = read_roster(teams, "Whites\n\n9;Blacks\r\n \t \nGreys")
    assert [(each.line, each.number, each.name) for each in roster.lines] == [
        (1, 4, "Whites"),
        (3, 9, "Blacks"),
        (5, 10, "Greys"),
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Ann;NED;22o5", "“22o5” is not a rating"),
        ("Ann;NED;-5", "“-5” is not a rating"),
        ("Ann;NED;99999", "“99999” is not a rating"),
        ("Ann;NED;٢٣", "is not a rating"),
        ("Ann, NED, 22o5", "Not understood"),
        ("Ann;NED;2310;MI;more", "Not understood"),
        ("5;;NED", "name is missing"),
        ("0;Ann", "is not a number from 1"),
        (f"Ann;NED;{'9' * 5_000}", "is not a rating"),
        (f"{'9' * 5_000};Ann", "is not a number from 1"),
        ("123456;Ann", "is not a number from 1"),
        ("Ann;NEDERLAND", "too long: 8"),
        ("Ann;NED;2310;Grandmaster", "too long: 8"),
        ("A" * 121, "too long: 120"),
    ],
)
def test_faulty_lines_have_a_fault(players: Event, text: str, fault: str) -> None:
    assert fault in only(players, text).fault


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("3;Whites", "Number 3 is Greens already"),
        ("5;Whites\n5;Blacks", "Number 5 is Whites already"),
        ("greens", "greens is already entered as number 3"),
        ("Whites\nWHITES", "WHITES is already entered as number 4"),
        ("- Ann\nWhites", "This player has no team"),
        ("Whites\n- Ann\n- Ann", "Ann is in this team already"),
        ("Whites\n- Ann;;;14\n- Bea;;;14", "Bea is in this team already"),
        ("Whites\n- 2;Ann\n- 2;Bea", "Board 2 is Ann's already"),
        ("Whites\n- Ann;NED", "“NED” is not a rating"),
        ("Whites\n- Ann;2310;MI;x", "“x” is not a FIDE id"),
    ],
)
def test_duplicates_have_a_fault(teams: Event, text: str, fault: str) -> None:
    (faulty,) = read_roster(teams, text).faults
    assert fault in faulty.fault


@pytest.mark.parametrize(
    "player",
    ["- 2; Ann; 2310; MI; 14", "\t2\tAnn\t2310\tMI\t14", "   2. Ann, 2310, MI, 14", "– 2, Ann, 2310, MI, 14"],
)
def test_players_follow_their_team(teams: Event, player: str) -> None:
    team, one, two = read_roster(teams, f"Whites;NED\n{player}\n- Bea").lines
    assert (team.number, team.code, team.is_player) == (4, "NED", False)
    assert said(one) == (2, "Ann", "", 2310, "MI", "")
    assert (one.fide_id, one.is_player) == (14, True)
    assert (two.number, two.name) == (3, "Bea")


def test_an_entire_list_is_entered(teams: Event, arbiter: User) -> None:
    roster = enter_roster(teams, "Whites;NED;2100\n- Ann;2310;MI;14\n- Bea\nBlacks", arbiter)
    assert (roster.competitors, roster.players) == (2, 2)
    whites = Competitor.objects.get(event=teams, number=4)
    assert (whites.name, whites.code, whites.rating) == ("Whites", "NED", 2100)
    assert list(whites.players.values_list("board", "name", "title", "rating", "fide_id")) == [
        (1, "Ann", "MI", 2310, 14),
        (2, "Bea", "", None, None),
    ]
    assert past_of(Competitor).objects.get(id=whites.pk, history_type="+").history_user == arbiter


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Ann\nBea;;x\nCas;;y", r"Line 2: “x” is not a rating.*Nothing was entered"),
        ("\n;\n", "There are no lines"),
    ],
)
def test_or_not_at_all(players: Event, arbiter: User, text: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        enter_roster(players, text, arbiter)
    assert not Competitor.objects.filter(event=players).exists()
    assert not Player.objects.exists()


def test_reading_takes_a_single_query(
    players: Event, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(1):
        assert read_roster(players, "\n".join(f"Player {number}" for number in range(300))).competitors == 300
