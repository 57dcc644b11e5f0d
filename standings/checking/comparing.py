"""Comparison of computed standings with published ones (rules § 6): agreeing rows and differences.

Published figures are compared with the standings without the arbiter's decisions. If a decision changes a
figure, that figure is included too. Page, badge, command, API and archive use the same comparison.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple

from standings.engine import Criterion, Standings, UnknownCriterionError, fraction_text, get_criterion
from tournaments.event.arrays import published_places
from tournaments.event.document import PublishedEntry
from tournaments.models import Published

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
"""The labels of published columns and the criteria they mean."""

RESULTS = ("+", "=", "-")
"""OlimpBase's columns of matches won, drawn and lost."""

ORDER = "order"


Known = Sequence[Mapping[str, Any]]


PublishedStandings = Published | PublishedEntry
"""The published standings in the database or in an event file."""


class Figures(NamedTuple):
    """A figure of one competitor: as published, computed and, if changed by a decision, ruled.

    `is_same` and `is_same_ruled`: whether the published figure equals the computed and the ruled one. `why`:
    the explanation of a difference, blank if there is none. `name` and `label`: of the competitor and of the
    column, only in reports.
    """

    number: int
    published: str
    computed: str
    ruled: str
    is_same: bool
    is_same_ruled: bool
    why: str = ""
    name: str = ""
    label: str = ""


@dataclass(frozen=True)
class Agreement:
    """The comparison of a column or of the order. `rows`: the number of published figures."""

    label: str
    rows: int
    figures: list[Figures] = field(default_factory=list)
    checked: bool = True

    @property
    def differences(self) -> list[Figures]:
        return [each for each in self.figures if not each.is_same]

    @property
    def ruled(self) -> list[Figures]:
        return [each for each in self.figures if each.ruled]

    @property
    def agreeing(self) -> int | None:
        return self.rows - len(self.differences) if self.checked else None

    @property
    def unexplained(self) -> list[Figures]:
        return [difference for difference in self.differences if not difference.why]


def agreements_with_published(
    standings: Standings, published: PublishedStandings, *, is_final: bool = True
) -> list[Agreement]:
    """Compare the published order and columns with the standings.

    Columns with an unknown label are not checked. Unless the standings are final, they are compared with the
    table published after their round; empty if there is none.
    """
    order, columns, known = published.order, published.columns, published.known
    if not is_final:
        table = published.after_round.get(str(standings.table.rounds), {})
        order, columns = table.get("order", []), table.get("columns", {})
    row_of = {number: row for row, number in enumerate(standings.table.numbers.tolist())}
    agreements = [Agreement(ORDER, *_compare_places(standings, order, row_of, known))] if order else []
    for label, values in sorted(columns.items()):  # databases do not preserve the order of JSON keys
        computed, ruled = (_published_values(each, label) for each in (standings.as_computed, standings))
        if computed is None or ruled is None:
            agreements.append(Agreement(label, len(values), checked=False))
            continue
        # Sources do not include the decisions recorded here, so they are compared with computed values.
        why = _explanations(known, label)
        figures = []
        for number, text in sorted((int(number), text) for number, text in values.items()):
            value, (ruled_value, mark) = computed(row_of[number])[0], ruled(row_of[number])
            is_same, is_same_ruled = _is_equal(text, value), _is_equal(text, ruled_value)
            own = fraction_text(*value.as_integer_ratio())
            other = "" if ruled_value == value else fraction_text(*ruled_value.as_integer_ratio()) + mark
            why_not = "" if is_same else why.get(number, "")
            figures.append(Figures(number, text, own, other, is_same, is_same_ruled, why_not))
        agreements.append(Agreement(label, len(values), figures))
    return agreements


def _compare_places(
    standings: Standings, order: Sequence[Sequence[int]], row_of: dict[int, int], known: Known
) -> tuple[int, list[Figures]]:
    computed, ruled = standings.as_computed.place.tolist(), standings.place.tolist()
    why = _explanations(known, ORDER)
    figures = []
    for number, printed in published_places(order):
        row = row_of[number]
        is_moved = ruled[row] != computed[row]
        as_ruled = f"{ruled[row] or '-'}{standings.place_mark(row)}" if is_moved else ""
        is_same, is_same_ruled = computed[row] == printed, ruled[row] == printed
        texts, why_not = (str(printed), str(computed[row] or "-")), "" if is_same else why.get(number, "")
        figures.append(Figures(number, *texts, as_ruled, is_same, is_same_ruled, why_not))
    return len(figures), figures


class PlaceGap(StrEnum):
    """The kind of difference between a published and a computed place."""

    LEVEL = "level"
    TIE_BREAKS = "tie-breaks"
    SCORE = "score"


def count_place_gaps(standings: Standings, places: Agreement) -> Counter[PlaceGap]:
    """Return the number of different places by kind.

    LEVEL: the competitor shares a place here that includes the published one. TIE_BREAKS: the published place
    is that of a competitor level by the first criterion. SCORE: all others.
    """
    computed = standings.as_computed
    row_of = {number: row for row, number in enumerate(computed.table.numbers.tolist())}
    shared_places = [
        range(place, place + sharing)
        for place, sharing in zip(computed.place.tolist(), computed.sharing.tolist(), strict=True)
    ]
    first = computed.columns[0]
    values = [tuple(first.level_texts(row)) for row in range(len(shared_places))]
    places_by_value: dict[tuple[str, ...], range] = {}
    for value, own in zip(values, shared_places, strict=True):
        if own:
            before = places_by_value.get(value, own)
            places_by_value[value] = range(min(own.start, before.start), max(own.stop, before.stop))
    gaps: Counter[PlaceGap] = Counter()
    for difference in places.differences:
        place, row = int(difference.published), row_of[difference.number]
        if place in shared_places[row]:
            gaps[PlaceGap.LEVEL] += 1
        elif place in places_by_value.get(values[row], ()):
            gaps[PlaceGap.TIE_BREAKS] += 1
        else:
            gaps[PlaceGap.SCORE] += 1
    return gaps


def _is_equal(published: str, value: Fraction) -> bool:
    try:
        return Fraction(published) == value
    except (ValueError, ZeroDivisionError):
        return False


def _published_values(standings: Standings, label: str) -> Callable[[int], tuple[Fraction, str]] | None:
    """Return a function from rows of the crosstable to exact values, with a star if an arbiter replaced them.

    None if the label of the published column is unknown.
    """
    if label in RESULTS:
        counts = standings.table.won_drawn_lost[:, RESULTS.index(label)].tolist()
        return lambda row: (Fraction(counts[row]), "")
    # Codes of criteria are also valid labels.
    try:
        judged = standings.column(_criterion_labelled(label, standings).code)
    except UnknownCriterionError:
        return None
    return lambda row: (judged.column.value(row), "*" if row in judged.ruled else "")


def _criterion_labelled(label: str, standings: Standings) -> Criterion:
    """Return the criterion of a label. Raise UnknownCriterionError if there is none.

    If the event's list contains a criterion with that code, it is preferred: SB, under FIDE's rules.
    """
    criterion = get_criterion(LABELS.get(label, label))
    try:
        listed = get_criterion(label)
    except UnknownCriterionError:
        return criterion
    return listed if listed.code in standings.criteria else criterion


def _explanations(known: Known, label: str) -> dict[int, str]:
    return {
        number: str(difference["why"])
        for difference in known
        if difference["what"] == label
        for number in difference["competitors"]
    }
