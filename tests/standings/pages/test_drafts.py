"""Pairings of a draft round are shown at the desk only."""

import json
import re
from io import BytesIO, StringIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from tests.archives import zip_of
from tests.cast import create_account, match_file, stored_event, swiss_file
from tests.tournaments.recording.desk import file_of, round_of
from tournaments.event.choices import Kind
from tournaments.interchange.formats.json.reader import read
from tournaments.models import Event, Game, Pairing, Player, Round
from tournaments.recording.pairings.by_hand import Seats, add_pairings
from tournaments.recording.rounds.opening import open_round
from tournaments.recording.rounds.publishing import publish_pairings
from tournaments.recording.teams.lineups import BoardSeats, line_up

pytestmark = pytest.mark.django_db

SECRET = "Zebediah"
"""A player of the draft pairing; other pages have the name only in the list of players."""


@pytest.fixture
def arbiter(db: None) -> User:
    return create_account("anna")


@pytest.fixture
def swiss(arbiter: User) -> Event:
    """Four players: rounds 1 and 2 are public; in the draft of round 3 Ann has a bye and Bea meets Dov."""
    event = stored_event(swiss_file())
    Pairing.objects.filter(kind=Kind.PENDING).update(kind=Kind.PLAYED, first_score=2, second_score=2)
    add_pairings(open_round(event, arbiter), [Seats(2, 4), Seats(1)], arbiter)
    return event


@pytest.fixture
def teams(arbiter: User) -> Event:
    """Two teams with a draft of their only match and its line-up."""
    event = stored_event({**match_file(), "rounds": []})
    for team in event.competitors.all():
        Player.objects.create(competitor=team, name=f"{SECRET} {team.number}", board=1)
    [match] = add_pairings(open_round(event, arbiter), [Seats(1, 2)], arbiter)
    first, second = (team.players.get().pk for team in event.competitors.order_by("number"))
    line_up(match, [BoardSeats(1, 0, first, second, "first")], arbiter)
    return event


ROUND_3 = ("rounds/3/", "rounds/3/1/", "standings/after/3/", "standings/?after=3")
ANY_PAGE = (
    *("", "standings/", "competitors/", "competitors/1/", "competitors/2/", "statistics/", "changes/"),
    *("compare/2/4/", "rounds/", "rounds/2/", "standings/after/2/", "check/", "live/", "screen/"),
    *("followed/2/", "feed.atom", "competitors/2/feed.atom"),
)


def page(client: Client, event: Event, path: str) -> str:
    answer = client.get(f"/events/{event.slug}/{path}")
    assert answer.status_code == 200, path
    return answer.content.decode()


def test_pages_of_a_draft_are_not_found_before_publication(
    swiss: Event, arbiter: User, client: Client
) -> None:
    for path in ROUND_3[:3]:
        assert client.get(f"/events/{swiss.slug}/{path}").status_code == 404, path
    publish_pairings(round_of(swiss, 3), arbiter)
    for path in ROUND_3[:3]:
        assert client.get(f"/events/{swiss.slug}/{path}").status_code == 200, path


@pytest.mark.parametrize("path", ANY_PAGE)
def test_other_pages_are_unchanged_by_a_draft(swiss: Event, arbiter: User, client: Client, path: str) -> None:
    drafted = page(client, swiss, path)
    Round.objects.get(number=3).delete()
    assert unversioned(drafted) == unversioned(page(client, swiss, path))


def test_bye_counts_after_publication(swiss: Event, arbiter: User, client: Client) -> None:
    before = client.get(reverse("api-standings", args=[swiss.slug])).json()
    assert before["after"] == 2
    assert points_of(before, 1) == "3"
    publish_pairings(round_of(swiss, 3), arbiter)
    after = client.get(reverse("api-standings", args=[swiss.slug])).json()
    assert after["after"] == 3
    assert points_of(after, 1) == "5"


def test_api_omits_a_draft(swiss: Event, client: Client) -> None:
    assert [
        each["number"] for each in client.get(reverse("api-event", args=[swiss.slug])).json()["rounds"]
    ] == [
        1,
        2,
    ]
    assert client.get(reverse("api-round", args=[swiss.slug, 3])).status_code == 404
    assert client.get(reverse("api-standings-after", args=[swiss.slug, 3])).status_code == 404
    competitor = client.get(reverse("api-competitor", args=[swiss.slug, 1])).json()
    assert [each["round"] for each in competitor["rounds"]] == [1, 2]


@pytest.mark.django_db(transaction=True)  # an archive begins a transaction
@pytest.mark.parametrize("ending", ["json", "csv", "xlsx", "trf", "zip"])
def test_downloads_omit_a_draft(swiss: Event, client: Client, ending: str) -> None:
    address = reverse(f"event-{ending}", args=[swiss.slug])
    drafted = zip_of(client, address)
    content = bytes(drafted.getvalue())
    Round.objects.get(number=3).delete()
    without = bytes(zip_of(client, address).getvalue())
    if ending in {"xlsx", "zip"}:
        assert members_of(content) == members_of(without)
    else:
        assert content == without


def test_polling_returns_no_draft(swiss: Event, client: Client) -> None:
    response = client.get(f"/events/{swiss.slug}/poll/?revision=0&page=rounds/3")
    assert response.status_code == 404
    standings = client.get(f"/events/{swiss.slug}/poll/?revision=0&page=standings")
    assert "After round 3" not in standings.content.decode()


def test_line_up_of_a_draft_is_hidden(teams: Event, client: Client) -> None:
    assert Game.objects.count() == 1
    for path in ("", "standings/", "competitors/1/", "statistics/", "compare/1/2/"):
        found = page(client, teams, path)
        assert "rounds/1/" not in found, path
    Round.objects.update(state=Round.State.PUBLISHED)
    assert SECRET in page(client, teams, "rounds/1/1/")


def test_files_of_the_desk_and_the_command_contain_the_draft(swiss: Event, client: Client) -> None:
    """An export can be imported unchanged, and the public file is valid."""
    printed = StringIO()
    call_command("export_event", swiss.slug, stdout=printed)
    assert printed.getvalue() == file_of(swiss)
    assert json.loads(printed.getvalue())["rounds"][2]["state"] == "draft"
    public = client.get(reverse("event-json", args=[swiss.slug])).content.decode()
    assert read(public).findings == ()
    assert [each["number"] for each in json.loads(public)["rounds"]] == [1, 2]


def test_report_omits_a_draft(swiss: Event, client: Client) -> None:
    printed = StringIO()
    call_command("export_event", swiss.slug, "--format", "trf", stdout=printed, stderr=StringIO())
    assert printed.getvalue() == client.get(reverse("event-trf", args=[swiss.slug])).content.decode()


def test_standings_command_omits_a_draft(swiss: Event, tmp_path: Path) -> None:
    file = tmp_path / "event.json"
    file.write_text(file_of(swiss))
    for source in (swiss.slug, str(file)):
        printed = StringIO()
        call_command("standings", source, "--json", stdout=printed)
        assert json.loads(printed.getvalue())["after"] == 2


def test_pages_read_rounds_through_shown_only() -> None:
    """Pages read rounds, pairings and games through `tournaments.models.pairing` only."""
    past = re.compile(r"\b(Round|Pairing|Game)\.objects\b|\bstored\(")
    found = {
        f"{path.relative_to(settings.BASE_DIR)}: {line.strip()}"
        for path in (settings.BASE_DIR / "standings").rglob("*.py")
        for line in path.read_text().splitlines()
        if past.search(line)
    }
    whole = (
        "standings/management/commands/export_event.py",
        "standings/downloads/views.py: return stored(self.event).document",
        "standings/paper/",  # prints drafts at the desk
    )
    assert {line for line in found if not line.startswith(whole)} == set()


def points_of(told: dict[str, object], number: int) -> str:
    rows = told["rows"]
    assert isinstance(rows, list)
    values = next(row for row in rows if row["number"] == number)["values"]
    return str(values["points"]["text"] if "points" in values else next(iter(values.values()))["text"])


def unversioned(text: str) -> str:
    """Return a page without its revision."""
    return re.sub(
        r"(revision|version|data version|card\.png\?v)[^0-9]{0,20}?(?:[0-9a-f]+-)?\d+",
        r"\1",
        text,
        flags=re.IGNORECASE,
    )


def members_of(content: bytes) -> dict[str, str]:
    """Return the files of a ZIP without checksums and version."""
    with ZipFile(BytesIO(content)) as archive:
        names = [name for name in archive.namelist() if not name.endswith(("SHA256SUMS", "README.txt"))]
        return {name: unversioned(archive.read(name).decode(errors="replace")) for name in names}
