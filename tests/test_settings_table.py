"""The table of docs/deployment.md has every setting of the environment, and no other."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "deployment.md").read_text()
READ_ELSEWHERE = {"PG_BINDIR", "PROMETHEUS_MULTIPROC_DIR"}
"""Variables of others, which their programs read."""


def read_by_settings() -> set[str]:
    """Names that config/settings.py asks the environment for."""
    text = (ROOT / "config" / "settings.py").read_text()
    return set(re.findall(r'\benv(?:\.\w+)?\(\s*"([A-Z][A-Z0-9_]+)"', text))


def in_the_tables() -> set[str]:
    """Names in the first column of the environment's table, and in the last of the deadlines'."""
    first = re.findall(r"^\| ((?:`[A-Z][A-Z0-9_]+`(?:, )?)+)", PAGE, re.MULTILINE)
    last = re.findall(r"\| ((?:`[A-Z][A-Z0-9_]+`(?:, )?)+) \|$", PAGE, re.MULTILINE)
    return set(re.findall(r"[A-Z][A-Z0-9_]+", " ".join([*first, *last])))


OF_GRANIAN = {"GRANIAN_BLOCKING_THREADS", "GRANIAN_WORKERS"}


def test_every_setting_stands_in_the_tables() -> None:
    limits = {name for name in read_by_settings() if name.startswith("IMPORT_")}  # docs/import.md has these

    assert read_by_settings() - in_the_tables() - limits - OF_GRANIAN == set()
    assert all(f"`{name}`" in (ROOT / "docs" / "import.md").read_text() for name in limits)


def test_the_tables_name_no_other() -> None:
    assert in_the_tables() - read_by_settings() - READ_ELSEWHERE == set()
