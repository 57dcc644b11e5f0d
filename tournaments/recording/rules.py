"""Frozen means frozen: a change of the rules after the first result has a reason and is a record (ADR 0019).

Every way in ends here: the screens of the desk, the form of the settings, imports and commands.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from standings.engine import SYSTEMS
from tournaments.event.checks import check
from tournaments.event.declaring import names_of
from tournaments.event.document import EventEntry
from tournaments.event.finding import errors
from tournaments.event.rules import SETTLED, Rules
from tournaments.models import Event, Override, Pairing
from tournaments.models.versioned import past_of
from tournaments.recording.corrections import places_of
from tournaments.recording.refusal import Refused, required
from tournaments.recording.rounds import current_round
from tournaments.recording.turns import add_override, compare, name_of, save
from tournaments.stored import stored

OF_FROZEN = "criteria-of-frozen-system"
"""The finding that a list of the event's own in a frozen system has no override: the record is made next."""


def is_frozen(event: Event) -> bool:
    """Say whether a change of the rules needs a reason: there is a result, or there was one.

    One that was taken out again is told by the public log or by the past of its pairing, and an earlier
    change of the rules tells of one too. Four queries at most.
    """
    return (
        Pairing.objects.filter(round__event=event, kind__in=SETTLED).exists()
        or event.overrides.filter(kind=Override.Kind.RULES).exists()
        or event.changes.exists()
        or past_of(Pairing).objects.filter(round__event=event, kind__in=SETTLED).exists()
    )


def needs_record(event: Event, was: Rules, now: Rules) -> bool:
    """Say whether such a change of an event's rules is an override.

    Before the first result all is free, but that a frozen system has no list of criteria of the event's own.
    """
    if was == now:
        return False
    # A frozen system with another list is no longer that system: readers must see it, result or none.
    own_list = bool(now.criteria) and SYSTEMS[now.system].frozen and was.criteria != now.criteria
    return own_list or is_frozen(event)


def is_for_organisers(event: Event) -> bool:
    """Say whether only an organiser changes the rules: the event is over."""
    return event.is_over


def change_rules(
    event: Event,
    settings: Mapping[str, Any],
    by: User,
    reason: str = "",
    after: int | None = None,
    seen: int | None = None,
) -> Override | None:
    """Give an event whose row is locked other rules; the override that records it, None where none is needed.

    `seen` is the version that the user had before him: Conflict where the event has changed since.
    """
    # An override adds a record and replaces nothing; a setting that is replaced is compared.
    if seen is not None:
        compare(event, seen)
    was = Rules.of(event)
    now = normal(was.with_settings(settings))
    if was == now:
        raise Refused(_("These are the rules that the event has. Change them, or leave them."))
    _settle(event, now.differing(was), by)
    return record_change(event, was, name_of(by), reason, after)


def record_change(
    event: Event, was: Rules, by: str, reason: str = "", after: int | None = None
) -> Override | None:
    """Record that the rules of a saved event were others, where that needs a record; inside its transaction.

    `by` is a name: a command has no account. `after` is the first round whose standings it touches, the
    current one unless it is given. Refused without a reason.
    """
    return add_record(event, was, by, reason, after) if needs_record(event, was, Rules.of(event)) else None


def add_record(event: Event, was: Rules, by: str, reason: str, after: int | None = None) -> Override:
    """Record that the rules of a saved event were others; Refused without a reason."""
    now = Rules.of(event)
    refuse_older_list(event)
    reason_text = required(reason, why_a_reason())
    made = add_override(
        event, Override.Kind.RULES, by, reason_text,
        rules_from=was.differing(now), rules_to=now.differing(was), after=first_round(event, after),
    )  # fmt: skip
    # Only now: the places without this override need it to be there.
    made.moved = _moved_by(event, made)
    made.save(update_fields=["moved"])
    return made


def undo_change(event: Event, override: Override, by: User, reason: str) -> Override:
    """Give an event back the rules that it had before an override, by a further record with the places moved.

    Refused where they were changed again since, or where stored scores do not fit the old scoring.
    """
    later = event.overrides.filter(kind=Override.Kind.RULES, number__gt=override.number, undone_by=None)
    if again := later.order_by("-number").first():
        raise Refused(
            _("Override %(number)s changed the rules after it. Undo that one first.")
            % {"number": again.number}
        )
    before = places_of(event)
    _settle(event, override.rules_from, by)
    undoing = add_override(event, Override.Kind.UNDO, name_of(by), reason, undoes=override)
    undoing.moved = moved_between(before, places_of(event))
    undoing.save(update_fields=["moved"])
    return undoing


def normal(rules: Rules) -> Rules:
    """Return the rules without a list of criteria that is the system's own."""
    # The list of the system itself, typed in full, would otherwise read as a change of the rules.
    own = SYSTEMS[rules.system].criteria
    return rules.with_settings({"criteria": ()}) if rules.criteria == own else rules


def why_a_reason() -> str:
    """Return the text for somebody who gave no reason."""
    return _(
        "Results stand, or stood: the rules are frozen. A change needs a reason, and readers will see it."
    )


def refuse_older_list(event: Event) -> None:
    """Refuse while an override of kind `criteria` gives a list: it would stand above any other."""
    if ruled := criteria_override(event):
        raise Refused(
            _("Override %(number)s gives this event a list of its own. Undo it first.")
            % {"number": ruled.number}
        )


def criteria_override(event: Event) -> Override | None:
    """Return the override of kind `criteria` whose list is in force: an older record; one query."""
    rulings = event.overrides.filter(kind=Override.Kind.CRITERIA, undone_by=None)
    return rulings.order_by("-number").first()


def rules_override(event: Event) -> Override | None:
    """Return the last override in force of the rules, or by an older record of the list alone; one query."""
    kinds = (Override.Kind.RULES, Override.Kind.CRITERIA)
    return event.overrides.filter(kind__in=kinds, undone_by=None).order_by("-number").first()


def contradicted(event: Event, settings: Mapping[str, Any]) -> str:
    """Return in a sentence what of the record other settings would make wrong; blank for nothing new."""
    document = stored(event).document
    document = replace(document, overrides=())  # those of the rules lead to the settings that are to change
    known = set(names_of(EventEntry, "slug", "former_slugs", "series", "state", "sources"))
    values = {name: settings[name] for name in known & set(settings)}
    if "criteria" in values:
        values["criteria"] = tuple(values["criteria"])
    before = {each.message for each in errors(check(document))}
    # Only what is new: an event with an error of its own must still be set right.
    found = errors(check(replace(document, event=replace(document.event, **values))))
    new = (each.message for each in found if each.code != OF_FROZEN and each.message not in before)
    return next(new, "")


def unruled(settings: EventEntry) -> EventEntry:
    """Return the settings for another event: without the list that an override gave a frozen system."""
    return replace(settings, criteria=()) if SYSTEMS[settings.system].frozen else settings


def first_round(event: Event, after: int | None) -> int:
    """Return the first round whose standings a ruling touches: the current one unless another is given."""
    if after is None:
        return current_round(event)
    if not 0 <= after <= event.planned_rounds:
        raise Refused(
            _("There are rounds 1 to %(rounds)s. Correct the round.") % {"rounds": event.planned_rounds}
        )
    return after


def moved_between(
    before: Mapping[int, int | None], after: Mapping[int, int | None]
) -> list[list[int | None]]:
    """Return number, place before and place after, of whom something moved."""
    return [[number, before[number], place] for number, place in after.items() if before[number] != place]


def _settle(event: Event, settings: Mapping[str, Any], by: User) -> None:
    """Save the event with other settings; Refused where what is recorded, such as a score, does not fit."""
    if contradiction := contradicted(event, settings):
        raise Refused(
            _("What is recorded does not fit these settings. %(contradiction)s")
            % {"contradiction": contradiction}
        )
    for name, value in settings.items():
        setattr(event, name, value)
    save(event, by)


def _moved_by(event: Event, override: Override) -> list[list[int | None]]:
    """Return the places that an override alone moves; an import may move others with it."""
    after = places_of(event)
    return moved_between(places_of(event, without=override), after)
