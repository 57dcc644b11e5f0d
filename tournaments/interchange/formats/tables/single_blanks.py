"""Text whose tabs were lost: single blanks separate columns and names. The heading has their number.
    Rk. Name Rtg FED 1.Rd 2.Rd Pts. TB1
    1 IM Arends, Bo 2400 NED 4w1 3b½ 1½ 3,5

Results and figures are counted from the right, places and numbers from the left. The rest is the name.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tournaments.interchange.formats.tables.crosstable_cells import ALONE, is_cell, is_of_an_opponent
from tournaments.interchange.formats.tables.heading_words import MEANINGS, ROUND, word_of
from tournaments.interchange.formats.tables.headings import TITLE

_WIDE = re.compile(r"[ \xa0]{2,}")
_FIGURE = re.compile(r"[+-]?\d+(?:[.,]\d+)?½?|½|[+-]?[.,]\d+|\d*x")
_LOOKS = {
    "label": re.compile(r"\d{1,5}\.?"),
    "number": re.compile(r"\d{1,5}\.?"),
    "rating": re.compile(r"\d{1,4}"),
    "code": re.compile(r"[A-Z]{3}"),
    "sex": re.compile(r"[mwfMWF]"),
    "title": TITLE,
    "born": re.compile(r"\d{4}"),
    "fide_id": re.compile(r"\d{4,9}"),
}
"""The form of the words in these columns. Other columns cannot be distinguished from names."""

_TORN = re.compile(
    r"(?<=(?<!\S)[+=<>-])[ \xa0]++(?=\d{1,4}[BN](?!\S))|(?<=[\d½-])[ \xa0]++(?=\()|(?<=\()[ \xa0]++(?=\))"
    r"|(?<=\bR)[ \xa0]++(?=\d{1,2}(?!\S))|(?<=\bRound)[ \xa0]++(?=\d{1,2}(?!\S))"
)
"""Blanks in cells and headings of Papi and the ECF: `+ 4B`, `1 (b4)`, `- ( )`, `R 1`, `Round 1`."""

_OPTIONAL = frozenset({"title", "sex", "code"})
_FEWEST_ROUNDS = 2
_MOST_HEADINGS = 200


@dataclass(frozen=True, slots=True)
class BlankHeading:
    """The words of a heading: before the name, after it, the rounds, and the figures after these."""

    line: int
    before: tuple[str, ...]
    name: str
    behind: tuple[str, ...]
    rounds: tuple[str, ...]
    figures: tuple[str, ...]

    def row(self, line: str) -> list[str] | None:
        """Return a line as cells below the heading, None if it cannot be split."""
        words = _words(line)
        tail = len(self.rounds) + len(self.figures)
        if len(words) < len(self.before) + tail + 1:
            return None
        lead, cells = words[: len(words) - tail], words[len(words) - tail :]
        rounds, figures = cells[: len(self.rounds)], cells[len(self.rounds) :]
        are_cells = all(is_cell(each) or each in ALONE for each in rounds)
        if not are_cells or not all(map(_FIGURE.fullmatch, figures)):
            return None
        before, lead = lead[: len(self.before)], lead[len(self.before) :]
        if not all(_looks(field, each) for field, each in zip(self.before, before, strict=True)):
            return None
        title = lead.pop(0) if len(lead) > 1 and TITLE.fullmatch(lead[0]) else ""
        behind: list[str] = []
        for field in reversed(self.behind):
            if len(lead) > 1 and _looks(field, lead[-1]):
                behind.insert(0, lead.pop())
            elif _field_of_word(field) in _OPTIONAL:
                behind.insert(0, "")
            else:
                return None
        return [*before, title, " ".join(lead), *behind, *rounds, *figures] if lead else None


def _field_of_word(heading: str) -> str:
    return next((each for each in MEANINGS.get(word_of(heading), ()) if each in _LOOKS), "")


def _looks(heading: str, word: str) -> bool:
    field = _field_of_word(heading)
    return bool(field) and _LOOKS[field].fullmatch(word) is not None


def heading_in(lines: Sequence[str]) -> BlankHeading | None:
    for at, line in enumerate(lines):
        words = _words(line)
        parts = _WIDE.split(line.strip())
        if (
            len(words) < _MOST_HEADINGS
            and 2 * len(parts) < len(words)
            and (found := _blank_heading(at, words))
        ):
            return found
    return None


def _words(line: str) -> list[str]:
    return _TORN.sub("", line).split()


def _joined_figures(words: Sequence[str]) -> Iterator[str]:
    """Yield the headings after the rounds. A number belongs to the word before it, as in `Des 1`."""
    at = 0
    while at < len(words):
        is_parted = at + 1 < len(words) and words[at + 1].isdecimal() and not words[at].isdecimal()
        yield " ".join(words[at : at + 1 + is_parted])
        at += 1 + is_parted


def _blank_heading(line: int, words: Sequence[str]) -> BlankHeading | None:
    numbers = [ROUND.fullmatch(word_of(each)) for each in words]
    first = next((at for at, each in enumerate(numbers) if each and int(each[1]) == 1), None)
    if first is None:
        return None
    last = first
    while last < len(words) and (each := numbers[last]) and int(each[1]) == last - first + 1:
        last += 1
    names = [at for at in range(first) if "name" in MEANINGS.get(word_of(words[at]), ())]
    if last - first < _FEWEST_ROUNDS or not names:
        return None
    return BlankHeading(
        line, tuple(words[: names[0]]), words[names[0]], tuple(words[names[0] + 1 : first]),
        tuple(words[first:last]), tuple(_joined_figures(words[last:])),
    )  # fmt: skip


def parted_by_single_blanks(lines: Sequence[str], heading: BlankHeading) -> Iterator[list[str]]:
    """Yield the cells of each line. Titles and other lines that are not rows are a single cell."""
    for at, line in enumerate(lines):
        text = line.strip()
        # A further page or group has its own heading.
        if at > heading.line and (again := _blank_heading(at, _words(line))):
            heading = again
        if at == heading.line:
            # With a column of titles before the names.
            behind = (*heading.behind, *heading.rounds, *heading.figures)
            yield [*heading.before, "", heading.name, *behind]
        elif at > heading.line and text:
            yield heading.row(line) or [text]
        else:
            yield [text] if text else []


def lines_below(lines: Sequence[str], heading: BlankHeading) -> list[str]:
    """Return the lines below the heading that have results, separated by single blanks."""
    below = [
        line for line in lines[heading.line + 1 :] if len(_WIDE.split(line.strip())) * 2 < len(_words(line))
    ]
    return [line for line in below if sum(map(is_of_an_opponent, _words(line))) >= _FEWEST_ROUNDS]
