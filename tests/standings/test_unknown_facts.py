"""Events with unknown colours or an unknown order of rounds: pages do not show these."""

import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from tournaments.interchange.formats.layouts.outline import EventOutline
from tournaments.models import Event, Pairing
from tournaments.recording.imports.importing import import_file, read_upload

pytestmark = pytest.mark.django_db

CASE = Path(__file__).parents[1] / "cases" / "square-cross-table-1914.csv"
COLOUR = re.compile(r"[○●]|\b(?:White|Black|white|black)\b")
ROUND = re.compile(r"\b[Rr]ounds?\b[^.<]{0,3}\d|\b[Rr]ound by [Rr]ound\b")
NO_SENTENCE = re.compile(r"<(style|script|head|footer)\b.*?</\1>|<[^>]*>", re.DOTALL)


@pytest.fixture
def square() -> Event:
    """Import the square cross table of 1914."""
    import_file(CASE.name, CASE.read_bytes(), announce=lambda _: None)
    return Event.objects.get()


def addresses(event: Event) -> list[str]:
    """Return the URLs of the event's public pages."""
    numbers = range(1, 5)
    below = [
        "", "standings/", "crosstable/", "rounds/", "competitors/", "statistics/", "changes/", "check/",
        "downloads/", "screen/", "paste/", "rounds/1/1/", "compare/1/2/", "standings/?cells=W12",
        *(f"competitors/{number}/" for number in numbers), "competitors/1/PTS/", "competitors/1/SB/",
    ]  # fmt: skip
    return [f"/events/{event.slug}/{each}" for each in below]


def test_no_page_shows_a_colour_or_a_round(square: Event) -> None:
    client = Client()
    assert square.unknown == ["colours", "round_order"]
    problems = []
    for address in addresses(square):
        answer = client.get(address)
        if answer.status_code == 404:
            continue
        shown = " ".join(NO_SENTENCE.sub(" ", answer.text).split())
        for pattern in (COLOUR, ROUND):
            problems += [
                f"{address}: …{shown[max(0, found.start() - 60) : found.end() + 60]}…"
                for found in pattern.finditer(shown)
            ]
    assert not problems, "\n".join(problems)


def test_marking_finds_events_of_earlier_releases(square: Event) -> None:
    Event.objects.update(unknown=[])
    out = StringIO()

    call_command("mark_unknown_facts", "--dry-run", stdout=out)
    assert Event.objects.get().unknown == []
    call_command("mark_unknown_facts", stdout=out)

    assert out.getvalue().splitlines() == [f"{square.slug}: colours, round_order"] * 2
    assert Event.objects.get().unknown == ["colours", "round_order"]


def test_marking_skips_events_with_corrected_rounds(square: Event) -> None:
    Event.objects.update(unknown=[])
    pairing = Pairing.objects.get(round__number=1, table=1)
    assert pairing.second is not None
    pairing.first, pairing.second = pairing.second, pairing.first
    pairing.first_score, pairing.second_score = pairing.second_score, pairing.first_score
    pairing.save()

    call_command("mark_unknown_facts", stdout=StringIO())

    assert Event.objects.get().unknown == []


def test_downloads_show_no_colour_and_no_round(square: Event) -> None:
    client = Client()
    Pairing.objects.filter(pk=Pairing.objects.earliest("pk").pk).update(
        kind="pending", first_score=None, second_score=None
    )
    texts = {}
    for ending in ("pgn", "games.csv", "trf", "csv"):
        answer = client.get(f"/events/{square.slug}.{ending}")
        texts[ending] = (b"".join(answer) if answer.streaming else answer.content).decode()

    assert '[Round "?"]' in texts["pgn"]
    assert "colours not known" in texts["games.csv"]
    assert texts["pgn"].count("{colours not known}") == texts["pgn"].count("[White ")
    assert "4w1" not in texts["csv"]
    assert "R1" not in texts["csv"]
    assert client.get(f"/events/{square.slug}.crosstable.csv").status_code == 404
    assert " w 1" not in texts["trf"]
    assert " - 1" in texts["trf"]


@pytest.mark.parametrize("ending", ["games.csv", "csv", "crosstable.csv", "pgn"])
def test_colours_stay_unknown_if_a_download_is_imported_again(square: Event, ending: str) -> None:
    Event.objects.update(unknown=["colours"])
    content = Client().get(f"/events/{square.slug}.{ending}").content
    square.delete()

    chosen = EventOutline().with_fact("entrants", "players", "chosen")
    reading = read_upload(f"other-1914.{ending}", content, chosen=chosen)

    assert reading.document is not None
    assert reading.document.event.unknown == ("colours",)
