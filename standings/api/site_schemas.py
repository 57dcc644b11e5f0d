"""The response schemas of the site: index, events, series, congresses, persons and teams."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field
from typing_extensions import TypedDict

from standings.api.kinds import (
    AS_IS,
    Address,
    Count,
    ExactPoints,
    HalfPoints,
    Hundredths,
    Number,
    OrNull,
    ResponseModel,
    RestsOn,
    SlugOfEvent,
    StateOfEvent,
    TimeOfChange,
    api_field,
    link_to,
)
from standings.statistics.summary import per_cent_text
from tournaments.event.choices import Entrants, Schedule
from tournaments.event.values import Choice


class ProblemData(ResponseModel):
    type: str = api_field("Always about:blank: the status says what kind it is (RFC 9457).")
    title: str = api_field("The status in words.")
    status: int = api_field("That of the answer.")
    detail: str = api_field("What is wrong, and what to do about it.")


class EndpointData(ResponseModel):
    path: str
    summary: str


class IndexData(ResponseModel):
    name: str
    version: str
    document: Address
    bulk: Address = api_field("All public event files in one, an event a line.")
    feed: Address = api_field("Events by their dates, and corrections.")
    added_feed: Address = api_field("Events by the time at which they were added here.")
    sitemap: Address
    endpoints: list[EndpointData]


class DocumentData(TypedDict):
    openapi: str
    externalDocs: dict[str, str]
    info: dict[str, Any]
    servers: list[dict[str, Any]]
    tags: list[dict[str, Any]]
    paths: dict[str, Any]
    components: dict[str, Any]


# --- events -----------------------------------------------------------------------------------------------


class EventBrief(ResponseModel):
    slug: SlugOfEvent
    former_slugs: list[str] = api_field("Addresses that the event had before.")
    name: str
    series: str | None = api_field(source="series.slug", default=None)
    congress: str
    section: str
    place: str
    country: str
    start: str
    end: str
    time_zone: str
    state: StateOfEvent
    discipline: str
    entrants: Annotated[str, Choice.of(Entrants), AS_IS]
    schedule: Annotated[str, Choice.of(Schedule), AS_IS]
    rounds: Number = api_field(source="planned_rounds")
    competitors: Count
    modified: TimeOfChange = api_field("When anything of the event was changed last.")
    added: TimeOfChange = api_field("When readers could first see it here.")
    address: Annotated[Address, link_to("api-event")] = api_field(source="slug")
    event_file: Annotated[Address, link_to("event-json")] = api_field(source="slug")


class RemovedEvent(ResponseModel):
    slug: SlugOfEvent
    modified: TimeOfChange = api_field("When it was taken away, or changed since.")


class EventsData(ResponseModel):
    total: Count | None = api_field("On all pages; none of what was modified.")
    page: Number | None = api_field("From 1; none of what was modified.")
    pages: Number | None = api_field("How many there are; none of what was modified.")
    previous: Address | None
    next: Address | None
    until: TimeOfChange = api_field(
        "The modified_since to ask with next time: all that was changed before has been told by now."
    )
    epoch: str = api_field("Another one than last time: the site was restored from a backup, so begin anew.")
    events: list[EventBrief]
    removed: list[RemovedEvent] = api_field(
        "Events that were public and are not any more; only of what was modified."
    )


# --- series and congresses --------------------------------------------------------------------------------


class FirstPlaceData(ResponseModel):
    place: str = api_field("As it is printed: 1, or 1* where it was set by hand.")
    number: Number
    name: str


class SeriesBrief(ResponseModel):
    slug: str
    name: str
    editions: Number
    first_year: str
    last_year: str
    last_event: SlugOfEvent = api_field("The latest edition that has begun, else the latest.", "last.slug")
    is_over: bool = api_field("The last event is over: its first are its winners.", "last.is_over")
    first: list[FirstPlaceData]
    sharing: Count = api_field(
        "How many share the first place; the first three of them are named.", "outcome.sharing", default=0
    )
    address: Annotated[Address, link_to("api-series")] = api_field(source="slug")
    page: Annotated[Address, link_to("series")] = api_field(source="slug")


class SeriesListData(ResponseModel):
    series: list[SeriesBrief]


class EditionData(ResponseModel):
    event: SlugOfEvent = api_field(source="event.slug")
    name: str = api_field(source="event.name")
    year: str
    place: str = api_field(source="event.place")
    country: str = api_field(source="event.country")
    state: StateOfEvent = api_field(source="event.state")
    rests_on: RestsOn = api_field(source="basis")
    first: list[FirstPlaceData] = api_field("The first three; none before anything was played.")
    address: Annotated[Address, link_to("api-event")] = api_field(source="event.slug")


class CareerData(ResponseModel):
    place: Number
    name: str = api_field(source="career.last.result.name")
    code: str = api_field(source="career.last.result.code")
    event: SlugOfEvent = api_field(
        "Of the latest appearance, which says how it is called.", "career.last.event.slug"
    )
    number: Number = api_field("Its number there.", "career.last.result.number")
    gold: Count = api_field(source="career.medals.0")
    silver: Count = api_field(source="career.medals.1")
    bronze: Count = api_field(source="career.medals.2")
    best: OrNull[Number] = api_field("The best place.", "career.best")
    editions: Number = api_field(source="career.editions")
    matches: Count = api_field(source="career.matches")
    won: Count = api_field(source="career.won")
    drawn: Count = api_field(source="career.drawn")
    lost: Count = api_field(source="career.lost")
    match_points: HalfPoints = api_field(source="career.match_points")
    game_points: HalfPoints = api_field(source="career.points")
    most_game_points: HalfPoints = api_field("Those that could be scored.", "career.most")


class SeriesData(ResponseModel):
    slug: str
    name: str
    page: Annotated[Address, link_to("series")] = api_field(source="slug")
    editions: list[EditionData] = api_field("The latest first.")
    medals: list[CareerData] = api_field("Who stood on the first three places, of what is over.")
    all_time: list[CareerData] = api_field("All of the editions that are over, by their points.")
    mixed: bool = api_field("Editions scored matches or games differently.")


class CongressBrief(ResponseModel):
    slug: str
    name: str
    sections: Number
    address: Annotated[Address, link_to("api-congress")] = api_field(source="slug")
    page: Annotated[Address, link_to("congress")] = api_field(source="slug")


class CongressListData(ResponseModel):
    congresses: list[CongressBrief]


class CongressData(ResponseModel):
    slug: str
    name: str
    page: Annotated[Address, link_to("congress")] = api_field(source="slug")
    sections: list[EventBrief] = api_field("In the order in which they were entered.")


# --- lists of persons and teams ---------------------------------------------------------------------------

PartialDate = Annotated[str, api_field("A day or a year; blank where not known.")]
Medals = Annotated[
    list[Count],
    Field(min_length=3, max_length=3, description="First, second and third places in events that are over."),
]

COLOURS = {1: "white", 0: "", -1: "black"}
ENDED = {1: "won", 0: "drawn", -1: "lost"}


class ListedData(ResponseModel):
    id: Number = api_field(source="leading.id")
    name: str = api_field(source="leading.name")
    codes: list[str] = api_field("Federations of a person, codes of a team; as far as recorded.")
    titles: list[str]
    events: int = api_field("How many public events are linked.")
    medals: Annotated[Medals, BeforeValidator(lambda medals: medals[:3])]
    medals_with_teams: Annotated[list[int], BeforeValidator(lambda medals: medals[3:])] = api_field(
        "The same as a player of a team; of a team zeros.", "medals"
    )
    address: Address
    page: Address


class PeopleListData(ResponseModel):
    previous: Address | None = api_field("The page before; null on the first.")
    next: Address | None = api_field("The page after; null on the last.")
    total: Count
    page: Number
    pages: Number
    behind: int = api_field(
        "Events, persons and teams whose changes are still to be counted; 0 where all are."
    )
    listed: list[ListedData]


class SpanData(ResponseModel):
    text: str = api_field("A federation, a title, a name or a code.")
    since: PartialDate
    until: PartialDate


class IdentifierData(ResponseModel):
    scheme: str = api_field("fide, fmjd, or that of a country, such as ned.")
    value: str


# --- what a career is made of -----------------------------------------------------------------------------


class CareerGameData(ResponseModel):
    round: Number
    table: Count
    board: OrNull[int] = api_field("Null where there are no boards.")
    colour: Annotated[str, Choice(("white", "black", "")), AS_IS, BeforeValidator(COLOURS.get)] = api_field(
        "Blank where nobody tells."
    )
    kind: Annotated[str, Choice(("played", "forfeit", "annulled")), AS_IS]
    ended: Annotated[str, Choice(("won", "drawn", "lost")), AS_IS, BeforeValidator(ENDED.get)]
    own: ExactPoints
    theirs: ExactPoints
    result: str = api_field("As pages print it: 2-0, ½-½, 1+ 1-, + -.")
    opponent: str = api_field("As the event calls it; blank for nobody.", "opponent.name")
    opponent_id: int | None = api_field(
        "The person, or team, over events; null where not known.", "opponent.key"
    )
    opponent_number: int = api_field("The number there of the opponent, or of its team.", "opponent.number")
    opponent_rating: OrNull[int] = api_field(source="opponent.rating")
    opponent_federation: str = api_field("The code in the event; blank where not known.", "opponent.code")
    page: Annotated[Address, link_to("match")] = api_field(
        "Of the match; in an event of players, of the game."
    )


class ParticipationData(ResponseModel):
    event: SlugOfEvent = api_field(source="event.slug")
    event_name: str = api_field(source="event.name")
    state: StateOfEvent = api_field(source="event.state")
    start: PartialDate = api_field(source="event.start")
    end: PartialDate = api_field(source="event.end")
    number: int = api_field("Of the competitor: the own one, or the team's.")
    name: str = api_field("As the event has it.")
    title: str = api_field("As the event has it.")
    federation: str = api_field("The code in the event; blank where not known.", "code")
    team: str = api_field("Of a player of a team; else blank.")
    board: OrNull[int]
    place: str = api_field("With a star where set by hand; of a player of a team the team's.")
    placed: OrNull[Number] = api_field("The place as a number.")
    ranked: int = api_field("How many have a place.")
    medal: OrNull[Number] = api_field("1, 2 or 3: the place, where it counts among the medals.")
    points: ExactPoints | None = api_field(
        "As the event counts them, with byes and forfeits. This and the next five fields are null if no"
        " results are recorded."
    )
    won: int | None = api_field("Games, or matches, over the board.", "tally.won", default=None)
    drawn: int | None = api_field(source="tally.drawn", default=None)
    lost: int | None = api_field(source="tally.lost", default=None)
    forfeits_won: Count | None = api_field(source="tally.forfeits_won", default=None)
    forfeits_lost: Count | None = api_field(source="tally.forfeits_lost", default=None)
    rating: OrNull[int] = api_field("As the event recorded it, whichever list it is from.")
    performance: int | None
    rating_change: Hundredths | None = api_field("In rating points, to hundredths.", "change")
    games: list[CareerGameData] = api_field("Of a team its matches.")
    address: Annotated[Address, link_to("api-event")] = api_field(source="event.slug")
    page: Annotated[Address, link_to("competitor")] = api_field("The card of the competitor, or of the team.")


class CareerTallyData(ResponseModel):
    games: Count = api_field("Over the board; of a team its matches. What follows is of these.")
    won: Count
    drawn: Count
    lost: Count
    points: ExactPoints = api_field("A draw as one half, whatever the events gave.")
    percent: Annotated[str, BeforeValidator(per_cent_text)] = api_field(
        "The points in per cent, rounded; blank without a game.", "share"
    )
    forfeits_won: Count = api_field("Forfeits are no games, and count in nothing else.")
    forfeits_lost: Count


class YearTotalData(ResponseModel):
    year: OrNull[Number] = api_field("In which the events began; null where not known.")
    events: Count
    tally: CareerTallyData


class FederationTotalData(ResponseModel):
    federation: str = api_field("The code of the opponents'; blank where not known.", "code")
    tally: CareerTallyData


class GameOfCareerData(ResponseModel):
    event: SlugOfEvent = api_field(source="participation.event.slug")
    event_name: str = api_field(source="participation.event.name")
    start: PartialDate = api_field(source="participation.event.start")
    game: CareerGameData


class CareerTotalsData(ResponseModel):
    all: CareerTallyData
    white: CareerTallyData = api_field("Games of which the event tells who had White.")
    black: CareerTallyData
    medals: Medals
    medals_with_teams: Medals = api_field("The same as a player of a team; of a team zeros.", "team_medals")
    years: list[YearTotalData] = api_field("The latest first.")
    federations: list[FederationTotalData] = api_field("The most games first.")
    best_wins: list[GameOfCareerData] = api_field(
        "Against the highest ratings, the highest first; where nobody who was beaten had one, against the"
        " first three of events that are over."
    )


# --- persons and teams ------------------------------------------------------------------------------------


class PersonData(ResponseModel):
    id: Number
    name: str
    is_hidden: bool = api_field("The person asked to be left out; the name is a pseudonym.")
    names: list[str] = api_field("Other names, in other scripts and orders.")
    written: list[str] = api_field("As events have the name, where that is none of the others.")
    sex: str
    born: str = api_field("The year; blank where not known.")
    federations: list[SpanData] = api_field(
        "Where none is recorded of the person, those that events recorded."
    )
    titles: list[SpanData] = api_field(
        "Where none is recorded of the person, the one of the last event that has one."
    )
    identifiers: list[IdentifierData]
    sources: list[str]
    page: Address
    opponents: Address | None = api_field("All who were met; null of who is hidden.")
    feed: Address | None = api_field("The events as Atom; null of who is hidden.")
    events: list[ParticipationData] = api_field("Those that the site knows, the oldest first.")
    totals: CareerTotalsData | None = api_field("Null of who is hidden.")


class EditionOfMemberData(ResponseModel):
    event: SlugOfEvent = api_field(source="event.slug")
    year: OrNull[Number] = api_field("Null where not known.")
    points: ExactPoints = api_field("As the event counts them, with forfeits.")


class MemberData(ResponseModel):
    id: Number | None = api_field("The person over events; null where not known.", "leading.id", default=None)
    name: str
    editions: list[EditionOfMemberData] = api_field("The oldest first.")
    points: ExactPoints = api_field("The sum of those of the editions.")
    tally: CareerTallyData


class TeamOverEventsData(ResponseModel):
    id: Number
    name: str
    kind: str = api_field("nations, clubs or cities.")
    names: list[SpanData]
    written: list[str] = api_field("As events have the name, where that is none of the others.")
    codes: list[SpanData]
    page: Address
    opponents: Address = api_field("All who were met.")
    feed: Address = api_field("The events as Atom.")
    events: list[ParticipationData] = api_field("Those that the site knows, the oldest first.")
    totals: CareerTotalsData
    members: list[MemberData] = api_field("Who played for it, the most games first.")


# --- against each other -----------------------------------------------------------------------------------


class OpponentData(ResponseModel):
    id: Number = api_field(source="key")
    name: str = api_field("As it was called last.", "opponent.name")
    tally: CareerTallyData
    address: Address = api_field("All games against each other.")
    page: Address = api_field("The same as a page.")


class OpponentsData(ResponseModel):
    id: Number
    name: str
    page: Address
    opponents: list[OpponentData] = api_field(
        "Those known over events, the most met first; forfeits are no games."
    )


class SideData(ResponseModel):
    id: Number
    name: str
    events: Count = api_field("How many public events the site knows of it.")
    first_year: Number | None = api_field("Of these; null where not known.")
    last_year: Number | None = api_field("Of these; null where not known.")
    address: Address


class PlaceThereData(ResponseModel):
    number: Number = api_field("Of the competitor: the own one, or the team's.")
    place: str = api_field("With a star where set by hand; blank without one.")
    ranked: int = api_field("How many have a place.")


class SharedEventData(ResponseModel):
    event: SlugOfEvent = api_field(source="event.slug")
    event_name: str = api_field(source="event.name")
    start: PartialDate = api_field(source="event.start")
    first: list[PlaceThereData] = api_field("Of the first one; two where it took part twice.")
    second: list[PlaceThereData]


class HeadToHeadData(ResponseModel):
    first: SideData
    second: SideData
    tally: CareerTallyData = api_field("As the first one made it.")
    games: list[GameOfCareerData] = api_field(
        "As the first one made them, the oldest first; of teams matches."
    )
    events: list[SharedEventData] = api_field("All that had both, the oldest first.")
    turned: Address = api_field("The same as the second one made it.")
    page: Address
