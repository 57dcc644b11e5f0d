"""Streaming parsers for published rating lists.

FIDE's fixed-width text has the start of the columns in its heading, its XML has one element per player.
The FMJD's list is comma-separated (see docs/rating-lists.md). Other tables are parsed by the words of
their heading.
"""

import csv
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain, zip_longest
from pathlib import Path
from typing import IO, Any, NamedTuple, NoReturn
from xml.parsers import expat
from zipfile import BadZipFile, ZipFile

from tournaments.event.federations import federation
from tournaments.interchange.ratinglists.players import KINDS, RatedPlayer

PIECE = 256 * 1024
"""Bytes per read."""

MOST_UNPACKED = 3_000_000_000
"""Limit in bytes for an unpacked list, ten times the largest published one."""

LARGEST_ID, LARGEST_RATING, LONGEST_NAME = 10**17, 4000, 120
LONGEST_LINE = 10_000
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = re.compile(rf"({'|'.join(_MONTHS)})(\d\d)", re.IGNORECASE)
_DRA = re.compile(r"v(\d\d)(\d\d)(\d\d)\.dra$", re.IGNORECASE)
_HEADING = re.compile(r"ID ?Number|\S+", re.IGNORECASE)

_WORDS = {
    "id": "idnumber fideid fmjdid fmjdnumber id nrew",
    "name": "name naam nom",
    "surname": "surname lastname lastn familyname",
    "given": "given givenname firstname firstn",
    "federation": "fed federation country nat land",
    "sex": "sex gender",
    "title": "tit title",
    "title_of_women": "wtit wtitle",
    "standard": "srtng standard rating rtg standardrating",
    "rapid": "rrtng rapid rapidrating",
    "blitz": "brtng blitz blitzrating",
    "women": "wrating",
    "born": "bday birthday born byear birthyear yearofbirth",
    "flag": "flag",
}
_FIELD_OF = {word: field for field, words in _WORDS.items() for word in words.split()}
_FIELD_OF_TAG = {
    "fideid": "id", "name": "name", "country": "federation", "sex": "sex", "title": "title",
    "w_title": "title_of_women", "rating": "standard", "rapid_rating": "rapid", "blitz_rating": "blitz",
    "birthday": "born", "flag": "flag",
}  # fmt: skip


class NoListError(Exception):
    """Raised if a file is not a readable list. The text states the reason and what to do."""


class BadLine(NamedTuple):
    """A skipped row. `line`: line, or position among the players of an XML list. `why`: reason."""

    line: int
    why: str


Row = tuple[int, RatedPlayer | BadLine]


class PublishedList(NamedTuple):
    """An opened list. `rows`: iterator over line number and player or error."""

    kinds: tuple[str, ...]
    date: str
    rows: Iterator[Row]


@contextmanager
def opened(
    path: Path, name: str, kind: str, tell: Callable[[float], None] = lambda _share: None
) -> Iterator[PublishedList]:
    """Open a list, or the list in a ZIP archive. Raise NoListError if it is not a list.

    `name`: published file name, which may contain date and kind. `kind`: kind of a list with one rating
    per player, blank to use the kind in the file. `tell`: called with the share read, from 0 to 1.
    """
    try:
        with path.open("rb") as file:
            if file.read(2) != b"PK":
                file.seek(0)
                yield _read_list(_Chunks(file, path.stat().st_size, tell), name, kind)
                return
        with ZipFile(path) as archive:
            members = [each for each in archive.infolist() if not each.is_dir()]
            if len(members) != 1:
                raise NoListError(
                    f"The archive contains {len(members)} files. Use an archive with the list only."
                )
            with archive.open(members[0]) as file:
                yield _read_list(_Chunks(file, members[0].file_size, tell), members[0].filename, kind)
    except BadZipFile as damaged:
        raise NoListError(f"The archive is damaged: {damaged}.") from damaged


class _Chunks:
    """A file as lines or chunks, which reports its progress and enforces a size limit."""

    def __init__(self, file: IO[bytes], size: int, tell: Callable[[float], None]) -> None:
        self._file, self._size, self._tell, self._read_list = file, max(1, size), tell, 0
        self.begin = file.read(PIECE).removeprefix(BOM_UTF8)

    def pieces(self) -> Iterator[bytes]:
        for piece in chain([self.begin], iter(lambda: self._file.read(PIECE), b"")):
            self._read_list += len(piece)
            if self._read_list > MOST_UNPACKED:
                raise NoListError("The list is larger than any that is published.")
            self._tell(min(1.0, self._read_list / self._size))
            yield piece

    def lines(self) -> Iterator[str]:
        """Yield the lines without line ends, decoded as UTF-8 or else as Windows-1252."""
        rest = b""
        for piece in self.pieces():
            *whole, rest = (rest + piece).split(b"\n")
            if len(rest) > LONGEST_LINE:
                raise NoListError("A line of the file has no end. Take the list as it was published.")
            yield from map(_decoded, whole)
        if rest:
            yield _decoded(rest)


def _decoded(line: bytes) -> str:
    try:
        return line.decode().rstrip("\r")
    except UnicodeDecodeError:
        return line.decode("cp1252", "replace").rstrip("\r")


def _read_list(file: _Chunks, name: str, kind: str) -> PublishedList:
    if file.begin.lstrip()[:1] == b"<":
        is_of_one = any(f"{each}_" in name.lower() for each in KINDS)
        only = _kind_of(name, kind) if is_of_one or kind else ""
        return PublishedList((only,) if only else KINDS, _date_of("", name), _xml_rows(file, only))
    lines = file.lines()
    heading = next(lines, "")
    if "," in heading or ";" in heading or "\t" in heading:
        return _list_from_table(heading, lines, name, kind)
    return _list_from_columns(heading, lines, name, kind)


def _date_of(heading: str, name: str) -> str:
    if found := _DRA.search(name):
        return f"20{found[1]}-{found[2]}-{found[3]}"
    found = _MONTH.search(heading) or _MONTH.search(name)
    return f"20{found[2]}-{_MONTHS.index(found[1].lower()) + 1:02}-01" if found else ""


def _kind_of(name: str, kind: str) -> str:
    return kind or next((each for each in KINDS if each in name.lower()), "standard")


# --- FIDE's fixed-width text ------------------------------------------------------------------------------


def _list_from_columns(heading: str, lines: Iterator[str], name: str, kind: str) -> PublishedList:
    found = list(_HEADING.finditer(heading))
    columns: dict[str, slice] = {}
    month = ""
    for each, following in zip_longest(found, found[1:]):
        word = "".join(sign for sign in each[0].lower() if sign.isalnum())
        field = "standard" if _MONTH.fullmatch(word) else _FIELD_OF.get(word, "")
        month = month or (each[0] if _MONTH.fullmatch(word) else "")
        if field:
            columns.setdefault(field, slice(each.start(), following.start() if following else None))
    _require_columns(columns, "The first line is no heading of FIDE's list (ID Number, Name, Fed …).")
    only = _kind_of(name, kind) if month or not {"rapid", "blitz"} & columns.keys() else ""

    def rows() -> Iterator[Row]:
        least, get = columns["name"].start, tuple(columns.items())
        for number, line in enumerate(lines, start=2):
            if len(line) <= least:
                if line.strip():
                    yield number, BadLine(number, "The line is too short.")
                continue
            yield number, _player({field: line[place].strip() for field, place in get}, number, only)

    return PublishedList(_kinds(columns, only), _date_of(month, name), rows())


# --- tables with a heading: the FMJD's and others ---------------------------------------------------------


def _list_from_table(heading: str, lines: Iterator[str], name: str, kind: str) -> PublishedList:
    separator = max(",;\t", key=heading.count)
    words = next(csv.reader([heading], delimiter=separator))
    fields = [_FIELD_OF.get("".join(sign for sign in each.lower() if sign.isalnum()), "") for each in words]
    known = {field for field in fields if field}
    if "surname" in known:
        known.add("name")
    if "women" in known:
        known.add("standard")
    _require_columns(known, "The heading names no columns of a rating list (id, name, rating).")
    only = _kind_of(name, kind) if not {"rapid", "blitz"} & known else ""

    def rows() -> Iterator[Row]:
        reader = csv.reader(lines, delimiter=separator)
        while True:
            try:
                row = next(reader, None)
            except csv.Error as problem:
                yield reader.line_num + 1, BadLine(reader.line_num + 1, f"Not understood: {problem}.")
                continue
            if row is None:
                return
            number = reader.line_num + 1
            if any(row):
                values = {field: each.strip() for field, each in zip(fields, row, strict=False) if field}
                yield number, _player(values, number, only)

    return PublishedList(_kinds(known, only), _date_of("", name), rows())


# --- FIDE's XML -------------------------------------------------------------------------------------------


class _PlayerParser:
    """Expat handlers that collect the players of an XML file. Other parsers take ten times as long."""

    def __init__(self) -> None:
        self.done: list[dict[str, str]] = []
        self._player: dict[str, str] = {}
        self._field = ""
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.CharacterDataHandler = self._text
        self.parser.EndElementHandler = self._end
        self.parser.EntityDeclHandler = self._refuse

    def _start(self, tag: str, _attributes: Mapping[str, str]) -> None:
        self._field = _FIELD_OF_TAG.get(tag, "")
        if tag == "player":
            self._player = {}

    def _text(self, value: str) -> None:
        before = self._player.get(self._field, "")
        if self._field and len(before) < LONGEST_LINE:
            self._player[self._field] = before + value

    def _end(self, tag: str) -> None:
        self._field = ""
        if tag == "player":
            self.done.append({field: value.strip() for field, value in self._player.items()})

    def _refuse(self, *_: Any) -> NoReturn:
        raise NoListError("The XML declares entities, which no list needs.")


def _xml_rows(file: _Chunks, only: str) -> Iterator[Row]:
    read, number = _PlayerParser(), 0
    try:
        for piece in chain(file.pieces(), (b"",)):
            read.parser.Parse(piece, not piece)
            for values in read.done:
                number += 1
                yield number, _player(values, number, only)
            read.done.clear()
    except expat.ExpatError as problem:
        raise NoListError(f"The XML cannot be read: {problem}.") from problem


# --- players ----------------------------------------------------------------------------------------------


def _require_columns(fields: Iterable[str], why: str) -> None:
    if not {"id", "name", "standard"} <= set(fields):
        raise NoListError(f"{why} Take the list as it was published.")


def _kinds(fields: Iterable[str], only: str) -> tuple[str, ...]:
    return (only,) if only else tuple(kind for kind in KINDS if kind in fields)


def _player(values: Mapping[str, str], line: int, only: str) -> RatedPlayer | BadLine:
    text = values.get("id", "")
    name = values.get("name") or ", ".join(filter(None, (values.get("surname"), values.get("given"))))
    if not (text.isascii() and text.isdecimal() and 0 < int(text) < LARGEST_ID):
        return BadLine(line, f"“{text[:20]}” is no id.")
    if not name or len(name) > LONGEST_NAME:
        return BadLine(line, f"{text} has no name." if not name else f"The name of {text} is too long.")
    ratings: dict[str, int | None] = {}
    for kind in KINDS:
        rating = values.get(kind, "") or (values.get("women", "") if kind == "standard" else "")
        if rating and not (rating.isascii() and rating.isdecimal() and int(rating) <= LARGEST_RATING):
            return BadLine(line, f"“{rating[:20]}” of {text} is no rating.")
        ratings[kind] = int(rating or 0) or None
    if only and only != "standard":
        ratings = dict.fromkeys(KINDS) | {only: ratings["standard"]}
    born = values.get("born", "")[:4]
    code = values.get("federation", "").upper()[:3]
    bearer = federation(code.lower()) if len(code) == 2 else None  # of an ISO country code
    return RatedPlayer(
        int(text),
        name,
        bearer.code if bearer else code,
        {"f": "w", "w": "w", "m": "m"}.get(values.get("sex", "").lower(), ""),
        (values.get("title") or values.get("title_of_women", "")).upper()[:8],
        int(born) if born.isascii() and born.isdecimal() and int(born) > 1800 else None,
        ratings["standard"],
        ratings["rapid"],
        ratings["blitz"],
        "i" in values.get("flag", "").lower(),
    )
