"""Create an event from a short form, as a clone of another event, or as further editions of a series."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from standings.engine import SYSTEMS
from tournaments.admin.fields import PastedField
from tournaments.admin.frame import page, refusal_in, who
from tournaments.admin.permissions import desk_view, may_organise, organisers_only
from tournaments.event.choices import RatedAs
from tournaments.event.dates import partial_date, time_zones
from tournaments.event.timecontrols import propose_kind
from tournaments.interchange.formats.file_formats import LONGEST_ADDRESS, address_for
from tournaments.models import Event, FormerSlug
from tournaments.recording.events.creation import clone_event, create_event
from tournaments.recording.events.editions import EditionList, create_editions, read_editions
from tournaments.recording.events.systems import FIDE_POLICIES, edition_in_force
from tournaments.recording.events.timezones import propose_time_zone
from tournaments.texts import DISCIPLINES, ENTRANTS, name_of_edition, name_of_system

SCHEDULES = {
    Event.Schedule.SWISS: gettext_lazy("Swiss: paired round by round"),
    Event.Schedule.ROUND_ROBIN: gettext_lazy("round robin: all play all"),
    Event.Schedule.DOUBLE_ROUND_ROBIN: gettext_lazy("double round robin: all play all twice"),
}
SCORINGS: dict[str, tuple[str | Promise, dict[str, Any]]] = {
    "": (gettext_lazy("as usual: 1-½-0 in chess, 2-1-0 in draughts"), {}),
    "3-1-0": (gettext_lazy("3-1-0"), {"game_win": 6, "game_draw": 2, "game_loss": 0}),
    # In the Delft system, two players share 12 points. The engine has no rule for that, so all results are
    # listed.
    "delft": (
        gettext_lazy("Delft: 12-0, 11-1, … 6-6"),
        {"game_win": 24, "game_draw": 12, "game_loss": 0, "game_results": "12-0 11-1 10-2 9-3 8-4 7-5 6-6"},
    ),
    "armageddon": (
        gettext_lazy("Norway Chess: 3-0, and 1½-1 after a draw"),
        {"game_win": 6, "game_draw": 3, "game_loss": 0, "game_results": "3-0 1½-1"},
    ),
}
"""The scorings of a game that the form offers, with the settings that they stand for."""

MAX_ROUNDS, MAX_BOARDS = 200, 100

MOST_SIGNS = 50_000
"""Characters of a list of editions."""


def check_free_address(slug: str) -> None:
    """Raise ValidationError if an event uses or used the slug."""
    if Event.objects.filter(slug=slug).exists() or FormerSlug.objects.filter(slug=slug).exists():
        values = {"slug": slug}
        raise forms.ValidationError(
            _("“%(slug)s” is, or was, the address of another event. Choose another one.") % values
        )


class AddressForm(forms.Form):
    slug = forms.SlugField(
        label=gettext_lazy("Address"),
        max_length=LONGEST_ADDRESS,
        help_text=gettext_lazy(
            "Its pages are at /events/ and this; it is meant to stay for ever. Letters without accents, "
            "digits, hyphens."
        ),
    )

    def clean_slug(self) -> str:
        slug = str(self.cleaned_data["slug"])
        check_free_address(slug)  # not a validator: these also get a NUL, which PostgreSQL cannot compare
        return slug


class NewEventForm(AddressForm):
    """The settings without a suitable default."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=200)
    discipline = forms.ChoiceField(
        label=gettext_lazy("Discipline"),
        choices=list(DISCIPLINES.items()),
        help_text=gettext_lazy(
            "If yours is not listed, choose the nearest and write its name in the settings."
        ),
    )
    entrants = forms.ChoiceField(
        label=gettext_lazy("Format"),
        choices=list(ENTRANTS.items()),
        initial=Event.Entrants.PLAYERS,
        widget=forms.RadioSelect,
    )
    schedule = forms.ChoiceField(
        label=gettext_lazy("Schedule"),
        choices=list(SCHEDULES.items()),
        initial=Event.Schedule.SWISS,
        widget=forms.RadioSelect,
    )
    scoring = forms.ChoiceField(
        label=gettext_lazy("Scoring of a game"),
        choices=[(code, label) for code, (label, _settings) in SCORINGS.items()],
        required=False,
        help_text=gettext_lazy("You can choose other systems in the settings."),
    )
    planned_rounds = forms.IntegerField(
        label=gettext_lazy("Rounds"),
        min_value=1,
        max_value=MAX_ROUNDS,
        required=False,
        help_text=gettext_lazy("Empty: 9, for teams 7. A round robin: as needed (9 for 10 players)."),
    )
    boards = forms.IntegerField(
        label=gettext_lazy("Boards"),
        min_value=1,
        max_value=MAX_BOARDS,
        required=False,
        help_text=gettext_lazy("Of a match. Empty: 4. Settings have match points, order, colours and byes."),
    )
    start = forms.CharField(
        label=gettext_lazy("First day"),
        max_length=10,
        required=False,
        validators=[partial_date],
        help_text=gettext_lazy("2026-09-24, or 1948 if only the year is known."),
    )
    place = forms.CharField(label=gettext_lazy("Place"), max_length=120, required=False)
    country = forms.CharField(
        label=gettext_lazy("Country"),
        max_length=3,
        required=False,
        help_text=gettext_lazy("The code of its federation, such as NED."),
    )
    time_zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        choices=lambda: [
            ("", gettext_lazy("not known yet")),
            # Only zones that are named after a place.
            *((each, each) for each in sorted(time_zones()) if "/" in each and not each.startswith("Etc/")),
        ],
        required=False,
        help_text=gettext_lazy(
            "Start times of rounds and all times that are shown are in this zone. If empty, it is proposed"
            " from the country and the place."
        ),
    )
    time_control = forms.CharField(
        label=gettext_lazy("Time control"),
        max_length=200,
        required=False,
        help_text=gettext_lazy("Such as 90 minutes + 30 seconds a move, or 15+10."),
    )
    rated_as = forms.ChoiceField(
        label=gettext_lazy("Rated as"),
        choices=[("", gettext_lazy("not rated, or not known yet")), *RatedAs.choices],
        required=False,
        help_text=gettext_lazy("Rating changes are shown only if this is stated."),
    )
    is_asked = forms.BooleanField(required=False, widget=forms.HiddenInput)
    unplayed = forms.ChoiceField(
        label=gettext_lazy("Edition of FIDE's rules"),
        choices=[("", gettext_lazy("by the first day")), *((code, code) for code in reversed(FIDE_POLICIES))],
        required=False,
        help_text=gettext_lazy(
            "In chess: FIDE's tie-breaks are proposed, by the rules in force on the first day (fide-2026 from"
            " 1 March 2026, fide-2024 from 1 August 2023, fide-2009 before). Another list or system is chosen"
            " afterwards."
        ),
    )

    field_order = (
        "name", "discipline", "entrants", "schedule", "scoring", "planned_rounds", "boards", "start", "place",
        "country", "time_zone", "time_control", "rated_as", "unplayed",
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_proposing = False
        # Optional, since a slug of name and year is usually good.
        self.fields["slug"].required = False
        self.fields["slug"].help_text = _(
            "Its pages are at /events/ and this; it is meant to stay for ever. Empty: made of name and year."
        )

    def clean_country(self) -> str:
        return str(self.cleaned_data["country"]).upper()

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("entrants") == Event.Entrants.PLAYERS and cleaned.get("boards"):
            self.add_error("boards", _("Only teams play on boards. Leave this empty."))
        if cleaned.get("unplayed") and cleaned.get("discipline") != "chess":
            self.add_error("unplayed", _("Only chess has FIDE's rules. Leave this empty."))
        if not cleaned.pop("is_asked", False):
            self._propose_values(cleaned)
        if not cleaned.get("slug") and "name" in cleaned and "slug" not in self.errors:
            self._fill_slug(cleaned)
        return cleaned

    def _propose_values(self, cleaned: dict[str, Any]) -> None:
        """Fill in what follows from other fields, and show the form again. Then empty fields are accepted."""
        proposed: dict[str, tuple[str, str]] = {}
        country_and_place = cleaned.get("country", ""), cleaned.get("place", "")
        if (zone := propose_time_zone(*country_and_place)) and not cleaned.get("time_zone"):
            proposed["time_zone"] = (zone, ", ".join(filter(None, reversed(country_and_place))))
        kind = propose_kind("", cleaned.get("time_control", ""), cleaned.get("name", ""))
        if kind and not cleaned.get("rated_as"):
            proposed["rated_as"] = (kind.kind, kind.read_from)
        if not proposed:
            return
        values = {name: value for name, (value, _read_from) in proposed.items()}
        self.data = {**{name: self.data.get(name) for name in self.data}, **values, "is_asked": "1"}
        self.is_proposing = True
        self.fields[next(iter(proposed))].widget.attrs["autofocus"] = True
        for name, (_value, read_from) in proposed.items():
            self[name].help_text = _("Proposed from “%(text)s”. Check it.") % {"text": read_from}

    def _fill_slug(self, cleaned: dict[str, Any]) -> None:
        slug = address_for(cleaned["name"], cleaned.get("start", ""))
        if not slug:
            self.add_error(
                "slug", _("This name cannot be made into an address. Type an address in Latin letters.")
            )
            return
        try:
            check_free_address(slug)
            cleaned["slug"] = slug
        except forms.ValidationError as fault:
            self.add_error("slug", fault)


class CloneForm(AddressForm):
    name = forms.CharField(label=gettext_lazy("Name"), max_length=200)
    field_order = ("name", "slug")


@organisers_only
def new_event(request: HttpRequest) -> HttpResponse:
    form = NewEventForm(request.POST or None)
    is_valid = form.is_valid()
    if form.is_proposing:
        messages.info(request, _("Check the proposed values, then press “Create the event” again."))
    elif is_valid:
        with refusal_in(form):
            # The form's fields are the parameters of create_event().
            values = dict(form.cleaned_data)
            values["unplayed"] = values["unplayed"] or None  # then the first day decides
            scoring = SCORINGS[values.pop("scoring")][1]
            event = create_event(**values, **scoring, by=who(request))
            _add_created_message(request, event)
            return redirect("admin:event-roster", event.pk)
    return page(
        request,
        None,
        "event_form",
        _("New event"),
        _("A draft that only the desk sees. Name and discipline are enough; other settings have defaults."),
        form=form,
        verb=_("Create the event"),
    )


def _add_created_message(request: HttpRequest, event: Event) -> None:
    system, edition = name_of_system(SYSTEMS[event.system]), edition_in_force(event)
    if edition:
        system = f"{system}, {name_of_edition(edition)}"
    values = {"name": event.name, "system": system}
    messages.success(request, _("“%(name)s” is there, as a draft. It is ranked by: %(system)s.") % values)


@desk_view(may_organise)
def clone(request: HttpRequest, event: Event) -> HttpResponse:
    form = CloneForm(request.POST or None, initial={"name": event.name})
    if form.is_valid():
        with refusal_in(form):
            copy = clone_event(event, form.cleaned_data["slug"], form.cleaned_data["name"], who(request))
            _add_created_message(request, copy)
            return redirect("admin:event-desk", copy.pk)
    return page(
        request,
        event,
        "event_form",
        _("Clone"),
        _("A new draft with the settings, competitors and players of this event, and no rounds yet."),
        form=form,
        verb=_("Clone the event"),
    )


class EditionsForm(forms.Form):
    text = PastedField(gettext_lazy("Editions, a line each"), rows=12, most_signs=MOST_SIGNS)


@desk_view(may_organise)
def editions(request: HttpRequest, event: Event) -> HttpResponse:
    form = EditionsForm(request.POST or None)
    drafts = EditionList(())
    if form.is_valid():
        text = form.cleaned_data["text"]
        if "enter" in request.POST:
            with refusal_in(form):
                count = len(create_editions(event, text, who(request)).lines)
                message = ngettext("%(count)s draft was made.", "%(count)s drafts were made.", count)
                messages.success(request, message % {"count": count})
                return redirect("admin:tournaments_event_changelist")
        with refusal_in(form):
            drafts = read_editions(event, text)
    return page(
        request,
        event,
        "event_editions",
        _("Further editions"),
        _(
            "Creates several editions of the series at once, as drafts with the settings of this event, "
            "without competitors or results. You see a preview first."
        ),
        form=form,
        pasted=drafts,
        # "Change" shows the form again. Otherwise the list could not be edited after the preview.
        is_ready=bool(drafts.lines) and not drafts.faults and "change" not in request.POST,
    )
