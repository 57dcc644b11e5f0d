"""Texts about categories, prizes and their sharing, in the active language."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from typing import Any

from django.utils.formats import date_format, number_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments.event.dates import parse_day
from tournaments.event.prizes import Sharing
from tournaments.models import Event
from tournaments.prizes.allocation import Pool, Prize, Win
from tournaments.prizes.sharing import Share


def category_name(category: Mapping[str, Any]) -> str:
    own = category.get("names", {}).get(get_language() or "") or category.get("name")
    return own or rule_text(category) or category["code"]


def rule_text(category: Mapping[str, Any]) -> str:
    """Return the rule of a category, such as `Women, under 20`; blank if only labels decide."""
    text = ", ".join(_rule_parts(category))
    return text[:1].upper() + text[1:]


def _rule_parts(category: Mapping[str, Any]) -> Iterable[str]:
    if category.get("sex"):
        yield _("women") if category["sex"] == "w" else _("men")
    if age := category.get("age_under"):
        yield _("under %(age)s") % {"age": age}
    if age := category.get("age_from"):
        yield _("%(age)s and older") % {"age": age}
    if day := parse_day(category.get("age_on") or ""):
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
    """Return an amount, such as `1250`, `12.50` or `EUR 600`, with the language's decimal separator."""
    decimals = 2 if hundredths % 100 else 0
    figure = number_format(
        Decimal(hundredths) / 100, decimal_pos=decimals, use_l10n=True, force_grouping=False
    )
    return f"{currency} {figure}" if currency else figure


def _exact_text(exact: Fraction) -> str:
    """Return an exact amount; with `…` if it has more than two decimals."""
    return amount_text(int(exact)) + ("" if exact.denominator == 1 else "…")


def share_text(win: Win, sharing: str, fund_names: Sequence[str]) -> str:
    """Return the computation of an amount:

    `600 + 400 + 200 shared by 3: 400 each`; blank for a whole prize.
    """
    pool, share = win.pool, win.share
    text = _division_text(pool, share, sharing, fund_names) if len(pool.players) > 1 else ""
    if share.exact < share.unlimited:
        limit = {"text": text, "limit": amount_text(share.limit)}
        text = _(
            "%(text)s; limited to %(limit)s, the largest prize that this competitor could win without the tie"
        )
        text %= limit
    elif share.exact > share.unlimited:
        raised = {"text": text, "sum": _exact_text(share.exact)}
        text = _("%(text)s; %(sum)s with an equal share of the excess over the limits of others") % raised
    if share.exact == win.amount:
        return text
    rounded = {"text": text or _exact_text(share.exact), "amount": amount_text(win.amount)}
    return _("%(text)s, rounded down to %(amount)s") % rounded


def _division_text(pool: Pool, share: Share, sharing: str, fund_names: Sequence[str]) -> str:
    values = {
        "pool": " + ".join(_prize_texts(pool, fund_names)),
        "count": len(pool.players),
        "each": _exact_text(pool.equal),
    }
    if sharing != Sharing.HORT:
        return _("%(pool)s shared by %(count)s: %(each)s each") % values
    values |= {"own": _exact_text(share.own), "sum": _exact_text(share.unlimited)}
    text = _(
        "%(pool)s shared by %(count)s: %(each)s each; 50 per cent of this and of %(own)s, the prize by "
        "place: %(sum)s"
    )
    return text % values


def _prize_texts(pool: Pool, fund_names: Sequence[str]) -> Iterator[str]:
    """Yield the amounts of a pool, such as `600` and `3 × 100`; with the fund's name if there are several."""
    paid = [each for each in pool.prizes if each.amount]
    is_mixed = len({each.fund for each in paid}) > 1
    for (fund, amount), alike in groupby(paid, key=lambda each: (each.fund, each.amount)):
        count = len(list(alike))
        text = f"{count} × {amount_text(amount)}" if count > 1 else amount_text(amount)
        yield f"{text} ({fund_names[fund]})" if is_mixed else text


def pooled_text(prizes: Sequence[Prize], listed_under: str, names: Sequence[str]) -> str:
    """Return where the winners of prizes are listed if these are shared with another fund."""
    worth = [
        " + ".join(filter(None, (amount_text(each.amount) if each.amount else "", each.goods)))
        for each in prizes
    ]
    values = {"prizes": ", ".join(worth), "names": ", ".join(names), "fund": listed_under}
    return _("%(prizes)s: among the prizes that %(names)s share, listed under “%(fund)s”.") % values


def inversion_text(more: str, less: Sequence[str]) -> str:
    """Return that a player is paid more than better placed ones; arguments are names with amounts."""
    values = {"more": more, "less": ", ".join(less)}
    text = _("%(more)s gets more than better placed competitors eligible for the same prizes: %(less)s.")
    return text % values


def inversion_reason(sharing: str) -> str:
    if sharing == Sharing.EQUAL:
        return _(
            "The rule allows this: in a tie, competitors share either main prizes or the prizes of a "
            "single category. A prize that they leave to others can be larger than their share."
        )
    return _(
        "The rule allows this: in a tie, competitors first take the prizes that the others in the tie cannot"
        " win, if each of them gets more that way (US Chess 32B3). A prize that they leave"
        " to others can then be larger than their share."
    )


def sharing_text(event: Event) -> str:
    rules = {
        Sharing.US_CHESS: _(
            "US Chess 32B: competitors with equal points each put a prize into a pool and divide it equally."
        ),
        Sharing.HORT: _(
            "Hort: competitors with equal points each put a prize into a pool. 50 per cent of it is "
            "divided equally, 50 per cent by place."
        ),
        Sharing.EQUAL: _(
            "Competitors with equal points divide prizes equally, either main prizes or those of a single "
            "category."
        ),
        Sharing.NONE: _(
            "Prizes go by place. Competitors with a shared place each put a prize into a pool and divide "
            "it equally."
        ),
    }
    sentences = [rules[Sharing(event.prize_sharing)]]
    if event.prize_sharing != Sharing.EQUAL and not event.prizes_cumulative:
        sentences.append(
            _(
                "Before that, members of a category take the prizes that the others in their tie cannot win,"
                " if each of them gets more that way. No share is larger than the largest prize that the"
                " competitor could win without the tie (US Chess 32B3)."
            )
        )
    sentences.append(
        _("A competitor can win a main prize and a prize of each category.")
        if event.prizes_cumulative
        else _(
            "A competitor wins at most one prize or share. Of equal prizes, the main prize is given first."
        )
    )
    if event.prize_step > 1:
        sentences.append(
            _("Amounts are rounded down to multiples of %(step)s.") % {"step": amount_text(event.prize_step)}
        )
    return " ".join(sentences)
