"""Texts without a person: wherever a name or an id stands in one, the pseudonym does (ADR 0090). No database.

Names are found whichever part comes first, with and without their accents, in capital and in small letters.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tournaments.event.dates import year_of
from tournaments.event.moves import TAG, parted
from tournaments.formats.trf.identities import is_of_a_person

LEAST_ID = 4
"""Digits of an id at least: a shorter one would be found in every text."""

SHORTEST_SURNAME = 3
_TITLE, _NAME, _ID, _BORN = slice(10, 13), slice(14, 47), slice(57, 68), slice(69, 79)
"""Columns of a player's record in a tournament report (docs/trf.md)."""

_SPEAKING = re.compile("(White|Black)(?!Elo|Clock)")
"""The tags that say who somebody is; a rating and the time on a clock do not."""


def forms_of(name: str) -> list[str]:
    """Return a name as texts may have it: `Sy, Baba` also as `Baba Sy` and `Sy Baba`."""
    whole = " ".join(name.split())
    surname, comma, given = whole.partition(", ")
    if not comma:
        given, _blank, surname = whole.rpartition(" ")
    forms = [whole]
    if given:
        forms += [f"{given} {surname}", f"{surname}, {given}", f"{surname} {given}"]
    return [*dict.fromkeys(each for form in forms for each in (form, _plain(form)))]


def surname_of(name: str) -> str:
    """Return the surname where a comma says which it is; blank otherwise."""
    surname, comma, _given = " ".join(name.split()).partition(",")
    return surname if comma and len(surname) >= SHORTEST_SURNAME else ""


@dataclass(frozen=True)
class Redaction:
    """What is replaced by a pseudonym: names, in prose surnames alone too, ids, and births by their day."""

    pseudonym: str
    names: Collection[str]
    surnames: Collection[str] = ()
    ids: Collection[str] = ()
    births: Collection[str] = ()

    def value(self, value: Any, *, is_prose: bool = False) -> Any:
        """Return a text, or plain data with texts in it, without the person; other values as they are."""
        if isinstance(value, str):
            return self.text(value, is_prose=is_prose)
        if isinstance(value, list):
            return [self.value(each, is_prose=is_prose) for each in value]
        if isinstance(value, dict):
            return {self.text(key): self._under(key, each, is_prose=is_prose) for key, each in value.items()}
        return value

    def text(self, text: str, *, is_prose: bool = False) -> str:
        """Return a text without the person; in prose a surname alone is replaced as well."""
        if not text:
            return text
        found = self._names.sub(self.pseudonym, text)
        found = self._ids.sub("", found) if self._ids else found
        found = self._births.sub("", found) if self._births else found
        return self._surnames.sub(self.pseudonym, found) if is_prose and self._surnames else found

    def moves(self, moves: str, colour: str) -> str:
        """Return the moves of a game of the person, of that colour, without the tags that say who it is.

        `colour` is `White`, `Black`, or blank where it is not known: then those of both go.
        """
        tags, movetext = parted(moves)
        kept = [line for line in tags.split("\n") if not _speaks_of(line, colour)]
        return self.text("\n".join([*kept, "", movetext]) if any(kept) else movetext)

    def line(self, line: str) -> str:
        """Return a line of a tournament report without the person; its columns stay where they are."""
        if not (is_of_a_person(line) and self._names.search(line[_NAME])):
            return self._names.sub(self._as_long, self._ids.sub(_blanks, line) if self._ids else line)
        name = self._names.sub(self.pseudonym, line[_NAME].rstrip())
        for at, said in ((_TITLE, ""), (_NAME, name), (_ID, ""), (_BORN, "")):
            width = at.stop - at.start
            line = f"{line[: at.start]}{said[:width]:{width}}{line[at.stop :]}"
        return line.rstrip()

    def _under(self, key: str, value: Any, *, is_prose: bool) -> Any:
        """Return a value of plain data; a number under an id's key is an id."""
        if key.endswith("_id") and str(value) in self.ids:
            return None
        return self.value(value, is_prose=is_prose)

    def _as_long(self, found: re.Match[str]) -> str:
        width = len(found[0])
        return f"{self.pseudonym[:width]:{width}}"

    @cached_property
    def _names(self) -> re.Pattern[str]:
        return _any_of(each for name in self.names for each in forms_of(name))

    @cached_property
    def _surnames(self) -> re.Pattern[str] | None:
        return _any_of(self.surnames) if self.surnames else None

    @cached_property
    def _ids(self) -> re.Pattern[str] | None:
        ids = [each for each in self.ids if len(each) >= LEAST_ID]
        return _any_of(ids) if ids else None

    @cached_property
    def _births(self) -> re.Pattern[str] | None:
        days = [each for each in self.births if len(each) > len(str(year_of(each)))]
        return _any_of(form for each in days for form in _days_of(each)) if days else None


def _any_of(texts: Iterable[str]) -> re.Pattern[str]:
    """Return what finds any of these texts as whole words, the longest first; blanks may be several."""
    longest = sorted({*texts}, key=lambda each: (-len(each), each))
    words = "|".join(r"\s+".join(map(re.escape, each.split())) for each in longest)
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


def _days_of(born: str) -> list[str]:
    """Return a day of birth as texts write it: 1990-01-02, 1990/01/02, 02.01.1990, 2-1-1990."""
    year, *rest = born.split("-")
    if len(rest) != 2:
        return [born]
    month, day = rest
    forms = [sign.join((year, month, day)) for sign in "-/."]
    forms += [sign.join((day, month, year)) for sign in "-/."]
    return forms + [sign.join((str(int(day)), str(int(month)), year)) for sign in "-/."]


def _plain(text: str) -> str:
    """Return a text without accents."""
    apart = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def _speaks_of(line: str, colour: str) -> bool:
    tag = TAG.fullmatch(line)
    found = _SPEAKING.match(tag[1]) if tag else None
    return bool(found) and (not colour or found[1] == colour)  # type: ignore[index]  # found, as the first half says


def _blanks(found: re.Match[str]) -> str:
    return " " * len(found[0])
