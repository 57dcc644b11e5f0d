"""The available rating lists, and the import of a new one: an organiser uploads it, the worker imports it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.accounts.services.roles import roles_of
from tournaments.admin.frame import page, refresh_of, who
from tournaments.admin.permissions import may_create
from tournaments.event.choices import RatedAs
from tournaments.event.dates import parse_day
from tournaments.interchange.ratinglists.folder import folder, lists
from tournaments.interchange.ratinglists.players import SOURCES
from tournaments.interchange.ratinglists.published import NoListError
from tournaments.interchange.ratinglists.storing import import_list
from tournaments.models import Job
from tournaments.operations import jobs
from tournaments.recording.locking import name_of_user

ProgressCallback = Callable[[int, int], None]

KEY = Job.Kind.RATINGS.value
"""A constant key, so that only one list is imported at a time."""

REFRESH_SECONDS = 3
"""Seconds after which the page of an open job reloads."""

INCOMING = "incoming"


class RatingListForm(forms.Form):
    """The file as published, and facts that it may not contain."""

    file = forms.FileField(label=gettext_lazy("File"), max_length=200)
    source = forms.ChoiceField(label=gettext_lazy("Organisation"), choices=list(SOURCES.items()))
    date = forms.CharField(
        label=gettext_lazy("Valid from"),
        required=False,
        max_length=10,
        help_text=gettext_lazy("For example 2026-05-01. Empty: as in the file."),
        widget=forms.TextInput(attrs={"size": 12}),
    )
    kind = forms.ChoiceField(
        label=gettext_lazy("Ratings"),
        required=False,
        choices=[("", gettext_lazy("as in the file")), *RatedAs.choices],
        help_text=gettext_lazy("For a list with one rating per player."),
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if (file.size or 0) > settings.RATING_LIST_MOST_BYTES:
            most = settings.RATING_LIST_MOST_BYTES // (1024 * 1024)
            raise forms.ValidationError(
                _("The file is larger than %(most)s MB. Take the ZIP archive as it is published.")
                % {"most": most}
            )
        return file

    def clean_date(self) -> str:
        date: str = self.cleaned_data["date"].strip()
        if date and not parse_day(date):
            raise forms.ValidationError(_("“%(date)s” is not a date. Write 2026-05-01.") % {"date": date})
        return date


@admin.site.admin_view
def rating_lists(request: HttpRequest) -> HttpResponse:
    if not roles_of(request.user):
        raise PermissionDenied
    may_import = may_create(request.user)
    if request.method == "POST" and not may_import:
        raise PermissionDenied
    form = RatingListForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        _queue_import(request, form.cleaned_data)
        return redirect("admin:rating-lists")
    available, last = lists(), jobs.last_job(KEY)
    response = page(
        request,
        None,
        "rating_lists",
        _("Rating lists"),
        _(
            "Names are looked up in the newest list of FIDE or the FMJD; "
            "the ratings of an event are updated from any."
        ),
        form=form if may_import else None,
        lists=available,
        bytes=sum(each.size for each in available),
        job=last,
        share=100 * last.parts_done // last.parts if last and last.parts else 0,
        is_stuck=jobs.is_stuck(last),
        keep=settings.KEEP_RATING_LISTS,
    )
    if last and last.is_open:
        response["Refresh"] = refresh_of(request, REFRESH_SECONDS)
    return response


def _queue_import(request: HttpRequest, cleaned: dict[str, Any]) -> None:
    if (open_job := jobs.open_job(KEY)) is not None:
        messages.warning(request, _("“%(name)s” is being imported. Wait for its end.") % open_job.arguments)
        return
    name = Path(cleaned["file"].name).name
    stored = f"{uuid4().hex}{''.join(Path(name).suffixes[-1:])[:8]}"
    incoming = folder() / INCOMING
    incoming.mkdir(parents=True, exist_ok=True)
    with (incoming / stored).open("wb") as file:
        for chunk in cleaned["file"].chunks():
            file.write(chunk)
    arguments = {key: cleaned[key] for key in ("source", "date", "kind")} | {"name": name, "file": stored}
    job = Job(kind=Job.Kind.RATINGS, key=KEY, arguments=arguments, user=who(request), turn=jobs.Turn.IMPORT)
    if jobs.ask(job).arguments != arguments:  # a concurrent request was first
        (incoming / stored).unlink(missing_ok=True)


def run_list_import(job: Job, report_progress: ProgressCallback) -> dict[str, Any]:
    """Import the uploaded list. If that fails, the result has the reason as `problem`."""
    arguments = job.arguments
    path = folder() / INCOMING / arguments["file"]
    if job.user is None or not may_create(job.user):
        raise PermissionError
    try:
        rating_list = import_list(
            path,
            arguments["source"],
            date=arguments["date"],
            kind=arguments["kind"],
            by=name_of_user(job.user),
            name=arguments["name"],
            tell=report_progress,
        )
    except NoListError as problem:
        path.unlink(missing_ok=True)
        return {"problem": str(problem)}
    path.unlink(missing_ok=True)
    return {"list": str(rating_list), "rows": rating_list.rows, "bad": rating_list.bad}
