"""The past of a row: who changed what from what, when and why."""

from collections.abc import Callable, Collection, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from django.db.models import Model
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.permissions import User, event_of, is_organiser, moment_of
from tournaments.event.numbers import points_text, score_text
from tournaments.event.resultcodes import result_text
from tournaments.models import Event
from tournaments.people.hiding.anonymise import IDENTITY
from tournaments.people.hiding.hidden_entries import is_entry_of_hidden, without_hidden_names

LONGEST = 200
"""How many saves a history shows, the latest first."""

KINDS = {"+": gettext_lazy("added"), "~": gettext_lazy("changed"), "-": gettext_lazy("deleted")}


class JointFields(NamedTuple):
    """Fields that say one thing together, and how it is said."""

    label: str | Promise
    fields: frozenset[str]
    text: Callable[[Any], str]


TOGETHER = (
    JointFields(
        gettext_lazy("result"),
        frozenset({"kind", "first_score", "second_score", "advantage"}),
        lambda row: result_text(row.kind, row.first_score, row.second_score, row.advantage),
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
"""Fields that hold points as half-points."""


class ChangedField(NamedTuple):
    """One field, before and after."""

    label: str
    was: str
    now: str


class PastSave(NamedTuple):
    """One save; `at` is in words."""

    at: str
    by: str
    kind: str
    changed: list[ChangedField]
    reason: str


Tell = Callable[[str], str]


def names_for(user: User, event: Event | None) -> Tell:
    """Return what makes a text one that the account may read: names of hidden persons are for organisers."""
    return str if event is None or is_organiser(user) else without_hidden_names(event)


def past_lines(row: Model, user: User) -> list[PastSave]:
    """Return the saves of a row, the latest first; empty where the model keeps no past.

    Of an entry of a hidden person, and wherever a text names one, only organisers are told.
    """
    if not hasattr(row, "history"):
        return []
    saves = list(
        row.history.select_related("history_user").order_by("-history_date", "-history_id")[:LONGEST]
    )
    tell = names_for(user, event_of(row))
    is_kept_back = tell is not str and is_entry_of_hidden(row)
    return [
        _line(save, before, tell, is_kept_back, moment_of(row, save.history_date))
        for save, before in pairwise([*saves, None])
    ]


def _line(save: Any, before: Any, tell: Tell, is_kept_back: bool, at: str) -> PastSave:
    by = save.history_user.get_username() if save.history_user else ""
    changed = list(_changed(save, before, {"name", *IDENTITY} if is_kept_back else set())) if before else []
    changed = [ChangedField(each.label, tell(each.was), tell(each.now)) for each in changed]
    reason = tell(save.history_change_reason or "")
    return PastSave(at, by, str(KINDS[save.history_type]), changed, reason)


def _changed(save: Any, before: Any, kept_back: Collection[str]) -> Iterator[ChangedField]:
    """Yield what the save made of the row: first what several fields say together, then field by field."""
    changes = {
        change.field: change
        for change in save.diff_against(before, foreign_keys_are_objs=True).changes
        if change.field != "version"
    }
    for combined in TOGETHER:
        if combined.fields.isdisjoint(changes) or not all(hasattr(save, name) for name in combined.fields):
            continue
        was, now = combined.text(before), combined.text(save)
        if was != now:
            changes = {name: change for name, change in changes.items() if name not in combined.fields}
            yield ChangedField(str(combined.label), was or _("(empty)"), now or _("(empty)"))
    for name, change in changes.items():
        field = save.instance._meta.get_field(name)
        if name in kept_back:
            told = _("(for organisers)")
            yield ChangedField(str(field.verbose_name), told, told)
            continue
        yield ChangedField(str(field.verbose_name), _text(field, change.old), _text(field, change.new))


def _text(field: Any, value: Any) -> str:
    """Return a value as people read it; related rows that were many come as a list of dictionaries."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return ", ".join(str(next(reversed(each.values()))) for each in value)
    if value in (None, "", []):
        return _("(empty)")
    if field.name in HALF_POINTS:
        return points_text(value)
    choices = dict(field.flatchoices or ())
    return str(choices.get(value, value) if choices else value)
