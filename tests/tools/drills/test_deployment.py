"""The drill's replacements of commands refer to existing lines of docs/deployment.md."""

import re
import subprocess

import pytest

from tools.drills import deployment, second_machine

PAGE = deployment.GUIDE.read_text()


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
    commands = "".join(commands for _, commands in second_machine.steps(PAGE))
    subprocess.run(["sh", "-n"], input=commands, text=True, check=True, timeout=60)
    without_input = re.sub(r"<<END\n.*?^END$", "", commands, flags=re.MULTILINE | re.DOTALL)
    assert 20 < len(re.sub(r"(\\|\|)\n", "", without_input).splitlines()) <= 25


def test_drill_of_the_second_machine_follows_the_page() -> None:
    steps = second_machine.steps(PAGE)
    commands = "".join(commands for _, commands in steps).replace(" && ", "\n").splitlines()

    assert [machine for machine, _ in steps] == [1, 1, 2, 2]
    assert set(second_machine.INSTEAD) <= set(commands)
    assert PAGE.count("ONE={} TWO={}".format(*second_machine.ADDRESSES)) == 3
    assert "pg_promote" in second_machine.if_one_is_lost(PAGE)


@pytest.mark.parametrize(
    ("there", "here"),
    [
        ("2. On machine 1, ", "2. Here, "),
        ("2. On machine 1, ", "2. On machine 3, "),
        ("The output ends with `ok`. `scp`", "```sh\nls\n```\n\n`scp`"),
        ("### Adding a second machine", "### Another machine"),
    ],
)
def test_commands_that_are_for_neither_machine_are_refused(there: str, here: str) -> None:
    assert there in PAGE
    with pytest.raises(ValueError, match=r"docs/deployment\.md has"):
        second_machine.steps(PAGE.replace(there, here))
