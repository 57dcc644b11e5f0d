"""The shapes of the API's answers, declared once: views fill them, the OpenAPI document is made of them.

The schema of a class has its name, without `Data`. What an event file has too is described as there.
"""

from functools import cache
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, WithJsonSchema
from pydantic_core.core_schema import TypedDictSchema
from typing_extensions import TypedDict

from tournaments.event.choices import PUBLIC, Entrants, Kind, Schedule
from tournaments.event.declaring import Object, One, SchemaGenerator
from tournaments.event.document import CompetitorEntry, EventEntry, PairingEntry
from tournaments.event.values import Choice, Schema, Slug
from tournaments.formats.json.schema import definitions, lifted

COMPONENTS = "#/components/schemas/"


def described(text: str) -> Any:
    """Return what says in the schema of a value what it is."""
    return Field(description=text)


Count = Annotated[int, Field(ge=0)]
Number = Annotated[int, Field(ge=1)]
Address = Annotated[str, WithJsonSchema({"type": "string", "format": "uri"})]
ExactFigure = Annotated[str, described("An exact figure in points: 372.5, 19687/9, 6/4; never rounded.")]
RestsOn = Annotated[str, described("The results that standings rest on: during round 9: 4 of 34 results in.")]
SlugOfEvent = Annotated[str, Slug(80, filled=True)]
EventObject = Annotated[Object, One(EventEntry)]
CompetitorObject = Annotated[Object, One(CompetitorEntry)]
PairingObject = Annotated[Object, One(PairingEntry)]
Mark = Annotated[str, Choice(("withdrawn", "annulled", "pending", "unknown", "pairing", "value", "place"))]
StateOfRound = Annotated[str, Choice(("published", "closed"))]


class FaultData(TypedDict):
    error: str


class EndpointData(TypedDict):
    path: str
    summary: str


class IndexData(TypedDict):
    name: str
    version: str
    document: Address
    endpoints: list[EndpointData]


class DocumentData(TypedDict):
    openapi: str
    info: dict[str, Any]
    servers: list[dict[str, Any]]
    paths: dict[str, Any]
    components: dict[str, Any]


# --- events -----------------------------------------------------------------------------------------------


class EventBrief(TypedDict):
    slug: SlugOfEvent
    name: str
    series: str | None
    place: str
    country: str
    start: str
    end: str
    state: Annotated[str, Choice.of(PUBLIC)]
    discipline: str
    entrants: Annotated[str, Choice.of(Entrants)]
    schedule: Annotated[str, Choice.of(Schedule)]
    rounds: Number
    competitors: Count
    address: Address


class EventsData(TypedDict):
    total: Count
    page: Number
    pages: Number
    previous: Address | None
    next: Address | None
    events: list[EventBrief]


class RoundBrief(TypedDict):
    number: Number
    date: str
    state: StateOfRound
    pairings: Count
    awaited: Count
    address: Address


class EventLinks(TypedDict):
    page: Address
    standings: Address
    competitors: Address
    event_file: Address


class EventAnswer(TypedDict):
    event: EventObject
    version: Number
    told_until: Annotated[str | None, described("The last day that the data tell of: a date, or a year.")]
    competitors: Count
    rounds: list[RoundBrief]
    links: EventLinks


class RoundAnswer(TypedDict):
    event: SlugOfEvent
    version: Number
    number: Number
    date: str
    state: StateOfRound
    pairings: list[PairingObject]


# --- standings and competitors ----------------------------------------------------------------------------


class ValueData(TypedDict):
    text: Annotated[str, described("As the table prints it: 372½.")]
    levels: Annotated[list[ExactFigure], described("A figure per level; none where nothing was decided.")]


class RankedRow(TypedDict):
    number: Number
    place: Annotated[Number | None, described("None outside the competition.")]
    shared: bool
    outside: bool
    marks: list[Mark]
    values: dict[str, ValueData]
    decided_by: Annotated[
        str | None,
        described("The criterion that parted the row from the one above; place where a ruling did."),
    ]


class RowData(RankedRow):
    name: str
    code: str


class StandingsData(TypedDict):
    event: SlugOfEvent
    after: Count
    system: str
    criteria: list[str]
    rows: list[RowData]
    version: Number
    rests_on: RestsOn


class CompetitorsData(TypedDict):
    event: SlugOfEvent
    version: Number
    competitors: list[CompetitorObject]


class CompetitorRound(TypedDict):
    round: Number
    total: Annotated[str, described("Match or game points so far, whichever are primary.")]
    place: Annotated[Number | None, described("After the round; none outside the competition.")]
    pairing: Annotated[PairingObject | None, described("None where no pairing of the round names it.")]


class CompetitorAnswer(TypedDict):
    event: SlugOfEvent
    version: Number
    after: Count
    rests_on: RestsOn
    competitor: CompetitorObject
    standing: RowData
    rounds: list[CompetitorRound]


# --- the check against published standings ----------------------------------------------------------------


class FiguresData(TypedDict):
    number: Number
    published: str
    computed: Annotated[str, described("Without what was ruled by hand.")]
    ruled: Annotated[str, described("Empty where it is as computed; * where it was ruled itself.")]
    why: Annotated[str, described("Why they differ, where that is understood.")]


class AgreementData(TypedDict):
    label: Annotated[str, described("As the source prints it; order for the places.")]
    rows: Count
    agreeing: Annotated[Count | None, described("None where no criterion is known by this label.")]
    differences: list[FiguresData]
    ruled: Annotated[list[FiguresData], described("Where a ruling gives another figure.")]


class CheckedTableData(TypedDict):
    after: Count
    columns: list[AgreementData]


class CheckData(TypedDict):
    event: SlugOfEvent
    version: Number
    verdict: Annotated[
        str,
        Choice(("agrees", "partial", "differs", "unchecked")),
        described("In full, in the part that was published, not, or nothing was published."),
    ]
    publisher: str
    source: str
    taken: Annotated[str | None, described("The day on which they were taken from the source.")]
    tables: list[CheckedTableData]


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


class ExplanationData(TypedDict):
    event: SlugOfEvent
    version: Number
    after: Count
    rests_on: RestsOn
    criterion: str
    competitor: CompetitorBrief
    text: str
    levels: list[ExactFigure]
    ruled: Annotated[bool, described("An arbiter replaced the value.")]
    computed: Annotated[list[ExactFigure], described("What the lines come to.")]
    sums: Annotated[list[str], described("How the lines add up, a text per level.")]
    lines: list[LineData]


class CriterionData(TypedDict):
    code: str
    name: str
    abbreviation: str
    rule: str
    source: str
    address: Annotated[str, described("The code as it stands in an address, without a slash.")]
    article: Annotated[str, described("Of FIDE's C.07; blank for others.")]
    since: Annotated[str, described("The edition of C.07 that it came with; blank for older ones.")]
    takes: Annotated[str, described("The letters of the modifiers of C.07 that its code takes.")]
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


# --- their schemas ----------------------------------------------------------------------------------------


class AnswerSchemas(SchemaGenerator):
    """Names the schema of an answer as its class, without `Data`, and allows it no other keys."""

    def normalize_name(self, name: str) -> str:
        return super().normalize_name(name).removesuffix("Data")

    def typed_dict_schema(self, schema: TypedDictSchema) -> Schema:
        return {"additionalProperties": False, **super().typed_dict_schema(schema)}


def schema_name(answer: type[Any]) -> str:
    """Return what the OpenAPI document calls the schema of an answer."""
    return answer.__name__.removesuffix("Data")


@cache
def components(answers: tuple[type[Any], ...]) -> dict[str, Schema]:
    """Return the schemas of answers and of all that stands in them by name, and those of the event file."""
    _, made = TypeAdapter.json_schemas(
        [(schema_name(each), "validation", TypeAdapter(each)) for each in answers],
        schema_generator=AnswerSchemas,
        ref_template=COMPONENTS + "{model}",
    )
    found = definitions(COMPONENTS)
    del found["document"]
    for name, schema in made["$defs"].items():
        del schema["title"]
        found[name] = lifted(schema, found, COMPONENTS)
    return found
