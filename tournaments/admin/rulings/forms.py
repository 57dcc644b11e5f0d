"""The forms of overrides: what is replaced, why, and from which round on."""

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
from tournaments.models import Event
from tournaments.recording.preview import MovedPlace, place_changes
from tournaments.recording.refusal import Conflict, Refused
from tournaments.texts import name_of

BETWEEN_LEVELS = re.compile(r"[·;\s]+")


class ReasonForm(forms.Form):
    """A reason, which everybody will read."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=10_000,
        help_text=gettext_lazy("Readers see it below the table and in the log."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class OverrideForm(ReasonForm):
    """The same, and the first round whose standings it touches."""

    after = forms.IntegerField(label=gettext_lazy("From the standings after round"), required=False)

    def __init__(self, data: Any, *, event: Event, current: int) -> None:
        super().__init__(data)
        self.fields["after"] = forms.IntegerField(
            label=self.fields["after"].label,
            required=False,
            min_value=0,
            max_value=event.planned_rounds,
            help_text=_(
                "Empty: round %(current)s, the current one. Standings after earlier rounds stay as they were."
            )
            % {"current": current},
        )


class CompetitorOverrideForm(OverrideForm):
    """The same, about one competitor."""

    competitor = forms.TypedChoiceField(label=gettext_lazy("Competitor"), coerce=int)

    def __init__(self, data: Any, *, event: Event, current: int) -> None:
        super().__init__(data, event=event, current=current)
        entrants = event.competitors.order_by("number").values_list("number", "name")
        competitor = cast("forms.ChoiceField", self.fields["competitor"])
        competitor.choices = [("", ""), *((number, f"{number} {name}") for number, name in entrants)]


class PlaceForm(CompetitorOverrideForm):
    """A place set by hand."""

    place = forms.IntegerField(
        label=gettext_lazy("Place"),
        min_value=1,
        help_text=gettext_lazy(
            "He stands there and shows it; the others keep their order in the places left."
            " Two on one place share it."
        ),
    )

    field_order = ("competitor", "place", "reason", "after")


class ValueForm(CompetitorOverrideForm):
    """A value replaced by hand."""

    criterion = forms.ChoiceField(label=gettext_lazy("Criterion"))
    value = forms.CharField(
        label=gettext_lazy("Value"),
        max_length=200,
        help_text=gettext_lazy(
            "An exact figure: 372½, 372.5, or 6/4. Of several levels, write them with blanks: 13 9 5."
            " It replaces what the table shows and feeds no other criterion."
        ),
    )

    field_order = ("competitor", "criterion", "value", "reason", "after")

    def __init__(self, data: Any, *, event: Event, current: int, criteria: tuple[str, ...]) -> None:
        super().__init__(data, event=event, current=current)
        criterion = cast("forms.ChoiceField", self.fields["criterion"])
        criterion.choices = [(code, name_of(get_criterion(code))) for code in criteria]

    def clean_value(self) -> list[str]:
        """Return the levels as they were typed."""
        return [level for level in BETWEEN_LEVELS.split(self.cleaned_data["value"]) if level]


UNASKED = ("csrfmiddlewaretoken", "confirmed", "added", "find_text", "seen")
"""Fields that make no other question."""


@dataclass(frozen=True, slots=True)
class ActAnswer:
    """The answer to a posted act: `done`, or a question with the places it would move, or why not.

    `made` is what the act gave back, also where it was only tried. `token` names the question.
    """

    done: bool = False
    token: str = ""
    moved: list[MovedPlace] = field(default_factory=list)
    made: Any = None
    fault: str = ""
    is_conflict: bool = False


def ask_or_do(request: HttpRequest, event: Event, act: Callable[[], Any], *, ask: bool = True) -> ActAnswer:
    """Do it where exactly this was confirmed, or needs no asking; otherwise say what it would do."""
    token = token_of(request.POST)
    try:
        if not ask or request.POST.get("confirmed") == token:
            return ActAnswer(done=True, made=act())
        made: list[Any] = []
        # Done, looked at and taken back, by the same code that does it: so the preview cannot differ.
        moved = place_changes(event, lambda: made.append(act()))
    except (Refused, Conflict) as fault:
        return ActAnswer(fault=str(fault), is_conflict=isinstance(fault, Conflict))
    return ActAnswer(token=token, moved=moved, made=made[0])


def token_of(posted: QueryDict) -> str:
    """Return a name for what was filled in: another list or another reason is another question."""
    # The token is no secret: it tells whether the filled fields are those that the question was about.
    filled = sorted((name, values) for name, values in posted.lists() if name not in UNASKED)
    return sha256(repr(filled).encode()).hexdigest()[:16]
