"""`publish_archive` writes static files, and only the changed ones."""

import io
import json
import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from errno import ENOSPC
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.translation import get_language
from pytest_django import Settings

from standings.archive import builder
from standings.archive.builder import File, Origin
from standings.archive.site import Site
from standings.careers.medals import refresh_all
from standings.catalogue import listing
from standings.management.commands.publish_archive import Progress
from standings.management.commands.work import work_off
from tests.archives import faults, sums_hold
from tests.cast import create_player_event, create_team_event
from tests.conftest import forget
from tests.proposals import create_open, play_round, propose
from tests.replay import built_once
from tournaments.models import Competitor, Event, Job, Revision
from tournaments.operations.revision import revision_of as last_revision
from tournaments.search.index import refresh

pytestmark = pytest.mark.django_db(transaction=True)

Moments = dict[str, int]

CREATED = datetime(2026, 5, 1, tzinfo=UTC)

_rules: dict[tuple[Origin, str | None], list[File]] = {}
"""Cache of the criteria pages, which all sites share."""


@pytest.fixture(autouse=True)
def rules_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    make = Site._rules_and_schema

    def make_once(site: Site) -> Iterator[File]:
        key = (site.origin, get_language())
        if key not in _rules:
            _rules[key] = list(make(site))
        return iter(_rules[key])

    monkeypatch.setattr(Site, "_rules_and_schema", make_once)


@pytest.fixture
@built_once
def events() -> list[Event]:
    """An event, its next edition, and an event without series; none is live."""
    found = [create_team_event(), create_team_event("next-cup"), create_player_event()]
    for event, (name, start) in zip(
        found, (("Cup", "2025"), ("Next Cup", "2026"), ("Match", "2024")), strict=True
    ):
        Event.objects.filter(pk=event.pk).update(name=name, start=start, state=Event.State.FINAL)
    Revision.objects.update(changed_at=CREATED, public_at=CREATED)
    return found


def publish(out: Path, *slugs: str, **options: object) -> str:
    """Run the command and return its output."""
    output = io.StringIO()
    call_command("publish_archive", *slugs, out=out, everything=not slugs, stdout=output, **options)
    return output.getvalue()


_published: dict[tuple[object, ...], Path] = {}
"""Cache of published folders by the revisions of their events."""


@pytest.fixture
def site(events: list[Event], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Publish all events. Tests with the same rows copy the cached folder."""
    rows = tuple(Revision.objects.order_by("event").values_list())
    if rows not in _published:
        _published[rows] = tmp_path_factory.mktemp("published")
        publish(_published[rows])
    shutil.copytree(_published[rows], tmp_path, dirs_exist_ok=True)
    return tmp_path


def moments(folder: Path) -> Moments:
    """Return the modification time of each file."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.stat().st_mtime_ns for file in files}


def written(before: Moments, after: Moments) -> set[str]:
    """Return the pages that were written in between."""
    return {name for name in after if after[name] != before.get(name) and name.endswith(".html")}


@pytest.fixture
def paired(admin_user: User) -> Event:
    """A finished chess open, whose pairings the worker can check, and another event."""
    create_player_event()
    event = create_open(10)
    propose(event, admin_user, 1)
    play_round(event, 1)
    Event.objects.update(state=Event.State.FINAL)
    Job.objects.all().delete()
    return event


def test_site_with_events_equal_in_all_filters_is_published(tmp_path: Path) -> None:
    create_player_event()
    assert publish(tmp_path / "site") == "3 changed, 0 unchanged.\n"


def test_publishing_queues_no_check_of_pairings(paired: Event, tmp_path: Path) -> None:
    publish(tmp_path / "site")
    assert not Job.objects.exists()
    assert "Not checked yet" not in (tmp_path / f"site/events/{paired.slug}/check/index.html").read_text()


def test_jobs_of_the_worker_change_no_published_file(paired: Event, tmp_path: Path) -> None:
    out = tmp_path / "site"
    publish(out)
    files = [each for each in out.rglob("*") if each.is_file() and ".parts" not in each.parts]
    before = {each: each.read_bytes() for each in files}
    revision = last_revision(paired.pk)
    Client().get(f"/events/{paired.slug}/check/")
    work_off()
    refresh()
    refresh_all(lambda _left: None)
    assert last_revision(paired.pk) > revision
    told = publish(out)
    assert [each for each in files if each.read_bytes() != before[each]] == []
    assert told == "0 changed, 4 unchanged.\n"


def test_site_has_all_events_and_lists(events: list[Event], tmp_path: Path) -> None:
    out = tmp_path / "site"
    assert publish(out) == "5 changed, 0 unchanged.\n"
    assert faults(out) == []
    assert sums_hold(out)
    home = (out / "index.html").read_text()
    assert "href=events/two-teams/standings/index.html>" in home
    assert "<a href=criteria/index.html>Rules</a>" in home
    assert "Search" not in home
    cup = (out / "series/cup/index.html").read_text()
    assert cup.index("../../events/next-cup/index.html") < cup.index("../../events/two-teams/index.html")
    page = (out / "events/two-teams/index.html").read_text()
    assert "<a href=../../series/cup/index.html>Cup</a>" in page
    assert "<a rel=next href=../next-cup/index.html>" in page
    assert (out / "events/two-teams/two-teams.json").exists()


def test_site_has_404_page_sitemap_and_feed(events: list[Event], tmp_path: Path) -> None:
    publish(tmp_path, base_url="https://example.github.io/results/")
    base = "https://example.github.io/results/"
    assert faults(tmp_path) == []
    assert sums_hold(tmp_path)
    assert (tmp_path / ".nojekyll").read_bytes() == b""
    assert f"Sitemap: {base}sitemap.xml" in (tmp_path / "robots.txt").read_text()
    addresses = re.findall("<loc>(.*?)</loc>", (tmp_path / "sitemap.xml").read_text())
    assert {base, f"{base}events/two-teams/", f"{base}series/cup/"} <= set(addresses)
    files = {tmp_path / address.removeprefix(base) / "index.html" for address in addresses}
    assert [file for file in files if not file.is_file()] == []
    page = (tmp_path / "events/two-teams/standings/index.html").read_text()
    assert f"<link rel=canonical href={base}events/two-teams/standings/>" in page
    feed = (tmp_path / "feed.xml").read_text()
    assert f'<link href="{base}events/two-teams/index.html" rel="alternate"/>' in feed
    assert "<id>https://localhost/events/two-teams/</id>" in feed
    # Hosts show this page at any URL, where relative links would not work.
    missing = (tmp_path / "404.html").read_text()
    assert f"href={base}static/css/site.css" in missing
    assert f"href={base}index.html>All events</a>" in missing
    with pytest.raises(CommandError, match="--base-url"):
        publish(tmp_path, base_url="example.github.io")


@pytest.mark.exhaustive
def test_events_have_preview_pictures_if_the_base_url_is_known(events: list[Event], tmp_path: Path) -> None:
    base = "https://example.github.io/results/"
    publish(tmp_path, base_url=base)
    for event in events:
        picture = (tmp_path / f"events/{event.slug}/card.png").read_bytes()
        assert picture[:8] == b"\x89PNG\r\n\x1a\n"
        for page in (tmp_path / "events" / event.slug).rglob("*.html"):
            named = re.findall(r'property=og:image[^>]*?content="?([^">\s]+)', page.read_text())
            assert named == [f"{base}events/{event.slug}/card.png"], page
    assert publish(tmp_path, base_url=base) == "0 changed, 5 unchanged.\n"
    publish(tmp_path)
    assert list(tmp_path.rglob("card.png")) == []
    assert "og:image" not in (tmp_path / "events/two-teams/index.html").read_text()


def test_links_are_relative_without_a_base_url(site: Path) -> None:
    assert not (site / "sitemap.xml").exists()
    assert "canonical" not in (site / "index.html").read_text()
    assert "href=static/css/site.css" in (site / "404.html").read_text()
    assert 'href="events/two-teams/index.html"' in (site / "feed.xml").read_text()


def test_search_has_all_events_and_players(site: Path) -> None:
    told = called((site / "search/events.js").read_text(), "archiveEvents")
    assert [event["slug"] for event in told["events"]] == ["next-cup", "two-teams", "two-players"]
    assert "href=events/next-cup/standings/index.html" in told["events"][0]["line"]
    offered = [filter_["key"] for filter_ in told["filters"]]
    assert offered == ["discipline", "schedule", "entrants", "year"]
    assert [event["keys"][offered.index("year")] for event in told["events"]] == ["2026", "2025", "2024"]
    names = called((site / "search/names.js").read_text(), "archiveNames")
    assert names[2][:4] == [1, "Ann", 2, "Bea"]
    assert {"Reds", "Blues"} <= set(names[0][1::2])


def called(script: str, function: str) -> Any:
    """Return the argument of the function call in a script."""
    return json.loads(script.removeprefix(f"{function}(").removesuffix(");\n"))


def test_interrupted_run_changes_nothing(events: list[Event], site: Path) -> None:
    before = moments(site)
    Event.objects.filter(pk=events[0].pk).update(name="Renamed")
    stopped = patch.object(builder, "render_to_string", side_effect=KeyboardInterrupt)
    with stopped, pytest.raises(KeyboardInterrupt):
        publish(site)
    assert moments(site) == before
    publish(site)
    assert "Renamed" in (site / "events/two-teams/index.html").read_text()
    assert sums_hold(site)


@pytest.mark.exhaustive
def test_a_long_list_has_pages(events: list[Event], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing.Listing.__init__, "__defaults__", (2,))
    publish(tmp_path)
    assert faults(tmp_path) == []
    assert "href=pages/2/index.html>" in (tmp_path / "index.html").read_text()
    assert "Match" in (tmp_path / "pages/2/index.html").read_text()


def test_a_second_run_writes_nothing(site: Path) -> None:
    before = moments(site)
    forget()
    assert publish(site) == "0 changed, 5 unchanged.\n"
    assert moments(site) == before


def test_changed_event_and_pages_that_show_it_are_written(events: list[Event], site: Path) -> None:
    before = moments(site)
    # Not the winner, because the home page names winners.
    Competitor.objects.filter(event=events[2], number=2).update(name="Anna")
    assert publish(site) == "2 changed, 3 unchanged.\n"
    assert '"Anna"' in (site / "search/names.js").read_text()
    assert {name.split("/")[1] for name in written(before, moments(site))} == {"two-players"}
    before = moments(site)
    Event.objects.filter(pk=events[1].pk).update(name="Second Cup")
    assert publish(site) == "3 changed, 2 unchanged.\n"
    touched = {re.sub(r"(events/[^/]+)/.*", r"\1", name) for name in written(before, moments(site))}
    assert touched == {
        "index.html",
        "series/index.html",
        "series/cup/index.html",
        "events/two-teams",
        "events/next-cup",
    }
    assert faults(site) == []
    assert sums_hold(site)


def test_neighbouring_edition_links_to_a_changed_slug(events: list[Event], site: Path) -> None:
    Event.objects.filter(pk=events[1].pk).update(slug="second-cup")
    publish(site)
    page = (site / "events" / events[0].slug / "index.html").read_text()
    assert "second-cup" in page
    assert "next-cup" not in page


def test_deleted_file_is_written_again(site: Path) -> None:
    page = site / "events/two-teams/rounds/1/index.html"
    page.unlink()
    assert publish(site) == "1 changed, 4 unchanged.\n"
    assert page.exists()


def test_lost_metadata_rewrites_no_page(site: Path) -> None:
    (site / ".parts/event-two-teams.json").write_text("[]")
    (site / ".parts/site.json").unlink()
    before = moments(site)
    publish(site)
    assert written(before, moments(site)) == set()


def test_obsolete_page_is_deleted(events: list[Event], site: Path) -> None:
    Competitor.objects.create(event=events[2], number=3, name="Cid")
    publish(site)
    assert (site / "events/two-players/competitors/3/index.html").exists()
    Competitor.objects.filter(event=events[2], number=3).delete()
    publish(site)
    assert not (site / "events/two-players/competitors/3").exists()
    assert faults(site) == []


def test_files_of_a_removed_event_are_deleted_with_prune_only(events: list[Event], site: Path) -> None:
    Event.objects.filter(pk=events[2].pk).update(state=Event.State.REMOVED)
    told = publish(site)
    assert "No longer public, still in the folder (--prune deletes them): two-players." in told
    assert "two-players" not in (site / "index.html").read_text()
    assert (site / "events/two-players/index.html").exists()
    assert (site / "static/flags/fr.png").exists()
    assert "Deleted: two-players." in publish(site, prune=True)
    assert not (site / "events/two-players").exists()
    assert faults(site) == []
    assert sums_hold(site)


def test_selected_events_are_published_in_separate_folders(events: list[Event], tmp_path: Path) -> None:
    assert publish(tmp_path, "two-teams", "two-players") == "2 changed, 0 unchanged.\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        ".parts",
        "SHA256SUMS",
        "two-players",
        "two-teams",
    ]
    for slug in ("two-teams", "two-players"):
        assert faults(tmp_path / slug) == []
        assert sums_hold(tmp_path / slug)
    assert publish(tmp_path, "two-teams") == "0 changed, 1 unchanged.\n"


def test_in_dutch(events: list[Event], tmp_path: Path) -> None:
    publish(tmp_path, language="nl")
    assert faults(tmp_path) == []
    assert "<html lang=nl>" in (tmp_path / "events/two-teams/index.html").read_text()
    assert "https" not in (tmp_path / "index.html").read_text()


def test_pages_link_to_the_live_site(events: list[Event], tmp_path: Path, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = [".example.org"]
    publish(tmp_path, "two-teams", address="https://results.example.org")
    told = (tmp_path / "two-teams/README.txt").read_text()
    assert "https://results.example.org/events/two-teams/" in told
    for wrong in (None, "https://elsewhere.example", "ftp://results.example.org", "results.example.org"):
        with pytest.raises(CommandError, match="--address"):
            publish(tmp_path, "two-teams", address=wrong)


@pytest.mark.parametrize(
    ("slugs", "options", "message"),
    [
        ((), {"everything": False}, "Say which events"),
        (("two-teams",), {"everything": True}, "Say which events"),
        (("two-teams",), {"prune": True}, "Say which events"),
        (("two-teams", "nobody"), {}, "There is no public event nobody"),
    ],
)
def test_invalid_options_are_refused(
    events: list[Event], tmp_path: Path, slugs: tuple[str, ...], options: dict[str, bool], message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("publish_archive", *slugs, out=tmp_path, **options)


def test_a_draft_is_not_published(events: list[Event], tmp_path: Path) -> None:
    Event.objects.update(state=Event.State.DRAFT)
    with pytest.raises(CommandError, match="no public event two-teams"):
        publish(tmp_path, "two-teams")
    publish(tmp_path)
    assert not (tmp_path / "events").exists()


def test_unwritable_folder_is_an_error(events: list[Event], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="cannot be written"):
        publish(tmp_path / "file", "two-teams")


@pytest.mark.exhaustive
def test_event_that_keeps_changing_is_reported_and_the_others_are_published(
    events: list[Event], tmp_path: Path
) -> None:
    def revision_of(pk: int) -> int:
        return -1 if pk == events[0].pk else last_revision(pk)

    with (
        patch.object(builder, "revision_of", revision_of),
        pytest.raises(CommandError, match="not published: two-teams"),
    ):
        publish(tmp_path, "two-teams", "two-players")
    assert (tmp_path / "two-players/index.html").exists()
    assert not (tmp_path / ".parts/event-two-teams.json").exists()


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_bar_is_only_shown_on_a_terminal() -> None:
    for stream, shown in ((Terminal(), True), (io.StringIO(), False)):
        progress = Progress(2, stream)
        progress.begin("two-teams")
        progress.finish()
        progress.begin("two-players")
        progress.tell(1, 2)
        progress.finish()
        progress.clear()
        told = stream.getvalue()
        assert ("1/2 two-teams" in told, "2/2 two-players" in told) == (shown, shown)
        assert "\n" not in told
        assert told.endswith("\x1b[K") == shown


def full_after(written: int) -> Any:
    """Simulate a disk that is full after `written` files.

    The last one is incomplete, and the error has no name.
    """
    left, write = [written], Path.write_bytes

    def write_bytes(path: Path, content: bytes) -> int:
        left[0] -= 1
        if left[0] >= 0:
            return write(path, content)
        write(path, content[:10])
        raise OSError(ENOSPC, "No space left on device")

    return patch.object(Path, "write_bytes", write_bytes)


def test_full_disk_is_reported_and_leaves_no_partial_folder(events: list[Event], tmp_path: Path) -> None:
    out = tmp_path / "new" / "site"
    out.parent.mkdir()
    with full_after(10), pytest.raises(CommandError, match=r"/site/\S+ cannot be written: No space left"):
        publish(out, "two-teams")
    assert list(out.parent.iterdir()) == []

    publish(out, "two-teams")
    before = moments(out)
    for files in (0, 3):
        with full_after(files), pytest.raises(CommandError, match="No space left on device"):
            publish(out, "two-teams", "next-cup")
        assert moments(out) == before
        assert not [each for each in out.rglob("*") if each.is_dir() and not any(each.iterdir())]
    assert publish(out, "next-cup") == "1 changed, 0 unchanged.\n"
    assert faults(out) == []
    assert all(sums_hold(out / slug) for slug in ("two-teams", "next-cup"))
