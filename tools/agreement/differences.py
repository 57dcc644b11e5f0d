"""Differences between values, and the table of docs/fide.md that explains them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tools.agreement.ours import Ours, RefusedError
from tools.agreement.published import Run

DOCUMENT = Path(__file__).parents[2] / "docs" / "fide.md"
COLUMNS = ("file", "edition", "code", "competitor: ours, theirs", "article", "who is right")
PAIR = re.compile(r"(\d+): (\S+), ([^;]+?)(?:; |$)")
NOTHING = "–"
REFUSED, EVERY = "refused", "all"


class Difference(NamedTuple):
    """A value that differs, identified by file, edition, code and competitor."""

    file: str
    edition: str
    code: str
    competitor: int
    ours: str
    theirs: str


@dataclass
class Counted:
    """Number of compared values, and the differences."""

    compared: Counter[str] = field(default_factory=Counter)
    different: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)

    def add(self, run: Run) -> None:
        name = f"{run.path.parent.name}/{run.path.name}"
        self.compared[name] += len(run.claims)
        try:
            ours = Ours.of(run)
        except RefusedError:
            self.different[name] += len(run.claims)
            told = Difference(name, EVERY, EVERY, 0, REFUSED, NOTHING)
            self.differences += [] if told in self.differences else [told]
            return
        for claim in run.claims:
            found = ours.value(claim.code, claim.competitor, claim.value)
            if found != claim.value:
                texts = (NOTHING if text is None else text for text in (found, claim.value))
                code = f"{run.criteria[-1]} {claim.code}" if claim.code == "place" else claim.code
                self.different[name] += 1
                self.differences.append(Difference(name, run.edition, code, claim.competitor, *texts))


def known(document: Path = DOCUMENT) -> set[Difference]:
    return {
        difference
        for line in document.read_text().splitlines()
        if (cells := cells_of(line)) and len(cells) == len(COLUMNS)
        for difference in differences_of(cells)
    }


def cells_of(line: str) -> list[str]:
    """Return the cells of a line of a Markdown table; empty for any other line."""
    return [cell.strip() for cell in line.strip("| \n").split("|")] if line.startswith("|") else []


def differences_of(cells: list[str]) -> Iterator[Difference]:
    """Yield the differences of a row, which has a competitor or several, each with both values."""
    file, edition, code, values = (cell.strip("`") for cell in cells[:4])
    for number, ours, theirs in PAIR.findall(values):
        yield Difference(file, edition, code, int(number), ours, theirs)


def rows_of(differences: Iterable[Difference]) -> Iterator[str]:
    """Yield rows for the table of the document, without the columns that are filled in by hand."""
    together: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for each in differences:
        pair = f"{each.competitor}: {each.ours}, {each.theirs}"
        together[each.file, each.edition, each.code].append(pair)
    for (file, edition, code), pairs in together.items():
        yield f"| {file} | {edition} | {code} | {'; '.join(pairs)} |  |  |"
