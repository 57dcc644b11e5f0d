"""The shapes of the answers about persons and teams over events."""

from typing import Annotated

from typing_extensions import TypedDict

from standings.api.kinds import Address, Count, ExactFigure, Number, SlugOfEvent, described
from tournaments.event.values import Choice


class ListedData(TypedDict):
    id: Number
    name: str
    codes: Annotated[list[str], described("Federations of a person, codes of a team; as far as recorded.")]
    titles: list[str]
    events: Annotated[int, described("How many public events are linked.")]
    medals: Annotated[list[int], described("First, second and third places in events that are over.")]
    medals_with_teams: Annotated[list[int], described("The same as a player of a team; of a team zeros.")]
    address: Address
    page: Address


class PeopleListData(TypedDict):
    previous: Annotated[Address | None, described("The page before; null on the first.")]
    next: Annotated[Address | None, described("The page after; null on the last.")]
    total: Count
    page: Number
    pages: Number
    behind: Annotated[
        int, described("Events, persons and teams whose changes are still to be counted; 0 where all are.")
    ]
    listed: list[ListedData]


class SpanData(TypedDict):
    text: Annotated[str, described("A federation, a title, a name or a code.")]
    since: Annotated[str, described("A day or a year; blank where not known.")]
    until: Annotated[str, described("A day or a year; blank where not known.")]


class IdentifierData(TypedDict):
    scheme: Annotated[str, described("fide, fmjd, or that of a country, such as ned.")]
    value: str


class CareerGameData(TypedDict):
    round: Number
    table: Count
    board: Annotated[int | None, described("Null where there are no boards.")]
    colour: Annotated[str, Choice(("white", "black", "")), described("Blank where nobody tells.")]
    kind: Annotated[str, Choice(("played", "forfeit", "annulled"))]
    ended: Annotated[str, Choice(("won", "drawn", "lost"))]
    own: ExactFigure
    theirs: ExactFigure
    opponent: Annotated[str, described("As the event calls it; blank for nobody.")]
    opponent_id: Annotated[int | None, described("The person, or team, over events; null where not known.")]
    opponent_number: Annotated[int, described("The number there of the opponent, or of its team.")]
    opponent_rating: int | None


class ParticipationData(TypedDict):
    event: SlugOfEvent
    event_name: str
    start: Annotated[str, described("A day or a year; blank where not known.")]
    number: Annotated[int, described("Of the competitor: the own one, or the team's.")]
    name: Annotated[str, described("As the event has it.")]
    team: Annotated[str, described("Of a player of a team; else blank.")]
    board: int | None
    place: Annotated[str, described("With a star where set by hand; of a player of a team the team's.")]
    ranked: Annotated[int, described("How many have a place.")]
    points: ExactFigure
    won: Annotated[int, described("Games, or matches, over the board.")]
    drawn: int
    lost: int
    rating: int | None
    performance: int | None
    rating_change: Annotated[str | None, described("In rating points, to hundredths.")]
    games: Annotated[list[CareerGameData], described("Of a team its matches.")]
    address: Address


class PersonData(TypedDict):
    id: Number
    name: str
    is_hidden: Annotated[bool, described("The person asked to be left out; the name is a pseudonym.")]
    names: Annotated[list[str], described("Other names, in other scripts and orders.")]
    sex: str
    born: Annotated[str, described("The year; blank where not known.")]
    federations: list[SpanData]
    titles: list[SpanData]
    identifiers: list[IdentifierData]
    sources: list[str]
    page: Address
    events: Annotated[list[ParticipationData], described("Those that the site knows, the oldest first.")]


class TeamOverEventsData(TypedDict):
    id: Number
    name: str
    kind: Annotated[str, described("nations, clubs or cities.")]
    names: list[SpanData]
    codes: list[SpanData]
    page: Address
    events: list[ParticipationData]
