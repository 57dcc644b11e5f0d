"""The past of a row: who changed what from what, when and why."""

from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from typing import Any, NamedTuple

from django.db.models import Model
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

LONGEST = 200
"""How many saves a history shows, the latest first."""

KINDS = {"+": gettext_lazy("added"), "~": gettext_lazy("changed"), "-": gettext_lazy("deleted")}


class Changed(NamedTuple):
    """One field, before and after."""

    label: str
    was: str
    now: str


class Line(NamedTuple):
    """One save."""

    at: datetime
    by: str
    kind: str
    changed: list[Changed]
    reason: str


def past_lines(row: Model) -> list[Line]:
    """The saves of a row, the latest first; empty where the model keeps no past."""
    if not hasattr(row, "history"):
        return []
    saves = list(
        row.history.select_related("history_user").order_by("-history_date", "-history_id")[:LONGEST]
    )
    return [_line(save, before) for save, before in pairwise([*saves, None])]


def _line(save: Any, before: Any) -> Line:
    by = save.history_user.get_username() if save.history_user else ""
    changed = list(_changed(save, before)) if before else []
    return Line(
        save.history_date, by, str(KINDS[save.history_type]), changed, save.history_change_reason or ""
    )


def _changed(save: Any, before: Any) -> Iterator[Changed]:
    for change in save.diff_against(before, foreign_keys_are_objs=True).changes:
        if change.field != "version":
            field = save.instance._meta.get_field(change.field)
            yield Changed(str(field.verbose_name), _text(change.old), _text(change.new))


def _text(value: Any) -> str:
    """A value as people read it; related rows that were many come as a list of dictionaries."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return ", ".join(str(next(reversed(each.values()))) for each in value)
    return _("(empty)") if value in (None, "", []) else str(value)
