"""The lines of a report that are published: FIDE's records without free text.

Programs write e-mail addresses and telephone numbers into their own records (`DAT`) and comments.
"""

import re

from tournaments.event.document import Document
from tournaments.event.federations import federation
from tournaments.interchange.formats.trf.identities import is_national
from tournaments.interchange.formats.trf.report_lines import ReportLine
from tournaments.interchange.formats.trf.tournament_lines import text_at_columns

_TAGS = frozenset((
    "172", "192", "202", "212", "222", "240", "250", "260", "299", "300", "310", "320", "330", "352", "362",
    "BBB", "BBD", "BBF", "BBL", "BBU", "BBW", "BBZ", "XXA", "XXB", "XXC", "XXP", "XXR", "XXS", "XXZ",
))  # fmt: skip
"""Records of numbers, points and codes: of FIDE, and of programs that follow FIDE's pairing rules."""

_POINTS = re.compile(r"[+-]?[0-9]{1,3}[.,][0-9]{1,2}")
_RANGE = re.compile(r"[0-9]{1,5}(?:[-,/][0-9]{1,5})*")
_CODE = re.compile(r"[A-Z](?:[A-Z_:/,+*%=.-]|[0-9]{1,2}(?![0-9])){0,60}|white1|black1|rank")
_NATION = re.compile("[A-Z]{2,3}")
_RATING = re.compile("[0-9]{1,4}")
_TITLE = re.compile("[Ww]?[GIFCgifc][Mm]?")


def published_lines(document: Document) -> tuple[str, ...]:
    largest = _largest_number(document)
    lines = (_publishable_line(line, largest) for line in document.event.trf)
    return tuple(line for line in lines if line)


def publishable_lines(document: Document) -> tuple[str, ...]:
    """Return the preserved lines, unchanged, that are published at least in part."""
    largest = _largest_number(document)
    return tuple(line for line in document.event.trf if _publishable_line(line, largest))


def _largest_number(document: Document) -> int:
    numbers = (each.number for each in document.competitors)
    members = sum(len(each.players) for each in document.competitors)
    return max((*numbers, len(document.competitors) + members, document.event.planned_rounds or 0))


def _publishable_line(line: str, largest: int) -> str:
    tag = ReportLine(0, line).tag
    if tag == "001":
        return _publishable_columns(line, 4, 8, (53, 56, _NATION))
    if tag in _TAGS:
        return line if all(_is_plain(each, largest) for each in line[3:].split()) else ""
    if is_national(tag) and federation(tag):
        return _publishable_columns(line, 4, 8, (10, 13, _TITLE), (48, 52, _RATING), (53, 56, _NATION))
    return ""


def _publishable_columns(line: str, start: int, end: int, *columns: tuple[int, int, re.Pattern[str]]) -> str:
    number = line[start:end]
    texts = [
        (at, line[at:to])
        for at, to, pattern in columns
        if line[at:to].strip() and pattern.fullmatch(line[at:to].strip())
    ]
    if not texts or not number.strip().isdecimal():
        return ""
    return text_at_columns(line[:3], ((start, number), *texts))


def _is_plain(text: str, largest: int) -> bool:
    if _RANGE.fullmatch(text):
        return all(int(number) <= largest for number in re.split("[-,/]", text))
    return bool(_POINTS.fullmatch(text) or _CODE.fullmatch(text))
