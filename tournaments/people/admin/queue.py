"""The queue of likely links: both sides beside each other, confirmed, refused for good, or left for later."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.admin.frame import page, refusal_of, who
from tournaments.admin.permissions import organisers_only, visible
from tournaments.event.numbers import whole_number
from tournaments.models import Event, LinkProposal
from tournaments.people.admin.doubts import open_doubts
from tournaments.people.admin.words import (
    WHY,
    ShownEvidence,
    ShownSide,
    consequence,
    shown_evidence,
    side_of,
)
from tournaments.people.matching.weighing import Weighed, seen_of, weigh_all
from tournaments.people.services.answering import Answer, answer_all
from tournaments.people.services.joining import why_two

PER_PAGE = 25
MOST_EVENTS = 500
"""So many events are offered to choose from."""

CONFIRM, REFUSE, LATER = "confirm", "refuse", "later"
ANSWERS = (
    (CONFIRM, gettext_lazy("Confirm")),
    (REFUSE, gettext_lazy("Refuse for good")),
    (LATER, gettext_lazy("Later")),
)


@dataclass(frozen=True, slots=True)
class ShownLink:
    """A likely link as the queue shows it; `seen` goes back with its answer, `fault` is why that failed."""

    pk: int
    one: ShownSide
    other: ShownSide
    why: str
    evidence: list[ShownEvidence]
    seen: str
    answer: str = LATER
    fault: str = ""
    answers: tuple[tuple[str, Promise], ...] = ANSWERS


@organisers_only
def links(request: HttpRequest) -> HttpResponse:
    """Show the likely links, those that most speaks for first; a post records the answers that were given."""
    faults: dict[int, str] = {}
    if request.method == "POST":
        faults = _record(request)
        if not faults:
            return redirect(request.get_full_path())
    chosen = whole_number(request.GET.get("event", ""))
    federation = request.GET.get("federation", "").strip()[:8].upper()
    waiting = _filtered(visible(request.user, LinkProposal), chosen, federation)
    shown = Paginator(waiting, PER_PAGE).get_page(request.GET.get("page"))
    listed = _not_recorded(request, faults)
    listed += [each for each in shown.object_list if each.pk not in faults]
    page_of_links = [_shown(each, request, faults) for each in weigh_all(listed)]
    events = Event.objects.filter(pk__in=LinkProposal.objects.order_by().values("event"))
    return page(
        request,
        None,
        "people_links",
        _("Likely links"),
        _(
            "Entries that may be one person or one team. Confirm, refuse for good, or leave it for later; "
            "whatever you do can be undone."
        ),
        links=page_of_links,
        doubts=open_doubts(request),
        shown=shown,
        waiting=shown.paginator.count,
        events=events.order_by("-start", "name").values_list("pk", "name")[:MOST_EVENTS],
        chosen_event=chosen,
        federation=federation,
        previous=_page_address(request, shown, -1),
        next=_page_address(request, shown, 1),
    )


def _filtered(rows: QuerySet[LinkProposal], event: int | None, federation: str) -> QuerySet[LinkProposal]:
    if event is not None:
        rows = rows.filter(
            Q(event=event) | Q(other_competitor__event=event) | Q(other_player__competitor__event=event)
        )
    if federation:
        rows = rows.filter(
            Q(competitor__code=federation)
            | Q(competitor__flag=federation)
            | Q(player__competitor__code=federation)
            | Q(player__competitor__flag=federation)
        )
    return rows.select_related("person", "team").order_by("-weight", "pk")


def _not_recorded(request: HttpRequest, faults: Mapping[int, str]) -> list[LinkProposal]:
    """Return the likely links whose answers were not taken; they come first, whatever page is shown."""
    if not faults:
        return []
    return list(_filtered(visible(request.user, LinkProposal).filter(pk__in=faults), None, ""))


def _shown(weighed: Weighed, request: HttpRequest, faults: Mapping[int, str]) -> ShownLink:
    proposal = weighed.proposal
    why = str(WHY[LinkProposal.Why(proposal.why)])
    answer = request.POST.get(f"answer-{proposal.pk}", LATER) if proposal.pk in faults else LATER
    barred = why_two(weighed.ours, weighed.theirs)
    return ShownLink(
        proposal.pk,
        side_of(weighed.entrant),
        side_of(weighed.other),
        f"{why} {barred or consequence(weighed)}",
        shown_evidence(weighed.evidence),
        seen_of(weighed),
        answer,
        faults.get(proposal.pk, ""),
        tuple(each for each in ANSWERS if not (barred and each[0] == CONFIRM)),
    )


def _page_address(request: HttpRequest, shown: Page[Any], step: int) -> str:
    query = {name: str(request.GET[name]) for name in ("event", "federation") if request.GET.get(name)}
    return f"?{urlencode({**query, 'page': str(shown.number + step)})}"


# --- the answers ------------------------------------------------------------------------------------------


def _record(request: HttpRequest) -> dict[int, str]:
    """Record the answers, judged together; return why one was not taken, by the key of the proposal."""
    given = {
        key: request.POST.get(f"answer-{key}", LATER)
        for text in request.POST.getlist("link")
        if (key := whole_number(text)) is not None
    }
    given = {key: answer for key, answer in given.items() if answer in {CONFIRM, REFUSE}}
    there = visible(request.user, LinkProposal).filter(pk__in=given).select_related("person", "team")
    answers = [
        Answer(each, given[each.pk] == CONFIRM, request.POST.get(f"seen-{each.pk}", ""))
        for each in there.order_by("-weight", "pk")
    ]
    faults: dict[int, str] = {}
    whole = refusal_of(lambda: faults.update(answer_all(answers, who(request))))
    if whole:
        faults = {each.proposal.pk: whole for each in answers}
    done = Counter(given[each.proposal.pk] for each in answers if each.proposal.pk not in faults)
    _tell(request, done, len(given) - len(answers), len(faults))
    return faults


def _tell(request: HttpRequest, done: Mapping[str, int], gone: int, failed: int) -> None:
    if any(done.values()):
        told = {"confirmed": done[CONFIRM], "refused": done[REFUSE]}
        messages.success(request, _("Recorded: %(confirmed)s confirmed, %(refused)s refused.") % told)
    if gone:
        text = ngettext(
            "%(count)s link was answered meanwhile by somebody else, or its entry is gone.",
            "%(count)s links were answered meanwhile by somebody else, or their entries are gone.",
            gone,
        )
        messages.warning(request, text % {"count": gone})
    if failed:
        messages.error(request, _("Not everything was recorded: see below what to look at again."))
