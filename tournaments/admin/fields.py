"""Form fields for points, lists, byes and pasted texts."""

import re
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.event.adjustments import AdjustmentError, adjustment_text, read_adjustment
from tournaments.event.categories import LONGEST_CODE
from tournaments.event.choices import REQUESTED
from tournaments.event.numbers import (
    LONGEST_LIST,
    fault_of_results,
    points_text,
    results_of_text,
    text_of_results,
)
from tournaments.event.officials import OfficialError, official_text, read_official
from tournaments.event.pairingsettings import ForbiddenError, forbidden_text, read_forbidden
from tournaments.event.texts import CategoryError, decision_text, read_decision
from tournaments.recording.refusal import prose

POINTS_TEXT = re.compile(r"(\d{1,4})?(?:(½|[.,]50?)|[.,]00?)?")
MAX_HALF_POINTS = 16_383

LONGEST_BLOCK = 50_000
"""Characters of a pasted block of results, pairings or line-ups; it is parsed in the request (ADR 0031)."""

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
        return points_text(value) if isinstance(value, int) else value

    def to_python(self, value: Any) -> Any:
        text = str(value or "").strip()
        if not text:
            return None
        match = POINTS_TEXT.fullmatch(text)
        half_points = 2 * int(match[1] or 0) + bool(match[2]) if match else None
        if half_points is None or half_points > MAX_HALF_POINTS:
            raise ValidationError(_("Write whole or half points: 2, ½, 1½ or 0.5."))
        return half_points

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.to_python(data) != initial)
        except ValidationError:
            return True


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


class LinesField(ReadField):
    """A list of texts, one per line."""

    widget = forms.Textarea(attrs={"rows": 4, "cols": 60})

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        return [line.strip() for line in (value or "").splitlines() if line.strip()]

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(list(initial or []) != self.to_python(data))


class ListedResultsField(forms.CharField):
    """The possible results of a game, such as `3-0, 1½-1`. The value is text with the best result first."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=LONGEST_LIST, **kwargs)

    def to_python(self, value: Any) -> str:
        typed = str(super().to_python(value) or "")
        try:
            results = results_of_text(typed)
        except ValueError as fault:
            raise ValidationError(
                _("“%(text)s” is no list of results. Write 3-0, 1½-1.") % {"text": typed}
            ) from fault
        if results and (wrong := fault_of_results(results)):
            raise ValidationError(wrong)
        return text_of_results(results)

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.to_python(data) != (initial or ""))
        except ValidationError:
            return True


MAX_PARSED = 1000
"""Longer than any valid name or bye. Further characters are not parsed, since the text is rejected anyway."""


class CategoriesField(ReadField):
    """A comma-separated list of short names."""

    def __init__(self) -> None:
        super().__init__(
            label=gettext_lazy("Categories"),
            required=False,
            help_text=gettext_lazy("Between commas: U20, W."),
            widget=forms.TextInput(attrs={"size": 16}),
        )

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        names = list(
            dict.fromkeys(name for each in (value or "").split(",") if (name := prose(each[:MAX_PARSED])))
        )
        for name in names:
            if len(name) > LONGEST_CODE:
                values = {"name": name, "most": LONGEST_CODE}
                raise ValidationError(_("“%(name)s” is too long: %(most)s characters fit.") % values)
        return names

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(list(initial or []) != self.to_python(data))
        except ValidationError:
            return True


class RequestedByesField(ReadField):
    """Requested byes by round: `3 half-bye, 5 zero-bye`."""

    def __init__(self) -> None:
        super().__init__(
            label=gettext_lazy("Requested byes"),
            required=False,
            help_text=gettext_lazy("Round and kind, separated by commas: 3 half-bye, 5 zero-bye."),
        )

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return ", ".join(f"{number} {value[number]}" for number in sorted(value, key=int))

    def to_python(self, value: Any) -> Any:
        """Return the kind of bye by round number, which is text, since it is a key of a JSON field."""
        byes: dict[str, str] = {}
        for each in filter(None, (prose(part[:MAX_PARSED]) for part in (value or "").split(","))):
            number, _space, kind = each.partition(" ")
            if not (number.isascii() and number.isdecimal() and int(number[:5]) and kind in REQUESTED):
                values = {"text": each, "kinds": ", ".join(REQUESTED)}
                raise ValidationError(
                    _("“%(text)s” is not a bye. Write the round and one of %(kinds)s, such as 3 half-bye.")
                    % values
                )
            if str(int(number[:5])) in byes:
                raise ValidationError(_("Round %(number)s is entered twice.") % {"number": number})
            byes[str(int(number[:5]))] = kind
        return byes

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool((initial or {}) != self.to_python(data))
        except ValidationError:
            return True


class ForbiddenPairsField(ReadField):
    """Players who may not meet, one group per line: `3 5`, `3 5 8 from 2 to 4`."""

    widget = forms.Textarea(attrs={"rows": 2, "cols": 60})

    def __init__(self) -> None:
        super().__init__(
            label=gettext_lazy("Forbidden pairs"),
            required=False,
            help_text=gettext_lazy(
                "Numbers of competitors who must not be paired together, one group per line: 3 5. For "
                "certain rounds only: 3 5 8 from 2 to 4."
            ),
        )

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(map(forbidden_text, value)) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        lines = (line[:MAX_PARSED].strip() for line in (value or "").splitlines())
        try:
            return [{**read_forbidden(line)} for line in lines if line]
        except ForbiddenError as fault:
            raise ValidationError(str(fault)) from fault

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(list(initial or []) != self.to_python(data))
        except ValidationError:
            return True


class CategoryDecisionsField(ReadField):
    """Categories decided by hand, one per line: `W out: plays in the open`."""

    widget = forms.Textarea(attrs={"rows": 2, "cols": 60})

    def __init__(self) -> None:
        super().__init__(
            label=gettext_lazy("Categories decided by hand"),
            required=False,
            help_text=gettext_lazy(
                "If the rule of a category is wrong for this player, one per line: the category, in or "
                "out, and a reason that the public sees. W out: plays in the open."
            ),
        )

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(map(decision_text, value)) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        lines = (line[:MAX_PARSED].strip() for line in (value or "").splitlines())
        try:
            return [{**read_decision(line)} for line in lines if line]
        except CategoryError as fault:
            raise ValidationError(str(fault)) from fault

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(list(initial or []) != self.to_python(data))
        except ValidationError:
            return True


class AdjustmentsField(ReadField):
    """Bonus and penalty points, one per line: `-½ from 4: late`."""

    widget = forms.Textarea(attrs={"rows": 2, "cols": 60})

    def __init__(self) -> None:
        super().__init__(
            label=gettext_lazy("Bonus and penalty points"),
            required=False,
            help_text=gettext_lazy(
                "One per line, with the first round and a reason: -½ from 4: late. For teams, add GP or "
                "MP after the points. With “final”, they count in the final standings only."
            ),
        )

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(map(adjustment_text, value)) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        lines = (line[:MAX_PARSED].strip() for line in (value or "").splitlines())
        try:
            return [{**read_adjustment(line)} for line in lines if line]
        except AdjustmentError as fault:
            raise ValidationError(str(fault)) from fault

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(list(initial or []) != self.to_python(data))
        except ValidationError:
            return True


class OfficialsField(LinesField):
    """The officials of an event, one per line: `chief: IA Jansen, Piet (1234567)`."""

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(map(official_text, value)) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        try:
            return [{**read_official(line[:MAX_PARSED])} for line in super().to_python(value)]
        except OfficialError as fault:
            raise ValidationError(str(fault)) from fault

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return super().has_changed(initial, data)
        except ValidationError:
            return True
