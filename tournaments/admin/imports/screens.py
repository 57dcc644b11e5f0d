"""Views of imports: the upload, its preview, and previous uploads."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.db.models.functions import Length
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import get_valid_filename
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from config.database.bulkhead import place_among
from tournaments.accounts.services.roles import is_organiser
from tournaments.admin.fields import PastedField
from tournaments.admin.frame import page, who
from tournaments.admin.history import names_for
from tournaments.admin.imports.bundles import store_upload
from tournaments.admin.imports.bundlescreens import check_size
from tournaments.admin.imports.import_jobs import preview, redirect_to_uploads
from tournaments.admin.permissions import desk_view, may_download_files, organisers_only
from tournaments.interchange.formats.file_formats import FORMATS, TABLES, holds_event
from tournaments.models import BundleFile, Event, LinkProposal, PeopleAct, PersonLink, Upload

MOST_SIGNS = 1_000_000
UPLOADS_PER_PAGE = 20
MOST_PREVIEWS = 2
"""Previews that an account can load at the same time, per process. Each may wait for two seconds."""


class UploadForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("File"), required=False, max_length=200, validators=[check_size]
    )
    text = PastedField(gettext_lazy("Or paste"), rows=12, most_signs=MOST_SIGNS, required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        file, text = cleaned.get("file"), cleaned.get("text", "")
        if file:
            cleaned |= {"name": get_valid_filename(file.name), "content": file.read()}
        # "replace": a form may post a lone surrogate, which UTF-8 cannot encode.
        elif text.strip():
            cleaned |= {"name": _pasted_name(text), "content": text.encode("utf-8", "replace")}
        elif not self.errors:
            raise forms.ValidationError(_("Choose a file, or paste a text."))
        return cleaned


def _pasted_name(text: str) -> str:
    start = text.lstrip("\ufeff \r\n")[:4]
    if start.startswith("{"):
        return "pasted.json"
    return "pasted.trf" if start in {"012 ", "001 "} else "pasted.csv"


# --- uploads to an event ----------------------------------------------------------------------------------


@desk_view()
def event_import(request: HttpRequest, event: Event) -> HttpResponse:
    purpose = _(
        "Competitors, results or a cross table from a file or from pasted text; or a complete event file. "
        "You see a preview first."
    )
    uploads = event.uploads.exclude(applied=None).defer("file").annotate(bytes=Length("file"))
    return _upload_page(request, event, purpose, _without_withheld_names(request, event, uploads))


def _without_withheld_names(request: HttpRequest, event: Event, uploads: Iterable[Upload]) -> list[Upload]:
    hide_names, listed = names_for(request.user, event), list(uploads)
    for each in listed:
        each.name = hide_names(each.name)
        if each.accepted:
            objections = [hide_names(one) for one in each.accepted["objections"]]
            each.accepted |= {"reason": hide_names(each.accepted["reason"]), "objections": objections}
    return listed


@desk_view()
def event_preview(request: HttpRequest, event: Event, upload_id: int) -> HttpResponse:
    return _preview_response(request, event.uploads.all(), upload_id)


@desk_view(may_download_files)
def uploaded(request: HttpRequest, event: Event, upload_id: int) -> HttpResponse:
    # Old files are emptied by a cleanup job.
    upload = get_object_or_404(event.uploads.exclude(applied=None).exclude(file=b""), pk=upload_id)
    response = HttpResponse(bytes(upload.file), content_type="application/octet-stream")
    response["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(upload.name)}"
    return response


# --- uploads of new events --------------------------------------------------------------------------------


@organisers_only
def new_import(request: HttpRequest) -> HttpResponse:
    purpose = _("A whole event from a file. You see a preview first.")
    return _upload_page(request, None, purpose, Upload.objects.none())


@organisers_only
def new_preview(request: HttpRequest, upload_id: int) -> HttpResponse:
    uploads = Upload.objects.filter(Q(event=None) | Q(applied__isnull=False))
    return _preview_response(request, uploads.select_related("bundle_file__bundle"), upload_id)


# --- helpers ----------------------------------------------------------------------------------------------


def _upload_page(
    request: HttpRequest, event: Event | None, purpose: str, uploads: Iterable[Upload]
) -> HttpResponse:
    form = UploadForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        upload = store_upload(who(request), form.cleaned_data["name"], form.cleaned_data["content"], event)
        if event:
            return redirect("admin:event-import-preview", event.pk, upload.pk)
        return redirect("admin:import-preview", upload.pk)
    # Files of a bundle are on the page of the bundle.
    unfinished = Upload.objects.filter(user=who(request), event=event, applied=None, bundle_file=None)
    unfinished = unfinished.defer("file")
    formats = [f"{each.name} ({', '.join(each.endings)})" for each in FORMATS]
    return page(
        request,
        event,
        "import",
        _("Import"),
        purpose,
        form=form,
        uploads=uploads,
        may_take=event is not None and may_download_files(request.user, event),
        unfinished=Paginator(unfinished, UPLOADS_PER_PAGE).get_page(request.GET.get("page")),
        formats=", ".join(formats),
        table_endings=", ".join((*TABLES, ".txt")),
    )


def _preview_response(request: HttpRequest, uploads: QuerySet[Upload], upload_id: int) -> HttpResponse:
    user = who(request)
    with place_among(("previews", user.pk), MOST_PREVIEWS):
        # Only the user's own uploads: the token of a preview does not contain the user.
        upload = get_object_or_404(uploads.filter(user=user).defer("file"), pk=upload_id)
        was_imported = upload.applied is not None
        if was_imported:
            messages.info(request, _("“%(name)s” is imported already.") % {"name": upload.name})
            return redirect_to_uploads(upload)
        response = preview(request, upload)
    if "apply" in request.POST:
        upload.refresh_from_db(fields=["event", "applied"])
        if upload.applied and upload.event:
            messages.success(request, _("Imported: %(name)s.") % {"name": upload.name})
            _add_link_messages(request, upload.event)
            if file := BundleFile.objects.filter(upload=upload).first():
                return redirect("admin:bundle", file.bundle_id)
            is_event = holds_event(upload.name, bytes(upload.file)) or upload.event.rounds.exists()
            # A list of entries goes on in the register.
            view = "admin:event-desk" if is_event else "admin:event-register"
            return redirect(view, upload.event.pk)
    return response


def _add_link_messages(request: HttpRequest, event: Event) -> None:
    if not is_organiser(request.user):
        return
    waiting = LinkProposal.objects.filter(event=event).count()
    hidden = PersonLink.objects.filter(event=event, person__hidden=True).values("person")
    doubts = PeopleAct.objects.filter(kind=PeopleAct.Kind.DOUBT, undone_by=None, subjects__is_team=False)
    address = f"{reverse('admin:people-links')}?event={event.pk}"
    if doubts.filter(subjects__number__in=hidden).exists():
        text = _(
            "A namesake asked to be hidden, and the file does not show which person is which, so this "
            "person is hidden:"
        )
        messages.warning(request, format_html('{} <a href="{}">{}</a>', text, address, _("decide")))
    if waiting:
        text = ngettext(
            "%(count)s entry may be a person or team from another event:",
            "%(count)s entries may be persons or teams from other events:",
            waiting,
        ) % {"count": waiting}
        messages.info(
            request, format_html('{} <a href="{}">{}</a>', text, address, _("look at the likely links"))
        )
