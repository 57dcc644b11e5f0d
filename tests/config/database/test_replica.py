"""Pages are read from a replica only if it has the current data, and then from no other server."""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection, connections, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoDbBlocker, Settings

from config.database import circuit
from config.database import replica as replica_reads
from config.database.postgresql import base
from tests.cast import browser_of, create_account, create_player_event, create_team_event
from tests.clock import Clock
from tests.config.database.conftest import LONG
from tests.conftest import forget
from tests.linked import both_sides
from tests.routes import address_of, is_over_events, public_routes
from tests.standings.serving.test_every_address import ADDRESSES
from tests.streaming import DEADLINE, Replica, streaming_replica
from tournaments.models import Competitor, Event, Person, PersonLink, Player
from tournaments.operations.epoch import epoch_now
from tournaments.operations.restore_guard import Guard
from tournaments.people.hiding.anonymise import anonymise
from tournaments.people.matching.names import name_key

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "replica"])

PAGE = "/events/two-teams/standings/"
STAMPS = re.compile(
    r"\s*SELECT (event\.id AS pk|s\.epoch), .* FROM tournaments_(event event|siterevision s|\w+revision r)\b",
    re.DOTALL,
)
"""The queries of the primary for a page that is read from the replica: the state of the page."""

UNTIL = re.compile(rb'"until": "[^"]*"')
"""The time of a response for mirrors."""

PROBED = 2
"""Queries of a replica with a lag."""


@pytest.fixture(scope="module")
def server(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Replica]:
    """A replica, which Django allows in the tests because they name its alias."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no replica")
    about = connections.settings["default"]
    with streaming_replica(about["OPTIONS"]["host"]) as found, pytest.MonkeyPatch.context() as patched:
        here = about | {"OPTIONS": about["OPTIONS"] | {"host": str(found.folder)}}
        patched.setitem(
            connections.settings, "replica", here | {"TEST": about["TEST"] | {"MIRROR": "default"}}
        )
        yield found
        with django_db_blocker.unblock():
            connections["replica"].close()
        del connections["replica"]


@pytest.fixture
def replica(
    server: Replica,
    transactional_db: None,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> Replica:
    """The replica of the site, which has caught up with an event of two teams."""
    settings.DATABASE_ROUTERS = ["config.database.replica.Router"]
    monkeypatch.setattr(replica_reads, "PROBE", LONG)
    own = circuit.Circuit(1, "replica")
    monkeypatch.setattr(base, "REPLICA_CIRCUIT", own)
    monkeypatch.setattr(replica_reads, "REPLICA_CIRCUIT", own)
    both_sides(create_team_event())
    server.catch_up()
    return server


def visit(address: str, client: Client | None = None) -> tuple[Any, Sequence[str], Sequence[str]]:
    """Return the response, and the queries of the primary and of the replica."""
    with CaptureQueriesContext(connection) as here, CaptureQueriesContext(connections["replica"]) as there:
        answer = (client or Client()).get(address)
    return answer, [each["sql"] for each in here], [each["sql"] for each in there]


def ask_anew(address: str) -> tuple[Any, Sequence[str], Sequence[str]]:
    """Ask with an empty cache."""
    forget()
    return visit(address)


def rename(name: str) -> None:
    Competitor.objects.filter(event__slug="two-teams", number=1).update(name=name)


def rest(queries: Sequence[str]) -> list[str]:
    """Return the queries that do not read the state of a page."""
    return [each for each in queries if not STAMPS.match(each)]


def read_alone(addresses: Iterable[str], replica: Replica, subtests: Any) -> None:
    """Check that the new pages are read only from the replica, and equal those of the primary."""
    usual = {}
    with patch.object(replica_reads, "REPLICA", "none"):
        for address in addresses:  # this also writes what the first reader writes
            ask_anew(address)
            usual[address] = ask_anew(address)[0]
    replica.catch_up()
    for address in addresses:
        with subtests.test(address):
            answer, here, there = ask_anew(address)
            assert there
            assert rest(here) == []
            assert len(here) <= 4  # twice the state, which can be that of two persons
            assert answer.status_code == usual[address].status_code
            assert UNTIL.sub(b"", answer.content) == UNTIL.sub(b"", usual[address].content)


def test_new_page_is_read_from_the_replica(replica: Replica, subtests: Any) -> None:
    kinds = ("/", PAGE, "/events/two-teams.json", "/api/events/two-teams/", "/series/cup/", "/feed.atom")
    people = ("/people/", "/people/1/", "/teams/1/against/", "/people/records/", "/api/people/")
    read_alone((*kinds, *people, "/?q=reds"), replica, subtests)


@pytest.mark.exhaustive
def test_every_new_page_is_read_from_the_replica(replica: Replica, subtests: Any) -> None:
    of_people = filter(is_over_events, map(address_of, public_routes()))
    read_alone([*ADDRESSES, *of_people], replica, subtests)


@pytest.mark.parametrize("is_guarded", [True, False])
def test_pages_of_an_event_follow_while_the_replica_lags(
    replica: Replica, settings: Settings, tmp_path: Path, *, is_guarded: bool
) -> None:
    """Neither the comparison nor the restore guard takes the state of the replica for an older database."""
    settings.EPOCH_FILE = str(tmp_path / "served.sqlite3") if is_guarded else ""
    create_player_event()
    visit(PAGE)
    epoch = epoch_now()
    with replica.paused(), patch.object(Guard, "check") as check:
        rename("Crimsons")
        answer, _, there = visit(PAGE)
        assert b"Crimsons" in answer.content
        assert len(there) == PROBED

        poll, _, there = visit("/events/two-teams/poll/?revision=1&page=standings")
        assert b"Crimsons" in poll.content
        assert visit("/events/two-teams/poll/?revision=1&page=standings")[2] == []  # cached

        # An event that has not changed since is current on the replica.
        answer, here, there = visit("/events/two-players/standings/")
        assert answer.status_code == 200
        assert len(there) > PROBED
        assert rest(here) == []

        listed, here, there = visit("/api/events/two-teams/competitors/")
        assert b"Crimsons" in listed.content
        assert len(there) == PROBED
        assert check.mock_calls == []
    replica.catch_up()
    cached, _, there = visit(PAGE)
    assert b"Crimsons" in cached.content
    assert there == []
    answer, here, there = ask_anew(PAGE)
    assert b"Crimsons" in answer.content
    assert rest(here) == []
    assert epoch_now() == epoch


def test_hidden_person_disappears_while_the_replica_lags(replica: Replica) -> None:
    Player.objects.filter(name="Reds 1").update(name="Zora Quixley")
    Person.objects.filter(pk=1).update(name="Zora Quixley", key=name_key("Zora Quixley"))
    addresses = (
        *("/events/two-teams/rounds/1/1/", "/events/two-teams.json", "/people/", "/?q=quixley"),
        *("/people/1-zora-quixley/", "/people/1/feed.atom", "/api/people/1/", "/suggest/?q=zora"),
    )
    replica.catch_up()
    for address in addresses:
        assert b"Quixley" in visit(address)[0].content, address
    with replica.paused():
        Person.objects.filter(pk=1).update(hidden=True)
        with transaction.atomic():
            anonymise(Event.objects.get())
        for address in addresses:
            assert b"Quixley" not in visit(address)[0].content, address


def test_page_that_writes_is_read_from_the_primary(replica: Replica) -> None:
    visit("/people/")
    replica.catch_up()
    link = PersonLink.objects.get(person=1)
    link.delete()
    replica.catch_up()

    answer, here, there = visit("/people/")
    assert b"Reds 1" not in answer.content
    assert any(each.startswith("UPDATE") for each in here)
    assert not any(each.startswith("UPDATE") for each in there)
    replica.catch_up()
    answer, here, _ = ask_anew("/people/")
    assert b"Reds 1" not in answer.content
    assert rest(here) == []


def test_desk_and_sessions_use_the_primary(replica: Replica) -> None:
    browser = browser_of(create_account("anna", is_superuser=True))
    with replica.paused():
        rename("Crimsons")
        for address in ("/admin/", f"/admin/tournaments/event/{Event.objects.get().pk}/change/"):
            answer, _, there = visit(address, browser)
            assert answer.status_code in (200, 302)
            assert there == []


def test_primary_serves_if_the_replica_is_away(
    replica: Replica, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.METRICS_TOKEN = "token"
    clock = Clock()
    monkeypatch.setattr(circuit, "monotonic", clock)
    visit(PAGE)
    assert float(lag()) < inf
    with replica.stopped():
        for _broken_then_refused in range(2):
            forget()
            assert Client().get(PAGE).status_code == 200
            connections["replica"].close()
        assert base.REPLICA_CIRCUIT.is_open
        with patch.object(base.Connection, "connect") as connect:
            forget()
            assert Client().get(PAGE).status_code == 200
            assert Client().get("/readyz").content == b"ok, no worker, replica away\n"
            assert lag() == "+Inf"
            assert connect.mock_calls == []
        assert not base.CIRCUIT.is_open
    clock.sleep(circuit.PAUSE)
    replica.catch_up()
    assert rest(ask_anew(PAGE)[1]) == []
    assert not base.REPLICA_CIRCUIT.is_open


def test_primary_serves_if_the_replica_is_frozen(replica: Replica, monkeypatch: pytest.MonkeyPatch) -> None:
    visit(PAGE)
    monkeypatch.setattr(replica_reads, "PROBE", 0.1)
    with replica.frozen():
        answer, here, _ = ask_anew(PAGE)
        assert answer.status_code == 200
        assert rest(here)
        assert base.REPLICA_CIRCUIT.is_open


def test_promoted_replica_is_not_read(replica: Replica, monkeypatch: pytest.MonkeyPatch) -> None:
    connections["replica"].close()
    options = connections.settings["default"]["OPTIONS"]
    with monkeypatch.context() as patched:
        patched.setitem(connections["replica"].settings_dict, "OPTIONS", options)
        answer, here, there = visit(PAGE)
        assert answer.status_code == 200
        assert len(there) == 1
        assert rest(here)
        assert connections["replica"].connection.closed
        connections["replica"].close()
        assert replica_reads.replica_lag() == inf
        connections["replica"].close()


def test_lag_is_the_time_since_the_last_replayed_transaction(replica: Replica) -> None:
    """Other tests write to the same server, so the lag is seldom exactly 0."""
    with replica.paused():
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL synchronous_commit = on")
            rename("Crimsons")
        wait_for_lag(lambda seconds: 1 < seconds < inf)
    replica.catch_up()
    wait_for_lag(lambda seconds: seconds < 1)


def wait_for_lag(holds: Callable[[float], bool]) -> None:
    end = time.monotonic() + DEADLINE
    while not holds(seconds := replica_reads.replica_lag() or 0.0):
        assert time.monotonic() < end, f"{seconds} s"
        time.sleep(0.1)


def lag() -> str:
    """Return the lag in the metrics."""
    text = Client().get("/metrics", headers={"Authorization": "Bearer token"}).content.decode()
    return text.partition('crosstable_replica_lag_seconds{database="replica"} ')[2].partition("\n")[0]
