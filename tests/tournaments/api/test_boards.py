"""Live boards of the write API: moves and results of running rounds, from a PGN that grows."""

from collections.abc import Sequence
from time import monotonic
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from standings.management.commands.work import work_off
from tests.cast import chess_swiss_file, create_account, create_team_event, stored_event, swiss_file
from tests.tournaments.api.test_access import token_for
from tests.tournaments.people.services.test_namesakes_hidden import hide
from tournaments.accounts.models import ApiToken
from tournaments.accounts.services.roles import Role
from tournaments.api import endpoints, files
from tournaments.interchange.formats.layouts import pgn
from tournaments.interchange.formats.layouts.game_texts import split_into_games
from tournaments.models import Event, Game, Job, Pairing, Round, Upload
from tournaments.models.versioned import past_of
from tournaments.operations.revision import revision_of
from tournaments.recording.results import boards
from tournaments.recording.results.storing import SubmittedResult
from tournaments.recording.results.submissions import enter

pytestmark = pytest.mark.django_db(transaction=True)

OPENING = "1. e4 {[%clk 1:30:43]} e5 {[%clk 1:30:12]} 2. Nf3 {[%clk 1:29:01]}"


@pytest.fixture(autouse=True)
def requests_do_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "wait_for_job", lambda _job, _seconds: work_off())


def game(white: str, black: str, result: str = "*", moves: str = OPENING, **tags: str) -> str:
    found = {"Event": "Hall 1", "White": white, "Black": black, "Result": result, **tags}
    return "".join(f'[{name} "{text}"]\n' for name, text in found.items()) + f"\n{moves} {result}\n\n"


class Feed:
    """Sends the games of a live feed to an event."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.account = create_account("otto", Role.ORGANISER)
        self.secret = token_for(self.account, ApiToken.Action.BOARDS)[1]

    def put(self, *games: str) -> Any:
        return Client().put(
            f"/api/write/events/{self.event.slug}/boards",
            "".join(games).encode(),
            content_type="application/vnd.chess-pgn",
            headers={"Authorization": f"Bearer {self.secret}"},
        )

    def sent(self, *games: str) -> tuple[int, int, list[str]]:
        """Return the numbers of updated and unchanged games, and the reasons."""
        answer = self.put(*games)
        assert answer.status_code == 200, answer.content
        body = answer.json()
        return body["updated"], body["unchanged"], [each["reason"] for each in body["unmatched"]]


def pairing(event: Event, table: int = 1) -> Pairing:
    return Pairing.objects.get(round__event=event, round__number=2, table=table)


@pytest.fixture
def feed(db: None) -> Feed:
    """A feed for four draughts players. In round 2 Ann plays Cas, and Dov has won against Bea."""
    return Feed(stored_event(swiss_file()))


def test_growing_game_updates_moves_without_version_and_history(feed: Feed) -> None:
    before = pairing(feed.event)
    assert feed.sent(game("Ann", "Cas")) == (1, 0, [])
    assert feed.sent(game("Ann", "Cas", moves=f"{OPENING} Nc6")) == (1, 0, [])
    stored = pairing(feed.event)
    assert stored.moves == f"{OPENING} Nc6 *"
    assert (stored.kind, stored.version) == ("pending", before.version)
    assert not past_of(Pairing).objects.filter(id=stored.pk, version__gt=before.version).exists()


def test_same_content_leaves_games_and_revision_unchanged(feed: Feed) -> None:
    games = (game("Ann", "Cas", "2-0"), game("Dov", "Bea", "2-0"))
    assert feed.sent(*games) == (2, 0, [])
    revision, version = revision_of(feed.event.pk), pairing(feed.event).version
    answer = feed.put(*games).json()
    assert (answer["updated"], answer["unchanged"], answer["revision"]) == (0, 2, revision)
    assert pairing(feed.event).version == version
    assert not Upload.objects.exists()


@pytest.mark.parametrize("result", ["2-0", "1-0"])
def test_result_is_stored_with_history_in_the_scoring_of_the_event(feed: Feed, result: str) -> None:
    assert feed.sent(game("Ann", "Cas", result)) == (1, 0, [])
    stored = pairing(feed.event)
    assert (stored.kind, stored.first_score, stored.second_score) == ("played", 4, 0)
    last = past_of(Pairing).objects.filter(id=stored.pk).latest("history_id")
    assert (last.history_user, last.version) == (feed.account, stored.version)


def test_stored_result_is_never_replaced(feed: Feed) -> None:
    updated, _, reasons = feed.sent(game("Dov", "Bea", "0-2"))
    stored = pairing(feed.event, 2)
    assert (updated, stored.first_score, stored.moves) == (1, 4, f"{OPENING} 0-2")
    assert reasons == ["The event has the result 2-0, the file 0-2. Correct it at the desk."]


def test_result_that_was_cleared_or_delayed_at_the_desk_is_not_entered(feed: Feed) -> None:
    feed.sent(game("Ann", "Cas", "2-0"))
    Pairing.objects.filter(pk=pairing(feed.event).pk).update(
        kind="pending", first_score=None, second_score=None
    )
    assert feed.sent(game("Ann", "Cas", "2-0"))[2] == ["The result was cleared. Enter it at the desk."]
    past_of(Pairing).objects.all().delete()
    Pairing.objects.filter(pk=pairing(feed.event).pk).update(delayed="adjourned")
    assert "the result adjourned" in feed.sent(game("Ann", "Cas", "2-0"))[2][0]
    assert pairing(feed.event).kind == "pending"


def test_other_games_are_listed_with_reasons(feed: Feed) -> None:
    games = {
        "of strangers": game("Ann", "Eva"),
        "of a closed round": game("Ann", "Bea", Round="1.1"),
        "of another round": game("Ann", "Cas", Round="3.1"),
        "colours": game("Cas", "Ann"),
        "two results": game("Ann", "Cas", "2-0").replace(" 2-0\n", " 0-2\n"),
        "no result": game("Ann", "Cas", "0-0"),
        "control characters": game("Ann", "Cas", Opening="King\x00s"),
    }
    for name, text in games.items():
        updated, _, reasons = feed.sent(text)
        assert (name, len(reasons)) == (name, 1)
        assert updated == (name in {"two results", "no result"})
    assert pairing(feed.event).kind == "pending"


def test_players_are_found_by_similar_names_and_fide_ids(feed: Feed) -> None:
    event = stored_event(chess_swiss_file())
    feed.event = event
    pair = (
        Pairing.objects.filter(round__event=event, kind="pending").select_related("first", "second").first()
    )
    if pair is None:
        pair = Pairing.objects.filter(round__event=event, second__gt=0).last()
        assert pair
        Round.objects.filter(pk=pair.round_id).update(state=Round.State.PUBLISHED)
    assert pair.second
    type(pair.first).objects.filter(pk=pair.first.pk).update(name="Müller, Karl-Heinz")
    type(pair.first).objects.filter(pk=pair.second.pk).update(fide_id=1234567)
    sent = game("Karl-Heinz Muller", "Anybody", BlackFideId="1234567", Round=f"{pair.round.number}.1")
    assert feed.sent(sent) == (1, 0, [])


def test_newest_of_two_games_and_cut_off_game(feed: Feed) -> None:
    assert feed.sent(game("Ann", "Cas", moves="1. d4"), game("Ann", "Cas")) == (1, 0, [])
    cut = game("Ann", "Cas", moves="1. e4 {[%clk 1:30:43]} e5 {[%clk 1:3").removesuffix(" *\n\n")
    assert feed.sent(cut) == (0, 1, [])
    assert pairing(feed.event).moves == f"{OPENING} *"


def test_match_of_two_games_gets_no_result_from_a_feed(feed: Feed) -> None:
    games = (game("Ann", "Cas", "2-0", Round="2.1"), game("Cas", "Ann", "1-1", Round="2.2"))
    updated, _, reasons = feed.sent(*games)
    assert (updated, pairing(feed.event).kind) == (1, "pending")
    assert any("several games of these players" in each for each in reasons)
    assert feed.sent(*reversed(games))[0] == 0
    Pairing.objects.update(colours="unknown")
    feed.sent(*games)
    assert pairing(feed.event).kind == "pending"


@pytest.mark.parametrize("colours", ["first", "unknown"])
def test_result_of_first_game_is_withdrawn_when_the_feed_has_the_second(feed: Feed, colours: str) -> None:
    Pairing.objects.update(colours=colours)
    first, second = game("Ann", "Cas", "2-0"), game("Cas", "Ann")
    assert feed.sent(first) == (1, 0, [])
    assert pairing(feed.event).kind == "played"
    assert any("several games of these players" in each for each in feed.sent(first, second)[2])
    assert pairing(feed.event).kind == "pending"
    feed.sent(first)
    assert pairing(feed.event).kind == "pending"


@pytest.mark.parametrize("typed_texts", [("1-1", "2-0"), ("2-0",)])
def test_result_of_a_match_that_the_desk_has_saved_is_not_withdrawn(
    feed: Feed, typed_texts: tuple[str, ...]
) -> None:
    feed.sent(game("Ann", "Cas", "2-0"))
    stored = pairing(feed.event)
    for text in typed_texts:
        typed = SubmittedResult(uuid4(), stored.pk, None, text, pairing(feed.event).version)
        assert enter(feed.event, [typed], feed.account)[0].state == "saved"
    feed.sent(game("Ann", "Cas", "2-0"), game("Cas", "Ann"))
    assert pairing(feed.event).kind == "played"


def test_refused_and_withdrawn_results_of_more_games_need_no_more_queries(feed: Feed) -> None:
    played = game("Ann", "Cas", "2-0"), game("Dov", "Bea", "2-0")
    second = game("Cas", "Ann", "1-1"), game("Bea", "Dov", "1-1")
    Pairing.objects.filter(round__number=1).update(games_played=2)
    Pairing.objects.filter(round__number=2).update(kind="pending", first_score=None, second_score=None)
    counts = []
    for number in (1, 2):
        feed.sent(*played[:number])
        with CaptureQueriesContext(connection) as queries:
            feed.sent(*played[:number], *second[:number])
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_no_game_gives_a_result_in_an_event_of_micro_matches(feed: Feed) -> None:
    Pairing.objects.filter(round__event=feed.event, round__number=1, table=1).update(games_played=2)
    assert "Matches here have several games" in feed.sent(game("Ann", "Cas", "2-0"))[2][0]
    assert pairing(feed.event).kind == "pending"


def test_feed_stores_no_moves_of_a_hidden_player(feed: Feed) -> None:
    person = hide(feed.event, 1, feed.account)
    assert feed.sent(game("Ann", "Cas", "2-0"), game("Dov", "Bea", "2-0"))[0] == 1
    stored = pairing(feed.event)
    assert (stored.kind, stored.moves, stored.first.name) == ("pending", "", f"N.N. {person.pk}")


def test_report_lists_refused_results_before_strangers(feed: Feed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "MOST_LISTED", 2)
    strangers = [game(f"Stranger {number}", "Cas") for number in range(4)]
    listed = feed.put(game("Dov", "Bea", "0-2"), *strangers).json()["unmatched"]
    assert [each["white"] for each in listed] == ["Dov", "Stranger 3"]


def test_boards_of_a_match(feed: Feed) -> None:
    event = feed.event = create_team_event()
    match = Pairing.objects.get(round__event=event, table=1)
    Round.objects.filter(event=event, number=1).update(state=Round.State.PUBLISHED)
    Pairing.objects.filter(pk=match.pk).update(kind="pending", first_score=None, second_score=None)
    Game.objects.update(kind="pending", first_score=None, second_score=None)
    games = (game("Reds 1", "Blues 1", "1-0"), game("Blues 2", "Reds 2", "1-0"))
    updated, _, reasons = feed.sent(*games)
    match.refresh_from_db()
    assert (updated, reasons, match.first_score, match.second_score) == (2, [], 2, 2)
    assert {each.moves for each in Game.objects.all()} == {f"{OPENING} 1-0"}


def test_result_of_a_board_is_withdrawn_when_the_feed_has_the_second_game(feed: Feed) -> None:
    event = feed.event = create_team_event()
    Round.objects.filter(event=event, number=1).update(state=Round.State.PUBLISHED)
    Pairing.objects.filter(round__event=event, table=1).update(
        kind="pending", first_score=None, second_score=None
    )
    Game.objects.update(kind="pending", first_score=None, second_score=None)
    first = game("Reds 1", "Blues 1", "1-0")
    assert feed.sent(first, game("Blues 2", "Reds 2", "1-0")) == (2, 0, [])
    assert "several games of these players" in feed.sent(first, game("Blues 1", "Reds 1"))[2][0]
    assert [each.kind for each in Game.objects.order_by("board")[:2]] == ["pending", "played"]


def test_finished_lent_and_waiting_events_are_refused(feed: Feed) -> None:
    for about, text in (({"home": "Laptop"}, "Laptop"), ({"home": "", "state": "final"}, "No round")):
        Event.objects.update(**about)
        answer = feed.put(game("Ann", "Cas"))
        assert (answer.status_code, text in answer.json()["detail"]) == (409, True)
    Event.objects.update(state="live")
    Round.objects.update(state=Round.State.CLOSED)
    assert feed.put(game("Ann", "Cas")).status_code == 409
    assert not pairing(feed.event).moves


def test_size_and_number_of_games_are_limited(feed: Feed, monkeypatch: pytest.MonkeyPatch) -> None:
    assert feed.put("").status_code == feed.put("no games").status_code == 422
    monkeypatch.setattr("tournaments.admin.imports.import_jobs.MOST_GAMES", 1)
    answer = feed.put(game("Ann", "Cas"), game("Dov", "Bea"))
    assert (answer.status_code, "2 games" in answer.json()["detail"]) == (422, True)
    monkeypatch.setattr(endpoints, "MOST_FEED_BYTES", 10)
    assert feed.put(game("Ann", "Cas")).status_code == 413


def test_only_the_worker_parses_a_feed(feed: Feed, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[int] = []

    def counted(lines: Sequence[str]) -> Any:
        parsed.append(len(lines))
        return split_into_games(lines)

    monkeypatch.setattr(files, "wait_for_job", lambda _job, _seconds: None)
    monkeypatch.setattr(pgn, "split_into_games", counted)
    hostile = '[White "Ann"]\n[Black "' + "[" * 100_000 + '"]\n' + "{(" * 300_000 + "[%clk " * 100_000
    answer = feed.put(hostile)
    assert (answer.status_code, parsed) == (202, [])
    began = monotonic()
    work_off()
    assert (len(parsed), monotonic() - began < 20) == (1, True)
    assert Job.objects.get().state == Job.State.DONE
    assert not Upload.objects.exists()


def test_readers_see_the_last_move(feed: Feed) -> None:
    feed.sent(game("Ann", "Cas"))
    start = f"/events/{feed.event.slug}/rounds/2"
    assert "<small>2. Nf3</small>" in Client().get(f"{start}/").content.decode()
    live = Client().get(f"/events/{feed.event.slug}/live/").content.decode()
    assert "2. Nf3" in live.partition("Still open")[2]
    screen = Client().get(f"/events/{feed.event.slug}/screen/?show=pairings").content.decode()
    assert "<small>2. Nf3</small>" in screen
    page = Client().get(f"{start}/1/").content.decode()
    assert "In progress: 2. Nf3 (1:29:01 – 1:30:12)." in page
    assert "<pre>1. e4 e5 2. Nf3 *</pre>" in page
    assert OPENING in Client().get(f"/events/{feed.event.slug}.pdn").content.decode()


def test_readers_see_the_last_moves_of_a_match(feed: Feed) -> None:
    event = feed.event = create_team_event()
    Round.objects.filter(event=event, number=1).update(state=Round.State.PUBLISHED)
    Pairing.objects.filter(round__event=event, table=1).update(
        kind="pending", first_score=None, second_score=None
    )
    Game.objects.update(kind="pending", first_score=None, second_score=None)
    feed.sent(game("Reds 1", "Blues 1"))
    page = Client().get(f"/events/{event.slug}/rounds/1/1/").content.decode()
    assert '<span class="title">in progress: 2. Nf3 (1:29:01 – 1:30:12)</span>' in page
    assert "Not yet played" not in page
    for page in ("rounds/1/", "screen/?show=pairings", "live/"):
        text = Client().get(f"/events/{event.slug}/{page}").content.decode()
        assert '<b class="n move">2. Nf3</b>' in text
