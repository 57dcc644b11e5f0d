"""The glossary of terms and abbreviations on pages for readers.

Criteria have their own pages and phrases (`standings.words.plain_words`). A test fails if a page uses an
abbreviation that is neither a criterion nor listed here.
"""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy


class ReaderWord(NamedTuple):
    word: str | Promise
    meaning: str | Promise


READER_WORDS = (
    ReaderWord(gettext_lazy("no."), gettext_lazy("The place in the table.")),
    ReaderWord(
        gettext_lazy("start"),
        gettext_lazy("The start number: the number in the list at the beginning. It never changes."),
    ),
    ReaderWord(
        gettext_lazy("code"),
        gettext_lazy("The short name of a team or a country: CHN is China."),
    ),
    ReaderWord("MP", gettext_lazy("Match points: what a team has for matches won and drawn.")),
    ReaderWord("pts", gettext_lazy("Points: of a team the game points, those of all its boards together.")),
    ReaderWord("+ = −", gettext_lazy("How many matches or games were won, drawn and lost.")),
    ReaderWord("%", gettext_lazy("The points in per cent of all that could be had.")),
    ReaderWord("±", gettext_lazy("Places gained (▲) or lost (▼) since the round before.")),
    ReaderWord("*", gettext_lazy("Changed by hand: the note beside it says what, why and by whom.")),
    ReaderWord(
        pgettext_lazy("letters of results", "W D L B"),
        gettext_lazy("The result of a round: won, drawn, lost, or a bye."),
    ),
    ReaderWord(
        gettext_lazy("published"),
        gettext_lazy("The place that the source printed; ≠ stands where the rules give another one."),
    ),
    ReaderWord(
        gettext_lazy("Rp"),
        gettext_lazy("Performance rating: the rating that the results were worth."),
    ),
    ReaderWord(gettext_lazy("We"), gettext_lazy("Expected score: the points that the ratings promised.")),
    ReaderWord(
        gettext_lazy("Rtg±"),
        gettext_lazy("Rating change: what the event does to a rating by FIDE's rules."),
    ),
    ReaderWord("K", gettext_lazy("How fast a rating changes: the rating change is K times what was gained.")),
    ReaderWord(
        gettext_lazy("tie-break"),
        gettext_lazy("What decides between those with as many points: the criteria below, in order."),
    ),
    ReaderWord(
        pgettext_lazy("how an event is played", "Swiss"),
        gettext_lazy("In each round those with about as many points meet, and never the same two again."),
    ),
    ReaderWord(
        pgettext_lazy("how an event is played", "round robin"), gettext_lazy("Everybody meets everybody.")
    ),
    ReaderWord(
        gettext_lazy("bye"),
        gettext_lazy("A round without an opponent; for half a point or none where it was asked for."),
    ),
    ReaderWord(
        pgettext_lazy("without play", "forfeit"),
        gettext_lazy("Decided without play, because somebody did not come or broke a rule."),
    ),
    ReaderWord(gettext_lazy("annulled"), gettext_lazy("Played, but counted for nobody, after a withdrawal.")),
    ReaderWord(
        gettext_lazy("micro-match"),
        gettext_lazy("Several games of the same two that count as one, as draughts decides a draw."),
    ),
    ReaderWord(
        gettext_lazy("draw with advantage"),
        gettext_lazy("A drawn game of draughts in which one side stood better: 1+ against 1-."),
    ),
    ReaderWord(
        gettext_lazy("data version"),
        gettext_lazy("Counts the changes of an event: the same number, the same page."),
    ),
)
