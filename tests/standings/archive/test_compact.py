"""Pages of an archive in fewer bytes are the same pages."""

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
    ],
)
def test_fewer_bytes(html: str, fewer: str) -> None:
    assert compact(html) == fewer


def test_the_same_elements_and_words() -> None:
    html = (
        '<div class="scroll" role="region"><table role="table">\n<caption>A &amp; B</caption>\n'
        '<thead>\n <tr>\n  <th scope="col">a</th>\n </tr>\n</thead>\n<tbody>\n <tr>\n  <th>1</th>\n'
        '  <td><a href="x/">y</a>\n   z</td>\n </tr>\n <tr><td></td></tr>\n</tbody></table></div>\n<p>c</p>'
    )
    assert told(compact(html)) == told(html)
    assert len(compact(html)) < len(html)


def told(html: str) -> list[tuple[str | None, list[tuple[str, str | None]], str]]:
    """The elements in their order, each with its attributes and its words."""
    elements = LexborHTMLParser(html).css("*")
    return [(each.tag, sorted(each.attributes.items()), "".join(each.text().split())) for each in elements]
