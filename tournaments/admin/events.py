"""Series and events: facts, scoring, system and display. Publishing is an act of its own."""

from typing import Any, cast

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from standings.engine import POLICIES, SYSTEMS, UnknownCriterionError, get
from tournaments.admin.modeladmin import DeskAdmin
from tournaments.admin.permissions import User, is_organiser, may_assign, may_create
from tournaments.admin.versions import VersionedAdmin, VersionedForm
from tournaments.models import Event, FormerSlug, Series
from tournaments.models.versioned import past_of
from tournaments.roles import Role

DISCIPLINES = {
    "chess": gettext_lazy("chess"),
    "draughts-100": gettext_lazy("international draughts"),
    "draughts-64": gettext_lazy("draughts-64"),
    "frisian": gettext_lazy("Frisian draughts"),
}


class Lines(forms.CharField):
    """A list of texts, one a line."""

    widget = forms.Textarea(attrs={"rows": 4, "cols": 60})

    def prepare_value(self, value: Any) -> Any:
        """The list as lines."""
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        """The lines that say something."""
        return [line.strip() for line in (value or "").splitlines() if line.strip()]

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Compared as lists."""
        return bool(list(initial or []) != self.to_python(data))


class Criteria(Lines):
    """Codes of criteria in the order in which they decide, one a line."""

    def validate(self, value: Any) -> None:
        """Every code is known, and stands there once."""
        super().validate(value)
        for code in value:
            try:
                get(code)
            except UnknownCriterionError as unknown:
                raise ValidationError(_("There is no criterion “%(code)s”.") % {"code": code}) from unknown
        if len(set(value)) < len(value):
            raise ValidationError(_("A criterion stands there twice. Keep the first."))


class EventForm(VersionedForm):
    """The settings of an event."""

    discipline = forms.CharField(
        label=gettext_lazy("Discipline"),
        max_length=30,
        help_text=gettext_lazy("chess, draughts-100 (international), draughts-64, frisian, or another code."),
    )
    system = forms.ChoiceField(
        label=gettext_lazy("Ranking system"),
        choices=[(system.code, system.name) for system in SYSTEMS.values()],
        help_text=gettext_lazy(
            "A frozen system is changed by an override only; an open one takes other criteria."
        ),
    )
    unplayed = forms.ChoiceField(
        label=gettext_lazy("Unplayed rounds"),
        choices=[("", gettext_lazy("as the system has it")), *((code, code) for code in POLICIES)],
        required=False,
    )
    criteria = Criteria(
        label=gettext_lazy("Criteria"),
        required=False,
        help_text=gettext_lazy("Open systems only: codes, one a line. Empty: as the system has them."),
    )
    sources = Lines(
        label=gettext_lazy("Sources"),
        required=False,
        help_text=gettext_lazy("Where this is from, one a line."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "arbiters" in self.fields and self.instance.pk:
            self._keep_choosable(cast("forms.ModelMultipleChoiceField", self.fields["arbiters"]))

    def _keep_choosable(self, field: forms.ModelMultipleChoiceField) -> None:
        """Who is assigned stays a choice without the role too, so that saving takes nobody out unasked."""
        accounts, assigned = field.queryset, self.instance.arbiters.all()
        either = Q(pk__in=accounts.order_by().values("pk")) | Q(pk__in=assigned.values("pk"))
        field.queryset = accounts.model._default_manager.filter(either).order_by("username")

    def clean_slug(self) -> str:
        """An address that leads to no other event."""
        slug = str(self.cleaned_data["slug"])
        if FormerSlug.objects.filter(slug=slug).exclude(event=self.instance.pk).exists():
            told = {"slug": slug}
            raise ValidationError(
                _("“%(slug)s” was the address of another event. Choose another one.") % told
            )
        return slug

    def clean(self) -> dict[str, Any] | None:
        """What only one sort of event has; and a frozen system takes no criteria."""
        cleaned = super().clean() or self.cleaned_data
        is_team = cleaned.get("entrants", self.instance.entrants) == Event.Entrants.TEAMS
        if is_team and not cleaned.get("boards"):
            self.add_error("boards", _("A team event says on how many boards it is played."))
        if not is_team and cleaned.get("boards") is not None:
            self.add_error("boards", _("Only a team event has boards."))
        self._check_points("game")
        self._check_points("match")
        system = SYSTEMS.get(cleaned.get("system", self.instance.system))
        if system and system.frozen and cleaned.get("criteria"):
            self.add_error(
                "criteria", _("This system's criteria are fixed. Empty the list, or write an override.")
            )
        return cleaned

    def _check_points(self, of: str) -> None:
        """A win is worth more than a draw, and a draw more than a loss."""
        win, draw, loss = (self.cleaned_data.get(f"{of}_{result}") for result in ("win", "draw", "loss"))
        if win is None or draw is None or loss is None:
            return
        if not win > draw > loss:
            self.add_error(f"{of}_win", _("A win is worth more than a draw, and a draw more than a loss."))


def was_public(event: Event) -> bool:
    """Whether readers may know its address: it is no draft, or was brought back to one, with a reason."""
    never = Q(state=Event.State.DRAFT) & (Q(history_change_reason=None) | Q(history_change_reason=""))
    past = past_of(Event).objects.filter(id=event.pk)
    return event.state != Event.State.DRAFT or bool(past.exclude(never).exists())


def _without(options: dict[str, Any], field: str) -> dict[str, Any]:
    return {**options, "fields": tuple(each for each in options["fields"] if each != field)}


@admin.register(Event)
class EventAdmin(VersionedAdmin):
    """An event's settings; an arbiter's own, not its address, its arbiters and its state."""

    purpose = gettext_lazy("What an event is, how it is scored and ranked, and what its pages print.")
    form = EventForm
    list_display = ("name", "desk", "start", "place", "discipline", "state", "public")
    list_filter = ("state", "entrants", "schedule", "discipline")
    list_select_related = ("series",)
    search_fields = ("name", "slug", "place", "series__name")
    ordering = ("-start", "name")
    sortable_by = ("name", "start", "place", "state")
    readonly_fields = ("state", "public", "decided_by")
    fieldsets = (
        (
            gettext_lazy("The event"),
            {"fields": ("name", "slug", "state", "public", "series", ("place", "country"), ("start", "end"))},
        ),
        (
            gettext_lazy("Who plays, and how long"),
            {"fields": ("discipline", "entrants", "schedule", "planned_rounds", "boards")},
        ),
        (
            gettext_lazy("Scoring"),
            {
                "description": gettext_lazy(
                    "In half-points: 2 is one point, 1 is a half. 4-2-0 is a match of 2-1-0."
                ),
                "fields": (
                    ("game_win", "game_draw", "game_loss"),
                    ("match_win", "match_draw", "match_loss"),
                    ("bye_game", "bye_match"),
                ),
            },
        ),
        (
            gettext_lazy("Ranking"),
            {
                "fields": (
                    ("system", "decided_by"),
                    "criteria",
                    "primary",
                    "unplayed",
                    "wins_count_byes",
                    "withdrawal_at_half",
                )
            },
        ),
        (gettext_lazy("Display"), {"fields": ("places", "cell_number", "columns")}),
        (gettext_lazy("Record"), {"fields": ("sources", "licence", "notes")}),
        (
            gettext_lazy("Arbiters"),
            {
                "description": gettext_lazy("They work on this event and see no other."),
                "fields": ("arbiters",),
            },
        ),
    )

    def may_add(self, user: User) -> bool:
        """Organisers create events."""
        return may_create(user)

    def may_delete(self, user: User, obj: Any) -> bool:
        """Nobody throws a published event away: it is removed, and its address says so."""
        return user.is_superuser and (obj is None or obj.state == Event.State.DRAFT)

    def get_readonly_fields(self, request: HttpRequest, obj: Event | None = None) -> tuple[str, ...]:
        """An arbiter neither moves the event to another address nor says who its arbiters are."""
        held = () if is_organiser(request.user) else ("slug",)
        return (*self.readonly_fields, *held)

    def get_fieldsets(self, request: HttpRequest, obj: Event | None = None) -> Any:
        """The arbiters only for who may assign; a list of criteria only where the system is open."""
        fieldsets = super().get_fieldsets(request, obj)
        if obj and SYSTEMS[obj.system].frozen and not obj.criteria:
            fieldsets = [(name, _without(options, "criteria")) for name, options in fieldsets]
        return fieldsets if may_assign(request.user, obj) else fieldsets[:-1]

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Arbiters are chosen among the accounts of that role."""
        if db_field.name == "arbiters" and may_assign(request.user):
            accounts = db_field.related_model._default_manager.filter(is_active=True, is_staff=True)
            kwargs["queryset"] = accounts.filter(groups__name=Role.ARBITER).order_by("username")
            kwargs["widget"] = forms.CheckboxSelectMultiple
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """New events come from the short form."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        return redirect("admin:event-new")

    def save_model(self, request: HttpRequest, obj: Event, form: Any, change: bool) -> None:
        """Save; the address it had leads to the new one for ever."""
        before = form.initial.get("slug")
        super().save_model(request, obj, form, change)
        if change and "slug" in form.changed_data and was_public(obj):
            FormerSlug.objects.filter(event=obj, slug=obj.slug).delete()
            FormerSlug.objects.get_or_create(event=obj, slug=before)

    @admin.display(description=gettext_lazy("decided by"))
    def decided_by(self, event: Event) -> str:
        """The criteria in their order: the event's own, or the system's."""
        system = SYSTEMS.get(event.system)
        codes = event.criteria or (system.criteria if system else ())
        return ", ".join(get(code).name for code in codes) or _("(empty)")

    @admin.display(description=gettext_lazy("desk"))
    def desk(self, event: Event) -> SafeString:
        """The way to the event's own page."""
        return format_html(
            '<a href="{}">{}</a>', reverse("admin:event-desk", args=[event.pk]), _("Open the desk")
        )

    @admin.display(description=gettext_lazy("public page"))
    def public(self, event: Event) -> SafeString | str:
        """The way to the page that readers see."""
        if event.pk is None or event.state in {Event.State.DRAFT, Event.State.REMOVED}:
            return _("none")
        return format_html(
            '<a href="{}">{}</a>', reverse("event", args=[event.slug]), _("Open the public page")
        )


@admin.register(Series)
class SeriesAdmin(DeskAdmin):
    """Events that are editions of the same thing."""

    purpose = gettext_lazy(
        "Events that are editions of the same thing, shown in a row on a page of their own."
    )
    list_display = ("name", "slug")
    search_fields = ("name", "slug")
    ordering = ("name",)
    prepopulated_fields = {"slug": ("name",)}
    fieldsets = ((None, {"fields": ("name", "slug")}),)

    def may_add(self, user: User) -> bool:
        """Organisers keep the series."""
        return may_create(user)

    def may_change(self, user: User) -> bool:
        """Organisers keep the series."""
        return may_create(user)

    def may_delete(self, user: User, obj: Any) -> bool:
        """Organisers keep the series; one with events is protected by the record itself."""
        return may_create(user)

    def get_prepopulated_fields(self, request: HttpRequest, obj: Series | None = None) -> Any:
        """The address follows the name only while it is typed first, and only for who may type it."""
        return self.prepopulated_fields if obj is None and may_create(request.user) else {}
