"""The static archive of an event is complete, self-contained and reproducible."""

import re
from collections.abc import Iterator
from contextlib import nullcontext
from datetime import UTC, datetime
from hashlib import sha256
from html import unescape
from pathlib import Path
from time import time as clock
from unittest.mock import patch

import pytest
from django.conf import settings
from django.core.management import call_command
from django.http import FileResponse
from django.http.response import HttpResponseBase
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from selectolax.lexbor import LexborHTMLParser

from standings.archive import store
from standings.archive.builder import OvertakenError, event_archive
from standings.archive.links import between_files
from standings.engine import get_criterion
from standings.pages.page_list import EVENT_PAGES, once
from tests.archives import ORIGIN, archived, faults, fewer_pages, sums_hold, unpacked, zip_of
from tests.cast import create_event_to_come, create_player_event, create_team_event
from tests.conftest import forget
from tests.demo import DEMO, SMALLEST_DEMO_EVENT, record
from tests.markup import markup_of
from tournaments.event.finding import errors
from tournaments.models import Change, Competitor, Event, FormerSlug, Game, Override, Published
from tournaments.operations.revision import present
from tournaments.recording.imports.importing import import_file

pytestmark = pytest.mark.django_db(transaction=True)

ZIP = "/events/two-teams.zip"


def bytes_of(answer: HttpResponseBase) -> bytes:
    assert isinstance(answer, FileResponse)
    return b"".join(answer)


@pytest.fixture
def event() -> Event:
    return create_team_event()


# --- what it holds ----------------------------------------------------------------------------------------


def test_contains_all_pages_the_data_and_a_readme(event: Event, tmp_path: Path) -> None:
    folder = archived("two-teams", tmp_path)
    assert faults(folder) == []
    assert sums_hold(folder)
    files = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
    pages = {name.removesuffix("index.html") for name in files if name.endswith("index.html")}
    rules = {page for page in pages if page.startswith("criteria/")}
    assert pages - rules == {
        *(page.route for page in EVENT_PAGES if page.archived is once),
        *("standings/category/A/", "prizes/", "rounds/1/"),
        *(f"competitors/{number}/" for number in (1, 2, 3)),
    }
    assert {"criteria/dsb/", "criteria/match-points/"} <= rules
    assert {"README.txt", "SHA256SUMS", "static/css/site.css", "two-teams.json", "two-teams.csv"} <= files


def test_a_round_robin_has_its_cross_table(tmp_path: Path) -> None:
    create_player_event()
    folder = archived("two-players", tmp_path)
    assert faults(folder) == []
    assert "href=../rounds/1/index.html#m1>" in (folder / "crosstable/index.html").read_text()
    assert "After round 1" in (folder / "two-players.crosstable.csv").read_text()
    assert (folder / "static/flags/nl.png").exists()
    assert not (folder / "static/flags/de.png").exists()


def test_an_event_that_has_not_begun(tmp_path: Path) -> None:
    create_event_to_come()
    assert faults(archived("to-come", tmp_path)) == []


def test_match_is_on_the_page_of_its_round(event: Event, tmp_path: Path) -> None:
    folder = archived("two-teams", tmp_path)
    page = (folder / "rounds/1/index.html").read_text()
    assert "<tbody id=m1><tr><th>1<th>" in page
    assert "<a href=#m1>" in page
    assert "<a href=../../competitors/2/index.html>" in page
    assert "id=m2" in page
    assert "href=../../rounds/1/index.html#m1" in (folder / "competitors/1/index.html").read_text()


def test_a_value_leads_to_how_it_came_about(event: Event, tmp_path: Path) -> None:
    folder = archived("two-teams", tmp_path)
    table = (folder / "standings/index.html").read_text()
    assert "href=../competitors/1/index.html#match-points" in table
    told = (folder / "competitors/1/index.html").read_text()
    assert "<h3 id=match-points><a href=../../criteria/match-points/index.html>Match points</a> = " in told
    assert "<a href=../../standings/index.html#c1>" in told
    assert "href=../2/index.html" in told
    assert get_criterion("match-points").rule in unescape(
        (folder / "criteria/match-points/index.html").read_text()
    )


def test_rounds_and_the_event_file_have_all_moves(tmp_path: Path) -> None:
    event = create_team_event()
    moves = Game.objects.filter(pairing__round__event=event, board=2)
    assert moves.update(moves="1. e4 e5 1/2-1/2") == 1
    folder = archived("two-teams", tmp_path)
    assert faults(folder) == []
    assert "<pre>1. e4 e5 1/2-1/2</pre>" in (folder / "rounds/1/index.html").read_text()
    assert "1. e4 e5 1/2-1/2" in (folder / "two-teams.json").read_text()


def test_ratings_of_a_player_lead_to_the_opponents(tmp_path: Path) -> None:
    record("2022-ouagadougou-open")
    with fewer_pages({"competitors/1/index.html"}):
        folder = archived("2022-ouagadougou-open", tmp_path)
    page = LexborHTMLParser((folder / "competitors/1/index.html").read_text())
    assert page.css("#ratings ~ .scroll a[href^='../']")


def test_a_value_of_an_earlier_round_is_text(tmp_path: Path) -> None:
    record("1947-vierkamp-den-haag")
    folder = archived("1947-vierkamp-den-haag", tmp_path)
    link = re.compile(r"competitors/\d/index.html#")
    assert link.search((folder / "standings/index.html").read_text())
    earlier = (folder / "standings/after/2/index.html").read_text()
    assert not link.search(earlier)
    assert "/index.html#m" not in earlier
    assert not (folder / "standings/after/3").exists()


def test_table_after_an_earlier_round_has_its_own_round_only(tmp_path: Path) -> None:
    record("1947-vierkamp-den-haag")
    names = ("standings/after/2/index.html", "standings/index.html")
    with fewer_pages(set(names)):
        folder = archived("1947-vierkamp-den-haag", tmp_path)
    earlier, final = (LexborHTMLParser((folder / name).read_text()) for name in names)
    assert [head.text() for head in earlier.css("th.round")] == ["R2"]
    assert [head.text() for head in final.css("th.round")] == ["R1", "R2", "R3"]
    assert earlier.css("#standings a[href$='competitors/1/index.html']")
    assert not earlier.css("#standings .r a, #standings .rating, #standings .flag")
    assert earlier.css("#strip .to-race[href='../../index.html']")


def test_states_source_and_date_without_a_data_version(event: Event, tmp_path: Path) -> None:
    Event.objects.update(licence="CC BY 4.0", sources=["Bulletin 9"], place="Łódź", start="2026")
    Change.objects.create(
        event=event, round=1, table=1, was="2-2", now="3-1", moved=[], reason="Typed wrongly.", by="A",
        at=datetime(2027, 1, 3, tzinfo=UTC),
    )  # fmt: skip
    folder = archived("two-teams", tmp_path)
    readme, page = (folder / "README.txt").read_text(), markup_of((folder / "index.html").read_text())
    assert "https://testserver/events/two-teams/\n" in readme
    for text in (readme, page):
        assert "updated until 3 January 2027" in text
        assert "data version" not in text
    licence = "Licence: CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/)"
    assert {"Łódź, 2026", licence, "- Bulletin 9"} <= set(readme.splitlines())
    assert "https://testserver/events/two-teams/ · updated until" in page
    assert "canonical" not in page


def test_citation_is_a_file_next_to_the_page(event: Event, tmp_path: Path) -> None:
    folder = archived("two-teams", tmp_path)
    page, entry = (folder / "index.html").read_text(), (folder / "two-teams.bib").read_text()
    assert "<a href=two-teams.bib>" in page
    assert f'<pre class="citation">{entry}</pre>' in page
    assert r"\url{https://testserver/events/two-teams/}" in entry
    assert "  two-teams.bib\n" in (folder / "SHA256SUMS").read_text()
    assert "- two-teams.bib\n" in (folder / "README.txt").read_text()


def test_a_table_as_ruled_offers_no_other(event: Event, tmp_path: Path) -> None:
    blues = Competitor.objects.get(event=event, number=2)
    Override.objects.create(
        event=event, number=1, kind="place", competitor=blues, place=1, reason="Ruled by the jury.", by="A"
    )
    folder = archived("two-teams", tmp_path)
    table = (folder / "standings/index.html").read_text()
    assert "Ruled by the jury." in table
    assert "as computed" not in table
    assert faults(folder) == []


# --- the same wherever it is made ---------------------------------------------------------------------------


def test_the_same_revision_makes_the_same_bytes(event: Event, tmp_path: Path) -> None:
    archived("two-teams", tmp_path / "a")
    forget()
    archived("two-teams", tmp_path / "b")
    first, second = ((tmp_path / name / "two-teams.zip").read_bytes() for name in "ab")
    assert first == second


@pytest.mark.parametrize("slug", SMALLEST_DEMO_EVENT)
def test_demo_event_is_complete_and_the_same_on_another_site(slug: str, tmp_path: Path) -> None:
    """Every link leads to a file, and importing the event file on another site gives the same archive.

    All pages of the smallest event are rendered, of the others a sample of each kind, or all with
    `CRAWL=all`.
    """
    record(slug)
    with nullcontext(()) if slug == "1947-vierkamp-den-haag" else fewer_pages() as left_out:
        folder = archived(slug, tmp_path / "here")
        there = contents(elsewhere(folder, tmp_path))
    assert faults(folder, left_out=left_out) == []
    assert sums_hold(folder)
    assert (folder / f"{slug}.json").read_bytes() == (DEMO / f"{slug}.json").read_bytes()
    assert there == contents(folder)
    assert {f"{slug}.json", "standings/index.html", "competitors/1/index.html"} <= there.keys()


def test_lists_imported_files_without_their_content(tmp_path: Path) -> None:
    table = b"Old cup 1987\nNo;Name;1;2;Pts\n1;Ann;2w1;2b1;2\n2;Bea;1b0;1w0;0\n"
    assert not errors(import_file("cups/old.csv", table, announce=lambda _: None))
    folder = archived("old-cup-1987", tmp_path)
    files = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    message = f"- old.csv, {len(table)} B, SHA-256 {sha256(table).hexdigest()}"
    assert message in files["README.txt"].decode()
    page = files["index.html"].decode()
    assert sha256(table).hexdigest() in page
    assert "cups/" not in page
    assert not any(table in content for content in files.values())


def test_its_event_file_imported_elsewhere_makes_the_same_archive(event: Event, tmp_path: Path) -> None:
    folder = archived("two-teams", tmp_path / "here")
    assert contents(elsewhere(folder, tmp_path)) == contents(folder)


def test_published_columns_have_a_fixed_order(event: Event, tmp_path: Path) -> None:
    columns = {"pts": {"2": "9", "1": "9"}, "MP": {"2": "9", "1": "9"}}
    Published.objects.create(event=event, order=[[2], [1], [3]], columns=columns)
    folder = archived("two-teams", tmp_path / "here")
    assert contents(elsewhere(folder, tmp_path)) == contents(folder)


def elsewhere(folder: Path, tmp_path: Path) -> Path:
    """Return the archive made on a site that has only imported the event file."""
    (file,) = (each for each in folder.glob("*.json") if "." not in each.stem)
    call_command("flush", interactive=False, verbosity=0)
    forget()
    call_command("import_event", str(file), verbosity=0)
    return archived(file.stem, tmp_path / "elsewhere")


def contents(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def test_event_that_changes_during_the_build_has_no_archive(event: Event) -> None:
    files = event_archive(present(event.pk), ORIGIN)
    next(files)
    Event.objects.update(name="Renamed")
    with pytest.raises(OvertakenError):
        list(files)


# --- as a download ------------------------------------------------------------------------------------------


def test_download(event: Event, client: Client, tmp_path: Path) -> None:
    answer = zip_of(client, ZIP)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    assert answer["Content-Disposition"] == 'attachment; filename="two-teams.zip"'
    assert not answer.cookies
    content = bytes_of(answer)
    assert len(content) == int(answer["Content-Length"])
    assert faults(unpacked(content, tmp_path / "unpacked")) == []
    assert client.get(ZIP, headers={"if-none-match": answer["ETag"]}).status_code == 304
    assert client.post(ZIP).status_code == 405


def test_is_made_once_and_again_after_a_change(
    event: Event, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    Event.objects.update(state=Event.State.FINAL)
    first = bytes_of(zip_of(client, ZIP))
    with patch.object(store, "write_zip", side_effect=AssertionError), django_assert_num_queries(1):
        assert bytes_of(zip_of(client, ZIP)) == first
    Event.objects.update(name="Renamed")
    assert bytes_of(zip_of(client, ZIP)) != first
    assert len(list(kept_in())) == 1


def test_an_event_in_progress_keeps_its_archive_for_five_minutes(
    event: Event, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = bytes_of(zip_of(client, ZIP))
    Event.objects.update(name="Renamed")
    assert bytes_of(zip_of(client, ZIP)) == first
    now = clock()
    monkeypatch.setattr(store, "clock", lambda: now + store.LIVE_PAUSE + 1)
    assert bytes_of(zip_of(client, ZIP)) != first


def test_archive_made_while_the_clock_was_ahead_is_not_shown_longer(
    event: Event, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = bytes_of(zip_of(client, ZIP))
    Event.objects.update(name="Renamed")
    now = clock()
    monkeypatch.setattr(store, "clock", lambda: now - 2 * store.LIVE_PAUSE)
    assert bytes_of(zip_of(client, ZIP)) != first


def test_drafts_and_removed_events_have_no_archive(event: Event, client: Client) -> None:
    FormerSlug.objects.create(event=event, slug="two")
    assert client.get("/events/two.zip")["Location"] == ZIP
    zip_of(client, ZIP).close()
    for state, status in ((Event.State.DRAFT, 404), (Event.State.REMOVED, 410)):
        Event.objects.update(state=state)
        assert zip_of(client, ZIP).status_code == status
    assert client.get("/events/nobody.zip").status_code == 404


def test_oldest_archives_are_deleted_beyond_the_maximum_size(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_team_event("first")
    create_team_event("second")
    monkeypatch.setattr(store, "MOST_BYTES", 1)
    for slug in ("first", "second"):
        zip_of(client, f"/events/{slug}.zip").close()
    left = Event.objects.get(slug="second")
    assert [path.name.partition("-")[0] for path in kept_in()] == [str(left.pk)]


def kept_in() -> Iterator[Path]:
    """Yield the archives on disk."""
    return Path(settings.ARCHIVES).glob("*.zip")


def test_pages_offer_it(event: Event, client: Client) -> None:
    for page in ("", "standings/"):
        assert f'<a href="{ZIP}">ZIP</a>' in client.get(f"/events/two-teams/{page}").content.decode()


# --- links between files ------------------------------------------------------------------------------------

FILES = {
    "/events/a/": "index.html",
    "/events/a/rounds/1/": "rounds/1/index.html",
    "/events/a/x/?after=2": "values/index.html#x",
    "/static/a.css": "static/a.css",
}


@pytest.mark.parametrize(
    ("live", "kept"),
    [
        ('<a href="/events/a/">A</a>', '<a href="../../index.html">A</a>'),
        ('<a class="b" href="../../" id="c">A</a>', '<a class="b" href="../../index.html" id="c">A</a>'),
        ('<a href="../1/#top">A</a>', '<a href="#top">A</a>'),
        ('<a href="#top">A</a>', '<a href="#top">A</a>'),
        ('<a href="/events/a/x/?after=2">A</a>', '<a href="../../values/index.html#x">A</a>'),
        ('<a href="/events/a/x/?after=1">A</a>', "<span>A</span>"),
        ('<a class="b" href="/events/b/" aria-label="c"><b>A</b></a>', '<span class="b"><b>A</b></span>'),
        ('<a href="https://a.example/">A</a>', '<a href="https://a.example/">A</a>'),
        ('<link rel="stylesheet" href="/static/a.css">', '<link rel="stylesheet" href="../../static/a.css">'),
    ],
)
def test_links(live: str, kept: str) -> None:
    assert between_files(live, "/events/a/rounds/1/", "rounds/1/index.html", FILES.get) == kept


def test_missing_picture_is_an_error() -> None:
    with pytest.raises(LookupError, match=r"/media/a\.png"):
        between_files('<img src="/media/a.png">', "/events/a/", "index.html", FILES.get)
