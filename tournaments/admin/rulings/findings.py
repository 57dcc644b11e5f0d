"""What the checks find in an event: errors to be mended, warnings to be mended or accepted."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.admin.frame import page, refusal_of, who
from tournaments.admin.permissions import desk_view
from tournaments.event.finding import Finding, Severity
from tournaments.models import Acknowledgement, Event
from tournaments.recording.rulings import acknowledge, findings_of

COMPETITOR = re.compile(r"competitors\[(\d+)\]")
OF_RESULTS = re.compile(r"\.(score|match_points|games|games_played|advantage)\b")
ELSEWHERE = {
    "overrides": "event-overrides",
    "rounds": "event-rounds",
    "acknowledged": "event-findings",
    "competitors": "event-roster",
}
"""The screens that mend a part of the event file; the settings mend the rest."""


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """Findings of one code at one place; `accepted` is who accepted them, and why."""

    key: str
    code: str
    round: int | None
    table: int | None
    messages: list[str]
    is_error: bool
    address: str
    accepted: Acknowledgement | None

    @property
    def can_be_accepted(self) -> bool:
        """Say whether it is a warning that nobody has accepted yet."""
        return not (self.is_error or self.accepted)

    @property
    def place(self) -> str:
        """Return where in the event, in words."""
        values = {"round": self.round, "table": self.table}
        if self.round is not None and self.table is not None:
            return _("Round %(round)s, table %(table)s") % values
        return _("Round %(round)s") % values if self.round is not None else _("The whole event")


@desk_view()
def findings(request: HttpRequest, event: Event) -> HttpResponse:
    """Show all findings; a post accepts the warnings of one code at one place."""
    found = _found(event)
    refused = key = ""
    if request.method == "POST":
        key = request.POST.get("finding", "")
        refused = _accept(request, event, next((each for each in found if each.key == key), None))
        if not refused:
            return redirect("admin:event-findings", event.pk)
    return page(
        request,
        event,
        "event_findings",
        _("Findings"),
        _("What the checks find in this event: errors are mended, warnings are mended or accepted."),
        errors=[each for each in found if each.is_error],
        warnings=[each for each in found if each.can_be_accepted],
        accepted=[each for each in found if not each.is_error and each.accepted],
        refused=refused,
        refused_key=key,
        has_form=any(each.can_be_accepted for each in found if each.key == key),
        reason=request.POST.get("reason", ""),
    )


def _accept(request: HttpRequest, event: Event, found: FindingGroup | None) -> str:
    """Accept it, and return why not, or an empty string."""
    if found is None:
        return _("There is no such warning any more.")
    reason = request.POST.get("reason", "")
    refusal = refusal_of(
        lambda: acknowledge(event, found.code, who(request), reason, found.round, found.table)
    )
    if not refusal:
        messages.success(request, _("Accepted, with your reason."))
    return refusal


def _found(event: Event) -> list[FindingGroup]:
    """Return the findings, those of one code at one place together; errors first, then by round."""
    accepted = {(each.finding, each.round, each.table): each for each in event.acknowledgements.all()}
    # A place names the competitor by position in the event file, which is by number.
    competitors = list(event.competitors.order_by("number").values_list("pk", flat=True))
    # Sorted by the same key first: groupby() joins neighbours only.
    groups = groupby(sorted(findings_of(event), key=_order), _order)
    return [_of_group(event, list(group), accepted, competitors) for _key, group in groups]


def _order(finding: Finding) -> tuple[bool, int, int, str]:
    is_warning = finding.severity is not Severity.ERROR
    return is_warning, finding.round or 0, finding.table or 0, finding.code


def _of_group(
    event: Event,
    group: list[Finding],
    accepted: Mapping[tuple[str, int | None, int | None], Acknowledgement],
    competitors: Sequence[int],
) -> FindingGroup:
    first = group[0]
    return FindingGroup(
        f"{first.code}-{first.round or 0}-{first.table or 0}",
        first.code,
        first.round,
        first.table,
        [each.message for each in group],
        first.severity is Severity.ERROR,
        _mended_at(event, first, competitors),
        accepted.get((first.code, first.round, first.table)),
    )


def _mended_at(event: Event, finding: Finding, competitors: Sequence[int]) -> str:
    """Return the address of the screen that mends a finding."""
    if finding.round is not None:
        name = "results" if OF_RESULTS.search(finding.where) else "round-pairings"
        return reverse(f"admin:{name}", args=[event.pk, finding.round])
    competitor = COMPETITOR.match(finding.where)
    if competitor:
        return reverse("admin:tournaments_competitor_change", args=[competitors[int(competitor[1])]])
    part = re.split(r"[\[.]", finding.where)[0]
    return reverse(f"admin:{ELSEWHERE.get(part, 'tournaments_event_change')}", args=[event.pk])
