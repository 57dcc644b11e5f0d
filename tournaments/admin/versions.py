"""Two people at one form: the second save sees both values and both names, and chooses.

The form carries the version it was filled from. On saving, the row is locked first; where its version has
risen, the form comes back with every value that differs, as it is stored and as it was typed. The answer
names the version it saw, so a third save in between is seen as well.
"""

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from django.db import transaction
from django.forms import HiddenInput, IntegerField, ModelForm, ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _

from tournaments.admin.modeladmin import DeskAdmin
from tournaments.admin.permissions import moment_of
from tournaments.models.versioned import Versioned
from tournaments.recording.locking import last_saved

if TYPE_CHECKING:
    Base = ModelForm[Any]
else:
    Base = ModelForm

STORED, MINE = "stored", "mine"


class FieldConflict(NamedTuple):
    """A value that somebody else saved while the form was open, and what was typed into it."""

    name: str
    """The name of the choice in the form; its hidden companion is `in_conflict`."""
    companion: str
    field: str
    label: str
    stored: str
    mine: str


class LastSave(NamedTuple):
    """The last saving of a row: by whom, and when, in words; blank where it was written by no form."""

    by: str
    at: str


def last_save_of(row: Versioned) -> LastSave:
    """Return the save that made the row what it is; one query."""
    by, at = last_saved(row)
    return LastSave(by or _("somebody"), moment_of(row, at) if at else "")


class VersionedForm(Base):
    """A form of a versioned row, in a screen of its own or in an inline."""

    seen = IntegerField(widget=HiddenInput, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.differences: list[FieldConflict] = []
        self.last_save: LastSave | None = None
        self.row = ""
        if self.instance.pk:
            self.fields["seen"].initial = self.instance.version

    def clean(self) -> dict[str, Any] | None:
        """Return the values typed, or those stored where that was chosen; raise where both are new."""
        cleaned = super().clean() or self.cleaned_data
        if not self.instance.pk:
            return cleaned
        # An answer to the question names the version it saw; any other means one more save in between.
        if cleaned.get("seen") == self.instance.version:
            unsettled = [name for name in self._asked() if not self._settle(name, cleaned)]
        else:
            unsettled = [name for name in self.changed_data if self._saved_since(name, cleaned)]
        if unsettled:
            self._ask(unsettled)
            raise ValidationError(
                _("Somebody saved this while your form was open. Choose which values to keep."),
                code="conflict",
            )
        return cleaned

    def save(self, commit: bool = True) -> Any:
        """Save under the next version; the row was locked when it was read."""
        if self.instance.pk and self.has_changed():
            self.instance.version += 1
        return super().save(commit)

    def _asked(self) -> list[str]:
        """Return the fields that the answer has to settle."""
        names = cast("QueryDict", self.data).getlist(self.add_prefix("in_conflict"))
        return [name for name in names if name in self.fields and self._is_stored(name)]

    def _settle(self, name: str, cleaned: dict[str, Any]) -> bool:
        """Say whether a choice was made; the stored value replaces the typed one where that was it."""
        choice = self.data.get(self.add_prefix(f"keep_{name}"))
        if choice == STORED:
            cleaned[name] = self._stored(name)
        return choice in {STORED, MINE}

    def _saved_since(self, name: str, cleaned: dict[str, Any]) -> bool:
        """Say whether somebody changed the field after the form was opened; yes where the past is silent."""
        if not self._is_stored(name):
            return False
        seen = self.instance.history.filter(version=cleaned.get("seen")).first()
        field = self.instance._meta.get_field(name)
        # Bulk writes leave no history, and a many-to-many has no one value to compare: then it is asked.
        if seen is None or field.many_to_many:
            return True
        return bool(getattr(seen, field.attname) != getattr(self.instance, field.attname))

    def _is_stored(self, name: str) -> bool:
        """Say whether a field of the form is one of the row, not a question of its own such as a reason."""
        return name in {field.name for field in self.instance._meta.get_fields()}

    def _stored(self, name: str) -> Any:
        value = getattr(self.instance, name)
        return value.all() if self.instance._meta.get_field(name).many_to_many else value

    def _ask(self, names: list[str]) -> None:
        """Prepare the choices, and have the answer name the version that it saw."""
        self.last_save, self.row = last_save_of(self.instance), str(self.instance)
        self.differences = [self._difference(name) for name in names]
        # The posted data are immutable, and the hidden field must go back with the version of now.
        answered = cast("QueryDict", self.data).copy()
        answered[self.add_prefix("seen")] = str(self.instance.version)
        self.data = answered

    def _difference(self, name: str) -> FieldConflict:
        typed = self.cleaned_data.get(name, self.data.get(self.add_prefix(name)))
        return FieldConflict(
            self.add_prefix(f"keep_{name}"),
            self.add_prefix("in_conflict"),
            name,
            str(self.fields[name].label),
            self._text(name, self._stored(name)),
            self._text(name, typed),
        )

    def _text(self, name: str, value: Any) -> str:
        """Return a value as people read it."""
        if isinstance(value, bool):
            return _("yes") if value else _("no")
        if value is None or value == "":
            return _("(empty)")
        if hasattr(value, "__iter__") and not isinstance(value, str):
            return ", ".join(map(str, value)) or _("(empty)")
        field: Any = self.instance._meta.get_field(name)
        return str(dict(field.flatchoices).get(value, value))


class VersionedAdmin(DeskAdmin):
    """A screen whose rows are saved under their version; its inlines take `VersionedForm` as well."""

    form = VersionedForm
    change_form_template = "admin/versioned_form.html"

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Return the row; locked until it is saved, where it is about to be."""
        found = super().get_object(request, object_id, from_field)
        if request.method == "POST" and transaction.get_connection().in_atomic_block:
            # Locked before the form is made, since the form compares with this very row.
            return self.model._default_manager.select_for_update().get(pk=found.pk)
        return found

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the screen's fieldsets, with the version in the first."""
        (name, options), *others = super().get_fieldsets(request, obj)
        # Hidden, but Django prints only fields that a fieldset names.
        fields = [each for each in options["fields"] if each != "seen"]
        return [(name, {**options, "fields": [*fields, "seen"] if obj else fields}), *others]

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Show the form, after the choices that somebody else's save has made necessary."""
        inlines = context.get("inline_admin_formsets", ())
        forms = [context["adminform"].form, *(form for each in inlines for form in each.formset.forms)]
        context["conflicts"] = [form for form in forms if getattr(form, "differences", None)]
        return super().render_change_form(request, context, *args, **kwargs)
