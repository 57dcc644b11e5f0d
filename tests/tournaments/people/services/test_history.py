"""Merging, splitting, deciding and undoing: an undo restores the former state."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cast import create_account
from tests.linked import linked_events
from tests.tournaments.people.services.events import entrant, imported, imported_teams, make_person, person_of
from tournaments.accounts.services.roles import Role
from tournaments.models import (
    LinkProposal,
    LinkRefusal,
    PeopleAct,
    Person,
    PersonLink,
    PersonName,
    Team,
)
from tournaments.people.entries import owner_at
from tournaments.people.services.decisions import confirm, refuse_link, unlink
from tournaments.people.services.editing import create_owner, edit
from tournaments.people.services.hiding import hide, show_person
from tournaments.people.services.history import TABLES, undo_people_act
from tournaments.people.services.merging import merge, split
from tournaments.recording.refusal import Conflict, Refused

pytestmark = pytest.mark.django_db

LAST_SAVED = {"version", "changed_by", "changed_at"}


@pytest.fixture
def organiser() -> User:
    return create_account("ada", Role.ORGANISER)


def state() -> dict[str, list[dict[str, Any]]]:
    """Return all data that acts change, except the author of the last change."""
    return {
        name: [
            {key: value for key, value in row.items() if key not in LAST_SAVED}
            for row in model._default_manager.order_by("pk").values()
        ]
        for name, model in TABLES.items()
    }


@pytest.fixture
def two(organiser: User) -> tuple[Person, Person]:
    """Create two persons, by an id in two events and by hand, and a suggestion that both are the same."""
    imported("one", {"name": "Anna Wit", "fide_id": 7, "title": "GM"}, "Bea Zwart", start="2001")
    imported("two", {"name": "Anna Wit", "fide_id": 7, "code": "NED"}, "Bea Zwart", start="2002")
    event = imported("three", {"name": "Anna Wit-de Boer", "sex": "w", "fmjd_id": 5}, start="2003")
    imported("four", "Anna Wit", start="2004")
    other = person_of(event, "Anna Wit-de Boer")
    assert other
    return Person.objects.get(identifiers__scheme="fide"), other


def _both() -> tuple[Person, Person]:
    one, other = Person.objects.order_by("pk")
    return one, other


class TestMerging:
    def test_moves_all_rows_and_redirects_the_number(
        self, two: tuple[Person, Person], organiser: User
    ) -> None:
        into, other = two
        act = merge(into, other, organiser, "one and the same")
        into.refresh_from_db()
        assert owner_at(Person, other.pk) == into
        assert linked_events(into) == [
            "one",
            "two",
            "three",
        ]
        assert {each.name for each in into.names.all()} == {"Anna Wit-de Boer"}
        assert {str(each) for each in into.identifiers.all()} == {"fide 7", "fmjd 5"}
        assert into.sex == "w"
        assert (act.kind, act.by, act.reason) == ("merge", "ada", "one and the same")
        assert {each.number for each in act.subjects.all()} == {into.pk, other.pk}

    def test_needs_a_reason_and_two(self, two: tuple[Person, Person], organiser: User) -> None:
        with pytest.raises(Refused, match="reason"):
            merge(*two, organiser, " ")
        with pytest.raises(Refused, match="two different"):
            merge(two[0], two[0], organiser, "x")
        merge(*two, organiser, "x")
        with pytest.raises(Refused, match="has been merged into"):
            merge(*two, organiser, "again")

    def test_of_two_players_in_the_same_event_is_refused(self, organiser: User) -> None:
        event = imported("one", "Anna Wit", "Bea Zwart")
        for name in ("Anna Wit", "Bea Zwart"):
            make_person(entrant(event, name), organiser, "x")
        with pytest.raises(Refused, match="Both have entries in “One”"):
            merge(*_both(), organiser, "x")

    def test_with_a_hidden_person_hides(self, two: tuple[Person, Person], organiser: User) -> None:
        hide(two[1], organiser, "asked for it")
        act = merge(*two, organiser, "x")
        assert Person.objects.get(pk=two[0].pk).hidden
        undo_people_act(act, organiser)
        assert not Person.objects.get(pk=two[0].pk).hidden

    def test_keeps_the_refusals_of_both(self, two: tuple[Person, Person], organiser: User) -> None:
        [suggestion] = LinkProposal.objects.filter(event__slug="four")
        assert suggestion.person == two[0]
        refuse_link(suggestion, organiser, "another Anna")
        merge(two[1], two[0], organiser, "one")
        imported("four", "Bea")
        imported("four", "Bea", "Anna Wit")
        assert not LinkProposal.objects.filter(event__slug="four", competitor__name="Anna Wit").exists()

    def test_and_its_undoing_and_that_undone(self, two: tuple[Person, Person], organiser: User) -> None:
        before = state()
        act = merge(*two, organiser, "one")
        after = state()
        undoing = undo_people_act(act, organiser, "two after all")
        assert state() == before
        with pytest.raises(Refused, match="undone already"):
            undo_people_act(act, organiser)
        redone = undo_people_act(undoing, organiser)
        assert state() == after
        undo_people_act(redone, organiser)
        assert state() == before
        assert [each.kind for each in PeopleAct.objects.all()[:4]] == ["undo", "undo", "undo", "merge"]


class TestSplitting:
    def test_moves_selected_entries_to_a_new_person(
        self, two: tuple[Person, Person], organiser: User
    ) -> None:
        before = state()
        links = list(two[0].links.filter(event__slug="two"))
        act = split(two[0], links, organiser, "a namesake", name="Anna Wit jr.")
        new = Person.objects.latest("pk")
        assert (new.name, linked_events(new)) == (
            "Anna Wit jr.",
            ["two"],
        )
        assert {each.number for each in act.subjects.all()} == {two[0].pk, new.pk}
        undo_people_act(act, organiser)
        assert state() == before

    def test_of_all_entries_or_no_entry_is_refused(self, two: tuple[Person, Person], organiser: User) -> None:
        with pytest.raises(Refused, match="Leave at least one"):
            split(two[0], list(two[0].links.all()), organiser, "x")
        with pytest.raises(Refused, match="Choose the entries"):
            split(two[0], [], organiser, "x")


class TestUndoing:
    def test_is_refused_after_a_later_change(self, two: tuple[Person, Person], organiser: User) -> None:
        act = edit(two[0], two[0].version, organiser, name="Anna W.")
        assert act
        edit(two[0], two[0].version + 1, organiser, name="Anna Wit")
        before = state()
        with pytest.raises(Refused, match="Undo the later act first"):
            undo_people_act(act, organiser)
        assert state() == before

    def test_a_confirmed_link_takes_the_person_back_and_the_proposal_is_there_again(
        self, organiser: User
    ) -> None:
        imported("one", "Anna Wit")
        imported("two", "Anna Wit", start="2021")
        before = state()
        act = confirm(LinkProposal.objects.get(), organiser)
        undo_people_act(act, organiser)
        assert state() == before
        assert Person.objects.count() == 0

    def test_is_refused_if_the_person_has_new_entries(self, organiser: User) -> None:
        imported("one", "Anna Wit")
        imported("two", "Anna Wit", start="2021")
        act = confirm(LinkProposal.objects.get(), organiser)
        imported("three", "Anna Wit", start="2022")
        confirm(LinkProposal.objects.get(), organiser)
        before = state()
        with pytest.raises(Refused, match="has been linked to more entries since"):
            undo_people_act(act, organiser)
        assert state() == before

    def test_after_the_event_is_gone_undoes_the_rest(
        self, two: tuple[Person, Person], organiser: User
    ) -> None:
        act = merge(*two, organiser, "one")
        PersonLink.objects.get(event__slug="three").event.delete()
        undo_people_act(act, organiser)
        assert owner_at(Person, two[1].pk) == two[1]

    def test_after_a_re_import_undoes_the_links_of_now(
        self, two: tuple[Person, Person], organiser: User
    ) -> None:
        act = merge(*two, organiser, "one")
        event = imported(
            "three", "Cor Rood", {"name": "Anna Wit-de Boer", "sex": "w", "fmjd_id": 5}, start="2003"
        )
        assert person_of(event, "Anna Wit-de Boer") == two[0]
        undo_people_act(act, organiser)
        assert person_of(event, "Anna Wit-de Boer") == two[1]

    def test_restores_a_removed_link_at_the_current_entry(
        self, two: tuple[Person, Person], organiser: User
    ) -> None:
        act = unlink(PersonLink.objects.get(event__slug="two"), organiser, "a slip")
        undo_people_act(act, organiser)
        assert PersonLink.objects.get(event__slug="two").person == two[0]
        assert not LinkRefusal.objects.exists()


class TestEditing:
    def test_changes_fields_and_rows_and_is_undone(self, two: tuple[Person, Person], organiser: User) -> None:
        before = state()
        act = edit(
            two[0],
            two[0].version,
            organiser,
            "the yearbook",
            born="1980",
            names=[{"name": "Вит Анна"}],
            federations=[{"code": "NED", "since": "1999"}],
            titles=[{"title": "GM", "since": "2010-05"[:4]}],
            identifiers=[{"scheme": "fide", "value": "7"}, {"scheme": "ned", "value": "12"}],
        )
        assert act
        assert [each.key for each in PersonName.objects.filter(person=two[0])] == ["ana vit"]
        assert {str(each) for each in two[0].identifiers.all()} == {"fide 7", "ned 12"}
        undo_people_act(act, organiser)
        assert state() == before

    def test_without_a_difference_is_no_act(self, two: tuple[Person, Person], organiser: User) -> None:
        assert edit(two[0], two[0].version, organiser, name=two[0].name) is None

    def test_of_a_stale_copy_is_a_conflict(self, two: tuple[Person, Person], organiser: User) -> None:
        edit(two[0], two[0].version, organiser, name="Anna W.")
        with pytest.raises(Conflict) as conflict:
            edit(two[0], two[0].version, organiser, name="A. Wit")
        assert conflict.value.by == "ada"

    def test_refuses_an_id_of_another_person_and_invalid_values(
        self, two: tuple[Person, Person], organiser: User
    ) -> None:
        before = state()
        with pytest.raises(Refused, match="merge them"):
            edit(two[0], two[0].version, organiser, identifiers=[{"scheme": "fmjd", "value": "5"}])
        with pytest.raises(Refused):
            edit(two[0], two[0].version, organiser, born="yesterday")
        assert state() == before

    def test_a_team_is_made_by_hand(self, organiser: User) -> None:
        team = Team(name="Grey Club", kind="clubs")
        act = create_owner(
            team, organiser, "of the league", names=[{"name": "Old Greys", "until": "1990"}], codes=[]
        )
        assert [each.name for each in team.names.all()] == ["Old Greys"]
        undo_people_act(act, organiser)
        assert not Team.objects.exists()

    def test_hidden_and_shown_again(self, two: tuple[Person, Person], organiser: User) -> None:
        hide(two[0], organiser, "asked for it")
        assert Person.objects.get(pk=two[0].pk).hidden
        show_person(two[0], organiser, "asked for that")
        assert not Person.objects.get(pk=two[0].pk).hidden
        assert [each.reason for each in PeopleAct.objects.all()] == ["asked for that", "asked for it"]


def test_teams_are_merged_and_that_is_undone(organiser: User) -> None:
    for number, name in enumerate(("Grey Club", "Old Greys"), start=1):
        for year in ("2001", "2002"):
            imported_teams(f"{number}-{year}", {name: []}, teams_are="clubs", start=year)
    for suggestion in LinkProposal.objects.all():
        confirm(suggestion, organiser)
    before = state()
    club, old = Team.objects.order_by("name")
    act = merge(club, old, organiser, "renamed in 1990")
    assert club.links.count() == 4
    undo_people_act(act, organiser)
    assert state() == before


STEPS = st.lists(
    st.tuples(st.sampled_from(["merge", "split", "undo", "refuse", "confirm", "edit"]), st.integers(0, 5)),
    max_size=8,
)


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=STEPS)
def test_all_acts_can_be_undone_from_last_to_first(
    steps: list[tuple[str, int]], organiser: User, two: tuple[Person, Person]
) -> None:
    before, done = state(), []
    with transaction.atomic():
        for step, at in steps:
            try:
                act = _do(step, at, organiser)
            except Refused:
                continue
            if act:
                done.append(act)
        for act in reversed(done):
            undo_people_act(act, organiser)
        assert state() == before
        transaction.set_rollback(True)


def _do(step: str, at: int, by: User) -> PeopleAct | None:
    people = list(Person.objects.filter(merged_into=None).order_by("pk"))
    one = people[at % len(people)]
    if step == "merge":
        return merge(people[(at + 1) % len(people)], one, by, "x")
    if step == "split":
        return split(one, list(one.links.order_by("pk")[:1]), by, "x")
    if step == "undo":
        act = PeopleAct.objects.filter(undone_by=None).first()
        return undo_people_act(act, by) if act else None
    if step == "edit":
        return edit(one, one.version, by, name=f"Anna {at}", names=[{"name": f"A. {at}"}])
    suggestions = list(LinkProposal.objects.all())
    if not suggestions:
        return None
    suggestion = suggestions[at % len(suggestions)]
    return confirm(suggestion, by) if step == "confirm" else refuse_link(suggestion, by, "x")
