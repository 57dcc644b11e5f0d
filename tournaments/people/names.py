"""Names as namesakes are found by them: without script, marks, order and what spellings disagree about.

A key finds, and is never shown: what it finds is looked at by a person, with the names as they are written.
"""

import re
import unicodedata
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from unicodedata import unidata_version

from anyascii import anyascii

from tournaments.models.person import LONGEST_KEY
from tournaments.people.ignorable import visible

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
"""What systems of writing a name in Latin letters do otherwise, brought to one form, in this order."""


_TITLES = frozenset({"GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM", "GMI", "IGM", "GMIF", "MIF", "MFF"})
"""Titles that lists write into the name; MI, MF and MN are initials too."""


def name_words(name: str) -> frozenset[str]:
    """Return the words of a name as they are compared: `Карлсен, Магнус` gives `karlsen` and `magnus`.

    A title in front is none of them.
    """
    composed = unicodedata.normalize("NFC", _without_title(visible(name))).translate(_SIGNS_IN_WORDS)
    words = _NO_WORD.sub(" ", anyascii(composed).casefold()).split()
    return frozenset(map(_one_spelling, words))


def _without_title(name: str) -> str:
    """Return a name without a title that stands before two words or more: `GM Sy, Baba`.

    Only in capitals, where the name is not: Wim is a name, and so is Im. `IM, Hyun` has a comma.
    """
    title, _blank, rest = name.strip().partition(" ")
    is_title = title.removesuffix(".") in _TITLES and not rest.isupper() and len(rest.split()) > 1
    return rest if is_title else name


@lru_cache(maxsize=4096)  # the names of an event are asked for several times while it is imported
def name_key(name: str) -> str:
    """Return what all writings of a name have alike: its words in the order of the alphabet.

    `Carlsen, Magnus`, `Magnus Carlsen` and `Карлсен Магнус` have one key; a name without a word has none,
    which is blank.
    """
    return " ".join(sorted(name_words(name)))[:LONGEST_KEY]


def may_be_one_name(one: str, other: str) -> bool:
    """Say whether two names have a word alike that is more than an initial: a spelling, or a marriage."""
    alike = name_words(one) & name_words(other)
    return name_key(one) == name_key(other) or any(len(word) > 1 for word in alike)


def names_form() -> str:
    """Return what keys depend on beside the names."""
    return form_of(Path(__file__), Path(__file__).with_name("ignorable.py"))


def form_of(*files: Path) -> str:
    """Return a text for how names and texts are folded: by these files, and by what they ask of others."""
    told = [*(each.read_bytes() for each in files), version("anyascii").encode(), unidata_version.encode()]
    return sha256(b"".join(told)).hexdigest()[:16]


def _one_spelling(word: str) -> str:
    for spelt, as_one in _SPELLINGS:
        word = spelt.sub(as_one, word)
    return word
