"""The tables of a round as its screen shows them: score groups, points, colours so far, why each pair."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from django.db.models import Count
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournaments.event.choices import Kind
from tournaments.event.numbers import points_text
from tournaments.event.resultcodes import recorded_text
from tournaments.models import Competitor, Game, Override, Pairing, Round
from tournaments.pairing.engine import ProposedPair
from tournaments.pairing.history import PlayHistory
from tournaments.pairing.words import why
from tournaments.recording.arranging import Seating
from tournaments.recording.captains import lineups_sent_in
from tournaments.recording.doubts import Doubt, facts_of, find_doubts
from tournaments.recording.matches import decided_in
from tournaments.recording.pairings import members_of
from tournaments.recording.proposals import applied_proposals, help_text, proposed_by_number
from tournaments.recording.seating import ROUNDS_OFF, competitor_text

COLUMNS = 9
"""Table, three of each side, why, and a lock or a result; matches have one more for their line-ups."""

SHOWN_FLOATS = 2
"""The rounds before this one in which a float still counts, in FIDE's rules and as the screen shows it."""


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason of a pair: in words of the engine, or what the engine had where somebody changed it."""

    text: str
    by_hand: bool = False


class Board:
    """A round as its screen shows it; it is read once, by a fixed number of queries.

    `picked` are the numbers that are ticked.
    """

    def __init__(self, round_: Round, picked: Sequence[int] = ()) -> None:
        self.round, self.event, self.picked = round_, round_.event, frozenset(picked)
        self.members = members_of(self.event)
        self.seating = Seating(_seated(round_, self.members.values()))
        self.facts = facts_of(round_, self.members)
        self._proposals = applied_proposals(round_) if round_.is_draft else []
        self.proposal = self._proposals[0] if self._proposals else None
        self.by_hand = set[int | None]() if round_.is_draft else tables_by_hand(round_)
        self.decided = set[int]() if round_.is_draft else decided_in(round_)
        self.has_lineups = self.event.is_team and not round_.is_draft and not self.is_settled

    @cached_property
    def doubts(self) -> list[Doubt]:
        """Return what is unusual about the round as it stands."""
        rows = list(self.seating.rows.values())
        return find_doubts(self.round, self.facts, rows)

    @cached_property
    def games(self) -> list[tuple[Pairing, Competitor, Competitor]]:
        """Return the pairings of two with both, by table."""
        return [(row, row.first, row.second) for row in self.seating.rows.values() if row.second]

    @property
    def rows(self) -> SafeString:
        """Return the rows of the table, score group by score group."""
        # Python, not a template tag for each cell: a round of five hundred tables has seven thousand.
        groups = groupby(self.games, key=self._group)
        return SafeString("".join(self._group_rows(points, rows) for points, rows in groups))

    @property
    def alone(self) -> SafeString:
        """Return the items of the list of those who have a round off."""
        rows = (row for row in self.seating.rows.values() if row.second is None)
        return SafeString("".join(map(self._alone, rows)))

    @cached_property
    def unpaired(self) -> list[Competitor]:
        """Return who is in no pairing, and nothing says why, by number."""
        return [each for each in self._seatless if each.number not in self.facts.off]

    @property
    def off(self) -> SafeString:
        """Return the items of the list of those who have the round off and are in no pairing yet."""
        known = [(each.number, self.facts.off.get(each.number)) for each in self._seatless]
        return SafeString("".join(self._off(number, kind) for number, kind in known if kind))

    @cached_property
    def _seatless(self) -> list[Competitor]:
        return [each for each in self.members.values() if each.number not in self.seating.table_of]

    @property
    def left(self) -> SafeString:
        """Return the items of the list of those who are not paired."""
        seats = (self._seat(each.number, is_alone=True) for each in self.unpaired)
        return SafeString("".join(f"<li>{seat}</li>" for seat in seats))

    @property
    def is_any_locked(self) -> bool:
        """Say whether a pairing is locked."""
        return any(row.locked for row in self.seating.rows.values())

    @property
    def summary(self) -> str:
        """Return how many tables there are and who is left, in a sentence."""
        tables = ngettext("%(count)s table", "%(count)s tables", len(self.games)) % {"count": len(self.games)}
        if not self.unpaired:
            return _("%(tables)s, nobody unpaired.") % {"tables": tables}
        left = ngettext("%(count)s not paired", "%(count)s not paired", len(self.unpaired))
        return _("%(tables)s, %(left)s.") % {"tables": tables, "left": left % {"count": len(self.unpaired)}}

    @property
    def source(self) -> str:
        """Return where the pairings are from, where an engine proposed them."""
        if not self.proposal:
            return ""
        engine = self.proposal.version or self.proposal.engine
        told = _("Proposed by %(engine)s.") % {"engine": engine}
        return f"{told} {help_text(self.event, self.proposal)}".strip()

    @property
    def is_in_order(self) -> bool:
        """Say whether the tables are numbered as the rules number them."""
        return not self.new_numbers

    @cached_property
    def new_numbers(self) -> dict[int, int]:
        """Return the table by the key of each pairing that the rules number otherwise: FIDE C.04.2, by score.

        The higher score of the two, then their sum, then the better start number; rounds off come last.
        """
        ordered = sorted(self.seating.rows.values(), key=self._rank)
        return {row.pk: table for table, row in enumerate(ordered, start=1) if row.table != table}

    def history_of(self, number: int) -> PlayHistory:
        """Return what somebody has played so far."""
        return self.facts.past(number)

    def _rank(self, row: Pairing) -> tuple[int, ...]:
        if row.second is None:
            return 1, row.table
        past = [(self.history_of(each.number).pairing_score, each.number) for each in (row.first, row.second)]
        points = [each for each, _number in past]
        better = min((-each, number) for each, number in past)
        return 0, -max(points), -sum(points), better[1]

    # --- cells --------------------------------------------------------------------------------------------

    def _group(self, game: tuple[Pairing, Competitor, Competitor]) -> int:
        return max(self.history_of(each.number).pairing_score for each in game[1:])

    def _group_rows(self, half_points: int, games: Iterable[tuple[Pairing, Competitor, Competitor]]) -> str:
        columns = COLUMNS + self.has_lineups - (not self.has_reasons)
        head = f'<tr class="group"><th colspan="{columns}" scope="rowgroup">{_points(half_points)}</th></tr>'
        return f"<tbody>{head}{''.join(self._row(*game) for game in games)}</tbody>"

    def _row(self, row: Pairing, first: Competitor, second: Competitor) -> str:
        reason = self.reason_of(row)
        doubts = self.doubts_at.get(row.table, ())
        marks = (("locked", row.locked), ("odd", doubts), ("by-hand", reason.by_hand))
        told = [f'<span class="doubt">{escape(each.text)}</span>' for each in doubts]
        result = escape(recorded_text(self.event, row))
        cells = (
            self._table(row),
            *self._side(first.number, "w"),
            *self._side(second.number, "b"),
            "" if self.round.is_draft else f'<td class="result">{result}</td>',
            f'<td class="line-ups">{self._lineups(row)}</td>' if self.has_lineups else "",
            f'<td class="why">{" ".join([*told, escape(reason.text)])}</td>' if self.has_reasons else "",
            f'<td class="lock">{self._lock_button(row)}</td>' if self.round.is_draft else "",
        )
        css = " ".join(name for name, holds in marks if holds)
        return f'<tr id="table-{row.table}" class="{css}">{"".join(cells)}</tr>'

    def _table(self, row: Pairing) -> str:
        address = f"{self._address}{row.table}/"
        label = escape(_("Table %(table)s: note, rulings") % {"table": row.table})
        by_hand = escape(_("manually changed"))
        star = f'<span title="{by_hand}">*<span class="spoken"> {by_hand}</span></span>'
        star = star if row.table in self.by_hand else ""
        return f'<th scope="row"><a href="{address}" aria-label="{label}">{row.table}</a>{star}</th>'

    def _side(self, number: int, colour: str) -> tuple[str, str, str]:
        past = self.history_of(number)
        now = f"<b>{colour}</b>"
        return (
            f'<td class="seat">{self._seat(number)}</td>',
            f'<td class="points">{points_text(past.points)}</td>',
            f'<td class="colours">{past.colours}{now}{_floats(past)}</td>',
        )

    def _seat(self, number: int, *, is_alone: bool = False) -> str:
        """Return a competitor as a box to tick, which the name is the label of."""
        member = self.members[number]
        ticked = " checked" if number in self.picked else ""
        # Nothing to tick once the round is settled: then it is a table to read.
        box = "" if self.is_settled else f'<input type="checkbox" name="seat" value="{number}"{ticked}>'
        score = f' <span class="told">{_points(self.history_of(number).points)}</span>' if is_alone else ""
        name = f'<span class="number">{number}</span> <bdi>{escape(member.name)}</bdi>'
        return f"<label>{box}{name}{score}</label>"

    def _lineups(self, row: Pairing) -> str:
        """Return how far the line-ups of a match are, the first team's in front, as a link to them."""
        saved, ways = self._lineups_saved.get(row.pk, (0, 0)), []
        for team, players in zip((row.first_id, row.second_id), saved, strict=True):
            sent = _("sent") if team in self._lineups_sent else _("missing")
            ways.append(_("saved") if players else sent)
        text = _("both %(state)s") % {"state": ways[0]} if ways[0] == ways[1] else " – ".join(ways)
        # A phone has no heads of columns.
        head = escape(_("line-ups"))
        return f'<span class="head">{head}: </span><a href="{self._lineups_address}">{escape(text)}</a>'

    @cached_property
    def _lineups_saved(self) -> Mapping[int, tuple[int, int]]:
        """Return how many players of either team are seated, by the key of the match; one query."""
        matches = Game.objects.filter(pairing__round=self.round).order_by().values_list("pairing_id")
        counted = matches.annotate(Count("first_player"), Count("second_player"))
        return {key: (first, second) for key, first, second in counted}

    @cached_property
    def _lineups_sent(self) -> Mapping[int, object]:
        """Return the line-ups that captains sent, by the key of the team; one query."""
        return lineups_sent_in(self.round, [row for row, _first, _second in self.games])

    @cached_property
    def _lineups_address(self) -> str:
        return reverse("admin:round-line-ups", args=[self.event.pk, self.round.number])

    def _off(self, number: int, kind: Kind) -> str:
        seat, words = self._seat(number, is_alone=True), escape(ROUNDS_OFF[kind])
        return f'<li>{seat} <span class="off">{words}</span></li>'

    def _alone(self, row: Pairing) -> str:
        kind = escape(ROUNDS_OFF[Kind(row.kind)])
        doubts = "".join(
            f' <span class="doubt">{escape(each.text)}</span>' for each in self.doubts_at.get(row.table, ())
        )
        lock = self._lock_button(row) if self.round.is_draft else ""
        return (
            f'<li id="table-{row.table}">{self._seat(row.first.number, is_alone=True)}'
            f' <span class="off">{kind}</span>{doubts} {lock}</li>'
        )

    def _lock_button(self, row: Pairing) -> str:
        act, word = ("unlock", _("locked")) if row.locked else ("lock", pgettext("verb", "lock"))
        label = _("Table %(table)s is locked: unlock it") if row.locked else _("Lock table %(table)s")
        label = escape(label % {"table": row.table})
        return f'<button name="act" value="{act} {row.table}" aria-label="{label}">{escape(word)}</button>'

    # --- why ----------------------------------------------------------------------------------------------

    @cached_property
    def doubts_at(self) -> Mapping[int, Sequence[Doubt]]:
        """Return the doubts by table."""
        found: dict[int, list[Doubt]] = {}
        for each in self.doubts:
            if each.table is not None:
                found.setdefault(each.table, []).append(each)
        return found

    @cached_property
    def _proposed(self) -> dict[int, ProposedPair]:
        """Return the pair that was proposed last for each competitor."""
        return proposed_by_number(self._proposals)

    @cached_property
    def has_reasons(self) -> bool:
        """Say whether there is anything to tell of a pair: a proposal, or a doubt."""
        return bool(self._proposed or self.doubts_at)

    def reason_of(self, row: Pairing) -> Reason:
        """Return why a pair is one: as the engine said, or that somebody made it, and what the engine had."""
        if not self._proposed:
            return Reason("")
        numbers = [each.number for each in (row.first, row.second) if each]
        had = [pair for number in numbers if (pair := self._proposed.get(number))]
        if had and had[0].numbers == tuple(numbers):
            names = {number: self.members[number].name for number in numbers}
            return Reason("; ".join(why(had[0], names, is_team=self.event.is_team)))
        if not had:
            return Reason(_("by hand; not in the proposal"), by_hand=True)
        words = ", ".join(dict.fromkeys(map(_pair_words, had)))
        return Reason(_("by hand; the proposal had %(pairs)s") % {"pairs": words}, by_hand=True)

    @cached_property
    def is_settled(self) -> bool:
        """Say whether nothing is changed any more."""
        return self.round.is_closed or self.event.is_over

    @cached_property
    def _address(self) -> str:
        return reverse("admin:round-pairings", args=[self.event.pk, self.round.number])

    def words_of(self, number: int) -> str:
        """Return a competitor by number and name."""
        return competitor_text(self.members[number])


def _seated(round_: Round, members: Iterable[Competitor]) -> Iterator[Pairing]:
    """Yield the pairings of a round by table, with the competitors at hand instead of copies."""
    by_key = {each.pk: each for each in members}
    for row in round_.pairings.order_by("table"):
        row.first = by_key[row.first_id]
        row.second = by_key[row.second_id] if row.second_id else None
        yield row


def tables_by_hand(round_: Round) -> set[int | None]:
    """Return the tables whose pairing was changed by hand; one query."""
    changed = Override.objects.filter(event=round_.event, kind=Override.Kind.PAIRING, undone_by=None)
    return set(changed.filter(round=round_.number).values_list("table", flat=True))


def _points(half_points: int) -> str:
    words = ngettext("%(points)s point", "%(points)s points", 1 if half_points in {1, 2} else 2)
    return words % {"points": points_text(half_points)}


def _floats(past: PlayHistory) -> str:
    """Return the floats of the last rounds as arrows with the round: `↓5`."""
    return "".join(_float_marks(past.floats))


def _float_marks(floats: str) -> Iterator[str]:
    for number, sign in enumerate(floats[-SHOWN_FLOATS:], start=max(len(floats) - SHOWN_FLOATS, 0) + 1):
        if sign in "du":
            down, up = _("floated down in round %(round)s"), _("floated up in round %(round)s")
            words, arrow = (down, "↓") if sign == "d" else (up, "↑")
            yield f' <small title="{escape(words % {"round": number})}">{arrow}{number}</small>'


def _pair_words(pair: ProposedPair) -> str:
    return f"{pair.white}–{pair.black}" if pair.black else _("%(number)s off") % {"number": pair.white}
