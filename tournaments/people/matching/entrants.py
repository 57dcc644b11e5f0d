"""Entries of events for linking: competitors, teams, and players of teams."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tournaments.event.dates import parse_year
from tournaments.event.federations import federation
from tournaments.models import Competitor, EntryName, Event, PersonLink, Player, Team, TeamLink
from tournaments.people.matching.names import name_key
from tournaments.people.models.team import Owner

SCHEMES = {"fide": "fide_id", "fmjd": "fmjd_id"}
"""Ids of entries with their fields. Persons may have national ids too."""

Row = tuple[int | None, int | None]
"""The primary keys of a competitor and of a player; an entry has only one of them."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """An entry of an event. Either `competitor` or `player` is its primary key.

    `team`: name of a player's team. `federation`: name of the federation that had the code in the year of
    the event, blank if unknown. `code`: as entered.
    """

    event: int
    event_name: str
    year: int | None
    discipline: str
    series: int | None
    kind: str
    is_team: bool
    competitor: int | None
    player: int | None
    number: int
    name: str
    team: str = ""
    code: str = ""
    federation: str = ""
    city: str = ""
    title: str = ""
    sex: str = ""
    born: str = ""
    ids: dict[str, str] = field(default_factory=dict, hash=False)

    @property
    def key(self) -> str:
        return name_key(self.name)

    @property
    def identity(self) -> str:
        """Return the id or else the name, which identify it within its event after another import."""
        scheme = next(iter(self.ids), "")
        if scheme:
            return f"{scheme}:{self.ids[scheme]}"
        return f"{self.key}@{name_key(self.team)}" if self.team else self.key

    @property
    def side(self) -> str:
        return f"entry:{self.event}:{self.identity}"

    @property
    def row(self) -> Row:
        return self.competitor, self.player


def side_of(other: Owner | Entrant) -> str:
    if isinstance(other, Entrant):
        return other.side
    return f"{'team' if isinstance(other, Team) else 'person'}:{other.pk}"


def sides(one: str, other: str) -> tuple[str, str]:
    """Return both sides in the order in which they are stored."""
    return min(one, other), max(one, other)


def are_distinct_entries(one: Entrant, other: Entrant) -> bool:
    """Return whether two entries must be different persons: two competitors of an event, or two players of
    one team.

    A player may have changed teams during an event.
    """
    if one.event != other.event or one.row == other.row:
        return False
    if one.player and other.player:
        return one.number == other.number
    return bool(one.competitor and other.competitor)


def first_distinct_entry(ones: Iterable[Entrant], others: Iterable[Entrant]) -> Entrant | None:
    theirs = list(others)
    return next((one for one in ones for other in theirs if are_distinct_entries(one, other)), None)


_OF_EVENT = ("name", "start", "discipline", "series_id", "entrants", "teams_are")
_OF_BOTH = ("id", "name", "title", "sex", "born", "city", "fide_id", "fmjd_id")


def entrants_of(event: Event) -> list[Entrant]:
    """Return all entries of an event. Two queries, one for an event of players."""
    teams = _entrants_of_competitors(Competitor.objects.filter(event=event).order_by("number"))
    if not event.is_team:
        return teams
    return [*teams, *_entrants_of_players(Player.objects.filter(competitor__event=event).order_by("pk"))]


def entrants_at(rows: Iterable[Row]) -> list[Entrant]:
    """Return the existing entries at these rows. At most two queries."""
    keys = list(rows)
    competitors, players = {key for key, _ in keys if key}, {key for _, key in keys if key}
    # Ordered, so that the older of two equally likely entries is suggested.
    found = Competitor.objects.filter(pk__in=competitors).order_by("pk")
    found_players = Player.objects.filter(pk__in=players).order_by("pk")
    return [*_entrants_of_competitors(found), *_entrants_of_players(found_players)]


def _entrants_of_competitors(rows: Any) -> list[Entrant]:
    names = (*_OF_BOTH, "event_id", "number", "code", "flag", *(f"event__{name}" for name in _OF_EVENT))
    return [
        _entrant_from_row(
            row, "event", competitor=row["id"], is_team=row["event__entrants"] == Event.Entrants.TEAMS
        )
        for row in rows.values(*names)
    ]


def _entrants_of_players(rows: Any) -> list[Entrant]:
    team = ("event_id", "number", "name", "code", "flag", *(f"event__{name}" for name in _OF_EVENT))
    names = (*_OF_BOTH, *(f"competitor__{name}" for name in team))
    return [_entrant_from_row(row, "competitor__event", player=row["id"]) for row in rows.values(*names)]


def _entrant_from_row(
    row: dict[str, Any],
    event: str,
    *,
    competitor: int | None = None,
    player: int | None = None,
    is_team: bool = False,
) -> Entrant:
    of = "" if competitor else "competitor__"
    year, kind = parse_year(row[f"{event}__start"]), row[f"{event}__teams_are"]
    # The code of a club is its own; its flag is that of its country, not of its players.
    is_own = not (player or is_team) or kind == Event.TeamsAre.NATIONS
    code = (row[f"{of}flag"] or row[f"{of}code"]) if is_own else ""
    bearer = federation(code, year) if code else None
    return Entrant(
        event=row[f"{of}event_id"],
        event_name=row[f"{event}__name"],
        year=year,
        discipline=row[f"{event}__discipline"],
        series=row[f"{event}__series_id"],
        kind=kind,
        is_team=is_team,
        competitor=competitor,
        player=player,
        number=row[f"{of}number"],
        name=row["name"],
        team=row["competitor__name"] if player else "",
        code=row[f"{of}code"] if is_team or is_own else "",
        federation=bearer.name if bearer else "",
        city=row["city"],
        title=row["title"],
        sex=row["sex"],
        born=row["born"],
        ids={scheme: str(row[name]) for scheme, name in SCHEMES.items() if row[name]},
    )


def federation_code(entrant: Entrant) -> str:
    """Return the current code of the federation that a player entered for. Blank if the code is unknown."""
    found = federation(entrant.code, entrant.year) if entrant.code else None
    return found.code if found else ""


def by_row(entrants: Iterable[Entrant]) -> dict[Row, Entrant]:
    return {each.row: each for each in entrants}


def row_of_link(link: PersonLink | TeamLink | EntryName) -> Row:
    return link.competitor_id, getattr(link, "player_id", None)


def entrants_of_links(links: Iterable[PersonLink | TeamLink | EntryName]) -> list[Entrant]:
    """Return the existing entries of links or names. At most two queries."""
    return entrants_at(map(row_of_link, links))
