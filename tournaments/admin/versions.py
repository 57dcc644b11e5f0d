"""Conflicts of two users who edit the same row: the second one sees both values and chooses.

A form contains the version of the row when it was opened. On saving, the row is locked. If its version has
increased, the form is shown again with all values that differ, both as stored and as typed. The choice names
the version that was shown, so a third save in between is detected too.
"""

from typing import Any, NamedTuple, cast

from django.db import transaction
from django.forms import HiddenInput, IntegerField, ModelForm, ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _

from tournaments.admin.modeladmin import DeskAdmin
from tournaments.admin.permissions import moment_of
from tournaments.admin.rows import value_text
from tournaments.models.versioned import Versioned
from tournaments.recording.locking import last_saved

STORED, MINE = "stored", "mine"


class FieldConflict(NamedTuple):
    """A field that another user saved while the form was open.

    `name`: the form field of the choice. `companion`: its hidden field, `in_conflict`.
    """

    name: str
    companion: str
    field: str
    label: str
    stored: str
    mine: str


class LastSave(NamedTuple):
    """The last save of a row: its user and its formatted time. Blank if it was not saved in a form."""

    by: str
    at: str


def last_save_of(row: Versioned) -> LastSave:
    by, at = last_saved(row)
    return LastSave(by or _("somebody"), moment_of(row, at) if at else "")


class VersionedForm(ModelForm):  # type: ignore[type-arg]  # no subscript at run time
    """A form of a versioned row, also in an inline."""

    seen = IntegerField(widget=HiddenInput, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.differences: list[FieldConflict] = []
        self.last_save: LastSave | None = None
        self.row = ""
        if self.instance.pk:
            self.fields["seen"].initial = self.instance.version

    def clean(self) -> dict[str, Any] | None:
        """Return the values, of which the user may have chosen some. Raise ValidationError on a conflict."""
        cleaned = super().clean() or self.cleaned_data
        if not self.instance.pk:
            return cleaned
        # A choice names the version that was shown; another version means that a further save came in
        # between.
        if cleaned.get("seen") == self.instance.version:
            unsettled = [name for name in self._conflicting_fields() if not self._settle(name, cleaned)]
        else:
            unsettled = [name for name in self.changed_data if self._was_saved_since(name, cleaned)]
        if unsettled:
            self._prepare_choices(unsettled)
            raise ValidationError(
                _("Another person saved this while your form was open. Choose the values to keep."),
                code="conflict",
            )
        return cleaned

    def save(self, commit: bool = True) -> Any:
        if self.instance.pk and self.has_changed():
            self.instance.version += 1
        return super().save(commit)

    def _conflicting_fields(self) -> list[str]:
        names = cast("QueryDict", self.data).getlist(self.add_prefix("in_conflict"))
        return [name for name in names if name in self.fields and self._is_stored(name)]

    def _settle(self, name: str, cleaned: dict[str, Any]) -> bool:
        """Return whether the user chose. If the choice is the stored value, it replaces the typed one."""
        choice = self.data.get(self.add_prefix(f"keep_{name}"))
        if choice == STORED:
            cleaned[name] = self._stored(name)
        return choice in {STORED, MINE}

    def _was_saved_since(self, name: str, cleaned: dict[str, Any]) -> bool:
        """Return whether the field was saved after the form was opened; True if the history cannot tell."""
        if not self._is_stored(name):
            return False
        seen = self.instance.history.filter(version=cleaned.get("seen")).first()
        field = self.instance._meta.get_field(name)
        # Bulk writes leave no history, and a many-to-many field cannot be compared. The user decides.
        if seen is None or field.many_to_many:
            return True
        return bool(getattr(seen, field.attname) != getattr(self.instance, field.attname))

    def _is_stored(self, name: str) -> bool:
        """Return whether the field belongs to the model: a form can have others, such as a reason."""
        return name in {field.name for field in self.instance._meta.get_fields()}

    def _stored(self, name: str) -> Any:
        value = getattr(self.instance, name)
        return value.all() if self.instance._meta.get_field(name).many_to_many else value

    def _prepare_choices(self, names: list[str]) -> None:
        self.last_save, self.row = last_save_of(self.instance), str(self.instance)
        self.differences = [self._difference(name) for name in names]
        # Posted data are immutable, and the hidden field must contain the current version.
        data = cast("QueryDict", self.data).copy()
        data[self.add_prefix("seen")] = str(self.instance.version)
        self.data = data

    def _difference(self, name: str) -> FieldConflict:
        typed = self.cleaned_data[name] if name in self.cleaned_data else self[name].data
        return FieldConflict(
            self.add_prefix(f"keep_{name}"),
            self.add_prefix("in_conflict"),
            name,
            str(self.fields[name].label),
            value_text(self.fields[name], self._stored(name)),
            value_text(self.fields[name], typed),
        )


def with_version(fieldsets: Any) -> list[Any]:
    """Return the fieldsets with the hidden version. Django renders only fields that a fieldset names."""
    (name, options), *others = fieldsets
    fields = [each for each in options["fields"] if each != "seen"]
    return [(name, {**options, "fields": [*fields, "seen"]}), *others]


class VersionedAdmin(DeskAdmin):
    """A ModelAdmin of a versioned model. Its inlines use `VersionedForm` as well."""

    form = VersionedForm
    change_form_template = "admin/versioned_form.html"

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        found = super().get_object(request, object_id, from_field)
        if request.method == "POST" and transaction.get_connection().in_atomic_block:
            # Locked before the form is created, since the form compares with this row.
            return self.model._default_manager.select_for_update().get(pk=found.pk)
        return found

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        fieldsets = super().get_fieldsets(request, obj)
        return with_version(fieldsets) if obj else fieldsets

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        inlines = context.get("inline_admin_formsets", ())
        forms = [context["adminform"].form, *(form for each in inlines for form in each.formset.forms)]
        context["conflicts"] = [form for form in forms if getattr(form, "differences", None)]
        return super().render_change_form(request, context, *args, **kwargs)
