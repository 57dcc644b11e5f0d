"""Charts and the share image as SVG and PNG files.

A chart in a page gets its colours from `charts.css` and its width from the page. A file has a fixed width and
a style element with these rules in the light scheme, reduced to the CSS that image programs know.
"""

import re
from functools import cache as once
from pathlib import Path
from typing import Any

import resvg_py
from django.conf import settings
from django.http import Http404, HttpResponse
from django.utils.safestring import SafeString

from standings.caching.cached_pages import PICTURE_TYPES
from standings.charts.svg import Figure, element, text
from tournaments.event.hiddensigns import written_out

# As in the light scheme of `site.css`.
PAPER, INK, MUTED, RULE, ACCENT, AMBER = "#f7f5f0", "#1d1b17", "#645f55", "#c6bda9", "#1d5c4a", "#6a4a00"
SANS, SERIF = "DejaVu Sans", "DejaVu Serif"
ROOT = {"xmlns": "http://www.w3.org/2000/svg", "font_family": f"{SANS}, Verdana, sans-serif"}
FONTS = [str(file) for file in sorted((Path(__file__).parent / "live/fonts").glob("*.ttf"))]
"""Latin, Greek and Cyrillic; other scripts appear as boxes."""

SIGN_WIDTH = 0.64
"""The width of a bold character in parts of the font size; most texts take less."""

WIDTH, ABOVE, BELOW, MARGIN = 1000, 76, 44, 24  # pixels: width of the chart, room around it
HIT = re.compile(r'<(\w+)(?: [\w-]+="[^"<>]*")*? class="hit"[^<>]*/>')
"""The transparent parts that react to a pointer."""


def picture_response(context: dict[str, Any], picture: str, name: str, address: str) -> HttpResponse:
    """Return the chart of the context as a file, such as `race.png`; raise Http404 if there is none."""
    chart, _dot, ending = picture.partition(".")
    figure = context.get(chart)
    if not isinstance(figure, Figure):
        raise Http404
    titles = [name, f"{figure.heading} · {figure.shown or context['basis']}", address]
    drawn = _drawing_with_title(figure, titles)
    return HttpResponse(drawn if ending == "svg" else png_from(drawn, 2), content_type=PICTURE_TYPES[ending])


def png_from(drawn: str, zoom: float = 1) -> bytes:
    """Return the drawing as PNG. It takes a tenth of a second, so no page includes it."""
    fonts: Any = {"font_family": SANS, "serif_family": SERIF, "sans_serif_family": SANS, "font_files": FONTS}
    return bytes(resvg_py.svg_to_bytes(svg_string=drawn, zoom=zoom, skip_system_fonts=True, **fonts))


def svg_file(width: int, height: int, *inside: SafeString) -> SafeString:
    background = element("rect", width=width, height=height, fill=PAPER)
    view_box = f"0 0 {width} {height}"
    return element("svg", background, *inside, width=width, height=height, viewBox=view_box, **ROOT)


def text_element(words: str, y: float, size: float, x: float = 64, **style: str) -> SafeString:
    # Names must not change the direction of other texts, and XML has no control characters.
    shown = "".join(filter(str.isprintable, written_out(words)))
    return text(shown, x=x, y=y, font_size=size, **({"fill": INK} | style))


def font_size(words: str, usual: float, room: float) -> float:
    return min(usual, room / (max(len(words), 1) * SIGN_WIDTH))


def _drawing_with_title(figure: Figure, titles: list[str]) -> SafeString:
    # Links are relative to the page.
    start, drawn = re.sub(r'<(/?)a\b(?: href="[^"]*")?', r"<\1g", HIT.sub("", figure.svg)).split(">", 1)
    given = dict(re.findall(r'([\w-]+)="([^"]*)"', start))
    width = min(int(given["width"]), WIDTH) if given["width"].isdecimal() else WIDTH
    box = given.get("viewBox", "0 0 1 0").split()
    height = width * int(box[3]) // int(box[2]) or int(given["height"])
    # The page has names and scales in the padding, whose width is in properties of the classes.
    own = {f".{figure.css} > svg", *(f".{figure.css} .{css}" for css in given.get("class", "").split())}
    padding = "; ".join(declarations for selector, declarations in _rules() if selector in own)
    widths = dict(re.findall(r"(--[\w-]+): (\d+)px", padding))
    padding = re.sub(r"var\((--[\w-]+)\)", lambda found: f"{widths.get(found[1], 0)}px", padding)
    padding = re.sub(r"padding: 0 (\d+px) 0 (\d+px)", r"padding-right: \1; padding-left: \2", padding)
    left, right = (
        sum(map(int, re.findall(rf"padding-{each}: (\d+)px", padding))) for each in ("left", "right")
    )
    drawn = drawn.replace(' class="tick scale" x="0"', f' class="tick scale" x="{26 - left}"')
    style = re.sub(r"[^;{]*var\([^;}]*;?", "", "".join(f"{each}{{{rule}}}" for each, rule in _rules()))
    whole, below = max(left + width + right, WIDTH // 2) + 2 * MARGIN, ABOVE + height + BELOW
    root = f'<svg x="{MARGIN + left}" y="{ABOVE}" width="{width}" height="{height}" overflow="visible"'
    root += "".join(f' {key}="{given[key]}"' for key in ("class", "viewBox") if key in given)
    lines = zip(titles, ((32, 20, "bold"), (56, 14, "normal"), (below - 12, 11, "normal")), strict=True)
    return svg_file(
        whole,
        below,
        element("style", SafeString(style)),
        *(
            text_element(words, y, font_size(words, size, whole - 2 * MARGIN), MARGIN, font_weight=weight)
            for words, (y, size, weight) in lines
        ),
        element("g", SafeString(f"{root}>{drawn}"), class_=f"picture {figure.css}", font_size=12),
    )


@once
def _rules() -> list[tuple[str, str]]:
    """Return the simple selectors of `charts.css`, without media queries, and their declarations."""
    site, css = ((settings.SHARE / f"static/css/{name}.css").read_text() for name in ("site", "charts"))
    colours = dict(re.findall(r"(--[\w-]+): (#\w+);", site.split("@media", 1)[0]))
    css = re.sub(r"(?s)/\*.*?\*/|@\w+[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", css).replace(":not(.hit)", "")
    css = re.sub(r"var\((--[\w-]+)\)", lambda found: colours.get(found[1], found[0]), css)
    css = re.sub(r"color-mix\(in srgb, #(\w+) (\d+)%, #(\w+)\)", _mixed, css)
    return [
        (each, rule.strip())
        for selectors, rule in re.findall(r"([^{}]+)\{([^{}]*)\}", css)
        for selector in re.split(r",(?![^()]*\))", selectors)
        for each in _without_is(selector.strip())
        if ":" not in each
    ]


def _without_is(selector: str) -> list[str]:
    found = re.search(r":is\(([^()]*)\)", selector)
    if not found:
        return [selector]
    before, after = selector[: found.start()], selector[found.end() :]
    return [
        each for choice in found[1].split(",") for each in _without_is(f"{before}{choice.strip()}{after}")
    ]


def _mixed(found: re.Match[str]) -> str:
    pairs = zip(bytes.fromhex(found[1]), bytes.fromhex(found[3]), strict=True)
    share = int(found[2])
    return f"#{bytes((one * share + other * (100 - share)) // 100 for one, other in pairs).hex()}"
