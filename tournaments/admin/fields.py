"""Form fields for points, lists and pasted texts."""

import re
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.event import numbers
from tournaments.event.categories import LONGEST_CODE
from tournaments.event.resultcodes import DASHES
from tournaments.interchange.formats.encodings import decode_text
from tournaments.interchange.formats.tables.html import is_page
from tournaments.recording.refusal import prose

POINTS_TEXT = re.compile(r"(\d{1,4})?(?:(½|[.,]50?)|[.,]00?)?")
MAX_HALF_POINTS = 16_383

LONGEST_BLOCK = 50_000
"""Characters of a pasted block of results, pairings or line-ups; it is parsed in the request (ADR 0031)."""

LONGEST_TEXT = 2_000
"""Characters of a list in a single field."""

TOO_LONG = gettext_lazy(
    "The text has %(show_value)d characters, and at most %(limit_value)d are read at once. Paste it in parts."
)


class PastedField(forms.CharField):
    """A list or file pasted as text. Leading spaces are significant."""

    def __init__(self, label: Any, *, rows: int, most_signs: int, required: bool = True) -> None:
        # Without spelling correction of names, and without autocompletion from another event.
        widget = forms.Textarea(attrs={"rows": rows, "spellcheck": "false", "autocomplete": "off"})
        super().__init__(label=label, max_length=most_signs, required=required, strip=False, widget=widget)
        for each in self.validators:
            if isinstance(each, MaxLengthValidator):
                each.message = TOO_LONG


class PastedListForm(forms.Form):
    """A list as pasted `text`, or as a text file that replaces it. `too_large`: advice for long files."""

    file = forms.FileField(label=gettext_lazy("Or a text file"), required=False, allow_empty_file=True)
    too_large = gettext_lazy("This file is too large. Open “Import”, which reads larger files.")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if file := cleaned.get("file"):
            # It is parsed within the request. Workbooks are read by the worker only (ADR 0031).
            if file.size > (cast("PastedField", self.fields["text"]).max_length or 0):
                raise ValidationError(self.too_large)
            content = file.read()
            cleaned["text"], cleaned["findings"] = decode_text(content)
            if b"\0\0" in content or is_page(cleaned["text"]):
                raise ValidationError(
                    _("This is not plain text. Copy the cells and paste them, or save the file as CSV.")
                )
        if not cleaned.get("text", "").strip() and not self.errors:
            raise ValidationError(_("Choose a file, or paste a list."))
        return cleaned


def pasted_block(request: HttpRequest, name: str) -> str:
    """Return a pasted block of the form. If it is too long, add an error message and return an empty text."""
    text = request.POST.get(name, "")
    if len(text) <= LONGEST_BLOCK:
        return text
    messages.error(request, TOO_LONG % {"show_value": len(text), "limit_value": LONGEST_BLOCK})
    return ""


class PointsField(forms.Field):
    """Whole and half points: `2`, `½`, `1½`, `0.5`. The value is in half-points, None if empty."""

    def __init__(self, label: Any, *, required: bool = True) -> None:
        widget = forms.TextInput(attrs={"size": 6, "maxlength": 8, "inputmode": "decimal"})
        super().__init__(label=label, required=required, widget=widget)

    def prepare_value(self, value: Any) -> Any:
        """Return a number of half-points as text. Text that the user typed is returned unchanged."""
        return numbers.points_text(value) if isinstance(value, int) else value

    def to_python(self, value: Any) -> Any:
        text = str(value or "").strip()
        if not text:
            return None
        match = POINTS_TEXT.fullmatch(text)
        half_points = 2 * int(match[1] or 0) + bool(match[2]) if match else None
        if half_points is None or half_points > MAX_HALF_POINTS:
            raise ValidationError(_("Write whole or half points: 2, ½, 1½ or 0.5."))
        return half_points


class SignedPointsField(PointsField):
    """Points that are added or taken: `+½`, `-1`. In plain data 0 if empty."""

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, int):
            return value
        return f"{'-' if value < 0 else '+'}{numbers.points_text(abs(value))}" if value else ""

    def to_python(self, value: Any) -> Any:
        text = str(value or "").translate(DASHES).strip()
        if text and (text[0] not in "+-" or not text[1:].strip()):
            raise ValidationError(_("Write a sign and points: +1 or -½."))
        half_points = super().to_python(text[1:])
        return -half_points if half_points and text.startswith("-") else half_points

    def clean(self, value: Any) -> int:
        return super().clean(value) or 0


class ReadField(forms.CharField):
    """A text that is parsed into another type, such as a list. A text with errors counts as changed."""

    def clean(self, value: Any) -> Any:
        """Return the parsed value.

        The validators run on the typed text: on a list, the NUL validator would find nothing, and the maximum
        length would limit the number of items.
        """
        self.run_validators(forms.CharField.to_python(self, value))
        says = self.to_python(value)
        self.validate(says)
        return says

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(list(initial or []) != self.clean(data))
        except ValidationError:
            return True


class LinesField(ReadField):
    """A list of texts, one per line."""

    widget = forms.Textarea(attrs={"rows": 4, "cols": 60})

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        return [line.strip() for line in (value or "").splitlines() if line.strip()]


class ListedResultsField(forms.CharField):
    """The possible results of a game, such as `3-0, 1½-1`. The value is text with the best result first."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=numbers.LONGEST_LIST, **kwargs)

    def to_python(self, value: Any) -> str:
        typed = str(super().to_python(value) or "")
        try:
            results = numbers.results_of_text(typed)
        except ValueError as fault:
            raise ValidationError(
                _("“%(text)s” is no list of results. Write 3-0, 1½-1.") % {"text": typed}
            ) from fault
        if results and (wrong := numbers.fault_of_results(results)):
            raise ValidationError(wrong)
        return numbers.text_of_results(results)


class ListField(ReadField):
    """A list of texts with a separator, a comma or a line end. `longest`: characters of each."""

    def __init__(self, label: Any, *, longest: int, separator: str = ",", **options: Any) -> None:
        super().__init__(label=label, required=False, max_length=LONGEST_TEXT, **options)
        self.longest, self.separator = longest, separator

    def prepare_value(self, value: Any) -> Any:
        joint = self.separator if self.separator == "\n" else f"{self.separator} "
        return joint.join(map(str, value)) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        parts = str(value or "")[: LONGEST_TEXT + 1].split(self.separator)
        found = [" ".join(prose(each).split()) for each in parts]
        if longer := next((each for each in found if len(each) > self.longest), None):
            values = {"text": longer[:40], "most": self.longest}
            raise ValidationError(_("“%(text)s” is too long: %(most)s characters fit.") % values)
        return [each for each in found if each]


class CategoriesField(ListField):
    """The short names of categories, each once."""

    def __init__(self) -> None:
        help_text = gettext_lazy("Between commas: U20, W.")
        widget = forms.TextInput(attrs={"size": 16})
        super().__init__(gettext_lazy("Categories"), longest=LONGEST_CODE, help_text=help_text, widget=widget)

    def to_python(self, value: Any) -> Any:
        return list(dict.fromkeys(super().to_python(value)))
