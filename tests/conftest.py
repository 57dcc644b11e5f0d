"""What every test starts from."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import cache
from pytest_django import Settings

from standings import catalogue, search


@pytest.fixture(autouse=True)
def empty_cache() -> Iterator[None]:
    """No test finds, or leaves, a cached page or standing, or a list of the events of another test."""
    forget()
    yield
    forget()


@pytest.fixture(autouse=True)
def own_archives(settings: Settings, tmp_path: Path) -> None:
    """No test finds an archive of another."""
    settings.ARCHIVES = tmp_path / "archives"


def forget() -> None:
    """All that is kept of what the database said."""
    cache.clear()
    catalogue.forget()
    search.forget()
