"""Findings of an event: errors, and warnings that an arbiter can accept."""

import re
from collections.abc import Sequence
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
from tournaments.recording.events.rulings import acknowledge, findings_of

COMPETITOR = re.compile(r"competitors\[(\d+)\]")
RESULT_FIELD = re.compile(r"\.(score|match_points|games|games_played|advantage)\b")
SETTINGS_PARTS = {"rules": "rules", "scoring": "rules", "pairing": "rounds", "teams_are": "teams"}
"""The page of the settings, by the key of the event in its file."""

CORRECTION_SCREENS = {
    "overrides": "event-overrides",
    "rounds": "event-rounds",
    "acknowledged": "event-findings",
    "competitors": "event-roster",
}
"""Screens that correct a part of the event file. The settings correct all others."""


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """Findings with the same code and place. `address`: the screen that corrects them."""

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
        return not (self.is_error or self.accepted)

    @property
    def place(self) -> str:
        values = {"round": self.round, "table": self.table}
        if self.round is not None and self.table is not None:
            return _("Round %(round)s, table %(table)s") % values
        return _("Round %(round)s") % values if self.round is not None else _("Event")


@desk_view()
def findings(request: HttpRequest, event: Event) -> HttpResponse:
    groups = _finding_groups(event)
    refusal = key = ""
    if request.method == "POST":
        key = request.POST.get("finding", "")
        reason = request.POST.get("reason", "")
        group = next((each for each in groups if each.key == key), None)
        refusal = _("There is no such warning any more.")
        if group:
            refusal = refusal_of(
                lambda: acknowledge(event, group.code, who(request), reason, group.round, group.table)
            )
        if not refusal:
            messages.success(request, _("Accepted, with your reason."))
            return redirect("admin:event-findings", event.pk)
    return page(
        request,
        event,
        "event_findings",
        _("Findings"),
        _("Findings of the checks in this event. Correct errors; correct or accept warnings."),
        errors=[each for each in groups if each.is_error],
        warnings=[each for each in groups if each.can_be_accepted],
        accepted=[each for each in groups if not each.is_error and each.accepted],
        refused=refusal,
        refused_key=key,
        has_form=any(each.can_be_accepted for each in groups if each.key == key),
        reason=request.POST.get("reason", ""),
    )


def _finding_groups(event: Event) -> list[FindingGroup]:
    """Return the findings grouped by code and place: errors first, then by round."""
    accepted = {(each.finding, each.round, each.table): each for each in event.acknowledgements.all()}
    # A place has the competitor's position in the event file, which is ordered by number.
    competitors = list(event.competitors.order_by("number").values_list("pk", flat=True))
    # Sorted by the same key, because groupby() joins only neighbours.
    groups = groupby(sorted(findings_of(event), key=_finding_order), _finding_order)
    return [
        FindingGroup(
            f"{first.code}-{first.round or 0}-{first.table or 0}",
            first.code,
            first.round,
            first.table,
            [first.message, *(finding.message for finding in others)],
            first.severity is Severity.ERROR,
            _correction_address(event, first, competitors),
            accepted.get((first.code, first.round, first.table)),
        )
        for first, *others in (group for _key, group in groups)
    ]


def _finding_order(finding: Finding) -> tuple[bool, int, int, str]:
    is_warning = finding.severity is not Severity.ERROR
    return is_warning, finding.round or 0, finding.table or 0, finding.code


def _correction_address(event: Event, finding: Finding, competitors: Sequence[int]) -> str:
    if finding.round is not None:
        name = "results" if RESULT_FIELD.search(finding.where) else "round-pairings"
        return reverse(f"admin:{name}", args=[event.pk, finding.round])
    competitor = COMPETITOR.match(finding.where)
    if competitor:
        return reverse("admin:tournaments_competitor_change", args=[competitors[int(competitor[1])]])
    part, *keys = re.split(r"[\[.]", finding.where)
    address = reverse(f"admin:{CORRECTION_SCREENS.get(part, 'tournaments_event_change')}", args=[event.pk])
    settings = SETTINGS_PARTS.get(keys[0]) if keys and part == "event" else None
    return f"{address}?part={settings}" if settings else address
