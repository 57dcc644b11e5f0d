"""Points in a form: written as people write them, kept as half-points."""

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from tournaments.event.scores import points_text

WRITTEN = re.compile(r"(\d{1,4})?(?:(½|[.,]50?)|[.,]00?)?")
LARGEST = 16_383


class Points(forms.Field):
    """Whole and half points: `2`, `½`, `1½`, `0.5`; the value is in half-points, None where it is empty."""

    def __init__(self, label: Any, *, required: bool = True) -> None:
        widget = forms.TextInput(attrs={"size": 6, "maxlength": 8, "inputmode": "decimal"})
        super().__init__(label=label, required=required, widget=widget)

    def prepare_value(self, value: Any) -> Any:
        """The half-points as people write them; what was typed, as it was typed."""
        return points_text(value) if isinstance(value, int) else value

    def to_python(self, value: Any) -> Any:
        """The half-points; ValidationError where it is no such number."""
        text = str(value or "").strip()
        if not text:
            return None
        half_points = _half_points(text)
        if half_points is None or half_points > LARGEST:
            raise ValidationError(_("Write whole or half points: 2, ½, 1½ or 0.5."))
        return half_points

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Compared as half-points."""
        try:
            return bool(self.to_python(data) != initial)
        except ValidationError:
            return True


def _half_points(text: str) -> int | None:
    """Of a written number; None where it is none."""
    found = WRITTEN.fullmatch(text)
    return 2 * int(found[1] or 0) + bool(found[2]) if found else None
