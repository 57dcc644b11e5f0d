"""Propagate the user's choices to the links between the pages of an event.

This happens once, on the rendered page, so that templates and cells need not add query strings. Pages without
choices, nearly all requests, are returned as they are.
"""

import re
from collections.abc import Mapping
from html import escape, unescape
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.http import HttpResponse

from standings.tables.switches import CARRIED


def propagate_query(answer: HttpResponse, slug: str, chosen: Mapping[str, str]) -> HttpResponse:
    """Return the page with the user's choices in its links to pages of the event with that slug.

    Parameters of a link take precedence. Links to files, which have an extension, are not changed.
    """
    carried = {name: chosen[name] for name in CARRIED if name in chosen}
    if not carried or not answer.get("Content-Type", "").startswith("text/html"):
        return answer

    def with_choices(link: re.Match[str]) -> str:
        own = dict(parse_qsl(unescape(link["query"] or "")))
        return f'href="{link["page"]}?{escape(urlencode(carried | own))}{link["place"] or ""}"'

    answer.content = _link_pattern(slug).sub(with_choices, answer.content.decode()).encode()
    return answer


def _link_pattern(slug: str) -> re.Pattern[str]:
    languages = "|".join(f"{code}/" for code, _ in settings.LANGUAGES)
    page = rf'/(?:{languages})?events/{re.escape(slug)}/[^"?#.]*|(?:\.\./)+[^"?#.:]*'
    return re.compile(rf'href="(?P<page>{page})(?:\?(?P<query>[^"#]*))?(?P<place>#[^"]*)?"')
