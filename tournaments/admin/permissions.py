"""Who may do what at the desk: one rule, asked on every path.

A superuser may do everything. An organiser works on every event, creates and publishes events and assigns
their arbiters. An arbiter works on the events he is assigned to; no other exists for him: 404.
"""

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

from django.contrib import admin
from django.contrib.admin.options import BaseModelAdmin
from django.contrib.auth.models import AbstractUser, AnonymousUser, Group
from django.contrib.auth.models import User as Account
from django.core.exceptions import PermissionDenied
from django.db import connections, models
from django.db.models import Case, IntegerField, QuerySet, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from tournaments.event.times import in_zone, moment_text
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
from tournaments.recording.rules import is_for_organisers

if TYPE_CHECKING:  # the stubs know whose admin it is; Django's own classes take no such word
    Base = BaseModelAdmin[Any]
    ModelAdmin = admin.ModelAdmin[Any]
    TabularInline = admin.TabularInline[Any, Any]
else:
    Base, ModelAdmin, TabularInline = BaseModelAdmin, admin.ModelAdmin, admin.TabularInline

User = AbstractUser | AnonymousUser
P = ParamSpec("P")


class Role(StrEnum):
    """The two roles: groups that an account is put in."""

    ORGANISER = "Organiser"
    ARBITER = "Arbiter"


def install_roles(using: str, **_: object) -> None:
    """Have the group of each role; after every `migrate`, any number of times."""
    if Group._meta.db_table in connections[using].introspection.table_names():
        for role in Role:
            Group.objects.using(using).get_or_create(name=role)


EVENT_OF: dict[type[models.Model], str] = {
    Event: "",
    FormerSlug: "event",
    Round: "event",
    Competitor: "event",
    Override: "event",
    Change: "event",
    Acknowledgement: "event",
    Published: "event",
    PairingsCheck: "event",
    Backup: "event",
    Receipt: "event",
    Upload: "event",
    ErrorReport: "event",
    PersonLink: "event",
    TeamLink: "event",
    Player: "competitor__event",
    ManualTiebreak: "competitor__event",
    Attendance: "competitor__event",
    Pairing: "round__event",
    Proposal: "round__event",
    Game: "pairing__round__event",
}
"""The way from a row to its event."""

SHARED: tuple[type[models.Model], ...] = (Series, Redirect)
"""What belongs to no event and may be seen by everybody with a role."""

OVER_EVENTS: tuple[type[models.Model], ...] = (Person, Team, PersonLink, TeamLink, LinkProposal, PeopleAct)
"""What is of many events, some of them another arbiter's: only organisers see it at the desk."""

FIRST = 30
"""How many events are listed where an account chooses among its own."""


def roles_of(user: User) -> frozenset[Role]:
    """Return the roles of an account, read once a request; a superuser has all of them."""
    if not (user.is_active and user.is_staff):
        return frozenset()
    if user.is_superuser:
        return frozenset(Role)
    # Asked some twenty times a page; the account lives as long as the request.
    if "_roles" not in user.__dict__:
        names = user.groups.filter(name__in=Role).values_list("name", flat=True)
        user.__dict__["_roles"] = frozenset(Role(name) for name in names)
    return frozenset(user.__dict__["_roles"])


def is_organiser(user: User) -> bool:
    """Say whether the account works on every event."""
    return Role.ORGANISER in roles_of(user)


def visible(user: User, model: type[models.Model]) -> QuerySet[Any]:
    """Return the rows of a model that the account may see at the desk."""
    rows = model._default_manager.all()
    # Accounts and logins hang on no event, so an organiser sees none of them.
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
    """Return the event of a row; None where it is of none, or of many."""
    path, found = EVENT_OF.get(type(row)), row
    if path is None:
        return None
    for name in filter(None, path.split("__")):
        found = getattr(found, name)
    return found if isinstance(found, Event) else None


def moment_of(row: models.Model, at: datetime) -> str:
    """Return a moment with its zone: by the clocks of the row's event, in UTC for a row of no event."""
    event = event_of(row)
    with in_zone(event.time_zone if event else ""):
        return moment_text(at)


def events_of(user: User) -> QuerySet[Event]:
    """Return the events that the account works on."""
    return visible(user, Event)


def first_events(user: User) -> QuerySet[Event]:
    """Return the events an account works on: the live ones, drafts, then the most recent."""
    turn = Case(
        When(state=Event.State.LIVE, then=0),
        When(state=Event.State.DRAFT, then=1),
        default=2,
        output_field=IntegerField(),
    )
    return events_of(user).annotate(turn=turn).order_by("turn", "-start", "name")[:FIRST]


def may_record(user: User, event: Event) -> bool:
    """Say whether the account may enter and rule in the event: pairings, results, tie-breaks, overrides."""
    return is_organiser(user) or events_of(user).filter(pk=event.pk).exists()


def may_change_rules(user: User, event: Event) -> bool:
    """Say whether the account may change what the ranking rests on; once an event is over, an organiser."""
    return is_organiser(user) or (not is_for_organisers(event) and may_record(user, event))


def may_publish(user: User, event: Event) -> bool:
    """Say whether the account may change what readers see of the event at all: its state and its address."""
    return is_organiser(user)


def may_assign(user: User, event: Event | None = None) -> bool:
    """Say whether the account may say who the event's arbiters are."""
    return is_organiser(user)


def may_create(user: User) -> bool:
    """Say whether the account may make events and series."""
    return is_organiser(user)


def may_copy(user: User, event: Event) -> bool:
    """Say whether the account may make events like this one: clones, editions, restored backups."""
    return may_create(user)


def may_take_kept_files(user: User, event: Event) -> bool:
    """Say whether an account of the event may have its backups and uploads: they name whoever is hidden."""
    return is_organiser(user) or not is_hiding(event)


def may_grant(user: User, role: Role) -> bool:
    """Say whether the account may give somebody a role: an organiser makes arbiters, a superuser both."""
    return user.is_superuser or (role == Role.ARBITER and is_organiser(user))


def manageable(user: User) -> QuerySet[Account]:
    """Return the accounts that the account may manage: an organiser's are neither organisers nor superusers.

    Nobody manages himself, so that the last one cannot lock himself out. Closed accounts keep their rank.
    """
    others = Account.objects.filter(is_staff=True).exclude(pk=user.pk or 0)
    if user.is_superuser:
        return others
    if not is_organiser(user):
        return others.none()
    return others.filter(is_superuser=False).exclude(groups__name=Role.ORGANISER)


May = Callable[[User, Event], bool]


def desk_view(
    may: May = may_record,
) -> Callable[[Callable[Concatenate[HttpRequest, Event, P], HttpResponse]], Callable[..., HttpResponse]]:
    """Protect a view of the desk about one event, by `event_id` in its address.

    It is behind the login, never cached, protected against forged posts; an event that the account does not
    work on is 404, and one it works on but may not do this to is 403.
    """

    def decorate(
        view: Callable[Concatenate[HttpRequest, Event, P], HttpResponse],
    ) -> Callable[..., HttpResponse]:
        @wraps(view)
        def answer(request: HttpRequest, event_id: int, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            # 404, not 403: an arbiter does not learn which other events there are.
            event = get_object_or_404(with_epoch(events_of(request.user)), pk=event_id)
            # 403 here: he sees the event, and is told that this is an organiser's.
            if not may(request.user, event):
                raise PermissionDenied
            with in_zone(event.time_zone):
                return view(request, event, *args, **kwargs)

        protected: Callable[..., HttpResponse] = admin.site.admin_view(answer)
        return protected

    return decorate


View = Callable[..., HttpResponse]


def organisers_only(view: View) -> View:
    """Let organisers in, and superusers; an arbiter is told that this is not for them."""

    @wraps(view)
    def answer(request: HttpRequest, **parts: Any) -> HttpResponse:
        if not is_organiser(request.user):
            raise PermissionDenied
        return view(request, **parts)

    protected: View = admin.site.admin_view(answer)
    return protected


class Guarded(Base):
    """The rule on every path of Django's admin: forms and inlines, lists, choices, history, deletion.

    `may_change`, `may_add` and `may_delete` narrow it for one screen; seeing follows from `visible`.
    """

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows that the account may see; so no address, search or bulk action finds another's."""
        # order_by(): else the ordering of the second set would replace the list's own.
        return super().get_queryset(request) & visible(request.user, self.model).order_by()

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Say whether the screen is listed."""
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Say whether the account may see a row, or rows at all."""
        if obj is None or obj.pk is None:
            return self._sees_any(request.user)
        return visible(request.user, type(obj)).filter(pk=obj.pk).exists()

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Say whether the account may add rows: here, or in an inline to `obj`."""
        return self.has_view_permission(request, obj) and self.may_add(request.user)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Say whether the account may change the row."""
        return self.has_view_permission(request, obj) and self.may_change(request.user)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Say whether the account may delete the row."""
        return self.has_view_permission(request, obj) and self.may_delete(request.user, obj)

    def may_add(self, user: User) -> bool:
        """Say whether this screen lets the account add at all."""
        return True

    def may_change(self, user: User) -> bool:
        """Say whether this screen lets the account change what it sees."""
        return True

    def may_delete(self, user: User, obj: Any) -> bool:
        """Say whether this screen lets the account delete what it sees; None means rows at all."""
        return True

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer the rows that the account may see alone, so that a forged post can name no other."""
        kwargs.setdefault("queryset", visible(request.user, db_field.related_model))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Do as for one related row."""
        kwargs.setdefault("queryset", visible(request.user, db_field.related_model))
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def _sees_any(self, user: User) -> bool:
        if user.is_superuser:
            return True
        return (self.model in EVENT_OF or self.model in SHARED) and bool(roles_of(user))


class ReadOnly(Guarded):
    """Rows that are only read here: they are written elsewhere, or never changed once recorded."""

    def may_add(self, user: User) -> bool:
        """Say no."""
        return False

    def may_change(self, user: User) -> bool:
        """Say no."""
        return False

    def may_delete(self, user: User, obj: Any) -> bool:
        """Say no."""
        return False
