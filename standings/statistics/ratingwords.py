"""The texts about ratings: how performance and rating change are computed, and which facts are unknown."""

from collections.abc import Iterator

from django.utils.formats import date_format, get_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from standings.engine import fraction_text
from standings.statistics.ratings import (
    ADULT,
    Coefficient,
    KReason,
    Missing,
    PlayerRating,
    RatingRules,
    RulesInForce,
)
from tournaments.event.choices import RatedAs

MISSING = {
    Missing.UNRATED: gettext_lazy("Without a rating there is no expected score and no rating change."),
    Missing.NO_OPPONENT: gettext_lazy(
        "No game was played against a rated opponent: no expected score and no rating change."
    ),
    Missing.DISCIPLINE: gettext_lazy(
        "Expected scores and rating changes follow FIDE's rules, for chess only: this site does not have "
        "the FMJD's tables and coefficients (Annex 9)."
    ),
    Missing.DATE: gettext_lazy(
        "The date of the event is not known, so neither are its rules for expected scores and rating changes."
    ),
    Missing.EARLIER: gettext_lazy(
        "The event began before 1 July 2009. This site does not have FIDE's rules of that time for "
        "expected scores and rating changes."
    ),
    Missing.LOCAL_LIST: gettext_lazy(
        "The ratings are not those of FIDE or the FMJD: no performance ratings and no rating changes are"
        " computed from them."
    ),
    Missing.KIND: gettext_lazy(
        "The event does not state whether its games are rated as standard, rapid or blitz: no expected scores"
        " and no rating changes."
    ),
    Missing.OTHER_LIST: gettext_lazy(
        "The games are rated for another list than that of the ratings: no expected scores and no rating "
        "changes."
    ),
    Missing.EARLIER_RAPID: gettext_lazy(
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


def performance_text(rating: PlayerRating) -> str:
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


def change_text(rating: PlayerRating) -> list[str]:
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


def _why_no_change(missing: Missing | None, in_force: RulesInForce) -> list[str]:
    unlisted = not in_force.is_listed
    return [*([str(MISSING[missing])] if missing else []), *([str(NO_LIST)] if unlisted else [])]


def _coefficient_sentences(
    rating: PlayerRating, coefficient: Coefficient, rules: RatingRules
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
    if reason is KReason.TOP:
        yield _("K %(k)s is proposed: the rating is 2400 or more (%(article)s).") % about
    elif reason is KReason.JUNIOR:
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


def _unrecorded_facts(rating: PlayerRating, rules: RatingRules) -> Iterator[str]:
    yield _("Not recorded: a published rating of 2400 or more before; K would be %(top)s.")
    if rules.k_new:
        yield _("Not recorded: whether fewer than 30 games were rated before; K would be %(new)s.")
    else:
        yield _("Not recorded: whether fewer than 30 games were rated before; K would be higher.")
    if not rules.k_junior or rating.rating >= 2300:
        return
    if rating.born is None:
        yield _("Not recorded: the year of birth; a junior's K would be %(junior)s.")
    elif rules.junior_age < rating.in_force.year - rating.born <= ADULT:
        yield _("Not recorded here: the day of birth; before the 18th birthday K would be %(junior)s.")


def about_ratings(in_force: RulesInForce) -> list[str]:
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


def _rule_sentences(in_force: RulesInForce) -> Iterator[str]:
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
