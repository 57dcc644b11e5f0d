"""Column heads of the desk are written as those of the public tables: small, but for names."""

import re
from pathlib import Path

import pytest

TEMPLATES = sorted((Path(__file__).parents[2] / "templates" / "admin").glob("*.html"))
HEAD = re.compile(r'<th scope="col"[^>]*>(.*?)</th>')
TEXT = re.compile(r'{% translate "([^"]+)"')
NAMES = {"White", "Black", "FIDE id"}


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.stem)
def test_heads_are_small(template: Path) -> None:
    texts = [text for head in HEAD.findall(template.read_text()) for text in TEXT.findall(head)]

    assert [text for text in texts if text[0].isupper() and text not in NAMES] == []
