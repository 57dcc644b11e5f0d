"""Small files with which a regular expression never ended. A process that can be killed reads each file."""

import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.interchange.formats.tables.entrants import writings_of
from tournaments.interchange.formats.tables.headings import script_of

READ = """
import sys
import django
django.setup()
from tournaments.interchange.formats.layouts.layout import LayoutFile
from tournaments.interchange.formats.layouts.recognition import read_by_layout
from tournaments.interchange.formats.tables.html import is_page
content = sys.stdin.buffer.read()
is_page(content.decode())
read_by_layout(LayoutFile(sys.argv[1], content))
"""
# Python and Django start within this time on a busy machine; an exponential match takes longer
MOST_SECONDS = 60

COMMENTS = "<!---->" * 60 + "<x/>"
NATURAL = (
    "".join(f"<!-- saved line {number} -->\n" for number in range(26)) + "<ul>Results of the open</ul>\n"
)


EXHAUSTIVE = pytest.mark.exhaustive


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("comments.xml", COMMENTS, id="empty comments"),
        pytest.param("comments.html", COMMENTS, id="empty comments of a page", marks=EXHAUSTIVE),
        pytest.param("natural.html", NATURAL, id="ordinary comments", marks=EXHAUSTIVE),
        pytest.param(
            "names.csv",
            f"No;Name\n1;{'a' * 3_000}\n2;{'a/ ' * 1_000}\n",
            id="long names",
            marks=EXHAUSTIVE,
        ),
        pytest.param(
            "games.txt",
            f"Round 1\n{'.' * 199}\n" * 50 + "A - " * 49,
            id="lines of signs",
            marks=EXHAUSTIVE,
        ),
    ],
)
def test_a_file_cannot_hang_its_reader(name: str, text: str) -> None:
    subprocess.run([sys.executable, "-c", READ, name], input=text.encode(), timeout=MOST_SECONDS, check=True)


# the former expression: correct, but slow for long names
BEFORE = re.compile(r"(.*\w.*?) *[(/|] *(.*\w.*?)\)?")


@given(st.text("aЯ (/|)", max_size=9))
def test_name_is_split_like_the_slow_expression(name: str) -> None:
    found = BEFORE.fullmatch(name)
    is_parted = found is not None and script_of(found[1]) != script_of(found[2])

    assert writings_of(name) == ((name, found[1], found[2]) if found and is_parted else (name,))
