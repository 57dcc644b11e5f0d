"""Database rows as named tuples. Each field is read from the column with its name."""

from collections.abc import Collection
from functools import cached_property, partial
from typing import Any, Generic, NamedTuple, TypeVar

from django.db.models import QuerySet

Record = TypeVar("Record", bound=NamedTuple)


class RecordQuery(Generic[Record]):
    """A prepared query for rows of `kind`, executed for several events.

    A field is read from the column with its name or from the given lookup
    (`manual="manual_tiebreak__number"`) or annotation.
    """

    def __init__(self, kind: type[Record], rows: QuerySet[Any, Any], **columns: str) -> None:
        self.kind, self.rows, self.columns = kind, rows, columns

    def where(self, **conditions: object) -> list[Record]:
        """Return the matching rows as `kind` in the order of the queryset. A single query."""
        # `kind(**row)` of `values()` takes three times as long, and a page reads a thousand pairings.
        return list(map(partial(tuple.__new__, self.kind), self._values.filter(**conditions)))

    def grouped(self, by: str, keys: Collection[object]) -> dict[Any, list[Record]]:
        """Return the rows whose column `by` has one of these keys, by key. A single query."""
        found: dict[Any, list[Record]] = {key: [] for key in keys}
        for key, *values in self.rows.values_list(by, *self._columns).filter(**{f"{by}__in": keys}):
            found[key].append(tuple.__new__(self.kind, values))
        return found

    @cached_property
    def _values(self) -> QuerySet[Any, tuple[Any, ...]]:
        # Lazy, because lookups can be resolved only when all models are loaded. Values and columns both
        # follow the fields of `kind`.
        return self.rows.values_list(*self._columns)

    @property
    def _columns(self) -> list[str]:
        return [self.columns.get(name, name) for name in self.kind._fields]


def load_records(kind: type[Record], rows: QuerySet[Any, Any], **columns: str) -> list[Record]:
    """Return the rows as `kind`, with columns as in `RecordQuery`. A single query."""
    return RecordQuery(kind, rows, **columns).where()
