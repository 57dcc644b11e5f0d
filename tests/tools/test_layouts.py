"""The document that tools.layouts prints."""

from tools.layouts import document
from tournaments.interchange.formats.layouts import LAYOUTS


def test_document_describes_every_layout_with_its_example() -> None:
    text = document()
    for layout in LAYOUTS:
        section = text.partition(f"\n## {layout.name}\n")[2].partition("\n## ")[0]
        assert f"--layout {layout.code}`" in section
        assert "Recognised by " in section
        assert f"```\n{layout.example.strip()}\n```" in section
