"""Small imported events of players and teams."""

import json
from typing import Any

from tests.replay import built_once
from tournaments.event.finding import errors
from tournaments.models import EntryLink, Event, PeopleAct, Person, PersonLink, Team, TeamLink
from tournaments.people.matching.entrants import Entrant, entrants_of
from tournaments.people.models.team import Owner
from tournaments.people.services.decisions import Author, add_link
from tournaments.people.services.history import people_act
from tournaments.recording.imports.importing import ImportRequest, import_event

Who = str | dict[str, Any]
REQUEST = ImportRequest(by="Ada", reason="a test")


def imported(slug: str, *who: Who, **about: Any) -> Event:
    """Import an event of players, given by name or as competitors."""
    known = [each if isinstance(each, dict) else {"name": each} for each in who]
    return _store(slug, [{"number": number, **each} for number, each in enumerate(known, start=1)], about)


def imported_teams(slug: str, teams: dict[str, list[Who]], **about: Any) -> Event:
    """Import a team event. Keys are a name or `name / code`, values are players."""
    competitors = []
    for number, (team, players) in enumerate(teams.items(), start=1):
        name, _, code = team.partition(" / ")
        known = [each if isinstance(each, dict) else {"name": each} for each in players]
        roster = [{"board": at, **each} for at, each in enumerate(known, start=1)]
        competitors.append(
            {"number": number, "name": name, "players": roster} | ({"code": code} if code else {})
        )
    settings = {"entrants": "teams", "boards": 2, "scoring": {"game": [1, 0.5, 0], "match": [2, 1, 0]}}
    return _store(slug, competitors, {**settings, "system": "olympiad-2010", **about})


@built_once
def _store(slug: str, competitors: list[dict[str, Any]], about: dict[str, Any]) -> Event:
    event = {
        "slug": slug, "name": slug.title(), "start": "2020", "discipline": "chess", "entrants": "players",
        "schedule": "swiss", "rounds": 3, "scoring": {"game": [1, 0.5, 0]}, "system": "fmjd-swiss", **about,
    }  # fmt: skip
    head = {"format": "crosstable-event", "version": 1}
    text = json.dumps({**head, "event": event, "competitors": competitors, "rounds": []})
    found = errors(import_event(text, announce=lambda _: None, wishes=REQUEST))
    assert not found, found
    return Event.objects.get(slug=slug)


def make_person(entrant: Entrant, by: Author, reason: str) -> PeopleAct:
    """Create a person or a team from an entry and link the entry by hand, in a single act."""
    with people_act(PeopleAct.Kind.CREATE, by, reason, [entrant.event]) as act:
        owner: Owner = Person(name=entrant.name)
        if entrant.is_team:
            owner = Team(name=entrant.name, kind=entrant.kind)
        act.add(owner)
        add_link(act, entrant, owner, EntryLink.How.HAND)
        return act.store()


def person_of(event: Event, name: str) -> Person | None:
    """Return the person of the entry with that name."""
    one = entrant(event, name)
    link = PersonLink.objects.filter(event=event, competitor=one.competitor, player=one.player).first()
    return link.person if link else None


def team_of(event: Event, name: str) -> Team | None:
    """Return the team of the competitor with that name."""
    link = TeamLink.objects.filter(event=event, competitor__name=name).first()
    return link.team if link else None


def entrant(event: Event, name: str) -> Entrant:
    """Return the entry with that name."""
    return next(each for each in entrants_of(event) if each.name == name)
