"""The ranking system of an event: choosing another system, or reordering the criteria of an open one."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from standings.engine import SYSTEMS, Criterion, Family, RankingSystem, edition_of, get_criterion
from tournaments.admin.frame import page, who
from tournaments.admin.permissions import desk_view, may_change_rules
from tournaments.admin.rulings.criteria import criterion_rows, editor_of
from tournaments.admin.rulings.forms import ActionResult, OverrideForm, preview_or_execute
from tournaments.crosstable import judge
from tournaments.event.checks.references import comes_too_early
from tournaments.event.choices import Kind
from tournaments.event.judging import system_of
from tournaments.event.numbers import whole_number
from tournaments.models import Event, Override, Pairing
from tournaments.recording.events.rules import is_frozen, rules_override
from tournaments.recording.events.systems import (
    FIDE_POLICIES,
    choose_system,
    edition_in_force,
    fide_system,
    order_criteria,
    settings_of_system,
    suits,
)
from tournaments.recording.refusal import Refused
from tournaments.recording.results.preview import ExplainedMove, try_rules
from tournaments.texts import criterion_name, criterion_names, localized, name_of_edition, name_of_system

ACTS = ("system", "order")
"""Actions of the two forms of the screen."""


class ListWarning(NamedTuple):
    """A warning about a criterion, or about the entire list (`abbr` is blank), from FIDE C.07.

    Warnings do not block saving, because the regulations of an event may require what C.07 advises against.
    """

    abbr: str
    text: str


class RulesTrial(NamedTuple):
    """A trial of rules before they are saved. `moves`: with reasons; None if the rules do not change."""

    id: str
    warnings: list[ListWarning]
    moves: list[tuple[ExplainedMove, str]] | None


@desk_view()
def ranking(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the ranking system. Changes are confirmed first if the event has results.

    A POST with `try` shows the effect of another list or system, with `try=fragment` only that part of the
    page.
    """
    may_change = may_change_rules(request.user, event)
    if request.method == "POST" and not may_change:
        raise PermissionDenied
    posted = request.POST if request.method == "POST" else None
    act = posted.get("act", "") if posted else ""
    system = system_of(event)
    editor = editor_of(event, system.criteria, posted if act == "order" else None)
    is_step = editor.edited or (posted is not None and "try" in posted)
    # Links on the desk propose a system, which is preselected and previewed.
    chosen = (posted or request.GET).get("system", "")
    edition = posted.get("edition", "") if posted else ""
    trials: dict[str, RulesTrial | None] = {
        "order": _list_trial(event, system, editor.codes, is_tried=act == "order" and is_step)
    }
    if chosen and (is_step or posted is None):
        trials["system"] = _system_trial(event, chosen, edition)
    if posted and posted.get("try") == "fragment":
        return render(request, "admin/ruling_trial.html", {"trial": trials.get(act)})
    why = {
        name: _override_form(event, name, posted if name == act else None, is_step=is_step) for name in ACTS
    }
    answer = ActionResult()
    if posted and act in ACTS and not is_step:
        answer = _execute_change(request, event, act, why[act])
    if answer.done:
        saved = _("Saved: it counts from now on, for every round.")
        recorded = _("Saved with your reason: the public sees the change and the reason.")
        messages.success(request, recorded if why[act] else saved)
        return redirect("admin:event-ranking", event.pk)
    return page(
        request,
        event,
        "event_ranking",
        _("Ranking system"),
        _("The ranking system of the event, and the order of its criteria."),
        editor=editor,
        act=act,
        answer=answer,
        # After a conflict the page shows the new state, so confirming again is deliberate.
        seen=event.version if posted is None or answer.is_conflict else posted.get("seen", event.version),
        may_change=may_change,
        why=why,
        trials=trials,
        edition=edition,
        **_ranking_context(event, system, chosen),
    )


def _list_trial(event: Event, system: RankingSystem, codes: Sequence[str], *, is_tried: bool) -> RulesTrial:
    # A frozen system is a published set of rules, so warnings would not help.
    warnings = [] if system.frozen else warnings_of_list(event, codes)
    moves = _explained_moves(event, {"criteria": codes}) if is_tried and codes else None
    return RulesTrial("order", warnings, moves)


def _system_trial(event: Event, code: str, edition: str) -> RulesTrial | None:
    try:
        settings = settings_of_system(event, code, edition)
    except Refused:
        return None
    return RulesTrial("system", [], _explained_moves(event, settings))


def _explained_moves(event: Event, settings: Mapping[str, Any]) -> list[tuple[ExplainedMove, str]]:
    moves = try_rules(event, settings) if has_results(event) else []
    return [(each, _move_reason(each)) for each in moves]


def _move_reason(move: ExplainedMove) -> str:
    """Return the reason why a competitor passes another, or is passed, as text."""
    if not move.other:
        return ""
    values = {"other": move.other}
    if not move.by:
        return _("level with %(other)s") % values
    is_ahead = (move.now or 0) < (move.was or 0)
    if move.by == "place":
        text = _("ahead of %(other)s, by a ruling") if is_ahead else _("after %(other)s, by a ruling")
        return text % values
    criterion = get_criterion(move.by)
    own, others = map(localized, move.figures)
    values |= {"abbr": criterion.abbr, "source": criterion.source, "own": own, "others": others}
    if is_ahead:
        return _("ahead of %(other)s by %(abbr)s (%(source)s): %(own)s to %(others)s") % values
    return _("after %(other)s by %(abbr)s (%(source)s): %(own)s to %(others)s") % values


def _override_form(event: Event, act: str, posted: Any, *, is_step: bool) -> OverrideForm | None:
    if not is_frozen(event):
        return None
    form = OverrideForm(posted, event=event, is_step=is_step)
    # Two forms on the page have the same fields, and ids must be unique.
    form.auto_id = f"{act}-%s"
    return form


def _execute_change(request: HttpRequest, event: Event, act: str, form: OverrideForm | None) -> ActionResult:
    if form and not form.is_valid():
        return ActionResult()
    posted, by = request.POST, who(request)
    seen = whole_number(posted.get("seen", "")) or 0
    cleaned: dict[str, Any] = form.cleaned_data if form else {"reason": "", "after": None}
    reason, after = cleaned["reason"], cleaned["after"]
    # Without results no places can change. Frozen rules ask anyway, because they need a reason.
    ask = has_results(event) or form is not None
    record: Callable[..., Event] = partial(order_criteria, event, posted.getlist("criteria"))
    if act == "system":
        system, edition = posted.get("system", ""), posted.get("edition", "")
        record = partial(choose_system, event, system, edition=edition)
    return preview_or_execute(request, event, lambda: record(seen, by, reason, after), ask=ask)


def has_results(event: Event) -> bool:
    """Return whether another ranking could change places, with a single query."""
    return Pairing.objects.filter(round__event=event).exclude(kind=Kind.PENDING).exists()


def _ranking_context(event: Event, system: RankingSystem, chosen: str) -> dict[str, Any]:
    ruled, standings = rules_override(event), judge(event)
    offered = [(each, name_of_system(each)) for each in SYSTEMS.values() if each.code != event.system]
    if system.chess:
        as_now = _("%(system)s as now, in another edition") % {"system": name_of_system(system)}
        offered.insert(0, (system, as_now))
    choices = [(each, name, criterion_names(each.criteria)) for each, name in offered]
    suiting = {each.code for each in SYSTEMS.values() if suits(each, event)}
    proposed, of_start = fide_system(event), edition_of(event.start).code
    used = edition_in_force(event)
    return {
        "system": system,
        "chosen": chosen,
        "system_name": name_of_system(system),
        "ruled": ruled,
        "in_force": criterion_rows(standings.criteria),
        "is_starred": standings.has_other_rules,
        "has_older_list": ruled is not None and ruled.kind == Override.Kind.CRITERIA,
        "suiting": [each for each in choices if each[0].code in suiting],
        "others": [each for each in choices if each[0].code not in suiting],
        "rules_used": name_of_edition(used) if used else "",
        "rules_proposed": name_of_edition(of_start) if proposed and not SYSTEMS[event.system].chess else "",
        "proposed": proposed,
        "editions": [(code, name_of_edition(code)) for code in reversed(FIDE_POLICIES)] if proposed else [],
        "edition_of_start": name_of_edition(of_start),
    }


# --- warnings about a list ---------------------------------------------------------------------------------


def warnings_of_list(event: Event, codes: Sequence[str]) -> list[ListWarning]:
    """Return the warnings about a list of criteria for this event, in the order of the list; a single query.

    Raise UnknownCriterionError if a code is unknown.
    """
    criteria = [get_criterion(code) for code in codes]
    warnings = [ListWarning("", text) for text in _edition_warnings(event)]
    unrated = 0 if event.unrated else event.competitors.filter(rating=None).count()
    for at, criterion in enumerate(criteria):
        texts = _criterion_warnings(event, criterion, codes[:at], unrated)
        warnings += [ListWarning(criterion.abbr, text) for text in texts]
    return warnings


def _edition_warnings(event: Event) -> list[str]:
    edition, of_start = edition_in_force(event), edition_of(event.start).code
    if not edition or not event.start or edition == of_start:
        return []
    values = {"start": event.start, "used": name_of_edition(edition), "then": name_of_edition(of_start)}
    return [
        _("The event starts on %(start)s, under %(then)s, but uses %(used)s. Choose an edition below.")
        % values
    ]


def _criterion_warnings(event: Event, criterion: Criterion, before: Sequence[str], unrated: int) -> list[str]:
    texts = []
    if criterion.swiss and event.is_round_robin:
        text = _("Made for Swiss tournaments (%(article)s): in a round robin all have the same opponents.")
        texts.append(text % {"article": criterion.article})
    if criterion.teams and not event.is_team:
        text = _("For team events only (%(article)s). In an individual event it has no effect.")
        texts.append(text % {"article": criterion.article})
    if first := comes_too_early(criterion.code, before):
        values = {"first": criterion_name(get_criterion(first)), "abbr": get_criterion(first).abbr}
        if criterion.is_fide:
            values["article"] = criterion.article
            text = _("Fair only between teams level in %(first)s (%(article)s): put %(abbr)s before it.")
        else:
            text = _("Only fair after %(first)s, which does not come before it.")
        texts.append(text % values)
    if criterion.is_fide and criterion.family is Family.RATINGS and unrated:
        text = ngettext(
            "%(count)s competitor has no rating. This criterion does not count unless the settings give a "
            "rating for unrated players.",
            "%(count)s competitors have no rating. This criterion does not count unless the settings give "
            "a rating for unrated players.",
            unrated,
        )
        texts.append(text % {"count": unrated})
    edition = edition_in_force(event) or edition_of(event.start).code
    if criterion.since and edition < f"fide-{criterion.since}":
        values = {"since": criterion.since, "edition": name_of_edition(edition)}
        texts.append(_("New in %(since)s: %(edition)s do not have it.") % values)
    return texts
