"""Categories, prizes and how they were shared, in the language of the page."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from typing import Any

from django.utils.formats import date_format, number_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments.event.dates import day_of
from tournaments.event.prizes import Sharing
from tournaments.prizes.sharing import PrizeShare

EN_DASH = "–"


def category_name(category: Mapping[str, Any]) -> str:
    """Return the category's name in the language of now: the organiser's own, or its rule in words."""
    own = category.get("names", {}).get(get_language() or "") or category.get("name")
    return own or rule_text(category) or category["code"]


def rule_text(category: Mapping[str, Any]) -> str:
    """Return what a category asks for, such as `Women, under 20`; blank where labels alone decide."""
    text = ", ".join(_rule_parts(category))
    return text[:1].upper() + text[1:]


def _rule_parts(category: Mapping[str, Any]) -> Iterable[str]:
    if category.get("sex"):
        yield _("women") if category["sex"] == "w" else _("men")
    if age := category.get("age_under"):
        yield _("under %(age)s") % {"age": age}
    if age := category.get("age_from"):
        yield _("%(age)s and older") % {"age": age}
    if day := day_of(category.get("age_on") or ""):
        yield _("on %(day)s") % {"day": date_format(day)}
    lowest, highest = category.get("rating_from"), category.get("rating_to")
    if lowest and highest:
        yield _("rating %(lowest)s–%(highest)s") % {"lowest": lowest, "highest": highest}
    elif highest:
        yield _("rating up to %(highest)s") % {"highest": highest}
    elif lowest:
        yield _("rating from %(lowest)s") % {"lowest": lowest}
    if category.get("unrated"):
        yield _("or unrated") if lowest or highest else _("unrated")
    yield from category.get("clubs") or ()
    yield from category.get("federations") or ()


# --- money --------------------------------------------------------------------------------------------------


def amount_text(hundredths: int, currency: str = "") -> str:
    """Return an amount, such as `1250`, `12.50` or `EUR 600`, with the decimal sign of the language."""
    decimals = 2 if hundredths % 100 else 0
    figure = number_format(
        Decimal(hundredths) / 100, decimal_pos=decimals, use_l10n=True, force_grouping=False
    )
    return f"{currency} {figure}" if currency else figure


def _exact_text(exact: Fraction) -> str:
    """Return an exact amount; with `…` where it has more than two decimals."""
    return amount_text(int(exact)) + ("" if exact.denominator == 1 else "…")


def share_text(share: PrizeShare, sharing: str, amount: int) -> str:
    """Return how an amount came about: `4–6 share 600 + 400 + 200: 400 each`; blank for one as offered."""
    if not share.is_shared:
        return "" if share.exact == amount else _rounded(amount_text(int(share.exact)), amount)
    places = f"{share.first}{EN_DASH}{share.last}"
    pool = " + ".join(_repeated(amount, len(list(alike))) for amount, alike in groupby(share.pool))
    each = {"places": places, "pool": pool, "each": _exact_text(share.equal)}
    if sharing == Sharing.HORT:
        values = each | {"own": _exact_text(share.own), "sum": _exact_text(share.exact)}
        text = (
            _("half of the own %(own)s and half of %(each)s, as %(places)s share %(pool)s: %(sum)s") % values
        )
    else:
        text = _("%(places)s share %(pool)s: %(each)s each") % each
    if int(share.exact) == amount and share.exact.denominator == 1:
        return text
    return _rounded(text, amount)


def _repeated(amount: int, count: int) -> str:
    return f"{count} × {amount_text(amount)}" if count > 1 else amount_text(amount)


def _rounded(text: str, amount: int) -> str:
    return _("%(text)s, rounded down to %(amount)s") % {"text": text, "amount": amount_text(amount)}


def sharing_text(sharing: str, *, is_cumulative: bool, step: int) -> str:
    """Return the rules by which prizes are shared, as sentences."""
    rules = {
        Sharing.HORT: _(
            "Hort: half of a prize goes by place, the other half is shared equally by all who are level in"
            " points."
        ),
        Sharing.EQUAL: _("All who are level in points share their prizes equally."),
        Sharing.NONE: _("Prizes go by place; those who share a place share its prizes equally."),
    }
    several = (
        _("One may have several prizes.")
        if is_cumulative
        else _(
            "Everybody has one prize, the highest; of equal ones the main prize. Those behind move up in the"
            " others."
        )
    )
    sentences = [rules[Sharing(sharing)], several]
    if step > 1:
        sentences.append(
            _("Amounts are rounded down to multiples of %(step)s.") % {"step": amount_text(step)}
        )
    return " ".join(sentences)
