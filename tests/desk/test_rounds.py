"""Rounds on the desk: opening, closing, reopening, and schedules."""

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from tests.cast import Hall, open_hall, open_round_robin, posted_rows
from tests.tournaments.recording.desk import add_pairing, at, round_of, typed
from tournaments.models import Acknowledgement, Backup, Event, Pairing, Round
from tournaments.models.versioned import past_of
from tournaments.recording.pairings.by_hand import Seats
from tournaments.recording.results.submissions import enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    return open_hall()


def text_of(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


class TestOpening:
    def test_list_shows_what_each_round_lacks(self, hall: Hall) -> None:
        page = text_of(hall.get("event-rounds"))

        assert "1 missing" in page
        assert "Round 2 is still open. 1 result of it is missing." in page
        assert "No backups yet." in page

    def test_draft_has_no_links_to_results_and_closing(self, hall: Hall) -> None:
        enter(hall.event, [typed(at(hall.event, 2, 1), "1-1")], hall.people["anna"])
        hall.post("event-rounds", number=3)
        add_pairing(round_of(hall.event, 3), Seats(1, 4), hall.people["anna"])
        page = text_of(hall.get("event-rounds"))
        assert "result of it is missing" not in page
        assert "Open round 4" not in page
        page = text_of(hall.get("round-pairings", 3))
        assert ">Results</a>" not in page
        assert "Close the round" not in page

    def test_round_is_opened(self, hall: Hall) -> None:
        answer = hall.post("event-rounds", number=3)

        assert answer["Location"] == hall.address("round-pairings", 3)
        assert round_of(hall.event, 3).state == "draft"

    def test_opened_round_is_removed(self, hall: Hall) -> None:
        hall.post("event-rounds", number=3)

        assert hall.post("event-rounds", remove=2)["Location"] == hall.address("event-rounds")
        assert "Only the last round can be removed" in text_of(hall.get("event-rounds"))
        hall.post("event-rounds", remove=3)
        assert hall.event.rounds.count() == 2

    def test_removing_a_round_with_a_date_asks_first(self, hall: Hall) -> None:
        hall.post("event-rounds", number=3)
        Round.objects.filter(number=3).update(date="2026-05-03", time="14:00")

        assert "also removes its date 2026-05-03 14:00 from the schedule" in text_of(
            hall.post("event-rounds", remove=3)
        )
        assert hall.event.rounds.count() == 3
        hall.post("event-rounds", remove=3, anyway="1")
        assert hall.event.rounds.count() == 2

    def test_no_round_is_removed_from_finished_event(self, hall: Hall) -> None:
        hall.post("event-rounds", number=3)
        Event.objects.update(state="final")

        assert "Remove round" not in text_of(hall.get("event-rounds"))
        hall.post("event-rounds", remove=3)
        assert "This event is over." in text_of(hall.get("event-rounds"))
        assert hall.event.rounds.count() == 3

    def test_simultaneous_posts_open_a_single_round(self, hall: Hall) -> None:
        hall.post("event-rounds", number=3)
        answer = hall.post("event-rounds", number=3, by="ben")

        assert "Another person has already opened round 3." in text_of(answer)
        assert hall.event.rounds.count() == 3

    def test_opening_asks_if_previous_round_is_not_paired(self, hall: Hall) -> None:
        hall.post("event-rounds", number=3)
        text = text_of(hall.post("event-rounds", number=4))

        assert "Round 3 has no pairings yet. Open round 4 anyway?" in text
        assert hall.event.rounds.count() == 3
        hall.post("event-rounds", number=4, anyway="1")
        assert hall.event.rounds.count() == 4

    def test_opening_asks_if_previous_round_is_a_draft(self, hall: Hall) -> None:
        hall.post("event-rounds", number=3)
        add_pairing(round_of(hall.event, 3), Seats(1, 4), hall.people["anna"])

        text = text_of(hall.post("event-rounds", number=4))
        assert "The pairings of round 3 are not published yet. Open round 4 anyway?" in text

    def test_no_round_beyond_planned_rounds(self, hall: Hall) -> None:
        Event.objects.update(planned_rounds=2)

        assert "All 2 planned rounds are there." in text_of(hall.get("event-rounds"))
        assert "All 2 planned rounds are there." in text_of(hall.post("event-rounds", number=3))
        assert hall.event.rounds.count() == 2

    def test_no_round_in_finished_event(self, hall: Hall) -> None:
        Event.objects.update(state="final")

        assert "This event is over: no further round is opened." in text_of(hall.get("event-rounds"))

    def test_queries_do_not_depend_on_number_of_rounds(
        self, hall: Hall, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        Event.objects.update(planned_rounds=30)
        Round.objects.bulk_create(Round(event=hall.event, number=number) for number in range(3, 20))
        with django_assert_num_queries(10):
            hall.get("event-rounds")


class TestDates:
    """The schedule: rounds 1 and 2 exist, without dates, and rounds 3 and 4 are planned."""

    def post(self, hall: Hall, *starts: str, seen: Sequence[str] = (), by: str = "", **values: str) -> Any:
        """Post the schedule, by default as an unchanged form would show it, with further values."""
        rows = [
            {"number": number, "date": date, "time": time, "seen": old}
            for number, (start, old) in enumerate(zip_longest(starts, seen, fillvalue=""), start=1)
            for date, _blank, time in [start.partition(" ")]
        ]
        fill = {name.replace("_", "-"): value for name, value in values.items()}
        return hall.browser_of(by).post(hall.address("event-dates"), posted_rows(form=rows) | fill)

    def shown(self, answer: Any) -> list[str]:
        return [f"{row['date'].value()} {row['time'].value()}".strip() for row in answer.context["rows"]]

    def test_rounds_are_dated_before_they_are_paired(self, hall: Hall) -> None:
        Round.objects.update(date="")
        assert self.shown(hall.get("event-dates")) == ["", "", "", ""]
        answer = self.post(hall, "2026-05-01", "2026-05-02 14:00", "2026-05-03 10:00", "")

        assert answer["Location"] == hall.address("event-dates")
        dates = ["2026-05-01", "2026-05-02 14:00", "2026-05-03 10:00", ""]
        assert self.shown(hall.get("event-dates")) == dates
        assert list(hall.event.rounds.values_list("number", "state")) == [
            (1, "closed"), (2, "published"), (3, "draft"),
        ]  # fmt: skip
        assert "2026-05-03 10:00" in text_of(hall.get("event-desk"))
        self.post(hall, *dates[:2], "2026-05-03 11:00", seen=dates)
        acts = hall.get("round-history", 3).context["acts"]
        assert [act.what for act in acts] == ["date: 2026-05-03 11:00", "date: 2026-05-03 10:00"]

    def test_enter_saves_and_does_not_fill(self, hall: Hall) -> None:
        form = text_of(hall.get("event-dates")).split("<form")[-1]

        assert form.index("<button") < form.index('name="fill"')

    def test_fill_shows_dates_and_saves_nothing(self, hall: Hall) -> None:
        Round.objects.update(date="")
        answer = self.post(
            hall, "2026-05-01", "", "", "", fill="1", fill_first="2026-05-02", fill_times="14:00",
            fill_day5="15:00 10:00", fill_day6="-",
        )  # fmt: skip

        assert "Not saved yet." in text_of(answer)
        # 2 May is a Saturday, without rounds on Sunday.
        filled = ["2026-05-01", "2026-05-02 10:00", "2026-05-02 15:00", "2026-05-04 14:00"]
        assert self.shown(answer) == filled
        assert not Round.objects.exclude(date="").exists()

    def test_changed_fill_fields_fill_before_they_save(self, hall: Hall) -> None:
        Round.objects.update(date="")
        shown = re.search(r'name="initial-fill-first" value="(.*?)"', text_of(hall.get("event-dates")))
        changed = {"initial_fill_first": shown[1] if shown else "", "fill_first": "2026-05-02"}
        answer = self.post(hall, "2026-05-01", "", "", "", **changed)

        assert "Not saved yet." in text_of(answer)
        filled = ["2026-05-01", "2026-05-02", "2026-05-03", "2026-05-04"]
        assert self.shown(answer) == filled
        assert 'name="initial-fill-first" value="2026-05-02"' in text_of(answer)
        self.post(hall, *filled, fill_first="2026-05-02", initial_fill_first="2026-05-02")
        assert self.shown(hall.get("event-dates")) == filled

    def test_fill_from_a_round_replaces_dates(self, hall: Hall) -> None:
        dates = ("2026-05-01", "2026-05-02", "2026-05-03 14:00", "")
        fill = {"fill": "1", "fill_first": "2026-06-05", "fill_day4": "19:30", "fill_number": "3"}
        answer = self.post(hall, *dates, **fill)

        assert self.shown(answer) == ["2026-05-01", "2026-05-02", "2026-06-05 19:30", "2026-06-12 19:30"]

    @pytest.mark.parametrize(
        ("values", "fault"),
        [
            ({"fill_first": "2026"}, "is no day"),
            ({"fill_first": "2026-05-01", "fill_times": "2 pm"}, "is no time of day"),
            ({"fill_first": "2026-05-01", "fill_day3": "14:00 -"}, "is no time of day"),
            ({"fill_first": "2026-05-01", "fill_times": "-"}, "No weekday has a round."),
            ({"fill_first": "2026-05-01", "fill_number": "12"}, "The last round is 4."),
        ],
    )
    def test_fill_refuses_wrong_values(self, hall: Hall, values: dict[str, str], fault: str) -> None:
        answer = self.post(hall, "2026-05-01", "", "", "", fill="1", **values)

        assert fault in text_of(answer)
        assert self.shown(answer) == ["2026-05-01", "", "", ""]

    def test_fill_says_why_no_round_is_filled(self, hall: Hall) -> None:
        dates = ["2026-05-01", "2026-05-02", "2026-05-03", "2026-05-04"]
        page = text_of(self.post(hall, *dates, fill="1", fill_first="2026-06-01"))

        assert "All rounds have a date." in page
        assert "Not saved yet." not in page

    def test_time_needs_a_date(self, hall: Hall) -> None:
        Round.objects.update(date="")

        assert "A round with a time needs its day." in text_of(self.post(hall, " 14:00"))
        assert "A round with a time needs its day." in text_of(self.post(hall, "2026 14:00"))

    def test_another_arbiters_date_is_not_replaced_unseen(self, hall: Hall) -> None:
        Round.objects.update(date="")
        self.post(hall, "", "", "2026-05-03", by="ben")
        answer = self.post(hall, "2026-05-01", "", "2026-05-04 09:00")

        assert "Another person has saved round 3: 2026-05-03." in text_of(answer)
        assert round_of(hall.event, 1).date == ""
        assert self.shown(answer) == ["2026-05-01", "", "2026-05-04 09:00"]
        seen = [row["seen"].value() for row in answer.context["rows"]]
        self.post(hall, *self.shown(answer), seen=[str(each) for each in seen])
        assert round_of(hall.event, 3).time == "09:00"

    def test_settings_of_rounds_and_first_screen_link_to_it(self, hall: Hall) -> None:
        address = hall.address("event-dates")

        assert address in text_of(hall.get("event-desk"))
        assert address in text_of(hall.browser.get(hall.address("tournaments_event_change") + "?part=rounds"))


class TestClosing:
    def test_missing_results_are_linked(self, hall: Hall) -> None:
        page = text_of(hall.get("round-close", 2))

        assert "1 result is missing" in page
        assert f'<a href="{hall.address("results", 2)}#table-1">Table 1: Ann against Cas</a>' in page
        assert 'value="Close round 2"' not in page

    def test_round_with_missing_results_cannot_be_closed(self, hall: Hall) -> None:
        assert "Results are missing at table 1." in text_of(hall.post("round-close", 2, anyway="1"))
        assert round_of(hall.event, 2).state == "published"

    def test_complete_round_is_closed_with_backup(self, hall: Hall) -> None:
        enter(hall.event, [typed(at(hall.event, 2, 1), "1-1")], hall.people["anna"])

        assert "All results are entered. The checks found no problems." in text_of(hall.get("round-close", 2))
        assert hall.post("round-close", 2)["Location"] == hall.address("event-desk")
        assert round_of(hall.event, 2).state == "closed"
        assert Backup.objects.get().reason == "After round 2"

    def test_close_button_asks_if_player_is_not_paired(self, hall: Hall) -> None:
        at(hall.event, 2, 1).delete()
        text = text_of(hall.post("round-close", 2))

        assert "1 Ann; 3 Cas" in text
        assert round_of(hall.event, 2).state == "published"
        assert hall.post("round-close", 2, anyway="1")["Location"] == hall.address("event-desk")
        assert round_of(hall.event, 2).state == "closed"

    def test_warning_is_accepted_with_reason(self, hall: Hall) -> None:
        self.pair_again(hall)
        page = text_of(hall.get("round-close", 2))

        assert "Warnings, to be looked at" in page
        assert hall.address("round-pairing", 2, 1) in page
        refused = hall.post("round-close", 2, finding="met-before", round=2, table=1, reason=" ")
        assert "This needs a reason" in text_of(refused)
        hall.post("round-close", 2, finding="met-before", round=2, table=1, reason="Both agreed.")
        [accepted] = Acknowledgement.objects.values_list("finding", "round", "table", "reason", "by")
        assert accepted == ("met-before", 2, 1, "Both agreed.", "anna")
        assert "Warnings, to be looked at" not in text_of(hall.get("round-close", 2))
        assert round_of(hall.event, 2).state == "published"

    def test_round_with_error_cannot_be_closed(self, hall: Hall) -> None:
        Pairing.objects.filter(round__number=2).update(kind="played", first_score=3, second_score=3)

        assert "Errors, to be mended first" in text_of(hall.get("round-close", 2))
        assert "This round has an error" in text_of(hall.post("round-close", 2, anyway="1"))

    def pair_again(self, hall: Hall) -> None:
        """Let Ann meet Bea again, with a draw."""
        at(hall.event, 2, 2).delete()
        bea = hall.event.competitors.get(number=2)
        Pairing.objects.filter(pk=at(hall.event, 2, 1).pk).update(second=bea)
        enter(hall.event, [typed(at(hall.event, 2, 1), "1-1")], hall.people["anna"])


class TestReopening:
    def test_reopening_needs_reason(self, hall: Hall) -> None:
        assert "This needs a reason" in text_of(hall.post("round-reopen", 1, reason=""))
        assert round_of(hall.event, 1).state == "closed"

    def test_reason_is_in_history(self, hall: Hall) -> None:
        answer = hall.post("round-reopen", 1, reason="A slip was found.")
        past = past_of(Round).objects.get(id=round_of(hall.event, 1).pk)

        assert answer["Location"] == hall.address("results", 1)
        assert (past.state, past.history_change_reason) == ("published", "A slip was found.")


class TestTogether:
    """Several rounds of a round robin in a single step."""

    @pytest.fixture
    def robin(self) -> Hall:
        robin = open_round_robin(4)
        robin.post("event-schedule", replacing=0)
        return robin

    def play(self, robin: Hall, *numbers: int) -> None:
        rows = Pairing.objects.filter(round__event=robin.event, round__number__in=numbers)
        rows.update(kind="played", first_score=2, second_score=2)

    def test_complete_rounds_are_closed_together(self, robin: Hall) -> None:
        self.play(robin, 1, 3)

        assert robin.post("event-rounds-close")["Location"] == robin.address("event-desk")
        assert [each.state for each in robin.event.rounds.all()] == ["closed", "published", "closed"]
        assert Backup.objects.first().reason == "After rounds 1, 3"  # type: ignore[union-attr]  # it is there

    def test_warning_about_a_round_is_confirmed_for_all(self, robin: Hall) -> None:
        self.play(robin, 1, 2)
        at(robin.event, 2, 1).delete()
        response = robin.post("event-rounds-close")

        assert "Not paired in this round" in text_of(response)
        assert not robin.event.rounds.filter(state="closed").exists()
        robin.post("event-rounds-close", shown=response.context["shown"])
        assert robin.event.rounds.filter(state="closed").count() == 2

    def test_newly_completed_round_is_not_closed_unseen(self, robin: Hall) -> None:
        self.play(robin, 1)
        at(robin.event, 1, 1).delete()
        seen = robin.get("event-rounds-close").context["shown"]
        self.play(robin, 2)

        assert robin.post("event-rounds-close", shown=seen).status_code == 200
        assert not robin.event.rounds.filter(state="closed").exists()

    def test_complete_schedule_is_published(self, robin: Hall) -> None:
        Round.objects.update(state="draft")
        response = robin.get("event-rounds-publish")

        assert "Round 3" in text_of(response)
        answer = robin.post("event-rounds-publish", shown=response.context["shown"])
        assert answer["Location"] == robin.address("event-desk")
        assert set(robin.event.rounds.values_list("state", flat=True)) == {"published"}

    def test_changed_schedule_is_not_published(self, robin: Hall) -> None:
        Round.objects.update(state="draft")
        seen = robin.get("event-rounds-publish").context["shown"]
        at(robin.event, 2, 1).delete()

        assert "have changed since" in text_of(robin.post("event-rounds-publish", shown=seen))
        assert set(robin.event.rounds.values_list("state", flat=True)) == {"draft"}

    def test_swiss_has_no_schedule_to_publish(self, hall: Hall) -> None:
        assert "No rounds to publish together" in text_of(hall.get("event-rounds-publish"))


class TestSchedules:
    def test_schedule_preview_stores_no_rounds(self) -> None:
        hall = open_round_robin(5)
        page = text_of(hall.get("event-schedule"))

        assert "2 Player 2 – 5 Player 5" in page
        assert "1 Player 1 rests" in page
        assert "This makes rounds 1 to 5 with 10 pairings in all, and publishes them." in page
        assert "Order of the numbers: as entered." in page
        assert "Draw the numbers by lot first" in page
        assert "4 rounds were planned; the tables make 5, and so will the event." in page
        assert not hall.event.rounds.exists()

    def test_schedule_is_stored_as_previewed(self) -> None:
        hall = open_round_robin(4, schedule="double-round-robin")
        answer = hall.post("event-schedule", replacing=0)

        assert answer["Location"] == hall.address("event-rounds")
        assert [hall.seats(number) for number in range(1, 7)] == [
            ["1-4", "2-3"], ["2-4", "3-1"], ["4-3", "1-2"],
            ["4-1", "3-2"], ["3-4", "2-1"], ["4-2", "1-3"],
        ]  # fmt: skip
        assert Backup.objects.get().reason == "Before all rounds were paired"

    def test_schedule_without_results_is_replaced_after_confirmation(self) -> None:
        hall = open_round_robin(4)
        hall.post("event-schedule", replacing=0)
        hall.event.competitors.create(number=5, name="Late")

        assert "6 pairings without a result are replaced." in text_of(hall.get("event-schedule"))
        refused = hall.post("event-schedule", replacing=0)
        assert "Check below what is replaced." in text_of(refused)
        assert len(hall.seats(1)) == 2
        hall.post("event-schedule", replacing=6)
        assert hall.seats(1) == ["2-5", "3-4", "1 bye"]
        assert hall.event.rounds.count() == 5

    def test_surplus_rounds_are_deleted(self) -> None:
        hall = open_round_robin(6)
        hall.post("event-schedule", replacing=0)
        hall.event.competitors.filter(number__in=(5, 6)).update(withdrawn_after=0)
        Round.objects.filter(number__in=(3, 4)).update(date="2026-05-04", time="14:00")

        preview = text_of(hall.get("event-schedule"))
        assert "Rounds to be removed with their dates: 4 (2026-05-04 14:00)" in preview
        hall.post("event-schedule", replacing=15)

        assert hall.event.rounds.count() == 3
        assert Event.objects.get().planned_rounds == 3

    def test_schedule_with_result_is_not_replaced(self) -> None:
        hall = open_round_robin(4)
        hall.post("event-schedule", replacing=0)
        enter(hall.event, [typed(at(hall.event, 1, 1), "1-1")], hall.people["anna"])

        assert "There are results already." in text_of(hall.get("event-schedule"))
        assert "There are results already." in text_of(hall.post("event-schedule", replacing=6))
        assert at(hall.event, 1, 1).kind == "played"

    def test_swiss_has_no_schedule(self, hall: Hall) -> None:
        assert "A Swiss is paired round by round." in text_of(hall.get("event-schedule"))
