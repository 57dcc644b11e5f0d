"""The template context of an import preview: findings, differences, and how the file was read."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from tournaments.admin.imports.columns import TableForm
from tournaments.admin.imports.facts import LABELS, FactsForm, LayoutField, fact_field
from tournaments.admin.imports.trial import UploadTrial
from tournaments.event.checks.references import ROUND_BEYOND_LAST
from tournaments.event.finding import Finding, Severity, by_kind, count_of, errors, is_cut
from tournaments.interchange.formats.file_formats import suffix_of
from tournaments.interchange.formats.foreign_files import foreign_refusal
from tournaments.interchange.formats.layouts.cells import SCORINGS
from tournaments.interchange.formats.layouts.outline import FACTS, NO_FACTS
from tournaments.interchange.formats.layouts.reading import MISSING_FACT
from tournaments.interchange.formats.options import ANSWERED_BY, ReadingOptions
from tournaments.interchange.formats.options import CHOICES as READING_CHOICES
from tournaments.interchange.imports.description import summary, table_differences
from tournaments.models import Upload

TITLE = gettext_lazy("Preview of the import")
PURPOSE = gettext_lazy("Preview of the changes. Nothing is saved until you import the file.")

CHOICES = (*("role-", "column-", "was-", "state"), *(each.name for each in fields(ReadingOptions)), *FACTS)
"""Prefixes of the form fields with choices. An import is bound to the choices of its preview."""

PARAMETERS = {**ANSWERED_BY, "reason-needed": "reason", ROUND_BEYOND_LAST: "rounds"}
"""The query parameters of the write API that answer findings, by code."""

UNCHANGED = "unchanged"
MAX_LINES = 200  # differences per table on the page

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


OPTIONS: dict[str, tuple[str | Promise, str | Promise]] = {
    "encoding": (gettext_lazy("Encoding"), gettext_lazy("Choose it if names look wrong.")),
    "dates": (gettext_lazy("Order of dates"), gettext_lazy("Of dates such as 07/08/2005.")),
    "dash": (gettext_lazy("A dash before a figure (-1)"), gettext_lazy("In a cross table.")),
    "colours": (gettext_lazy("The colour that b is"), gettext_lazy("In a cross table.")),
    "bye": (gettext_lazy("Points of a bye for a team"), gettext_lazy("Blank: by the rules of the event.")),
    "half_byes": (gettext_lazy("Half-point byes left blank"), ""),
    "part": (gettext_lazy("Which event of the file"), gettext_lazy("Number or name; blank: the largest.")),
}
"""The labels and help texts of the reading options."""


class AnswersForm(forms.Form):
    """Options of reading, facts, and reasons to accept objections, for one file or for many."""

    def __init__(self, names: Iterable[str], data: Any = None, initial: Any = None) -> None:
        super().__init__(data, initial=initial)
        for name in names:
            label, about = OPTIONS.get(name, (gettext_lazy("Import it anyway, because"), ""))
            common: dict[str, Any] = {"label": label, "required": False, "help_text": about}
            if name in LABELS:
                self.fields[name] = fact_field(name, LABELS[name], NO_FACTS)
            elif name in READING_CHOICES:
                choices = [("", gettext_lazy("not chosen")), *READING_CHOICES[name].items()]
                self.fields[name] = forms.ChoiceField(choices=choices, **common)
            else:
                self.fields[name] = forms.CharField(max_length=2000, **common)


def _options_of_trial(trial: UploadTrial) -> AnswersForm:
    chosen = asdict(trial.options)
    always = {"encoding", "dates", *filter(chosen.get, chosen)}
    asked = always | {ANSWERED_BY.get(each.code) for each in trial.findings}
    form = AnswersForm((name for name in OPTIONS if name in asked), initial=chosen)
    if trial.found:
        form.fields["layout"] = LayoutField(trial.found.recognition)
    return form


def _questions(
    trial: UploadTrial, left: dict[str, forms.BoundField], data: dict[str, str]
) -> Iterator[dict[str, Any]]:
    for findings in by_kind(each for each in trial.findings if each.severity is not Severity.WARNING):
        code = findings[0].code
        names = (ANSWERED_BY.get(code, ""), *findings[0].where.split(", "))
        asked = [left.pop(name) for name in names if name in left]
        for each in asked:
            each.field.widget.attrs["required"] = True
        can_accept = trial.accepted is not None and findings[0].severity is Severity.OBJECTION
        yield {
            "findings": findings,
            "fields": asked,
            "accept": f"accept-{code}" if can_accept and all(each.initial for each in asked) else "",
            "reason": data.get(f"accept-{code}") or data.get("accept", ""),
        }


def context_of(trial: UploadTrial, data: dict[str, str], problem: str) -> dict[str, Any]:
    changes = trial.accepted.differences if trial.accepted else None
    is_new = trial.accepted is not None and trial.accepted.stored is None
    found_errors = errors(trial.findings)
    is_foreign = foreign_refusal(bytes(trial.upload.file)) is not None
    options = _options_of_trial(trial) if leaves_reading_open(trial.upload) and not is_foreign else None
    facts = FactsForm(trial.outline) if trial.outline else None
    left = {field.name: field for form in (options, facts) if form for field in form}
    questions = list(_questions(trial, left, data))
    return {
        "trial": trial,
        "upload": trial.upload,
        "problem": problem,
        "questions": questions,
        "needs_columns": not all(each["fields"] or each["accept"] for each in questions),
        "asked": {field.name for each in questions for field in each["fields"]},
        "fault_count": count_of(each for each in found_errors if each.code != MISSING_FACT),
        "faults_are_cut": is_cut(found_errors),
        "warnings": by_kind(each for each in trial.findings if each.severity is Severity.WARNING),
        "warning_count": sum(each.severity is Severity.WARNING for each in trial.findings),
        "account": trial.reading.account,
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
        "facts": facts,
        "address": trial.outline.slug if trial.outline else "",
        "scorings": SCORINGS,
        "compared": _compared_points(trial),
        "is_new": is_new,
        "takes_address": leaves_reading_open(trial.upload),
        "options": options,
        "document": trial.accepted.document if trial.accepted else None,
        "asks_storing": trial.accepted is not None
        and trial.upload.event is None
        and (is_new or leaves_reading_open(trial.upload)),
        "state": data.get("state", "draft"),
        "chosen": {key: value for key, value in data.items() if key.startswith(CHOICES)},
        "reason": data.get("reason", ""),
    }


def push_report(trial: UploadTrial, data: dict[str, str], slug: str, *, dry_run: bool) -> dict[str, Any]:
    """Return the report of a trial for the write API, as JSON.

    `status`: the status of the response, 200 if the file can be imported. `detail`: the reason otherwise.
    """
    diff, lacking = trial.accepted, trial.lacking(data)
    is_unchanged = diff is not None and diff.differences.is_empty
    status, detail = 200, ""
    if elsewhere := [each.message for each in trial.forbidden if each.code == "changed-elsewhere"]:
        status, detail = 409, elsewhere[0]
    elif diff and diff.stored and trial.upload.event is None and not is_unchanged:
        # The permission for this event was not checked: another request has created it meanwhile.
        status, detail, diff = 409, f"The event “{slug}” was just created. Send the file again.", None
    elif diff is None:
        status, detail = 422, "The file has errors. Correct them, then send it again."
    elif lacking and not dry_run and not is_unchanged:
        texts = " ".join(each.message for each in lacking)
        status, detail = 422, f"{texts} Send the file again with the answers."
    sections = table_differences(diff.differences) if diff else ()
    return {
        "status": status,
        "detail": detail,
        "state": UNCHANGED if is_unchanged else "previewed",
        "event": slug,
        "revision": trial.revision,
        "new": diff is not None and diff.stored is None,
        "changes": [line for each in sections for line in each.lines[:MAX_LINES]],
        "findings": [row for each in (*trial.findings, *lacking) for row in _finding_rows(each)],
    }


def _finding_rows(finding: Finding) -> list[dict[str, str]]:
    """Return a finding as JSON, once for each query parameter of the write API that answers it."""
    answers = [PARAMETERS.get(finding.code, "")]
    if finding.code == MISSING_FACT:
        answers = finding.where.split(", ")
    elif finding.severity is Severity.OBJECTION:
        answers = [f"accept-{finding.code}"]
    seat = f"round {finding.round}, table {finding.table or '–'}" if finding.round else ""
    row = {
        "code": finding.code,
        "level": finding.severity,
        "place": finding.where or seat,
        "text": finding.message,
    }
    return [row | ({"answer": answer} if answer else {}) for answer in answers]


def choices_among(data: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in data.items() if key.startswith((*CHOICES, "reason", "accept"))}


def _forms_of_tables(trial: UploadTrial) -> list[TableForm]:
    if trial.found is None or trial.found.reading.account is not None:
        return []
    return [TableForm(table, mapping, at) for at, (table, mapping) in enumerate(trial.found.reading.tables)]


def _compared_points(trial: UploadTrial) -> dict[str, int]:
    compared = sum(each.read for each in trial.reading.account if each.what == "points")
    document = trial.reading.document
    if not compared or trial.reading.errors or not (document and any(document.pairings())):
        return {}
    differ = sum(each.code == "printed-points" for each in trial.findings)
    return {"points": compared, "differ": differ, "agree": compared - differ}


def leaves_reading_open(upload: Upload) -> bool:
    """Return whether the file can be read in several ways. An event file cannot."""
    return suffix_of(upload.name) != ".json"
