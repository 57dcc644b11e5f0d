"""The form of a game's QR code, used by players and by attackers."""

from datetime import timedelta

import pytest
from django.core.signing import Signer
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests.cast import match_file, stored_event
from tests.tournaments.hall.conftest import Slips
from tests.tournaments.recording.desk import at, typed
from tournaments.event.choices import PlayersEntry
from tournaments.hall.links import GAME, entry_addresses
from tournaments.models import Event, Pairing, Player, ResultSent, Round
from tournaments.models.versioned import past_of
from tournaments.recording.results import from_players
from tournaments.recording.results.submissions import enter

pytestmark = pytest.mark.django_db

NOT_FOUND, GONE, REFUSED, TOO_MANY = 404, 410, 409, 429


def words(client: Client, address: str, **about: str) -> str:
    return client.get(address, headers=about).content.decode()


class TestForm:
    def test_shows_the_names_of_the_table_and_no_others(self, client: Client, slip: Slips) -> None:
        page = words(client, slip())

        assert "Ann" in page
        assert "Cas" in page
        assert "Bea" not in page
        assert [f'value="{text}"' in page for text in ("2-0", "1-1", "0-2", "+ -")] == [True] * 4

    def test_form_stores_a_result_and_confirms_it(self, client: Client, slip: Slips) -> None:
        answer = client.post(slip(), {"result": "2-0"})
        row = ResultSent.objects.get()

        assert (answer.status_code, answer["Location"]) == (302, slip())
        assert (row.side, row.text, row.network) == ("first", "2-0", "127.0.0.0/24")
        assert "You sent 2-0." in words(client, slip())
        assert at(slip.event, 2, 1).kind == "pending"

    def test_result_of_the_other_side_is_hidden_before_the_own_is_sent(
        self, client: Client, slip: Slips
    ) -> None:
        client.post(slip(), {"result": "2-0"})
        assert "sent" not in words(client, slip("second"))

        client.post(slip("second"), {"result": "1-1"})
        assert "another result" in words(client, slip("second"))
        client.post(slip("second"), {"result": "2-0"})
        assert "sent the same" in words(client, slip())

    def test_a_board_names_its_players(self, client: Client) -> None:
        event = stored_event(match_file())
        Event.objects.update(players_entry=PlayersEntry.ONE)
        reds = event.competitors.get(number=1)
        red = Player.objects.create(competitor=reds, name="Rudy", board=1)
        at(event, 1, 1).games.create(board=2, first_player=red, white="second", kind="pending")
        page = words(client, Slips(event)(None, 1, 1, 2))

        assert "Rudy" in page
        assert "board 2" in page
        assert "Blues" in page

    @pytest.mark.parametrize(
        ("accepted", "language", "expected"),
        [
            ("", "", "Black"),
            ("", "nl", "Zwart"),
            ("nl-BE,en;q=0.5", "", "Zwart"),
            ("en", "nl", "Black"),
            ("fr", "nl", "Zwart"),
        ],
    )
    def test_speaks_the_visitors_language_or_the_events(
        self, client: Client, slip: Slips, accepted: str, language: str, expected: str
    ) -> None:
        Event.objects.update(language=language)
        answer = client.get(slip(), headers={"Accept-Language": accepted} if accepted else {})

        assert expected in answer.content.decode()
        assert answer["Content-Language"] == {"Zwart": "nl", "Black": "en"}[expected]
        assert "Zwart" in words(client, f"{slip()}?language=nl")

    def test_form_takes_few_queries(
        self, client: Client, slip: Slips, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        address = slip()
        with django_assert_num_queries(2):
            client.get(address)


class TestPrivacy:
    @pytest.mark.parametrize("path", ["", "x"])
    def test_no_cache_no_robot_no_other_site_and_no_cookie(
        self, client: Client, slip: Slips, path: str
    ) -> None:
        address = slip().replace(":", f":{path}")
        answers = [client.get(address), client.post(address, {"result": "2-0"})]

        for answer in answers:
            assert "no-store" in answer["Cache-Control"]
            assert "noindex" in answer["X-Robots-Tag"]
            assert answer["Referrer-Policy"] == "no-referrer"
            assert not answer.cookies

    def test_a_form_of_a_page_without_referrer_is_taken(self, slip: Slips) -> None:
        browser = Client(enforce_csrf_checks=True)
        answer = browser.post(slip(), {"result": "2-0"}, headers={"Origin": "null"})

        assert answer.status_code == 302

    def test_address_is_not_logged(
        self, client: Client, slip: Slips, capfd: pytest.CaptureFixture[str]
    ) -> None:
        client.get(slip())
        client.get(slip().replace(":", ":x"))

        assert slip().split("/")[-1].partition(":")[2] not in capfd.readouterr().err

    def test_public_pages_omit_sent_results(self, client: Client, slip: Slips) -> None:
        path = f"/events/{slip.event.slug}/rounds/2/"
        before = words(client, path)
        assert "Ann" in before
        client.post(slip(), {"result": "2-0"})

        assert words(client, path) == before


class TestMisuse:
    def test_a_forged_address_costs_no_query(
        self, client: Client, slip: Slips, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        genuine = slip()
        forged = genuine.replace(".f:", ".s:")
        other_salt = f"/hall/game/{Signer(salt='other').sign(genuine.split('/')[3].partition(':')[0])}"

        for address in (forged, other_salt, "/hall/game/x", "/hall/game/1.2.3:x", genuine[:-4]):
            with django_assert_num_queries(0):
                answer = client.post(address, {"result": "2-0"})
            assert answer.status_code == NOT_FOUND, address

    @pytest.mark.parametrize("text", ["", "1", "1.2.3.4.5.6.x", "1.2.3.4.5.6.7.f"])
    def test_wrongly_signed_text_is_no_token(self, client: Client, text: str) -> None:
        assert client.get(f"/hall/game/{Signer(salt=GAME).sign(text)}").status_code == NOT_FOUND

    def test_an_address_of_another_event_or_round_leads_nowhere(self, client: Client, slip: Slips) -> None:
        pairing = at(slip.event, 2, 1)
        keys = (slip.event.pk + 1, 2, pairing.pk, 0, pairing.first_id, pairing.second_id)
        other_round = (slip.event.pk, 1, *keys[2:])
        for each in (keys, other_round):
            token = Signer(salt=GAME).sign(".".join([*map(str, each), "f"]))
            assert client.post(f"/hall/game/{token}", {"result": "2-0"}).status_code == GONE

    def test_an_address_dies_with_its_pairing(self, client: Client, slip: Slips) -> None:
        address, pairing = slip(), at(slip.event, 2, 1)
        Pairing.objects.filter(pk=pairing.pk).update(first=pairing.second, second=pairing.first)

        assert client.post(address, {"result": "2-0"}).status_code == GONE

    def test_a_round_taken_back_shows_no_name(self, client: Client, slip: Slips) -> None:
        Round.objects.filter(number=2).update(state=Round.State.DRAFT)
        answer = client.post(slip(), {"result": "2-0"})

        assert answer.status_code == NOT_FOUND
        assert "Ann" not in answer.content.decode()
        assert not ResultSent.objects.exists()

    @pytest.mark.parametrize("state", ["draft", "final", "archived", "removed"])
    def test_event_that_is_not_live_has_no_form(self, client: Client, slip: Slips, state: str) -> None:
        address = slip()
        Event.objects.update(state=state)

        assert client.get(address).status_code == GONE
        assert slip() == ""

    def test_switched_off_every_address_is_dead(self, client: Client, slip: Slips) -> None:
        address = slip()
        Event.objects.update(players_entry=PlayersEntry.OFF)

        assert client.post(address, {"result": "2-0"}).status_code == GONE

    def test_no_address_is_for_both_sides_if_they_must_agree(self, client: Client, slip: Slips) -> None:
        Event.objects.update(players_entry=PlayersEntry.ONE)
        for_both = slip(None)
        assert client.get(for_both).status_code == 200
        Event.objects.update(players_entry=PlayersEntry.BOTH)

        assert slip(None) == ""
        assert client.post(for_both, {"result": "2-0"}).status_code == GONE

    def test_settled_result_cannot_be_changed(
        self, client: Client, slip: Slips, django_user_model: type
    ) -> None:
        account = django_user_model.objects.create_user("anna")  # type: ignore[attr-defined]  # a model
        enter(slip.event, [typed(at(slip.event, 2, 1), "1-1")], account)
        answer = client.post(slip(), {"result": "2-0"})

        assert answer.status_code == REFUSED
        assert not ResultSent.objects.exists()
        assert client.get(slip(number=1)).context["closed"]

    def test_too_many_requests_have_to_wait(
        self, client: Client, slip: Slips, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(from_players, "MOST_A_MINUTE", 1)
        client.post(slip(), {"result": "2-0"})
        answer = client.post(slip("second"), {"result": "2-0"})

        assert (answer.status_code, answer["Retry-After"]) == (TOO_MANY, "60")

    def test_results_sent_while_the_clock_was_ahead_are_no_flood(
        self, client: Client, slip: Slips, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(from_players, "MOST_A_MINUTE", 1)
        client.post(slip(), {"result": "2-0"})
        ResultSent.objects.update(at=timezone.now() + timedelta(days=1))

        assert client.post(slip("second"), {"result": "2-0"}).status_code == 302

    def test_round_published_while_the_clock_was_ahead_takes_results(
        self, client: Client, slip: Slips
    ) -> None:
        Event.objects.update(players_entry_after=30)
        slip.event.rounds.get(number=2).save()
        past = past_of(Round).objects.filter(event=slip.event, number=2)
        past.update(history_date=timezone.now())
        assert client.post(slip(), {"result": "2-0"}).status_code == REFUSED
        past.update(history_date=timezone.now() + timedelta(days=1))

        assert client.post(slip(), {"result": "2-0"}).status_code == 302

    @pytest.mark.parametrize("more", ["/", "/x"])
    def test_no_answer_repeats_an_address_that_was_cut_or_lengthened(
        self, client: Client, slip: Slips, more: str
    ) -> None:
        answer = client.get(slip() + more)

        assert (answer.status_code, "Location" in answer) == (NOT_FOUND, False)

    @pytest.mark.parametrize("method", ["put", "delete", "patch"])
    def test_other_methods_are_refused(self, client: Client, slip: Slips, method: str) -> None:
        assert getattr(client, method)(slip()).status_code == 405


class TestAddresses:
    def test_slip_has_an_address_for_both_sides_or_for_each_side(self, slip: Slips) -> None:
        request, pairing = RequestFactory().get("/"), at(slip.event, 2, 1)
        sides = [side for side, _address in entry_addresses(request, pairing)]
        assert sides == ["first", "second"]

        pairing.round.event.players_entry = PlayersEntry.ONE
        assert [side for side, _address in entry_addresses(request, pairing)] == [""]
        pairing.round.event.players_entry = PlayersEntry.OFF
        assert entry_addresses(request, pairing) == []

    def test_round_off_has_no_address(self, slip: Slips) -> None:
        pairing = at(slip.event, 2, 1)
        pairing.second_id = None

        assert entry_addresses(RequestFactory().get("/"), pairing) == []
