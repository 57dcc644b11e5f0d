"""The desk of one event: what to do next, and the way to every screen of it."""

from collections.abc import Callable
from typing import NamedTuple

from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.admin.events.publication import name_of_state
from tournaments.admin.frame import page
from tournaments.admin.permissions import (
    May,
    User,
    desk_view,
    may_assign,
    may_copy,
    may_publish,
    may_record,
)
from tournaments.event.choices import Kind
from tournaments.models import Competitor, Event, Round
from tournaments.models.pairing import shown_pairings
from tournaments.recording.publication import MEANING


class Screen(NamedTuple):
    """A screen of the desk: its name, what it is for, its address for an event, and who gets there."""

    label: str | Promise
    purpose: str | Promise
    address: Callable[[Event], str]
    may: May = may_record


class Link(NamedTuple):
    """A screen as the desk of one event prints it."""

    label: str
    purpose: str
    address: str


class NextStep(NamedTuple):
    """The thing to do next, and its address."""

    text: str
    address: str


def of_event(name: str) -> Callable[[Event], str]:
    """Return the address of one of the desk's own views, by its name."""
    return lambda event: reverse(f"admin:{name}", args=[event.pk])


def list_of(model: str) -> Callable[[Event], str]:
    """Return the address of the list of a model's rows, of this event only."""
    return lambda event: (
        f"{reverse(f'admin:tournaments_{model}_changelist')}?{urlencode({'event': event.slug})}"
    )


def download(ending: str) -> Callable[[Event], str]:
    """Return the address of a download of the event; of its preview while readers do not see the event."""

    def address(event: Event) -> str:
        public = reverse(f"event-{ending}", args=[event.slug])
        # A draft's public address answers 404 to the arbiter too; its preview does not.
        return public if event.is_public else reverse("event-preview", args=[event.pk, public.lstrip("/")])

    return address


DESK: dict[str | Promise, list[Screen]] = {
    gettext_lazy("Play"): [
        Screen(
            gettext_lazy("Rounds"),
            gettext_lazy("Opens the next round, pairs it, closes it when its results are in."),
            of_event("event-rounds"),
        ),
        Screen(
            gettext_lazy("Findings"),
            gettext_lazy("What the checks find: mend it, or accept it with a reason."),
            of_event("event-findings"),
        ),
        Screen(
            gettext_lazy("Corrections"),
            gettext_lazy("The public log of corrected results."),
            list_of("change"),
        ),
        Screen(
            gettext_lazy("All pairings"),
            gettext_lazy("Every pairing with its result, to look up."),
            list_of("pairing"),
        ),
    ],
    gettext_lazy("Competitors"): [
        Screen(
            gettext_lazy("Competitors"),
            gettext_lazy("Who takes part; teams with their players."),
            list_of("competitor"),
        ),
        Screen(
            gettext_lazy("Paste competitors"),
            gettext_lazy("A whole list at once, teams with their players, looked at before it is entered."),
            of_event("event-roster"),
        ),
        Screen(
            gettext_lazy("Import"),
            gettext_lazy(
                "Competitors, results or the whole event from a file; first you see what would change."
            ),
            of_event("event-import"),
        ),
    ],
    gettext_lazy("Rulings"): [
        Screen(
            gettext_lazy("Ranking system"),
            gettext_lazy("By what the event is decided, and in which order."),
            of_event("event-ranking"),
        ),
        Screen(
            gettext_lazy("Manual tie-breaks"),
            gettext_lazy("Numbers for competitors whom nothing else separates."),
            of_event("event-tiebreaks"),
        ),
        Screen(
            gettext_lazy("Overrides"),
            gettext_lazy("Decide a value, a place or the criteria by hand; undo it again."),
            of_event("event-overrides"),
        ),
    ],
    gettext_lazy("The event"): [
        Screen(
            gettext_lazy("Settings"),
            gettext_lazy("What the event is, how it is scored and ranked, what its pages print."),
            of_event("tournaments_event_change"),
        ),
        Screen(
            gettext_lazy("Arbiters"),
            gettext_lazy("Who enters results and rules in this event; part of the settings."),
            # A part of the form of settings: a screen of its own would be a second way to write the same
            # field.
            lambda event: f"{of_event('tournaments_event_change')(event)}#id_arbiters",
            may_assign,
        ),
        Screen(
            gettext_lazy("Publication"),
            gettext_lazy("Draft, live, final, archived: who sees the event, and whether it is over."),
            of_event("event-publication"),
            may_publish,
        ),
        Screen(
            gettext_lazy("Backups"),
            gettext_lazy("The event as it was before each round; to download, or to restore into a copy."),
            of_event("event-backups"),
        ),
        Screen(
            gettext_lazy("Clone"),
            gettext_lazy("A new draft with the same settings and competitors."),
            of_event("event-clone"),
            may_copy,
        ),
        Screen(
            gettext_lazy("Further editions"),
            gettext_lazy("Many drafts of the series from a list, with the settings of this event."),
            of_event("event-editions"),
            may_copy,
        ),
    ],
    gettext_lazy("To take away"): [
        Screen(
            gettext_lazy("Archive (ZIP)"),
            gettext_lazy("All pages and data of the event; opens from any disk, without a network."),
            download("zip"),
        ),
        Screen(
            gettext_lazy("Event file (JSON)"),
            gettext_lazy("The whole event as one file, with days of birth, to keep or to import elsewhere."),
            of_event("event-file"),
        ),
        Screen(
            gettext_lazy("Workbook (XLSX)"),
            gettext_lazy("Standings, cross table, results and competitors, a sheet each."),
            download("xlsx"),
        ),
        Screen(
            gettext_lazy("Table (CSV)"),
            gettext_lazy("Standings and results as plain text for any spreadsheet."),
            download("csv"),
        ),
        Screen(
            gettext_lazy("Tournament report (TRF)"),
            gettext_lazy("With days of birth, for pairing programs and to send to a federation."),
            of_event("event-report"),
        ),
    ],
}
"""The screens under headings, in the order in which an event under way needs them."""


@desk_view()
def desk(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the event's own page at the desk."""
    return page(
        request,
        event,
        "event_desk",
        event.name,
        _("The desk of this event: what to do next, and every screen of it."),
        step=next_step(event, request.user),
        links=links_of(event, request.user),
        rounds=rounds_of(event),
        state=name_of_state(event),
        meaning=MEANING[Event.State(event.state)],
        may_publish=may_publish(request.user, event),
    )


def links_of(event: Event, user: User) -> dict[str, list[Link]]:
    """Return the screens of the event that the account may open, under their headings."""
    return {
        str(heading): [
            Link(str(screen.label), str(screen.purpose), screen.address(event))
            for screen in screens
            if screen.may(user, event)
        ]
        for heading, screens in DESK.items()
    }


def rounds_of(event: Event) -> QuerySet[Round]:
    """Return the event's rounds, each with `pairings_count` and the count of `missing` results; one query."""
    return event.rounds.annotate(
        pairings_count=Count("pairings"),
        missing=Count("pairings", filter=Q(pairings__kind=Kind.PENDING)),
    )


def next_step(event: Event, user: User) -> NextStep:
    """Return the first thing that the event lacks; five queries at most."""
    if not Competitor.objects.filter(event=event).exists():
        return NextStep(_("Enter the competitors."), of_event("event-roster")(event))
    # A draft round has no results to miss: it takes none yet.
    pairings = shown_pairings(event)
    first = (
        pairings.filter(kind=Kind.PENDING)
        .order_by("round__number")
        .values_list("round__number", flat=True)[:1]
    )
    number = next(iter(first), None)
    # Before the missing results: as a draft nobody can follow the round that is being played.
    if event.state == Event.State.DRAFT and may_publish(user, event) and pairings.exists():
        return NextStep(
            _("Publish it: readers see nothing of a draft."), of_event("event-publication")(event)
        )
    if number is not None:
        missing = pairings.filter(round__number=number, kind=Kind.PENDING).count()
        text = ngettext(
            "Round %(number)d: %(missing)d result is missing.",
            "Round %(number)d: %(missing)d results are missing.",
            missing,
        )
        address = reverse("admin:results", args=[event.pk, number])
        return NextStep(text % {"number": number, "missing": missing}, address)
    return _after_results(event, user)


def _of_open_round(event: Event, round_: Round) -> NextStep:
    values, address = {"number": round_.number}, [event.pk, round_.number]
    is_paired = round_.pairings.exists()
    if is_paired and round_.is_draft:
        text = _("Publish the pairings of round %(number)d.") % values
        return NextStep(text, reverse("admin:round-pairings", args=address))
    if is_paired:
        return NextStep(_("Close round %(number)d.") % values, reverse("admin:round-close", args=address))
    return NextStep(_("Pair round %(number)d.") % values, reverse("admin:round-pairings", args=address))


def _after_results(event: Event, user: User) -> NextStep:
    still_open = event.rounds.exclude(state=Round.State.CLOSED).order_by("number").first()
    if still_open is not None:
        return _of_open_round(event, still_open)
    rounds = event.rounds.count()
    if event.is_round_robin and not rounds:
        return NextStep(_("Make the schedule of all rounds."), of_event("event-schedule")(event))
    if rounds < event.planned_rounds:
        return NextStep(_("Open the next round."), of_event("event-rounds")(event))
    return _after_rounds(event, user)


def _after_rounds(event: Event, user: User) -> NextStep:
    """Return what is left once every round is closed, and who may do it."""
    publication, findings = of_event("event-publication")(event), of_event("event-findings")(event)
    if event.is_over:
        return NextStep(_("The event is over. A changed result is a correction, with a reason."), findings)
    if may_publish(user, event):
        return NextStep(_("All results are in: declare it final."), publication)
    return NextStep(
        _("All results are in. An organiser declares the event final; until then, look at the findings."),
        findings,
    )
