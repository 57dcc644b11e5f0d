"""The template context of an import preview: findings, differences, and how the file was read."""

from dataclasses import asdict, fields
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from tournaments.admin.imports.columns import TableForm
from tournaments.admin.imports.facts import FactsForm, LayoutField
from tournaments.admin.imports.trial import UploadTrial
from tournaments.event.dates import ORDERS
from tournaments.event.finding import Severity, count_of, errors, is_cut
from tournaments.interchange.formats.encodings import ENCODINGS
from tournaments.interchange.formats.file_formats import suffix_of
from tournaments.interchange.formats.layouts.cells import SCORINGS
from tournaments.interchange.formats.layouts.outline import FACTS
from tournaments.interchange.formats.options import BYES, COLOURS, DASHES, ReadingOptions
from tournaments.interchange.imports.description import summary, table_differences
from tournaments.models import Upload

TITLE = gettext_lazy("Preview of the import")
PURPOSE = gettext_lazy("Preview of the changes. Nothing is saved until you import the file.")

CHOICES = (
    *("role-", "column-", "was-", "state"),
    *(each.name for each in fields(ReadingOptions)),
    *FACTS,
)
"""Prefixes of the form fields with choices. An import is bound to the choices of its preview."""

MAX_LINES = 200
"""The maximum number of differences per table on the page."""

TABLES: dict[str, str | Promise] = {
    "event": gettext_lazy("Event"),
    "former address": gettext_lazy("Former addresses"),
    "competitor": gettext_lazy("Competitors"),
    "player": gettext_lazy("Players"),
    "round": gettext_lazy("Rounds"),
    "pairing": gettext_lazy("Pairings"),
    "game": gettext_lazy("Games"),
    "override": gettext_lazy("Overrides"),
    "entry": gettext_lazy("Change log"),
    "acknowledgement": gettext_lazy("Acknowledgements"),
    "published table": gettext_lazy("Published standings"),
}


COUNT_LABELS: dict[str, str | Promise] = {
    "columns": gettext_lazy("Columns"),
    "lines": gettext_lazy("Lines"),
    "cells": gettext_lazy("Cells"),
    "ranks": gettext_lazy("Ranks"),
    "points": gettext_lazy("Points"),
    "competitors": gettext_lazy("Competitors"),
    "pairings": gettext_lazy("Pairings"),
    "tie-break codes": gettext_lazy("Tie-break codes"),
}
"""Labels of the counted items. Other items have no translation."""


class OptionsForm(forms.Form):
    """Options that cannot always be derived from the file, such as encoding and order of dates."""

    encoding = forms.ChoiceField(
        label=gettext_lazy("Encoding"),
        choices=[("", gettext_lazy("found out")), *ENCODINGS.items()],
        required=False,
        help_text=gettext_lazy("Choose it if names look wrong."),
    )
    dates = forms.ChoiceField(
        label=gettext_lazy("Order of dates"),
        choices=[("", gettext_lazy("detect for each date")), *ORDERS.items()],
        required=False,
        help_text=gettext_lazy("Of dates such as 07/08/2005."),
    )
    dash = forms.ChoiceField(
        label=gettext_lazy("A dash before a figure (-1)"),
        choices=[("", gettext_lazy("detect from the table")), *DASHES.items()],
        required=False,
        help_text=gettext_lazy("In a cross table."),
    )
    colours = forms.ChoiceField(
        label=gettext_lazy("The colour that b is"),
        choices=[("", gettext_lazy("detect from the table")), *COLOURS.items()],
        required=False,
        help_text=gettext_lazy("In a cross table."),
    )
    bye = forms.ChoiceField(
        label=gettext_lazy("Points of a bye for a team"),
        choices=[("", gettext_lazy("by the rules of the event")), *BYES.items()],
        required=False,
        help_text=gettext_lazy("Not in the report. You can enter other points after the import."),
    )
    part = forms.CharField(
        label=gettext_lazy("Which event of the file"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("By its number or its name; empty: the largest."),
    )

    def __init__(self, trial: UploadTrial) -> None:
        super().__init__(initial=asdict(trial.options))
        codes = {each.code for each in trial.findings}
        if not (codes & {"several-events", "unknown-part"} or trial.options.part):
            del self.fields["part"]
        if trial.found:
            self.fields = {"layout": LayoutField(trial.found.recognition), **self.fields}
        if not ("two-readings" in codes or trial.options.dash):
            del self.fields["dash"]
        if not ("colour-letters" in codes or trial.options.colours):
            del self.fields["colours"]
        if not ("bye-points" in codes or trial.options.bye):
            del self.fields["bye"]


def context_of(trial: UploadTrial, data: dict[str, str], problem: str) -> dict[str, Any]:
    changes = trial.accepted.differences if trial.accepted else None
    is_new = trial.accepted is not None and trial.accepted.stored is None
    found_errors = errors(trial.findings)
    return {
        "trial": trial,
        "upload": trial.upload,
        "problem": problem,
        "faults": found_errors,
        "fault_count": count_of(found_errors),
        "faults_are_cut": is_cut(found_errors),
        "warnings": [each for each in trial.findings if each.severity is Severity.WARNING],
        "account": [
            {
                "what": COUNT_LABELS.get(each.what, each.what),
                "read": each.read,
                "unread": each.unread,
                "examples": each.examples,
                "more": max(each.unread - len(each.examples), 0),
            }
            for each in trial.reading.account
        ],
        "summary": summary(changes) if changes else "",
        "sections": [
            {
                "name": TABLES.get(each.table, each.table),
                "lines": each.lines[:MAX_LINES],
                "more": max(len(each.lines) - MAX_LINES, 0),
                **each.counts,
            }
            for each in (table_differences(changes) if changes else ())
        ],
        "columns": _forms_of_tables(trial),
        "recognition": trial.found.recognition if trial.found else None,
        "facts": FactsForm(trial.outline) if trial.outline else None,
        "address": trial.outline.slug if trial.outline else "",
        "scorings": SCORINGS,
        "compared": _compared_points(trial),
        "is_new": is_new,
        "takes_address": leaves_reading_open(trial.upload),
        "options": OptionsForm(trial) if leaves_reading_open(trial.upload) else None,
        "document": trial.accepted.document if trial.accepted else None,
        "asks_storing": trial.accepted is not None
        and trial.upload.event is None
        and (is_new or leaves_reading_open(trial.upload)),
        "state": data.get("state", "draft"),
        "chosen": {key: value for key, value in data.items() if key.startswith(CHOICES)},
        "reason": data.get("reason", ""),
        "accept": data.get("accept", ""),
    }


def choices_among(data: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in data.items() if key.startswith((*CHOICES, "reason", "accept"))}


def _forms_of_tables(trial: UploadTrial) -> list[TableForm]:
    if trial.found is None or trial.found.reading.account is not None:
        return []
    pairs = zip(trial.found.reading.tables, trial.found.reading.mappings, strict=True)
    return [TableForm(table, mapping, at) for at, (table, mapping) in enumerate(pairs)]


def _compared_points(trial: UploadTrial) -> dict[str, int]:
    """Return how many printed points were compared with the results, and how many differ."""
    compared = sum(each.read for each in trial.reading.account if each.what == "points")
    document = trial.reading.document
    if not compared or trial.reading.errors or not (document and any(document.pairings())):
        return {}
    differ = sum(each.code == "printed-points" for each in trial.findings)
    return {"points": compared, "differ": differ, "agree": compared - differ}


def leaves_reading_open(upload: Upload) -> bool:
    """Return whether the file can be read in several ways. An event file cannot."""
    return suffix_of(upload.name) != ".json"
