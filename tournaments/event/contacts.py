"""E-mail addresses and telephone numbers in texts that readers see."""

import re

_CONTACT = re.compile(
    r"[^\s@]@(?!(?:game|match)(?![\w.]))[^\s@]"  # not a code of a criterion, such as buchholz@game
    r"|(?<![\w.])(?:\+|\(0|0)(?:[ ()./-]{0,2}\d){7,}"  # not a year, a rating or an id
    r"|\b(?:tel|phone|mob|gsm|whatsapp)[^\d\n]{0,12}\d(?:[ ()./-]{0,2}\d){5,}"
    r"|(?<![\w.-])(?:\(\d{3}\) ?|\d{3}-)\d{3}-\d{4}(?![\w-])",  # as in North America
    re.IGNORECASE,
)


def holds_contact(text: str) -> bool:
    return _CONTACT.search(text) is not None
