"""Faster reading and inserting of many rows (ADR 0005).

Rows are read as named tuples; each field is read from the column with its name. Bulk inserts take a fifth of
the time of `bulk_create`: an import writes a thousand rows per event, and Django converts each of their
values by its field. Here, values that the database accepts unchanged are not converted.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import connection, transaction
from django.db.models import (
    BooleanField,
    CharField,
    ForeignKey,
    IntegerField,
    Model,
    QuerySet,
    SlugField,
    TextField,
)
from django.db.models.expressions import DatabaseDefault, RawSQL

from config.database.replica import read_connection

Record = TypeVar("Record", bound=NamedTuple)


class _Condition(str):
    """The name of a condition, in place of its value in a compiled query."""

    __slots__ = ()


class RecordQuery(Generic[Record]):
    """A prepared query for rows of `kind`, executed for several events.

    A field is read from the column with its name or from the given lookup
    (`manual="manual_tiebreak__number"`) or annotation. Conditions compare with a value or a row.
    """

    def __init__(self, kind: type[Record], rows: QuerySet[Any, Any], **columns: str) -> None:
        self.kind, self.rows, self.columns = kind, rows, columns
        # By the names of the conditions. Building a query takes longer than running it.
        self._compiled: dict[tuple[str, ...], tuple[str, Sequence[Any], Mapping[int, Any]]] = {}

    def where(self, **conditions: object) -> list[Record]:
        """Return the matching rows as `kind` in the order of the queryset. A single query."""
        names = tuple(conditions)
        if names not in self._compiled:
            placeholders = {name: RawSQL("%s", [_Condition(name)]) for name in names}
            rows = self.rows.filter(**placeholders).values_list(*self.lookups)
            compiler = rows.query.get_compiler(connection=connection)
            query = compiler.as_sql()
            self._compiled[names] = *query, compiler.get_converters(column for column, *_ in compiler.select)
        sql, params, converters = self._compiled[names]
        keys: dict[str, Any] = {name: getattr(value, "pk", value) for name, value in conditions.items()}
        with read_connection().cursor() as cursor:
            cursor.execute(sql, [keys[each] if isinstance(each, _Condition) else each for each in params])
            found = cursor.fetchall()
        if found and converters:
            columns: list[Iterable[Any]] = list(zip(*found, strict=True))
            for at, (converts, field) in converters.items():
                for convert in converts:
                    # Most competitors have the same JSON, an empty list.
                    convert_once = cache(partial(convert, expression=field, connection=connection))
                    columns[at] = map(convert_once, columns[at])
            found = zip(*columns, strict=True)
        # `kind(**row)` of `values()` takes three times as long, and a page reads a thousand pairings.
        return list(map(partial(tuple.__new__, self.kind), found))

    def grouped(self, by: str, keys: Collection[object]) -> dict[Any, list[Record]]:
        """Return the rows whose column `by` has one of these keys, by key. A single query."""
        found: dict[Any, list[Record]] = {key: [] for key in keys}
        for key, *values in self.rows.values_list(by, *self.lookups).filter(**{f"{by}__in": keys}):
            found[key].append(tuple.__new__(self.kind, values))
        return found

    @property
    def lookups(self) -> list[str]:
        return [self.columns.get(name, name) for name in self.kind._fields]


def load_records(kind: type[Record], rows: QuerySet[Any, Any], **columns: str) -> list[Record]:
    """Return the rows as `kind`, with columns as in `RecordQuery`. A single query."""
    query = RecordQuery(kind, rows, **columns)
    return [tuple.__new__(kind, values) for values in query.rows.values_list(*query.lookups)]


AnyRow = TypeVar("AnyRow", bound=Model)

ROWS_A_STATEMENT = {"sqlite": 50, "postgresql": 1000}
"""SQLite caches statements with the same text; PostgreSQL's triggers count a revision for each statement."""

AS_IT_IS: dict[type[Any], type] = {
    CharField: str,
    SlugField: str,
    TextField: str,
    BooleanField: bool,
    IntegerField: int,
}
"""Fields whose values, if they have exactly this type or are None, need no conversion in either database."""


def insert_all(rows: Iterable[AnyRow]) -> list[AnyRow]:
    """Insert rows of a model in a few statements. Return them with their keys.

    Database defaults apply if no row has another value. As with `bulk_create`, there is no validation and
    no signal.
    """
    made = list(rows)
    with transaction.atomic(savepoint=False):
        # Rows with keys separately, because the others omit the column.
        for some in ([row for row in made if row.pk is not None], [row for row in made if row.pk is None]):
            if some:
                _insert(some)
    return made


def _insert(rows: Sequence[Model]) -> None:
    meta, quoted = rows[0]._meta, connection.ops.quote_name
    fields = [field for field in meta.concrete_fields if rows[0].pk is not None or not field.primary_key]
    columns = [column for field in fields if not (column := _Column(field, rows)).is_left_out]
    names = ", ".join(quoted(column.name) for column in columns)
    one = f"({', '.join(['%s'] * len(columns))})"
    values = list(zip(*(column.values for column in columns), strict=True))
    at_once = ROWS_A_STATEMENT[connection.vendor]
    with connection.cursor() as cursor:
        for first in range(0, len(rows), at_once):
            some, listed = rows[first : first + at_once], values[first : first + at_once]
            cursor.execute(
                f"INSERT INTO {quoted(meta.db_table)} ({names}) VALUES {', '.join([one] * len(some))}"  # noqa: S608 - names of ours
                f" RETURNING {quoted(meta.pk.column or '')}",
                [value for row in listed for value in row],
            )
            for row, (key,) in zip(some, cursor.fetchall(), strict=True):
                row.pk = key
                row._state.adding, row._state.db = False, connection.alias


class _Column:
    """A column of an insert: the field, and the converted value of each row."""

    def __init__(self, field: Any, rows: Sequence[Model]) -> None:
        self.name: str = field.column
        found = [field.pre_save(row, True) for row in rows]
        self.is_left_out = all(isinstance(value, DatabaseDefault) for value in found)
        self.values: list[Any] = [] if self.is_left_out else _converted(field, found)


def _converted(field: Any, values: list[Any]) -> list[Any]:
    target = field.target_field if isinstance(field, ForeignKey) else field
    kinds = type(target).__mro__
    plain = next((AS_IT_IS[kind] for kind in kinds if kind in AS_IT_IS), None)
    if plain and {*map(type, values)} <= {plain, type(None)}:
        return values
    prepare: Callable[..., Any] = field.get_db_prep_save
    return [prepare(value, connection) for value in values]
