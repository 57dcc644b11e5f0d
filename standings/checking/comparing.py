"""Our standings against the published ones (rules § 6): how many rows agree, and every difference.

What is held against them is what the rules give, without what was ruled by hand; where a ruling gives another
figure, that stands beside it. Page, badge, command, API and archive all print what is found here.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

from standings.engine import Criterion, Standings, UnknownCriterionError, get_criterion
from tournaments.event.arrays import published_places

LABELS = {
    "pts": "game-points",
    "Pt": "total-score",
    "Pts": "total-score",
    "Total": "total-score",
    "MP": "match-points",
    "Buch": "buchholz@game",
    "dSB": "dsb",
    "dSMP": "dsmp",
    "SSolk": "solkoff-truncated-short",
    "Wl": "solkoff-truncated-short",
    "Whl": "solkoff-median",
    "Solk": "solkoff",
    "SB": "sonneborn-berger",
}
"""The labels that sources print, and the criterion each means."""

RESULTS = ("+", "=", "-")
"""OlimpBase's columns of matches won, drawn and lost."""

ORDER = "order"


Known = Sequence[Mapping[str, Any]]


class MarkedValue(NamedTuple):
    """An exact value, and the star of one that an arbiter replaced."""

    figure: Fraction
    mark: str = ""


class PublishedStandings(Protocol):
    """The standings that a source printed, as the record and the event file keep it.

    `order`: lists of numbers that share a place; `columns`: label → number → exact value as text;
    `after_round`: the same two for earlier rounds; `known`: the differences that are understood.
    """

    @property
    def order(self) -> Sequence[Sequence[int]]: ...
    @property
    def columns(self) -> Mapping[str, Mapping[str, str]]: ...
    @property
    def after_round(self) -> Mapping[str, Any]: ...
    @property
    def known(self) -> Known: ...


@dataclass(frozen=True)
class Figures:
    """A figure of one competitor, by number: as published, as computed, and as ruled where that is another.

    `is_same`: whether the published one is the computed one, and `is_same_ruled` whether it is that one as
    ruled. `why`: why it is not the computed one, where that is understood.
    """

    number: int
    published: str
    computed: str
    ruled: str
    is_same: bool
    is_same_ruled: bool
    why: str = ""


@dataclass(frozen=True)
class Agreement:
    """One column, or the order: how many rows there are to compare, and the figures of each."""

    label: str
    rows: int
    figures: list[Figures] = field(default_factory=list)
    checked: bool = True

    @property
    def differences(self) -> list[Figures]:
        """Return the figures that are published otherwise than computed."""
        return [each for each in self.figures if not each.is_same]

    @property
    def ruled(self) -> list[Figures]:
        """Return the figures that a ruling made others than computed."""
        return [each for each in self.figures if each.ruled]

    @property
    def agreeing(self) -> int:
        """How many rows agree."""
        return self.rows - len(self.differences)

    @property
    def unexplained(self) -> list[Figures]:
        """The differences that nobody has accounted for."""
        return [difference for difference in self.differences if not difference.why]


def check(standings: Standings, published: PublishedStandings) -> list[Agreement]:
    """The published order, then each published column, against the final standings.

    A column with a label that nobody knows is not checked.
    """
    return _check(standings, published.order, published.columns, published.known)


def check_after(standings: Standings, published: PublishedStandings) -> list[Agreement]:
    """The same after an earlier round; nothing where the source printed no table after it."""
    table = published.after_round.get(str(standings.table.rounds), {})
    return _check(standings, table.get("order", []), table.get("columns", {}), published.known)


def _check(
    standings: Standings,
    order: Sequence[Sequence[int]],
    columns: Mapping[str, Mapping[str, str]],
    known: Known,
) -> list[Agreement]:
    row_of = {number: row for row, number in enumerate(standings.table.numbers.tolist())}
    agreements = [Agreement(ORDER, *_places(standings, order, row_of, known))] if order else []
    for label, values in sorted(columns.items()):  # a database keeps the keys of JSON in an order of its own
        computed, ruled = (_values(each, label) for each in (standings.as_computed, standings))
        if computed is None or ruled is None:
            agreements.append(Agreement(label, len(values), checked=False))
            continue
        # A source knows nothing of our rulings, so it is held against what is computed.
        why = _reasons(known, label)
        figures = [
            _value(number, text, computed[row_of[number]], ruled[row_of[number]], why.get(number, ""))
            for number, text in sorted((int(number), text) for number, text in values.items())
        ]
        agreements.append(Agreement(label, len(values), figures))
    return agreements


def _places(
    standings: Standings, order: Sequence[Sequence[int]], row_of: dict[int, int], known: Known
) -> tuple[int, list[Figures]]:
    computed, ruled = standings.as_computed.place.tolist(), standings.place.tolist()
    why = _reasons(known, ORDER)
    figures = []
    for number, printed in published_places(order):
        row = row_of[number]
        is_moved = ruled[row] != computed[row]
        as_ruled = f"{ruled[row] or '-'}{standings.place_mark(row)}" if is_moved else ""
        is_same = computed[row] == printed
        why_not = "" if is_same else why.get(number, "")
        figures.append(
            Figures(
                number,
                str(printed),
                str(computed[row] or "-"),
                as_ruled,
                is_same,
                ruled[row] == printed,
                why_not,
            )
        )
    return len(figures), figures


class PlaceGap(StrEnum):
    """How far a published place is from the computed one."""

    LEVEL = "level"
    TIE_BREAKS = "tie-breaks"
    SCORE = "score"


def gaps_of(standings: Standings, places: Agreement) -> Counter[PlaceGap]:
    """Return how many published places differ, and how far.

    LEVEL: it is one of those that ours shares, so that nothing contradicts it; TIE_BREAKS: one of those who
    have the same by the first criterion; SCORE: anything else.
    """
    computed = standings.as_computed
    row_of = {number: row for row, number in enumerate(computed.table.numbers.tolist())}
    spans = _spans(computed)
    return Counter(_gap(int(each.published), *spans[row_of[each.number]]) for each in places.differences)


def _gap(place: int, own: range, alike: range) -> PlaceGap:
    return PlaceGap.LEVEL if place in own else PlaceGap.TIE_BREAKS if place in alike else PlaceGap.SCORE


def _spans(standings: Standings) -> list[tuple[range, range]]:
    """Return by row the places that it shares, and those of all who are level by the first criterion."""
    shared = [
        range(place, place + sharing)
        for place, sharing in zip(standings.place.tolist(), standings.sharing.tolist(), strict=True)
    ]
    first = standings.columns[0]
    levels = [tuple(first.level_texts(row)) for row in range(len(shared))]
    alike: dict[tuple[str, ...], range] = {}
    for level, own in zip(levels, shared, strict=True):
        if own:
            before = alike.get(level, own)
            alike[level] = range(min(own.start, before.start), max(own.stop, before.stop))
    return [(own, alike.get(level, own)) for level, own in zip(levels, shared, strict=True)]


def _value(number: int, published: str, computed: MarkedValue, ruled: MarkedValue, why: str) -> Figures:
    is_same = _is(published, computed.figure)
    as_ruled = "" if ruled.figure == computed.figure else f"{ruled.figure}{ruled.mark}"
    is_same_ruled = _is(published, ruled.figure)
    return Figures(
        number, published, str(computed.figure), as_ruled, is_same, is_same_ruled, "" if is_same else why
    )


def _is(published: str, value: Fraction) -> bool:
    """Say whether a published text is that value; one that is no number is no value."""
    try:
        return Fraction(published) == value
    except (ValueError, ZeroDivisionError):
        return False


def _values(standings: Standings, label: str) -> list[MarkedValue] | None:
    """The values of the column that the label means, by row of the crosstable; None where nobody knows it."""
    if label in RESULTS:
        counts = standings.table.won_drawn_lost[:, RESULTS.index(label)].tolist()
        return [MarkedValue(Fraction(count)) for count in counts]
    # Our own codes are labels too.
    try:
        judged = standings.column(_criterion_labelled(label, standings).code)
    except UnknownCriterionError:
        return None
    rows = range(len(standings.table.names))
    return [MarkedValue(judged.column.value(row), "*" if row in judged.ruled else "") for row in rows]


def _criterion_labelled(label: str, standings: Standings) -> Criterion:
    """Return the criterion that a source means; UnknownCriterionError for none.

    A label is another criterion where the event's own list has one by that code: SB, under FIDE's rules.
    """
    criterion = get_criterion(LABELS.get(label, label))
    try:
        listed = get_criterion(label)
    except UnknownCriterionError:
        return criterion
    return listed if listed.code in standings.criteria else criterion


def _reasons(known: Known, label: str) -> dict[int, str]:
    """Why a column differs, by competitor number, where that is understood."""
    return {
        number: str(difference["why"])
        for difference in known
        if difference["what"] == label
        for number in difference["competitors"]
    }
