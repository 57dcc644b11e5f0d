"""Forms of overrides: values, reason, and the first affected round."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, cast

from django import forms
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from standings.engine import get_criterion
from tournaments.crosstable import judge
from tournaments.models import Event
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.results.preview import MovedPlace, place_changes
from tournaments.recording.rounds.opening import current_round
from tournaments.texts import criterion_name

LEVEL_SEPARATORS = re.compile(r"[·;\s]+")


class ReasonForm(forms.Form):
    """A form with a reason, which is public."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=10_000,
        help_text=gettext_lazy("Readers see it below the table and in the log."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class OverrideForm(ReasonForm):
    """A form with a reason and the first round whose standings change.

    If `is_step`, the form is not complete yet: it is not validated, and keeps the typed values.
    """

    def __init__(self, data: Any, *, event: Event, is_step: bool = False) -> None:
        typed = {name: data.get(name, "") for name in ("reason", "after")} if is_step and data else None
        super().__init__(None if is_step else data, initial=typed)
        self.fields["after"] = forms.IntegerField(
            label=_("From the standings after round"),
            required=False,
            min_value=0,
            max_value=event.planned_rounds,
            help_text=_(
                "Empty: round %(current)s, the current one. Standings after earlier rounds stay as they were."
            )
            % {"current": current_round(event)},
        )


class CompetitorOverrideForm(OverrideForm):
    competitor = forms.TypedChoiceField(label=gettext_lazy("Competitor"), coerce=int)

    def __init__(self, data: Any, *, event: Event) -> None:
        super().__init__(data, event=event)
        entrants = event.competitors.order_by("number").values_list("number", "name")
        competitor = cast("forms.ChoiceField", self.fields["competitor"])
        competitor.choices = [("", ""), *((number, f"{number} {name}") for number, name in entrants)]


class PlaceForm(CompetitorOverrideForm):
    place = forms.IntegerField(
        label=gettext_lazy("Place"),
        min_value=1,
        help_text=gettext_lazy(
            "The competitor is shown on this place; the others keep their order on the remaining places. "
            "Two competitors on one place share it."
        ),
    )

    field_order = ("competitor", "place", "reason", "after")


class ValueForm(CompetitorOverrideForm):
    criterion = forms.ChoiceField(label=gettext_lazy("Criterion"))
    value = forms.CharField(
        label=gettext_lazy("Value"),
        max_length=200,
        help_text=gettext_lazy(
            "An exact value: 372½, 372.5, or 6/4. For several levels, use spaces: 13 9 5. It replaces the "
            "value in the table and does not affect other criteria."
        ),
    )

    field_order = ("competitor", "criterion", "value", "reason", "after")

    def __init__(self, data: Any, *, event: Event) -> None:
        super().__init__(data, event=event)
        criterion = cast("forms.ChoiceField", self.fields["criterion"])
        criterion.choices = [(code, criterion_name(get_criterion(code))) for code in judge(event).criteria]

    def clean_value(self) -> list[str]:
        return [level for level in LEVEL_SEPARATORS.split(self.cleaned_data["value"]) if level]


IGNORED_FIELDS = ("csrfmiddlewaretoken", "confirmed", "added", "find_text", "seen", "typed")
"""Fields that do not change the meaning of a confirmation."""


@dataclass(frozen=True, slots=True)
class ActionResult:
    """The result of a posted action: done, a question with the place changes, or an error.

    `made`: return value of the action, also if it was only tried. `token`: identifies the question.
    """

    done: bool = False
    token: str = ""
    moved: list[MovedPlace] = field(default_factory=list)
    made: Any = None
    fault: str = ""
    is_conflict: bool = False


def preview_or_execute(
    request: HttpRequest, event: Event, act: Callable[[], Any], *, ask: bool = True
) -> ActionResult:
    """Execute the action if this question was confirmed, or if `ask` is False.

    Otherwise return its effect.
    """
    token = confirmation_token(request.POST)
    try:
        if not ask or request.POST.get("confirmed") == token:
            return ActionResult(done=True, made=act())
        made: list[Any] = []
        # The action is executed and rolled back, so the preview cannot differ from the result.
        moved = place_changes(event, lambda: made.append(act()))
    except (Refused, Conflict) as fault:
        return ActionResult(fault=str(fault), is_conflict=isinstance(fault, Conflict))
    return ActionResult(token=token, moved=moved, made=made[0])


def confirmation_token(posted: QueryDict) -> str:
    """Return a token of the posted values. Other values are another question."""
    # The token need not be secret: it only tells whether the values are those of the question.
    filled = sorted((name, values) for name, values in posted.lists() if name not in IGNORED_FIELDS)
    return sha256(repr(filled).encode()).hexdigest()[:16]
