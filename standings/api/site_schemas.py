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
    type: str = api_field("Always about:blank. The status identifies the kind of problem (RFC 9457).")
    title: str = api_field("The name of the status.")
    status: int = api_field("The status of the response.")
    detail: str = api_field("What is wrong, and how to correct it.")


class EndpointData(ResponseModel):
    path: str
    summary: str


class IndexData(ResponseModel):
    name: str
    version: str
    document: Address
    bulk: Address = api_field("All public event files in one file, one event per line.")
    feed: Address = api_field("A feed of events by date, and of corrections.")
    added_feed: Address = api_field("A feed of events by the time of their publication here.")
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
    former_slugs: list[str] = api_field("Former slugs of the event.")
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
    modified: TimeOfChange = api_field("The time of the last change of the event.")
    added: TimeOfChange = api_field("The time at which the event became public here.")
    address: Annotated[Address, link_to("api-event")] = api_field(source="slug")
    event_file: Annotated[Address, link_to("event-json")] = api_field(source="slug")


class RemovedEvent(ResponseModel):
    slug: SlugOfEvent
    modified: TimeOfChange = api_field("The time at which the event was removed, or of a later change.")


class EventsData(ResponseModel):
    total: Count | None = api_field("The number of events on all pages. Null in a list of modified events.")
    page: Number | None = api_field("The number of the page, from 1. Null in a list of modified events.")
    pages: Number | None = api_field("The number of pages. Null in a list of modified events.")
    previous: Address | None
    next: Address | None
    until: TimeOfChange = api_field(
        "The modified_since of the next request. All earlier changes are in this list."
    )
    epoch: str = api_field("If it has changed, the site was restored from a backup: read all again.")
    events: list[EventBrief]
    removed: list[RemovedEvent] = api_field("Events that are no longer public, in a list of modified events.")


# --- series and congresses --------------------------------------------------------------------------------


class FirstPlaceData(ResponseModel):
    place: str = api_field("The place as pages show it: 1, or 1* if a ruling set it.")
    number: Number
    name: str


class SeriesBrief(ResponseModel):
    slug: str
    name: str
    editions: Number
    first_year: str
    last_year: str
    last_event: SlugOfEvent = api_field("The latest edition, if possible one that has begun.", "last.slug")
    is_over: bool = api_field("If true, `first` has the final winners.", "last.is_over")
    first: list[FirstPlaceData]
    sharing: Count = api_field("The number of competitors on the first place.", "outcome.sharing", default=0)
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
    first: list[FirstPlaceData] = api_field("The first three places. Empty before the first result.")
    address: Annotated[Address, link_to("api-event")] = api_field(source="event.slug")


class CareerData(ResponseModel):
    place: Number
    name: str = api_field(source="career.last.result.name")
    code: str = api_field(source="career.last.result.code")
    event: SlugOfEvent = api_field(
        "The latest event, from which name and code are taken.", "career.last.event.slug"
    )
    number: Number = api_field("The number of the competitor in that event.", "career.last.result.number")
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
    most_game_points: HalfPoints = api_field("The maximum number of game points.", "career.most")


class SeriesData(ResponseModel):
    slug: str
    name: str
    page: Annotated[Address, link_to("series")] = api_field(source="slug")
    editions: list[EditionData] = api_field("The newest first.")
    medals: list[CareerData] = api_field("The medal table of the editions that are over.")
    all_time: list[CareerData] = api_field("All competitors of the editions that are over, by points.")
    mixed: bool = api_field("Whether the scoring of matches or games differs between editions.")


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
    sections: list[EventBrief] = api_field("The sections, in the order in which they were entered.")


# --- lists of persons and teams ---------------------------------------------------------------------------

PartialDate = Annotated[str, api_field("A day or a year. Blank if unknown.")]
Medals = Annotated[
    list[Count],
    Field(min_length=3, max_length=3, description="First, second and third places in events that are over."),
]

COLOURS = {1: "white", 0: "", -1: "black"}
ENDED = {1: "won", 0: "drawn", -1: "lost"}


class ListedData(ResponseModel):
    id: Number = api_field(source="leading.id")
    name: str = api_field(source="leading.name")
    codes: list[str] = api_field("The recorded federations of a player, or codes of a team.")
    titles: list[str]
    events: int = api_field("The number of linked public events.")
    medals: Annotated[Medals, BeforeValidator(lambda medals: medals[:3])]
    medals_with_teams: Annotated[list[int], BeforeValidator(lambda medals: medals[3:])] = api_field(
        "As a player of a team. Zeros for a team.", "medals"
    )
    address: Address
    page: Address


class PeopleListData(ResponseModel):
    previous: Address | None = api_field("The previous page. Null on the first page.")
    next: Address | None = api_field("The next page. Null on the last page.")
    total: Count
    page: Number
    pages: Number
    behind: int = api_field("The number of events, players and teams whose changes are not counted yet.")
    listed: list[ListedData]


class SpanData(ResponseModel):
    text: str = api_field("A federation, a title, a name or a code.")
    since: PartialDate
    until: PartialDate


class IdentifierData(ResponseModel):
    scheme: str = api_field("The register: fide, fmjd, or a country such as ned.")
    value: str


# --- what a career is made of -----------------------------------------------------------------------------


class CareerGameData(ResponseModel):
    round: Number
    table: Count
    board: OrNull[int] = api_field("Null if there are no boards.")
    colour: Annotated[str, Choice(("white", "black", "")), AS_IS, BeforeValidator(COLOURS.get)] = api_field(
        "Blank if unknown."
    )
    kind: Annotated[str, Choice(("played", "forfeit", "annulled")), AS_IS]
    ended: Annotated[str, Choice(("won", "drawn", "lost")), AS_IS, BeforeValidator(ENDED.get)]
    own: ExactPoints
    theirs: ExactPoints
    result: str = api_field("The result as pages show it: 2-0, ½-½, 1+ 1-, + -.")
    opponent: str = api_field("The name in the event. Blank if there was no opponent.", "opponent.name")
    opponent_id: int | None = api_field(
        "The number of the player or team across events. Null if unknown.", "opponent.key"
    )
    opponent_number: int = api_field("Of the opponent, or the opponent's team.", "opponent.number")
    opponent_rating: OrNull[int] = api_field(source="opponent.rating")
    opponent_federation: str = api_field("The code in the event. Blank if unknown.", "opponent.code")
    page: Annotated[Address, link_to("match")] = api_field(
        "The page of the match, or of the game in an event of players."
    )


class ParticipationData(ResponseModel):
    event: SlugOfEvent = api_field(source="event.slug")
    event_name: str = api_field(source="event.name")
    state: StateOfEvent = api_field(source="event.state")
    start: PartialDate = api_field(source="event.start")
    end: PartialDate = api_field(source="event.end")
    number: int = api_field("The number of the competitor, or of the player's team.")
    name: str = api_field("The name in the event.")
    title: str = api_field("The title in the event.")
    federation: str = api_field("The code in the event. Blank if unknown.", "code")
    team: str = api_field("The team of the player. Blank in an event of players.")
    board: OrNull[int]
    place: str = api_field("The place, or that of the player's team, with a star if a ruling set it.")
    placed: OrNull[Number] = api_field("The place as a number.")
    ranked: int = api_field("The number of competitors with a place.")
    medal: OrNull[Number] = api_field("The place if it is a medal: 1, 2 or 3.")
    points: ExactPoints | None = api_field(
        "The points in the event, with byes and forfeits. This and the next five fields are null if no"
        " results are recorded."
    )
    won: int | None = api_field("Won games, or matches of a team, no forfeits.", "tally.won", default=None)
    drawn: int | None = api_field(source="tally.drawn", default=None)
    lost: int | None = api_field(source="tally.lost", default=None)
    forfeits_won: Count | None = api_field(source="tally.forfeits_won", default=None)
    forfeits_lost: Count | None = api_field(source="tally.forfeits_lost", default=None)
    rating: OrNull[int] = api_field("The rating in the event, from any list.")
    performance: int | None
    rating_change: Hundredths | None = api_field("The change in rating points, to hundredths.", "change")
    games: list[CareerGameData] = api_field("The games of a player, or the matches of a team.")
    address: Annotated[Address, link_to("api-event")] = api_field(source="event.slug")
    page: Annotated[Address, link_to("competitor")] = api_field("Of the competitor, or the player's team.")


class CareerTallyData(ResponseModel):
    games: Count = api_field("Games, or matches of a team, without forfeits, as below.")
    won: Count
    drawn: Count
    lost: Count
    points: ExactPoints = api_field("The points, with one half for a draw in every event.")
    percent: Annotated[str, BeforeValidator(per_cent_text)] = api_field(
        "The points in per cent, rounded. Blank without games.", "share"
    )
    forfeits_won: Count = api_field("The number of forfeits won. Forfeits count in no other figure.")
    forfeits_lost: Count


class YearTotalData(ResponseModel):
    year: OrNull[Number] = api_field("The year in which the events began. Null if unknown.")
    events: Count
    tally: CareerTallyData


class FederationTotalData(ResponseModel):
    federation: str = api_field("The federation code of the opponents. Blank if unknown.", "code")
    tally: CareerTallyData


class GameOfCareerData(ResponseModel):
    event: SlugOfEvent = api_field(source="participation.event.slug")
    event_name: str = api_field(source="participation.event.name")
    start: PartialDate = api_field(source="participation.event.start")
    game: CareerGameData


class CareerTotalsData(ResponseModel):
    all: CareerTallyData
    white: CareerTallyData = api_field("Games with White, as far as the colours are known.")
    black: CareerTallyData
    medals: Medals
    medals_with_teams: Medals = api_field("As a player of a team. Zeros for a team.", "team_medals")
    years: list[YearTotalData] = api_field("The newest first.")
    federations: list[FederationTotalData] = api_field("Most games first.")
    best_wins: list[GameOfCareerData] = api_field(
        "Wins against the highest ratings, the highest first. If no beaten opponent is rated: wins"
        " against the first three places of events that are over."
    )


# --- persons and teams ------------------------------------------------------------------------------------


class PersonData(ResponseModel):
    id: Number
    name: str
    is_hidden: bool = api_field("Whether the player is hidden on request. The name is a pseudonym then.")
    names: list[str] = api_field("Other spellings of the name, such as in other scripts.")
    written: list[str] = api_field("Further spellings of the name in events.")
    sex: str
    born: str = api_field("The year of birth. Blank if unknown.")
    federations: list[SpanData] = api_field(
        "The recorded federations of the player, or those of the events if there are none."
    )
    titles: list[SpanData] = api_field(
        "The recorded titles of the player, or the last title in an event if there are none."
    )
    identifiers: list[IdentifierData]
    sources: list[str]
    page: Address
    opponents: Address | None = api_field("The list of opponents. Null if the player is hidden.")
    feed: Address | None = api_field("An Atom feed of the events. Null if the player is hidden.")
    events: list[ParticipationData] = api_field("The linked public events, the oldest first.")
    totals: CareerTotalsData | None = api_field("Null if the player is hidden.")


class EditionOfMemberData(ResponseModel):
    event: SlugOfEvent = api_field(source="event.slug")
    year: OrNull[Number] = api_field("Null if unknown.")
    points: ExactPoints = api_field("The points in the event, with forfeits.")


class MemberData(ResponseModel):
    id: Number | None = api_field("The player. Null if unknown.", "leading.id", default=None)
    name: str
    editions: list[EditionOfMemberData] = api_field("The oldest first.")
    points: ExactPoints = api_field("The sum of the points of the editions.")
    tally: CareerTallyData


class TeamOverEventsData(ResponseModel):
    id: Number
    name: str
    kind: str = api_field("The kind of team: nations, clubs or cities.")
    names: list[SpanData]
    written: list[str] = api_field("Further spellings of the name in events.")
    codes: list[SpanData]
    page: Address
    opponents: Address = api_field("The list of opponents.")
    feed: Address = api_field("An Atom feed of the events.")
    events: list[ParticipationData] = api_field("The linked public events, the oldest first.")
    totals: CareerTotalsData
    members: list[MemberData] = api_field("The players of the team, most games first.")


# --- against each other -----------------------------------------------------------------------------------


class OpponentData(ResponseModel):
    id: Number = api_field(source="key")
    name: str = api_field("The latest name.", "opponent.name")
    tally: CareerTallyData
    address: Address = api_field("All games against this opponent.")
    page: Address = api_field("The page with these games.")


class OpponentsData(ResponseModel):
    id: Number
    name: str
    page: Address
    opponents: list[OpponentData] = api_field(
        "The linked opponents, most games first. Forfeits do not count as games."
    )


class SideData(ResponseModel):
    id: Number
    name: str
    events: Count = api_field("The number of linked public events.")
    first_year: Number | None = api_field("The year of the first event. Null if unknown.")
    last_year: Number | None = api_field("The year of the last event. Null if unknown.")
    address: Address


class PlaceThereData(ResponseModel):
    number: Number = api_field("The number of the competitor, or of the player's team.")
    place: str = api_field("The place, with a star if a ruling set it. Blank if there is none.")
    ranked: int = api_field("The number of competitors with a place.")


class SharedEventData(ResponseModel):
    event: SlugOfEvent = api_field(source="event.slug")
    event_name: str = api_field(source="event.name")
    start: PartialDate = api_field(source="event.start")
    first: list[PlaceThereData] = api_field("The places of the first side. Two if it took part twice.")
    second: list[PlaceThereData]


class HeadToHeadData(ResponseModel):
    first: SideData
    second: SideData
    tally: CareerTallyData = api_field("The totals of the first side.")
    games: list[GameOfCareerData] = api_field(
        "The games, or matches of teams, from the view of the first side, the oldest first."
    )
    events: list[SharedEventData] = api_field("The events with both sides, the oldest first.")
    turned: Address = api_field("The same data from the view of the second side.")
    page: Address
