"""Protects runs for PostgreSQL from silently using SQLite."""

import os

import pytest
from django.db import connection


@pytest.mark.django_db
def test_database_is_that_of_expect_vendor() -> None:
    assert connection.vendor == os.environ.get("EXPECT_VENDOR", "sqlite")
    with connection.cursor() as cursor:
        cursor.execute("SELECT 42")
        assert cursor.fetchone() == (42,)
