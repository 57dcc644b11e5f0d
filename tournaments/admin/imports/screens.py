"""The screens of an import: the upload, its preview, and what was uploaded before."""

from dataclasses import asdict
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.db.models import QuerySet
from django.db.models.functions import Length
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.functional import Promise
from django.utils.text import get_valid_filename
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.fields import PastedField
from tournaments.admin.frame import page, who
from tournaments.admin.imports.columns import TableForm
from tournaments.admin.imports.trial import UploadTrial, import_upload, try_upload
from tournaments.admin.permissions import desk_view, may_create
from tournaments.event.dates import ORDERS
from tournaments.event.finding import Severity
from tournaments.formats import archives
from tournaments.formats.account import Count
from tournaments.formats.encodings import ENCODINGS
from tournaments.formats.endings import ENDINGS, FORMATS, is_event, is_table, suffix_of
from tournaments.formats.options import DASHES
from tournaments.formats.sources import only_file_of
from tournaments.formats.tables.reading import SUFFIXES
from tournaments.imports.description import sections, summary
from tournaments.models import Event, Upload
from tournaments.recording.refusal import Refused
from tournaments.recording.turns import name_of

ARCHIVE = ".zip"
MOST_SIGNS = 1_000_000
MOST_LINES = 200  # of one table's differences that a page shows
"""After that, an upload that nobody imported is dropped."""

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


COUNTED: dict[str, str | Promise] = {
    "columns": gettext_lazy("Columns"),
    "lines": gettext_lazy("Lines"),
    "cells": gettext_lazy("Cells"),
    "ranks": gettext_lazy("Ranks"),
    "points": gettext_lazy("Points"),
    "competitors": gettext_lazy("Competitors"),
    "pairings": gettext_lazy("Pairings"),
    "tie-break codes": gettext_lazy("Tie-break codes"),
}
"""What readers count, in the words of the page; another word stands for itself."""


class UploadForm(forms.Form):
    """A file, or a text that was pasted."""

    file = forms.FileField(label=gettext_lazy("File"), required=False, max_length=200)
    text = PastedField(gettext_lazy("Or paste"), rows=12, most_signs=MOST_SIGNS, required=False)

    def clean(self) -> dict[str, Any]:
        """Return one of the two; with `name` and `content` of what came."""
        cleaned = super().clean() or self.cleaned_data
        file, text = cleaned.get("file"), cleaned.get("text", "")
        if file:
            name, content = self._named(file)
            cleaned |= {"name": get_valid_filename(name), "content": content}
        # “replace”: a form may post a lone surrogate, which UTF-8 cannot hold.
        elif text.strip():
            cleaned |= {"name": _name_of(text), "content": text.encode("utf-8", "replace")}
        elif not self.errors:
            raise forms.ValidationError(_("Choose a file, or paste a text."))
        return cleaned

    def _named(self, file: Any) -> tuple[str, bytes]:
        """Return the name and the bytes of what came; of an archive those of the one file in it."""
        content = self._content(file)
        if suffix_of(file.name) != ARCHIVE:
            return file.name, content
        name, content, problem = only_file_of(content)
        if problem:
            raise forms.ValidationError(problem.message)
        return PurePosixPath(name).name, content

    def _content(self, file: Any) -> bytes:
        if file.size > archives.most_bytes():
            most = archives.in_megabytes(archives.most_bytes())
            raise forms.ValidationError(_("The file is larger than %(most)s. Cut it.") % {"most": most})
        if not (is_event(file.name) or is_table(file.name) or suffix_of(file.name) == ARCHIVE):
            raise forms.ValidationError(
                _("Files of this ending are not read. Take %(endings)s, or one in a %(archive)s.")
                % {"endings": ", ".join(ENDINGS), "archive": ARCHIVE}
            )
        return bytes(file.read())


class OptionsForm(forms.Form):
    """The options that a file does not tell itself: its encoding, and the order of its dates."""

    encoding = forms.ChoiceField(
        label=gettext_lazy("Encoding"),
        choices=[("", gettext_lazy("found out")), *ENCODINGS.items()],
        required=False,
        help_text=gettext_lazy("Choose it where names look wrong."),
    )
    dates = forms.ChoiceField(
        label=gettext_lazy("Order of dates"),
        choices=[("", gettext_lazy("as each date tells")), *ORDERS.items()],
        required=False,
        help_text=gettext_lazy("Of dates such as 07/08/2005."),
    )
    dash = forms.ChoiceField(
        label=gettext_lazy("A dash before a figure (-1)"),
        choices=[("", gettext_lazy("as the table tells")), *DASHES.items()],
        required=False,
        help_text=gettext_lazy("In a cross table."),
    )

    def __init__(self, trial: UploadTrial) -> None:
        super().__init__(initial=asdict(trial.options))
        is_asked = any(each.code == "two-readings" for each in trial.findings)
        if not (is_asked or trial.options.dash):
            del self.fields["dash"]


def _name_of(text: str) -> str:
    """Return a name for a pasted text: its ending says what it is."""
    start = text.lstrip("\ufeff \r\n")[:4]
    return (
        "pasted.json"
        if start.startswith("{")
        else "pasted.trf"
        if start in {"012 ", "001 "}
        else "pasted.csv"
    )


# --- at the desk of an event ------------------------------------------------------------------------------


@desk_view()
def event_import(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the form, and what was imported into the event before."""
    purpose = _(
        "Competitors, results or a cross table from a file or a pasted text; or the event's own file. "
        "You see first what would change."
    )
    uploads = event.uploads.exclude(applied=None).defer("file").annotate(bytes=Length("file"))
    return _upload(request, event, purpose, uploads)


@desk_view()
def event_preview(request: HttpRequest, event: Event, upload_id: int) -> HttpResponse:
    """Show what an upload would change in the event; and the change."""
    # Only one's own: the token binds a preview, but names nobody.
    upload = get_object_or_404(event.uploads.filter(user=who(request)), pk=upload_id)
    return _preview(request, upload) if upload.applied is None else _imported(request, upload)


@desk_view()
def uploaded(request: HttpRequest, event: Event, upload_id: int) -> HttpResponse:
    """Send a file as it was uploaded."""
    # Housekeeping drops the bytes of old files.
    upload = get_object_or_404(event.uploads.exclude(applied=None).exclude(file=b""), pk=upload_id)
    response = HttpResponse(bytes(upload.file), content_type="application/octet-stream")
    response["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(upload.name)}"
    return response


# --- without an event -------------------------------------------------------------------------------------


@admin.site.admin_view
def new_import(request: HttpRequest) -> HttpResponse:
    """Show the form for a whole event."""
    if not may_create(request.user):
        raise PermissionDenied
    purpose = _("A whole event from a file. You see first what it holds.")
    return _upload(request, None, purpose, Upload.objects.none())


@admin.site.admin_view
def new_preview(request: HttpRequest, upload_id: int) -> HttpResponse:
    """Show what an upload would make, or change."""
    if not may_create(request.user):
        raise PermissionDenied
    upload = get_object_or_404(Upload, pk=upload_id, user=who(request))
    if upload.applied is not None:
        return _imported(request, upload)
    if upload.event is not None:
        raise Http404
    return _preview(request, upload)


def _imported(request: HttpRequest, upload: Upload) -> HttpResponse:
    """Lead to the event's imports instead, as for who goes back to a preview that he has applied."""
    messages.info(request, _("“%(name)s” is imported already.") % {"name": upload.name})
    if upload.event is None:
        return redirect("admin:import")
    return redirect("admin:event-import", upload.event_id)


# --- both -------------------------------------------------------------------------------------------------


def _upload(
    request: HttpRequest, event: Event | None, purpose: str, uploads: QuerySet[Upload]
) -> HttpResponse:
    form = UploadForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        upload = _keep(request, event, form.cleaned_data["name"], form.cleaned_data["content"])
        if event:
            return redirect("admin:event-import-preview", event.pk, upload.pk)
        return redirect("admin:import-preview", upload.pk)
    formats = [f"{each.name} ({', '.join(each.endings)})" for each in FORMATS]
    return page(
        request,
        event,
        "import",
        _("Import"),
        purpose,
        form=form,
        uploads=uploads,
        formats=", ".join(formats),
        table_endings=", ".join(SUFFIXES),
    )


def _keep(request: HttpRequest, event: Event | None, name: str, content: bytes) -> Upload:
    user = who(request)
    digest = sha256(content).hexdigest()
    return Upload.objects.create(
        event=event, name=name, file=content, sha256=digest, user=user, by=name_of(user)
    )


def _preview(request: HttpRequest, upload: Upload) -> HttpResponse:
    data = request.POST if request.method == "POST" else request.GET
    problem = ""
    if request.method == "POST" and "apply" in request.POST:
        try:
            event = import_upload(upload, request.user, name_of(who(request)), data.dict())
        except Refused as refused:
            problem = str(refused)
            upload.refresh_from_db()
        except DatabaseError as refusal:
            problem = _("The database refused it: %(why)s. Nothing was stored.") % {"why": refusal}
            upload.refresh_from_db()
        else:
            messages.success(request, _("Imported: %(name)s.") % {"name": upload.name})
            return redirect("admin:event-desk", event.pk)
    return _shown(request, try_upload(upload, request.user, data.dict()), data.dict(), problem)


def _shown(request: HttpRequest, trial: UploadTrial, data: dict[str, str], problem: str) -> HttpResponse:
    changes = trial.accepted.differences if trial.accepted else None
    is_new = trial.accepted is not None and trial.accepted.stored is None
    context = {
        "trial": trial,
        "upload": trial.upload,
        "problem": problem,
        "faults": [each for each in trial.findings if each.severity is Severity.ERROR],
        "warnings": [each for each in trial.findings if each.severity is Severity.WARNING],
        "account": [_counted(each) for each in trial.reading.account],
        "summary": summary(changes) if changes else "",
        "sections": [_section(each) for each in sections(changes)] if changes else [],
        "columns": [
            TableForm(each, understanding, at)
            for at, (each, understanding) in enumerate(zip(trial.tables, trial.understandings, strict=True))
        ],
        "is_new": is_new,
        "takes_address": _leaves_reading_open(trial.upload),
        "options": OptionsForm(trial) if _leaves_reading_open(trial.upload) else None,
        "document": trial.accepted.document if trial.accepted else None,
        "asks_storing": trial.accepted is not None
        and trial.upload.event is None
        and (is_new or _leaves_reading_open(trial.upload)),
        "state": data.get("state", "draft"),
        "chosen": {
            key: value
            for key, value in data.items()
            if key.startswith(("role-", "column-", "was-", "slug", "state", "encoding", "dates", "dash"))
        },
        "reason": data.get("reason", ""),
        "accept": data.get("accept", ""),
    }
    return page(
        request,
        trial.upload.event,
        "import_preview",
        _("Preview of the import"),
        _("What the file would change. Nothing is stored until you import it."),
        **context,
    )


def _leaves_reading_open(upload: Upload) -> bool:
    """Say whether the file leaves open how it is read: an event file never does."""
    return suffix_of(upload.name) != ".json"


def _counted(count: Count) -> dict[str, Any]:
    more = count.unread - len(count.examples)
    return {
        "what": COUNTED.get(count.what, count.what),
        "read": count.read,
        "unread": count.unread,
        "examples": count.examples,
        "more": max(more, 0),
    }


def _section(section: Any) -> dict[str, Any]:
    return {
        "name": TABLES.get(section.table, section.table),
        "lines": section.lines[:MOST_LINES],
        "more": max(len(section.lines) - MOST_LINES, 0),
        **section.counts,
    }
