"""Texts of the desk about persons and teams: labels of fields and acts, evidence and effects of links."""

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.models import LinkProposal, PeopleAct
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
    "kind": gettext_lazy("identification"),
    "city": gettext_lazy("city"),
}
VERDICTS = {
    AGREES: gettext_lazy("agrees"),
    DIFFERS: gettext_lazy("differs"),
    UNKNOWN: gettext_lazy("unknown"),
}
REASONS = {
    LinkProposal.Why.NAME: gettext_lazy("The same name."),
    LinkProposal.Why.CONTRADICTION: gettext_lazy("The same id, and something contradicts it."),
    LinkProposal.Why.RENAMED: gettext_lazy("This entry was linked, and has another name now."),
    LinkProposal.Why.CODE: gettext_lazy("The same code under another name."),
}
ACT_KINDS = {
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
FIELD_LABELS = {
    **LABELS,
    "note": gettext_lazy("note"),
    "sources": gettext_lazy("sources"),
    "merged_into_id": gettext_lazy("merged into number"),
    "hidden": gettext_lazy("hidden"),
}
ROW_LABELS = {
    "personname": gettext_lazy("other name"),
    "teamname": gettext_lazy("other name"),
    "personfederation": gettext_lazy("federation"),
    "persontitle": gettext_lazy("title"),
    "personidentifier": gettext_lazy("id"),
    "teamcode": gettext_lazy("code"),
    "linkproposal": gettext_lazy("likely link"),
    "linkrefusal": gettext_lazy("refusal"),
}
MARK_NOT_SAVED = gettext_lazy(
    "But the list of hidden persons (HIDDEN_FILE) could not be saved, so a restored backup would undo "
    "this. Tell the operators of the site, then try again."
)


def verdict_text(each: Evidence) -> str:
    """Return the verdict as text. If both sides have a value, an unknown verdict means a possible match."""
    if each.verdict == UNKNOWN and each.one and each.other:
        return _("similar") if each.what == "name" else _("possible")
    return str(VERDICTS[each.verdict])


def confirmation_effect(weighed: Weighed) -> str:
    owners = [each for each in (weighed.owner, weighed.other_owner) if each]
    values = {"name": owners[0].name, "number": owners[0].pk} if owners else {}
    if len(owners) == 2:
        values |= {"other": owners[1].name, "other_number": owners[1].pk}
        return _("Confirming merges %(name)s (%(number)s) and %(other)s (%(other_number)s).") % values
    if owners:
        return _("Confirming links the entry to %(name)s (%(number)s).") % values
    if weighed.entrant.is_team:
        return _("If you confirm, both entries belong to one team.")
    return _("If you confirm, both entries belong to one person.")
