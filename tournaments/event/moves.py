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
