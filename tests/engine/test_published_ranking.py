"""Events with a published ranking but without known results."""

import numpy as np
import pytest

from standings.engine import SYSTEMS, Crosstable, PublishedRanking, Standings, all_criteria, rank
from standings.engine.overrides import RankingOverride

NAMES = ("Arends", "Brill", "Claes", "Dorst", "Evers")


def published(places: list[int], *overrides: RankingOverride) -> Standings:
    """Return the standings of five competitors with these published places, 0 for no place."""
    ranking = PublishedRanking(np.array(places, dtype=np.int64), {"Pts": ["7.5", "7", "7", "", "6"]})
    table = Crosstable.of(NAMES, 0, published=ranking)
    return rank(table, SYSTEMS["fide-swiss"], overrides)


def test_published_places_are_used_and_may_be_shared() -> None:
    standings = published([4, 1, 2, 0, 2])

    assert [(NAMES[row.competitor], row.place, row.sharing) for row in standings.rows()] == [
        ("Brill", 1, 1),
        ("Claes", 2, 2),
        ("Evers", 2, 2),
        ("Arends", 4, 1),
        ("Dorst", None, 0),
    ]
    assert standings.has_places


def test_published_place_decides_and_missing_places_stay_level() -> None:
    standings = published([4, 1, 2, 0, 2])

    assert [row.decided_by for row in standings.rows()] == [None, "published", None, "published", None]
    assert standings.criteria == ()
    assert standings.columns == ()


def test_comparison_shows_the_published_places() -> None:
    standings = published([4, 1, 2, 0, 2])

    first = standings.compare(0, 1)
    assert first.ahead == 1
    assert first.decision is not None
    assert (first.decision.by, first.decision.figures) == ("published", ("1", "4"))
    assert not first.by_hand
    assert (first.criteria, first.later) == ((), ())
    for pair in ((2, 4), (3, 1)):
        assert (standings.compare(*pair).ahead, standings.compare(*pair).decision) == (None, None)


def test_missing_published_place_stays_missing() -> None:
    assert published([1, 3, 0, 0, 0]).place.tolist() == [1, 3, 0, 0, 0]


def test_criteria_have_no_values(subtests: pytest.Subtests) -> None:
    standings = published([1, 2, 3, 4, 5])
    for criterion in all_criteria():
        with subtests.test(criterion.code):
            assert standings.column(criterion.code).column.unknown.all()


def test_rulings_do_not_change_published_places() -> None:
    ruling = RankingOverride(kind="place", competitor=3, place=1)
    standings = published([1, 2, 3, 4, 5], ruling)

    assert standings.place.tolist() == [1, 2, 3, 4, 5]
    assert not any(row.marks for row in standings.rows())
