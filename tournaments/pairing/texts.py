"""Explain a pair: the bracket, floats, the reason for the colours, and the criteria that were not met."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.pairing.engine import NO_PAIRING, CheckedRound, ProposedPair

COLOUR_RULES: Mapping[str, str | Promise] = {
    "E.1": gettext_lazy("both get their preferred colour"),
    "E.2": gettext_lazy("the stronger colour preference is granted"),
    "E.3": gettext_lazy("colours alternate from the last round in which they differed"),
    "E.4": gettext_lazy("the higher-ranked got the preferred colour"),
    "E.5": gettext_lazy("by the initial colour, drawn by lot"),
    "4.3.1": gettext_lazy("by the initial colour, drawn by lot"),
    "4.3.2": gettext_lazy("the only colour preference is granted"),
    "4.3.3": gettext_lazy("both get their preferred colour"),
    "4.3.4": gettext_lazy("the stronger colour preference is granted"),
    "4.3.5": gettext_lazy("White to the competitor with fewer White games"),
    "4.3.6": gettext_lazy("colours alternate from the last round in which they differed"),
    "4.3.7": gettext_lazy("the higher-ranked got the preferred colour"),
    "4.3.8": gettext_lazy("the higher-ranked alternates"),
    "4.3.9": gettext_lazy("the lower-ranked alternates"),
}
"""The reasons for colours: article 5.2 of FIDE C.04.3 for players (E in gacrux), 4.3 of C.04.6 for teams."""


CRITERIA: Mapping[str, str | Promise] = {
    "C8": gettext_lazy("the bracket below can pair the downfloaters"),
    "C6": gettext_lazy("as few as possible leave their bracket"),
    "C7": gettext_lazy("downfloaters have the lowest scores"),
    "C9": gettext_lazy("the bye goes to a player with fewer unplayed rounds"),
    "C10": gettext_lazy("a leader's colour difference stays within two"),
    "C11": gettext_lazy("no leader has the same colour three times running"),
    "C12": gettext_lazy("a preferred colour is granted"),
    "C13": gettext_lazy("a strongly preferred colour is granted"),
    "C14": gettext_lazy("no downfloat in two rounds running"),
    "C15": gettext_lazy("no upfloat in two rounds running"),
    "C16": gettext_lazy("no downfloat as two rounds before"),
    "C17": gettext_lazy("no upfloat as two rounds before"),
    "C18": gettext_lazy("small score difference for downfloats in two rounds running"),
    "C19": gettext_lazy("small score difference for upfloats in two rounds running"),
    "C20": gettext_lazy("small score difference for downfloats as two rounds before"),
    "C21": gettext_lazy("small score difference for upfloats as two rounds before"),
    "order": gettext_lazy("the order in which FIDE's procedure tries the pairs"),
}
"""FIDE's criteria for players (C.04.3, article 2)."""

TEAM_CRITERIA: Mapping[str, str | Promise] = {
    "C4": gettext_lazy("as few as possible leave their bracket"),
    "C5": gettext_lazy("upfloaters have the highest scores"),
    "C6": gettext_lazy("the bracket below can be paired as well"),
    "C7": gettext_lazy("no upfloat in two rounds running"),
    "C8": gettext_lazy("a preferred colour is granted"),
    "C9": gettext_lazy("a strongly preferred colour is granted"),
    "C10": gettext_lazy("no opponent from below in two rounds running"),
    "order": gettext_lazy("the order in which FIDE's procedure tries the pairs"),
}
"""FIDE's criteria for teams (C.04.6, article 2)."""


def why(pair: ProposedPair, names: Mapping[int, str], *, is_team: bool = False) -> list[str]:
    """Return why two competitors meet, in short sentences. `names`: those of the competitors by number."""
    if pair.black is None:
        return [_("pairing-allocated bye")]
    floats = {int(number): way for number, way in pair.floats.items()}
    reasons = [
        (_("%(name)s floats down") if way == "down" else _("%(name)s floats up"))
        % {"name": names.get(number, str(number))}
        for number, way in sorted(floats.items(), key=lambda each: each[1])
    ]
    reasons = reasons or ([] if pair.bracket is None else [_("same score")])
    if rule := COLOUR_RULES.get(pair.rule):
        reasons.append(str(rule))
    criteria = TEAM_CRITERIA if is_team else CRITERIA
    text = _("goal not reached: %(criterion)s")
    reasons += [text % {"criterion": _named(each, criteria)} for each in pair.criteria]
    return reasons


def _named(criterion: str, criteria: Mapping[str, str | Promise]) -> str:
    """Return a criterion with its name: `a preferred colour is granted (C12)`."""
    text = criteria.get(criterion)
    if text is None:
        return criterion
    return str(text) if criterion == "order" else f"{text} ({criterion})"


def why_otherwise(checked: CheckedRound, *, is_team: bool = False) -> str:
    """Return a clause with the reason why an engine pairs a round differently; else blank."""
    if checked.problem:
        if checked.problem == NO_PAIRING:
            return _("the rules no longer allow any pairing")
        return _("the pairing engine cannot pair it")
    if not checked.criterion and checked.engine and checked.pair:
        if set(checked.engine.numbers) == set(checked.pair.numbers):
            return str(COLOUR_RULES.get(checked.engine.rule, ""))
        return ""
    return _named(checked.criterion, TEAM_CRITERIA if is_team else CRITERIA) if checked.criterion else ""
