"""Matching of stored rows with imported rows."""

from tests.tournaments.interchange.formats import samples
from tournaments.interchange.imports.description import difference_lines
from tournaments.interchange.imports.differences import differences, matched


def test_players_without_a_fide_id_are_matched_by_name() -> None:
    """Bo stays, Ada is removed and Cy is added. Missing ids do not match each other."""
    before, after = samples.teams(), samples.teams()
    before["competitors"][2]["players"] = [{"name": "Ada"}, {"name": "Bo"}]
    after["competitors"][2]["players"] = [{"name": "Bo"}, {"name": "Cy"}]
    told = difference_lines(differences(samples.document(before), samples.document(after)))
    assert told == ["- player Ada of Greens", "+ player Cy of Greens"]


def test_a_key_of_none_matches_no_row() -> None:
    rows = matched(["a1", "b2"], ["b3", "c4"], (lambda _each, _is_old: None, lambda each, _is_old: each[0]))
    assert [(row.old, row.new) for row in rows] == [("b2", "b3"), ("a1", None), (None, "c4")]
