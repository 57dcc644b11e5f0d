"""The response schemas of the site: index, lists of events, series and congresses."""

from typing import Annotated, Any

from typing_extensions import TypedDict

from standings.api.kinds import (
    Address,
    Count,
    Number,
    RestsOn,
    SlugOfEvent,
    StateOfEvent,
    TimeOfChange,
    api_field,
)
from tournaments.event.choices import Entrants, Schedule
from tournaments.event.values import Choice


class ProblemData(TypedDict):
    type: Annotated[str, api_field("Always about:blank: the status says what kind it is (RFC 9457).")]
    title: Annotated[str, api_field("The status in words.")]
    status: Annotated[int, api_field("That of the answer.")]
    detail: Annotated[str, api_field("What is wrong, and what to do about it.")]


class EndpointData(TypedDict):
    path: str
    summary: str


class IndexData(TypedDict):
    name: str
    version: str
    document: Address
    bulk: Annotated[Address, api_field("All public event files in one, an event a line.")]
    feed: Annotated[Address, api_field("Events by their dates, and corrections.")]
    added_feed: Annotated[Address, api_field("Events by the time at which they were added here.")]
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


class EventBrief(TypedDict):
    slug: SlugOfEvent
    former_slugs: Annotated[list[str], api_field("Addresses that the event had before.")]
    name: str
    series: str | None
    congress: str
    section: str
    place: str
    country: str
    start: str
    end: str
    time_zone: str
    state: StateOfEvent
    discipline: str
    entrants: Annotated[str, Choice.of(Entrants)]
    schedule: Annotated[str, Choice.of(Schedule)]
    rounds: Number
    competitors: Count
    modified: Annotated[TimeOfChange, api_field("When anything of the event was changed last.")]
    added: Annotated[TimeOfChange, api_field("When readers could first see it here.")]
    address: Address
    event_file: Address


class RemovedEvent(TypedDict):
    slug: SlugOfEvent
    modified: Annotated[TimeOfChange, api_field("When it was taken away, or changed since.")]


class EventsData(TypedDict):
    total: Annotated[Count | None, api_field("On all pages; none of what was modified.")]
    page: Annotated[Number | None, api_field("From 1; none of what was modified.")]
    pages: Annotated[Number | None, api_field("How many there are; none of what was modified.")]
    previous: Address | None
    next: Address | None
    until: Annotated[
        TimeOfChange,
        api_field(
            "The modified_since to ask with next time: all that was changed before has been told by now."
        ),
    ]
    epoch: Annotated[
        str,
        api_field("Another one than last time: the site was restored from a backup, so begin anew."),
    ]
    events: list[EventBrief]
    removed: Annotated[
        list[RemovedEvent],
        api_field("Events that were public and are not any more; only of what was modified."),
    ]


# --- series and congresses --------------------------------------------------------------------------------


class FirstPlaceData(TypedDict):
    place: Annotated[str, api_field("As it is printed: 1, or 1* where it was set by hand.")]
    number: Number
    name: str


class SeriesBrief(TypedDict):
    slug: str
    name: str
    editions: Number
    first_year: str
    last_year: str
    last_event: Annotated[SlugOfEvent, api_field("The latest edition that has begun, else the latest.")]
    is_over: Annotated[bool, api_field("The last event is over: its first are its winners.")]
    first: list[FirstPlaceData]
    sharing: Annotated[Count, api_field("How many share the first place; the first three of them are named.")]
    address: Address
    page: Address


class SeriesListData(TypedDict):
    series: list[SeriesBrief]


class EditionData(TypedDict):
    event: SlugOfEvent
    name: str
    year: str
    place: str
    country: str
    state: StateOfEvent
    rests_on: RestsOn
    first: Annotated[list[FirstPlaceData], api_field("The first three; none before anything was played.")]
    address: Address


class CareerData(TypedDict):
    place: Number
    name: str
    code: str
    event: Annotated[SlugOfEvent, api_field("Of the latest appearance, which says how it is called.")]
    number: Annotated[Number, api_field("Its number there.")]
    gold: Count
    silver: Count
    bronze: Count
    best: Annotated[Number | None, api_field("The best place.")]
    editions: Number
    matches: Count
    won: Count
    drawn: Count
    lost: Count
    match_points: str
    game_points: str
    most_game_points: Annotated[str, api_field("Those that could be scored.")]


class SeriesData(TypedDict):
    slug: str
    name: str
    page: Address
    editions: Annotated[list[EditionData], api_field("The latest first.")]
    medals: Annotated[list[CareerData], api_field("Who stood on the first three places, of what is over.")]
    all_time: Annotated[list[CareerData], api_field("All of the editions that are over, by their points.")]
    mixed: Annotated[bool, api_field("Editions scored matches or games differently.")]


class CongressBrief(TypedDict):
    slug: str
    name: str
    sections: Number
    address: Address
    page: Address


class CongressListData(TypedDict):
    congresses: list[CongressBrief]


class CongressData(TypedDict):
    slug: str
    name: str
    page: Address
    sections: Annotated[list[EventBrief], api_field("In the order in which they were entered.")]
