"""Side of a match or of a board."""

from dataclasses import dataclass
from html import escape

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from standings.flags import flag_html
from tournaments.models import Competitor, Event

NO_FLAG = SafeString("")
COLOURS = {"first": ("○", "●"), "second": ("●", "○"), "": ("", "")}
COLOUR_WORDS: dict[str, str | Promise] = {"○": gettext_lazy("White"), "●": gettext_lazy("Black"), "": ""}


@dataclass(frozen=True)
class Side:
    """A side of a match or of a board; `page` is the URL of the person across events, or empty."""

    name: str
    flag: SafeString = NO_FLAG
    number: int | None = None
    title: str = ""
    rating: int | None = None
    colour: str = ""
    page: str = ""

    @property
    def colour_word(self) -> str:
        return str(COLOUR_WORDS[self.colour])

    def written(self, address: str) -> SafeString:
        """Return the side as HTML; `address` is the start of competitors' URLs."""
        parts = [self.flag, escape(self.name)]
        if self.number:
            parts[1] = f'<a href="{address}{self.number}/">{parts[1]}</a>'
        elif self.page:
            parts[1] = f'<a href="{escape(self.page)}">{parts[1]}</a>'
        parts += [
            f'\n<span class="title">{escape(str(text))}</span>' for text in (self.title, self.rating) if text
        ]
        if self.colour:
            word = escape(self.colour_word)
            # A non-breaking space only: the colour stays on the line of the name.
            parts.append(f'&nbsp;<span class="colour" role="img" aria-label="{word}">{self.colour}</span>')
        return SafeString("".join(parts))

    @property
    def briefly(self) -> str:
        """Return the side as HTML without flag and link; a legend must explain the colour."""
        parts = [escape(self.name)]
        parts += [
            f'<span class="title">{escape(str(text))}</span>' for text in (self.title, self.rating) if text
        ]
        return " ".join(parts) + (f"&nbsp;{self.colour}" if self.colour else "")


def table_word(event: Event) -> str:
    return _("match") if event.is_team else pgettext("where a game is played", "table")


def side_of(event: Event, competitor: Competitor, colour: str = "") -> Side:
    return Side(
        competitor.name,
        flag_html(event, competitor),
        competitor.number,
        competitor.title,
        competitor.rating,
        colour,
    )
