"""The screens of an import: the upload, its preview, and what was uploaded before."""

from datetime import timedelta
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.db.models.functions import Length
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import get_valid_filename
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.frame import page, who
from tournaments.admin.imports.columns import Columns
from tournaments.admin.imports.trial import Trial, applied, tried
from tournaments.admin.permissions import desk_view, may_create
from tournaments.files import limits
from tournaments.files.description import sections, summary
from tournaments.files.finding import Severity
from tournaments.files.formats import is_event, is_table, suffix_of
from tournaments.models import Event, Upload
from tournaments.recording import Refused
from tournaments.recording.turns import name_of

MOST_SIGNS = 1_000_000
MOST_LINES = 200  # of one table's differences that a page shows
FORGOTTEN = timedelta(days=1)
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


class Uploading(forms.Form):
    """A file, or a text that was pasted."""

    file = forms.FileField(label=gettext_lazy("File"), required=False, max_length=200)
    text = forms.CharField(
        label=gettext_lazy("Or paste"),
        required=False,
        strip=False,
        max_length=MOST_SIGNS,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "autocomplete": "off"}),
    )

    def clean(self) -> dict[str, Any]:
        """One of the two; with `name` and `content` of what came."""
        cleaned = super().clean() or self.cleaned_data
        file, text = cleaned.get("file"), cleaned.get("text", "")
        if file:
            cleaned |= {"name": get_valid_filename(file.name), "content": self._content(file)}
        elif text.strip():
            cleaned |= {"name": _name_of(text), "content": text.encode("utf-8", "replace")}
        elif not self.errors:
            raise forms.ValidationError(_("Choose a file, or paste a text."))
        return cleaned

    def _content(self, file: Any) -> bytes:
        if file.size > limits.most_bytes():
            told = {"most": limits.in_megabytes(limits.most_bytes())}
            raise forms.ValidationError(_("The file is larger than %(most)s. Cut it.") % told)
        if not (is_event(file.name) or is_table(file.name)):
            raise forms.ValidationError(
                _("Files of this ending are not read. Take .json, .trf, .csv or .xlsx.")
            )
        return bytes(file.read())


def _name_of(text: str) -> str:
    """A name for a pasted text: its ending says what it is."""
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
    """The form, and what was imported into the event before."""
    purpose = _(
        "Competitors, results or a cross table from a file or a pasted text; or the event's own file. "
        "You see first what would change."
    )
    told = {"uploads": event.uploads.exclude(applied=None).defer("file").annotate(bytes=Length("file"))}
    return _upload(request, event, purpose, told)


@desk_view()
def event_preview(request: HttpRequest, event: Event, upload_id: int) -> HttpResponse:
    """What an upload would change in the event; and the change."""
    upload = get_object_or_404(event.uploads.filter(user=who(request), applied=None), pk=upload_id)
    return _preview(request, upload)


@desk_view()
def uploaded(request: HttpRequest, event: Event, upload_id: int) -> HttpResponse:
    """A file as it was uploaded."""
    upload = get_object_or_404(event.uploads.exclude(applied=None), pk=upload_id)
    response = HttpResponse(bytes(upload.file), content_type="application/octet-stream")
    response["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(upload.name)}"
    return response


# --- without an event -------------------------------------------------------------------------------------


@admin.site.admin_view
def new_import(request: HttpRequest) -> HttpResponse:
    """The form for a whole event."""
    if not may_create(request.user):
        raise PermissionDenied
    purpose = _(
        "A whole event from its event file, or from a tournament report. You see first what it holds."
    )
    return _upload(request, None, purpose, {})


@admin.site.admin_view
def new_preview(request: HttpRequest, upload_id: int) -> HttpResponse:
    """What an upload would make, or change."""
    if not may_create(request.user):
        raise PermissionDenied
    upload = get_object_or_404(Upload, pk=upload_id, event=None, user=who(request), applied=None)
    return _preview(request, upload)


# --- both -------------------------------------------------------------------------------------------------


def _upload(request: HttpRequest, event: Event | None, purpose: str, told: dict[str, Any]) -> HttpResponse:
    form = Uploading(request.POST or None, request.FILES or None)
    if form.is_valid():
        upload = _keep(request, event, form.cleaned_data["name"], form.cleaned_data["content"])
        if event:
            return redirect("admin:event-import-preview", event.pk, upload.pk)
        return redirect("admin:import-preview", upload.pk)
    return page(request, event, "import", _("Import"), purpose, form=form, **told)


def _keep(request: HttpRequest, event: Event | None, name: str, content: bytes) -> Upload:
    Upload.objects.filter(applied=None, at__lt=timezone.now() - FORGOTTEN).delete()
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
            event = applied(upload, request.user, name_of(who(request)), data.dict())
        except Refused as refused:
            problem = str(refused)
            upload.refresh_from_db()
        except DatabaseError as refusal:
            problem = _("The database refused it: %(why)s. Nothing was stored.") % {"why": refusal}
            upload.refresh_from_db()
        else:
            messages.success(request, _("Imported: %(name)s.") % {"name": upload.name})
            return redirect("admin:event-desk", event.pk)
    return _shown(request, tried(upload, request.user, data.dict()), data.dict(), problem)


def _shown(request: HttpRequest, trial: Trial, data: dict[str, str], problem: str) -> HttpResponse:
    changes = trial.proposal.differences if trial.proposal else None
    is_new = trial.proposal is not None and trial.proposal.stored is None
    told = {
        "trial": trial,
        "upload": trial.upload,
        "problem": problem,
        "faults": [each for each in trial.findings if each.severity is Severity.ERROR],
        "warnings": [each for each in trial.findings if each.severity is not Severity.ERROR],
        "summary": summary(changes) if changes else "",
        "sections": [_section(each) for each in sections(changes)] if changes else [],
        "columns": [
            Columns(each, told, at)
            for at, (each, told) in enumerate(zip(trial.tables, trial.told, strict=True))
        ],
        "is_new": is_new,
        "takes_address": suffix_of(trial.upload.name) != ".json",
        "document": trial.proposal.document if trial.proposal else None,
        "state": data.get("state", "draft"),
        "chosen": {
            key: value
            for key, value in data.items()
            if key.startswith(("role-", "column-", "was-", "slug", "state"))
        },
        "reason": data.get("reason", ""),
    }
    return page(
        request,
        trial.upload.event,
        "import_preview",
        _("Preview of the import"),
        _("What the file would change. Nothing is stored until you import it."),
        **told,
    )


def _section(section: Any) -> dict[str, Any]:
    return {
        "name": TABLES.get(section.table, section.table),
        "lines": section.lines[:MOST_LINES],
        "more": max(len(section.lines) - MOST_LINES, 0),
        **section.counts,
    }
