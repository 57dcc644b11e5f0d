"""Which differences of two responses are ignored."""

import io
from zipfile import ZipFile

import pytest

from tools.samepages.normalise import normalised_headers, normalised_page, parts_of

DAYS = ["2026-11-22"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<ul>\n  <li>A</li>\n</ul>", "<ul><li>A</li></ul>"),
        ("<p>\n  won  by\n  2-0\n</p>", "<p>won by 2-0</p>"),
        ('<p><a href="/">\n  list\n</a></p>', '<p><a href="/">list</a></p>'),
        ("<p>the <b> list</b></p>", "<p>the <b>list</b></p>"),
        ('<div\n  class="a"\n  id="b"\n>x</div>', '<div class="a" id="b">x</div>'),
        ("<button>\n Save </button>", "<button>Save</button>"),
        (
            '<p>x</p><script src="/static/js/a.js" defer></script>',
            '<p>x</p><script type="module" src="b.js"></script>',
        ),
        ('<head><link rel="modulepreload" href="/static/js/a.js"></head>', "<head></head>"),
        ('<img src="/static/flags/nl.0123456789ab.svg">', '<img src="/static/flags/nl.svg">'),
        (
            '<input type="hidden" name="csrfmiddlewaretoken" value="one">',
            '<input type="hidden" name="csrfmiddlewaretoken" value="other">',
        ),
        (
            '<button name="end" value="e0002f161848a9a3b824">',
            '<button name="end" value="38ef8cc83a421b142c5d">',
        ),
        (
            '<form data-options="{&quot;challenge&quot;: &quot;a-b&quot;}">',
            '<form data-options="{&quot;challenge&quot;: &quot;c_d&quot;}">',
        ),
        (
            '<input value="7 2d0cbf54-7b1b-4a0e-9d2f-000000000001 1-0">',
            '<input value="7 2d0cbf54-7b1b-4a0e-9d2f-ffffffffffff 1-0">',
        ),
        ("<td>22 November 2026, 21:05</td>", "<td>22 november 2026 21:07</td>"),
        (
            '<time datetime="2026-11-22T21:05:11.123456+00:00">',
            '<time datetime="2026-11-22T21:06:12.4+00:00">',
        ),
    ],
)
def test_invisible_differences_are_ignored(one: str, other: str) -> None:
    assert normalised_page(one, DAYS) == normalised_page(other, DAYS)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<p>2 <b>won</b></p>", "<p>2<b>won</b></p>"),
        ("<p><a>A</a> <a>B</a></p>", "<p><a>A</a><a>B</a></p>"),
        ("<p>points <button>Save</button></p>", "<p>points<button>Save</button></p>"),
        ('<p>flag <img src="a.svg"></p>', '<p>flag<img src="a.svg"></p>'),
        ("<pre>a\n  b</pre>", "<pre>a\nb</pre>"),
        ("<textarea> a</textarea>", "<textarea>a</textarea>"),
        ("<td>372½</td>", "<td>372</td>"),
        ('<td class="won">1</td>', "<td>1</td>"),
        ('<input name="end" value="2026-05-01">', '<input name="end" value="2026-05-02">'),
        ("<td>21 November 2026, 21:05</td>", "<td>21 November 2026, 21:07</td>"),
        (
            '<script type="application/ld+json">{"name": "A"}</script>',
            '<script type="application/ld+json">{"name": "B"}</script>',
        ),
    ],
)
def test_visible_differences_are_not_ignored(one: str, other: str) -> None:
    assert normalised_page(one, DAYS) != normalised_page(other, DAYS)


def test_every_element_of_a_page_starts_a_line() -> None:
    assert normalised_page("<ul> <li>A</li> <li><b>B</b> </li> </ul>", DAYS) == (
        "\n<ul>\n<li>A</li>\n<li>\n<b>B</b></li></ul>"
    )


def test_build_length_and_request_id_are_removed_from_headers() -> None:
    one = {"ETag": 'W/"event-1-None-0123456789ab-7"', "Content-Length": "12", "Vary": "Accept-Encoding"}
    other = {
        "Vary": "Accept-Encoding",
        "ETag": 'W/"event-1-None-ba9876543210-7"',
        "X-Request-ID": "04c29732fd",
    }
    assert normalised_headers(one) == normalised_headers(other)
    assert normalised_headers(one) != normalised_headers(one | {"ETag": 'W/"event-1-None-0123456789ab-8"'})


def test_order_of_a_content_security_policy_is_ignored() -> None:
    one, other = "img-src 'self'; font-src 'self'", "font-src 'self'; img-src 'self'"
    assert normalised_headers({"Content-Security-Policy": one}) == normalised_headers(
        {"Content-Security-Policy": other}
    )


def test_files_are_compared_unchanged() -> None:
    assert list(parts_of(b"a , b\r\n", "text/csv; charset=utf-8", DAYS)) == [("", "a , b\r\n")]
    assert list(parts_of(b"\xff\x00", "image/png", DAYS)) == [("", "ff00")]


def test_scripts_and_checksums_of_an_archive_are_ignored() -> None:
    file = io.BytesIO()
    with ZipFile(file, "w") as archive:
        archive.writestr("cup/index.html", "<ul>\n<li>A</li>\n</ul>")
        archive.writestr("cup/static/js/sort.js", "sort()")
        archive.writestr("cup/SHA256SUMS", "01  index.html\n02  static/js/sort.js\n")
    assert list(parts_of(file.getvalue(), "application/zip", DAYS)) == [
        ("cup/SHA256SUMS", "index.html\n"),
        ("cup/index.html", "\n<ul>\n<li>A</li></ul>"),
    ]
