"""The form of an import preview with the facts of a new event, each with its source in the file."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from standings.engine import SYSTEMS
from tournaments.event.choices import Entrants, RatedAs, RatingsFrom
from tournaments.event.timecontrols import propose_kind
from tournaments.interchange.formats.layouts import LAYOUTS
from tournaments.interchange.formats.layouts.outline import FACTS, NO_FACTS, EventOutline
from tournaments.interchange.formats.layouts.reading import NEEDED
from tournaments.interchange.formats.layouts.recognition import Recognition
from tournaments.recording.events.timezones import propose_time_zone
from tournaments.texts import SCHEDULES, name_of_system

CHOSEN = "the form"
"""The place of a fact that was entered in the form."""

LABELS: dict[str, str | Promise] = {
    "name": gettext_lazy("Name"),
    "series": gettext_lazy("Series"),
    "start": gettext_lazy("First day"),
    "end": gettext_lazy("Last day"),
    "place": gettext_lazy("Place"),
    "country": gettext_lazy("Country"),
    "time_zone": gettext_lazy("Time zone"),
    "discipline": gettext_lazy("Discipline"),
    "entrants": gettext_lazy("Format"),
    "schedule": gettext_lazy("Schedule"),
    "rounds": gettext_lazy("Rounds"),
    "results": gettext_lazy("Results"),
    "boards": gettext_lazy("Boards"),
    "scoring": gettext_lazy("Scoring of a game"),
    "match_scoring": gettext_lazy("Scoring of a match"),
    "system": gettext_lazy("Ranking system"),
    "time_control": gettext_lazy("Time control"),
    "rated_as": gettext_lazy("Rated as"),
    "ratings_from": gettext_lazy("Ratings from"),
    "chief_arbiter": gettext_lazy("Chief arbiter"),
    "licence": gettext_lazy("Licence of the data"),
}
"""The facts of the form, in order."""

FORMATS: dict[str, str | Promise] = {
    "start": gettext_lazy("such as 2018-09-24, or 1948"),
    "end": gettext_lazy("such as 2018-10-05"),
    "country": gettext_lazy("a code such as NED"),
    "time_zone": gettext_lazy("such as Europe/Amsterdam"),
    "discipline": gettext_lazy("chess, draughts-100, draughts-64, frisian, or another name"),
    "scoring": gettext_lazy("win, draw, loss: such as 1-½-0, 2-1-0"),
    "match_scoring": gettext_lazy("win, draw, loss: such as 2-1-0"),
}
OF_TEAMS = ("boards", "match_scoring")
MAX_LENGTH = 200


def chosen_facts(data: Mapping[str, str], found: EventOutline) -> EventOutline:
    """Return the facts that the form changes. An empty field removes the fact of the file.

    `found`: the facts without the form. Unchanged fields are not stored as chosen, so that values derived
    from other facts follow them.
    """
    chosen = replace(NO_FACTS, defaults=found.defaults)
    slug = data.get("slug", "").strip()
    if slug != found.slug:
        chosen = chosen.with_fact("slug", slug, CHOSEN)
    for name in FACTS:
        value = " ".join(data.get(name, found.fact(name)).split())
        if name not in data or value == " ".join(found.fact(name).split()):
            continue
        if value:
            chosen = chosen.with_fact(name, value, CHOSEN)
        elif name not in NEEDED:
            chosen = chosen.without(name, CHOSEN)
    return chosen


class FactsForm(forms.Form):
    """The facts of a new event, filled in from the file."""

    def __init__(self, outline: EventOutline) -> None:
        super().__init__()
        for name, label in LABELS.items():
            is_asked = name != "results" or name in outline.places
            if is_asked and (name not in OF_TEAMS or outline.entrants == Entrants.TEAMS):
                self.fields[name] = fact_field(name, label, outline)


def fact_field(name: str, label: str | Promise, outline: EventOutline) -> forms.Field:
    value = outline.fact(name)
    place = outline.places.get(name, "")
    source = _("from %(where)s") % {"where": place} if value and place else ""
    is_needed = name in NEEDED and not value
    missing = _("missing: enter it here") if is_needed else ""
    proposed = "" if value else _proposal_text(name, outline)
    help_text = " · ".join(str(each) for each in (source or missing, proposed, FORMATS.get(name, "")) if each)
    common: dict[str, Any] = {"label": label, "initial": value, "required": False, "help_text": help_text}
    if choices := _fact_choices(name):
        labels = dict(choices)
        options = choices if value in labels else [("", _("to be chosen")), *choices]
        return forms.ChoiceField(choices=options, **common)
    attributes = {"list": "scorings"} if name == "scoring" else {}
    return forms.CharField(max_length=MAX_LENGTH, widget=forms.TextInput(attributes), **common)


def _proposal_text(name: str, outline: EventOutline) -> str:
    """Return a proposed value as help text. It is not filled in, since guesses must not be stored."""
    if name == "time_zone" and (zone := propose_time_zone(outline.country, outline.place)):
        return _("Proposed from the country and the place: %(zone)s") % {"zone": zone}
    if name != "rated_as":
        return ""
    found = propose_kind("", outline.time_control, outline.name)
    values = found and {"text": found.read_from, "kind": found.kind.label}
    return _("Proposed from “%(text)s”: %(kind)s") % values if values else ""


def _fact_choices(name: str) -> Sequence[tuple[str, Any]]:
    match name:
        case "entrants":
            labels = {Entrants.PLAYERS: gettext_lazy("players"), Entrants.TEAMS: gettext_lazy("teams")}
            return [(each.value, label) for each, label in labels.items()]
        case "schedule":
            return [(each.value, label) for each, label in SCHEDULES.items()]
        case "results":
            unknown = gettext_lazy("unknown: this is the final table")
            return [("unknown", unknown), ("later", gettext_lazy("come later: this is no final table"))]
        case "rated_as":
            return [("", _("not stated")), *RatedAs.choices]
        case "ratings_from":
            return [("", _("not stated")), *RatingsFrom.choices]
        case "system":
            return [(code, name_of_system(each)) for code, each in SYSTEMS.items()]
        case _:
            return ()


class LayoutField(forms.ChoiceField):
    """A choice of layouts, beginning with the recognised ones."""

    def __init__(self, recognition: Recognition) -> None:
        layout = recognition.layout
        current = _("as recognised")
        if layout and not recognition.is_chosen:
            current = _("as recognised: %(layout)s") % {"layout": layout.name}
        recognised = {each.code for each, _signs in recognition.others}
        likely = [(each.code, each.name) for each in LAYOUTS if each.code in recognised]
        others = [(each.code, each.name) for each in LAYOUTS if each.code not in recognised]
        chosen = layout.code if layout and recognition.is_chosen else ""
        super().__init__(
            label=_("Layout"),
            choices=[("", current), *likely, *others],
            initial=chosen,
            required=False,
            help_text=_("How the program or the site that wrote the file lays it out."),
        )
