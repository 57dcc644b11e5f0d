"""Our standings against the published ones (rules § 6): how many rows agree, and every difference."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

from standings.engine import Standings, UnknownCriterionError, get

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


class PublishedStandings(Protocol):
    """What a source printed, as the record and the event file keep it.

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
class Difference:
    """One competitor, by number, whose published figure is not ours; `why` where that is understood."""

    number: int
    published: str
    computed: str
    why: str = ""


@dataclass(frozen=True)
class Agreement:
    """One column, or the order: how many rows there are to compare, and where they differ."""

    label: str
    rows: int
    differences: list[Difference] = field(default_factory=list)
    checked: bool = True

    @property
    def agreeing(self) -> int:
        """How many rows agree."""
        return self.rows - len(self.differences)

    @property
    def unexplained(self) -> list[Difference]:
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
    agreements = [_order(standings, order, row_of, known)] if order else []
    for label, values in sorted(columns.items()):  # a database keeps the keys of JSON in an order of its own
        computed = _computed(standings, label)
        if computed is None:
            agreements.append(Agreement(label, len(values), checked=False))
            continue
        numbered = sorted((int(number), text) for number, text in values.items())
        pairs = ((number, text, computed[row_of[number]]) for number, text in numbered)
        different = [(n, text, str(value)) for n, text, value in pairs if Fraction(text) != value]
        agreements.append(Agreement(label, len(values), _explained(known, label, different)))
    return agreements


def _order(
    standings: Standings, order: Sequence[Sequence[int]], row_of: dict[int, int], known: Known
) -> Agreement:
    place = standings.place.tolist()
    expected = list(published_places(order))
    different = [
        (number, str(wanted), str(place[row_of[number]] or "-"))
        for number, wanted in expected
        if place[row_of[number]] != wanted
    ]
    return Agreement(ORDER, len(expected), _explained(known, ORDER, different))


def published_places(order: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
    """(number, place); those who share one count for the next."""
    place = 1
    for sharing in order:
        for number in sharing:
            yield number, place
        place += len(sharing)


def _computed(standings: Standings, label: str) -> list[Fraction] | None:
    """The values of the column that the label means, by row of the crosstable."""
    if label in RESULTS:
        return [
            Fraction(counts) for counts in standings.table.won_drawn_lost[:, RESULTS.index(label)].tolist()
        ]
    try:
        code = get(LABELS.get(label, label)).code
    except UnknownCriterionError:
        return None
    column = standings.column(code).column
    return [column.value(row) for row in range(len(standings.table.names))]


def _explained(known: Known, label: str, different: list[tuple[int, str, str]]) -> list[Difference]:
    reasons = {
        number: str(difference["why"])
        for difference in known
        if difference["what"] == label
        for number in difference["competitors"]
    }
    return [Difference(number, text, value, reasons.get(number, "")) for number, text, value in different]
