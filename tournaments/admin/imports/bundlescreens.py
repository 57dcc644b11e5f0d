"""Views of bundles: the upload of an archive, the state of its files, and a report."""

from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.frame import page, reload_soon, who
from tournaments.admin.imports.bundles import (
    WAITING_STATES,
    State,
    answer,
    drafts_of,
    key_of,
    plain_line,
    publish_drafts,
    questions_of,
    settle,
    states_of,
    take_in,
)
from tournaments.admin.imports.facts import LABELS
from tournaments.admin.imports.import_jobs import MOST_AT_ONCE, has_many
from tournaments.admin.imports.preview import OPTIONS, AnswersForm
from tournaments.admin.permissions import organisers_only
from tournaments.interchange.formats import archives
from tournaments.interchange.formats.file_formats import ENDINGS
from tournaments.interchange.formats.json.parsing import MOST_BYTES
from tournaments.interchange.formats.manifest import FIELDS, FILE, NAME
from tournaments.interchange.imports.report import ReportLine, write_lines
from tournaments.models import Bundle, BundleFile, Job, Series
from tournaments.operations import jobs
from tournaments.recording.locking import name_of_user

MAX_LISTED = 500  # files on the page; the report has all

MAX_BUNDLES = 20


def check_size(file: Any, most: int | None = None) -> None:
    most = most or archives.most_bytes()
    if (file.size or 0) > most:
        text = _("The file is larger than %(most)s. Cut it.") % {"most": archives.in_megabytes(most)}
        raise forms.ValidationError(text)


class BundleForm(forms.Form):
    file = forms.FileField(label=gettext_lazy("Archive (.zip)"), max_length=200, validators=[check_size])
    manifest = forms.FileField(
        label=gettext_lazy("Manifest (optional)"),
        required=False,
        max_length=200,
        validators=[partial(check_size, most=MOST_BYTES)],
        help_text=gettext_lazy("A table with a row for each file; or in the archive, as manifest.csv."),
    )
    series = forms.CharField(
        label=gettext_lazy("Series (optional)"),
        required=False,
        max_length=100,
        widget=forms.TextInput({"list": "series-names"}),
        help_text=gettext_lazy("If all are editions of one series. A new name creates a series."),
    )
    state = forms.ChoiceField(
        label=gettext_lazy("New events are"),
        choices=[
            ("draft", gettext_lazy("drafts")),
            ("file", gettext_lazy("as in the files, public at once")),
        ],
    )


@organisers_only
def bundles(request: HttpRequest) -> HttpResponse:
    form = BundleForm(request.POST or None, request.FILES or None)
    if form.is_valid() and has_many(who(request), Job.Kind.BUNDLE):
        text = _("%(count)s of your archives are being read. Wait until they are done.")
        form.add_error(None, text % {"count": MOST_AT_ONCE})
    elif form.is_valid():
        cleaned = form.cleaned_data
        manifest = cleaned["manifest"].read() if cleaned["manifest"] else None
        chosen = {"state": cleaned["state"], "series?": cleaned["series"]}
        bundle = take_in(who(request), cleaned["file"].name, cleaned["file"].read(), manifest, chosen)
        return redirect("admin:bundle", bundle.pk)
    return page(
        request,
        None,
        "bundles",
        _("Import many files"),
        _("A folder of results as a ZIP archive. You see a preview of each file before it is saved."),
        form=form,
        bundles=Bundle.objects.filter(user=who(request)).annotate(
            count=Count("files"), imported=Count("files", filter=Q(files__state=State.IMPORTED))
        )[:MAX_BUNDLES],
        fields=FIELDS,
        series=Series.objects.order_by("name").values_list("name", flat=True),
        column=FILE,
        manifest=NAME,
        endings=", ".join(ENDINGS),
    )


@organisers_only
def bundle(request: HttpRequest, bundle_id: int) -> HttpResponse:
    bundle = _get_bundle(request, bundle_id)
    wish = request.POST.get("wish", "")
    # An answer also applies to files that are being read again.
    questions = questions_of(bundle, *([State.WAITING] if wish == "answer" else []))
    form = AnswersForm(questions, request.POST if wish == "answer" else None)
    if request.method == "POST" and not form.errors:
        if wish == "answer":
            answer(bundle, form.cleaned_data)
        elif wish == "publish":
            for text in publish_drafts(bundle, who(request)):
                messages.warning(request, text)
        else:
            settle(bundle, wish)
        return redirect("admin:bundle", bundle.pk)
    _mark_imported(bundle)
    counts, job = states_of(bundle), jobs.last_job(key_of(bundle))
    waiting = sum(counts[each] for each in WAITING_STATES)
    files = bundle.files.select_related("upload__event").defer("upload__file")
    state = request.GET.get("state", "")
    if state in State.values:
        files = files.filter(state=state)
    response = page(
        request,
        None,
        "bundle",
        bundle.name,
        _("Each file is imported separately. Open a file to see its preview and to answer its questions."),
        bundle=bundle,
        files=[(each, _preview_url(each), _with_answers(each)) for each in files[:MAX_LISTED]],
        questions=[(concerned, form[name]) for name, concerned in questions.items()],
        beyond=max(0, files.count() - MAX_LISTED),
        counts=[(each, counts[each]) for each in State if counts[each]],
        state=state,
        total=sum(counts.values()),
        done=sum(counts.values()) - waiting,
        waiting=waiting,
        ready=counts[State.READY],
        drafts=drafts_of(bundle).count(),
        asking=counts[State.FAULTY] + counts[State.OBJECTED],
        job=job,
        is_stuck=jobs.is_stuck(job),
    )
    if (waiting or not bundle.whole) and not (bundle.stopped or form.errors) and job and job.is_open:
        reload_soon(request, response)
    return response


def _get_bundle(request: HttpRequest, bundle_id: int) -> Bundle:
    """Return a bundle of the user. Other users have no access to its previews."""
    return get_object_or_404(Bundle, pk=bundle_id, user=who(request))


def _mark_imported(bundle: Bundle) -> None:
    imported = bundle.files.exclude(state=State.IMPORTED).exclude(upload__applied=None)
    imported.exclude(upload=None).update(state=State.IMPORTED)


def _preview_url(file: BundleFile) -> str:
    if file.upload is None or file.upload.applied:
        return ""
    return f"{reverse('admin:import-preview', args=[file.upload_id])}?{urlencode(file.chosen)}"


def _with_answers(file: BundleFile) -> list[str]:
    accepted = (file.upload and file.upload.accepted) or {}
    # not the values of the form for the whole archive, nor defaults (`place?`)
    given = {**file.chosen, "state": "", **accepted.get("answers", {})}
    if accepted.get("reason") not in given.values():
        given["reason"] = accepted.get("reason")
    labels = {**LABELS, **{name: label for name, (label, _about) in OPTIONS.items()}}
    labels |= {name: _("accepted because") for name in given if name.startswith("accept")}
    answers = [
        f"{labels.get(name, name)}: {value}" for name, value in given.items() if value and name[-1] != "?"
    ]
    findings = list(map(plain_line, file.findings))
    if not answers:
        return findings
    by = accepted.get("by") or name_of_user(file.bundle.user)
    return [*findings, _("Given by %(by)s: %(answers)s") % {"by": by, "answers": "; ".join(answers)}]


@organisers_only
def report(request: HttpRequest, bundle_id: int) -> HttpResponse:
    bundle = _get_bundle(request, bundle_id)
    _mark_imported(bundle)
    response = HttpResponse("\ufeff", content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="report-{bundle.pk}.csv"'
    files = bundle.files.select_related("upload__event").defer("upload__file")
    lines = [
        ReportLine(
            file.name,
            file.upload.sha256 if file.upload else "",
            file.get_state_display(),
            file.upload.event.slug if file.upload and file.upload.event else "",
            file.summary,
            "\n".join(_with_answers(file)),
        )
        for file in files
    ]
    write_lines(response, lines, with_heading=True)
    return response
