"""What every screen of Django's admin has at the desk."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.contrib.admin import SimpleListFilter
from django.contrib.admin.utils import unquote
from django.contrib.admin.widgets import RelatedFieldWidgetWrapper
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.db.models import QuerySet
from django.forms.models import BaseInlineFormSet, ModelMultipleChoiceField
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.history import past_lines
from tournaments.admin.permissions import (
    EVENT_OF,
    Guarded,
    ModelAdmin,
    TabularInline,
    events_of,
    first_events,
)
from tournaments.event.numbers import whole_number
from tournaments.models import Series
from tournaments.models.versioned import Versioned, past_of
from tournaments.operations.takedowns import withdraw
from tournaments.recording.integrity import taken

if TYPE_CHECKING:
    InlineRows = BaseInlineFormSet[Any, Any, Any]
    RowsField = ModelMultipleChoiceField[Any]
else:
    InlineRows = BaseInlineFormSet
    RowsField = ModelMultipleChoiceField


class LabelledRows(InlineRows):
    """The forms of an inline in rows, whose headings name the fields to those who see them only."""

    def add_fields(self, form: Any, index: int | None) -> None:
        """Let every field say its name itself, the box for deleting too."""
        super().add_fields(form, index)
        for field in form.fields.values():
            field.widget.attrs["aria-label"] = str(field.label)


class RowInline(Guarded, TabularInline):
    """An inline in rows, under the one rule; the keyboard scrolls what is wider than the screen."""

    template = "admin/inline_rows.html"
    formset = LabelledRows
    extra = 0


class ChosenRows(RowsField):
    """Some of the rows that a form offers; a key that no database takes is none of them."""

    def clean(self, value: Any) -> Any:
        """Return the rows; ValidationError where one is not there."""
        for key in value or ():
            if whole_number(str(key)) is None:
                values = {"pk": str(key)[:20]}
                raise ValidationError(self.error_messages["invalid_pk_value"], "invalid_pk_value", values)
        return super().clean(value)


class DeskAdmin(Guarded, ModelAdmin):
    """A screen of Django's admin at the desk: it says what it is for; what is not for you is 404."""

    purpose: str | Promise = ""
    """What the screen is for, in a sentence."""

    list_per_page = 100
    list_max_show_all = 500
    show_full_result_count = False
    save_on_top = False
    view_on_site = False
    show_facets = admin.ShowFacets.NEVER

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Return the field; a related row is chosen here, not made or changed in a window of its own."""
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field and isinstance(field.widget, RelatedFieldWidgetWrapper):
            field.widget = field.widget.widget
        return field

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer several rows, by keys that the database takes."""
        return super().formfield_for_manytomany(db_field, request, form_class=ChosenRows, **kwargs)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Return the row; 404 where the account may see none, not Django's leading back to the index."""
        found = super().get_object(request, object_id, from_field)
        if found is None:
            raise Http404
        return found

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Save what hangs on the row; a name that was there before is to be shown no more."""
        super().save_related(request, form, formsets, change)
        if change:
            self._withdraw(form.instance)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Delete the row, which is to be shown no more."""
        self._withdraw(obj)
        super().delete_model(request, obj)

    def _withdraw(self, row: Any) -> None:
        if self.model in EVENT_OF or self.model is Series:
            # What an event or a series is called stands on the pages of others too.
            withdraw(getattr(row, "event_id", None))

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Ask before the deletion; whoever goes back to it after he has removed the row gets the list."""
        if self._has_removed(request, object_id):
            self.message_user(request, _("You have removed that already."))
            return redirect(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
        return super().delete_view(request, object_id, extra_context)

    def _has_removed(self, request: HttpRequest, object_id: str) -> bool:
        """Say whether the row is gone, and it was this account that removed it."""
        key = whole_number(object_id)
        if key is None or not issubclass(self.model, Versioned):
            return False
        # Only one's own removal: for rows that others removed a 404 says enough.
        removed = past_of(self.model).objects.filter(id=key, history_type="-", history_user=request.user)
        return removed.exists() and not self.model._default_manager.filter(pk=key).exists()

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the list, with its sentence."""
        context = {"purpose": self.purpose, "title": capfirst(self.opts.verbose_name_plural)}
        return super().changelist_view(request, {**context, **(extra_context or {})})

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the form, with its sentence and the public page."""
        context = {"purpose": self.purpose, **(extra_context or {})}
        # A try that lost a race saved nothing. In the second one the form finds the other row and says so.
        for _attempt in range(2):
            try:
                return super().changeform_view(request, object_id, form_url, context)
            except IntegrityError as error:
                if (refusal := taken(error)) is None:
                    raise
        self.message_user(request, str(refusal), messages.ERROR)
        return redirect(request.get_full_path())

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the row's past: who changed what from what."""
        row = self.get_object(request, unquote(object_id))
        lines = past_lines(row, request.user)
        context = {"lines": lines, "purpose": _("Who changed what from what, the latest first.")}
        return super().history_view(request, object_id, {**context, **(extra_context or {})})


class ByEvent(SimpleListFilter):
    """The events that the account works on; one of another is no choice, and leads to an empty list."""

    title = gettext_lazy("event")
    parameter_name = "event"

    def value(self) -> str | None:
        """Return the slug asked for; a NUL, which PostgreSQL cannot compare, becomes a sign of no slug."""
        asked = super().value()
        return asked and asked.replace("\0", "\ufffd")

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> list[tuple[str, str]]:
        """Return slug and name of the account's first events, and of the chosen one."""
        events = events_of(request.user)
        first = first_events(request.user).values_list("slug", "name")
        return list(dict([*first, *events.filter(slug=self.value()).values_list("slug", "name")]).items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the rows of the chosen event."""
        if not self.value():
            return queryset
        return queryset.filter(**{f"{EVENT_OF[queryset.model]}__slug": self.value()})
