"""What the site says of each criterion, ranking system and unplayed policy: on its pages and in its document.

Names, rules and sources are the registry's, systems and policies the engine's own data, and every figure is
judged by the engine; what is worded here are only the plain words around them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from standings.engine import (
    POLICIES,
    SYSTEMS,
    Criterion,
    Crosstable,
    Judged,
    Kind,
    RankingSystem,
    Term,
    UnplayedPolicy,
    every,
    get,
    rank,
)
from standings.examples import TEAMS, UNPLAYED, UNPLAYED_BY_OPPONENT, Tournament, shown_by
from standings.scoresheets import ScoreSheet, is_product
from standings.words import CriterionWords, words_of

FAMILIES = {
    "own": "Own results",
    "opponents": "Scores of the opponents",
    "sonneborn": "Points weighed by the opponent",
    "ratings": "Ratings",
    "direct": "Only among those still level",
    "duration": "Length of micro-matches",
}
"""The engine's modules of criteria, in the order of the page."""

SOURCES = (
    ("DrA", "Draughts Arbiter, sort criteria, by their numbers"),
    ("FMJD Annex 5", "the rules of the World Draughts Federation for Swiss tournaments, § 3.1"),
    ("OlimpBase help", "the columns of OlimpBase's Swiss system tables"),
    ("FIDE D.II.02", "the regulations of the Chess Olympiad"),
)
POLICY_NAMES = {"fmjd": "FMJD", "olimpbase": "OlimpBase", "olympiad-2010": "Olympiad from 2010"}
FORFEIT_WINS = {
    "AS_SCORED": "Against the scheduled opponent, as if it had been played.",
    "THREE_QUARTERS": "A match won 3-1 against the scheduled opponent: the own game points are three quarters"
    " of those to be had. In tie-breaks only.",
    "VIRTUAL": "Against a virtual opponent, with the points obtained. It has the own score before that round,"
    " nothing for the round, and a draw for each later round up to the one shown.",
}
FORFEIT_LOSS = "Against the scheduled opponent, with the points obtained."


# --- the lists --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Family:
    """Criteria made of the same thing."""

    name: str
    criteria: list[CriterionWords]


def families() -> list[Family]:
    """All criteria, family by family."""
    return [
        Family(name, [words_of(criterion) for criterion in every() if _module(criterion) == module])
        for module, name in FAMILIES.items()
    ]


def _module(criterion: Criterion) -> str:
    return criterion.compute.__module__.rpartition(".")[2]


@dataclass(frozen=True)
class PolicyWords:
    """An unplayed policy: what each kind of unplayed round is worth, in a sentence each."""

    code: str
    name: str
    lines: list[tuple[str, str]]


def policies() -> list[PolicyWords]:
    """All policies for unplayed rounds."""
    return [PolicyWords(code, POLICY_NAMES[code], _sentences(policy)) for code, policy in POLICIES.items()]


def _sentences(policy: UnplayedPolicy) -> list[tuple[str, str]]:
    return [
        ("A bye", _bye_sentence(policy)),
        ("Won by forfeit", FORFEIT_WINS[policy.forfeit_win.name]),
        ("Lost by forfeit", FORFEIT_LOSS),
        ("What an opponent did not play", _gifts_sentence(policy)),
        ("Other rounds without an opponent", _entry_sentence(policy, Kind.ABSENT)),
    ]


def _bye_sentence(policy: UnplayedPolicy) -> str:
    if not policy.bye_against_itself:
        return _entry_sentence(policy, Kind.BYE)
    return (
        "A draw against oneself: the own final score as the opponent's, half of the points to be had as own."
    )


def _gifts_sentence(policy: UnplayedPolicy) -> str:
    if not policy.opponents_gifts_are_draws:
        return "The opponent's score counts as recorded."
    return "Wins by forfeit and byes count as draws, losses by forfeit as nothing. In tie-breaks only."


def _entry_sentence(policy: UnplayedPolicy, kind: Kind) -> str:
    return "An entry of 0, which a cut may remove." if kind in policy.entries else "No entry."


@dataclass(frozen=True)
class SystemWords:
    """A ranking system: its criteria in order, and its policy."""

    system: RankingSystem
    criteria: list[CriterionWords]
    policy: str

    @property
    def freedom(self) -> str:
        """Whether its list can be changed."""
        return "frozen" if self.system.frozen else "open"


def systems() -> list[SystemWords]:
    """All ranking systems."""
    return [
        SystemWords(
            system, [words_of(get(code)) for code in system.criteria], POLICY_NAMES[system.unplayed.code]
        )
        for system in SYSTEMS.values()
    ]


# --- one criterion ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seat:
    """Where a criterion stands in a system's list, counted from 1."""

    system: RankingSystem
    at: int

    @property
    def words(self) -> str:
        """`2 of 6`."""
        return f"{self.at} of {len(self.system.criteria)}"


@dataclass(frozen=True)
class Unplayed:
    """What the unplayed rounds of the teams are to a criterion: one figure per policy, or one for all.

    `heads`: name and code of the policies; the code is empty where they are all alike.
    """

    words: str
    heads: list[tuple[str, str]]
    lines: list[tuple[str, list[str]]]


@dataclass(frozen=True)
class CriterionPage:
    """All that is said of one criterion."""

    criterion: CriterionWords
    family: str
    facts: list[tuple[str, str]]
    seats: list[Seat]
    unplayed: Unplayed
    tournament: Tournament
    sheet: ScoreSheet

    @property
    def tie(self) -> str:
        """Who is level before a criterion that looks at a tie, and what it makes of them."""
        if not self.sheet.explanation.criterion.within_tie:
            return ""
        standings, row = self.sheet.standings, self.sheet.row
        first = standings.judged[0]
        level = [other for other, text in enumerate(first.texts) if text == first.text(row)]
        names = " and ".join(standings.table.names[other] for other in level)
        parted = all(standings.parted_by(row, other) for other in level if other != row)
        what = "It parts them" if parted else "It does not part them"
        return f"{names} are level with {first.text(row)} points. {what}."

    @property
    def teams(self) -> Tournament:
        """The tournament whose unplayed rounds are told."""
        return TEAMS


def page_of(code: str) -> CriterionPage:
    """What is said of the criterion; UnknownCriterionError where there is none."""
    criterion = get(code)
    tournament, row = shown_by(code)
    standings = tournament.judged_by(code)
    judged = standings.column(code)
    return CriterionPage(
        words_of(criterion),
        FAMILIES[_module(criterion)],
        list(_facts(judged)),
        [Seat(s, s.criteria.index(code) + 1) for s in SYSTEMS.values() if code in s.criteria],
        unplayed_rounds(criterion),
        tournament,
        ScoreSheet(standings, row, standings.criteria[-1]),
    )


def _facts(judged: Judged) -> Iterator[tuple[str, str]]:
    criterion = judged.criterion
    yield "Better", "more" if _more_is_better(judged) else "fewer"
    yield (
        "Value",
        "several figures, compared from left to right" if judged.column.levels > 1 else "one figure",
    )
    if criterion.within_tie:
        again = ", and again inside each group that it splits" if criterion.repeats else ""
        yield "Looks at", f"only those still level by the criteria before it{again}"
    if criterion.scaled:
        yield "Score", f"the primary one; {criterion.code}@game or {criterion.code}@match for one of the two"
    if criterion.fair_after:
        yield "Fair", f"only after {get(criterion.fair_after).name}"


def _more_is_better(judged: Judged) -> bool:
    """How two figures, one and two, compare."""
    one, two = judged.column.measure.keys((np.array([1, 2]), np.array([1, 1]))).tolist()
    return bool(two > one)


# --- what an unplayed round is to it ----------------------------------------------------------------------


def unplayed_rounds(criterion: Criterion) -> Unplayed:
    """What the engine makes of each kind of unplayed round."""
    cases = [*UNPLAYED, UNPLAYED_BY_OPPONENT]
    found = [_terms_under(policy, criterion, cases) for policy in POLICIES.values()]
    whats = [f"{what} ({name}, round {at})" for what, name, at in cases]
    if any(terms != found[0] for terms in found):
        cells = zip(*(map(_worth, terms) for terms in found), strict=True)
        lines = [(what, list(each)) for what, each in zip(whats, cells, strict=True)]
        return Unplayed(
            "The ranking system's policy decides.",
            [(name, code) for code, name in POLICY_NAMES.items()],
            lines,
        )
    alike = found[0][: len(UNPLAYED)]
    if not any(alike):
        return Unplayed("They do not touch it.", [], [])
    lines = [(what, [_worth(term)]) for what, term in zip(whats, alike, strict=False)]
    return Unplayed(f"The same under every policy.{_switch(criterion)}", [("any policy", "")], lines)


def _terms_under(
    policy: UnplayedPolicy, criterion: Criterion, cases: list[tuple[str, str, int]]
) -> list[Term | None]:
    """What each case is to it, None for nothing."""
    judged = _judged(replace(TEAMS.table, unplayed=policy), criterion)
    rows = [(TEAMS.table.names.index(name), at) for _, name, at in cases]
    return [next((term for term in judged.terms(row) if term.round == at), None) for row, at in rows]


def _judged(table: Crosstable, criterion: Criterion) -> Judged:
    """Among all teams; a criterion that needs somebody outside the tie, among those level on points."""
    for codes in ((criterion.code,), (TEAMS.first, criterion.code)):
        judged = rank(table, TEAMS.system.ordered_by(codes)).column(criterion.code)
        if judged.column.terms.present.any():
            break
    return judged


def _switch(criterion: Criterion) -> str:
    """What an event may have otherwise, if that matters here."""
    column, switched = (
        _judged(replace(TEAMS.table, byes_are_wins=on), criterion).column for on in (False, True)
    )
    matters = (column.keys() != switched.keys()).any()
    return " An event may let byes count as wins." if matters else ""


def _worth(term: Term | None) -> str:
    """`5 MP × 2 pts = 10, against itself`; `no entry`."""
    if term is None:
        return "no entry"
    worth = f"{term.working} = {term.text}" if is_product(term) else term.working
    return f"{worth}, against {term.against}" if term.opponent >= 0 else worth
