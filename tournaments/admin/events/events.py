"""Django admin of events and series: facts, scoring, system and display. Publication has its own view."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.utils import flatten_fieldsets
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from standings.engine import SYSTEMS, edition_of
from tournaments.accounts.services.roles import Role, is_organiser
from tournaments.admin.events.eventform import EventForm
from tournaments.admin.frame import who
from tournaments.admin.permissions import may_change_rules, may_organise
from tournaments.admin.versions import VersionedAdmin, with_version
from tournaments.event.judging import system_of
from tournaments.event.rules import RULE_FIELDS
from tournaments.models import Event, FormerSlug, Revision, Series
from tournaments.recording.events.rules import is_frozen, record_change
from tournaments.recording.events.systems import fide_system
from tournaments.recording.locking import name_of_user
from tournaments.texts import criterion_names, name_of_edition, name_of_system

REASON_HEADING = gettext_lazy("Why the rules are changed")

PARTS: dict[str, tuple[Any, list[tuple[Any, list[Any], Any]]]] = {
    "event": (
        gettext_lazy("Event"),
        [
            (
                gettext_lazy("The event"),
                ["name", "slug", "state", "public", "series", ("congress", "section"), ("place", "country")],
                "",
            ),
            (
                gettext_lazy("Days and kind"),
                [("start", "end"), "time_zone", "discipline", "entrants", "boards"],
                "",
            ),
            (
                gettext_lazy("Officials and time control"),
                ["officials", "time_control", "time_code", ("rated_as", "ratings_from")],
                gettext_lazy("Other data for a rating report."),
            ),
            (
                gettext_lazy("Arbiters"),
                ["arbiters"],
                gettext_lazy("They work on this event and see no other."),
            ),
        ],
    ),
    "rules": (
        gettext_lazy("Rules"),
        [
            (
                gettext_lazy("Ranking"),
                ["ranking", "tiebreaks", "unplayed", "unrated", "wins_count_byes", "withdrawal_at_half"],
                "",
            ),
            (
                gettext_lazy("Scoring"),
                [("game_win", "game_draw", "game_loss"), "game_results", "bye_game"],
                gettext_lazy("In points: 1, ½, 0. Empty: the default of the system."),
            ),
        ],
    ),
    "rounds": (
        gettext_lazy("Rounds"),
        [
            (gettext_lazy("Rounds"), ["schedule", "planned_rounds", ("half_byes", "half_byes_until")], ""),
            (
                gettext_lazy("Pairing"),
                [
                    ("start_order", "start_seed"),
                    "initial_colour",
                    ("acceleration", "accelerated_to"),
                    "delayed_points",
                    "forbidden_pairs",
                ],
                gettext_lazy("Settings for pairing in addition to the rules."),
            ),
            (gettext_lazy("Results by players"), ["players_entry", "players_entry_after"], ""),
        ],
    ),
    "teams": (
        gettext_lazy("Teams"),
        [
            (gettext_lazy("Teams"), ["teams_are", "board_order", "team_colours"], ""),
            (
                gettext_lazy("Scoring of matches"),
                ["primary", ("match_win", "match_draw", "match_loss"), "bye_match"],
                "",
            ),
        ],
    ),
    "publication": (
        gettext_lazy("Publication"),
        [
            (gettext_lazy("Display"), ["places", "cell_number", "columns", "language"], ""),
            (gettext_lazy("Record"), ["sources", "licence", "doi", "unknown", "notes"], ""),
        ],
    ),
}
"""The settings by task: name, heading, and groups of fields with heading and description."""

OF_SWISS = (
    *("half_byes", "half_byes_until", "initial_colour", "acceleration", "accelerated_to", "forbidden_pairs"),
    *("team_colours", "delayed_points"),
)


def was_public(event: Event) -> bool:
    """Return whether readers may know the URL of the event: it is or was public. One query."""
    was_ever_public = Revision.objects.filter(event=event, public_at__isnull=False).exists()
    return event.state != Event.State.DRAFT or was_ever_public


def _link(address: str, text: str) -> SafeString:
    return format_html('<a href="{}">{}</a>', address, text)


def _part_of(request: HttpRequest, event: Event | None) -> str:
    part = request.GET.get("part", "")
    return part if part in PARTS and (part != "teams" or (event and event.is_team)) else "event"


@admin.register(Event)
class EventAdmin(VersionedAdmin):
    """The settings of an event. Arbiters may not change slug, arbiters and state."""

    purpose = gettext_lazy("Dates, rounds, scoring, ranking and information on the public pages.")
    form = EventForm
    change_form_template = "admin/event_settings.html"
    list_display = ("name", "desk", "start", "place", "discipline", "state", "public")
    list_filter = ("state", "entrants", "schedule", "discipline")
    list_select_related = ("series",)
    search_fields = ("name", "slug", "place", "series__name")
    sortable_by = ("name", "start", "place", "state")
    readonly_fields = ("state", "public", "ranking", "tiebreaks", "start_order", "start_seed")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may_organise(request.user)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the user may delete the event: a superuser, if it was never public.

        Events that were public are removed instead: their URL responds 410, and harvesters are informed.
        """
        may_delete = request.user.is_superuser and (obj is None or not was_public(obj))
        return may_delete and super().has_delete_permission(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Event | None = None) -> tuple[str, ...]:
        """Return the read-only fields: the slug for arbiters, and the entrants if there are competitors."""
        slug = () if is_organiser(request.user) else ("slug",)
        entrants = ("entrants",) if obj and obj.competitors.exists() else ()
        return (*self.readonly_fields, *slug, *entrants)

    def get_form(self, request: HttpRequest, obj: Event | None = None, *args: Any, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, *args, **kwargs)
        are_locked = obj is not None and not may_change_rules(request.user, obj)
        shown = frozenset(flatten_fieldsets(self.get_fieldsets(request, obj)))
        # A subclass, so that the attributes are set for this request only.
        return type(form.__name__, (form,), {"rules_are_locked": are_locked, "shown": shown})

    def get_fieldsets(self, request: HttpRequest, obj: Event | None = None) -> Any:
        """Return the fieldsets of the requested part, with the fields that suit the kind of event.

        The reason requires frozen rules; arbiters, the permission to assign them.
        """
        without = set() if may_organise(request.user, obj) else {"arbiters"}
        if obj and obj.is_round_robin:
            without |= {name for name in OF_SWISS if not getattr(obj, name)}  # a stored value can be changed
        if obj and not obj.is_team and obj.competitors.exists():
            without.add("boards")  # without competitors it can become an event of teams
        found: list[Any] = []
        for heading, fields, description in PARTS[_part_of(request, obj)][1]:
            named = [(each,) if isinstance(each, str) else each for each in fields]
            rows = [tuple(name for name in row if name not in without) for row in named]
            if any(rows):
                found.append((heading, {"fields": [*filter(None, rows)], "description": description}))
        editable = {*flatten_fieldsets(found)} - {*self.get_readonly_fields(request, obj)}
        has_rules = not editable.isdisjoint(RULE_FIELDS)
        if obj and has_rules and may_change_rules(request.user, obj) and is_frozen(obj):
            found.append((REASON_HEADING, {"fields": ("reason", "after")}))
        return with_version(found) if obj else found

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "arbiters" and may_organise(request.user):
            accounts = db_field.related_model._default_manager.filter(is_active=True, is_staff=True)
            kwargs["queryset"] = accounts.filter(groups__name=Role.ARBITER).order_by("username")
            kwargs["widget"] = forms.CheckboxSelectMultiple
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        return redirect("admin:event-new")

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        event = kwargs.get("obj")
        is_team = event is not None and event.is_team
        parts = [(name, heading) for name, (heading, _groups) in PARTS.items() if name != "teams" or is_team]
        context |= {"show_save_and_add_another": False, "parts": parts, "part": _part_of(request, event)}
        return super().render_change_form(request, context, *args, **kwargs)

    def response_change(self, request: HttpRequest, obj: Event) -> HttpResponse:
        super().response_change(request, obj)
        if "_continue" in request.POST:
            return redirect(request.get_full_path())
        return redirect("admin:event-desk", obj.pk)

    def save_model(self, request: HttpRequest, obj: Event, form: Any, change: bool) -> None:
        """Save the event. Record a change of frozen rules, and redirect a previous public slug."""
        old_slug = form.initial.get("slug")
        super().save_model(request, obj, form, change)
        if change:
            cleaned = form.cleaned_data
            reason, after = cleaned.get("reason", ""), cleaned.get("after")
            record_change(obj, form.rules_before, name_of_user(who(request)), reason, after)
        if change and "slug" in form.changed_data and was_public(obj):
            # A slug that is used again must not redirect to itself.
            FormerSlug.objects.filter(event=obj, slug=obj.slug).delete()
            FormerSlug.objects.get_or_create(event=obj, slug=old_slug)

    @admin.display(description=gettext_lazy("ranking system"))
    def ranking(self, event: Event) -> SafeString:
        system, address = system_of(event), reverse("admin:event-ranking", args=[event.pk])
        fide = fide_system(event)
        proposal: SafeString | str = ""
        if fide and not SYSTEMS[event.system].chess:
            rules = name_of_edition(edition_of(event.start).code)
            text = _("Rank by %(rules)s") % {"rules": rules}
            proposal = format_html(" · {}", _link(f"{address}?system={fide.code}#another", text))
        change = _link(address, _("Change the ranking system"))
        names = criterion_names(system.criteria)
        return format_html("{}: {}. {}{}", name_of_system(system), names, change, proposal)

    @admin.display(description=gettext_lazy("manual tie-breaks"))
    def tiebreaks(self, event: Event) -> SafeString:
        return _link(reverse("admin:event-tiebreaks", args=[event.pk]), _("Enter manual tie-breaks"))

    @admin.display(description=gettext_lazy("desk"))
    def desk(self, event: Event) -> SafeString:
        return _link(reverse("admin:event-desk", args=[event.pk]), _("Open the desk"))

    @admin.display(description=gettext_lazy("public page"))
    def public(self, event: Event) -> SafeString:
        if not event.is_public:
            return _link(reverse("event-preview", args=[event.pk, f"events/{event.slug}/"]), _("Preview"))
        return _link(reverse("event", args=[event.slug]), _("Open the public page"))


@admin.register(Series)
class SeriesAdmin(VersionedAdmin):
    """Events that are editions of the same tournament."""

    purpose = gettext_lazy(
        "Events that are editions of the same thing, shown in a row on a page of their own."
    )
    list_display = ("name", "slug")
    search_fields = ("name", "slug")
    prepopulated_fields = {"slug": ("name",)}
    fieldsets = ((None, {"fields": ("name", "slug")}),)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may_organise(request.user)

    # The database protects a series with events.
    has_add_permission = has_delete_permission = has_change_permission

    def get_prepopulated_fields(self, request: HttpRequest, obj: Series | None = None) -> Any:
        """Derive the slug from the name, only in a new series and if the user may edit it."""
        return self.prepopulated_fields if obj is None and may_organise(request.user) else {}
