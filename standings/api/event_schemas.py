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
    archive: Annotated[Address, api_field("A ZIP of all pages and files. 202 while it is being built.")]
    citation: Annotated[Address, api_field("A citation for BibTeX.")]
    feed: Address
    calendar: Address


class EventAnswer(ResponseModel):
    event: EventObject
    version: Number
    modified: TimeOfChange = api_field("The time of the last change of the event.")
    added: TimeOfChange = api_field("The time at which the event became public here.")
    told_until: str | None = api_field("The last day in the data: a date or a year.")
    competitors: Count
    rounds: list[RoundBrief]
    links: Annotated[EventLinks, AS_IS]


class MatchInProgress(ResponseModel):
    table: Number
    score: Annotated[list[Exact | None], ScoreValue(), AS_IS]
    open_boards: Count = api_field("Boards without a result. The match does not count yet.")


class RoundAnswer(OfEvent):
    number: Number
    date: str
    time: str
    state: StateOfRound
    pairings: list[PairingObject]
    in_progress: list[MatchInProgress] = api_field(
        "The matches that have finished and open boards. Their pairings are pending."
    )


class PublishedAnswer(OfEvent):
    published: PublishedObject | None = api_field("The published standings. Null if there are none.")


class ChangesData(OfEvent):
    changes: list[ChangeObject] = api_field("Corrected results.")
    overrides: list[OverrideObject] = api_field("Rulings, including those that were undone.")
    acknowledged: list[AcknowledgementObject] = api_field("Accepted warnings.")


# --- standings and competitors ----------------------------------------------------------------------------


class ValueData(ResponseModel):
    text: str = api_field("The value as the table shows it: 372½.")
    levels: list[ExactFigure] = api_field("A figure for each level that decided. Empty if none did.")


class CompetitorBrief(ResponseModel):
    number: Number
    name: str


class CompetitorName(CompetitorBrief):
    code: str


class RankedRow(ResponseModel):
    number: Number
    place: Number | None = api_field("Null outside the competition.")
    shared: bool
    outside: bool
    marks: list[Mark]
    values: dict[str, ValueData]
    decided_by: str | None = api_field(
        "The criterion that separates the row from the one above; place if a ruling does; published if no "
        "results are recorded and the published ranking decides."
    )


class RatingData(ResponseModel):
    performance: int | None = api_field("Performance rating. Null without rated opponents.")
    average: Count | None = api_field("The average rating of the rated opponents.")
    percent: Count | None = api_field("The score against rated opponents in per cent.")
    points: HalfPoints = api_field("The points against rated opponents, with 1 for a win.")
    expected: Hundredths | None = api_field("The expected score in points.", "change.expected", default=None)
    gain: Hundredths | None = api_field("The points minus the expected score.", "change.gain", default=None)
    k: Count | None = api_field("K, limited by the number of games.", "change.coefficient.k", default=None)
    k_proposed: Count | None = api_field(
        "K by rating and year of birth; other data that K depends on are not recorded.",
        "change.coefficient.proposed",
        default=None,
    )
    k_because: Annotated[str, Choice.of(KReason), AS_IS] | None = api_field(
        source="change.coefficient.reason.value", default=None
    )
    change: Hundredths | None = api_field(
        "The gain times K in rating points, not rounded.", "change.change", default=None
    )
    missing: Annotated[str, Choice.of(Missing), AS_IS] | None = api_field(
        "The reason why there is no expected score and no change.", "missing.value", default=None
    )
    rules_since: Annotated[str, BeforeValidator(date.isoformat)] | None = api_field(
        "The first day of the applied rating rules (FIDE B.02).", "in_force.rules.since", default=None
    )


class RatedGameData(ResponseModel):
    round: Number = api_field(source="game.round")
    opponent: Number | None
    rating: Number = api_field(source="game.rating")
    difference: int = api_field("The player's rating minus the opponent's.")
    counted: int = api_field("The difference that counts (FIDE B.02, 8.3.1).")
    expected: Hundredths
    points: HalfPoints = api_field(source="game.points")
    gain: Hundredths


class RowData(RankedRow, CompetitorName):  # the keys of the last base come first
    rating: RatingData | None = api_field("The rating data of a player. Null for a team.")
    published: dict[str, str] = api_field(
        "The figures of the published ranking by their labels, if no results are recorded."
    )


class TrustData(ResponseModel):
    verdict: Verdict = api_field(source="state")
    places: Count = api_field("The number of published places after this round.")
    agreeing: Count = api_field("The number of published places that are the same here, with rulings.")
    publisher: str
    taken: OrNull[str] = api_field("The day on which the published standings were read from the source.")
    changes: Count = api_field("The number of rulings in force and corrected results.")


class ContenderData(ResponseModel):
    number: Number
    points: HalfPoints = api_field("The present points.")
    most: HalfPoints = api_field("The maximum of points that the competitor can still reach.")


class ContendersData(ResponseModel):
    text: str = api_field("A sentence about the competitors that can still win.")
    proof: Annotated[str, Choice.of(Proof), AS_IS] = api_field("The method of proof.", "proof.value")
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
    trust: TrustData | None = api_field("The check of the standings. Null before the first round.")
    contenders: ContendersData | None = api_field(
        "The competitors that can still win a live event. Null after an earlier round, or if it is unknown."
    )


class CategoryRow(ResponseModel):
    number: Number
    name: str
    place: Number | None = api_field("The place among the members. Null outside the competition.")
    shared: bool
    place_in_whole: Number | None


class CategoryData(ResponseModel):
    category: Annotated[Object, Nested(EventCategory), AS_IS]
    name: str = api_field("The name of the category, or its rule as a text.")
    rows: list[CategoryRow]


class CategoriesData(OfEvent):
    rests_on: RestsOnTable = api_field(source="standings.table")
    categories: list[CategoryData]


class PrizeWinnerData(ResponseModel):
    position: Number = api_field("The first prize of this fund that the winner gets or shares.")
    number: Number = api_field(source="entry.number")
    name: str = api_field(source="entry.name")
    place: Number = api_field("The place in the standings of the event.")
    amount: str = api_field("The exact amount in the currency: 12.50. Blank if the prize has goods only.")
    goods: list[str]
    goods_are_open: bool = api_field("Whether the place is shared and the goods are not assigned yet.")
    explanation: str


class PrizeFundData(ResponseModel):
    category: str = api_field("The code of the category. Blank for the main prizes of the event.", "code")
    name: str
    winners: list[PrizeWinnerData] = api_field(
        "Winners who share prizes of several funds are listed in the first of these funds."
    )
    pooled: list[str] = api_field(
        "Sentences about prizes of this fund whose winners are listed in another fund."
    )
    unclaimed: str
    rounded: str = api_field("The amount that remains after rounding. Blank if there is none.")


class SpecialPrizeData(ResponseModel):
    name: str
    amount: str = api_field("The exact amount in the currency. Blank if the prize has goods only.")
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
        "The match or game points so far, whichever are primary. Null if the order of the rounds is unknown."
    )
    place: Number | None = api_field("The place after the round. Null outside the competition.")
    pairing: PairingObject | None = api_field("Null if the competitor has no pairing in the round.")
    in_progress: MatchInProgress | None = api_field(
        "The score of a match in progress, with the points of this team first. Null otherwise."
    )


class CompetitorAnswer(OfEvent):
    after: Count = api_field(source="standings.table.rounds")
    rests_on: RestsOnTable = api_field(source="standings.table")
    competitor: CompetitorObject
    standing: RowData
    rounds: list[CompetitorRound]
    rated_games: list[RatedGameData] = api_field("The games that count for the rating change of a player.")


# --- the check against published standings ----------------------------------------------------------------


class FiguresData(ResponseModel):
    number: Number
    published: str
    computed: str = api_field("The computed figure, without rulings.")
    ruled: str = api_field("The figure with rulings. Blank if it is the computed one, * if a ruling set it.")
    why: str = api_field("The reason of the difference. Blank if it is unknown.")


class AgreementData(ResponseModel):
    label: str = api_field("The label of the column in the source; order for the places.")
    rows: Count
    agreeing: Count | None = api_field("The number of equal figures. Null if no criterion has this label.")
    differences: list[FiguresData]
    ruled: list[FiguresData] = api_field("The rows in which a ruling gives another figure.")


class CheckedTableData(ResponseModel):
    after: Count
    columns: list[AgreementData] = api_field(source="agreements")


class PairingsCheckData(ResponseModel):
    verdict: Verdict = api_field(source="verdict.state")
    text: str = api_field(source="verdict.text")
    engine: str = api_field("The pairing engine of the comparison. Blank if there was none yet.")
    difference: str = api_field("A sentence about the first pairing that differs from the rules.")


class CheckData(OfEvent):
    verdict: Verdict
    publisher: str
    source: str
    taken: OrNull[str] = api_field("The day on which the published standings were read from the source.")
    tables: list[CheckedTableData]
    pairings: PairingsCheckData | None = api_field(
        "The comparison of the pairings with the rules. Null if no pairing rules are known."
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
    ruled: bool = api_field("Whether an arbiter replaced the value.")
    computed: list[ExactFigure] = api_field("The value of the lines, for each level.")
    sums: list[Lazy] = api_field("The calculation from the lines, a text for each level.", "calculations")
    lines: list[LineData]


class CriterionData(ResponseModel):
    code: str
    name: str
    abbreviation: str = api_field(source="abbr")
    rule: str
    source: str
    address: str = api_field("The code in addresses, without a slash.")
    article: str = api_field("The article of FIDE C.07. Blank for other criteria.")
    since: str = api_field("The edition of C.07 that introduced the criterion. Blank for older criteria.")
    takes: str = api_field("The letters of the C.07 modifiers that the code accepts.")
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
    with_colours: Count = api_field("The number of games with known colours.", "tally.with_colours")
    white_wins: Count = api_field(source="tally.white")
    black_wins: Count = api_field(source="tally.black")
    drawn: Count = api_field(source="tally.drawn")
    better_white: Count = api_field("The number of draws with an advantage for White.", "tally.better_white")
    better_black: Count = api_field(source="tally.better_black")
    forfeits: Count = api_field("The number of forfeits, which count in no other figure.", "tally.forfeits")
    white_percent: str = api_field("White's score in per cent. Blank without colours.", "white_share")
    drawn_percent: str = api_field(source="drawn_share")


class ScoreTallyData(ResponseModel):
    score: str = api_field("The score, the higher figure first: 3-1.")
    matches: Count


class WideWinData(ResponseModel):
    round: Number
    table: Number
    first: Number = api_field(source="first.number")
    second: Number = api_field(source="second.number")
    score: str


class ScorerData(ResponseModel):
    number: Number = api_field("The number of the player, or of the player's team.", "entry.number")
    name: str
    title: str
    rating: OrNull[Count] = api_field("The rating as recorded for the event.")
    board: OrNull[Number] = api_field("The board of a player of a team.")
    games: Count = api_field(source="score.games")
    won: Count = api_field(source="score.won")
    drawn: Count = api_field(source="score.drawn")
    lost: Count = api_field(source="score.lost")
    points: HalfPoints = api_field(source="score.points")
    most: HalfPoints = api_field("The maximum number of points.", "score.most")
    percent: str = api_field(source="share")
    ratings: RatingData = api_field(source="player_rating")


class BoardPlaceData(ResponseModel):
    board: Number = api_field(source="scorer.board")
    place: Number
    number: Number = api_field("The number of the team.", "scorer.entry.number")
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
    results: list[ResultTallyData] = api_field("The results of games: of all boards, then of each board.")
    match_scores: list[ScoreTallyData]
    widest_wins: list[WideWinData] = api_field("Matches. Empty if too many are equal.")
    players: list[ScorerData] = api_field(source="everybody")
    best_of_boards: list[BoardPlaceData] = api_field(source="prizes")
    least_games: Count = api_field("The games needed for best_of_boards.", "least")
    teams: list[TeamBoardsData] = api_field("The points of each team on each board.")
