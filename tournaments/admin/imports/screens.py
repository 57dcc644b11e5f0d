"""The screens of an import: the upload, its preview, and what was uploaded before."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Page, Paginator
from django.db.models.functions import Length
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import get_valid_filename
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.admin.fields import PastedField
from tournaments.admin.frame import page, who
from tournaments.admin.history import names_for
from tournaments.admin.imports.import_jobs import preview
from tournaments.admin.permissions import desk_view, is_organiser, may_create, may_take_kept_files
from tournaments.interchange.formats import archives
from tournaments.interchange.formats.endings import FORMATS, TABLES, holds_event
from tournaments.models import Event, LinkProposal, PeopleAct, PersonLink, Upload
from tournaments.recording.locking import name_of

MOST_SIGNS = 1_000_000
MOST_UNFINISHED = 20


class UploadForm(forms.Form):
    """A file, or a text that was pasted."""

    file = forms.FileField(label=gettext_lazy("File"), required=False, max_length=200)
    text = PastedField(gettext_lazy("Or paste"), rows=12, most_signs=MOST_SIGNS, required=False)

    def clean(self) -> dict[str, Any]:
        """Return one of the two; with `name` and `content` of what came."""
        cleaned = super().clean() or self.cleaned_data
        file, text = cleaned.get("file"), cleaned.get("text", "")
        if file:
            cleaned |= {"name": get_valid_filename(file.name), "content": self._content(file)}
        # “replace”: a form may post a lone surrogate, which UTF-8 cannot hold.
        elif text.strip():
            cleaned |= {"name": _name_of(text), "content": text.encode("utf-8", "replace")}
        elif not self.errors:
            raise forms.ValidationError(_("Choose a file, or paste a text."))
        return cleaned

    def _content(self, file: Any) -> bytes:
        if file.size > archives.most_bytes():
            most = archives.in_megabytes(archives.most_bytes())
            raise forms.ValidationError(_("The file is larger than %(most)s. Cut it.") % {"most": most})
        return bytes(file.read())


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
    return _upload(request, event, purpose, _told(request, event, uploads))


def _told(request: HttpRequest, event: Event, uploads: Iterable[Upload]) -> list[Upload]:
    """Return uploads as the account may know them: with the names of hidden persons for organisers alone."""
    tell, told = names_for(request.user, event), list(uploads)
    for each in told:
        each.name = tell(each.name)
        if each.accepted:
            objections = [tell(one) for one in each.accepted["objections"]]
            each.accepted = {"reason": tell(each.accepted["reason"]), "objections": objections}
    return told


@desk_view()
def event_preview(request: HttpRequest, event: Event, upload_id: int) -> HttpResponse:
    """Show what an upload would change in the event; and the change."""
    # Only one's own: the token binds a preview, but names nobody.
    upload = get_object_or_404(event.uploads.filter(user=who(request)), pk=upload_id)
    return _preview(request, upload) if upload.applied is None else _imported(request, upload)


@desk_view(may_take_kept_files)
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


def _screen_after(event: Event, upload: Upload) -> str:
    """Return the screen that shows what was imported: of an entry list the register, else the desk."""
    is_entry_list = not (holds_event(upload.name, bytes(upload.file)) or event.rounds.exists())
    return "admin:event-register" if is_entry_list else "admin:event-desk"


def _upload(
    request: HttpRequest, event: Event | None, purpose: str, uploads: Iterable[Upload]
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
        may_take=event is not None and may_take_kept_files(request.user, event),
        unfinished=_unfinished(request, event),
        formats=", ".join(formats),
        table_endings=", ".join((*TABLES, ".txt")),
    )


def _unfinished(request: HttpRequest, event: Event | None) -> Page[Upload]:
    """Return a page of the files that the account uploaded here and has not imported, the latest first.

    Files of an archive of many are listed on the page of the archive.
    """
    uploads = Upload.objects.filter(user=who(request), event=event, applied=None, bundle_file=None)
    return Paginator(uploads.defer("file"), MOST_UNFINISHED).get_page(request.GET.get("page"))


def _keep(request: HttpRequest, event: Event | None, name: str, content: bytes) -> Upload:
    user = who(request)
    digest = sha256(content).hexdigest()
    return Upload.objects.create(
        event=event, name=name, file=content, sha256=digest, user=user, by=name_of(user)
    )


def _preview(request: HttpRequest, upload: Upload) -> HttpResponse:
    answer = preview(request, upload)
    if "apply" in request.POST:
        upload.refresh_from_db(fields=["event", "applied"])
        if upload.applied and upload.event:
            messages.success(request, _("Imported: %(name)s.") % {"name": upload.name})
            _tell_of_people(request, upload.event)
            return redirect(_screen_after(upload.event, upload), upload.event.pk)
    return answer


def _tell_of_people(request: HttpRequest, event: Event) -> None:
    """Tell an organiser which entries wait for a decision on who somebody is; two queries."""
    if not is_organiser(request.user):
        return
    waiting = LinkProposal.objects.filter(event=event).count()
    hidden = PersonLink.objects.filter(event=event, person__hidden=True).values("person")
    doubts = PeopleAct.objects.filter(kind=PeopleAct.Kind.DOUBT, undone_by=None, subjects__is_team=False)
    address = f"{reverse('admin:people-links')}?event={event.pk}"
    if doubts.filter(subjects__number__in=hidden).exists():
        told = _("Somebody is hidden because a namesake asked to be, and the file does not tell who is who:")
        messages.warning(request, format_html('{} <a href="{}">{}</a>', told, address, _("decide")))
    if waiting:
        told = ngettext(
            "%(count)s entry may be somebody who is known from another event:",
            "%(count)s entries may be somebody who is known from another event:",
            waiting,
        ) % {"count": waiting}
        messages.info(
            request, format_html('{} <a href="{}">{}</a>', told, address, _("look at the likely links"))
        )
