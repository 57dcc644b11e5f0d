"""A list of rows as a single field of a form, such as the officials of an event: a formset in a field."""

from collections.abc import Iterable
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tournaments.admin.fields import ListField, PointsField
from tournaments.event.schema import with_blanks
from tournaments.event.values import LARGEST
from tournaments.recording.refusal import prose

MOST_ROWS = 1000


class Row(forms.Form):
    """A row of a list. Its fields are keys of `data_class`, the plain data of the event file."""

    use_required_attribute = False  # a row without any input is left out
    data_class: Any = None

    def __init__(self, *args: Any, without: Iterable[str] = (), **options: Any) -> None:
        super().__init__(*args, **options)
        for name in without:
            del self.fields[name]
        for field in self.fields.values():
            if isinstance(field, forms.ChoiceField) and field.initial is None:
                # Browsers post the first choice of a blank row.
                field.initial = next((value for value, _label in cast("Any", field).choices), None)

    def entry(self) -> Any:
        """Return the plain data of a valid row. Keys without a field are blank."""
        values = {
            name: prose(value) if isinstance(value, str) else value
            for name, value in self.cleaned_data.items()
            if name != "DELETE"
        }
        return with_blanks(self.data_class, values) if self.data_class else values

    def text(self) -> str:
        """Return labels and values of the row, without blank ones."""
        shown = []
        for bound in self.visible_fields():
            choices = {str(key): label for key, label in getattr(bound.field, "choices", ())}
            value = choices.get(str(bound.value()), bound.value())
            if bound.name == "DELETE" or not value:
                continue
            shown.append(str(bound.label) if value is True else f"{bound.label}: {value}")
        return ", ".join(shown)


class RowsWidget(forms.Widget):
    """A formset. Without a script, each save or refusal adds blank rows; the script adds them at once."""

    use_fieldset = True

    def __init__(self, row: type[Row], extra: int) -> None:
        super().__init__()
        self.formset = forms.formset_factory(
            row,
            extra=extra,
            can_delete=True,
            can_delete_extra=False,
            max_num=MOST_ROWS,
            absolute_max=MOST_ROWS,
            validate_max=True,
        )
        self.label: Any = ""
        self.row_options: dict[str, Any] = {}
        """Arguments for each row, such as choices that depend on the event."""

    def id_for_label(self, id_: str, index: Any = None) -> str:
        return ""  # the list has its own label

    def rows_of(self, initial: list[Any], name: str = "form") -> Any:
        return self.formset(initial=initial, prefix=name, form_kwargs=self.row_options)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        """Return the posted formset; None if a page without this list was posted, so that it is unchanged."""
        if self.value_omitted_from_data(data, files, name):
            return None
        return self.formset(data, prefix=name, form_kwargs=self.row_options)

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return f"{name}-TOTAL_FORMS" not in data

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        if not isinstance(value, forms.BaseFormSet):
            value = self.rows_of(value or [], name)
        rows = [*value]
        if value.is_bound and len(rows) < MOST_ROWS and (not rows or rows[-1].has_changed()):
            options = {**self.row_options, "empty_permitted": True, "use_required_attribute": False}
            rows.append(value.form(prefix=value.add_prefix(len(rows)), **options))
        context = {"formset": value, "rows": rows, "label": self.label, **(attrs or {})}
        return render_to_string("admin/rows.html", context)


def _is_deleted(row: Any) -> bool:
    # Not from `cleaned_data`: Django cleans no row if the number of rows is invalid.
    return "DELETE" in row.fields and bool(row["DELETE"].value())


class RowsField(forms.Field):
    """A list of plain data, one per row."""

    widget: RowsWidget
    empty: type = list

    def __init__(self, row: type[Row], *, extra: int = 1, **options: Any) -> None:
        super().__init__(required=False, widget=RowsWidget(row, extra), **options)
        self.widget.label = self.label

    def clean(self, value: Any) -> Any:
        """Return the list of `Row.entry`, without rows that are blank or to be removed."""
        if not value.is_valid():
            raise ValidationError([*value.non_form_errors(), _("Correct the marked rows.")])
        filled = (row for row in value if row.cleaned_data and not row.cleaned_data.get("DELETE"))
        return [row.entry() for row in filled]

    def _clean_bound_field(self, bf: Any) -> Any:
        if bf.data is None:
            return self.empty() if bf.initial is None else bf.initial
        return self.clean(bf.data)

    def bound_data(self, data: Any, initial: Any) -> Any:
        return initial if data is None else data

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return data is not None and bool(self.clean(data) != (initial or self.empty()))
        except ValidationError:
            return True

    def text(self, value: Any) -> str:
        """Return a list, or a formset with invalid input, as text."""
        rows = (
            value if isinstance(value, forms.BaseFormSet) else self.widget.rows_of(self.prepare_value(value))
        )
        return "; ".join(
            cast("Row", row).text()
            for row in rows
            if (row.initial or (row.is_bound and row.has_changed())) and not _is_deleted(row)
        )


class WholeField(forms.IntegerField):
    """A whole number from 1, in plain data 0 if it is left out."""

    def __init__(self, label: Any, *, most: int = LARGEST) -> None:
        super().__init__(label=label, required=False, min_value=1, max_value=most)

    def prepare_value(self, value: Any) -> Any:
        return value or ""

    def clean(self, value: Any) -> int:
        return super().clean(value) or 0


class NumbersField(ListField):
    """Start numbers, separated by commas or spaces."""

    def __init__(self, label: Any, **options: Any) -> None:
        super().__init__(label, longest=len(str(LARGEST)), **options)

    def clean(self, value: Any) -> list[Any]:
        found = super().clean(",".join(str(value or "").replace(",", " ").split()))
        for each in found:
            if not (each.isascii() and each.isdecimal() and 0 < int(each) <= LARGEST):
                values = {"text": each}
                raise ValidationError(_("“%(text)s” is not a start number. Write 12, or 12, 15.") % values)
        return [int(each) for each in found]


def differing_values(stored: forms.Form, typed: forms.Form) -> list[tuple[str, str, str]]:
    """Return label, stored and typed value of each field that differs, as texts."""
    texts = [
        (
            str(bound.label),
            value_text(bound.field, stored[bound.name].initial),
            value_text(bound.field, bound.data),
        )
        for bound in typed
    ]
    return [each for each in texts if each[1] != each[2]]


def value_text(field: forms.Field, value: Any) -> str:
    """Return a stored or typed value of a field as text."""
    if isinstance(field, RowsField):
        text = field.text(value)
    elif isinstance(field, forms.BooleanField):
        text = _("yes") if value else _("no")
    elif value in (None, ""):
        text = ""
    elif isinstance(field, PointsField):
        text = field.prepare_value(value)
    elif hasattr(value, "__iter__") and not isinstance(value, str):
        text = ", ".join(map(str, value))
    else:
        text = str(dict(getattr(field, "choices", ())).get(value, value))
    return text or _("(empty)")
