"""A round in four steps, propose, publish, results, close: how far it is, and the one button for the next.

The event's first screen and each screen of a round show them alike (`templates/admin/round_steps.html`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.admin.permissions import User, may_publish
from tournaments.event.choices import Kind
from tournaments.models import Competitor, Event, Pairing, Round
from tournaments.operations import jobs
from tournaments.recording.attendance import count
from tournaments.recording.matches import DECIDED
from tournaments.recording.proposals import key_of

MOST_TABLES = 12
"""How many tables without a result are named; where more are missing, their number says enough."""

PROPOSE, PUBLISH, RESULTS, CLOSE, DONE = range(5)
LABELS = (
    gettext_lazy("Propose"),
    gettext_lazy("Publish"),
    gettext_lazy("Results"),
    gettext_lazy("Close"),
)


class Way(NamedTuple):
    """A link to a screen, or a form of one button that is posted to it; some until the first result only."""

    label: str
    address: str
    is_post: bool = False
    is_until_results: bool = False


class Step(NamedTuple):
    """One of the four steps as the strip prints it."""

    label: str | Promise
    is_done: bool
    is_current: bool


@dataclass(frozen=True, slots=True)
class RoundSteps:
    """How far a round is, or the whole event where no round is concerned: `number` is 0 then.

    `about` says it in words; `button` does what comes next, and `others` stand beside it. `closing` is the
    button of the fourth step, also while it is not the next one yet. `missing` leads to the tables without a
    result, `notes` to what waits besides.
    """

    number: int
    about: str
    button: Way | None
    steps: tuple[Step, ...] = ()
    others: tuple[Way, ...] = ()
    closing: Way | None = None
    missing: tuple[Way, ...] = ()
    notes: tuple[Way, ...] = ()


def rounds_of(event: Event) -> QuerySet[Round]:
    """Return the rounds with `pairings_count` and counts of `missing` and `unknown` results; one query."""
    return event.rounds.annotate(
        pairings_count=Count("pairings"),
        missing=Count("pairings", filter=Q(pairings__kind=Kind.PENDING)),
        unknown=Count("pairings", filter=Q(pairings__kind=Kind.UNKNOWN)),
    )


# --- a round ----------------------------------------------------------------------------------------------


def steps_of(event: Event, number: int) -> RoundSteps:
    """Return how far one round is; two queries, and two more before its pairings are published."""
    found = Pairing.objects.filter(DECIDED, round=OuterRef("pk"))
    round_ = rounds_of(event).annotate(is_begun=Exists(found)).filter(number=number).first()
    if round_ is None or not round_.pairings_count:  # type: ignore[attr-defined]  # `rounds_of` annotates it
        return _being_made(event, round_) or _to_be_paired(event, number, is_open=round_ is not None)
    if round_.is_draft and (being_made := _being_made(event, round_)):
        return being_made
    if round_.is_draft:
        return _to_be_published(event, round_)
    if not round_.is_closed:
        return _to_be_closed(event, round_)
    about = _("Round %(round)s is closed.") % {"round": number}
    is_last = event.is_over or event.is_round_robin or number >= event.planned_rounds
    following = None if is_last or event.rounds.count() > number else _proposing(event, number + 1)
    return RoundSteps(number, about, following, _strip(event, DONE))


def _strip(event: Event, now: int) -> tuple[Step, ...]:
    first = gettext_lazy("Schedule") if event.is_round_robin else LABELS[PROPOSE]
    labels = (first, *LABELS[PUBLISH:])
    return tuple(Step(label, at < now, at == now) for at, label in enumerate(labels))


def _being_made(event: Event, round_: Round | None) -> RoundSteps | None:
    """Return that the pairings of a round are being made, if they are; one query."""
    if round_ is None or event.is_round_robin or not jobs.open_job(key_of(round_)):
        return None
    about = _("The pairings of round %(round)s are being made.") % {"round": round_.number}
    waiting = Way(_("See how far they are"), _of_round("round-proposal", event, round_.number))
    return RoundSteps(round_.number, about, waiting, _strip(event, PROPOSE))


def _to_be_paired(event: Event, number: int, *, is_open: bool) -> RoundSteps:
    about = _("Round %(round)s is not paired yet.") % {"round": number}
    # Pairing by hand begins with the round's own screen, which is there once the round is open.
    screen = _of_round("round-pairings", event, number) if is_open else _of_event("event-rounds", event)
    by_hand = Way(_("Pair it by hand"), screen)
    if not event.is_round_robin:
        ways = (_attendance(event, number), by_hand)
        return RoundSteps(number, about, _proposing(event, number), _strip(event, PROPOSE), ways)
    schedule = Way(_("Make the schedule of all rounds"), _of_event("event-schedule", event))
    return RoundSteps(number, about, schedule, _strip(event, PROPOSE), (by_hand,) if is_open else ())


def _to_be_published(event: Event, round_: Any) -> RoundSteps:
    about = ngettext(
        "Round %(round)s: %(count)s pairing, a draft. Nobody but the desk sees it yet.",
        "Round %(round)s: %(count)s pairings, a draft. Nobody but the desk sees them yet.",
        round_.pairings_count,
    ) % {"round": round_.number, "count": round_.pairings_count}
    button = Way(_("Publish pairings"), _of_round("round-publish", event, round_.number))
    if event.is_round_robin:
        return RoundSteps(round_.number, about, button, _strip(event, PUBLISH))
    again = _proposing(event, round_.number, _("Propose again"))
    ways = (again, _attendance(event, round_.number))
    return RoundSteps(round_.number, about, button, _strip(event, PUBLISH), ways)


def _to_be_closed(event: Event, round_: Any) -> RoundSteps:
    number, values = round_.number, {"round": round_.number, "missing": round_.missing}
    address = _of_round("round-take-back", event, number)
    back = Way(_("Take the pairings back"), address, is_post=True, is_until_results=True)
    others = () if round_.is_begun else (back,)
    closing = Way(_("Close round %(round)s") % values, _of_round("round-close", event, number), is_post=True)
    if not round_.missing:
        about = _("Round %(round)s: %(results)s") % (values | {"results": _results_text([round_])})
        return RoundSteps(number, about, closing, _strip(event, CLOSE), others, closing)
    about = ngettext(
        "Round %(round)s: %(missing)s result is missing.",
        "Round %(round)s: %(missing)s results are missing.",
        round_.missing,
    )
    typing = Way(_("Type the results"), _of_round("results", event, number))
    return RoundSteps(number, about % values, typing, _strip(event, RESULTS), others, closing)


def _results_text(rounds: Iterable[Any]) -> str:
    """Return that rounds of `rounds_of` lack no result, and how many of the results are unknown."""
    unknown = sum(each.unknown for each in rounds)
    if not unknown:
        return _("all results are in.")
    text = ngettext(
        "no result is missing, but %(count)s is unknown (?).",
        "no result is missing, but %(count)s are unknown (?).",
        unknown,
    )
    return text % {"count": unknown}


def _proposing(event: Event, number: int, label: str = "") -> Way:
    label = label or _("Propose round %(round)s") % {"round": number}
    return Way(label, _of_round("round-propose", event, number), is_post=True)


def _attendance(event: Event, number: int) -> Way:
    """Return the way to the attendance before a round, and how many are there once one is marked; a query."""
    counted, label = count(event, number), _("Attendance")
    if counted.unmarked < counted.expected:
        label = _("Attendance: %(there)s of %(all)s") % {"there": counted.there, "all": counted.expected}
    return Way(label, f"{_of_event('event-attendance', event)}?round={number}")


def _of_round(name: str, event: Event, number: int) -> str:
    return reverse(f"admin:{name}", args=[event.pk, number])


def _of_event(name: str, event: Event) -> str:
    return reverse(f"admin:{name}", args=[event.pk])


# --- an event ---------------------------------------------------------------------------------------------


def next_step(event: Event, rounds: Sequence[Any], user: User) -> RoundSteps:
    """Return how far the event's present round is, or what the event lacks besides; six queries at most.

    `rounds` are those of `rounds_of`. The present one is the first that is not closed; one that still awaits
    a postponed game while a later round is on waits beside it, as a note.
    """
    if not Competitor.objects.filter(event=event).exists():
        return _without_round(
            _("Nobody takes part yet."), Way(_("Enter the competitors"), _of_event("event-register", event))
        )
    still_open = [each for each in rounds if not each.is_closed and event.knows_results]
    postponed = [each for each in still_open if _is_postponed(each, rounds)]
    present = next((each for each in still_open if each not in postponed), None)
    notes = tuple(_missing_in(event, each) for each in postponed)
    is_further = event.knows_results and len(rounds) < event.planned_rounds and not event.is_over
    if together := _together(event, still_open):
        steps = together
    elif present is not None:
        steps = steps_of(event, present.number)
    elif is_further and not (event.is_round_robin and rounds):
        steps = _to_be_paired(event, len(rounds) + 1, is_open=False)
    elif postponed:
        present, notes = postponed[0], notes[1:]
        steps = steps_of(event, present.number)
    else:
        steps = _after_rounds(event, rounds, user)
    if event.state == Event.State.DRAFT and may_publish(user, event):
        publishing = _of_event("event-publication", event)
        notes = (Way(_("Readers see nothing of a draft: publish the event."), publishing), *notes)
    return replace(steps, missing=_tables_missing(event, present), notes=notes)


def _is_postponed(round_: Any, rounds: Sequence[Any]) -> bool:
    """Say whether a round still awaits a result while a later one is published."""
    is_behind = any(each.number > round_.number and not each.is_draft for each in rounds)
    return bool(round_.missing) and not round_.is_draft and is_behind and not round_.event.is_round_robin


def _together(event: Event, still_open: Sequence[Any]) -> RoundSteps | None:
    """Return the step that several rounds of a round robin take at once, if there is one."""
    if not event.is_round_robin:
        return None
    complete = [each for each in still_open if not (each.is_draft or each.missing) and each.pairings_count]
    if len(complete) > 1:
        numbers = ", ".join(str(each.number) for each in complete)
        about = _("Rounds %(rounds)s: %(results)s")
        about %= {"rounds": numbers, "results": _results_text(complete)}
        closing = Way(
            _("Close rounds %(rounds)s") % {"rounds": numbers},
            _of_event("event-rounds-close", event),
            is_post=True,
        )
        return RoundSteps(complete[0].number, about, closing, _strip(event, CLOSE))
    if complete:
        return steps_of(event, complete[0].number)
    drafts = [each for each in still_open if each.is_draft and each.pairings_count]
    if len(drafts) > 1:
        about = _("%(count)s rounds are drafts: nobody but the desk sees them yet.") % {"count": len(drafts)}
        button = Way(_("Publish the whole schedule"), _of_event("event-rounds-publish", event))
        return RoundSteps(drafts[0].number, about, button, _strip(event, PUBLISH))
    return None


def _missing_in(event: Event, round_: Any) -> Way:
    text = ngettext(
        "Round %(round)s still awaits %(missing)s result.",
        "Round %(round)s still awaits %(missing)s results.",
        round_.missing,
    )
    values = {"round": round_.number, "missing": round_.missing}
    return Way(text % values, f"{_of_round('results', event, round_.number)}?missing=1")


def _tables_missing(event: Event, round_: Any) -> tuple[Way, ...]:
    """Return a way to each table of the present round without a result, where they are few; one query."""
    if round_ is None or round_.is_draft or not 0 < round_.missing <= MOST_TABLES:
        return ()
    tables = round_.pairings.filter(kind=Kind.PENDING).order_by("table").values_list("table", flat=True)
    address = _of_round("results", event, round_.number)
    return tuple(Way(str(table), f"{address}#table-{table}") for table in tables)


def _after_rounds(event: Event, rounds: Sequence[Any], user: User) -> RoundSteps:
    """Return what is left once every round is closed, and who may do it."""
    findings = Way(_("Look at the findings"), _of_event("event-findings", event))
    if event.is_over:
        over = _("The event is over. A changed result is a correction, with a reason.")
        return _without_round(over if event.knows_results else _without_results(), findings)
    about = capfirst(_results_text(rounds)) if event.knows_results else _without_results()
    if may_publish(user, event):
        return _without_round(about, Way(_("Declare the event final"), _of_event("event-publication", event)))
    return _without_round(
        _("%(results)s An organiser declares the event final; until then, look at the findings.")
        % {"results": about},
        findings,
    )


def _without_results() -> str:
    return _("Only the published ranking is known; no results are recorded.")


def _without_round(about: str, button: Way) -> RoundSteps:
    return RoundSteps(0, about, button)
