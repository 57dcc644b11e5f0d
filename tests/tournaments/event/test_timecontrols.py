"""The proposed kind of rating: from FIDE's code, the text of the time control, and the name of the event."""

import pytest

from tournaments.event.timecontrols import propose_kind


def proposed(code: str = "", words: str = "", name: str = "") -> str:
    found = propose_kind(code, words, name)
    return found.kind if found else ""


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("40/5400+30:1800+30", "standard"),
        ("3600", "standard"),  # 60 minutes is not rapid
        ("3000+10", "standard"),  # 50 minutes, and 600 seconds for 60 moves
        ("2990+10", "rapid"),
        ("900+10", "rapid"),
        ("601", "rapid"),
        ("600", "blitz"),
        ("180+2", "blitz"),
        ("40/1200+10:20/900:900", "rapid"),  # the last period begins after move 60
    ],
)
def test_code_gives_the_time_for_60_moves(code: str, kind: str) -> None:
    assert proposed(code) == kind


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("90 minutes for 40 moves, then 30 minutes, 30 seconds a move", "standard"),
        ("15 minutes + 10 seconds", "rapid"),
        ("15+10", "rapid"),
        ("3 + 2", "blitz"),
        ("90'+30\"", "standard"),
        ("15' + 5''", "rapid"),
        ("2 hours for 40 moves", "standard"),
        ("5 min", "blitz"),
        ("25 min. per speler", "rapid"),
        ("900+10", "rapid"),  # seconds: 900 minutes are not realistic
        ("FIDE rapid", "rapid"),
        ("by agreement", ""),
        ("", ""),
    ],
)
def test_time_control_text_gives_the_kind(words: str, kind: str) -> None:
    assert proposed("", words) == kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("World Women's Rapid Championship 2024", "rapid"),
        ("NK Snelschaken 2026", "blitz"),
        ("Stadtmeisterschaft im Schnellschach", "rapid"),
        ("Rapid & Blitz Saint Louis", ""),  # two lists, so none is proposed
        ("Hoogovens 1998", ""),
        ("Open 15 minutes from the station", ""),
    ],
)
def test_name_names_the_kind(name: str, kind: str) -> None:
    assert proposed("", "", name) == kind


def test_code_has_priority_over_time_control_and_name() -> None:
    assert proposed("5400+30", "15+10", "Blitz") == "standard"
    found = propose_kind("", "15+10", "Blitz")
    assert found is not None
    assert found == ("rapid", "15+10")
