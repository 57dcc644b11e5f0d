"""Types of values in several responses. Those of the event file have the same description."""

from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from standings.checking.reports import AGREES, DIFFERS, PARTIAL, UNCHECKED
from tournaments.event.choices import PUBLIC
from tournaments.event.document import (
    AcknowledgementEntry,
    ChangeEntry,
    CompetitorEntry,
    EventEntry,
    OverrideEntry,
    PairingEntry,
    PublishedEntry,
)
from tournaments.event.schema import Nested, Object
from tournaments.event.values import Choice, Slug


def api_field(text: str) -> Any:
    return Field(description=text)


Count = Annotated[int, Field(ge=0)]
Number = Annotated[int, Field(ge=1)]
Address = Annotated[str, WithJsonSchema({"type": "string", "format": "uri"})]
TimeOfChange = Annotated[
    str,
    WithJsonSchema(
        {
            "type": "string",
            "format": "date-time",
            "description": "To the microsecond, by UTC: 2026-11-23T14:22:06.123456+00:00.",
        }
    ),
]
ExactFigure = Annotated[str, api_field("An exact figure in points: 372.5, 19687/9, 6/4; never rounded.")]
RestsOn = Annotated[str, api_field("The results that standings rest on: during round 9: 4 of 34 results in.")]
SlugOfEvent = Annotated[str, Slug(80, filled=True)]
EventObject = Annotated[Object, Nested(EventEntry)]
CompetitorObject = Annotated[Object, Nested(CompetitorEntry)]
PairingObject = Annotated[Object, Nested(PairingEntry)]
OverrideObject = Annotated[Object, Nested(OverrideEntry)]
ChangeObject = Annotated[Object, Nested(ChangeEntry)]
AcknowledgementObject = Annotated[Object, Nested(AcknowledgementEntry)]
PublishedObject = Annotated[Object, Nested(PublishedEntry)]
Mark = Annotated[str, Choice(("withdrawn", "annulled", "pending", "unknown", "pairing", "value", "place"))]
Verdict = Annotated[
    str,
    Choice((AGREES, PARTIAL, DIFFERS, UNCHECKED)),
    api_field("In full, in the part that was published, not, or nothing was published."),
]
StateOfEvent = Annotated[str, Choice.of(PUBLIC)]
StateOfRound = Annotated[str, Choice(("published", "closed"))]
