"""Pages as tests read them: how a template breaks its lines is no business of theirs."""

import re
from typing import Any

from selectolax.lexbor import LexborNode

BLANKS = re.compile(r"\s+")


def markup_of(page: Any) -> str:
    """Return the HTML of a test client's answer, or of a text, with one blank wherever it has several."""
    html = page if isinstance(page, str) else page.content.decode()
    return BLANKS.sub(" ", html)


def attributes_of(element: LexborNode) -> dict[str, str]:
    """Return the attributes of an element by name; one without a value has an empty one."""
    return {name: value or "" for name, value in element.attributes.items()}
