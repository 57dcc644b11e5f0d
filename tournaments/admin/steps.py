"""The four steps of a round (propose, publish, results, close): its progress, and the button of the next
step.

The event's first page and all pages of a round show them (`templates/admin/round_steps.html`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.accounts.services.roles import User
from tournaments.admin.permissions import may_organise
from tournaments.event.choices import Kind
from tournaments.models import Competitor, Event, Game, Pairing, Player, Round
from tournaments.models.pairing import delayed, missing_result
from tournaments.operations import jobs
from tournaments.recording.competitors.attendance import count_attendance
from tournaments.recording.pairings.drafts import proposal_key
from tournaments.recording.rounds.missing_data import delayed_text
from tournaments.recording.teams.match_scores import DECIDED

MAX_TABLES = 12
"""How many tables without a result are listed. If there are more, only their number is shown."""

PROPOSE, PUBLISH, RESULTS, CLOSE, DONE = range(5)


class Way(NamedTuple):
    """A link, or a button with a form if `is_post`. `is_until_results`: hidden once there is a result."""

    label: str
    address: str
    is_post: bool = False
    is_until_results: bool = False


class Step(NamedTuple):
    """One of the four steps, as a label."""

    label: str
    is_done: bool
    is_current: bool


@dataclass(frozen=True, slots=True)
class RoundSteps:
    """The progress of a round, or of the event if `number` is 0.

    `about`: a description. `button`: the next step. `others`: further actions. `closing`: the button that
    closes the round, also if it is not the next step. `missing`: links to the tables without a result.
    `notes`: links to other open tasks.
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
    """Return the rounds, with the numbers of their pairings (`games` and `byes`) and results. One query."""
    return event.rounds.annotate(
        pairings_count=Count("pairings"),
        games=Count("pairings__second"),
        byes=Count("pairings", filter=Q(pairings__second=None) & ~Q(pairings__kind=Kind.ABSENT)),
        missing=Count("pairings", filter=missing_result("pairings__")),
        delayed=Count("pairings", filter=delayed("pairings__")),
        unknown=Count("pairings", filter=Q(pairings__kind=Kind.UNKNOWN)),
    )


def pairings_text(games: int, byes: int) -> str:
    text = ngettext("%(count)s pairing", "%(count)s pairings", games) % {"count": games}
    return (
        text + ngettext(" and %(count)s bye", " and %(count)s byes", byes) % {"count": byes} if byes else text
    )


def first_unfinished(event: Event, rounds: Iterable[Any]) -> Any:
    """Return the first round that prevents pairing a later one, None if there is none.

    `rounds`: the result of `rounds_of`. A round robin needs no results to pair the next round.
    """
    if event.is_round_robin:
        return next((each for each in rounds if each.is_draft and not each.pairings_count), None)
    return next((each for each in rounds if each.is_draft or each.missing), None)


# --- rounds -----------------------------------------------------------------------------------------------


def steps_of(event: Event, number: int) -> RoundSteps:
    """Return the progress of a round. At most five queries."""
    found = Pairing.objects.filter(DECIDED, round=OuterRef("pk"))
    first_missing = Min("pairings__table", filter=missing_result("pairings__"))
    rounds = rounds_of(event).annotate(is_begun=Exists(found), first_missing=first_missing)
    round_ = rounds.filter(number=number).first()
    if round_ is None or not round_.pairings_count:  # type: ignore[attr-defined]  # `rounds_of` annotates it
        return _pairings_in_progress(event, round_) or _steps_before_pairings(
            event, number, is_open=round_ is not None
        )
    if round_.is_draft and (in_progress := _pairings_in_progress(event, round_)):
        return in_progress
    if round_.is_draft:
        return _steps_of_draft(event, round_)
    if not round_.is_closed:
        return _steps_of_published(event, round_)
    about = _("Round %(round)s is closed.") % {"round": number}
    is_last = event.is_over or event.is_round_robin or number >= event.planned_rounds
    is_followed = event.rounds.filter(number__gt=number, pairings__isnull=False).exists()
    is_early = is_last or is_followed or first_unfinished(event, rounds_of(event).filter(number__lt=number))
    following = None if is_early else _propose_button(event, number + 1)
    return RoundSteps(number, about, following, _step_labels(event, DONE))


def _step_labels(event: Event, now: int) -> tuple[Step, ...]:
    labels = (_("Pair") if event.is_round_robin else _("Propose"), _("Publish"), _("Results"), _("Close"))
    return tuple(Step(label, at < now, at == now) for at, label in enumerate(labels))


def _pairings_in_progress(event: Event, round_: Round | None) -> RoundSteps | None:
    """Return the progress while the pairings are computed, None if no job is running. One query."""
    if round_ is None or event.is_round_robin or not jobs.open_job(proposal_key(round_)):
        return None
    about = _("The pairings of round %(round)s are being made.") % {"round": round_.number}
    waiting = Way(_("See how far they are"), _url("round-proposal", event, round_.number))
    return RoundSteps(round_.number, about, waiting, _step_labels(event, PROPOSE))


def _steps_before_pairings(event: Event, number: int, *, is_open: bool) -> RoundSteps:
    about = _("Round %(round)s is not paired yet.") % {"round": number}
    if event.is_over:
        return RoundSteps(number, about, None)
    # Pairings by hand are entered on the round's page, which exists after the round was opened.
    screen = _url("round-pairings", event, number) if is_open else _url("event-rounds", event)
    by_hand = Way(_("Pair it by hand"), screen)
    if not event.is_round_robin:
        ways, button = (_attendance_link(event, number), by_hand), _propose_button(event, number)
        if earlier := first_unfinished(event, rounds_of(event).filter(number__lt=number)):
            name = "round-pairings" if earlier.is_draft else "results"
            label = _("Finish round %(round)s first") % {"round": earlier.number}
            button = Way(label, _url(name, event, earlier.number))
        return RoundSteps(number, about, button, _step_labels(event, PROPOSE), ways)
    schedule = Way(_("Pair all rounds"), _url("event-schedule", event))
    return RoundSteps(number, about, schedule, _step_labels(event, PROPOSE), (by_hand,) if is_open else ())


def _steps_of_draft(event: Event, round_: Any) -> RoundSteps:
    about = ngettext(
        "Round %(round)s: %(pairings)s, a draft. Only the desk sees it.",
        "Round %(round)s: %(pairings)s, a draft. Only the desk sees them.",
        round_.pairings_count,
    ) % {"round": round_.number, "pairings": pairings_text(round_.games, round_.byes)}
    button = Way(_("Publish pairings"), _url("round-publish", event, round_.number))
    if event.is_round_robin:
        return RoundSteps(round_.number, about, button, _step_labels(event, PUBLISH))
    again = _propose_button(event, round_.number, _("Propose again"))
    ways = (again, _attendance_link(event, round_.number))
    return RoundSteps(round_.number, about, button, _step_labels(event, PUBLISH), ways)


def _steps_of_published(event: Event, round_: Any) -> RoundSteps:
    number, values = round_.number, {"round": round_.number, "missing": round_.missing}
    address = _url("round-take-back", event, number)
    back = Way(_("Take the pairings back"), address, is_post=True, is_until_results=True)
    others = () if round_.is_begun else (back,)
    closing = Way(_("Close round %(round)s") % values, _url("round-close", event, number), is_post=True)
    if not round_.missing:
        about = _("Round %(round)s: %(results)s") % (values | {"results": _results_text([round_])})
        return RoundSteps(number, about, closing, _step_labels(event, CLOSE), others, closing)
    about = ngettext(
        "Round %(round)s: the result is missing at %(missing)s table.",
        "Round %(round)s: results are missing at %(missing)s tables.",
        round_.missing,
    )
    typing = Way(_("Enter results"), f"{_url('results', event, number)}#result-{round_.first_missing}")
    games = Game.objects.filter(pairing__round=round_)
    if event.boards and Player.objects.filter(~Exists(games), competitor__event=event).exists():
        typing = Way(_("Enter the line-ups"), _url("round-line-ups", event, number))
    return RoundSteps(number, about % values, typing, _step_labels(event, RESULTS), others, closing)


def _results_text(rounds: Sequence[Any]) -> str:
    unknown, open_games = sum(each.unknown for each in rounds), sum(each.delayed for each in rounds)
    if open_games:
        text = ngettext(
            "no result is missing, but %(count)s game is postponed or adjourned.",
            "no result is missing, but %(count)s games are postponed or adjourned.",
            open_games,
        )
        return text % {"count": open_games}
    if not unknown:
        return _("all results are in.")
    text = ngettext(
        "no result is missing, but %(count)s is unknown (?).",
        "no result is missing, but %(count)s are unknown (?).",
        unknown,
    )
    return text % {"count": unknown}


def _propose_button(event: Event, number: int, label: str = "") -> Way:
    label = label or _("Propose round %(round)s") % {"round": number}
    return Way(label, _url("round-propose", event, number), is_post=True)


def _attendance_link(event: Event, number: int) -> Way:
    """Return the link to the attendance of a round, with the number present if any are marked. One query."""
    counted, label = count_attendance(event, number), _("Attendance")
    if counted.unmarked < counted.expected:
        label = _("Attendance: %(there)s of %(all)s") % {"there": counted.there, "all": counted.expected}
    return Way(label, f"{_url('event-attendance', event)}?round={number}")


def _url(name: str, event: Event, *place: object) -> str:
    return reverse(f"admin:{name}", args=[event.pk, *place])


# --- events -----------------------------------------------------------------------------------------------


def next_step(event: Event, rounds: Sequence[Any], user: User) -> RoundSteps:
    """Return the progress of the current round, or the task outside of a round. At most six queries.

    `rounds`: the result of `rounds_of`. The current round is the first that is not closed. A round that only
    waits for a postponed game, while a later round is published, is a note instead.
    """
    if not Competitor.objects.filter(event=event).exists():
        return RoundSteps(
            0,
            _("There are no competitors yet."),
            Way(_("Enter the competitors"), _url("event-register", event)),
        )
    still_open = [
        each
        for each in rounds
        # Rounds of the schedule that were never paired are no task once the event is over.
        if not each.is_closed and event.knows_results and (each.pairings_count or not event.is_over)
    ]
    postponed = [each for each in still_open if _is_postponed(each, rounds)]
    present = next((each for each in still_open if each not in postponed), None)
    notes = tuple(_missing_results_link(event, each) for each in postponed)
    notes += _delayed_game_links(event, rounds)
    is_further = event.knows_results and len(rounds) < event.planned_rounds and not event.is_over
    if joint_steps := _steps_of_several(event, still_open):
        steps = joint_steps
    elif present is not None:
        steps = steps_of(event, present.number)
    elif is_further and not (event.is_round_robin and rounds):
        steps = _steps_before_pairings(event, len(rounds) + 1, is_open=False)
    elif postponed:
        present, notes = postponed[0], notes[1:]
        steps = steps_of(event, present.number)
    else:
        steps = _final_step(event, rounds, user)
    if event.state == Event.State.DRAFT and may_organise(user, event):
        publishing = _url("event-publish", event, Event.State.LIVE)
        notes = (Way(_("The event is a draft and not public: publish the event."), publishing), *notes)
    return replace(steps, missing=_missing_table_links(event, present), notes=notes)


def _is_postponed(round_: Any, rounds: Sequence[Any]) -> bool:
    is_behind = any(each.number > round_.number and not each.is_draft for each in rounds)
    return bool(round_.missing) and not round_.is_draft and is_behind and not round_.event.is_round_robin


def _steps_of_several(event: Event, still_open: Sequence[Any]) -> RoundSteps | None:
    if not event.is_round_robin:
        return None
    complete = [each for each in still_open if not (each.is_draft or each.missing) and each.pairings_count]
    if len(complete) > 1:
        numbers = ", ".join(str(each.number) for each in complete)
        about = _("Rounds %(rounds)s: %(results)s")
        about %= {"rounds": numbers, "results": _results_text(complete)}
        closing = Way(
            _("Close rounds %(rounds)s") % {"rounds": numbers},
            _url("event-rounds-close", event),
            is_post=True,
        )
        return RoundSteps(complete[0].number, about, closing, _step_labels(event, CLOSE))
    if complete:
        return steps_of(event, complete[0].number)
    drafts = [each for each in still_open if each.is_draft and each.pairings_count]
    if len(drafts) > 1:
        about = _("%(count)s rounds are drafts: only the desk sees them.") % {"count": len(drafts)}
        button = Way(_("Publish all rounds"), _url("event-rounds-publish", event))
        return RoundSteps(drafts[0].number, about, button, _step_labels(event, PUBLISH))
    return None


def _missing_results_link(event: Event, round_: Any) -> Way:
    text = ngettext(
        "Round %(round)s still awaits %(missing)s result.",
        "Round %(round)s still awaits %(missing)s results.",
        round_.missing,
    )
    values = {"round": round_.number, "missing": round_.missing}
    return Way(text % values, f"{_url('results', event, round_.number)}?missing=1")


def _delayed_game_links(event: Event, rounds: Sequence[Any]) -> tuple[Way, ...]:
    if not any(each.delayed for each in rounds):
        return ()
    open_games = Pairing.objects.filter(delayed(), round__event=event).order_by("round__number", "table")
    return tuple(
        Way(delayed_text(each), f"{_url('results', event, each.round.number)}#table-{each.table}")
        for each in open_games.select_related("round", "first", "second")[:MAX_TABLES]
    )


def _missing_table_links(event: Event, round_: Any) -> tuple[Way, ...]:
    if round_ is None or round_.is_draft or not 0 < round_.missing <= MAX_TABLES:
        return ()
    tables = round_.pairings.filter(missing_result()).order_by("table").values_list("table", flat=True)
    address = _url("results", event, round_.number)
    return tuple(Way(str(table), f"{address}#table-{table}") for table in tables)


def _final_step(event: Event, rounds: Sequence[Any], user: User) -> RoundSteps:
    findings = Way(_("Look at the findings"), _url("event-findings", event))
    no_results = _("Only the published ranking is known; no results are recorded.")
    if event.is_over:
        over = _("The event is over. A changed result is a correction, with a reason.")
        return RoundSteps(0, over if event.knows_results else no_results, findings)
    about = capfirst(_results_text(rounds)) if event.knows_results else no_results
    if waiting := [each.number for each in rounds if each.delayed]:
        typing = Way(_("Enter results"), _url("results", event, waiting[0]))
        text = _("%(results)s Enter the results before the event is declared final.")
        return RoundSteps(0, text % {"results": about}, typing)
    if may_organise(user, event):
        address = _url("event-publish", event, Event.State.FINAL)
        return RoundSteps(0, about, Way(_("Declare the event final"), address))
    return RoundSteps(
        0,
        _("%(results)s An organiser declares the event final; until then, check the findings.")
        % {"results": about},
        findings,
    )
