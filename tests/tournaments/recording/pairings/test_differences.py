"""What differs between the data that a round is paired from and the data that is known."""

import pytest
from django.contrib.auth.models import User

from tests.cast import create_players, create_team_event, play
from tests.proposals import create_open, propose
from tests.tournaments.recording.desk import at, round_of
from tournaments.models import Competitor, Event, Game, Pairing, Player, Proposal, Round
from tournaments.recording.competitors.start_numbers import swap_numbers
from tournaments.recording.pairings import differences
from tournaments.recording.pairings.differences import before_proposing, before_publishing
from tournaments.recording.rounds.missing_data import empty_boards
from tournaments.stored import stored

pytestmark = pytest.mark.django_db


def proposing(event: Event, number: int = 1) -> list[str]:
    return [each.text for each in before_proposing(stored(Event.objects.get(pk=event.pk)).document, number)]


def publishing(event: Event, number: int) -> dict[str, str]:
    """Return the differences before publishing a round, by code."""
    round_ = round_of(event, number)
    return {each.code: each.text for each in before_publishing([round_], stored(round_.event).document)}


def ratings(event: Event, *ratings: int | None) -> None:
    for number, rating in enumerate(ratings, start=1):
        event.competitors.filter(number=number).update(rating=rating)


BY_RATING = "The numbers are not in the order “rating, then title, then name”"


class TestTheOrderOfTheNumbers:
    """A list that was pasted alphabetically pairs A against M."""

    @pytest.fixture
    def alphabetical(self) -> Event:
        event = create_players("pasted", ["Ann", "Bea", "Cas", "Dov"], 1, state="live", planned_rounds=9)
        ratings(event, 1500, 2100, 1800, 1700)
        return event

    def test_by_rating_if_no_order_was_chosen(self, alphabetical: Event) -> None:
        [text] = proposing(alphabetical)
        assert text == (
            f"{BY_RATING}, which applies because no other order was chosen: 2 Bea (2100) should come before"
            " 1 Ann (1500). 4 of 4 would get another number."
        )

    def test_by_the_order_that_was_chosen(self, alphabetical: Event) -> None:
        alphabetical.start_order = "rating"
        alphabetical.save()
        [text] = proposing(alphabetical)
        assert text.startswith(f"{BY_RATING}: 2 Bea (2100) should come before 1 Ann (1500).")
        alphabetical.start_order = "name"
        alphabetical.save()
        assert proposing(alphabetical) == []

    def test_lots_are_compared_by_their_seed_in_round_1_only(self, alphabetical: Event) -> None:
        alphabetical.start_order, alphabetical.start_seed = "lots", "12345678"
        alphabetical.save()
        [text] = proposing(alphabetical)
        assert "“drawn by lot”" in text
        assert "(2100)" not in text
        # The name may have been corrected since the lots were drawn, and readers know the numbers by now.
        assert proposing(alphabetical, 2) == []

    def test_equal_players_may_have_any_order_without_a_chosen_order(self, alphabetical: Event) -> None:
        ratings(alphabetical, 1800, 1800, 1800, None)
        alphabetical.competitors.filter(number=1).update(name="Zoe")
        assert proposing(alphabetical) == []
        alphabetical.start_order = "rating"
        alphabetical.save()
        assert "2 Bea (1800) should come before 1 Zoe (1800)" in proposing(alphabetical)[0]

    def test_players_have_their_start_numbers(self, alphabetical: Event) -> None:
        for number, paired_as in enumerate((4, 2, 3, 1), start=1):
            alphabetical.competitors.filter(number=number).update(pairing_number=paired_as)
        assert "2 Bea (2100) should come before 4 Dov (1700)" in proposing(alphabetical)[0]

    def test_withdrawn_players_are_ignored(self, alphabetical: Event) -> None:
        ratings(alphabetical, 1500, 2100, 1800, 1700)
        alphabetical.competitors.filter(number=1).update(withdrawn_after=0)
        assert proposing(alphabetical) == []

    def test_numbers_are_final_after_round_4(self, alphabetical: Event) -> None:
        assert len(proposing(alphabetical, 4)) == 1
        assert proposing(alphabetical, 5) == []

    def test_a_round_robin_has_no_order_unless_chosen(self, alphabetical: Event) -> None:
        alphabetical.schedule = "round-robin"
        alphabetical.save()
        assert proposing(alphabetical) == []
        alphabetical.start_order = "rating"
        alphabetical.save()
        assert len(proposing(alphabetical)) == 1


class TestResultsOfEarlierRounds:
    @pytest.fixture
    def event(self) -> Event:
        event = create_players("open", ["Ann", "Bea", "Cas", "Dov"], 3, state="live", planned_rounds=9)
        play(event, ((1, 1, 1, 2, 2), (1, 2, 3, 4, 1), (2, 1, 1, 3, 2), (2, 2, 2, 4, 2)))
        Round.objects.filter(event=event).update(date="2026-05-01")
        Round.objects.filter(event=event, number=3).update(state="draft")
        return event

    def test_all_there(self, event: Event) -> None:
        assert publishing(event, 3) == {}

    def test_unknown_ones_are_named_before_proposing_and_publishing(self, event: Event) -> None:
        rows = Pairing.objects.filter(round__event=event)
        rows.filter(round__number=1).update(kind="unknown", first_score=None, second_score=None)
        text = "The result is unknown (?) in round 1 at table 1, 2."
        assert proposing(event, 3) == [text]
        assert publishing(event, 3) == {"unknown-results": text}

    def test_missing_ones_are_named_before_publishing(self, event: Event) -> None:
        """Proposing refuses them with other messages."""
        rows = Pairing.objects.filter(round__event=event)
        rows.filter(round__number=2, table=2).update(kind="pending", first_score=None, second_score=None)
        assert publishing(event, 3) == {"missing-results": "The result is missing in round 2 at table 2."}
        assert proposing(event, 3) == []
        assert publishing(event, 2) == {}

    def test_no_pairing_of_a_round_robin_follows_from_them(self, event: Event) -> None:
        Event.objects.update(schedule="round-robin")
        rows = Pairing.objects.filter(round__event=event)
        rows.filter(round__number=1).update(kind="unknown", first_score=None, second_score=None)
        assert publishing(event, 3) == {}


class TestWhatReadersSee:
    def test_a_draft_event(self) -> None:
        event = create_open(2, state="draft")
        Round.objects.create(event=event, number=1)
        assert publishing(event, 1) == {
            "not-public": "The event is not public: readers do not see these pairings.",
        }

    def test_captains_of_a_draft_event(self) -> None:
        event = create_team_event()
        Event.objects.update(state="draft")
        text = publishing(event, 1)["not-public"]
        assert text.endswith("readers do not see these pairings, and links for captains do not work.")

    def test_boards_without_names(self) -> None:
        event = create_team_event()
        assert "unnamed-boards" not in publishing(event, 1)
        reds = Competitor.objects.get(event=event, number=1)
        greens = Competitor.objects.get(event=event, number=3)
        Pairing.objects.create(round=round_of(event, 2), table=1, first=reds, second=greens)
        assert publishing(event, 2)["unnamed-boards"] == "Boards have no players in round 2 at table 1."

    def test_boards_with_the_name_of_a_single_player(self) -> None:
        event = create_team_event()
        Game.objects.filter(pairing=at(event, 1, 1), board=1).update(first_player=None)
        assert publishing(event, 1)["unnamed-boards"] == "Boards have no players in round 1 at table 1."
        [empty] = empty_boards([round_of(event, 1)])
        assert (empty.table, empty.team, empty.boards) == (1, at(event, 1, 1).first.name, [1])
        Game.objects.filter(pairing=at(event, 1, 1), board=1).update(kind="forfeit")
        assert empty_boards([round_of(event, 1)]) == []


class TestADraftFromOtherData:
    """The proposal stores the input of the engine."""

    @pytest.fixture
    def drafted(self, arbiter: User) -> Event:
        """Six players, and a draft of round 2."""
        event = create_open(6)
        for number in (1, 2):
            Round.objects.create(event=event, number=number, date=f"2026-05-0{number}", state="draft")
        play(event, ((1, 1, 1, 4, 2), (1, 2, 5, 2, 0), (1, 3, 3, 6, 2)))
        Round.objects.filter(event=event, number=1).update(state="closed")
        propose(event, arbiter, 2)
        return Event.objects.get(pk=event.pk)

    def test_the_same_data(self, drafted: Event, arbiter: User) -> None:
        assert publishing(drafted, 2) == {}

    def test_names_ratings_and_dates_do_not_affect_pairings(self, drafted: Event) -> None:
        drafted.competitors.filter(number=3).update(name="Another spelling", title="FM")
        Round.objects.update(date="2026-05-03")
        assert publishing(drafted, 2) == {}

    def test_a_result(self, drafted: Event) -> None:
        row = at(drafted, 1, 1)
        Pairing.objects.filter(pk=row.pk).update(first_score=1, second_score=1)
        assert publishing(drafted, 2)["other-data"] == (
            "The data have changed since the draft was proposed."
            " Round 1, 1 Player 1 – 4 Player 4: 1-0 then, ½-½ now. Propose it again."
        )

    def test_a_bye(self, drafted: Event) -> None:
        row = at(drafted, 1, 3)
        Pairing.objects.filter(pk=row.pk).update(
            second=None, kind="half-bye", first_score=1, second_score=None
        )
        text = publishing(drafted, 2)["other-data"]
        assert "Round 1, 3 Player 3 – 6 Player 6: 1-0 then, no such pairing now." in text
        assert "Round 1, 3 Player 3: no such pairing then, half-point bye now." in text

    def test_players_have_their_start_numbers(self, drafted: Event, arbiter: User) -> None:
        for number, paired_as in ((1, 4), (4, 1)):
            drafted.competitors.filter(number=number).update(pairing_number=paired_as)
        propose(drafted, arbiter, 2)
        Pairing.objects.filter(pk=at(drafted, 1, 1).pk).update(first_score=1, second_score=1)
        text = publishing(drafted, 2)["other-data"]
        assert "Round 1, 1 Player 1 – 4 Player 4: 1-0 then, ½-½ now." in text

    def test_numbers(self, drafted: Event) -> None:
        """Two players have swapped numbers, so results are not compared by number."""
        one, two = (Competitor.objects.get(event=drafted, number=number) for number in (1, 2))
        Competitor.objects.filter(pk=one.pk).update(number=99)
        Competitor.objects.filter(pk=two.pk).update(number=1)
        Competitor.objects.filter(pk=one.pk).update(number=2)
        assert publishing(drafted, 2)["other-data"] == (
            "The data have changed since the draft was proposed. 1 Player 2, 2 Player 1 had other numbers."
            " Propose it again."
        )

    def test_numbers_of_players_with_the_same_name(self, drafted: Event, arbiter: User) -> None:
        Competitor.objects.filter(event=drafted, number__in=(1, 4)).update(name="Jan Jansen")
        propose(drafted, arbiter, 2)
        Pairing.objects.filter(pk=at(drafted, 1, 1).pk).update(first_score=1, second_score=1)
        assert publishing(drafted, 2)["other-data"] == (
            "The data have changed since the draft was proposed."
            " Round 1, 1 Jan Jansen – 4 Jan Jansen: 1-0 then, ½-½ now. Propose it again."
        )
        swap_numbers(drafted, 1, 4, arbiter)
        text = "4 Jan Jansen, 1 Jan Jansen had other numbers."
        assert text in publishing(drafted, 2)["other-data"]

    def test_a_removed_players_number_used_by_another_player(self, drafted: Event) -> None:
        Pairing.objects.filter(pk=at(drafted, 1, 3).pk).delete()
        removed = Competitor.objects.get(event=drafted, number=6)
        Pairing.objects.filter(second=removed).delete()
        removed.delete()
        Competitor.objects.create(event=drafted, number=6, name=removed.name, rating=1000)
        text = publishing(drafted, 2)["other-data"]
        assert "6 Player 6 was entered later. 6 Player 6 has been removed since." in text

    def test_a_proposal_of_an_earlier_version_compares_by_number(self, drafted: Event) -> None:
        Proposal.objects.update(competitors=None)
        Pairing.objects.filter(pk=at(drafted, 1, 1).pk).update(first_score=1, second_score=1)
        assert publishing(drafted, 2)["other-data"] == (
            "The data have changed since the draft was proposed."
            " Round 1, 1 Player 1 – 4 Player 4: 1-0 then, ½-½ now. Propose it again."
        )

    def test_a_late_entry(self, drafted: Event) -> None:
        Competitor.objects.create(event=drafted, number=7, name="Late", rating=1000)
        assert "7 Late was entered later." in publishing(drafted, 2)["other-data"]

    def test_adjustments(self, drafted: Event) -> None:
        penalty = [{"round": 1, "game": -1, "match": 0, "final": False, "reason": "Late"}]
        drafted.competitors.filter(number=1).update(adjustments=penalty)
        assert "Bonus or penalty points of 1 Player 1 have changed." in publishing(drafted, 2)["other-data"]

    def test_settings_of_the_pairing(self, drafted: Event) -> None:
        Event.objects.update(forbidden_pairs=[{"competitors": [1, 3], "first_round": 0, "last_round": 0}])
        text = publishing(drafted, 2)["other-data"]
        assert "Settings of the pairing, such as scoring or forbidden pairs, have changed." in text

    def test_many_are_counted(self, drafted: Event, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(differences, "MOST_NAMED", 2)
        Pairing.objects.filter(round__number=1, round__event=drafted).update(first_score=1, second_score=1)
        text = publishing(drafted, 2)["other-data"]
        assert text.count("½-½ now.") == 2
        assert text.endswith("½-½ now. 1 more. Propose it again.")

    def test_a_report_that_was_deleted_leaves_its_checksum(self, drafted: Event) -> None:
        Proposal.objects.update(input="")
        assert publishing(drafted, 2) == {}
        Pairing.objects.filter(pk=at(drafted, 1, 1).pk).update(first_score=1, second_score=1)
        assert publishing(drafted, 2)["other-data"] == (
            "The data have changed since the draft was proposed. The old data are no longer stored, so the"
            " differences are not known. Propose it again."
        )

    def test_pairs_that_are_locked_since_are_no_difference(self, drafted: Event) -> None:
        Pairing.objects.filter(pk=at(drafted, 2, 1).pk).update(locked=True)
        assert publishing(drafted, 2) == {}

    def test_another_draft_by_hand_has_no_proposal(self, drafted: Event) -> None:
        Proposal.objects.all().delete()
        Pairing.objects.filter(pk=at(drafted, 1, 1).pk).update(first_score=1, second_score=1)
        assert publishing(drafted, 2) == {}


def test_a_team_event_with_replaced_players_is_compared_too(arbiter: User) -> None:
    event = create_open(4, entrants="teams", boards=2, system="fide-team-swiss", slug="teams")
    Round.objects.create(event=event, number=1, date="2026-05-01")
    teams = list(event.competitors.order_by("number"))
    for table, (first, second) in enumerate(((0, 2), (3, 1)), start=1):
        Pairing.objects.create(
            round=round_of(event, 1), table=table, first=teams[first], second=teams[second], kind="played",
            first_score=4, second_score=0,
        )  # fmt: skip
    Round.objects.filter(event=event, number=1).update(state="closed")
    Round.objects.create(event=event, number=2, date="2026-05-02")
    propose(event, arbiter, 2)
    assert "other-data" not in publishing(event, 2)
    assert not Player.objects.filter(competitor__event=event).exists()
    Pairing.objects.filter(pk=at(event, 1, 1).pk).update(first_score=1, second_score=3)
    assert "Round 1, " in publishing(event, 2)["other-data"]
