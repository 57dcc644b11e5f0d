"""An event with listed results such as Norway Chess's 3-0 and 1½-1, on the desk and on its pages."""

import csv
import io
import re
from html import unescape
from typing import Any

import openpyxl
import pytest
from django.urls import reverse
from django.utils.html import strip_tags

from tests.cast import Hall, browser_of, create_account, open_hall, save_settings, stored_event
from tests.markup import markup_of
from tests.tournaments.recording.desk import at, file_of
from tournaments.accounts.services.roles import Role
from tournaments.interchange.formats.json.reader import read
from tournaments.interchange.formats.json.writer import write
from tournaments.models import Event, Override

pytestmark = pytest.mark.django_db

NORWAY = [[3, 0], [1.5, 1]]


def norway_file() -> dict[str, Any]:
    """Return an event of four chess players: round 1 ended 3-0 and 1-1½, round 2 is open."""
    players = [{"number": each, "name": f"Player {each}", "rating": 2700 - each} for each in range(1, 5)]
    pairings = [
        {"table": 1, "first": 1, "second": 2, "score": [3, 0]},
        {"table": 2, "first": 3, "second": 4, "score": [1, 1.5]},
    ]
    awaited = [
        {"table": 1, "first": 4, "second": 1, "kind": "pending"},
        {"table": 2, "first": 2, "second": 3, "kind": "pending"},
    ]
    return {
        "format": "crosstable-event",
        "version": 1,
        "event": {
            "slug": "fjord",
            "name": "Fjord",
            "state": "live",
            "discipline": "chess",
            "entrants": "players",
            "schedule": "swiss",
            "rounds": 3,
            "scoring": {"results": NORWAY},
            "system": "manual-swiss",
            "criteria": ["total-score", "wins", "sonneborn-berger", "koya"],
        },
        "competitors": players,
        "rounds": [
            {"number": 1, "state": "closed", "pairings": pairings},
            {"number": 2, "state": "published", "pairings": awaited},
        ],
    }


@pytest.fixture
def fjord(db: None) -> Event:
    return stored_event(norway_file())


@pytest.fixture
def desk(fjord: Event) -> Any:
    """Return the browser of an organiser."""
    return browser_of(create_account("otto", Role.ORGANISER))


def text_of(answer: Any) -> str:
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", unescape(strip_tags(answer.content.decode())))


# --- settings
# ----------------------------------------------------------------------------------------------


def scoring_of(event: Event) -> tuple[str, int, int, int]:
    event = Event.objects.get(pk=event.pk)
    return event.game_results, event.game_win, event.game_draw, event.game_loss


def test_unchanged_settings_keep_listed_results(desk: Any, fjord: Event) -> None:
    assert save_settings(desk, fjord).status_code == 302
    assert scoring_of(fjord) == ("3-0 1½-1", 6, 3, 0)
    assert not Override.objects.filter(event=fjord).exists()


def test_listed_results_set_points_of_a_win(desk: Any, fjord: Event) -> None:
    fjord.rounds.all().delete()
    assert save_settings(desk, fjord, game_results="6-6, 12:0 11-1", game_win="7").status_code == 302
    assert scoring_of(fjord) == ("12-0 11-1 6-6", 24, 12, 0)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("3 to nothing", "is no list of results. Write 3-0, 1½-1."),
        ("1-1", "A win is missing from the results."),
        ("2½-0", "it must be a whole number"),
    ],
)
def test_invalid_list_is_refused(desk: Any, fjord: Event, written: str, said: str) -> None:
    fjord.rounds.all().delete()
    assert said in text_of(save_settings(desk, fjord, game_results=written))
    assert scoring_of(fjord) == ("3-0 1½-1", 6, 3, 0)


def test_list_without_a_stored_result_is_refused(desk: Any, fjord: Event) -> None:
    answer = save_settings(desk, fjord, game_results="3-0, 2-1", **{"rules-reason": "As announced."})
    assert answer.status_code == 200
    assert "1-1½" in text_of(answer)
    assert scoring_of(fjord) == ("3-0 1½-1", 6, 3, 0)


# --- results screen
# ----------------------------------------------------------------------------------------


def screen(event: Event, number: int = 2) -> str:
    return reverse("admin:results", args=[event.pk, number])


def enter(desk: Any, event: Event, *texts: str) -> Any:
    """Post texts for the lines of round 2, in their order."""
    form = desk.get(screen(event)).context
    fields = [field for _table, lines in form["tables"] for field in lines]
    posted: dict[str, str] = {}
    for field, text in zip(fields, texts, strict=False):
        posted |= {f"line-{field.row.key}": field.sent_back, f"text-{field.row.key}": text}
    return desk.post(screen(event), posted, follow=True)


def test_screen_lists_results_and_what_to_type(desk: Any, fjord: Event) -> None:
    answer = desk.get(screen(fjord))
    assert answer.context["figures"] == [("3", "3-0"), ("1½", "1½-1"), ("1", "1-1½"), ("0", "0-3")]
    said = text_of(answer)
    assert "Enter after each" in said
    assert "<kbd>1½</kbd> <kbd>Enter</kbd></dt><dd>1½-1</dd>" in answer.content.decode()
    assert "one key per result" not in said
    assert "micro-match" not in said


def test_other_events_use_single_keys(db: None) -> None:
    hall: Hall = open_hall()
    answer = hall.get("results", 2)
    assert answer.context["figures"] == []
    assert "one key per result" in text_of(answer)
    assert "micro-match" in text_of(answer)


def test_points_of_white_enter_result(desk: Any, fjord: Event) -> None:
    assert "2 results saved." in text_of(enter(desk, fjord, "1.5", "0"))
    stored = [(row.first_score, row.second_score) for row in (at(fjord, 2, 1), at(fjord, 2, 2))]
    assert stored == [(3, 2), (0, 6)]


def test_unlisted_result_is_refused_and_remains_in_field(desk: Any, fjord: Event) -> None:
    said = text_of(enter(desk, fjord, "2-1"))
    assert "1 line is not saved" in said
    assert "3-0, 1½-1" in said
    assert at(fjord, 2, 1).first_score is None


# --- pages
# -------------------------------------------------------------------------------------------------


@pytest.fixture
def played(desk: Any, fjord: Event) -> Event:
    """Return the event after 4 beat 1 by 1½-1 and 3 beat 2 by 3-0."""
    enter(desk, fjord, "1½", "0")
    return fjord


def figures(page: str) -> list[tuple[str, ...]]:
    """Return name and figures of every row, in table order."""
    rows = re.findall(r"scope=row role=rowheader class=who>.*?</tr>", page, re.DOTALL)
    return [
        (strip_tags(row.split(">", 1)[1].split("</th>")[0]), *re.findall(r'data-value="([^"]+)"', row))
        for row in rows
    ]


@pytest.mark.parametrize("page", ["standings", "crosstable"])
def test_tables_use_listed_scores(client: Any, played: Event, page: str) -> None:
    """1 has 3 + 1, 3 has 1 + 3; 4 has 1½ + 1½ and won both extra games; 2 has 0."""
    assert figures(client.get(f"/events/fjord/{page}/").content.decode()) == [
        ("Player 1", "4", "1", "3", "1"),
        ("Player 3", "4", "1", "3", "1"),
        ("Player 4", "3", "2", "12", "3"),
        ("Player 2", "0", "0", "0", "0"),
    ]


def test_pages_colour_wins_and_losses(client: Any, played: Event) -> None:
    """1½ is a win and 1 a loss, although neither is a complete win or loss."""
    page = markup_of(client.get("/events/fjord/rounds/2/"))
    assert '<b class="w">1½</b> <span>:</span> <b class="l">1</b>' in page
    table = client.get("/events/fjord/crosstable/").content.decode()
    assert 'aria-label="Round 2, black against Player 4, lost 1-1½"' in table
    assert 'aria-label="Round 2, white against Player 1, won 1½-1"' in table


@pytest.mark.parametrize("criterion", ["total-score", "wins", "sonneborn-berger", "koya"])
def test_explanations_have_listed_scores(client: Any, played: Event, criterion: str) -> None:
    said = text_of(client.get(f"/events/fjord/competitors/4/{criterion}/"))
    value = {"total-score": "= 3", "wins": "= 2", "sonneborn-berger": "= 12", "koya": "= 3"}[criterion]
    assert value in said


def test_overview_shows_scoring_in_both_languages(client: Any, played: Event) -> None:
    assert "3-0, 1½-1 a game" in text_of(client.get("/events/fjord/"))
    assert "3-0, 1½-1 per partij" in text_of(client.get("/nl/events/fjord/"))


def test_downloads_keep_listed_results(client: Any, played: Event) -> None:
    rows = list(csv.reader(io.StringIO(client.get("/events/fjord.csv").content.decode("utf-8-sig"))))
    assert ["3", "4", "Player 4", "", "2696", "3", "2", "12", "3"] in [row[:9] for row in rows]
    assert ["4", "Player 4", "", "1.5", "1", "", "1", "Player 1", "played"] in [row[4:13] for row in rows]
    book = openpyxl.load_workbook(io.BytesIO(client.get("/events/fjord.xlsx").content))
    cells = {cell.value for sheet in book for row in sheet.iter_rows() for cell in row}
    assert {"3b1½", "1w1½", 1.5} <= cells
    written = file_of(played)
    again = read(written).accepted
    assert again is not None
    assert write(again) == written
