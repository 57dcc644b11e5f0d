"""Published values of real events are reproduced. The event files name the sources."""

from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from standings.checking.comparing import Agreement, agreements_with_published
from standings.engine import Standings, all_criteria
from tests.engine.examples import recomputed
from tournaments.event.document import Document
from tournaments.event.judging import judge_document
from tournaments.interchange.formats.json.reader import read

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "tournaments" / "demo"
GOLDEN = ROOT / "tests" / "golden"
EVENTS = sorted([*DEMO.glob("*.json"), *GOLDEN.glob("*.json")])


def read_document(path: Path) -> Document:
    reading = read(path)
    assert reading.errors == ()
    assert reading.document is not None
    return reading.document


@cache
def judged(path: Path) -> tuple[Document, Standings]:
    document = read_document(path)
    return document, judge_document(document)


def agreements(path: Path) -> dict[str, Agreement]:
    document, standings = judged(path)
    assert document.published is not None
    return {
        agreement.label: agreement for agreement in agreements_with_published(standings, document.published)
    }


@pytest.mark.parametrize("path", EVENTS, ids=lambda path: path.stem)
def test_published_order_is_reproduced(path: Path) -> None:
    document, _ = judged(path)
    assert document.event.sources
    order = agreements(path)["order"]
    assert order.rows > 0
    assert order.differences == []


@pytest.mark.parametrize("step", [10, pytest.param(1, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("path", EVENTS, ids=lambda path: path.stem)
def test_every_value_is_the_fold_of_its_terms(path: Path, step: int, subtests: pytest.Subtests) -> None:
    """For every tenth competitor; the exhaustive run includes all."""
    _, standings = judged(path)
    for criterion in all_criteria():
        with subtests.test(criterion.code):
            rows = range(0, len(standings.table.names), step)
            explained = [standings.explain(row, criterion.code) for row in rows]
            assert [recomputed(found) for found in explained] == [found.computed for found in explained]
            assert [found.levels for found in explained] == [found.computed for found in explained]


def test_batumi_reasons_and_three_published_dsb_values() -> None:
    path = DEMO / "olympiad-2018-open.json"
    document, standings = judged(path)
    assert document.published is not None
    position = {number: at for at, number in enumerate(standings.table.numbers[standings.order].tolist())}
    published = [number for place in document.published.order for number in place]
    pairs = list(pairwise(published))
    assert len(pairs) == 184
    assert sum(position[above] < position[below] for above, below in pairs) == 184
    assert not any(row.shared for row in standings.rows())
    assert agreements(path)["dSB"].agreeing == agreements(path)["dSB"].rows == 3


def test_chennai_has_the_published_rows() -> None:
    found = agreements(DEMO / "olympiad-2022-open.json")
    assert {label: (found[label].agreeing, found[label].rows) for label in ("dSB", "pts", "dSMP")} == {
        "dSB": (6, 6),
        "pts": (6, 6),
        "dSMP": (7, 7),
    }


def test_ouagadougou_has_the_published_truncated_solkoff() -> None:
    found = agreements(DEMO / "2022-ouagadougou-open.json")
    assert (found["Total"].agreeing, found["SSolk"].agreeing, found["order"].agreeing) == (68, 68, 68)


def test_ouagadougou_solkoff_plus_decides_seven_ties() -> None:
    _, standings = judged(DEMO / "2022-ouagadougou-open.json")
    assert [row.decided_by for row in standings.rows()].count("solkoff-plus") == 7


def test_den_haag_has_a_tie_that_no_criterion_breaks() -> None:
    _, standings = judged(DEMO / "1947-vierkamp-den-haag.json")
    assert [(row.place, row.shared) for row in standings.rows()] == [
        (1, True),
        (1, True),
        (3, False),
        (4, False),
    ]


def test_club_teams_with_byes_have_the_published_order() -> None:
    """The third tie-break of the source is Buchholz in match points under the olympiad policy of 2010."""
    document, standings = judged(GOLDEN / "bavarian-club-teams.json")
    assert document.published is not None
    column = standings.column("buchholz@match").column
    ours = {str(n): str(column.value(row)) for row, n in enumerate(standings.table.numbers.tolist())}
    assert ours == document.published.columns["TB3"]
    assert len(ours) == 11


@pytest.mark.parametrize(
    ("slug", "values", "rows"),
    [
        ("2018-moscow-open-a", ("PTS", "BH", "BH/C1", "SB"), 220),
        ("2025-potsdam-swiss", ("PTS", "BH", "SB", "WIN"), 21),
    ],
    ids=["rules of 2009", "rules of 2024"],
)
def test_published_columns_follow_the_fide_edition(slug: str, values: tuple[str, ...], rows: int) -> None:
    found = agreements(GOLDEN / f"{slug}.json")
    assert {label: (each.agreeing, each.rows) for label, each in found.items()} == dict.fromkeys(
        ("order", *values), (rows, rows)
    )
