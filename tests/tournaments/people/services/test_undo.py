"""Undo in any order: restored suggestions and rows, and the data moved by a split."""

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.cast import create_account
from tests.tournaments.people.services.events import entrant, imported, imported_teams, make_person, person_of
from tests.tournaments.people.services.test_history import state
from tournaments.accounts.services.roles import Role
from tournaments.models import (
    Event,
    LinkProposal,
    PeopleAct,
    Person,
    PersonLink,
)
from tournaments.people.matching.candidates import owner_of
from tournaments.people.matching.entrants import Entrant, entrants_of
from tournaments.people.services.decisions import (
    confirm,
    link_entry_by_hand,
    refuse_link,
    unlink,
)
from tournaments.people.services.editing import edit
from tournaments.people.services.hiding import hide
from tournaments.people.services.history import undo_people_act
from tournaments.people.services.linking import link_entries
from tournaments.people.services.merging import merge, split
from tournaments.recording.refusal import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser() -> User:
    return create_account("ada", Role.ORGANISER)


def waiting() -> set[tuple[str, str]]:
    """Return both sides of each suggestion: event of an entry, or person."""
    found = set()
    for each in LinkProposal.objects.all():
        other = each.other_competitor
        found.add((each.event.slug, other.event.slug if other else "person"))
    return found


class TestProposals:
    def test_newer_ones_come_back_when_the_person_goes(self, organiser: User) -> None:
        for year in ("2001", "2002"):
            imported(f"in-{year}", "Anna Wit", start=year)
        act = confirm(LinkProposal.objects.get(), organiser)
        imported("in-2003", "Anna Wit", start="2003")
        assert waiting() == {("in-2003", "person")}
        between = state()

        undoing = undo_people_act(act, organiser)

        assert not Person.objects.exists()
        assert waiting() == {("in-2002", "in-2001"), ("in-2003", "in-2001")}
        undo_people_act(undoing, organiser)
        assert state() == between

    def test_the_next_candidate_is_proposed_when_the_likeliest_is_refused(self, organiser: User) -> None:
        """A mother and her daughter, who played twice; the mother is between the two entries."""
        for year in ("2001", "2002", "2003"):
            imported(f"in-{year}", "Anna Wit", start=year)
        before = state()
        acts = [refuse_link(LinkProposal.objects.get(event__slug="in-2003"), organiser)]
        assert waiting() == {("in-2002", "in-2001"), ("in-2003", "in-2002")}
        acts.append(refuse_link(LinkProposal.objects.get(event__slug="in-2002"), organiser))
        acts.append(confirm(LinkProposal.objects.get(event__slug="in-2003"), organiser))

        assert waiting() == set()
        assert {each.event.slug for each in PersonLink.objects.all()} == {"in-2002", "in-2003"}
        for act in reversed(acts):
            undo_people_act(act, organiser)
        assert state() == before

    def test_an_unlinked_entry_is_proposed_to_others(self, organiser: User) -> None:
        imported("one", {"name": "Anna Wit", "fide_id": 7}, start="2001")
        imported("two", "Anna Wit", start="2002")
        unlink(PersonLink.objects.get(), organiser, "another one's id")

        assert ("one", "two") in waiting()
        assert ("one", "person") not in waiting()

    def test_split_persons_are_not_proposed_for_merging(self, organiser: User) -> None:
        for year in ("2001", "2002"):
            imported(f"in-{year}", "Anna Wit", start=year)
        confirm(LinkProposal.objects.get(), organiser)
        person = Person.objects.get()
        split(person, list(person.links.filter(event__slug="in-2002")), organiser, "her niece")
        imported("in-2003", "Anna Wit", start="2003")
        assert LinkProposal.objects.count() == 2  # each of the two
        confirm(LinkProposal.objects.get(person=person), organiser)

        assert not LinkProposal.objects.exists()


class TestParting:
    def test_data_only_in_the_moved_entries_are_moved(self, organiser: User) -> None:
        imported("one", {"name": "Anna Wit", "fide_id": 7, "title": "GM", "code": "NED"}, start="2001")
        imported("two", {"name": "Anna Wit", "fide_id": 8, "title": "CM", "code": "BEL"}, start="2002")
        one, other = Person.objects.order_by("pk")
        merge(one, other, organiser, "one")
        before = state()
        act = split(one, list(one.links.filter(event__slug="two")), organiser, "two after all")
        new = Person.objects.latest("pk")

        assert [each.value for each in new.identifiers.all()] == ["8"]
        assert [each.title for each in new.titles.all()] == ["CM"]
        assert [each.code for each in new.federations.all()] == ["BEL"]
        assert [each.value for each in one.identifiers.all()] == ["7"]
        assert [each.title for each in one.titles.all()] == ["GM"]
        again = imported("three", {"name": "Anna Wit", "fide_id": 8}, start="2003")
        assert person_of(again, "Anna Wit") == new
        unlink(PersonLink.objects.get(event=again), organiser, "x")
        LinkProposal.objects.filter(event=again).delete()
        undo_people_act(PeopleAct.objects.get(kind="unlink"), organiser)
        with pytest.raises(Refused, match="“Anna Wit” in “Three”"):
            undo_people_act(act, organiser)
        again.delete()
        undo_people_act(act, organiser)
        assert state() == before

    def test_refusals_of_a_moved_entry_are_moved(self, organiser: User) -> None:
        for year in ("2001", "2002"):
            imported(f"in-{year}", "Anna Wit", start=year)
        confirm(LinkProposal.objects.get(), organiser)
        event = imported("in-2003", "Anna Wit", start="2003")
        person = Person.objects.get()
        refuse_link(LinkProposal.objects.get(), organiser, "another Anna")
        split(person, list(person.links.filter(event__slug="in-2002")), organiser, "two")
        link_entries(event)

        assert not LinkProposal.objects.filter(person=person).exists()


class TestMergedAgain:
    def test_no_row_is_restored_to_a_merged_person(self, organiser: User) -> None:
        imported("one", {"name": "Anna Wit", "fide_id": 7}, start="2001")
        imported("two", {"name": "Anna Wit", "fmjd_id": 8}, start="2002")
        one, other = Person.objects.order_by("pk")
        taken = unlink(PersonLink.objects.get(person=other), organiser, "x")
        merging = merge(one, other, organiser, "x")

        with pytest.raises(Refused, match=f"merged into number {one.pk} since"):
            undo_people_act(taken, organiser)
        undo_people_act(merging, organiser)
        undo_people_act(taken, organiser)
        assert PersonLink.objects.get(event__slug="two").person == other

    def test_with_entries_that_came_since_is_refused(self, organiser: User) -> None:
        imported("one", {"name": "Anna Wit", "fide_id": 7}, start="2001")
        imported("two", {"name": "Anna Wit", "fmjd_id": 8}, start="2002")
        one, other = Person.objects.order_by("pk")
        undoing = undo_people_act(merge(one, other, organiser, "x"), organiser)
        imported("three", {"name": "Anna Wit", "fmjd_id": 8}, start="2003")
        before = state()

        with pytest.raises(Refused, match="Merge the two by hand"):
            undo_people_act(undoing, organiser)
        assert state() == before

    def test_new_proposals_are_proposed_again(self, organiser: User) -> None:
        imported("one", {"name": "Anna Wit", "fide_id": 7}, start="2001")
        imported("two", {"name": "Anna Wit", "fmjd_id": 8}, start="2002")
        one, other = Person.objects.order_by("pk")
        undoing = undo_people_act(merge(one, other, organiser, "x"), organiser)
        imported("three", "Anna Wit", start="2003")
        assert {each.person for each in LinkProposal.objects.filter(event__slug="three")} == {one, other}
        before = state()
        redone = undo_people_act(undoing, organiser)

        assert {each.person for each in LinkProposal.objects.filter(event__slug="three")} == {one}
        undo_people_act(redone, organiser)
        assert state() == before


class TestOneRoster:
    def test_two_players_of_a_team_are_never_the_same(self, organiser: User) -> None:
        event = imported_teams("cup", {"Reds": ["Anna Wit", "Ina Wit"]})
        make_person(entrant(event, "Anna Wit"), organiser, "x")
        make_person(entrant(event, "Ina Wit"), organiser, "x")
        one, other = Person.objects.order_by("pk")

        with pytest.raises(Refused, match="Both have entries in “Cup”"):
            merge(one, other, organiser, "x")
        unlink(PersonLink.objects.get(person=other), organiser, "x")
        with pytest.raises(Refused, match="already"):
            link_entry_by_hand(entrant(event, "Ina Wit"), one, organiser, "x")


class TestRows:
    def test_that_hang_on_a_person_come_back_with_it(self, organiser: User) -> None:
        event = imported("one", "Anna Wit")
        made = make_person(entrant(event, "Anna Wit"), organiser, "x")
        person = Person.objects.get()
        edit(
            person,
            person.version,
            organiser,
            titles=[{"title": "GM", "since": "2001"}],
            names=[{"name": "A."}],
        )
        before = state()
        undoing = undo_people_act(made, organiser)
        assert not Person.objects.exists()
        undo_people_act(undoing, organiser)

        assert state() == before

    def test_a_refusal_to_undo_names_the_later_act(self, organiser: User) -> None:
        event = imported("one", "Anna Wit")
        make_person(entrant(event, "Anna Wit"), organiser, "x")
        person = Person.objects.get()
        act = edit(person, person.version, organiser, born="1980")
        edit(person, person.version + 1, organiser, born="1981")
        assert act
        with pytest.raises(Refused, match=r"\(born\).*changed, by ada"):
            undo_people_act(act, organiser)

    def test_a_waiting_link_that_is_taken_away_does_not_come_back(self, organiser: User) -> None:
        imported("one", {"name": "Anna Wit", "fide_id": 7}, "Bea Zwart")
        imported("one", "Bea Zwart")
        unlink(PersonLink.objects.get(), organiser, "never played")
        event = imported("one", {"name": "Anna Wit", "fide_id": 7}, "Bea Zwart")

        assert person_of(event, "Anna Wit") is None


SEQUENCES = [pytest.param(seed, marks=[] if seed < 8 else pytest.mark.exhaustive) for seed in range(24)]
ACTS = ("merge", "split", "refuse", "confirm", "edit", "unlink", "link", "make", "hide", "undo")


@pytest.fixture
def club(organiser: User) -> User:
    """Three persons with ids, a namesake without id, and two unlinked entries with the same name."""
    imported("one", {"name": "Anna Wit", "fide_id": 7, "title": "GM"}, "Bea Zwart", start="2001")
    imported("two", {"name": "Вит Анна", "fide_id": 7, "code": "NED"}, "Zwart, Bea", start="2002")
    imported("three", {"name": "Anna Wit", "sex": "w", "fmjd_id": 5}, start="2003")
    imported("four", "Wit, Anna", {"name": "Anna Wit", "fide_id": 9, "number": 2}, start="2004")
    return organiser


@pytest.mark.parametrize("seed", SEQUENCES)
def test_everything_is_undone_in_any_order_that_is_taken(seed: int, club: User) -> None:
    before, drawn = state(), Random(seed)  # noqa: S311 - random tests, no secrets
    for _ in range(drawn.randint(2, 10)):
        with suppress(Refused):
            _do(drawn.choice(ACTS), drawn.randint(0, 7), club)
    _undo_all(club, drawn)
    assert _plain(state()) == _plain(before)


def _undo_all(by: User, drawn: Random) -> None:
    """Undo all acts in random order; refused acts are tried again later."""
    while standing := [each for each in PeopleAct.objects.exclude(kind="undo") if _stands(each)]:
        drawn.shuffle(standing)
        undone = 0
        for act in standing:
            try:
                undo_people_act(act, by)
            except Refused:
                continue
            undone += 1
        assert undone, [(str(each), _why_not(each, by)) for each in standing]


def _why_not(act: PeopleAct, by: User) -> str:
    with pytest.raises(Refused) as refused:
        undo_people_act(act, by)
    return str(refused.value)


def _stands(act: PeopleAct) -> bool:
    undoing = PeopleAct.objects.filter(undoes=act).first()
    return not (undoing and _stands(undoing))


def _plain(rows: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """Return a state without the key and the time of recreated suggestions."""
    seen = {**rows}
    seen["linkproposal"] = sorted(
        ({key: each[key] for key in ("one", "other", "why")} for each in rows["linkproposal"]),
        key=lambda each: (each["one"], each["other"]),
    )
    return seen


def _do(step: str, at: int, by: User) -> PeopleAct | None:
    people = list(Person.objects.filter(merged_into=None).order_by("pk"))
    standing = [each for each in PeopleAct.objects.all() if _stands(each)]
    one = people[at % len(people)]
    links, suggestions = (
        list(PersonLink.objects.order_by("pk")),
        list(LinkProposal.objects.order_by("one", "other")),
    )
    free = _free()
    acts: dict[str, Callable[[], PeopleAct | None]] = {
        "merge": lambda: merge(people[(at + 1) % len(people)], one, by, "x"),
        "split": lambda: split(one, list(one.links.order_by("pk")[:1]), by, "x"),
        "edit": lambda: edit(one, one.version, by, name=f"Anna {at}", names=[{"name": f"A. {at}"}]),
        "hide": lambda: hide(one, by, "x"),
        "unlink": lambda: unlink(links[at % len(links)], by, "x"),
        "link": lambda: link_entry_by_hand(free[at % len(free)], one, by, "x"),
        "make": lambda: make_person(free[at % len(free)], by, "x"),
        "undo": lambda: undo_people_act(standing[at % len(standing)], by),
        "confirm": lambda: confirm(suggestions[at % len(suggestions)], by),
        "refuse": lambda: refuse_link(suggestions[at % len(suggestions)], by, "x"),
    }
    needed = {
        "unlink": links,
        "link": free,
        "make": free,
        "undo": standing,
        "confirm": suggestions,
        "refuse": suggestions,
    }
    return acts[step]() if needed.get(step, people) else None


def _free() -> list[Entrant]:
    """Return the unlinked entries of all events."""
    entrants = [each for event in Event.objects.order_by("pk") for each in entrants_of(event)]
    return [each for each in entrants if owner_of(each) is None]
