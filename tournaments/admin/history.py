"""The history of a row: who changed which field, when and why."""

from collections.abc import Callable, Collection, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from django.db.models import Model
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.accounts.services.roles import User, is_organiser
from tournaments.admin.permissions import event_of, moment_of
from tournaments.event.numbers import points_text, score_text
from tournaments.event.resultcodes import result_text
from tournaments.models import Event
from tournaments.people.hiding.anonymise import IDENTITY
from tournaments.people.hiding.hidden_entries import is_entry_of_hidden, without_hidden_names

MAX_SAVES = 200
"""The number of saves that a history shows, latest first."""

KINDS = {"+": gettext_lazy("added"), "~": gettext_lazy("changed"), "-": gettext_lazy("deleted")}


class JointFields(NamedTuple):
    """Fields that form a single value, such as a result. `text` returns it for a row."""

    label: str | Promise
    fields: frozenset[str]
    text: Callable[[Any], str]


JOINT_FIELDS = (
    JointFields(
        gettext_lazy("result"),
        frozenset({"kind", "delayed", "first_score", "second_score", "advantage"}),
        lambda row: result_text(row.kind, row.first_score, row.second_score, row.advantage) or row.delayed,
    ),
    JointFields(
        gettext_lazy("match points"),
        frozenset({"first_match_points", "second_match_points"}),
        lambda row: score_text(row.first_match_points, row.second_match_points),
    ),
)

HALF_POINTS = frozenset(
    {"first_score", "second_score", "first_match_points", "second_match_points", "bye_game", "bye_match"}
    | {f"{of}_{result}" for of in ("game", "match") for result in ("win", "draw", "loss")}
)
"""Fields with points in half-points."""


class ChangedField(NamedTuple):
    """A field before and after a save."""

    label: str
    was: str
    now: str


class PastSave(NamedTuple):
    """A save of a row. `at` is a formatted time."""

    at: str
    by: str
    kind: str
    changed: list[ChangedField]
    reason: str


def names_for(user: User, event: Event | None) -> Callable[[str], str]:
    """Return a function that removes hidden names from a text, unless the user is an organiser."""
    return str if event is None or is_organiser(user) else without_hidden_names(event)


def past_saves(row: Model, user: User) -> list[PastSave]:
    """Return the saves of a row, latest first; empty if the model has no history.

    Users other than organisers see no names of hidden persons, and no values of their entries.
    """
    if not hasattr(row, "history"):
        return []
    saves = list(
        row.history.select_related("history_user").order_by("-history_date", "-history_id")[:MAX_SAVES]
    )
    hide_names = names_for(user, event_of(row))
    is_withheld = hide_names is not str and is_entry_of_hidden(row)
    withheld = {"name", *IDENTITY} if is_withheld else set()
    lines = []
    for save, before in pairwise([*saves, None]):
        by = save.history_user.get_username() if save.history_user else ""
        changed = [
            ChangedField(each.label, hide_names(each.was), hide_names(each.now))
            for each in (_changed_fields(save, before, withheld) if before else ())
        ]
        reason = hide_names(save.history_change_reason or "")
        at = moment_of(row, save.history_date)
        lines.append(PastSave(at, by, str(KINDS[save.history_type]), changed, reason))
    return lines


def _changed_fields(save: Any, before: Any, withheld: Collection[str]) -> Iterator[ChangedField]:
    changes = {
        change.field: change
        for change in save.diff_against(before, foreign_keys_are_objs=True).changes
        if change.field != "version"
    }
    for joint in JOINT_FIELDS:
        if joint.fields.isdisjoint(changes) or not all(hasattr(save, name) for name in joint.fields):
            continue
        was, now = joint.text(before), joint.text(save)
        if was != now:
            changes = {name: change for name, change in changes.items() if name not in joint.fields}
            yield ChangedField(str(joint.label), was or _("(empty)"), now or _("(empty)"))
    for name, change in changes.items():
        field = save.instance._meta.get_field(name)
        if name in withheld:
            hidden_text = _("(for organisers)")
            yield ChangedField(str(field.verbose_name), hidden_text, hidden_text)
            continue
        yield ChangedField(
            str(field.verbose_name), _field_text(field, change.old), _field_text(field, change.new)
        )


def _field_text(field: Any, value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return ", ".join(str(next(reversed(each.values()))) for each in value)
    if value in (None, "", []):
        return _("(empty)")
    if field.name in HALF_POINTS:
        return points_text(value)
    choices = dict(field.flatchoices or ())
    return str(choices.get(value, value) if choices else value)
