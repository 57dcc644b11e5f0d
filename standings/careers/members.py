"""The players of a team over all events, with their editions and scores on its boards."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from standings.careers.onboards import participations_on_boards
from standings.careers.participation import CareerTally, Participation, tally_of
from standings.catalogue.outcomes import outcomes_of
from tournaments.event.choices import PUBLIC
from tournaments.models import PersonLink, Player
from tournaments.people.entries import Leading, leading_to
from tournaments.search.folding import sort_key


class Member(NamedTuple):
    """A player of a team over all events. `editions`: the oldest first."""

    name: str
    leading: Leading | None
    editions: list[Participation]

    @property
    def tally(self) -> CareerTally:
        return tally_of(game for each in self.editions for game in each.games)

    @property
    def points(self) -> int:
        """Return the half-points of these games as scored by the events, including forfeits."""
        return sum(each.points or 0 for each in self.editions)


def members_of_team(team: int, career: Sequence[Participation]) -> list[Member]:
    """Return the players of a team in its career, the most games first; at most five queries.

    A linked person is one member under all names; other players are identified by their exact names.
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
    members = [
        Member(who.name, who, editions) if isinstance(who, Leading) else Member(who, None, editions)
        for who, editions in grouped.items()
    ]
    return sorted(members, key=lambda each: (-each.tally.games, -len(each.editions), sort_key(each.name)))
