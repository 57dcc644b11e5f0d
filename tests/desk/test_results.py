"""The results screen: form, script endpoints, pasting and line-ups. Keys are tested in tests/browser."""

import json
from typing import Any, ClassVar
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests.cast import browser_of, create_account, match_file, stored_event
from tests.tournaments.recording.desk import at
from tournaments.accounts.services.roles import Role
from tournaments.event.resultcodes import result_text
from tournaments.models import Change, Competitor, Event, Game, Pairing, Player, Receipt, Round
from tournaments.models.versioned import past_of
from tournaments.operations.epoch import epoch_now
from tournaments.operations.revision import present, revision_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(anna: User) -> Client:
    return browser_of(anna)


@pytest.fixture
def match(db: None) -> Event:
    """Return a match of chess teams on three boards without results."""
    return stored_event(match_file())


def address(event: Event, number: int, name: str = "results", *more: int) -> str:
    return reverse(f"admin:{name}", args=[event.pk, number, *more])


def fields(page: Any) -> dict[str, Any]:
    """Return the fields of the form by line label."""
    return {field.row.line.label: field for _table, listed in page.context["tables"] for field in listed}


def filled(page: Any, *choices: tuple[str, str], **texts: str) -> dict[str, str]:
    """Return the values of the form with these texts typed (`t1` is table 1)."""
    typed = {label.removeprefix("t").replace("_", "."): text for label, text in texts.items()}
    posted = {}
    for label, field in fields(page).items():
        posted[f"line-{field.row.key}"] = field.sent_back
        posted[f"text-{field.row.key}"] = typed.get(label, field.text)
        if field.is_conflict:
            posted[f"stored-{field.row.key}"] = str(field.outcome.version)
    return posted | {f"choose-{fields(page)[label].row.key}": choice for label, choice in choices}


def stored(event: Event, number: int, table: int) -> str:
    row = at(event, number, table)
    return result_text(row.kind, row.first_score, row.second_score, row.advantage)


class TestPlainForm:
    def test_byes_are_no_results(self, client: Client, swiss: Event) -> None:
        Pairing.objects.filter(pk=at(swiss, 2, 2).pk).update(second=None, kind="half-bye", second_score=None)
        page = client.get(address(swiss, 2))
        assert (page.context["entered"], page.context["all"]) == (0, 1)

    def test_only_changed_lines_are_saved(self, client: Client, swiss: Event) -> None:
        page = client.get(address(swiss, 2))
        answer = client.post(address(swiss, 2), filled(page, t1="w"))

        assert answer["Location"] == address(swiss, 2)
        assert (stored(swiss, 2, 1), at(swiss, 2, 2).version) == ("1+ 1-", 1)
        assert Receipt.objects.count() == 1

    def test_game_is_marked_as_postponed_and_gets_its_result(self, client: Client, swiss: Event) -> None:
        key = f"delay-{at(swiss, 2, 1).pk}-0"
        client.post(address(swiss, 2), filled(client.get(address(swiss, 2))) | {key: "postponed"})
        assert at(swiss, 2, 1).delayed == "postponed"
        page = client.get(address(swiss, 2))
        assert 'value="postponed" selected' in page.content.decode()
        client.post(address(swiss, 2), filled(page, t1="2-0") | {key: "postponed"})
        assert (at(swiss, 2, 1).delayed, stored(swiss, 2, 1)) == ("", "2-0")

    def test_mark_is_removed(self, client: Client, swiss: Event) -> None:
        client.post(address(swiss, 2), filled(client.get(address(swiss, 2)), t1="p"))
        assert at(swiss, 2, 1).delayed == "postponed"
        key = f"delay-{at(swiss, 2, 1).pk}-0"
        client.post(address(swiss, 2), filled(client.get(address(swiss, 2))) | {key: ""})
        assert at(swiss, 2, 1).delayed == ""

    def test_repeated_post_stores_once(self, client: Client, swiss: Event) -> None:
        posted = filled(client.get(address(swiss, 2)), t1="2-0")
        for _ in range(2):
            assert client.post(address(swiss, 2), posted).status_code == 302

        assert past_of(Pairing).objects.filter(id=at(swiss, 2, 1).pk).count() == 1

    def test_lines_are_saved_independently_and_failed_text_remains(
        self, client: Client, swiss: Event
    ) -> None:
        page = client.get(address(swiss, 2))
        answer = client.post(address(swiss, 2), filled(page, t1="3-3", t2="1-1 g4"))
        failed = fields(answer)["1"]

        assert (stored(swiss, 2, 1), stored(swiss, 2, 2), at(swiss, 2, 2).games_played) == ("", "1-1", 4)
        assert (failed.text, failed.state) == ("3-3", "failed")
        assert "Type another result" in answer.content.decode()
        assert fields(answer)["2"].text == "1-1 g4"

    def test_conflict_remains_until_user_chooses(self, client: Client, swiss: Event) -> None:
        ben = browser_of(create_account("ben", Role.ORGANISER))
        mine, theirs = (each.get(address(swiss, 2)) for each in (client, ben))
        ben.post(address(swiss, 2), filled(theirs, t1="2-0"))

        response = client.post(address(swiss, 2), filled(mine, t1="1-1"))
        assert "Keep 2-0 (ben," in response.content.decode()
        assert "Put 1-1 (anna)" in response.content.decode()
        again = client.post(address(swiss, 2), filled(response))
        assert (fields(again)["1"].state, stored(swiss, 2, 1)) == ("conflict", "2-0")
        client.post(address(swiss, 2), filled(again, ("1", "mine")))
        assert stored(swiss, 2, 1) == "1-1"

    def test_conflict_can_keep_stored_result(self, client: Client, swiss: Event) -> None:
        ben = browser_of(create_account("ben", Role.ORGANISER))
        mine, theirs = (each.get(address(swiss, 2)) for each in (client, ben))
        ben.post(address(swiss, 2), filled(theirs, t1="2-0"))
        response = client.post(address(swiss, 2), filled(mine, t1="1-1"))

        assert client.post(address(swiss, 2), filled(response, ("1", "theirs"))).status_code == 302
        assert stored(swiss, 2, 1) == "2-0"

    def test_same_result_by_two_users_is_no_conflict(self, client: Client, swiss: Event) -> None:
        ben = browser_of(create_account("ben", Role.ORGANISER))
        pages = [(each, each.get(address(swiss, 2))) for each in (client, ben)]

        answers = [each.post(address(swiss, 2), filled(page, t1="2-0")) for each, page in pages]
        assert [answer.status_code for answer in answers] == [302, 302]

    def test_correction_previews_places_and_needs_reason(self, client: Client, swiss: Event) -> None:
        page = client.get(address(swiss, 1))
        response = client.post(address(swiss, 1), filled(page, t1="0-2"))

        assert any("Bea: place" in move for move in response.context["moves"])
        assert (stored(swiss, 1, 1), Change.objects.count()) == ("2-0", 0)
        message = "Round 2 was paired from the old result. Its pairings stay as they are."
        assert message in response.content.decode()
        saved = client.post(address(swiss, 1), filled(response) | {"reason": "Sheet misread"}, follow=True)
        assert message in saved.content.decode()
        change = Change.objects.get()
        assert (stored(swiss, 1, 1), change.was, change.now, change.by) == ("0-2", "2-0", "0-2", "anna")
        assert change.moved

    @pytest.mark.parametrize(
        "value",
        ["", "x y z", "-1 5b0e2f0c-3d0c-4a53-9b5e-0d6a6f0f3b11 2-0", "9" * 40, "1 not-an-id 2-0"],
    )
    def test_malformed_hidden_value_stores_no_result(self, client: Client, swiss: Event, value: str) -> None:
        key = f"{at(swiss, 2, 1).pk}-0"
        client.post(address(swiss, 2), {f"line-{key}": value, f"text-{key}": "2-0"})

        assert stored(swiss, 2, 1) == ""

    def test_filter_hides_lines_with_results(self, client: Client, swiss: Event) -> None:
        page = client.get(address(swiss, 2) + "?missing=1").content.decode()

        assert page.count("hidden>\n  <th") == 1

    def test_queries_do_not_depend_on_number_of_lines(
        self, client: Client, swiss: Event, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        client.get(address(swiss, 2))
        with django_assert_num_queries(12):
            client.get(address(swiss, 2))
        round_ = Round.objects.get(event=swiss, number=2)
        for number in range(5, 45, 2):
            first, second = (
                Competitor.objects.create(event=swiss, number=each, name=f"Player {each}")
                for each in (number, number + 1)
            )
            Pairing.objects.create(round=round_, table=number, first=first, second=second)
        with django_assert_num_queries(12):
            client.get(address(swiss, 2))


class TestNotes:
    def posted(self, event: Event, note: str, shown: str = "") -> dict[str, Any]:
        """Return the form values that save the note of table 1 in round 2."""
        key = at(event, 2, 1).pk
        return {"note": key, f"note-{key}": note, f"shown-{key}": shown}

    def test_note_is_saved_after_result_of_same_pairing(self, client: Client, swiss: Event) -> None:
        page = client.get(address(swiss, 2))
        client.post(address(swiss, 2), filled(page, t1="2-0"))
        answer = client.post(address(swiss, 2) + "?missing=1", self.posted(swiss, "Decided.\r\nBy lot."))

        assert answer["Location"] == address(swiss, 2) + "?missing=1#result-1"
        assert (at(swiss, 2, 1).note, stored(swiss, 2, 1)) == ("Decided.\nBy lot.", "2-0")
        assert past_of(Pairing).objects.filter(id=at(swiss, 2, 1).pk).latest().history_user.username == "anna"

    def test_note_allows_irregular_score(self, client: Client, swiss: Event) -> None:
        refused = client.post(address(swiss, 2), filled(client.get(address(swiss, 2)), t1="1-0"))
        assert fields(refused)["1"].state == "failed"

        client.post(address(swiss, 2), self.posted(swiss, "Both came late."))
        client.post(address(swiss, 2), filled(client.get(address(swiss, 2)), t1="1-0"))
        assert stored(swiss, 2, 1) == "1-0"

    def test_unseen_note_is_not_overwritten(self, client: Client, swiss: Event) -> None:
        ben = browser_of(create_account("ben", Role.ORGANISER))
        ben.post(address(swiss, 2), self.posted(swiss, "Both were late."))
        page = client.post(address(swiss, 2), self.posted(swiss, "Mine."))
        text = page.content.decode()

        assert at(swiss, 2, 1).note == "Both were late."
        assert "ben has changed this." in text
        assert "Stored now: Both were late." in text
        assert ">Mine.</textarea>" in text
        client.post(address(swiss, 2), self.posted(swiss, "Mine.", shown="Both were late."))
        assert at(swiss, 2, 1).note == "Mine."

    @pytest.mark.parametrize("key", ["", "x", "0", "99999"])
    def test_note_of_unknown_pairing_is_404(self, client: Client, swiss: Event, key: str) -> None:
        assert client.post(address(swiss, 2), {"note": key}).status_code == 404

    def test_note_of_another_round_is_404(self, client: Client, swiss: Event) -> None:
        key = at(swiss, 1, 1).pk

        assert client.post(address(swiss, 2), {"note": key, f"note-{key}": "No."}).status_code == 404


class TestEntries:
    def send(self, client: Client, event: Event, user: User, *entries: dict[str, Any], **facts: Any) -> Any:
        body = {"user": user.pk, "entries": list(entries)} | facts
        return client.post(
            address(event, 2, "results-entries"), json.dumps(body), content_type="application/json"
        )

    def entry(self, row: Pairing, text: str, **facts: Any) -> dict[str, Any]:
        known = {"id": str(uuid4()), "pairing": row.pk, "board": None, "text": text, "seen": 1}
        return known | facts

    def test_each_entry_has_an_outcome(self, client: Client, anna: User, swiss: Event) -> None:
        good, bad = self.entry(at(swiss, 2, 1), "2-0 g3"), self.entry(at(swiss, 2, 2), "nonsense\0")
        first, second = self.send(client, swiss, anna, good, bad).json()["outcomes"]

        assert (first["id"], first["state"], first["text"], first["version"]) == (
            good["id"],
            "saved",
            "2-0 g3",
            f"2.{epoch_now()}",
        )
        assert (second["state"], second["version"]) == ("refused", f"0.{epoch_now()}")

    def test_entries_of_another_account_are_409(self, client: Client, anna: User, swiss: Event) -> None:
        ben = create_account("ben", Role.ORGANISER)

        assert self.send(client, swiss, ben, self.entry(at(swiss, 2, 1), "2-0")).status_code == 409
        assert (stored(swiss, 2, 1), Receipt.objects.count()) == ("", 0)

    def test_anonymous_post_redirects_to_login(self, anna: User, swiss: Event) -> None:
        answer = self.send(Client(), swiss, anna, self.entry(at(swiss, 2, 1), "2-0"))

        assert answer["Location"].startswith("/admin/login/")

    def test_post_without_csrf_token_is_403(self, anna: User, swiss: Event) -> None:
        client = Client(enforce_csrf_checks=True)
        client.force_login(anna)

        assert self.send(client, swiss, anna, self.entry(at(swiss, 2, 1), "2-0")).status_code == 403

    @pytest.mark.parametrize(
        "wrong",
        [
            {"id": "none"}, {"pairing": "1"}, {"pairing": 2**64}, {"pairing": True}, {"board": -1},
            {"board": 2**40}, {"seen": -1}, {"seen": None},
        ],
    )  # fmt: skip
    def test_malformed_entry_is_400(
        self, client: Client, anna: User, swiss: Event, wrong: dict[str, Any]
    ) -> None:
        assert self.send(client, swiss, anna, self.entry(at(swiss, 2, 1), "2-0", **wrong)).status_code == 400

    @pytest.mark.parametrize("body", ["", "[]", "{}", '{"entries": 3}', "[" * 100_000])
    def test_malformed_body_is_400(self, client: Client, swiss: Event, body: str) -> None:
        for name in ("results-entries", "results-trial"):
            answer = client.post(address(swiss, 2, name), body, content_type="application/json")
            assert answer.status_code == 400

    def test_pairing_of_another_event_is_refused(
        self, client: Client, anna: User, swiss: Event, match: Event
    ) -> None:
        [outcome] = self.send(client, swiss, anna, self.entry(at(match, 1, 1), "2-0")).json()["outcomes"]

        assert outcome["state"] == "refused"

    def test_trial_returns_place_changes_and_stores_no_result(
        self, client: Client, anna: User, swiss: Event
    ) -> None:
        before = revision_of(swiss.pk)
        body = json.dumps({"entries": [self.entry(at(swiss, 1, 1), "0-2")]})
        data = client.post(address(swiss, 1, "results-trial"), body, content_type="application/json").json()

        assert data["outcomes"][0]["state"] == "saved"
        assert data["outcomes"][0]["message"].startswith("Round 2 was paired from the old result.")
        assert "Bea: place 4 to 2" in data["moves"]
        assert (stored(swiss, 1, 1), revision_of(swiss.pk)) == ("2-0", before)
        assert (Receipt.objects.count(), Change.objects.count()) == (0, 0)


class TestNews:
    def test_polling_without_changes_is_204(
        self, client: Client, swiss: Event, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        params = {"revision": present(swiss.pk).stamp}
        with django_assert_max_num_queries(7):
            assert client.get(address(swiss, 2, "results-news"), params).status_code == 204

    def test_polling_returns_new_results_with_versions(self, client: Client, swiss: Event) -> None:
        page = client.get(address(swiss, 2))
        client.post(address(swiss, 2), filled(page, t1="2-0 g2"))
        data = client.get(address(swiss, 2, "results-news"), {"revision": page.context["revision"]}).json()

        assert data["revision"] == present(swiss.pk).stamp
        assert data["lines"][f"{at(swiss, 2, 1).pk}-0"] == ["2-0 g2", f"2.{epoch_now()}"]
        assert (data["shape"], data["needs"]) == (page.context["shape"], "")

    def test_polling_reports_changed_pairing_and_closed_round(self, client: Client, swiss: Event) -> None:
        page = client.get(address(swiss, 2))
        row = at(swiss, 2, 1)
        row.first, row.second = row.second, row.first  # type: ignore[assignment]  # there are two
        row.save()
        Round.objects.filter(event=swiss, number=2).update(state="closed")
        data = client.get(address(swiss, 2, "results-news")).json()

        assert data["shape"] != page.context["shape"]
        assert data["needs"] == "always"

    def test_correction_in_earlier_swiss_round_needs_reason(self, client: Client, swiss: Event) -> None:
        Round.objects.filter(event=swiss).update(state="published")

        assert client.get(address(swiss, 1)).context["needs"] == "standing"


class TestPaste:
    def preview(self, client: Client, event: Event, text: str) -> Any:
        return client.post(address(event, 2, "results-paste"), {"text": text})

    def confirm(self, client: Client, event: Event, page: Any, **more: str) -> Any:
        shown = {name: page.context[name] for name in ("text", "entries")}
        return client.post(address(event, 2, "results-paste"), shown | more)

    def test_block_is_previewed_and_saved_after_confirmation(self, client: Client, swiss: Event) -> None:
        page = self.preview(client, swiss, "w\n2\t1-1")

        assert [line.words for line in page.context["pasted"]] == [
            "1: Ann against Cas, 1+ 1-",
            "2: Dov against Bea, 1-1 instead of 2-0",
        ]
        assert stored(swiss, 2, 1) == ""
        assert self.confirm(client, swiss, page)["Location"] == address(swiss, 2)
        assert (stored(swiss, 2, 1), stored(swiss, 2, 2)) == ("1+ 1-", "1-1")

    def test_invalid_line_prevents_confirmation(self, client: Client, swiss: Event) -> None:
        page = self.preview(client, swiss, "2-0\n2-2")

        assert page.context["count"] == 0
        assert "Line 2, “2-2”" in page.content.decode()

    def test_conflict_prevents_saving_of_complete_block(self, client: Client, swiss: Event) -> None:
        page = self.preview(client, swiss, "2-0\n1-1")
        ben = browser_of(create_account("ben", Role.ORGANISER))
        ben.post(address(swiss, 2), filled(ben.get(address(swiss, 2)), t2="0-2"))
        answer = self.confirm(client, swiss, page)

        assert (stored(swiss, 2, 1), stored(swiss, 2, 2)) == ("", "0-2")
        assert "ben has changed this" in answer.content.decode()
        assert "Stored is 0-2, pasted was 1-1." in answer.content.decode()
        assert self.confirm(client, swiss, answer).status_code == 302

    def test_malformed_entries_are_not_stored(self, client: Client, swiss: Event) -> None:
        answer = client.post(address(swiss, 2, "results-paste"), {"text": "", "entries": "[7]"})

        assert "have changed since the preview" in answer.content.decode()

    def test_settled_round_previews_places_and_needs_reason(self, client: Client, swiss: Event) -> None:
        Round.objects.filter(event=swiss, number=2).update(state="closed")
        page = self.preview(client, swiss, "2;0-2")

        assert page.context["moves"]
        assert "needs a reason" in self.confirm(client, swiss, page).content.decode()
        self.confirm(client, swiss, page, reason="Swapped")
        assert Change.objects.get().reason == "Swapped"


class TestMatches:
    def test_match_shows_sum_of_boards(self, client: Client, match: Event) -> None:
        page = client.get(address(match, 1))
        client.post(address(match, 1), filled(page, t1_1="1", t1_2="="))
        after = client.get(address(match, 1))

        assert [table.sum for table, _fields in after.context["tables"]] == ["1½ : ½"]
        assert stored(match, 1, 1) == ""

    def test_match_can_have_score_without_boards(self, client: Client, match: Event) -> None:
        totals = address(match, 1) + "?totals=1"
        client.post(totals, filled(client.get(totals), t1="2½-½"))

        assert stored(match, 1, 1) == "2½-½"
        assert list(fields(client.get(address(match, 1)))) == ["1"]

    def test_keys_follow_colours_of_the_board(self, client: Client, match: Event) -> None:
        Event.objects.filter(pk=match.pk).update(discipline="draughts-100", game_win=4, game_draw=2)
        client.post(address(match, 1), filled(client.get(address(match, 1)), t1_1="w", t1_2="w"))

        assert [game.advantage for game in Game.objects.order_by("board")] == ["first", "second"]
        seats = json.loads(client.get(address(match, 1)).context["seats"])
        assert (seats["first"]["w"], seats["second"]["w"]) == ("1+ 1-", "1- 1+")
        assert "w" not in seats["uncoloured"]

    @pytest.fixture
    def players(self, match: Event) -> list[Player]:
        return [
            Player.objects.create(competitor=team, board=board, name=f"{team.name} {board}")
            for team in match.competitors.all()
            for board in (1, 2)
        ]

    def seats(self, page: Any) -> dict[str, str]:
        """Return the values of the line-up form."""
        chosen = [seat["chosen"] for seat in page.context["seats"]]
        return {
            f"{name}-{seat.board}": str(getattr(seat, name) or "")
            for seat in chosen
            for name in ("seen", "first", "second", "white")
        }

    NOBODY: ClassVar = {f"{side}-{board}": "" for side in ("first", "second") for board in (1, 2, 3)}

    def test_line_up_stores_players_and_colours(
        self, client: Client, match: Event, players: list[Player]
    ) -> None:
        screen = address(match, 1, "results-line-up", 1)
        red, _, blue, other_blue = players
        form = self.seats(client.get(screen)) | self.NOBODY
        answer = client.post(
            screen, form | {"first-1": red.pk, "second-1": other_blue.pk, "second-3": blue.pk, "white-3": ""}
        )

        assert answer.status_code == 302
        games = Game.objects.order_by("board").values_list("board", "first_player", "second_player", "white")
        assert list(games) == [(1, red.pk, other_blue.pk, "first"), (3, None, blue.pk, "")]
        assert "Reds 1" in client.get(address(match, 1)).content.decode()
        client.post(address(match, 1), filled(client.get(address(match, 1)), t1_1="1"))
        assert Game.objects.get(board=1).first_score == 2

    def test_wrong_board_order_gives_warning(
        self, client: Client, match: Event, players: list[Player]
    ) -> None:
        screen = address(match, 1, "results-line-up", 1)
        form = self.seats(client.get(screen))
        wrong = {"first-1": players[1].pk, "first-2": players[0].pk}
        message = "Reds: Reds 2, 2 in the board order, sits above Reds 1, 1."

        assert message in client.post(screen, form | wrong, follow=True).content.decode()
        again = client.get(screen)
        assert message in again.content.decode()
        right = {"first-1": players[0].pk, "first-2": players[1].pk}
        assert (
            "board order" not in client.post(screen, self.seats(again) | right, follow=True).content.decode()
        )

    @pytest.mark.parametrize(
        ("first", "second", "says"),
        [
            ((0, 0), (2, None), "Reds 1 sits at two boards"),
            ((2, None), (3, None), "A player is not of the team Reds"),
        ],
    )
    def test_impossible_line_up_is_refused(
        self, client: Client, match: Event, players: list[Player], first: Any, second: Any, says: str
    ) -> None:
        screen = address(match, 1, "results-line-up", 1)
        chosen = [players[at].pk if at is not None else "" for at in first]
        seats = {"first-1": chosen[0], "first-2": chosen[1]}
        answer = client.post(screen, self.seats(client.get(screen)) | seats)

        assert says in answer.content.decode()
        assert not Game.objects.exists()

    def test_conflict_of_line_ups_shows_stored_players(
        self, client: Client, match: Event, players: list[Player]
    ) -> None:
        screen = address(match, 1, "results-line-up", 1)
        form = self.seats(client.get(screen)) | self.NOBODY
        ben = browser_of(create_account("ben", Role.ORGANISER))
        ben.post(screen, form | {"first-1": players[0].pk})
        nobody = {"second-1": "", "second-2": ""}
        ben.post(screen, self.seats(ben.get(screen)) | nobody | {"white-1": "second"})
        answer = client.post(screen, form | {"first-1": players[1].pk})

        assert "changed this" in answer.content.decode()
        assert "Stored now: Reds 1 against no name." in answer.content.decode()
        assert client.post(screen, self.seats(answer)).status_code == 302
        assert Game.objects.get().first_player == players[1]

    def test_line_up_in_settled_round_stores_reason(
        self, client: Client, match: Event, players: list[Player]
    ) -> None:
        Round.objects.update(state="closed")
        screen = address(match, 1, "results-line-up", 1)
        form = self.seats(client.get(screen)) | self.NOBODY | {"first-1": players[0].pk}

        assert "needs a reason" in client.post(screen, form).content.decode()
        client.post(screen, form | {"reason": "Sheet misread"})
        assert past_of(Game).objects.get().history_change_reason == "Sheet misread"

    def test_line_up_of_individual_game_is_404(self, client: Client, swiss: Event) -> None:
        assert client.get(address(swiss, 2, "results-line-up", 1)).status_code == 404
