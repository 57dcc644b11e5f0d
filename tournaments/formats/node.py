"""A JSON object on its way into the tree: each method reads one key and writes down what is wrong with it."""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from tournaments.event.dates import day_of, is_date
from tournaments.event.finding import Finding, Place, error
from tournaments.formats.json.parsing import Parsed

LARGEST = 16_383
"""The largest number of a competitor, round, table or score: a small integer with room to move rows in."""

_MOST_FINDINGS = 1000
_EXACT_DIGITS = 20
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_UNPRINTABLE_IN_PROSE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_SLUG = re.compile(r"[-a-zA-Z0-9_]+")
_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?(Z|[+-][0-9]{2}:[0-9]{2})"
)
_TYPES = {
    Parsed: "an object",
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a number",
}


class Log:
    """The findings so far; a hopeless file does not fill the memory with them."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []

    def add(self, code: str, place: Place, message: str) -> None:
        """Write an error down."""
        if len(self.findings) < _MOST_FINDINGS:
            self.findings.append(error(code, place, message))
        elif len(self.findings) == _MOST_FINDINGS:
            text = f"There are more than {_MOST_FINDINGS} findings; the others are not listed."
            self.findings.append(error("too-many-findings", Place(), text))


class Node:
    """One object of the file, with the keys it may have."""

    __slots__ = ("log", "missing", "place", "value")

    def __init__(self, value: Any, keys: Collection[str], place: Place, log: Log) -> None:
        self.value: dict[str, Any] = {}
        self.place, self.log = place, log
        self.missing = not isinstance(value, dict)  # said once, not again for each key that it lacks
        if self.missing:
            self.refuse_type(place, "an object", value)
            return
        self.value = value
        for key in getattr(value, "twice", ()):
            log.add("key-twice", place.key(key), f"The key “{key}” stands here twice. Keep one.")
        for key in value:
            if key not in keys:
                known = ", ".join(keys)
                log.add("unknown-key", place.key(key), f"Nobody knows the key “{key}” here. Known: {known}.")

    # --- one value ----------------------------------------------------------------------------------------

    def get(self, key: str, *, required: bool) -> Any:
        """The value under a key; None where it is missing, which is an error if it is required."""
        if key in self.value:
            if self.value[key] is None:
                self.refuse(key, "wrong-type", f"“{key}” is null. Leave the key out where nothing is known.")
            return self.value[key]
        if required and not self.missing:
            self.refuse(key, "missing-key", f"The key “{key}” is missing. Add it.")
        return None

    def text(self, key: str, longest: int, *, required: bool = False, prose: bool = False) -> str:
        """A text, blank where it is missing; prose may have several lines."""
        value = self.get(key, required=required)
        if value is None:
            return ""
        if required and value == "":
            self.refuse(key, "empty-text", f"“{key}” is empty. Fill it in.")
        return self.checked_text(value, longest, self.place.key(key), prose=prose)

    def checked_text(self, value: Any, longest: int, place: Place, *, prose: bool = False) -> str:
        """A text the database can hold, blank where it cannot."""
        if not isinstance(value, str):
            self.refuse_type(place, "a text", value)
            return ""
        if len(value) > longest:
            self.log.add("too-long", place, f"{len(value)} characters; at most {longest} fit. Shorten it.")
        if found := (_UNPRINTABLE_IN_PROSE if prose else _UNPRINTABLE).search(value):
            code = f"U+{ord(found.group()):04X}"
            self.log.add("bad-character", place, f"The character {code} cannot stand in a text. Take it out.")
        return value

    def choice(self, key: str, choices: Collection[str], default: str | None = None) -> str:
        """One of a few words; required where there is no default."""
        value = self.get(key, required=default is None)
        if value is None:
            return default or ""
        return self.checked_choice(value, choices, self.place.key(key), default)

    def checked_choice(
        self, value: Any, choices: Collection[str], place: Place, default: str | None = None
    ) -> str:
        """The value, which is one of a few words; the default, or the first of them, where it is not."""
        if isinstance(value, str) and value in choices:
            return value
        text = f"{_shown(value)} is none of {', '.join(choices)}. Take one of them."
        self.log.add("wrong-value", place, text)
        return default or next(iter(choices))

    def truth(self, key: str) -> bool:
        """True or false; false where it is missing."""
        value = self.get(key, required=False)
        if value is None or isinstance(value, bool):
            return bool(value)
        self.refuse_type(self.place.key(key), "true or false", value)
        return False

    def whole(self, key: str, least: int = 1, most: int = LARGEST) -> int:
        """A required whole number."""
        value = self.get(key, required=True)
        return least if value is None else self.checked_whole(value, least, most, self.place.key(key))

    def whole_or_none(self, key: str, least: int = 1, most: int = LARGEST) -> int | None:
        """A whole number, None where it is missing."""
        value = self.get(key, required=False)
        return None if value is None else self.checked_whole(value, least, most, self.place.key(key))

    def checked_whole(self, value: Any, least: int, most: int, place: Place) -> int:
        """A whole number within bounds; the lower bound where it is none."""
        if isinstance(value, Decimal) and _is_small(value) and value == int(value):
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            self.refuse_type(place, "a whole number", value)
            return least
        if not least <= value <= most:
            self.log.add("out-of-range", place, f"{value} is not between {least} and {most}. Correct it.")
        return value

    def checked_points(self, value: Any, place: Place) -> int:
        """Points as half-points, exactly."""
        number = Decimal(value) if isinstance(value, int) and not isinstance(value, bool) else value
        if not isinstance(number, Decimal):
            self.refuse_type(place, "a number of points", value)
            return 0
        half_points = 2 * number if _is_small(number) else Decimal("0.5")
        if half_points != int(half_points):
            self.log.add("not-half-points", place, f"{value} is no multiple of ½. Points are whole or half.")
            return 0
        if not 0 <= half_points <= LARGEST:
            self.log.add("out-of-range", place, f"{value} is not between 0 and {LARGEST // 2}. Correct it.")
        return int(half_points)

    def slug(self, key: str) -> str:
        """A required word for an address."""
        value = self.text(key, 80, required=True)
        return self.checked_slug(value, self.place.key(key)) if value else value

    def checked_slug(self, value: str, place: Place) -> str:
        """A word that can stand in an address."""
        if not _SLUG.fullmatch(value):
            self.log.add("bad-slug", place, f"“{value}” has other characters than letters, digits, - and _.")
        return value

    def date(self, key: str) -> str:
        """A date, or a year alone; blank where it is missing."""
        value = self.text(key, 10)
        if value and not is_date(value):
            self.refuse(key, "bad-date", f"“{value}” is no date. Write 2018-09-24, or 1948 for a year alone.")
        return value

    def day(self, key: str) -> str:
        """A day of the calendar; blank where it is missing."""
        value = self.text(key, 10)
        if value and day_of(value) is None:
            self.refuse(key, "bad-date", f"“{value}” is no day. Write 2018-10-06.")
        return value

    def moment(self, key: str) -> datetime:
        """A required date and time with its zone."""
        value = self.text(key, 40, required=True)
        try:
            if _MOMENT.fullmatch(value):
                return datetime.fromisoformat(value).astimezone(UTC)
        except (ValueError, OverflowError):
            pass  # a 31st of February reads as any other mistake
        if value:
            self.refuse(key, "bad-date", f"“{value}” is no date with a time. Write 2022-05-17T13:41:00Z.")
        return datetime.min.replace(tzinfo=UTC)

    # --- values inside ------------------------------------------------------------------------------------

    def child(self, key: str, keys: Collection[str], *, required: bool = False) -> "Node":
        """The object under a key; an empty one where it is missing."""
        value = self.get(key, required=required)
        inner = Node(Parsed() if value is None else value, keys, self.place.key(key), self.log)
        inner.missing |= value is None
        return inner

    def items(self, key: str, *, required: bool = False) -> Iterator[tuple[Any, Place]]:
        """The elements of the list under a key, each with its place."""
        value = self.get(key, required=required)
        if value is None:
            return
        if not isinstance(value, list):
            self.refuse_type(self.place.key(key), "a list", value)
            return
        for index, each in enumerate(value):
            yield each, self.place.item(key, index)

    def children(
        self, key: str, keys: Collection[str], *, required: bool = False, seat: str = ""
    ) -> Iterator["Node"]:
        """The objects of the list under a key; `seat` is the key that says which round or table each is."""
        for value, place in self.items(key, required=required):
            yield Node(value, keys, _seated(value, place, seat), self.log)

    def texts(self, key: str, longest: int) -> tuple[str, ...]:
        """A list of texts."""
        return tuple(self.checked_text(value, longest, place) for value, place in self.items(key))

    def named(self, key: str) -> Iterator[tuple[str, Any, Place]]:
        """The entries of an object whose keys are free, each with its place."""
        value = self.get(key, required=False)
        if value is None:
            return
        yield from self.free_entries(value, self.place.key(key))

    def free_entries(self, value: Any, place: Place) -> Iterator[tuple[str, Any, Place]]:
        """The entries of a value that should be an object with free keys."""
        if not isinstance(value, dict):
            self.refuse_type(place, "an object", value)
            return
        for key in getattr(value, "twice", ()):
            self.log.add("key-twice", place.key(key), f"The key “{key}” stands here twice. Keep one.")
        for key, each in value.items():
            self.checked_text(key, 120, place.key(key))
            yield key, each, place.key(key)

    def fixed_list(
        self, key: str, length: int, what: str, *, required: bool = False
    ) -> list[tuple[Any, Place]] | None:
        """The elements of a list of known length; None where there is no such list."""
        value = self.get(key, required=required)
        if value is None:
            return None
        if not isinstance(value, list) or len(value) != length:
            self.refuse(key, "wrong-type", f"{_shown(value)} is not {what}. Write it so.")
            return None
        return [(each, self.place.item(key, index)) for index, each in enumerate(value)]

    # --- refusing -----------------------------------------------------------------------------------------

    def refuse(self, key: str, code: str, message: str) -> None:
        """Write down an error at a key."""
        self.log.add(code, self.place.key(key), message)

    def refuse_type(self, place: Place, wanted: str, value: Any) -> None:
        """Write down that a value is of another type."""
        self.log.add("wrong-type", place, f"{_shown(value)} is {_type_of(value)}, not {wanted}. Correct it.")


def number_in_key(node: Node, key: str, place: Place) -> str:
    """A competitor's or a round's number where JSON wants a text; a finding where it is none."""
    if not (key.isascii() and key.isdigit() and 1 <= int(key[:9]) <= LARGEST and key[0] != "0"):
        node.log.add("wrong-type", place, f"“{key}” is no number of a competitor or a round. Correct it.")
    return key


def _seated(value: Any, place: Place, seat: str) -> Place:
    """The place with the round or the table that the object says it is."""
    number = value.get(seat) if isinstance(value, dict) else None
    if not isinstance(number, int):
        return place
    return replace(place, table=number) if seat == "table" else replace(place, round=number)


def _is_small(number: Decimal) -> bool:
    """Whether a number can be turned into whole numbers without filling the memory or losing digits."""
    _, digits, exponent = number.as_tuple()
    return len(digits) <= _EXACT_DIGITS and isinstance(exponent, int) and abs(exponent) <= _EXACT_DIGITS


def exact(value: Any) -> str | None:
    """An exact decimal as text without superfluous zeros, 372.5; None where the value is no such number."""
    number = Decimal(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(number, Decimal) or not _is_small(number):
        return None
    text = f"{number:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in {"-0", ""} else text


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "This"
    if isinstance(value, list):
        return f"[{', '.join(_shown(each) for each in value)}]" if len(value) <= 4 else "This"
    text = f"“{value}”" if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _type_of(value: Any) -> str:
    return "null" if value is None else _TYPES.get(type(value), "a number")
