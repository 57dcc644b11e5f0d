"""Confirmations on the desk compare all data before they state that all is well."""

from typing import Any
from urllib.parse import urlencode

import pytest
from django.urls import reverse

from tests.cast import (
    Hall,
    browser_of,
    chess_swiss_file,
    create_account,
    match_file,
    open_hall,
    open_round_robin,
)
from tests.proposals import create_open, propose
from tests.tournaments.recording.desk import add_pairing, at, round_of, typed
from tournaments.accounts.services.roles import Role
from tournaments.models import CaptainLink, Competitor, Event, Game, Pairing, Player, Proposal, Round
from tournaments.recording.competitors.start_numbers import renumber
from tournaments.recording.pairings.by_hand import Seats
from tournaments.recording.results.submissions import enter
from tournaments.recording.rounds.missing_data import places_text
from tournaments.recording.rounds.opening import open_round
from tournaments.recording.rounds.schedules import generate_schedule

pytestmark = pytest.mark.django_db

NOTHING = "No unusual pairings."


def text_of(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


@pytest.fixture
def hall() -> Hall:
    """Return an event with round 3 paired without doubts."""
    hall = open_hall()
    enter(hall.event, [typed(at(hall.event, 2, 1), "1-1")], hall.people["anna"])
    open_round(hall.event, hall.people["anna"])
    Round.objects.filter(number=3).update(date="2026-05-03")
    for pair in (Seats(4, 1), Seats(2, 3)):
        add_pairing(round_of(hall.event, 3), pair, hall.people["anna"])
    return hall


class TestPublishing:
    def asked(self, hall: Hall) -> str:
        return text_of(hall.get("round-publish", 3))

    def test_round_without_doubts(self, hall: Hall) -> None:
        assert NOTHING in self.asked(hall)
        assert 'value="Publish pairings"' in self.asked(hall)

    def told(self, hall: Hall, text: str) -> str:
        """Assert that the page lists the text as unusual, and return the page."""
        page = self.asked(hall)
        assert text in page
        assert NOTHING not in page
        assert 'value="Publish pairings as they are"' in page
        return page

    def test_unsorted_start_numbers_are_shown(self, hall: Hall) -> None:
        for number, rating in enumerate((1500, 2100, 1800, 1700), start=1):
            hall.event.competitors.filter(number=number).update(rating=rating)
        page = self.told(hall, "2 Bea (2100) should come before 1 Ann (1500)")
        back = urlencode({"back": hall.address("round-publish", 3)})
        assert f'<a href="{hall.address("event-register")}?{back}">Register</a>' in page

    def test_unknown_results_are_shown(self, hall: Hall) -> None:
        unknown = {"kind": "unknown", "first_score": None, "second_score": None}
        Pairing.objects.filter(pk=at(hall.event, 1, 2).pk).update(**unknown)
        self.told(hall, "The result is unknown (?) in round 1 at table 2.")

    def test_missing_date_is_shown_if_other_rounds_have_dates(self, hall: Hall) -> None:
        Round.objects.filter(number=1).update(date="2026-05-01")
        Round.objects.filter(number=3).update(date="")
        page = self.asked(hall)
        assert "Round 3 has no date." in page
        assert NOTHING in page
        back = urlencode({"back": hall.address("round-publish", 3)})
        assert f'{hall.address("event-dates")}?{back}">Set the date</a>' in page
        Round.objects.update(date="")
        assert "Round 3 has no date." not in self.asked(hall)

    def test_draft_event_is_shown(self, hall: Hall) -> None:
        Event.objects.update(state="draft")
        page = self.told(hall, "The event is not public: readers do not see these pairings.")
        assert "Set the event live" not in page
        organiser = browser_of(create_account("otto", Role.ORGANISER))
        page = text_of(organiser.get(hall.address("round-publish", 3)))
        assert "/publication/live/" in page

    def test_new_doubt_prevents_publishing(self, hall: Hall) -> None:
        shown = hall.get("round-publish", 3).context["shown"]
        enter(hall.event, [typed(at(hall.event, 2, 1), "?", reason="Lost.")], hall.people["anna"])
        page = text_of(hall.post("round-publish", 3, shown=shown))
        assert "have changed since" in page
        assert "The result is unknown (?) in round 2 at table 1." in page
        assert round_of(hall.event, 3).is_draft

    def test_draft_paired_from_corrected_result_is_shown(self) -> None:
        anna = create_account("anna", Role.ORGANISER)
        event = create_open(4)
        for number in (1, 2):
            Round.objects.create(event=event, number=number, date=f"2026-05-0{number}")
        propose(event, anna, 1)
        Round.objects.filter(number=1).update(state="published")
        enter(event, [typed(at(event, 1, table), "1-0") for table in (1, 2)], anna)
        propose(event, anna, 2)
        browser = browser_of(anna)
        address = reverse("admin:round-publish", args=[event.pk, 2])
        assert NOTHING in text_of(browser.get(address))

        enter(event, [typed(at(event, 1, 1), "=", reason="A slip.")], anna)
        message = "since the draft was proposed. Round 1, 1 Player 1 – 3 Player 3: 1-0 then, ½-½ now."
        page = text_of(browser.get(address))
        assert message in page
        assert NOTHING not in page
        screen = reverse("admin:round-pairings", args=[event.pk, 2])
        assert message in text_of(browser.get(screen))
        propose(event, anna, 2)
        assert message not in text_of(browser.get(screen))
        assert NOTHING in text_of(browser.get(address))

    def test_pairing_screen_claims_only_its_own_checks(self, hall: Hall) -> None:
        page = text_of(hall.get("round-pairings", 3))
        assert "No rematch, no third colour in a row, no second bye." in page
        assert "Nothing unusual" not in page

    def test_schedule_without_dates_is_shown(self) -> None:
        robin = open_round_robin(4)
        generate_schedule(robin.event, robin.people["anna"])
        robin.event.rounds.update(state="draft")
        page = text_of(robin.get("event-rounds-publish"))
        assert "no date" not in page
        robin.event.rounds.filter(number=1).update(date="2026-05-01")
        assert text_of(robin.get("event-rounds-publish")).count("(no date)") == 2


def test_boards_without_players_are_shown_before_publishing() -> None:
    hall = open_hall(match_file())
    Round.objects.update(state="draft")
    assert "Boards have no players in round 1 at table 1." in text_of(hall.get("round-publish", 1))
    assert Competitor.objects.count() == 2


class TestClosing:
    @pytest.fixture
    def played(self) -> Hall:
        """Return a match with results on three boards without players."""
        hall = open_hall(match_file())
        row = at(hall.event, 1, 1)
        enter(hall.event, [typed(row, "1-0", board) for board in (1, 2, 3)], hall.people["anna"])
        return hall

    def test_boards_without_players_need_a_statement(self, played: Hall) -> None:
        page = played.post("round-close", 1)
        assert "round 1, match 1, Reds, board 1–3" in text_of(page)
        assert "The checks found no problems" not in text_of(page)
        statement = page.context["closing"].statement
        assert "Enter the line-ups, or confirm" in text_of(played.post("round-close", 1, anyway="1"))
        assert not round_of(played.event, 1).is_closed
        played.post("round-close", 1, anyway="1", statement=statement)
        assert round_of(played.event, 1).is_closed
        assert statement in text_of(played.get("round-history", 1))

    def test_outdated_statement_is_refused(self, played: Hall) -> None:
        statement = played.get("round-close", 1).context["closing"].statement
        red = Player.objects.create(competitor=played.event.competitors.get(number=1), name="Ann")
        Game.objects.filter(board=2).update(first_player=red)
        page = text_of(played.post("round-close", 1, anyway="1", statement=statement))
        assert "match 1, Reds, board 1, 3" in page
        assert not round_of(played.event, 1).is_closed

    def test_rounds_closed_together_need_a_statement_each(self) -> None:
        hall = open_round_robin(4)
        hall.event.entrants, hall.event.boards = "teams", 1
        hall.event.save()
        generate_schedule(hall.event, hall.people["anna"])
        for pairing in Pairing.objects.filter(round__number__lte=2):
            enter(hall.event, [typed(pairing, "1-1", 1)], hall.people["anna"])
        page = hall.get("event-rounds-close")
        assert "accept it with a reason" not in text_of(page)
        assert "The checks found no problems" not in text_of(page)
        for number in (1, 2):
            link = f'Boards have no players. <a href="{hall.address("round-line-ups", number)}?'
            assert link in text_of(page)
        closings = page.context["closings"]
        statements = [closing.statement for _round, closing in closings]
        assert "Boards of round 2 have no players" in text_of(
            hall.post("event-rounds-close", shown="1 2", statement=statements[:1])
        )
        hall.post("event-rounds-close", shown="1 2", statement=statements)
        assert round_of(hall.event, 1).is_closed
        assert round_of(hall.event, 2).is_closed

    def test_forfeited_boards_need_no_players(self, played: Hall) -> None:
        for board in (1, 2, 3):
            row = at(played.event, 1, 1)
            enter(played.event, [typed(row, "+-", board)], played.people["anna"])
        assert "The checks found no problems" in text_of(played.get("round-close", 1))
        played.post("round-close", 1)
        assert round_of(played.event, 1).is_closed

    def test_unknown_results_need_confirmation(self, hall: Hall) -> None:
        enter(hall.event, [typed(at(hall.event, 2, 1), "?", reason="Lost.")], hall.people["anna"])
        page = text_of(hall.post("round-close", 2))
        assert "The result is unknown (?) in round 2 at table 1." in page
        assert "The checks found no problems" not in page
        assert not round_of(hall.event, 2).is_closed

    def test_unknown_boards_need_confirmation(self, played: Hall) -> None:
        enter(played.event, [typed(at(played.event, 1, 1), "?", 2)], played.people["anna"])
        assert "unknown (?) in round 1 at table 1." in text_of(played.get("round-close", 1))

    def test_unknown_result_is_shown_for_its_round(self) -> None:
        robin = open_round_robin(4)
        generate_schedule(robin.event, robin.people["anna"])
        for number in (1, 2):
            for table in (1, 2):
                text = "?" if (number, table) == (2, 1) else "1-1"
                enter(robin.event, [typed(at(robin.event, number, table), text)], robin.people["anna"])
        page = text_of(robin.post("event-rounds-close"))
        assert "The result is unknown (?) in round 2 at table 1." in page
        assert page.count("The checks found no problems") == 1


def test_awarded_match_points_warn_about_later_drafts() -> None:
    hall = open_hall(match_file())
    enter(hall.event, [typed(at(hall.event, 1, 1), "2-1")], hall.people["anna"])
    teams = list(hall.event.competitors.order_by("number"))
    Pairing.objects.create(
        round=Round.objects.create(event=hall.event, number=2), table=1, first=teams[1], second=teams[0]
    )
    award = {"act": "points", "points": "0-2", "reason": "A player was ineligible."}
    hall.post("round-pairing", 1, 1, **award, seen=at(hall.event, 1, 1).version)
    message = "The draft of round 2 was paired from the old result. Propose it again."
    assert message in text_of(hall.get("round-pairing", 1, 1))
    hall.post("round-pairing", 1, 1, **award, seen=at(hall.event, 1, 1).version)
    assert message not in text_of(hall.get("round-pairing", 1, 1))


class TestLinksOfDraftEvents:
    """QR codes of events that are not live showed “this link does not work”."""

    DRAFT = "The event is not live, so no link works."

    @pytest.fixture
    def hidden(self) -> Hall:
        """Return a draft event with a published round."""
        hall = open_hall(match_file())
        Event.objects.update(state="draft")
        return hall

    def test_captains_get_no_links(self, hidden: Hall) -> None:
        page = text_of(hidden.post("round-captains", 1, act="call", minutes=30))
        assert self.DRAFT in page
        assert not CaptainLink.objects.exists()
        assert "Create links" not in text_of(hidden.get("round-captains", 1))

    def test_existing_qr_codes_are_hidden(self, hidden: Hall) -> None:
        Event.objects.update(state="live")
        hidden.post("round-captains", 1, act="call", minutes=30)
        assert "QR code of Reds" in text_of(hidden.get("round-captains", 1))
        Event.objects.update(state="draft")
        page = text_of(hidden.get("round-captains", 1))
        assert self.DRAFT in page
        assert "QR code of" not in page
        assert "/hall/" not in page
        assert "The link is revoked." not in page
        team = Competitor.objects.get(number=1).pk
        assert self.DRAFT in text_of(hidden.post("round-captains", 1, act="renew", team=team))
        hidden.post("round-captains", 1, act="revoke", team=team)
        assert CaptainLink.objects.filter(revoked=None).count() == 1

    def test_organiser_sees_link_to_set_event_live(self, hidden: Hall) -> None:
        page = text_of(hidden.get("round-captains", 1))
        assert "/publication/live/" not in page
        organiser = browser_of(create_account("otto", Role.ORGANISER))
        page = text_of(organiser.get(hidden.address("round-captains", 1)))
        assert "/publication/live/" in page

    def test_slips_mention_missing_qr_codes(self, hall: Hall) -> None:
        Event.objects.update(players_entry="one")
        slips = reverse("round-printout", args=[hall.event.pk, 3, "slips"])
        without = "The slips have no QR codes, because the event is not live."
        assert without not in text_of(hall.browser.get(slips))
        Event.objects.update(state="draft")
        for address in (slips, reverse("round-paper", args=[hall.event.pk, 3])):
            assert without in text_of(hall.browser.get(address))
        Event.objects.update(players_entry="")
        assert without not in text_of(hall.browser.get(slips))

    def test_link_to_set_event_live_returns_to_the_slips(self, hall: Hall) -> None:
        Event.objects.update(players_entry="one", state="draft")
        slips = reverse("round-printout", args=[hall.event.pk, 3, "slips"]) + "?size=a5"
        organiser = browser_of(create_account("otto", Role.ORGANISER))
        live = hall.address("event-publish", "live")
        assert f'href="{live}?{urlencode({"back": slips})}"' in text_of(organiser.get(slips))


class TestProposing:
    """An engine is called only after doubts about its input are confirmed."""

    @pytest.fixture
    def pasted(self) -> Hall:
        """Return an event of four rated players in alphabetical order, without rounds."""
        players = [
            {"number": number, "name": name, "rating": rating}
            for number, (name, rating) in enumerate(
                (("Ann", 1500), ("Bea", 2100), ("Cas", 1800), ("Dov", 1700)), start=1
            )
        ]
        file = {**chess_swiss_file(), "competitors": players, "rounds": []}
        return open_hall(file)

    def test_unsorted_start_numbers_are_confirmed_before_proposing(self, pasted: Hall) -> None:
        page = text_of(pasted.post("round-propose", 1))
        assert "2 Bea (2100) should come before 1 Ann (1500)." in page
        back = pasted.address("event-desk")
        assert f'<a href="{pasted.address("event-register")}?back={back}">Register</a>' in page
        assert not Proposal.objects.exists()
        assert not Round.objects.exists()
        answer = pasted.post("round-propose", 1, anyway="1")
        assert answer["Location"] == pasted.address("round-proposal", 1)
        assert Proposal.objects.count() == 1

    def test_sorted_start_numbers_need_no_confirmation(self, pasted: Hall) -> None:
        renumber(pasted.event, "rating", pasted.people["anna"])
        answer = pasted.post("round-propose", 1)
        assert answer["Location"] == pasted.address("round-proposal", 1)

    def test_unknown_results_are_confirmed_before_proposing(self, hall: Hall) -> None:
        enter(hall.event, [typed(at(hall.event, 2, 1), "?", reason="Lost.")], hall.people["anna"])
        page = text_of(hall.post("round-propose", 3))
        assert "The result is unknown (?) in round 2 at table 1." in page
        assert 'name="anyway"' in page
        assert hall.seats(3) == ["4-1", "2-3"]
        assert not Proposal.objects.exists()

    def test_confirmation_keeps_chosen_engine(self, pasted: Hall) -> None:
        page = text_of(pasted.post("round-propose", 1, engine="command"))
        assert '<input type="hidden" name="engine" value="command">' in page

    def test_refused_proposal_needs_no_confirmation(self, pasted: Hall) -> None:
        Event.objects.update(state="final")
        answer = pasted.post("round-propose", 1, anyway="1")
        assert answer.status_code == 302
        assert not Proposal.objects.exists()


class TestNextStep:
    """The first screen does not claim complete results if some are unknown."""

    def about(self, hall: Hall) -> str:
        return str(hall.get("event-desk").context["steps"].about)

    def test_round_with_unknown_result(self, hall: Hall) -> None:
        Round.objects.filter(number=3).delete()
        assert self.about(hall) == "Round 2: all results are in."
        enter(hall.event, [typed(at(hall.event, 2, 1), "?")], hall.people["anna"])
        assert self.about(hall) == "Round 2: no result is missing, but 1 is unknown (?)."

    def test_event_with_unknown_results(self, hall: Hall) -> None:
        Round.objects.filter(number=3).delete()
        enter(hall.event, [typed(at(hall.event, 2, table), "?") for table in (1, 2)], hall.people["anna"])
        Event.objects.update(planned_rounds=2)
        Round.objects.update(state="closed")
        assert self.about(hall).startswith("No result is missing, but 2 are unknown (?). An organiser")


class TestFinalEvent:
    def asked(self, hall: Hall, state: str = "final") -> str:
        organiser = browser_of(create_account("otto", Role.ORGANISER))
        return text_of(organiser.get(hall.address("event-publish", state)))

    def test_missing_data_is_listed(self) -> None:
        file = match_file()
        file["event"]["boards"] = 12
        hall = open_hall(file)
        enter(hall.event, [typed(at(hall.event, 1, 1), "?")], hall.people["anna"])
        hall.event.competitors.update(fide_id=5)
        page = self.asked(hall)
        assert "Check first" in page
        assert "The result is unknown (?) in round 1 at table 1." in page
        assert "Boards have no players in round 1 at table 1." in page
        assert "Round 1 has no date." in page
        assert "The checks found 1 problem that has not been accepted" in page

    def test_complete_event_has_no_list(self, hall: Hall) -> None:
        Round.objects.update(date="2026-05-01")
        assert "Check first" not in self.asked(hall)

    def test_no_list_before_event_is_live(self, hall: Hall) -> None:
        Event.objects.update(state="draft")
        assert "Check first" not in self.asked(hall, "live")


def test_consecutive_tables_are_abbreviated() -> None:
    places = [(2, 1), (1, 9), (1, 1), (1, 2), (1, 3), (1, 5), (1, 6)]
    assert places_text(places) == "round 1 at table 1–3, 5, 6, 9; round 2 at table 1"
