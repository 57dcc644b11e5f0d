"""Lists of rulings, public changes, published standings and pairings. Other screens add to them."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from tournaments.admin.modeladmin import ByEvent, DeskAdmin, RowInline
from tournaments.admin.permissions import ReadOnly, moment_of
from tournaments.admin.versions import VersionedAdmin
from tournaments.event.resultcodes import recorded_text
from tournaments.models import Acknowledgement, Change, Game, ManualTiebreak, Override, Pairing, Published


class RecordAdmin(ReadOnly, DeskAdmin):
    """A list of rulings with user, time and reason."""

    list_filter: ClassVar[tuple[Any, ...]] = (ByEvent,)
    list_select_related: ClassVar[tuple[str, ...]] = ("event",)
    ordering = ("-at", "-pk")
    sortable_by = ("moment", "by")
    exclude = ("at",)
    readonly_fields = ("moment",)

    @admin.display(description=gettext_lazy("at"), ordering="at")
    def moment(self, row: Override | Change | Acknowledgement) -> str:
        return moment_of(row, row.at)


@admin.register(Override)
class OverrideAdmin(RecordAdmin):
    purpose = gettext_lazy(
        "Decisions by hand that replace the rules of the system. A record is never deleted; an undo adds "
        "another record."
    )
    list_display = ("number", "event", "kind", "competitor", "was", "reason", "by", "moment", "undoes")
    list_filter = (ByEvent, "kind")
    list_select_related = ("event", "competitor", "undoes")
    search_fields = ("reason", "by", "competitor__name")


@admin.register(Change)
class ChangeAdmin(RecordAdmin):
    purpose = gettext_lazy("The public log: every corrected result, with its reason and the places it moved.")
    list_display = ("moment", "event", "round", "table", "was", "now", "places_moved", "reason", "by")
    search_fields = ("reason", "by", "was", "now")

    @admin.display(description=gettext_lazy("places moved"))
    def places_moved(self, change: Change) -> int:
        return len(change.moved)


@admin.register(Acknowledgement)
class AcknowledgementAdmin(RecordAdmin):
    purpose = gettext_lazy("Warnings of the checks that were accepted with a reason.")
    list_display = ("moment", "event", "finding", "round", "table", "reason", "by")
    search_fields = ("reason", "by", "finding")


@admin.register(ManualTiebreak)
class ManualTiebreakAdmin(ReadOnly, DeskAdmin):
    purpose = gettext_lazy(
        "Numbers entered by arbiters for competitors who are level on all other criteria. A higher number "
        "ranks higher."
    )
    list_display = ("competitor", "event", "number", "after")
    list_filter = (ByEvent,)
    list_select_related = ("competitor__event",)
    search_fields = ("competitor__name",)
    ordering = ("competitor__event", "-number")
    sortable_by = ("number",)

    @admin.display(description=gettext_lazy("event"))
    def event(self, tiebreak: ManualTiebreak) -> str:
        return tiebreak.competitor.event.name


@admin.register(Published)
class PublishedAdmin(VersionedAdmin):
    """Published standings. Only their source is edited here; the figures come from event files."""

    purpose = gettext_lazy(
        "The standings as published, to compare with our calculation. The values come with an event file. "
        "Enter here who published them, where, and when they were copied. Leave unknown values empty."
    )
    list_display = ("event", "publisher", "taken", "source")
    fields = ("event", "publisher", "source", "taken")
    readonly_fields = ("event",)
    list_filter = (ByEvent,)
    list_select_related = ("event",)
    search_fields = ("event__name", "publisher", "source")
    ordering = ("event",)
    sortable_by = ()

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # Published standings come from an event file, and are deleted with it.
        return False

    has_delete_permission = has_add_permission


class GameInline(ReadOnly, RowInline):
    """The boards of a match."""

    model = Game
    fields = ("board", "first_player", "second_player", "white", "result")
    readonly_fields = fields
    ordering = ("board",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        return (
            super()
            .get_queryset(request)
            .select_related("first_player", "second_player", "pairing__round__event")
        )

    @admin.display(description=gettext_lazy("result"))
    def result(self, game: Game) -> str:
        return recorded_text(game.pairing.round.event, game)


@admin.register(Pairing)
class PairingAdmin(ReadOnly, DeskAdmin):
    purpose = gettext_lazy("All pairings with their results, to look up. Results are entered round by round.")
    list_display = ("event", "round_number", "table", "first", "second", "result", "kind")
    list_display_links = ("table",)
    list_filter = (ByEvent, "kind")
    list_select_related = ("round__event", "first", "second")
    search_fields = ("first__name", "second__name")
    ordering = ("round__event", "round__number", "table")
    sortable_by = ("round_number", "table")
    fields = ("event", "round_number", "table", "first", "second", "result", "kind", "games_played", "note")
    readonly_fields = fields
    inlines = (GameInline,)

    def get_inlines(self, request: HttpRequest, obj: Pairing | None) -> Any:
        return self.inlines if obj and obj.round.event.is_team else ()

    @admin.display(description=gettext_lazy("event"), ordering="round__event")
    def event(self, pairing: Pairing) -> str:
        return pairing.round.event.name

    @admin.display(description=gettext_lazy("round"), ordering="round__number")
    def round_number(self, pairing: Pairing) -> int:
        return pairing.round.number

    @admin.display(description=gettext_lazy("result"))
    def result(self, pairing: Pairing) -> str:
        return recorded_text(pairing.round.event, pairing)
