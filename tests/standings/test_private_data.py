"""Undeclared content of files is not published."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from standings.downloads.views import FORMATS
from standings.management.commands.work import work_off
from tests.private import GAMES, MAIL, PHONE, PRIVATE, TORNELO
from tests.tournaments.interchange.formats.trf.reports import PLAYERS, document_of
from tournaments.event.document import Document
from tournaments.event.moves import publishable_moves
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.formats.layouts import LAYOUTS
from tournaments.interchange.formats.trf.publishing import publishable_lines, published_lines
from tournaments.interchange.public import public, publishable
from tournaments.models import Event, Pairing, Revision, SiteRevision
from tournaments.operations.revision import revision_of
from tournaments.operations.upkeep.housekeeping import remove_private_data
from tournaments.recording.imports import importing
from tournaments.recording.imports.importing import import_file, read_upload
from tournaments.stored import stored

EXAMPLES = [(f"file{each.endings[0]}", each.example) for each in LAYOUTS if each.example]


def imported(name: str, text: str) -> Event:
    import_file(name, text.encode(), announce=lambda _: None)
    return Event.objects.get()


def published(event: Event) -> Iterator[tuple[str, str]]:
    """Yield URL and content of every public file and page of an event."""
    client = Client()
    slug = event.slug
    addresses = [
        "/", f"/events/{slug}/", f"/events/{slug}/standings/", f"/events/{slug}/rounds/1/",
        f"/events/{slug}/rounds/1/1/", f"/events/{slug}/competitors/1/", f"/events/{slug}/report/",
        f"/events/{slug}/downloads/", f"/api/events/{slug}/", "/api/events.ndjson", "/added.atom",
        f"/events/{slug}/archive.zip",
    ]  # fmt: skip
    addresses += [f"/events/{slug}.{each.ending}" for each in FORMATS if each.fits(event)]
    for address in addresses:
        answer = client.get(address)
        if answer.status_code == 202:
            work_off()
            answer = client.get(address)
        content = b"".join(answer) if answer.streaming else answer.content
        yield address, content.decode(errors="replace")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("name", "text"), [("report.trf", TORNELO), ("games.pgn", GAMES)])
def test_undeclared_content_of_a_file_is_never_published(name: str, text: str) -> None:
    event = imported(name, text)

    pages = dict(published(event))
    assert f"/events/{event.slug}.json" in pages
    assert {
        (address, each) for address, content in pages.items() for each in PRIVATE if each in content
    } == set()
    assert bytes(event.uploads.get().file).decode() == text


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "text"), [*EXAMPLES, ("report.trf", TORNELO)])
@pytest.mark.parametrize("private", [MAIL, pytest.param(PHONE, marks=pytest.mark.exhaustive)])
def test_free_text_in_a_file_is_published_only_with_a_warning(name: str, text: str, private: str) -> None:
    lines = text.split("\n")
    planted = []
    for at in range(0, len(lines) + 1, 3):
        planted += ["\n".join([*lines[:at], more, *lines[at:]]) for more in (private, f"Contact: {private}")]
    for separator in ("\t", ";", ",", " | "):
        rest = (line + separator + private if line.strip() else line for line in lines[1:])
        planted.append("\n".join([f"{lines[0]}{separator}Contact", *rest]))
    planted += [
        text.replace("</", f"<note>{private}</note></", 3),
        text.replace("</td>", f" {private}</td>", 3),
    ]
    for each in planted:
        reading = read_upload(name, each.encode())
        if reading.accepted and private in write(public(reading.accepted)):
            assert "contact" in {finding.code for finding in reading.findings}


@pytest.mark.django_db
def test_import_reports_the_content_that_it_leaves_out() -> None:
    reading = read_upload("report.trf", TORNELO.encode())
    (message,) = [each.message for each in reading.findings if each.code == "not-published"]
    assert message.startswith("5 lines that match no field of the event were not imported")


@pytest.mark.parametrize(
    "moves",
    [
        "1. e4 e5 2. Qh5 Ke7 $4\n3. Qxe5# 1-0",
        "1.e4 e5 2.Nf3 (2.f4! exf4+-) Nc6?! 3.O-O-O+ bxa8=Q+!! 1/2-1/2",
        "1. d4 { [%eval 0.3] [%clk 1:30:00] } d5 *",
        "1. 32-28 17-21 2. 37-32 21x26x12 2-0",
        "1 P-K4 P-K4",
        "e2e4 e7e5 g1f3 e7e8q 1-0",
        '[ECO "C20"]\n[FEN "W:W31-50:B1-20"]\n\n1. e4 e5',
        '[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]\n\n*',
        '[TimeControl "40/5400+30:1800+30"]\n[Termination "time forfeit"]\n\n*',
    ],
)
def test_moves_without_free_text_are_unchanged(moves: str) -> None:
    assert publishable_moves(moves) == moves


def test_free_text_in_moves_is_removed() -> None:
    tags, _, movetext = GAMES.partition("\n\n")
    further = "\n".join(tags.split("\n")[7:])
    assert publishable_moves(f"{further}\n\n{movetext.strip()}") == (
        '[ECO "C20"]\n\n1. e4 {[%clk 0:01:02]} e5 2. Qh5\nKe7 (2... Nc6 ) 3. Qxe5# 1-0'
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("XXZ 2 3", "XXZ 2 3"),
        ("XXC white1", "XXC white1"),
        ("192 FIDE_TEAM_BAKU", "192 FIDE_TEAM_BAKU"),
        ("250  2          1   1    1    2", "250  2          1   1    1    2"),
        (f"XXZ 2 {MAIL}", ""),
        (f"XXZ 2 {PHONE}", ""),
        ("XXZ 06 1234 5678", ""),
        (f"### {MAIL}", ""),
        ("### Column guide", ""),
        (f"DAT 0001 EMAIL {MAIL}", ""),
        ("BEL    1 m GM Ash, Ann                          2310 BEL       12345 1990/01/02",
         "BEL    1   GM                                   2310 BEL"),
        (f"BEL    1      {MAIL}", ""),
        ("001    1                                             NED    A-12 02.01.1990",
         "001    1                                             NED"),
    ],
)  # fmt: skip
def test_only_known_parts_of_preserved_lines_are_published(line: str, expected: str) -> None:
    document = document_with(line)
    assert published_lines(document) == ((expected,) if expected else ())
    assert publishable_lines(document) == ((line,) if expected else ())


def document_with(line: str) -> Document:
    document = document_of(PLAYERS)
    return replace(document, event=replace(document.event, trf=(line,)))


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "text"), [("report.trf", TORNELO), ("games.pgn", GAMES)])
def test_housekeeping_removes_free_text_from_events_of_earlier_releases(
    name: str, text: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "publishable", lambda document: document)
    event = imported(name, text)
    revision = revision_of(event.pk)
    document = stored(event).document
    assert any(each in write(document) for each in PRIVATE)
    assert not any(each in write(public(document)) for each in PRIVATE)

    count = remove_private_data(dry_run=True)
    assert count
    assert stored(event).document == document
    assert remove_private_data(dry_run=False) == count
    assert remove_private_data(dry_run=False) == 0

    event.refresh_from_db()
    assert stored(event).document == publishable(document)
    assert revision_of(event.pk) != revision
    assert event.slug in caplog.text
    assert not any(each in caplog.text for each in PRIVATE)


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "text"), [("report.trf", TORNELO), ("games.pgn", GAMES)])
def test_housekeeping_reads_only_changed_events_until_the_rules_change(name: str, text: str) -> None:
    imported(name, text)
    first_pairing = Pairing.objects.order_by("pk")[:1].values("pk")
    long_ago = timezone.now() - timedelta(days=3)

    def remove(*, changed: bool) -> int:
        if name == "report.trf":
            Event.objects.update(trf=[f"### {MAIL}"])
        else:
            Pairing.objects.filter(pk__in=first_pairing).update(moves=f"1. e4 {{{MAIL}}} e5")
        if not changed:
            Revision.objects.update(changed_at=long_ago)
        count = remove_private_data(dry_run=True)
        assert remove_private_data(dry_run=False) == count
        return count

    assert remove(changed=False) == 1, "the first run reads all events"
    assert remove(changed=False) == 0
    assert remove(changed=True) == 1
    SiteRevision.objects.update(cleaned_form="older")
    assert remove(changed=False) == 1
