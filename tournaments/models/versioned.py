"""Rows with optimistic versions and history."""

from functools import cache
from typing import Any

from django.db import models
from simple_history.manager import HistoryManager
from simple_history.models import HistoricalRecords


class CachedHistoryManager(HistoryManager):  # type: ignore[misc]  # simple-history has no types
    """A history manager whose class is created once. simple-history creates one for each saved row."""

    # The ignored error: simple-history has no types.
    from_queryset: Any = classmethod(cache(HistoryManager.from_queryset.__func__))  # type: ignore[arg-type]


class Versioned(models.Model):
    """A row with a version, which every save through `tournaments.recording` compares and increments."""

    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        abstract = True


def past(**options: Any) -> Any:
    """Return the history of a model: author, time and reason of saves, not of bulk writes (ADR 0018)."""
    return HistoricalRecords(
        history_change_reason_field=models.TextField(null=True),
        history_manager=CachedHistoryManager,
        **options,
    )


def past_of(model: type[Versioned]) -> Any:
    return model.history.model  # type: ignore[attr-defined]  # a descriptor that simple-history sets
