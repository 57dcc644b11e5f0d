"""The response schemas of figures: check, explanations, criteria, statistics."""

from typing import Annotated

from typing_extensions import TypedDict

from standings.api.event_schemas import OfEvent, RatingData
from standings.api.kinds import (
    Address,
    Count,
    ExactFigure,
    Number,
    RestsOn,
    Verdict,
    api_field,
)
from tournaments.event.choices import Kind
from tournaments.event.values import Choice

# --- the check against published standings ----------------------------------------------------------------


class FiguresData(TypedDict):
    number: Number
    published: str
    computed: Annotated[str, api_field("Without what was ruled by hand.")]
    ruled: Annotated[str, api_field("Empty where it is as computed; * where it was ruled itself.")]
    why: Annotated[str, api_field("Why they differ, where that is understood.")]


class AgreementData(TypedDict):
    label: Annotated[str, api_field("As the source prints it; order for the places.")]
    rows: Count
    agreeing: Annotated[Count | None, api_field("None where no criterion is known by this label.")]
    differences: list[FiguresData]
    ruled: Annotated[list[FiguresData], api_field("Where a ruling gives another figure.")]


class CheckedTableData(TypedDict):
    after: Count
    columns: list[AgreementData]


class PairingsCheckData(TypedDict):
    verdict: Verdict
    text: str
    engine: Annotated[str, api_field("What paired them for comparison; blank where nothing did yet.")]
    difference: Annotated[str, api_field("The first pairing that the rules give otherwise, in words.")]


class CheckData(OfEvent):
    verdict: Verdict
    publisher: str
    source: str
    taken: Annotated[str | None, api_field("The day on which they were taken from the source.")]
    tables: list[CheckedTableData]
    pairings: Annotated[
        PairingsCheckData | None,
        api_field("The pairings held against the rules; none where no rules of them are known."),
    ]


# --- values and criteria ----------------------------------------------------------------------------------


class CompetitorBrief(TypedDict):
    number: Number
    name: str


class FactorData(TypedDict):
    text: str
    symbol: str


class InnerValue(TypedDict):
    competitor: Number
    criterion: str


class LineData(TypedDict):
    round: Number | None
    opponent: Number | None
    against: str
    kind: Annotated[str, Choice((*Kind.values, "annulled"))]
    virtual: bool
    amount: ExactFigure
    text: str
    factors: list[FactorData]
    counted: bool
    notes: list[str]
    inner: InnerValue | None


class ExplanationData(OfEvent):
    after: Count
    rests_on: RestsOn
    criterion: str
    competitor: CompetitorBrief
    text: str
    levels: list[ExactFigure]
    ruled: Annotated[bool, api_field("An arbiter replaced the value.")]
    computed: Annotated[list[ExactFigure], api_field("What the lines come to.")]
    sums: Annotated[list[str], api_field("How the lines add up, a text per level.")]
    lines: list[LineData]


class CriterionData(TypedDict):
    code: str
    name: str
    abbreviation: str
    rule: str
    source: str
    address: Annotated[str, api_field("The code as it stands in an address, without a slash.")]
    article: Annotated[str, api_field("Of FIDE's C.07; blank for others.")]
    since: Annotated[str, api_field("The edition of C.07 that it came with; blank for older ones.")]
    takes: Annotated[str, api_field("The letters of the modifiers of C.07 that its code takes.")]
    scaled: bool
    page: Address


class SystemData(TypedDict):
    code: str
    name: str
    frozen: bool
    criteria: list[str]
    unplayed: str


class CriteriaData(TypedDict):
    criteria: list[CriterionData]
    systems: list[SystemData]
    policies: list[str]


# --- statistics -------------------------------------------------------------------------------------------


class ResultTallyData(TypedDict):
    board: Annotated[Number | None, api_field("None for all boards together.")]
    games: Count
    with_colours: Annotated[Count, api_field("Of these, the source tells who had White.")]
    white_wins: Count
    black_wins: Count
    drawn: Count
    better_white: Annotated[Count, api_field("Drawn with an advantage of White.")]
    better_black: Count
    forfeits: Annotated[Count, api_field("These are no games, and count in nothing else.")]
    white_percent: Annotated[str, api_field("Scored by White; blank where no colours are told.")]
    drawn_percent: str


class ScoreTallyData(TypedDict):
    score: Annotated[str, api_field("The higher figure first: 3-1.")]
    matches: Count


class WideWinData(TypedDict):
    round: Number
    table: Number
    first: Number
    second: Number
    score: str


class ScorerData(TypedDict):
    number: Annotated[Number, api_field("Of the competitor: the player, or its team.")]
    name: str
    title: str
    rating: Annotated[Count | None, api_field("As recorded for the event.")]
    board: Annotated[Number | None, api_field("Of a player of a team.")]
    games: Count
    won: Count
    drawn: Count
    lost: Count
    points: str
    most: Annotated[str, api_field("The points that could be scored.")]
    percent: str
    ratings: RatingData


class BoardPlaceData(TypedDict):
    board: Number
    place: Number
    number: Annotated[Number, api_field("Of the team.")]
    name: str
    points: str
    games: Count
    percent: str


class BoardScoreData(TypedDict):
    board: Number
    points: str
    games: Count


class TeamBoardsData(TypedDict):
    number: Number
    boards: list[BoardScoreData]


class StatisticsData(OfEvent):
    rests_on: RestsOn
    results: Annotated[list[ResultTallyData], api_field("How games ended: all of them, then board by board.")]
    match_scores: list[ScoreTallyData]
    widest_wins: Annotated[list[WideWinData], api_field("Matches; none where too many are level.")]
    players: list[ScorerData]
    best_of_boards: list[BoardPlaceData]
    least_games: Annotated[Count, api_field("From so many games on a score is compared on its board.")]
    teams: Annotated[list[TeamBoardsData], api_field("What each team scored on each board.")]
