"""Checks for a competitor, and changes of start numbers."""

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Max

from tournaments.event.checks import check_document
from tournaments.event.document import CompetitorEntry
from tournaments.event.finding import Finding, added_findings
from tournaments.event.schema import field_names
from tournaments.interchange.formats.trf.preserved import renumbered_lines
from tournaments.models import Change, Competitor, Event, Override, Published
from tournaments.recording.locking import attribute, lock_event, save
from tournaments.stored import stored

_NUMBER = re.compile(r"\d+")
Numbers = Mapping[int, int]


def new_findings(event: Event, number: int | None, values: Mapping[str, Any]) -> list[Finding]:
    """Return the findings that a new or changed competitor would add to the event.

    `number`: current start number, None for a new competitor. The place of each finding ends with a field
    name.
    """
    document = stored(event).document
    known = set(field_names(CompetitorEntry, "players", "manual", "manual_after", "manual_pinned"))
    particulars: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in values.items()
        if name in known
    }
    entrants = [
        replace(each, **(particulars | {"number": number})) if each.number == number else each
        for each in document.competitors
    ]
    if number is None:
        entrants.append(CompetitorEntry(**particulars))
    # Compared without the place, because another number changes the place of existing findings.
    found = check_document(replace(document, competitors=tuple(entrants)))
    return added_findings(found, check_document(document))


def free_number(event: Event) -> int:
    taken = set(event.competitors.values_list("number", flat=True))
    return next(number for number in count(1) if number not in taken)


def next_number(event: Event) -> int:
    """Return the number after all start numbers and pairing numbers. A single query."""
    last = event.competitors.aggregate(Max("number"), Max("pairing_number"))
    return max(each or 0 for each in last.values()) + 1


def give_number(competitor: Competitor, by: User) -> None:
    """Save a competitor with its new number. A competitor with that number gets the old one.

    All stored references by number (published standings, moved places of corrections and overrides, former
    pairings, stored report lines) are changed too.
    """
    with lock_event(competitor.event) as event:
        was, number = event.competitors.get(pk=competitor.pk).number, competitor.number
        other = event.competitors.filter(number=number).exclude(pk=competitor.pk).first()
        if other:  # moved out of the way: the database refuses a duplicate number, even for a moment
            event.competitors.filter(pk=other.pk).update(number=free_number(event))
        attribute(competitor, by)
        competitor.save()
        if other:
            other.number = was
            save(other, by)
        rename_in_record(event, {was: number, number: was} if other else {was: number})


def rename_in_record(event: Event, numbers: Numbers) -> None:
    for table in Published.objects.filter(event=event):
        table.order, table.columns = (
            _renumbered_order(table.order, numbers),
            _renumbered_columns(table.columns, numbers),
        )
        for each in table.after_round.values():
            each["order"] = _renumbered_order(each.get("order", []), numbers)
            each["columns"] = _renumbered_columns(each.get("columns", {}), numbers)
        for known in table.known:
            known["competitors"] = [numbers.get(each, each) for each in known["competitors"]]
        table.save()
    records: list[Change | Override] = [*event.changes.exclude(moved=[]), *event.overrides.exclude(moved=[])]
    for record in records:
        record.moved = [[numbers.get(number, number), *places] for number, *places in record.moved]
        record.save(update_fields=["moved"])
    for override in Override.objects.filter(event=event, kind=Override.Kind.PAIRING).exclude(was=""):
        Override.objects.filter(pk=override.pk).update(
            was=_NUMBER.sub(lambda found: str(numbers.get(int(found[0]), int(found[0]))), override.was)
        )
    for round_ in event.rounds.exclude(pairing_numbers={}):
        renamed = {numbers.get(int(key), int(key)): each for key, each in round_.pairing_numbers.items()}
        event.rounds.filter(pk=round_.pk).update(pairing_numbers=renamed)
    if event.forbidden_pairs:
        event.forbidden_pairs = [
            {**group, "competitors": sorted(numbers.get(each, each) for each in group["competitors"])}
            for group in event.forbidden_pairs
        ]
        Event.objects.filter(pk=event.pk).update(forbidden_pairs=event.forbidden_pairs)
    # update(), so that a new number is not logged as a change of the settings.
    if event.trf:
        event.trf = renumbered_lines(event.trf, numbers, is_team=event.is_team)
        Event.objects.filter(pk=event.pk).update(trf=event.trf)


def _renumbered_order(levels: list[list[int]], numbers: Numbers) -> list[list[int]]:
    return [[numbers.get(each, each) for each in level] for level in levels]


def _renumbered_columns(columns: dict[str, dict[str, str]], numbers: Numbers) -> dict[str, dict[str, str]]:
    return {
        label: {str(numbers.get(int(key), int(key))): figure for key, figure in column.items()}
        for label, column in columns.items()
    }
