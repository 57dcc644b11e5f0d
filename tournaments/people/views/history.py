"""The history of persons and teams: acts, their changes as text, and their undo."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet, prefetch_related_objects
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.admin.frame import page, refusal_of, who
from tournaments.admin.permissions import organisers_only, visible
from tournaments.event.choices import Sex
from tournaments.event.dates import moment_text
from tournaments.models import ActSubject, EntryName, Event, PeopleAct, Person, Team
from tournaments.people.forms import ReasonForm
from tournaments.people.models.team import Owner
from tournaments.people.services.history import TABLES, image_of, undo_people_act
from tournaments.people.texts import ACT_KINDS, FIELD_LABELS, ROW_LABELS
from tournaments.people.views.search import MODELS, desk_address

LATEST_ACTS = 100
"""Maximum number of acts on the page of a person or a team, and per page of the full history."""

MOST_CHANGES = 12
"""Maximum number of changes that are listed for an act."""

INTERNAL_COLUMNS = {"key", "version", "at", "by", "how", "number", "reason", "competitor_id", "player_id"}
"""Columns that are not shown in the history: internal, or derived from others."""

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ActRow:
    """An act of the history.

    `more`: number of changes that are not listed. `about`: names and desk pages of the persons and teams.
    """

    act: PeopleAct
    what: str
    changes: list[str]
    more: int
    about: list[tuple[str, str]]


@organisers_only
def history(request: HttpRequest) -> HttpResponse:
    rows = visible(request.user, PeopleAct).order_by("-pk")
    shown = Paginator(rows.select_related("undone_by", "undoes"), LATEST_ACTS).get_page(
        request.GET.get("page")
    )
    return page(
        request,
        None,
        "people/history",
        _("History of persons and teams"),
        _("All decisions, latest first. You can undo each of them, and undo an undo."),
        acts=act_rows(list(shown.object_list)),
        shown=shown,
    )


def act_rows_of(found: Owner) -> list[ActRow]:
    """Return the acts on a person or a team, the latest first; six queries at most."""
    rows: QuerySet[PeopleAct] = PeopleAct.objects.filter(
        subjects__is_team=isinstance(found, Team), subjects__number=found.pk
    )
    shown = act_rows(list(rows.select_related("undone_by", "undoes").order_by("-pk")[:LATEST_ACTS]))
    here = desk_address(found)
    return [replace(each, about=[one for one in each.about if one[1] != here]) for each in shown]


def act_rows(listed: list[PeopleAct]) -> list[ActRow]:
    names = ChangeNames(change for act in listed for change in act.changes)
    prefetch_related_objects(listed, "subjects")
    rows = []
    for act in listed:
        texts = list(dict.fromkeys(filter(None, (_change_text(change, names) for change in act.changes))))
        about = [subject for subject in map(names.page_of, act.subjects.all()) if subject]
        more = max(len(texts) - MOST_CHANGES, 0)
        rows.append(ActRow(act, act_text(act), texts[:MOST_CHANGES], more, about))
    return rows


def act_text(act: PeopleAct) -> str:
    """Return the kind of an act. An undo is followed back to the first act, which it undoes or does again."""
    first, is_undone = act, False
    while first.undoes is not None:
        first, is_undone = first.undoes, not is_undone
    kind = str(ACT_KINDS[PeopleAct.Kind(first.kind)])
    if first == act:
        return kind
    values = {"what": kind, "at": moment_text(first.at)}
    return (_("Undone: %(what)s, %(at)s") if is_undone else _("Done again: %(what)s, %(at)s")) % values


class ChangeNames:
    """Names of the events, entries, persons and teams in changes.

    Four queries, and one for each table with rows that changed their owner.
    """

    def __init__(self, changes: Iterable[list[Any]]) -> None:
        keys: dict[str, set[int]] = {"event": set(), "person": set(), "team": set()}
        self._folded: set[str] = set()
        moved: dict[str, set[int]] = defaultdict(set)
        for name, key, before, after in changes:
            if name in keys:
                keys[name].add(key)
            if name in ROW_LABELS and before and after:
                moved[name].add(key)
            for image in (before or {}, after or {}):
                for column, value in image.items():
                    self._read(keys, column.removesuffix("_id"), value)
                if name in keys and image.get("merged_into_id"):
                    keys[name].add(image["merged_into_id"])
        self.events = dict(Event.objects.filter(pk__in=keys["event"]).values_list("pk", "name"))
        self.persons = dict(Person.objects.filter(pk__in=keys["person"]).values_list("pk", "name"))
        rows = EntryName.objects.filter(event__in=keys["event"], key__in=self._folded)
        named = rows.values_list("event", "key", Coalesce("competitor__name", "player__name"))
        self.entries = {(event, key): name for event, key, name in named}
        self.rows = {
            (name, key): image_of(row)
            for name, found in moved.items()
            for key, row in TABLES[name]._default_manager.in_bulk(found).items()
        }
        self.teams = dict(Team.objects.filter(pk__in=keys["team"]).values_list("pk", "name"))

    def _read(self, keys: Mapping[str, set[int]], column: str, value: Any) -> None:
        if column in keys and isinstance(value, int):
            keys[column].add(value)
        kind, _sign, rest = value.partition(":") if isinstance(value, str) else ("", "", "")
        number, _sign, identity = rest.partition(":")
        if column in {"one", "other"} and number.isdigit():
            keys["event" if kind == "entry" else kind].add(int(number))
            self._folded.add(identity.partition("@")[0])

    def page_of(self, subject: ActSubject) -> tuple[str, str] | None:
        """Return the name of a person or a team, and its desk page. None if it is gone."""
        kind, names = ("team", self.teams) if subject.is_team else ("person", self.persons)
        if (name := names.get(subject.number)) is None:
            return None
        return f"{name} ({subject.number})", reverse(f"admin:{kind}", args=[subject.number])

    def event(self, key: int) -> str:
        return str(self.events.get(key) or _("event %(number)s, which is gone") % {"number": key})

    def owner_text(self, key: int, *, is_team: bool) -> str:
        name = (self.teams if is_team else self.persons).get(key)
        return f"{name} ({key})" if name else _("number %(number)s") % {"number": key}

    def side(self, text: str) -> str:
        kind, _sign, rest = text.partition(":")
        number, _sign, identity = rest.partition(":")
        if kind != "entry":
            return self.owner_text(int(number), is_team=kind == "team")
        folded = identity.partition("@")[0]
        entry = self.entries.get((int(number), folded), folded.replace(":", " "))
        return _("“%(entry)s” in %(event)s") % {"entry": entry, "event": self.event(int(number))}


def _change_text(change: list[Any], names: ChangeNames) -> str:
    """Return the change of a row as text, blank if it is covered by another change."""
    name, key, before, after = change
    if name in {"person", "team"}:
        return _owner_change(name, key, before, after, names)
    if name in {"personlink", "teamlink"}:
        return _link_change(name, before or {}, after or {}, names)
    text = _act_row_text(name, {**(before or {}), **(after or {})}, names)
    if before is None or after is None:
        if name == "linkproposal":
            change_text = _("%(what)s waits") if before is None else _("%(what)s waits no more")
        else:
            change_text = _("%(what)s added") if before is None else _("%(what)s removed")
        return change_text % {"what": text}
    owner_key = after.get("person_id", after.get("team_id"))
    if isinstance(owner_key, int) and name not in {"linkproposal", "linkrefusal"}:
        owner = names.owner_text(owner_key, is_team=name.startswith("team"))
        text = _act_row_text(name, {**names.rows.get((name, key), {}), **after, **before}, names)
        return _("%(what)s given to %(to)s") % {"what": text, "to": owner}
    return ""


def _owner_change(
    name: str, key: int, before: Values | None, after: Values | None, names: ChangeNames
) -> str:
    owner = names.owner_text(key, is_team=name == "team")
    if before is None or after is None:
        image = after or before or {}
        text = _("%(name)s made") if before is None else _("%(name)s removed")
        return text % {"name": f"{image['name']} ({key})"}
    if "merged_into_id" in after:
        into = after["merged_into_id"]
        if into is None:
            return _("%(name)s is separate again") % {"name": owner}
        target = names.owner_text(into, is_team=name == "team")
        return _("%(name)s merged into %(into)s") % {"name": owner, "into": target}
    changed = [
        f"{FIELD_LABELS[column]}: "
        f"{_quoted_value(before.get(column), column)} → {_quoted_value(after[column], column)}"
        # PostgreSQL does not keep the order of the columns.
        for column in sorted({*after} - INTERNAL_COLUMNS, key=[*FIELD_LABELS].index)
    ]
    return f"{owner}: {'; '.join(changed)}" if changed else ""


def _link_change(name: str, before: Values, after: Values, names: ChangeNames) -> str:
    column, is_team = ("team_id", True) if name == "teamlink" else ("person_id", False)
    image = {**before, **after}
    values = {
        "entry": image.get("name", ""),
        "event": names.event(image["event_id"]) if "event_id" in image else "",
        "was": names.owner_text(before[column], is_team=is_team) if column in before else "",
        "now": names.owner_text(after[column], is_team=is_team) if column in after else "",
    }
    if before and after:
        return _("Entries of %(was)s given to %(now)s") % values if values["now"] else ""
    if after:
        return _("“%(entry)s” in %(event)s linked to %(now)s") % values
    return _("“%(entry)s” in %(event)s no longer linked to %(was)s") % values


def _act_row_text(name: str, image: Values, names: ChangeNames) -> str:
    label = str(ROW_LABELS.get(name, name))
    if name in {"linkproposal", "linkrefusal"}:
        if not {"one", "other"} <= {*image}:
            return label
        sign = "=" if name == "linkproposal" else "≠"
        return f"{label} {names.side(image['one'])} {sign} {names.side(image['other'])}"
    parts = [image.get(column) for column in ("scheme", "value", "code", "title", "name", "since", "until")]
    return " ".join([label, *(str(part) for part in parts if part)])


def _quoted_value(value: Any, column: str = "") -> str:
    if column == "sex" and value in Sex.values:
        value = Sex(value).label
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    text = "; ".join(map(str, value)) if isinstance(value, list) else str(value if value is not None else "")
    return f"“{text}”" if text else "–"


@organisers_only
def undo_act(request: HttpRequest, key: int) -> HttpResponse:
    act = get_object_or_404(visible(request.user, PeopleAct), pk=key)
    owner = _first_subject(act)
    form, fault = ReasonForm(request.POST if "asked" in request.POST else None), ""
    if form.is_valid():
        fault = refusal_of(lambda: undo_people_act(act, who(request), form.cleaned_data["reason"]))
        if not fault:
            messages.success(request, _("Undone. The undoing can be undone as well."))
            subject = _first_subject(act)
            return redirect(desk_address(subject) if subject else "admin:people-acts")
    values, shown = {"what": act_text(act), "by": act.by, "at": moment_text(act.at)}, act_rows([act])[0]
    lines = [_("%(what)s, by %(by)s, %(at)s.") % values, *([act.reason] if act.reason else [])]
    return page(
        request,
        None,
        "people/confirm",
        _("Undo"),
        _("Restores the state before this action. Later changes must be undone first."),
        told=lines,
        listed_as=_("Effects that will be undone"),
        listed=[*shown.changes, *([_("and %(count)s more") % {"count": shown.more}] if shown.more else [])],
        form=form,
        fault=fault,
        owner=owner,
        back=desk_address(owner) if owner else "",
        verb=_("Undo it"),
    )


def _first_subject(act: PeopleAct) -> Owner | None:
    """Return the existing person or team with the lowest number that an act was about."""
    for each in act.subjects.order_by("number"):
        model = MODELS["team" if each.is_team else "person"]
        if found := model._default_manager.filter(pk=each.number).first():
            return found
    return None
