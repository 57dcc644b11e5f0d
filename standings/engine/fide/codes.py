"""The codes of FIDE's tie-breaks: `NAME[:MP|:GP][/Cn|/Mn|/Lnn|/L+n|/L-n|/Kn][/P][/F][/R]`.

This is the grammar of TRF 202 and 212, which is used for writing. Hyphens, as printed in the Handbook
(`BH-C1`), and lower case are also read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from standings.engine.scoring import Scale

CODE = re.compile(
    r"(?P<name>[A-Za-z]+)(?::(?P<scale>[A-Za-z]+))?(?P<modifiers>(?:[/-][A-Za-z](?:[+-]?\d+)?)*)"
)
MODIFIER = re.compile(r"[/-]([A-Za-z])((?:[+-]?\d+)?)")
SCALES = {"MP": Scale.MATCH, "GP": Scale.GAME}
LETTERS = {scale: letters for letters, scale in SCALES.items()}
MODIFIERS = {
    "C": (re.compile(r"[1-9]\d?"), "Cn", "Cut"),
    "M": (re.compile(r"[1-9]\d?"), "Mn", "Median"),
    "L": (re.compile(r"\d{1,2}|100|[+-]\d{1,2}"), "Lnn, L+n or L-n", "limit"),
    "K": (re.compile(r"[1-9]\d?"), "Kn", "divisor"),
    "P": (re.compile(r""), "P", "forfeits as games"),
    "F": (re.compile(r""), "F", "with Fore Buchholz"),
    "R": (re.compile(r""), "R", "turned"),
}
"""By letter, the pattern of its figure, the modifier as text, and its name, in the order of the grammar."""

EXCLUSIVE = frozenset("CMLK")  # a code has at most one of these

HALF_OF_MAXIMUM = 50


class UnknownCriterionError(LookupError):
    """No criterion has the code. The message lists the available codes or modifiers."""


@dataclass(frozen=True)
class Modifiers:
    """The score and the modifiers in a code.

    `scale`: None for the primary score. `low` and `high`: the number of least and most significant values to
    cut. `limit`: per cent of the maximum, plus `steps` half-points. `divisor`: of SSSC, 0 to compute it.
    `as_paired`: forfeits count as games against the scheduled opponent. `fore`: with Fore Buchholz.
    `reverse`: in reverse order.
    """

    scale: Scale | None = None
    low: int = 0
    high: int = 0
    limit: int = HALF_OF_MAXIMUM
    steps: int = 0
    divisor: int = 0
    as_paired: bool = False
    fore: bool = False
    reverse: bool = False


@dataclass(frozen=True)
class ParsedCode:
    """The parts of a code: name in capitals, score, and the figure of each modifier by its letter."""

    name: str
    scale: Scale | None
    figures: dict[str, str]

    def checked(self, code: str, takes: str, *, is_scaled: bool) -> ParsedCode:
        refused = [letter for letter in self.figures if letter not in takes]
        if refused or (self.scale and not is_scaled):
            first = f"/{refused[0]}" if refused or not self.scale else f":{LETTERS[self.scale]}"
            scores = [f":{letters}" for letters in SCALES] if is_scaled else []
            accepted = [*scores, *(f"/{MODIFIERS[letter][1]}" for letter in MODIFIERS if letter in takes)]
            raise UnknownCriterionError(
                f"There is no criterion {code!r}: {self.name} does not take {first}."
                f" {self.name} takes {', '.join(accepted) or 'no modifier'}."
            )
        return self

    def modifiers(self) -> Modifiers:
        least = int(self.figures.get("C", 0))
        both, limit = int(self.figures.get("M", 0)), self.figures.get("L", "")
        is_relative = limit[:1] in {"+", "-"}
        return Modifiers(
            scale=self.scale,
            low=least or both,
            high=both,
            limit=HALF_OF_MAXIMUM if is_relative or not limit else int(limit),
            steps=int(limit) if is_relative else 0,
            divisor=int(self.figures.get("K", 0)),
            as_paired="P" in self.figures,
            fore="F" in self.figures,
            reverse="R" in self.figures,
        )

    def names(self) -> list[str]:
        scale = [f"({self.scale} points)"] if self.scale else []
        ordered = ((letter, self.figures[letter]) for letter in MODIFIERS if letter in self.figures)
        return scale + [MODIFIERS[letter][2] + (f" {figure}" if figure else "") for letter, figure in ordered]

    def canonical(self, name: str) -> str:
        """Return the code as in TRF, with the given spelling of the name: `BH:MP/C1/P`."""
        score = f":{LETTERS[self.scale]}" if self.scale else ""
        return (
            name
            + score
            + "".join(f"/{letter}{self.figures[letter]}" for letter in MODIFIERS if letter in self.figures)
        )


def parse_code(code: str) -> ParsedCode | None:
    """Parse a code. Return None if it does not follow the grammar.

    Raise UnknownCriterionError if a score or modifier is unknown, or a modifier is repeated.
    """
    found = CODE.fullmatch(code)
    if not found:
        return None
    scale = SCALES.get((found["scale"] or "").upper())
    if found["scale"] and not scale:
        raise UnknownCriterionError(f"There is no criterion {code!r}. A score is :{' or :'.join(SCALES)}.")
    figures: dict[str, str] = {}
    # Not split at hyphens, because the second hyphen in `KS-L-1` is a sign.
    for written, figure in MODIFIER.findall(found["modifiers"]):
        letter = written.upper()
        shape = MODIFIERS.get(letter)
        if not shape or not shape[0].fullmatch(figure) or letter in figures:
            available = ", ".join(f"/{text}" for _, text, _ in MODIFIERS.values())
            raise UnknownCriterionError(
                f"There is no criterion {code!r}: {letter}{figure} is no modifier. There are: {available}."
            )
        figures[letter] = figure
    if len(EXCLUSIVE & figures.keys()) > 1:
        raise UnknownCriterionError(
            f"There is no criterion {code!r}: one of C, M, L and K goes with a name, not two."
        )
    return ParsedCode(found["name"].upper(), scale, figures)
