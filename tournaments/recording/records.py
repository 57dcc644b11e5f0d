"""Overrides are records: numbered in order, added and never changed."""

from typing import Any

from django.db.models import Max

from tournaments.models import Event, Override


def add_override(event: Event, kind: str, by: str, reason: str, **what: Any) -> Override:
    """The next override of an event whose row is locked; `by` is a name."""
    last = event.overrides.aggregate(Max("number"))["number__max"] or 0
    return Override.objects.create(event=event, number=last + 1, kind=kind, by=by, reason=reason, **what)
