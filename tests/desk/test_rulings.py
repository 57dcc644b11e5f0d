"""Manual tie-breaks, the ranking system, and findings."""

import re
from typing import Any

import pytest
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from standings.engine import SYSTEMS
from tests.cast import Hall, open_hall, open_system_file, swiss_file
from tournaments.models import Acknowledgement, Event, ManualTiebreak
from tournaments.recording.events.systems import order_criteria, suits
from tournaments.recording.events.tiebreaks import Tiebreak, enter_tiebreaks

ANN, BEA = 1, 2


@pytest.fixture
def ruled(db: None) -> Hall:
    """Return an event with an open system in which Ann and Bea are level."""
    return open_hall(open_system_file())


@pytest.fixture
def frozen(db: None) -> Hall:
    return open_hall()


def numbers() -> dict[str, int]:
    rows = ManualTiebreak.objects.order_by("competitor__number")
    return dict(rows.values_list("competitor__name", "number"))


class TestTiebreaks:
    def opened(self, ruled: Hall) -> dict[str, str]:
        """Return the values of the form."""
        page = ruled.get("event-tiebreaks").content.decode()
        return dict(re.findall(r'name="([a-z]+-\d)" value="([^"]*)"', page))

    def save(self, ruled: Hall, form: dict[str, str], **typed: str) -> object:
        return ruled.post("event-tiebreaks", **form, **typed)

    def test_level_competitors_come_first(self, ruled: Hall) -> None:
        context = ruled.get("event-tiebreaks").context

        assert [(group[0].place, [line.name for line in group]) for group in context["groups"]] == [
            (2, ["Ann", "Bea"])
        ]
        assert [line.name for line in context["others"]] == ["Cas", "Dov"]

    def test_only_changed_numbers_are_saved_and_places_are_shown(self, ruled: Hall) -> None:
        form = self.opened(ruled)
        answer = ruled.browser.post(ruled.address("event-tiebreaks"), form | {"number-2": "1"}, follow=True)

        assert "Saved. Places now: 2 Bea." in answer.content.decode()
        assert numbers() == {"Bea": 1}
        assert [(line.name, line.place) for line in answer.context["groups"][0]] == [
            ("Bea", 2),
            ("Ann", 3),
        ]

    def test_blank_field_removes_number(self, ruled: Hall) -> None:
        ruled.browser.post(ruled.address("event-tiebreaks"), self.opened(ruled) | {"number-2": "1"})
        ruled.browser.post(ruled.address("event-tiebreaks"), self.opened(ruled) | {"number-2": ""})

        assert numbers() == {}

    @pytest.mark.parametrize("typed", ["1.5", "two", "1234567", "1e3"])
    def test_invalid_number_prevents_saving(self, ruled: Hall, typed: str) -> None:
        form = self.opened(ruled) | {"number-1": "4", "number-2": typed}
        page = ruled.browser.post(ruled.address("event-tiebreaks"), form)

        assert "is not a whole number" in page.content.decode()
        assert [line.typed for line in page.context["groups"][0]] == ["4", typed]
        assert numbers() == {}

    def test_too_large_number_is_refused(self, ruled: Hall) -> None:
        form = self.opened(ruled) | {"number-1": "99999"}

        assert "at most 32767" in ruled.browser.post(ruled.address("event-tiebreaks"), form).content.decode()

    def test_conflict_shows_both_numbers_and_overwrites_neither(self, ruled: Hall) -> None:
        form = self.opened(ruled)
        enter_tiebreaks(ruled.event, [Tiebreak(BEA, 5, 0)], ruled.people["anna"])
        page = ruled.browser.post(ruled.address("event-tiebreaks"), form | {"number-1": "3", "number-2": "2"})
        text = " ".join(page.content.decode().split())

        assert numbers() == {"Bea": 5}
        assert "another person has saved a number" in text
        assert re.search(r"anna saved 5 at \d\d:\d\d UTC\. Saving puts yours\.", text)
        assert 'name="number-1" value="3"' in text

    def test_conflict_is_resolved_by_choice(self, ruled: Hall) -> None:
        form = self.opened(ruled)
        enter_tiebreaks(ruled.event, [Tiebreak(BEA, 5, 0)], ruled.people["anna"])
        address = ruled.address("event-tiebreaks")
        page = ruled.browser.post(address, form | {"number-2": "2"}).content.decode()
        shown = dict(re.findall(r'name="([a-z]+-\d)" value="([^"]*)"', page))

        kept = ruled.browser.post(address, shown | {"keep": "2"}).content.decode()
        assert 'name="number-2" value="5"' in kept
        assert numbers() == {"Bea": 5}
        ruled.browser.post(address, shown)
        assert numbers() == {"Bea": 2}

    def test_untouched_number_keeps_change_of_another_user(self, ruled: Hall) -> None:
        form = self.opened(ruled)
        enter_tiebreaks(ruled.event, [Tiebreak(BEA, 5, 0)], ruled.people["anna"])
        ruled.browser.post(ruled.address("event-tiebreaks"), form | {"number-1": "3"})

        assert numbers() == {"Ann": 3, "Bea": 5}

    def test_unused_numbers_give_a_note(self, ruled: Hall) -> None:
        assert "these numbers have no effect" not in ruled.get("event-tiebreaks").content.decode()
        order_criteria(ruled.event, ["total-score"], ruled.event.version, ruled.people["anna"], "So ruled.")
        assert "these numbers have no effect" in ruled.get("event-tiebreaks").content.decode()

    def test_tiebreaks_have_fixed_number_of_queries(
        self, ruled: Hall, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        ruled.get("event-tiebreaks")
        with django_assert_num_queries(14):
            ruled.get("event-tiebreaks")


class TestRanking:
    def order(self, ruled: Hall, *criteria: str, **fields: Any) -> dict[str, Any]:
        said = {"reason": "So ruled.", "after": ""}
        return {"act": "order", "criteria": criteria, "seen": ruled.event.version, **said, **fields}

    def test_suitable_systems_come_first(self, ruled: Hall) -> None:
        context = ruled.get("event-ranking").context
        suiting, others = ({system.code for system, *_ in context[name]} for name in ("suiting", "others"))

        assert suiting >= {"fmjd-swiss", "fmjd-swiss-truncated", "fmjd-swiss-median", "fmjd-swiss-rating"}
        assert others >= {"league", "manual-round-robin", "olympiad-2010"}
        assert not suiting & others

    def test_editor_step_changes_only_the_form(self, ruled: Hall) -> None:
        page = ruled.post("event-ranking", **self.order(ruled, "total-score", "manual", up="manual"))
        assert page.context["editor"].codes == ["manual", "total-score"]
        page = ruled.post("event-ranking", **self.order(ruled, "total-score", "manual", out="manual"))
        assert page.context["editor"].codes == ["total-score"]
        page = ruled.post("event-ranking", **self.order(ruled, "total-score", add="1", added="wins"))
        assert page.context["editor"].codes == ["total-score", "wins"]
        page = ruled.post("event-ranking", **self.order(ruled, "total-score", "manual", down="total-score"))
        assert page.context["editor"].codes == ["manual", "total-score"]

        assert Event.objects.get().criteria == []

    @pytest.mark.parametrize("step", [{"up": "luck"}, {"out": "luck"}, {"add": "1", "added": "luck"}])
    def test_editor_step_ignores_unknown_criterion(self, ruled: Hall, step: dict[str, str]) -> None:
        page = ruled.post("event-ranking", **self.order(ruled, "total-score", "luck", **step))

        assert page.context["editor"].codes == ["total-score"]

    def test_new_order_is_saved_after_confirmation(self, ruled: Hall) -> None:
        ruled.event.competitors.filter(number=BEA).update(rating=2000, rating_class="a")
        response = ruled.confirm("event-ranking", **self.order(ruled, "total-score", "rating-a"))

        assert [(each.name, each.was, each.now) for each in response.context["answer"].moved] == [
            ("Ann", 2, 3)
        ]
        assert Event.objects.get().criteria == ["total-score", "rating-a"]

    def test_event_without_results_needs_no_confirmation(self, ruled: Hall) -> None:
        ruled.event.rounds.all().delete()
        answer = ruled.post("event-ranking", **self.order(ruled, "total-score"))

        assert answer.status_code == 302
        assert Event.objects.get().criteria == ["total-score"]

    def test_stale_order_shows_stored_criteria(self, ruled: Hall) -> None:
        order_criteria(ruled.event, ["wins"], ruled.event.version, ruled.people["anna"], "So ruled.")
        page = ruled.post("event-ranking", **self.order(ruled, "total-score"))
        text = " ".join(page.content.decode().split())

        assert "anna has changed this." in text
        assert "Stored now: Number of wins." in text
        assert page.context["editor"].codes == ["total-score"]
        assert Event.objects.get().criteria == ["wins"]

    def test_new_system_is_saved_after_confirmation(self, ruled: Hall) -> None:
        ruled.event.refresh_from_db()
        fields: dict[str, Any] = {
            "act": "system",
            "system": "fmjd-swiss",
            "seen": ruled.event.version,
            "reason": "So ruled.",
        }
        ruled.confirm("event-ranking", **fields)
        event = Event.objects.get()

        assert (event.system, event.criteria, event.version) == ("fmjd-swiss", [], ruled.event.version + 1)
        assert event.history.first().history_user.username == "anna"

    def test_unknown_or_same_system_is_refused(self, ruled: Hall) -> None:
        for code, fault in (("luck", "no ranking system"), ("manual-swiss", "the system that the event has")):
            fields: dict[str, Any] = {
                "act": "system",
                "system": code,
                "seen": ruled.event.version,
                "reason": "So ruled.",
            }
            page = ruled.post("event-ranking", **fields)
            assert fault in page.content.decode()

    def test_frozen_system_is_read_only_and_links_to_override(self, frozen: Hall) -> None:
        page = frozen.get("event-ranking").content.decode()

        assert 'name="criteria"' not in page
        assert frozen.address("event-override-criteria") in page
        refused = frozen.post("event-ranking", **self.order(frozen, "wins")).context["answer"]
        assert "an override with a reason" in refused.fault
        assert Event.objects.get().criteria == []

    def test_older_criteria_override_blocks_change_of_system(self, frozen: Hall) -> None:
        ruling = {"number": 1, "reason": "By the book.", "by": "anna", "after": 2}
        frozen.event.overrides.create(kind="criteria", criteria=["wins"], **ruling)
        fields: dict[str, Any] = {
            "act": "system",
            "system": "manual-swiss",
            "seen": frozen.event.version,
            "reason": "So ruled.",
        }
        page = frozen.post("event-ranking", **fields)

        assert "Override 1 gives this event a list of its own." in page.content.decode()
        assert "By the book." in page.content.decode()

    def test_change_without_reason_is_refused(self, ruled: Hall) -> None:
        page = ruled.post("event-ranking", **self.order(ruled, "total-score", reason="  "))

        assert "This field is required." in page.content.decode()
        assert Event.objects.get().criteria == []

    def test_criteria_override_of_open_system_redirects(self, ruled: Hall) -> None:
        answer = ruled.get("event-override-criteria")

        assert answer["Location"] == ruled.address("event-ranking")

    def test_settings_link_here_and_cannot_change_system(self, ruled: Hall) -> None:
        address = reverse("admin:tournaments_event_change", args=[ruled.event.pk])
        page = ruled.browser.get(f"{address}?part=rules")
        form = page.context["adminform"].form

        assert ruled.address("event-ranking") in page.content.decode()
        assert ruled.address("event-tiebreaks") in page.content.decode()
        assert not form.fields.keys() & {"system", "criteria"}

    def test_every_event_has_a_suitable_system(self, ruled: Hall) -> None:
        for schedule in Event.Schedule.values:
            for entrants in Event.Entrants.values:
                for discipline in ("chess", "draughts-100"):
                    event = Event(schedule=schedule, entrants=entrants, discipline=discipline)
                    assert [each.code for each in SYSTEMS.values() if suits(each, event)]


class TestFindings:
    @pytest.fixture
    def found(self, db: None) -> Hall:
        """Return an event in which Ann and Bea met in round 1 and are paired again in round 2."""
        data = swiss_file()
        data["rounds"][1]["pairings"] = [
            {"table": 1, "first": 2, "second": 1, "kind": "pending"},
            {"table": 2, "first": 3, "second": 4, "kind": "pending"},
        ]
        return open_hall(data)

    def test_findings_link_to_screens(self, found: Hall) -> None:
        warnings = found.get("event-findings").context["warnings"]

        assert [(each.code, each.place) for each in warnings] == [
            ("met-before", "Round 2, table 1"),
            ("met-before", "Round 2, table 2"),
        ]
        assert warnings[0].address == f"/admin/events/{found.event.pk}/rounds/2/pairings/"
        assert found.browser.get(warnings[0].address).status_code == 200

    def test_finding_about_a_setting_links_to_its_page(self, found: Hall) -> None:
        pairs = [{"competitors": [1, 77], "first_round": 0, "last_round": 0}]
        Event.objects.update(forbidden_pairs=pairs)
        (finding,) = found.get("event-findings").context["errors"]
        assert finding.address == f"/admin/tournaments/event/{found.event.pk}/change/?part=rounds"
        assert 'name="forbidden_pairs-0-competitors"' in found.browser.get(finding.address).text

    def test_warning_is_accepted_with_reason(self, found: Hall) -> None:
        answer = found.post("event-findings", finding="met-before-2-1", reason="Too few players.")

        assert answer.status_code == 302
        row = Acknowledgement.objects.get()
        assert (row.finding, row.round, row.table, row.reason, row.by) == (
            "met-before", 2, 1, "Too few players.", "anna",
        )  # fmt: skip
        context = found.get("event-findings").context
        assert [each.key for each in context["warnings"]] == ["met-before-2-2"]
        assert [each.accepted.reason for each in context["accepted"]] == ["Too few players."]

    @pytest.mark.parametrize(
        ("finding", "reason", "fault"),
        [
            ("met-before-2-1", " ", "This needs a reason"),
            ("met-before-9-9", "Why.", "no such warning any more"),
        ],
    )
    def test_invalid_acknowledgement_is_refused(
        self, found: Hall, finding: str, reason: str, fault: str
    ) -> None:
        page = found.post("event-findings", finding=finding, reason=reason)

        assert fault in page.content.decode()
        assert not Acknowledgement.objects.exists()

    def test_error_cannot_be_accepted(self, found: Hall) -> None:
        Event.objects.update(criteria=["wins"])
        context = found.get("event-findings").context

        assert [each.code for each in context["errors"]] == ["criteria-of-frozen-system"]
        assert found.browser.get(context["errors"][0].address).status_code == 200
        page = found.post("event-findings", finding="criteria-of-frozen-system-0-0", reason="Please.")
        assert "is not accepted but corrected" in page.content.decode()

    def test_event_without_findings(self, frozen: Hall) -> None:
        assert "No open findings" in frozen.get("event-findings").content.decode()
