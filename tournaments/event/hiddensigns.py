"""Contacts in texts, and invisible characters that change how a text reads.

After U+202E `1-0` looks like `0-1`. Such characters are stored unchanged, because a name is a quotation from
its source. The check `hidden-sign` reports them, and pages show those that reorder the text as `⟨U+202E⟩`.
"""

import re
from unicodedata import bidirectional, category, normalize

REORDERING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufffe\uffff"
"""Characters that reorder the text after them; and two that XML must not contain."""

MAY_REORDER = re.compile(rb"\xe2[\x80\x81][\xa6-\xae]"), re.compile(rb"\xef\xbf[\xbe\xbf]")
"""They find REORDERING in UTF-8, and a few other characters."""

JOINERS = "\u200c\u200d"
"""They join and separate letters of Persian and of Indian scripts, and are part of names there."""

DIRECTIONS = "\u200e\u200f\u061c"
"""They order characters without a direction in texts with letters from right to left."""

VISIBLE = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
"""Characters in the invisible categories of Unicode that are drawn above figures."""

BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2028\u2029\u2800\u3164\uffa0\ufffe\uffff")
"""Letters, marks, line separators and noncharacters that are displayed as nothing."""

MAY_HIDE = re.compile(r"[^\x20-\x7e\n\u00a0-\u00ac\u00ae-\u024f]")
"""A quick test: almost no text has such a character, and the others need no further test."""


def hidden_signs(text: str) -> list[str]:
    """Return the code points of the invisible characters of a text, each once: `U+202E`."""
    if not MAY_HIDE.search(text):
        return []
    runs_left = any(bidirectional(sign) in ("R", "AL") and sign not in DIRECTIONS for sign in text)
    found = (
        sign
        for before, sign in zip(f" {text}", text, strict=False)
        if _is_hidden(sign)
        and not (sign in JOINERS and _takes_joiners(before))
        and not (sign in DIRECTIONS and runs_left)
    )
    return list(dict.fromkeys(f"U+{ord(sign):04X}" for sign in found))


def _is_hidden(sign: str) -> bool:
    if sign in BLANK:
        return True
    return (category(sign) == "Cf" and sign not in VISIBLE) or "\x7f" <= sign <= "\x9f"


def _takes_joiners(before: str) -> bool:
    return category(before)[0] in "LM" and not normalize("NFD", before)[0].isascii()


def written_out(text: str) -> str:
    # Eleven replacements in a page take a quarter of the time of a single pattern.
    for sign in REORDERING:
        if sign in text:
            text = text.replace(sign, f"⟨U+{ord(sign):04X}⟩")
    return text


_CONTACT = re.compile(
    r"[^\s@]@(?!(?:game|match)(?![\w.]))[^\s@]"  # not a code of a criterion, such as buchholz@game
    r"|(?<![\w.])(?:\+|\(0|0)(?:[ ()./-]{0,2}\d){7,}"  # not a year, a rating or an id
    r"|\b(?:tel|phone|mob|gsm|whatsapp)[^\d\n]{0,12}\d(?:[ ()./-]{0,2}\d){5,}"
    r"|(?<![\w.-])(?:\(\d{3}\) ?|\d{3}-)\d{3}-\d{4}(?![\w-])",  # as in North America
    re.IGNORECASE,
)


def holds_contact(text: str) -> bool:
    return _CONTACT.search(text) is not None
