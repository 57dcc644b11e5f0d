"""The stylesheet of the public pages: colours on paper, and selectors that are slow in long tables."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

FILE = Path(__file__).parents[2] / "static/css/site.css"
SITE = re.sub(r"/\*.*?\*/", "", FILE.read_text(), flags=re.DOTALL)


def test_print_replaces_colours_of_dark_mode() -> None:
    dark, paper = (
        set(re.findall(r"(--[\w-]+|color-scheme):", SITE.partition(media)[2].partition("}")[0]))
        for media in ("@media (prefers-color-scheme: dark) {", "@media print {")
    )
    assert dark - paper == {"--focus"}


def test_selectors_continue_after_has_with_a_class_or_tag() -> None:
    # Chromium restyles all descendants if a part after `:has()` has no class, id, attribute or tag.
    for selector, compounds in _compounds():
        for before, after in pairwise(compounds):
            assert ":has(" not in before or not re.match(r":(?!is|where|has)|\*", after), selector


def test_elements_with_has_have_a_class_or_tag() -> None:
    # Otherwise Chromium checks each element that it restyles, and a star restyles a cell of each row.
    for selector, compounds in _compounds():
        assert not any(re.match(r"\*?:has\(", each) for each in compounds), selector


def _compounds() -> Iterator[tuple[str, list[str]]]:
    parts = re.compile(r"(?:\[[^\]]*\]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|[^\s>+~,()\[\]])+")
    for selector in re.findall(r"([^{};]+)\{", SITE):
        yield selector.strip(), parts.findall(selector.rpartition("}")[2])
