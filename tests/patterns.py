"""Every regular expression of the product: compiled expressions of modules, and arguments of `re`."""

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

PACKAGES = ("config", "tournaments", "standings")
ANYWHERE = dict.fromkeys(("search", "sub", "subn", "split", "findall", "finditer"), "finditer")
METHODS = {"match": "match", "fullmatch": "fullmatch", **ANYWHERE}
"""The functions of `re` with the method that does the same."""

NOT_IMPORTED = re.compile(r"\.(migrations|management)\b|\.(wsgi|asgi)$|__main__")


class Found(NamedTuple):
    """An expression with its place and the methods by which texts are matched with it."""

    place: str
    pattern: str
    flags: int
    methods: frozenset[str]


def patterns() -> tuple[list[Found], list[str]]:
    """Return the expressions of the product, and the places of those that are built inside a function."""
    found: dict[tuple[str, int], Found] = {}
    unknown = []
    sources = list(_modules())
    used = _uses([tree for _, tree in sources])
    for module, tree in sources:
        own = _uses([tree])
        for name, compiled in _held(module):
            word = name.rpartition(".")[2]
            methods = (own if word.startswith("_") else used).get(word) or frozenset(METHODS.values())
            _note(found, f"{module.__name__}.{name}", compiled, methods)
    named = set(found)
    for module, tree in sources:
        for line, method, argument, flags in _given(tree):
            place = f"{module.__name__}:{line}"
            try:
                value, bits = _value(argument, module), _value(flags, module) if flags else 0
            except NameError:
                unknown.append(f"{module.__name__}: {ast.unparse(argument)}")
                continue
            compiled = value if isinstance(value, re.Pattern) else re.compile(value, bits)
            if method != "compile" or _key(compiled) not in named:
                methods = frozenset({METHODS[method]} if method in METHODS else METHODS.values())
                _note(found, place, compiled, methods)
    return list(found.values()), sorted(set(unknown))


def _value(expression: ast.expr, module: ModuleType) -> Any:
    code = compile(ast.Expression(expression), module.__name__, "eval")
    return eval(code, vars(module).copy())  # noqa: S307  (our own source)


def _note(
    found: dict[tuple[str, int], Found], place: str, compiled: re.Pattern[str], methods: frozenset[str]
) -> None:
    key = _key(compiled)
    known = found.get(key, Found(place, *key, frozenset()))
    found[key] = known._replace(methods=known.methods | methods)


def _key(compiled: re.Pattern[Any]) -> tuple[str, int]:
    """Return the text and the flags; an expression over bytes counts as ASCII."""
    if isinstance(compiled.pattern, bytes):
        return compiled.pattern.decode("latin-1"), compiled.flags | re.ASCII
    return compiled.pattern, compiled.flags & ~re.UNICODE


def _modules() -> Iterator[tuple[ModuleType, ast.Module]]:
    for package in PACKAGES:
        root = importlib.import_module(package)
        names = [package, *(each.name for each in pkgutil.walk_packages(root.__path__, f"{package}."))]
        for name in names:
            if not NOT_IMPORTED.search(name):
                module = importlib.import_module(name)
                yield module, ast.parse(Path(module.__file__ or "").read_bytes())


def _held(module: ModuleType) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield the compiled expressions in the names of a module and of its classes."""
    spaces: list[tuple[str, Mapping[str, Any]]] = [("", vars(module))]
    spaces += [
        (f"{name}.", vars(each))
        for name, each in vars(module).items()
        if inspect.isclass(each) and each.__module__ == module.__name__
    ]
    for before, space in spaces:
        for name, value in list(space.items()):
            yield from ((before + name, each) for each in _within(value, 4))


def _within(value: object, depth: int) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, tuple | list | set | frozenset) and len(value) < 1000:
        for each in value:
            yield from _within(each, depth - 1)
    elif depth and isinstance(value, dict) and len(value) < 1000:
        for each in (*value, *value.values()):
            yield from _within(each, depth - 1)


def _uses(trees: list[ast.Module]) -> dict[str, frozenset[str]]:
    """Return the methods that are called on each name, of any module."""
    used: dict[str, frozenset[str]] = {}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in METHODS:
                owner = node.value.value if isinstance(node.value, ast.Subscript) else node.value
                name = str(getattr(owner, "attr", "") or getattr(owner, "id", ""))
                used[name] = used.get(name, frozenset()) | {METHODS[node.attr]}
    return used


def _given(tree: ast.Module) -> Iterator[tuple[int, str, ast.expr, ast.expr | None]]:
    """Yield each expression that is an argument of a function of `re`, with its flags."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in {*METHODS, "compile"}
        ):
            at = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(node.func.attr, 2)
            named = [each.value for each in node.keywords if each.arg == "flags"]
            flags = node.args[at] if len(node.args) > at else next(iter(named), None)
            yield node.lineno, node.func.attr, node.args[0], flags
