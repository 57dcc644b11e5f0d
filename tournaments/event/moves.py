"""The moves of a game as the record has them: tags that no other field holds, then the movetext.

Nothing here knows what a move is. What stood in a PGN or PDN file is given back as it stood.
"""

import re
from collections.abc import Mapping

MOST_SIGNS = 50_000
"""So long may the moves of one game be. A game of 200 moves with clocks and evaluations has some 15,000."""

TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s*"((?:[^"\\]|\\.)*)"\s*\]')
"""A tag of PGN or PDN; in its text a backslash stands before a quotation mark or another backslash."""


def told(tag_text: str) -> str:
    """Return the text of a tag without the backslashes that stand before quotation marks in it."""
    return re.sub(r"\\(.)", r"\1", tag_text)


def tag_line(name: str, text: str) -> str:
    """Return a tag as a line of PGN or PDN: `[ECO "C20"]`."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def moves_of(tags: Mapping[str, str], movetext: str) -> str:
    """Return what the record has of a game: further tags by their names, and its movetext."""
    lines = "\n".join(tag_line(name, text) for name, text in tags.items())
    return f"{lines}\n\n{movetext}" if lines else movetext


def parted(moves: str) -> tuple[str, str]:
    """Return the lines of tags that stand in front, and the movetext behind them; either may be blank."""
    lines = moves.split("\n")
    count = 0
    while count < len(lines) and TAG.fullmatch(lines[count]):
        count += 1
    if not count or any(lines[count : count + 1]):  # a blank line ends the tags
        return "", moves
    return "\n".join(lines[:count]), "\n".join(lines[count + 1 :])


# --- the grammar of movetext ------------------------------------------------------------------------------

CHESS_MARKS = frozenset({"1-0", "0-1", "1/2-1/2", "*"})
DRAUGHTS_MARKS = CHESS_MARKS | {"2-0", "0-2", "1-1", "0-0"}
"""The marks of a result that end a movetext; `0-0` is castling to some programs of chess."""

_FOREIGN = frozenset({"2-0", "0-2", "1-1", "½-½"})
_DECIDED = frozenset({"1-0", "0-1", "1/2-1/2"})
_PART = re.compile(r"\{[^}]*+\}?|;[^\n]*+|^%[^\n]*+|[()]|[^\s(){};]++", re.MULTILINE)
_SAID = ("{", ";", "%")
_TAG_BEGINS = re.compile(r'\[\s*+[A-Za-z0-9_]++\s*+"')
_TAG_LINE = re.compile(r'^[ \t]*+\[[ \t]*+[A-Za-z0-9_]++[ \t]*+"', re.MULTILINE)


def fault_of_movetext(movetext: str) -> str:
    """Return why readers take a movetext for more than one game, in a sentence; blank if they do not."""
    # Even in a comment: many programs begin a game at each line of a tag.
    plain = _PART.sub(lambda part: " " if part[0].startswith(_SAID) else part[0], movetext)
    if _TAG_LINE.search(movetext) or _TAG_BEGINS.search(plain):
        return "A tag stands inside the moves, where another game begins to readers. Take it out."
    if any(part in _DECIDED for part in _outside_of_comments(movetext)[:-1]):
        return "A result stands inside the moves, where the game ends to readers. Take it out."
    return ""


def legal_movetext(movetext: str, result: str, marks: frozenset[str]) -> str:
    """Return a movetext that ends with a mark of a result and with no open comment; blank if it has a fault.

    It stays as it stood if it is legal; a missing mark is that of the result.
    """
    if fault_of_movetext(movetext):
        return ""
    text = movetext.rstrip()
    parts = [*_PART.finditer(text)]
    if not parts:
        return ""
    last = parts[-1]
    if last[0].startswith("{") and not last[0].endswith("}"):
        text += "}"
    spoken = [part for part in parts if not part[0].startswith(_SAID)]
    if spoken and spoken[-1][0] in marks:
        return text
    if spoken and spoken[-1][0] in _FOREIGN:
        start, end = spoken[-1].span()
        return f"{text[:start]}{result}{text[end:]}"
    # A comment up to the end of its line would take the mark in.
    return f"{text}\n{result}" if last[0].startswith((";", "%")) else f"{text} {result}"


def _outside_of_comments(movetext: str) -> list[str]:
    """Return the moves, numbers and marks of the main line."""
    depth, found = 0, []
    for part in _PART.finditer(movetext):
        if part[0] in {"(", ")"}:
            depth = max(0, depth + (1 if part[0] == "(" else -1))
        elif not depth and not part[0].startswith(_SAID):
            found.append(part[0])
    return found
