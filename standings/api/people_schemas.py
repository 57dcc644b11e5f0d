"""The response schemas of persons and teams."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from standings.api.kinds import (
    Address,
    Count,
    ExactFigure,
    Number,
    SlugOfEvent,
    StateOfEvent,
    api_field,
)
from tournaments.event.values import Choice

PartialDate = Annotated[str, api_field("A day or a year; blank where not known.")]
Medals = Annotated[
    list[Count],
    Field(min_length=3, max_length=3, description="First, second and third places in events that are over."),
]


class ListedData(TypedDict):
    id: Number
    name: str
    codes: Annotated[list[str], api_field("Federations of a person, codes of a team; as far as recorded.")]
    titles: list[str]
    events: Annotated[int, api_field("How many public events are linked.")]
    medals: Medals
    medals_with_teams: Annotated[list[int], api_field("The same as a player of a team; of a team zeros.")]
    address: Address
    page: Address


class PeopleListData(TypedDict):
    previous: Annotated[Address | None, api_field("The page before; null on the first.")]
    next: Annotated[Address | None, api_field("The page after; null on the last.")]
    total: Count
    page: Number
    pages: Number
    behind: Annotated[
        int,
        api_field("Events, persons and teams whose changes are still to be counted; 0 where all are."),
    ]
    listed: list[ListedData]


class SpanData(TypedDict):
    text: Annotated[str, api_field("A federation, a title, a name or a code.")]
    since: PartialDate
    until: PartialDate


class IdentifierData(TypedDict):
    scheme: Annotated[str, api_field("fide, fmjd, or that of a country, such as ned.")]
    value: str


# --- what a career is made of -----------------------------------------------------------------------------


class CareerGameData(TypedDict):
    round: Number
    table: Count
    board: Annotated[int | None, api_field("Null where there are no boards.")]
    colour: Annotated[str, Choice(("white", "black", "")), api_field("Blank where nobody tells.")]
    kind: Annotated[str, Choice(("played", "forfeit", "annulled"))]
    ended: Annotated[str, Choice(("won", "drawn", "lost"))]
    own: ExactFigure
    theirs: ExactFigure
    result: Annotated[str, api_field("As pages print it: 2-0, ½-½, 1+ 1-, + -.")]
    opponent: Annotated[str, api_field("As the event calls it; blank for nobody.")]
    opponent_id: Annotated[int | None, api_field("The person, or team, over events; null where not known.")]
    opponent_number: Annotated[int, api_field("The number there of the opponent, or of its team.")]
    opponent_rating: int | None
    opponent_federation: Annotated[str, api_field("The code in the event; blank where not known.")]
    page: Annotated[Address, api_field("Of the match; in an event of players, of the game.")]


class ParticipationData(TypedDict):
    event: SlugOfEvent
    event_name: str
    state: StateOfEvent
    start: PartialDate
    end: PartialDate
    number: Annotated[int, api_field("Of the competitor: the own one, or the team's.")]
    name: Annotated[str, api_field("As the event has it.")]
    title: Annotated[str, api_field("As the event has it.")]
    federation: Annotated[str, api_field("The code in the event; blank where not known.")]
    team: Annotated[str, api_field("Of a player of a team; else blank.")]
    board: int | None
    place: Annotated[str, api_field("With a star where set by hand; of a player of a team the team's.")]
    placed: Annotated[Number | None, api_field("The place as a number.")]
    ranked: Annotated[int, api_field("How many have a place.")]
    medal: Annotated[Number | None, api_field("1, 2 or 3: the place, where it counts among the medals.")]
    points: Annotated[
        ExactFigure | None,
        api_field(
            "As the event counts them, with byes and forfeits. This and the next five fields are null if no"
            " results are recorded."
        ),
    ]
    won: Annotated[int | None, api_field("Games, or matches, over the board.")]
    drawn: int | None
    lost: int | None
    forfeits_won: Count | None
    forfeits_lost: Count | None
    rating: Annotated[int | None, api_field("As the event recorded it, whichever list it is from.")]
    performance: int | None
    rating_change: Annotated[str | None, api_field("In rating points, to hundredths.")]
    games: Annotated[list[CareerGameData], api_field("Of a team its matches.")]
    address: Address
    page: Annotated[Address, api_field("The card of the competitor, or of the team.")]


class CareerTallyData(TypedDict):
    games: Annotated[Count, api_field("Over the board; of a team its matches. What follows is of these.")]
    won: Count
    drawn: Count
    lost: Count
    points: Annotated[ExactFigure, api_field("A draw as one half, whatever the events gave.")]
    percent: Annotated[str, api_field("The points in per cent, rounded; blank without a game.")]
    forfeits_won: Annotated[Count, api_field("Forfeits are no games, and count in nothing else.")]
    forfeits_lost: Count


class YearTotalData(TypedDict):
    year: Annotated[Number | None, api_field("In which the events began; null where not known.")]
    events: Count
    tally: CareerTallyData


class FederationTotalData(TypedDict):
    federation: Annotated[str, api_field("The code of the opponents'; blank where not known.")]
    tally: CareerTallyData


class GameOfCareerData(TypedDict):
    event: SlugOfEvent
    event_name: str
    start: PartialDate
    game: CareerGameData


class CareerTotalsData(TypedDict):
    all: CareerTallyData
    white: Annotated[CareerTallyData, api_field("Games of which the event tells who had White.")]
    black: CareerTallyData
    medals: Medals
    medals_with_teams: Annotated[Medals, api_field("The same as a player of a team; of a team zeros.")]
    years: Annotated[list[YearTotalData], api_field("The latest first.")]
    federations: Annotated[list[FederationTotalData], api_field("The most games first.")]
    best_wins: Annotated[
        list[GameOfCareerData],
        api_field(
            "Against the highest ratings, the highest first; where nobody who was beaten had one, against the"
            " first three of events that are over."
        ),
    ]


# --- persons and teams ------------------------------------------------------------------------------------


class PersonData(TypedDict):
    id: Number
    name: str
    is_hidden: Annotated[bool, api_field("The person asked to be left out; the name is a pseudonym.")]
    names: Annotated[list[str], api_field("Other names, in other scripts and orders.")]
    written: Annotated[list[str], api_field("As events have the name, where that is none of the others.")]
    sex: str
    born: Annotated[str, api_field("The year; blank where not known.")]
    federations: Annotated[
        list[SpanData], api_field("Where none is recorded of the person, those that events recorded.")
    ]
    titles: Annotated[
        list[SpanData],
        api_field("Where none is recorded of the person, the one of the last event that has one."),
    ]
    identifiers: list[IdentifierData]
    sources: list[str]
    page: Address
    opponents: Annotated[Address | None, api_field("All who were met; null of who is hidden.")]
    feed: Annotated[Address | None, api_field("The events as Atom; null of who is hidden.")]
    events: Annotated[list[ParticipationData], api_field("Those that the site knows, the oldest first.")]
    totals: Annotated[CareerTotalsData | None, api_field("Null of who is hidden.")]


class EditionOfMemberData(TypedDict):
    event: SlugOfEvent
    year: Annotated[Number | None, api_field("Null where not known.")]
    points: Annotated[ExactFigure, api_field("As the event counts them, with forfeits.")]


class MemberData(TypedDict):
    id: Annotated[Number | None, api_field("The person over events; null where not known.")]
    name: str
    editions: Annotated[list[EditionOfMemberData], api_field("The oldest first.")]
    points: Annotated[ExactFigure, api_field("The sum of those of the editions.")]
    tally: CareerTallyData


class TeamOverEventsData(TypedDict):
    id: Number
    name: str
    kind: Annotated[str, api_field("nations, clubs or cities.")]
    names: list[SpanData]
    written: Annotated[list[str], api_field("As events have the name, where that is none of the others.")]
    codes: list[SpanData]
    page: Address
    opponents: Annotated[Address, api_field("All who were met.")]
    feed: Annotated[Address, api_field("The events as Atom.")]
    events: Annotated[list[ParticipationData], api_field("Those that the site knows, the oldest first.")]
    totals: CareerTotalsData
    members: Annotated[list[MemberData], api_field("Who played for it, the most games first.")]


# --- against each other -----------------------------------------------------------------------------------


class OpponentData(TypedDict):
    id: Number
    name: Annotated[str, api_field("As it was called last.")]
    tally: CareerTallyData
    address: Annotated[Address, api_field("All games against each other.")]
    page: Annotated[Address, api_field("The same as a page.")]


class OpponentsData(TypedDict):
    id: Number
    name: str
    page: Address
    opponents: Annotated[
        list[OpponentData],
        api_field("Those known over events, the most met first; forfeits are no games."),
    ]


class SideData(TypedDict):
    id: Number
    name: str
    events: Annotated[Count, api_field("How many public events the site knows of it.")]
    first_year: Annotated[Number | None, api_field("Of these; null where not known.")]
    last_year: Annotated[Number | None, api_field("Of these; null where not known.")]
    address: Address


class PlaceThereData(TypedDict):
    number: Annotated[Number, api_field("Of the competitor: the own one, or the team's.")]
    place: Annotated[str, api_field("With a star where set by hand; blank without one.")]
    ranked: Annotated[int, api_field("How many have a place.")]


class SharedEventData(TypedDict):
    event: SlugOfEvent
    event_name: str
    start: PartialDate
    first: Annotated[list[PlaceThereData], api_field("Of the first one; two where it took part twice.")]
    second: list[PlaceThereData]


class HeadToHeadData(TypedDict):
    first: SideData
    second: SideData
    tally: Annotated[CareerTallyData, api_field("As the first one made it.")]
    games: Annotated[
        list[GameOfCareerData],
        api_field("As the first one made them, the oldest first; of teams matches."),
    ]
    events: Annotated[list[SharedEventData], api_field("All that had both, the oldest first.")]
    turned: Annotated[Address, api_field("The same as the second one made it.")]
    page: Address
