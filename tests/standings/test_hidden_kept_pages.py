"""Pages cached before a person was hidden are removed from all our caches immediately."""

from pathlib import Path

import pytest
from django.db import IntegrityError
from django.http import HttpResponseBase
from django.test import Client
from pytest_django.fixtures import Settings

from standings.caching.outage_copies import last_state
from tests.hiding import FIDE_ID, NAME, OTHER_NAME, TRACES, imported, players_file, teams_file
from tests.standings.test_hidden_person import content_of
from tournaments.models import Event, Person, PersonLink, PersonName
from tournaments.people.hiding.hidden_marks import hidden_marks
from tournaments.people.services.hiding import hide, hide_again

pytestmark = pytest.mark.django_db(transaction=True)

SLUG = "six-hidden"
ADDRESSES = (
    "/",
    "/events/six-hidden/",
    "/events/six-hidden/standings/",
    "/events/six-hidden/competitors/4/",
    "/events/six-hidden/competitors/4/feed.atom",
    "/events/six-hidden/rounds/1/",
    "/events/six-hidden/feed.atom",
    "/events/six-hidden.json",
    "/events/six-hidden.csv",
    "/events/six-hidden.xlsx",
    "/events/six-hidden.trf",
    "/events/six-hidden.zip",
    "/events/teams-hidden.pgn",
    "/events/teams-hidden/competitors/1/",
    "/api/events/six-hidden/standings/",
    "/api/events.ndjson",
    "/api/people/",
    "/people/",
)


@pytest.fixture
def zora(db: None) -> Person:
    """A visible person in two events; every page is cached."""
    imported(players_file())
    imported(teams_file())
    person = Person.objects.get(identifiers__value=str(FIDE_ID))
    PersonName.objects.create(person=person, name=OTHER_NAME)
    return person


def asked(address: str, etag: str = "") -> HttpResponseBase:
    """Return a response, read to its end, for a request with this ETag."""
    answer = Client().get(address, headers={"If-None-Match": etag} if etag else {})
    if answer.streaming:
        answer.getvalue()
    return answer


def told(address: str) -> str:
    return content_of(Client(), address)[0].decode(errors="replace").casefold()


def test_cached_page_is_generated_again_after_hiding(zora: Person) -> None:
    before = {}
    for address in ADDRESSES:
        content_of(Client(), address)
        before[address] = asked(address).get("ETag", "")
    own = f"/people/{zora.pk}-quixley-zora/"
    assert NAME.casefold() in told(own)
    assert "quixley" in told("/events/six-hidden/standings/")
    hide(zora, "otto", "Asked.")
    for address, etag in before.items():
        answer = asked(address, etag)

        assert answer.status_code in {200, 202}, address
        if not address.endswith((".zip", ".xlsx")):
            text = told(address)
            assert [each for each in TRACES if each.casefold() in text] == [], address
    answer = asked(own)
    assert (answer.status_code, answer["Location"]) == (302, f"/people/{zora.pk}/")


def test_search_does_not_find_a_hidden_name(zora: Person) -> None:
    searched = ("/?q={}", "/suggest/?q={}", "/find/?q={}", "/people/?q={}", "/api/people/?q={}")
    addresses = [each.format(q) for each in searched for q in ("zora", "quixlei", "quix", "99887766")]
    assert any("quixley" in told(each) for each in addresses)
    hide(zora, "otto", "Asked.")

    assert [each for each in addresses if "quixley" in told(each)] == []


def test_page_from_before_hiding_is_not_shown_during_an_outage(zora: Person) -> None:
    told("/events/six-hidden/standings/")
    told("/")
    last = last_state(SLUG)
    assert last is not None
    assert last.may_show(last.moment)
    hide(zora, "otto", "Asked.")

    assert not last.may_show(last.moment)


def test_entry_linked_by_an_import_is_hidden_again_after_a_restore(
    zora: Person, settings: Settings, tmp_path: Path
) -> None:
    settings.HIDDEN_FILE = str(tmp_path / "hidden.json")
    hide(zora, "otto", "Asked.")
    file = players_file()
    file["event"]["slug"] = "another"
    another = imported(file)
    [mark] = hidden_marks()

    assert another.pk in {each.event for each in mark.entries}


def test_new_persons_do_not_reuse_the_id_of_a_hidden_person_after_a_restore(
    zora: Person, settings: Settings, tmp_path: Path
) -> None:
    """The id sequence of the restored database is behind that id."""
    settings.HIDDEN_FILE = str(tmp_path / "hidden.json")
    later = Person.objects.create(pk=zora.pk + 1, name="Later", key="later")
    hide(later, "otto", "Asked.")
    Event.objects.all().delete()
    PersonLink.objects.all().delete()
    Person.objects.filter(pk=later.pk).delete()
    hide_again()
    try:
        made = Person.objects.create(name="New", key="new")
    except IntegrityError:
        pytest.fail("a new person gets the number of the one that came back")

    assert made.pk > later.pk
