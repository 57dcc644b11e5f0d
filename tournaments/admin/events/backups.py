"""Backups of an event: create, download and restore them; and downloads of the event file and the report."""

from django import forms
from django.contrib import messages
from django.db.models.functions import Length
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.events.newevents import AddressForm
from tournaments.admin.frame import page, refusal_in, who
from tournaments.admin.permissions import desk_view, may_download_files, may_organise
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.formats.trf.returning import by_pairing_number
from tournaments.interchange.formats.trf.writing import write_records, write_report
from tournaments.models import Event
from tournaments.recording.events.backups import back_up, restore
from tournaments.stored import stored


class BackupForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=200,
        help_text=gettext_lazy("A short note, to recognise this backup later."),
    )


@desk_view()
def backups(request: HttpRequest, event: Event) -> HttpResponse:
    form = BackupForm(request.POST or None)
    if form.is_valid():
        latest = event.backups.defer("file").first()
        # A backup without changes is not stored again, so the message must not promise a new one.
        if back_up(event, who(request), form.cleaned_data["reason"]) == latest:
            messages.info(request, _("Nothing has changed since the last backup, so no new backup was made."))
        else:
            messages.success(request, _("Backup saved."))
        return redirect("admin:event-backups", event.pk)
    return page(
        request,
        event,
        "event_backups",
        _("Backups"),
        _(
            "Copies of the whole event, made before each round and when you press the button. Restore a "
            "backup as a new event."
        ),
        form=form,
        backups=event.backups.defer("file").annotate(bytes=Length("file")),
        may_restore=may_organise(request.user),
        may_take=may_download_files(request.user, event),
    )


@desk_view(may_download_files)
def backup_file(request: HttpRequest, event: Event, backup_id: int) -> HttpResponse:
    backup = get_object_or_404(event.backups.all(), pk=backup_id)
    return _attachment(bytes(backup.file), f"{event.slug}-{backup.at:%Y-%m-%d-%H%M}")


@desk_view()
def event_file(request: HttpRequest, event: Event) -> HttpResponse:
    return _attachment(write(stored(event).document).encode(), event.slug)


@desk_view()
def report_file(request: HttpRequest, event: Event) -> HttpResponse:
    """Send the tournament report, with days of birth, which the public one omits.

    `?by=pairing-number`: for pairing programs, only the records.
    """
    if not event.knows_results:
        messages.error(request, _("No results are recorded, so there is no tournament report."))
        return redirect("admin:event-backups", event.pk)
    document, name = stored(event).document, event.slug
    if request.GET.get("by") == "pairing-number":
        report = write_records(by_pairing_number(document, document.pairing_numbers()))
        name += "-by-pairing-number"
    else:
        report = write_report(document)
    return _attachment(report.encode(), name, "trf", "text/plain; charset=utf-8")


def _attachment(
    file: bytes, name: str, extension: str = "json", content_type: str = "application/json"
) -> HttpResponse:
    disposition = f'attachment; filename="{name}.{extension}"'
    return HttpResponse(file, content_type=content_type, headers={"Content-Disposition": disposition})


@desk_view(may_organise)
def restore_backup(request: HttpRequest, event: Event, backup_id: int) -> HttpResponse:
    backup = get_object_or_404(event.backups.all(), pk=backup_id)
    # With the time of the backup, since the event keeps its own slug.
    form = AddressForm(request.POST or None, initial={"slug": f"{event.slug[:60]}-{backup.at:%Y-%m-%d-%H%M}"})
    if form.is_valid():
        with refusal_in(form):
            copy = restore(backup, form.cleaned_data["slug"], who(request))
            messages.success(request, _("The copy was created as a draft. Check it before you publish it."))
            return redirect("admin:event-desk", copy.pk)
    return page(
        request,
        event,
        "event_form",
        _("Restore a backup"),
        _("A new draft as the event was then. The event itself stays as it is."),
        form=form,
        backup=backup,
        verb=_("Restore into a copy"),
    )
