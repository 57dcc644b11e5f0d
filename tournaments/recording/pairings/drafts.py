"""Pairing proposals: requested by the desk, computed in a separate process, then applied or reported as
failed.

A request stores a Proposal and a job. The worker runs the engine and writes the pairs into the draft,
unless the draft has changed since (ADR 0023).
"""

import json
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from itertools import count
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from standings.engine import SYSTEMS
from tournaments.event.choices import ALONE, OVER, Colour, Kind, TeamColours
from tournaments.event.document import Document, PairingEntry, RoundEntry
from tournaments.event.pairingsettings import delayed_games, last_accelerated, with_provisional
from tournaments.interchange.formats.trf.returning import by_pairing_number
from tournaments.interchange.formats.trf.writing import write_records
from tournaments.models import Competitor, Event, Job, Pairing, Proposal, Round
from tournaments.operations import jobs
from tournaments.pairing.engine import (
    BAD_REPORT,
    NO_PAIRING,
    NOT_THERE,
    OUT_OF_MEMORY,
    TIMED_OUT,
    EngineError,
    Method,
    PairingTask,
    Progress,
    ProposedPair,
)
from tournaments.pairing.process import ignore_progress, make_pairs
from tournaments.recording.competitors.attendance import rounds_off
from tournaments.recording.competitors.start_numbers import start_numbers
from tournaments.recording.locking import add_all, lock_event, locked, name_of_user, remove_row, save, saving
from tournaments.recording.pairings.by_hand import round_off, seats_at, use_fixed_tables
from tournaments.recording.refusal import Refused, unpublished
from tournaments.recording.rounds.opening import back_up_before, locked_round, next_round, open_round
from tournaments.recording.teams.stand_ins import with_stand_ins
from tournaments.stored import stored

_TEAM_METHODS = {
    TeamColours.TYPE_A: Method.TEAM_A,
    TeamColours.TYPE_B: Method.TEAM_B,
    TeamColours.NONE: Method.TEAM,
    "": Method.TEAM_A,
}

OWN_RULES: Mapping[str, frozenset[Method]] = {
    "fide-swiss": frozenset({Method.DUTCH}),
    "fide-team-swiss": frozenset({Method.TEAM_A, Method.TEAM_B, Method.TEAM}),
}
"""Ranking systems that define pairing rules, with the engine methods that implement these rules."""


def method_of(event: Event, engine: str = "") -> Method:
    """Return the pairing method of an event. `engine` may select the configured command."""
    if engine == Method.COMMAND and settings.PAIRING_COMMAND:
        return Method.COMMAND
    if event.is_round_robin:
        is_double = event.schedule == Event.Schedule.DOUBLE_ROUND_ROBIN
        return Method.DOUBLE_BERGER if is_double else Method.BERGER
    return _TEAM_METHODS[event.team_colours] if event.is_team else Method.DUTCH


def is_only_a_help(event: Event) -> bool:
    """Return whether the method is not the event's own rules. FMJD has published no pairing rules for
    draughts.
    """
    return event.discipline != "chess" and not event.is_round_robin


def help_text(event: Event, proposal: Proposal) -> str:
    """Return a sentence about the status of a proposal for draughts. Blank for other events."""
    if not is_only_a_help(event) or proposal.options.get("method") == Method.COMMAND:
        return ""
    return _("By FIDE's rules: a proposal; FMJD's own rules are not published as a program.")


# --- request ----------------------------------------------------------------------------------------------


def ask_for_proposal(
    event: Event, by: User, number: int | None = None, engine: str = "", only: Collection[int] | None = None
) -> Proposal:
    """Request the pairings of a round. Return the open proposal if there already is one.

    `number` defaults to the first draft round, or else the next round. The next round is created if it
    does not exist. `only`: the start numbers to pair if other pairings of the draft are to stay. A backup is
    stored before a round has pairings. Raise Refused if the round is not a draft, if results of earlier
    rounds are missing, or if `only` are to be paired and there is an open proposal.
    """
    with saving():
        drafts = event.rounds.filter(state=Round.State.DRAFT).order_by("number")
        wanted = number or drafts.values_list("number", flat=True).first() or next_round(event)
        if not event.rounds.filter(number=wanted).exists():
            _require_ready(event, wanted)
            open_round(event, by, expected=wanted)
        with lock_event(event) as locked_event:
            round_ = locked(locked_event.rounds.filter(number=wanted))
            round_.event = locked_event
            if proposal := _open_proposal(round_):
                if only is not None:
                    raise Refused(_("The engine is pairing this round already. Wait until it has finished."))
                return proposal
            if not round_.is_draft:
                values = {"round": wanted}
                raise Refused(_("The pairings of round %(round)s are published already.") % values)
            _require_ready(locked_event, wanted)
            back_up_before(round_, by)
            if wanted == 1:
                _set_draw_defaults(locked_event, by)
            return _create_proposal(round_, by, method_of(locked_event, engine), only)


def proposal_key(round_: Round) -> str:
    return f"{Job.Kind.PROPOSAL}-{round_.pk}"


def _open_proposal(round_: Round) -> Proposal | None:
    open_job = jobs.open_job(proposal_key(round_))
    return Proposal.objects.filter(pk=open_job.arguments["proposal"]).first() if open_job else None


def _require_ready(event: Event, number: int) -> None:
    if event.state in OVER:
        raise Refused(_("This event is over. Set it live again before a further round."))
    if event.is_round_robin:
        return
    earlier = event.rounds.filter(number__lt=number)
    pending = Pairing.objects.filter(round=OuterRef("pk"), kind=Kind.PENDING, delayed="")
    if draft := earlier.filter(state=Round.State.DRAFT).order_by("number").first():
        raise unpublished(draft.number)
    if gap := earlier.filter(Exists(pending)).order_by("number").first():
        tables = gap.pairings.filter(kind=Kind.PENDING, delayed="").values_list("table", flat=True)
        where = {"round": str(gap.number), "tables": ", ".join(map(str, tables))}
        raise Refused(
            _(
                "Results of round %(round)s are missing at table %(tables)s. Enter them first, ? if a "
                "result is unknown, or p if a game is postponed."
            )
            % where
        )


def _set_draw_defaults(event: Event, by: User) -> None:
    reasons = []
    if not event.initial_colour and not event.is_round_robin:
        event.initial_colour = secrets.choice(Colour.values)
        reasons.append(_("The colour of number 1 in the first round was drawn by lot."))
    if event.acceleration and event.accelerated_to is None:
        # Late entries must not move the boundary (C.04.7, 1.2).
        event.accelerated_to = last_accelerated(list(event.competitors.values_list("number", flat=True)))
        reasons.append(_("The boundary of the accelerated group was saved."))
    if event.is_team and event.discipline == "chess" and not (event.team_colours or event.is_round_robin):
        # Reports name the rules by which an event was paired.
        event.team_colours = TeamColours.TYPE_A.value
        reasons.append(_("No colour rule was chosen, so FIDE's type A is used."))
    if reasons:
        save(event, by, " ".join(reasons))


def _create_proposal(round_: Round, by: User, method: Method, only: Collection[int] | None) -> Proposal:
    task = task_of(round_, method, only)
    options = asdict(task)
    report = options.pop("report")
    proposal = Proposal.objects.create(
        round=round_,
        engine="gacrux" if method.is_fide else method.value,
        options=options,
        competitors=list(round_.event.competitors.order_by("number").values_list("pk", flat=True)),
        input=report,
        sha256=task_checksum(task),
        draft=draft_of(round_),
        by=name_of_user(by),
        user=by,
    )
    jobs.ask(
        Job(
            kind=Job.Kind.PROPOSAL,
            key=proposal_key(round_),
            arguments={"proposal": proposal.pk, "event": round_.event.pk, "round": round_.number},
            user=by,
            turn=jobs.Turn.ASKED,
        )
    )
    return proposal


def task_of(round_: Round, method: Method, only: Collection[int] | None = None) -> PairingTask:
    """Return the input of the engine: participants of the round, and the report of earlier rounds."""
    event, number = round_.event, round_.number
    fixed = [row for row in round_.pairings.select_related("first", "second") if _is_fixed(row)]
    absent = {*rounds_off(event, number), *(each for row in fixed for each in seats_at(row).numbers)}
    document = stored(event).document
    numbers = document.pairing_numbers()
    if only is not None:
        absent |= numbers.keys() - set(only)
    if len(numbers) - len(absent) < 1:
        raise Refused(_("There are no players to pair. Check the attendance and the locked pairings."))
    is_read = method not in {Method.BERGER, Method.DOUBLE_BERGER}
    return PairingTask(
        report=report_before(document, number, absent) if is_read else "",
        round=number,
        method=method,
        absent=sorted(numbers[each] for each in absent),
        numbers=list(numbers.values()),
        colour=event.initial_colour[:1] or "w",
        game_scores=game_scores(event),
        start_numbers=start_numbers(numbers),
        provisional=delayed_games(document, number),
    )


def game_scores(event: Event) -> bool:
    system = SYSTEMS.get(event.system)
    return event.is_team and ((system and system.primary) or event.primary or "match") == "game"


def report_before(document: Document, number: int, absent: Collection[int]) -> str:
    """Return the input of an engine before round `number`, by pairing number, without overrides and logs.

    `absent` are the start numbers of the competitors that the engine must not pair. Postponed and adjourned
    games count as the setting says.
    """
    document = with_provisional(document, delayed_games(document, number))
    numbers = document.pairing_numbers()
    off = (
        PairingEntry(table=at, first=each, kind="zero-bye")
        for at, each in enumerate(sorted(absent, key=numbers.__getitem__), start=1)
    )
    rounds = [replace(each, state="closed") for each in document.rounds if each.number < number]
    rounds.append(RoundEntry(number=number, state="published", pairings=tuple(off)))
    event = replace(document.event, state="live", planned_rounds=max(document.event.planned_rounds, number))
    document = by_pairing_number(replace(document, event=event, rounds=tuple(rounds)), numbers)
    return write_records(with_stand_ins(document))


def _is_fixed(row: Pairing) -> bool:
    return row.locked or (row.kind in ALONE and row.kind != Kind.BYE)


def draft_of(round_: Round) -> str:
    """Return a checksum of the pairings and absences of a round, to detect changes to the draft."""
    rows = round_.pairings.order_by("pk").values_list("pk", "version", "table", "first", "second")
    fixed = [row.pk for row in round_.pairings.order_by("pk") if _is_fixed(row)]
    off = sorted(rounds_off(round_.event, round_.number))
    return sha256(repr((round_.state, list(rows), fixed, off)).encode()).hexdigest()


def task_checksum(task: PairingTask) -> str:
    values = asdict(task)
    for name in ("start_numbers", "provisional"):
        if not values[name]:
            del values[name]  # as in proposals of releases that had none
    return sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


# --- computation ------------------------------------------------------------------------------------------


def make_proposal(
    proposal: Proposal,
    by: User,
    tell: Progress = ignore_progress,
    confirm: Callable[[], None] = lambda: None,
) -> Proposal:
    """Run the engine and write the pairs into the draft, in a transaction with `confirm`.

    `problem` is set if the engine fails. If the draft has changed since the request, it is not touched and
    only the proposal stores the pairs.
    """
    try:
        result = make_pairs(stored_task(proposal), tell)
    except EngineError as fault:
        proposal.problem = problem_text(fault)
        proposal.seconds = (timezone.now() - proposal.at).total_seconds()
        with transaction.atomic():
            confirm()
            proposal.save(update_fields=["problem", "seconds"])
        return proposal
    proposal.version, proposal.seconds = result.version[:40], result.seconds
    with lock_event(proposal.round.event) as event:
        confirm()
        round_ = locked_round(event, proposal.round)
        if round_.is_draft and draft_of(round_) == proposal.draft:
            tables = _replace_pairings(round_, stored_task(proposal), result.pairs, by)
            _store_basis(round_, proposal, by)
            proposal.applied = timezone.now()
        else:
            tables = list(range(1, len(result.pairs) + 1))
            proposal.problem = _(
                "The round was changed while its pairings were made, so it stays as it is. Propose again."
            )
        proposal.pairs = [
            {**asdict(pair), "table": table} for table, pair in zip(tables, result.pairs, strict=True)
        ]
        proposal.save(update_fields=["pairs", "version", "seconds", "applied", "problem"])
    return proposal


def stored_task(proposal: Proposal) -> PairingTask:
    return PairingTask(**proposal.options, report=proposal.input)


def is_reproducible(proposal: Proposal) -> bool:
    """Return whether the engine computes the same pairs again. Raise EngineError if it computes no pairs.

    Another version of an engine may compute other pairs, just as another engine may.
    """
    task = stored_task(proposal)
    if task_checksum(task) != proposal.sha256:
        return False
    return [*make_pairs(task).pairs] == [pair_of(each) for each in proposal.pairs]


def pair_of(data: Mapping[str, Any]) -> ProposedPair:
    return ProposedPair(**{name: value for name, value in data.items() if name != "table"})


def problem_text(fault: EngineError) -> str:
    texts = {
        NO_PAIRING: _(
            "The rules allow no further pairings of this round: too many players have already met. Pair "
            "some by hand, lock them, and propose the rest; or remove forbidden pairings. (%(text)s)"
        ),
        BAD_REPORT: _("The engine rejects the recorded data: %(text)s"),
        TIMED_OUT: _(
            "The engine took longer than it may, so the round stays as it was. Try again, or pair by hand."
        ),
        OUT_OF_MEMORY: _("The engine needed more memory than it may have, so the round stays as it was."),
        NOT_THERE: _("The engine cannot be run here: %(text)s"),
    }
    default = _("The engine broke off, so the round stays as it was. (%(text)s)")
    return texts.get(fault.reason, default) % {"text": str(fault)[-500:] or "-"}


def _replace_pairings(round_: Round, task: PairingTask, pairs: Sequence[ProposedPair], by: User) -> list[int]:
    event = round_.event
    rows = list(round_.pairings.select_related("first", "second"))
    off = rounds_off(event, round_.number).keys()
    not_paired = {task.start_number(each) for each in task.absent}
    seats = [(row, {*seats_at(row).numbers}) for row in rows]
    # A pairing stays if the engine was to leave it out, but not if its players have the round off.
    fixed = [row for row, sides in seats if _is_fixed(row) or (sides <= not_paired and not sides <= off)]
    for row in rows:
        if row not in fixed:
            remove_row(row, by)
    members: dict[int, Competitor] = {each.number: each for each in event.competitors.all()}
    taken_tables = {row.table for row in fixed}
    free_tables = (table for table in count(1) if table not in taken_tables)
    added = []
    for pair, table in zip(pairs, free_tables, strict=False):
        row = Pairing(round=round_, table=table, first=members[pair.white], kind=Kind.PENDING)
        if pair.black is None:
            round_off(event, row, Kind.BYE)
        else:
            row.second = members[pair.black]
        added.append(row)
    add_all(added, by)
    use_fixed_tables(round_, by)
    tables = dict(round_.pairings.values_list("first__number", "table"))
    return [tables[pair.white] for pair in pairs]


def toggle_applied(round_: Round, key: int) -> None:
    """Record that an undo took the pairs of a proposal out of the draft, or put them back."""
    for proposal in round_.proposals.filter(pk=key):
        proposal.applied = None if proposal.applied else timezone.now()
        proposal.save(update_fields=["applied"])


def _store_basis(round_: Round, proposal: Proposal, by: User) -> None:
    """Store the provisional results, and the pairing numbers if they have changed since the request."""
    then = dict(zip(proposal.competitors or (), proposal.options["numbers"], strict=False))
    changed = {
        str(each.number): then[each.pk]
        for each in round_.event.competitors.all()
        if then.get(each.pk, each.paired_as) != each.paired_as
    }
    provisional = list(proposal.options.get("provisional", ()))
    if (changed, provisional) != (round_.pairing_numbers, round_.provisional_results):
        round_.pairing_numbers, round_.provisional_results = changed, provisional
        save(round_, by)


# --- comparison with the round ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Departure:
    """A pairing that differs from the proposal.

    `numbers`: the competitors at the table now, White first. `proposed`: the proposed pair of the first of
    them whose pair differs, or None if there was none.
    """

    table: int
    numbers: tuple[int, ...]
    proposed: tuple[int, ...] | None


def applied_proposals(round_: Round) -> list[Proposal]:
    """Return the applied proposals, newest first, in a single query."""
    return list(round_.proposals.filter(applied__isnull=False).defer("input"))


def proposed_by_number(proposals: Iterable[Proposal]) -> dict[int, ProposedPair]:
    """Return the last proposed pair of each competitor. `proposals` are ordered newest first.

    A locked pairing is missing from later proposals, so its earlier proposal counts.
    """
    proposed: dict[int, ProposedPair] = {}
    for proposal in proposals:
        pairs = [pair_of(each) for each in proposal.pairs]
        by_number = {number: pair for pair in pairs for number in pair.numbers}
        proposed = by_number | proposed
    return proposed


def departures(round_: Round) -> list[Departure]:
    """Return the pairings that are marked with `*` because they differ from the last proposal, by table.

    Only in systems whose pairing rules the engine implements (FIDE's). Never in draughts, where a proposal
    is not binding. Two queries. Byes and absences other than the pairing-allocated bye are ignored, because
    these competitors were not to be paired.
    """
    event = round_.event
    if is_only_a_help(event) or method_of(event) not in OWN_RULES.get(event.system, ()):
        return []
    by_number = proposed_by_number(applied_proposals(round_))
    if not by_number:
        return []
    proposed = {number: pair.numbers for number, pair in by_number.items()}
    found = []
    for row in round_.pairings.select_related("first", "second").order_by("table"):
        if row.kind in ALONE and row.kind != Kind.BYE:
            continue
        seats = seats_at(row).numbers
        if any(proposed.get(number) != seats for number in seats):
            proposed_pair = next(
                (proposed[each] for each in seats if proposed.get(each, seats) != seats), None
            )
            found.append(Departure(row.table, seats, proposed_pair))
    return found
