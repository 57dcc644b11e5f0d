"""Base classes of the desk's ModelAdmins, inlines and list filters."""

from typing import Any

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

from tournaments.admin import permissions
from tournaments.admin.history import past_saves
from tournaments.event.numbers import whole_number
from tournaments.models import Series
from tournaments.models.versioned import Versioned, past_of
from tournaments.operations.takedowns import withdraw
from tournaments.recording.integrity import uniqueness_error


class LabelledRows(BaseInlineFormSet):  # type: ignore[type-arg]  # no subscript at run time
    """An inline formset in table rows. Column headings are only visual, so fields get an ARIA label."""

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        for field in form.fields.values():
            field.widget.attrs["aria-label"] = str(field.label)


class RowInline(permissions.Guarded, admin.TabularInline):  # type: ignore[type-arg]  # no subscript at run time
    """A tabular inline with the desk's permissions. Wide tables can be scrolled with the keyboard."""

    template = "admin/inline_rows.html"
    formset = LabelledRows
    extra = 0


class ChosenRows(ModelMultipleChoiceField):  # type: ignore[type-arg]  # no subscript at run time
    """A multiple choice of rows, which rejects keys that are out of range for the database."""

    def clean(self, value: Any) -> Any:
        for key in value or ():
            if whole_number(str(key)) is None:
                values = {"pk": str(key)[:20]}
                raise ValidationError(self.error_messages["invalid_pk_value"], "invalid_pk_value", values)
        return super().clean(value)


class DeskAdmin(permissions.Guarded, admin.ModelAdmin):  # type: ignore[type-arg]  # no subscript at run time
    """A ModelAdmin of the desk. It shows its purpose, and answers 404 for rows that the user may not see."""

    purpose: str | Promise = ""
    """The purpose of the page, in a sentence."""

    list_max_show_all = 500
    show_full_result_count = False
    view_on_site = False
    show_facets = admin.ShowFacets.NEVER

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Return the form field, without Django's buttons that add or change a related row in a pop-up."""
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if field and isinstance(field.widget, RelatedFieldWidgetWrapper):
            field.widget = field.widget.widget
        return field

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        return super().formfield_for_manytomany(db_field, request, form_class=ChosenRows, **kwargs)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Return the row. Raise Http404 if the user may not see it: Django would redirect to the index."""
        found = super().get_object(request, object_id, from_field)
        if found is None:
            raise Http404
        return found

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        if change:
            self._invalidate_pages(form.instance)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self._invalidate_pages(obj)
        super().delete_model(request, obj)

    def _invalidate_pages(self, row: Any) -> None:
        if self.model in permissions.EVENT_OF or self.model is Series:
            # The names of events and series appear on pages of other events too.
            withdraw(getattr(row, "event_id", None))

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if self._has_deleted(request, object_id):
            self.message_user(request, _("You have removed that already."))
            return redirect(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
        return super().delete_view(request, object_id, extra_context)

    def _has_deleted(self, request: HttpRequest, object_id: str) -> bool:
        key = whole_number(object_id)
        if key is None or not issubclass(self.model, Versioned):
            return False
        # Only the user's own deletions; for rows that others deleted, a 404 suffices.
        removed = past_of(self.model).objects.filter(id=key, history_type="-", history_user=request.user)
        return removed.exists() and not self.model._default_manager.filter(pk=key).exists()

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        context = {"purpose": self.purpose, "title": capfirst(self.opts.verbose_name_plural)}
        return super().changelist_view(request, {**context, **(extra_context or {})})

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        context = {"purpose": self.purpose, **(extra_context or {})}
        # If another request won the race, the first attempt saved nothing. In the second one, the form finds
        # the other row and reports it.
        for _attempt in range(2):
            try:
                return super().changeform_view(request, object_id, form_url, context)
            except IntegrityError as error:
                if (refusal := uniqueness_error(error)) is None:
                    raise
        self.message_user(request, str(refusal), messages.ERROR)
        return redirect(request.get_full_path())

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        row = self.get_object(request, unquote(object_id))
        lines = past_saves(row, request.user)
        context = {"lines": lines, "purpose": _("All changes, latest first.")}
        return super().history_view(request, object_id, {**context, **(extra_context or {})})


class ByEvent(SimpleListFilter):
    """A filter by the events that the user works on. Any other slug leads to an empty list."""

    title = gettext_lazy("event")
    parameter_name = "event"

    def value(self) -> str | None:
        """Return the slug of the query string. PostgreSQL cannot compare a NUL, so it is replaced."""
        slug = super().value()
        return slug and slug.replace("\0", "\ufffd")

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        events = permissions.events_of(request.user)
        first = permissions.first_events(request.user).values_list("slug", "name")
        return list(dict([*first, *events.filter(slug=self.value()).values_list("slug", "name")]).items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if not self.value():
            return queryset
        return queryset.filter(**{f"{permissions.EVENT_OF[queryset.model]}__slug": self.value()})
