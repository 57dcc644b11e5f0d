"""The drill's replacements of commands refer to existing lines of docs/deployment.md."""

import re
import subprocess
from textwrap import dedent

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


def test_second_machine_takes_at_most_25_commands() -> None:
    blocks = re.findall(r"^   ```sh\n(.*?)^   ```$", PAGE, re.MULTILINE | re.DOTALL)
    commands = "".join(map(dedent, blocks))
    subprocess.run(["sh", "-n"], input=commands, text=True, check=True, timeout=60)
    without_input = re.sub(r"<<END\n.*?^END$", "", commands, flags=re.MULTILINE | re.DOTALL)
    assert 20 < len(re.sub(r"(\\|\|)\n", "", without_input).splitlines()) <= 25
