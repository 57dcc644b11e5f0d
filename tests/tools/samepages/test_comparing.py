"""Counts and output of a comparison of two visits."""

import pytest

from tools.samepages.__main__ import Answer, Comparison, report
from tools.samepages.visit import Request

DAYS = ("2026-11-22",)


def answer(number: int, body: str, status: int = 200) -> Answer:
    request = Request(f"/events/cup/competitors/{number}/")
    headers = {"Content-Type": "text/html; charset=utf-8"}
    return Answer(request, "competitors/<int:number>/", status, headers, body.encode(), DAYS)


def test_equal_responses_do_not_differ() -> None:
    comparison = Comparison()
    comparison.add(answer(1, "<ul><li>A</li></ul>"), answer(1, "<ul>\n  <li>A</li>\n</ul>\n"))
    assert (comparison.asked.total(), comparison.differing.total()) == (1, 0)
    assert report(comparison, 20) == 0


def test_change_shared_by_many_responses_is_printed_once(capsys: pytest.CaptureFixture[str]) -> None:
    comparison = Comparison()
    for number in range(3):
        comparison.add(answer(number, f"<p>Team {number}</p>"), answer(number, f"<p>Side {number}</p>"))
    comparison.add(answer(7, "<p>A</p>"), answer(7, "", 404))
    assert report(comparison, 20) == 1
    printed = capsys.readouterr().out
    assert "3 answers compared have this change" in printed
    assert "-<p>Team 0</p>\n+<p>Side 0</p>" in printed
    assert "Team 1" not in printed
    assert "-200\n+404" in printed
    assert "4 answers compared, 4 differ in 2 ways." in printed
