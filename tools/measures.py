"""Measure how easy the project is to read, and fail if a measure is above its limit.

    python -m tools.measures [--worst 20]

A limit of LIMITS is lowered when the project improves, and never raised without an ADR. --worst prints the
sentences with the most dialect words: words that this project used many times as often as other projects.
"""

import argparse
import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from heapq import nlargest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PRODUCT = ("config", "standings", "tournaments")
FOLDERS = (*PRODUCT, "docs", "locale", "tests", "tools")

LIMITS = {
    "dialect words per 10,000 words of code": 120,
    "dialect words per 10,000 words of documents": 46,
    "dialect words per 10,000 words of page texts": 27,
    "dialect words per 10,000 words of tests": 94,
    "dialect words per 10,000 words of test names": 53,
    "per cent of functions with a docstring": 35,
    "private functions of modules called once": 1300,
    "per cent of functions of modules that share their name": 8,
    "lines of the product": 103_150,
    "modules in the largest folder": 30,
    "modules under 50 lines": 25,
    "import cycles between modules": 0,
}

ADVICE = {
    "lines of the product": (
        "Delete as many lines of config, standings or tournaments as are too much, best next to your change:"
        " a list that exists twice, a function that repeats another, an option without users."
    ),
    "modules under 50 lines": "Put the contents of a new one into the module that uses it. These are short:",
}
"""How to get below a limit, if its name does not suffice."""

DIALECT = re.compile(
    r"\b(beside|told|tells?|telling|says?|said|stands?|stood|nobody|somebody|everybody|whom|whose|alone|anew|kept|"
    r"asks?|asked|holds?|held|ours|half|whole|nothing|none|behind|meanwhile|likewise|besides|otherwise|whatever|whoever|"
    r"becomes?|became|lies|lay|heed\w*|vouch\w*|reckon\w*|dear|signs?|words?)\b"
    r"|\b(where|what|who|one) (?=\w)"
)
WORD = re.compile(r"[A-Za-z]+(?:'[a-z]+)?")
NOT_PROSE = re.compile(
    r"```.*?```|`[^`]*`|\]\([^)]*\)|https?://\S+|<[^>]+>|\{[%{].*?[%}]\}|\bNone\b|half-\w+", re.DOTALL
)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

Texts = dict[str, list[tuple[Path, str]]]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="print N sentences")
    arguments = parser.parse_args()
    texts, measured = measure()
    exceeded = 0
    for name, limit in LIMITS.items():
        too_much = measured[name] > limit
        exceeded += too_much
        print(f"{measured[name]:8} of {limit:8}  {name}{'  TOO MUCH' if too_much else ''}")
        if too_much and name in ADVICE:
            print(ADVICE[name])
        if too_much and name == "modules under 50 lines":
            lines = lines_of_product(path for path in own_files() if path.suffix == ".py")
            print(*(f"{lines[path]:8} {path.relative_to(ROOT)}" for path in short_modules(lines)), sep="\n")
    for path, sentence in worst_sentences(texts, arguments.worst):
        print(f"{path.relative_to(ROOT)}: {sentence[:200]}")
    if exceeded:
        print("Write it more simply, or delete something: CONTRIBUTING.md, “Hard rules”.")
    return 1 if exceeded else 0


def measure() -> tuple[Texts, dict[str, int]]:
    texts: Texts = defaultdict(list)
    modules: dict[Path, list[ast.AST]] = {}
    for path in own_files():
        kind = "tests" if path.is_relative_to(ROOT / "tests") else "code"
        if path.suffix == ".py":
            source = path.read_text()
            tree = ast.parse(source)
            nodes = list(ast.walk(tree))
            texts[kind] += [(path, text) for text in docstrings_and_comments(source, nodes)]
            if kind == "tests":
                texts["test names"] += [(path, name) for name in test_names(nodes)]
            else:
                modules[path] = nodes
        elif path.suffix == ".md" and not path.name.endswith(".nl.md"):  # the words are English
            texts["documents"].append((path, path.read_text()))
        elif path.suffix == ".po":
            texts["page texts"] += [(path, text) for text in translated_texts(path.read_text())]
    measured = {
        f"dialect words per 10,000 words of {kind}": dialect_rate(found) for kind, found in texts.items()
    }
    return texts, measured | measure_functions(modules) | measure_modules(modules)


def own_files() -> Iterator[Path]:
    """Yield the modules, documents and translations of the project, without migrations."""
    yield from ROOT.glob("*.md")
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.*"):
            if path.suffix in {".py", ".md", ".po"} and "migrations" not in path.parts:
                yield path


def docstrings_and_comments(source: str, nodes: list[ast.AST]) -> list[str]:
    expressions = [node.value for node in nodes if isinstance(node, ast.Expr)]
    constants = [node.value for node in expressions if isinstance(node, ast.Constant)]
    strings = [value for value in constants if isinstance(value, str)]
    return strings + re.findall(r"(?:^ *|  )#:? (.*)", source, re.MULTILINE)


def test_names(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.name.replace("_", " ")


def translated_texts(catalogue: str) -> Iterator[str]:
    for text in re.findall(r'^msgid ((?:".*"\n)+)', catalogue, re.MULTILINE):
        yield "".join(line[1:-1] for line in text.splitlines())


def dialect_rate(texts: list[tuple[Path, str]]) -> int:
    prose = [NOT_PROSE.sub(" ", text) for _, text in texts]
    words = sum(len(WORD.findall(text)) for text in prose)
    return round(10_000 * sum(len(DIALECT.findall(text.lower())) for text in prose) / max(words, 1))


def worst_sentences(texts: Texts, count: int) -> list[tuple[Path, str]]:
    sentences = (
        (path, " ".join(sentence.split()))
        for pairs in texts.values()
        for path, text in pairs
        for sentence in re.split(r"(?<=[.!?:;])\s+|\n\n|\n- ", NOT_PROSE.sub(" ", text))
    )
    long_enough = [(path, sentence) for path, sentence in sentences if len(WORD.findall(sentence)) > 4]
    return nlargest(
        count, long_enough, key=lambda found: len(DIALECT.findall(found[1].lower())) / len(found[1])
    )


def measure_functions(modules: dict[Path, list[ast.AST]]) -> dict[str, int]:
    functions = [node for nodes in modules.values() for node in nodes if isinstance(node, FUNCTIONS)]
    documented = sum(ast.get_docstring(node) is not None for node in functions)
    names = {
        path: [node.name for node in nodes if isinstance(node, FUNCTIONS) and node.col_offset == 0]
        for path, nodes in modules.items()
    }
    counts = Counter(name for own in names.values() for name in own)
    shared = sum(count for count in counts.values() if count > 1)
    called_once = 0
    for path, own in names.items():
        words = Counter(re.findall(r"\w+", path.read_text()))
        called_once += sum(name.startswith("_") and words[name] == 2 for name in own)
    return {
        "per cent of functions with a docstring": round(100 * documented / len(functions)),
        "private functions of modules called once": called_once,
        "per cent of functions of modules that share their name": round(100 * shared / counts.total()),
    }


def measure_modules(modules: dict[Path, list[ast.AST]]) -> dict[str, int]:
    lines = lines_of_product(modules)
    product = {path: modules[path] for path in lines}
    folders = Counter(path.parent for path in product if path.name != "__init__.py")
    return {
        "lines of the product": sum(lines.values()),
        "modules in the largest folder": max(folders.values()),
        "modules under 50 lines": len(short_modules(lines)),
        "import cycles between modules": count_cycles(product),
    }


def lines_of_product(paths: Iterable[Path]) -> dict[Path, int]:
    product = (path for path in paths if path.relative_to(ROOT).parts[0] in PRODUCT)
    return {path: len(path.read_text().splitlines()) for path in product}


def short_modules(lines: dict[Path, int]) -> list[Path]:
    found = (path for path, count in lines.items() if count < 50 and path.name != "__init__.py")
    return sorted(found, key=lambda path: lines[path])


def count_cycles(product: dict[Path, list[ast.AST]]) -> int:
    """Print import cycles; return how many imports must be removed until there are none."""
    nodes = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): nodes
        for path, nodes in product.items()
    }
    imports = {name: set(imported_modules(nodes[name])) & nodes.keys() - {name} for name in nodes}
    cycles = 0
    while True:
        try:
            TopologicalSorter(imports).prepare()
        except CycleError as error:
            cycle = error.args[1]
            imports[cycle[1]].discard(cycle[0])
            print("import cycle:", " ← ".join(cycle))
            cycles += 1
        else:
            return cycles


def imported_modules(nodes: list[ast.AST]) -> Iterator[str]:
    """Yield the names of imported modules and objects, without imports for the type checker."""
    for_types = {
        id(inner)
        for node in nodes
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    for node in nodes:
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


if __name__ == "__main__":
    sys.exit(main())
