"""Checks of overrides, of the change log and of acknowledgements."""

from collections.abc import Iterator
from fractions import Fraction

from standings.engine import SYSTEMS
from tournaments.files.checks.known import (
    competitor_known,
    criteria_known,
    criterion_known,
    round_known,
    round_within,
)
from tournaments.files.document import Document, Override
from tournaments.files.finding import Finding, Place, error
from tournaments.files.repeats import repeated

ROOT = Place()
NEEDED = {
    "pairing": ("round", "table"),
    "value": ("competitor", "criterion", "levels"),
    "place": ("competitor", "place"),
    "criteria": ("criteria",),
    "undo": ("undoes",),
}
"""The keys that say what an override of each kind changes."""


def overrides(document: Document) -> Iterator[Finding]:
    """Each override says what it changes, and what it changes exists."""
    for index in repeated(each.number for each in document.overrides):
        text = f"Override {document.overrides[index].number} is there already. Give each its own id."
        yield error("override-number-twice", ROOT.item("overrides", index).key("id"), text)
    for index in repeated(each.undoes for each in document.overrides):
        if document.overrides[index].undoes is not None:
            text = f"Override {document.overrides[index].undoes} is undone already. Take one of the two out."
            yield error("override-undone-twice", ROOT.item("overrides", index).key("undoes"), text)
    numbers = {each.number for each in document.competitors}
    tables = {(number, pairing.table) for number, pairing in document.pairings()}
    drafts = {each.number for each in document.rounds if each.is_draft}
    for index, override in enumerate(document.overrides):
        place = ROOT.item("overrides", index)
        yield from _keys(override, place)
        yield from _subject(document, override, place, numbers, tables)
        yield from _figures(document, override, place)
        yield from _published(override.round, drafts, place.key("round"))


def _keys(override: Override, place: Place) -> Iterator[Finding]:
    for key in NEEDED[override.kind]:
        if not getattr(override, key):
            text = f"An override of kind {override.kind} needs “{key}”. Add it."
            yield error("override-incomplete", place.key(key), text)
    for key in sorted({key for keys in NEEDED.values() for key in keys} - set(NEEDED[override.kind])):
        if getattr(override, key):
            text = f"An override of kind {override.kind} has no “{key}”. Take it out, or correct the kind."
            yield error("override-says-too-much", place.key(key), text)


def _subject(
    document: Document, override: Override, place: Place, numbers: set[int], tables: set[tuple[int, int]]
) -> Iterator[Finding]:
    if override.competitor is not None:
        yield from competitor_known(override.competitor, numbers, place.key("competitor"))
    if override.round and override.table and (override.round, override.table) not in tables:
        text = f"There is no table {override.table} in round {override.round}. Correct round or table."
        yield error("override-of-unknown-pairing", place.key("table"), text)
    earlier = {each.number for each in document.overrides if each.number < override.number}
    if override.undoes is not None and override.undoes not in earlier:
        text = (
            f"There is no override {override.undoes} before override {override.number}. Correct the number."
        )
        yield error("override-undoes-nothing", place.key("undoes"), text)
    if override.after is not None:
        yield from round_within(override.after, document.event, place.key("after"))


def _figures(document: Document, override: Override, place: Place) -> Iterator[Finding]:
    yield from criteria_known(override.criteria, place)
    if override.criterion:
        yield from criterion_known(override.criterion, place.key("criterion"))
    system = SYSTEMS.get(document.event.system)
    if override.kind == "criteria" and system and not system.frozen:
        text = f"The criteria of {system.code} are a setting of the event. Write them under event.criteria."
        yield error("override-of-open-system", place, text)
    for index, level in enumerate(override.levels):
        if not _is_exact(level):
            text = f"“{level}” is no exact figure. Write 372.5, or a ratio such as 6/4."
            yield error("override-level-not-exact", place.item("levels", index), text)
    if override.place is not None and override.place > len(document.competitors):
        text = f"Place {override.place} among {len(document.competitors)} competitors. Correct the place."
        yield error("override-beyond-last-place", place.key("place"), text)


def _published(number: int | None, drafts: set[int], place: Place) -> Iterator[Finding]:
    """What readers are told of is no draft."""
    if number in drafts:
        text = f"Round {number} is a draft, of which readers are told nothing. Publish its pairings."
        yield error("record-of-draft", place, text)


def _is_exact(level: str) -> bool:
    try:
        Fraction(level)
    except (ValueError, ZeroDivisionError):
        return False
    return "e" not in level.lower()


def records(document: Document) -> Iterator[Finding]:
    """What the change log and the acknowledgements name exists."""
    numbers = {each.number for each in document.competitors}
    known = {each.number for each in document.rounds}
    drafts = {each.number for each in document.rounds if each.is_draft}
    for index, change in enumerate(document.changes):
        place = ROOT.item("changes", index)
        yield from round_known(change.round, known, place.key("round"))
        yield from _published(change.round, drafts, place.key("round"))
        for at, (number, _, _) in enumerate(change.moved):
            yield from competitor_known(number, numbers, place.item("moved", at))
    for index, acknowledgement in enumerate(document.acknowledged):
        place = ROOT.item("acknowledged", index)
        yield from round_known(acknowledgement.round, known, place.key("round"))
