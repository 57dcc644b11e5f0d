"""The response schemas of an event: record, standings, competitors, categories, prizes.

The OpenAPI document is made from these classes. The schema has the name of the class without `Data`.
"""

from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from standings.api.kinds import (
    AcknowledgementObject,
    Address,
    ChangeObject,
    CompetitorObject,
    Count,
    EventObject,
    ExactFigure,
    Mark,
    Number,
    OverrideObject,
    PairingObject,
    PublishedObject,
    RestsOn,
    SlugOfEvent,
    StateOfRound,
    TimeOfChange,
    Verdict,
    api_field,
)
from standings.engine import Proof
from standings.statistics.ratings import KReason, Missing
from tournaments.event.categories import EventCategory
from tournaments.event.json_writer import Exact
from tournaments.event.schema import Nested, Object
from tournaments.event.values import Choice, ScoreValue


class OfEvent(TypedDict):
    """The beginning of every response about an event."""

    event: SlugOfEvent
    version: Number


# --- the record -------------------------------------------------------------------------------------------


class RoundBrief(TypedDict):
    number: Number
    date: str
    time: str
    state: StateOfRound
    pairings: Count
    awaited: Count
    address: Address


class EventLinks(TypedDict):
    page: Address
    standings: Address
    competitors: Address
    categories: Address
    prizes: Address
    statistics: NotRequired[Address]
    changes: Address
    published: Address
    check: Address
    event_file: Address
    csv: Address
    xlsx: Address
    trf: NotRequired[Address]
    archive: Annotated[Address, api_field("A ZIP of all pages and files; 202 while it is made.")]
    citation: Annotated[Address, api_field("For BibTeX.")]
    feed: Address
    calendar: Address


class EventAnswer(TypedDict):
    event: EventObject
    version: Number
    modified: Annotated[TimeOfChange, api_field("When anything of the event was changed last.")]
    added: Annotated[TimeOfChange, api_field("When readers could first see it here.")]
    told_until: Annotated[str | None, api_field("The last day that the data tell of: a date, or a year.")]
    competitors: Count
    rounds: list[RoundBrief]
    links: EventLinks


class MatchInProgress(TypedDict):
    table: Number
    score: Annotated[list[Exact | None], ScoreValue()]
    open_boards: Annotated[Count, api_field("Boards without a result; no standings count the match yet.")]


class RoundAnswer(OfEvent):
    number: Number
    date: str
    time: str
    state: StateOfRound
    pairings: list[PairingObject]
    in_progress: Annotated[
        list[MatchInProgress],
        api_field("The matches of which some boards are finished and others are open, each pending so far."),
    ]


class PublishedAnswer(OfEvent):
    published: Annotated[
        PublishedObject | None,
        api_field("The standings as their source printed them; none without any."),
    ]


class ChangesData(OfEvent):
    changes: Annotated[list[ChangeObject], api_field("Results that were corrected.")]
    overrides: Annotated[list[OverrideObject], api_field("Rulings by hand, those that were undone too.")]
    acknowledged: Annotated[list[AcknowledgementObject], api_field("Warnings that somebody accepted.")]


# --- standings and competitors ----------------------------------------------------------------------------


class ValueData(TypedDict):
    text: Annotated[str, api_field("As the table prints it: 372½.")]
    levels: Annotated[list[ExactFigure], api_field("A figure per level; none where nothing was decided.")]


class RankedRow(TypedDict):
    number: Number
    place: Annotated[Number | None, api_field("None outside the competition.")]
    shared: bool
    outside: bool
    marks: list[Mark]
    values: dict[str, ValueData]
    decided_by: Annotated[
        str | None,
        api_field(
            "The criterion that parted the row from the one above; place where a ruling did; published if no "
            "results are recorded and the published ranking decides."
        ),
    ]


class RatingData(TypedDict):
    performance: Annotated[int | None, api_field("Performance rating; none without a rated opponent.")]
    average: Annotated[Count | None, api_field("Of the rated opponents.")]
    percent: Annotated[Count | None, api_field("Scored against them.")]
    points: Annotated[str, api_field("Scored against them, a win counted as one.")]
    expected: Annotated[str | None, api_field("The expected score, in points.")]
    gain: Annotated[str | None, api_field("The points less the expected score.")]
    k: Annotated[Count | None, api_field("K, as limited by the number of games.")]
    k_proposed: Annotated[
        Count | None,
        api_field("By the rating and the year of birth; more is not recorded of what K depends on."),
    ]
    k_because: Annotated[str, Choice.of(KReason)] | None
    change: Annotated[str | None, api_field("The gain times K, in rating points; nothing is rounded.")]
    missing: Annotated[
        Annotated[str, Choice.of(Missing)] | None,
        api_field("Why there is no expected score and no change."),
    ]
    rules_since: Annotated[str | None, api_field("The day from which FIDE's rules are so (B.02).")]


class RatedGameData(TypedDict):
    round: Number
    opponent: Number | None
    rating: Number
    difference: Annotated[int, api_field("The own rating less the opponent's.")]
    counted: Annotated[int, api_field("The difference that counts (B.02, 8.3.1).")]
    expected: str
    points: str
    gain: str


class RowData(RankedRow):
    name: str
    code: str
    rating: Annotated[RatingData | None, api_field("Of a player; none of a team.")]
    published: Annotated[
        dict[str, str],
        api_field("If no results are recorded: the figures of the published ranking, by printed label."),
    ]


class TrustData(TypedDict):
    verdict: Verdict
    places: Annotated[Count, api_field("The places that were published after this round.")]
    agreeing: Annotated[Count, api_field("How many of them are the same here, as ruled.")]
    publisher: str
    taken: Annotated[str | None, api_field("The day on which they were taken from the source.")]
    changes: Annotated[Count, api_field("Rulings by hand in force, and corrected results.")]


class ContenderData(TypedDict):
    number: Number
    points: Annotated[str, api_field("Those it has now.")]
    most: Annotated[str, api_field("Those it can still come to.")]


class ContendersData(TypedDict):
    text: Annotated[str, api_field("Who can still be first, in a sentence.")]
    proof: Annotated[str, Choice.of(Proof), api_field("How it was found out.")]
    proof_text: str
    contenders: Annotated[list[ContenderData], api_field("In the order of the standings.")]


class StandingsData(TypedDict):
    event: SlugOfEvent
    after: Count
    system: str
    criteria: list[str]
    rows: list[RowData]
    version: Number
    rests_on: RestsOn
    trust: Annotated[TrustData | None, api_field("Who says so; none before the first round.")]
    contenders: Annotated[
        ContendersData | None,
        api_field("Who can still win a live event; none of an earlier round, or where nothing can be told."),
    ]


class CategoryRow(TypedDict):
    number: Number
    name: str
    place: Annotated[Number | None, api_field("Among the members; none outside the competition.")]
    shared: bool
    place_in_whole: Number | None


class CategoryData(TypedDict):
    category: Annotated[Object, Nested(EventCategory)]
    name: Annotated[str, api_field("The name, or the rule in words.")]
    rows: list[CategoryRow]


class CategoriesData(OfEvent):
    rests_on: RestsOn
    categories: list[CategoryData]


class PrizeWinnerData(TypedDict):
    position: Annotated[Number, api_field("The first prize of this fund that the winner has or shares.")]
    number: Number
    name: str
    place: Annotated[Number, api_field("In the whole.")]
    amount: Annotated[str, api_field("In the currency, exact: 12.50; blank for goods alone.")]
    goods: list[str]
    goods_are_open: Annotated[
        bool, api_field("The place is shared, and it is not decided who gets which goods.")
    ]
    explanation: str


class PrizeFundData(TypedDict):
    category: Annotated[str, api_field("The code; blank for the whole event.")]
    name: str
    winners: Annotated[
        list[PrizeWinnerData],
        api_field("Winners who share prizes of several funds are listed in the first of these funds."),
    ]
    pooled: Annotated[
        list[str],
        api_field("Sentences about prizes of this fund whose winners are listed in another fund."),
    ]
    unclaimed: str
    rounded: Annotated[str, api_field("The amount left over by rounding; blank if none.")]


class SpecialPrizeData(TypedDict):
    name: str
    amount: Annotated[str, api_field("In the currency, exact; blank for goods alone.")]
    goods: str
    winners: list[Number]


class PrizesData(OfEvent):
    rests_on: RestsOn
    sharing: str
    currency: str
    funds: list[PrizeFundData]
    notes: Annotated[
        list[str],
        api_field(
            "Sentences about competitors who get more than a better placed one who can win the same prizes."
        ),
    ]
    specials: list[SpecialPrizeData]


class CompetitorsData(OfEvent):
    competitors: list[CompetitorObject]


class CompetitorRound(TypedDict):
    round: Number
    total: Annotated[
        str | None,
        api_field(
            "Match or game points so far, whichever are primary; null if the order of the rounds is unknown."
        ),
    ]
    place: Annotated[Number | None, api_field("After the round; null outside the competition.")]
    pairing: Annotated[PairingObject | None, api_field("Null if the competitor has no pairing in the round.")]
    in_progress: Annotated[
        MatchInProgress | None,
        api_field("The score of a match in progress, the own points first; null otherwise."),
    ]


class CompetitorAnswer(OfEvent):
    after: Count
    rests_on: RestsOn
    competitor: CompetitorObject
    standing: RowData
    rounds: list[CompetitorRound]
    rated_games: Annotated[
        list[RatedGameData], api_field("Of a player, the games that the rating change is made of.")
    ]
