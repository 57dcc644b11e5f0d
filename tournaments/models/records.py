"""Rows of the database as named tuples: each field comes from the column that has its name."""

from collections.abc import Collection
from functools import cached_property, partial
from typing import Any, Generic, NamedTuple, TypeVar

from django.db.models import QuerySet

Record = TypeVar("Record", bound=NamedTuple)


class RecordQuery(Generic[Record]):
    """A query for `kind`s that is put together once, and asked of one event after the other.

    A field comes from the column of its name, or from the one that is given for it, which may be a lookup
    (`manual="manual_tiebreak__number"`) or an annotation.
    """

    def __init__(self, kind: type[Record], rows: QuerySet[Any, Any], **columns: str) -> None:
        self.kind, self.rows, self.columns = kind, rows, columns

    def where(self, **conditions: object) -> list[Record]:
        """Return a `kind` for each row that meets the conditions, in the order of the rows; one query."""
        # `kind(**row)` of `values()` takes three times as long, and a page that is made anew reads a thousand
        # pairings.
        return list(map(partial(tuple.__new__, self.kind), self._values.filter(**conditions)))

    def grouped(self, by: str, keys: Collection[object]) -> dict[Any, list[Record]]:
        """Return a `kind` for each row whose column `by` is one of these keys, by that key; one query."""
        found: dict[Any, list[Record]] = {key: [] for key in keys}
        for key, *values in self.rows.values_list(by, *self._columns).filter(**{f"{by}__in": keys}):
            found[key].append(tuple.__new__(self.kind, values))
        return found

    @cached_property
    def _values(self) -> QuerySet[Any, tuple[Any, ...]]:
        # At the first question, because lookups are known only when all models are loaded. Values and columns
        # both follow the fields, so no order is kept by hand.
        return self.rows.values_list(*self._columns)

    @property
    def _columns(self) -> list[str]:
        return [self.columns.get(name, name) for name in self.kind._fields]


def records(kind: type[Record], rows: QuerySet[Any, Any], **columns: str) -> list[Record]:
    """Return a `kind` for each of these rows, its fields as `RecordQuery` has them; one query."""
    return RecordQuery(kind, rows, **columns).where()
