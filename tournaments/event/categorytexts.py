"""Format and parse categories, one per line: `U20`, `W`, `B: 1800-1999 = Group B / nl Groep B`.

The code precedes the colon; after it is the rule, short terms separated by spaces. A code that is such a term
needs no rule. The name follows `=`, and after a slash the name in another language.
"""

import re
from collections.abc import Mapping
from typing import Any, cast

from django.utils.translation import gettext as _

from tournaments.event.categories import OLDEST, CategoryDecision, EventCategory, is_code
from tournaments.event.dates import parse_day
from tournaments.event.schema import with_blanks
from tournaments.event.values import LARGEST_RATING

LONGEST_NAME = 120
LONGEST_REASON = 200
_DASHES = str.maketrans("‐‑‒–—−", "------")  # dashes of keyboards and text editors
_LISTS = re.compile(r"\b(club|fed)\s+([^;]*)", re.IGNORECASE)
_AGE = re.compile(r"([US])(\d{1,3})", re.IGNORECASE)
_BAND = re.compile(r"(\d{1,4})?-(\d{1,4})?|(\d{1,4})\+")
_DECISION = re.compile(r"(\S++)\s++(in|out)\s*+(?::\s*+(.*))?", re.IGNORECASE)
_OTHER_NAME = re.compile(r"([a-z]{2,3})\s+(\S.*)")


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
    """Return a category in the form that `read_category` parses."""
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
    """Return a decision in the form that `read_decision` parses."""
    return f"{decision['category']} {'in' if decision['belongs'] else 'out'}: {decision['reason']}"
