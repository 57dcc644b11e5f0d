"""Django admin of competitors; teams have an inline with their players."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.competitors.particulars import PARTICULARS, CompetitorForm, PlayerForm
from tournaments.admin.frame import who
from tournaments.admin.modeladmin import ByEvent, LabelledRows, RowInline
from tournaments.admin.permissions import visible
from tournaments.admin.ratinglists import lookup_address
from tournaments.admin.versions import VersionedAdmin
from tournaments.event.checks.event import check_players
from tournaments.event.choices import PUBLIC
from tournaments.event.document import PlayerEntry
from tournaments.event.finding import Place
from tournaments.event.numbers import whole_number
from tournaments.models import Competitor, Event, Player
from tournaments.people.services.linking import link_entries
from tournaments.recording.competitors.bulk_changes import fixed_rows
from tournaments.recording.competitors.checks import give_number
from tournaments.recording.competitors.start_numbers import is_numbered, number_late_entries
from tournaments.recording.events.rulings import left_out
from tournaments.recording.locking import name_of_user


class PlayerFormSet(LabelledRows):
    """The formset of a team's players, with the checks of an event file."""

    def clean(self) -> None:
        """Reject players who cannot be distinguished, and two players on the same board."""
        super().clean()
        # Players that were added since the form was opened are not in it, but count in the checks.
        form_pks = [form.instance.pk for form in self.forms if form.instance.pk]
        columns = ("name", "board", "fide_id")
        rows = (
            list(self.instance.players.exclude(pk__in=form_pks).values(*columns)) if self.instance.pk else []
        )
        typed = [getattr(form, "cleaned_data", {}) for form in self.forms]
        rows += [row for row in typed if row.get("name") and not row.get("DELETE")]
        players = tuple(PlayerEntry(**{name: row.get(name) for name in columns}) for row in rows)
        if faults := [each.message for each in check_players(players, str(self.instance), Place())]:
            raise ValidationError(faults)


class PlayerInline(RowInline):
    """The players of a team, in board order."""

    model = Player
    formset = PlayerFormSet
    form = PlayerForm
    fields = ("board", "name", "title", "rating", *PARTICULARS, "seen")
    extra = 1
    ordering = ("board", "pk")
    verbose_name_plural = gettext_lazy("players of the team, in board order")


@admin.register(Competitor)
class CompetitorAdmin(VersionedAdmin):
    """A team or a player of an event. A competitor cannot change the event."""

    form = CompetitorForm
    change_form_template = "admin/competitor_form.html"
    purpose = gettext_lazy("A player, or a team with its players. The number is the start number.")
    list_display = ("number", "name", "code", "title", "rating", "event", "withdrawn_after")
    list_display_links = ("name",)
    list_filter = (ByEvent,)
    list_select_related = ("event",)
    search_fields = ("name", "code", "number")
    ordering = ("event", "number")
    sortable_by = ("number", "name", "code", "rating")
    readonly_fields = ("public",)
    inlines = (PlayerInline,)
    fieldsets = (
        (None, {"fields": ("event", "public", "number", "name", ("code", "flag"))}),
        (gettext_lazy("Rating"), {"fields": (("title", "rating", "rating_class"),)}),
        (
            gettext_lazy("Particulars"),
            {
                "description": gettext_lazy("The public sees only the year of birth."),
                "fields": (
                    ("club", "city"),
                    ("sex", "born"),
                    ("categories", "category_decisions"),
                    ("fide_id", "fmjd_id"),
                ),
            },
        ),
        (
            gettext_lazy("Taking part"),
            {
                "description": gettext_lazy(
                    "If a competitor leaves, enter the last round played here. Do not delete the competitor."
                ),
                "fields": ("withdrawn_after", "requested_byes", "fixed_table", "adjustments", "outside"),
            },
        ),
    )

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Link new names to persons, and warn about competitors who are missing in a round-robin schedule."""
        super().save_related(request, form, formsets, change)
        link_entries(form.instance.event, name_of_user(who(request)))
        for each in left_out(form.instance.event):
            self.message_user(request, each.message, messages.WARNING)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the competitor can be deleted: never paired and in no change-log entry."""
        is_free = obj is None or obj.pk not in fixed_rows(obj.event, players=False)
        return super().has_delete_permission(request, obj) and is_free

    def get_readonly_fields(self, request: HttpRequest, obj: Competitor | None = None) -> tuple[str, ...]:
        if obj is None:
            return self.readonly_fields
        # Public addresses contain the number, so it stays once round 1 of a public event is published.
        is_fixed = obj.event.state in PUBLIC and is_numbered(obj.event)
        return (*self.readonly_fields, "event", *(["number"] if is_fixed else []))

    def get_fieldsets(self, request: HttpRequest, obj: Competitor | None = None) -> Any:
        """Return the fieldsets. If the typed number is taken, the first one offers to swap the numbers."""
        (name, options), *others = super().get_fieldsets(request, obj)
        # Only after the error, so that numbers are not swapped by mistake.
        typed_number = whole_number(request.POST.get("number", "")) or 0
        if obj is None or not obj.event.competitors.filter(number=typed_number).exclude(pk=obj.pk).exists():
            return [(name, options), *others]
        fields = [("number", "swap") if each == "number" else each for each in options["fields"]]
        return [(name, {**options, "fields": fields}), *others]

    def save_model(self, request: HttpRequest, obj: Competitor, form: Any, change: bool) -> None:
        """Save, swap numbers if the user chose so, and show warnings of the checks."""
        if change and "number" in form.changed_data:
            give_number(obj, who(request))
        else:
            super().save_model(request, obj, form, change)
        if not change:
            number_late_entries(obj.event, [obj], who(request))
        for remark in form.remarks:
            messages.warning(request, remark)

    def get_inlines(self, request: HttpRequest, obj: Competitor | None) -> Any:
        return self.inlines if obj and obj.event.is_team else ()

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        event = kwargs["obj"].event if kwargs.get("obj") else self._requested_event(request)
        if event:
            context |= {"rating_lookup": lookup_address(event), "has_players": event.is_team}
        return super().render_change_form(request, context, *args, **kwargs)

    def _requested_event(self, request: HttpRequest) -> Event | None:
        number = whole_number(request.GET.get("event", ""))
        return visible(request.user, Event).filter(pk=number).first() if number else None

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, str | list[str]]:
        initial = super().get_changeform_initial_data(request)
        if event := whole_number(str(initial.get("event", ""))):
            last = self.get_queryset(request).filter(event=event).order_by("-number").first()
            initial.setdefault("number", str(last.number + 1 if last else 1))
        return initial

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Competitor], search_term: str
    ) -> tuple[QuerySet[Competitor], bool]:
        # A number finds only that competitor; Django's search for 12 would also find 112.
        if number := whole_number(search_term):
            return queryset.filter(number=number), False
        return super().get_search_results(request, queryset, search_term)

    @admin.display(description=gettext_lazy("public page"))
    def public(self, competitor: Competitor) -> SafeString | str:
        if competitor.pk is None or not competitor.event.is_public:
            return _("none")
        # The stored number: a rejected form contains the typed number.
        number = Competitor.objects.values_list("number", flat=True).get(pk=competitor.pk)
        address = reverse("competitor", args=[competitor.event.slug, number])
        return format_html('<a href="{}">{}</a>', address, _("Open the public page"))
