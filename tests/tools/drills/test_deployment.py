"""The drill's replacements of commands refer to existing lines of docs/deployment.md."""

from tools.drills import deployment
from tools.drills.servers import ROOT

PAGE = (ROOT / "docs" / "deployment.md").read_text()


def test_texts_that_the_drill_replaces_are_on_the_page() -> None:
    sections = dict(deployment.sections(PAGE))
    commands = "".join(sections.values()).splitlines()

    assert deployment.BESIDE.keys() <= sections.keys()
    assert set(deployment.INSTEAD) <= set(commands)
    assert any(line.startswith("SITE=crosstable.example") for line in commands)
    assert any(line.startswith(deployment.FILES) for line in commands)


def test_site_takes_at_most_ten_commands() -> None:
    first, _checks = deployment.BLOCK.findall(PAGE)[:2]
    assert 5 < len(first.splitlines()) <= 10
