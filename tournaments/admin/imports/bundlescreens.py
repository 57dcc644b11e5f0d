"""The screens of many files at once: the archive, what was found of each file, and the report."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.frame import page, who
from tournaments.admin.imports.bundles import ASKED_FOR, State, has_many, key_of, settle, states_of, take_in
from tournaments.admin.imports.import_jobs import MOST_AT_ONCE
from tournaments.admin.permissions import may_create
from tournaments.interchange.formats import archives
from tournaments.interchange.formats.endings import ENDINGS
from tournaments.interchange.formats.json.parsing import MOST_BYTES
from tournaments.interchange.formats.manifest import FIELDS, FILE, NAME
from tournaments.interchange.imports.report import ReportLine, write_lines
from tournaments.models import Bundle, BundleFile
from tournaments.operations import jobs

AGAIN = 3
"""Seconds after which the page of who waits asks again."""

MOST_SHOWN = 500
"""Files that a page lists; the report has all of them."""

MOST_BUNDLEES = 20


class BundleForm(forms.Form):
    """An archive, what its files do not say, and in which state new events begin."""

    file = forms.FileField(label=gettext_lazy("Archive (.zip)"), max_length=200)
    manifest = forms.FileField(
        label=gettext_lazy("Manifest"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("A table with a row for each file; or in the archive, as manifest.csv."),
    )
    state = forms.ChoiceField(
        label=gettext_lazy("New events are"),
        choices=[
            ("draft", gettext_lazy("drafts")),
            ("file", gettext_lazy("as the files say, public at once")),
        ],
    )

    def clean_file(self) -> Any:
        """Return the archive. Raise ValidationError where it is larger than what is taken."""
        return _of_size(self.cleaned_data["file"], archives.most_bytes())

    def clean_manifest(self) -> Any:
        """Return the manifest. Raise ValidationError where it is larger than a table may be."""
        file = self.cleaned_data["manifest"]
        return _of_size(file, MOST_BYTES) if file else None


def _of_size(file: Any, most: int) -> Any:
    if (file.size or 0) > most:
        text = _("The file is larger than %(most)s. Cut it.") % {"most": archives.in_megabytes(most)}
        raise forms.ValidationError(text)
    return file


@admin.site.admin_view
def bundles(request: HttpRequest) -> HttpResponse:
    """Take in an archive, and list those of the account."""
    if not may_create(request.user):
        raise PermissionDenied
    form = BundleForm(request.POST or None, request.FILES or None)
    if form.is_valid() and has_many(who(request)):
        text = _("%(count)s of your archives are being read. Wait until they are done.")
        form.add_error(None, text % {"count": MOST_AT_ONCE})
    elif form.is_valid():
        given = form.cleaned_data
        manifest = given["manifest"].read() if given["manifest"] else None
        bundle = take_in(who(request), given["file"].name, given["file"].read(), manifest, given["state"])
        return redirect("admin:bundle", bundle.pk)
    return page(
        request,
        None,
        "bundles",
        _("Import many files"),
        _("A folder of results, packed as a ZIP archive. You see what each file holds before it is stored."),
        form=form,
        bundles=Bundle.objects.filter(user=who(request)).annotate(
            count=Count("files"), imported=Count("files", filter=Q(files__state=State.IMPORTED))
        )[:MOST_BUNDLEES],
        fields=FIELDS,
        column=FILE,
        manifest=NAME,
        endings=", ".join(ENDINGS),
    )


@admin.site.admin_view
def bundle(request: HttpRequest, bundle_id: int) -> HttpResponse:
    """Show what was found of each file; import what is ready, try again, stop, go on."""
    asked = _of(request, bundle_id)
    if request.method == "POST":
        settle(asked, request.POST.get("wish", ""))
        return redirect("admin:bundle", asked.pk)
    _note_those_imported_alone(asked)
    counts, job = states_of(asked), jobs.last_job(key_of(asked))
    waiting = sum(counts[each] for each in ASKED_FOR)
    files = asked.files.select_related("upload__event").defer("upload__file")
    state = request.GET.get("state", "")
    if state in State.values:
        files = files.filter(state=state)
    answer = page(
        request,
        None,
        "bundle",
        asked.name,
        _("Each file by itself: what is ready is imported, what asks for something has a preview."),
        bundle=asked,
        files=[(each, _preview_of(each)) for each in files[:MOST_SHOWN]],
        beyond=max(0, files.count() - MOST_SHOWN),
        counts=[(each, counts[each]) for each in State if counts[each]],
        state=state,
        total=sum(counts.values()),
        done=sum(counts.values()) - waiting,
        waiting=waiting,
        ready=counts[State.READY],
        asking=counts[State.FAULTY] + counts[State.OBJECTED],
        job=job,
        is_stuck=jobs.is_stuck(job),
    )
    if (waiting or not asked.whole) and not asked.stopped and job and job.is_open:
        answer["Refresh"] = str(AGAIN)
    return answer


def _of(request: HttpRequest, bundle_id: int) -> Bundle:
    """Return a bundle of the account's own: its previews are nobody else's."""
    if not may_create(request.user):
        raise PermissionDenied
    return get_object_or_404(Bundle, pk=bundle_id, user=who(request))


def _note_those_imported_alone(asked: Bundle) -> None:
    """Note the files that a person imported in their own preview."""
    alone = asked.files.exclude(state=State.IMPORTED).exclude(upload__applied=None)
    alone.exclude(upload=None).update(state=State.IMPORTED)


def _preview_of(file: BundleFile) -> str:
    """Return the address of a file's own preview, with what the manifest says; blank where there is none."""
    if file.upload is None or file.upload.applied:
        return ""
    return f"{reverse('admin:import-preview', args=[file.upload_id])}?{urlencode(file.chosen)}"


@admin.site.admin_view
def report(request: HttpRequest, bundle_id: int) -> HttpResponse:
    """Send what became of each file as a table."""
    asked = _of(request, bundle_id)
    _note_those_imported_alone(asked)
    answer = HttpResponse("\ufeff", content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="report-{asked.pk}.csv"'
    files = asked.files.select_related("upload__event").defer("upload__file")
    write_lines(answer, [_line(each) for each in files], with_heading=True)
    return answer


def _line(file: BundleFile) -> ReportLine:
    upload = file.upload
    return ReportLine(
        file.name,
        upload.sha256 if upload else "",
        file.state,
        upload.event.slug if upload and upload.event else "",
        file.summary,
        "\n".join(file.findings),
    )
