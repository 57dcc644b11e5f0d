"""The measures of `make lint` are counted as documented."""

import ast
import re
from pathlib import Path
from unittest.mock import patch

import pytest

from tools.measures import (
    ADVICE,
    LIMITS,
    ROOT,
    count_cycles,
    dialect_rate,
    docstrings_and_comments,
    main,
    measure_functions,
)

CODE = '''"""A docstring."""
x = "# no comment"  # The reason.


def _helper():
    """Another docstring."""


def public():
    return _helper()
'''


def nodes_of(source: str) -> list[ast.AST]:
    return list(ast.walk(ast.parse(source)))


def test_prose_is_docstrings_and_comments() -> None:
    found = docstrings_and_comments(CODE, nodes_of(CODE))
    assert found == ["A docstring.", "Another docstring.", "The reason."]


def test_dialect_words_are_counted_per_ten_thousand() -> None:
    assert dialect_rate([(ROOT, "A rule stands beside others, `told` and half-points excepted.")]) == 2857


def test_functions_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(CODE)
    assert measure_functions({path: nodes_of(CODE)}) == {
        "per cent of functions with a docstring": 50,
        "private functions of modules called once": 1,
        "per cent of functions of modules that share their name": 0,
    }


def test_exceeded_limit_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    exceeded = {name: limit + 1 for name, limit in LIMITS.items()}
    with patch("tools.measures.measure", return_value=({}, exceeded)), patch("sys.argv", ["measures"]):
        assert main() == 1
    printed = capsys.readouterr().out
    assert all(advice in printed for advice in ADVICE.values())
    assert re.search(r"^ +\d+ standings/apps\.py$", printed, re.MULTILINE)


def test_import_cycles_are_counted() -> None:
    sources = {
        "a.py": "import b",
        "b.py": "def late():\n    from c import x",
        "c.py": "import a",
        "d.py": "import a",
    }
    modules = {ROOT / name: nodes_of(source) for name, source in sources.items()}
    assert count_cycles(modules) == 1
    del modules[ROOT / "c.py"]
    assert count_cycles(modules) == 0


def test_imports_for_the_type_checker_make_no_cycle() -> None:
    sources = {
        "a.py": "if TYPE_CHECKING:\n    import b",
        "b.py": "import a",
    }
    assert count_cycles({ROOT / name: nodes_of(source) for name, source in sources.items()}) == 0
