"""What the site says of each criterion, ranking system and unplayed policy: on its pages and in its document.

Names, rules and sources are the registry's, systems and policies the engine's own data, and every figure is
judged by the engine; what is worded here are only the plain words around them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from standings.criteria.examples import TEAMS, UNPLAYED, UNPLAYED_BY_OPPONENT, Case, Tournament, shown_by
from standings.criteria.explanations import ExplainedValue, is_product, working_of
from standings.engine import (
    POLICIES,
    SYSTEMS,
    Criterion,
    Crosstable,
    Family,
    Judged,
    RankingSystem,
    RoundKind,
    Term,
    UnknownCriterionError,
    UnplayedPolicy,
    every,
    get,
    rank,
)
from standings.words import CriterionWords, name_of, name_of_system, translated, words_of, written

FAMILIES = {
    Family.OWN: gettext_lazy("Own results"),
    Family.OPPONENTS: gettext_lazy("Scores of the opponents"),
    Family.SONNEBORN: gettext_lazy("Points weighed by the opponent"),
    Family.RATINGS: gettext_lazy("Ratings"),
    Family.TIE: gettext_lazy("Only among those still level"),
    Family.DURATION: gettext_lazy("Length of micro-matches"),
}
"""The names of the families, in the order of the page."""

SOURCES = (
    ("DrA", gettext_lazy("Draughts Arbiter, sort criteria, by their numbers")),
    ("FMJD Annex 5", gettext_lazy("the rules of the World Draughts Federation for Swiss tournaments, § 3.1")),
    ("OlimpBase help", gettext_lazy("the columns of OlimpBase's Swiss system tables")),
    ("FIDE D.II.02", gettext_lazy("the regulations of the Chess Olympiad")),
)
POLICY_NAMES = {"fmjd": "FMJD", "olimpbase": "OlimpBase", "olympiad-2010": gettext_lazy("Olympiad from 2010")}
FORFEIT_WINS = {
    "AS_SCORED": gettext_lazy("Against the scheduled opponent, as if it had been played."),
    "THREE_QUARTERS": gettext_lazy(
        "A match won 3-1 against the scheduled opponent: the own game points are three quarters"
        " of those to be had. In tie-breaks only."
    ),
    "VIRTUAL": gettext_lazy(
        "Against a virtual opponent, with the points obtained. It has the own score before that round,"
        " nothing for the round, and a draw for each later round up to the one shown."
    ),
}


# --- the lists --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FamilyWords:
    """Criteria made of the same thing."""

    name: str
    criteria: list[CriterionWords]


def families() -> list[FamilyWords]:
    """Return all criteria, family by family."""
    return [
        FamilyWords(str(name), [words_of(criterion) for criterion in every() if criterion.family is family])
        for family, name in FAMILIES.items()
    ]


@dataclass(frozen=True)
class PolicyWords:
    """An unplayed policy: what each kind of unplayed round is worth, in a sentence each."""

    code: str
    name: str
    sentences: list[tuple[str, str]]


def policies() -> list[PolicyWords]:
    """Return all policies for unplayed rounds."""
    return [
        PolicyWords(code, str(POLICY_NAMES[code]), _sentences(policy)) for code, policy in POLICIES.items()
    ]


def _sentences(policy: UnplayedPolicy) -> list[tuple[str, str]]:
    return [
        (_("A bye"), _bye_sentence(policy)),
        (_("Won by forfeit"), str(FORFEIT_WINS[policy.forfeit_win.name])),
        (_("Lost by forfeit"), _("Against the scheduled opponent, with the points obtained.")),
        (_("What an opponent did not play"), _gifts_sentence(policy)),
        (_("Other rounds without an opponent"), _entry_sentence(policy, RoundKind.ABSENT)),
    ]


def _bye_sentence(policy: UnplayedPolicy) -> str:
    if not policy.bye_against_itself:
        return _entry_sentence(policy, RoundKind.BYE)
    return _(
        "A draw against oneself: the own final score as the opponent's, half of the points to be had as own."
    )


def _gifts_sentence(policy: UnplayedPolicy) -> str:
    if not policy.opponents_gifts_are_draws:
        return _("The opponent's score counts as recorded.")
    return _("Wins by forfeit and byes count as draws, losses by forfeit as nothing. In tie-breaks only.")


def _entry_sentence(policy: UnplayedPolicy, kind: RoundKind) -> str:
    return _("An entry of 0, which a cut may remove.") if kind in policy.entries else _("No entry.")


@dataclass(frozen=True)
class SystemWords:
    """A ranking system: its criteria in order, and its policy."""

    system: RankingSystem
    criteria: list[CriterionWords]
    policy: str

    @property
    def name(self) -> str:
        """Return its name."""
        return name_of_system(self.system)

    @property
    def freedom(self) -> str:
        """Say whether its list can be changed."""
        return (
            pgettext("ranking system", "frozen") if self.system.frozen else pgettext("ranking system", "open")
        )


def systems() -> list[SystemWords]:
    """Return all ranking systems."""
    return [
        SystemWords(
            system, [words_of(get(code)) for code in system.criteria], str(POLICY_NAMES[system.unplayed.code])
        )
        for system in SYSTEMS.values()
    ]


# --- one criterion ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SystemSeat:
    """A criterion's place in a system's list, counted from 1."""

    system: RankingSystem
    at: int

    @property
    def name(self) -> str:
        """Return the name of the system."""
        return name_of_system(self.system)

    @property
    def words(self) -> str:
        """Return `2 of 6`."""
        return _("%(at)s of %(all)s") % {"at": self.at, "all": len(self.system.criteria)}


@dataclass(frozen=True)
class Unplayed:
    """The worth of the teams' unplayed rounds to a criterion: one figure per policy, or one for all.

    `heads`: name and code of the policies; the code is empty where they are all alike.
    """

    words: str
    heads: list[tuple[str, str]]
    rows: list[tuple[str, list[str]]]


@dataclass(frozen=True)
class CriterionPage:
    """All that is said of one criterion."""

    criterion: CriterionWords
    family: str
    properties: list[tuple[str, str]]
    seats: list[SystemSeat]
    unplayed: Unplayed
    tournament: Tournament
    sheet: ExplainedValue

    @property
    def tie(self) -> str:
        """Say who is level before a criterion that looks at a tie, and whether it parts them."""
        if not self.sheet.explanation.criterion.within_tie:
            return ""
        standings, row = self.sheet.standings, self.sheet.row
        first = standings.judged[0]
        level = [other for other, text in enumerate(first.texts) if text == first.text(row)]
        parted = all(standings.parted_by(row, other) for other in level if other != row)
        names = get_text_list([standings.table.names[other] for other in level], _("and"))
        sentence = (
            _("%(names)s are level with %(points)s points. It parts them.")
            if parted
            else _("%(names)s are level with %(points)s points. It does not part them.")
        )
        return sentence % {"names": names, "points": first.text(row)}

    @property
    def teams(self) -> Tournament:
        """Return the tournament whose unplayed rounds are told."""
        return TEAMS


def page_of(code: str) -> CriterionPage:
    """Describe a criterion; raise UnknownCriterionError where there is none, or none with a page."""
    criterion = get(code)
    # A code in one of the two scores has no page, or each of these criteria would have three.
    if criterion.plain_code != code:
        raise UnknownCriterionError(f"{code} stands on the page of {criterion.plain_code}.")
    tournament, row = shown_by(code)
    standings = tournament.judged_by(code)
    judged = standings.column(code)
    return CriterionPage(
        words_of(criterion),
        str(FAMILIES[criterion.family]),
        list(_properties(judged)),
        [SystemSeat(s, s.criteria.index(code) + 1) for s in SYSTEMS.values() if code in s.criteria],
        unplayed_rounds(criterion),
        tournament,
        ExplainedValue(standings, row, standings.criteria[-1]),
    )


def _properties(judged: Judged) -> Iterator[tuple[str, str]]:
    criterion = judged.criterion
    yield _("Better"), _("more") if _more_is_better(judged) else _("fewer")
    several = judged.column.levels > 1
    yield _("Value"), _("several figures, compared from left to right") if several else _("one figure")
    if criterion.within_tie:
        yield (
            _("Looks at"),
            _("only those still level by the criteria before it, and again inside each group that it splits")
            if criterion.repeats
            else _("only those still level by the criteria before it"),
        )
    if criterion.scaled:
        one_of_two = _("the primary one; %(code)s@game or %(code)s@match for one of the two")
        yield _("Score"), one_of_two % {"code": criterion.code}
    if criterion.code == "wins":
        yield _("Teams"), _("counts matches; wins@game counts their boards")
    if criterion.on_boards:
        yield _("Teams"), _("counted over the boards of their matches, forfeited ones as among players")
    if criterion.fair_after:
        yield _("Fair"), _("only after %(criterion)s") % {"criterion": name_of(get(criterion.fair_after))}


def _more_is_better(judged: Judged) -> bool:
    """Say whether the figure two is better than one."""
    # Asked of the measure itself, so that no second list says which criteria want fewer.
    one, two = judged.column.measure.keys((np.array([1, 2]), np.array([1, 1]))).tolist()
    return bool(two > one)


# --- what an unplayed round is to it ----------------------------------------------------------------------


def unplayed_rounds(criterion: Criterion) -> Unplayed:
    """Return the worth of each kind of unplayed round, as the engine has it."""
    cases = [*UNPLAYED, UNPLAYED_BY_OPPONENT]
    found = [_terms_under(policy, criterion, cases) for policy in POLICIES.values()]
    case = _("%(what)s (%(name)s, round %(number)s)")
    whats = [case % {"what": what, "name": name, "number": at} for what, name, at in cases]
    # Whole terms are compared: opponent, amount and why not, and not the figure alone.
    if any(terms != found[0] for terms in found):
        cells = zip(*(map(_worth, terms) for terms in found), strict=True)
        lines = [(what, list(each)) for what, each in zip(whats, cells, strict=True)]
        return Unplayed(
            _("The ranking system's policy decides."),
            [(str(name), code) for code, name in POLICY_NAMES.items()],
            lines,
        )
    alike = found[0][: len(UNPLAYED)]
    if not any(alike):
        return Unplayed(_("They do not touch it."), [], [])
    lines = [(what, [_worth(term)]) for what, term in zip(whats, alike, strict=False)]
    return Unplayed(_same_everywhere(criterion), [(_("any policy"), "")], lines)


@cache
def policy_decides(code: str) -> bool:
    """Say whether it matters to a criterion which policy for unplayed rounds is in force."""
    cases = [*UNPLAYED, UNPLAYED_BY_OPPONENT]
    found = [_terms_under(policy, get(code), cases) for policy in POLICIES.values()]
    return any(terms != found[0] for terms in found)


def _terms_under(policy: UnplayedPolicy, criterion: Criterion, cases: list[Case]) -> list[Term | None]:
    """Return the term of each case, None for nothing."""
    # A policy of the event wins over the system's, so that one example shows all of them.
    judged = _judged(replace(TEAMS.table, unplayed=policy), criterion)
    rows = [(TEAMS.table.names.index(name), at) for _, name, at in cases]
    return [next((term for term in judged.terms(row) if term.round == at), None) for row, at in rows]


def _judged(table: Crosstable, criterion: Criterion) -> Judged:
    """Judge by a criterion among all teams; if that gives no term, among those level on points."""
    # A criterion that looks at a tie needs somebody outside it, who is there only after a first criterion.
    for codes in ((criterion.code,), (TEAMS.first, criterion.code)):
        judged = rank(table, TEAMS.system.ordered_by(codes)).column(criterion.code)
        if judged.column.terms.present.any():
            break
    return judged


def _same_everywhere(criterion: Criterion) -> str:
    """Say that no policy matters here, and whether the event's switch for byes does."""
    column, switched = (
        _judged(replace(TEAMS.table, byes_are_wins=on), criterion).column for on in (False, True)
    )
    # A switch of the event and no policy, but a reader asks for both at the same place.
    matters = (column.keys() != switched.keys()).any()
    if matters:
        return _("The same under every policy. An event may let byes count as wins.")
    return _("The same under every policy.")


def _worth(term: Term | None) -> str:
    """Return `5 MP × 2 pts = 10, against itself`; `no entry`."""
    if term is None:
        return _("no entry")
    worth = f"{working_of(term)} = {written(term.text)}" if is_product(term) else working_of(term)
    if term.opponent < 0:
        return worth
    return _("%(worth)s, against %(name)s") % {"worth": worth, "name": translated(term.against)}
