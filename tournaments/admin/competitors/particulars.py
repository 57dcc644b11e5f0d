"""The forms of competitors and players."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.fields import CategoriesField, SignedPointsField
from tournaments.admin.rows import Row, RowsField, WholeField
from tournaments.admin.versions import VersionedForm
from tournaments.event.categories import LONGEST_CODE, CategoryDecision
from tournaments.event.choices import REQUESTED
from tournaments.event.document import PointsAdjustment
from tournaments.event.finding import Severity
from tournaments.event.values import LARGEST, LONGEST_REASON
from tournaments.models import Competitor, Event
from tournaments.recording.competitors.checks import free_number, new_findings
from tournaments.recording.competitors.participation import why_no_return

PARTICULARS = ("club", "city", "sex", "born", "categories", "fide_id", "fmjd_id")
BYES = [(each.value, each.label) for each in REQUESTED]


class ByeRow(Row):
    round = forms.IntegerField(label=gettext_lazy("Round"), min_value=1, max_value=LARGEST)
    kind = forms.ChoiceField(label=gettext_lazy("Kind"), choices=BYES)


class ByesField(RowsField):
    """Requested byes: the kind by round number, which is text, since it is a key of a JSON field."""

    empty = dict

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return [{"round": int(number), "kind": value[number]} for number in sorted(value, key=int)]

    def clean(self, value: Any) -> dict[str, str]:
        byes: dict[str, str] = {}
        for each in super().clean(value):
            if str(each["round"]) in byes:
                raise ValidationError(_("Round %(number)s is entered twice.") % {"number": each["round"]})
            byes[str(each["round"])] = each["kind"]
        return byes


class AdjustmentRow(Row):
    data_class = PointsAdjustment

    game = SignedPointsField(gettext_lazy("Game points"), required=False)
    match = SignedPointsField(gettext_lazy("Match points"), required=False)
    round = WholeField(gettext_lazy("From round"))
    final = forms.BooleanField(label=gettext_lazy("In the final standings only"), required=False)
    reason = forms.CharField(label=gettext_lazy("Reason"), required=False, max_length=LONGEST_REASON)


class DecisionRow(Row):
    data_class = CategoryDecision

    category = forms.CharField(label=gettext_lazy("Category"), max_length=LONGEST_CODE)
    belongs = forms.TypedChoiceField(
        label=gettext_lazy("Decision"),
        choices=[(True, gettext_lazy("belongs to it")), (False, gettext_lazy("does not belong to it"))],
        coerce=lambda value: str(value) == "True",
    )
    reason = forms.CharField(label=gettext_lazy("Reason, public"), max_length=LONGEST_REASON)


class PlayerForm(VersionedForm):
    categories = CategoriesField()


class CompetitorForm(VersionedForm):
    """A team or a player of an event, with the checks of an event file.

    `remarks`: warnings of the checks, which the findings page lists too.
    """

    categories = CategoriesField()
    requested_byes = ByesField(ByeRow, label=gettext_lazy("Requested byes"))
    adjustments = RowsField(
        AdjustmentRow,
        label=gettext_lazy("Bonus and penalty points"),
        help_text=gettext_lazy("A penalty has a minus: -½."),
    )
    category_decisions = RowsField(
        DecisionRow,
        label=gettext_lazy("Categories decided by hand"),
        help_text=gettext_lazy("If the rule of a category is wrong for this player."),
    )
    swap = forms.BooleanField(label=gettext_lazy("Swap the two numbers"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.remarks: list[str] = []
        event = self.instance.event if self.instance.pk else None
        has_match_points = any(each.get("match") for each in self.instance.adjustments)
        if event and not event.is_team and not has_match_points:
            self.fields["adjustments"].widget.row_options = {"without": ["match"]}

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean() or self.cleaned_data
        event = cleaned.get("event") or (self.instance.event if self.instance.pk else None)
        if event and "number" in self.fields and not self.errors:
            self._check_number(event, cleaned)
        if event and not self.errors:
            self._check(event, cleaned)
        # The instance has the stored values until the form is valid.
        after = cleaned.get("withdrawn_after", self.instance.withdrawn_after)
        if self.instance.pk and not self.errors and (refusal := why_no_return(self.instance, after)):
            self.add_error("withdrawn_after", refusal)
        return cleaned

    def _check_number(self, event: Event, cleaned: dict[str, Any]) -> None:
        holder = event.competitors.filter(number=cleaned["number"]).exclude(pk=self.instance.pk).first()
        # A new competitor has no number to swap.
        if holder is None or (self.instance.pk and cleaned.get("swap")):
            return
        values = {"number": cleaned["number"], "name": holder.name, "free": free_number(event)}
        error = _("Number %(number)s is %(name)s's. %(free)s is free.") % values
        if self.instance.pk:
            error += " " + _("Or tick “Swap the two numbers”, and save: each gets the other's.")
        self.add_error("number", error)

    def _check(self, event: Event, cleaned: dict[str, Any]) -> None:
        old_number = Competitor.objects.get(pk=self.instance.pk).number if self.instance.pk else None
        for finding in new_findings(event, old_number, cleaned):
            field = next((name for name in finding.where.split(".") if name in self.fields), None)
            if finding.severity is Severity.ERROR:
                self.add_error(field, finding.message)
            elif field:  # warnings about the whole event are shown by the page
                self.remarks.append(finding.message)
