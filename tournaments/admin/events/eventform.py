"""The form of an event's settings, which rejects settings that contradict the record."""

from collections.abc import Collection
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from standings.engine import POLICIES
from tournaments.admin.fields import LinesField, ListedResultsField, PointsField
from tournaments.admin.rows import NumbersField, Row, RowsField, WholeField
from tournaments.admin.versions import VersionedForm
from tournaments.event.choices import (
    Acceleration,
    Colour,
    DelayedPoints,
    OfficialRole,
    TeamColours,
    UnknownFact,
)
from tournaments.event.document import ForbiddenGroup, Official
from tournaments.event.numbers import results_of_text, win_draw_loss
from tournaments.event.officials import LONGEST_NAME
from tournaments.event.reuse import bare_doi
from tournaments.event.rules import RULE_FIELDS, Rules
from tournaments.event.timecontrols import propose_kind
from tournaments.event.values import DROPPED, LARGEST
from tournaments.models import Event, FormerSlug
from tournaments.recording.events.rules import (
    contradicted,
    first_round,
    needs_record,
    refuse_older_list,
    why_a_reason,
)
from tournaments.recording.events.timezones import propose_time_zone
from tournaments.recording.refusal import Refused, prose


class OfficialRow(Row):
    data_class = Official

    role = forms.ChoiceField(label=gettext_lazy("Office"), choices=[("", "–"), *OfficialRole.choices])
    title = forms.CharField(
        label=gettext_lazy("Title"), max_length=8, required=False, widget=forms.TextInput(attrs={"size": 4})
    )
    name = forms.CharField(label=gettext_lazy("Name"), max_length=LONGEST_NAME)
    fide_id = forms.IntegerField(label=gettext_lazy("FIDE id"), required=False, min_value=1, max_value=10**17)


class ForbiddenRow(Row):
    data_class = ForbiddenGroup

    competitors = NumbersField(gettext_lazy("Start numbers"))
    first_round = WholeField(gettext_lazy("From round"))
    last_round = WholeField(gettext_lazy("To round"))

    def clean_competitors(self) -> list[int]:
        numbers = sorted(set(self.cleaned_data["competitors"]))
        if len(numbers) < 2:
            raise ValidationError(_("Write two or more numbers, such as 3, 5."))
        return numbers


class EventForm(VersionedForm):
    """Settings of an event.

    `rules_are_locked`: the user may not change the rules of the ranking. `shown`: the fields of this page.
    """

    rules_are_locked = False
    shown: Collection[str] = ()

    discipline = forms.CharField(
        label=gettext_lazy("Discipline"),
        max_length=30,
        help_text=gettext_lazy("chess, draughts-100 (international), draughts-64, frisian, or another code."),
    )
    unplayed = forms.ChoiceField(
        label=gettext_lazy("Unplayed rounds"),
        choices=[("", gettext_lazy("as in the ranking system")), *((code, code) for code in POLICIES)],
        required=False,
        help_text=gettext_lazy(
            "The value of these games in tie-breaks. There are three editions of FIDE's rules: fide-2026 "
            "for events that start on or after 1 March 2026, fide-2024 from 1 August 2023, fide-2009 "
            "before."
        ),
    )
    unrated = forms.RegexField(
        rf"^({DROPPED}|[1-9][0-9]{{0,3}})$",
        label=gettext_lazy("Unrated players"),
        required=False,
        help_text=gettext_lazy(
            "For FIDE's rating criteria (article 10): the rating to assume for an unrated player, such as "
            "1400, or “drop” to leave that opponent out. If this is empty and a player has no rating, "
            "these criteria do not count."
        ),
        error_messages={"invalid": gettext_lazy("Write a rating, or drop.")},
    )
    game_win = PointsField(gettext_lazy("Game: win"))
    game_draw = PointsField(gettext_lazy("Game: draw"))
    game_loss = PointsField(gettext_lazy("Game: loss"))
    game_results = ListedResultsField(
        label=gettext_lazy("Game: results"),
        required=False,
        help_text=gettext_lazy(
            "If a game has more than three possible results, enter all of them: 3-0, 1½-1. The largest "
            "number is a win; the player with more points has won. The three values above are then "
            "calculated."
        ),
    )
    match_win = PointsField(gettext_lazy("Match: win"))
    match_draw = PointsField(gettext_lazy("Match: draw"))
    match_loss = PointsField(gettext_lazy("Match: loss"))
    bye_game = PointsField(gettext_lazy("Bye: game points"), required=False)
    bye_match = PointsField(gettext_lazy("Bye: match points"), required=False)
    initial_colour = forms.ChoiceField(
        label=gettext_lazy("Colour of number 1 in the first round"),
        choices=[("", gettext_lazy("drawn by lot when round 1 is proposed")), *Colour.choices],
        required=False,
    )
    acceleration = forms.ChoiceField(
        label=gettext_lazy("Acceleration"),
        choices=[("", gettext_lazy("none")), *Acceleration.choices],
        required=False,
        help_text=gettext_lazy(
            "The upper half of the start list gets extra points in the first rounds, for pairing only."
        ),
    )
    accelerated_to = forms.IntegerField(
        label=gettext_lazy("Accelerated up to number"),
        required=False,
        min_value=1,
        max_value=LARGEST,
        help_text=gettext_lazy("Empty: the upper half of the start list, fixed when round 1 is paired."),
    )
    delayed_points = forms.ChoiceField(
        label=gettext_lazy("Pairing counts a postponed or adjourned game as"),
        choices=DelayedPoints.choices,
        help_text=gettext_lazy("FIDE: a draw. The standings count the game when it has a result."),
    )
    forbidden_pairs = RowsField(
        ForbiddenRow,
        label=gettext_lazy("Forbidden pairs"),
        help_text=gettext_lazy("Competitors who must not be paired together, in all rounds or in some."),
    )
    team_colours = forms.ChoiceField(
        label=gettext_lazy("Colours of teams"),
        choices=[("", gettext_lazy("type A (default)")), *TeamColours.choices],
        required=False,
        help_text=gettext_lazy("Team events only: by which preferences FIDE's team Swiss gives colours."),
    )
    unknown = forms.MultipleChoiceField(
        label=gettext_lazy("Unknown facts"),
        choices=UnknownFact.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "Tick data that no source gives. The public then sees no colours, or no rounds and no "
            "standings after a round."
        ),
    )
    sources = LinesField(
        label=gettext_lazy("Sources"),
        required=False,
        help_text=gettext_lazy("Sources of the data, one per line."),
    )

    officials = RowsField(
        OfficialRow,
        label=gettext_lazy("Officials"),
        help_text=gettext_lazy("A rating report lists them."),
    )

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        required=False,
        max_length=10_000,
        help_text=gettext_lazy(
            "The event has or had results, so its rules are frozen. To change schedule, boards, scoring "
            "or ranking, give a reason. The public sees it in the log and below the standings."
        ),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    after = forms.IntegerField(
        label=gettext_lazy("From the standings after round"),
        required=False,
        min_value=0,
        help_text=gettext_lazy("Empty: the current round. Standings after earlier rounds stay as they were."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self.fields.keys() - set(self.shown):
            del self.fields[name]
        self.rules_before: Rules | None = Rules.of(self.instance) if self.instance.pk else None
        for name in RULE_FIELDS:
            if name in self.fields and self.rules_are_locked:
                field = self.fields[name]
                field.disabled = True
                # because disabled fields are parsed like typed text
                self.initial[name] = field.prepare_value(self.initial[name])
        event = self.instance
        # Proposals are not selected, as they would be stored unnoticed.
        kind = propose_kind(event.time_code, event.time_control, event.name) if event.pk else None
        if kind and "rated_as" in self.fields and not event.rated_as:
            values = {"kind": kind.kind.label, "text": kind.read_from}
            self._add_help("rated_as", _("Not stated. Proposed from “%(text)s”: %(kind)s.") % values)
        zone = propose_time_zone(event.country, event.place)
        if zone and "time_zone" in self.fields and not event.time_zone:
            text = _("Not stated. Proposed from the country and the place: %(zone)s.")
            self._add_help("time_zone", text % {"zone": zone})
        if "unknown" in self.fields and self.instance.knows_results:
            # Only an import creates an event without results. Its results can be recorded later.
            field = cast("forms.MultipleChoiceField", self.fields["unknown"])
            field.choices = [each for each in UnknownFact.choices if each[0] != UnknownFact.RESULTS]
        if "arbiters" in self.fields and self.instance.pk:
            self._offer_assigned(self.fields["arbiters"])

    def _add_help(self, name: str, text: str) -> None:
        self.fields[name].help_text = format_html("{} <b>{}</b>", self.fields[name].help_text, text)

    def _offer_assigned(self, field: Any) -> None:
        """Offer the assigned users even without the role, so that saving does not remove them."""
        accounts, assigned = field.queryset, self.instance.arbiters.all()
        either = Q(pk__in=accounts.order_by().values("pk")) | Q(pk__in=assigned.values("pk"))
        field.queryset = accounts.model._default_manager.filter(either).order_by("username")

    def clean_unknown(self) -> list[str]:
        return sorted(self.cleaned_data["unknown"])

    def clean_doi(self) -> str:
        return bare_doi(str(self.cleaned_data["doi"]))

    def clean_slug(self) -> str:
        slug = str(self.cleaned_data["slug"])
        if self.instance.shown_at and slug != self.instance.slug:
            raise ValidationError(_("The site that lent the event has this address. Give it back first."))
        if FormerSlug.objects.filter(slug=slug).exclude(event=self.instance.pk).exists():
            values = {"slug": slug}
            raise ValidationError(
                _("“%(slug)s” was the address of another event. Choose another one.") % values
            )
        return slug

    def clean(self) -> dict[str, Any] | None:
        """Return the values, checked against the kind of event and against the recorded results."""
        cleaned = super().clean() or self.cleaned_data
        is_team = cleaned.get("entrants", self.instance.entrants) == Event.Entrants.TEAMS
        if is_team and not cleaned.get("boards", self.instance.boards):
            self.add_error("boards", _("Enter the number of boards of this team event."))
        if not is_team and cleaned.get("boards") is not None:
            self.add_error("boards", _("Only a team event has boards."))
        if not is_team and cleaned.get("teams_are") not in (None, Event.TeamsAre.NATIONS):
            self.add_error("teams_are", _("Only teams are clubs or cities."))
        # The listed results determine the points of a win, a draw and a loss.
        if results := results_of_text(cleaned.get("game_results") or ""):
            for name, points in zip(
                ("game_win", "game_draw", "game_loss"), win_draw_loss(results), strict=True
            ):
                cleaned[name] = points
                self.errors.pop(name, None)
        self._check_points("game")
        self._check_points("match")
        # The last check, as it reads the whole event. It requires valid fields.
        if self.instance.pk and not self.errors and (contradiction := contradicted(self.instance, cleaned)):
            raise ValidationError(
                _("The recorded data do not fit these settings. %(contradiction)s")
                % {"contradiction": contradiction}
            )
        if self.rules_before and not self.errors:
            self._require_reason(self.rules_before, cleaned)
        return cleaned

    def _require_reason(self, rules_before: Rules, cleaned: dict[str, Any]) -> None:
        """Check that a change of frozen rules has a reason, and that the round exists."""
        rules_after = rules_before.with_settings(
            {name: cleaned[name] for name in RULE_FIELDS if name in cleaned}
        )
        if not needs_record(self.instance, rules_before, rules_after):
            return
        if not prose(cleaned.get("reason", "")):
            self.add_error("reason", why_a_reason())
        try:
            first_round(self.instance, cleaned.get("after"))
            # Checked here, since an exception in save_model() would be a server error.
            refuse_older_list(self.instance)
        except Refused as refused:
            raise ValidationError(str(refused)) from refused

    def _check_points(self, of: str) -> None:
        win, draw, loss = (self.cleaned_data.get(f"{of}_{result}") for result in ("win", "draw", "loss"))
        if win is None or draw is None or loss is None:
            return
        if not win > draw > loss:
            self.add_error(f"{of}_win", _("A win is worth more than a draw, and a draw more than a loss."))
