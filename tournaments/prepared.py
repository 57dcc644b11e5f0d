"""Queries put together once and asked of one event after the other (ADR 0037).

Django puts a query together anew each time it is asked, and where the answer is short that takes longer than
the answer. A page that is made anew asks eight.
"""

from collections.abc import Callable
from copy import copy
from functools import cache, wraps
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import QuerySet
from django.db.models.sql.compiler import SQLCompiler

GIVEN = "-1"
"""Stands for the key or the slug while a query is put together; no event has it."""

Row = tuple[Any, ...]


def prepared(query: Callable[[Any], QuerySet[Any, Any]]) -> Callable[[int | str], list[Row]]:
    """What asks that `values_list` of whatever key or slug it is given, and returns the rows; one query.

    The given value may stand anywhere in the query; nothing else of it may vary.
    """

    @cache
    def compiled() -> tuple[SQLCompiler, str, tuple[Any, ...]]:
        compiler = query(GIVEN).query.get_compiler(DEFAULT_DB_ALIAS)
        sql, parameters = compiler.as_sql()
        del compiler.connection  # that of this thread, which may end
        return compiler, sql, tuple(parameters)

    @wraps(query)
    def rows(given: int | str) -> list[Row]:
        shared, sql, parameters = compiled()
        compiler = copy(shared)
        compiler.connection = connections[DEFAULT_DB_ALIAS]
        with compiler.connection.cursor() as cursor:
            cursor.execute(sql, [given if str(each) == GIVEN else each for each in parameters])
            return list(map(tuple, compiler.results_iter([cursor.fetchall()])))

    return rows
