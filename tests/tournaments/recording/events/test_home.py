"""The home of an event: lending, giving and taking back, and refusals."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar
from unittest.mock import Mock

import pytest
from django.contrib.auth.models import User
from django.db import connection
from pytest_django.fixtures import Settings

from config.database.faults import DatabaseAwayError
from config.push import NotSentError
from tests.cast import chess_swiss_file, stored_event
from tests.clock import Clock
from tournaments.interchange.formats.json.reader import read
from tournaments.models import Backup, Event
from tournaments.models.versioned import past_of
from tournaments.recording.events import home
from tournaments.recording.events.home import (
    Sender,
    borrow,
    end_lending,
    give_back,
    lend,
    return_home,
    unsent,
)
from tournaments.recording.events.publication import publish
from tournaments.recording.imports.importing import try_import
from tournaments.recording.locking import lock_event
from tournaments.recording.refusal import Busy, Refused
from tournaments.stored import Stored, stored

LAPTOP, SITE = "Laptop of hall 2", "https://site.example/"


def current(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


class TestLending:
    def test_the_site_refuses_changes_until_it_is_given_back(self, swiss: Event, arbiter: User) -> None:
        _lent, file = lend(swiss, LAPTOP, arbiter)
        with pytest.raises(Refused, match=f"changed at “{LAPTOP}”"), lock_event(swiss):
            pass
        with pytest.raises(Refused, match=LAPTOP):
            publish(swiss, "draft", arbiter, "A test of the refusal")
        return_home(swiss, LAPTOP, arbiter)
        with lock_event(swiss) as now:
            assert not now.home
        assert read(file).document

    def test_it_is_recorded_with_a_backup(self, swiss: Event, arbiter: User) -> None:
        lend(swiss, LAPTOP, arbiter)
        return_home(swiss, LAPTOP, arbiter)
        reasons = (
            past_of(Event).objects.order_by("history_id").values_list("history_change_reason", flat=True)
        )
        assert [*reasons][-2:] == [f"Lent to “{LAPTOP}”", f"Given back by “{LAPTOP}”"]
        assert Backup.objects.get(event=swiss).reason == f"Before it was lent to “{LAPTOP}”"

    def test_steps_can_be_repeated_by_the_same_home_only(self, swiss: Event, arbiter: User) -> None:
        assert lend(swiss, LAPTOP, arbiter) == lend(swiss, LAPTOP, arbiter)
        version = current(swiss).version
        with pytest.raises(Refused, match=LAPTOP):
            lend(swiss, "Another laptop", arbiter)
        with pytest.raises(Refused, match=LAPTOP):
            return_home(swiss, "Another laptop", arbiter)
        assert current(swiss).version == version
        return_home(swiss, LAPTOP, arbiter)
        return_home(swiss, LAPTOP, arbiter)
        assert current(swiss).version == version + 1

    def test_only_the_home_can_import_the_event(self, swiss: Event, arbiter: User) -> None:
        reading = read(lend(swiss, LAPTOP, arbiter)[1])
        assert try_import(reading, home=LAPTOP).accepted
        refused = try_import(reading)
        assert refused.accepted is None
        assert [each.code for each in refused.forbidden] == ["changed-elsewhere"]

    def test_taking_it_back_needs_a_reason(self, swiss: Event, arbiter: User) -> None:
        lend(swiss, LAPTOP, arbiter)
        with pytest.raises(Refused, match="Why is it taken back"):
            end_lending(swiss, arbiter, " ")
        end_lending(swiss, arbiter, "The laptop is lost")
        assert not current(swiss).home
        with pytest.raises(Refused, match="changed here already"):
            end_lending(swiss, arbiter, "Again")


class TestBorrowing:
    @pytest.fixture
    def borrowed(self, swiss: Event) -> Event:
        Event.objects.update(shown_at=SITE)
        return swiss

    def test_a_borrowed_event_is_changed_until_it_is_given_back(self, borrowed: Event, arbiter: User) -> None:
        with lock_event(borrowed):
            pass
        give_back(borrowed, arbiter)
        with pytest.raises(Refused, match=SITE), lock_event(borrowed):
            pass

    def test_an_event_that_was_given_back_is_not_taken_back(self, swiss: Event, arbiter: User) -> None:
        Event.objects.update(home=SITE)
        with pytest.raises(Refused, match="Borrow it again"):
            end_lending(swiss, arbiter, "Only the site can lend it again")

    def test_a_borrowed_event_cannot_be_lent(self, borrowed: Event, arbiter: User) -> None:
        with pytest.raises(Refused, match="itself lent"):
            lend(borrowed, LAPTOP, arbiter)

    @pytest.mark.parametrize("is_given_back", [True, False])
    def test_repeated_command_stores_the_token_and_replaces_no_changes(
        self, borrowed: Event, arbiter: User, *, is_given_back: bool
    ) -> None:
        kept: list[bool] = []
        site: Any = SimpleNamespace(
            event=borrowed.slug,
            address=SITE,
            request=lambda *_: {"status": 200, "is_yours": True},
            keep_token=lambda: kept.append(True),
        )
        if is_given_back:
            give_back(borrowed, arbiter)
            with pytest.raises(Refused, match="still being sent"):
                borrow(site)
        else:
            assert borrow(site) == borrowed
        assert kept == [True]

    @pytest.mark.parametrize(
        ("state", "text"),
        [
            ({"status": 200, "is_yours": False, "home": LAPTOP}, f"“{LAPTOP}”. Create a token of this name"),
            ({"status": 200, "is_yours": False, "home": ""}, "has taken it back"),
            ({"status": 403, "detail": "The token lacks the event."}, "lacks the event"),
        ],
    )
    def test_token_of_another_home_is_not_stored(
        self, borrowed: Event, state: dict[str, Any], text: str
    ) -> None:
        site: Any = SimpleNamespace(event=borrowed.slug, address=SITE, request=lambda *_: state)
        with pytest.raises(Refused, match=text):
            borrow(site)

    def test_an_interrupted_command_can_be_repeated(
        self, swiss: Event, arbiter: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        slug, file = swiss.slug, lend(swiss, LAPTOP, arbiter)[1]
        swiss.delete()

        def respond(_method: str, _path: str) -> dict[str, Any]:
            return {"status": 200, "file": file}

        site: Any = SimpleNamespace(event=slug, address=SITE, request=respond, keep_token=lambda: None)
        with monkeypatch.context() as patch:
            patch.setattr(home, "save", lambda *_: pytest.fail("killed"))
            with pytest.raises(pytest.fail.Exception):
                borrow(site)
        assert not Event.objects.filter(slug=slug).exists()
        assert borrow(site).shown_at == SITE

    def test_sending_continues_after_an_error(
        self, borrowed: Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        faults: list[BaseException] = [Busy(), KeyError("job"), KeyboardInterrupt()]

        def fail(*_: Any) -> str:
            raise faults.pop(0)

        monkeypatch.setattr(home.Sender, "send", fail)
        monkeypatch.setattr(home, "sleep", lambda _seconds: None)
        monkeypatch.setattr(connection, "close", lambda: None)
        monkeypatch.setattr(home, "close_old_connections", lambda: None)
        with pytest.raises(KeyboardInterrupt):
            home.Sender(tmp_path).run()

    def test_an_own_event_cannot_be_given_back(self, swiss: Event, arbiter: User) -> None:
        with pytest.raises(Refused, match="No site has lent"):
            give_back(swiss, arbiter)


class FakeSite:
    """The lending site, with revision 7: it records requests, and refuses files if `is_yours` is false."""

    requests: ClassVar[list[str]] = []
    answers: ClassVar[list[dict[str, Any]]] = []
    is_yours = True

    def __init__(self, address: str, _folder: Path, *, insecure: bool) -> None:
        assert (address, insecure) == (SITE, True)

    def put(self, path: str, content: bytes, **headers: str) -> dict[str, Any]:
        assert read(content).document
        assert headers == {"If-Match": '"7"'}
        self.requests.append(path.partition("?")[0])
        if self.answers:
            return self.answers.pop(0)
        return {"status": 200} if self.is_yours else {"status": 409, "detail": "It was taken back."}

    def request(self, method: str, path: str) -> dict[str, Any]:
        self.requests.append(f"{method} {path}")
        return {"status": 200, "is_yours": self.is_yours, "revision": 7}


class TestSender:
    def test_refused_change_is_stored_with_the_reason_and_sent_again(
        self, sender: Sender, swiss: Event, arbiter: User, monkeypatch: pytest.MonkeyPatch, clock: Clock
    ) -> None:
        answer = {
            "status": 422,
            "detail": "The file has errors.",
            "findings": [{"level": "error", "text": "Keep it."}],
        }
        monkeypatch.setattr(FakeSite, "answers", [answer] * 2)
        for _time in range(3):
            assert sender.send(current(swiss)) == "Keep it."
        since = unsent(swiss)["since"]
        assert unsent(swiss) == {"problem": "Keep it.", "since": since}
        assert len(FakeSite.requests) == 2  # the home of the event, and the file
        clock.sleep(61)
        assert sender.send(current(swiss)) == "Keep it."
        assert unsent(swiss)["since"] == since
        publish(swiss, "draft", arbiter, "A correction")
        assert sender.send(current(swiss)) == ""
        assert unsent(swiss) == {}

    def test_lost_network_is_stored_with_its_time(
        self, sender: Sender, swiss: Event, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def lose(*_: Any, **_headers: str) -> None:
            raise NotSentError("No connection.", 0)

        with monkeypatch.context() as patch:
            patch.setattr(FakeSite, "put", lose)
            assert sender.send(current(swiss)) == "No connection."
            assert unsent(swiss)["problem"] == "No connection."
        assert sender.send(current(swiss)) == ""
        assert unsent(swiss) == {}

    def test_lost_database_is_not_a_failure_of_the_event(
        self, sender: Sender, swiss: Event, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(home, "stored", Mock(side_effect=DatabaseAwayError))
            with pytest.raises(DatabaseAwayError):
                sender.send(current(swiss))
        assert unsent(swiss) == {}
        assert sender.send(current(swiss)) == ""

    @pytest.mark.django_db(transaction=True)
    def test_failure_of_an_event_is_shown_and_the_next_event_is_sent(
        self, swiss: Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
    ) -> None:
        settings.HOME, other = tmp_path, stored_event(chess_swiss_file())
        monkeypatch.setenv("CROSSTABLE_TOKEN", "secret")
        Event.objects.filter(pk=swiss.pk).update(shown_at="https://[site/")  # not an address
        Event.objects.filter(pk=other.pk).update(shown_at="http://127.0.0.1:1/")
        monkeypatch.setattr(home, "sleep", lambda _seconds: pytest.fail("one pass"))
        with pytest.raises(pytest.fail.Exception, match="one pass"):
            Sender(tmp_path).run()
        assert unsent(current(swiss))["problem"] == "Crosstable has failed (ValueError), see its log."
        assert unsent(current(other))["problem"].startswith("No connection to http://127.0.0.1:1/")

    @pytest.fixture
    def clock(self, monkeypatch: pytest.MonkeyPatch) -> Clock:
        clock = Clock()
        monkeypatch.setattr(home, "monotonic", clock)
        return clock

    @pytest.fixture
    def sender(
        self, swiss: Event, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, settings: Settings
    ) -> Sender:
        settings.HOME = tmp_path
        Event.objects.update(shown_at=SITE)
        swiss.refresh_from_db()
        monkeypatch.setattr(home, "Site", FakeSite)
        monkeypatch.setattr(FakeSite, "requests", [])
        return Sender(tmp_path)

    def test_every_change_is_sent_once(self, sender: Sender, swiss: Event, arbiter: User) -> None:
        for _time in range(2):
            assert sender.send(current(swiss)) == ""
        publish(swiss, "draft", arbiter, "A change")
        assert sender.send(current(swiss)) == ""
        assert FakeSite.requests == ["GET events/four-players/home", "events/four-players/file"] * 2

    def test_given_back_event_is_sent_before_the_lending_ends(
        self, sender: Sender, swiss: Event, arbiter: User
    ) -> None:
        give_back(swiss, arbiter)
        sender.send(current(swiss))
        address = "events/four-players/home"
        assert FakeSite.requests == [f"GET {address}", "events/four-players/file", f"DELETE {address}"]
        assert (current(swiss).home, current(swiss).shown_at) == (SITE, "")

    def test_event_that_the_site_took_back_can_no_longer_be_changed(
        self, sender: Sender, swiss: Event, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(FakeSite, "is_yours", False)
        assert sender.send(current(swiss)) == "It was taken back."
        with pytest.raises(Refused, match=SITE), lock_event(swiss):
            pass

    def test_file_that_another_worker_has_replaced_is_sent_again_at_once(
        self, sender: Sender, swiss: Event, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        answer = {"status": 412, "detail": "The event has revision 8 now."}
        monkeypatch.setattr(FakeSite, "answers", [answer])
        assert sender.send(current(swiss)) == "The event has revision 8 now."
        assert sender.send(current(swiss)) == ""

    def test_event_is_read_after_the_revision_of_the_site(
        self, sender: Sender, swiss: Event, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def read_event(event: Event) -> Stored:
            FakeSite.requests.append("read")
            return stored(event)

        monkeypatch.setattr(home, "stored", read_event)
        sender.send(current(swiss))
        address = "events/four-players"
        assert FakeSite.requests == [f"GET {address}/home", "read", f"{address}/file"]

    def test_settings_that_change_during_a_request_are_sent(
        self, sender: Sender, swiss: Event, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def change(*_: Any) -> dict[str, Any]:
            Event.objects.update(name="Lutsk Open")
            return {"status": 200, "is_yours": True}

        def put(_site: FakeSite, _path: str, content: bytes) -> dict[str, Any]:
            assert json.loads(content)["event"]["name"] == "Lutsk Open"
            return {"status": 200}

        monkeypatch.setattr(FakeSite, "request", change)
        monkeypatch.setattr(FakeSite, "put", put)
        assert sender.send(current(swiss)) == ""

    def test_event_that_was_borrowed_again_is_not_given_back(
        self, sender: Sender, swiss: Event, arbiter: User
    ) -> None:
        give_back(swiss, arbiter)
        before = current(swiss)
        Event.objects.update(home="")
        sender.send(before)
        assert FakeSite.requests == ["GET events/four-players/home", "events/four-players/file"]
        assert current(swiss).shown_at == SITE

    def test_event_that_another_worker_has_given_back_stays_at_the_site(
        self, sender: Sender, swiss: Event, arbiter: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        give_back(swiss, arbiter)
        before = current(swiss)
        Event.objects.update(shown_at="")
        monkeypatch.setattr(FakeSite, "is_yours", False)
        assert sender.send(before) == ""
        assert current(swiss).home == SITE
        assert unsent(swiss) == {}


def test_the_file_of_an_event_does_not_name_its_home(swiss: Event, arbiter: User) -> None:
    """A copy or a restored backup can be changed."""
    _lent, file = lend(swiss, LAPTOP, arbiter)
    assert LAPTOP not in file
    swiss.delete()
    assert not stored_event(json.loads(file)).home
