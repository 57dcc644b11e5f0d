"""The kinds of value in an event file: how each is read, written and described in the JSON Schema.

`FileValue.read` gets the value as the parser returns it (`int`, `Decimal`, `str`, `list`, …) and returns the
value for the document. It appends a Fault with a code, a message and a location for each error; a value with
faults is not used. Points are half-points in the document.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from django.db.models import TextChoices
from pydantic import GetCoreSchemaHandler
from pydantic_core import (
    CoreSchema,
    ErrorDetails,
    InitErrorDetails,
    PydanticCustomError,
    ValidationError,
    core_schema,
)

from standings.engine import decimal_text
from tournaments.event.dates import is_date, is_time, is_time_zone, parse_day
from tournaments.event.finding import cut
from tournaments.event.json_writer import Exact
from tournaments.event.numbers import fault_of_results, results_of_text, text_of_results
from tournaments.event.reuse import DOI_PATTERN, LONGEST_DOI, is_doi

LARGEST = 16_383
"""The largest number of a competitor, round, table or score: a small integer with room to move rows."""

LONGEST_REASON = 200

LARGEST_RATING = 9999

DROPPED = "drop"
"""The rule that leaves competitors without a rating out of tie-breaks on ratings."""

_EXACT_DIGITS = 20
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_UNPRINTABLE_IN_PROSE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_SLUG = re.compile(r"[-a-zA-Z0-9_]+")
_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?(Z|[+-][0-9]{2}:[0-9]{2})"
)
_DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?")
_NUMBER_PATTERN = "^([1-9][0-9]{0,3}|1[0-5][0-9]{3}|16[0-2][0-9]{2}|163[0-7][0-9]|1638[0-3])$"  # to LARGEST
_LEAP_YEAR = "([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)"
_DAY_OF_ANY_YEAR = (
    "((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
)
_DAY_PATTERN = f"(?!0000)([0-9]{{4}}-{_DAY_OF_ANY_YEAR}|{_LEAP_YEAR}-02-29)"
_TYPES = {list: "a list", str: "a text", bool: "true or false", int: "a number"}

Schema = dict[str, Any]


class Fault(NamedTuple):
    """A fault of a value: code and message of the finding. `loc`: the keys and indexes that lead to it."""

    code: str
    message: str
    loc: tuple[str | int, ...] = ()

    def below(self, *loc: str | int) -> "Fault":
        return self._replace(loc=(*loc, *self.loc))


def validation_error(faults: Iterable[Fault]) -> ValidationError:
    # pydantic cannot print a lone surrogate and replaces it in locations. Keys and values of a file may
    # contain lone surrogates, so the context has the message in a tuple and the location again.
    details: list[InitErrorDetails] = [
        {"type": PydanticCustomError(code, "refused", {"fault": (message, loc)}), "loc": loc, "input": None}
        for code, message, loc in faults
    ]
    return ValidationError.from_exception_data("value", details)


def faults_of(refused: ValidationError) -> list[Fault]:
    """Return our faults in a pydantic error, and faults for the errors that pydantic found itself."""
    return [_fault_of_pydantic(each) for each in refused.errors(include_url=False)]


def _fault_of_pydantic(details: ErrorDetails) -> Fault:
    if fault := details.get("ctx", {}).get("fault"):
        message, inner = fault
        outer = details["loc"][: len(details["loc"]) - len(inner)]
        return Fault(details["type"], message, (*outer, *inner))
    if details["type"] == "missing":
        return missing_key(str(details["loc"][-1]), details["loc"])
    return wrong_type(details["input"], "a list").below(*details["loc"])


def missing_key(key: str, loc: tuple[str | int, ...] = ()) -> Fault:
    return Fault("missing-key", f"The key “{key}” is missing. Add it.", loc or (key,))


def quoted(value: Any) -> str:
    if isinstance(value, dict):
        return "This"
    if isinstance(value, list):
        return f"[{', '.join(quoted(each) for each in value)}]" if len(value) <= 4 else "This"
    return cut(f"“{value}”" if isinstance(value, str) else str(value), 60)


def wrong_type(value: Any, wanted: str) -> Fault:
    found = "null" if value is None else _TYPES.get(type(value), "a number")
    if isinstance(value, dict):
        found = "an object"
    return Fault("wrong-type", f"{quoted(value)} is {found}, not {wanted}. Correct it.")


def exact(value: Any) -> str | None:
    """Return a number without trailing zeros, such as 372.5. None if it is none or too long."""
    # `bool` is a subclass of `int`, but true is not a number in a file.
    number = Decimal(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(number, Decimal) or not _is_small(number):
        return None
    text = f"{number:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in {"-0", ""} else text


def _is_small(number: Decimal) -> bool:
    """Return whether the number can be written in full without filling the memory or losing digits."""
    _, digits, exponent = number.as_tuple()
    return len(digits) <= _EXACT_DIGITS and isinstance(exponent, int) and abs(exponent) <= _EXACT_DIGITS


def as_list(value: Any) -> Any:
    # JSON fields of models contain lists, and a tuple never equals a list.
    return [as_list(each) for each in value] if isinstance(value, tuple) else value


class FileValue:
    """A kind of value; an annotation of the fields in `document`."""

    called = ""
    """The title in the JSON Schema, if the value is used in several places."""

    required: bool | None = None
    """Whether the key is required in a file. None: if the document has no default for it."""

    is_spread = False
    """Whether the file has a line for each element."""

    blank: Any = ""
    """The value in plain data if the key is left out."""

    def read(self, value: Any, faults: list[Fault]) -> Any:
        raise NotImplementedError

    def write(self, value: Any) -> Any:
        return as_list(value)

    def schema(self) -> Schema:
        raise NotImplementedError

    def named_schema(self) -> Schema:
        return {**self.schema(), **({"title": self.called} if self.called else {})}

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return self.core_schema()

    def core_schema(self) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            self._validated,
            metadata={"pydantic_js_functions": [lambda _schema, _handler: self.named_schema()]},
        )

    def _validated(self, value: Any) -> Any:
        faults: list[Fault] = []
        found = self.read(value, faults)
        if faults:
            raise validation_error(faults)
        return found


def without_signs(*, prose: bool = False) -> Schema:
    """Return the JSON Schema that forbids control characters; prose may have tabs and line breaks.

    It allows lone surrogates: validators that count in UTF-16 find two of them in every pair.
    """
    signs = r"[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]" if prose else r"[\u0000-\u001f\u007f]"
    # Not a pattern for the entire text: in some validators `$` also matches before a final line feed.
    return {"not": {"type": "string", "pattern": signs}}


# --- texts ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Text(FileValue):
    """A text that the database can store. `filled`: not empty. `prose`: may have several lines."""

    longest: int
    filled: bool = False
    prose: bool = False

    def read(self, value: Any, faults: list[Fault]) -> str:
        if not isinstance(value, str):
            faults.append(wrong_type(value, "a text"))
            return ""
        if self.filled and not value:
            faults.append(Fault("empty-text", "“{key}” is empty. Fill it in."))
        if len(value) > self.longest:
            text = f"{len(value)} characters; at most {self.longest} fit. Shorten it."
            faults.append(Fault("too-long", text))
        if found := (_UNPRINTABLE_IN_PROSE if self.prose else _UNPRINTABLE).search(value):
            code = f"U+{ord(found.group()):04X}"
            text = f"The character {code} is not allowed in a text. Remove it."
            faults.append(Fault("bad-character", text))
        return str(value)

    def schema(self) -> Schema:
        least = {"minLength": 1} if self.filled else {}
        return {"type": "string", **least, "maxLength": self.longest, **without_signs(prose=self.prose)}


class Slug(Text):
    """A text that can be part of a URL path."""

    called = "slug"

    def read(self, value: Any, faults: list[Fault]) -> str:
        text = super().read(value, faults)
        if not _SLUG.fullmatch(text) and (text or not self.filled):
            message = f"“{text}” has other characters than letters, digits, - and _."
            faults.append(Fault("bad-slug", message))
        return text

    def schema(self) -> Schema:
        return {**super().schema(), "pattern": "^[-a-zA-Z0-9_]+$"}


@dataclass(frozen=True)
class Choice(FileValue):
    """A code from a list. `older`: codes of older files, and the current code for each."""

    words: tuple[str, ...]
    older: Mapping[str, str] | None = None

    @classmethod
    def of(cls, words: Iterable[TextChoices], older: Mapping[str, str] | None = None) -> "Choice":
        return cls(tuple(each.value for each in words), older)

    def read(self, value: Any, faults: list[Fault]) -> str:
        older = self.older or {}
        if isinstance(value, str) and (value in self.words or value in older):
            return older.get(value, value)
        words = ", ".join((*self.words, *older))
        faults.append(Fault("wrong-value", f"{quoted(value)} is not one of {words}. Use one of them."))
        return self.words[0]

    def schema(self) -> Schema:
        return {"enum": [*self.words, *(self.older or {})]}


class Truth(FileValue):
    blank: Any = False

    def read(self, value: Any, faults: list[Fault]) -> bool:
        if not isinstance(value, bool):
            faults.append(wrong_type(value, "true or false"))
        return value is True

    def schema(self) -> Schema:
        return {"type": "boolean"}


class CheckedText(Text):
    """A text that a function checks, or blank if unknown; its schema has a pattern.

    `refused`: the code and the end of the message of its fault. `sets_length`: the pattern sets the length.
    """

    length: int
    is_valid: Callable[[str], Any]
    pattern: str
    refused: tuple[str, str]
    sets_length = False

    def __init__(self, *, filled: bool = False) -> None:
        super().__init__(self.length, filled)

    def read(self, value: Any, faults: list[Fault]) -> str:
        text = super().read(value, faults)
        if text and not type(self).is_valid(text):
            code, ending = self.refused
            faults.append(Fault(code, f"{quoted(text)} is {ending}"))
        return text

    def schema(self) -> Schema:
        schema = {**super().schema(), "pattern": self.pattern}
        if self.sets_length:
            del schema["maxLength"]
        return schema


class Date(CheckedText):
    """A day of the calendar, or only a year; blank if unknown."""

    length, sets_length = 10, True
    is_valid = staticmethod(is_date)
    pattern = f"^({_DAY_PATTERN}|(?!0000)[0-9]{{4}})?$"
    refused = "bad-date", "no date. Write 2018-09-24, or 1948 for a year alone."


class Day(CheckedText):
    """A day of the calendar; blank if unknown."""

    length, sets_length = 10, True
    is_valid = staticmethod(parse_day)
    pattern = f"^({_DAY_PATTERN})?$"
    refused = "bad-date", "no day. Write 2018-10-06."


class TimeOfDay(CheckedText):
    """Hours and minutes in the local time of the event; blank if unknown."""

    length, sets_length = 5, True
    is_valid = staticmethod(is_time)
    pattern = "^(([01][0-9]|2[0-3]):[0-5][0-9])?$"
    refused = "bad-time", "no time of day. Write 14:00, or 09:30."


class TimeZoneName(CheckedText):
    """An IANA time zone name; blank if unknown."""

    length = 60
    is_valid = staticmethod(is_time_zone)
    # Only the form is checked: the names change with each edition of the time zone database.
    pattern = "^([A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*)?$"
    refused = "bad-time-zone", "no time zone. Write Europe/Amsterdam."


class Doi(CheckedText):
    """A DOI without the URL of a resolver, or blank."""

    length = LONGEST_DOI
    is_valid = staticmethod(is_doi)
    pattern = f"^({DOI_PATTERN})?$"
    refused = "bad-doi", "no DOI. Write 10.5281/zenodo.1234567."


class Moment(Text):
    """A date and time with a UTC offset."""

    called = "moment"
    pattern = f"^{_MOMENT.pattern}$"

    def __init__(self) -> None:
        super().__init__(40, filled=True)

    def read(self, value: Any, faults: list[Fault]) -> Any:
        text = super().read(value, faults)
        try:
            if _MOMENT.fullmatch(text):
                return datetime.fromisoformat(text).astimezone(UTC)
        except (ValueError, OverflowError):
            pass  # an impossible day such as February 31 gets the same message
        if text:
            message = f"“{text}” is no date with a time. Write 2022-05-17T13:41:00Z."
            faults.append(Fault("bad-date", message))
        return None

    def write(self, value: datetime) -> str:
        return f"{value.astimezone(UTC).isoformat().removesuffix('+00:00')}Z"

    def schema(self) -> Schema:
        return {"type": "string", "pattern": self.pattern, **without_signs()}


@dataclass(frozen=True)
class Texts(FileValue):
    """A list of texts; in the file, long texts have a line each."""

    each: FileValue
    is_spread: bool = False

    def read(self, value: Any, faults: list[Fault]) -> tuple[str, ...]:
        return tuple(_each(self.each, value, faults))

    def schema(self) -> Schema:
        return {"type": "array", "items": self.each.named_schema()}


class SortedTexts(Texts):
    """Texts such as former slugs, unique and in alphabetical order."""

    def read(self, value: Any, faults: list[Fault]) -> tuple[str, ...]:
        return tuple(sorted(set(super().read(value, faults))))


class Categories(Texts):
    """Categories of a competitor in their order, unique and not blank."""

    def read(self, value: Any, faults: list[Fault]) -> tuple[str, ...]:
        found: list[str] = []
        for index, each in enumerate(_elements(value, faults)):
            category = _below(index, self.each, each, faults)
            if category in found:
                text = f"“{category}” is here twice. Keep one."
                faults.append(Fault("category-twice", text, (index,)))
            elif each == "":
                text = "A category is empty. Fill it in, or take it out."
                faults.append(Fault("empty-text", text, (index,)))
            found.append(category)
        return tuple(found)

    def schema(self) -> Schema:
        items = {**self.each.schema(), "minLength": 1}
        return {"type": "array", "items": items, "uniqueItems": True}


def _each(kind: FileValue, value: Any, faults: list[Fault]) -> list[Any]:
    return [_below(index, kind, each, faults) for index, each in enumerate(_elements(value, faults))]


def _elements(value: Any, faults: list[Fault], wanted: str = "a list") -> list[Any]:
    if isinstance(value, list):
        return value
    faults.append(wrong_type(value, wanted))
    return []


def _below(at: str | int, kind: FileValue, value: Any, faults: list[Fault]) -> Any:
    """Read a value with its kind, and put `at` in front of the location of its faults."""
    inner: list[Fault] = []
    found = kind.read(value, inner)
    faults += (fault.below(at) for fault in inner)
    return found


# --- numbers ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Whole(FileValue):
    """An integer within bounds."""

    least: int = 1
    most: int = LARGEST

    blank: Any = 0

    def read(self, value: Any, faults: list[Fault]) -> int:
        # The parser reads 2.0 as a Decimal, but in JSON it is an integer.
        if isinstance(value, Decimal) and _is_small(value) and value == int(value):
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            faults.append(wrong_type(value, "a whole number"))
            return self.least
        if not self.least <= value <= self.most:
            text = f"{value} is not between {self.least} and {self.most}. Correct it."
            faults.append(Fault("out-of-range", text))
        return value

    def schema(self) -> Schema:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}


FIXED_TABLE = Whole(1, 999)
NUMBER = Whole()
"""A number of a competitor, a round, a table or a place."""


class Points(FileValue):
    """Points in steps of ½; half-points in the document."""

    called = "points"
    least = 0
    blank: Any = 0

    def read(self, value: Any, faults: list[Fault]) -> int:
        number = Decimal(value) if isinstance(value, int) and not isinstance(value, bool) else value
        if not isinstance(number, Decimal):
            faults.append(wrong_type(value, "a number of points"))
            return 0
        # 1e999999999 gets the same fault as 0.25, because a multiplication would fill the memory.
        half_points = 2 * number if _is_small(number) else Decimal("0.5")
        if half_points != int(half_points):
            text = f"{value} is not a multiple of ½. Points are whole or half."
            faults.append(Fault("not-half-points", text))
            return 0
        if not self.least <= half_points <= LARGEST:
            text = f"{value} is not between {self.least // 2 or 0} and {LARGEST // 2}. Correct it."
            faults.append(Fault("out-of-range", text))
        return int(half_points)

    def write(self, value: int | None) -> Exact | None:
        # A float could be printed with other digits than were read.
        return None if value is None else Exact(decimal_text(value, 2))

    def schema(self) -> Schema:
        least = self.least and self.least / 2  # 0, not 0.0
        return {"type": "number", "minimum": least, "maximum": LARGEST / 2, "multipleOf": 0.5}


POINTS = Points()


class SignedPoints(Points):
    """Points that may be negative."""

    called = "signed_points"
    least = -LARGEST


class UnratedRule(FileValue):
    """The rating in tie-breaks for competitors without a rating, or `drop`; a text in the document.

    Blank: not set.
    """

    def read(self, value: Any, faults: list[Fault]) -> str:
        if value in ("", DROPPED):
            return str(value)
        inner: list[Fault] = []
        rating = Whole(1, LARGEST_RATING).read(value, inner)
        if inner:
            text = f"{quoted(value)} is neither a rating nor “{DROPPED}”. Use one of them."
            faults.append(Fault("wrong-value", text))
        return str(rating)

    def write(self, value: str) -> int | str:
        return int(value) if value.isdigit() else value

    def schema(self) -> Schema:
        rating = Whole(1, LARGEST_RATING).schema()
        return {**rating, "type": ["integer", "string"], "maxLength": 4, "pattern": f"^({DROPPED})?$"}


def _so_many(value: Any, wanted: str, length: int, faults: list[Fault]) -> list[Any]:
    if isinstance(value, list) and len(value) == length:
        return value
    faults.append(Fault("wrong-type", f"{quoted(value)} is not {wanted}. Write it so."))
    return []


class ScoreValue(FileValue):
    """[first, second] in points. `second` is null if there is no opponent, which `document` checks."""

    called = "score"

    def read(self, value: Any, faults: list[Fault]) -> tuple[int | None, ...]:
        sides = _so_many(value, "[first, second]", 2, faults)
        return tuple(
            None if index and each is None else _below(index, POINTS, each, faults)
            for index, each in enumerate(sides)
        )

    def write(self, value: Any) -> list[Exact | None]:
        return [POINTS.write(each) for each in value]

    def schema(self) -> Schema:
        points = POINTS.schema()
        sides = [points, {"anyOf": [points, {"type": "null"}]}]
        text = "[first, second]; the second is null where there is no opponent."
        return {"description": text, "type": "array", "prefixItems": sides, "minItems": 2, "maxItems": 2}


class WinDrawLoss(FileValue):
    """[win, draw, loss] in points, in descending order."""

    required = False  # the results of a game may be listed instead

    def read(self, value: Any, faults: list[Fault]) -> tuple[int, ...]:
        before = len(faults)
        found = _each(POINTS, _so_many(value, "[win, draw, loss]", 3, faults), faults)
        if len(faults) == before and not found[0] > found[1] > found[2]:
            text = "A win must give more than a draw, a draw more than a loss. Write [win, draw, loss]."
            faults.append(Fault("scoring-order", text))
        return tuple(found)

    def write(self, value: Any) -> list[Exact | None]:
        return [POINTS.write(each) for each in value]

    def schema(self) -> Schema:
        items = POINTS.schema()
        return {
            "description": "[win, draw, loss]", "type": "array", "items": items, "minItems": 3, "maxItems": 3,
        }  # fmt: skip


class ListedResults(FileValue):
    """All possible results of a game, such as [[3, 0], [1.5, 1]]; in the document a text, `3-0 1½-1`."""

    called = "results"

    def read(self, value: Any, faults: list[Fault]) -> str:
        before, found = len(faults), set()
        for index, each in enumerate(_elements(value, faults)):
            if not isinstance(each, list) or len(each) != 2:
                text = "A result is both scores, such as [1.5, 1]. Write it so."
                faults.append(Fault("wrong-type", text, (index,)))
                continue
            first, second = (_below(index, POINTS, side, faults) for side in each)
            found.add((max(first, second), min(first, second)))
        numbers = tuple(sorted(found, reverse=True))
        if len(faults) > before:
            return ""
        if fault := fault_of_results(numbers):
            faults.append(Fault("scoring-order", fault))
        return text_of_results(numbers)

    def write(self, value: str) -> list[list[Exact | None]]:
        return [[POINTS.write(side) for side in each] for each in results_of_text(value)]

    def schema(self) -> Schema:
        result = {"type": "array", "items": POINTS.schema(), "minItems": 2, "maxItems": 2}
        text = "Every result that a game can have, instead of win, draw and loss."
        return {"description": text, "type": "array", "minItems": 1, "items": result}


class NumberList(FileValue):
    """A list of competitor numbers. A fault of an element is reported for the list."""

    blank: Any = []

    def read(self, value: Any, faults: list[Fault]) -> list[int]:
        return [NUMBER.read(each, faults) for each in _elements(value, faults, "a list of numbers")]

    def schema(self) -> Schema:
        return {"type": "array", "items": NUMBER.schema()}


class RoundNumbers(NumberList):
    """A list of numbers of rounds."""

    blank: Any = ()

    def read(self, value: Any, faults: list[Fault]) -> Any:
        return tuple(super().read(value, faults))


class Order(FileValue):
    """Lists of numbers that share a place; an empty one is a place that the source leaves out."""

    called = "order"

    blank: Any = []

    def read(self, value: Any, faults: list[Fault]) -> list[list[int]]:
        return _each(NumberList(), value, faults)

    def schema(self) -> Schema:
        return {"description": self.__doc__, "type": "array", "items": NumberList().schema()}


class Moved(FileValue):
    """Lists of competitor number, place before and place after; a place may be null."""

    called = "moved"

    def read(self, value: Any, faults: list[Fault]) -> tuple[tuple[int | None, ...], ...]:
        found = []
        for index, each in enumerate(_elements(value, faults)):
            inner: list[Fault] = []
            if isinstance(each, list) and len(each) == 3:
                number, *places = each
                read = (None if place is None else NUMBER.read(place, inner) for place in places)
                found.append((NUMBER.read(number, inner), *read))
            else:
                inner.append(wrong_type(each, "[number, place before, place after]"))
            faults += (fault.below(index) for fault in inner)
        return tuple(found)

    def schema(self) -> Schema:
        place = {"anyOf": [NUMBER.schema(), {"type": "null"}]}
        text = "[number, place before, place after]; null: had no place."
        items = {
            "description": text, "type": "array", "prefixItems": [NUMBER.schema(), place, place],
            "minItems": 3, "maxItems": 3,
        }  # fmt: skip
        return {"type": "array", "items": items}


# --- objects with free keys -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Constant(FileValue):
    """A constant, such as the format name at the start of a file."""

    value: str | int
    required: bool | None = True

    def read(self, value: Any, faults: list[Fault]) -> Any:  # noqa: ARG002  # nothing can be wrong with it here
        return value

    def schema(self) -> Schema:
        return {"const": self.value}


class Figure(FileValue):
    """A published figure as exact text; a ratio such as 6/4 is a text in the file too."""

    def read(self, value: Any, faults: list[Fault]) -> str:
        if isinstance(value, str):
            return Text(40).read(value, faults)
        figure = exact(value)
        if figure is None:
            faults.append(wrong_type(value, "an exact number of at most 20 digits, or a text"))
        return figure or ""

    def write(self, value: str) -> str:
        return Exact(value) if _DECIMAL.fullmatch(value) else value

    def schema(self) -> Schema:
        return {**Text(40).schema(), "type": ["number", "string"]}


@dataclass(frozen=True)
class Keyed(FileValue):
    """An object whose keys are numbers of competitors or rounds, or labels.

    Keys are sorted by number or alphabetically, because a database may not preserve their order.
    """

    each: FileValue
    by_label: bool = False
    is_spread: bool = False
    blank: Any = field(default_factory=dict)

    def read(self, value: Any, faults: list[Fault]) -> dict[str, Any]:
        if not isinstance(value, dict):
            faults.append(wrong_type(value, "an object"))
            return {}
        faults += twice_in(value)
        found = {}
        for key, each in value.items():
            inner: list[Fault] = []
            Text(120).read(key, inner)
            if not self.by_label and not re.fullmatch(_NUMBER_PATTERN, key):
                text = f"“{key}” is no number of a competitor or a round. Correct it."
                inner.append(Fault("wrong-type", text))
            found[key] = self.each.read(each, inner)
            faults += (fault.below(key) for fault in inner)
        return found

    def write(self, value: Mapping[str, Any]) -> dict[str, Any]:
        order = None if self.by_label else int
        return {key: self.each.write(value[key]) for key in sorted(value, key=order)}

    def schema(self) -> Schema:
        names = Text(120).schema() if self.by_label else {"pattern": _NUMBER_PATTERN, **without_signs()}
        return {"type": "object", "propertyNames": names, "additionalProperties": self.each.schema()}


def twice_in(value: Mapping[str, Any]) -> list[Fault]:
    """Return a fault for each duplicate key of an object in the file."""
    twice: Collection[str] = getattr(value, "twice", ())
    return [Fault("key-twice", f"The key “{key}” is here twice. Keep one.", (key,)) for key in twice]
