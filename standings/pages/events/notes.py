"""Notes below a table: signs, missing data, manual changes; and the reasons for marks at results."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import numpy as np
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from standings.basis import sentence
from standings.criteria.descriptions import policy_decides
from standings.engine import RoundKind, Scale, get_criterion
from standings.services import memoized_on_event
from standings.tables.cells import ALONE, AS_RECORDED, COLOUR_FIRST, RESULT_FIRST
from standings.tables.sheet import StandingsSheet, displayed_criteria
from tournaments.event.choices import RULING_NOTHING, knows_colours
from tournaments.event.judging import unplayed_by_draughts_rules
from tournaments.models import Change, Event, Override
from tournaments.texts import criterion_name, criterion_names, localized, phrase_of_rules, was_of

START_NUMBER = gettext_lazy("the opponent's start number (column: start)")
PLACE = gettext_lazy("the opponent's place in this table")
PLACE_IN_WHOLE = gettext_lazy("the opponent's overall place (column: all)")
CELL = gettext_noop("Each cell: %(number)s, w for White or b for Black, and the points scored.")
COLOUR_CELL = gettext_noop("Each cell: W for White or B for Black, %(number)s, and the points scored.")
RESULT_CELL = gettext_noop("Each cell: + won, = drawn or − lost, %(number)s, w for White or b for Black.")
UNCOLOURED_CELL = gettext_noop("Each cell: %(number)s, and the points scored. The colours are not known.")
UNCOLOURED_RESULT_CELL = gettext_noop(
    "Each cell: + won, = drawn or − lost, and %(number)s. The colours are not known."
)
TEAM_CELL = gettext_noop("Each cell: %(number)s, and the points scored.")
HEADED_BY_START = gettext_lazy(
    "Each cell: the points scored against the competitor with the start number (column: start) above the "
    "column; several games in the order of the rounds."
)
HEADED_BY_PLACE = gettext_lazy(
    "Each cell: the points scored against the competitor with the place above the column; several games in "
    "the order of the rounds."
)
NO_VALUE = "–"
"""The cell of a competitor for whom a C.07 criterion counts no results."""

UNPLAYED_KINDS = (RoundKind.FORFEIT, RoundKind.BYE, RoundKind.HALF_BYE, RoundKind.ZERO_BYE, RoundKind.ABSENT)
LEGEND = (
    (RoundKind.BYE, gettext_lazy("BYE: no opponent this round")),
    (RoundKind.HALF_BYE, gettext_lazy("½bye: requested bye, ½ point")),
    (RoundKind.ZERO_BYE, gettext_lazy("0bye: requested bye, 0 points")),
    (RoundKind.FORFEIT, gettext_lazy("+ and -: decided by forfeit, - -: lost by forfeit on both sides")),
    (RoundKind.ABSENT, gettext_lazy("–: absent")),
    (RoundKind.UNKNOWN, gettext_lazy("?: result unknown")),
    (RoundKind.ANNULLED, gettext_lazy("struck out: annulled")),
)


def notes_of(sheet: StandingsSheet) -> list[str]:
    notes = (_cell_note(sheet), _legend_note(sheet), _notation_note(sheet), *_result_notes(sheet))
    return [note for note in notes if note]


def crosstable_notes_of(sheet: StandingsSheet) -> list[str]:
    headed = HEADED_BY_START if sheet.start_numbers else HEADED_BY_PLACE
    # A cross table has cells for opponents only, so signs of other rounds are not needed.
    notes = (str(headed), _legend_note(sheet, without=ALONE), *_result_notes(sheet))
    return [note for note in notes if note]


def list_notes_of(sheet: StandingsSheet) -> list[str]:
    return [note for note in _result_notes(sheet, has_cells=False) if note]


def _result_notes(sheet: StandingsSheet, *, has_cells: bool = True) -> tuple[str, ...]:
    of_values = _unplayed_rounds_note(sheet), _no_value_note(sheet)
    basis = "" if sheet.basis.complete else sentence(sheet.basis)
    return (
        basis,
        _missing_boards_note(sheet),
        *_missing_inputs_notes(sheet),
        *of_values,
        _manual_changes_note(sheet, has_cells=has_cells),
    )


def _cell_note(sheet: StandingsSheet) -> str:
    if not sheet.event.knows_round_order:
        return ""
    if sheet.codes_tell:
        return _("Each cell: the opponent's code and the points scored.")
    if sheet.event.is_team:
        note = TEAM_CELL
    elif not knows_colours(sheet.event):
        note = UNCOLOURED_RESULT_CELL if sheet.style.cells == RESULT_FIRST else UNCOLOURED_CELL
    else:
        note = {RESULT_FIRST: RESULT_CELL, COLOUR_FIRST: COLOUR_CELL}.get(sheet.style.cells, CELL)
    place = PLACE if sheet.among is None else PLACE_IN_WHOLE
    return _(note) % {"number": START_NUMBER if sheet.start_numbers else place}


def _legend_note(sheet: StandingsSheet, without: Collection[RoundKind] = ()) -> str:
    table = sheet.shown_results.table
    present = set(table.state.ravel().tolist()).difference(without)
    texts = [str(text) for kind, text in LEGEND if kind in present]
    points = table.points(Scale.GAME)
    halved = (table.state == RoundKind.FORFEIT) & (points > 0) & (points == table.of_opponent(points))
    if halved.any():
        texts.append(_("=: drawn by forfeit"))
    if table.advantage.any():
        draw = "=" if sheet.style.cells == RESULT_FIRST else sheet.style.points(sheet.event.game_draw or 2)
        texts.append(_("%(draw)s+ and %(draw)s-: draw with advantage, with disadvantage") % {"draw": draw})
    if table.published is not None:
        if not table.published.places.all():
            texts.append(_("place -: not in the published ranking"))
    elif table.outside.any():
        texts.append(_("place -: plays outside the competition"))
    return " · ".join(texts)


def _notation_note(sheet: StandingsSheet) -> str:
    style, win = sheet.style, sheet.event.game_win
    if style._replace(cells="") == AS_RECORDED or not win or 2 * style.shows == style.of:
        return ""
    shown, own = style.points(win), AS_RECORDED.points(win)
    return _(
        "Points of games are shown with %(shown)s for a win; other values stay as computed, with %(own)s."
    ) % {"shown": shown, "own": own}


def _missing_boards_note(sheet: StandingsSheet) -> str:
    needs_boards = any(get_criterion(code).board_input for code in sheet.standings.criteria)
    missing = sheet.standings.table.boards_missing if needs_boards else 0
    if not missing:
        return ""
    return ngettext(
        "?: no value, because the boards of %(count)s match are not all recorded. Competitors level with "
        "such a team are ranked by the next criterion.",
        "?: no value, because the boards of %(count)s matches are not all recorded. Competitors level with "
        "such a team are ranked by the next criterion.",
        missing,
    ) % {"count": missing}


def _missing_inputs_notes(sheet: StandingsSheet) -> Iterator[str]:
    """Yield the reasons why criteria have no value (`?`), except missing boards."""
    criteria, table = [get_criterion(code) for code in sheet.standings.criteria], sheet.standings.table
    coloured = [criterion.board_input is not None for criterion in criteria if criterion.on_colours]
    if any(table.lacks_colours(on_boards=on_boards).any() for on_boards in coloured):
        yield _("?: no value, because the source does not give the colours of all games.")
    if any(criterion.needs_order for criterion in criteria) and not table.order_known:
        yield _("?: no value, because the order of the rounds is not known.")
    if any(criterion.needs_ratings for criterion in criteria) and not table.rating.any():
        yield _("?: no value, because no competitor of the event has a rating.")


def _unplayed_rounds_note(sheet: StandingsSheet) -> str:
    if not (unplayed_by_draughts_rules(sheet.event) and any(map(policy_decides, sheet.standings.criteria))):
        return ""
    if not np.isin(sheet.standings.table.state, UNPLAYED_KINDS).any():
        return ""
    return _("Unplayed rounds count by the rules of draughts (FMJD), because the event names no other rules.")


def _no_value_note(sheet: StandingsSheet) -> str:
    fide = (column for column in displayed_criteria(sheet.standings) if column.criterion.is_fide)
    if not any(NO_VALUE in column.texts for column in fide):
        return ""
    return _("–: no value, because no results count for it; it ranks last.")


def _manual_changes_note(sheet: StandingsSheet, *, has_cells: bool) -> str:
    starred = [ruling for ruling in sheet.standings.overrides if ruling.is_starred]
    changes = sum(has_cells or ruling.kind != "pairing" for ruling in starred)  # of pairings: in cells
    if sheet.with_running and has_cells:
        later = (
            ruling
            for ruling in sheet.with_running.overrides
            if not ruling.touches(sheet.standings.table.rounds)
        )
        changes += sum(ruling.is_starred and ruling.kind == "pairing" for ruling in later)
    if not changes:
        return ""
    return ngettext("*: %(count)s manual change.", "*: %(count)s manual changes.", changes) % {
        "count": changes
    }


@dataclass(frozen=True)
class ManualChange:
    """A manual change or a correction in words."""

    what: str
    reason: str
    by: str
    at: datetime


def manual_changes(
    sheet: StandingsSheet, paired: int, of: Collection[int] | None = None
) -> list[ManualChange]:
    """Return the manual changes that affect these standings; one query, none without changes.

    `paired`: the last paired round; a change without a round affects the standings after it. `of`: only
    changes of these competitors and of all competitors, none of pairings.
    """
    # Standings as computed have no overrides, but their notes name the overrides.
    if not sheet.as_computed and not sheet.shown_results.overrides:
        return []
    recorded = Override.objects.filter(event=sheet.event, undone_by=None).exclude(kind__in=RULING_NOTHING)
    if of is not None:
        is_of_all = Q(competitor=None) & ~Q(kind=Override.Kind.PAIRING)
        recorded = recorded.filter(Q(competitor__number__in=of) | is_of_all)
    changes = []
    for ruling in recorded.select_related("competitor", "event").order_by("number"):
        # Cells of all shown rounds have marks, and so has the name of a system with changed rules.
        is_marked = ruling.kind in (Override.Kind.PAIRING, Override.Kind.RULES)
        last = (sheet.shown_results if is_marked else sheet.standings).table.rounds
        if (paired if ruling.after is None else ruling.after) <= last:
            changes.append(ruled(ruling))
    return changes


def ruled(ruling: Override) -> ManualChange:
    what = _change_text(ruling)
    if ruling.was:
        is_pairing = ruling.kind == Override.Kind.PAIRING
        text = _("%(what)s (before: %(was)s)") if is_pairing else _("%(what)s (computed then: %(was)s)")
        what = text % {"what": what, "was": was_of(ruling)}
    return ManualChange(what, ruling.reason, ruling.by, ruling.at)


def _change_text(ruling: Override) -> str:
    name = ruling.competitor.name if ruling.competitor else ""
    if ruling.kind == Override.Kind.PAIRING:
        values = {"number": ruling.round, "table": ruling.table}
        return _("The pairing of round %(number)s, table %(table)s was changed") % values
    if ruling.kind == Override.Kind.CRITERIA:  # of records older than the kind `rules`
        criteria = criterion_names(ruling.criteria)
        return _("The criteria were changed to %(criteria)s") % {"criteria": criteria}
    if ruling.kind == Override.Kind.RULES:
        changed = phrase_of_rules(ruling.rules_from, ruling.rules_to, ruling.event.system)
        return _("The rules were changed: %(changed)s") % {"changed": changed}
    if ruling.kind == Override.Kind.VALUE:
        value = localized(" · ".join(ruling.levels))
        criterion = criterion_name(get_criterion(ruling.criterion))
        words = {"criterion": criterion, "name": name, "value": value}
        return _("%(criterion)s of %(name)s was set to %(value)s") % words
    return _("The place of %(name)s was set to %(place)s") % {"name": name, "place": ruling.place}


# --- remarks -----------------------------------------------------------------------------------------------

CORRECTED, BY_HAND = "†", "*"


class Remark(NamedTuple):
    """A correction or a ruling in words, with its mark."""

    sign: str
    ruled: ManualChange


class Remarks(NamedTuple):
    """Corrections and rulings in force of an event, by (round, table) and by start number."""

    pairings: dict[tuple[int, int], list[Remark]]
    competitors: dict[int, list[Remark]]

    def of_pairing(self, number: int, table: int) -> list[Remark]:
        return self.pairings.get((number, table), [])


def remarks_of(event: Event) -> Remarks:
    """Return the corrections and rulings of an event; two queries, once for an event of a page or archive."""
    if event.data_version:
        return memoized_on_event("remarks", event, _stored_remarks)
    return _stored_remarks(event)


def _stored_remarks(event: Event) -> Remarks:
    remarks = Remarks(defaultdict(list), defaultdict(list))
    for change in Change.objects.filter(event=event).order_by("at", "pk"):
        values = {"number": change.round, "table": change.table, "was": change.was, "now": change.now}
        what = _("The result of round %(number)s, table %(table)s was corrected from %(was)s to %(now)s")
        correction = ManualChange(what % values, change.reason, change.by, change.at)
        remarks.pairings[change.round, change.table].append(Remark(CORRECTED, correction))
    in_force = Override.objects.filter(event=event, undone_by=None).select_related("competitor", "event")
    for ruling in in_force.order_by("number"):
        remark = Remark(BY_HAND, ruled(ruling))
        if ruling.kind == Override.Kind.PAIRING:
            remarks.pairings[ruling.round or 0, ruling.table or 0].append(remark)
        elif ruling.competitor:
            remarks.competitors[ruling.competitor.number].append(remark)
    return remarks


def marks_of(remarks: Iterable[Remark]) -> str:
    return "".join(dict.fromkeys(remark.sign for remark in remarks))
