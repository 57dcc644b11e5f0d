"""Proposals of pairings: asked for, made by an engine in a process of its own, taken over or told as failed.

Who asks writes a row and a job; the worker has the engine make the pairs, and takes them over into a draft
that nobody has changed meanwhile (ADR 0023).
"""

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from standings.engine import SYSTEMS
from tournaments import jobs
from tournaments.event.choices import ALONE, OVER, Colour, Kind, TeamColours
from tournaments.event.document import Document, PairingEntry, RoundEntry
from tournaments.event.pairingsettings import last_accelerated
from tournaments.formats.trf.writing import write_records
from tournaments.models import Competitor, Event, Job, Pairing, Proposal, Round
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
from tournaments.pairing.process import Limits, make_pairs, nothing
from tournaments.recording.attendance import rounds_off
from tournaments.recording.pairings import round_off
from tournaments.recording.refusal import Refused, refuse_without_results
from tournaments.recording.rounds import next_round, open_round
from tournaments.recording.standins import with_stand_ins
from tournaments.recording.turns import add_all, in_turn, locked, name_of, remove_all, save, saving
from tournaments.stored import stored

_TYPES = {
    TeamColours.TYPE_A: Method.TEAM_A,
    TeamColours.TYPE_B: Method.TEAM_B,
    TeamColours.NONE: Method.TEAM,
    "": Method.TEAM_A,
}

OWN_RULES: Mapping[str, frozenset[Method]] = {
    "fide-swiss": frozenset({Method.DUTCH}),
    "fide-team-swiss": frozenset({Method.TEAM_A, Method.TEAM_B, Method.TEAM}),
}
"""The ranking systems whose own rules of pairing an engine implements, and which methods those are."""


def limits() -> Limits:
    """Return what an engine may take here."""
    return Limits(settings.PAIRING_SECONDS, settings.PAIRING_MEGABYTES, settings.PAIRING_COMMAND)


def method_of(event: Event, engine: str = "") -> Method:
    """Return the rules by which an event is paired; `engine` may ask for the configured command."""
    if engine == Method.COMMAND and settings.PAIRING_COMMAND:
        return Method.COMMAND
    if event.is_round_robin:
        is_double = event.schedule == Event.Schedule.DOUBLE_ROUND_ROBIN
        return Method.DOUBLE_BERGER if is_double else Method.BERGER
    return _TYPES[event.team_colours] if event.is_team else Method.DUTCH


def is_only_a_help(event: Event) -> bool:
    """Say whether the rules that an engine knows are not those of the event: FMJD has published none."""
    return event.discipline != "chess" and not event.is_round_robin


def help_text(event: Event, proposal: Proposal) -> str:
    """Return what a proposal for draughts is, in a sentence; blank for any other."""
    if not is_only_a_help(event) or proposal.options.get("method") == Method.COMMAND:
        return ""
    return _("By FIDE's rules: a proposal; FMJD's own rules are not published as a program.")


# --- asked for --------------------------------------------------------------------------------------------


def ask_for_proposal(event: Event, by: User, number: int | None = None, engine: str = "") -> Proposal:
    """Ask for the pairings of a round; the one that is being made already where there is one.

    Without a number it is the first round that is a draft, else the next one. The next round is opened where
    it is not there, and a backup kept before it. Refused where the round is not a draft, and while results of
    earlier rounds are missing.
    """
    with saving():
        wanted = number or _first_draft(event) or next_round(event)
        if not event.rounds.filter(number=wanted).exists():
            _refuse_unready(event, wanted)
            open_round(event, by, meant=wanted)
        with in_turn(event) as now:
            round_ = locked(now.rounds.filter(number=wanted))
            round_.event = now
            if found := _being_made(round_):
                return found
            if not round_.is_draft:
                values = {"round": wanted}
                raise Refused(_("The pairings of round %(round)s are published already.") % values)
            _refuse_unready(now, wanted)
            if wanted == 1:
                _settle_the_draw(now, by)
            return _asked(round_, by, method_of(now, engine))


def _first_draft(event: Event) -> int | None:
    drafts = event.rounds.filter(state=Round.State.DRAFT).order_by("number")
    return drafts.values_list("number", flat=True).first()


def key_of(round_: Round) -> str:
    """Return the key of the jobs that make the proposals of a round."""
    return f"{Job.Kind.PROPOSAL}-{round_.pk}"


def _being_made(round_: Round) -> Proposal | None:
    open_job = jobs.open_job(key_of(round_))
    return Proposal.objects.filter(pk=open_job.arguments["proposal"]).first() if open_job else None


def _refuse_unready(event: Event, number: int) -> None:
    """Raise Refused while the pairings of a round cannot follow from the results before it."""
    refuse_without_results(event)
    if event.state in OVER:
        raise Refused(_("This event is over. Set it live again before a further round."))
    if event.is_round_robin:
        return
    earlier = event.rounds.filter(number__lt=number)
    pending = Pairing.objects.filter(round=OuterRef("pk"), kind=Kind.PENDING)
    if draft := earlier.filter(state=Round.State.DRAFT).order_by("number").first():
        values = {"round": draft.number}
        raise Refused(
            _("The pairings of round %(round)s are not published yet. Publish them first.") % values
        )
    if gap := earlier.filter(Exists(pending)).order_by("number").first():
        tables = gap.pairings.filter(kind=Kind.PENDING).values_list("table", flat=True)
        where = {"round": str(gap.number), "tables": ", ".join(map(str, tables))}
        raise Refused(
            _(
                "Results of round %(round)s are missing at table %(tables)s."
                " Type them first, or ? where nobody knows."
            )
            % where
        )


def _settle_the_draw(event: Event, by: User) -> None:
    """Settle what nobody has: the colour of number 1, who is accelerated, how teams get colours."""
    reasons = []
    if not event.initial_colour and not event.is_round_robin:
        event.initial_colour = secrets.choice(Colour.values)
        reasons.append(_("The colour of number 1 in the first round was drawn by lot."))
    if event.acceleration and event.accelerated_to is None:
        # Who enters late must not move the boundary (C.04.7, 1.2).
        event.accelerated_to = last_accelerated(list(event.competitors.values_list("number", flat=True)))
        reasons.append(_("Who is accelerated was noted."))
    if event.is_team and event.discipline == "chess" and not (event.team_colours or event.is_round_robin):
        # Reports name the rules by which an event was paired.
        event.team_colours = TeamColours.TYPE_A.value
        reasons.append(_("Nobody chose how colours are given, so it is FIDE's type A."))
    if reasons:
        save(event, by, " ".join(reasons))


def _asked(round_: Round, by: User, method: Method) -> Proposal:
    task = task_of(round_, method)
    options = asdict(task)
    report = options.pop("report")
    proposal = Proposal.objects.create(
        round=round_,
        engine="gacrux" if method.is_fide else method.value,
        options=options,
        competitors=list(round_.event.competitors.order_by("number").values_list("pk", flat=True)),
        input=report,
        sha256=checksum_of(task),
        draft=draft_of(round_),
        by=name_of(by),
        user=by,
    )
    jobs.ask(
        Job(
            kind=Job.Kind.PROPOSAL,
            key=key_of(round_),
            arguments={"proposal": proposal.pk, "event": round_.event.pk, "round": round_.number},
            user=by,
            turn=jobs.Turn.ASKED,
        )
    )
    return proposal


def task_of(round_: Round, method: Method) -> PairingTask:
    """Return what an engine is asked of a round: who plays in it, and all that happened before it."""
    event, number = round_.event, round_.number
    absent = sorted({*rounds_off(event, number), *_seated(round_)})
    numbers = sorted(event.competitors.values_list("number", flat=True))
    if len(numbers) - len(absent) < 1:
        raise Refused(
            _("Nobody is there to be paired. Look at the attendance, and at the pairings that are locked.")
        )
    document = with_stand_ins(report_before(stored(event).document, number, absent))
    is_read = method not in {Method.BERGER, Method.DOUBLE_BERGER}
    return PairingTask(
        report=write_records(document) if is_read else "",
        round=number,
        method=method,
        absent=absent,
        numbers=numbers,
        colour=event.initial_colour[:1] or "w",
        game_scores=game_scores(event),
    )


def game_scores(event: Event) -> bool:
    """Say whether game points of a team come before its match points."""
    system = SYSTEMS.get(event.system)
    return event.is_team and ((system and system.primary) or event.primary or "match") == "game"


def report_before(document: Document, number: int, absent: Sequence[int]) -> Document:
    """Return the document as an engine is told it before a round: rulings are none of its business.

    `absent` are the numbers of those who have the round off, as far as the engine goes.
    """
    off = (PairingEntry(table=at, first=each, kind="zero-bye") for at, each in enumerate(absent, start=1))
    rounds = [replace(each, state="closed") for each in document.rounds if each.number < number]
    rounds.append(RoundEntry(number=number, state="published", pairings=tuple(off)))
    event = replace(document.event, state="live", planned_rounds=max(document.event.planned_rounds, number))
    return replace(
        document,
        event=event,
        rounds=tuple(rounds),
        overrides=(),
        changes=(),
        acknowledged=(),
        published=None,
    )


def _kept(row: Pairing) -> bool:
    """Say whether a proposal leaves a pairing of a draft: it is locked, or a round off that was given."""
    return row.locked or (row.kind in ALONE and row.kind != Kind.BYE)


def _seated(round_: Round) -> set[int]:
    """Return the numbers of those who sit at pairings that a proposal leaves."""
    rows = round_.pairings.select_related("first", "second")
    return {side.number for row in rows if _kept(row) for side in (row.first, row.second) if side}


def draft_of(round_: Round) -> str:
    """Return a checksum of the pairings of a round and who has it off; changed by whatever changes them."""
    rows = round_.pairings.order_by("pk").values_list("pk", "version", "table", "first", "second")
    kept = [row.pk for row in round_.pairings.order_by("pk") if _kept(row)]
    off = sorted(rounds_off(round_.event, round_.number))
    return sha256(repr((round_.state, list(rows), kept, off)).encode()).hexdigest()


def checksum_of(task: PairingTask) -> str:
    """Return the checksum of all that an engine is told."""
    return sha256(json.dumps(asdict(task), sort_keys=True).encode()).hexdigest()


# --- made -------------------------------------------------------------------------------------------------


def make_proposal(proposal: Proposal, by: User, tell: Progress = nothing) -> Proposal:
    """Have the engine make the pairs, and take them over; what fails is told by `problem`, in words.

    A round that was changed meanwhile stays as it is, and the pairs are kept beside it.
    """
    try:
        made = make_pairs(task_again(proposal), limits(), tell)
    except EngineError as fault:
        proposal.problem = problem_text(fault)
        proposal.seconds = (timezone.now() - proposal.at).total_seconds()
        proposal.save(update_fields=["problem", "seconds"])
        return proposal
    proposal.version, proposal.seconds = made.version[:40], made.seconds
    with in_turn(proposal.round.event) as event:
        round_ = locked(Round.objects.filter(pk=proposal.round_id))
        round_.event = event
        if round_.is_draft and draft_of(round_) == proposal.draft:
            tables = _take_over(round_, made.pairs, by)
            proposal.applied = timezone.now()
        else:
            tables = list(range(1, len(made.pairs) + 1))
            proposal.problem = _(
                "The round was changed while its pairings were made, so it stays as it is. Propose again."
            )
        proposal.pairs = [
            {**pair.plain(), "table": table} for table, pair in zip(tables, made.pairs, strict=True)
        ]
        proposal.save(update_fields=["pairs", "version", "seconds", "applied", "problem"])
    return proposal


def task_again(proposal: Proposal) -> PairingTask:
    """Return what the engine was asked."""
    return PairingTask.of({**proposal.options, "report": proposal.input})


def made_again(proposal: Proposal) -> bool:
    """Say whether the engine makes the same pairs again; raise EngineError where it makes none.

    Of another version of an engine nothing else can be expected than of another engine.
    """
    task = task_again(proposal)
    if checksum_of(task) != proposal.sha256:
        return False
    return [each.plain() for each in make_pairs(task, limits()).pairs] == [
        pair_of(each).plain() for each in proposal.pairs
    ]


def pair_of(data: Mapping[str, Any]) -> ProposedPair:
    """Return a pair as a proposal keeps it, without its table."""
    return ProposedPair.of({name: value for name, value in data.items() if name != "table"})


def problem_text(fault: EngineError) -> str:
    """Return why an engine made no pairs, and what to do."""
    texts = {
        NO_PAIRING: _(
            "The rules allow no pairing of this round any more: too many have met each other. Pair some by"
            " hand, lock them, and propose the rest; or take forbidden pairs out. (%(text)s)"
        ),
        BAD_REPORT: _("The engine does not take what is recorded: %(text)s"),
        TIMED_OUT: _(
            "The engine took longer than it may, so the round stays as it was. Try again, or pair by hand."
        ),
        OUT_OF_MEMORY: _("The engine needed more memory than it may have, so the round stays as it was."),
        NOT_THERE: _("The engine cannot be run here: %(text)s"),
    }
    otherwise = _("The engine broke off, so the round stays as it was. (%(text)s)")
    return texts.get(fault.reason, otherwise) % {"text": str(fault)[-500:] or "-"}


def _take_over(round_: Round, pairs: Sequence[ProposedPair], by: User) -> list[int]:
    """Replace the pairings of a draft, but for those that are kept, and return the tables of the new ones."""
    event = round_.event
    rows = list(round_.pairings.select_related("first", "second"))
    kept = [row for row in rows if _kept(row)]
    remove_all([row for row in rows if row not in kept], by)
    members: dict[int, Competitor] = {each.number: each for each in event.competitors.all()}
    taken = {row.table for row in kept}
    free = (
        table for table in range(1, len(pairs) + len(kept) + max(taken, default=0) + 1) if table not in taken
    )
    added = []
    for pair, table in zip(pairs, free, strict=False):
        row = Pairing(round=round_, table=table, first=members[pair.white], kind=Kind.PENDING)
        if pair.black is None:
            round_off(event, row, Kind.BYE)
        else:
            row.second = members[pair.black]
        added.append(row)
    add_all(added, by)
    return [row.table for row in added]


# --- what became of it ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Departure:
    """A pairing that is another than was proposed for one who sits there.

    `numbers` are those who sit there now, White first; `proposed` is what the engine had for the first of
    them whom it had elsewhere, None where it had nothing.
    """

    table: int
    numbers: tuple[int, ...]
    proposed: tuple[int, ...] | None


def applied_proposals(round_: Round) -> list[Proposal]:
    """Return the proposals that were taken over, the last one first; one query."""
    return list(round_.proposals.filter(applied__isnull=False).defer("input"))


def proposed_by_number(proposals: Iterable[Proposal]) -> dict[int, ProposedPair]:
    """Return the pair proposed last for each competitor; the proposals of a round come last one first.

    A pair that is locked is not in the proposals after it, and is what it was proposed as before.
    """
    proposed: dict[int, ProposedPair] = {}
    for proposal in proposals:
        pairs = [pair_of(each) for each in proposal.pairs]
        named = {number: pair for pair in pairs for number in pair.numbers}
        proposed = named | proposed
    return proposed


def changed_from_proposal(round_: Round) -> list[Departure]:
    """Return the pairings that depart from what was proposed last, by table; none without a proposal.

    Two queries. Who has the round off departs from nothing, and was not there to be paired.
    """
    named = proposed_by_number(applied_proposals(round_))
    if not named:
        return []
    proposed = {number: pair.numbers for number, pair in named.items()}
    departures = []
    for row in round_.pairings.select_related("first", "second").order_by("table"):
        if row.kind in ALONE and row.kind != Kind.BYE:
            continue
        seats = (row.first.number,) if row.second is None else (row.first.number, row.second.number)
        if any(proposed.get(number) != seats for number in seats):
            was = next((proposed[each] for each in seats if proposed.get(each, seats) != seats), None)
            departures.append(Departure(row.table, seats, was))
    return departures


def departures(round_: Round) -> list[Departure]:
    """Return the pairings that carry a `*` because they depart from the proposal.

    They do in a system whose own rules of pairing the engine has: FIDE's, whose list of criteria is open, but
    whose pairings are not. Never in draughts: what was only a help binds nobody.
    """
    event = round_.event
    if is_only_a_help(event) or method_of(event) not in OWN_RULES.get(event.system, ()):
        return []
    return changed_from_proposal(round_)
