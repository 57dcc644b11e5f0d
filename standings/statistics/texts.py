"""Texts about who can still win, which state no more than was proven, and about ratings."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from django.utils.formats import date_format, get_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

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
from standings.flags import flag_html
from standings.services import cached_at_revision, standings_of
from standings.statistics import ratings
from standings.tables.sheet import StandingsSheet
from tournaments.event.arrays import CompetitorInfo
from tournaments.event.choices import RatedAs
from tournaments.event.scores import game_results_of
from tournaments.models import Event

SHOWN = 12  # contenders shown before the others are folded

INLINE = 2  # up to this number, demands are part of the sentence

MISSING = {
    ratings.Missing.UNRATED: gettext_lazy(
        "Without a rating there is no expected score and no rating change."
    ),
    ratings.Missing.NO_OPPONENT: gettext_lazy(
        "No game was played against a rated opponent: no expected score and no rating change."
    ),
    ratings.Missing.DISCIPLINE: gettext_lazy(
        "Expected scores and rating changes follow FIDE's rules, for chess only: this site does not have "
        "the FMJD's tables and coefficients (Annex 9)."
    ),
    ratings.Missing.DATE: gettext_lazy(
        "The date of the event is not known, so neither are its rules for expected scores and rating changes."
    ),
    ratings.Missing.EARLIER: gettext_lazy(
        "The event began before 1 July 2009. This site does not have FIDE's rules of that time for "
        "expected scores and rating changes."
    ),
    ratings.Missing.LOCAL_LIST: gettext_lazy(
        "The ratings are not those of FIDE or the FMJD: no performance ratings and no rating changes are"
        " computed from them."
    ),
    ratings.Missing.KIND: gettext_lazy(
        "The event does not state whether its games are rated as standard, rapid or blitz: no expected scores"
        " and no rating changes."
    ),
    ratings.Missing.OTHER_LIST: gettext_lazy(
        "The games are rated for another list than that of the ratings: no expected scores and no rating "
        "changes."
    ),
    ratings.Missing.EARLIER_RAPID: gettext_lazy(
        "The event began before 1 March 2024. This site does not have FIDE's rules of that time for rating"
        " changes in rapid and blitz."
    ),
}

NO_LIST = gettext_lazy("The event does not state which rating list its ratings are from.")

RATED = {
    RatedAs.STANDARD: gettext_lazy("Rated as standard play, as the event states."),
    RatedAs.RAPID: gettext_lazy("Rated as rapid play, as the event states."),
    RatedAs.BLITZ: gettext_lazy("Rated as blitz, as the event states."),
}


class ResultText(NamedTuple):
    """A result with which a contender can finish first, such as `Win`, and its consequence.

    `demands`: the results required elsewhere, if there are too many for a sentence.
    """

    result: str
    text: str
    demands: tuple[str, ...]


class ContenderRow(NamedTuple):
    """A row of the table. `opponent`, `round` and `table`: of the contender's open pairing."""

    entry: CompetitorInfo
    flag: SafeString
    points: str
    opponent: CompetitorInfo | None
    round: int
    table: int
    results: list[ResultText]
    summary: str


def cached_contenders(event: Event) -> Contenders | None:
    """Return who can still win a live event, independent of language. None if this is not known yet.

    No query if the standings are cached.
    """
    if event.state != Event.State.LIVE:
        return None
    return cached_at_revision(
        "contenders", event, lambda event: contenders_of(standings_of(event), game_results_of(event))
    )


class ContendersTable:
    """The contenders of an event as texts in the active language."""

    def __init__(self, sheet: StandingsSheet, contenders: Contenders) -> None:
        self.sheet, self.contenders = sheet, contenders

    @cached_property
    def lines(self) -> list[ContenderRow]:
        # If the winner is certain, the sentence is sufficient.
        has_lines = len(self.contenders.each) > 1
        return [self._line(contender) for contender in self.contenders.each] if has_lines else []

    @property
    def shown(self) -> list[ContenderRow]:
        return self.lines[:SHOWN]

    @property
    def folded(self) -> list[ContenderRow]:
        return self.lines[SHOWN:]

    @property
    def proof(self) -> str:
        """Return how the result was proven."""
        if not self.sheet.with_running:
            return self._proof()
        note = _("The results of round %(number)s so far are included here.")
        return f"{self._proof()} {note % {'number': self.sheet.running.round}}"

    def _name(self, row: int) -> str:
        return self.sheet.entries[row].name

    # --- sentence and proof ----------------------------------------------------------------------

    @property
    def sentence(self) -> str:
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

    def _line(self, each: Contender) -> ContenderRow:
        pairing, entries = each.pairing, self.sheet.entries
        opponent = None
        if pairing:
            opponent = entries[pairing.second if each.row == pairing.first else pairing.first]
        return ContenderRow(
            entries[each.row],
            flag_html(self.sheet.event, entries[each.row]),
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

    def _result(self, result: OwnResult) -> ResultText:
        demands = tuple(self._demand(demand) for demand in result.demands)
        own = self._own_result(result.score) if result.score else _("No game left")
        return ResultText(own, self._outcome(result, demands), demands if len(demands) > INLINE else ())

    def _own_result(self, score: PairingScore) -> str:
        if not self._is_by_outcome:
            return f"{fraction_text(score.first, 2)}-{fraction_text(score.second, 2)}"
        if score.first == score.second:
            return pgettext("result", "Draw")
        return pgettext("result", "Win") if score.first > score.second else pgettext("result", "Loss")

    @property
    def _is_by_outcome(self) -> bool:
        """Return whether win, draw and loss identify the possible scores."""
        outcomes = list(map(_outcome_of, self.contenders.scores))
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
        pairing = demand.pairing
        names = {"first": self._name(pairing.first), "second": self._name(pairing.second)}
        if self._is_by_outcome:
            texts = {
                frozenset({1}): _("%(first)s beats %(second)s"),
                frozenset({-1}): _("%(second)s beats %(first)s"),
                frozenset({0}): _("%(first)s and %(second)s draw"),
                frozenset({0, 1}): _("%(second)s does not beat %(first)s"),
                frozenset({0, -1}): _("%(first)s does not beat %(second)s"),
                frozenset({1, -1}): _("%(first)s and %(second)s do not draw"),
            }
            return texts[frozenset(map(_outcome_of, demand.scores))] % names
        return pgettext("between two conditions", " and ").join(self._point_limits(demand))

    def _point_limits(self, demand: Demand) -> Iterator[str]:
        for side, row in enumerate((demand.pairing.first, demand.pairing.second)):
            most = max(score[side] for score in demand.scores)
            if most < max(score[side] for score in demand.possible):
                figures = {"name": self._name(row), "points": fraction_text(most, 2)}
                yield _("%(name)s scores at most %(points)s") % figures


def _outcome_of(score: PairingScore) -> int:
    return (score.first > score.second) - (score.first < score.second)


def contenders_table(sheet: StandingsSheet) -> ContendersTable | None:
    """Return who can still win a live event, None if this is not known yet.

    No query if the standings are cached.
    """
    contenders = cached_contenders(sheet.event)
    return ContendersTable(sheet, contenders) if contenders else None


def hundredths_text(hundredths: int, *, signed: bool = False) -> str:
    """Return `4.32`, or `+4.32` if signed, in the format of the active language."""
    whole, rest = divmod(abs(hundredths), 100)
    return f"{_sign(hundredths, signed=signed)}{whole}{get_format('DECIMAL_SEPARATOR')}{rest:02d}"


def whole_text(number: int) -> str:
    return f"{_sign(number, signed=True)}{abs(number)}"


def exact_hundredths(hundredths: int) -> str:
    whole, rest = divmod(abs(hundredths), 100)
    return f"{'-' if hundredths < 0 else ''}{whole}.{rest:02d}"


def _sign(number: int, *, signed: bool) -> str:
    if number < 0:
        return "−"
    return "+" if signed and number else ""


def performance_text(rating: ratings.PlayerRating) -> str:
    if rating.average is None or rating.percent is None or rating.bonus is None:
        return ""
    sentence = _(
        "Performance rating: the rated opponents have %(average)s on average, and for %(points)s of"
        " %(games)s, %(percent)s %%, the table gives %(bonus)s: %(performance)s (FIDE B.01, 1.4.8 and 1.4.9)."
    )
    return sentence % {
        "average": rating.average,
        "points": fraction_text(rating.points, 2),
        "games": len(rating.rated),
        "percent": rating.percent,
        "bonus": whole_text(rating.bonus),
        "performance": rating.performance,
    }


def change_text(rating: ratings.PlayerRating) -> list[str]:
    rules, change = rating.in_force.rules, rating.change
    if rules is None or change is None:
        return _why_no_change(rating.missing, rating.in_force)
    calculation = _(
        "Rating change: %(gain)s compared with the expected score, times K %(k)s, is %(change)s; rounded "
        "%(whole)s (FIDE B.02, %(article)s)."
    )
    figures = {
        "gain": hundredths_text(change.gain, signed=True),
        "k": change.coefficient.k,
        "change": hundredths_text(change.change, signed=True),
        "whole": whole_text(change.whole),
        "article": rules.rounding_article,
    }
    return [
        str(RATED[RatedAs(rating.in_force.kind)]),
        calculation % figures,
        *_coefficient_sentences(rating, change.coefficient, rules),
        *_rule_sentences(rating.in_force),
        _(
            "Computed from the ratings of the event. Games elsewhere in the same rating period are not "
            "known, and only the total change of the period is rounded."
        ),
    ]


def _why_no_change(missing: ratings.Missing | None, in_force: ratings.RulesInForce) -> list[str]:
    unlisted = not in_force.is_listed
    return [*([str(MISSING[missing])] if missing else []), *([str(NO_LIST)] if unlisted else [])]


def _coefficient_sentences(
    rating: ratings.PlayerRating, coefficient: ratings.Coefficient, rules: ratings.RatingRules
) -> Iterator[str]:
    proposed, reason, limited = coefficient
    about = {
        "k": proposed,
        "top": rules.k_top,
        "under": rules.k_under,
        "new": rules.k_new,
        "junior": rules.k_junior,
        "born": rating.born,
        "age": rules.junior_age,
        "article": rules.k_article,
        "limited": limited,
        "games": len(rating.rated),
    }
    if reason is ratings.KReason.TOP:
        yield _("K %(k)s is proposed: the rating is 2400 or more (%(article)s).") % about
    elif reason is ratings.KReason.JUNIOR:
        sentence = _(
            "K %(k)s is proposed: the rating is under 2300, and a player born in %(born)s was at most "
            "%(age)s years old in the year of the event (%(article)s)."
        )
        yield sentence % about
        sentence = _(
            "Not recorded: a published rating of 2300 or more before; K would be %(under)s, or %(top)s from"
            " 2400 on."
        )
        yield sentence % about
    else:
        yield _("K %(k)s is proposed: the rating is under 2400 (%(article)s).") % about
        yield from (sentence % about for sentence in _unrecorded_facts(rating, rules))
    if limited < proposed:
        sentence = _("K is %(limited)s, because %(k)s times %(games)s games is more than 700 (%(article)s).")
        yield sentence % about


def _unrecorded_facts(rating: ratings.PlayerRating, rules: ratings.RatingRules) -> Iterator[str]:
    yield _("Not recorded: a published rating of 2400 or more before; K would be %(top)s.")
    if rules.k_new:
        yield _("Not recorded: whether fewer than 30 games were rated before; K would be %(new)s.")
    else:
        yield _("Not recorded: whether fewer than 30 games were rated before; K would be higher.")
    if not rules.k_junior or rating.rating >= 2300:
        return
    if rating.born is None:
        yield _("Not recorded: the year of birth; a junior's K would be %(junior)s.")
    elif rules.junior_age < rating.in_force.year - rating.born <= ratings.ADULT:
        yield _("Not recorded here: the day of birth; before the 18th birthday K would be %(junior)s.")


def about_ratings(in_force: ratings.RulesInForce) -> list[str]:
    rules = in_force.rules
    if rules is None:
        return _why_no_change(in_force.missing, in_force)
    sentence = _(
        "We: the expected score against the rated opponents; Rtg±: the rating change (FIDE B.02, %(first)s "
        "and %(second)s). K, how fast a rating changes, is proposed from the rating and the year of birth. "
        "Each figure links to its calculation."
    )
    about = {"first": rules.difference_article, "second": rules.k_article}
    return [sentence % about, str(RATED[RatedAs(in_force.kind)]), *_rule_sentences(in_force)]


def _rule_sentences(in_force: ratings.RulesInForce) -> Iterator[str]:
    rules = in_force.rules
    if rules is None:
        return
    if rules.unlimited_from:
        sentence = _(
            "By the rules since %(since)s, a difference of more than 400 points counts as 400 for players"
            " rated below %(unlimited)s, and in full for all others (%(article)s)."
        )
    elif rules.upgrades_once:
        sentence = _(
            "By the rules since %(since)s, a difference of more than 400 points counts as 400; for the "
            "higher-rated player only in the game of the greatest difference (%(article)s)."
        )
    else:
        sentence = _(
            "By the rules since %(since)s, a difference of more than 400 points counts as 400 (%(article)s)."
        )
    yield sentence % {
        "since": date_format(rules.since),
        "unlimited": rules.unlimited_from,
        "article": rules.difference_article,
    }
    if in_force.until:
        sentence = _("Only the year of the event is recorded: from %(until)s on other rules applied.")
        yield sentence % {"until": date_format(in_force.until)}
