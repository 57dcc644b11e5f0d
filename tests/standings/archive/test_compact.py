"""Minified pages of an archive are the same pages."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from standings.archive.compact import compact


@pytest.mark.parametrize(
    ("html", "fewer"),
    [
        ('<p class="a b" id="c">x</p>', '<p class="a b" id=c>x</p>'),
        ('<a href="../a/#b">x</a>', "<a href=../a/#b>x</a>"),
        ('<img src="a.svg" alt="" width="16">', '<img src=a.svg alt="" width=16>'),
        ('<path d="M1 2" fill="none"/>', '<path d="M1 2" fill="none"/>'),
        ("<tr><td>a</td>\n  <td>b</td>\n</tr>\n</tbody>", "<tr><td>a<td>b</tbody>"),
        ("<b>a</b>\n  \n  <b>b</b>", "<b>a</b>\n<b>b</b>"),
        ("<pre>a\n\n  b</pre>\n\n<i>c</i>", "<pre>a\n\n  b</pre>\n<i>c</i>"),
        ("a\u00a0\n\u00a0b", "a\u00a0\n\u00a0b"),
        ("<i>Cote d&#x27;Ivoire&nbsp;○</i>", "<i>Cote d'Ivoire\u00a0○</i>"),
        ('<img src="a.svg" alt="" width="16" height="12" loading="lazy">', "<img src=a.svg alt>"),
        ('<tr id="c7" data-number="7"><td>a</td></tr>', "<tr id=c7><td>a</td></tr>"),
        ("<tr role=row id=c7 data-number=7><td role=cell>a</td></tr>", "<tr id=c7><td>a</td></tr>"),
        ('<g data-number="7"></g>', "<g data-number=7></g>"),
        (
            '<td class="r w"><a data-form="W" href="x" aria-label="Round 1, won">1</a></td>',
            '<td class="r w"><a data-form=W href=x>1</a></td>',
        ),
        (
            '<td class="tb"><a href="x" aria-label="b">a</a></td>',
            "<td class=tb><a href=x aria-label=b>a</a></td>",
        ),
        ('<td class="lead" data-label="MP"><span>12½</span></td>', "<td class=lead data-label=MP>12½</td>"),
        ('<td role=cell class=lead data-label="MP" data-value="0.75">¾</td>', "<td class=lead>¾</td>"),
        ('<td role=cell class=tb data-label="BH">24</td>', "<td>24</td>"),
        ('<td role=cell class=move><span role="img" aria-label="up">▲2</span>', "<td class=move>▲2"),
        ('<td data-value="12.5"><a href="x">12½</a></td>', "<td><a href=x>12½</a></td>"),
        ('<td data-value="12"><a href="x">12*</a></td>', "<td data-value=12><a href=x>12*</a></td>"),
        ('<td class="why"><span>dSB 2 : 1</span></td>', "<td class=why>dSB 2 : 1</td>"),
    ],
)
def test_fewer_bytes(html: str, fewer: str) -> None:
    assert compact(html) == fewer


@pytest.mark.parametrize(
    ("html", "fewer"),
    [
        (
            '<thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead>',
            "<thead><tr><th>a<th>b</thead>",
        ),
        ('<thead><tr><td></td><th scope="col">b</th></tr></thead>', "<thead><tr><td><th scope=col>b</thead>"),
        (
            '<thead><tr><th scope="row">a</th><th scope="col">b</th></tr></thead>',
            "<thead><tr><th scope=row>a<th scope=col>b</thead>",
        ),
        ('<tr class="x"><th scope="row">a</th><td>b</td></tr>', "<tr class=x><th>a<td>b</td></tr>"),
        ('<tr><td>1</td><th scope="row" class="who">a</th></tr>', "<tr><td>1<th class=who>a</th></tr>"),
        ('<tr><td>1</td><th scope="row">a</th></tr>', "<tr><td>1<th scope=row>a</th></tr>"),
    ],
)
def test_heading_has_a_scope_only_if_its_position_does_not_imply_it(html: str, fewer: str) -> None:
    assert compact(html) == fewer


def test_elements_and_text_are_unchanged() -> None:
    html = (
        '<div class="scroll" role="region"><table role="table">\n<caption>A &amp; B</caption>\n'
        "<thead>\n <tr>\n  <th>a</th>\n </tr>\n</thead>\n<tbody>\n <tr>\n  <th>1</th>\n"
        '  <td><a href="x/">y</a>\n   z</td>\n </tr>\n <tr><td></td></tr>\n</tbody></table></div>\n<p>c</p>'
    )
    assert told(compact(html)) == told(html)
    assert len(compact(html)) < len(html)


def told(html: str) -> list[tuple[str | None, list[tuple[str, str | None]], str]]:
    """Return the elements in order, with their attributes and text."""
    elements = LexborHTMLParser(html).css("*")
    return [(each.tag, sorted(each.attributes.items()), "".join(each.text().split())) for each in elements]
