"""Who played for a team over events: players with their editions and what they scored on its boards."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from standings.careers.onboards import participations_on_boards
from standings.careers.participation import CareerTally, Participation, tally_of
from standings.catalogue.outcomes import outcomes_of
from tournaments.event.choices import PUBLIC
from tournaments.models import PersonLink, Player
from tournaments.people.entries import Leading, leading_to


class Member(NamedTuple):
    """A player of a team over events: the name there last, the person or None, and each edition.

    `editions` are the oldest first.
    """

    name: str
    leading: Leading | None
    editions: list[Participation]

    @property
    def tally(self) -> CareerTally:
        """Return how the games on the team's boards ended."""
        return tally_of(game for each in self.editions for game in each.games)

    @property
    def points(self) -> int:
        """Return the half-points that the events gave for these games, forfeits among them."""
        return sum(each.points for each in self.editions)


def members_of_team(team: int, career: Sequence[Participation]) -> list[Member]:
    """Return who played for a team in these events of its career, the most games first; five queries at most.

    Who is known over events is one member under every name; others are told apart by their names as written.
    """
    events = {each.event.pk: each.event for each in career}
    if not events:
        return []
    of_team = Player.objects.filter(competitor__team_link__team=team, competitor__event__state__in=PUBLIC)
    keys = sorted(of_team.order_by().values_list("pk", flat=True))
    epoch = next(iter(events.values())).epoch
    found = participations_on_boards(keys, events, outcomes_of(epoch, list(events)))
    links = PersonLink.objects.filter(player__in=keys).order_by().select_related("person")
    persons = {each.player_id: leading_to(each.person) for each in links}
    grouped: dict[Leading | str, list[Participation]] = defaultdict(list)
    for each in sorted(found, key=lambda each: (each.event.start, each.event.pk)):
        grouped[persons.get(each.entry) or each.name].append(each)
    members = [_member(who, editions) for who, editions in grouped.items()]
    return sorted(members, key=lambda each: (-each.tally.games, -len(each.editions), each.name.casefold()))


def _member(who: Leading | str, editions: list[Participation]) -> Member:
    if isinstance(who, Leading):
        return Member(who.name, who, editions)
    return Member(who, None, editions)
