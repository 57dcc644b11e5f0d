"""The drill's replacements of commands refer to existing lines of docs/deployment.md."""

from tools.drills import deployment
from tools.drills.servers import ROOT

PAGE = (ROOT / "docs" / "deployment.md").read_text()


def test_texts_that_the_drill_replaces_are_on_the_page() -> None:
    sections = dict(deployment.sections(PAGE))
    commands = "".join(sections.values()).splitlines()

    assert {deployment.ONLINE, *deployment.BESIDE} <= sections.keys()
    assert set(deployment.INSTEAD) <= set(commands)
    assert deployment.NOT_DONE in PAGE
    assert not any(deployment.NOT_DONE in command for command in commands)
    assert deployment.SITE.strip() in "".join(commands)
    assert deployment.ADDRESS in PAGE


def test_files_named_on_the_page_exist() -> None:
    words = "".join(commands for _, commands in deployment.sections(PAGE)).split()
    named = {word for word in words if word.startswith("deploy/") and "*" not in word}

    assert named == {"deploy/manage", "deploy/crosstable.env.example", "deploy/nginx.conf"}
    assert all((ROOT / name).exists() for name in named)
