"""Explanation of the order of two competitors: the question and the answer, in sentences."""

from collections.abc import Iterator
from typing import NamedTuple

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from standings.engine import ComparedValues, Comparison, CriterionColumn, Decision, Scale, get_criterion
from standings.tables.sheet import StandingsSheet
from standings.texts import criterion_phrase, criterion_texts
from tournaments.texts import localized

SCORES = {
    "match-points": Scale.MATCH,
    "MPTS": Scale.MATCH,
    "game-points": Scale.GAME,
    "GPTS": Scale.GAME,
    "total-score": None,
    "PTS": None,
}
"""The criteria that are a score, with the score; None for the one that decides first."""


class Sentence(NamedTuple):
    """A sentence with named parts: those in `strong` are bold, those in `links` lead to a URL."""

    template: str
    parts: dict[str, str]
    strong: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        return self.template % self.parts

    @property
    def html(self) -> SafeString:
        marked = {name: escape(part) for name, part in self.parts.items()}
        for name in self.strong:
            marked[name] = format_html("<b>{}</b>", self.parts[name])
        for name, address in self.links:
            marked[name] = format_html('<a href="{}">{}</a>', address, self.parts[name])
        return SafeString(escape(self.template) % marked)


def primary_of(sheet: StandingsSheet) -> Scale | None:
    """Return the score that decides first in a team event; None for players."""
    return sheet.standings.table.scale if sheet.event.is_team else None


def question(sheet: StandingsSheet, compared: Comparison, after: int | None) -> str:
    """Return the question about the place of the first; `after` is a round before the last, or None."""
    names = {"first": sheet.entries[compared.a].name, "second": sheet.entries[compared.b].name}
    if _missing_in_published(sheet, compared):
        return _("%(first)s and %(second)s") % names
    if compared.ahead is None:
        present = _("Why are %(first)s and %(second)s level?")
        past = _("Why were %(first)s and %(second)s level after round %(number)s?")
    elif compared.ahead == compared.a:
        present = _("Why is %(first)s above %(second)s?")
        past = _("Why was %(first)s above %(second)s after round %(number)s?")
    else:
        present = _("Why is %(first)s below %(second)s?")
        past = _("Why was %(first)s below %(second)s after round %(number)s?")
    return present % names if after is None else past % {**names, "number": after}


def answer_sentences(sheet: StandingsSheet, compared: Comparison) -> list[Sentence]:
    if sheet.standings.table.published is not None:
        return [*_published_sentences(sheet, compared)]
    return [*_level_sentences(sheet, compared), _deciding_sentence(sheet, compared)]


def _missing_in_published(sheet: StandingsSheet, compared: Comparison) -> list[int]:
    published = sheet.standings.table.published
    return [row for row in (compared.a, compared.b) if published is not None and not published.places[row]]


def _published_sentences(sheet: StandingsSheet, compared: Comparison) -> Iterator[Sentence]:
    unpublished = _missing_in_published(sheet, compared)
    for row in unpublished:
        yield Sentence(
            _("The published ranking does not contain %(name)s."), {"name": sheet.entries[row].name}
        )
    decision = compared.decision
    if decision:
        parts = dict(zip(("more", "less"), decision.figures, strict=True))
        names = {"ahead": sheet.entries[decision.ahead].name, "behind": sheet.entries[decision.behind].name}
        yield Sentence(
            _("The published place decides: %(ahead)s has place %(more)s, %(behind)s has place %(less)s."),
            {**names, **parts},
            strong=("more", "less"),
        )
    elif not unpublished:
        yield Sentence(_("They share a place in the published ranking."), {})


def _level_sentences(sheet: StandingsSheet, compared: Comparison) -> Iterator[Sentence]:
    """Yield the criteria by which both are level; none if they do not explain the places."""
    if compared.by_hand or (compared.ahead is not None and compared.decision is None):
        return
    same = [values for values in compared.criteria if values.criterion.code != compared.parting]
    if not same:
        return
    first, *others = same
    if first.criterion.code in SCORES:
        yield Sentence(_("Both have %(points)s."), {"points": _score_text(sheet, first)}, strong=("points",))
    else:
        others = same
    unknown = [values for values in others if values.is_unknown]
    known = [values for values in others if values.criterion.code != "manual" and not values.is_unknown]
    if known:
        phrases = [
            _("%(words)s (%(value)s)")
            % {"words": criterion_phrase(values.criterion, primary_of(sheet)), "value": value}
            if (value := localized(values.texts[0]))
            else criterion_phrase(values.criterion, primary_of(sheet))
            for values in known
        ]
        yield Sentence(_("They are also level by: %(criteria)s."), {"criteria": "; ".join(phrases)})
    if unknown:
        names = "; ".join(criterion_phrase(values.criterion, primary_of(sheet)) for values in unknown)
        yield Sentence(_("Not known, so not used: %(criteria)s."), {"criteria": names})


def _score_text(sheet: StandingsSheet, compared: ComparedValues) -> str:
    value, [exact, *_more] = localized(compared.texts[0]), compared.levels[0]
    count = 1 if 0 < exact <= 1 else 2
    scale = SCORES[compared.criterion.code] or compared.criterion.scale or primary_of(sheet)
    if scale is Scale.MATCH:
        words = ngettext("%(value)s match point", "%(value)s match points", count)
    elif scale is Scale.GAME:
        words = ngettext("%(value)s game point", "%(value)s game points", count)
    else:
        words = ngettext("%(value)s point", "%(value)s points", count)
    return words % {"value": value}


def _deciding_sentence(sheet: StandingsSheet, compared: Comparison) -> Sentence:
    if compared.ahead is None and compared.by_hand:
        return Sentence(_("They share a place by the arbiter's decision*."), {})
    if compared.ahead is None:
        if sheet.standings.lacks_values(compared.a):
            return Sentence(_("They share a place: they are level by every known value."), {})
        return Sentence(_("They share a place: they are level by every criterion."), {})
    behind = compared.b if compared.ahead == compared.a else compared.a
    names = {"ahead": sheet.entries[compared.ahead].name, "behind": sheet.entries[behind].name}
    decision = compared.decision
    if decision is None:
        return Sentence(_("%(ahead)s is above %(behind)s (results annulled)."), names)
    if decision.by == "place":
        return Sentence(_("%(ahead)s is above %(behind)s by the arbiter's decision on the place*."), names)
    criterion = get_criterion(decision.by)
    words = criterion_texts(criterion)
    parts = {
        "words": criterion_phrase(criterion, primary_of(sheet)),
        "criterion": words.abbr,
        "figures": _figures_text(sheet.standings.column(decision.by), decision),
    }
    # "More match points" is better English than "by match points".
    template = (
        _("%(ahead)s has more %(words)s (%(criterion)s): %(figures)s.")
        if criterion.code in SCORES
        else _("%(ahead)s is above %(behind)s: %(words)s (%(criterion)s), %(figures)s.")
    )
    return Sentence(
        template,
        {**names, **parts},
        strong=("figures",),
        links=(("criterion", words.page),),
    )


def _figures_text(column: CriterionColumn, decision: Decision) -> str:
    """Return both figures, the better one first: `372½ to 360½`."""
    more, less = (
        f"{figure if column.criterion.within_tie else localized(figure)}{'*' if row in column.ruled else ''}"
        for row, figure in zip((decision.ahead, decision.behind), decision.figures, strict=True)
    )
    figures = {"more": more, "less": less, "step": decision.level + 1}
    if column.column.levels > 1 and decision.level:
        return _("%(more)s to %(less)s at step %(step)s") % figures
    return _("%(more)s to %(less)s") % figures
