"""Positions of values in JSON."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.interchange.formats.json.positions import Lines, first_beyond, first_no_number, spots

TEXT = '{"a": 1, "b": [1, {"c": "x\\"}y"}, [2, 3]],\r\n "a": {"d.e": null}}'


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [("", 1, 1), ("a", 2, 7), ("b[1].c", 1, 25), ("b[2][1]", 1, 39), ("a.d.e", 2, 15)],
)
def test_value_has_line_and_column(path: str, line: int, column: int) -> None:
    assert Lines(TEXT).position(spots(TEXT, [path])[path].value) == (line, column)


def test_repeated_key_has_its_first_position() -> None:
    found = spots(TEXT, ["a", "a.nothing"])
    assert TEXT[found["a"].first :].startswith('"a": 1')
    assert TEXT[found["a"].key :].startswith('"a": {')
    assert "a.nothing" not in found


def paths_of(value: Any, path: str = "") -> dict[str, Any]:
    """Return all values of a tree by path."""
    found = {path: value}
    if isinstance(value, dict):
        for key, each in value.items():
            found |= paths_of(each, f"{path}.{key}" if path else key)
    if isinstance(value, list):
        for index, each in enumerate(value):
            found |= paths_of(each, f"{path}[{index}]")
    return found


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda each: st.lists(each) | st.dictionaries(st.text("abc", min_size=1), each),
        max_leaves=12,
    ),
    st.sampled_from([None, 1]),
)
def test_all_values_are_found_at_their_start(value: Any, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    known = paths_of(value)
    found = spots(text, known)
    assert found.keys() == known.keys()
    for path, each in known.items():
        told, _ = json.JSONDecoder().raw_decode(text, found[path].value)
        assert told == each


def test_positions_in_invalid_json() -> None:
    assert first_no_number('{"a": "NaN", "b": [NaN]}') == 19
    assert first_no_number('["-Infinity"]') is None
    assert first_beyond('["[[[", [[1]]]', 2) == 9
    assert first_beyond("[[1]]", 2) is None
