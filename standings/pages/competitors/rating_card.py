"""Rating of a player: expected score, score and change of each game, with explanations."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from typing import Any, NamedTuple

from django.utils.safestring import SafeString

from standings.engine import fraction_text
from standings.statistics.ratings import ExpectedGame, PlayerRating, RatedGame
from standings.statistics.texts import change_text, hundredths_text, performance_text, whole_text
from tournaments.event.arrays import CompetitorInfo


class MetOpponent(NamedTuple):
    """An opponent on a card; `number` is the start number, None if the opponent has no page."""

    name: str
    number: int | None = None


Naming = Callable[[Any], MetOpponent]
"""Returns an opponent by key."""


IDLE = ' class="idle"'


class RatingRow(NamedTuple):
    """A game with formatted figures, and the change and performance rating after it.

    Figures are empty if the opponent has no rating. `limited`: the difference that counts, if it is another.
    """

    round: int
    opponent: MetOpponent
    score: str
    rating: str = ""
    difference: str = ""
    limited: str = ""
    expected: str = ""
    gain: str = ""
    change: str = ""
    performance: str = ""

    def row(self, competitors: str, *, has_change: bool) -> str:
        """Return the game as a table row in HTML; `competitors` is the start of competitors' URLs."""
        name, number = escape(self.opponent.name), self.opponent.number
        against = f'<a href="{competitors}{number}/">{name}</a>' if number else name
        limited = f"<s>{self.difference}</s> {self.limited}" if self.limited else self.difference
        cells = (
            (self.rating or "–", limited, self.expected, self.score, self.gain, self.change, self.performance)
            if has_change
            else (self.rating or "–", self.score, self.performance)
        )
        return (
            f'<tr{"" if self.rating else IDLE}><th scope="row">{self.round}</th>'
            f'<td class="left wrap">\n{against}\n</td><td>{"</td><td>".join(cells)}</td></tr>'
        )


@dataclass(frozen=True)
class RatingCard:
    """The rating figures of a player's games; `competitors` is the start of competitors' URLs."""

    name: str
    rating: PlayerRating
    met: Naming
    competitors: str

    @cached_property
    def lines(self) -> list[RatingRow]:
        # In the order of the games, without those against unrated opponents.
        expected = iter(self.rating.change.games if self.rating.change else ())
        return [
            self._line(at, game, next(expected, None) if game.rating else None)
            for at, game in enumerate(self.rating.games, start=1)
        ]

    @property
    def rows(self) -> SafeString:
        # Not in the template, because the players of a team have about fifty rows.
        rows = (line.row(self.competitors, has_change=self.has_change) for line in self.lines)
        return SafeString("\n".join(rows))

    def _line(self, at: int, game: RatedGame, expected: ExpectedGame | None) -> RatingRow:
        line = RatingRow(game.round, self.met(game.opponent), fraction_text(game.points, 2))
        if not game.rating:
            return line
        so_far = replace(self.rating, games=self.rating.games[:at])
        line = line._replace(rating=str(game.rating), performance=str(so_far.performance))
        if expected is None or so_far.change is None:
            return line
        is_limited = expected.counted != expected.difference
        return line._replace(
            difference=whole_text(expected.difference),
            limited=whole_text(expected.counted) if is_limited else "",
            expected=hundredths_text(expected.expected),
            gain=hundredths_text(expected.gain, signed=True),
            change=hundredths_text(so_far.change.change, signed=True),
        )

    @property
    def has_change(self) -> bool:
        return self.rating.change is not None

    @property
    def expected(self) -> str:
        return hundredths_text(self.rating.change.expected) if self.rating.change else ""

    @property
    def score(self) -> str:
        return fraction_text(self.rating.points, 2)

    @property
    def gain(self) -> str:
        return hundredths_text(self.rating.change.gain, signed=True) if self.rating.change else ""

    @property
    def change(self) -> str:
        return hundredths_text(self.rating.change.change, signed=True) if self.rating.change else ""

    @property
    def has_unrated(self) -> bool:
        return len(self.rating.rated) < len(self.rating.games)

    @property
    def sentences(self) -> list[str]:
        return [*filter(None, [performance_text(self.rating)]), *change_text(self.rating)]


def rating_card(name: str, rating: PlayerRating, met: Naming, competitors: str) -> RatingCard | None:
    return (
        RatingCard(name, rating, met, competitors)
        if rating.rated or (rating.rating and rating.games)
        else None
    )


def opponent_naming(entries: list[CompetitorInfo]) -> Naming:
    met = [MetOpponent(entry.name, entry.number) for entry in entries]
    return met.__getitem__
