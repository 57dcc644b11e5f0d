"""What a reader chose goes along: the links of an event's page lead to its others with the same choices.

It is done on the finished page, in one place: a template or a cell that wrote a link need not think of it,
and a page without choices, which is nearly every one, costs nothing.
"""

import re
from collections.abc import Mapping
from html import escape, unescape
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.http import HttpResponse

from standings.tables.switches import CARRIED


def carry(answer: HttpResponse, slug: str, chosen: Mapping[str, str]) -> HttpResponse:
    """Return the page of the event with that slug, with the reader's choices in its links to others of it.

    A link that has a choice already, such as a switch, keeps its own. Files, whose addresses have an ending,
    show no choice.
    """
    carried = {name: chosen[name] for name in CARRIED if name in chosen}
    if not carried or not answer.get("Content-Type", "").startswith("text/html"):
        return answer

    def with_choices(link: re.Match[str]) -> str:
        asked = dict(parse_qsl(unescape(link["query"] or "")))
        return f'href="{link["page"]}?{escape(urlencode(carried | asked))}{link["place"] or ""}"'

    answer.content = _links_within(slug).sub(with_choices, answer.content.decode()).encode()
    return answer


def _links_within(slug: str) -> re.Pattern[str]:
    """Return what finds the links to pages of the event, from its own root or relative to the page."""
    languages = "|".join(f"{code}/" for code, _ in settings.LANGUAGES)
    page = rf'/(?:{languages})?events/{re.escape(slug)}/[^"?#.]*|(?:\.\./)+[^"?#.:]*'
    return re.compile(rf'href="(?P<page>{page})(?:\?(?P<query>[^"#]*))?(?P<place>#[^"]*)?"')
