"""A player as a rating list has it, and names in the form in which they are searched."""

import re
import unicodedata
from typing import Any, NamedTuple, Protocol

FIDE, FMJD = "fide", "fmjd"
SOURCES = {FIDE: "FIDE", FMJD: "FMJD"}
KINDS = ("standard", "rapid", "blitz")
LOCAL = "local"


class EventWithRatings(Protocol):
    """The facts of an event that say which list its ratings are from."""

    @property
    def rated_as(self) -> str: ...
    @property
    def ratings_from(self) -> str: ...


def kind_of_ratings(event: EventWithRatings) -> str:
    """Return the kind of list that the ratings of an event are from; LOCAL, or blank if it is not stated."""
    return event.ratings_from or event.rated_as


def source_of(discipline: str) -> str:
    """Return whose list rates a discipline: FIDE's for chess, the FMJD's for draughts."""
    return FIDE if discipline == "chess" else FMJD


_SPLITS = re.compile(r"[^\w]+|_")
_APOSTROPHES = str.maketrans(dict.fromkeys("'’‘`´", ""))
_WITHOUT_MARKS = str.maketrans({
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i",
})  # fmt: skip
_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})


class RatedPlayer(NamedTuple):
    """A player of a list; blank and None where the list says nothing."""

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
        """Return the rating of that kind; without a kind, or where it is missing, the standard one."""
        return getattr(self, kind if kind in KINDS else "standard") or self.standard

    def particulars(self, source: str, kind: str = "") -> dict[str, Any]:
        """Return what the list says, under the names of the fields of a competitor; None where nothing.

        Of an event with ratings of a local list, `kind` is LOCAL: the rating is not among them.
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
    """Return a name as it is searched: small letters without marks, words apart, in their order."""
    text = name.translate(_APOSTROPHES).casefold()
    if not text.isascii():
        apart = unicodedata.normalize("NFKD", text.translate(_WITHOUT_MARKS))
        text = "".join(sign for sign in apart if not unicodedata.combining(sign))
    return _SPLITS.sub(" ", text).strip()


def spellings(word: str) -> tuple[str, ...]:
    """Return the forms of one typed word: without its marks, and as passports spell them (Mueller)."""
    spelt_out = folded(unicodedata.normalize("NFC", word).casefold().translate(_SPELT_OUT))
    return tuple(dict.fromkeys((folded(word), spelt_out)))
