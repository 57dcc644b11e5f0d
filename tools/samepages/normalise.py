"""Normalise a response: remove what may differ between two visits or builds of the same code."""

import io
import re
from collections.abc import Iterable, Iterator
from zipfile import ZipFile

BLOCK = re.compile(
    "address|article|aside|base|blockquote|body|br|caption|col|colgroup|dd|details|dialog|div|dl|!doctype|dt"
    "|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|hr|html|legend|li|link|main|meta|nav|ol|optgroup"
    "|option|p|pre|script|section|summary|table|tbody|td|template|textarea|tfoot|th|thead|title|tr|ul"
)
"""Block elements, next to which browsers ignore spaces."""

BOX = re.compile("button|img|input|label|object|output|progress|select|svg|video")
"""Inline elements: a space next to them is visible, a space at their inner edge is not."""

PRECISE = re.compile(r"(<(pre|textarea|script)\b.*?</\2>)", re.DOTALL | re.IGNORECASE)
SCRIPT = re.compile(r"<script\b(?![^>]*json)[^>]*>.*?</script>\s*", re.DOTALL | re.IGNORECASE)
MODULE_PRELOAD = re.compile(r"""<link\b[^>]*\brel=["']?modulepreload\b[^>]*>\s*""", re.IGNORECASE)
HASHED_NAME = re.compile(r"(/static/[^\"'\s>]*?)\.[0-9a-f]{12}(\.[a-z0-9]+)")
TOKEN = re.compile(r"""(name=["'](?:csrfmiddlewaretoken|epoch|opened)["'] value=["'])[^"']*""")
ONCE = re.compile(r'(?<=name="end" value=")[0-9a-f]{20}|(?<=&quot;challenge&quot;: &quot;)[\w-]+')
"""The key of a session, and the challenge of a passkey."""

EPOCH = re.compile(r'("epoch": ")[0-9a-f]{12}')
UUID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
STAMP = re.compile(r"(?<=revision=)[0-9a-f]{12}(?=-)")
DIGEST = re.compile(r"[0-9a-f]{12,}|(?<=^\")[0-9a-f]{8}(?=-)")
"""A build hash, or the modification time of a static file."""

TAG = re.compile(r"(<[^>]*>)")
NAME = re.compile(r"</?\s*([a-z0-9!]+)", re.IGNORECASE)
SPACE = re.compile(r"\s+")

ARCHIVES = ("application/zip", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
SUMS = "SHA256SUMS"
"""The file of an archive with the checksums of the other files."""


PASSING_HEADERS = ("Content-Length", "Last-Modified", "Expires", "X-Request-ID")
POLICY = "Content-Security-Policy"


def normalised_headers(headers: dict[str, str]) -> str:
    """Return the headers, one per line, without those that depend on the request, the length or the build."""
    kept = {name: text for name, text in headers.items() if name not in PASSING_HEADERS}
    if "ETag" in kept:
        kept["ETag"] = DIGEST.sub("#", kept["ETag"])
    if POLICY in kept:  # built from a set, whose order differs between processes
        kept[POLICY] = "; ".join(sorted(kept[POLICY].split("; ")))
    return "".join(f"{name}: {kept[name]}\n" for name in sorted(kept))


def parts_of(body: bytes, content_type: str, days: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each file in a response; the name is empty unless it is an archive.

    `days` are the days of the visit, as `2026-11-22`. They are replaced, because the visit caused them.
    """
    days = list(days)
    if content_type.partition(";")[0] in ARCHIVES:
        with ZipFile(io.BytesIO(body)) as archive:
            for name in sorted(archive.namelist()):
                if not name.endswith(".js"):
                    yield name, _text_of(archive.read(name), name.endswith(".html"), days, name)
    else:
        yield "", _text_of(body, content_type.startswith("text/html"), days, "")


def _text_of(content: bytes, is_html: bool, days: Iterable[str], name: str) -> str:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return content.hex(" ", 32).replace(" ", "\n")
    if is_html:
        return normalised_page(text, days)
    if name.endswith(SUMS):
        text = "".join(f"{line.split()[-1]}\n" for line in text.splitlines() if not line.endswith(".js"))
    return without_moments(EPOCH.sub(r"\1#", text), days)


def normalised_page(html: str, days: Iterable[str]) -> str:
    """Return an HTML page with an element per line and only visible spaces."""
    html = MODULE_PRELOAD.sub("", SCRIPT.sub("", html))
    html = ONCE.sub("#", STAMP.sub("#", html))
    html = TOKEN.sub(r"\1#", HASHED_NAME.sub(r"\1\2", html))
    html = without_moments(UUID.sub("UUID", html), days)
    tokens: list[str] = []
    for number, piece in enumerate(PRECISE.split(html)):
        if number % 3 == 0:
            tokens += (SPACE.sub(" ", token) for token in TAG.split(piece) if token)
        elif number % 3 == 1:
            tokens.append(piece)
    shown = _without_edges(_without_edges(tokens, forwards=True), forwards=False)
    return "".join(f"\n{token}" if token.startswith("<") and token[1:2] != "/" else token for token in shown)


def _without_edges(tokens: list[str], *, forwards: bool) -> list[str]:
    """Return the tokens without spaces that follow a block or another space, read in one direction."""
    result: list[str] = []
    at_edge = True
    for token in tokens if forwards else reversed(tokens):
        if token.startswith("<"):
            name = NAME.match(token)
            tag = name[1].lower() if name else ""
            if BLOCK.fullmatch(tag):
                at_edge = True
            elif BOX.fullmatch(tag):
                at_edge = token.startswith("</") != forwards
            result.append(token.replace(" >", ">").replace(" />", "/>"))
            continue
        if at_edge:
            token = token.lstrip(" ") if forwards else token.rstrip(" ")  # noqa: PLW2901 - the rest of the token
        if token:
            result.append(token)
            at_edge = token.endswith(" ") if forwards else token.startswith(" ")
    return result if forwards else result[::-1]


def without_moments(text: str, days: Iterable[str]) -> str:
    """Return the text with NOW in place of these days and of times that follow them."""
    for day in days:
        text = re.sub(_moment(day), "NOW", text)
    return text


def _moment(day: str) -> str:
    """Return the pattern of a day as in data and in pages in both languages, with an optional time."""
    year, month, number = (int(part) for part in day.split("-"))
    english = ENGLISH[month - 1]
    names = rf"(?:{english}|{english[:3]}\.?|{DUTCH[month - 1]}|{DUTCH[month - 1][:3]}\.?)"
    return (
        rf"(?:{day}|\b{number} {names} {year})(?:(?:T|, | | om )\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|\+00:00)?)?"
    )


ENGLISH = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
DUTCH = (
    *("januari", "februari", "maart", "april", "mei", "juni", "juli"),
    *("augustus", "september", "oktober", "november", "december"),
)
