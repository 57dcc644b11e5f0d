"""Pages as tests read them: how a template breaks its lines is no business of theirs."""

import re
from typing import Any

BLANKS = re.compile(r"\s+")


def markup_of(page: Any) -> str:
    """Return the HTML of a test client's answer, or of a text, with one blank wherever it has several."""
    html = page if isinstance(page, str) else page.content.decode()
    return BLANKS.sub(" ", html)
