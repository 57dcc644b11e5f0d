"""Pages as tests read them: how a template breaks its lines is no business of theirs."""

import re

from django.http import HttpResponse

BLANKS = re.compile(r"\s+")


def markup_of(page: HttpResponse | str) -> str:
    """Return the HTML of a page with one blank wherever it has several, or ends a line."""
    html = page if isinstance(page, str) else page.content.decode()
    return BLANKS.sub(" ", html)
