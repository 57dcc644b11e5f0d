"""A hidden person and a namesake without ids: no numbers in a file reveal the hidden person."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.hiding import imported
from tests.tournaments.people.services.events import Who, imported_teams, make_person
from tournaments.models import Competitor, Event, PeopleAct, Person, PersonLink, Player, WithheldRow
from tournaments.people.matching.entrants import entrants_of
from tournaments.people.services.decisions import link_entry_by_hand, unlink
from tournaments.people.services.hiding import hide as hide_person
from tournaments.people.services.hiding import show_person
from tournaments.people.services.history import undo_people_act
from tournaments.people.services.merging import merge
from tournaments.recording.events.backups import back_up, restore

pytestmark = pytest.mark.django_db(transaction=True)

NAME = "Wit, Anna"


def file_of(who: dict[int, dict[str, Any]], *rounds: list[tuple[int, int]], **about: Any) -> dict[str, Any]:
    """Return the file of an event with these players by number, and the pairs of its rounds."""
    return {
        "format": "crosstable-event",
        "version": 1,
        "event": {
            "slug": "namesakes", "name": "Namesakes", "start": "2020", "discipline": "chess", "state": "live",
            "entrants": "players", "schedule": "swiss", "rounds": 5, "scoring": {"game": [1, 0.5, 0]},
            "system": "fmjd-swiss", **about,
        },
        "competitors": [{"number": number, **each} for number, each in sorted(who.items())],
        "rounds": [
            {
                "number": number,
                "pairings": [
                    {"table": table, "first": one, "second": other, "score": [0.5, 0.5]}
                    for table, (one, other) in enumerate(pairs, start=1)
                ],
            }
            for number, pairs in enumerate(rounds, start=1)
        ],
    }  # fmt: skip


def hide(event: Event, number: int, by: User) -> Person:
    """Hide the competitor with that number."""
    [entrant] = [each for each in entrants_of(event) if each.number == number]
    make_person(entrant, by, "x")
    person = Person.objects.latest("pk")
    hide_person(person, by, "Asked.")
    return person


def names() -> dict[int, str]:
    """Return the public names by number."""
    data = json.loads(Client().get("/events/namesakes.json").content)
    return {each["number"]: each["name"] for each in data["competitors"]}


def shown(person: Person) -> str:
    return f"N.N. {person.pk}"


HER, OTHER = {"name": NAME, "rating": 2000, "born": "1950"}, {"name": NAME, "rating": 1700, "born": "1990"}
BARE, BEA, CORA = {"name": NAME}, {"name": "Bea"}, {"name": "Cora"}


def test_swapped_numbers_are_followed_if_the_entries_differ(otto: User) -> None:
    before = file_of({1: BEA, 2: HER, 3: CORA, 4: OTHER})
    person = hide(imported(before), 2, otto)
    imported(file_of({1: BEA, 2: OTHER, 3: CORA, 4: HER}))

    assert names() == {1: "Bea", 2: NAME, 3: "Cora", 4: shown(person)}
    assert PersonLink.objects.get().competitor == Competitor.objects.get(number=4)
    assert Competitor.objects.get(number=2).born == "1990"
    assert not PeopleAct.objects.filter(kind="doubt").exists()
    show_person(person, otto, "Asked.")
    assert {each.number: (each.name, each.born) for each in Competitor.objects.filter(name=NAME)} == {
        2: (NAME, "1990"),
        4: (NAME, "1950"),
    }
    assert not WithheldRow.objects.exists()


def test_opponents_identify_namesakes(otto: User) -> None:
    person = hide(imported(file_of({1: BEA, 2: BARE, 3: CORA, 4: BARE}, [(1, 2), (3, 4)])), 2, otto)
    imported(file_of({1: BEA, 2: BARE, 3: CORA, 4: BARE}, [(1, 4), (3, 2)], [(1, 3), (2, 4)]))

    assert names() == {1: "Bea", 2: NAME, 3: "Cora", 4: shown(person)}


@pytest.mark.parametrize("who", [(BARE, BARE), (HER, OTHER)])
def test_unchanged_numbers_identify_namesakes(otto: User, who: tuple[dict[str, Any], dict[str, Any]]) -> None:
    her, other = who
    rounds = [(1, 2), (3, 4)]
    person = hide(imported(file_of({1: BEA, 2: her, 3: CORA, 4: other}, rounds)), 2, otto)
    values = {1: "Bea", 2: shown(person), 3: "Cora", 4: NAME}
    more = {**other, "rating": 1740, "club": "Reds"} if other is OTHER else other
    for file in (
        file_of({1: BEA, 2: her, 3: CORA, 4: other}, rounds),
        file_of({1: BEA, 2: her, 3: CORA, 4: more}, rounds, [(1, 4), (2, 3)]),
        file_of({1: BEA, 2: her, 3: CORA, 4: more, 5: BARE}, rounds, [(1, 4), (2, 3)]),
    ):
        imported(file)
        assert {number: name for number, name in names().items() if number < 5} == values
    assert not PeopleAct.objects.filter(kind="doubt").exists()


def test_a_missing_namesake_is_not_replaced(otto: User) -> None:
    person = hide(imported(file_of({1: BEA, 2: HER, 3: CORA, 4: OTHER})), 2, otto)
    imported(file_of({1: BEA, 3: CORA, 4: OTHER}))
    assert names() == {1: "Bea", 3: "Cora", 4: NAME}
    imported(file_of({1: BEA, 3: CORA, 4: OTHER, 7: HER}))
    assert names() == {1: "Bea", 3: "Cora", 4: NAME, 7: shown(person)}


@pytest.mark.parametrize("numbers", [(3, 5), (4, 5), (2, 5), (4, 6)])
def test_both_are_hidden_if_no_fact_identifies_them(otto: User, numbers: tuple[int, int]) -> None:
    person = hide(imported(file_of({1: BEA, 2: BARE, 4: BARE})), 2, otto)
    file = file_of({1: BEA, **dict.fromkeys(numbers, BARE)})
    imported(file)

    [act] = PeopleAct.objects.filter(kind="doubt")
    assert "may be the hidden person " + shown(person) in act.reason
    assert {each.number for each in act.subjects.all()} == {*Person.objects.values_list("pk", flat=True)}
    hidden = names()
    assert NAME not in hidden.values()
    assert len({*hidden.values()}) == 3
    imported(file)
    assert names() == hidden
    assert PeopleAct.objects.filter(kind="doubt").count() == 1

    undo_people_act(act, otto, "The other one.")
    assert sorted(names().values()) == sorted(["Bea", NAME, shown(person)])
    told = names()
    imported(file)
    assert names() == told
    assert Person.objects.count() == 1


def test_a_remaining_namesake_may_be_the_hidden_person(otto: User) -> None:
    hide(imported(file_of({1: BEA, 2: BARE, 4: BARE})), 2, otto)
    imported(file_of({1: BEA, 4: BARE}))

    assert names()[4] != NAME
    [act] = PeopleAct.objects.filter(kind="doubt")
    undo_people_act(act, otto, "The other one.")
    assert names()[4] == NAME


def test_an_organiser_can_reverse_the_identification(otto: User) -> None:
    person = hide(imported(file_of({1: BEA, 2: BARE, 4: BARE})), 2, otto)
    imported(file_of({1: BEA, 2: BARE, 5: BARE}))
    doubtful = Person.objects.exclude(pk=person.pk).get()
    unlink(PersonLink.objects.get(person=person), otto, "She is number 5.")
    merge(person, doubtful, otto, "She is number 5.")

    assert names() == {1: "Bea", 2: NAME, 5: shown(person)}


def test_a_known_person_in_doubt_is_hidden_only_in_this_event(otto: User) -> None:
    first = imported(file_of({1: BEA, 2: BARE, 4: BARE}))
    hide(first, 2, otto)
    [entrant] = [each for each in entrants_of(first) if each.number == 4]
    make_person(entrant, otto, "x")
    known = Person.objects.latest("pk")
    imported(file_of({1: BEA, 2: BARE, 5: BARE}))

    assert NAME not in names().values()
    known.refresh_from_db()
    assert not known.hidden
    undo_people_act(PeopleAct.objects.get(kind="doubt"), otto, "The other one.")
    imported(file_of({1: BEA, 2: BARE, 5: BARE}, name="Again"))
    assert PersonLink.objects.get(person=known).competitor is None or names()[5] == NAME


def test_namesakes_in_teams_are_identified_too(otto: User) -> None:
    her, other = {**HER, "board": 1}, {**OTHER, "board": 1}
    event = imported_teams("namesakes", {"Reds": [her], "Blues": [other]}, state="live")
    [entrant] = [each for each in entrants_of(event) if each.player and each.number == 1]
    make_person(entrant, otto, "x")
    person = Person.objects.get()
    hide_person(person, otto, "Asked.")
    imported_teams("namesakes", {"Reds": [other], "Blues": [her]}, state="live")

    values = {each.competitor.number: each.name for each in Player.objects.select_related("competitor")}
    assert values == {1: NAME, 2: shown(person)}


def test_a_name_comes_back_under_another_number(otto: User) -> None:
    """Without a namesake: the file had the name, the database the pseudonym."""
    person = hide(imported(file_of({1: BEA, 2: HER, 3: CORA})), 2, otto)
    imported(file_of({1: BEA, 3: CORA, 5: HER}))
    assert names()[5] == shown(person)
    show_person(person, otto, "Asked.")
    assert names()[5] == NAME
    assert Competitor.objects.get(number=5).born == "1950"


@pytest.mark.parametrize("her", [BARE, HER])
def test_a_backup_from_before_hides_the_right_one(otto: User, her: dict[str, Any]) -> None:
    other = OTHER if her is HER else BARE
    event = imported(file_of({1: BEA, 2: her, 4: other}))
    backup = back_up(event, otto, "Before.")
    person = hide(event, 2, otto)
    same = restore(backup, "restored", otto)
    assert {each.number: each.name for each in same.competitors.all()} == {
        1: "Bea",
        2: shown(person),
        4: NAME,
    }
    imported(file_of({1: BEA, 2: other, 4: her}))
    made = restore(backup, "again", otto)

    values = {each.number: each.name for each in made.competitors.all()}
    if her is HER:
        assert values == {1: "Bea", 2: shown(person), 4: NAME}
    else:
        assert values[2] == shown(person)  # the file does not show that numbers were swapped


def test_the_desk_asks_until_an_organiser_decides(otto: User) -> None:
    person = hide(imported(file_of({1: BEA, 2: BARE, 4: BARE})), 2, otto)
    imported(file_of({1: BEA, 2: BARE, 5: BARE}))
    browser = Client()
    browser.force_login(otto)
    act, other = PeopleAct.objects.get(kind="doubt"), Person.objects.latest("pk")
    for name in ("admin:people", "admin:people-links"):
        [doubt] = browser.get(reverse(name)).context["doubts"]
        assert doubt["undo"] == reverse("admin:people-undo", args=[act.pk])
        assert doubt["merge"] == reverse("admin:person-merge", args=[person.pk]) + f"?other={other.pk}"
    merging = browser.get(doubt["merge"]).content.decode()
    link = PersonLink.objects.get(person=person)
    assert reverse("admin:person-unlink", args=[link.pk]) in merging

    show_person(other, otto, "It is the other one.")
    assert not browser.get(reverse("admin:people")).context["doubts"]


def test_a_hidden_player_of_two_teams_keeps_both_entries(otto: User) -> None:
    """The hidden player was in two teams of the event. Neither link replaces the other."""
    teams: dict[str, list[Who]] = {
        "Reds": [{**BARE, "board": 1, "club": "A"}],
        "Blues": [{**BARE, "board": 1, "club": "B"}],
    }
    event = imported_teams("namesakes", teams, state="live")
    one, other = (each for each in entrants_of(event) if each.player)
    make_person(one, otto, "x")
    person = Person.objects.get()
    link_entry_by_hand(other, person, otto, "She changed the team.")
    hide_person(person, otto, "Asked.")
    links = set(PersonLink.objects.values_list("pk", "player"))
    imported_teams("namesakes", teams, state="live", name="Again")

    assert {each.name for each in Player.objects.all()} == {shown(person)}
    assert set(PersonLink.objects.values_list("pk", "player")) == links
    assert not PeopleAct.objects.filter(kind="doubt").exists()
