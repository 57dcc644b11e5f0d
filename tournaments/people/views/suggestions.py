"""The queue of likely links: an organiser confirms, refuses or postpones each."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.admin.frame import page, refusal_of, who
from tournaments.admin.permissions import organisers_only, visible
from tournaments.event.numbers import whole_number
from tournaments.models import Event, LinkProposal, Team
from tournaments.people.matching.entrants import Entrant
from tournaments.people.matching.weighing import Weighed, evidence_checksum, weigh_suggestions
from tournaments.people.models.team import Owner
from tournaments.people.services.decisions import Answer, store_answers
from tournaments.people.services.merging import reason_not_same
from tournaments.people.texts import LABELS, REASONS, confirmation_effect, verdict_text
from tournaments.people.views.search import desk_address, open_doubts

PER_PAGE = 25
MOST_EVENTS = 500
"""Maximum number of events in the filter."""

CONFIRM, REFUSE, LATER = "confirm", "refuse", "later"
ANSWERS = (
    (CONFIRM, gettext_lazy("Confirm")),
    (REFUSE, gettext_lazy("Refuse for good")),
    (LATER, gettext_lazy("Later")),
)


@organisers_only
def suggestions(request: HttpRequest) -> HttpResponse:
    faults: dict[int, str] = {}
    if request.method == "POST":
        faults = _record_answers(request)
        if not faults:
            return redirect(request.get_full_path())
    chosen = whole_number(request.GET.get("event", ""))
    federation = request.GET.get("federation", "").strip()[:8].upper()
    waiting = _filter_links(visible(request.user, LinkProposal), chosen, federation)
    shown = Paginator(waiting, PER_PAGE).get_page(request.GET.get("page"))
    suggestions: list[LinkProposal] = []
    if faults:
        # Answers that were not recorded come first on any page.
        failed = visible(request.user, LinkProposal).filter(pk__in=faults)
        suggestions += _filter_links(failed, None, "")
    suggestions += [suggestion for suggestion in shown.object_list if suggestion.pk not in faults]
    page_of_links = [_suggestion_row(each, request, faults) for each in weigh_suggestions(suggestions)]
    events = Event.objects.filter(pk__in=LinkProposal.objects.order_by().values("event"))
    return page(
        request,
        None,
        "people/suggestions",
        _("Likely links"),
        _(
            "Entries that may be the same person or team. Confirm, refuse for good, or decide later. You "
            "can undo every decision."
        ),
        links=page_of_links,
        doubts=open_doubts(request),
        shown=shown,
        waiting=shown.paginator.count,
        events=events.order_by("-start", "name").values_list("pk", "name")[:MOST_EVENTS],
        chosen_event=chosen,
        federation=federation,
    )


def _filter_links(rows: QuerySet[LinkProposal], event: int | None, federation: str) -> QuerySet[LinkProposal]:
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


def _suggestion_row(weighed: Weighed, request: HttpRequest, faults: Mapping[int, str]) -> dict[str, Any]:
    suggestion = weighed.suggestion
    why = str(REASONS[LinkProposal.Why(suggestion.why)])
    answer = request.POST.get(f"answer-{suggestion.pk}", LATER) if suggestion.pk in faults else LATER
    barred = reason_not_same(weighed.ours, weighed.theirs)
    known = [each for each in weighed.evidence if each.one or each.other]
    return {
        "pk": suggestion.pk,
        "one": link_side(weighed.entrant),
        "other": link_side(weighed.other),
        "why": f"{why} {barred or confirmation_effect(weighed)}",
        "evidence": [(LABELS[each.what], each, verdict_text(each)) for each in known],
        "seen": evidence_checksum(weighed),
        "answer": answer,
        "fault": faults.get(suggestion.pk, ""),
        "answers": [each for each in ANSWERS if not (barred and each[0] == CONFIRM)],
    }


# --- answers ----------------------------------------------------------------------------------------------


def _record_answers(request: HttpRequest) -> dict[int, str]:
    """Record the posted answers in one transaction. Return the errors by key of the suggestion."""
    posted = {
        key: request.POST.get(f"answer-{key}", LATER)
        for text in request.POST.getlist("link")
        if (key := whole_number(text)) is not None
    }
    posted = {key: answer for key, answer in posted.items() if answer in {CONFIRM, REFUSE}}
    rows = visible(request.user, LinkProposal).filter(pk__in=posted).select_related("person", "team")
    answers = [
        Answer(each, posted[each.pk] == CONFIRM, request.POST.get(f"seen-{each.pk}", ""))
        for each in rows.order_by("-weight", "pk")
    ]
    faults: dict[int, str] = {}
    refusal = refusal_of(lambda: faults.update(store_answers(answers, who(request))))
    if refusal:
        faults = {each.suggestion.pk: refusal for each in answers}
    done = Counter(posted[each.suggestion.pk] for each in answers if each.suggestion.pk not in faults)
    _add_answer_messages(request, done, len(posted) - len(answers), len(faults))
    return faults


def _add_answer_messages(request: HttpRequest, done: Mapping[str, int], gone: int, failed: int) -> None:
    if any(done.values()):
        counts = {"confirmed": done[CONFIRM], "refused": done[REFUSE]}
        messages.success(request, _("Recorded: %(confirmed)s confirmed, %(refused)s refused.") % counts)
    if gone:
        text = ngettext(
            "%(count)s link was decided by another person, or its entry was deleted.",
            "%(count)s links were decided by another person, or their entries were deleted.",
            gone,
        )
        messages.warning(request, text % {"count": gone})
    if failed:
        messages.error(request, _("Some answers were not saved: see below which to check again."))


def link_side(side: Entrant | Owner) -> dict[str, str]:
    if isinstance(side, Entrant):
        label = f"{side.event_name}, {side.team}" if side.team else side.event_name
        return {"name": side.name, "label": label, "address": reverse("admin:event-desk", args=[side.event])}
    text = _("team number %(number)s") if isinstance(side, Team) else _("person number %(number)s")
    return {"name": side.name, "label": text % {"number": side.pk}, "address": desk_address(side)}
