"""Format and parse categories and prizes as lines of text.

Categories, one per line: `U20`, `W`, `B: 1800-1999 = Group B / nl Groep B`. The code precedes the colon;
after it is the rule, short terms separated by spaces. A code that is such a term needs no rule. The name
follows `=`, and after a slash the name in another language.

Prizes: `1. 600 + a cup`, `W: 150; 75`, `Best game: 25`. A line without a label has prizes of the entire
event. Other labels are the code of a category or the name of a special prize. Prizes are separated by
semicolons. Places are consecutive unless a prize begins with them: `4-6. 100`.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, cast

from django.utils.translation import gettext as _

from tournaments.event.categories import OLDEST, CategoryDecision, EventCategory, is_code
from tournaments.event.dates import parse_day
from tournaments.event.prizes import EventPrize, plain_amount, read_amount
from tournaments.event.schema import with_blanks
from tournaments.event.values import LARGEST, LARGEST_RATING

LONGEST_NAME = 120
LONGEST_REASON = 200
_DASHES = str.maketrans("‐‑‒–—−", "------")  # dashes of keyboards and text editors
_LISTS = re.compile(r"\b(club|fed)\s+([^;]*)", re.IGNORECASE)
_AGE = re.compile(r"([US])(\d{1,3})", re.IGNORECASE)
_BAND = re.compile(r"(\d{1,4})?-(\d{1,4})?|(\d{1,4})\+")
_DECISION = re.compile(r"(\S++)\s++(in|out)\s*+(?::\s*+(.*))?", re.IGNORECASE)
_OTHER_NAME = re.compile(r"([a-z]{2,3})\s+(\S.*)")
_PLACES = re.compile(r"(\d{1,4})(?:\s*[-–]\s*(\d{1,4}))?\s*(?:[.)](?!\d)|\t)\s*(.*)", re.DOTALL)
_SIGNS = re.compile(r"^(?:[€$£]|[A-Z]{3}\s)\s*+|(?<!\s)\s*+(?:[€$£]|(?<=\s)[A-Z]{3})$|,-$")
_LABEL = re.compile(r"([^:\t]*)[:\t](.*)", re.DOTALL)


class CategoryError(ValueError):
    """The text is not a category; the message explains the format."""


def read_category(text: str) -> EventCategory:
    """Return the category of a line, with every key. Raise CategoryError if it is invalid."""
    before, _equals, names = text.strip().partition("=")
    code, colon, rule = (part.strip() for part in before.partition(":"))
    if not is_code(code):
        raise CategoryError(
            _("“%(text)s” cannot be a category's code. Write up to 20 letters, digits, + and -, such as U20.")
            % {"text": code[:40]}
        )
    found = {"code": code, **_read_names(names)}
    if colon:
        found |= _read_rule(rule)
    else:
        found |= _read_condition(code) or {}
    return cast("EventCategory", with_blanks(EventCategory, found))


def category_text(category: Mapping[str, Any]) -> str:
    code, rule = category["code"], _rule_text(category)
    is_said = read_category(code) == with_blanks(EventCategory, {**category, "name": "", "names": {}})
    text = code if is_said else f"{code}: {rule}".rstrip()
    others = (f"/ {language} {name}" for language, name in sorted((category.get("names") or {}).items()))
    names = " ".join(filter(None, (category.get("name"), *others)))
    return f"{text} = {names}" if names else text


def _read_names(text: str) -> dict[str, Any]:
    own, *others = (part.strip() for part in text.split("/"))
    names = {}
    for each in others:
        found = _OTHER_NAME.fullmatch(each)
        if not found:
            raise CategoryError(
                _("“%(text)s” is no name in another language. Write “/ nl Dames”.") % {"text": each[:40]}
            )
        names[found[1]] = found[2]
    if any(len(name) > LONGEST_NAME for name in (own, *names.values())):
        raise CategoryError(_("The name is too long: %(most)s characters fit.") % {"most": LONGEST_NAME})
    return {"name": own, "names": names}


def _read_rule(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}

    def listed(words: re.Match[str]) -> str:
        key = "clubs" if words[1].lower() == "club" else "federations"
        found[key] = [each for part in words[2].split(",") if (each := " ".join(part.split()))]
        return " "

    words = _LISTS.sub(listed, text).replace(";", " ").split()
    if "on" in words and words[-1] != "on":
        at = words.index("on")
        day = words[at + 1]
        if not parse_day(day):
            raise CategoryError(_("“%(text)s” is no day. Write 2018-10-06.") % {"text": day[:40]})
        found["age_on"] = day
        del words[at : at + 2]
    for word in words:
        keys = _read_condition(word)
        if keys is None:
            raise CategoryError(
                _("“%(text)s” is no rule. Write W, M, U20, S65, 1800-1999, unrated, club … or fed ….")
                % {"text": word[:40]}
            )
        found |= keys
    return found


def _read_condition(word: str) -> dict[str, Any] | None:
    if word.upper() in {"W", "M"}:
        return {"sex": word.lower()}
    if word.lower() == "unrated":
        return {"unrated": True}
    if found := _AGE.fullmatch(word):
        age = int(found[2])
        return {"age_under" if found[1].upper() == "U" else "age_from": age} if 0 < age <= OLDEST else None
    if (found := _BAND.fullmatch(word.translate(_DASHES))) and word != "-":
        lowest, highest = int(found[1] or found[3] or 0), int(found[2] or 0)
        return {"rating_from": min(lowest, LARGEST_RATING), "rating_to": min(highest, LARGEST_RATING)}
    return None


def _rule_text(category: Mapping[str, Any]) -> str:
    lowest, highest = category.get("rating_from") or 0, category.get("rating_to") or 0
    band = f"{lowest or ''}-{highest or ''}" if lowest or highest else ""
    words = [
        (category.get("sex") or "").upper(),
        f"U{category['age_under']}" if category.get("age_under") else "",
        f"S{category['age_from']}" if category.get("age_from") else "",
        f"on {category['age_on']}" if category.get("age_on") else "",
        band,
        "unrated" if category.get("unrated") else "",
    ]
    lists = [
        f"{word} {', '.join(category[key])}"
        for word, key in (("club", "clubs"), ("fed", "federations"))
        if category.get(key)
    ]
    return " ".join(filter(None, (*words, "; ".join(lists))))


def read_decision(text: str) -> CategoryDecision:
    """Return the decision of a line such as `W out: plays for the men's title`.

    Raise CategoryError if it is invalid or has no reason.
    """
    found = _DECISION.fullmatch(text.strip())
    if not found or not is_code(found[1]):
        raise CategoryError(
            _("“%(text)s” is no decision. Write the category, in or out, and why: W out: plays in the open.")
            % {"text": text.strip()[:40]}
        )
    reason = (found[3] or "").strip()
    if not reason or len(reason) > LONGEST_REASON:
        raise CategoryError(
            _("A decision has a reason of at most %(most)s characters: W out: plays in the open.")
            % {"most": LONGEST_REASON}
        )
    return {"category": found[1], "belongs": found[2].lower() == "in", "reason": reason}


def decision_text(decision: Mapping[str, Any]) -> str:
    return f"{decision['category']} {'in' if decision['belongs'] else 'out'}: {decision['reason']}"


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
