"""Narrowing a list to one event, by its slug."""

from typing import Any

from django.contrib.admin import SimpleListFilter
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from tournaments.admin.permissions import EVENT_OF, ModelAdmin, events_of, first_events


class ByEvent(SimpleListFilter):
    """The events that the account works on; one of another is no choice, and leads to an empty list."""

    title = _("event")
    parameter_name = "event"

    def value(self) -> str | None:
        """Return the slug asked for; a NUL, which PostgreSQL cannot compare, becomes a sign of no slug."""
        asked = super().value()
        return asked and asked.replace("\0", "\ufffd")

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        """Slug and name of the account's first events, and of the chosen one."""
        events = events_of(request.user)
        first = first_events(request.user).values_list("slug", "name")
        return list(dict([*first, *events.filter(slug=self.value()).values_list("slug", "name")]).items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """The rows of the chosen event."""
        if not self.value():
            return queryset
        return queryset.filter(**{f"{EVENT_OF[queryset.model]}__slug": self.value()})
