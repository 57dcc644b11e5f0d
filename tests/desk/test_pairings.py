"""Pairings on the desk: pasting, publishing, changes by hand with a `*`, and undo."""

from typing import Any

import pytest
from django.test import Client

from tests.cast import Hall, match_file, open_hall, open_round_robin
from tests.desk.acts import act_in
from tests.tournaments.recording.desk import add_pairing, at, round_of, typed
from tournaments.models import Change, Event, Pairing, Round
from tournaments.recording.events.rulings import acknowledge, findings_of
from tournaments.recording.pairings.by_hand import Seats
from tournaments.recording.results.submissions import enter
from tournaments.recording.rounds.opening import open_round
from tournaments.recording.rounds.publishing import publish_pairings
from tournaments.recording.rounds.schedules import generate_schedule

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    """Return an event with round 3 open and not paired."""
    hall = open_hall()
    enter(hall.event, [typed(at(hall.event, 2, 1), "1-1")], hall.people["anna"])
    open_round(hall.event, hall.people["anna"])
    Round.objects.filter(number=3).update(date="2026-05-03")
    return hall


@pytest.fixture
def paired(hall: Hall) -> Hall:
    """Return an event with round 3 published: 1-4 and 2-3."""
    pair(hall, Seats(1, 4), Seats(2, 3))
    publish_pairings(round_of(hall.event, 3), hall.people["anna"])
    return hall


def pair(hall: Hall, *seats: Seats) -> None:
    for each in seats:
        add_pairing(round_of(hall.event, 3), each, hall.people["anna"])


def text_of(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


class TestPasting:
    def test_block_is_previewed_then_stored(self, hall: Hall) -> None:
        page = hall.post("round-paste", 3, text="3;1-4\n2 bye\nCas\tabsent")

        assert "Table 3: 1 Ann against 4 Dov" in text_of(page)
        assert "Table 4: 2 Bea, bye" in text_of(page)
        assert hall.seats(3) == []
        seated = [each.seats for each in page.context["pasted"]]
        hall.post(
            "round-paste", 3, text="…",
            table=[each.table for each in seated],
            first=[each.first for each in seated],
            second=[each.second or each.kind for each in seated],
        )  # fmt: skip
        assert hall.seats(3) == ["1-4", "2 bye", "3 absent"]

    def test_invalid_line_blocks_saving(self, hall: Hall) -> None:
        page = text_of(hall.post("round-paste", 3, text="1-4\n\n2-1"))

        assert "1 line is not a valid pairing." in page
        assert "Line 3: 1 Ann sits at table 1 already." in page
        assert "Save 1 pairing" not in page

    def test_block_is_refused_if_player_was_paired_in_between(self, hall: Hall) -> None:
        pair(hall, Seats(4, 2))
        page = text_of(hall.post("round-paste", 3, text="1-4", table=["2"], first=["1"], second=["4"]))

        assert "Nothing is saved yet." in page
        assert "4 Dov sits at table 1 already." in page
        assert hall.seats(3) == ["4-2"]


class TestFindings:
    """Findings are shown at the pairing."""

    def test_rematch_is_shown_at_its_pairing(self, hall: Hall) -> None:
        pair(hall, Seats(2, 1))

        assert "2 and 1 met in round 1 and again in round 3" in text_of(hall.get("round-pairing", 3, 1))

    def test_withdrawn_player_is_shown_before_publishing(self, hall: Hall) -> None:
        hall.event.competitors.filter(number=4).update(withdrawn_after=2)
        pair(hall, Seats(4, 1))

        assert "Dov withdrew after round 2 and is paired in round 3." in text_of(hall.get("round-publish", 3))

    def test_accepted_finding_is_hidden(self, hall: Hall) -> None:
        pair(hall, Seats(2, 1))
        acknowledge(hall.event, "met-before", hall.people["anna"], "As drawn.", 3, 1)

        assert "met in round 1" not in text_of(hall.get("round-pairing", 3, 1))

    def test_player_missing_from_schedule_is_shown_on_every_page(self) -> None:
        hall = open_round_robin(4)
        anna = hall.people["anna"]
        generate_schedule(hall.event, anna)
        message = "5 Eva is in no pairing of the 3 rounds. Pair all rounds again,"
        answer = hall.browser_of("anna").post(
            hall.address("event-roster"), {"text": "Eva", "enter": "Enter them all"}, follow=True
        )

        assert message in text_of(answer)
        for page in (hall.get("event-rounds"), hall.get("event-findings")):
            assert message in text_of(page)
        enter(hall.event, [typed(at(hall.event, 1, 1), "2-0")], anna)
        assert message in text_of(hall.get("event-rounds"))


def take_back(hall: Hall, number: int = 3) -> str:
    """Return the page after taking the pairings back."""
    return text_of(hall.browser.post(hall.address("round-take-back", number), follow=True))


class TestPublishing:
    def shown(self, hall: Hall) -> str:
        """Return the checksum on the confirmation page."""
        return str(hall.get("round-publish", 3).context["shown"])

    def publish(self, hall: Hall) -> Any:
        return hall.post("round-publish", 3, shown=self.shown(hall))

    def test_publishing_shows_doubts_and_asks_once(self, hall: Hall) -> None:
        hall.event.competitors.filter(number=4).update(withdrawn_after=1)
        pair(hall, Seats(1, 2), Seats(4))
        page = text_of(hall.get("round-publish", 3))

        assert "1 Ann and 2 Bea met in round 1." in page
        assert "4 Dov withdrew after round 1." in page
        assert "Not paired yet: 1" in page
        assert "3 Cas" in page
        assert 'value="Publish pairings as they are"' in page
        assert round_of(hall.event, 3).is_draft
        assert self.publish(hall)["Location"] == hall.address("results", 3)
        assert round_of(hall.event, 3).state == "published"
        assert "needs a reason" in text_of(act_in(hall, 3, "turn", 1))

    def test_closing_asks_only_about_new_doubts(self, hall: Hall) -> None:
        pair(hall, Seats(1, 2))
        hall.event.competitors.filter(number=4).update(fide_id=5)
        hall.event.competitors.filter(number=3).update(fide_id=5)
        assert "id 5" in text_of(hall.get("round-publish", 3))
        self.publish(hall)
        enter(hall.event, [typed(at(hall.event, 3, 1), "1-1")], hall.people["anna"])
        page = text_of(hall.get("round-close", 3))
        assert "1 and 2 met in round 1 and again in round 3" in page
        assert "3 Cas; 4 Dov" in page
        hall.event.competitors.create(number=5, name="Eva")

        assert "5 Eva" in text_of(hall.post("round-close", 3))
        assert not round_of(hall.event, 3).is_closed
        hall.event.competitors.filter(number=5).delete()
        assert hall.post("round-close", 3)["Location"] == hall.address("event-desk")
        assert round_of(hall.event, 3).is_closed

    def test_publishing_is_refused_if_findings_changed(self, hall: Hall) -> None:
        pair(hall, Seats(4, 1), Seats(2, 3))
        seen = self.shown(hall)
        hall.event.competitors.filter(number__in=(3, 4)).update(fide_id=5)

        assert "have changed since" in text_of(hall.post("round-publish", 3, shown=seen))
        assert round_of(hall.event, 3).is_draft

    def test_schedule_is_confirmed_with_all_its_findings(self) -> None:
        robin = open_round_robin(4)
        generate_schedule(robin.event, robin.people["anna"])
        robin.event.rounds.update(state="draft")
        first = at(robin.event, 1, 1)
        robin.event.rounds.get(number=2).pairings.all().delete()
        again = Seats(first.first.number, first.second.number if first.second else None)
        add_pairing(round_of(robin.event, 2), again, robin.people["anna"])
        message = "met in round 1 and again in round 2"

        assert message in text_of(robin.get("round-publish", 2))
        response = robin.get("event-rounds-publish")
        assert message in text_of(response)
        robin.post("event-rounds-publish", shown=response.context["shown"])
        assert any(message in each for each in robin.event.rounds.get(number=2).confirmed["findings"])

    def test_publish_page_without_doubts(self, hall: Hall) -> None:
        pair(hall, Seats(4, 1), Seats(2, 3))
        page = text_of(hall.get("round-publish", 3))

        assert "Round 3: 2 pairings, a draft." in page
        assert "Every player has a pairing or a bye. No unusual pairings." in page

    def test_byes_are_among_those_who_do_not_play(self, hall: Hall) -> None:
        pair(hall, Seats(1, 2), Seats(3))
        page = text_of(hall.get("round-publish", 3))
        assert "Not playing in this round" in page
        assert "<li>3 Cas (" in page
        assert "will be recorded as absent when you publish" in page

    def test_publishing_is_refused_if_pairings_changed(self, hall: Hall) -> None:
        pair(hall, Seats(1, 4))
        seen = self.shown(hall)
        pair(hall, Seats(2, 3))
        page = text_of(hall.post("round-publish", 3, shown=seen))

        assert "have changed since you opened this page." in page
        assert round_of(hall.event, 3).is_draft
        assert "have changed" in text_of(hall.post("round-publish", 3))

    def test_round_without_pairings_cannot_be_published(self, hall: Hall) -> None:
        assert "Round 3 has no pairings yet." in text_of(self.publish(hall))

    def test_round_cannot_be_published_before_an_earlier_round(self, hall: Hall) -> None:
        pair(hall, Seats(1, 4))
        opened = open_round(hall.event, hall.people["anna"])
        add_pairing(opened, Seats(1, 2), hall.people["anna"])
        page = hall.post("round-publish", 4, shown=str(hall.get("round-publish", 4).context["shown"]))

        assert "The pairings of round 3 are not published yet." in text_of(page)

    def test_publish_page_works_after_publishing(self, hall: Hall) -> None:
        """The browser requests this page when the user goes back."""
        pair(hall, Seats(1, 4))
        self.publish(hall)

        assert "The pairings of this round are published." in text_of(hall.get("round-publish", 3))

    def test_draft_has_no_lines_for_results(self, hall: Hall) -> None:
        pair(hall, Seats(1, 4), Seats(2, 3))
        page = text_of(hall.get("results", 3))

        assert "The pairings of this round are a draft." in page
        assert "data-line" not in page
        assert "are a draft" in text_of(hall.get("round-close", 3))

    def test_changes_after_taking_back_are_no_overrides(self, paired: Hall) -> None:
        """Changes of a round without results are not overrides."""
        assert "Take the pairings back" in text_of(paired.get("round-pairings", 3))
        paired.post("round-take-back", 3)
        assert round_of(paired.event, 3).is_draft
        act_in(paired, 3, "exchange", 3, 4, anyway="1")
        self.publish(paired)

        assert paired.seats(3) == ["1-3", "2-4"]
        assert paired.overrides() == []

    def test_round_with_result_cannot_be_taken_back(self, paired: Hall) -> None:
        enter(paired.event, [typed(at(paired.event, 3, 1), "2-0")], paired.people["anna"])
        assert "Take the pairings back" not in text_of(paired.get("round-pairings", 3))
        page = take_back(paired)

        assert "Round 3 has a result, so its pairings stay published." in page
        assert round_of(paired.event, 3).state == "published"

    def test_taking_back_undoes_changes_by_hand(self, paired: Hall) -> None:
        act_in(paired, 3, "turn", 1, anyway="1", reason="Colours.")
        take_back(paired)

        assert paired.seats(3) == ["4-1", "2-3"]
        assert [kind for kind, *_ in paired.overrides()] == ["pairing", "undo"]
        assert findings_of(paired.event) == ()  # not even of the changed table
        self.publish(paired)
        assert "manually changed" not in text_of(paired.get("round-pairings", 3))
        assert "manually changed" not in paired.page("rounds/3/")

    def test_round_with_logged_correction_cannot_be_taken_back(self, paired: Hall) -> None:
        row = at(paired.event, 3, 1)
        enter(paired.event, [typed(row, "2-0")], paired.people["anna"])
        Change.objects.create(event=paired.event, round=3, table=1, was="2-0", now="…", reason="A slip.")
        Pairing.objects.filter(pk=row.pk).update(kind="pending", first_score=None, second_score=None)

        assert "The public log shows corrections in round 3" in take_back(paired)

    def test_round_before_later_round_cannot_be_taken_back(self, paired: Hall) -> None:
        opened = open_round(paired.event, paired.people["anna"])
        add_pairing(opened, Seats(1, 2), paired.people["anna"])
        page = take_back(paired)

        assert "A later round is built upon round 3" in page

    def test_closed_round_cannot_be_taken_back(self, hall: Hall) -> None:
        assert "is settled" in take_back(hall, 1)


class TestChangedByHand:
    def swap(self, hall: Hall, reason: str = "They share a car.") -> Any:
        """Pair 1-3 and 2-4 instead of 1-4 and 2-3."""
        return act_in(hall, 3, "exchange", 3, 4, anyway="1", reason=reason)

    def test_missing_reason_is_asked_and_choice_is_kept(self, paired: Hall) -> None:
        page = text_of(self.swap(paired, " "))

        assert "A manual change needs a reason" in page
        assert '<input type="hidden" name="seat" value="4">' in page
        assert paired.seats(3) == ["1-4", "2-3"]

    def test_changed_pairing_has_star_on_every_page(self, paired: Hall) -> None:
        Event.objects.update(state="live")
        assert "*" not in Client().get("/events/four-players/rounds/3/").content.decode().split("<tbody")[1]
        self.swap(paired)

        assert paired.seats(3) == ["1-3", "2-4"]
        assert paired.overrides() == [("pairing", 3, 1, "1-4"), ("pairing", 3, 2, "2-3")]
        public = text_of(Client().get("/events/four-players/rounds/3/"))
        assert public.count("–<i>*</i></a>") == 2
        standings = text_of(Client().get("/events/four-players/standings/"))
        assert standings.count("</b>*") + standings.count("*</a>") + standings.count("*</b>") >= 4
        assert text_of(paired.get("round-pairings", 3)).count("* manually changed") == 0
        assert text_of(paired.get("round-pairings", 3)).count('*<span class="spoken"> manually changed') == 2

    def test_swapped_colours_are_an_override(self, paired: Hall) -> None:
        act_in(paired, 3, "turn", 1, anyway="1", reason="Colours.")

        assert paired.seats(3) == ["4-1", "2-3"]
        assert paired.overrides() == [("pairing", 3, 1, "1-4")]

    def test_additional_pairing_needs_reason(self, hall: Hall) -> None:
        pair(hall, Seats(1, 4))
        publish_pairings(round_of(hall.event, 3), hall.people["anna"])

        assert "needs a reason. It is marked *" in text_of(act_in(hall, 3, "pair", text="2 3"))
        act_in(hall, 3, "pair", text="2 3", anyway="1", reason="They came late.")
        assert hall.overrides() == [("pairing", 3, 2, "")]

    def test_undo_restores_all_tables_of_the_action(self, paired: Hall) -> None:
        self.swap(paired)
        assert "1-4 sat here before. They share a car." in text_of(paired.get("round-pairing", 3, 1))
        paired.post("round-pairing", 3, 1, act="undo", override=1, reason="They do not.")

        assert paired.seats(3) == ["1-4", "2-3"]
        assert [kind for kind, *_rest in paired.overrides()] == ["pairing", "pairing", "undo", "undo"]
        page = text_of(paired.get("round-pairing", 3, 1))
        assert "Undone by anna, override 3. They do not." in page
        assert 'value="undo"' not in page
        assert "*</a>" not in text_of(Client().get("/events/four-players/rounds/3/"))

    def test_override_with_result_cannot_be_undone(self, paired: Hall) -> None:
        self.swap(paired)
        enter(paired.event, [typed(at(paired.event, 3, 2), "2-0")], paired.people["anna"])
        page = text_of(paired.post("round-pairing", 3, 1, act="undo", override=1, reason="No."))

        assert "Results depend on this pairing." in page
        assert paired.seats(3) == ["1-3", "2-4"]

    def test_override_of_another_pairing_cannot_be_undone(self, paired: Hall) -> None:
        self.swap(paired)
        page = text_of(paired.post("round-pairing", 3, 1, act="undo", override=2, reason="No."))

        assert "There is no such override of this pairing." in page


class TestNotesAndMatchPoints:
    def test_note_is_saved_and_stale_note_is_refused(self, paired: Hall) -> None:
        seen = at(paired.event, 3, 1).version
        paired.post("round-pairing", 3, 1, act="note", note="Both were late.", seen=seen, by="ben")
        page = text_of(paired.post("round-pairing", 3, 1, act="note", note="Mine.", seen=seen))

        assert "ben has changed this." in page
        assert ">Mine.</textarea>" in page
        assert at(paired.event, 3, 1).note == "Both were late."

    def test_match_points_are_awarded_with_reason(self) -> None:
        hall = open_hall(match_file())
        anna, row = hall.people["anna"], at(hall.event, 1, 1)
        enter(hall.event, [typed(row, "1-0", 1), typed(row, "1-0", 2), typed(row, "=", 3)], anna)
        seen = at(hall.event, 1, 1).version
        refused = hall.post("round-pairing", 1, 1, act="points", points="0-2", seen=seen, reason="")

        assert "This needs a reason" in text_of(refused)
        assert 'value="0-2"' in text_of(refused)
        hall.post(
            "round-pairing", 1, 1, act="points", points="0-2", seen=seen, reason="A player was ineligible."
        )
        row = at(hall.event, 1, 1)
        assert (row.first_match_points, row.second_match_points) == (0, 4)
        assert not Change.objects.exists()
        assert "Match points awarded: 0-2." in text_of(Client().get("/events/one-match/rounds/1/1/"))

    def test_individual_game_has_no_match_points(self, paired: Hall) -> None:
        assert "Match points" not in text_of(paired.get("round-pairing", 3, 1))


class TestMissing:
    @pytest.mark.parametrize("screen", ["round-pairings", "round-paste", "round-check", "round-close"])
    def test_unknown_round_is_404(self, hall: Hall, screen: str) -> None:
        assert hall.get(screen, 9).status_code == 404

    def test_unknown_table_redirects_to_pairings(self, hall: Hall) -> None:
        answer = hall.get("round-pairing", 3, 9)

        assert answer["Location"] == hall.address("round-pairings", 3)
        assert "There is no pairing at table 9." in text_of(hall.get("round-pairings", 3))
