"""Overrides: manual decisions that replace computed values, places or criteria."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from standings.engine import SYSTEMS
from tournaments.admin.frame import page, who
from tournaments.admin.permissions import desk_view, may_change_rules
from tournaments.admin.rulings.criteria import criterion_rows, editor_of
from tournaments.admin.rulings.forms import (
    ActionResult,
    OverrideForm,
    PlaceForm,
    ReasonForm,
    ValueForm,
    preview_or_execute,
)
from tournaments.crosstable import judge
from tournaments.event.choices import RULING_NOTHING
from tournaments.event.judging import system_of
from tournaments.models import Event, Override
from tournaments.recording.overrides import override_criteria, override_place, override_value, undo_override
from tournaments.texts import phrase_of, was_of


@desk_view()
@require_safe
def overrides(request: HttpRequest, event: Event) -> HttpResponse:
    may_change = may_change_rules(request.user, event)
    records = [
        override_row(each, may_change_rules=may_change)
        for each in _event_overrides(event).order_by("-number")
    ]
    return page(
        request,
        event,
        "event_overrides",
        _("Overrides"),
        _(
            "Decisions by hand that replace the rules of the system. The public sees * and the reason. A "
            "record is never deleted; an undo adds another record."
        ),
        records=records,
        system=system_of(event),
        may_change_rules=may_change,
        corrections=event.changes.exists(),
    )


@desk_view()
def value(request: HttpRequest, event: Event) -> HttpResponse:
    form = ValueForm(request.POST or None, event=event)
    purpose = _("Replaces the value of one competitor in one criterion, with * and your reason.")
    act = partial(override_value, event)
    return _confirmed_page(request, event, form, act, _("Override a value"), purpose)


@desk_view()
def place(request: HttpRequest, event: Event) -> HttpResponse:
    form = PlaceForm(request.POST or None, event=event)
    purpose = _("Sets the place of one competitor, with * and your reason.")
    act = partial(override_place, event)
    return _confirmed_page(request, event, form, act, _("Override a place"), purpose)


@desk_view(may_change_rules)
def criteria(request: HttpRequest, event: Event) -> HttpResponse:
    """Override the criteria of an event with a frozen system. Open systems have their own screen."""
    system = system_of(event)
    if not system.frozen:
        return redirect("admin:event-ranking", event.pk)
    posted = request.POST if request.method == "POST" else None
    editor = editor_of(event, judge(event).criteria, posted)
    form = OverrideForm(posted, event=event, is_step=editor.edited)
    purpose = _(
        "The only way to change a frozen system: other criteria for this event, with * and your reason."
    )
    act = partial(override_criteria, event, editor.codes)
    own = criterion_rows(SYSTEMS[event.system].criteria)
    title = _("Override the criteria")
    return _confirmed_page(request, event, form, act, title, purpose, editor=editor, system_criteria=own)


@desk_view()
def undo(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    override = get_object_or_404(_event_overrides(event), number=number)
    # Users can type the address even if the list shows no button.
    if override.kind == Override.Kind.RULES and not may_change_rules(request.user, event):
        raise PermissionDenied
    form = ReasonForm(request.POST or None)
    title = _("Undo override %(number)s") % {"number": number}
    purpose = _("Undoes an override. Its record stays; a new record shows who undid it, and why.")
    act, record = partial(undo_override, override), override_row(override)
    return _confirmed_page(request, event, form, act, title, purpose, record=record)


def _confirmed_page(
    request: HttpRequest,
    event: Event,
    form: ReasonForm,
    act: Callable[..., Any],
    title: str,
    purpose: str,
    **context: Any,
) -> HttpResponse:
    answer = ActionResult()
    if form.is_valid():
        answer = preview_or_execute(request, event, lambda: act(by=who(request), **form.cleaned_data))
    made = answer.made or []
    made = made if isinstance(made, list) else [made]
    if answer.done:
        messages.success(request, _("Recorded: %(what)s.") % {"what": ", ".join(map(phrase_of, made))})
        return redirect("admin:event-overrides", event.pk)
    context["would_record"] = [override_row(each) for each in made]
    return page(request, event, "event_override", title, purpose, form=form, answer=answer, **context)


def override_row(override: Override, *, may_change_rules: bool = True) -> dict[str, Any]:
    """Return an override as a row of the list. Criteria cannot be undone without `may_change_rules`."""
    undone_by = override.undone_by.number if hasattr(override, "undone_by") else None
    not_undone = {*RULING_NOTHING} if may_change_rules else {*RULING_NOTHING, Override.Kind.RULES}
    return {
        "override": override,
        "what": phrase_of(override),
        "was": was_of(override),
        "undone_by": undone_by,
        "can_be_undone": undone_by is None and override.kind not in not_undone,
    }


def _event_overrides(event: Event) -> Any:
    return event.overrides.select_related("event", "competitor", "undoes", "undone_by")
