"""Pages of an archive in fewer bytes: the same elements and words, as short as HTML allows.

An olympiad has two hundred pages and ten thousand rows; what their tags repeat was half of all bytes. Nothing
is left out that a browser shows. Roles of tables, and the names of links in cells, which the headings of the
cell tell, are set by the archive's script.
"""

import re

KEPT = re.compile(r"(<pre\b.*?</pre>)", re.DOTALL)
"""Text in which blanks and lines mean something."""

BLANKS = " \t\r"
ENDS = ("</td>", "</th>", "</tr>")
"""The ends of cells and rows."""

TOLD = re.compile(r"</t[dhr]>(?:\s*</t[dhr]>)*\s*(?=<t[dhr]\b|</t(?:body|head|foot|able)\b)", re.ASCII)
"""The ends that the next tag tells by itself."""

BETWEEN = re.compile(
    r"\n(?<=>\n)(?=</?(?:caption|details|div|figure|footer|form|h[1-6]|header|li|link|main|meta|nav|p|section"
    r"|summary|table|tbody|td|tfoot|th|thead|title|tr|ul)\b)"
)
"""Lines before elements that begin one of their own."""

QUOTES = re.compile(r"""=(?<=[a-z]=)"([^\s"'=<>`]+)"(?=[ >])""")
"""The quotes around a value that ends with its word."""

SHORTER = (
    ("&#x27;", "'"),
    ("&nbsp;", "\u00a0"),
    # Flags: the style has their size, and a file at hand is no sooner there for being asked for later.
    (' alt="" width="16" height="12" loading="lazy">', " alt>"),
)
"""What says the same in fewer bytes; no attribute of ours stands between single quotes."""

HEAD = re.compile(r"(<thead\b.*?</thead>)", re.DOTALL)
ROW_HEADING = re.compile(r'(<tr(?: [^>]*)?>\n?<th|<th(?= scope="row" class="who")) scope="row"')
"""A heading that begins its row, or is the one name in it, which says so by its place."""

NUMBERED = re.compile(r'(<tr\b[^>]* id="c(\d+)") data-number="\2"')
"""The row of a competitor, whose place in the page says the number too."""

TALLY = re.compile(
    r'<td class="wdl" data-label="\+">([^<]*)</td><td class="wdl" data-label="=">([^<]*)</td>'
    r'<td class="wdl" data-label="−">'
)
"""What was won, drawn and lost, whose signs the style has where a phone shows no headings."""

NAMED_LINK = re.compile(r'(<t(?:d class="(?:r|m|result)\b|h)[^>]*>\n?<a\b[^>]*?) aria-label="[^"]*"')
"""A link in a cell of a round, or in a heading, that has a name beside its words."""

WHY = re.compile(r'<td class="why"><span>(.*?)</span></td>')
"""Why a row stands above the next: without the comparison that it leads to on the site."""
UNSEEN = re.compile(r"<span>[^<]*</span> ")
"""What only the first of such rows shows."""

PLAIN = re.compile(r"(<td\b[^>]*>)<span>([^<]*)</span>(?=</td>)")
"""The cell of a text that is a link elsewhere."""

SAME_VALUE = re.compile(r' data-value="(\d+)(?:"(?=><a [^>]*>\1<|>\1<)|\.5"(?=><a [^>]*>\1½<|>\1½<))')
"""The figure that a cell is sorted by, where the script reads the same in its words."""

ROLES = ("cell", "row", "rowheader", "columnheader", "rowgroup")
"""What the elements of a table are without being told, wherever they are laid out as one."""


def compact(html: str) -> str:
    """Return the page in fewer bytes."""
    parts = KEPT.split(html)
    # Every other part is what KEPT found.
    parts[::2] = map(_compact, parts[::2])
    return "".join(parts)


def _compact(html: str) -> str:
    # Each pattern begins with a sign that stands in it as it is: a search for that passes over all others.
    html = _without_blanks(html)
    for role in ROLES:
        html = html.replace(f' role="{role}"', "")
    for told, shorter in SHORTER:
        html = html.replace(told, shorter)
    for end in ENDS:
        html = html.replace(f"\n{end}", end)
    parts = HEAD.split(html)
    parts[1::2] = map(_head, parts[1::2])
    parts[::2] = map(_body, parts[::2])
    return BETWEEN.sub("", QUOTES.sub(r"=\1", TOLD.sub("", "".join(parts))))


def _head(html: str) -> str:
    """Return the headings of a table; that they are of columns goes without saying among others."""
    if "<td" in html or 'scope="row"' in html:
        return html
    return html.replace(' scope="col"', "")


def _body(html: str) -> str:
    """Return what stands outside the headings of tables."""
    if "<td" not in html:
        return html
    html = WHY.sub(lambda found: f'<td class="why">{UNSEEN.sub("", found[1])}</td>', html)
    html = TALLY.sub(
        r'<td class="wdl">\1</td><td class="wdl">\2</td><td class="wdl">', NUMBERED.sub(r"\1", html)
    )
    html = ROW_HEADING.sub(r"\1", NAMED_LINK.sub(r"\1", PLAIN.sub(r"\1\2", html)))
    return SAME_VALUE.sub("", html)


def _without_blanks(html: str) -> str:
    """Return the page without blanks around the ends of lines, and without empty lines."""
    first, *rest = html.split("\n")
    if not rest:
        return html
    last = rest.pop().lstrip(BLANKS)
    return "\n".join([first.rstrip(BLANKS), *filter(None, (line.strip(BLANKS) for line in rest)), last])
