"""Unusual facts about pairings, reported before a pair is made and before a round is published."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations

from django.utils.translation import gettext as _

from tournaments.crosstable import crosstable_of
from tournaments.event.arrays import CompetitorInfo
from tournaments.event.choices import DelayedPoints, Kind, TeamColours
from tournaments.event.numbers import points_text
from tournaments.event.pairingsettings import forbidden_in, virtual_points
from tournaments.models import Competitor, Event, Pairing, Round
from tournaments.pairing.history import PlayHistory, play_histories
from tournaments.recording.competitors.attendance import rounds_off
from tournaments.recording.pairings.by_hand import Seats, competitors_by_number, seats_at, tables_in_order
from tournaments.recording.pairings.pasted_pairings import ROUNDS_OFF, number_and_name
from tournaments.recording.refusal import Refused

MOST_IN_A_ROW, MOST_COLOUR_DIFFERENCE = 2, 2
"""FIDE's Dutch rules, C.04.3: no third game in a row with one colour, no difference of more than two."""

ABSOLUTE = {"rematch", "forbidden", "third-colour", "colour-difference", "double-bye"}
"""Codes of the doubts about pairs that the rules do not allow."""

COLOURED = {"w": "White", "b": "Black"}


@dataclass(frozen=True, slots=True)
class Doubt:
    """An unusual fact. `numbers`: the competitors. `table`: their table, or None."""

    code: str
    table: int | None
    numbers: tuple[int, ...]
    text: str


@dataclass(frozen=True)
class PairingFacts:
    """Data for checking pairs of a round, loaded once in a fixed number of queries."""

    event: Event
    number: int
    members: Mapping[int, Competitor]
    histories: Mapping[int, PlayHistory]
    off: Mapping[int, Kind | None]
    forbidden: set[frozenset[int]]

    def words(self, number: int) -> str:
        return number_and_name(self.members[number])

    def past(self, number: int) -> PlayHistory:
        return self.histories.get(number, PlayHistory())

    @property
    def has_colours(self) -> bool:
        """Return whether colours matter: in a Swiss of players, and of teams if the event has a
        colour rule.
        """
        if self.event.is_round_robin:
            return False
        return not self.event.is_team or self.event.team_colours in {TeamColours.TYPE_A, TeamColours.TYPE_B}


def facts_of(round_: Round, members: Mapping[int, Competitor] | None = None) -> PairingFacts:
    """Load the data for checking pairs of a round.

    Two queries if `members` are given, otherwise three; one more for teams.
    """
    event, number = round_.event, round_.number
    members = competitors_by_number(event) if members is None else members
    past = read_histories(event, number, members.values())
    off = rounds_off(event, number, members.values())
    return PairingFacts(event, number, members, past, off, forbidden_in(event.forbidden_pairs, number))


def find_doubts(
    round_: Round, facts: PairingFacts | None = None, rows: Sequence[Pairing] | None = None
) -> list[Doubt]:
    """Return what is unusual about the pairings of a round, by table, then the unpaired competitors.

    Four queries unless the caller passes the data.
    """
    known = facts or facts_of(round_)
    if rows is None:
        rows = list(round_.pairings.select_related("first", "second").order_by("table"))
    found = [
        Doubt(each.code, row.table, each.numbers, each.text)
        for row in rows
        for each in _pair_doubts(known, seats_at(row))
        # Score differences follow from the score groups, so the engine had a reason.
        if each.code != "score-distance"
    ]
    return [*found, *_table_doubts(rows, round_.is_draft), *_unpaired_doubts(known, rows)]


def doubts_of_pairs(round_: Round, pairs: Sequence[Seats], facts: PairingFacts | None = None) -> list[Doubt]:
    known = facts or facts_of(round_)
    return [each for pair in pairs for each in _pair_doubts(known, pair)]


def is_allowed(known: PairingFacts, pair: Seats) -> bool:
    return all(each.code not in ABSOLUTE for each in _pair_doubts(known, pair))


def can_be_paired(known: PairingFacts, numbers: Sequence[int]) -> bool:
    """Return whether the rules allow pairs of all these competitors. If they are odd, one has the bye."""
    if not numbers:
        return True
    first, *others = numbers
    if len(numbers) % 2:
        rests = ((each, [other for other in numbers if other != each]) for each in numbers)
        return any(
            is_allowed(known, Seats(bye, kind=Kind.BYE)) and can_be_paired(known, rest) for bye, rest in rests
        )
    return any(
        (is_allowed(known, Seats(first, other)) or is_allowed(known, Seats(other, first)))
        and can_be_paired(known, [each for each in others if each != other])
        for other in others
    )


def pairable(known: PairingFacts, rows: Iterable[Pairing], free: Sequence[int]) -> list[int]:
    """Return the free competitors, and the nearest pair or two by score if the rules require more.

    `rows`: the other pairings of the draft, of which locked ones stay. If the free competitors are odd, the
    one with the bye is added. Raise Refused if that is not enough, no unlocked pair would stay, or the bye
    is locked.
    """
    byes = [row for row in rows if len(free) % 2 and row.second is None and row.kind == Kind.BYE]
    if byes and byes[0].locked:
        text = _("%(who)s has the bye, and it is locked. Unlock it first.")
        raise Refused(text % {"who": known.words(byes[0].first.number)})
    found = [*free, *(row.first.number for row in byes)]
    pairs = [(row.first.number, row.second.number) for row in rows if row.second and not row.locked]
    scores = {number: known.past(number).pairing_score for number in known.members}
    pairs.sort(key=lambda pair: sum(min(abs(scores[each] - scores[one]) for one in found) for each in pair))
    # Two of the nearest twenty, to limit the search.
    twos = ([*one, *other] for one, other in combinations(pairs[:20], 2) if len(pairs) > 2)
    for more in chain([()], pairs, twos):
        # Of many competitors there are too many pairings to try.
        if len(found) > 4 or can_be_paired(known, [*found, *more]):
            return [*found, *more]
    raise Refused(_("The rules require new pairings of three tables or more, or of the entire round."))


# --- one pair ---------------------------------------------------------------------------------------------


def _pair_doubts(known: PairingFacts, pair: Seats) -> Iterator[Doubt]:
    first, second, numbers, event = pair.first, pair.second, pair.numbers, known.event
    if any(number not in known.members for number in numbers):
        return
    yield from _withdrawn_doubts(known, numbers)
    past = known.past(first)
    if second is None:
        if pair.kind == Kind.BYE and past.byes and not event.is_round_robin:
            text = _("%(who)s had a bye or a win by forfeit in round %(round)s already.")
            values = {"who": known.words(first), "round": past.byes[0]}
            yield Doubt("double-bye", None, numbers, text % values)
        return
    yield from _absence_doubts(known, numbers)
    names = {"first": known.words(first), "second": known.words(second)}
    if (rounds := past.met.get(second)) and not event.is_round_robin:
        text = _("%(first)s and %(second)s met in round %(rounds)s.")
        yield Doubt("rematch", None, numbers, text % (names | {"rounds": ", ".join(map(str, rounds))}))
    if frozenset(numbers) in known.forbidden:
        text = _("%(first)s and %(second)s must not be paired (event settings).")
        yield Doubt("forbidden", None, numbers, text % names)
    if known.has_colours:
        yield from _colour_doubts(known, first, "w", numbers)
        yield from _colour_doubts(known, second, "b", numbers)
    points = past.pairing_score, known.past(second).pairing_score
    win = event.match_win if event.is_team else event.game_win
    if not event.is_round_robin and abs(points[0] - points[1]) > win:
        text = _("%(first)s has %(more)s points, %(second)s %(less)s.")
        values = {"more": points_text(points[0]), "less": points_text(points[1])}
        yield Doubt("score-distance", None, numbers, text % (names | values))


def _withdrawn_doubts(known: PairingFacts, numbers: Sequence[int]) -> Iterator[Doubt]:
    for number in numbers:
        last = known.members[number].withdrawn_after
        if last is not None and last < known.number:
            text = _("%(who)s withdrew after round %(round)s.") % {"who": known.words(number), "round": last}
            yield Doubt("withdrawn", None, tuple(numbers), text)


def _absence_doubts(known: PairingFacts, numbers: Sequence[int]) -> Iterator[Doubt]:
    for number in numbers:
        kind = known.off.get(number)
        if kind == Kind.ABSENT:
            text = _("%(who)s is marked absent.") % {"who": known.words(number)}
        elif kind:
            text = _("%(who)s requested a bye (%(kind)s).")
            text %= {"who": known.words(number), "kind": ROUNDS_OFF[kind]}
        else:
            continue
        yield Doubt("off", None, tuple(numbers), text)


def _colour_doubts(
    known: PairingFacts, number: int, colour: str, numbers: tuple[int, ...]
) -> Iterator[Doubt]:
    past = known.past(number)
    values = {"who": known.words(number), "colour": COLOURED[colour]}
    if (times := past.in_a_row(colour)) > MOST_IN_A_ROW:
        text = _("%(who)s would have %(colour)s %(times)s times in a row.") % (values | {"times": times})
        yield Doubt("third-colour", None, numbers, text)
    elif (more := past.difference_with(colour)) > MOST_COLOUR_DIFFERENCE:
        text = _("%(who)s would have had %(colour)s %(more)s times more than the other colour.")
        yield Doubt("colour-difference", None, numbers, text % (values | {"more": more}))


# --- the entire round -------------------------------------------------------------------------------------


def _table_doubts(rows: Sequence[Pairing], is_draft: bool) -> Iterator[Doubt]:
    there = {row.table for row in rows}
    last = max((row.table for row in rows if row.second and not row.fixed_tables), default=0)
    both = _("Both have a fixed table. The game is at the lower one, table %(table)s.")
    for row in (row for row in rows if len(row.fixed_tables) > 1):
        yield Doubt("fixed-tables", row.table, (), both % {"table": row.fixed_tables[0]})
    moves = _("The game at table %(old)s moves to table %(new)s when the round is published.")
    for row, table in zip(rows, tables_in_order(rows, [each.table for each in rows]), strict=True):
        if is_draft and row.second and row.table != table:
            yield Doubt("moves", row.table, (), moves % {"old": row.table, "new": table})
    for table in range(1, last):
        if table not in there:
            yield Doubt("empty-board", table, (), _("There is no table %(table)s.") % {"table": table})


def _unpaired_doubts(known: PairingFacts, rows: Sequence[Pairing]) -> Iterator[Doubt]:
    seated = {each.number for row in rows for each in (row.first, row.second) if each}
    left = [number for number in known.members if number not in seated and number not in known.off]
    # In a round robin with an odd number one competitor rests in each round.
    if known.event.is_round_robin and len(left) == 1 and len(known.members) % 2:
        return
    for number in left:
        text = _("%(who)s is not paired, without a stated reason.") % {"who": known.words(number)}
        yield Doubt("unpaired", None, (number,), text)


def read_histories(
    event: Event, before: int, members: Iterable[Competitor] | None = None
) -> dict[int, PlayHistory]:
    """Return the history of each competitor before a round, by number.

    Draft rounds are ignored. Two queries, one if `members` are given; one more for teams.
    """
    entries = [
        CompetitorInfo(
            each.pk,
            each.number,
            each.name,
            withdrawn_after=each.withdrawn_after,
            adjustments=each.adjustments,
            pairing_number=each.pairing_number,
        )
        for each in (event.competitors.all() if members is None else members)
    ]
    are_draws = event.delayed_points == DelayedPoints.DRAW
    found = play_histories(crosstable_of(event, entries), before, are_draws=are_draws)
    if not event.acceleration:
        return found
    paired_as = {each.number: each.pairing_number or each.number for each in entries}
    last = paired_as.get(event.accelerated_to or 0, event.accelerated_to)
    win = event.match_win if event.is_team else event.game_win
    virtual = {
        number: virtual_points(paired_as[number], before, event.planned_rounds, win, last) for number in found
    }
    return {number: replace(each, virtual=each.virtual + virtual[number]) for number, each in found.items()}
