"""Texts that make a backtracking regular expression slow, built from the expression itself.

Each attack is a beginning, a piece that is repeated, and an end that makes the match fail. They are found by
walking the parsed expression: the beginning leads to a repetition, the piece is something that it repeats.
"""

import re
from collections.abc import Iterator
from re import _constants as op  # type: ignore[attr-defined]  # no stubs
from re import _parser  # type: ignore[attr-defined]  # no stubs
from typing import Any, NamedTuple

LEAST_REPEATS = 30
"""A repetition with a smaller maximum cannot take long."""

ORDINARY = " \n0aA.é"
ENDS = ("", "\x00", "!\n")
MOST_PIECES = 14
REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
CATEGORIES = {
    op.CATEGORY_DIGIT: r"\d", op.CATEGORY_NOT_DIGIT: r"\D", op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_SPACE: r"\S", op.CATEGORY_WORD: r"\w", op.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


class Attack(NamedTuple):
    """A text that grows: the piece is repeated."""

    beginning: str
    piece: str
    end: str

    def text(self, times: int) -> str:
        return self.beginning + self.piece * times + self.end


def attacks(pattern: str, flags: int) -> list[Attack]:
    """Return the attacks on an expression; empty if every repetition has a small limit."""
    tree = _parser.parse(pattern, flags)
    alphabet = "".join(dict.fromkeys([*_literals(tree), *ORDINARY]))
    found: dict[Attack, None] = {}
    for beginning, body in _repetitions(tree, [""], alphabet):
        pieces = [each for each in _examples(body, alphabet) if each]
        pieces += [sign for sign in alphabet if any(sign in _signs(each, alphabet) for each in body)]
        for begin in beginning:
            again = [begin, *(begin + piece for piece in pieces[:2])] if begin else []
            for piece in dict.fromkeys([*pieces[:MOST_PIECES], *again]):
                found.update(dict.fromkeys(Attack(begin, piece, end) for end in ENDS))
    return list(found)


def repeats_groups_possessively(pattern: str, flags: int) -> bool:
    """Return whether more than one character is repeated possessively: `(?:ab)*+`."""
    return _repeats_groups(_parser.parse(pattern, flags))


def _repeats_groups(items: Any) -> bool:
    single = {op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN}
    return any(
        (code is op.POSSESSIVE_REPEAT and any(inner not in single for inner, _ in value[2]))
        or any(map(_repeats_groups, _inner(code, value)))
        for code, value in items
    )


def _literals(items: Any) -> Iterator[str]:
    for code, value in items:
        if code in {op.LITERAL, op.NOT_LITERAL}:
            yield chr(value)
        elif code is op.RANGE:
            yield chr(value[0])
        elif code is op.IN:
            yield from _literals(value)
        else:
            for each in _inner(code, value):
                yield from _literals(each)


def _inner(code: Any, value: Any) -> list[Any]:
    """Return the sequences inside an item."""
    if code in REPEATS:
        return [value[2]]
    if code is op.BRANCH:
        return list(value[1])
    if code is op.SUBPATTERN:
        return [value[3]]
    if code is op.ATOMIC_GROUP:
        return [value]
    if code in {op.ASSERT, op.ASSERT_NOT}:
        return [value[1]]
    return [each for each in value[1:] if each] if code is op.GROUPREF_EXISTS else []


def _repetitions(items: Any, before: list[str], alphabet: str) -> Iterator[tuple[list[str], Any]]:
    """Return each repetition, with examples of the text that leads to it."""
    for at, (code, value) in enumerate(items):
        ahead = list(items)[:at]
        lead = [begin + each for begin in before for each in _examples(ahead, alphabet)[:2]]
        lead = list(dict.fromkeys(lead))[:4]
        if code in REPEATS and value[1] >= LEAST_REPEATS:
            yield lead, value[2]
        for inner in _inner(code, value):
            yield from _repetitions(inner, lead, alphabet)


def _examples(items: Any, alphabet: str) -> list[str]:
    """Return some texts that a sequence matches, the shortest first."""
    parts = [_examples_of(code, value, alphabet) for code, value in items]
    shortest = "".join(each[0] for each in parts)
    found = [
        shortest,
        *(
            "".join(choice if at == other else each[0] for other, each in enumerate(parts))
            for at, choices in enumerate(parts)
            for choice in choices[1:]
        ),
    ]
    if len(parts) > 1:
        found.append("".join(each[-1] for each in parts))
    return list(dict.fromkeys(found))


def _examples_of(code: Any, value: Any, alphabet: str) -> list[str]:
    if code in REPEATS:
        least, _, body = value
        inner = _examples(body, alphabet)
        if least:
            return [each * least for each in inner][:6]
        return ["", *inner][:6]
    if code in {op.BRANCH, op.SUBPATTERN, op.ATOMIC_GROUP}:
        return [each for branch in _inner(code, value) for each in _examples(branch, alphabet)[:6]][:12]
    if code in {op.AT, op.ASSERT, op.ASSERT_NOT, op.GROUPREF, op.GROUPREF_EXISTS}:
        return [""]
    return list(_signs((code, value), alphabet)[:4]) or [""]


def _signs(item: tuple[Any, Any], alphabet: str) -> str:
    """Return the characters of the alphabet that an item can begin with; the alphabet for an assertion."""
    code, value = item
    if code is op.LITERAL:
        return chr(value)
    if code is op.NOT_LITERAL:
        return "".join(each for each in alphabet if each != chr(value))
    if code is op.ANY:
        return "".join(each for each in alphabet if each != "\n")
    if code is op.IN:
        is_negated = value[0][0] is op.NEGATE
        wanted = re.compile(f"[{'^' if is_negated else ''}{''.join(map(_written, value))}]")
        ranges = "".join(chr(first) for kind, (first, _) in _ranges(value) if kind is op.RANGE)
        return "".join(dict.fromkeys(each for each in alphabet + ranges if wanted.match(each)))
    first = [each for inner in _inner(code, value) for each in list(inner)[:2]]
    return "".join(dict.fromkeys(sign for each in first for sign in _signs(each, alphabet)))


def _ranges(value: Any) -> Iterator[tuple[Any, tuple[int, int]]]:
    return ((code, each) for code, each in value if code is op.RANGE)


def _written(item: tuple[Any, Any]) -> str:
    code, value = item
    if code is op.LITERAL:
        return f"\\U{value:08x}"
    if code is op.RANGE:
        return f"\\U{value[0]:08x}-\\U{value[1]:08x}"
    return "" if code is op.NEGATE else CATEGORIES[value]
