"""The differences between the editions of FIDE's tie-breaks, with examples computed under each.

All figures and article numbers are from the engine. Only the choice of examples is made here.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from standings.criteria.descriptions import PolicyTexts, policies
from standings.criteria.examples import CHESS_SWISS, POTSDAM, TableCell, Tournament
from standings.criteria.explanations import ExplainedValue, ValueTerm
from standings.engine import EDITIONS, POLICIES, Standings, all_criteria, rank
from standings.texts import CriterionTexts, criterion_texts, day_text

OLDEST = "fide-2009"


class HandbookEdition(NamedTuple):
    """An edition of C.07. `policy`: its description. `period`: the events to which it applies."""

    policy: PolicyTexts
    year: str
    period: str


@dataclass(frozen=True)
class EditionExample:
    """A competitor's value under each edition. `lesson`: the difference that it shows."""

    anchor: str
    name: str | Promise
    lesson: str | Promise
    tournament: Tournament
    competitor: str
    code: str

    @cached_property
    def _standings(self) -> list[Standings]:
        return _standings_by_edition(self.tournament, (self.tournament.first, self.code))

    @property
    def values(self) -> list[ExplainedValue]:
        # Not cached, because an explained value contains texts in the active language.
        row = self.tournament.table.names.index(self.competitor)
        return [ExplainedValue(standings, row, self.code) for standings in self._standings]

    @property
    def criterion(self) -> CriterionTexts:
        return self.values[0].criterion

    @property
    def rounds(self) -> list[tuple[str, TableCell, list[ValueTerm]]]:
        """Return for each round its number, its cell, and its term under each edition."""
        values = self.values
        cells = self.tournament.rows[values[0].row].cells
        terms = zip(*(value.terms for value in values), strict=True)
        return [(each[0].round, cells[int(each[0].round) - 1], list(each)) for each in terms]

    @property
    def differing(self) -> list[tuple[str, TableCell, list[tuple[HandbookEdition, ValueTerm]]]]:
        """Return for each round that differs its number, its cell, and its term with each edition."""
        return [
            (number, cell, list(zip(handbook_editions(), terms, strict=True)))
            for number, cell, terms in self.rounds
            if len({(term.amount, term.cut) for term in terms}) > 1
        ]


EXAMPLES = (
    EditionExample(
        "bye",
        gettext_lazy("A requested bye"),
        gettext_lazy(
            "A competitor without a game has no opponent, so a substitute is needed. In 2009 this was a "
            "virtual opponent with draws in all later rounds; in 2024 a dummy with the player's own score; "
            "since 2026 the dummy has at most the score of a draw in every round. Nick, the opponent of "
            "round 1, withdrew: since 2024 the rounds after that are draws for him, in 2009 all his "
            "unplayed rounds were."
        ),
        CHESS_SWISS,
        "David",
        "BH",
    ),
    EditionExample(
        "forfeit",
        gettext_lazy("A win by forfeit"),
        gettext_lazy(
            "The opponent did not come, so the score of a dummy counts. Since 2026 it is at most the "
            "opponent's own: an unplayed game is worth no more than a played game."
        ),
        CHESS_SWISS,
        "Maria",
        "BH",
    ),
    EditionExample(
        "cut",
        gettext_lazy("Cuts"),
        gettext_lazy(
            "Cut 1 leaves out the lowest value. Since 2024 a round that the player chose not to play is "
            "cut first, even if another value is lower: a player with a requested bye cannot also drop the "
            "weakest opponent."
        ),
        CHESS_SWISS,
        "David",
        "BH/C1",
    ),
    EditionExample(
        "products",
        gettext_lazy("Sonneborn-Berger of a bye"),
        gettext_lazy(
            "Each opponent's score is multiplied by the points won in that game. In 2009 a bye counted as "
            "a draw against the virtual opponent; since 2024 as the dummy's score times the points awarded."
        ),
        CHESS_SWISS,
        "Franck",
        "SB",
    ),
    EditionExample(
        "latecomer",
        gettext_lazy("A late entry"),
        gettext_lazy(
            "This player entered a real open late. In 2009 the missed rounds were games against virtual "
            "opponents with a much better score than the player, and an opponent who also missed rounds "
            "counted with a draw for each. Since 2024 late entries gain no advantage."
        ),
        POTSDAM,
        "Kramer",
        "BH",
    ),
)


def handbook_editions() -> list[HandbookEdition]:
    words = {policy.code: policy for policy in policies()}
    days = list(EDITIONS)
    until = _("events that began before %(day)s") % {"day": day_text(days[0])}
    listed = [HandbookEdition(words[OLDEST], OLDEST[-4:], until)]
    for day, following, policy in zip(days, [*days[1:], ""], EDITIONS.values(), strict=True):
        since = _("events that began from %(day)s on") % {"day": day_text(day)}
        if following:
            parts = {"day": day_text(day), "end": day_text(following)}
            since = _("events that began from %(day)s on, before %(end)s") % parts
        listed.append(HandbookEdition(words[policy.code], policy.code[-4:], since))
    return listed


def _standings_by_edition(tournament: Tournament, criteria: tuple[str, ...]) -> list[Standings]:
    policies = (POLICIES[edition.policy.code] for edition in handbook_editions())
    tables = (replace(tournament.table, unplayed=policy) for policy in policies)
    return [rank(table, tournament.system.ordered_by(criteria)) for table in tables]


@dataclass(frozen=True)
class PlacesUnderEditions:
    """The places in a tournament under each edition, by the same list of criteria."""

    tournament: Tournament

    @cached_property
    def _standings(self) -> list[Standings]:
        return _standings_by_edition(self.tournament, self.tournament.system.criteria)

    @property
    def criteria(self) -> list[CriterionTexts]:
        return [criterion_texts(judged.criterion) for judged in self._standings[0].columns]

    @cached_property
    def moved(self) -> list[tuple[str, str, list[int]]]:
        """The name, points and places by edition of each competitor whose place depends on the edition."""
        newest = self._standings[-1]
        rows = (
            (
                newest.table.names[row.competitor],
                newest.columns[0].text(row.competitor),
                [int(standings.place[row.competitor]) for standings in self._standings],
            )
            for row in newest.rows()
        )
        return [row for row in rows if len(set(row[-1])) > 1]

    @property
    def words(self) -> str:
        return ngettext(
            "%(count)s of %(all)s players does not have the same place in all editions.",
            "%(count)s of %(all)s players do not have the same place in all editions.",
            len(self.moved),
        ) % {"count": len(self.moved), "all": len(self.tournament.table.names)}


def editions_page() -> dict[str, object]:
    return {
        "editions": handbook_editions(),
        "examples": EXAMPLES,
        "places": PlacesUnderEditions(POTSDAM),
        "new": [criterion_texts(criterion) for criterion in all_criteria() if criterion.since],
        "tournaments": (CHESS_SWISS, POTSDAM),
    }
