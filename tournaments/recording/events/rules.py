"""Changes of rules after the first result need a reason and are recorded as overrides (ADR 0019).

The desk, the settings form, imports and commands all use this module.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from standings.engine import SYSTEMS
from tournaments.event.checks import check_document
from tournaments.event.document import EventEntry
from tournaments.event.finding import added_findings, errors
from tournaments.event.rules import SETTLED, Rules
from tournaments.event.schema import field_names
from tournaments.models import Event, Override, Pairing, Round
from tournaments.models.versioned import past_of
from tournaments.recording.corrections import moved_between, places_by_number
from tournaments.recording.locking import add_override, compare_version, name_of_user, save
from tournaments.recording.refusal import Refused, required
from tournaments.recording.rounds.opening import current_round
from tournaments.stored import stored

OF_FROZEN = "criteria-of-frozen-system"
"""Finding about an own list of criteria in a frozen system without an override. It is ignored, because the
override is added next.
"""


def is_frozen(event: Event) -> bool:
    """Return whether a change of the rules needs a reason, because there is or was a result.

    Removed results are found in the public log, in the history of pairings, or by an earlier change of the
    rules. At most four queries.
    """
    return (
        Pairing.objects.filter(round__event=event, kind__in=SETTLED).exists()
        or event.overrides.filter(kind=Override.Kind.RULES).exists()
        or event.changes.exists()
        or past_of(Pairing).objects.filter(round__event=event, kind__in=SETTLED).exists()
    )


def needs_record(event: Event, was: Rules, now: Rules) -> bool:
    """Return whether the change of rules must be recorded as an override.

    Before the first result only an own list of criteria in a frozen system must be recorded.
    """
    if was == now:
        return False
    # A frozen system with another list is a different system, which readers must see even without results.
    own_list = bool(now.criteria) and SYSTEMS[now.system].frozen and was.criteria != now.criteria
    return own_list or is_frozen(event)


def change_rules(
    event: Event,
    settings: Mapping[str, Any],
    by: User,
    reason: str = "",
    after: int | None = None,
    seen: int | None = None,
) -> Override | None:
    """Change the rules of a locked event. Return the override that records it, or None if none is needed.

    `seen`: version that the user saw. Raise Conflict if the event has changed since.
    """
    # An override only adds a record; a replaced setting needs the version check.
    if seen is not None:
        compare_version(event, seen)
    was = Rules.of(event)
    now = normal(was.with_settings(settings))
    if was == now:
        raise Refused(_("These are the rules that the event has. Change them, or leave them."))
    _save_settings(event, now.differing(was), by)
    return record_change(event, was, name_of_user(by), reason, after)


def record_change(
    event: Event, was: Rules, by: str, reason: str = "", after: int | None = None
) -> Override | None:
    """Record the former rules of a saved event if needed, inside the transaction of the change.

    `by` is a name, because commands have no account. `after`: first round whose standings are affected;
    None for the current round. Raise Refused without a reason.
    """
    return add_record(event, was, by, reason, after) if needs_record(event, was, Rules.of(event)) else None


def add_record(event: Event, was: Rules, by: str, reason: str, after: int | None = None) -> Override:
    """Record the former rules of a saved event. Raise Refused without a reason."""
    now = Rules.of(event)
    refuse_older_list(event)
    reason_text = required(reason, why_a_reason())
    made = add_override(
        event, Override.Kind.RULES, by, reason_text,
        rules_from=was.differing(now), rules_to=now.differing(was), after=first_round(event, after),
    )  # fmt: skip
    # Places without this override can only be computed once it is stored.
    made.moved = moved_between(places_by_number(event, without=made), places_by_number(event))
    made.save(update_fields=["moved"])
    return made


def undo_change(event: Event, override: Override, by: User, reason: str) -> Override:
    """Restore the rules before an override, and record the undo with the moved places.

    Raise Refused if the rules were changed again since, or if stored scores do not fit the old scoring.
    """
    later = event.overrides.filter(kind=Override.Kind.RULES, number__gt=override.number, undone_by=None)
    if again := later.order_by("-number").first():
        raise Refused(
            _("Override %(number)s changed the rules later. Undo that override first.")
            % {"number": again.number}
        )
    before = places_by_number(event)
    _save_settings(event, override.rules_from, by)
    undoing = add_override(event, Override.Kind.UNDO, name_of_user(by), reason, undoes=override)
    undoing.moved = moved_between(before, places_by_number(event))
    undoing.save(update_fields=["moved"])
    return undoing


def normal(rules: Rules) -> Rules:
    """Return the rules without the list of criteria if it is the system's own list."""
    # Otherwise the list of the system, typed in full, would count as a change of the rules.
    own = SYSTEMS[rules.system].criteria
    return rules.with_settings({"criteria": ()}) if rules.criteria == own else rules


def why_a_reason() -> str:
    return _(
        "The event has or had results, so its rules are frozen. A change needs a reason, which the public "
        "can see."
    )


def refuse_older_list(event: Event) -> None:
    """Raise Refused while an override of kind `criteria` is in force, because it takes precedence."""
    if ruled := criteria_override(event):
        raise Refused(
            _("Override %(number)s gives this event a list of its own. Undo it first.")
            % {"number": ruled.number}
        )


def criteria_override(event: Event) -> Override | None:
    """Return the override of kind `criteria` in force: a record of an earlier release. A single query."""
    rulings = event.overrides.filter(kind=Override.Kind.CRITERIA, undone_by=None)
    return rulings.order_by("-number").first()


def rules_override(event: Event) -> Override | None:
    """Return the last override in force of the rules or of the list of criteria. One query."""
    kinds = (Override.Kind.RULES, Override.Kind.CRITERIA)
    return event.overrides.filter(kind__in=kinds, undone_by=None).order_by("-number").first()


def contradicted(event: Event, settings: Mapping[str, Any]) -> str:
    """Return a sentence about a stored value that the settings would make invalid. Blank if there is none."""
    document = stored(event).document
    # the overrides of the rules contain the settings that are about to change
    document = replace(document, overrides=())
    known = set(field_names(EventEntry, "slug", "former_slugs", "series", "state", "sources"))
    values = {name: settings[name] for name in known & set(settings)}
    # Only new errors count: an event with other errors must remain editable.
    found = errors(check_document(replace(document, event=replace(document.event, **values))))
    new_errors = added_findings(found, check_document(document))
    new = next((each for each in new_errors if each.code != OF_FROZEN), None)
    if new is None or new.round is None or not new.table:
        return new.message if new else ""
    values = {"round": new.round, "table": new.table, "text": new.message}
    if event.rounds.filter(number=new.round, state=Round.State.DRAFT).exists():
        text = _("Round %(round)s is a draft: take table %(table)s out with ×, save, and propose it again.")
        return text % values
    return _("Round %(round)s, table %(table)s: %(text)s") % values


def unruled(settings: EventEntry) -> EventEntry:
    """Return the settings for another event, without an own list of criteria in a frozen system."""
    return replace(settings, criteria=()) if SYSTEMS[settings.system].frozen else settings


def first_round(event: Event, after: int | None) -> int:
    """Return the first round whose standings an override affects. None selects the current round."""
    if after is None:
        return current_round(event)
    if not 0 <= after <= event.planned_rounds:
        raise Refused(
            _("There are rounds 1 to %(rounds)s. Correct the round.") % {"rounds": event.planned_rounds}
        )
    return after


def _save_settings(event: Event, settings: Mapping[str, Any], by: User) -> None:
    if contradiction := contradicted(event, settings):
        raise Refused(
            _("The recorded data do not fit these settings. %(contradiction)s")
            % {"contradiction": contradiction}
        )
    for name, value in settings.items():
        setattr(event, name, value)
    save(event, by)
