"""Minify pages of an archive: the same elements and text in as few bytes as HTML allows.

An olympiad has two hundred pages and ten thousand rows; repeated tags were 50 % of the bytes. The rendered
page is unchanged. The archive's script sets the roles of tables, and the names of links in cells, which
follow from the headings.
"""

import re

PREFORMATTED = re.compile(r"(<pre\b.*?</pre>)", re.DOTALL)
"""Preformatted text."""

BLANKS = " \t\r"
END_TAGS = ("</td>", "</th>", "</tr>")
"""The end tags of cells and rows."""

IMPLIED_END_TAGS = re.compile(
    r"</t[dhr]>(?:\s*</t[dhr]>)*\s*(?=<t[dhr]\b|</t(?:body|head|foot|able)\b)", re.ASCII
)
"""The end tags that the next tag implies."""

BLOCK_NEWLINES = re.compile(
    r"\n(?<=>\n)(?=</?(?:body|caption|details|div|figure|footer|form|h[1-6]|head|header|html|li|link|main|meta"
    r"|nav|ol|p|script|section|summary|table|tbody|td|tfoot|th|thead|title|tr|ul)\b)"
)
"""Newlines before block elements."""

FIRST_NEWLINES = re.compile(r"(<(?:div|li|nav|p|t[dh])\b[^>]*>)\n")
"""Newlines at the start of block elements."""

QUOTES = re.compile(r"""=(?<=[a-z]=)"([^\s"'=<>`]+)"(?=[ >])""")
"""Quotes that HTML allows to omit."""

REPLACEMENTS = (
    (' data-value=""', ""),
    ("\n</body>\n</html>\n", ""),
    ('<div class="bar">\n<div id="strip"></div>\n</div>\n', ""),
    ('<div id="basis"></div>\n', ""),
    ('<div class="notes">\n</div>\n', ""),
    ('<a class="name" href', "<a href"),
    ("&#x27;", "'"),
    ("&nbsp;", "\u00a0"),
    # Flags: the style sheet has their size, and lazy loading of local files saves no time.
    (' alt="" width="16" height="12" loading="lazy">', " alt>"),
)
"""Shorter spellings with the same meaning. None of our attributes has single quotes."""

HEAD = re.compile(r"(<thead\b.*?</thead>)", re.DOTALL)
ROW_HEADING = re.compile(r'(<tr(?: [^>]*)?>\n?<th|<th(?= scope="?row"? class="?who\b)) scope="?row"?(?=[ >])')
"""A row heading whose scope follows from its position."""

NUMBERED = re.compile(r'(<tr\b[^>]* id="?c(\d+)"?) data-number="?\2"?(?=[ >])')
"""The row of a competitor, whose id contains the number."""

NAMED_LINK = re.compile(r'(<t(?:d class="(?:r|m|result)\b|h)[^>]*>\n?<a\b[^>]*?) aria-label="[^"]*"')
"""A link in the cell of a round or in a heading, with an accessible name besides its text."""

PLAIN = re.compile(r"(<td\b[^>]*>)<span>([^<]*)</span>(?=</t[dr]>|<t[dh]\b)")
"""A cell with text that is a link on the site."""

FRACTIONS = (("", ""), (r"\.25", "¼"), (r"\.5", "½"), (r"\.75", "¾"))
SAME_VALUE = re.compile(
    r' data-value="(?:0(?=\.)|(\d*))(?:'
    + "|".join(rf'{part}"(?=>(?:<a [^>]*>)?(?(1)\1){sign}<)' for part, sign in FRACTIONS)
    + ")"
)
"""A sort value that the script can read from the text of the cell."""

LABEL = re.compile(r'(<td class=(?:detail|lead|overall|places|published|rating|start|tb)) data-label="[^"]*"')
FIGURE = re.compile("<td class=(?:start|tb|wdl)(?=[ >])")
"""The label and the class of cells of the standings. The script copies them from the heading."""

MOVE = re.compile(r"(<td class=move>)<span [^>]*>([^<]*)</span>")
"""Places gained or lost: the heading has the words."""

ROLES = ("cell", "rowheader", "columnheader", "rowgroup", "row")
"""The implicit roles of table elements, needed if the style changes their display."""


def compact(html: str) -> str:
    parts = PREFORMATTED.split(html)
    # The odd parts are the matches of KEPT.
    parts[::2] = map(_compact, parts[::2])
    return "".join(parts)


def _compact(html: str) -> str:
    # Each pattern starts with a literal character, which makes the search fast.
    html = _without_blanks(html)
    for role in ROLES:
        html = html.replace(f' role="{role}"', "").replace(f" role={role}", "")
    for told, shorter in REPLACEMENTS:
        html = html.replace(told, shorter)
    for end in END_TAGS:
        html = html.replace(f"\n{end}", end)
    parts = HEAD.split(html)
    parts[1::2] = map(_without_scope, parts[1::2])
    parts[::2] = map(_body, parts[::2])
    html = FIRST_NEWLINES.sub(r"\1", IMPLIED_END_TAGS.sub("", "".join(parts)))
    return BLOCK_NEWLINES.sub("", QUOTES.sub(r"=\1", html))


def _without_scope(html: str) -> str:
    if "<td" in html or 'scope="row"' in html:
        return html
    return html.replace(' scope="col"', "")


def _body(html: str) -> str:
    if "<td" not in html:
        return html
    html = NUMBERED.sub(r"\1", NAMED_LINK.sub(r"\1", PLAIN.sub(r"\1\2", html)))
    html = ROW_HEADING.sub(r"\1", FIGURE.sub("<td", MOVE.sub(r"\1\2", LABEL.sub(r"\1", html))))
    return SAME_VALUE.sub("", html)


def _without_blanks(html: str) -> str:
    first, *rest = html.split("\n")
    if not rest:
        return html
    last = rest.pop().lstrip(BLANKS)
    return "\n".join([first.rstrip(BLANKS), *filter(None, (line.strip(BLANKS) for line in rest)), last])
