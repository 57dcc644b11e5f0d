"""Format and parse prizes: `1. 600 + a cup`, `W: 150; 75`, `Best game: 25`.

A line without a label has prizes of the entire event. Other labels are the code of a category or the name of
a special prize. Prizes are separated by semicolons. Places are consecutive unless a prize begins with them:
`4-6. 100`.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, cast

from django.utils.translation import gettext as _

from tournaments.event.prizes import EventPrize, plain_amount, read_amount
from tournaments.event.schema import with_blanks
from tournaments.event.values import LARGEST

LONGEST_NAME = 120
_PLACES = re.compile(r"(\d{1,4})(?:\s*[-–]\s*(\d{1,4}))?\s*(?:[.)](?!\d)|\t)\s*(.*)", re.DOTALL)
_SIGNS = re.compile(r"^(?:[€$£]|[A-Z]{3}\s)\s*+|(?<!\s)\s*+(?:[€$£]|(?<=\s)[A-Z]{3})$|,-$")
_LABEL = re.compile(r"([^:\t]*)[:\t](.*)", re.DOTALL)


class PrizeError(ValueError):
    """The text is not a prize; the message explains the format."""


def read_prizes(line: str, codes: Collection[str], last: Mapping[str, int]) -> list[EventPrize]:
    """Return the prizes of a line. `last`: the last place so far by the code of the category.

    Raise PrizeError if it is invalid.
    """
    label, text = "", line.strip()
    # The text before a tab may also be a place.
    if (found := _LABEL.fullmatch(text)) and (found[1].strip() in codes or not _PLACES.fullmatch(text)):
        label, text = found[1].strip(), found[2].strip()
        if not label:
            raise PrizeError(
                _("There is no text before the colon. Write a category or a name, or remove the colon.")
            )
    if label and label not in codes:
        if len(label) > LONGEST_NAME:
            raise PrizeError(_("The name is too long: %(most)s characters fit.") % {"most": LONGEST_NAME})
        return [_read_prize(name=label, **_worth(text))]
    place, found_prizes = last.get(label, 0), []
    for part in filter(None, (each.strip() for each in text.split(";"))):
        first = final = place + 1
        worth = part
        if placed := _PLACES.fullmatch(part):
            first, final, worth = int(placed[1]), int(placed[2] or placed[1]), placed[3]
        if not 0 < first <= final <= LARGEST or final - first > 999:
            raise PrizeError(_("“%(text)s” has no places. Write 4-6. 100.") % {"text": part[:40]})
        found_prizes += [
            _read_prize(category=label, place=each, **_worth(worth)) for each in range(first, final + 1)
        ]
        place = final
    if not found_prizes:
        raise PrizeError(_("The prize is missing. Write an amount, such as 150, or goods, such as a cup."))
    return found_prizes


def prize_lines(prizes: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines that `read_prizes` parses: one per prize of the entire event, one per category."""
    of_places = [each for each in prizes if not each["name"]]
    codes = list(dict.fromkeys(each["category"] for each in prizes))
    of_places.sort(key=lambda each: (each["category"] != "", codes.index(each["category"]), each["place"]))
    for code, fund in groupby(of_places, key=lambda each: each["category"]):
        texts = list(_with_places(fund, is_spread=not code))
        yield from (f"{code}: {'; '.join(texts)}",) if code else texts
    yield from (f"{each['name']}: {_amount_and_goods(each)}" for each in prizes if each["name"])


def _with_places(prizes: Iterable[Mapping[str, Any]], *, is_spread: bool) -> Iterator[str]:
    """Yield the prizes of a fund; equal prizes of consecutive places are joined: `4-6. 100`."""
    expected = 1
    for worth, group in groupby(prizes, key=_amount_and_goods):
        places = [each["place"] for each in group]
        alone = len(places) == 1 and places[0] == expected and not is_spread
        span = f"{places[0]}-{places[-1]}" if len(places) > 1 else f"{places[0]}"
        yield worth if alone else f"{span}. {worth}"
        expected = places[-1] + 1


def _amount_and_goods(prize: Mapping[str, Any]) -> str:
    return " + ".join(
        filter(None, (plain_amount(prize["amount"]) if prize["amount"] else "", prize["goods"]))
    )


def _read_prize(**values: Any) -> EventPrize:
    return cast("EventPrize", with_blanks(EventPrize, values))


def _worth(text: str) -> dict[str, Any]:
    """Return amount and goods of `600 + a cup`."""
    money, _plus, goods = (part.strip() for part in text.partition("+"))
    amount = read_amount(_SIGNS.sub("", _SIGNS.sub("", money)))
    if amount is None and money[:1].isdigit() and not re.search(r"[^\W\d_]", money):
        raise PrizeError(_("“%(text)s” is no amount. Write 1000 or 12.50.") % {"text": money[:40]})
    if amount is None:
        amount, goods = 0, text.strip()
    if not (amount or goods):
        raise PrizeError(_("The prize is missing. Write an amount, such as 150, or goods, such as a cup."))
    if len(goods) > LONGEST_NAME:
        raise PrizeError(_("The name is too long: %(most)s characters fit.") % {"most": LONGEST_NAME})
    return {"amount": amount, "goods": goods}
