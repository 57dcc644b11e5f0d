"""The list of pairings and games in Django's admin. Results are entered on other screens."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from tournaments.admin.modeladmin import ByEvent, DeskAdmin, RowInline
from tournaments.admin.permissions import ReadOnly
from tournaments.event.resultcodes import recorded_text
from tournaments.models import Game, Pairing


class GameInline(ReadOnly, RowInline):
    """The boards of a match."""

    model = Game
    fields = ("board", "first_player", "second_player", "white", "result")
    readonly_fields = fields
    ordering = ("board",)
    can_delete = False

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
    """Pairings with their results, read-only."""

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
