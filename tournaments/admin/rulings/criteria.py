"""The editor of a list of criteria: up, down, out and in, a click each, with or without a script."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from standings.engine import Criterion, Family, Scale, UnknownCriterionError, all_criteria, get_criterion
from tournaments.models import Event
from tournaments.texts import name_of

STEPS = ("up", "down", "out", "add", "find", "try")
"""The buttons of the editor; the last two leave the list as it is."""

FAMILIES = {
    Family.OWN: gettext_lazy("own results"),
    Family.OPPONENTS: gettext_lazy("results of the opponents"),
    Family.SONNEBORN: gettext_lazy("scores of the opponents times own points"),
    Family.RATINGS: gettext_lazy("ratings"),
    Family.TIE: gettext_lazy("games among those level"),
    Family.DURATION: gettext_lazy("length of the games"),
    Family.BOARDS: gettext_lazy("boards of a match"),
}
MODIFIED = {
    "C": ("/C1", "/C2"),
    "M": ("/M1", "/M2"),
    "L": ("/L60", "/L+1", "/L-1"),
    "K": ("/K2", "/K3"),
    "P": ("/P",),
    "F": ("/F",),
    "R": ("/R",),
}
"""The modifiers of C.07 that the catalogue offers, by their letter; all others are typed."""

MODIFIERS_BEGIN = re.compile(r"(?<=.)[-/:]")


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """A criterion of a list, with the address of its rule; `step` is the button that was pressed last."""

    code: str
    name: str
    abbr: str
    page: str
    source: str
    rule: str
    step: str = ""


@dataclass(frozen=True, slots=True)
class OfferedCriterion:
    """A criterion that could be added, as it is or in one of its `variants`; `is_found` by a search."""

    row: CriterionRow
    variants: list[CriterionRow]
    is_found: bool


@dataclass(frozen=True, slots=True)
class OfferedFamily:
    """Criteria of one source that are made of the same results."""

    name: str
    offered: list[OfferedCriterion]

    @property
    def is_found(self) -> bool:
        """Say whether a search found one of them."""
        return any(each.is_found for each in self.offered)


@dataclass(frozen=True, slots=True)
class CriteriaEditor:
    """A list as it is being edited, and what could be added.

    `edited`: the form asked for a step only. `find` are the words that criteria of the `catalogue` were
    looked for by. `added` is a code that was typed and is refused, `fault` says why.
    """

    rows: list[CriterionRow]
    catalogue: list[OfferedFamily]
    edited: bool = False
    find: str = ""
    added: str = ""
    fault: str = ""

    @property
    def is_nothing_found(self) -> bool:
        """Say whether no criterion has all the words of a search."""
        return not any(family.is_found for family in self.catalogue)

    @property
    def codes(self) -> list[str]:
        """Return the list."""
        return [line.code for line in self.rows]


def editor_of(event: Event, codes: Sequence[str], posted: QueryDict | None = None) -> CriteriaEditor:
    """Return the list to edit: as posted, after the step that was asked for; else as it stands.

    Posted codes that are none are kept out of the editor, as nobody can have chosen them.
    """
    if posted is None or not ({"criteria", *STEPS} & posted.keys()):
        return CriteriaEditor(criterion_rows(codes), _catalogue(event, ""))
    # The whole list is posted with each click: the editor keeps nothing between requests.
    chosen = list(dict.fromkeys(code for each in posted.getlist("criteria") if (code := _code_of(each))))
    step = next((name for name in STEPS if name in posted), "")
    code, added, fault = posted.get(step, ""), "", ""
    find = posted.get("find_text", "")[:100]
    # Enter in one of the fields presses the first button of the form, which is that of the search.
    if step == "add" or (step == "find" and posted.get("added", "").strip()):
        step, code = "add", _asked_for(code, posted)
        try:
            code = get_criterion(code).code
        except UnknownCriterionError as unknown:
            added, fault = code, str(unknown)
    stepped = chosen if fault else _stepped(chosen, step, code)
    rows = criterion_rows(stepped, (code, step))
    return CriteriaEditor(rows, _catalogue(event, find), bool(step), find, added, fault)


def criterion_rows(codes: Iterable[str], pressed: tuple[str, str] = ("", "")) -> list[CriterionRow]:
    """Return the criteria as screens print them."""
    return [_criterion_row(get_criterion(code), pressed[1] if code == pressed[0] else "") for code in codes]


def _criterion_row(criterion: Criterion, step: str = "") -> CriterionRow:
    page = reverse("criterion", args=[criterion.plain_code])
    return CriterionRow(
        criterion.code, name_of(criterion), criterion.abbr, page, criterion.source, _(criterion.rule), step
    )


def _asked_for(button: str, posted: QueryDict) -> str:
    """Return the code that a button adds: the one typed, or a criterion of the catalogue as it was chosen."""
    typed = posted.get("added", "").strip()[:50]
    # The button beside the field has 1; those of the catalogue have the criterion's code.
    return typed if button in {"", "1"} else posted.get(f"variant-{button}", button)


def _code_of(text: str) -> str:
    """Return the code as it is stored; blank for what is none."""
    try:
        return get_criterion(text).code
    except UnknownCriterionError:
        return ""


def _catalogue(event: Event, text: str) -> list[OfferedFamily]:
    """Return all criteria by source and family, FIDE's first in chess; found are those with every word."""
    # Modifiers are no words: BH-C1 finds BH.
    words = [MODIFIERS_BEGIN.split(word, maxsplit=1)[0] for word in text.casefold().split()]
    groups = groupby(sorted(all_criteria(), key=lambda each: _order(event, each)), _family)
    return [
        OfferedFamily(name, [_offered(event, each, words) for each in criteria]) for name, criteria in groups
    ]


def _order(event: Event, criterion: Criterion) -> tuple[bool, int]:
    return criterion.is_fide != (event.discipline == "chess"), [*FAMILIES].index(criterion.family)


def _family(criterion: Criterion) -> str:
    parts = {"family": FAMILIES[criterion.family]}
    return (
        _("FIDE C.07: %(family)s") if criterion.is_fide else _("Draughts and olympiads: %(family)s")
    ) % parts


def _offered(event: Event, criterion: Criterion, words: Sequence[str]) -> OfferedCriterion:
    row, variants = _criterion_row(criterion), criterion_rows(_variants(event, criterion))
    text = f"{row.abbr} {row.code} {row.name} {row.source} {row.rule}".casefold()
    return OfferedCriterion(row, variants, all(word in text for word in words))


def _variants(event: Event, criterion: Criterion) -> list[str]:
    """Return the codes under which a criterion is offered, none where there is but one."""
    scales = Scale if event.is_team and criterion.scaled else ()
    modifiers = ["", *(written for letter in criterion.takes for written in MODIFIED[letter])]
    scaled = [criterion.code, *(criterion.code_in(scale) for scale in scales)]
    codes = [code + modifier for code in scaled for modifier in modifiers]
    return codes if len(codes) > 1 else []


def _stepped(codes: list[str], step: str, code: str) -> list[str]:
    """Return the list after one step; as it was where the step is none."""
    if step == "add":
        return codes if code in codes else [*codes, code]
    if code not in codes:
        return codes
    at, others = codes.index(code), [each for each in codes if each != code]
    if step == "out":
        return others
    to = max(at - 1, 0) if step == "up" else at + 1
    return [*others[:to], code, *others[to:]]
