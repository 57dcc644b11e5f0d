"""Remove a person from texts by replacing names and ids with the pseudonym (ADR 0041). No database access.

`namesearch` describes how names are found. If another person of the event has the same name, the text
stays, because it may refer to that person and the name is public anyway.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tournaments.event.dates import parse_year
from tournaments.event.moves import TAG, parted
from tournaments.interchange.formats.trf.identities import is_of_a_person
from tournaments.people.matching.name_search import NameSearch, is_name_among
from tournaments.people.matching.names import name_words, sub_visible, without_ignorable

LEAST_ID = 4
"""Minimum length of an id. Shorter numbers would match in every text."""

_NUMBER, _TITLE, _NAME, _ID, _BORN = slice(4, 8), slice(10, 13), slice(14, 47), slice(57, 68), slice(69, 79)
"""Columns of a player's record in a tournament report (docs/trf.md)."""

_PROSE_PART = re.compile(r"^\[.*\]$|\{[^}]*+(?:\}|\Z)|;.*$", re.MULTILINE)
"""Prose in a game: a tag, a comment in braces, or a comment up to the end of the line."""

_NAMING_TAG = re.compile("(White|Black)(?!Elo|Clock)")
"""Tags that identify a player. Ratings and clock times do not."""


@dataclass(frozen=True)
class Redaction:
    """What is replaced by a pseudonym: names, in prose also surnames, ids, and dates of birth.

    `others`: visible names of others in the event; `shared`: their words, folded. `hidden_too`: names of
    other hidden persons in the event. `number`: the person's number in a tournament report, or None.
    """

    pseudonym: str
    names: Collection[str]
    ids: Collection[str] = ()
    births: Collection[str] = ()
    others: Collection[str] = ()
    shared: Collection[str] = ()
    hidden_too: Collection[str] = ()
    number: int | None = None

    def is_name(self, name: str) -> bool:
        return is_name_among(name, self.names)

    def value(self, value: Any, *, is_prose: bool = False) -> Any:
        """Return a text, or JSON data with texts, without the person. Other values are unchanged."""
        if isinstance(value, str):
            return self.text(value, is_prose=is_prose)
        if isinstance(value, list):
            return [self.value(each, is_prose=is_prose) for each in value]
        if isinstance(value, dict):
            return {
                self.text(key): None
                if key.endswith("_id") and str(each) in self.ids
                else self.value(each, is_prose=is_prose)
                for key, each in value.items()
            }
        return value

    def text(self, text: str, *, is_prose: bool = False) -> str:
        if not text:
            return text
        found = self._without_name(text, is_prose=is_prose)
        for pattern in self._ids_and_births:
            found = sub_visible(pattern, lambda _found: "", found)
        return found

    def moves(self, moves: str, colour: str | None) -> str:
        """Return the moves of a game without the person and the person's tags.

        `colour`: colour of the person, `White` or `Black`; blank if unknown, which removes the tags of
        both; None if the person did not play. Tags and comments are prose, moves are not.
        """
        if colour is not None:
            tags, movetext = parted(moves)
            other_tags = [line for line in tags.split("\n") if not _is_tag_of(line, colour)]
            moves = "\n".join([*other_tags, "", movetext]) if any(other_tags) else movetext
        if self._search.find(moves, is_prose=True):  # only few games contain a comment with the name
            moves = _PROSE_PART.sub(lambda found: self.text(found[0], is_prose=True), moves)
        return self.text(moves)

    def line(self, line: str) -> str:
        """Return a line of a tournament report without the person, with the same columns."""
        if not is_of_a_person(line):
            line = self._without_name(line, is_prose=True, keeps_width=True)
            for pattern in self._ids_and_births:
                line = sub_visible(pattern, lambda found: " " * len(found), line)
            return line
        if not self._is_record(line):
            return line
        for at, text in ((_TITLE, ""), (_NAME, self.pseudonym), (_ID, ""), (_BORN, "")):
            width = at.stop - at.start
            line = f"{line[: at.start]}{text[:width]:{width}}{line[at.stop :]}"
        return line.rstrip()

    def _is_record(self, line: str) -> bool:
        given, name = without_ignorable(line[_ID]).strip(), line[_NAME].rstrip()
        if given and given in self.ids:
            return True
        is_cut = len(name) == _NAME.stop - _NAME.start
        is_named = self.is_name(name) or (is_cut and any(each.startswith(name) for each in self.names))
        return is_named and (
            not any(map(self.is_name, self.others)) or line[_NUMBER].strip() == str(self.number)
        )

    def _without_name(self, text: str, *, is_prose: bool, keeps_width: bool = False) -> str:
        for start, end in reversed(self._search.find(text, is_prose=is_prose)):
            width, words = end - start, name_words(text[start:end])
            is_of_several = any(_may_be_same_name(words, name_words(each)) for each in self.hidden_too)
            shown = self.pseudonym.rpartition(" ")[0] if is_of_several else self.pseudonym
            shown = f"{shown[:width]:{width}}" if keeps_width else shown
            text = f"{text[:start]}{shown}{text[end:]}"
        return text

    @cached_property
    def _search(self) -> NameSearch:
        names = [each for each in self.names if not is_name_among(each, self.others)]
        return NameSearch(names, self.shared)

    @cached_property
    def _ids_and_births(self) -> list[re.Pattern[str]]:
        ids = [each for each in self.ids if len(each) >= LEAST_ID]
        days = [each for each in self.births if len(each) > len(str(parse_year(each)))]
        dates = [form for each in days for form in _date_formats(each)]
        return [_pattern_of(texts) for texts in (ids, dates) if texts]


def _pattern_of(texts: Iterable[str]) -> re.Pattern[str]:
    longest = sorted({*texts}, key=lambda each: (-len(each), each))
    words = "|".join(r"\s+".join(map(re.escape, each.split())) for each in longest)
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


def _date_formats(born: str) -> list[str]:
    year, *rest = born.split("-")
    if len(rest) != 2:
        return [born]
    month, day = rest
    forms = [sign.join((year, month, day)) for sign in "-/."]
    forms += [sign.join((day, month, year)) for sign in "-/."]
    return forms + [sign.join((str(int(day)), str(int(month)), year)) for sign in "-/."]


def _may_be_same_name(words: Collection[str], others: Collection[str]) -> bool:
    return all(
        any(other.startswith(word) if len(word) == 1 else other == word for other in others) for word in words
    )


def _is_tag_of(line: str, colour: str) -> bool:
    tag = TAG.fullmatch(line)
    found = _NAMING_TAG.match(tag[1]) if tag else None
    return found is not None and (not colour or found[1] == colour)
