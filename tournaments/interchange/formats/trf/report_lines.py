"""Numbered lines of text from bytes in any encoding and with any line ends."""

import re
from dataclasses import dataclass

from tournaments.event.finding import Finding, Place, error
from tournaments.interchange.formats.encodings import LINE_END, decode_text
from tournaments.interchange.formats.json.parsing import MOST_BYTES, too_big

LONGEST_LINE, LONGEST_COMMENT = 20_000, 200_000
MOST_LINES = 100_000  # fifty times the players of the largest open tournament
COMMENT = "###"

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_WHOLE = re.compile(r" *([0-9]{1,9}) *")
_POINTS = re.compile(r" *(-?)([0-9]{1,5})(?:[.,]([05]))?0* *")
_TAIL = re.compile(r" (?:[ 0-9]{2}[.,][05]|[ 0-9]{4}) [ 0-9]{4}(?: |$)")
_TAIL_AT, _NAME_ENDS = 79, 47


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A line of the file. `number`: from 1. `text`: without blanks at the end."""

    number: int
    text: str

    @property
    def tag(self) -> str:
        """Return the kind of record, `001`. The fourth column is blank in all records."""
        return self.text[:3] if self.text[3:4] in {"", " "} else ""

    @property
    def place(self) -> Place:
        return Place(f"line {self.number}")


def columns(text: str, first: int, last: int) -> str:
    """Return the text in these columns, from 1 as in the format, without outer blanks."""
    return text[first - 1 : last].strip()


def whole(text: str) -> int | None:
    found = _WHOLE.fullmatch(text)
    return int(found[1]) if found else None


def reported_half_points(text: str) -> int | None:
    """Return points such as `11.5` in half-points, None for other texts."""
    found = _POINTS.fullmatch(text)
    if not found:
        return None
    points = 2 * int(found[2]) + (found[3] == "5")
    return -points if found[1] else points


def report_lines(content: bytes, encoding: str = "") -> tuple[list[ReportLine], list[Finding]]:
    """Return the non-blank lines, and findings about the text. Without `encoding`, it is detected."""
    if len(content) > MOST_BYTES:
        return [], [too_big()]
    text, findings = decode_text(content, encoding)
    if text.count("\n") + text.count("\r") > 2 * MOST_LINES:
        message = f"More than {MOST_LINES} lines. A file must contain one event only."
        return [], [error("too-many-lines", Place(), message)]
    lines: list[ReportLine] = []
    for number, raw in enumerate(LINE_END.split(text), start=1):
        # DOS ends a file with \\x1a; tabs replace single blanks in files that were edited.
        line = ReportLine(number, _aligned(raw.replace("\t", " ").rstrip(" \x1a")))
        if problem := _unreadable(line):
            findings.append(problem)
        elif line.text:
            lines.append(line)
    return lines, findings


def _unreadable(line: ReportLine) -> Finding | None:
    most = LONGEST_COMMENT if line.text.startswith(COMMENT) else LONGEST_LINE
    if len(line.text) > most:
        text = f"{len(line.text)} characters in one line; at most {most} are read. Shorten it."
        return error("too-long", line.place, text)
    if found := _CONTROL.search(line.text):
        code = f"U+{ord(found.group()):04X}"
        return error(
            "bad-character", line.place, f"The character {code} is not allowed in a report. Remove it."
        )
    return None


def _aligned(text: str) -> str:
    if text.isascii() or text[:4] != "001 " or _TAIL.match(text, _TAIL_AT):
        return text
    # This program counted bytes of UTF-8, so accents move the columns after the name.
    raw = text.encode("utf-8", "surrogatepass")
    name = raw[:_NAME_ENDS].decode("utf-8", "ignore").ljust(_NAME_ENDS)
    realigned = name + raw[_NAME_ENDS:].decode("utf-8", "ignore")
    return realigned if _TAIL.match(realigned, _TAIL_AT) else text
