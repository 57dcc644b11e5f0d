"""E-mail addresses and telephone numbers in texts that readers see."""

import re

_CONTACT = re.compile(
    r"[^\s@]@[^\s@]"
    r"|(?<![\w.])(?:\+|\(0|0)(?:[ ()./-]{0,2}\d){7,}"  # not a year, a rating or an id
)


def holds_contact(text: str) -> bool:
    """Say whether a text seems to hold an e-mail address or a telephone number."""
    return _CONTACT.search(text) is not None
