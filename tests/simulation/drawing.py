"""Entry lists and results, drawn by lot from a seed: the same on every machine."""

from dataclasses import dataclass
from random import Random

FEDERATIONS = ("NED", "GER", "POL", "FRA", "ITA", "BEL", "ENG", "ESP")
STRONGEST, STEP = 2560, 11


@dataclass(frozen=True)
class Entrant:
    """A line of an entry list."""

    name: str
    rating: int
    federation: str

    @property
    def line(self) -> str:
        """Return the line as it is pasted."""
        return f"{self.name}; {self.federation}; {self.rating}"


def entrants(count: int, first: int = 1, word: str = "Player") -> list[Entrant]:
    """Return entrants, the strongest first, named by their place in the list."""
    return [
        Entrant(f"{word} {at:03}", STRONGEST - STEP * at, FEDERATIONS[at % len(FEDERATIONS)])
        for at in range(first, first + count)
    ]


class Lots:
    """Results drawn from a seed; higher-rated players win more often."""

    def __init__(self, seed: str, texts: tuple[str, str, str] = ("1-0", "½-½", "0-1")) -> None:
        self.texts = texts
        self._draw = Random(seed)  # noqa: S311 - invented results

    def result(self, white: int = 0, black: int = 0) -> str:
        """Return the result of a game between two ratings, as typed."""
        edge = max(-40, min(40, (white - black) // 10 + 4))
        return self._draw.choices(self.texts, weights=(40 + edge, 30, 40 - edge))[0]
