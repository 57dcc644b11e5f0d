"""No text makes a regular expression slow: none of the product takes more than linear time.

`re` keeps the interpreter's lock while it matches, so one slow match stops every request of its process.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import matching
from tests.attacks import attacks, repeats_groups_possessively
from tests.patterns import Found, patterns

MATCHING = Path(__file__).with_name("matching.py")

LAYOUTS = "tournaments.interchange.formats.layouts."
BOUNDED = {
    "standings.archive.": "pages of our templates: texts in them are escaped, and every element is closed",
    "standings.pages.pictures:": "our style sheets, and the start tag of a chart",
    "tournaments.interchange.formats.encoding_evidence._CAPITAL_INSIDE": "the first 100 characters of a word",
    "tournaments.interchange.formats.foreign_files._PATTERNS": "at the beginning of a file, or bounded",
    f"{LAYOUTS}chess_results._NAMED": "matched at the beginning of at most 120 characters",
    f"{LAYOUTS}game_list._RESULT_LAST": "a line of at most 200 characters, blanks as one",
    f"{LAYOUTS}game_list._RESULT_BETWEEN": "a line of at most 200 characters, blanks as one",
    f"{LAYOUTS}game_list._TO_COME": "a line of at most 200 characters, blanks as one",
    f"{LAYOUTS}game_texts._COMMENTS": "the last characters of the moves of a game",
    f"{LAYOUTS}olimpbase._MATCH": "a line of at most 200 characters, blanks as one",
    f"{LAYOUTS}olimpbase._BOARD": "a line of at most 200 characters, blanks as one",
    "tournaments.interchange.formats.tables.text.FORMULA": "a file's name or a message in an import's report",
}
"""Expressions that are not linear, or the beginning of their names, and why their texts stay short."""

BUILT = {
    "standings.api.responses: PARAMETERS.get(name, ANY)": "a table of the module",
    "standings.pages.events.error_report: "
    "f'/(?:{prefixes})?events/{re.escape(event.slug)}/[!-~]*'": "languages",
    "standings.caching.cached_pages: pattern": "an address of ours",
    "standings.caching.cached_pages: VALUES.get(name, ANY)": "a table of the module",
    """standings.pages.events.preview: f'="{own}'""": "an address of ours",
    r"standings.pages.events.preview: f'\\A{own}'": "an address of ours",
    "tournaments.accounts.services.sessions: pattern": "a table of the module",
    r"standings.pages.pictures: f'padding-{each}: (\\d+)px'": "two words of the module",
    "tournaments.interchange.formats.foreign_files: part": "a table of the module, without repetition",
    "tournaments.interchange.formats.foreign_files: start": "a table of the module, only at the beginning",
    "tournaments.event.moves: pattern": "a table of the module, each bounded",
    "tournaments.people.hiding.import_filter: f'{re.escape(pseudonym)}(?![0-9])'": "an escaped text",
    r"tournaments.people.hiding.redaction: f'(?<!\\w)(?:{words})(?!\\w)'": "escaped words, no repetition",
    "tournaments.recording.teams.board_orders: separator": "a table of the module",
}
"""Expressions that a function builds, and from which texts. Users cannot change them."""


@pytest.fixture(scope="module")
def product() -> tuple[list[Found], list[str]]:
    return patterns()


@pytest.mark.exhaustive
def test_no_expression_of_the_product_takes_more_than_linear_time(
    product: tuple[list[Found], list[str]],
) -> None:
    slow = _slow(product[0])

    assert {name: slow[name] for name in slow if not name.startswith(tuple(BOUNDED))} == {}


def test_every_exemption_names_an_expression(product: tuple[list[Found], list[str]]) -> None:
    names = [each.place for each in product[0]]

    assert [each for each in BOUNDED if not any(name.startswith(each) for name in names)] == []


def test_expressions_that_are_built_in_functions_are_known(product: tuple[list[Found], list[str]]) -> None:
    assert product[1] == sorted(BUILT)


def test_only_single_characters_are_repeated_possessively(product: tuple[list[Found], list[str]]) -> None:
    """Python before 3.11.5 gives some of them up after a group that went back: gh-106052."""
    assert [each.place for each in product[0] if repeats_groups_possessively(each.pattern, each.flags)] == []


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(r"\s*(?:<!--.*?-->\s*)*[<{]chessresults\b", id="comments"),
        pytest.param(r"(.*\w.*?) *[(/|] *(.*\w.*?)\)?", id="two writings of a name"),
        pytest.param("(?:[^\\W\\d_])+(?:['ʼ](?:[^\\W\\d_])+)*", id="words with apostrophes"),
        pytest.param(r"(?:(a|b)*c?)*d", id="nested"),
        pytest.param(r"\s*\*+\)\s*$", id="blanks"),
        pytest.param(r"a*?[ab]*?\Z", id="adjacent"),
        pytest.param(r"{[^}]*}", id="not closed"),
    ],
)
def test_attacks_find_slow_expressions(pattern: str) -> None:
    found = Found("it", pattern, re.DOTALL, frozenset({"fullmatch", "finditer"}))

    assert "it" in _slow([found])


@pytest.mark.parametrize(
    "pattern",
    [
        r"\s*+(?>(?:<!--.*?-->\s*+)*)[<{]chessresults\b",
        r"(?>(?:a*b)*)c",
        r"[a-z]+ \d{1,4}",
    ],
)
def test_attacks_leave_linear_expressions_in_peace(pattern: str) -> None:
    assert _slow([Found("it", pattern, re.DOTALL, frozenset({"fullmatch"}))]) == {}


@pytest.mark.parametrize(("power", "is_slow"), [(1, False), (2, True)])
def test_load_makes_no_linear_expression_slow(
    power: int, is_slow: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of three matches take ten times as long as without load."""
    clock, calls = 0.0, 0

    def match(text: str) -> None:
        nonlocal clock, calls
        calls += 1
        clock += len(text) ** power * (1 if calls % 3 == 0 else 10)

    monkeypatch.setattr(matching, "thread_time", lambda: clock)
    assert (matching.growth(match, "", "a", "") > matching.MOST_GROWTH) is is_slow


def _slow(found: list[Found]) -> dict[str, list[object]]:
    tried = [(each, attacks(each.pattern, each.flags)) for each in found]
    tried = [each for each in tried if each[1]]
    lines = [json.dumps([each.pattern, each.flags, sorted(each.methods), texts]) for each, texts in tried]
    program = [sys.executable, str(MATCHING)]
    done = subprocess.run(
        program, input="\n".join(lines), capture_output=True, text=True, check=True, timeout=600
    )
    answers = map(json.loads, done.stdout.splitlines())
    return {each.place: answer for (each, _), answer in zip(tried, answers, strict=True) if answer}
