"""The editor of a list of criteria, with a button for each step. It works without a script."""

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
from tournaments.texts import criterion_name

STEPS = ("up", "down", "out", "add", "find", "try")
"""The buttons of the editor. `find` and `try` do not change the list."""

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
"""Modifiers of C.07 in the catalogue, by letter. All others have to be typed."""

MODIFIERS_BEGIN = re.compile(r"(?<=.)[-/:]")


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """A criterion of a list. `page`: address of its rule. `step`: the button that was pressed for it."""

    code: str
    name: str
    abbr: str
    page: str
    source: str
    rule: str
    step: str = ""


@dataclass(frozen=True, slots=True)
class OfferedCriterion:
    """A criterion that can be added, itself or one of its `variants`. `is_found`: matches the search."""

    row: CriterionRow
    variants: list[CriterionRow]
    is_found: bool


@dataclass(frozen=True, slots=True)
class OfferedFamily:
    """Criteria with the same source and family."""

    name: str
    offered: list[OfferedCriterion]

    @property
    def is_found(self) -> bool:
        return any(each.is_found for each in self.offered)


@dataclass(frozen=True, slots=True)
class CriteriaEditor:
    """A list in the editor, and the catalogue of criteria to add.

    `edited`: the request only made a step. `find`: the search in the catalogue. `added`: a typed code that is
    refused, and `fault` the reason.
    """

    rows: list[CriterionRow]
    catalogue: list[OfferedFamily]
    edited: bool = False
    find: str = ""
    added: str = ""
    fault: str = ""

    @property
    def is_nothing_found(self) -> bool:
        return not any(family.is_found for family in self.catalogue)

    @property
    def codes(self) -> list[str]:
        return [line.code for line in self.rows]


def editor_of(event: Event, codes: Sequence[str], posted: QueryDict | None = None) -> CriteriaEditor:
    """Return the posted list after its step, or `codes` if no list was posted. Unknown codes are dropped."""
    if posted is None or not ({"criteria", *STEPS} & posted.keys()):
        return CriteriaEditor(criterion_rows(codes), _offered_families(event, ""))
    # Every click posts the entire list, so the editor needs no state between requests.
    chosen = list(
        dict.fromkeys(code for each in posted.getlist("criteria") if (code := _canonical_code(each)))
    )
    step = next((name for name in STEPS if name in posted), "")
    code, added, fault = posted.get(step, ""), "", ""
    find = posted.get("find_text", "")[:100]
    # Enter in a field presses the first button of the form, which is that of the search.
    if step == "add" or (step == "find" and posted.get("added", "").strip()):
        step, code = "add", _added_code(code, posted)
        try:
            code = get_criterion(code).code
        except UnknownCriterionError as unknown:
            added, fault = code, str(unknown)
    stepped = chosen if fault else _codes_after_step(chosen, step, code)
    rows = criterion_rows(stepped, (code, step))
    return CriteriaEditor(rows, _offered_families(event, find), bool(step), find, added, fault)


def criterion_rows(codes: Iterable[str], pressed: tuple[str, str] = ("", "")) -> list[CriterionRow]:
    return [_criterion_row(get_criterion(code), pressed[1] if code == pressed[0] else "") for code in codes]


def _criterion_row(criterion: Criterion, step: str = "") -> CriterionRow:
    page = reverse("criterion", args=[criterion.plain_code])
    return CriterionRow(
        criterion.code,
        criterion_name(criterion),
        criterion.abbr,
        page,
        criterion.source,
        _(criterion.rule),
        step,
    )


def _added_code(button: str, posted: QueryDict) -> str:
    """Return the code that a button adds: the typed one, or the chosen variant from the catalogue."""
    typed = posted.get("added", "").strip()[:50]
    # The button next to the field has 1; buttons of the catalogue have the criterion's code.
    return typed if button in {"", "1"} else posted.get(f"variant-{button}", button)


def _canonical_code(text: str) -> str:
    try:
        return get_criterion(text).code
    except UnknownCriterionError:
        return ""


def _offered_families(event: Event, text: str) -> list[OfferedFamily]:
    """Return all criteria by source and family, FIDE's first for chess, marked if they match the search."""
    # Modifiers are not searched: BH-C1 finds BH.
    search = [MODIFIERS_BEGIN.split(word, maxsplit=1)[0] for word in text.casefold().split()]

    def order(criterion: Criterion) -> tuple[bool, int]:
        return criterion.is_fide != (event.discipline == "chess"), [*FAMILIES].index(criterion.family)

    groups = groupby(sorted(all_criteria(), key=order), _family_name)
    return [
        OfferedFamily(name, [_offered_criterion(event, each, search) for each in criteria])
        for name, criteria in groups
    ]


def _family_name(criterion: Criterion) -> str:
    name = _("FIDE C.07: %(family)s") if criterion.is_fide else _("Draughts and olympiads: %(family)s")
    return name % {"family": FAMILIES[criterion.family]}


def _offered_criterion(event: Event, criterion: Criterion, search: Sequence[str]) -> OfferedCriterion:
    row, variants = _criterion_row(criterion), criterion_rows(_variant_codes(event, criterion))
    text = f"{row.abbr} {row.code} {row.name} {row.source} {row.rule}".casefold()
    return OfferedCriterion(row, variants, all(word in text for word in search))


def _variant_codes(event: Event, criterion: Criterion) -> list[str]:
    scales = Scale if event.is_team and criterion.scaled else ()
    modifiers = ["", *(written for letter in criterion.takes for written in MODIFIED[letter])]
    scaled = [criterion.code, *(criterion.code_in(scale) for scale in scales)]
    codes = [code + modifier for code in scaled for modifier in modifiers]
    return codes if len(codes) > 1 else []


def _codes_after_step(codes: list[str], step: str, code: str) -> list[str]:
    if step == "add":
        return codes if code in codes else [*codes, code]
    if code not in codes:
        return codes
    at, others = codes.index(code), [each for each in codes if each != code]
    if step == "out":
        return others
    to = max(at - 1, 0) if step == "up" else at + 1
    return [*others[:to], code, *others[to:]]
