"""Fields of forms that take points, lists, byes and pasted texts as people write them."""

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
from tournaments.event.categorytexts import CategoryError, decision_text, read_decision
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
from tournaments.recording.refusal import prose

WRITTEN = re.compile(r"(\d{1,4})?(?:(½|[.,]50?)|[.,]00?)?")
LARGEST = 16_383

LONGEST_BLOCK = 50_000
"""Characters of a pasted block of results, pairings or line-ups: it is read within the request (ADR 0031)."""

TOO_LONG = gettext_lazy(
    "The text has %(show_value)d characters, and at most %(limit_value)d are read at once. Paste it in parts."
)


class PastedField(forms.CharField):
    """A list or a file pasted as text, line by line; blanks in front of a line count."""

    def __init__(self, label: Any, *, rows: int, most_signs: int, required: bool = True) -> None:
        # The browser must neither mend names nor fill in what was pasted for another event.
        widget = forms.Textarea(attrs={"rows": rows, "spellcheck": "false", "autocomplete": "off"})
        super().__init__(label=label, max_length=most_signs, required=required, strip=False, widget=widget)
        for each in self.validators:
            if isinstance(each, MaxLengthValidator):
                each.message = TOO_LONG


def pasted_block(request: HttpRequest, name: str) -> str:
    """Return a pasted block of the form. If it is too long, say so to the user and return a blank text."""
    text = request.POST.get(name, "")
    if len(text) <= LONGEST_BLOCK:
        return text
    messages.error(request, TOO_LONG % {"show_value": len(text), "limit_value": LONGEST_BLOCK})
    return ""


class PointsField(forms.Field):
    """Whole and half points: `2`, `½`, `1½`, `0.5`; the value is in half-points, None where it is empty."""

    def __init__(self, label: Any, *, required: bool = True) -> None:
        widget = forms.TextInput(attrs={"size": 6, "maxlength": 8, "inputmode": "decimal"})
        super().__init__(label=label, required=required, widget=widget)

    def prepare_value(self, value: Any) -> Any:
        """Return the half-points as people write them; what was typed, as it was typed."""
        return points_text(value) if isinstance(value, int) else value

    def to_python(self, value: Any) -> Any:
        """Return the half-points; ValidationError where it is no such number."""
        text = str(value or "").strip()
        if not text:
            return None
        half_points = _half_points(text)
        if half_points is None or half_points > LARGEST:
            raise ValidationError(_("Write whole or half points: 2, ½, 1½ or 0.5."))
        return half_points

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Compare as half-points."""
        try:
            return bool(self.to_python(data) != initial)
        except ValidationError:
            return True


def _half_points(text: str) -> int | None:
    """Return a written number in half-points; None where it is none."""
    found = WRITTEN.fullmatch(text)
    return 2 * int(found[1] or 0) + bool(found[2]) if found else None


class ReadField(forms.CharField):
    """A text that is read into something else, such as a list."""

    def clean(self, value: Any) -> Any:
        """Return what the text says; ValidationError where the text or what it says is refused.

        The validators look at the text as it was typed: in a list, no NUL character would be found by them,
        and the longest text would be the longest list.
        """
        self.run_validators(forms.CharField.to_python(self, value))
        says = self.to_python(value)
        self.validate(says)
        return says


class LinesField(ReadField):
    """A list of texts, one a line."""

    widget = forms.Textarea(attrs={"rows": 4, "cols": 60})

    def prepare_value(self, value: Any) -> Any:
        """Return the list as lines."""
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        """Return the lines that say something."""
        return [line.strip() for line in (value or "").splitlines() if line.strip()]

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Compare as lists."""
        return bool(list(initial or []) != self.to_python(data))


class ListedResultsField(forms.CharField):
    """The results that a game can have, as people write them: `3-0, 1½-1`; kept best first."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=LONGEST_LIST, **kwargs)

    def to_python(self, value: Any) -> str:
        """Return the list in its one spelling; blank for none."""
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
        """Compare as lists."""
        try:
            return bool(self.to_python(data) != (initial or ""))
        except ValidationError:
            return True


LONGEST_TYPED = 1000
"""More characters than any name or bye has; what is behind them is not looked at, as it is refused anyway."""


class CategoriesField(ReadField):
    """A list of short names on one line, between commas."""

    def __init__(self) -> None:
        super().__init__(
            label=gettext_lazy("Categories"),
            required=False,
            help_text=gettext_lazy("Between commas: U20, W."),
            widget=forms.TextInput(attrs={"size": 16}),
        )

    def prepare_value(self, value: Any) -> Any:
        """Return the list as one line."""
        return ", ".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        """Return the names in their order, each once; ValidationError where one is too long."""
        names = list(
            dict.fromkeys(name for each in (value or "").split(",") if (name := prose(each[:LONGEST_TYPED])))
        )
        for name in names:
            if len(name) > LONGEST_CODE:
                values = {"name": name, "most": LONGEST_CODE}
                raise ValidationError(_("“%(name)s” is too long: %(most)s characters fit.") % values)
        return names

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Say whether other names were typed; a name that is refused is a change."""
        try:
            return bool(list(initial or []) != self.to_python(data))
        except ValidationError:
            return True


class RequestedByesField(ReadField):
    """Byes asked for, by round: `3 half-bye, 5 zero-bye`."""

    def __init__(self) -> None:
        super().__init__(
            label=gettext_lazy("Requested byes"),
            required=False,
            help_text=gettext_lazy("Round and kind, between commas: 3 half-bye, 5 zero-bye."),
        )

    def prepare_value(self, value: Any) -> Any:
        """Return the byes as one line, by round."""
        if not isinstance(value, dict):
            return value
        return ", ".join(f"{number} {value[number]}" for number in sorted(value, key=int))

    def to_python(self, value: Any) -> Any:
        """Return the kinds by number of the round, as text; ValidationError where one is not understood."""
        byes: dict[str, str] = {}
        for each in filter(None, (prose(part[:LONGEST_TYPED]) for part in (value or "").split(","))):
            number, _space, kind = each.partition(" ")
            if not (number.isascii() and number.isdecimal() and int(number[:5]) and kind in REQUESTED):
                values = {"text": each, "kinds": ", ".join(REQUESTED)}
                raise ValidationError(
                    _("“%(text)s” is no bye. Write the round and one of %(kinds)s, such as 3 half-bye.")
                    % values
                )
            if str(int(number[:5])) in byes:
                raise ValidationError(_("Round %(number)s stands here twice.") % {"number": number})
            byes[str(int(number[:5]))] = kind
        return byes

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Say whether other byes were typed; a text that is refused is a change."""
        try:
            return bool((initial or {}) != self.to_python(data))
        except ValidationError:
            return True


class ForbiddenPairsField(ReadField):
    """Who is not to meet whom, a group a line: `3 5`, `3 5 8 from 2 to 4`."""

    widget = forms.Textarea(attrs={"rows": 2, "cols": 60})

    def __init__(self) -> None:
        super().__init__(
            label=gettext_lazy("Forbidden pairs"),
            required=False,
            help_text=gettext_lazy(
                "Numbers of those who are not to meet each other, a group a line: 3 5. With rounds where it"
                " does not hold in all of them: 3 5 8 from 2 to 4."
            ),
        )

    def prepare_value(self, value: Any) -> Any:
        """Return the groups as lines."""
        return "\n".join(map(forbidden_text, value)) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        """Return the groups as the event keeps them; ValidationError where a line is not understood."""
        lines = (line[:LONGEST_TYPED].strip() for line in (value or "").splitlines())
        try:
            return [{**read_forbidden(line)} for line in lines if line]
        except ForbiddenError as fault:
            raise ValidationError(str(fault)) from fault

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Say whether other groups were typed; a line that is refused is a change."""
        try:
            return bool(list(initial or []) != self.to_python(data))
        except ValidationError:
            return True


class CategoryDecisionsField(ReadField):
    """Categories decided by hand, one a line: `W out: plays in the open`."""

    widget = forms.Textarea(attrs={"rows": 2, "cols": 60})

    def __init__(self) -> None:
        super().__init__(
            label=gettext_lazy("Categories decided by hand"),
            required=False,
            help_text=gettext_lazy(
                "Where a category's rule is wrong for this player, one a line: the category, in or out, and"
                " why, which readers see. W out: plays in the open."
            ),
        )

    def prepare_value(self, value: Any) -> Any:
        """Return the decisions as lines."""
        return "\n".join(map(decision_text, value)) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        """Return the decisions as the event keeps them; ValidationError where a line is not understood."""
        lines = (line[:LONGEST_TYPED].strip() for line in (value or "").splitlines())
        try:
            return [{**read_decision(line)} for line in lines if line]
        except CategoryError as fault:
            raise ValidationError(str(fault)) from fault

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Say whether other decisions were typed; a line that is refused is a change."""
        try:
            return bool(list(initial or []) != self.to_python(data))
        except ValidationError:
            return True


class AdjustmentsField(ReadField):
    """Bonus and penalty points, one a line: `-½ from 4: late`."""

    widget = forms.Textarea(attrs={"rows": 2, "cols": 60})

    def __init__(self) -> None:
        super().__init__(
            label=gettext_lazy("Bonus and penalty points"),
            required=False,
            help_text=gettext_lazy(
                "One a line, with the round from which they count and a reason: -½ from 4: late. Of teams, GP"
                " or MP behind the points. Those with “final” count in the final standings alone."
            ),
        )

    def prepare_value(self, value: Any) -> Any:
        """Return the points as lines."""
        return "\n".join(map(adjustment_text, value)) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        """Return the points as the event keeps them; ValidationError where a line is not understood."""
        lines = (line[:LONGEST_TYPED].strip() for line in (value or "").splitlines())
        try:
            return [{**read_adjustment(line)} for line in lines if line]
        except AdjustmentError as fault:
            raise ValidationError(str(fault)) from fault

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Say whether other points were typed; a line that is refused is a change."""
        try:
            return bool(list(initial or []) != self.to_python(data))
        except ValidationError:
            return True


class OfficialsField(LinesField):
    """Who runs an event, one a line: `chief: IA Jansen, Piet (1234567)`."""

    def prepare_value(self, value: Any) -> Any:
        """Return the officials as lines."""
        return "\n".join(map(official_text, value)) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        """Return the officials as the event keeps them; ValidationError where a line names none."""
        try:
            return [{**read_official(line[:LONGEST_TYPED])} for line in super().to_python(value)]
        except OfficialError as fault:
            raise ValidationError(str(fault)) from fault

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Say whether others were typed; a line that is refused is a change."""
        try:
            return super().has_changed(initial, data)
        except ValidationError:
            return True
