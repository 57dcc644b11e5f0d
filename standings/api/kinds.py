"""The base class of responses, and the types of values in several of them.

A response is made from attributes of another object, which its fields name and its types convert. Objects
of the event file have the same description as there.
"""

from typing import Annotated, Any, Self, TypeVar, cast

from django.http import HttpRequest
from django.urls import reverse
from pydantic import (
    AliasPath,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    WithJsonSchema,
    WrapValidator,
)

from standings.basis import basis_of, basis_text
from standings.checking.reports import AGREES, DIFFERS, PARTIAL, UNCHECKED
from standings.engine import decimal_text
from standings.statistics.texts import exact_hundredths
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
from tournaments.event.schema import Nested, Object, object_of
from tournaments.event.values import Choice, Slug

T = TypeVar("T")


class ResponseModel(BaseModel):
    """A response, or an object in it."""

    model_config = ConfigDict(from_attributes=True, extra="forbid", validate_by_name=True)

    @classmethod
    def of(cls, source: Any, request: HttpRequest | None = None, /, **given: Any) -> Self:
        """Return the object with the given values, and the others from attributes of the source.

        Fields that are links need the request.
        """
        return cls.model_validate(_Overlaid(source, given) if given else source, context=request)


class _Overlaid:
    def __init__(self, source: Any, given: dict[str, Any]) -> None:
        self.__dict__.update(given, _source=source)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)


def api_field(text: str = "", source: str = "", **further: Any) -> Any:
    """Return a field with a description. `source`: the path of the attribute, if not the name of the field.

    `default=None` makes the value null if there is no such attribute; the key is never omitted.
    """
    if text:
        further["description"] = text
    if source:
        first, *rest = source.split(".")
        path = (int(part) if part.isdecimal() else part for part in rest)
        further["validation_alias"] = AliasPath(first, *path)
    return Field(**further)


def link_to(view: str) -> Any:
    """Return the annotation of a link to that view. Its arguments are the value, or the items of a tuple."""

    def link(value: Any, info: ValidationInfo) -> str:
        request = cast("HttpRequest", info.context)
        arguments = value if isinstance(value, tuple) else (value,)
        return request.build_absolute_uri(reverse(view, args=arguments))

    return BeforeValidator(link)


AS_IS: Any = WrapValidator(lambda value, _: value)
"""Leaves a value as it is: stored values may break limits, and validation would lose the layout."""

Count = Annotated[int, WithJsonSchema({"type": "integer", "minimum": 0})]
Number = Annotated[int, WithJsonSchema({"type": "integer", "minimum": 1})]

OrNull = Annotated[T | None, BeforeValidator(lambda found: found or None)]
"""Null instead of 0 or a blank."""

Lazy = Annotated[str, BeforeValidator(str)]
FROM_HALVES: Any = BeforeValidator(lambda halves: decimal_text(halves, 2))
HalfPoints = Annotated[str, FROM_HALVES]
"""The half-points of the source in points."""

Hundredths = Annotated[str, BeforeValidator(exact_hundredths)]
Address = Annotated[str, WithJsonSchema({"type": "string", "format": "uri"})]
TimeOfChange = Annotated[
    str,
    WithJsonSchema(
        {
            "type": "string",
            "format": "date-time",
            "description": "In UTC, to the microsecond: 2026-11-23T14:22:06.123456+00:00.",
        }
    ),
]
ExactFigure = Annotated[str, api_field("An exact number of points, never rounded: 372.5, 19687/9, 6/4.")]
ExactPoints = Annotated[ExactFigure, FROM_HALVES]
RestsOn = Annotated[str, api_field("The results that count, such as “during round 9: 4 of 34 results in”.")]
RestsOnTable = Annotated[RestsOn, BeforeValidator(lambda table: basis_text(basis_of(table)))]
"""The same, from a crosstable."""

SlugOfEvent = Annotated[str, Slug(80, filled=True), AS_IS]
FROM_ENTRY: Any = WrapValidator(lambda entry, _: object_of(entry))
"""Converts an entry to its object in the event file, which needs no validation."""

EventObject = Annotated[Object, Nested(EventEntry), FROM_ENTRY]
CompetitorObject = Annotated[Object, Nested(CompetitorEntry), FROM_ENTRY]
PairingObject = Annotated[Object, Nested(PairingEntry), FROM_ENTRY]
OverrideObject = Annotated[Object, Nested(OverrideEntry), FROM_ENTRY]
ChangeObject = Annotated[Object, Nested(ChangeEntry), FROM_ENTRY]
AcknowledgementObject = Annotated[Object, Nested(AcknowledgementEntry), FROM_ENTRY]
PublishedObject = Annotated[Object, Nested(PublishedEntry), FROM_ENTRY]
Mark = Annotated[
    str, Choice(("withdrawn", "annulled", "pending", "unknown", "pairing", "value", "place")), AS_IS
]
Verdict = Annotated[
    str,
    Choice((AGREES, PARTIAL, DIFFERS, UNCHECKED)),
    AS_IS,
    api_field("Whether the published standings agree: fully, as far as published, not, or there are none."),
]
StateOfEvent = Annotated[str, Choice.of(PUBLIC), AS_IS]
StateOfRound = Annotated[str, Choice(("published", "closed")), AS_IS]
