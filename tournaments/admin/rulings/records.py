"""What people ruled and published, to look up: add-only records, written by acts of their own."""

from typing import Any, ClassVar

from django.contrib import admin
from django.utils.translation import gettext_lazy

from tournaments.admin.modeladmin import ByEvent, DeskAdmin
from tournaments.admin.permissions import ReadOnly, User, moment_of
from tournaments.admin.versions import VersionedAdmin
from tournaments.models import Acknowledgement, Change, ManualTiebreak, Override, Published


class RecordAdmin(ReadOnly, DeskAdmin):
    """A list of rulings: who, when and why."""

    list_filter: ClassVar[tuple[Any, ...]] = (ByEvent,)
    list_select_related: ClassVar[tuple[str, ...]] = ("event",)
    ordering = ("-at", "-pk")
    sortable_by = ("moment", "by")
    exclude = ("at",)
    readonly_fields = ("moment",)

    @admin.display(description=gettext_lazy("at"), ordering="at")
    def moment(self, row: Override | Change | Acknowledgement) -> str:
        """Return when it was recorded, by the clocks of its event."""
        return moment_of(row, row.at)


@admin.register(Override)
class OverrideAdmin(RecordAdmin):
    """The decisions by hand."""

    purpose = gettext_lazy(
        "What was decided by hand instead of by the system. A record stays; undoing adds another."
    )
    list_display = ("number", "event", "kind", "competitor", "was", "reason", "by", "moment", "undoes")
    list_filter = (ByEvent, "kind")
    list_select_related = ("event", "competitor", "undoes")
    search_fields = ("reason", "by", "competitor__name")


@admin.register(Change)
class ChangeAdmin(RecordAdmin):
    """The public log of corrections."""

    purpose = gettext_lazy("The public log: every corrected result, with its reason and the places it moved.")
    list_display = ("moment", "event", "round", "table", "was", "now", "places_moved", "reason", "by")
    search_fields = ("reason", "by", "was", "now")

    @admin.display(description=gettext_lazy("places moved"))
    def places_moved(self, change: Change) -> int:
        """Return how many competitors have another place since."""
        return len(change.moved)


@admin.register(Acknowledgement)
class AcknowledgementAdmin(RecordAdmin):
    """Warnings that somebody accepted."""

    purpose = gettext_lazy("Warnings of the checks that somebody looked at and accepts, with the reason.")
    list_display = ("moment", "event", "finding", "round", "table", "reason", "by")
    search_fields = ("reason", "by", "finding")


@admin.register(ManualTiebreak)
class ManualTiebreakAdmin(ReadOnly, DeskAdmin):
    """Numbers entered for competitors whom nothing else separates."""

    purpose = gettext_lazy(
        "Numbers that arbiters entered for competitors whom nothing else separates; more is better."
    )
    list_display = ("competitor", "event", "number", "after")
    list_filter = (ByEvent,)
    list_select_related = ("competitor__event",)
    search_fields = ("competitor__name",)
    ordering = ("competitor__event", "-number")
    sortable_by = ("number",)

    @admin.display(description=gettext_lazy("event"))
    def event(self, tiebreak: ManualTiebreak) -> str:
        """Return the event's name."""
        return tiebreak.competitor.event.name


@admin.register(Published)
class PublishedAdmin(VersionedAdmin):
    """The standings as the source printed them. Here is said who printed them; a file has the figures."""

    purpose = gettext_lazy(
        "The standings as the source printed them, which ours are checked against. The figures come with an "
        "event file; who printed them, where, and when they were taken is said here. Leave empty what is not "
        "known."
    )
    list_display = ("event", "publisher", "taken", "source")
    fields = ("event", "publisher", "source", "taken")
    readonly_fields = ("event",)
    list_filter = (ByEvent,)
    list_select_related = ("event",)
    search_fields = ("event__name", "publisher", "source")
    ordering = ("event",)
    sortable_by = ()

    def may_add(self, user: User) -> bool:
        """Say no: published standings come with an event file."""
        return False

    def may_delete(self, user: User, obj: Any) -> bool:
        """Say no: they go with the event file that no longer has them."""
        return False
