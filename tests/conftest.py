"""What every test starts from."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache

from standings import catalogue, search


@pytest.fixture(autouse=True)
def empty_cache() -> Iterator[None]:
    """No test finds, or leaves, a cached page or standing, or a list of the events of another test."""
    forget()
    yield
    forget()


def forget() -> None:
    """All that is kept of what the database said."""
    cache.clear()
    catalogue.forget()
    search.forget()
