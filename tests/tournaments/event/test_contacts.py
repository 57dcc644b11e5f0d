"""E-mail addresses and telephone numbers are found in every text that readers see."""

import json
from typing import Any

import pytest

from tests.cast import match_file, swiss_file
from tournaments.event.hiddensigns import holds_contact
from tournaments.interchange.formats.json.reader import read

MAIL = "someone@example.org"


@pytest.mark.parametrize(
    "text",
    [
        MAIL, "a@game.org", "+31 6 1234 5678", "06-12345678", "(020) 123 45 67", "Tel. 12345678",
        "phone: 555 1234", "Telefoon 612 345 678", "WhatsApp 4712345678",
        "(555) 123-4567", "call 555-123-4567",
    ],
)  # fmt: skip
def test_a_contact_is_found(text: str) -> None:
    assert holds_contact(text)


@pytest.mark.parametrize(
    "text",
    [
        "2026-05-01", "FIDE id 12345678", "Hotel 2000", "1. e4 e5 2. Nf3", "2400 2395 2410", "Motel 6",
        "10.1234/abc.5678", "978-3-16-148410-0", "90+30", "5400+30", "buchholz@game", "koya@match/C1",
        "Telescope Open 2026",
    ],
)  # fmt: skip
def test_other_figures_are_no_contact(text: str) -> None:
    assert not holds_contact(text)


def _with(data: dict[str, Any], *path: str | int) -> dict[str, Any]:
    found: Any = data
    for each in path[:-1]:
        found = found[each] if isinstance(each, int) else found.setdefault(each, {})
    found[path[-1]] = f"Ann {MAIL}"
    return data


RECORD = {"round": 1, "table": 1, "reason": "R", "by": "A", "at": "2026-05-01T10:00:00Z"}
PLAYERS = {
    **swiss_file(),
    "changes": [RECORD | {"was": "0-2", "now": "2-0"}],
    "acknowledged": [RECORD | {"finding": "met-before"}],
    "published": {
        "order": [[1]], "columns": {"Pts": {"1": 2}}, "source": "S",
        "known": [{"what": "order", "competitors": [1], "why": "W"}],
        "after_round": {"1": {"order": [[1]], "source": "S"}},
    },
}  # fmt: skip
PLAYERS["competitors"][0] |= {"adjustments": [{"game": 1, "reason": "R"}]}
PLAYERS["event"] |= {
    "categories": [{"code": "W", "name": "Women", "sex": "w"}],
    "prizes": {"list": [{"place": 1, "goods": "Cup"}]},
    "officials": [{"name": "A", "role": "chief"}],
}


@pytest.mark.parametrize(
    "path",
    [
        ("event", "name"), ("event", "notes"), ("event", "categories", 0, "name"),
        ("event", "prizes", "list", 0, "goods"), ("event", "officials", 0, "name"),
        ("competitors", 0, "name"), ("competitors", 0, "adjustments", 0, "reason"),
        ("rounds", 0, "pairings", 0, "note"), ("changes", 0, "reason"), ("acknowledged", 0, "reason"),
        ("published", "source"), ("published", "publisher"), ("published", "known", 0, "why"),
        ("published", "after_round", "1", "source"),
    ],
)  # fmt: skip
def test_a_contact_in_any_text_of_an_event_file_is_a_finding(path: tuple[str | int, ...]) -> None:
    reading = read(json.dumps(_with(json.loads(json.dumps(PLAYERS)), *path)))
    assert reading.document, reading.findings
    assert "contact" in {each.code for each in reading.findings}


def test_a_contact_in_a_label_or_in_the_name_of_a_player_of_a_match_is_a_finding() -> None:
    labelled = json.loads(json.dumps(PLAYERS))
    labelled["published"]["columns"] = {MAIL: {"1": 2}}
    assert "contact" in {each.code for each in read(json.dumps(labelled)).findings}

    match = match_file()
    match["rounds"][0]["pairings"][0]["games"] = [{"board": 1, "first": f"Ann {MAIL}", "score": [1, 0]}]
    assert "contact" in {each.code for each in read(json.dumps(match)).findings}


def test_figures_are_no_contact() -> None:
    data = json.loads(json.dumps(PLAYERS))
    data["published"]["columns"] = {"Perf": {"1": 0.123456789}}
    assert "contact" not in {each.code for each in read(json.dumps(data)).findings}
