"""The notes below a table: what its signs mean, what is missing, what was done by hand."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from standings.basis import sentence
from standings.criteria.descriptions import policy_decides
from standings.engine import Crosstable, RoundKind, Scale, get_criterion
from standings.tables.cells import ALONE, AS_RECORDED, COLOUR_FIRST, RESULT_FIRST
from standings.tables.sheet import StandingsSheet, shown_criteria
from standings.words import name_of, written
from tournaments.event.choices import RULING_NOTHING
from tournaments.event.judging import unplayed_by_draughts_rules
from tournaments.event.unknown import knows_colours
from tournaments.models import Override
from tournaments.texts import names_of, phrase_of_rules, was_of

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
"""The cell of somebody whom a criterion of C.07 gives nothing to count."""

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


def notes_of(sheet: StandingsSheet, place: str | Promise = PLACE) -> list[str]:
    """The notes that this table needs, and no others; `place` says of which table the places in cells are."""
    notes = (_cells(sheet, place), _legend(sheet), _notation(sheet), *_remarks(sheet))
    return [note for note in notes if note]


def crosstable_notes_of(sheet: StandingsSheet) -> list[str]:
    """The notes that this sheet needs as a cross table."""
    headed = HEADED_BY_START if sheet.start_numbers else HEADED_BY_PLACE
    # A cross table has cells for opponents only: no sign of a round alone stands in it.
    notes = (str(headed), _legend(sheet, without=ALONE), *_remarks(sheet))
    return [note for note in notes if note]


def list_notes_of(sheet: StandingsSheet) -> list[str]:
    """The notes that this sheet needs as a list without the rounds."""
    return [note for note in _remarks(sheet) if note]


def _remarks(sheet: StandingsSheet) -> tuple[str, ...]:
    """Return what is to be said of results and values, each blank where it is nothing."""
    of_values = _unplayed(sheet), _without_value(sheet)
    return (_missing(sheet), _boards(sheet), *_inputs(sheet), *of_values, _by_hand(sheet))


def _cells(sheet: StandingsSheet, place: str | Promise) -> str:
    if not sheet.event.knows_round_order:
        return ""
    if sheet.codes_tell:
        return _("Each cell: the opponent's code and the points scored.")
    return _(_cell_note(sheet)) % {"number": START_NUMBER if sheet.start_numbers else place}


def _cell_note(sheet: StandingsSheet) -> str:
    if sheet.event.is_team:
        return TEAM_CELL
    if not knows_colours(sheet.event):
        return UNCOLOURED_RESULT_CELL if sheet.style.cells == RESULT_FIRST else UNCOLOURED_CELL
    return {RESULT_FIRST: RESULT_CELL, COLOUR_FIRST: COLOUR_CELL}.get(sheet.style.cells, CELL)


def _legend(sheet: StandingsSheet, without: Collection[RoundKind] = ()) -> str:
    table = sheet.shown_results.table
    present = set(table.state.ravel().tolist()).difference(without)
    shown = [str(text) for kind, text in LEGEND if kind in present]
    if _any_halved(table):
        shown.append(_("=: drawn by forfeit"))
    if table.advantage.any():
        draw = "=" if sheet.style.cells == RESULT_FIRST else sheet.style.points(sheet.event.game_draw or 2)
        shown.append(_("%(draw)s+ and %(draw)s-: draw with advantage, with disadvantage") % {"draw": draw})
    if table.published is not None:
        if not table.published.places.all():
            shown.append(_("place -: not in the published ranking"))
    elif table.outside.any():
        shown.append(_("place -: plays outside the competition"))
    return " · ".join(shown)


def _any_halved(table: Crosstable) -> bool:
    """Say whether a forfeit gave both sides the same, and not nothing."""
    points = table.points(Scale.GAME)
    halved = (table.state == RoundKind.FORFEIT) & (points > 0) & (points == table.of_opponent(points))
    return bool(halved.any())


def _notation(sheet: StandingsSheet) -> str:
    """Say which figures are shown in another notation than the event's own, and which are not."""
    style, win = sheet.style, sheet.event.game_win
    if style._replace(cells="") == AS_RECORDED or not win or 2 * style.shows == style.of:
        return ""
    shown, own = style.points(win), AS_RECORDED.points(win)
    return _(
        "Points of games are shown with %(shown)s for a win; other values stay as computed, with %(own)s."
    ) % {"shown": shown, "own": own}


def _missing(sheet: StandingsSheet) -> str:
    """Say what the standings rest on, where that is not every result."""
    return "" if sheet.basis.complete else sentence(sheet.basis)


def _boards(sheet: StandingsSheet) -> str:
    """Say of how many matches the boards are not recorded, where a criterion counts them."""
    missing = sheet.standings.table.boards_missing
    if not missing or not any(get_criterion(code).board_input for code in sheet.standings.criteria):
        return ""
    return ngettext(
        "?: no value, because the boards of %(count)s match are not all recorded. Competitors level with "
        "such a team are ranked by the next criterion.",
        "?: no value, because the boards of %(count)s matches are not all recorded. Competitors level with "
        "such a team are ranked by the next criterion.",
        missing,
    ) % {"count": missing}


def _inputs(sheet: StandingsSheet) -> Iterator[str]:
    """Yield why criteria have no value (`?`), apart from boards that are not recorded."""
    criteria, table = [get_criterion(code) for code in sheet.standings.criteria], sheet.standings.table
    coloured = [each.board_input is not None for each in criteria if each.on_colours]
    if any(table.lacks_colours(on_boards=on_boards).any() for on_boards in coloured):
        yield _("?: no value, because the source does not give the colours of all games.")
    if any(each.needs_order for each in criteria) and not table.order_known:
        yield _("?: no value, because the order of the rounds is not known.")
    if any(each.needs_ratings for each in criteria) and not table.rating.any():
        yield _("?: no value, because no competitor of the event has a rating.")


def _unplayed(sheet: StandingsSheet) -> str:
    """Say that a chess event counts unplayed rounds as draughts does, where any criterion sees them."""
    any_unplayed = np.isin(sheet.standings.table.state, UNPLAYED_KINDS).any()
    if not (any_unplayed and unplayed_by_draughts_rules(sheet.event)):
        return ""
    if not any(map(policy_decides, sheet.standings.criteria)):
        return ""
    return _("Unplayed rounds count by the rules of draughts (FMJD), because the event names no other rules.")


def _without_value(sheet: StandingsSheet) -> str:
    """Say what a dash in a column of values is, where there is one."""
    fide = (judged for judged in shown_criteria(sheet.standings) if judged.criterion.is_fide)
    if not any(NO_VALUE in judged.texts for judged in fide):
        return ""
    return _("–: no value, because no results count for it; it ranks last.")


def _by_hand(sheet: StandingsSheet) -> str:
    changes = sum(ruling.is_starred for ruling in sheet.standings.overrides)
    if sheet.with_running:
        later = (
            each for each in sheet.with_running.overrides if not each.touches(sheet.standings.table.rounds)
        )
        changes += sum(each.is_starred and each.kind == "pairing" for each in later)
    if not changes:
        return ""
    return ngettext("*: %(count)s manual change.", "*: %(count)s manual changes.", changes) % {
        "count": changes
    }


@dataclass(frozen=True)
class Ruled:
    """A manual change or a correction in words, with its reason, and who made it when."""

    what: str
    reason: str
    by: str
    at: datetime


def manual_changes(sheet: StandingsSheet, paired: int, of: Collection[int] | None = None) -> list[Ruled]:
    """The manual changes that touch these standings; one query, none where there are no changes.

    `paired` is the last paired round: a change that names no round touches the standings after that one.
    `of` leaves those on single competitors out, but for the ones with these numbers, and those on pairings.
    """
    # Standings as computed have no overrides, and name those that they leave out.
    if not sheet.as_computed and not sheet.shown_results.overrides:
        return []
    recorded = Override.objects.filter(event=sheet.event, undone_by=None).exclude(kind__in=RULING_NOTHING)
    recorded = recorded.select_related("competitor", "event").order_by("number")
    return [
        ruled(ruling)
        for ruling in recorded
        if (paired if ruling.after is None else ruling.after) <= _rounds_ruled(sheet, ruling)
        and (of is None or _concerns(ruling, of))
    ]


def _rounds_ruled(sheet: StandingsSheet, ruling: Override) -> int:
    """Return the last round of the sheet that a change can touch.

    The cells of all shown rounds are marked, and so is the name of a system whose rules were changed.
    """
    is_marked = ruling.kind in (Override.Kind.PAIRING, Override.Kind.RULES)
    return (sheet.shown_results if is_marked else sheet.standings).table.rounds


def _concerns(ruling: Override, numbers: Collection[int]) -> bool:
    """Say whether a change may have put one of these competitors where it stands."""
    if ruling.competitor:
        return ruling.competitor.number in numbers
    return ruling.kind != Override.Kind.PAIRING


def ruled(ruling: Override) -> Ruled:
    """An override in words; reads its competitor and its event."""
    return Ruled(_what(ruling), ruling.reason, ruling.by, ruling.at)


def _what(ruling: Override) -> str:
    """The change as the beginning of a sentence."""
    what = _changed(ruling)
    return (
        _("%(what)s (computed then: %(was)s)") % {"what": what, "was": was_of(ruling)} if ruling.was else what
    )


def _changed(ruling: Override) -> str:
    name = ruling.competitor.name if ruling.competitor else ""
    if ruling.kind == Override.Kind.PAIRING:
        values = {"number": ruling.round, "table": ruling.table}
        return _("The pairing of round %(number)s, table %(table)s was changed") % values
    if ruling.kind == Override.Kind.CRITERIA:  # of records older than the kind `rules`
        criteria = names_of(ruling.criteria)
        return _("The criteria were changed to %(criteria)s") % {"criteria": criteria}
    if ruling.kind == Override.Kind.RULES:
        changed = phrase_of_rules(ruling.rules_from, ruling.rules_to, ruling.event.system)
        return _("The rules were changed: %(changed)s") % {"changed": changed}
    if ruling.kind == Override.Kind.VALUE:
        value = written(" · ".join(ruling.levels))
        criterion = name_of(get_criterion(ruling.criterion))
        words = {"criterion": criterion, "name": name, "value": value}
        return _("%(criterion)s of %(name)s was set to %(value)s") % words
    return _("The place of %(name)s was set to %(place)s") % {"name": name, "place": ruling.place}
