"""What every test starts from."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def empty_cache() -> Iterator[None]:
    """No test finds, or leaves, a cached page or standing."""
    cache.clear()
    yield
    cache.clear()
