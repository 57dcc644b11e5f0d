"""Column headings of the desk are in lower case like those of the public tables, except names."""

import re
from pathlib import Path

import pytest

TEMPLATES = sorted((Path(__file__).parents[2] / "templates" / "admin").rglob("*.html"))
HEAD = re.compile(r'<th scope="col"[^>]*>(.*?)</th>')
TEXT = re.compile(r'{% translate "([^"]+)"')
NAMES = {"White", "Black", "FIDE id"}


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.stem)
def test_column_headings_are_in_lower_case(template: Path) -> None:
    texts = [text for head in HEAD.findall(template.read_text()) for text in TEXT.findall(head)]

    assert [text for text in texts if text[0].isupper() and text not in NAMES] == []
