"""The tables and columns that the database really has, for code that runs before or during migrations.

The models are always those of the newest migration. Code that runs in signals of `migrate` meets older
schemas too: after a partial or interrupted migrate, and when an older backup is restored.
"""

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Model

APP = "tournaments"


def columns_of(model: type[Model], using: str = DEFAULT_DB_ALIAS) -> frozenset[str]:
    """Return the columns of a model's table in the database; empty if there is no such table."""
    connection, table = connections[using], model._meta.db_table
    with connection.cursor() as cursor:
        if table not in connection.introspection.table_names(cursor):
            return frozenset()
        described = connection.introspection.get_table_description(cursor, table)
    return frozenset(column.name for column in described)


def is_current(using: str = DEFAULT_DB_ALIAS) -> bool:
    """Return whether the database has every table and column that the models of this program use."""
    connection = connections[using]
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        for model in apps.get_app_config(APP).get_models(include_auto_created=True):
            if not model._meta.managed:
                continue
            table = model._meta.db_table
            if table not in tables:
                return False
            described = connection.introspection.get_table_description(cursor, table)
            needed = {field.column for field in model._meta.local_concrete_fields}
            if not needed <= {column.name for column in described}:
                return False
    return True
