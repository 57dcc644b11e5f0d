"""The desk of an event: the next step, and links to all its pages."""

from collections.abc import Callable
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.accounts.services.roles import User
from tournaments.admin.events.publication import name_of_state
from tournaments.admin.frame import page
from tournaments.admin.permissions import May, desk_view, may_organise, may_record
from tournaments.admin.steps import next_step, rounds_of
from tournaments.models import Event
from tournaments.recording.events.error_reports import open_reports
from tournaments.recording.events.home import unsent
from tournaments.recording.events.publication import MEANING


class Screen(NamedTuple):
    """A link on the desk. `address` returns the URL for an event, and `may` checks the permission."""

    label: str | Promise
    purpose: str | Promise
    address: Callable[[Event], str]
    may: May = may_record


def of_event(name: str) -> Callable[[Event], str]:
    return lambda event: reverse(f"admin:{name}", args=[event.pk])


def list_of(model: str) -> Callable[[Event], str]:
    return lambda event: (
        f"{reverse(f'admin:tournaments_{model}_changelist')}?{urlencode({'event': event.slug})}"
    )


def download(ending: str) -> Callable[[Event], str]:
    """Return a function from an event to the URL of a download, or of its preview before publication."""

    def address(event: Event) -> str:
        public = reverse(f"event-{ending}", args=[event.slug])
        # The public URL of a draft is a 404 for arbiters too.
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
            gettext_lazy("Schedule"),
            gettext_lazy("Date and time of all rounds, from the beginning; for readers and calendars."),
            of_event("event-dates"),
        ),
        Screen(
            gettext_lazy("Print"),
            gettext_lazy("Pairings, slips, lists and tables on paper, in the language of the event."),
            # In `standings`, which `tournaments` does not import; only the URL name is known here.
            lambda event: reverse("event-paper", args=[event.pk]),
        ),
        Screen(
            gettext_lazy("Findings"),
            gettext_lazy("Findings of the checks: correct them, or accept them with a reason."),
            of_event("event-findings"),
        ),
        Screen(
            gettext_lazy("Error reports"),
            gettext_lazy("Error reports from the public: check, correct, answer."),
            of_event("event-error-reports"),
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
            gettext_lazy("Register"),
            gettext_lazy("All competitors in one table, like a spreadsheet; start numbers."),
            of_event("event-register"),
        ),
        Screen(
            gettext_lazy("Competitors"),
            gettext_lazy("Competitors; teams with their players."),
            list_of("competitor"),
        ),
        Screen(
            gettext_lazy("Attendance"),
            gettext_lazy("Attendance before a round (also on a phone), byes, late entries, withdrawals."),
            of_event("event-attendance"),
        ),
        Screen(
            gettext_lazy("Paste competitors"),
            gettext_lazy("Enter a complete list, teams with their players, with a preview."),
            of_event("event-roster"),
        ),
        Screen(
            gettext_lazy("Update ratings"),
            gettext_lazy("Compare with a FIDE or FMJD list and choose the values to update."),
            of_event("event-ratings"),
        ),
        Screen(
            gettext_lazy("Import"),
            gettext_lazy("Competitors, results or a whole event from a file, with a preview."),
            of_event("event-import"),
        ),
    ],
    gettext_lazy("Categories and prizes"): [
        Screen(
            gettext_lazy("Categories"),
            gettext_lazy("Women, juniors, rating groups, clubs: separate standings."),
            of_event("event-categories"),
        ),
        Screen(
            gettext_lazy("Prizes"),
            gettext_lazy("Prizes, how they are shared, and the present winners."),
            of_event("event-prizes"),
        ),
    ],
    gettext_lazy("Rulings"): [
        Screen(
            gettext_lazy("Ranking system"),
            gettext_lazy("The ranking system and the order of its criteria."),
            of_event("event-ranking"),
        ),
        Screen(
            gettext_lazy("Manual tie-breaks"),
            gettext_lazy("Numbers for competitors who are level on all other criteria."),
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
            gettext_lazy("Dates, rounds, scoring, ranking and information on the public pages."),
            of_event("tournaments_event_change"),
        ),
        Screen(
            gettext_lazy("Arbiters"),
            gettext_lazy("Accounts that can work on this event; part of the settings."),
            # A field of the settings form, since a second page would write the same field.
            lambda event: f"{of_event('tournaments_event_change')(event)}#id_arbiters",
            may_organise,
        ),
        Screen(
            gettext_lazy("Publication"),
            gettext_lazy("Draft, live, final or archived: who can see the event, and if it is over."),
            of_event("event-publication"),
            may_organise,
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
            may_organise,
        ),
        Screen(
            gettext_lazy("Further editions"),
            gettext_lazy("Many drafts of the series from a list, with the settings of this event."),
            of_event("event-editions"),
            may_organise,
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
            gettext_lazy(
                "The whole event in one file, with dates of birth, to keep or to import on another site."
            ),
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
            gettext_lazy("With days of birth, to send to a federation."),
            of_event("event-report"),
        ),
        Screen(
            gettext_lazy("Report by pairing number (TRF)"),
            gettext_lazy("For another pairing program. Import its report here: the start numbers stay."),
            lambda event: f"{of_event('event-report')(event)}?by=pairing-number",
        ),
    ],
    gettext_lazy("After the last round"): [
        Screen(
            gettext_lazy("Ready to send?"),
            gettext_lazy("Data still missing from the rating report: ids, births, dates, officials."),
            of_event("event-report-check"),
        ),
        Screen(
            gettext_lazy("Norms"),
            gettext_lazy("Performances that reach a title of FIDE's, listed for a person to check."),
            of_event("event-norms"),
        ),
    ],
}
"""The links by heading, in the order in which a running event needs them."""


@desk_view()
def desk(request: HttpRequest, event: Event) -> HttpResponse:
    rounds = list(rounds_of(event))
    return page(
        request,
        event,
        "event_desk",
        event.name,
        _("Next step and all screens of this event."),
        steps=next_step(event, rounds, request.user),
        links=links_of(event, request.user),
        rounds=rounds,
        state=name_of_state(event),
        waiting_reports=open_reports([event]).get(event.pk, 0),
        meaning=MEANING[Event.State(event.state)],
        may_publish=may_organise(request.user, event),
        unsent=unsent(event),
    )


def links_of(event: Event, user: User) -> dict[str, list[tuple[Screen, str]]]:
    return {
        str(heading): [(each, each.address(event)) for each in screens if each.may(user, event)]
        for heading, screens in DESK.items()
    }
