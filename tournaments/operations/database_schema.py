"""The actual tables and columns of the database, for code that runs before or during migrations.

The models match the newest migration only. Signal handlers of `migrate` also run on older schemas: after a
partial or interrupted migrate, and when an older backup is restored.
"""

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model

APP = "tournaments"


def columns_of(model: type[Model], using: str = DEFAULT_DB_ALIAS) -> frozenset[str]:
    """Return the columns of a model's table in the database; empty if the table does not exist."""
    connection, table = connections[using], model._meta.db_table
    if table not in connection.introspection.table_names():
        return frozenset()
    return _columns(connection, table)


def is_current(using: str = DEFAULT_DB_ALIAS) -> bool:
    """Return whether the database has every table and column of the models."""
    connection = connections[using]
    tables = set(connection.introspection.table_names())
    for model in apps.get_app_config(APP).get_models(include_auto_created=True):
        if not model._meta.managed:
            continue
        table = model._meta.db_table
        if table not in tables:
            return False
        if not {field.column for field in model._meta.local_concrete_fields} <= _columns(connection, table):
            return False
    return True


def _columns(connection: BaseDatabaseWrapper, table: str) -> frozenset[str]:
    # get_table_description takes SQLite a hundred times longer, because it parses the table's SQL.
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)} LIMIT 0")  # noqa: S608 - a model's table
        return frozenset(column[0] for column in cursor.description)
