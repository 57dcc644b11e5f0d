"""The guide for arbiters at the desk, in English and Dutch."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from tests.cast import Desk
from tournaments.admin.guide import FILES, read_guide

ROOT = Path(__file__).parents[2]
LINKS = {
    (template.name, anchor)
    for template in (ROOT / "templates" / "admin").rglob("*.html")
    for anchor in re.findall(r"{% block guide %}#([\w-]+){% endblock %}", template.read_text())
}
LABEL = re.compile("“[^”]*”")


def test_screens_link_to_sections_of_the_guide() -> None:
    contents, _text = read_guide("en")

    assert {anchor for _name, anchor in LINKS} == {anchor for anchor, _heading in contents}


def test_help_leads_to_the_section_in_the_language_of_the_browser(desk: Desk) -> None:
    client = desk.browser("arbiter")
    link = '<a href="/admin/guide/#byes-absences-and-no-shows">Help</a>'

    assert link in client.get(f"/admin/events/{desk.event.pk}/attendance/").text
    assert '<h2 id="byes-absences-and-no-shows">Byes' in client.get("/admin/guide/").text
    dutch = client.get("/admin/guide/", headers={"accept-language": "nl,en;q=0.5"}).text
    assert '<article class="guide" lang="nl">' in dutch
    assert '<h2 id="byes-absences-and-no-shows">Bye' in dutch
    asked = client.get("/admin/guide/?language=en", headers={"accept-language": "nl"}).text
    assert '<article class="guide" lang="en">' in asked


def test_translations_quote_the_same_english_labels() -> None:
    texts = (" ".join((ROOT / "docs" / name).read_text().split()) for name in FILES.values())
    english, *others = (set(LABEL.findall(text)) for text in texts)

    assert len(english) > 30
    for labels in others:
        assert labels == english


@pytest.mark.parametrize("language", FILES)
def test_links_of_the_guide_lead_to_its_sections(language: str) -> None:
    contents, text = read_guide(language)

    assert set(re.findall(r'href="([^"]*)"', text)) <= {f"#{anchor}" for anchor, _heading in contents}


@pytest.mark.parametrize("language", FILES)
def test_every_picture_is_a_static_file(language: str) -> None:
    sources = re.findall(r'<img src="/static/([^"]+)"', read_guide(language)[1])

    assert sources
    assert [name for name in sources if not finders.find(name)] == []
