"""Invisible characters (Unicode: Default_Ignorable_Code_Point), such as a soft hyphen in a name.

Text is searched without them, and matches are replaced in the original text. No database access.
"""

import re
from collections.abc import Callable

_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)


def has_ignorable(text: str) -> bool:
    """Return whether a text has an invisible character, which is rare."""
    return not text.isascii() and bool(_IGNORABLE.search(text))


def visible(text: str) -> str:
    return text if text.isascii() else _IGNORABLE.sub("", text)


def visible_positions(text: str) -> list[int]:
    return [at for at, character in enumerate(text) if not _IGNORABLE.match(character)]


def sub_visible(pattern: re.Pattern[str], replace: Callable[[str], str], text: str) -> str:
    """Replace matches in the visible part of a text. `replace` gets the original text of a match."""
    if not has_ignorable(text):
        return pattern.sub(lambda found: replace(found[0]), text)
    positions = visible_positions(text)
    for found in reversed(list(pattern.finditer(visible(text)))):
        if found.end() > found.start():
            start, end = positions[found.start()], positions[found.end() - 1] + 1
            text = f"{text[:start]}{replace(text[start:end])}{text[end:]}"
    return text
