"""Bytes → numbered lines of text, whatever the encoding and the line ends."""

import codecs
import re
from dataclasses import dataclass

from tournaments.files.finding import Finding, Place, error, warning

MOST_BYTES = 32 * 1024 * 1024
LONGEST_LINE = 20_000

_LINE_END = re.compile("\r\n|\n|\r")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_WHOLE = re.compile(r" *([0-9]{1,9}) *")
_POINTS = re.compile(r" *(-?)([0-9]{1,5})(?:[.,]([05]))?0* *")
_TAIL = re.compile(r"[ 0-9.,]{4} [ 0-9]{4}(?: |$)")
_TAIL_AT, _NAME_ENDS = 80, 47

# Letters of one code page that stand for signs no name has in the other.
_POLISH_OR_CZECH = re.compile(rb"[\x8d\x8f\x9d]|[A-Za-z][\xa3\xa5\xaf\xb3\xb9\xbf]|[\xa3\xb3\xb9\xbf][a-z]")
_CYRILLIC_WORD = re.compile(rb"(?<![A-Za-z])[\xc0-\xff\xa8\xb8]{3,}(?![A-Za-z])")
_HIGH = re.compile(rb"[\x80-\xff]")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the file, with its number from 1 and without blanks at its end."""

    number: int
    text: str

    @property
    def tag(self) -> str:
        """What the record is, `001`; a blank fourth column belongs to every record."""
        return self.text[:3] if self.text[3:4] in {"", " "} else ""

    @property
    def place(self) -> Place:
        """Where a finding about it is."""
        return Place(f"line {self.number}")


def columns(text: str, first: int, last: int) -> str:
    """The text in these columns, counted from 1 as the format does, without blanks around it."""
    return text[first - 1 : last].strip()


def whole(text: str) -> int | None:
    """A whole number, None where there is none."""
    found = _WHOLE.fullmatch(text)
    return int(found[1]) if found else None


def half_points(text: str) -> int | None:
    """Points such as `11.5` as half-points, None where there are none."""
    found = _POINTS.fullmatch(text)
    if not found:
        return None
    points = 2 * int(found[2]) + (found[3] == "5")
    return -points if found[1] else points


def lines_of(content: bytes) -> tuple[list[Line], list[Finding]]:
    """The lines that hold something, and what is wrong with the text as such."""
    if len(content) > MOST_BYTES:
        most = MOST_BYTES // 1024 // 1024
        return [], [error("too-big", Place(), f"The file is larger than {most} MB. One file holds one event.")]
    text, findings = _decoded(content)
    lines: list[Line] = []
    for number, raw in enumerate(_LINE_END.split(text), start=1):
        line = Line(number, _aligned(raw.replace("\t", " ").rstrip(" \x1a")))
        if problem := _unreadable(line):
            findings.append(problem)
        elif line.text:
            lines.append(line)
    return lines, findings


def _unreadable(line: Line) -> Finding | None:
    if len(line.text) > LONGEST_LINE:
        text = f"{len(line.text)} characters in one line; a record has at most {LONGEST_LINE}. Shorten it."
        return error("too-long", line.place, text)
    if found := _CONTROL.search(line.text):
        code = f"U+{ord(found.group()):04X}"
        return error("bad-character", line.place, f"The character {code} cannot stand in a report. Take it out.")
    return None


# --- encodings --------------------------------------------------------------------------------------------


def _decoded(content: bytes) -> tuple[str, list[Finding]]:
    if sixteen := _utf_16(content):
        return content.decode(sixteen, "replace").removeprefix("\ufeff"), []
    try:
        return content.decode("utf-8-sig"), []
    except UnicodeDecodeError as problem:
        line = len(_LINE_END.findall(content[: problem.start].decode("latin-1"))) + 1
    page = _code_page(content)
    text = f"This is not UTF-8, so it was read as {page}. Look at the names, or save the file as UTF-8."
    return _by_page(content, page), [warning("not-utf-8", Place(f"line {line}"), text)]


def _utf_16(content: bytes) -> str:
    """The order of the bytes of UTF-16: by its mark, or because every other byte of the start is nought."""
    for mark, name in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if content.startswith(mark):
            return name
    start = content[:64]
    if len(start) >= 4 and not any(start[1::2]):
        return "utf-16-le"
    return "utf-16-be" if len(start) >= 4 and not any(start[::2]) else ""


def _code_page(content: bytes) -> str:
    """Windows-1252, but where the letters can only be Cyrillic or those of Central Europe."""
    cyrillic = sum(map(len, _CYRILLIC_WORD.findall(content)))
    if 2 * cyrillic > len(_HIGH.findall(content)):
        return "cp1251"
    return "cp1250" if _POLISH_OR_CZECH.search(content) else "cp1252"


def _by_page(content: bytes, page: str) -> str:
    """The text; a byte that the page leaves free stands for itself, as in Latin-1."""
    try:
        return content.decode(page)
    except UnicodeDecodeError:
        return "".join(_one(byte, page) for byte in content)


def _one(byte: int, page: str) -> str:
    letter = bytes([byte])
    decoded = letter.decode(page, "replace")
    return letter.decode("latin-1") if decoded == "\ufffd" else decoded


def _aligned(text: str) -> str:
    """The line in columns of characters, though its program counted bytes of UTF-8."""
    if text.isascii() or text[:4] != "001 " or _TAIL.match(text, _TAIL_AT):
        return text
    raw = text.encode("utf-8", "surrogatepass")
    name = raw[:_NAME_ENDS].decode("utf-8", "ignore").ljust(_NAME_ENDS)
    realigned = name + raw[_NAME_ENDS:].decode("utf-8", "ignore")
    return realigned if _TAIL.match(realigned, _TAIL_AT) else text
