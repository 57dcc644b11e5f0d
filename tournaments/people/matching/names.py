"""Keys for finding namesakes, independent of script, diacritics, word order and transliteration.

A key is only used for searching. A user compares the names as they are written.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from unicodedata import unidata_version

from anyascii import anyascii

from tournaments.people.models.person import LONGEST_KEY

_SIGNS_IN_WORDS = str.maketrans(dict.fromkeys("'’‘ʼ`´ʹ", ""))
_NO_WORD = re.compile(r"[^a-z0-9]+")
_SPELLINGS = (
    (re.compile(r"([aou])e"), r"\1"),  # Mueller and Müller
    (re.compile("x"), "ks"),  # Alexander and Александр
    (re.compile("w"), "v"),
    (re.compile("ph"), "f"),
    (re.compile("ck|c(?![heiy])"), "k"),  # Carlsen and Карлсен
    (re.compile("([dt])r$"), r"\1er"),  # Александр
    (re.compile("[yj]"), "i"),  # Sergey, Sergej and Sergei
    (re.compile(r"(.)\1+"), r"\1"),
)
"""Differences between transliterations and their common form, in this order."""


_TITLES = frozenset({"GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM", "GMI", "IGM", "GMIF", "MIF", "MFF"})
"""Titles that lists put before the name. MI, MF and MN are excluded, because they are initials too."""


def name_words(name: str) -> frozenset[str]:
    """Return the words of a name for comparison: `Карлсен, Магнус` gives `karlsen` and `magnus`.

    A title before the name is removed.
    """
    composed = unicodedata.normalize("NFC", _without_title(without_ignorable(name))).translate(
        _SIGNS_IN_WORDS
    )
    words = _NO_WORD.sub(" ", anyascii(composed).casefold()).split()
    return frozenset(map(_normalised_spelling, words))


def _without_title(name: str) -> str:
    """Return a name without a title before two or more words: `GM Sy, Baba`.

    Only if the title is in capitals and the name is not: Wim is a name, and so is Im. `IM, Hyun` has a
    comma.
    """
    title, _blank, rest = name.strip().partition(" ")
    is_title = title.removesuffix(".") in _TITLES and not rest.isupper() and len(rest.split()) > 1
    return rest if is_title else name


@lru_cache(maxsize=4096)  # an import needs the names of an event several times
def name_key(name: str) -> str:
    """Return the common key of all forms of a name: its words in alphabetical order.

    `Carlsen, Magnus`, `Magnus Carlsen` and `Карлсен Магнус` have the same key. A name without a word has a
    blank key.
    """
    return " ".join(sorted(name_words(name)))[:LONGEST_KEY]


def may_be_one_name(one: str, other: str) -> bool:
    """Return whether two names share a word longer than an initial, as after a marriage or in another
    spelling.
    """
    alike = name_words(one) & name_words(other)
    return name_key(one) == name_key(other) or any(len(word) > 1 for word in alike)


def names_form() -> str:
    return form_of(Path(__file__))


def form_of(*files: Path) -> str:
    """Return a checksum of these files and of the libraries that they use for folding."""
    parts = [*(each.read_bytes() for each in files), version("anyascii").encode(), unidata_version.encode()]
    return sha256(b"".join(parts)).hexdigest()[:16]


def _normalised_spelling(word: str) -> str:
    for spelt, as_one in _SPELLINGS:
        word = spelt.sub(as_one, word)
    return word


_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)


def has_ignorable(text: str) -> bool:
    return not text.isascii() and bool(_IGNORABLE.search(text))


def without_ignorable(text: str) -> str:
    return text if text.isascii() else _IGNORABLE.sub("", text)


def visible_positions(text: str) -> list[int]:
    return [at for at, character in enumerate(text) if not _IGNORABLE.match(character)]


def sub_visible(pattern: re.Pattern[str], replace: Callable[[str], str], text: str) -> str:
    """Replace matches in the visible part of a text. `replace` gets the original text of a match."""
    if not has_ignorable(text):
        return pattern.sub(lambda found: replace(found[0]), text)
    positions = visible_positions(text)
    for found in reversed(list(pattern.finditer(without_ignorable(text)))):
        if found.end() > found.start():
            start, end = positions[found.start()], positions[found.end() - 1] + 1
            text = f"{text[:start]}{replace(text[start:end])}{text[end:]}"
    return text
