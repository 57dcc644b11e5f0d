"""Standings and explanations as plain data: every figure exact, as text (docs/event-file.md, docs/api.md)."""

from collections.abc import Sequence
from typing import Any

from standings.basis import basis_of, rests_on
from standings.engine import ExplainedTerm, Explanation, Judged, Row, Standings, decimal_text


def standings_data(slug: str, standings: Standings, shown: Sequence[str] = ()) -> dict[str, Any]:
    """The standings of an event; `shown` are the codes of further columns, which decide nothing."""
    columns = [standings.column(code) for code in (*standings.criteria, *shown)]
    numbers = standings.table.numbers.tolist()
    return {
        "event": slug,
        "after": standings.table.rounds,
        "system": standings.system.code,
        "criteria": list(standings.criteria),
        "rows": [_row(row, numbers[row.competitor], columns) for row in standings.rows()],
    }


def _row(row: Row, number: int, columns: Sequence[Judged]) -> dict[str, Any]:
    return {
        "number": number,
        "place": row.place,
        "shared": row.shared,
        "outside": row.outside,
        "marks": list(row.marks),
        "values": {
            column.criterion.code: {
                "text": column.text(row.competitor),
                "levels": column.level_texts(row.competitor),
            }
            for column in columns
        },
        "decided_by": row.decided_by,
    }


def explanation_data(standings: Standings, row: int, code: str) -> dict[str, Any]:
    """How the value of a row of the crosstable came about, in English; UnknownCriterionError for none."""
    judged, told = standings.column(code), standings.explain(row, code)
    numbers = standings.table.numbers.tolist()
    return {
        "after": standings.table.rounds,
        "rests_on": rests_on(basis_of(standings.table)),
        "criterion": told.criterion.code,
        "competitor": {"number": numbers[row], "name": standings.table.names[row]},
        "text": told.text,
        "levels": judged.level_texts(row),
        "ruled": told.ruled,
        "computed": judged.as_computed.level_texts(row),
        "sums": [str(fold) for fold in told.folds],
        "lines": _lines(told, numbers),
    }


def _lines(told: Explanation, numbers: list[int]) -> list[dict[str, Any]]:
    return [_line(line, numbers) for line in told.lines]


def _line(line: ExplainedTerm, numbers: list[int]) -> dict[str, Any]:
    term, inner = line.term, line.inner
    return {
        "round": term.round or None,
        "opponent": numbers[term.opponent] if term.opponent >= 0 else None,
        "against": str(term.against),
        "kind": term.kind.name.lower().replace("_", "-"),
        "virtual": term.virtual,
        "amount": decimal_text(term.amount.numerator, term.amount.denominator),
        "text": term.text,
        "factors": [{"text": factor.text, "symbol": str(factor.symbol)} for factor in term.factors],
        "counted": line.counted,
        "notes": [str(note) for note in line.notes],
        "inner": {"competitor": numbers[inner.row], "criterion": inner.code} if inner else None,
    }
