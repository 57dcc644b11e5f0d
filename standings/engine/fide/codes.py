"""The codes of FIDE's tie-breaks: `NAME[:MP|:GP][/Cn|/Mn|/Lnn|/L+n|/L-n|/Kn][/P][/F][/R]`.

It is the grammar of TRF 202 and 212. The Handbook prints hyphens, `BH-C1`; both are read, and capitals do not
matter. What is written is TRF's: the modifiers in the order above.
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
SHAPES = {
    "C": (re.compile(r"[1-9]\d?"), "Cn"),
    "M": (re.compile(r"[1-9]\d?"), "Mn"),
    "L": (re.compile(r"\d{1,2}|100|[+-]\d{1,2}"), "Lnn, L+n or L-n"),
    "K": (re.compile(r"[1-9]\d?"), "Kn"),
    "P": (re.compile(r""), "P"),
    "F": (re.compile(r""), "F"),
    "R": (re.compile(r""), "R"),
}
"""How the figure behind each letter looks, and how the modifier is written, in the order of the grammar."""

NAMES = {
    "C": "Cut",
    "M": "Median",
    "L": "limit",
    "K": "divisor",
    "P": "forfeits as games",
    "F": "with Fore Buchholz",
    "R": "turned",
}
"""What each modifier is called."""

ONE_OF = frozenset("CMLK")
"""The modifiers of which a code has one at most."""

HALF_OF_MAXIMUM = 50


class UnknownCriterionError(LookupError):
    """No criterion has that code; the text says which there are, or what the one that it names takes."""


@dataclass(frozen=True)
class Asked:
    """The score and the modifiers by which a code asks its criterion to be computed.

    `scale`: the score, None for the primary one. `low`, `high`: how many of the least, then of the most
    significant values are cut. `limit`: per cent of the maximum; `steps`: half-points beyond it. `divisor`:
    the one of SSSC, 0 for the one that follows. `as_paired`: forfeits are games against the scheduled
    opponent. `fore`: with Fore Buchholz. `is_turned`: the other way round.
    """

    scale: Scale | None = None
    low: int = 0
    high: int = 0
    limit: int = HALF_OF_MAXIMUM
    steps: int = 0
    divisor: int = 0
    as_paired: bool = False
    fore: bool = False
    is_turned: bool = False


@dataclass(frozen=True)
class ReadCode:
    """A code taken apart: the name in capitals, the score, and the figure behind each modifier's letter."""

    name: str
    scale: Scale | None
    modifiers: dict[str, str]

    def checked(self, code: str, takes: str, *, is_scaled: bool) -> ReadCode:
        """Return it; UnknownCriterionError where `code` asks for what the name does not take.

        `takes`: the letters of its modifiers; `is_scaled`: whether it can be asked for in one of the scores.
        """
        refused = [letter for letter in self.modifiers if letter not in takes]
        if refused or (self.scale and not is_scaled):
            first = f"/{refused[0]}" if refused or not self.scale else f":{LETTERS[self.scale]}"
            taken = _taken(self.name, takes, is_scaled=is_scaled)
            text = f"There is no criterion {code!r}: {self.name} does not take {first}. {taken}"
            raise UnknownCriterionError(text)
        return self

    def asked(self) -> Asked:
        """Return what the modifiers mean."""
        least = int(self.modifiers.get("C", 0))
        both, limit = int(self.modifiers.get("M", 0)), self.modifiers.get("L", "")
        is_relative = limit[:1] in {"+", "-"}
        return Asked(
            scale=self.scale,
            low=least or both,
            high=both,
            limit=HALF_OF_MAXIMUM if is_relative or not limit else int(limit),
            steps=int(limit) if is_relative else 0,
            divisor=int(self.modifiers.get("K", 0)),
            as_paired="P" in self.modifiers,
            fore="F" in self.modifiers,
            is_turned="R" in self.modifiers,
        )

    def names(self) -> list[str]:
        """Return what the score and the modifiers are called, in the order of the grammar."""
        scale = [f"({self.scale} points)"] if self.scale else []
        told = ((letter, self.modifiers[letter]) for letter in SHAPES if letter in self.modifiers)
        return scale + [NAMES[letter] + (f" {figure}" if figure else "") for letter, figure in told]

    def written(self, name: str) -> str:
        """Return the code as TRF has it, under the name as it is spelt: `BH:MP/C1/P`."""
        score = f":{LETTERS[self.scale]}" if self.scale else ""
        return (
            name
            + score
            + "".join(f"/{letter}{self.modifiers[letter]}" for letter in SHAPES if letter in self.modifiers)
        )


def read_code(code: str) -> ReadCode | None:
    """Take a code apart; None where it is not of this grammar.

    UnknownCriterionError where a score or a modifier is none, or stands there twice.
    """
    found = CODE.fullmatch(code)
    if not found:
        return None
    scale = SCALES.get((found["scale"] or "").upper())
    if found["scale"] and not scale:
        raise UnknownCriterionError(f"There is no criterion {code!r}. A score is :{' or :'.join(SCALES)}.")
    modifiers: dict[str, str] = {}
    for letter, figure in _modifiers(found["modifiers"]):
        shape = SHAPES.get(letter)
        if not shape or not shape[0].fullmatch(figure) or letter in modifiers:
            known = ", ".join(f"/{each}" for _, each in SHAPES.values())
            raise UnknownCriterionError(
                f"There is no criterion {code!r}: {letter}{figure} is no modifier. There are: {known}."
            )
        modifiers[letter] = figure
    if len(ONE_OF & modifiers.keys()) > 1:
        raise UnknownCriterionError(
            f"There is no criterion {code!r}: one of C, M, L and K goes with a name, not two."
        )
    return ReadCode(found["name"].upper(), scale, modifiers)


def _modifiers(text: str) -> list[tuple[str, str]]:
    # Not by splitting: the sign in `KS-L-1` is none that parts.
    found = MODIFIER.findall(text)
    return [(letter.upper(), figure) for letter, figure in found]


def _taken(name: str, takes: str, *, is_scaled: bool) -> str:
    scores = [f":{letters}" for letters in SCALES] if is_scaled else []
    known = [*scores, *(f"/{SHAPES[letter][1]}" for letter in SHAPES if letter in takes)]
    return f"{name} takes {', '.join(known)}." if known else f"{name} takes no modifier."
