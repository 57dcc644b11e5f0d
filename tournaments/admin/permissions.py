"""Permissions at the desk.

A superuser may do everything. An organiser works on all events, creates and publishes events, and assigns
their arbiters. An arbiter works on the assigned events only; all other events are a 404.
"""

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib import admin, messages
from django.contrib.admin.options import BaseModelAdmin
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import Case, IntegerField, QuerySet, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect

from tournaments.accounts.services.roles import Role, User, is_organiser, roles_of
from tournaments.event.dates import in_zone, moment_text
from tournaments.models import (
    Acknowledgement,
    Attendance,
    Backup,
    Change,
    Competitor,
    ErrorReport,
    Event,
    FormerSlug,
    Game,
    LinkProposal,
    ManualTiebreak,
    Override,
    Pairing,
    PairingsCheck,
    PeopleAct,
    Person,
    PersonLink,
    Player,
    Proposal,
    Published,
    Receipt,
    Redirect,
    Round,
    Series,
    Team,
    TeamLink,
    Upload,
)
from tournaments.operations.revision import with_epoch
from tournaments.people.hiding.hidden_entries import is_hiding
from tournaments.recording.refusal import Busy, Refused

P = ParamSpec("P")


_OF_EVENT = (
    FormerSlug, Round, Competitor, Override, Change, Acknowledgement, Published, PairingsCheck, Backup,
    Receipt, Upload, ErrorReport, PersonLink, TeamLink,
)  # fmt: skip
EVENT_OF: dict[type[models.Model], str] = {
    Event: "",
    **dict.fromkeys(_OF_EVENT, "event"),
    **dict.fromkeys((Player, ManualTiebreak, Attendance), "competitor__event"),
    **dict.fromkeys((Pairing, Proposal), "round__event"),
    Game: "pairing__round__event",
}
"""The lookup from a row to its event."""

SHARED: tuple[type[models.Model], ...] = (Series, Redirect)
"""Models without an event that all roles may see."""

OVER_EVENTS: tuple[type[models.Model], ...] = (Person, Team, PersonLink, TeamLink, LinkProposal, PeopleAct)
"""Models that span events of several arbiters. At the desk, only organisers see them."""

FIRST = 30
"""How many events are offered for selection."""


def visible(user: User, model: type[models.Model]) -> QuerySet[Any]:
    rows = model._default_manager.all()
    # Accounts and logins belong to no event, so organisers do not see them.
    if user.is_superuser or (is_organiser(user) and (model in EVENT_OF or model in OVER_EVENTS)):
        return rows
    if model in OVER_EVENTS:
        return rows.none()
    if model in SHARED and roles_of(user):
        return rows
    if model in EVENT_OF and Role.ARBITER in roles_of(user):
        path = EVENT_OF[model]
        return rows.filter(**{f"{path}__arbiters" if path else "arbiters": user.pk})
    return rows.none()


def event_of(row: models.Model) -> Event | None:
    """Return the event of a row, None if it belongs to no event or to several."""
    path, found = EVENT_OF.get(type(row)), row
    if path is None:
        return None
    for name in filter(None, path.split("__")):
        found = getattr(found, name)
    return found if isinstance(found, Event) else None


def moment_of(row: models.Model, at: datetime) -> str:
    """Return a time as text, in the time zone of the row's event, or in UTC without an event."""
    event = event_of(row)
    with in_zone(event.time_zone if event else ""):
        return moment_text(at)


def events_of(user: User) -> QuerySet[Event]:
    return visible(user, Event)


def first_events(user: User) -> QuerySet[Event]:
    """Return the first events of the user: live events, drafts, then the most recent."""
    turn = Case(
        When(state=Event.State.LIVE, then=0),
        When(state=Event.State.DRAFT, then=1),
        default=2,
        output_field=IntegerField(),
    )
    return events_of(user).annotate(turn=turn).order_by("turn", "-start", "name")[:FIRST]


def may_record(user: User, event: Event) -> bool:
    """Return whether the user may record pairings, results, tie-breaks and overrides."""
    return is_organiser(user) or events_of(user).filter(pk=event.pk).exists()


def may_change_rules(user: User, event: Event) -> bool:
    """Return whether the user may change rules of the ranking. After the event, only organisers may."""
    return is_organiser(user) or (not event.is_over and may_record(user, event))


def may_organise(user: User, event: Event | None = None) -> bool:
    """Return whether the user may create events, also from this event, publish them and assign arbiters."""
    return is_organiser(user)


def may_download_files(user: User, event: Event) -> bool:
    """Return whether a user of the event may download backups and uploads, which contain hidden names."""
    return is_organiser(user) or not is_hiding(event)


May = Callable[[User, Event], bool]


def desk_view(
    may: May = may_record,
) -> Callable[[Callable[Concatenate[HttpRequest, Event, P], HttpResponse]], Callable[..., HttpResponse]]:
    """Return a decorator for a desk view about an event, given by `event_id` in the URL.

    The view requires a login, is never cached and has CSRF protection. The response is 404 if the user does
    not work on the event, and 403 if `may` does not allow the view.
    """

    def decorate(
        view: Callable[Concatenate[HttpRequest, Event, P], HttpResponse],
    ) -> Callable[..., HttpResponse]:
        @wraps(view)
        def answer(request: HttpRequest, event_id: int, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            # 404, not 403: an arbiter cannot find out which other events exist.
            event = get_object_or_404(with_epoch(events_of(request.user)), pk=event_id)
            # 403: the user sees the event, but only an organiser may use this view.
            if not may(request.user, event):
                raise PermissionDenied
            try:
                with in_zone(event.time_zone):
                    return view(request, event, *args, **kwargs)
            except Busy:
                raise  # a page of its own
            except Refused as refusal:  # such as of any change, if the event is lent
                messages.error(request, str(refusal))
                return redirect("admin:event-desk", event.pk)

        protected: Callable[..., HttpResponse] = admin.site.admin_view(answer)
        return protected

    return decorate


View = Callable[..., HttpResponse]


def organisers_only(view: View) -> View:
    """Decorate a view that only organisers and superusers may use. The response to others is 403."""

    @wraps(view)
    def answer(request: HttpRequest, **parts: Any) -> HttpResponse:
        if not is_organiser(request.user):
            raise PermissionDenied
        return view(request, **parts)

    protected: View = admin.site.admin_view(answer)
    return protected


def _is_lent(row: models.Model | None) -> bool:
    """Return whether another site changes the row's event (tournaments.recording.events.home)."""
    event = event_of(row) if row else None
    return event is not None and bool(event.home)


class Guarded(BaseModelAdmin):  # type: ignore[type-arg]  # no subscript at run time
    """A mixin for ModelAdmins and inlines: users may add, change and delete the rows that they may see."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows that the user may see, so no URL, search or action reaches others."""
        # order_by(): otherwise the ordering of the second queryset would replace that of the list.
        return super().get_queryset(request) & visible(request.user, self.model).order_by()

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        if obj is None or obj.pk is None:
            has_rows = (self.model in EVENT_OF or self.model in SHARED) and bool(roles_of(request.user))
            return request.user.is_superuser or has_rows
        return visible(request.user, type(obj)).filter(pk=obj.pk).exists()

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_view_permission(request, obj) and not _is_lent(obj)

    has_add_permission = has_delete_permission = has_change_permission

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer only visible rows, so that a forged POST cannot name another row."""
        kwargs.setdefault("queryset", visible(request.user, db_field.related_model))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        kwargs.setdefault("queryset", visible(request.user, db_field.related_model))
        return super().formfield_for_manytomany(db_field, request, **kwargs)


class ReadOnly(Guarded):
    """A mixin for models that are read-only in the admin: they are written elsewhere, or never changed."""

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    has_add_permission = has_delete_permission = has_change_permission
