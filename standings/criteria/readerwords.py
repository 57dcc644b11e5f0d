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
    ReaderWord("MP", gettext_lazy("Match points: a team's points for won and drawn matches.")),
    ReaderWord("pts", gettext_lazy("Points: for a team, the game points of all its boards.")),
    ReaderWord("+ = −", gettext_lazy("How many matches or games were won, drawn and lost.")),
    ReaderWord("%", gettext_lazy("The points in per cent of the possible points.")),
    ReaderWord("±", gettext_lazy("Places gained (▲) or lost (▼) since the previous round.")),
    ReaderWord("*", gettext_lazy("Manual change: the note gives the change, the reason and the author.")),
    ReaderWord(
        pgettext_lazy("letters of results", "W D L B"),
        gettext_lazy("The result of a round: won, drawn, lost, or a bye."),
    ),
    ReaderWord(
        gettext_lazy("published"),
        gettext_lazy("The place published by the source; ≠ if the rules give another place."),
    ),
    ReaderWord(
        gettext_lazy("Rp"),
        gettext_lazy("Performance rating: the rating that matches the results."),
    ),
    ReaderWord(gettext_lazy("We"), gettext_lazy("Expected score: the points expected from the ratings.")),
    ReaderWord(
        gettext_lazy("Rtg±"),
        gettext_lazy("Rating change: the effect of the event on a rating by FIDE's rules."),
    ),
    ReaderWord(
        "K", gettext_lazy("How fast a rating changes: the rating change is K times (score − expected score).")
    ),
    ReaderWord(
        gettext_lazy("tie-break"),
        gettext_lazy("Decides between competitors with equal points: the criteria below, in order."),
    ),
    ReaderWord(
        pgettext_lazy("how an event is played", "Swiss"),
        gettext_lazy("In each round competitors with about equal points meet, and never the same two again."),
    ),
    ReaderWord(
        pgettext_lazy("how an event is played", "round robin"),
        gettext_lazy("All competitors meet each other."),
    ),
    ReaderWord(
        gettext_lazy("bye"),
        gettext_lazy("A round without an opponent; a requested bye gives ½ point or 0."),
    ),
    ReaderWord(
        pgettext_lazy("without play", "forfeit"),
        gettext_lazy("Decided without play, because a player did not come or broke a rule."),
    ),
    ReaderWord(gettext_lazy("annulled"), gettext_lazy("Played, but not counted, after a withdrawal.")),
    ReaderWord(
        gettext_lazy("micro-match"),
        gettext_lazy(
            "Several games between the same players that count as one; in draughts they decide a draw."
        ),
    ),
    ReaderWord(
        gettext_lazy("draw with advantage"),
        gettext_lazy("A drawn game of draughts in which White or Black had the advantage: 1+ against 1-."),
    ),
    ReaderWord(
        gettext_lazy("data version"),
        gettext_lazy("Counts the changes of an event: the same number means the same page."),
    ),
)
