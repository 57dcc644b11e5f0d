"""The facts about an event outside the tables of a file, with their places."""

from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from tournaments.interchange.formats.tables.grid import GridRow


@dataclass(frozen=True, slots=True, kw_only=True)
class EventOutline:
    """Facts about an event, as the texts of form fields or options; unknown facts are blank.

    `places`: where each fact was found. `titles`: rows outside the tables from which facts were taken. Dates
    are `2018-09-24` or a year. `scoring` and `match_scoring` are win, draw and loss, `1-½-0`.
    `deputy_arbiters` and `sources` have a line for each value. `results` of a table with places and no games
    are `unknown` if it is the final table, or come `later`. `defaults`: values of facts that the file lacks.
    """

    slug: str = ""
    name: str = ""
    series: str = ""
    place: str = ""
    country: str = ""
    time_zone: str = ""
    start: str = ""
    end: str = ""
    discipline: str = ""
    entrants: str = ""
    schedule: str = ""
    rounds: str = ""
    boards: str = ""
    scoring: str = ""
    match_scoring: str = ""
    system: str = ""
    time_control: str = ""
    rated_as: str = ""
    ratings_from: str = ""
    chief_arbiter: str = ""
    deputy_arbiters: str = ""
    organiser: str = ""
    sources: str = ""
    licence: str = ""
    notes: str = ""
    published: str = ""
    results: str = ""
    places: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, str] = field(default_factory=dict)
    titles: tuple[GridRow, ...] = ()

    def fact(self, name: str) -> str:
        return str(getattr(self, name))

    def with_fact(self, name: str, value: str, where: str) -> "EventOutline":
        """Return the outline with a further fact. Known facts and blank values are ignored."""
        value = " ".join(value.split()) if name not in MANY_LINES else value.strip()
        if not value or self.fact(name) or name in self.places:
            return self
        return self._with(name, value, {**self.places, name: where})

    def with_facts(self, facts: Mapping[str, str], where: str) -> "EventOutline":
        outline = self
        for name, value in facts.items():
            outline = outline.with_fact(name, value, where)
        return outline

    def without(self, name: str, where: str) -> "EventOutline":
        """Return the outline with a fact that is blank and remains so."""
        return self._with(name, "", {**self.places, name: where})

    def with_more(self, name: str, value: str, where: str) -> "EventOutline":
        """Return the outline with a further value of a fact that has several."""
        known = self.fact(name).splitlines()
        value = " ".join(value.split())
        if not value or value in known:
            return self
        return self._with(name, "\n".join((*known, value)), {name: where, **self.places})

    def _with(self, name: str, value: str, places: Mapping[str, str]) -> "EventOutline":
        values: dict[str, Any] = {name: value, "places": places}
        return replace(self, **values)

    def completed_by(self, other: "EventOutline") -> "EventOutline":
        """Return the outline with the facts of `other` added if they are unknown here."""
        outline = replace(self, titles=(*self.titles, *other.titles))
        for name in FACTS:
            outline = outline.with_fact(name, other.fact(name), other.places.get(name, ""))
            if name in other.places and name not in outline.places:
                outline = outline.without(name, other.places[name])
        return outline


NO_FACTS = EventOutline()

# in the order of forms and lists
FACTS = tuple(each.name for each in fields(EventOutline) if each.name not in {"places", "defaults", "titles"})

MANY_LINES = frozenset({"deputy_arbiters", "sources", "notes"})  # facts with a line for each value


def outline_of(values: Mapping[str, str], where: str) -> EventOutline:
    """Return the outline of the values of a form, command or manifest row; other keys are ignored.

    `name?` is the default of `name`.
    """
    defaults = {name: values[f"{name}?"] for name in FACTS if values.get(f"{name}?")}
    outline = EventOutline(defaults=defaults)
    return outline.with_facts({name: values.get(name) or "" for name in FACTS}, where)


# options of commands, with their help texts
OPTIONS = {
    "name": "The name of the event.",
    "slug": "Its address.",
    "series": "The series that it is an edition of.",
    "start": "The first day, 2018-09-24, or the year alone.",
    "end": "The last day.",
    "place": "Where it was played.",
    "country": "The country, as a code such as NED.",
    "time_zone": "The time zone, such as Europe/Amsterdam.",
    "discipline": "chess, draughts-100, …",
    "entrants": "players or teams.",
    "schedule": "swiss, round-robin or double-round-robin.",
    "rounds": "How many rounds there are.",
    "boards": "On how many boards a match of teams is played.",
    "scoring": "What a game won, drawn and lost gives: 1-½-0, 2-1-0.",
    "match_scoring": "The same of a match.",
    "system": "The code of a ranking system (/criteria/ on the site).",
    "rated_as": "The list that the games are rated for: standard, rapid or blitz.",
    "ratings_from": "The list that the ratings are from: standard, rapid, blitz or local.",
    "results": "Of a table without games: unknown if it is the final table, later if not.",
    "licence": "What may be done with the data: CC-BY-4.0, or words.",
}


def add_outline_options(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("facts", "Values that are missing or wrong in the file.")
    for name, text in OPTIONS.items():
        group.add_argument(f"--{name.replace('_', '-')}", default="", help=text)


def outline_given(options: Mapping[str, Any]) -> EventOutline:
    return outline_of({name: options[name] for name in OPTIONS}, "as given")
