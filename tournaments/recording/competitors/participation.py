"""Requested byes, withdrawals, returns and late entries.

Each function returns sentences for the user about its effects.
"""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db.models import F, Max, Q, QuerySet
from django.utils.translation import gettext as _

from standings.engine import Crosstable
from tournaments.crosstable import crosstable_of, entries_of
from tournaments.event.arrays import CompetitorInfo
from tournaments.event.choices import DECIDED, OVER, REQUESTED, Kind
from tournaments.event.finding import errors
from tournaments.models import Competitor, Event, Pairing, Round
from tournaments.models.pairing import decided_by_withdrawal
from tournaments.people.services.linking import link_entries
from tournaments.recording.competitors.checks import new_findings, next_number
from tournaments.recording.competitors.start_numbers import number_late_entries
from tournaments.recording.locking import add, lock_event, lock_row, name_of_user, save
from tournaments.recording.refusal import Refused


def next_to_pair(event: Event) -> int:
    """Return the first round without published pairings, at most the last planned round. A single query."""
    published = event.rounds.exclude(state=Round.State.DRAFT).aggregate(Max("number"))["number__max"] or 0
    return min(published + 1, event.planned_rounds)


def last_played(competitor: Competitor) -> int:
    """Return the last round in which a competitor has a result against an opponent, 0 if there is none."""
    decided = _pairings_of(competitor).filter(kind__in=DECIDED)
    return decided.aggregate(Max("round__number"))["round__number__max"] or 0


def why_no_bye(event: Event, competitor: Competitor, number: int, kind: str) -> str:
    """Return a sentence why a competitor may not have such a bye. Blank if allowed."""
    values = {
        "name": competitor.name,
        "round": number,
        "most": event.half_byes,
        "last": event.half_byes_until,
    }
    if kind not in REQUESTED:
        return _("A requested bye gives half a point or no points.")
    if not 1 <= number <= event.planned_rounds:
        return _("This event has no round %(round)s.") % values
    if competitor.withdrawn_after is not None and competitor.withdrawn_after < number:
        return _("%(name)s has withdrawn before round %(round)s.") % values
    if kind != Kind.HALF_BYE:
        return ""
    if event.half_byes_until is not None and number > event.half_byes_until:
        return _("Half-point byes are allowed until round %(last)s. Choose a zero-point bye.") % values
    others = [each for at, each in competitor.requested_byes.items() if at != str(number)]
    if event.half_byes is not None and others.count(Kind.HALF_BYE) >= event.half_byes:
        return (
            _(
                "%(name)s has already used all half-point byes (%(most)s in this event). Choose a "
                "zero-point bye."
            )
            % values
        )
    return ""


def request_bye(competitor: Competitor, number: int, kind: str, seen: int, by: User) -> list[str]:
    """Store a requested bye, or remove it if `kind` is blank.

    Raise Refused if the round is published or the event does not allow the bye, Conflict if the competitor
    has changed.
    """
    with lock_event(competitor.event) as event:
        row = _lock_competitor(event, competitor, seen)
        if event.rounds.filter(number=number).exclude(state=Round.State.DRAFT).exists():
            raise Refused(
                _("The pairings of round %(round)s are published. Change the pairing itself.")
                % {"round": number}
            )
        if kind and (refusal := why_no_bye(event, row, number, kind)):
            raise Refused(refusal)
        byes = {at: each for at, each in row.requested_byes.items() if at != str(number)}
        row.requested_byes = {**byes, str(number): kind} if kind else byes
        save(row, by)
        values = {"name": row.name, "round": number, "kind": Kind(kind).label if kind else ""}
        if not kind:
            return [_("%(name)s plays in round %(round)s.") % values, *_draft_texts(row, {number})]
        text = _("%(name)s has a %(kind)s in round %(round)s and is not paired in it.") % values
        return [text, *_draft_texts(row, {number})]


def withdraw_competitor(competitor: Competitor, after: int, seen: int, by: User) -> list[str]:
    """Withdraw a competitor after a round (0: before the first) and remove later requested byes.

    Raise Refused if a later round has a result or the round does not exist, Conflict if the competitor has
    changed.
    """
    with lock_event(competitor.event) as event:
        row = _lock_competitor(event, competitor, seen)
        values = {"name": row.name, "round": after, "next": after + 1, "last": event.planned_rounds}
        if not 0 <= after < event.planned_rounds:
            raise Refused(_("There is no round after round %(round)s to withdraw from.") % values)
        if refusal := why_no_return(row, after):
            raise Refused(refusal)
        if (last := last_played(row)) > after:
            raise Refused(
                _("%(name)s has a result in round %(last)s: withdraw them after that round.")
                % (values | {"last": last})
            )
        row.withdrawn_after = after
        row.requested_byes = {at: kind for at, kind in row.requested_byes.items() if int(at) <= after}
        save(row, by)
        text = _("%(name)s has withdrawn and is not paired in rounds %(next)s to %(last)s.") % values
        if event.is_round_robin:
            text = _("%(name)s has withdrawn after round %(round)s.") % values
        elif after + 1 == event.planned_rounds:
            text = _("%(name)s has withdrawn and is not paired in round %(next)s, the last.") % values
        later = set() if event.is_round_robin else set(range(after + 1, event.planned_rounds + 1))
        return [
            text,
            *_draft_texts(row, later),
            *_published_texts(row, after),
            *withdrawal_effect(event, row, after),
        ]


def why_no_return(competitor: Competitor, after: int | None) -> str:
    """Return a sentence why a withdrawal may not end, or move to after the round `after`. Blank if it may."""
    last = competitor.event.planned_rounds if after is None else after
    number = F("round__number")
    found = _pairings_of(competitor).filter(decided_by_withdrawal(), round__number__lte=last)
    # Games against opponents who have withdrawn too still need no result.
    found = found.exclude(~Q(first=competitor), first__withdrawn_after__lt=number)
    found = found.exclude(~Q(second=competitor), second__withdrawn_after__lt=number)
    closed = found.filter(round__state=Round.State.CLOSED).order_by("round__number")
    rounds = ", ".join(map(str, closed.values_list("round__number", flat=True)))
    text = _("The games of %(name)s would need results. Open these closed rounds again first: %(rounds)s.")
    return text % {"name": competitor.name, "rounds": rounds} if rounds else ""


def come_back(competitor: Competitor, seen: int, by: User) -> list[str]:
    """End a withdrawal; missed rounds give no points. Raise Refused if `why_no_return`, or Conflict."""
    with lock_event(competitor.event) as event:
        row = _lock_competitor(event, competitor, seen)
        if row.withdrawn_after is None:
            raise Refused(_("%(name)s has not withdrawn.") % {"name": row.name})
        if refusal := why_no_return(row, None):
            raise Refused(refusal)
        missed, first = row.withdrawn_after, next_to_pair(event)
        row.withdrawn_after = None
        save(row, by)
        if event.is_round_robin:
            text = _("%(name)s is back. The games after round %(round)s need results again.")
            return [text % {"name": row.name, "round": missed}]
        text = _("%(name)s is back, and is paired from round %(round)s on.") % {
            "name": row.name,
            "round": first,
        }
        return [text, *_missed_texts(range(missed + 1, first))]


def enter_late(event: Event, first_round: int, by: User, **known: Any) -> tuple[Competitor, list[str]]:
    """Enter a late competitor with the next number. Earlier rounds give no points.

    Published rounds stay unchanged; for drafts a zero-point bye is requested. Raise Refused if the
    checks find an error or the round is published.
    """
    with lock_event(event) as now:
        first = next_to_pair(now)
        if now.state in OVER or not first <= first_round <= now.planned_rounds:
            bounds = {"first": first, "last": now.planned_rounds}
            raise Refused(
                _("Choose a round from %(first)s to %(last)s: earlier ones are published.") % bounds
            )
        byes = {str(number): Kind.ZERO_BYE.value for number in range(first, first_round)}
        values: dict[str, Any] = {"number": next_number(now), "requested_byes": byes, **known}
        if faults := errors(new_findings(now, None, values)):
            raise Refused(faults[0].message)
        row = Competitor(event=now, **values)
        try:
            row.full_clean()
        except ValidationError as fault:
            raise Refused(" ".join(fault.messages)) from fault
        add(row, by)
        number_late_entries(now, [row], by)
        link_entries(now, name_of_user(by))
        text = _("%(name)s is number %(number)s, and is paired from round %(round)s on.") % {
            "name": row.name,
            "number": row.number,
            "round": first_round,
        }
        if row.pairing_number:
            text += " " + _("The pairing number is %(number)s.") % {"number": row.pairing_number}
        effects = [text, *_missed_texts(range(1, first_round))]
        if Pairing.objects.filter(round__event=now, round__number=first_round).exists():
            effects.append(_("Round %(round)s is paired already: pair it again.") % {"round": first_round})
        return row, effects


def _lock_competitor(event: Event, competitor: Competitor, seen: int) -> Competitor:
    row = lock_row(Competitor, competitor.pk, seen)
    row.event = event
    if event.state in OVER:
        raise Refused(_("This event is over."))
    return row


def _pairings_of(row: Competitor) -> QuerySet[Pairing]:
    return Pairing.objects.filter(Q(first=row) | Q(second=row), second__isnull=False)


def _draft_texts(row: Competitor, numbers: set[int]) -> list[str]:
    found = _pairings_of(row).filter(round__state=Round.State.DRAFT, round__number__in=numbers)
    return _texts_by_table(
        found, _("The draft of round %(round)s has them at table %(table)s: pair it again.")
    )


def _published_texts(row: Competitor, after: int) -> list[str]:
    found = _pairings_of(row).filter(kind=Kind.PENDING).exclude(round__state=Round.State.DRAFT)
    if row.event.is_round_robin:  # in a round robin the withdrawal decides the later rounds (rules § 1)
        found = found.filter(round__number__lte=after)
    text = _(
        "Round %(round)s has a pairing without a result at table %(table)s. Enter a result or a "
        "forfeit there first."
    )
    return _texts_by_table(found, text)


def _texts_by_table(found: QuerySet[Pairing], text: str) -> list[str]:
    places = found.order_by("round__number").values_list("round__number", "table")
    return [text % {"round": number, "table": table} for number, table in places]


def withdrawal_effect(event: Event, competitor: Competitor, after: int) -> list[str]:
    """Return a sentence how the results count if the competitor withdraws after a round.

    Empty for a Swiss.
    """
    if not event.is_round_robin:
        return []
    entries = [
        each._replace(withdrawn_after=after) if each.number == competitor.number else each
        for each in entries_of(event)
    ]
    played = _pairings_of(competitor).filter(kind=Kind.PLAYED, round__number__lte=after).count()
    table, annulled = _with_annulled(event, entries)
    values = {"name": competitor.name, "played": played, "games": table.games_each}
    if competitor.number in annulled:
        return [_("With %(played)s of %(games)s games played all results of %(name)s are annulled.") % values]
    return [_("With %(played)s of %(games)s games played the others are lost by forfeit.") % values]


def _with_annulled(event: Event, entries: Sequence[CompetitorInfo]) -> tuple[Crosstable, set[int]]:
    # The rounds up to the last, because the engine ignores a withdrawal after the last round that it has.
    table = crosstable_of(event, entries).with_rounds(event.planned_rounds)
    marked = zip(entries, table.annulled, strict=True)
    return table, {each.number for each, is_annulled in marked if is_annulled}


def texts_of_decided(round_: Round) -> list[str]:
    """Return a sentence for each pairing that a withdrawal from a round robin decides, by table."""
    event = round_.event
    if not event.is_round_robin:
        return []
    rows = list(round_.pairings.filter(decided_by_withdrawal()).select_related("first", "second"))
    annulled = _with_annulled(event, entries_of(event))[1] if rows else set()
    texts = {
        True: _("Table %(table)s: %(first)s against %(second)s, annulled"),
        False: _("Table %(table)s: %(first)s against %(second)s, decided by forfeit"),
    }
    return [
        texts[not annulled.isdisjoint({row.first.number, row.second.number})]
        % {"table": row.table, "first": row.first.name, "second": row.second.name}
        for row in rows
        if row.second
    ]


def _missed_texts(numbers: range) -> list[str]:
    if not numbers:
        return []
    if len(numbers) == 1:
        return [_("Round %(round)s gives no points: a zero-point bye.") % {"round": numbers[0]}]
    values = {"first": numbers[0], "last": numbers[-1]}
    return [_("Rounds %(first)s to %(last)s give no points: zero-point byes.") % values]
