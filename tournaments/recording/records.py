"""Overrides are records: numbered in order, added and never changed."""

from typing import Any

from django.contrib.auth.models import User
from django.db.models import Max

from tournaments.models import Event, Override
from tournaments.recording.turns import name_of


def add_override(event: Event, kind: str, by: User, reason: str, **what: Any) -> Override:
    """The next override of an event whose row is locked."""
    last = event.overrides.aggregate(Max("number"))["number__max"] or 0
    return Override.objects.create(
        event=event, number=last + 1, kind=kind, by=name_of(by), reason=reason, **what
    )
