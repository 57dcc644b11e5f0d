"""The glossary of terms and abbreviations on pages for readers.

Criteria have their own pages and phrases (`standings.texts.criterion_phrase`). A test fails if a page uses an
abbreviation that is neither a criterion nor listed here.
"""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy


class GlossaryTerm(NamedTuple):
    word: str | Promise
    meaning: str | Promise


GLOSSARY = (
    GlossaryTerm(gettext_lazy("pl."), gettext_lazy("The place in the table.")),
    GlossaryTerm(
        gettext_lazy("start"),
        gettext_lazy("The start number: the number in the list at the beginning. It never changes."),
    ),
    GlossaryTerm(
        gettext_lazy("code"),
        gettext_lazy("The short name of a team or a country: CHN is China."),
    ),
    GlossaryTerm("MP", gettext_lazy("Match points: a team's points for won and drawn matches.")),
    GlossaryTerm("pts", gettext_lazy("Points: for a team, the game points of all its boards.")),
    GlossaryTerm("+ = −", gettext_lazy("How many matches or games were won, drawn and lost.")),
    GlossaryTerm("%", gettext_lazy("The points in per cent of the possible points.")),
    GlossaryTerm("±", gettext_lazy("Places gained (▲) or lost (▼) since the previous round.")),
    GlossaryTerm("*", gettext_lazy("Manual change: the note gives the change, the reason and the author.")),
    GlossaryTerm(
        pgettext_lazy("letters of results", "W D L B"),
        gettext_lazy("The result of a round: won, drawn, lost, or a bye."),
    ),
    GlossaryTerm(
        gettext_lazy("published"),
        gettext_lazy("The place published by the source; ≠ if the rules give another place."),
    ),
    GlossaryTerm(
        gettext_lazy("Rp"),
        gettext_lazy("Performance rating: the rating that matches the results."),
    ),
    GlossaryTerm(gettext_lazy("We"), gettext_lazy("Expected score: the points expected from the ratings.")),
    GlossaryTerm(
        gettext_lazy("Rtg±"),
        gettext_lazy("Rating change: the effect of the event on a rating by FIDE's rules."),
    ),
    GlossaryTerm(
        "K", gettext_lazy("How fast a rating changes: the rating change is K times (score − expected score).")
    ),
    GlossaryTerm(
        gettext_lazy("tie-break"),
        gettext_lazy("Decides between competitors with equal points: the criteria below, in order."),
    ),
    GlossaryTerm(
        pgettext_lazy("how an event is played", "Swiss"),
        gettext_lazy("In each round competitors with about equal points meet, and never the same two again."),
    ),
    GlossaryTerm(
        pgettext_lazy("how an event is played", "round robin"),
        gettext_lazy("All competitors meet each other."),
    ),
    GlossaryTerm(
        gettext_lazy("bye"),
        gettext_lazy("A round without an opponent; a requested bye gives ½ point or 0."),
    ),
    GlossaryTerm(
        pgettext_lazy("without play", "forfeit"),
        gettext_lazy("Decided without play, because a player did not come or broke a rule."),
    ),
    GlossaryTerm(gettext_lazy("annulled"), gettext_lazy("Played, but not counted, after a withdrawal.")),
    GlossaryTerm(
        gettext_lazy("micro-match"),
        gettext_lazy(
            "Several games between the same players that count as one; in draughts they decide a draw."
        ),
    ),
    GlossaryTerm(
        gettext_lazy("draw with advantage"),
        gettext_lazy("A drawn game of draughts in which White or Black had the advantage: 1+ against 1-."),
    ),
    GlossaryTerm(
        gettext_lazy("data version"),
        gettext_lazy("Counts the changes of an event: the same number means the same page."),
    ),
)
