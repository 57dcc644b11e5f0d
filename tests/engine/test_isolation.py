"""The engine is plain Python and numpy."""

import subprocess
import sys

BLOCKED = """
import sys
for name in ("django", "tournaments", "config"):
    sys.modules[name] = None
import standings.engine
assert standings.engine.SYSTEMS
assert {name.split(".")[1] for name in sys.modules if name.startswith("standings.")} == {"engine"}
"""


def test_engine_imports_without_django_and_other_packages() -> None:
    subprocess.run([sys.executable, "-c", BLOCKED], check=True)
