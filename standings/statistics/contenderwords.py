"""The texts about who can still win. They state no more than was proven, and how."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from standings.engine import (
    Contender,
    Contenders,
    Demand,
    OwnResult,
    PairingScore,
    Proof,
    contenders_of,
    fraction_text,
)
from standings.flags import flag_beside
from standings.services import kept_standings, standings_of
from standings.tables.sheet import StandingsSheet
from tournaments.event.arrays import Entry
from tournaments.event.scores import game_results_of
from tournaments.models import Event

SHOWN = 12  # contenders shown before the others are folded

INLINE = 2  # up to this number, demands are part of the sentence


class ResultLine(NamedTuple):
    """A result with which a contender can finish first, such as `Win`, and its consequence.

    `demands`: the results required elsewhere, if there are too many for a sentence.
    """

    result: str
    text: str
    demands: tuple[str, ...]


class ContenderLine(NamedTuple):
    """A row of the table. `opponent`, `round` and `table`: of the contender's open pairing."""

    entry: Entry
    flag: SafeString
    points: str
    opponent: Entry | None
    round: int
    table: int
    results: list[ResultLine]
    summary: str


@dataclass(frozen=True)
class ContendersTable:
    """The contenders as texts. `proof`: how the result was proven."""

    sentence: str
    proof: str
    lines: list[ContenderLine]

    @property
    def shown(self) -> list[ContenderLine]:
        return self.lines[:SHOWN]

    @property
    def folded(self) -> list[ContenderLine]:
        return self.lines[SHOWN:]


def contenders_table(sheet: StandingsSheet) -> ContendersTable | None:
    """Return who can still win a live event, None if this is not known yet.

    No query if the standings are cached.
    """
    contenders = kept_contenders(sheet.event)
    return contenders_in_words(sheet, contenders) if contenders else None


def kept_contenders(event: Event) -> Contenders | None:
    """Return who can still win a live event, independent of language. None if this is not known yet.

    No query if the standings are cached.
    """
    if event.state != Event.State.LIVE:
        return None
    return kept_standings(
        "contenders", event, lambda event: contenders_of(standings_of(event), game_results_of(event))
    )


def contenders_in_words(sheet: StandingsSheet, contenders: Contenders) -> ContendersTable:
    return _Renderer(sheet, contenders).table()


class _Renderer:
    """Renders the contenders of an event in the active language."""

    def __init__(self, sheet: StandingsSheet, contenders: Contenders) -> None:
        self.sheet, self.contenders = sheet, contenders

    def table(self) -> ContendersTable:
        # If the winner is certain, the sentence is sufficient.
        has_lines = len(self.contenders.each) > 1
        lines = [self._line(contender) for contender in self.contenders.each] if has_lines else []
        proof = self._proof()
        if self.sheet.with_running:
            note = _("The results of round %(number)s so far are included here.")
            proof = f"{proof} {note % {'number': self.sheet.running.round}}"
        return ContendersTable(self._sentence(), proof, lines)

    def _name(self, row: int) -> str:
        return self.sheet.entries[row].name

    # --- sentence and proof ----------------------------------------------------------------------

    def _sentence(self) -> str:
        count = len(self.contenders.each)
        if count == 1:
            name = self._name(self.contenders.each[0].row)
            return _("%(name)s is certain to be first.") % {"name": name}
        figures = {"count": count, "all": self.contenders.competitors}
        if self.contenders.proof is Proof.REACH:
            return _("%(count)s of %(all)s are within reach of the first place.") % figures
        return _("%(count)s of %(all)s can still be first.") % figures

    def _proof(self) -> str:
        if self.contenders.proof is Proof.REACH:
            return _(
                "Only points are counted: these competitors reach the score of the present leaders if they "
                "win all that is left. The remaining pairings are not all known, or too many to try."
            )
        is_team, count = self.sheet.event.is_team, len(self.contenders.pairings)
        played = (
            _("It is assumed that all matches are played.")
            if is_team
            else _("It is assumed that all games are played.")
        )
        if self.contenders.proof is Proof.TIEBREAKS:
            text = ngettext(
                "All possible results of the %(count)s open game were tried, with all tie-breaks.",
                "All possible results of the %(count)s open games were tried, with all tie-breaks.",
                count,
            )
        else:
            text = ngettext(
                "Exact on points, by the %(count)s open pairing. Tie-breaks between competitors level on "
                "points are not included.",
                "Exact on points, by the %(count)s open pairings. Tie-breaks between competitors level on "
                "points are not included.",
                count,
            )
        return f"{text % {'count': count}} {played}"

    # --- contender -------------------------------------------------------------------------------

    def _line(self, each: Contender) -> ContenderLine:
        pairing, entries = each.pairing, self.sheet.entries
        opponent = None
        if pairing:
            opponent = entries[pairing.second if each.row == pairing.first else pairing.first]
        return ContenderLine(
            entries[each.row],
            flag_beside(self.sheet.event, entries[each.row]),
            fraction_text(each.points, 2),
            opponent,
            pairing.round if pairing else 0,
            pairing.table if pairing else 0,
            [self._result(result) for result in each.results],
            self._summary(each),
        )

    def _summary(self, each: Contender) -> str:
        if each.results:
            return ""
        if each.needed is None:
            return _("can reach %(points)s") % {"points": fraction_text(each.most, 2)}
        if not each.needed:
            return _("can be first without another point")
        figures = {
            "needed": fraction_text(each.needed, 2),
            "left": fraction_text(each.most - each.points, 2),
        }
        return _("needs at least %(needed)s of the %(left)s remaining points") % figures

    def _result(self, result: OwnResult) -> ResultLine:
        demands = tuple(self._demand(demand) for demand in result.demands)
        own = self._own_result(result.score) if result.score else _("No game left")
        return ResultLine(own, self._outcome(result, demands), demands if len(demands) > INLINE else ())

    def _own_result(self, score: PairingScore) -> str:
        if not self._is_by_outcome:
            return f"{fraction_text(score.first, 2)}-{fraction_text(score.second, 2)}"
        if score.first == score.second:
            return pgettext("result", "Draw")
        return pgettext("result", "Win") if score.first > score.second else pgettext("result", "Loss")

    @property
    def _is_by_outcome(self) -> bool:
        """Return whether win, draw and loss identify the possible scores."""
        outcomes = [
            (score.first > score.second) - (score.first < score.second) for score in self.contenders.scores
        ]
        return len(set(outcomes)) == len(outcomes)

    def _outcome(self, result: OwnResult, demands: Sequence[str]) -> str:
        by_points = self.contenders.proof is Proof.POINTS
        if result.certain_alone:
            return _("first, regardless of other results")
        if result.certain and by_points:
            return _("first, possibly level on points, regardless of other results")
        if result.certain:
            return _("first, at worst shared, regardless of other results")
        if result.ways:
            good, ways = result.ways
            figures = {"good": good, "ways": ways}
            return _("first with %(good)s of the %(ways)s possible results of the other games") % figures
        place = self._place(result, by_points=by_points)
        if len(demands) > INLINE:
            return _("%(place)s, if all of this happens:") % {"place": place}
        return _("%(place)s, if %(demands)s") % {
            "place": place,
            "demands": pgettext("between two conditions", " and ").join(demands),
        }

    def _place(self, result: OwnResult, *, by_points: bool) -> str:
        if by_points:
            return (
                _("first, possibly level on points") if result.alone else _("level on points with the first")
            )
        return _("first") if result.alone else _("first, shared")

    # --- demands ---------------------------------------------------------------------------------

    def _demand(self, demand: Demand) -> str:
        pairing, allowed = demand.pairing, set(demand.scores)
        names = {"first": self._name(pairing.first), "second": self._name(pairing.second)}
        if self._is_by_outcome:
            return self._outcome_demanded(allowed) % names
        parts = list(self._point_limits(demand))
        return pgettext("between two conditions", " and ").join(parts)

    def _outcome_demanded(self, allowed: set[PairingScore]) -> str:
        texts = {
            frozenset({1}): _("%(first)s beats %(second)s"),
            frozenset({-1}): _("%(second)s beats %(first)s"),
            frozenset({0}): _("%(first)s and %(second)s draw"),
            frozenset({0, 1}): _("%(second)s does not beat %(first)s"),
            frozenset({0, -1}): _("%(first)s does not beat %(second)s"),
            frozenset({1, -1}): _("%(first)s and %(second)s do not draw"),
        }
        return texts[frozenset(map(_score_sign, allowed))]

    def _point_limits(self, demand: Demand) -> Iterator[str]:
        for side, row in enumerate((demand.pairing.first, demand.pairing.second)):
            most = max(score[side] for score in demand.scores)
            if most < max(score[side] for score in demand.possible):
                figures = {"name": self._name(row), "points": fraction_text(most, 2)}
                yield _("%(name)s scores at most %(points)s") % figures


def _score_sign(score: PairingScore) -> int:
    return (score.first > score.second) - (score.first < score.second)
