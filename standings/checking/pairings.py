"""The check of pairings for readers: how many rounds the rules reproduce, and the first difference."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from standings.checking.reports import AGREES, DIFFERS, UNCHECKED, Verdict
from tournaments.models import Event
from tournaments.pairing.engine import CheckedRound, Method, ProposedPair
from tournaments.pairing.texts import why_otherwise
from tournaments.recording.pairings.drafts import method_of
from tournaments.recording.pairings.engine_checks import is_checkable, stored_check, subject_of


@dataclass(frozen=True, slots=True)
class PairingsVerdict:
    """The badge of the pairings, the pairing engine, and the first different round."""

    verdict: Verdict
    engine: str
    difference: str


def pairings_verdict(event: Event) -> PairingsVerdict | None:
    """Return the check of an event's pairings. None if their rules are not known.

    Three queries, and six more if a check is requested from the worker.
    """
    subject = subject_of(event) if is_checkable(event) else ""
    if not subject:
        return None
    last_check = stored_check(event, subject)
    if last_check is None:
        text = _("Not checked yet. The check runs in the background and takes a few minutes.")
        return PairingsVerdict(Verdict(UNCHECKED, text), "", "")
    if last_check.problem:
        text = _("Not checked: the pairing engine cannot use the recorded data")
        return PairingsVerdict(Verdict(UNCHECKED, text), last_check.engine, "")
    rounds = [CheckedRound.of(each) for each in last_check.rounds]
    first = next((each for each in rounds if not each.agrees), None)
    text = ngettext(
        "%(count)s of %(rounds)s round as %(rules)s pair it",
        "%(count)s of %(rounds)s rounds as %(rules)s pair them",
        len(rounds),
    ) % {"count": sum(each.agrees for each in rounds), "rounds": len(rounds), "rules": rules_text(event)}
    verdict = Verdict(DIFFERS if first else AGREES, text)
    return PairingsVerdict(verdict, last_check.engine, _first_difference_text(event, first))


def rules_text(event: Event) -> str:
    method = method_of(event)
    if method is Method.TEAM_B:
        return _("FIDE's team Swiss rules (type B)")
    if method is Method.TEAM:
        return _("FIDE's team Swiss rules (without colours)")
    return _("FIDE's team Swiss rules (type A)") if method is Method.TEAM_A else _("FIDE's Dutch rules")


def _first_difference_text(event: Event, first: CheckedRound | None) -> str:
    if first is None:
        return ""
    why = why_otherwise(first, is_team=event.is_team)
    if first.pair is None or first.engine is None:
        return _("Round %(round)s: %(why)s.") % {"round": first.round, "why": why}
    numbers = [*first.pair.numbers, *first.engine.numbers]
    names = dict(event.competitors.filter(number__in=numbers).values_list("number", "name"))
    values = {
        "round": first.round,
        "pair": _pair_text(first.pair, names),
        "engine": _pair_text(first.engine, names),
        "why": why,
    }
    if not why:
        return _("First difference in round %(round)s: paired %(pair)s; the rules give %(engine)s.") % values
    return (
        _("First difference in round %(round)s: paired %(pair)s; the rules give %(engine)s. Reason: %(why)s.")
        % values
    )


def _pair_text(pair: ProposedPair, names: dict[int, str]) -> str:
    white, *black = (f"{number} {names.get(number, '')}".strip() for number in pair.numbers)
    return f"{white} – {black[0]}" if black else _("%(name)s without an opponent") % {"name": white}
