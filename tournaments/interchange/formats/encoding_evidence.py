"""Detection of the encoding of a text, with evidence for users.

A statistical detector ranks the code pages. The form of texts in each page has priority, because a list of
names is too short for statistics: `HÇläne` and `хБЮМНБ` are letters, but no language.
"""

import codecs
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from string import digits

import chardet

_MOST_LOOKED_AT = 64 * 1024  # bytes of lines with non-ASCII characters
_MOST_WORDS = 1_000
_MOST_SHOWN = 3
_LONGEST_WORD = 100  # characters of a text in which capitals are counted
_LINE = re.compile(rb"[^\r\n]+")
_HIGH = re.compile(rb"[\x80-\xff]")
_WORD = re.compile(rb"(?<![0-9A-Za-z'])[0-9A-Za-z']*+[\x80-\xff][0-9A-Za-z'\x80-\xff]*+")
_SAMPLE = re.compile(
    rb"(?<![A-Za-z'.-])[A-Za-z'.-]*+[\x80-\xff][A-Za-z'.\x80-\xff-]*+"
    rb"(?: [A-Za-z\x80-\xff][A-Za-z'.\x80-\xff-]*+)?"
)

_ALPHABETS = tuple(
    frozenset(letters)
    for letters in (
        "àâæçéèêëîïôœùûüÿ",  # French
        "äöüß",  # German
        "áäéèëíïóöúü",  # Dutch
        "áéíóúüñàèòïç·",  # Spanish, Catalan
        "áâãàçéêíóôõúü",  # Portuguese
        "àèéìíîòóùú",  # Italian
        "åäöæøéü",  # Danish, Norwegian, Swedish, Finnish
        "áéíóúýðþæö",  # Icelandic
        "ąćęłńóśźż",  # Polish
        "áčďéěíňóřšťúůýžäĺľŕô",  # Czech, Slovak
        "áéíóöőúüű",  # Hungarian
        "čćđšž",  # Bosnian, Croatian, Serbian, Slovene
        "ăâîşţșț",  # Romanian
        "çğıöşüâî",  # Turkish
        "ąčęėįšųūž",  # Lithuanian
        "āčēģīķļņšūžŗō",  # Latvian
        "äõöüšž",  # Estonian
    )
)
"""The non-ASCII letters that occur in words of the same language with Latin letters."""

_BLANK = re.compile("\u00a0(?=[A-ZÀ-Þ])|\u00a0$")
_QUOTES = "“”„«»‹›‚‘’'"
_OPENING = "‚„«‹"
_WITHIN_WORDS = frozenset("'’‐‑–−·\u00ad")
_ALONE = frozenset("½¼¾–—−‐‑’‘‚“”„«»‹›´№°§€£…·•×ºª\u00a0\u00ad®©™±")
"""Characters between words in files of results; others are misread letters."""

_CAPITAL_INSIDE = re.compile("aA|AA+a|^aA+$")
_FIGURES = re.compile(r"[0-9wbzsnc+-]*[½¼¾ºª°–−][0-9wbzsnc]*|[0-9]+(?:er|re|e|o|a)?[ºª°]?")


def likeliest(content: bytes, candidates: Sequence[str]) -> tuple[str, str]:
    """Return the most plausible of `candidates`, which must not be empty, and the reason for users."""
    high = _lines_beyond_ascii(content)
    found = chardet.detect_all(
        high,
        ignore_threshold=True,
        include_encodings=candidates,
        compat_names=False,
        max_bytes=_MOST_LOOKED_AT,
    )
    confidence = {each["encoding"]: each["confidence"] for each in found}
    words = Counter(_WORD.findall(high)).most_common(_MOST_WORDS)
    ranked = sorted(
        candidates,
        key=lambda each: (_faults_of_words(words, each), _languages(words, each), -confidence.get(each, 0.0)),
    )
    # Of code pages with the same text, the most common one.
    best = next(each for each in candidates if in_page(high, each) == in_page(high, ranked[0]))
    return best, " ".join(_evidence(content, words, best, ranked[1:]))


def _lines_beyond_ascii(content: bytes) -> bytes:
    lines: list[bytes] = []
    length = 0
    for found in _LINE.finditer(content):
        if _HIGH.search(found[0]):
            lines.append(found[0])
            length += len(found[0])
            if length > _MOST_LOOKED_AT:
                break
    return b"\n".join(lines)[:_MOST_LOOKED_AT]


# --- form of words ----------------------------------------------------------------------------------------


def _faults_of_words(words: Sequence[tuple[bytes, int]], encoding: str) -> int:
    return sum(count * _faults_of_word(in_page(word, encoding)) for word, count in words)


@lru_cache(maxsize=65536)
def _faults_of_word(word: str) -> int:
    if all(each in _ALONE for each in word) or _FIGURES.fullmatch(word):
        return 0
    # An opening quote in the place of a closing one: `10s«` is a half, `Andr‚` an accent.
    is_closed_wrongly = word[-1] in _OPENING and word[0] not in _QUOTES
    word = word.strip(_QUOTES)
    # A non-breaking space separates two names, and is not inside a name.
    parted = _BLANK.sub("", word)
    signs = sum(not (each.isalpha() or each in _WITHIN_WORDS or each in digits) for each in parted)
    if any(each.isdecimal() for each in word):
        signs += sum(not each.isascii() for each in word)  # `4wΩ` and `4wо` are no words
    cases = "".join("A" if each.isupper() else "a" for each in word[:_LONGEST_WORD])
    capitals = len(_CAPITAL_INSIDE.findall(cases))
    scripts = {script for each in word if each.isalpha() and (script := _script(each))}
    beyond = _beyond_ascii(word)
    is_of_no_language = scripts == {"LATIN"} and not any(beyond <= alphabet for alphabet in _ALPHABETS)
    return 2 * signs + capitals + 2 * max(len(scripts) - 1, 0) + is_of_no_language + is_closed_wrongly


def _beyond_ascii(word: str) -> frozenset[str]:
    return frozenset(each for each in word.lower() if each > "\x7f" and each.isalpha())


def _languages(words: Sequence[tuple[bytes, int]], encoding: str) -> int:
    left = {beyond for word, _ in words if (beyond := _beyond_ascii(in_page(word, encoding)))}
    count = 0
    while left:
        covered = max(({each for each in left if each <= alphabet} for alphabet in _ALPHABETS), key=len)
        count += 1
        if not covered:
            break
        left -= covered
    return count


@cache
def _script(letter: str) -> str:
    return unicodedata.name(letter, "?").split()[0]


def _as_latin(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeDecodeError):
        raise problem
    return problem.object[problem.start : problem.end].decode("latin-1"), problem.end


codecs.register_error("as_latin", _as_latin)


def in_page(content: bytes, page: str) -> str:
    """Return the text. A byte that is unassigned in the page is read as in Latin-1."""
    # An error here would make the file unreadable.
    return content.decode(page, "as_latin")


# --- evidence ---------------------------------------------------------------------------------------------


def _evidence(
    content: bytes, words: Sequence[tuple[bytes, int]], best: str, others: Sequence[str]
) -> Iterator[str]:
    letters = Counter[str]()
    for word, count in words:
        letters.update({each: count for each in in_page(word, best) if each > "\x7f"})
    common = ", ".join(f"{each} {count}" for each, count in letters.most_common(8))
    samples = list(_samples(content))
    shown = ", ".join(f"“{in_page(text, best)}” (line {line})" for text, line in samples)
    yield f"Beyond ASCII it has {common}: {shown}." if shown else f"Beyond ASCII it has {common}."
    if samples:
        first = samples[0][0]
        readings: dict[str, str] = {}
        for other in others:
            reading = in_page(first, other)
            if reading != in_page(first, best):
                readings.setdefault(reading, other)
        told = [f"“{reading}” in {other}" for reading, other in list(readings.items())[:_MOST_SHOWN]]
        if told:
            yield f"The first would be {', '.join(told)}."


def _samples(content: bytes) -> Iterator[tuple[bytes, int]]:
    seen: set[bytes] = set()
    for line, found in enumerate(content.splitlines()[:20_000], start=1):
        for each in _SAMPLE.findall(found):
            if each not in seen:
                seen.add(each)
                yield each[:60], line
                break
        if len(seen) == _MOST_SHOWN:
            return
