"""Prizes of an event: for places in the entire event or in a category, and special prizes."""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated, Any, Protocol, TypedDict

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy

from tournaments.event.categories import LONGEST_CODE
from tournaments.event.choices import OVER
from tournaments.event.json_writer import Exact
from tournaments.event.values import Fault, FileValue, Schema, Text, Whole, wrong_type

LARGEST_AMOUNT = 10**11
"""In hundredths; above any prize, and far below the limit of integers in databases."""

_TYPED = re.compile(r"(\d{1,9})(?:[.,](\d{1,2}))?")


class Sharing(TextChoices):
    """How tied players share money; applied by tournaments.prizes.allocation."""

    US_CHESS = "us-chess", gettext_lazy("US Chess 32B: each player brings a prize, shared equally")
    HORT = "hort", gettext_lazy("Hort: half by place, half shared equally")
    EQUAL = "equal", gettext_lazy("shared equally, either main prizes or one category")
    NONE = "none", gettext_lazy("not shared: by place")


class Money(FileValue):
    """An amount of money, in hundredths in the document; in the file 600 or 12.5."""

    called = "money"
    blank: Any = 0

    def read(self, value: Any, faults: list[Fault]) -> int:
        number = Decimal(value) if isinstance(value, int) and not isinstance(value, bool) else value
        if not isinstance(number, Decimal):
            faults.append(wrong_type(value, "an amount of money"))
            return 0
        if not 0 <= number <= LARGEST_AMOUNT // 100:
            text = f"{value} is not between 0 and {LARGEST_AMOUNT // 100}. Correct it."
            faults.append(Fault("out-of-range", text))
            return 0
        exponent = number.normalize().as_tuple().exponent
        if not isinstance(exponent, int) or exponent < -2:
            faults.append(
                Fault("not-hundredths", f"{value} is no amount in hundredths. Write 12.5 or 12.34.")
            )
            return 0
        return int(number * 100)

    def write(self, value: int) -> Exact:
        return Exact(plain_amount(value))

    def schema(self) -> Schema:
        return {"type": "number", "minimum": 0, "maximum": LARGEST_AMOUNT // 100}


class EventPrize(TypedDict, total=False):
    """A prize; plain data: for a place in a category or in the entire event, or a special prize with a name.

    Special prizes are awarded by hand: the competitor has the name among its `awards`.
    """

    category: Annotated[str, Text(LONGEST_CODE), "Left out: of the whole event."]
    place: Annotated[int, Whole(0), "Left out of a special prize."]
    name: Annotated[str, Text(120), "Of a special prize, which is given by hand."]
    amount: Annotated[int, Money(), "The money, in whole units of the currency."]
    goods: Annotated[str, Text(120), "Instead of money or beside it: a cup."]


class PrizeSettings(Protocol):
    """The prize settings of an event; the model and the document's event implement it."""

    @property
    def state(self) -> str: ...
    @property
    def prizes(self) -> Sequence[Any]: ...
    @property
    def prizes_public(self) -> bool: ...


def shows_prizes(event: PrizeSettings) -> bool:
    """Return whether readers see who won the prizes: the event is over, or the organiser shows them."""
    return bool(event.prizes) and (event.prizes_public or event.state in OVER)


def plain_amount(hundredths: int) -> str:
    whole, rest = divmod(hundredths, 100)
    return f"{whole}.{rest:02d}" if rest else str(whole)


def read_amount(text: str) -> int | None:
    """Return a typed amount in hundredths: `600`, `12,50`. None if the text is not an amount."""
    found = _TYPED.fullmatch(text.strip())
    return int(found[1]) * 100 + int((found[2] or "").ljust(2, "0")) if found else None
