"""Players of rating lists, and folded names for searching."""

import re
import unicodedata
from typing import Any, NamedTuple

FIDE, FMJD = "fide", "fmjd"
SOURCES = {FIDE: "FIDE", FMJD: "FMJD"}
KINDS = ("standard", "rapid", "blitz")
LOCAL = "local"


def source_of(discipline: str) -> str:
    return FIDE if discipline == "chess" else FMJD


_SPLITS = re.compile(r"[^\w]+|_")
_APOSTROPHES = str.maketrans(dict.fromkeys("'’‘`´", ""))
_WITHOUT_MARKS = str.maketrans({
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i",
})  # fmt: skip
_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})


class RatedPlayer(NamedTuple):
    """A player of a list. Unknown values are blank or None."""

    id: int
    name: str
    federation: str = ""
    sex: str = ""
    title: str = ""
    born: int | None = None
    standard: int | None = None
    rapid: int | None = None
    blitz: int | None = None
    is_inactive: bool = False

    def rating(self, kind: str = "") -> int | None:
        """Return the rating of that kind, or the standard rating if it is missing."""
        return getattr(self, kind if kind in KINDS else "standard") or self.standard

    def particulars(self, source: str, kind: str = "") -> dict[str, Any]:
        """Return the listed values by the fields of a competitor.

        For `kind` LOCAL the rating is None, because the event has ratings of a local list.
        """
        return {
            "name": self.name,
            "title": self.title,
            "rating": None if kind == LOCAL else self.rating(kind),
            "code": self.federation,
            "sex": self.sex,
            "born": "" if self.born is None else str(self.born),
            f"{source}_id": self.id,
        }


def folded(name: str) -> str:
    """Return a name for searching: lower case, without diacritics, words separated by blanks."""
    text = name.translate(_APOSTROPHES).casefold()
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text.translate(_WITHOUT_MARKS))
        text = "".join(character for character in decomposed if not unicodedata.combining(character))
    return _SPLITS.sub(" ", text).strip()


def spellings(word: str) -> tuple[str, ...]:
    """Return the folded forms of a typed word: without diacritics, and as in passports (Mueller)."""
    spelt_out = folded(unicodedata.normalize("NFC", word).casefold().translate(_SPELT_OUT))
    return tuple(dict.fromkeys((folded(word), spelt_out)))
