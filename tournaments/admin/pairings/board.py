"""The tables of a round on its screen: score groups, points, colours so far, and the reason of each pair."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, groupby

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
from tournaments.pairing.texts import why
from tournaments.recording.pairings.by_hand import competitors_by_number, tables_in_order
from tournaments.recording.pairings.drafts import applied_proposals, help_text, proposed_by_number
from tournaments.recording.pairings.pasted_pairings import ROUNDS_OFF, number_and_name
from tournaments.recording.pairings.rearranging import Seating
from tournaments.recording.pairings.unusual import Doubt, facts_of, find_doubts
from tournaments.recording.teams.from_captains import lineups_sent_in
from tournaments.recording.teams.match_scores import decided_in

COLUMNS = 9
"""Table, three of each side, reason, and a lock or a result. Matches have another for their line-ups."""

SHOWN_FLOATS = 2
"""Number of earlier rounds in which a float still counts under FIDE's rules, and is shown."""


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason of a pair: the engine's, or the engine's own pairs if this pair was made by hand."""

    text: str
    by_hand: bool = False


class Board:
    """A round on its screen, read by a fixed number of queries. `picked`: ticked start numbers."""

    def __init__(self, round_: Round, picked: Sequence[int] = ()) -> None:
        self.round, self.event, self.picked = round_, round_.event, frozenset(picked)
        self.members = competitors_by_number(self.event)
        self.seating = Seating(_pairings_by_table(round_, self.members.values()))
        self.facts = facts_of(round_, self.members)
        self._proposals = applied_proposals(round_) if round_.is_draft else []
        self.proposal = self._proposals[0] if self._proposals else None
        self.by_hand = set[int | None]() if round_.is_draft else tables_by_hand(round_)
        self.decided = set[int]() if round_.is_draft else decided_in(round_)
        self.has_lineups = self.event.is_team and not round_.is_draft and not self.is_settled

    @cached_property
    def doubts(self) -> list[Doubt]:
        rows = list(self.seating.rows.values())
        return find_doubts(self.round, self.facts, rows)

    @cached_property
    def games(self) -> list[tuple[Pairing, Competitor, Competitor]]:
        return [(row, row.first, row.second) for row in self.seating.rows.values() if row.second]

    @property
    def rows(self) -> SafeString:
        # Built without template tags, because a round of five hundred tables has seven thousand cells.
        groups = groupby(self.games, key=self._group)
        return SafeString("".join(self._group_rows(points, rows) for points, rows in groups))

    @property
    def alone(self) -> SafeString:
        rows = (row for row in self.seating.rows.values() if row.second is None)
        return SafeString("".join(map(self._alone, rows)))

    @cached_property
    def unpaired(self) -> list[Competitor]:
        """Return the competitors without a pairing and without a reason for it, by number."""
        return [each for each in self._seatless if each.number not in self.facts.off]

    @property
    def off(self) -> SafeString:
        known = [(each.number, self.facts.off.get(each.number)) for each in self._seatless]
        return SafeString("".join(self._off(number, kind) for number, kind in known if kind))

    @cached_property
    def _seatless(self) -> list[Competitor]:
        return [each for each in self.members.values() if each.number not in self.seating.table_of]

    @property
    def left(self) -> SafeString:
        seats = (self._seat(each.number, is_alone=True) for each in self.unpaired)
        return SafeString("".join(f"<li>{seat}</li>" for seat in seats))

    @property
    def is_any_locked(self) -> bool:
        return any(row.locked for row in self.seating.rows.values())

    @property
    def source(self) -> str:
        """Return the source of the pairings, blank if no engine proposed them."""
        if not self.proposal:
            return ""
        engine = self.proposal.version or self.proposal.engine
        text = _("Proposed by %(engine)s.") % {"engine": engine}
        return f"{text} {help_text(self.event, self.proposal)}".strip()

    @cached_property
    def new_numbers(self) -> dict[int, int]:
        """Return the correct table of each pairing at a wrong table, by key.

        FIDE C.04.2: ordered by the higher score of both, then their sum, then the better start number. Rounds
        off come last. Fixed tables stay.
        """
        rows = sorted(self.seating.rows.values(), key=self._rank)
        numbered = zip(rows, tables_in_order(rows, count(1)), strict=True)
        return {row.pk: table for row, table in numbered if row.table != table}

    def _rank(self, row: Pairing) -> tuple[int, ...]:
        if row.second is None:
            return 1, row.table
        past = [
            (self.facts.past(each.number).pairing_score, each.paired_as) for each in (row.first, row.second)
        ]
        points = [each for each, _number in past]
        better = min((-each, number) for each, number in past)
        return 0, -max(points), -sum(points), better[1]

    # --- cells --------------------------------------------------------------------------------------------

    def _group(self, game: tuple[Pairing, Competitor, Competitor]) -> int:
        return max(self.facts.past(each.number).pairing_score for each in game[1:])

    def _group_rows(self, half_points: int, games: Iterable[tuple[Pairing, Competitor, Competitor]]) -> str:
        columns = COLUMNS + self.has_lineups - (not self.has_reasons)
        points = _score_label(half_points)
        head = f'<tr class="group"><th colspan="{columns}" scope="rowgroup">{points}</th></tr>'
        return f"<tbody>{head}{''.join(self._row(*game) for game in games)}</tbody>"

    def _row(self, row: Pairing, first: Competitor, second: Competitor) -> str:
        reason = self.reason_of(row)
        doubts = self.doubts_at.get(row.table, ())
        marks = (("locked", row.locked), ("odd", doubts), ("by-hand", reason.by_hand))
        doubt_texts = [f'<span class="doubt">{escape(doubt.text)}</span>' for doubt in doubts]
        result = escape(recorded_text(self.event, row))
        cells = (
            self._table(row),
            *self._side(first.number, "w"),
            *self._side(second.number, "b"),
            "" if self.round.is_draft else f'<td class="result">{result}</td>',
            f'<td class="line-ups">{self._lineups(row)}</td>' if self.has_lineups else "",
            f'<td class="reasons">{" ".join([*doubt_texts, escape(reason.text)])}</td>'
            if self.has_reasons
            else "",
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
        past = self.facts.past(number)
        now = f"<b>{colour}</b>"
        return (
            f'<td class="seat">{self._seat(number)}</td>',
            f'<td class="points">{points_text(past.points)}</td>',
            f'<td class="colours">{past.colours}{now}{"".join(_float_arrows(past.floats))}</td>',
        )

    def _seat(self, number: int, *, is_alone: bool = False) -> str:
        member = self.members[number]
        ticked = " checked" if number in self.picked else ""
        # A settled round is read-only.
        box = "" if self.is_settled else f'<input type="checkbox" name="seat" value="{number}"{ticked}>'
        points = _score_label(self.facts.past(number).points)
        score = f' <span class="told">{points}</span>' if is_alone else ""
        rating = f' <span class="told">{member.rating}</span>' if member.rating else ""
        name = f'<span class="number">{number}</span> <bdi>{escape(member.name)}</bdi>{rating}'
        if member.fixed_table:
            fixed = _("fixed table %(table)s") % {"table": member.fixed_table}
            name += f' <span class="told">{fixed}</span>'
        return f"<label>{box}{name}{score}</label>"

    def _lineups(self, row: Pairing) -> str:
        """Return a link to the line-ups of a match, with their state: that of the first team comes first."""
        saved, ways = self._lineups_saved.get(row.pk, (0, 0)), []
        for team, players in zip((row.first_id, row.second_id), saved, strict=True):
            sent = _("sent") if team in self._lineups_sent else _("missing")
            ways.append(_("saved") if players else sent)
        text = _("both %(state)s") % {"state": ways[0]} if ways[0] == ways[1] else " – ".join(ways)
        address = reverse("admin:round-line-ups", args=[self.event.pk, self.round.number])
        # Phones show no column headers.
        head = escape(_("line-ups"))
        return f'<span class="head">{head}: </span><a href="{address}">{escape(text)}</a>'

    @cached_property
    def _lineups_saved(self) -> Mapping[int, tuple[int, int]]:
        """Return the number of seated players of both teams by key of the match, with a single query."""
        matches = Game.objects.filter(pairing__round=self.round).order_by().values_list("pairing_id")
        counted = matches.annotate(Count("first_player"), Count("second_player"))
        return {key: (first, second) for key, first, second in counted}

    @cached_property
    def _lineups_sent(self) -> Mapping[int, object]:
        return lineups_sent_in(self.round, [row for row, _first, _second in self.games])

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

    # --- reasons ------------------------------------------------------------------------------------------

    @cached_property
    def doubts_at(self) -> Mapping[int, Sequence[Doubt]]:
        found: dict[int, list[Doubt]] = {}
        for each in self.doubts:
            if each.table is not None:
                found.setdefault(each.table, []).append(each)
        return found

    @cached_property
    def _proposed(self) -> dict[int, ProposedPair]:
        return proposed_by_number(self._proposals)

    @cached_property
    def has_reasons(self) -> bool:
        return bool(self._proposed or self.doubts_at)

    def reason_of(self, row: Pairing) -> Reason:
        """Return the engine's reason of a pair. If it was made by hand, return the engine's pairs instead."""
        if not self._proposed:
            return Reason("")
        numbers = [each.number for each in (row.first, row.second) if each]
        had = [pair for number in numbers if (pair := self._proposed.get(number))]
        if had and had[0].numbers == tuple(numbers):
            names = {number: self.members[number].name for number in numbers}
            return Reason("; ".join(why(had[0], names, is_team=self.event.is_team)))
        if not had:
            return Reason(_("by hand; not in the proposal"), by_hand=True)
        labels = dict.fromkeys(
            f"{pair.white}–{pair.black}" if pair.black else _("%(number)s off") % {"number": pair.white}
            for pair in had
        )
        return Reason(_("by hand; the proposal had %(pairs)s") % {"pairs": ", ".join(labels)}, by_hand=True)

    @cached_property
    def is_settled(self) -> bool:
        return self.round.is_closed or self.event.is_over

    @cached_property
    def _address(self) -> str:
        return reverse("admin:round-pairings", args=[self.event.pk, self.round.number])

    def words_of(self, number: int) -> str:
        return number_and_name(self.members[number])


def _pairings_by_table(round_: Round, members: Iterable[Competitor]) -> Iterator[Pairing]:
    by_key = {each.pk: each for each in members}
    for row in round_.pairings.order_by("table"):
        row.first = by_key[row.first_id]
        row.second = by_key[row.second_id] if row.second_id else None
        yield row


def tables_by_hand(round_: Round) -> set[int | None]:
    """Return the tables with a pairing that was changed by hand, with a single query."""
    changed = Override.objects.filter(event=round_.event, kind=Override.Kind.PAIRING, undone_by=None)
    return set(changed.filter(round=round_.number).values_list("table", flat=True))


def _score_label(half_points: int) -> str:
    words = ngettext("%(points)s point", "%(points)s points", 1 if half_points in {1, 2} else 2)
    return words % {"points": points_text(half_points)}


def _float_arrows(floats: str) -> Iterator[str]:
    """Yield the floats of the last rounds as arrows with the round: `↓5`."""
    for number, sign in enumerate(floats[-SHOWN_FLOATS:], start=max(len(floats) - SHOWN_FLOATS, 0) + 1):
        if sign in "du":
            down, up = _("floated down in round %(round)s"), _("floated up in round %(round)s")
            words, arrow = (down, "↓") if sign == "d" else (up, "↑")
            yield f' <small title="{escape(words % {"round": number})}">{arrow}{number}</small>'
