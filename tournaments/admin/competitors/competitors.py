"""Competitors of an event, teams with their players."""

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
from tournaments.admin.permissions import User, visible
from tournaments.admin.ratinglists.lookup import lookup_address
from tournaments.admin.versions import VersionedAdmin
from tournaments.event.checks.event import players_of
from tournaments.event.document import PlayerEntry
from tournaments.event.finding import Place
from tournaments.event.numbers import whole_number
from tournaments.models import Competitor, Event, Player
from tournaments.people.services.linking import link_entries
from tournaments.recording.competitors import give_number, is_in_the_record
from tournaments.recording.locking import name_of
from tournaments.recording.rulings import left_out


class PlayersOfATeam(LabelledRows):
    """The rows of a team's players, checked as those of a file."""

    def clean(self) -> None:
        """Refuse two players who are not told from each other, and two on one board."""
        super().clean()
        # Players that were added meanwhile are not in the form, and count for the check.
        shown = [form.instance.pk for form in self.forms if form.instance.pk]
        columns = ("name", "board", "fide_id")
        rows = list(self.instance.players.exclude(pk__in=shown).values(*columns)) if self.instance.pk else []
        rows += [form.cleaned_data for form in self.forms if self._stays(form)]
        players = tuple(PlayerEntry(**{name: row.get(name) for name in columns}) for row in rows)
        if faults := [each.message for each in players_of(players, str(self.instance), Place())]:
            raise ValidationError(faults)

    def _stays(self, form: Any) -> bool:
        """Say whether a row is one of a player, and stays."""
        row = getattr(form, "cleaned_data", {})
        return bool(row.get("name")) and not row.get("DELETE")


class PlayerInline(RowInline):
    """The members of a team, in board order."""

    model = Player
    formset = PlayersOfATeam
    form = PlayerForm
    fields = ("board", "name", "title", "rating", *PARTICULARS, "seen")
    extra = 1
    ordering = ("board", "pk")
    verbose_name_plural = gettext_lazy("players of the team, in board order")


@admin.register(Competitor)
class CompetitorAdmin(VersionedAdmin):
    """A team or a player of one event. It stays in its event; one who has been paired stays in the record."""

    form = CompetitorForm
    change_form_template = "admin/competitor_form.html"
    purpose = gettext_lazy(
        "Who takes part: a team with its players, or a player. The number is the start number."
    )
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
                "description": gettext_lazy("Of a birth, readers are told the year only."),
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
                    "Who leaves keeps the row: say after which round, do not delete it."
                ),
                "fields": ("withdrawn_after", "requested_byes", "adjustments", "outside"),
            },
        ),
    )

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Tell, too, whom the schedule of a round robin leaves out, such as who has just been entered."""
        super().save_related(request, form, formsets, change)
        link_entries(form.instance.event, name_of(who(request)))
        for each in left_out(form.instance.event):
            self.message_user(request, each.message, messages.WARNING)

    def may_delete(self, user: User, obj: Any) -> bool:
        """Say no where somebody was paired, or where the record says that something moved him."""
        return obj is None or not is_in_the_record(obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Competitor | None = None) -> tuple[str, ...]:
        """Return the fields that stay: no competitor moves to another event."""
        return (*self.readonly_fields, "event") if obj else self.readonly_fields

    def get_fieldsets(self, request: HttpRequest, obj: Competitor | None = None) -> Any:
        """Return the fieldsets; swapping is offered where the number that was typed is another's."""
        (name, options), *others = super().get_fieldsets(request, obj)
        # Offered after the refusal only: nobody swaps numbers by mistake.
        typed = whole_number(request.POST.get("number", "")) or 0
        if obj is None or not obj.event.competitors.filter(number=typed).exclude(pk=obj.pk).exists():
            return [(name, options), *others]
        at = options["fields"].index("number")
        fields = [*options["fields"][:at], ("number", "swap"), *options["fields"][at + 1 :]]
        return [(name, {**options, "fields": fields}), *others]

    def save_model(self, request: HttpRequest, obj: Competitor, form: Any, change: bool) -> None:
        """Save; whoever has the number takes the old one, and warnings of the checks are told."""
        if change and "number" in form.changed_data:
            give_number(obj, who(request))
        else:
            super().save_model(request, obj, form, change)
        for remark in form.remarks:
            messages.warning(request, remark)

    def get_inlines(self, request: HttpRequest, obj: Competitor | None) -> Any:
        """Return the inlines; only a team has players."""
        return self.inlines if obj and obj.event.is_team else ()

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Show the form; names that are typed in it are looked up in a rating list."""
        event = kwargs["obj"].event if kwargs.get("obj") else self._event_of(request)
        if event:
            context |= {"rating_lookup": lookup_address(event), "has_players": event.is_team}
        return super().render_change_form(request, context, *args, **kwargs)

    def _event_of(self, request: HttpRequest) -> Event | None:
        """Return the event that the address of a new competitor names."""
        number = whole_number(request.GET.get("event", ""))
        return visible(request.user, Event).filter(pk=number).first() if number else None

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, str | list[str]]:
        """Return the next number of the event that the address names."""
        initial = super().get_changeform_initial_data(request)
        if event := whole_number(str(initial.get("event", ""))):
            last = self.get_queryset(request).filter(event=event).order_by("-number").first()
            initial.setdefault("number", str(last.number + 1 if last else 1))
        return initial

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Competitor], search_term: str
    ) -> tuple[QuerySet[Competitor], bool]:
        """Return the rows found; a number finds the competitor of that number only."""
        # Django's search would find 12 in 112, too.
        if number := whole_number(search_term):
            return queryset.filter(number=number), False
        return super().get_search_results(request, queryset, search_term)

    @admin.display(description=gettext_lazy("public page"))
    def public(self, competitor: Competitor) -> SafeString | str:
        """Return the way to the page that readers see."""
        if competitor.pk is None or not competitor.event.is_public:
            return _("none")
        # The stored number: a form that is shown again has what was typed, which may be in no address.
        number = Competitor.objects.values_list("number", flat=True).get(pk=competitor.pk)
        address = reverse("competitor", args=[competitor.event.slug, number])
        return format_html('<a href="{}">{}</a>', address, _("Open the public page"))
