"""SVG functions: escaping, numbers, and accessibility attributes."""

import pytest
from django.utils.translation import gettext_lazy

from standings.charts.svg import drawing, element, percent, polyline, svg_link, text, titled


def test_attributes_and_text_are_escaped() -> None:
    drawn = text('<b>"Fox" & Co</b>', class_='a" onload="x')
    assert drawn == (
        '<text class="a&quot; onload=&quot;x">&lt;b&gt;&quot;Fox&quot; &amp; Co&lt;/b&gt;</text>'
    )
    assert titled("a < b") == "<title>a &lt; b</title>"
    assert svg_link("/?a=1&b=2") == '<a href="/?a=1&amp;b=2"/>'


def test_attribute_names_have_hyphens_and_none_is_omitted() -> None:
    drawn = element(
        "g", text(gettext_lazy("name")), data_number=12, hidden=False, class_=None, viewBox="0 0 1 1"
    )
    assert drawn == '<g data-number="12" viewBox="0 0 1 1"><text>name</text></g>'


def test_lengths_are_rounded() -> None:
    assert element("line", x=1.25, y=3.0, r=2) == '<line x="1.2" y="3" r="2"/>'
    assert polyline([(0, 1.06), (10, 2.0)]) == '<polyline points="0,1.1 10,2"/>'
    assert [percent(value) for value in (0, 100, 100 / 3, 12.5)] == ["0%", "100%", "33.33%", "12.5%"]


@pytest.mark.parametrize(("links", "role"), [(False, "img"), (True, "group")])
def test_drawing_with_links_has_no_image_role(links: bool, role: str) -> None:
    drawn = drawing(label="Places & points", height=20, links=links)
    assert drawn == f'<svg role="{role}" aria-label="Places &amp; points" width="100%" height="20"/>'
