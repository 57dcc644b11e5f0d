"""One side of a match or of a board, as every card prints it."""

from dataclasses import dataclass
from html import escape

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from standings.entries import flag_beside
from standings.services import ranked
from standings.tables.cells import RoundResult, results_of_round
from tournaments.models import Competitor, Event

NO_FLAG = SafeString("")
COLOURS = {"first": ("○", "●"), "second": ("●", "○"), "": ("", "")}
COLOUR_WORDS: dict[str, str | Promise] = {"○": gettext_lazy("White"), "●": gettext_lazy("Black"), "": ""}


@dataclass(frozen=True)
class Side:
    """One side of a match or of a board; `page` is that of the person over events, blank for none."""

    name: str
    flag: SafeString = NO_FLAG
    number: int | None = None
    title: str = ""
    rating: int | None = None
    colour: str = ""
    page: str = ""

    @property
    def colour_word(self) -> str:
        """The colour, read aloud."""
        return str(COLOUR_WORDS[self.colour])

    def written(self, address: str) -> SafeString:
        """Return the side as HTML; `address` is where the addresses of competitors begin."""
        parts = [self.flag, escape(self.name)]
        if self.number:
            parts[1] = f'<a href="{address}{self.number}/">{parts[1]}</a>'
        elif self.page:
            parts[1] = f'<a href="{escape(self.page)}">{parts[1]}</a>'
        parts += [
            f'\n<span class="title">{escape(str(each))}</span>' for each in (self.title, self.rating) if each
        ]
        if self.colour:
            word = escape(self.colour_word)
            # No other blank may come before a colour, which stays on the line of what it belongs to.
            parts.append(f'&nbsp;<span class="colour" role="img" aria-label="{word}">{self.colour}</span>')
        return SafeString("".join(parts))

    @property
    def briefly(self) -> str:
        """Return the side as HTML without flag and link; a legend has to explain the sign of its colour."""
        told = [escape(self.name)]
        told += [
            f'<span class="title">{escape(str(each))}</span>' for each in (self.title, self.rating) if each
        ]
        return " ".join(told) + (f"&nbsp;{self.colour}" if self.colour else "")


def side_of(event: Event, competitor: Competitor, colour: str = "") -> Side:
    """A competitor as a side of a pairing."""
    return Side(
        competitor.name,
        flag_beside(event, competitor),
        competitor.number,
        competitor.title,
        competitor.rating,
        colour,
    )


def facts_in(event: Event, number: int) -> dict[int, RoundResult]:
    """Return what a round was for each competitor, by number, as the tables count it."""
    entries, standings = ranked(event)
    if number > standings.table.rounds:  # a draft, which the desk previews and no standings count
        return {}
    results = results_of_round(standings.table, number)
    return {entry.number: each for entry, each in zip(entries, results, strict=True)}
