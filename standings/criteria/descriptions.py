"""Descriptions of criteria, ranking systems and unplayed policies, for pages and the generated document.

Names, rules and sources are from the registry, systems and policies from the engine, and all figures are
computed by the engine. Only the texts are defined here.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import numpy as np
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from standings.criteria.examples import TEAMS, UNPLAYED, UNPLAYED_BY_OPPONENT, Tournament, example_for
from standings.criteria.explanations import ExplainedValue, is_product, working_of
from standings.engine import (
    POLICIES,
    SYSTEMS,
    Criterion,
    CriterionColumn,
    Crosstable,
    Family,
    RankingSystem,
    RoundKind,
    Term,
    UnknownCriterionError,
    UnplayedPolicy,
    all_criteria,
    get_criterion,
    rank,
)
from standings.texts import CriterionTexts, criterion_phrase, criterion_texts, translated
from tournaments.texts import criterion_name, localized, name_of_system

FAMILIES = {
    Family.OWN: gettext_lazy("Own results"),
    Family.OPPONENTS: gettext_lazy("Scores of the opponents"),
    Family.SONNEBORN: gettext_lazy("Points weighed by the opponent"),
    Family.RATINGS: gettext_lazy("Ratings"),
    Family.TIE: gettext_lazy("Only among competitors still level"),
    Family.DURATION: gettext_lazy("Length of micro-matches"),
    Family.BOARDS: gettext_lazy("Results on the boards"),
}
"""In the order of the page."""

RULE_BOOKS = {
    "fide": gettext_lazy("FIDE, C.07"),
    "draughts": gettext_lazy("Draughts Arbiter and FMJD"),
    "olimpbase": gettext_lazy("OlimpBase"),
}
"""In the order of the page."""

RULE_BOOKS_BY_SOURCE = {"C.07": "fide", "DrA": "draughts", "OlimpBase help": "olimpbase"}
"""By the document that a criterion names first as its source, which contains the rule."""

SOURCES = (
    ("C.07", gettext_lazy("FIDE Handbook, tie-break regulations, by article")),
    ("DrA", gettext_lazy("Draughts Arbiter, sort criteria, by number")),
    ("FMJD Annex 5", gettext_lazy("the rules of the World Draughts Federation for Swiss tournaments, § 3.1")),
    ("OlimpBase help", gettext_lazy("the columns of OlimpBase's Swiss system tables")),
    ("FIDE D.II.02", gettext_lazy("the regulations of the Chess Olympiad")),
)
POLICY_NAMES = {
    "fmjd": "FMJD",
    "olimpbase": "OlimpBase",
    "olympiad-2010": gettext_lazy("Olympiad from 2010"),
    "fide-2009": gettext_lazy("FIDE, edition of 2009"),
    "fide-2024": gettext_lazy("FIDE, edition of 2024"),
    "fide-2026": gettext_lazy("FIDE, edition of 2026"),
}
FORFEIT_WINS = {
    "AS_SCORED": gettext_lazy("Against the scheduled opponent, as if it had been played."),
    "THREE_QUARTERS": gettext_lazy(
        "A match won 3-1 against the scheduled opponent: the competitor's game points are three quarters "
        "of the maximum. In tie-breaks only."
    ),
    "VIRTUAL": gettext_lazy(
        "Against a virtual opponent, with the points obtained. Its score is the competitor's before that "
        "round, 0 for the round, and a draw for each later round up to the round shown."
    ),
}
DUMMIES = {
    "OWN_SCORE": gettext_lazy(
        "A game against a dummy with the competitor's final score; the result as awarded (16.4)."
    ),
    "CAPPED": gettext_lazy(
        "A game against a dummy with the competitor's final score, but at most that of draws in all "
        "rounds; the result as awarded (16.4.2)."
    ),
    "VIRTUAL": gettext_lazy(
        "A game against a virtual opponent. Its score is the competitor's before that round, the points of "
        "a win that the competitor missed in the round, and a draw for each later round. In "
        "Sonneborn-Berger the game is a draw."
    ),
}
"""The value of a bye, by the dummy of an edition of C.07."""

FORFEIT_DUMMIES = {
    "OWN_SCORE": gettext_lazy("Like a bye: the dummy has the competitor's final score (16.4)."),
    "CAPPED": gettext_lazy(
        "Against a dummy with the competitor's final score, but at most the scheduled opponent's (16.4.1)."
    ),
    "VIRTUAL": gettext_lazy("Like a bye: a game against a virtual opponent."),
}
RATING_OF_UNRATED = 2000
KINDS = {
    "A": gettext_lazy("A: results of the tied competitors against each other"),
    "B": gettext_lazy("B: own results"),
    "C": gettext_lazy("C: results of the opponents"),
    "D": gettext_lazy("D: values that the opponents had before the event, such as a rating"),
}
"""The types in C.07 4.3."""

CUT_OF = {
    "PS": gettext_lazy("Without the score after round 1; C2 without those after rounds 1 and 2 (7.5)."),
    "ARO": gettext_lazy("Without the lowest-rated opponent; C2 without the two lowest-rated (14.1)."),
}
CUT_OF_PRODUCTS = gettext_lazy(
    "Without the product of the lowest-scoring opponent; if there are several, without the lowest product "
    "(14.1.1). A voluntary unplayed round is cut first (16.5)."
)
MODIFIERS = {
    "C": (
        "C1",
        gettext_lazy(
            "Without the least significant value; C2 without the two least significant (14.1). A voluntary "
            "unplayed round is cut first (16.5)."
        ),
    ),
    "M": (
        "M1",
        gettext_lazy("Without the least and the most significant value; M2 without two of each (14.2)."),
    ),
    "L": (
        "L60",
        gettext_lazy(
            "With a limit other than 50 per cent of the maximum: L60 is 60 per cent, L+1 and L-1 are ½ "
            "point more and less."
        ),
    ),
    "K": ("K2", gettext_lazy("With a divisor other than the default of the event.")),
    "P": ("P", gettext_lazy("A game decided by forfeit counts as a game against the scheduled opponent.")),
    "F": ("F", gettext_lazy("With Fore Buchholz in place of Buchholz.")),
    "R": ("R", gettext_lazy("Reversed order.")),
}
"""By letter, an example of each modifier of C.07 and its meaning."""


# --- lists ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RuleBook:
    """A rule book. `families`: the name of each family of criteria, and its criteria."""

    code: str
    name: str
    families: list[tuple[str, list[CriterionTexts]]]


def rule_books() -> list[RuleBook]:
    books = []
    for code, name in RULE_BOOKS.items():
        criteria = [criterion for criterion in all_criteria() if _rule_book_of(criterion) == code]
        families = [
            (str(title), [criterion_texts(criterion) for criterion in criteria if criterion.family is key])
            for key, title in FAMILIES.items()
            if any(criterion.family is key for criterion in criteria)
        ]
        books.append(RuleBook(code, str(name), families))
    return books


def _rule_book_of(criterion: Criterion) -> str:
    for source, code in RULE_BOOKS_BY_SOURCE.items():
        if criterion.source.startswith(f"{source} "):
            return code
    raise LookupError(f"RULE_BOOKS_BY_SOURCE has no rule book for {criterion.source} ({criterion.code}).")


@dataclass(frozen=True)
class PolicyTexts:
    """An unplayed policy. `sentences`: (kind of unplayed round, its value)."""

    code: str
    name: str
    sentences: list[tuple[str, str]]


def policies() -> list[PolicyTexts]:
    return [
        PolicyTexts(code, str(POLICY_NAMES[code]), _policy_sentences(policy))
        for code, policy in POLICIES.items()
    ]


def _policy_sentences(policy: UnplayedPolicy) -> list[tuple[str, str]]:
    if policy.dummy:
        return _sentences_of_edition(policy, policy.dummy.name)
    bye = _entry_sentence(policy, RoundKind.BYE)
    if policy.bye_against_itself:
        bye = _(
            "A draw against oneself: the competitor's final score as the opponent's, and 50 per cent of "
            "the possible points as own points."
        )
    of_opponents = _("The opponent's score counts as recorded.")
    if policy.opponents_gifts_are_draws:
        of_opponents = _(
            "Wins by forfeit and byes count as draws, losses by forfeit as 0. In tie-breaks only."
        )
    return [
        (_("A bye"), bye),
        (_("Won by forfeit"), str(FORFEIT_WINS[policy.forfeit_win.name])),
        (_("Lost by forfeit"), _("Against the scheduled opponent, with the points obtained.")),
        (_("Unplayed rounds of an opponent"), of_opponents),
        (_("Other rounds without an opponent"), _entry_sentence(policy, RoundKind.ABSENT)),
    ]


def _sentences_of_edition(policy: UnplayedPolicy, dummy: str) -> list[tuple[str, str]]:
    if policy.opponents_unplayed_are_draws:
        of_opponents = _("Each such round is a draw. In tie-breaks only.")
    else:
        of_opponents = _(
            "They count as awarded; but a requested bye is a draw if the opponent played no more after it "
            "(16.3). In tie-breaks only."
        )
    cut = _("The lowest value is cut, whether the round was played or not.")
    if policy.voluntary_first:
        cut = _("Voluntary unplayed rounds are cut first: requested byes and losses by forfeit (16.5).")
    return [
        (_("A bye"), str(DUMMIES[dummy])),
        (_("Won by forfeit"), str(FORFEIT_DUMMIES[dummy])),
        (_("Lost by forfeit"), str(FORFEIT_DUMMIES[dummy])),
        (_("Unplayed rounds of an opponent"), of_opponents),
        (_("Other rounds without an opponent"), _("Like a bye.")),
        (_("Cuts"), cut),
        (
            _("In a round robin"),
            _("Forfeits are games against the scheduled opponent; a rest day does not count (15.2)."),
        ),
    ]


def _entry_sentence(policy: UnplayedPolicy, kind: RoundKind) -> str:
    return _("Counts as 0, which can be cut.") if kind in policy.counted_kinds else _("Does not count.")


@dataclass(frozen=True)
class SystemTexts:
    system: RankingSystem
    criteria: list[CriterionTexts]
    policy: str

    @property
    def name(self) -> str:
        return name_of_system(self.system)

    @property
    def freedom(self) -> str:
        return (
            pgettext("ranking system", "frozen") if self.system.frozen else pgettext("ranking system", "open")
        )


def systems() -> list[SystemTexts]:
    return [
        SystemTexts(
            system,
            [criterion_texts(get_criterion(code)) for code in system.criteria],
            str(POLICY_NAMES[system.unplayed.code]),
        )
        for system in SYSTEMS.values()
    ]


# --- criterion page ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SystemSeat:
    """The position of a criterion in the list of a system, counted from 1."""

    system: RankingSystem
    at: int

    @property
    def name(self) -> str:
        return name_of_system(self.system)

    @property
    def words(self) -> str:
        return _("%(at)s of %(all)s") % {"at": self.at, "all": len(self.system.criteria)}


@dataclass(frozen=True)
class Unplayed:
    """The value of the example teams' unplayed rounds by policy, in one column if all policies agree.

    `heads`: (name, code) of the policies, with a blank code if they all agree.
    """

    words: str
    heads: list[tuple[str, str]]
    rows: list[tuple[str, list[str]]]

    @property
    def labelled(self) -> list[tuple[str, list[tuple[str, str]]]]:
        names = [name for name, _code in self.heads]
        return [(what, list(zip(names, cells, strict=True))) for what, cells in self.rows]


class ModifierTexts(NamedTuple):
    """A modifier of a code of C.07. `criterion`: the criterion with the modifier."""

    criterion: CriterionTexts
    does: str


@dataclass(frozen=True)
class CriterionPage:
    """The contents of a criterion's page.

    `plain`: the criterion without modifiers and score, None if it is the same.
    """

    criterion: CriterionTexts
    plain: CriterionTexts | None
    rule_book: str
    family: str
    modifiers: list[ModifierTexts]
    properties: list[tuple[str, str]]
    seats: list[SystemSeat]
    unplayed: Unplayed
    tournament: Tournament
    sheet: ExplainedValue

    @property
    def title(self) -> str:
        """Return the name, with the code in C.07 because other rule books use the same names."""
        is_fide = self.sheet.explanation.criterion.is_fide
        return f"{self.criterion.name} ({self.criterion.abbr})" if is_fide else self.criterion.name

    @property
    def tie(self) -> str:
        """Return the competitors level before a criterion within ties, and whether it separates them."""
        if not self.sheet.explanation.criterion.within_tie:
            return ""
        standings, row = self.sheet.standings, self.sheet.row
        first = standings.columns[0]
        level = [other for other, text in enumerate(first.texts) if text == first.text(row)]
        parted = all(standings.decision_between(row, other) for other in level if other != row)
        names = get_text_list([standings.table.names[other] for other in level], _("and"))
        sentence = (
            _("%(names)s are level with %(points)s points. This criterion separates them.")
            if parted
            else _("%(names)s are level with %(points)s points. This criterion does not separate them.")
        )
        return sentence % {"names": names, "points": first.text(row)}

    @property
    def teams(self) -> Tournament:
        return TEAMS


def page_of(code: str) -> CriterionPage:
    """Return the page of a criterion. Raise UnknownCriterionError if there is no such criterion or page."""
    criterion = get_criterion(code)
    plain = get_criterion(criterion.plain_code)
    # Criteria of other rule books with a score have no page, because each would need three.
    if plain is not criterion and not criterion.is_fide:
        raise UnknownCriterionError(f"{code} stands on the page of {criterion.plain_code}.")
    tournament, row = example_for(criterion.code)
    standings = tournament.judged_by(criterion.code)
    judged = standings.column(criterion.code)
    return CriterionPage(
        criterion_texts(criterion),
        None if plain.code == criterion.code else criterion_texts(plain),
        str(RULE_BOOKS[_rule_book_of(criterion)]),
        str(FAMILIES[criterion.family]),
        list(_modifier_words(plain)),
        list(_properties(judged)),
        [
            SystemSeat(s, s.criteria.index(criterion.code) + 1)
            for s in SYSTEMS.values()
            if criterion.code in s.criteria
        ],
        unplayed_rounds(criterion),
        tournament,
        ExplainedValue(standings, row, standings.criteria[-1]),
    )


def _modifier_words(plain: Criterion) -> Iterator[ModifierTexts]:
    special = {"C": CUT_OF_PRODUCTS if plain.family is Family.SONNEBORN else CUT_OF.get(plain.code, "")}
    for letter, (example, does) in MODIFIERS.items():
        if letter in plain.takes:
            modified = criterion_texts(get_criterion(f"{plain.code}/{example}"))
            yield ModifierTexts(modified, str(special.get(letter) or does))
    if plain.is_fide and plain.scaled:
        in_match_points = criterion_texts(get_criterion(f"{plain.code}:MP"))
        yield ModifierTexts(in_match_points, _("For teams: match points; game points with :GP."))


def _properties(judged: CriterionColumn) -> Iterator[tuple[str, str]]:
    criterion = judged.criterion
    yield _("In short"), criterion_phrase(criterion)
    if criterion.is_fide:
        yield _("Article"), criterion.article
        yield _("Type"), "; ".join(str(KINDS[letter]) for letter in criterion.kind)
        if criterion.since:
            yield _("Edition"), _("new in the edition of %(year)s") % {"year": criterion.since}
        if criterion.swiss:
            yield _("Intended for"), _("Swiss tournaments; in a round robin it adds no information")
        if criterion.teams:
            yield _("For"), _("teams only")
    if not (criterion.is_fide and criterion.within_tie):
        yield _("Better"), _("more") if _more_is_better(judged) else _("fewer")
    several = judged.column.levels > 1
    if criterion.is_fide and criterion.within_tie:
        yield _("Value"), _("the place among the level competitors; 0 if all remain level")
    else:
        yield (
            _("Value"),
            _("several figures, compared from left to right") if several else _("a single figure"),
        )
    if criterion.within_tie:
        yield (
            _("Considers"),
            _(
                "only competitors still level after the earlier criteria, and again in each group that it "
                "splits"
            )
            if criterion.repeats
            else _("only competitors still level after the earlier criteria"),
        )
    if criterion.scaled and not criterion.is_fide:
        one_of_two = _("the primary score; %(code)s@game or %(code)s@match selects a score")
        yield _("Score"), one_of_two % {"code": criterion.code}
    if criterion.code == "wins":
        yield _("Teams"), _("counts matches; wins@game counts their boards")
    if criterion.on_boards and not criterion.is_fide:
        yield _("Teams"), _("counted over the boards of the matches; forfeited boards count as for players")
    if criterion.fair_after:
        yield (
            _("Fair"),
            _("only after %(criterion)s")
            % {"criterion": criterion_name(get_criterion(criterion.fair_after))},
        )


def _more_is_better(judged: CriterionColumn) -> bool:
    # Computed by the measure, so that no second list of reversed criteria is needed.
    one, two = judged.column.measure.keys((np.array([1, 2]), np.array([1, 1]))).tolist()
    return bool(two > one)


# --- unplayed rounds --------------------------------------------------------------------------------------


def unplayed_rounds(criterion: Criterion) -> Unplayed:
    cases = [*UNPLAYED, UNPLAYED_BY_OPPONENT]
    by_policy = _terms_of_unplayed(criterion.code)
    case = _("%(what)s (%(name)s, round %(number)s)")
    whats = [case % {"what": what, "name": name, "number": at} for what, name, at in cases]
    # Entire terms are compared, including opponent and note.
    if any(terms != by_policy[0] for terms in by_policy):
        cells = zip(*(map(_term_worth_text, terms) for terms in by_policy), strict=True)
        lines = [(what, list(each)) for what, each in zip(whats, cells, strict=True)]
        return Unplayed(
            _("The ranking system's policy decides."),
            [(str(name), code) for code, name in POLICY_NAMES.items()],
            lines,
        )
    alike = by_policy[0][: len(UNPLAYED)]
    if not any(alike):
        return Unplayed(_("They have no effect on it."), [], [])
    lines = [(what, [_term_worth_text(term)]) for what, term in zip(whats, alike, strict=False)]
    return Unplayed(_same_everywhere(criterion), [(_("any policy"), "")], lines)


def policy_decides(code: str) -> bool:
    first, *others = _terms_of_unplayed(code)
    return any(terms != first for terms in others)


@cache
def _terms_of_unplayed(code: str) -> list[list[Term | None]]:
    cases = [*UNPLAYED, UNPLAYED_BY_OPPONENT]
    rounds = [(TEAMS.table.names.index(name), number) for _, name, number in cases]
    by_policy = []
    for policy in POLICIES.values():
        # The policy of the event overrides that of the system, so one tournament serves for all policies.
        # Unrated players get a rating, without which FIDE omits the criteria on ratings.
        table = replace(TEAMS.table, unplayed=policy, unrated=RATING_OF_UNRATED)
        column = _column_of_teams(table, get_criterion(code))
        by_policy.append(
            [
                next((term for term in column.terms(row) if term.round == number), None)
                for row, number in rounds
            ]
        )
    return by_policy


def _column_of_teams(table: Crosstable, criterion: Criterion) -> CriterionColumn:
    """Return the column of a criterion for all teams. If it has no terms, for those level on points."""
    # A criterion within ties needs a first criterion to form ties.
    for codes in ((criterion.code,), (TEAMS.first, criterion.code)):
        judged = rank(table, TEAMS.system.ordered_by(codes)).column(criterion.code)
        if judged.column.terms.present.any():
            break
    return judged


def _same_everywhere(criterion: Criterion) -> str:
    """Return that the policy does not matter, and whether the event's switch for byes does."""
    column, switched = (
        _column_of_teams(replace(TEAMS.table, byes_are_wins=on), criterion).column for on in (False, True)
    )
    # The switch belongs to the event instead of a policy, but readers expect it in the same place.
    matters = (column.keys() != switched.keys()).any()
    if matters:
        return _("The same under every policy. An event may let byes count as wins.")
    return _("The same under every policy.")


def _term_worth_text(term: Term | None) -> str:
    if term is None:
        return _("does not count")
    worth = f"{working_of(term)} = {localized(term.text)}" if is_product(term) else working_of(term)
    if term.opponent < 0:
        return worth
    return _("%(worth)s, against %(name)s") % {"worth": worth, "name": translated(term.against)}
