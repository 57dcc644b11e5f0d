"""What is unusual about the pairings of a round: told before a pair is made and before it is published."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.event.choices import Kind, TeamColours
from tournaments.event.numbers import points_text
from tournaments.event.pairingsettings import forbidden_in
from tournaments.models import Competitor, Event, Pairing, Round
from tournaments.pairing.history import PlayHistory
from tournaments.recording.attendance import rounds_off
from tournaments.recording.pairings import members_of
from tournaments.recording.playhistories import histories as read_histories
from tournaments.recording.seating import ROUNDS_OFF, competitor_text

MOST_IN_A_ROW, MOST_COLOUR_DIFFERENCE = 2, 2
"""FIDE's Dutch rules, C.04.3: no third game in a row with one colour, no difference of more than two."""

COLOURED = {"w": "White", "b": "Black"}

Pair = tuple[int, int | None, str]
"""Two numbers, the first with White; or one, None, and the kind of the round off."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something unusual, in words; `numbers` are those of the competitors, and `table` where they sit."""

    code: str
    table: int | None
    numbers: tuple[int, ...]
    text: str


@dataclass(frozen=True)
class PairingFacts:
    """All that pairs of a round are looked at with; it is read once, by a fixed number of queries."""

    event: Event
    number: int
    members: Mapping[int, Competitor]
    histories: Mapping[int, PlayHistory]
    off: Mapping[int, Kind | None]
    forbidden: set[frozenset[int]]

    def words(self, number: int) -> str:
        """Return a competitor by number and name."""
        return competitor_text(self.members[number])

    def past(self, number: int) -> PlayHistory:
        """Return what somebody has played."""
        return self.histories.get(number, PlayHistory())

    @property
    def has_colours(self) -> bool:
        """Say whether colours count: those of players in a Swiss, of teams where the event says so."""
        if self.event.is_round_robin:
            return False
        return not self.event.is_team or self.event.team_colours in {TeamColours.TYPE_A, TeamColours.TYPE_B}


def facts_of(round_: Round, members: Mapping[int, Competitor] | None = None) -> PairingFacts:
    """Return all that pairs of a round are looked at with; two queries with the `members` given, else three.

    Another one for teams.
    """
    event, number = round_.event, round_.number
    members = members_of(event) if members is None else members
    past = read_histories(event, number, members.values())
    off = rounds_off(event, number, members.values())
    return PairingFacts(event, number, members, past, off, forbidden_in(event.forbidden_pairs, number))


def find_doubts(
    round_: Round, facts: PairingFacts | None = None, rows: Sequence[Pairing] | None = None
) -> list[Doubt]:
    """Return what is unusual about the pairings of a round as they stand, by table, then who is in none.

    What the caller has read already is given; without it four queries.
    """
    known = facts or facts_of(round_)
    if rows is None:
        rows = list(round_.pairings.select_related("first", "second").order_by("table"))
    found = [
        Doubt(each.code, row.table, each.numbers, each.text)
        for row in rows
        for each in _of_pair(known, _pair_of(row))
        # How far apart two are is known from the score groups, and an engine had its reason.
        if each.code != "score-distance"
    ]
    return [*found, *_empty_tables(rows), *_unpaired(known, rows)]


def doubts_of_pairs(round_: Round, pairs: Sequence[Pair], facts: PairingFacts | None = None) -> list[Doubt]:
    """Return what would be unusual about pairs that are not made yet."""
    known = facts or facts_of(round_)
    return [each for pair in pairs for each in _of_pair(known, pair)]


def doubts_of_pair(round_: Round, white: int, black: int | None) -> list[Doubt]:
    """Return what would be unusual about one pair; without `black`, about a bye."""
    return doubts_of_pairs(round_, [(white, black, "" if black else Kind.BYE)])


def _pair_of(row: Pairing) -> Pair:
    return row.first.number, row.second.number if row.second else None, "" if row.second else row.kind


# --- one pair ---------------------------------------------------------------------------------------------


def _of_pair(known: PairingFacts, pair: Pair) -> Iterator[Doubt]:
    first, second, kind = pair
    numbers = (first,) if second is None else (first, second)
    if any(number not in known.members for number in numbers):
        return
    yield from _leaving(known, numbers)
    if second is None:
        yield from _second_bye(known, first, kind)
        return
    yield from _absent(known, numbers)
    yield from _rematch(known, first, second)
    if frozenset((first, second)) in known.forbidden:
        text = _("%(first)s and %(second)s are not to meet, as the settings of the event say.")
        yield Doubt("forbidden", None, numbers, text % _both(known, first, second))
    if known.has_colours:
        yield from _colour(known, first, "w", numbers)
        yield from _colour(known, second, "b", numbers)
    yield from _distance(known, first, second)


def _leaving(known: PairingFacts, numbers: Sequence[int]) -> Iterator[Doubt]:
    for number in numbers:
        last = known.members[number].withdrawn_after
        if last is not None and last < known.number:
            text = _("%(who)s withdrew after round %(round)s.") % {"who": known.words(number), "round": last}
            yield Doubt("withdrawn", None, tuple(numbers), text)


def _absent(known: PairingFacts, numbers: Sequence[int]) -> Iterator[Doubt]:
    for number in numbers:
        kind = known.off.get(number)
        if kind == Kind.ABSENT:
            text = _("%(who)s is marked absent.") % {"who": known.words(number)}
        elif kind:
            text = _("%(who)s asked for a round off (%(kind)s).")
            text %= {"who": known.words(number), "kind": ROUNDS_OFF[kind]}
        else:
            continue
        yield Doubt("off", None, tuple(numbers), text)


def _second_bye(known: PairingFacts, number: int, kind: str) -> Iterator[Doubt]:
    byes = known.past(number).byes
    if kind == Kind.BYE and byes and not known.event.is_round_robin:
        text = _("%(who)s had a bye or a win by forfeit in round %(round)s already.")
        yield Doubt("double-bye", None, (number,), text % {"who": known.words(number), "round": byes[0]})


def _rematch(known: PairingFacts, first: int, second: int) -> Iterator[Doubt]:
    rounds = known.past(first).met.get(second)
    if rounds and not known.event.is_round_robin:
        text = _("%(first)s and %(second)s met in round %(rounds)s.")
        values = _both(known, first, second) | {"rounds": ", ".join(map(str, rounds))}
        yield Doubt("rematch", None, (first, second), text % values)


def _colour(known: PairingFacts, number: int, colour: str, numbers: tuple[int, ...]) -> Iterator[Doubt]:
    past = known.past(number)
    values = {"who": known.words(number), "colour": COLOURED[colour]}
    if (times := past.in_a_row(colour)) > MOST_IN_A_ROW:
        text = _("%(who)s would have %(colour)s %(times)s times in a row.") % (values | {"times": times})
        yield Doubt("third-colour", None, numbers, text)
    elif (more := past.difference_with(colour)) > MOST_COLOUR_DIFFERENCE:
        text = _("%(who)s would have had %(colour)s %(more)s times more than the other colour.")
        yield Doubt("colour-difference", None, numbers, text % (values | {"more": more}))


def _distance(known: PairingFacts, first: int, second: int) -> Iterator[Doubt]:
    win = known.event.match_win if known.event.is_team else known.event.game_win
    points = [known.past(number).pairing_score for number in (first, second)]
    if not known.event.is_round_robin and abs(points[0] - points[1]) > win:
        text = _("%(first)s has %(more)s points, %(second)s %(less)s.")
        values = {"more": points_text(points[0]), "less": points_text(points[1])}
        yield Doubt("score-distance", None, (first, second), text % (_both(known, first, second) | values))


def _both(known: PairingFacts, first: int, second: int) -> dict[str, str]:
    return {"first": known.words(first), "second": known.words(second)}


# --- the round as a whole ---------------------------------------------------------------------------------


def _empty_tables(rows: Sequence[Pairing]) -> Iterator[Doubt]:
    """Yield the numbers that no table has, below the last one at which two play."""
    there = {row.table for row in rows}
    last = max((row.table for row in rows if row.second), default=0)
    for table in range(1, last):
        if table not in there:
            yield Doubt("empty-board", table, (), _("There is no table %(table)s.") % {"table": table})


def _unpaired(known: PairingFacts, rows: Sequence[Pairing]) -> Iterator[Doubt]:
    seated = {each.number for row in rows for each in (row.first, row.second) if each}
    left = [number for number in known.members if number not in seated and number not in known.off]
    # In a round robin of an odd number somebody rests in each round.
    if known.event.is_round_robin and len(left) == 1 and len(known.members) % 2:
        return
    for number in left:
        text = _("%(who)s is not paired, and nothing says why.") % {"who": known.words(number)}
        yield Doubt("unpaired", None, (number,), text)
