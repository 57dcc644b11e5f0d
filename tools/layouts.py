"""Generate docs/layouts.md: the table layouts that can be imported, with examples and how they are
recognised.

    python -m tools.layouts

The description of a layout is the docstring of its module. A test checks that the page is up to date.
"""

import os
import sys
from inspect import cleandoc
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tools.benchmarks.settings")
django.setup()


from tournaments.interchange.formats.layouts import LAYOUTS
from tournaments.interchange.formats.layouts.layout import Layout, LayoutFile

PAGE = Path(__file__).parents[1] / "docs" / "layouts.md"
HEAD = """# Layouts of files

How programs and sites lay out what they export, each with an example of invented people. A file is recognised
by its signs, and the preview names the layout with them; another can be chosen there, or by `--layout CODE`
([imports](import.md)). Where two have as many signs, you are asked. Each layout is a module of
`tournaments/interchange/formats/layouts`; this page is made of them by `python -m tools.layouts`.
What becomes of real files stands in [tables.md](tables.md).
"""


def page() -> str:
    return "\n".join((HEAD, *map(_section, LAYOUTS)))


def _section(layout: Layout) -> str:
    """Return the section of a layout: description, characteristics and example."""
    signs = list(layout.recognise(LayoutFile(f"example{layout.endings[0]}", layout.example.encode())))
    files = ", ".join(f"`{each}`" for each in layout.endings)
    known = f"Known by {'; '.join(signs)}. Files: {files}."
    example = f"```\n{layout.example.strip()}\n```\n"
    return "\n\n".join((f"## {layout.name}", f"`--layout {layout.code}`. {_prose(layout)}", known, example))


def _prose(layout: Layout) -> str:
    """Return the docstring of the layout's module without the example table."""
    module = sys.modules[layout.read.__module__]
    paragraphs = cleandoc(module.__doc__ or "").split("\n\n")
    return "\n\n".join(each for each in paragraphs if not each.startswith("    "))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
