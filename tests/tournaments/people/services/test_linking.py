"""Links and suggestions of imports, and links of changed events."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.cast import create_account
from tests.linked import linked_events
from tests.tournaments.people.services.events import (
    entrant,
    imported,
    imported_teams,
    make_person,
    person_of,
    team_of,
)
from tournaments.accounts.services.roles import Role
from tournaments.models import (
    Backup,
    LinkProposal,
    LinkRefusal,
    Person,
    PersonFederation,
    PersonIdentifier,
    PersonLink,
    PersonTitle,
    Team,
    TeamLink,
)
from tournaments.operations.revision import revision_of
from tournaments.people.services.decisions import (
    confirm,
    link_entry_by_hand,
    refuse_link,
    unlink,
)
from tournaments.people.services.linking import link_entries
from tournaments.recording.competitors.pasted_list import enter_roster
from tournaments.recording.events.backups import restore
from tournaments.recording.events.creation import clone_event

pytestmark = pytest.mark.django_db

ANNA = {"name": "Anna Wit", "fide_id": 77, "code": "NED", "title": "GM", "sex": "w", "born": "1980"}
OF_A_TEAM = {name: value for name, value in ANNA.items() if name != "code"}


@pytest.fixture
def organiser() -> User:
    return create_account("ada", Role.ORGANISER)


def proposed() -> list[tuple[str, str, str]]:
    return [(each.why, each.one, each.other) for each in LinkProposal.objects.order_by("pk")]


class TestTheSameId:
    def test_links_at_once_and_creates_a_person_for_a_new_id(self) -> None:
        first = imported("first", ANNA, "Bea Zwart")
        second = imported(
            "second", "Cor Rood", {"name": "Wit, Anna", "fide_id": 77, "code": "BEL"}, start="2021"
        )
        person = Person.objects.get()
        assert person_of(first, "Anna Wit") == person_of(second, "Wit, Anna") == person
        assert (person.name, person.sex, person.born, person.changed_by) == ("Anna Wit", "w", "1980", "Ada")
        assert {*PersonIdentifier.objects.values_list("scheme", "value")} == {("fide", "77")}
        assert {*PersonFederation.objects.values_list("code", flat=True)} == {"NED", "BEL"}
        assert [each.title for each in PersonTitle.objects.all()] == ["GM"]
        assert [(each.how, each.by) for each in PersonLink.objects.all()] == [("id", "Ada")] * 2
        assert person_of(first, "Bea Zwart") is None
        assert proposed() == []

    def test_links_players_of_teams_and_knows_both_federations_ids(self) -> None:
        PersonIdentifier.objects.create(person=Person.objects.create(name="Bea"), scheme="fmjd", value="5")
        event = imported_teams(
            "league", {"Reds": [OF_A_TEAM, "Eva"], "Blues": [{"name": "Bea", "fmjd_id": 5}, "Ida"]}
        )
        assert person_of(event, "Bea") == Person.objects.get(name="Bea")
        assert Person.objects.count() == 2

    @pytest.mark.parametrize(
        "other",
        [{"name": "Jan Jansen"}, {"name": "Anna Wit", "sex": "m"}, {"name": "Anna Wit", "born": "1990"}],
        ids=["name", "sex", "born"],
    )
    def test_with_a_contradiction_is_proposed(self, other: dict[str, str]) -> None:
        imported("first", ANNA)
        second = imported("second", {**other, "fide_id": 77})
        person = Person.objects.get()
        assert person_of(second, other["name"]) is None
        assert proposed() == [("contradiction", f"entry:{second.pk}:fide:77", f"person:{person.pk}")]

    def test_of_a_birth_known_as_a_year_and_as_a_day_is_no_contradiction(self) -> None:
        imported("first", ANNA)
        second = imported("second", {**ANNA, "born": "1980-02-03"})
        assert person_of(second, "Anna Wit") == Person.objects.get()

    def test_that_leads_to_another_person_than_the_other_id_is_proposed(self) -> None:
        imported("first", ANNA)
        imported("second", {"name": "Anna Wit", "fmjd_id": 5})
        LinkProposal.objects.all().delete()
        third = imported("third", {**ANNA, "fmjd_id": 5})
        assert person_of(third, "Anna Wit") == Person.objects.get(identifiers__scheme="fide")
        assert [each.person for each in LinkProposal.objects.all()] == [
            Person.objects.get(identifiers__scheme="fmjd")
        ]

    def test_of_a_person_known_by_name_is_proposed_to_be_that_one(self, organiser: User) -> None:
        first = imported("first", "Anna Wit", start="2019")
        make_person(entrant(first, "Anna Wit"), organiser, "the champion")
        second = imported("second", ANNA)
        [suggestion] = LinkProposal.objects.all()
        assert suggestion.person == person_of(first, "Anna Wit") != person_of(second, "Anna Wit")


class TestTheSameName:
    def test_of_two_entries_is_proposed_and_confirming_makes_a_person(self, organiser: User) -> None:
        first = imported("first", "Магнус Карлсен", start="2019")
        second = imported("second", {"name": "Carlsen, Magnus", "code": "NOR"})
        assert Person.objects.count() == 0
        [suggestion] = LinkProposal.objects.all()
        confirm(suggestion, organiser)
        person = Person.objects.get()
        assert set(linked_events(person)) == {first.slug, second.slug}
        assert {each.how for each in PersonLink.objects.all()} == {"confirmed"}
        assert [each.code for each in person.federations.all()] == ["NOR"]
        assert proposed() == []

    def test_of_a_person_is_proposed_before_other_entries(self, organiser: User) -> None:
        first = imported("first", "Anna Wit")
        make_person(entrant(first, "Anna Wit"), organiser, "known")
        second = imported("second", "Anna Wit")
        assert proposed() == [("name", f"entry:{second.pk}:ana vit", f"person:{Person.objects.get().pk}")]
        confirm(LinkProposal.objects.get(), organiser)
        assert person_of(second, "Anna Wit") == Person.objects.get()

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ({"sex": "w"}, {"sex": "m"}),
            ({"born": "1950"}, {"born": "1951"}),
            ({"fide_id": 1}, {"fide_id": 2}),
        ],
        ids=["sex", "born", "id"],
    )
    def test_is_not_suggested_against_a_contradiction(
        self, one: dict[str, str], other: dict[str, str]
    ) -> None:
        imported("first", {"name": "Kim Li", **one})
        imported("second", {"name": "Kim Li", **other})
        assert proposed() == []

    def test_in_the_same_event_is_two_people(self) -> None:
        imported_teams("league", {"Reds": ["Jan Jansen", "Ann"], "Blues": ["Jan Jansen", "Bea"]})
        assert proposed() == []

    def test_refused_for_good_stays_refused(self, organiser: User) -> None:
        imported("first", "Anna Wit")
        imported("second", "Anna Wit", "Bea")
        refuse_link(LinkProposal.objects.get(), organiser, "her niece")
        imported("second", "Bea")
        imported("second", "Bea", "Wit, Anna")
        assert proposed() == []
        assert [(each.by, each.reason) for each in LinkRefusal.objects.all()] == [("ada", "her niece")]

    def test_of_many_costs_no_more_queries_than_of_a_few(self) -> None:
        for number in range(3):
            imported(f"before-{number}", "Anna Wit", "Bea Zwart")
        counts = []
        for number, unheard in enumerate(("Cas", "Dirk")):  # a new term costs an additional query
            with CaptureQueriesContext(connection) as few:
                imported(
                    f"few-{number}", f"{unheard} Blauwbaard", f"{unheard}ina Groen", "Anna Wit", "Bea Zwart"
                )
            counts.append(len(few))
        with CaptureQueriesContext(connection) as many:
            imported(
                "many", *(f"Player {number} of the many" for number in range(30)), "Anna Wit", "Bea Zwart"
            )
        assert counts[0] == counts[1]
        assert len(many) == counts[1]


class TestAnImportAgain:
    def test_of_the_same_file_changes_no_row(self) -> None:
        event = imported("first", ANNA, "Bea Zwart")
        before, keys = revision_of(event.pk), [*PersonLink.objects.values_list("pk")]
        imported("first", ANNA, "Bea Zwart")
        assert (revision_of(event.pk), [*PersonLink.objects.values_list("pk")]) == (before, keys)

    def test_keeps_links_despite_new_numbers_and_spellings(self, organiser: User) -> None:
        event = imported("first", "Anna Wit", "Bea Zwart")
        for name in ("Anna Wit", "Bea Zwart"):
            make_person(entrant(event, name), organiser, "known")
        imported("first", "Bea Swart-Zwart", "Cor Rood", "Anna Wit")
        assert person_of(event, "Anna Wit") == Person.objects.get(name="Anna Wit")
        assert person_of(event, "Cor Rood") is None

    def test_does_not_move_a_link_with_the_number(self, organiser: User) -> None:
        """An import matches a competitor with the same number."""
        event = imported("first", "Anna Wit", "Bea Zwart")
        make_person(entrant(event, "Anna Wit"), organiser, "known")
        imported("first", "Jan Jansen", "Bea Zwart")
        anna = Person.objects.get()
        assert person_of(event, "Jan Jansen") is None
        assert [(each.name, each.competitor) for each in anna.links.all()] == [("Anna Wit", None)]
        assert proposed() == [("renamed", f"entry:{event.pk}:ian iansen", f"person:{anna.pk}")]
        imported("first", "Jan Jansen", "Bea Zwart", "Anna Wit")
        assert person_of(event, "Anna Wit") == anna

    def test_that_renamed_a_player_is_confirmed(self, organiser: User) -> None:
        event = imported("first", "Anna Wit")
        make_person(entrant(event, "Anna Wit"), organiser, "known")
        imported("first", "Mevrouw Jansen")
        confirm(LinkProposal.objects.get(), organiser, "she married")
        assert person_of(event, "Mevrouw Jansen") == Person.objects.get()
        assert PersonLink.objects.count() == 1

    def test_returns_links_to_returning_entries(self, organiser: User) -> None:
        event = imported_teams("league", {"Reds": ["Anna Wit", "Eva"], "Blues": ["Anna Wit", "Ida"]})
        reds = next(each for each in [entrant(event, "Anna Wit")] if each.team == "Reds")
        make_person(reds, organiser, "known")
        imported_teams("league", {"Reds": ["Eva", "Ina"], "Blues": ["Anna Wit", "Ida"]})
        assert PersonLink.objects.get().player is None
        imported_teams("league", {"Reds": ["Eva", "Ina", "Wit Anna"], "Blues": ["Anna Wit", "Ida"]})
        back = PersonLink.objects.get()
        assert back.player
        assert back.player.competitor.name == "Reds"

    def test_does_not_link_an_unlinked_entry_again(self, organiser: User) -> None:
        event = imported("first", ANNA)
        unlink(PersonLink.objects.get(), organiser, "the id is a slip")
        imported("first", {**ANNA, "title": ""}, "Bea")
        assert person_of(event, "Anna Wit") is None
        assert proposed() == []

    def test_by_hand_is_linked_although_it_was_refused(self, organiser: User) -> None:
        event = imported("first", ANNA)
        person = Person.objects.get()
        unlink(PersonLink.objects.get(), organiser, "a slip")
        link_entry_by_hand(entrant(event, "Anna Wit"), person, organiser, "no slip")
        assert person_of(event, "Anna Wit") == person
        assert not LinkRefusal.objects.exists()


class TestACopy:
    def test_restored_has_the_links_of_then(self, organiser: User) -> None:
        event = imported("first", "Anna Wit", "Bea Zwart")
        other = imported("other", "Bea Zwart")
        refuse_link(LinkProposal.objects.get(), organiser, "another Bea")
        make_person(entrant(event, "Anna Wit"), organiser, "known")
        imported("first", "Jan Jansen", "Bea Zwart")
        made = restore(Backup.objects.get(event=event), "again", organiser)
        assert person_of(made, "Anna Wit") == Person.objects.get()
        # Bea in the copy is proposed for Bea in its source, never for the other Bea.
        assert {(each.event, each.why) for each in LinkProposal.objects.all()} == {
            (event, "renamed"),
            (made, "name"),
        }
        assert not LinkProposal.objects.filter(other_competitor__event=other).exists()

    def test_of_the_entrants_has_their_links(self, organiser: User) -> None:
        event = imported("first", "Anna Wit", ANNA | {"name": "Ina Blauw"})
        make_person(entrant(event, "Anna Wit"), organiser, "known")
        made = clone_event(event, "next", "Next", organiser)
        assert person_of(made, "Anna Wit") == person_of(event, "Anna Wit") is not None
        assert person_of(made, "Ina Blauw") == person_of(event, "Ina Blauw") is not None
        assert proposed() == []

    def test_goes_and_leaves_the_person(self, organiser: User) -> None:
        event = imported("first", ANNA)
        event.delete()
        assert Person.objects.count() == 1
        assert imported("first", ANNA).person_links.get().person == Person.objects.get()


def test_a_pasted_list_links_and_proposes(organiser: User) -> None:
    imported("first", ANNA, "Bea Zwart")
    event = imported_teams("league", {"Reds": [], "Blues": []}, teams_are="clubs")
    enter_roster(event, "3\tGreens\n- 1\tAnna Wit\t\t\t77\n- 2\tBea Zwart", organiser)
    assert person_of(event, "Anna Wit") == Person.objects.get()
    assert {each.why for each in LinkProposal.objects.all()} == {"name"}


class TestTeams:
    def test_of_a_nation_in_a_series_are_linked_at_once(self) -> None:
        first = imported_teams(
            "cup-1", {"Netherlands / NED": [], "Soviet Union / URS": []}, series="Cup", start="1980"
        )
        second = imported_teams(
            "cup-2", {"Russia / RUS": [], "Netherlands / NED": []}, series="Cup", start="2000"
        )
        third = imported_teams("cup-3", {"Netherlands / NED": []}, series="Cup", start="2004")
        team = Team.objects.get()
        assert (
            team_of(first, "Netherlands")
            == team_of(second, "Netherlands")
            == team_of(third, "Netherlands")
            == team
        )
        assert [each.code for each in team.codes.all()] == ["NED"]
        assert team_of(second, "Russia") is None
        assert proposed() == []

    def test_of_a_code_that_another_bore_are_proposed(self) -> None:
        """West Germany and Germany have the same code."""
        imported_teams("cup-1", {"Germany / GER": []}, series="Cup", start="1938")
        imported_teams("cup-2", {"Germany / GER": []}, series="Cup", start="2000")
        linked = Team.objects.count()
        assert (linked, len(proposed())) == (0, 1)

    def test_of_clubs_and_of_other_series_are_proposed(self, organiser: User) -> None:
        clubs = {"teams_are": "clubs", "series": "League"}
        imported_teams("one", {"Grey Club": []}, start="2001", **clubs)
        imported_teams("two", {"Grey Club": []}, start="2002", **clubs)
        imported_teams("a", {"Netherlands / NED": []}, series="A", start="2001")
        imported_teams("b", {"Netherlands / NED": []}, series="B", start="2002")
        assert Team.objects.count() == 0
        assert len(proposed()) == 2
        for each in LinkProposal.objects.all():
            confirm(each, organiser)
        assert {(each.name, each.kind) for each in Team.objects.all()} == {
            ("Grey Club", "clubs"),
            ("Netherlands", "nations"),
        }
        assert TeamLink.objects.count() == 4


def test_linking_is_idempotent() -> None:
    event = imported("first", ANNA, "Bea Zwart")
    before = revision_of(event.pk)
    link_entries(event)
    assert revision_of(event.pk) == before
