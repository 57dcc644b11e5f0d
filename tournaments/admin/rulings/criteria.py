"""The editor of a list of criteria: up, down, out and in, a click each, with or without a script."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse

from standings.engine import Criterion, Scale, every, get
from tournaments.models import Event
from tournaments.wording import name_of

STEPS = ("up", "down", "out", "add")


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """A criterion of a list, with the address of its rule; `step` is the button that was pressed last."""

    code: str
    name: str
    abbr: str
    page: str
    step: str = ""


@dataclass(frozen=True, slots=True)
class CriteriaEditor:
    """A list as it is being edited, and what could be added. `edited`: the form asked for a step only."""

    rows: list[CriterionRow]
    others: list[CriterionRow]
    edited: bool = False

    @property
    def codes(self) -> list[str]:
        """Return the list."""
        return [line.code for line in self.rows]


def editor_of(event: Event, codes: Sequence[str], posted: QueryDict | None = None) -> CriteriaEditor:
    """Return the list to edit: as posted, after the step that was asked for; else as it stands.

    Posted codes that are none are kept out of the editor, as nobody can have chosen them.
    """
    if posted is None or "criteria" not in posted:
        return _editor(event, codes)
    # Also those in use that are offered no more, so that an old list can be edited.
    known = set(_offered(event, codes))
    chosen = [code for code in posted.getlist("criteria") if code in known]
    step = next((name for name in STEPS if name in posted), "")
    code = posted.get("added" if step == "add" else step, "")
    # The whole list is posted with each click: the editor keeps nothing between requests.
    stepped = _stepped(chosen, step, code) if code in known else chosen
    return _editor(event, stepped, (code, step), edited=bool(step))


def criterion_rows(codes: Iterable[str], pressed: tuple[str, str] = ("", "")) -> list[CriterionRow]:
    """Return the criteria as screens print them."""
    return [_criterion_row(get(code), pressed[1] if code == pressed[0] else "") for code in codes]


def _editor(
    event: Event, codes: Sequence[str], pressed: tuple[str, str] = ("", ""), *, edited: bool = False
) -> CriteriaEditor:
    offered = [code for code in _offered(event, codes) if code not in codes]
    return CriteriaEditor(criterion_rows(codes, pressed), criterion_rows(offered), edited)


def _criterion_row(criterion: Criterion, step: str) -> CriterionRow:
    page = reverse("criterion", args=[criterion.plain_code])
    return CriterionRow(criterion.code, name_of(criterion), criterion.abbr, page, step)


def _offered(event: Event, codes: Sequence[str]) -> list[str]:
    """Return every criterion; among teams those with a score in each of the two as well; and those in use."""
    found = [code for criterion in every() for code in _codes(event, criterion)]
    return list(dict.fromkeys([*found, *codes]))


def _codes(event: Event, criterion: Criterion) -> list[str]:
    scales = Scale if event.is_team and criterion.scaled else ()
    return [criterion.code, *(criterion.code_in(scale) for scale in scales)]


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
