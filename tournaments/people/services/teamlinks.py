"""Link national teams that had the same name and code in another year of the series."""

from collections.abc import Iterable, Sequence

from tournaments.event.choices import TeamsAre
from tournaments.event.federations import bearer_of
from tournaments.models import Team, TeamCode, TeamLink
from tournaments.models.inserting import insert_all
from tournaments.people.matching.candidates import namesakes_in_series, refused_among
from tournaments.people.matching.entrants import Entrant, sides, team_side
from tournaments.people.services.eventlinks import EventLinks


def link_teams(now: EventLinks, touched: Sequence[Entrant]) -> None:
    """Link national teams to teams with the same name and code in another year of the series.

    A code counts as an id if the same federation had it in both years: URS and RUS are different, and so
    are GER before and after 1990, and sections of a congress. All other matches are proposed.
    """
    free = [each for each in touched if each.is_team and each.row not in now.links]
    if now.event.series_id is None or now.event.teams_are != TeamsAre.NATIONS or not free:
        return
    pairs = [
        (each, other, team)
        for each, (other, team) in namesakes_in_series(now.event, free).items()
        if _is_one_nation(each, other)
    ]
    if not pairs:
        return
    refused = refused_among({each.side for each, _other, _team in pairs})
    linked: list[tuple[Entrant, Team]] = []
    new_teams: list[Team] = []
    for entrant, other, team in pairs:
        if sides(entrant.side, team_side(team.pk) if team else other.side) in refused:
            continue
        if team is None:
            team = Team(name=other.name, key=other.key, kind=other.kind, changed_by=now.by)  # noqa: PLW2901 - created here
            new_teams.append(team)
            linked.append((other, team))
        linked.append((entrant, team))
    insert_all(new_teams)
    insert_all(
        TeamCode(team=team, code=entrant.code)
        for entrant, team in linked
        if team in new_teams and entrant.event == now.event.pk
    )
    _add_team_links(now, linked)


def _is_one_nation(one: Entrant, other: Entrant) -> bool:
    if None in {one.year, other.year} or one.year == other.year or one.code != other.code:
        return False
    bearers = bearer_of(one.code, one.year), bearer_of(other.code, other.year)
    return bearers[0] is not None and bearers[0] == bearers[1]


def _add_team_links(now: EventLinks, linked: Iterable[tuple[Entrant, Team]]) -> None:
    links = [
        TeamLink(
            team=team,
            event_id=entrant.event,
            competitor_id=entrant.competitor,
            how=TeamLink.How.ID,
            number=entrant.number,
            name=entrant.name,
            by=now.by,
        )
        for entrant, team in linked
    ]
    insert_all(links)
    now.links.update({(each.competitor_id, None): each for each in links if each.event_id == now.event.pk})
