"""Desk pages of persons and teams: creating, editing, linking, merging, splitting and undo."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.cast import Desk, browser_of, create_account, stored_event, swiss_file
from tournaments.accounts.services.roles import Role
from tournaments.models import (
    Competitor,
    Event,
    LinkProposal,
    LinkRefusal,
    PeopleAct,
    Person,
    PersonIdentifier,
    PersonLink,
    Team,
)
from tournaments.people.matching.candidates import suggestion_of as likely
from tournaments.people.matching.entrants import entrants_at
from tournaments.people.services.linking import link_entries
from tournaments.people.texts import FIELD_LABELS
from tournaments.people.views.history import INTERNAL_COLUMNS

pytestmark = pytest.mark.django_db


@pytest.fixture
def otto(db: None) -> Client:
    return browser_of(create_account("otto", Role.ORGANISER))


def event_of(slug: str, *names: str, **about: Any) -> Event:
    """Return an event with these players, linked as after an import."""
    file = swiss_file()
    file["event"] |= {"slug": slug, "name": slug.title(), "start": "1950-05-01", **about}
    for competitor, name in zip(file["competitors"], names, strict=False):
        competitor["name"] = name
    event = stored_event(file)
    link_entries(event)
    return event


@pytest.fixture
def events(db: None) -> tuple[Event, Event]:
    """Return two events with a player Sy, Baba, in the second with the names in the other order."""
    return event_of("first", "Sy, Baba"), event_of("second", "Baba Sy")


def suggestion_of(name: str) -> LinkProposal:
    return LinkProposal.objects.filter(competitor__name=name).get()


def answer(browser: Client, suggestion: LinkProposal, value: str, seen: str = "") -> Any:
    """Post an answer to a likely link. `seen` is read from the queue if it is blank."""
    address = reverse("admin:people-links")
    if not seen:
        shown = {each["pk"]: each for each in browser.get(address).context["links"]}
        seen = shown[suggestion.pk]["seen"]
    key = suggestion.pk
    return browser.post(address, {"link": key, f"answer-{key}": value, f"seen-{key}": seen})


def person(browser: Client, name: str, **about: Any) -> Person:
    """Return a person created on the desk."""
    answered = browser.post(reverse("admin:person-new"), {"name": name, **about})
    assert answered.status_code == 302, answered.context["form"].errors
    return Person.objects.latest("pk")


def texts(answered: Any) -> list[str]:
    return [str(each) for each in answered.context["messages"]]


class TestQueue:
    def test_likely_link_shows_both_entries_and_evidence(
        self, otto: Client, events: tuple[Event, Event]
    ) -> None:
        answered = otto.get(reverse("admin:people-links"))
        shown = {(each["one"]["name"], each["other"]["name"]): each for each in answered.context["links"]}
        link = shown["Baba Sy", "Sy, Baba"]
        verdicts = {str(label): fact.verdict for label, fact, _text in link["evidence"]}

        assert verdicts["name"] == "agrees"
        assert "If you confirm, both entries belong to one person." in link["why"]
        assert "Second" in answered.content.decode()

    def test_queries_do_not_depend_on_number_of_likely_links(
        self, otto: Client, events: tuple[Event, Event], django_assert_num_queries: Any
    ) -> None:
        address = reverse("admin:people-links")
        otto.get(address)
        with CaptureQueriesContext(connection) as few:
            assert len(otto.get(address).context["links"]) == 4
        answer(otto, suggestion_of("Baba Sy"), "confirm")
        for number in range(5):
            event_of(f"more-{number}", "Sy, Baba", start=f"{1951 + number}-05-01")
        with CaptureQueriesContext(connection) as many:
            assert len(otto.get(address).context["links"]) > 12

        # The first person adds queries for links, names, titles and ids, but only once.
        assert len(many) <= len(few) + 8
        for number in range(5):
            event_of(f"even-more-{number}", "Sy, Baba", start=f"{1961 + number}-05-01")
        with django_assert_num_queries(len(many)):
            assert len(otto.get(address).context["links"]) == 25

    def test_confirming_links_both_entries_to_same_person(
        self, otto: Client, events: tuple[Event, Event]
    ) -> None:
        answered = answer(otto, suggestion_of("Baba Sy"), "confirm")
        links = PersonLink.objects.filter(name__contains="Baba")

        assert answered.status_code == 302
        assert len({each.person for each in links}) == 1
        assert links.count() == 2
        assert not LinkProposal.objects.filter(competitor__name="Baba Sy").exists()

    def test_refused_link_is_not_suggested_again(self, otto: Client, events: tuple[Event, Event]) -> None:
        answer(otto, suggestion_of("Baba Sy"), "refuse")
        link_entries(events[1])

        assert not PersonLink.objects.exists()
        assert LinkRefusal.objects.count() == 1
        assert not LinkProposal.objects.filter(competitor__name="Baba Sy").exists()

    def test_answer_later_changes_no_data(self, otto: Client, events: tuple[Event, Event]) -> None:
        waiting = LinkProposal.objects.count()
        answer(otto, suggestion_of("Baba Sy"), "later")

        assert LinkProposal.objects.count() == waiting
        assert not PeopleAct.objects.exists()

    def test_several_links_can_be_answered_together(self, otto: Client, events: tuple[Event, Event]) -> None:
        address = reverse("admin:people-links")
        shown = otto.get(address).context["links"]
        form: dict[str, Any] = {"link": [each["pk"] for each in shown]}
        for each in shown:
            form |= {f"answer-{each['pk']}": "confirm", f"seen-{each['pk']}": each["seen"]}
        answered = otto.post(address, form, follow=True)

        assert len(shown) == 4
        assert texts(answered) == ["Recorded: 4 confirmed, 0 refused."]
        assert Person.objects.count() == 4

    def test_answers_that_affect_each_other_are_all_recorded(
        self, otto: Client, events: tuple[Event, Event]
    ) -> None:
        """The first answer creates a person, which changes the evidence of the others."""
        answer(otto, suggestion_of("Baba Sy"), "confirm")
        for number in range(3):
            event_of(f"more-{number}", "Sy, Baba", start=f"{1951 + number}-05-01")
        shown = otto.get(reverse("admin:people-links")).context["links"]
        form: dict[str, Any] = {"link": [each["pk"] for each in shown]}
        for each in shown:
            form |= {f"answer-{each['pk']}": "confirm", f"seen-{each['pk']}": each["seen"]}
        answered = otto.post(reverse("admin:people-links"), form, follow=True)

        assert texts(answered) == [f"Recorded: {len(shown)} confirmed, 0 refused."]
        assert Person.objects.count() == 4
        assert {each.links.count() for each in Person.objects.all()} == {5}

    def test_contradicting_answers_are_not_recorded(self, otto: Client, events: tuple[Event, Event]) -> None:
        event_of("third", "Sy, Baba", start="1951-05-01")
        Competitor.objects.exclude(name__contains="Baba").delete()
        first, second, third = Competitor.objects.order_by("event")
        LinkProposal.objects.all().delete()
        pairs = {(second, first): "confirm", (third, second): "confirm", (third, first): "refuse"}
        for one, other in pairs:
            either = likely(entrants_at([(one.pk, None)])[0], entrants_at([(other.pk, None)])[0], "name")
            either.save()
        shown = otto.get(reverse("admin:people-links")).context["links"]
        form: dict[str, Any] = {"link": [each["pk"] for each in shown]}
        for each, value in zip(sorted(shown, key=lambda each: int(each["pk"])), pairs.values(), strict=True):
            form |= {f"answer-{each['pk']}": value, f"seen-{each['pk']}": each["seen"]}
        answered = otto.post(reverse("admin:people-links") + "?page=2", form)

        assert not Person.objects.exists()
        found = [(each["answer"], "contradict" in each["fault"]) for each in answered.context["links"]]
        assert sorted(found) == [("confirm", True), ("confirm", True), ("refuse", True)]

    def test_link_answered_by_another_user_gives_message(
        self, otto: Client, events: tuple[Event, Event]
    ) -> None:
        suggestion = suggestion_of("Baba Sy")
        answer(otto, suggestion, "refuse")
        answered = answer(otto, suggestion, "confirm", seen="x")

        assert not PersonLink.objects.exists()
        assert "decided by another" in texts(otto.get(answered["Location"]))[-1]

    def test_answer_is_refused_if_evidence_has_changed(
        self, otto: Client, events: tuple[Event, Event]
    ) -> None:
        suggestion = suggestion_of("Baba Sy")
        shown = {each["pk"]: each for each in otto.get(reverse("admin:people-links")).context["links"]}
        Competitor.objects.filter(name="Sy, Baba").update(born="1935")
        answered = answer(otto, suggestion, "confirm", seen=shown[suggestion.pk]["seen"])
        [link] = [each for each in answered.context["links"] if each["fault"]]

        assert "has changed since you opened" in link["fault"]
        assert (link["pk"], link["answer"]) == (suggestion.pk, "confirm")
        assert not PersonLink.objects.exists()

    def test_queue_is_filtered_by_event_and_federation(
        self, otto: Client, events: tuple[Event, Event]
    ) -> None:
        Competitor.objects.filter(event=events[1], name="Baba Sy").update(code="SEN")
        address = reverse("admin:people-links")

        def shown(**asked: Any) -> int:
            return int(otto.get(address, asked).context["waiting"])

        other = event_of("third", "Nobody Else", "Erna", "Fred", "Gina")
        assert shown(event=other.pk) == 0
        assert shown(event=events[0].pk) == shown(event=events[1].pk) == 4
        assert shown(federation="sen") == 1
        assert shown(federation="FRA") == 0
        assert shown(event="x") == 4


class TestKnown:
    def test_person_is_found_in_any_script_by_id_and_number(self, otto: Client) -> None:
        made = person(otto, "Карлсен, Магнус", identifiers="fide; 1503014", federations="NOR; 1990")

        for text in ("carlsen", "Magnus Karlsen", "1503014", str(made.pk)):
            found = otto.get(reverse("admin:people"), {"q": text}).context["found"]
            assert [each.owner.name for each in found] == ["Карлсен, Магнус"], text
        assert otto.get(reverse("admin:people"), {"q": "!?"}).context["found"] == []

    def test_lists_are_entered_line_by_line(self, otto: Client) -> None:
        made = person(
            otto,
            "Iser Koeperman",
            names="Kuperman, Iser\nИсер Куперман",
            born="1922-04-21",
            sex="m",
            federations="URS; ; 1978\nUSA; 1978",
            titles="GMI; 1958",
            sources="A book",
        )

        assert {each.name for each in made.names.all()} == {"Kuperman, Iser", "Исер Куперман"}
        assert [(each.code, each.since, each.until) for each in made.federations.all()] == [
            ("URS", "", "1978"),
            ("USA", "1978", ""),
        ]
        shown = otto.get(reverse("admin:person", args=[made.pk])).content.decode()
        assert "URS; ; 1978" in shown
        assert "GMI; 1958" in shown

    @pytest.mark.parametrize(
        ("field", "text", "fault"),
        [
            ("federations", "URS; 1; 2; 3", "3 parts at most"),
            ("federations", "URS; tomorrow", "tomorrow"),
            ("titles", "Grand Master; 1958", "longer than 8"),
            ("identifiers", "fide", "is not an id"),
            ("born", "22", "22"),
            ("name", "", "required"),
            ("federations", "; 1960", "Write the first value before it"),
            ("federations", "URS; 1991; 1960", "ends before it begins"),
            ("federations", "URS; 1960\nRUS; 1992", "overlap in time"),
            ("federations", "URS; 1960; 1992\nRUS; 1991", "overlap in time"),
            ("federations", "URS; 2990", "still to come"),
            ("born", "2990", "still to come"),
            ("identifiers", "fide; 70A", "is not an id of FIDE"),
            ("identifiers", "fmjd; 12345678901", "is not an id of FMJD"),
        ],
    )
    def test_invalid_values_are_refused(self, otto: Client, field: str, text: str, fault: str) -> None:
        answered = otto.post(reverse("admin:person-new"), {"name": "Ann", field: text})

        assert answered.status_code == 200
        assert fault in str(answered.context["form"].errors)
        assert not Person.objects.exists()

    def test_id_belongs_to_single_person(self, otto: Client) -> None:
        person(otto, "Ann", identifiers="FIDE; 77")
        answered = otto.post(reverse("admin:person-new"), {"name": "Bea", "identifiers": "fide; 77"})

        assert "“fide 77” is the id of Ann" in answered.context["form"].non_field_errors()[0]
        assert Person.objects.count() == 1

    def test_duplicate_id_offers_merge_and_keeps_typed_values(self, otto: Client) -> None:
        one, other = person(otto, "Ann", identifiers="fide; 77"), person(otto, "Bea")
        values = {"seen": other.version, "name": "Beatrix", "identifiers": "fide; 77", "titles": "GM; 1990"}
        answered = otto.post(reverse("admin:person", args=[other.pk]), values)
        text = answered.content.decode()

        assert f"{reverse('admin:person-merge', args=[other.pk])}?other={one.pk}" in text
        assert "GM; 1990" in text
        assert "Beatrix" in text
        assert Person.objects.get(pk=other.pk).name == "Bea"

    def test_adjacent_and_undated_federations_are_accepted(self, otto: Client) -> None:
        made = person(
            otto, "Ann", federations="urs; 1960; 1991\nRUS; 1991; 2001\nNED; 2001-06-01\nFRA", names="A; B"
        )

        assert {each.code for each in made.federations.all()} == {"URS", "RUS", "NED", "FRA"}
        assert [each.name for each in made.names.all()] == ["A; B"]

    def test_stale_form_shows_stored_values_and_can_be_saved_again(self, otto: Client) -> None:
        made = person(otto, "Ann", titles="GM; 1950")
        address = reverse("admin:person", args=[made.pk])
        seen = otto.get(address).context["form"]["seen"].value()
        other = browser_of(create_account("olga", Role.ORGANISER))
        other.post(address, {"seen": seen, "name": "Anna", "titles": "GM; 1950"})
        answered = otto.post(address, {"seen": seen, "name": "Annie", "titles": "GM; 1950"})

        assert "olga has changed this." in answered.context["fault"]
        assert answered.context["stored"] == [("Name", "Anna")]
        assert Person.objects.get(pk=made.pk).name == "Anna"
        again = otto.post(address, {"seen": answered.context["form"]["seen"].value(), "name": "Annie"})
        assert again.status_code == 302
        assert Person.objects.get(pk=made.pk).name == "Annie"

    def test_changed_list_makes_other_form_stale(self, otto: Client) -> None:
        made = person(otto, "Ann")
        address = reverse("admin:person", args=[made.pk])
        otto.post(address, {"seen": made.version, "name": "Ann", "titles": "GM"})
        answered = otto.post(address, {"seen": made.version, "name": "Ann", "titles": "IM"})

        assert answered.context["fault"]
        assert [each.title for each in made.titles.all()] == ["GM"]

    def test_team_has_names_and_codes_by_date(self, otto: Client) -> None:
        values = {
            "name": "Netherlands",
            "kind": "nations",
            "names": "Holland; ; 1948",
            "codes": "HOL; ; 1991\nNED; 1992",
        }
        otto.post(reverse("admin:team-new"), values)
        team = Team.objects.get()
        shown = otto.get(reverse("admin:team", args=[team.pk])).content.decode()

        assert "HOL; ; 1991" in shown
        assert (
            otto.get(reverse("admin:people"), {"q": "holland"}).context["found"][0].owner.name
            == "Netherlands"
        )

    def test_person_page_shows_entries_with_events(self, otto: Client, events: tuple[Event, Event]) -> None:
        answer(otto, suggestion_of("Baba Sy"), "confirm")
        made = Person.objects.get()
        shown = otto.get(reverse("admin:person", args=[made.pk]))

        assert [each["link"].event.slug for each in shown.context["entries"]] == ["first", "second"]
        assert "/events/first/competitors/1/" in shown.content.decode()
        assert f"/admin/events/{events[0].pk}/" in shown.content.decode()


class TestByHand:
    def test_entry_is_found_and_linked_with_reason(self, otto: Client, events: tuple[Event, Event]) -> None:
        made = person(otto, "Papa Sy")
        address = reverse("admin:person-link", args=[made.pk])
        found = otto.get(address, {"q": "sy", "event": "second"}).context["found"]
        assert [each["entry"].name for each in found] == ["Baba Sy"]
        refused = otto.post(address, {"entry": found[0]["value"]})
        assert "reason" in refused.context["form"].errors
        otto.post(address, {"entry": found[0]["value"], "reason": "He said so."})

        [link] = PersonLink.objects.all()
        assert (link.person, link.how, link.reason) == (made, "hand", "He said so.")
        assert otto.get(address, {"q": "sy", "event": "second"}).context["found"] == []

    def test_entries_of_same_event_are_not_linked_even_partly(
        self, otto: Client, events: tuple[Event, Event]
    ) -> None:
        made = person(otto, "Papa Sy")
        both = [f"c{each.pk}" for each in Competitor.objects.filter(event=events[1]).order_by("pk")[:2]]
        address = reverse("admin:person-link", args=[made.pk])
        answered = otto.post(address, {"entry": both, "reason": "Both of one event."})

        assert "cannot have a second entry" in answered.context["fault"]
        assert not PersonLink.objects.exists()
        assert not PeopleAct.objects.filter(kind="link").exists()
        each_event = [f"c{Competitor.objects.filter(event=event).earliest('pk').pk}" for event in events]
        otto.post(address, {"entry": each_event, "reason": "One man."})
        assert PersonLink.objects.filter(person=made).count() == 2

    @pytest.mark.parametrize("entry", ["", "x1", "c0", "p", "c99999999999999999999"])
    def test_invalid_entry_is_refused(self, otto: Client, entry: str) -> None:
        made = person(otto, "Ann")
        answered = otto.post(reverse("admin:person-link", args=[made.pk]), {"entry": entry, "reason": "So."})

        assert "Tick the entries" in answered.context["fault"]

    def test_link_is_removed_after_reason_is_given(self, otto: Client, events: tuple[Event, Event]) -> None:
        answer(otto, suggestion_of("Baba Sy"), "confirm")
        link = PersonLink.objects.first()
        assert link
        address = reverse("admin:person-unlink", args=[link.pk])
        response = otto.post(address)
        assert response.status_code == 200
        assert not response.context["form"].errors
        otto.post(address, {"asked": "1", "reason": "Another one."})

        assert not PersonLink.objects.filter(pk=link.pk).exists()
        assert otto.get(address).status_code == 404


class TestMergeAndSplit:
    def both(self, otto: Client) -> tuple[Person, Person]:
        one = person(otto, "Sy, Baba", born="1935", identifiers="fide; 1111", titles="GMI")
        other = person(otto, "Sy, Papa", born="1936", identifiers="fide; 2222\nned; 5", federations="SEN")
        return one, other

    def merge(self, otto: Client, one: Person, other: Person, **values: Any) -> Any:
        versions = {"seen": one.version, "seen_other": other.version}
        form = {"other": other.pk, "reason": "The same man.", **versions, **values}
        return otto.post(reverse("admin:person-merge", args=[one.pk]), form)

    def test_merge_shows_differences_before_it_is_confirmed(self, otto: Client) -> None:
        one, other = self.both(otto)
        address = reverse("admin:person-merge", args=[one.pk])
        found = otto.get(address, {"q": "papa"}).context["found"]
        assert [(each.owner.pk, why) for each, why in found] == [(other.pk, "")]
        shown = otto.get(address, {"other": other.pk})

        assert [each.name for each in shown.context["differing"]] == ["name", "born", "id-fide"]
        assert dict(shown.context["joined"])["federations"] == ["SEN"]
        assert Person.objects.filter(merged_into=None).count() == 2

    def test_merge_keeps_chosen_values(self, otto: Client) -> None:
        one, other = self.both(otto)
        ids = {each.value: each.pk for each in PersonIdentifier.objects.all()}
        answered = self.merge(
            otto, one, other, **{"keep-name": "Sy, Papa", "keep-born": "1935", "keep-id-fide": ids["2222"]}
        )
        merged = Person.objects.get(pk=one.pk)

        assert answered.status_code == 302
        assert (merged.name, merged.born) == ("Sy, Papa", "1935")
        assert [each.name for each in merged.names.all()] == ["Sy, Baba"]
        assert {str(each) for each in merged.identifiers.all()} == {"fide 2222", "ned 5"}
        assert Person.objects.get(pk=other.pk).merged_into == merged
        lead = otto.get(reverse("admin:person", args=[other.pk]))
        assert lead["Location"] == reverse("admin:person", args=[one.pk])

    def test_merge_and_its_undo_can_be_undone(self, otto: Client) -> None:
        one, other = self.both(otto)
        self.merge(otto, one, other, **{"keep-name": "Sy, Papa"})
        act = PeopleAct.objects.filter(kind="merge").get()
        otto.post(reverse("admin:people-undo", args=[act.pk]), {"asked": "1", "reason": "Two men."})

        def known(each: Person) -> tuple[Any, ...]:
            now = Person.objects.get(pk=each.pk)
            return now.name, now.born, now.merged_into_id, {str(row) for row in now.identifiers.all()}

        assert known(one) == ("Sy, Baba", "1935", None, {"fide 1111"})
        assert known(other) == ("Sy, Papa", "1936", None, {"fide 2222", "ned 5"})
        undone = PeopleAct.objects.filter(kind="undo").get()
        otto.post(reverse("admin:people-undo", args=[undone.pk]), {"asked": "1", "reason": "One man."})
        assert known(other)[2] == one.pk

    def test_stale_merge_is_refused(self, otto: Client) -> None:
        one, other = self.both(otto)
        otto.post(reverse("admin:person", args=[other.pk]), {"seen": other.version, "name": "Somebody Else"})
        answered = self.merge(otto, one, other)

        assert "has changed this" in answered.context["fault"]
        assert Person.objects.filter(merged_into=None).count() == 2

    def test_person_cannot_be_merged_with_itself_or_a_team(self, otto: Client) -> None:
        one, _other = self.both(otto)
        Team.objects.create(pk=999, name="Reds")

        assert self.merge(otto, one, one).context.get("other") is None
        assert otto.post(reverse("admin:person-merge", args=[one.pk]), {"other": 999}).status_code == 404

    def test_chosen_entries_are_split_off(self, otto: Client, events: tuple[Event, Event]) -> None:
        answer(otto, suggestion_of("Baba Sy"), "confirm")
        made, link = Person.objects.get(), PersonLink.objects.get(event=events[1])
        address = reverse("admin:person-split", args=[made.pk])
        refused = otto.post(address, {"seen": made.version, "reason": "Two."})
        assert "Choose the entries" in refused.context["fault"]
        otto.post(address, {"seen": made.version, "link": link.pk, "name": "Sy, Papa", "reason": "Two."})

        link.refresh_from_db()
        assert link.person.name == "Sy, Papa"
        assert PersonLink.objects.get(event=events[0]).person == made


class TestHistory:
    def test_refusal_is_listed_and_can_be_undone(self, otto: Client, events: tuple[Event, Event]) -> None:
        before = set(LinkProposal.objects.values_list("pk", "one", "other"))
        answer(otto, suggestion_of("Baba Sy"), "refuse")
        shown = otto.get(reverse("admin:people-acts"))
        [act] = shown.context["acts"]
        assert act.what == "Likely link refused"
        assert "refusal “Sy, Baba” in First ≠ “Baba Sy” in Second added" in act.changes
        otto.post(reverse("admin:people-undo", args=[act.act.pk]), {"asked": "1", "reason": "A slip."})

        assert set(LinkProposal.objects.values_list("pk", "one", "other")) == before
        latest = otto.get(reverse("admin:people-acts")).context["acts"][0]
        assert latest.what.startswith("Undone: Likely link refused")

    def test_edit_lists_values_before_and_after(self, otto: Client) -> None:
        made = person(otto, "Ann", born="1980")
        values = {"seen": made.version, "name": "Anna", "born": "1981", "titles": "GM; 1999"}
        otto.post(reverse("admin:person", args=[made.pk]), values)
        act = otto.get(reverse("admin:person", args=[made.pk])).context["acts"][0]

        message = f"Anna ({made.pk}): name: “Ann” → “Anna”; born: “1980” → “1981”"
        assert act.changes == [message, "title GM 1999 added"]

    def test_every_field_has_a_label(self) -> None:
        saved = {"id", "version", "changed_by", "changed_at"}
        fields = {each.attname for model in (Person, Team) for each in model._meta.concrete_fields}
        assert fields - saved - INTERNAL_COLUMNS <= {*FIELD_LABELS}

    def test_queries_do_not_depend_on_length_of_history(
        self, otto: Client, django_assert_num_queries: Any
    ) -> None:
        made = person(otto, "Ann")
        address = reverse("admin:people-acts")
        otto.get(address)
        with CaptureQueriesContext(connection) as one:
            otto.get(address)
            asked = len(one)
        for year in range(5):
            values = {"seen": made.version + year, "name": "Ann", "born": str(1980 + year)}
            otto.post(reverse("admin:person", args=[made.pk]), values)
        with django_assert_num_queries(asked):
            assert len(otto.get(address).context["acts"]) == 6


def test_arbiter_cannot_open_person_pages(desk: Desk) -> None:
    arbiter = desk.browser("arbiter")

    assert arbiter.get(reverse("admin:people")).status_code == 403
    assert reverse("admin:people") not in arbiter.get("/admin/").content.decode()
    assert reverse("admin:people") in desk.browser("organiser").get("/admin/").content.decode()


class TestEntriesOfSameEvent:
    """Two entries of the same event cannot be the same person, and no screen offers it."""

    @pytest.fixture
    def both(self, otto: Client, events: tuple[Event, Event]) -> tuple[Person, Person]:
        """Return two persons of the first event, the first of them with an entry in the second event too."""
        made = []
        for name in ("Sy, Baba", "Erna"):
            made.append(person(otto, name))
            chosen = Competitor.objects.filter(event=events[0]).order_by("number")[len(made) - 1]
            form = {"entry": f"c{chosen.pk}", "reason": "x"}
            otto.post(reverse("admin:person-link", args=[made[-1].pk]), form)
        return made[0], made[1]

    def test_impossible_merge_shows_reason_and_no_button(
        self, otto: Client, both: tuple[Person, Person]
    ) -> None:
        one, other = both
        address = reverse("admin:person-merge", args=[one.pk])
        found = otto.get(address, {"q": other.name}).content.decode()
        assert f"?other={other.pk}" not in found
        assert "Both have entries in “First”" in found

        shown = otto.get(address, {"other": other.pk}).content.decode()
        assert "Both have entries in “First”" in shown
        assert "Merge them" not in shown
        for each in PersonLink.objects.all():
            assert reverse("admin:person-unlink", args=[each.pk]) in shown

    def test_entry_of_same_event_is_shown_with_reason(
        self, otto: Client, both: tuple[Person, Person]
    ) -> None:
        Competitor.objects.filter(event__slug="first", number=3).update(name="Third One")
        link_entries(Event.objects.get(slug="first"))
        address = reverse("admin:person-link", args=[both[0].pk])
        [found] = otto.get(address, {"q": "third"}).context["found"]
        assert found["barred"] == "Sy, Baba is number 1 of this event already"

    def test_impossible_link_can_only_be_refused_or_postponed(
        self, otto: Client, both: tuple[Person, Person], events: tuple[Event, Event]
    ) -> None:
        one, other = both
        LinkProposal.objects.all().delete()
        entry = Competitor.objects.get(person_link__person=other)
        likely(entrants_at([(entry.pk, None)])[0], one, "name").save()
        [shown] = otto.get(reverse("admin:people-links")).context["links"]

        assert "Both have entries in “First”" in shown["why"]
        assert [value for value, _text in shown["answers"]] == ["refuse", "later"]

    def test_person_with_single_entry_cannot_be_split(
        self, otto: Client, both: tuple[Person, Person]
    ) -> None:
        address = reverse("admin:person-split", args=[both[0].pk])
        assert "cannot be split off" in otto.get(address).content.decode()
        assert address not in otto.get(reverse("admin:person", args=[both[0].pk])).content.decode()

    def test_merge_shows_hidden_person_and_earlier_refusal(self, otto: Client) -> None:
        one, other = person(otto, "Sy, Baba"), person(otto, "Sy, Papa")
        hiding = {"asked": "1", "reason": "He asked.", "seen": other.version}
        otto.post(reverse("admin:person-hide", args=[other.pk]), hiding)
        LinkRefusal.objects.create(
            one=f"person:{one.pk}", other=f"person:{other.pk}", by="olga", reason="Two."
        )
        shown = otto.get(reverse("admin:person-merge", args=[one.pk]), {"other": other.pk}).content.decode()

        assert f"Sy, Papa ({other.pk}) is hidden" in shown
        assert "were refused as the same by olga" in shown
        assert "Merge them" in shown


class TestHistoryTexts:
    def test_merge_and_undo_name_both_persons_and_moved_rows(self, otto: Client) -> None:
        one = person(otto, "Sy, Baba", identifiers="fide; 1111")
        other = person(otto, "Sy, Papa", identifiers="ned; 5", federations="SEN")
        form = {"other": other.pk, "reason": "x", "seen": one.version, "seen_other": other.version}
        otto.post(reverse("admin:person-merge", args=[one.pk]), form)
        merging = PeopleAct.objects.get(kind="merge")
        text = otto.get(reverse("admin:people-undo", args=[merging.pk])).content.decode()
        for said in (
            f"Sy, Papa ({other.pk}) merged into Sy, Baba ({one.pk})",
            f"federation SEN given to Sy, Baba ({one.pk})",
            f"id ned 5 given to Sy, Baba ({one.pk})",
        ):
            assert said in text

        otto.post(reverse("admin:people-undo", args=[merging.pk]), {"asked": "1", "reason": "x"})
        undone = PeopleAct.objects.latest("pk")
        otto.post(reverse("admin:people-undo", args=[undone.pk]), {"asked": "1", "reason": "x"})
        acts = otto.get(reverse("admin:people-acts")).context["acts"]
        assert [each.what.partition(":")[0] for each in acts[:3]] == ["Done again", "Undone", "Merged"]
        assert f"Sy, Papa ({other.pk}) is separate again" in acts[1].changes
        pages = {reverse("admin:person", args=[each.pk]) for each in (one, other)}
        assert {address for _name, address in acts[0].about} == pages


def test_merge_shows_values_that_only_a_single_person_has(otto: Client, events: tuple[Event, Event]) -> None:
    stays = Person.objects.create(name="Sy, Baba", key="baba si", born="1935")
    gone = Person.objects.create(name="Baba Sy", key="baba si", sex="m")

    def preview() -> str:
        address = reverse("admin:person-merge", args=[stays.pk])
        return otto.get(address, {"other": gone.pk}).content.decode()

    assert "<dt>born</dt><dd>1935</dd>" in preview()
    assert f"<dt>sex</dt><dd>{gone.get_sex_display()}</dd>" in preview()
    Person.objects.filter(pk=gone.pk).update(born="1936")
    assert "<dt>born</dt>" not in preview()
    assert 'name="keep-born"' in preview()
