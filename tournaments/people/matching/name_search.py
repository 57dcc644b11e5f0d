"""Find names of persons in texts, in any order, script, spelling and case, with initials and in addresses.

Names are found as words and folded by `names.name_words`, as namesakes are: `Karlsen M.`, `magnus-carlsen`
and `Карлсен Магнус` match `Carlsen, Magnus`. A single word matches only if it is not an ordinary word and
is written as a name. No database access.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from anyascii import anyascii

from tournaments.people.matching.names import (
    has_ignorable,
    name_key,
    name_words,
    visible_positions,
    without_ignorable,
)

SHORTEST_SURNAME = 3
_LETTER = "[^\\W\\d_][\\u0300-\\u036f]*+"
_WORD = re.compile(f"(?>(?:{_LETTER})+(?:['’ʼ`´](?!s\\b)(?:{_LETTER})+)*)")
_BETWEEN = re.compile("[\\s_-]{1,3}|\\s*,\\s*|%20|\\+")
"""Separators between two words of a name, in a sentence, a file name or an address."""

_AFTER_INITIAL = re.compile("\\.?[\\s_-]*+,?\\s*+")
_IN_ADDRESSES = "-_/@=%+"

_ORDINARY = """
january february march april may june july august september october november december
januari februari maart mei juni juli augustus oktober
monday tuesday wednesday thursday friday saturday sunday
white black red green blue brown grey gray silver gold wit zwart rood groen blauw bruin goud zilver
king queen rook bishop knight pawn castle man men piece dam koning dame toren loper paard pion schijf
round board match game draw win won loss lost bye table place point points clock time move play player
pair team club ronde bord partij remise winst verlies plaats punt punten klok tijd zet speler tafel ploeg
north south east west noord zuid oost day night
long short young old new best good great strong bold hill wood stone field church hall house street hotel
cook baker smith rice love price page bell case cross fair frost hand hope judge law major mark noble rest
rose rule sharp small summer winter wise groot klein lang kort jong oud nieuw goed
"""
ORDINARY = name_words(_ORDINARY)
"""Words that are surnames too. One of them without a first name does not match."""


class _TextWord(NamedTuple):
    start: int
    end: int
    text: str
    folded: str

    @property
    def is_initial(self) -> bool:
        return len(self.text) == 1


class _Reading(NamedTuple):
    """A possible reading of a name, folded: the words of the surname in order, and the given names.

    `particles` may be among the given names, but do not identify the person without one of these.
    """

    surname: tuple[str, ...]
    given: frozenset[str]
    initials: frozenset[str]
    particles: frozenset[str] = frozenset()


@dataclass(frozen=True)
class NameSearch:
    """Search for a person by names. A surname, even with initials, matches only if nobody else has it.

    `shared`: folded words that names of others contain too.
    """

    names: Collection[str]
    shared: Collection[str] = ()

    def find(self, text: str, *, is_prose: bool = False) -> list[tuple[int, int]]:
        """Return start and end of all matches. In prose the surname without a first name matches too."""
        if has_ignorable(text):
            positions = visible_positions(text)
            found = self.find(without_ignorable(text), is_prose=is_prose)
            return [(positions[start], positions[end - 1] + 1) for start, end in found]
        if self._words.isdisjoint(map(_sorted_words, {*_WORD.findall(text)})):
            return []
        words = [
            _TextWord(each.start(), each.end(), each[0], _sorted_words(each[0]))
            for each in _WORD.finditer(text)
        ]
        found, at = list[tuple[int, int]](), 0
        while at < len(words):
            length = self._length_at(text, words, at, is_prose=is_prose)
            if length:
                last = words[at + length - 1]
                # An initial's full stop at the end is part of the match: `Carlsen, M.`
                stop = last.end + (last.is_initial and text[last.end : last.end + 1] == ".")
                found.append((words[at].start, stop))
            at += length or 1
        return found

    def _length_at(self, text: str, words: Sequence[_TextWord], at: int, *, is_prose: bool) -> int:
        lengths = [_length_of(reading, text, words, at) for reading in self._readings]
        if whole := max(lengths, default=0):
            return whole
        if at and words[at - 1].is_initial and _is_joined(text, words[at - 1], words[at]):
            return 0  # another person with that surname
        for surname in self._surnames:
            named = words[at : at + len(surname)]
            if _folded_texts(named) == surname and self._is_surname_clear(
                text, named, surname, is_prose=is_prose
            ):
                return len(surname)
        return 0

    def _is_surname_clear(
        self, text: str, named: Sequence[_TextWord], surname: tuple[str, ...], *, is_prose: bool
    ) -> bool:
        start, end = named[0].start, named[-1].end
        is_whole_name = surname in self._only_names
        if is_whole_name and text.strip() == text[start:end]:
            return True
        if (
            not (is_prose or is_whole_name)
            or not self._is_distinctive(surname)
            or ORDINARY.issuperset(surname)
        ):
            return False
        return named[-1].text[0].isupper() or _is_in_address(text, start, end)

    def _is_distinctive(self, surname: Sequence[str]) -> bool:
        return sum(map(len, surname)) >= SHORTEST_SURNAME and {*surname}.isdisjoint(self.shared)

    @cached_property
    def _words(self) -> frozenset[str]:
        surnames = (*self._surnames, *(each.surname for each in self._readings))
        return frozenset(word for each in surnames for word in each)

    @cached_property
    def _readings(self) -> list[_Reading]:
        found = [reading for name in self.names for reading in _readings_of(name)]
        none = frozenset[str]()
        own = [each if self._is_distinctive(each.surname) else each._replace(initials=none) for each in found]
        return list(dict.fromkeys(own))

    @cached_property
    def _surnames(self) -> list[tuple[str, ...]]:
        found = {tuple(map(_sorted_words, _WORD.findall(surname_of(each)))) for each in self.names}
        return sorted(found - {()}, key=lambda each: (-len(each), each))

    @cached_property
    def _only_names(self) -> frozenset[tuple[str, ...]]:
        whole = (tuple(map(_sorted_words, _WORD.findall(without_ignorable(each)))) for each in self.names)
        return frozenset(each for each in whole if len(each) == 1)


def is_name_among(name: str, names: Collection[str]) -> bool:
    key = name_key(name)
    return bool(key) and key in map(name_key, names)


def surname_of(name: str) -> str:
    """Return the part before a comma, or else the last word, as in `Ton Sijbrands`."""
    whole = " ".join(without_ignorable(name).split())
    surname, comma, _given = whole.partition(",")
    return surname if comma else whole.rpartition(" ")[2]


def _readings_of(name: str) -> Iterator[_Reading]:
    whole = " ".join(without_ignorable(name).split())
    before, comma, after = whole.partition(",")
    if comma:
        surname, given = _folded_words(before), frozenset(_folded_words(after))
        readings = [_Reading(surname, given, _initials_of(after))]
        # `Berg, Jan van der` of `van der Berg, Jan`
        if len(surname) > 1:
            readings.append(_Reading(surname[-1:], given, _initials_of(after), frozenset(surname[:-1])))
    else:
        first, *others = whole.split(" ")
        givens, last = whole.split(" ")[:-1], whole.split(" ")[-1]
        given = frozenset(_folded_words(" ".join(givens)))
        readings = [_Reading(_folded_words(last), given, _initials_of(" ".join(givens)))]
        # `Ding Liren`, but not `Jan P.` of `Jan Piet`
        readings.append(
            _Reading(_folded_words(first), frozenset(_folded_words(" ".join(others))), frozenset())
        )
    yield from (each for each in readings if each.surname and each.given)


def _initials_of(given: str) -> frozenset[str]:
    return frozenset(_latin_initial(each) for each in _WORD.findall(given))


def _latin_initial(word: str) -> str:
    return anyascii(word)[:1].casefold()


def _length_of(reading: _Reading, text: str, words: Sequence[_TextWord], at: int) -> int:
    before = _given_from(reading, text, words, at)
    surname_at = at + before
    size = len(reading.surname)
    found = words[surname_at : surname_at + size]
    joined = pairwise(words[surname_at - bool(before) : surname_at + size])
    if _folded_texts(found) != reading.surname or not all(_is_joined(text, *pair) for pair in joined):
        return 0
    after = _given_from(reading, text, words, surname_at + size, joined_to=surname_at + size - 1)
    length = before + size + after
    named = words[at : at + length]
    given = {*_folded_texts(named[:before]), *_folded_texts(named[before + size :])} - reading.particles
    if not given or not _is_written_as_name(text, named):
        return 0
    return length


def _given_from(
    reading: _Reading, text: str, words: Sequence[_TextWord], at: int, joined_to: int | None = None
) -> int:
    last, count = joined_to, 0
    for each in words[at : at + len(reading.given | reading.particles) + 1]:
        is_initial = each.is_initial and each.text.isupper() and _latin_initial(each.text) in reading.initials
        is_given = is_initial or each.folded in reading.given | reading.particles
        if not is_given or (last is not None and not _is_joined(text, words[last], each)):
            break
        last, count = at + count, count + 1
    return count


def _is_joined(text: str, one: _TextWord, other: _TextWord) -> bool:
    between = _AFTER_INITIAL if one.is_initial else _BETWEEN
    return bool(between.fullmatch(text, one.end, other.start))


def _is_written_as_name(text: str, words: Sequence[_TextWord]) -> bool:
    ordinary = [each for each in words if each.folded in ORDINARY]
    return all(each.text[0].isupper() for each in ordinary) or _is_in_address(
        text, words[0].start, words[-1].end
    )


def _is_in_address(text: str, start: int, end: int) -> bool:
    around = text[start - 1 : start] if start else "", text[end : end + 1]
    within = text[start:end]
    return any(each and each in _IN_ADDRESSES for each in around) or any(sign in within for sign in "-_+%")


def _folded_texts(words: Sequence[_TextWord]) -> tuple[str, ...]:
    return tuple(each.folded for each in words)


def _folded_words(text: str) -> tuple[str, ...]:
    return tuple(map(_sorted_words, _WORD.findall(text)))


@lru_cache(maxsize=16384)  # the moves of an event have few different words, and each is folded for every game
def _sorted_words(word: str) -> str:
    return "".join(sorted(name_words(word)))
