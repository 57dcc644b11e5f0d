"""Names of hidden persons on the desk: histories and stored files are only for organisers."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.cast import create_account, swiss_file
from tests.hiding import FIDE_ID, NAME, imported, players_file
from tests.hiding import TRACES as HER
from tournaments.accounts.services.roles import Role
from tournaments.models import (
    Competitor,
    ErrorReport,
    Event,
    FormerSlug,
    Person,
    PersonName,
    Series,
    Team,
    Upload,
)
from tournaments.people.hiding.hidden_entries import originals_of
from tournaments.people.services.hiding import hide, show_person
from tournaments.people.services.mentions import MOST_PLACES
from tournaments.recording.events.backups import back_up
from tournaments.recording.imports.importing import keep_upload
from tournaments.recording.locking import attribute

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def otto(db: None) -> User:
    return create_account("otto", Role.ORGANISER)


@pytest.fixture
def anna(db: None) -> User:
    """Return the arbiter of the event."""
    return create_account("anna", Role.ARBITER)


@pytest.fixture
def event(otto: User, anna: User) -> Event:
    """Return an event with a player to be hidden, whose name is in its history, a backup and an upload."""
    event = imported(players_file())
    event.arbiters.add(anna)
    entry = Competitor.objects.get(event=event, number=4)
    for club in ("Club Vexburg", "Vexburg II"):
        entry.club = club
        attribute(entry, otto, f"{NAME} moved.")
        entry.save()
    back_up(event, otto, "Before.")
    accepted = {"reason": f"Agreed with {NAME}.", "objections": ["Quixley twice."]}
    ErrorReport.objects.create(event=event, page="/", revision=1, text=f"{NAME} is wrong.", answer="Quixley?")
    keep_upload(event, "players_quixley-zora.csv", b"4;Quixley, Zora", "otto", accepted)
    return event


@pytest.fixture
def zora(event: Event) -> Person:
    """Return the person to be hidden."""
    return Person.objects.get(identifiers__value=str(FIDE_ID))


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def pages_of(event: Event) -> list[str]:
    entry = Competitor.objects.get(event=event, number=4)
    desk = f"/admin/events/{event.pk}"
    return [
        f"/admin/tournaments/competitor/{entry.pk}/history/",
        f"/admin/tournaments/event/{event.pk}/history/",
        f"{desk}/import/",
        f"{desk}/backups/",
        f"{desk}/error-reports/",
        f"{desk}/",
    ]


def test_arbiter_sees_no_trace_of_hidden_name(event: Event, zora: Person, otto: User, anna: User) -> None:
    arbiter = client_of(anna)
    histories = [arbiter.get(each).content.decode() for each in pages_of(event)]
    assert NAME in histories[0]
    assert "quixley" in histories[2]
    hide(zora, otto, "Asked.", seen=zora.version)
    for each in pages_of(event):
        answer = arbiter.get(each)
        text = answer.content.decode().casefold()

        assert answer.status_code == 200
        assert [trace for trace in HER if trace.casefold() in text] == [], each


def test_organiser_sees_hidden_name(event: Event, zora: Person, otto: User) -> None:
    hide(zora, otto, "Asked.", seen=zora.version)
    pages = [client_of(otto).get(each).content.decode() for each in pages_of(event)]

    assert NAME in pages[0]
    assert "players_quixley-zora.csv" in pages[2]
    assert f"{NAME} is wrong." in pages[4]


def test_hide_page_lists_names_and_slugs_that_stay(event: Event, zora: Person, otto: User) -> None:
    """Names of events, series and teams and old slugs, in any script and with suffixes."""
    FormerSlug.objects.create(event=event, slug="quixley-open")
    Series.objects.create(slug="zq", name="Quixleys Cup")
    Team.objects.create(name="Квиксли и друзья", key="x", kind="clubs")
    PersonName.objects.create(person=zora, name="Зора Квиксли")
    Event.objects.filter(pk=event.pk).update(congress="Memorial Quixley")
    text = client_of(otto).get(f"/admin/people/{zora.pk}/hide/").content.decode()

    for each in ("quixley-open", "Quixleys Cup", "Квиксли и друзья", "Memorial Quixley"):
        assert each in text.partition("which may reveal")[2].partition("</p>")[0], each


def _hidden_places(zora: Person, otto: User) -> list[tuple[str, str, str]]:
    """Hide the person. Return where, line and address of each listed place."""
    values = {"asked": "1", "reason": "Asked.", "seen": str(zora.version)}
    answer = client_of(otto).post(f"/admin/people/{zora.pk}/hide/", values, follow=True)
    assert answer.redirect_chain == [(f"/admin/people/{zora.pk}/remaining/", 302)]
    return [(each["where"], each["line"], each["address"]) for each in answer.context["places"]]


def test_hiding_lists_each_place_with_the_surname(event: Event, zora: Person, otto: User) -> None:
    """Redaction does not change these texts. Invisible characters and other scripts are found as well."""
    PersonName.objects.create(person=zora, name="Зора Квиксли")
    desk = f"/admin/events/{event.pk}"
    namesake = Competitor.objects.filter(event=event).exclude(number=4).earliest("number")
    Competitor.objects.filter(pk=namesake.pk).update(name="Quixley, Hugo")
    Event.objects.filter(pk=event.pk).update(
        time_control="As in Квиксли's days",
        notes="First line\nQuix\u00adley opened the event.",
        categories=[{"code": "A", "name": "Quix\u200bley group"}],
        trf=["### protest of QUIXLEY"],
        prizes=[{"category": "", "place": 1, "name": "Quixley prize", "amount": 100, "goods": ""}],
        officials=[{"role": "arbiter", "name": "J. Quixley", "fide_id": None, "title": ""}],
    )
    Team.objects.create(name="Quixley Club", key="x", kind="clubs")
    other = swiss_file()
    other["event"] |= {"slug": "elsewhere", "name": "Elsewhere", "notes": "Sponsor: Quixley Ltd"}
    elsewhere = imported(other)
    places = _hidden_places(zora, otto)

    change = f"/admin/tournaments/event/{event.pk}/change/"
    expected = {
        ("Event: time control", "As in Квиксли's days", change),
        ("Event: notes", "Quix\u00adley opened the event.", change),
        ("Event: categories", "Quix\u200bley group", f"{desk}/categories/"),
        ("Event: TRF", "### protest of QUIXLEY", f"{desk}/import/"),
        ("Event: prizes", "Quixley prize", f"{desk}/prizes/"),
        ("Event: officials", "J. Quixley", change),
        ("Event: notes", "Sponsor: Quixley Ltd", f"/admin/tournaments/event/{elsewhere.pk}/change/"),
        ("Team: name", "Quixley Club", f"/admin/teams/{Team.objects.get(name='Quixley Club').pk}/"),
        (
            f"Competitor {namesake.number}: name",
            "Quixley, Hugo",
            f"/admin/tournaments/competitor/{namesake.pk}/change/",
        ),
    }
    assert expected <= set(places)
    assert [client_of(otto).get(address).status_code for *_, address in places] == [200] * len(places)


def test_hiding_lists_no_place_that_was_redacted(event: Event, zora: Person, otto: User) -> None:
    assert _hidden_places(zora, otto) == []


def test_listed_places_and_queries_are_bounded(event: Event, zora: Person, otto: User) -> None:
    hide(zora, otto, "Asked.", seen=zora.version)
    address, browser = f"/admin/people/{zora.pk}/remaining/", client_of(otto)
    counts = []
    for lines in (1, MOST_PLACES + 1):
        Event.objects.filter(pk=event.pk).update(categories=[{"name": "Quixley"}] * lines)
        with CaptureQueriesContext(connection) as queries:
            answer = browser.get(address)
        counts.append(len(queries))
    assert len(answer.context["places"]) == MOST_PLACES
    assert f"The first {MOST_PLACES} places are shown" in answer.content.decode()
    assert counts[1] <= counts[0] <= 50


def test_hide_page_lists_entries_with_likely_links(event: Event, zora: Person, otto: User) -> None:
    address = f"/admin/people/{zora.pk}/hide/"
    assert "likely links wait" not in client_of(otto).get(address).content.decode()
    file = swiss_file()
    file["event"] |= {"slug": "another", "name": "Another Open"}
    file["competitors"][0]["name"] = NAME
    imported(file)
    text = client_of(otto).get(address).content.decode()

    assert f"“{NAME}” in “Another Open”" in text.partition("likely links wait")[2].partition("</p>")[0]


def test_stored_files_are_for_organisers_while_person_is_hidden(
    event: Event, zora: Person, otto: User, anna: User
) -> None:
    backup, upload = event.backups.latest("pk"), event.uploads.latest("pk")
    desk = f"/admin/events/{event.pk}"
    files = [f"{desk}/backups/{backup.pk}/", f"{desk}/uploads/{upload.pk}/"]
    assert [client_of(anna).get(each).status_code for each in files] == [200, 200]
    hide(zora, otto, "Asked.", seen=zora.version)
    assert [client_of(anna).get(each).status_code for each in files] == [403, 403]
    assert [client_of(otto).get(each).status_code for each in files] == [200, 200]
    zora.refresh_from_db()
    show_person(zora, otto, "Asked.", seen=zora.version)

    assert [client_of(anna).get(each).status_code for each in files] == [200, 200]


def test_public_file_name_has_pseudonym(event: Event, zora: Person, otto: User) -> None:
    assert originals_of(event)[-1].name == "players_quixley-zora.csv"
    hide(zora, otto, "Asked.", seen=zora.version)

    assert originals_of(event)[-1].name == f"players_N.N. {zora.pk}.csv"
    assert Upload.objects.latest("pk").name == "players_quixley-zora.csv"
