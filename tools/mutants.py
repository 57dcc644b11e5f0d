"""Mutation testing: make small changes to the product and report those that no test detects.

    python -m tools.mutants [GROUP ...] [--most N|all]

The mutants are mutmut's, in the modules of GROUPS. Each is run against the tests listed for its module. In
each group N places are sampled by a hash of their code, so that the sample does not depend on changes
elsewhere. The tests run in copies of the working tree, one per core. The exit code is 1 if a mutant survives
without an explanation in docs/mutation.md.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import libcst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

EXPLAINED = Path("docs/mutation.md")
RECORDING, DESK, FORMATS = (
    "tests/tournaments/recording/",
    "tests/desk/test_",
    "tests/tournaments/interchange/formats/",
)
ENGINE = (
    "tests/engine",
    "--ignore=tests/engine/test_properties.py",
    "--ignore=tests/engine/test_isolation.py",
)
RESULTS = (
    f"{RECORDING}results/test_submissions.py",
    f"{RECORDING}teams/test_match_points.py",
    f"{RECORDING}test_corrections.py",
    f"{DESK}results.py",
)
REPORTS = tuple(
    f"{FORMATS}trf/test_{name}.py"
    for name in ("settings", "tie_breaks", "abnormal", "players", "report_lines", "teams", "writing")
)
LISTED = "tests/tournaments/event/test_listed_results.py"

GROUPS: dict[str, dict[str, tuple[str, ...]]] = {
    "engine": {
        f"standings/engine/{name}.py": ENGINE
        for name in ("terms", "measures", "scoredrecord", "ranking", "tie", "scoring")
    },
    "recording": {
        "tournaments/recording/results/storing.py": RESULTS,
        "tournaments/recording/events/rules.py": (
            *(f"{RECORDING}events/{name}.py" for name in ("test_rules", "test_systems")),
            f"{DESK}frozen_rules.py",
        ),
        "tournaments/recording/locking.py": (
            *RESULTS,
            *(
                f"{RECORDING}{name}.py"
                for name in (
                    "test_locking",
                    "test_simultaneous",
                    "events/test_rules",
                    "events/test_tiebreaks",
                )
            ),
        ),
    },
    "files": {
        "tournaments/interchange/formats/json/reader.py": (
            *(f"{FORMATS}test_{name}.py" for name in ("reader", "limits", "layouts")),
            "tests/tournaments/event/test_published_only.py",
            f"{RECORDING}imports/test_editions.py",
        ),
        "tournaments/interchange/formats/trf/settings.py": REPORTS,
        "tournaments/interchange/formats/trf/cells.py": (*REPORTS, LISTED),
    },
    "permissions": {
        "tournaments/accounts/services/roles.py": (f"{DESK}permissions.py",),
        "tournaments/admin/permissions.py": (f"{DESK}permissions.py", f"{DESK}local_times.py"),
    },
}
"""The modules of each group, and the tests that should detect their mutants."""

UNTRIED = (libcst.Annotation, libcst.Decorator, libcst.Import, libcst.ImportFrom)
"""Nodes without mutants: annotations are not run, and a broken import fails all tests."""

IN_WORDS = {"_", "gettext", "ngettext", "phrase"}
"""Functions with texts for readers, which the translation tests cover."""

TIMES = 4
"""Timeout of a mutant, relative to the time of the tests. A mutant that hangs is detected."""


@dataclass(frozen=True, order=True)
class Mutant:
    """The text of a module with a single mutation."""

    module: str
    line: int
    column: int
    definition: str
    before: str
    after: str
    text: str

    @property
    def row(self) -> str:
        """Return the row in docs/mutation.md, without the reason."""
        before, after = (changed.replace("|", "\\|") for changed in (self.before, self.after))
        return f"| {Path(self.module).name} | `{before}` | `{after}` |"

    def drawn(self, *more: str) -> str:
        """Return a hash of the mutation that does not depend on its line, for sampling."""
        told = (self.module, self.definition, self.before, str(self.column), *more)
        return hashlib.sha256("\n".join(told).encode()).hexdigest()


# --- mutants ----------------------------------------------------------------------------------------------


class Mutants(libcst.CSTVisitor):
    """Collects the mutants of a module."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, module: str, text: str) -> None:
        super().__init__()
        self.found: list[Mutant] = []
        self._module, self._text = module, text
        self._around: list[str] = []

    def on_visit(self, node: libcst.CSTNode) -> bool:
        """Add the mutants of a node. Return False if its children have none."""
        if isinstance(node, UNTRIED) or _is_in_words(node):
            return False
        if isinstance(node, (libcst.FunctionDef, libcst.ClassDef)):
            self._around.append(node.name.value)
        for kind, operator in mutation_operators:
            if isinstance(node, kind):
                for mutated in operator(node):
                    self._note(node, mutated)
        return True

    def on_leave(self, original_node: libcst.CSTNode) -> None:
        if isinstance(original_node, (libcst.FunctionDef, libcst.ClassDef)):
            self._around.pop()

    def _note(self, node: libcst.CSTNode, mutated: libcst.CSTNode) -> None:
        place = self.get_metadata(PositionProvider, node)
        lines = self._text.splitlines(keepends=True)
        first, last = place.start.line - 1, place.end.line - 1
        head, tail = lines[first][: place.start.column], lines[last][place.end.column :]
        changed = head + libcst.Module([]).code_for_node(mutated) + tail
        text = "".join([*lines[:first], changed, *lines[last + 1 :]])
        before = "".join(lines[first : last + 1])
        try:
            compile(text, self._module, "exec")
        except SyntaxError:  # such as a missing value of a keyword argument
            return
        self.found.append(
            Mutant(
                module=self._module,
                line=first + 1,
                column=place.start.column,
                definition=".".join(self._around),
                before=" ".join(before.split()),
                after=" ".join(changed.split()),
                text=text,
            )
        )


def _is_in_words(node: libcst.CSTNode) -> bool:
    return (
        isinstance(node, libcst.Call) and isinstance(node.func, libcst.Name) and node.func.value in IN_WORDS
    )


def mutants_of(module: str) -> list[Mutant]:
    text = Path(module).read_text()
    visitor = Mutants(module, text)
    MetadataWrapper(libcst.parse_module(text)).visit(visitor)
    return visitor.found


def sample(mutants: Sequence[Mutant], most: int | None) -> list[Mutant]:
    """Return a mutant for each of `most` places, or all mutants, in the order of the files."""
    if most is None:
        return list(mutants)
    at_place: dict[tuple[str, int, int], list[Mutant]] = {}
    for mutant in mutants:
        at_place.setdefault((mutant.module, mutant.line, mutant.column), []).append(mutant)
    places = sorted(at_place.values(), key=lambda there: there[0].drawn())[:most]
    return sorted(min(there, key=lambda mutant: mutant.drawn(mutant.after)) for there in places)


# --- runs -------------------------------------------------------------------------------------------------


def enter_copy(tree: Path, folder: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=tree,
        capture_output=True,
        check=True,
    )
    copy = folder / str(os.getpid())
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (tree / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(tree / name, copy / name)
    os.chdir(copy)
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"  # two mutants within a second would share the same bytecode


def passes(tests: Sequence[str], seconds: float | None = None) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    try:
        run = subprocess.run(command, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return False
    return run.returncode == 0


def seconds_of(tests: Sequence[str]) -> float:
    began = time.monotonic()
    if not passes(tests):
        sys.exit(f"These fail without a mutant: {' '.join(tests)}")
    return time.monotonic() - began


def survives(mutant: Mutant, tests: Sequence[str], seconds: float) -> bool:
    module = Path(mutant.module)
    whole = module.read_text()
    module.write_text(mutant.text)
    try:
        return passes(tests, seconds)
    finally:
        module.write_text(whole)


def try_group(group: str, most: int | None, explained: str, workers: Executor) -> int:
    """Run a group, print its surviving mutants, and return the number of unexplained ones."""
    modules = GROUPS[group]
    chosen = sample([mutant for module in modules for mutant in mutants_of(module)], most)
    suites = sorted(set(modules.values()))
    taken = dict(zip(suites, workers.map(seconds_of, suites), strict=True))
    tests = [modules[mutant.module] for mutant in chosen]
    results = workers.map(survives, chosen, tests, [TIMES * taken[each] for each in tests])
    counts = Counter(dict.fromkeys(("killed", "explained", "unexplained"), 0))
    for mutant, survived in zip(chosen, results, strict=True):
        word = "killed" if not survived else "explained" if mutant.row in explained else "unexplained"
        counts[word] += 1
        if survived:
            print(f"{word}, line {mutant.line}, {mutant.definition}\n{mutant.row}", flush=True)
    numbers = ", ".join(f"{number} {word}" for word, number in counts.items())
    print(f"{group}: {len(chosen)} mutants, {numbers}", flush=True)
    return counts["unexplained"]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__.partition("\n")[0])
    parser.add_argument("groups", metavar="GROUP", nargs="*", help=f"of {', '.join(GROUPS)}; else all")
    parser.add_argument("--most", metavar="N", default="40", help="how many places of each group, or `all`")
    options = parser.parse_args()
    if unknown := set(options.groups) - GROUPS.keys():
        parser.error(f"there is no group {', '.join(sorted(unknown))}")
    most = None if options.most == "all" else int(options.most)
    explained = EXPLAINED.read_text()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        of_copies = (Path.cwd(), Path(folder))
        with ProcessPoolExecutor(os.cpu_count(), initializer=enter_copy, initargs=of_copies) as workers:
            groups = options.groups or GROUPS
            unexplained = sum(try_group(group, most, explained, workers) for group in groups)
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
