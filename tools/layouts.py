"""Print the page `/layouts/` of the site as Markdown: all layouts of tables that can be imported.

    python -m tools.layouts

The description of a layout is the docstring of its module.
"""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tools.benchmarks.settings")
django.setup()


from standings.pages.site.file_formats import LayoutDescription, layout_descriptions


def document() -> str:
    return "\n\n".join(("# Files of other programs", *map(_section, layout_descriptions())))


def _section(layout: LayoutDescription) -> str:
    files = ", ".join(f"`{each}`" for each in layout.endings)
    option = f"Option of the command: `--layout {layout.code}`"
    recognised = f"Recognised by {'; '.join(layout.signs)}. Files: {files}. {option}"
    example = f"```\n{layout.example}\n```"
    return "\n\n".join((f"## {layout.name}", *layout.about, recognised, example))


if __name__ == "__main__":
    print(document())
