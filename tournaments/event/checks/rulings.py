"""Checks of overrides, of the change log and of acknowledgements."""

from collections.abc import Iterator
from fractions import Fraction

from standings.engine import POLICIES, SYSTEMS, UnknownCriterionError, get_criterion
from tournaments.event.checks.references import (
    check_competitor_exists,
    check_criteria_exist,
    check_criterion_exists,
    check_round_exists,
    repeated,
    round_within,
)
from tournaments.event.document import Document, OverrideEntry
from tournaments.event.finding import EVENT, ROOT, Finding, Place, error
from tournaments.event.rules import Rules, first_rules, rules_led_to

LONGEST_LEVEL = 40
"""The maximum length of a figure."""

NEEDED = {
    "pairing": ("round", "table"),
    "value": ("competitor", "criterion", "levels"),
    "place": ("competitor", "place"),
    "criteria": ("criteria",),
    "rules": ("rules_from", "rules_to"),
    "undo": ("undoes",),
    "rewind": ("round",),
}
"""The required fields of each kind of override, by the names of the models' fields."""

NAMED = {"rules_from": "from", "rules_to": "to"}
"""The keys in the file that differ from the fields."""

MOVING = ("rules", "undo")
"""The kinds that record which places they moved."""


def check_overrides(document: Document) -> Iterator[Finding]:
    for index in repeated(each.number for each in document.overrides):
        text = f"Override {document.overrides[index].number} is there already. Give each its own id."
        yield error("override-number-twice", ROOT.item("overrides", index).key("id"), text)
    for index in repeated(each.undoes for each in document.overrides):
        text = f"Override {document.overrides[index].undoes} is undone twice. Remove one of the two."
        yield error("override-undone-twice", ROOT.item("overrides", index).key("undoes"), text)
    numbers = {each.number for each in document.competitors}
    tables = {(number, pairing.table) for number, pairing in document.pairings()}
    drafts = {each.number for each in document.rounds if each.is_draft}
    undone = {each.undoes for each in document.overrides}
    known = {each.number for each in document.overrides}
    for index, override in enumerate(document.overrides):
        place = ROOT.item("overrides", index)
        yield from _keys(override, place)
        if override.competitor is not None:
            yield from check_competitor_exists(override.competitor, numbers, place.key("competitor"))
        undoes = override.undoes
        if undoes is not None and not (undoes in known and undoes < override.number):
            text = f"There is no override {undoes} before override {override.number}. Correct the number."
            yield error("override-undoes-nothing", place.key("undoes"), text)
        if override.after is not None:
            yield from round_within(override.after, document.event, place.key("after"))
        yield from _check_figures(document, override, place)
        # If pairings are withdrawn, so are their overrides, and the pairing may be another now or be missing.
        if override.number not in undone and override.kind != "rewind":
            if override.round and override.table and (override.round, override.table) not in tables:
                text = f"There is no table {override.table} in round {override.round}. "
                text += "Correct round or table."
                yield error("override-of-unknown-pairing", place.key("table"), text)
            yield from _check_published_round(override.round, drafts, place.key("round"))
        yield from _check_rules(override, place)
    yield from _rules_in_force(document)


def _keys(override: OverrideEntry, place: Place) -> Iterator[Finding]:
    for name in NEEDED[override.kind]:
        if not getattr(override, name):
            key = NAMED.get(name, name)
            text = f"An override of kind {override.kind} needs “{key}”. Add it."
            yield error("override-incomplete", place.key(key), text)
    moved = () if override.kind in MOVING else ("moved",)
    for name in sorted({*moved, *(name for names in NEEDED.values() for name in names)}):
        if name not in NEEDED[override.kind] and getattr(override, name):
            key = NAMED.get(name, name)
            text = f"An override of kind {override.kind} has no “{key}”. Take it out, or correct the kind."
            yield error("override-says-too-much", place.key(key), text)


def _check_figures(document: Document, override: OverrideEntry, place: Place) -> Iterator[Finding]:
    yield from check_criteria_exist(override.criteria, place)
    if override.criterion:
        yield from check_criterion_exists(override.criterion, place.key("criterion"))
    system = SYSTEMS.get(document.event.system)
    # Only a published rule set has criteria from which a ruling can depart.
    if override.kind == "criteria" and system and not system.frozen:
        text = f"The criteria of {system.code} are a setting of the event. Write them under event.criteria."
        yield error("override-of-open-system", place, text)
    for index, level in enumerate(override.levels):
        value = exact_level(level)
        if value is None:
            text = f"“{level}” is no exact figure. Write 372.5, or a ratio such as 6/4."
            yield error("override-level-not-exact", place.item("levels", index), text)
        elif fault := fault_of_value(override.criterion, value):
            yield error("override-impossible-value", place.item("levels", index), fault)
    if override.place is not None and override.place > len(document.competitors):
        text = f"Place {override.place} among {len(document.competitors)} competitors. Correct the place."
        yield error("override-beyond-last-place", place.key("place"), text)


def _check_published_round(number: int | None, drafts: set[int], place: Place) -> Iterator[Finding]:
    """Refuse a record of a draft: readers would see the record, but not the draft."""
    if number in drafts:
        text = f"Round {number} is a draft, so the public cannot see it. Publish its pairings."
        yield error("record-of-draft", place, text)


def _check_rules(override: OverrideEntry, place: Place) -> Iterator[Finding]:
    """Refuse a change of the rules with settings by which no ranking is possible."""
    if override.kind != "rules":
        return
    if override.rules_from.keys() != override.rules_to.keys():
        text = (
            "“from” and “to” name other settings. Name in both each setting that was changed, and no other."
        )
        yield error("override-of-other-settings", place.key("to"), text)
    for key, settings in (("from", override.rules_from), ("to", override.rules_to)):
        inner = place.key(key)
        if settings.get("system", "fmjd-swiss") not in SYSTEMS:
            text = f"“{settings['system']}” is not a ranking system. Choose one of {', '.join(SYSTEMS)}."
            yield error("unknown-system", inner.key("system"), text)
        if settings.get("unplayed", "") not in {"", *POLICIES}:
            known = ", ".join(POLICIES)
            text = f"“{settings['unplayed']}” is not a policy for unplayed rounds. Choose one of {known}."
            yield error("unknown-policy", inner.key("unplayed"), text)
        yield from check_criteria_exist(tuple(settings.get("criteria", ())), inner)


def _rules_in_force(document: Document) -> Iterator[Finding]:
    """Refuse settings of the event that differ from the result of its overrides."""
    now = Rules.of(document.event)
    expected = rules_led_to(first_rules(now, document.overrides), document.overrides)
    for name in sorted(now.differing(expected)):
        text = (
            f"The overrides of kind rules lead to another “{name}” than the event has. "
            "Correct the event, or add the override that changed it."
        )
        yield error("rules-not-in-force", EVENT, text)


def exact_level(level: str) -> Fraction | None:
    """Return the figure of a decimal or a ratio, in points. None if the text is neither."""
    if len(level) > LONGEST_LEVEL or "e" in level.lower():  # 1e999999999 would take forever to compute
        return None
    try:
        return Fraction(level)
    except (ValueError, ZeroDivisionError):
        return None


def fault_of_value(code: str, value: Fraction) -> str:
    """Return why a criterion cannot have a value; blank if it can, or if the code is unknown."""
    try:
        criterion = get_criterion(code)
    except UnknownCriterionError:
        return ""
    if criterion.can_give(value):
        return ""
    if value < 0 and not criterion.signed:
        return f"{criterion.name} is never below 0, and {value} is. Correct the value."
    return f"{criterion.name} never comes to {value}. Correct the value."


def check_records(document: Document) -> Iterator[Finding]:
    numbers = {each.number for each in document.competitors}
    known = {each.number for each in document.rounds}
    drafts = {each.number for each in document.rounds if each.is_draft}
    for index, change in enumerate(document.changes):
        place = ROOT.item("changes", index)
        yield from check_round_exists(change.round, known, place.key("round"))
        yield from _check_published_round(change.round, drafts, place.key("round"))
        for at, (number, _, _) in enumerate(change.moved):
            yield from check_competitor_exists(number, numbers, place.item("moved", at))
    for index, acknowledgement in enumerate(document.acknowledged):
        place = ROOT.item("acknowledged", index)
        yield from check_round_exists(acknowledgement.round, known, place.key("round"))
