"""Pairings at the desk: typed, pasted, changed by hand with a `*`, undone; two arbiters at one round."""

from typing import Any, ClassVar

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.cast import Hall, match_file, open_hall, open_round_robin
from tests.tournaments.recording.desk import at, round_of, typed
from tournaments.models import Change, Competitor, Event, Override, Pairing
from tournaments.recording.entries import enter
from tournaments.recording.pairings import NewPairing, add_pairing
from tournaments.recording.rounds import open_round, publish_pairings
from tournaments.recording.rulings import acknowledge
from tournaments.recording.schedules import generate_schedule

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    """Round 3 is open, and nobody is paired in it."""
    hall = open_hall()
    enter(hall.event, [typed(at(hall.event, 2, 1), "1-1")], hall.people["anna"])
    open_round(hall.event, hall.people["anna"])
    return hall


@pytest.fixture
def paired(hall: Hall) -> Hall:
    """Round 3 is paired 1-4 and 2-3, and these pairings stand."""
    pair(hall, NewPairing(1, 4), NewPairing(2, 3))
    publish_pairings(round_of(hall.event, 3), hall.people["anna"])
    return hall


def pair(hall: Hall, *seats: NewPairing) -> None:
    for each in seats:
        add_pairing(round_of(hall.event, 3), each, hall.people["anna"])


def text_of(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def line(hall: Hall, table: int, first: str, second: str) -> dict[str, Any]:
    """A line of the form of seats as it is typed over what is stored now."""
    row = at(hall.event, 3, table)
    shown = (
        f"{row.first.number} {row.first.name} – {row.second.number} {row.second.name}" if row.second else ""
    )
    return {"pairing": row.pk, "seen": row.version, "shown": shown, "first": first, "second": second}


def lines(*each: dict[str, Any]) -> dict[str, Any]:
    """Several lines as one form."""
    return {name: [one[name] for one in each] for name in each[0]}


class TestTyping:
    def test_numbers_and_names_and_keys(self, hall: Hall) -> None:
        answer = hall.post(
            "round-pairings", 3, table=["1", "", "9"], first=["4", "2 Bea", "cas"], second=["ann", "y", "-"]
        )

        assert answer["Location"] == hall.address("round-pairings", 3)
        assert hall.seats(3) == ["4-1", "2 bye", "3 absent"]
        assert [row.table for row in round_of(hall.event, 3).pairings.all()] == [1, 2, 9]
        assert not Override.objects.exists()

    def test_a_button_gives_a_bye_together_with_what_was_typed(self, hall: Hall) -> None:
        hall.post("round-pairings", 3, table=["1"], first=["4"], second=["1"], off="half-bye 2")

        assert hall.seats(3) == ["4-1", "2 half-bye"]

    def test_one_wrong_line_stores_nothing_and_says_why(self, hall: Hall) -> None:
        answer = hall.post("round-pairings", 3, table=["1", "2"], first=["1", "9"], second=["4", "3"])
        page = text_of(answer)

        assert "1 line is wrong. Nothing is saved yet." in page
        assert "There is no competitor 9. Correct the number." in page
        assert 'name="second" value="4"' in page
        assert hall.seats(3) == []

    def test_who_is_not_paired_is_listed_and_whoever_is_not(self, hall: Hall) -> None:
        pair(hall, NewPairing(1, 4))
        page = text_of(hall.get("round-pairings", 3))

        assert "Not paired yet: 2" in page
        assert '<option value="2 Bea"></option><option value="3 Cas"></option></datalist>' in page

    def test_who_withdrew_is_not_waited_for(self, hall: Hall) -> None:
        Competitor.objects.filter(number=3).update(withdrawn_after=2)

        assert "Not paired yet: 3" in text_of(hall.get("round-pairings", 3))

    def test_an_empty_form_says_so(self, hall: Hall) -> None:
        assert "Nothing was typed." in text_of(
            hall.post("round-pairings", 3, table=["1"], first=[""], second=[""])
        )

    def test_a_name_is_escaped(self, hall: Hall) -> None:
        Competitor.objects.filter(number=2).update(name='<b>"Bea"')
        page = text_of(hall.get("round-pairings", 3))

        assert '<b>"Bea"' not in page
        assert "&lt;b&gt;&quot;Bea&quot;" in page

    def test_two_arbiters_who_pair_at_once(self, hall: Hall) -> None:
        hall.post("round-pairings", 3, table=["1"], first=["1"], second=["4"], by="ben")
        answer = hall.post("round-pairings", 3, table=["1"], first=["2"], second=["3"])

        assert "Table 1 is taken: 1 Ann – 4 Dov. Choose another one." in text_of(answer)
        assert 'value="2"' in text_of(answer)
        assert hall.seats(3) == ["1-4"]

    def test_queries_do_not_grow_with_the_round(
        self, hall: Hall, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        players = [Competitor(event=hall.event, number=number, name=f"P {number}") for number in range(5, 65)]
        made = Competitor.objects.bulk_create(players)
        Pairing.objects.bulk_create(
            Pairing(round=round_of(hall.event, 3), table=table, first=first, second=second)
            for table, (first, second) in enumerate(zip(made[::2], made[1::2], strict=True), start=1)
        )
        with django_assert_num_queries(23):
            hall.get("round-pairings", 3)


class TestPasting:
    def test_it_is_shown_in_words_and_then_stored(self, hall: Hall) -> None:
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

    def test_one_bad_line_is_named_and_nothing_offered(self, hall: Hall) -> None:
        page = text_of(hall.post("round-paste", 3, text="1-4\n\n2-1"))

        assert "1 line is no pairing here." in page
        assert "Line 3: 1 Ann sits at table 1 already." in page
        assert "Save 1 pairing" not in page

    def test_somebody_paired_one_meanwhile(self, hall: Hall) -> None:
        pair(hall, NewPairing(4, 2))
        page = text_of(hall.post("round-paste", 3, text="1-4", table=["2"], first=["1"], second=["4"]))

        assert "Nothing is saved yet." in page
        assert "4 Dov sits at table 1 already." in page
        assert hall.seats(3) == ["4-2"]


class TestBeforeTheyStand:
    def test_a_change_is_free(self, hall: Hall) -> None:
        pair(hall, NewPairing(1, 4))
        hall.post("round-pairing", 3, 1, **lines(line(hall, 1, "2", "4")))

        assert hall.seats(3) == ["2-4"]
        assert not Override.objects.exists()

    def test_removing_asks_first(self, hall: Hall) -> None:
        pair(hall, NewPairing(1, 4))
        page = text_of(hall.get("pairing-remove", 3, 1))

        assert "Remove the pairing" in page
        assert hall.seats(3) == ["1-4"]
        hall.post("pairing-remove", 3, 1, seen=1)
        assert hall.seats(3) == []

    def test_what_somebody_changed_meanwhile_is_not_removed(self, hall: Hall) -> None:
        pair(hall, NewPairing(1, 4))
        hall.post("round-pairing", 3, 1, by="ben", **lines(line(hall, 1, "1", "2")))
        page = text_of(hall.post("pairing-remove", 3, 1, seen=1))

        assert "ben has changed this meanwhile." in page
        assert hall.seats(3) == ["1-2"]


class TestToldAtOnce:
    """What the checks find stands where the pairing was made."""

    def test_a_rematch(self, hall: Hall) -> None:
        hall.post("round-pairings", 3, table=["1"], first=["2"], second=["1"])

        for page in (hall.get("round-pairings", 3), hall.get("round-pairing", 3, 1)):
            assert "2 and 1 met in round 1 and again in round 3" in text_of(page)

    def test_one_who_has_withdrawn(self, hall: Hall) -> None:
        hall.event.competitors.filter(number=4).update(withdrawn_after=2)
        hall.post("round-pairings", 3, table=["1"], first=["4"], second=["1"])

        for page in (hall.get("round-pairings", 3), hall.get("round-publish", 3)):
            assert "Dov withdrew after round 2 and is paired in round 3." in text_of(page)

    def test_what_was_accepted_is_not_told_again(self, hall: Hall) -> None:
        hall.post("round-pairings", 3, table=["1"], first=["2"], second=["1"])
        acknowledge(hall.event, "met-before", hall.people["anna"], "As drawn.", 3, 1)

        assert "met in round 1" not in text_of(hall.get("round-pairings", 3))

    def test_one_whom_the_schedule_leaves_out(self) -> None:
        hall = open_round_robin(4)
        anna = hall.people["anna"]
        generate_schedule(hall.event, anna)
        told = "5 Eva is in no pairing of the 3 rounds of the schedule."
        answer = hall.browsers["anna"].post(
            hall.address("event-roster"), {"text": "Eva", "enter": "Enter them all"}, follow=True
        )

        assert told in text_of(answer)
        for page in (hall.get("event-rounds"), hall.get("round-pairings", 1), hall.get("event-findings")):
            assert told in text_of(page)
        enter(hall.event, [typed(at(hall.event, 1, 1), "2-0")], anna)
        assert told in text_of(hall.get("event-rounds"))


class TestSentTwice:
    """As by a second Enter, before the first answer is there."""

    form: ClassVar[dict[str, Any]] = {
        "table": ["1", "2", "3"],
        "first": ["4", "2", ""],
        "second": ["1", "y", ""],
    }

    def test_what_is_saved_is_no_error(self, hall: Hall) -> None:
        hall.post("round-pairings", 3, **self.form)
        answer = hall.post("round-pairings", 3, **self.form)

        assert answer["Location"] == hall.address("round-pairings", 3)
        page = text_of(hall.get("round-pairings", 3))
        assert "These pairings are saved already." in page
        assert hall.seats(3) == ["4-1", "2 bye"]

    def test_what_is_new_beside_it_is_saved(self, hall: Hall) -> None:
        hall.post("round-pairings", 3, **self.form)
        further: dict[str, Any] = {"table": ["1", "3"], "first": ["4", "3"], "second": ["1", "-"]}
        hall.post("round-pairings", 3, **further)

        assert hall.seats(3) == ["4-1", "2 bye", "3 absent"]

    @pytest.mark.parametrize(
        ("table", "first", "second"), [("1", "1", "4"), ("2", "4", "1"), ("1", "4", "bye")]
    )
    def test_what_says_something_else_is_one(self, hall: Hall, table: str, first: str, second: str) -> None:
        hall.post("round-pairings", 3, table=["1"], first=["4"], second=["1"])
        page = text_of(hall.post("round-pairings", 3, table=[table], first=[first], second=[second]))

        assert "sits at table 1 already." in page
        assert hall.seats(3) == ["4-1"]


class TestPublishing:
    def shown(self, hall: Hall) -> str:
        """What the page that asks was shown with."""
        return str(hall.get("round-publish", 3).context["shown"])

    def publish(self, hall: Hall) -> Any:
        return hall.post("round-publish", 3, shown=self.shown(hall))

    def test_it_asks_once_and_names_what_is_unusual(self, hall: Hall) -> None:
        hall.event.competitors.filter(number=4).update(withdrawn_after=1)
        pair(hall, NewPairing(1, 2), NewPairing(4))
        page = text_of(hall.get("round-publish", 3))

        assert "1 and 2 met in round 1 and again in round 3" in page
        assert "1 of 4 is not paired" in page
        assert "3 Cas" in page
        assert 'value="Publish pairings as they are"' in page
        assert round_of(hall.event, 3).is_draft
        assert self.publish(hall)["Location"] == hall.address("round-pairings", 3)
        assert round_of(hall.event, 3).state == "published"
        assert "A change needs a reason" in text_of(hall.get("round-pairing", 3, 1))

    def test_nothing_unusual_is_said_too(self, hall: Hall) -> None:
        pair(hall, NewPairing(1, 4), NewPairing(2, 3))
        page = text_of(hall.get("round-publish", 3))

        assert "2 pairings. Everybody is paired. The checks find nothing." in page

    def test_not_what_was_changed_meanwhile(self, hall: Hall) -> None:
        pair(hall, NewPairing(1, 4))
        seen = self.shown(hall)
        pair(hall, NewPairing(2, 3))
        page = text_of(hall.post("round-publish", 3, shown=seen))

        assert "The pairings have changed since this page was opened." in page
        assert round_of(hall.event, 3).is_draft
        assert "have changed" in text_of(hall.post("round-publish", 3))

    def test_not_without_pairings(self, hall: Hall) -> None:
        assert "Round 3 has no pairings yet." in text_of(self.publish(hall))

    def test_not_before_an_earlier_round(self, hall: Hall) -> None:
        pair(hall, NewPairing(1, 4))
        opened = open_round(hall.event, hall.people["anna"])
        add_pairing(opened, NewPairing(1, 2), hall.people["anna"])
        page = hall.post("round-publish", 4, shown=str(hall.get("round-publish", 4).context["shown"]))

        assert "The pairings of round 3 are not published yet." in text_of(page)

    def test_the_page_is_there_once_it_is_done(self, hall: Hall) -> None:
        """As the browser's way back asks for it."""
        pair(hall, NewPairing(1, 4))
        self.publish(hall)

        assert "The pairings of this round are published." in text_of(hall.get("round-publish", 3))

    def test_a_draft_has_no_lines_for_results(self, hall: Hall) -> None:
        pair(hall, NewPairing(1, 4), NewPairing(2, 3))
        page = text_of(hall.get("results", 3))

        assert "The pairings of this round are a draft." in page
        assert "data-line" not in page
        assert "are a draft" in text_of(hall.get("round-close", 3))

    def test_taken_back_and_changed_without_a_star(self, paired: Hall) -> None:
        """Ten re-pairings of a round that nobody has played are no overrides."""
        assert "Take the pairings back" in text_of(paired.get("round-pairings", 3))
        paired.post("round-pairings", 3, take_back="1")
        assert round_of(paired.event, 3).is_draft
        paired.post("round-rearrange", 3, **lines(line(paired, 1, "1", "3"), line(paired, 2, "2", "4")))
        self.publish(paired)

        assert paired.seats(3) == ["1-3", "2-4"]
        assert paired.overrides() == []

    def test_not_once_a_result_stands(self, paired: Hall) -> None:
        enter(paired.event, [typed(at(paired.event, 3, 1), "2-0")], paired.people["anna"])
        assert "Take the pairings back" not in text_of(paired.get("round-pairings", 3))
        page = text_of(paired.post("round-pairings", 3, take_back="1"))

        assert "A result of round 3 stands: its pairings stay published." in page
        assert round_of(paired.event, 3).state == "published"

    def test_not_once_the_record_tells_of_it(self, paired: Hall) -> None:
        row = line(paired, 1, "1 Ann", "4 Dov")
        paired.post("round-pairing", 3, 1, swap=row["pairing"], reason="Colours.", **lines(row))
        page = text_of(paired.post("round-pairings", 3, take_back="1"))

        assert "The public record tells of changes in round 3" in page

    def test_not_below_a_later_round(self, paired: Hall) -> None:
        opened = open_round(paired.event, paired.people["anna"])
        add_pairing(opened, NewPairing(1, 2), paired.people["anna"])
        page = text_of(paired.post("round-pairings", 3, take_back="1"))

        assert "A later round is built upon round 3" in page

    def test_not_of_a_closed_round(self, hall: Hall) -> None:
        assert "is settled" in text_of(hall.post("round-pairings", 1, take_back="1"))


class TestChangedByHand:
    def swap(self, hall: Hall, reason: str = "They share a car.") -> Any:
        """1-3 and 2-4 instead of 1-4 and 2-3."""
        typed_ = lines(line(hall, 1, "1", "3"), line(hall, 2, "2", "4"))
        return hall.post("round-rearrange", 3, reason=reason, **typed_)

    def test_it_asks_for_a_reason_and_keeps_what_was_typed(self, paired: Hall) -> None:
        page = text_of(self.swap(paired, " "))

        assert "A change by hand needs a reason" in page
        assert 'name="second" value="3"' in page
        assert paired.seats(3) == ["1-4", "2-3"]

    def test_it_carries_a_star_wherever_the_pairing_shows(self, paired: Hall) -> None:
        Event.objects.update(state="live")
        assert "*" not in Client().get("/events/four-players/rounds/3/").content.decode().split("<tbody>")[1]
        self.swap(paired)

        assert paired.seats(3) == ["1-3", "2-4"]
        assert paired.overrides() == [("pairing", 3, 1, "1-4"), ("pairing", 3, 2, "2-3")]
        public = text_of(Client().get("/events/four-players/rounds/3/"))
        assert public.count("–*</a>") == 2
        standings = text_of(Client().get("/events/four-players/standings/"))
        assert standings.count("</b>*") + standings.count("*</a>") + standings.count("*</b>") >= 4
        assert text_of(paired.get("round-pairings", 3)).count("* changed by hand") == 0
        assert text_of(paired.get("round-pairings", 3)).count('*<span class="spoken"> changed by hand') == 2

    def test_one_seat_alone_is_refused_with_the_way_to_several(self, paired: Hall) -> None:
        answer = paired.post("round-pairing", 3, 1, reason="Oops.", **lines(line(paired, 1, "1", "3")))

        assert "Competitor 3 would sit at two tables. Change both pairings at once." in text_of(answer)
        assert paired.address("round-rearrange", 3) in text_of(answer)

    def test_swapping_colours(self, paired: Hall) -> None:
        row = line(paired, 1, "1 Ann", "4 Dov")
        paired.post("round-pairing", 3, 1, swap=row["pairing"], reason="Colours.", **lines(row))

        assert paired.seats(3) == ["4-1", "2-3"]
        assert paired.overrides() == [("pairing", 3, 1, "1-4")]

    def test_a_further_pairing_needs_a_reason_too(self, hall: Hall) -> None:
        pair(hall, NewPairing(1, 4))
        publish_pairings(round_of(hall.event, 3), hall.people["anna"])
        form: dict[str, Any] = {"table": ["2"], "first": ["2"], "second": ["3"]}

        assert "A change by hand needs a reason" in text_of(hall.post("round-pairings", 3, **form))
        hall.post("round-pairings", 3, reason="They came late.", **form)
        assert hall.overrides() == [("pairing", 3, 2, "")]

    def test_a_pairing_that_stands_is_not_removed(self, paired: Hall) -> None:
        assert "The pairings of this round are published." in text_of(paired.get("pairing-remove", 3, 1))
        assert "The pairings of this round are published." in text_of(
            paired.post("pairing-remove", 3, 1, seen=1)
        )

    def test_one_with_a_result_has_no_fields(self, paired: Hall) -> None:
        enter(paired.event, [typed(at(paired.event, 3, 1), "2-0")], paired.people["anna"])
        page = text_of(paired.get("round-pairing", 3, 1))

        assert "This pairing has a result, and stays." in page
        assert 'name="first"' not in page
        assert text_of(paired.get("round-rearrange", 3)).count('name="first"') == 1

    def test_undone_with_a_reason_at_every_table_of_the_act(self, paired: Hall) -> None:
        self.swap(paired)
        assert "1-4 sat here before. They share a car." in text_of(paired.get("round-pairing", 3, 1))
        paired.post("round-pairing", 3, 1, act="undo", override=1, reason="They do not.")

        assert paired.seats(3) == ["1-4", "2-3"]
        assert [kind for kind, *_rest in paired.overrides()] == ["pairing", "pairing", "undo", "undo"]
        page = text_of(paired.get("round-pairing", 3, 1))
        assert "Undone by anna, override 3. They do not." in page
        assert 'value="undo"' not in page
        assert "*</a>" not in text_of(Client().get("/events/four-players/rounds/3/"))

    def test_not_undone_once_a_result_depends_on_it(self, paired: Hall) -> None:
        self.swap(paired)
        enter(paired.event, [typed(at(paired.event, 3, 2), "2-0")], paired.people["anna"])
        page = text_of(paired.post("round-pairing", 3, 1, act="undo", override=1, reason="No."))

        assert "Results depend on this pairing." in page
        assert paired.seats(3) == ["1-3", "2-4"]

    def test_an_override_of_another_pairing_is_not_undone_here(self, paired: Hall) -> None:
        self.swap(paired)
        page = text_of(paired.post("round-pairing", 3, 1, act="undo", override=2, reason="No."))

        assert "There is no such override of this pairing." in page

    def test_a_settled_round_is_only_looked_at(self, paired: Hall) -> None:
        page = text_of(paired.get("round-rearrange", 1))

        assert "The pairings of this round are settled." in page
        refused = paired.post("round-pairings", 1, table=[""], first=["1"], second=["y"], reason="Why not.")
        assert "Nothing is saved yet." in text_of(refused)


class TestTwoArbiters:
    def both(self, paired: Hall) -> dict[str, Any]:
        """What anna typed over the pairings that she saw, before ben turned the colours of both."""
        stale = lines(line(paired, 1, "1", "3"), line(paired, 2, "2", "4"))
        bens = lines(line(paired, 1, "4", "1"), line(paired, 2, "3", "2"))
        paired.post("round-rearrange", 3, by="ben", reason="Colours.", **bens)
        return stale

    def test_the_second_sees_both_and_nothing_is_overwritten(self, paired: Hall) -> None:
        stale = self.both(paired)
        page = text_of(paired.post("round-rearrange", 3, reason="They share a car.", **stale))

        assert "ben seated table 1 while you were typing" in page
        assert "4 Dov – 1 Ann, as ben saved it" in page
        assert "1 – 3, as you, anna, typed it" in page
        assert paired.seats(3) == ["4-1", "3-2"]

    @pytest.mark.parametrize(("choice", "seats"), [("theirs", ["4-1", "3-2"]), ("mine", ["1-3", "2-4"])])
    def test_what_was_chosen_is_stored(self, paired: Hall, choice: str, seats: list[str]) -> None:
        stale = self.both(paired)
        rows = [at(paired.event, 3, table) for table in (1, 2)]
        chosen: dict[str, Any] = {f"choose-{row.pk}": choice for row in rows} | {
            f"stored-{row.pk}": row.version for row in rows
        }
        answer = paired.post("round-rearrange", 3, reason="They share a car.", **stale, **chosen)

        assert answer.status_code == 302
        assert paired.seats(3) == seats

    def test_no_choice_is_asked_again(self, paired: Hall) -> None:
        stale = self.both(paired)
        paired.post("round-rearrange", 3, reason="They share a car.", **stale)
        page = text_of(paired.post("round-rearrange", 3, reason="They share a car.", **stale))

        assert "ben seated table 2 while you were typing" in page
        assert paired.seats(3) == ["4-1", "3-2"]

    def test_what_only_the_other_changed_is_no_question(self, paired: Hall) -> None:
        untouched, mine = line(paired, 1, "1 Ann", "4 Dov"), line(paired, 2, "3", "2")
        paired.post("round-pairing", 3, 1, by="ben", reason="Colours.", **lines(line(paired, 1, "4", "1")))
        answer = paired.post("round-rearrange", 3, reason="Colours.", **lines(untouched, mine))

        assert answer.status_code == 302
        assert paired.seats(3) == ["4-1", "3-2"]


class TestNotesAndMatchPoints:
    def test_a_note_is_saved_and_a_stale_one_is_not(self, paired: Hall) -> None:
        seen = at(paired.event, 3, 1).version
        paired.post("round-pairing", 3, 1, act="note", note="Both were late.", seen=seen, by="ben")
        page = text_of(paired.post("round-pairing", 3, 1, act="note", note="Mine.", seen=seen))

        assert "ben has changed this meanwhile." in page
        assert ">Mine.</textarea>" in page
        assert at(paired.event, 3, 1).note == "Both were late."

    def test_match_points_are_awarded_with_a_reason(self) -> None:
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

    def test_a_game_of_players_has_none(self, paired: Hall) -> None:
        assert "Match points" not in text_of(paired.get("round-pairing", 3, 1))


class TestWhatIsNotThere:
    @pytest.mark.parametrize("screen", ["round-pairings", "round-paste", "round-rearrange", "round-close"])
    def test_no_such_round(self, hall: Hall, screen: str) -> None:
        assert hall.get(screen, 9).status_code == 404

    @pytest.mark.parametrize("screen", ["round-pairing", "pairing-remove"])
    def test_no_such_table(self, hall: Hall, screen: str) -> None:
        answer = hall.get(screen, 3, 9)

        assert answer["Location"] == hall.address("round-pairings", 3)
        assert "There is no pairing at table 9." in text_of(hall.get("round-pairings", 3))
