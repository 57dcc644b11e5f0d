"""The guide for arbiters, docs/desk.md, as a page of the desk."""

from functools import cache
from itertools import pairwise

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import get_language_from_request
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt

from tournaments.admin.frame import page

FILES = {"en": "desk.md", "nl": "desk.nl.md"}
"""The file of each language in `docs`."""


@admin.site.admin_view
def guide(request: HttpRequest) -> HttpResponse:
    """Show the guide in the `language` asked for, or else that of the browser, or else in English."""
    wanted = request.GET.get("language", "") or get_language_from_request(request)
    language = wanted if wanted in FILES else "en"
    contents, text = read_guide(language)
    return page(
        request,
        None,
        "guide",
        _("Guide for arbiters"),
        _("How to run an event with the desk, from the first list to the archive."),
        language=language,
        languages=[(code, name) for code, name in settings.LANGUAGES if code in FILES],
        contents=contents,
        text=text,
    )


@cache
def read_guide(language: str) -> tuple[list[tuple[str, str]], SafeString]:
    """Return the guide as id and heading of each section, and its HTML without the title.

    The ids come from the English headings, so that a screen links to the same section in every language.
    """
    markdown = MarkdownIt().enable("table")
    headings, tokens = [], []
    for code in ("en", language):
        tokens = markdown.parse((settings.SHARE / "docs" / FILES[code]).read_text(encoding="utf-8"))
        headings.append([text.content for tag, text in pairwise(tokens) if tag.type == "heading_open"][1:])
    contents = [(slugify(english), own) for english, own in zip(*headings, strict=True)]

    after_title = tokens[3:]
    sections = (token for token in after_title if token.type == "heading_open")
    for token, (anchor, _heading) in zip(sections, contents, strict=True):
        token.attrSet("id", anchor)
    for token in after_title:
        for image in (each for each in token.children or () if each.type == "image"):
            image.attrSet("src", static(str(image.attrs["src"])))
    text = markdown.renderer.render(after_title, markdown.options, {})
    return contents, mark_safe(text)  # noqa: S308 - the file is a part of the program
