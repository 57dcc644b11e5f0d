"""The response schemas of an event: record, standings, prizes, explanations, statistics; and of criteria.

The OpenAPI document is made from these classes. The schema has the name of the class without `Data`.
"""

from datetime import date
from operator import attrgetter
from typing import Annotated, NotRequired

from pydantic import BeforeValidator
from typing_extensions import TypedDict

from standings.api.kinds import (
    AS_IS,
    AcknowledgementObject,
    Address,
    ChangeObject,
    CompetitorObject,
    Count,
    EventObject,
    ExactFigure,
    HalfPoints,
    Hundredths,
    Lazy,
    Mark,
    Number,
    OrNull,
    OverrideObject,
    PairingObject,
    PublishedObject,
    ResponseModel,
    RestsOnTable,
    SlugOfEvent,
    StateOfRound,
    TimeOfChange,
    Verdict,
    api_field,
    link_to,
)
from standings.engine import Proof, decimal_text
from standings.statistics.ratings import KReason, Missing
from tournaments.event.categories import EventCategory
from tournaments.event.choices import Kind
from tournaments.event.json_writer import Exact
from tournaments.event.schema import Nested, Object
from tournaments.event.values import Choice, ScoreValue


class OfEvent(ResponseModel):
    """The beginning of every response about an event."""

    event: SlugOfEvent = api_field(source="event.slug")
    version: Number = api_field(source="event.data_version")


# --- the record -------------------------------------------------------------------------------------------


class RoundBrief(ResponseModel):
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


class EventAnswer(ResponseModel):
    event: EventObject
    version: Number
    modified: TimeOfChange = api_field("When anything of the event was changed last.")
    added: TimeOfChange = api_field("When readers could first see it here.")
    told_until: str | None = api_field("The last day that the data tell of: a date, or a year.")
    competitors: Count
    rounds: list[RoundBrief]
    links: Annotated[EventLinks, AS_IS]


class MatchInProgress(ResponseModel):
    table: Number
    score: Annotated[list[Exact | None], ScoreValue(), AS_IS]
    open_boards: Count = api_field("Boards without a result; no standings count the match yet.")


class RoundAnswer(OfEvent):
    number: Number
    date: str
    time: str
    state: StateOfRound
    pairings: list[PairingObject]
    in_progress: list[MatchInProgress] = api_field(
        "The matches of which some boards are finished and others are open, each pending so far."
    )


class PublishedAnswer(OfEvent):
    published: PublishedObject | None = api_field(
        "The standings as their source printed them; none without any."
    )


class ChangesData(OfEvent):
    changes: list[ChangeObject] = api_field("Results that were corrected.")
    overrides: list[OverrideObject] = api_field("Rulings by hand, those that were undone too.")
    acknowledged: list[AcknowledgementObject] = api_field("Warnings that somebody accepted.")


# --- standings and competitors ----------------------------------------------------------------------------


class ValueData(ResponseModel):
    text: str = api_field("As the table prints it: 372½.")
    levels: list[ExactFigure] = api_field("A figure per level; none where nothing was decided.")


class CompetitorBrief(ResponseModel):
    number: Number
    name: str


class CompetitorName(CompetitorBrief):
    code: str


class RankedRow(ResponseModel):
    number: Number
    place: Number | None = api_field("None outside the competition.")
    shared: bool
    outside: bool
    marks: list[Mark]
    values: dict[str, ValueData]
    decided_by: str | None = api_field(
        "The criterion that parted the row from the one above; place where a ruling did; published if no "
        "results are recorded and the published ranking decides."
    )


class RatingData(ResponseModel):
    performance: int | None = api_field("Performance rating; none without a rated opponent.")
    average: Count | None = api_field("Of the rated opponents.")
    percent: Count | None = api_field("Scored against them.")
    points: HalfPoints = api_field("Scored against them, a win counted as one.")
    expected: Hundredths | None = api_field("The expected score, in points.", "change.expected", default=None)
    gain: Hundredths | None = api_field("The points less the expected score.", "change.gain", default=None)
    k: Count | None = api_field("K, as limited by the number of games.", "change.coefficient.k", default=None)
    k_proposed: Count | None = api_field(
        "By the rating and the year of birth; more is not recorded of what K depends on.",
        "change.coefficient.proposed",
        default=None,
    )
    k_because: Annotated[str, Choice.of(KReason), AS_IS] | None = api_field(
        source="change.coefficient.reason.value", default=None
    )
    change: Hundredths | None = api_field(
        "The gain times K, in rating points; nothing is rounded.", "change.change", default=None
    )
    missing: Annotated[str, Choice.of(Missing), AS_IS] | None = api_field(
        "Why there is no expected score and no change.", "missing.value", default=None
    )
    rules_since: Annotated[str, BeforeValidator(date.isoformat)] | None = api_field(
        "The day from which FIDE's rules are so (B.02).", "in_force.rules.since", default=None
    )


class RatedGameData(ResponseModel):
    round: Number = api_field(source="game.round")
    opponent: Number | None
    rating: Number = api_field(source="game.rating")
    difference: int = api_field("The own rating less the opponent's.")
    counted: int = api_field("The difference that counts (B.02, 8.3.1).")
    expected: Hundredths
    points: HalfPoints = api_field(source="game.points")
    gain: Hundredths


class RowData(RankedRow, CompetitorName):  # the keys of the last base come first
    rating: RatingData | None = api_field("Of a player; none of a team.")
    published: dict[str, str] = api_field(
        "If no results are recorded: the figures of the published ranking, by printed label."
    )


class TrustData(ResponseModel):
    verdict: Verdict = api_field(source="state")
    places: Count = api_field("The places that were published after this round.")
    agreeing: Count = api_field("How many of them are the same here, as ruled.")
    publisher: str
    taken: OrNull[str] = api_field("The day on which they were taken from the source.")
    changes: Count = api_field("Rulings by hand in force, and corrected results.")


class ContenderData(ResponseModel):
    number: Number
    points: HalfPoints = api_field("Those it has now.")
    most: HalfPoints = api_field("Those it can still come to.")


class ContendersData(ResponseModel):
    text: str = api_field("Who can still be first, in a sentence.")
    proof: Annotated[str, Choice.of(Proof), AS_IS] = api_field("How it was found out.", "proof.value")
    proof_text: str
    contenders: list[ContenderData] = api_field("In the order of the standings.")


class StandingsData(ResponseModel):
    event: SlugOfEvent = api_field(source="event.slug")
    after: Count = api_field(source="standings.table.rounds")
    system: str = api_field(source="standings.system.code")
    criteria: list[str] = api_field(source="standings.criteria")
    rows: list[RowData]
    version: Number = api_field(source="event.data_version")
    rests_on: RestsOnTable = api_field(source="standings.table")
    trust: TrustData | None = api_field("Who says so; none before the first round.")
    contenders: ContendersData | None = api_field(
        "Who can still win a live event; none of an earlier round, or where nothing can be told."
    )


class CategoryRow(ResponseModel):
    number: Number
    name: str
    place: Number | None = api_field("Among the members; none outside the competition.")
    shared: bool
    place_in_whole: Number | None


class CategoryData(ResponseModel):
    category: Annotated[Object, Nested(EventCategory), AS_IS]
    name: str = api_field("The name, or the rule in words.")
    rows: list[CategoryRow]


class CategoriesData(OfEvent):
    rests_on: RestsOnTable = api_field(source="standings.table")
    categories: list[CategoryData]


class PrizeWinnerData(ResponseModel):
    position: Number = api_field("The first prize of this fund that the winner has or shares.")
    number: Number = api_field(source="entry.number")
    name: str = api_field(source="entry.name")
    place: Number = api_field("In the whole.")
    amount: str = api_field("In the currency, exact: 12.50; blank for goods alone.")
    goods: list[str]
    goods_are_open: bool = api_field("The place is shared, and it is not decided who gets which goods.")
    explanation: str


class PrizeFundData(ResponseModel):
    category: str = api_field("The code; blank for the whole event.", "code")
    name: str
    winners: list[PrizeWinnerData] = api_field(
        "Winners who share prizes of several funds are listed in the first of these funds."
    )
    pooled: list[str] = api_field(
        "Sentences about prizes of this fund whose winners are listed in another fund."
    )
    unclaimed: str
    rounded: str = api_field("The amount left over by rounding; blank if none.")


class SpecialPrizeData(ResponseModel):
    name: str
    amount: str = api_field("In the currency, exact; blank for goods alone.")
    goods: str
    winners: list[Annotated[Number, BeforeValidator(attrgetter("number"))]]


class PrizesData(OfEvent):
    rests_on: RestsOnTable = api_field(source="standings.table")
    sharing: str = api_field(source="event.prize_sharing")
    currency: str = api_field(source="event.prize_currency")
    funds: list[PrizeFundData]
    notes: list[str] = api_field(
        "Sentences about competitors who get more than a better placed one who can win the same prizes."
    )
    specials: list[SpecialPrizeData]


class CompetitorsData(OfEvent):
    competitors: list[CompetitorObject]


class CompetitorRound(ResponseModel):
    round: Number
    total: HalfPoints | None = api_field(
        "Match or game points so far, whichever are primary; null if the order of the rounds is unknown."
    )
    place: Number | None = api_field("After the round; null outside the competition.")
    pairing: PairingObject | None = api_field("Null if the competitor has no pairing in the round.")
    in_progress: MatchInProgress | None = api_field(
        "The score of a match in progress, the own points first; null otherwise."
    )


class CompetitorAnswer(OfEvent):
    after: Count = api_field(source="standings.table.rounds")
    rests_on: RestsOnTable = api_field(source="standings.table")
    competitor: CompetitorObject
    standing: RowData
    rounds: list[CompetitorRound]
    rated_games: list[RatedGameData] = api_field("Of a player, the games that the rating change is made of.")


# --- the check against published standings ----------------------------------------------------------------


class FiguresData(ResponseModel):
    number: Number
    published: str
    computed: str = api_field("Without what was ruled by hand.")
    ruled: str = api_field("Empty where it is as computed; * where it was ruled itself.")
    why: str = api_field("Why they differ, where that is understood.")


class AgreementData(ResponseModel):
    label: str = api_field("As the source prints it; order for the places.")
    rows: Count
    agreeing: Count | None = api_field("None where no criterion is known by this label.")
    differences: list[FiguresData]
    ruled: list[FiguresData] = api_field("Where a ruling gives another figure.")


class CheckedTableData(ResponseModel):
    after: Count
    columns: list[AgreementData] = api_field(source="agreements")


class PairingsCheckData(ResponseModel):
    verdict: Verdict = api_field(source="verdict.state")
    text: str = api_field(source="verdict.text")
    engine: str = api_field("What paired them for comparison; blank where nothing did yet.")
    difference: str = api_field("The first pairing that the rules give otherwise, in words.")


class CheckData(OfEvent):
    verdict: Verdict
    publisher: str
    source: str
    taken: OrNull[str] = api_field("The day on which they were taken from the source.")
    tables: list[CheckedTableData]
    pairings: PairingsCheckData | None = api_field(
        "The pairings held against the rules; none where no rules of them are known."
    )


# --- values and criteria ----------------------------------------------------------------------------------


class FactorData(ResponseModel):
    text: str
    symbol: Lazy


class InnerValue(ResponseModel):
    competitor: Number
    criterion: str


ExactFraction = Annotated[
    ExactFigure, BeforeValidator(lambda amount: decimal_text(amount.numerator, amount.denominator))
]
KindOfRound = Annotated[
    str,
    Choice((*Kind.values, "annulled")),
    AS_IS,
    BeforeValidator(lambda kind: kind.name.lower().replace("_", "-")),
]


class LineData(ResponseModel):
    round: OrNull[Number] = api_field(source="term.round")
    opponent: Number | None
    against: Lazy = api_field(source="term.against")
    kind: KindOfRound = api_field(source="term.kind")
    virtual: bool = api_field(source="term.virtual")
    amount: ExactFraction = api_field(source="term.amount")
    text: str = api_field(source="term.text")
    factors: list[FactorData] = api_field(source="term.factors")
    counted: bool
    notes: list[Lazy]
    inner: InnerValue | None


class ExplanationData(OfEvent):
    after: Count
    rests_on: RestsOnTable
    criterion: str = api_field(source="criterion.code")
    competitor: CompetitorBrief
    text: str
    levels: list[ExactFigure]
    ruled: bool = api_field("An arbiter replaced the value.")
    computed: list[ExactFigure] = api_field("What the lines come to.")
    sums: list[Lazy] = api_field("How the lines add up, a text per level.", "calculations")
    lines: list[LineData]


class CriterionData(ResponseModel):
    code: str
    name: str
    abbreviation: str = api_field(source="abbr")
    rule: str
    source: str
    address: str = api_field("The code as it stands in an address, without a slash.")
    article: str = api_field("Of FIDE's C.07; blank for others.")
    since: str = api_field("The edition of C.07 that it came with; blank for older ones.")
    takes: str = api_field("The letters of the modifiers of C.07 that its code takes.")
    scaled: bool
    page: Annotated[Address, link_to("criterion")] = api_field(source="code")


class SystemData(ResponseModel):
    code: str
    name: str
    frozen: bool
    criteria: list[str]
    unplayed: str = api_field(source="unplayed.code")


class CriteriaData(ResponseModel):
    criteria: list[CriterionData]
    systems: list[SystemData]
    policies: list[str]


# --- statistics -------------------------------------------------------------------------------------------


class ResultTallyData(ResponseModel):
    board: OrNull[Number] = api_field("None for all boards together.")
    games: Count = api_field(source="tally.games")
    with_colours: Count = api_field("Of these, the source tells who had White.", "tally.with_colours")
    white_wins: Count = api_field(source="tally.white")
    black_wins: Count = api_field(source="tally.black")
    drawn: Count = api_field(source="tally.drawn")
    better_white: Count = api_field("Drawn with an advantage of White.", "tally.better_white")
    better_black: Count = api_field(source="tally.better_black")
    forfeits: Count = api_field("These are no games, and count in nothing else.", "tally.forfeits")
    white_percent: str = api_field("Scored by White; blank where no colours are told.", "white_share")
    drawn_percent: str = api_field(source="drawn_share")


class ScoreTallyData(ResponseModel):
    score: str = api_field("The higher figure first: 3-1.")
    matches: Count


class WideWinData(ResponseModel):
    round: Number
    table: Number
    first: Number = api_field(source="first.number")
    second: Number = api_field(source="second.number")
    score: str


class ScorerData(ResponseModel):
    number: Number = api_field("Of the competitor: the player, or its team.", "entry.number")
    name: str
    title: str
    rating: OrNull[Count] = api_field("As recorded for the event.")
    board: OrNull[Number] = api_field("Of a player of a team.")
    games: Count = api_field(source="score.games")
    won: Count = api_field(source="score.won")
    drawn: Count = api_field(source="score.drawn")
    lost: Count = api_field(source="score.lost")
    points: HalfPoints = api_field(source="score.points")
    most: HalfPoints = api_field("The points that could be scored.", "score.most")
    percent: str = api_field(source="share")
    ratings: RatingData = api_field(source="player_rating")


class BoardPlaceData(ResponseModel):
    board: Number = api_field(source="scorer.board")
    place: Number
    number: Number = api_field("Of the team.", "scorer.entry.number")
    name: str = api_field(source="scorer.name")
    points: HalfPoints = api_field(source="scorer.score.points")
    games: Count = api_field(source="scorer.score.games")
    percent: str = api_field(source="scorer.share")


class BoardScoreData(ResponseModel):
    board: Number
    points: HalfPoints
    games: Count


class TeamBoardsData(ResponseModel):
    number: Number
    boards: list[BoardScoreData]


class StatisticsData(OfEvent):
    rests_on: RestsOnTable = api_field(source="standings.table")
    results: list[ResultTallyData] = api_field("How games ended: all of them, then board by board.")
    match_scores: list[ScoreTallyData]
    widest_wins: list[WideWinData] = api_field("Matches; none where too many are level.")
    players: list[ScorerData] = api_field(source="everybody")
    best_of_boards: list[BoardPlaceData] = api_field(source="prizes")
    least_games: Count = api_field("From so many games on a score is compared on its board.", "least")
    teams: list[TeamBoardsData] = api_field("What each team scored on each board.")
