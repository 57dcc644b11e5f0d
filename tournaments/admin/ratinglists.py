"""Rating lists at the desk: import by the worker, lookup of players, and updates of an event's ratings."""

from pathlib import Path
from typing import Any
from uuid import uuid4

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.accounts.services.roles import roles_of
from tournaments.admin.frame import page, reload_soon, who
from tournaments.admin.permissions import desk_view, may_change_rules, may_organise
from tournaments.event.choices import RatedAs
from tournaments.event.dates import whole_day
from tournaments.event.numbers import whole_number
from tournaments.interchange.ratinglists.folder import RatingList, folder, lists, newest
from tournaments.interchange.ratinglists.lookup import look_up
from tournaments.interchange.ratinglists.players import (
    FIDE,
    KINDS,
    LOCAL,
    SOURCES,
    source_of,
)
from tournaments.interchange.ratinglists.published import NoListError
from tournaments.interchange.ratinglists.storing import Tell, import_list
from tournaments.models import Competitor, Event, Job
from tournaments.operations import jobs
from tournaments.recording.competitors import ratings
from tournaments.recording.locking import name_of_user
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.results.preview import MovedPlace, place_changes

KEY = Job.Kind.RATINGS.value
"""A constant key, so that only one list is imported at a time."""

INCOMING = "incoming"


class RatingListForm(forms.Form):
    """The file as published, and facts that it may not contain."""

    file = forms.FileField(label=gettext_lazy("File"), max_length=200)
    source = forms.ChoiceField(label=gettext_lazy("Organisation"), choices=list(SOURCES.items()))
    date = forms.CharField(
        label=gettext_lazy("Valid from"),
        required=False,
        max_length=10,
        validators=[whole_day],
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


@admin.site.admin_view
def rating_lists(request: HttpRequest) -> HttpResponse:
    if not roles_of(request.user):
        raise PermissionDenied
    may_import = may_organise(request.user)
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
        reload_soon(request, response)
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


def run_list_import(job: Job, report_progress: Tell) -> dict[str, Any]:
    """Import the uploaded list. If that fails, the result has the reason as `problem`."""
    arguments = job.arguments
    path = folder() / INCOMING / arguments["file"]
    if job.user is None or not may_organise(job.user):
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


MAX_ON_PAGE = 50


def lookup_address(event: Event) -> str:
    """Return the URL that looks up names for an event, in the list of its discipline."""
    kind = event.ratings_from or event.rated_as or "standard"
    query = {"source": source_of(event.discipline), "kind": kind}
    return f"{reverse('admin:rating-lookup')}?{urlencode(query)}"


@admin.site.admin_view
def rating_lookup(request: HttpRequest) -> HttpResponse:
    """Return the players who match `q` in the newest list of `source`, as JSON for scripts or as a page."""
    if not roles_of(request.user):
        raise PermissionDenied
    text = request.GET.get("q", "").strip()
    source = request.GET.get("source", FIDE)
    source = source if source in SOURCES else FIDE
    kind = request.GET.get("kind", "")
    kind = kind if kind in {*KINDS, LOCAL} else ""
    used = newest(source, kind)
    if request.accepts("text/html"):
        players = look_up(used, text, kind, MAX_ON_PAGE) if used else []
        return page(
            request,
            None,
            "rating_lookup",
            _("Look a player up"),
            _("By name (the first letters of its words, in any order) or by id."),
            used=used,
            text=text,
            source=source,
            sources=SOURCES,
            players=players,
        )
    listed = look_up(used, text, kind) if used else []
    return JsonResponse(
        {
            "list": str(used) if used else "",
            "players": [
                {**player.particulars(source, kind), "is_inactive": player.is_inactive} for player in listed
            ],
        }
    )


LABELS = {field.name: field.verbose_name for field in Competitor._meta.fields} | {
    "code": gettext_lazy("federation")
}
DEFAULT_FIELDS = ("rating", "title")
"""The fields that are selected by default. Names are often spelled as the players prefer."""


class ChosenListForm(forms.Form):
    """The rating list to compare with, and the kind of its ratings."""

    chosen = forms.ChoiceField(label=gettext_lazy("List"))
    kind = forms.ChoiceField(
        label=gettext_lazy("Ratings"), choices=[("", gettext_lazy("choose")), *RatedAs.choices]
    )

    def __init__(self, data: QueryDict, available: list[RatingList], kind: str) -> None:
        defaults = {"chosen": available[0].name, "kind": kind}
        super().__init__({name: data.get(name) or value for name, value in defaults.items()})
        self.fields["chosen"].choices = [(each.name, str(each)) for each in available]  # type: ignore[attr-defined]  # a choice field


@desk_view()
def event_ratings(request: HttpRequest, event: Event) -> HttpResponse:
    available = lists(source_of(event.discipline))
    title = _("Update ratings")
    purpose = _("Compare the event with a rating list and choose the values to update.")
    if not available:
        return page(request, event, "event_ratings", title, purpose, form=None)
    data = request.POST if request.method == "POST" else request.GET
    form = ChosenListForm(data, available, event.ratings_from or event.rated_as)
    if not form.is_valid():
        return page(request, event, "event_ratings", title, purpose, form=form, compared=None)
    rating_list = next(each for each in available if each.name == form.cleaned_data["chosen"])
    kind = form.cleaned_data["kind"]
    error, moved_places, is_trial = "", list[MovedPlace](), False
    if request.method == "POST":
        is_trial = "try" in request.POST
        error, moved_places = _update_or_preview(request, event, rating_list, kind)
        if not error and not is_trial:
            return redirect("admin:event-ratings", event.pk)
    compared = ratings.compare_ratings(event, rating_list, kind)
    selected = set(request.POST.getlist("row"))
    rows = [
        (
            each,
            [(LABELS[name], old, new) for name, (old, new) in each.fields.items()],
            # By default, all but matches by name only.
            each.key in selected if request.method == "POST" else not each.by_name,
        )
        for each in compared.differences
    ]
    return page(
        request,
        event,
        "event_ratings",
        title,
        purpose,
        form=form,
        used=rating_list,
        compared=compared,
        rows=rows,
        columns=[(name, LABELS[name], name in _selected_fields(request)) for name in ratings.FIELDS],
        why=ratings.reason_needed(event),
        reason=request.POST.get("reason", ""),
        may_take=may_change_rules(request.user, event),
        fault=error,
        moved=moved_places,
        is_trial=is_trial and not error,
    )


def _update_or_preview(
    request: HttpRequest, event: Event, rating_list: RatingList, kind: str
) -> tuple[str, list[MovedPlace]]:
    """Store the selected values, or preview them. Return the error message, and the changes in places."""
    if not may_change_rules(request.user, event):
        return _("The event is over: an organiser changes ratings."), []
    seen = {
        key: whole_number(request.POST.get(f"seen-{key}", "")) or 0 for key in request.POST.getlist("row")
    }
    reason = request.POST.get("reason", "")
    is_trial = "try" in request.POST

    def take() -> int:
        given_reason = reason.strip() or ("…" if is_trial else "")
        return ratings.take_over_ratings(
            event, rating_list, seen, _selected_fields(request), who(request), kind=kind, reason=given_reason
        )

    try:
        if is_trial:
            return "", place_changes(event, take)
        count = take()
    except (Conflict, Refused) as error:
        return str(error), []
    text = ngettext("%(count)d row updated from %(list)s.", "%(count)d rows updated from %(list)s.", count)
    messages.success(request, text % {"count": count, "list": rating_list})
    return "", []


def _selected_fields(request: HttpRequest) -> list[str]:
    if request.method != "POST":
        return [*DEFAULT_FIELDS]
    return [name for name in ratings.FIELDS if name in request.POST.getlist("field")]
