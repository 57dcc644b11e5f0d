"""Likely links and acts in words: what agrees and what differs, whose entry it is, what was done."""

from typing import NamedTuple

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.models import LinkProposal, PeopleAct, Team
from tournaments.people.admin.finding import Known, address_of
from tournaments.people.matching.entrants import Entrant
from tournaments.people.matching.evidence import AGREES, DIFFERS, UNKNOWN, Evidence
from tournaments.people.matching.weighing import Weighed

LABELS: dict[str, str | Promise] = {
    "name": gettext_lazy("name"),
    "federation": gettext_lazy("federation"),
    "born": gettext_lazy("born"),
    "sex": gettext_lazy("sex"),
    "fide": gettext_lazy("FIDE id"),
    "fmjd": gettext_lazy("FMJD id"),
    "team": gettext_lazy("team"),
    "title": gettext_lazy("title"),
    "discipline": gettext_lazy("discipline"),
    "years": gettext_lazy("years"),
    "code": gettext_lazy("code"),
    "kind": gettext_lazy("what it is"),
    "city": gettext_lazy("city"),
}
VERDICTS = {
    AGREES: gettext_lazy("agrees"),
    DIFFERS: gettext_lazy("differs"),
    UNKNOWN: gettext_lazy("unknown"),
}
WHY = {
    LinkProposal.Why.NAME: gettext_lazy("The same name."),
    LinkProposal.Why.CONTRADICTION: gettext_lazy("The same id, and something contradicts it."),
    LinkProposal.Why.RENAMED: gettext_lazy("This entry was linked, and has another name now."),
    LinkProposal.Why.CODE: gettext_lazy("The same code under another name."),
}
KINDS = {
    PeopleAct.Kind.CREATE: gettext_lazy("Made"),
    PeopleAct.Kind.EDIT: gettext_lazy("Changed"),
    PeopleAct.Kind.LINK: gettext_lazy("Linked by hand"),
    PeopleAct.Kind.UNLINK: gettext_lazy("Link taken away"),
    PeopleAct.Kind.CONFIRM: gettext_lazy("Likely link confirmed"),
    PeopleAct.Kind.REFUSE: gettext_lazy("Likely link refused"),
    PeopleAct.Kind.MERGE: gettext_lazy("Merged"),
    PeopleAct.Kind.SPLIT: gettext_lazy("Split"),
    PeopleAct.Kind.HIDE: gettext_lazy("Hidden"),
    PeopleAct.Kind.SHOW: gettext_lazy("Shown again"),
    PeopleAct.Kind.DOUBT: gettext_lazy("Hidden in doubt"),
    PeopleAct.Kind.UNDO: gettext_lazy("Undone"),
}


class ShownSide(NamedTuple):
    """One side of a likely link: the name, where it is from, and the desk's page of it if there is one."""

    name: str
    label: str
    address: str


class ShownEvidence(NamedTuple):
    """One thing that both sides may have, each as it is written, and the verdict as a word and in words."""

    label: str
    one: str
    other: str
    state: str
    state_text: str


def side_of(side: Entrant | Known) -> ShownSide:
    """Return a side of a likely link as the queue shows it."""
    if isinstance(side, Entrant):
        where = f"{side.event_name}, {side.team}" if side.team else side.event_name
        return ShownSide(side.name, where, reverse("admin:event-desk", args=[side.event]))
    told = _("team number %(number)s") if isinstance(side, Team) else _("person number %(number)s")
    return ShownSide(side.name, told % {"number": side.pk}, address_of(side))


def shown_evidence(evidence: tuple[Evidence, ...]) -> list[ShownEvidence]:
    """Return the evidence in words, what neither side tells left out."""
    return [
        ShownEvidence(str(LABELS[each.what]), each.one, each.other, each.verdict, _verdict(each))
        for each in evidence
        if each.one or each.other
    ]


def _verdict(each: Evidence) -> str:
    """Return a verdict in a word; where both sides tell something, not that it is unknown."""
    if each.verdict == UNKNOWN and each.one and each.other:
        return _("similar") if each.what == "name" else _("possible")
    return str(VERDICTS[each.verdict])


def consequence(weighed: Weighed) -> str:
    """Return what to confirm a likely link does, in a sentence."""
    owners = [each for each in (weighed.linked, weighed.other_linked or _known(weighed)) if each]
    values = {"name": owners[0].name, "number": owners[0].pk} if owners else {}
    if len(owners) == 2:
        values |= {"other": owners[1].name, "other_number": owners[1].pk}
        return _("Confirming merges %(name)s (%(number)s) and %(other)s (%(other_number)s).") % values
    if owners:
        return _("Confirming links the entry to %(name)s (%(number)s).") % values
    if weighed.entrant.is_team:
        return _("Confirming makes one team of both entries.")
    return _("Confirming makes one person of both entries.")


def _known(weighed: Weighed) -> Known | None:
    return None if isinstance(weighed.other, Entrant) else weighed.other
