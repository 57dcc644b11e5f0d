"""Pasted lists of competitors: parsing, faults, and entering all lines or no line."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from tests.cast import create_team_event, play
from tests.hiding import FIDE_ID, imported, players_file
from tournaments.models import Competitor, Event, Person, Player
from tournaments.models.versioned import past_of
from tournaments.people.services.hiding import hide
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
    code, rating, title = (line.values.get(name) for name in ("code", "rating", "title"))
    return line.number, line.name, code or "", rating, title or "", line.fault


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
        ("Ann;NED;22o5", "Rating: “22o5” is a text, not a whole number"),
        ("Ann;NED;-5", "Rating: “-5” is a text"),
        ("Ann;NED;99999", "Rating: 99999 is not between"),
        ("Ann;NED;٢٣", "is a text, not a whole number"),
        ("Ann, NED, 22o5", "Not understood"),
        ("Ann;NED;2310;MI;more", "Not understood"),
        ("5;;NED", "name is missing"),
        ("0;Ann", "Number: 0 is not between 1"),
        (f"Ann;NED;{'9' * 5_000}", "A cell has more than 2000 characters"),
        (f"{'9' * 1_999};Ann", "is a text, not a whole number"),
        ("123456;Ann", "Number: 123456 is not between 1"),
        ("Ann;VEENDAM-O", "Code: 9 characters; at most 8 fit"),
        ("Ann;NED;2310;Grandmaster", "Title: 11 characters; at most 8 fit"),
        ("A" * 121, "Name: 121 characters; at most 120 fit"),
    ],
)
def test_faulty_lines_have_a_fault(players: Event, text: str, fault: str) -> None:
    assert fault in only(players, text).fault


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("3;Whites", "Number 3 is Greens already"),
        ("5;Whites\n5;Blacks", "Number 5 is Whites already"),
        ("Whites\nWHITES", "WHITES is already entered as number 4"),
        ("- Ann\nWhites", "This player has no team"),
        ("Whites\n- Ann\n- Ann", "Ann is in this team already"),
        ("Whites\n- Ann;;;14\n- Bea;;;14", "Bea is in this team already"),
        ("Whites\n- 2;Ann\n- 2;Bea", "Board 2 is Ann's already"),
        ("Whites\n- Ann;NED", "“NED” is a text"),
        ("Whites\n- Ann;2310;MI;x", "FIDE id: “x” is a text"),
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
    assert (team.number, team.values["code"], team.is_player) == (4, "NED", False)
    assert said(one) == (2, "Ann", "", 2310, "MI", "")
    assert (one.values["fide_id"], one.is_player) == (14, True)
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
        ("Ann\nBea;;x\nCas;;y", r"Line 2: Rating: “x” is a text.*Nothing was entered"),
        ("\n;\n", "There are no lines"),
    ],
)
def test_or_not_at_all(players: Event, arbiter: User, text: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        enter_roster(players, text, arbiter)
    assert not Competitor.objects.filter(event=players).exists()
    assert not Player.objects.exists()


FULL = (
    ("Rating", "Name", "Title", "FED", "Born", "Sex", "Club", "City", "FIDE ID", "FMJD-ID", "Category"),
    (
        "2310",
        "Bierema, B.",
        "MI",
        "NED",
        "28.07.2005",
        "male",
        "De Toren, Arnhem",
        "Arnhem",
        "14",
        "15",
        "u20; W",
    ),
)
READ = {
    "name": "Bierema, B.",
    "rating": 2310,
    "title": "MI",
    "code": "NED",
    "born": "2005-07-28",
    "sex": "m",
    "club": "De Toren, Arnhem",
    "city": "Arnhem",
    "fide_id": 14,
    "fmjd_id": 15,
    "categories": ["U20", "W"],
}


@pytest.mark.parametrize("sign", ["\t", "|", "   "])
@pytest.mark.parametrize("order", [slice(None), slice(None, None, -1)])
def test_columns_below_a_heading_have_any_order(players: Event, sign: str, order: slice) -> None:
    players.categories = [{"code": "U20"}, {"code": "W", "name": "Women"}]
    text = "\n".join(sign.join(row[order]) for row in FULL)
    line = only(players, text)
    assert (line.line, line.number, line.fault, line.remark) == (2, 1, "", "")
    assert line.values == READ


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "Nr;Naam;Rtg;Land;Geb.\n4;Bos, An;1900;NED;1990",
            {"code": "NED", "born": "1990", "rating": 1900},
        ),
        ("ФИО\tРейтинг\nBos, An\t1900", {"rating": 1900}),
        (
            "No.  Name      FED  Rtg\n 1   Bos, An   NED  1900\n 2   Cas, B.        1800",
            {"code": "NED", "rating": 1900},
        ),
        ("Player;Team;Rtg\nBos, An;Reds;1900", {"club": "Reds", "rating": 1900}),
        ("Open of May\n\nName;Category\nBos, An;Women", {"categories": ["W"]}),
    ],
)
def test_headings_of_other_programs_are_read(players: Event, text: str, names: dict[str, Any]) -> None:
    players.categories = [{"code": "W", "name": "Women"}]
    assert read_roster(players, text).lines[0].values == {"name": "Bos, An", **names}


def test_unread_columns_and_lines_are_named(players: Event) -> None:
    roster = read_roster(players, "Entries of May\nName;Phone;Rating\nAnn;06;2310\nBea;;2205")
    assert [each.name for each in roster.lines] == ["Ann", "Bea"]
    assert roster.unread_columns == ("Phone",)
    assert roster.unread_lines == ((1, "Entries of May"),)


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("Bea;22o5;2001", "Rtg: “22o5” is a text, not a whole number. Correct it."),
        ("Bea;;31-02-2001", "Geb: “31-02-2001” is no date"),
        (";2205;", "The name is missing"),
        ("Bea;2205;;;NED", "More cells than the heading has"),
    ],
)
def test_an_invalid_cell_is_named_by_its_heading(players: Event, row: str, fault: str) -> None:
    roster = read_roster(players, f"Naam;Rtg;Geb\nAnn;2310;1999\n{row}\nCas;2100;")
    (faulty,) = roster.faults
    assert faulty.line == 3
    assert fault in faulty.fault
    assert len(roster.lines) == 3


def test_a_heading_of_a_damaged_table_is_no_competitor(players: Event) -> None:
    (faulty,) = read_roster(players, 'Name;Rating\n"Ann;2310').lines
    assert "never closed" in faulty.fault


def test_an_unknown_category_stays_with_a_remark(players: Event) -> None:
    players.categories = [{"code": "U20"}]
    line = only(players, "Name;Category\nAnn;Seniors")
    assert line.values["categories"] == ["Seniors"]
    assert line.remark == "Not a category of this event: Seniors. It has U20."


def test_players_with_their_team_in_each_line(teams: Event, arbiter: User) -> None:
    text = "Team;Board;Player;Rtg;FIDE ID\nWhites;2;Bea;2200;12\nReds;9;Ann;2310;11\nWhites;1;Cas;2300;13"
    roster = enter_roster(teams, text, arbiter)
    assert (roster.competitors, roster.players) == (1, 3)
    whites = Competitor.objects.get(event=teams, name="Whites")
    assert (whites.number, whites.rating) == (4, None)
    assert list(whites.players.values_list("board", "name", "rating", "fide_id")) == [
        (1, "Cas", 2300, 13),
        (2, "Bea", 2200, 12),
    ]
    assert Player.objects.get(fide_id=11).competitor.name == "Reds"


def test_team_and_player_of_a_line_are_updated_separately(teams: Event, arbiter: User) -> None:
    text = "Team;Fed;Board;Player;Rtg\nWhites;NED;1;Bea;2200"
    enter_roster(teams, text, arbiter)
    text = text.replace("NED", "BEL").replace("2200", "2210")
    team, player = read_roster(teams, text).lines
    enter_roster(teams, text, arbiter, updates=[player.version], why="A typing error.")
    bea = Player.objects.get(name="Bea")
    assert (bea.rating, bea.competitor.code) == (2210, "NED")
    enter_roster(teams, text, arbiter, updates=[team.version])
    assert Competitor.objects.get(name="Whites").code == "BEL"


def test_federations_of_players_are_not_the_code_of_their_team(teams: Event) -> None:
    text = "Team;Player;Fed;Rating\nWhites;Ann;NED;2000\nWhites;Bob;BEL;A 1900\nBlacks;Cas;NED;"
    roster = read_roster(teams, text)
    assert roster.unread_columns == ("Fed",)
    assert [each.values for each in roster.lines] == [
        {"name": "Whites"},
        {"name": "Ann", "rating": 2000},
        {"name": "Bob", "rating": 1900},
        {"name": "Blacks"},
        {"name": "Cas"},
    ]


def test_a_row_without_a_known_value_is_listed_as_unread(players: Event) -> None:
    roster = read_roster(players, "Rank;Name;Rating\n1;Ann;2000\n2;Bob;1900\nTotal players 2")
    assert ([each.name for each in roster.lines], roster.unread_lines) == (
        ["Ann", "Bob"],
        ((4, "Total players 2"),),
    )


@pytest.mark.parametrize("text", ["Name\nAnn\nBob", "Name Rating\nAnn 2000\nBob 1900", "\nNaam\nAnn"])
def test_a_heading_of_one_cell_is_no_competitor(players: Event, text: str) -> None:
    (faulty,) = read_roster(players, text).lines
    assert "This is a heading" in faulty.fault


@pytest.mark.parametrize("name", ["- Ann", "– Ann", "1. Ann", "2) Ann"])
def test_a_name_below_a_heading_has_no_sign_or_number(players: Event, name: str) -> None:
    (faulty,) = read_roster(players, f"Name;Rating\nWhites;2000\n{name};1900").faults
    assert (faulty.line, faulty.fault) == (3, "Write the name only, without the sign or number before it.")


def test_a_number_that_differs_from_the_entered_one_is_named(teams: Event) -> None:
    reds = teams.competitors.get(number=1)
    Player.objects.create(competitor=reds, name="Zoë", board=8)
    Player.objects.create(competitor=reds, name="Yve")
    lines = read_roster(teams, "9 Reds\n- 7 Zoë\n- 6 Yve\n2 Blues").lines
    assert [(each.number, each.remark) for each in lines] == [
        (1, "The list has number 9; it stays 1."),
        (8, "The list has number 7; it stays 8."),
        (0, "The list has number 6; it stays –."),
        (2, ""),
    ]


def test_no_number_is_higher_than_an_event_file_may_have(players: Event) -> None:
    (faulty,) = read_roster(players, "16383 Bond, James\nMoneypenny, Eve").faults
    assert faulty.fault == "Number 16384 is too high. Write a lower one."


@pytest.fixture
def ann(players: Event) -> Competitor:
    """Ann, who is entered already."""
    return Competitor.objects.create(event=players, number=3, name="Bos, Ann", born="1990-02-03", fide_id=14)


@pytest.mark.parametrize(
    ("row", "changes"),
    [
        ("Ann Bos;;;", {"name": ("Bos, Ann", "Ann Bos")}),
        ("Bos, Ann;2310;1990;", {"rating": (None, 2310)}),
        ("Bos, A.;;;14", {"name": ("Bos, Ann", "Bos, A.")}),
        ("Bos, Ann;;;14", {}),
    ],
)
def test_the_same_person_is_never_added_twice(ann: Competitor, row: str, changes: dict[str, Any]) -> None:
    line = only(ann.event, f"Name;Rating;Born;FIDE ID\n{row}")
    assert (line.stored, line.number, line.changes, line.fault) == (ann, 3, changes, "")


@pytest.mark.parametrize("row", ["Bos, Ann;;1991;", "Bos, Ann;;;15"])
def test_a_namesake_is_another_person(ann: Competitor, row: str) -> None:
    line = only(ann.event, f"Name;Rating;Born;FIDE ID\n{row}")
    assert (line.stored, line.number, line.fault) == (None, 4, "")


def test_an_ambiguous_name_needs_an_id(ann: Competitor) -> None:
    Competitor.objects.create(event=ann.event, number=4, name="Bos, Ann", born="1991")
    text = "Bos, Ann"
    assert only(ann.event, text).fault == "2 entries have the name Bos, Ann. Add the id or the date of birth."


def test_an_entered_row_changes_only_if_it_was_chosen_as_shown(ann: Competitor, arbiter: User) -> None:
    text = "Name;Rating\nBos, Ann;2310\nCas;2100"
    roster = enter_roster(ann.event, text, arbiter)
    ann.refresh_from_db()
    assert (roster.competitors, ann.rating) == (1, None)
    with pytest.raises(Refused, match="was changed after the preview"):
        enter_roster(ann.event, text, arbiter, updates=[f"c{ann.pk}:2"])
    enter_roster(ann.event, text, arbiter, updates=[f"c{ann.pk}:1"])
    ann.refresh_from_db()
    assert (ann.rating, ann.version) == (2310, 2)
    assert ann.event.competitors.count() == 2


def test_a_rating_of_an_event_with_results_changes_with_a_reason(ann: Competitor, arbiter: User) -> None:
    Competitor.objects.create(event=ann.event, number=4, name="Bob")
    ann.event.rounds.get_or_create(number=1)
    play(ann.event, [(1, 1, 3, 4, 2)])
    text, updates = "Name;Rating;Club\nBos, Ann;2310;Reds", [f"c{ann.pk}:1"]
    with pytest.raises(Refused, match="Give a reason for the history"):
        enter_roster(ann.event, text, arbiter, updates=updates)
    enter_roster(ann.event, text.replace("2310", ""), arbiter, updates=updates)
    enter_roster(ann.event, text, arbiter, updates=[f"c{ann.pk}:2"], why="A typing error.")
    reasons = past_of(Competitor).objects.filter(id=ann.pk).values_list("history_change_reason", flat=True)
    assert list(reasons)[:2] == ["Pasted list: A typing error.", "Pasted list"]


def test_a_list_that_makes_a_new_error_is_refused(ann: Competitor, arbiter: User) -> None:
    Competitor.objects.filter(pk=ann.pk).update(pairing_number=7)
    with pytest.raises(Refused, match="Pairing number 7 of Bob is also another's"):
        enter_roster(ann.event, "7 Bob", arbiter)
    assert ann.event.competitors.count() == 1


@pytest.mark.parametrize("line", ["Zora QUIXLEY;", "Z.;99887766"])
def test_a_hidden_person_of_the_event_is_not_entered_again(arbiter: User, line: str) -> None:
    event = imported(players_file())
    hide(Person.objects.get(identifiers__value=str(FIDE_ID)), arbiter, "Asked.")
    text = f"Name;FIDE ID\nNew, Nora;99887767\n{line}"
    with pytest.raises(Refused, match=r"Line 3: This line cannot be entered\. Remove it"):
        enter_roster(event, text, arbiter)
    assert event.competitors.count() == 6


def test_reading_takes_two_queries(
    players: Event, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(2):
        assert read_roster(players, "\n".join(f"Player {number}" for number in range(300))).competitors == 300
