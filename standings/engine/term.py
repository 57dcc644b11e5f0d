"""Term: one line of an explanation, and what stands behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from standings.engine.arrays import Bools, Ints, RoundKind
from standings.engine.texts import phrase, points_text

WITHOUT_OPPONENT = {
    RoundKind.BYE: phrase("bye"),
    RoundKind.HALF_BYE: phrase("half-bye"),
    RoundKind.ZERO_BYE: phrase("zero-bye"),
    RoundKind.ABSENT: phrase("absent"),
    RoundKind.ANNULLED: phrase("annulled"),
}


class FactorText(NamedTuple):
    """One factor of an amount, as a reader writes it, and its symbol: `13` and `MP`."""

    text: str
    symbol: str


@dataclass(frozen=True)
class Term:
    """One amount of a value. It counts at the levels `since <= level < until`.

    `round`: 0 for the whole event. `opponent`: a row of the crosstable, the row itself for a bye played
    against itself, -1 for nobody; `against`: the same in words. `virtual`: a virtual opponent stands in for
    it. `amount`: in points; `text`: as a reader writes it; `factors`: what it is the product of; `inner`:
    code of the criterion that one of them is a value of. `note`: what more is to be said of it, with the
    article. `why`: what stopped it from counting, in words (`lowest, cut`), empty where nothing did.
    """

    round: int
    opponent: int
    against: str
    kind: RoundKind
    virtual: bool
    amount: Fraction
    text: str
    factors: tuple[FactorText, ...]
    since: int
    until: int
    inner: str | None
    why: str = ""
    note: str = ""

    @property
    def working(self) -> str:
        """Return how it came about: `13 MP × 2½ pts`."""
        return " × ".join(f"{factor.text} {factor.symbol}" for factor in self.factors)

    def counted(self, level: int = 0) -> bool:
        """Say whether it is part of the value at that level."""
        return self.since <= level < self.until


def _nothing(_row: int, _at: int) -> str:
    return ""


@dataclass(frozen=True, eq=False)
class TermSources:
    """The opponents and rounds that amounts come from, all (n, m) but `rounds` (m,).

    `opponent`: row of the opponent, -1 for nobody. `rounds`: number of the round, 0 for the whole event.
    `kind`: the RoundKind of the round. `virtual`: whether a virtual opponent stands in for this one. `note`:
    what more is to be said of a term, asked by row and column.
    """

    names: tuple[str, ...]
    opponent: Ints
    rounds: Ints
    kind: Ints
    virtual: Bools
    note: Callable[[int, int], str] = _nothing

    def against(self, row: int, at: int) -> str:
        """Name the opponent: a name, itself, a virtual one, or why nobody; for the whole event oneself."""
        opponent = int(self.opponent[row, at])
        if not self.rounds[at]:
            return self.names[row]
        if opponent == row:
            return phrase("itself")
        if opponent < 0 and self.virtual[row, at]:
            return phrase("dummy")
        if opponent < 0:
            return WITHOUT_OPPONENT[RoundKind(int(self.kind[row, at]))]
        name = self.names[opponent]
        return phrase("virtual opponent for %(name)s", name=name) if self.virtual[row, at] else name


class Cut(NamedTuple):
    """The reason, in words, that stopped some of the terms that `counted` from doing so.

    `until`: how far they count since, both (n, m); it stopped those that do not reach `levels`.
    """

    why: str
    counted: Ints | Bools
    until: Ints
    levels: int = 1

    def stopped(self, row: int, at: int) -> bool:
        """Say whether it stopped this term."""
        return bool(self.counted[row, at] and self.until[row, at] < self.levels)


@dataclass(frozen=True, eq=False)
class Factor:
    """One figure of a product, (n, m).

    `symbol`: as the rule book writes it. `unit`: parts to a point. `code`: of the criterion behind it.
    """

    symbol: str
    values: Ints
    unit: int = 1
    code: str | None = None

    def in_words(self, row: int, at: int) -> FactorText:
        """Return the figure with its symbol."""
        return FactorText(points_text(int(self.values[row, at]), self.unit), self.symbol)
