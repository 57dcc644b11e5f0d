"""The table of printouts with their texts, functions and options.

To add a printout, write a function that yields it from a `PaperSource` and add it here.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from standings.paper import cards, lists, pairings, slips, tables
from standings.paper.printout import Printout
from standings.paper.source import PaperSource
from tournaments.models import Event

SIZE, LARGE, RANGE, COLUMNS, AFTER = "size", "large", "range", "columns", "after"


def _always(_event: Event) -> bool:
    return True


@dataclass(frozen=True)
class PrintoutKind:
    """A kind of printout. `name`: the part of its URL.

    `of_round` and `of_event`: where it is offered. `suits`: returns whether an event can have it. `usual`:
    returns whether it is preselected among the printouts of a round. `choices`: its options. `pieces`: the
    allowed numbers per page. `orders`: the alternative orders by their query values.
    """

    name: str
    label: str | Promise
    purpose: str | Promise
    make: Callable[[PaperSource], Iterator[Printout]]
    of_round: bool = False
    of_event: bool = False
    suits: Callable[[Event], bool] = _always
    usual: Callable[[Event], bool] = lambda _event: False
    choices: frozenset[str] = frozenset()
    pieces: Sequence[int] = ()
    orders: Sequence[tuple[str, str | Promise]] = ()


KINDS: Sequence[PrintoutKind] = (
    PrintoutKind(
        "pairings", _("Pairings by table"), _("For the wall: pairings, with boxes for results."),
        pairings.pairings_by_table,
        of_round=True, usual=_always, choices=frozenset({SIZE, LARGE, RANGE}),
    ),
    PrintoutKind(
        "names", _("Pairings by name"), _("For the wall: the table of each competitor, by name."),
        pairings.pairings_by_name,
        of_round=True, usual=_always, choices=frozenset({SIZE, LARGE, COLUMNS}),
    ),
    PrintoutKind(
        "slips", _("Result slips"), _("A slip for each game, to be cut."), slips.slips,
        of_round=True, usual=lambda event: not event.is_team, choices=frozenset({RANGE}),
        pieces=slips.PER_PAGE, orders=((slips.PILES, _("in piles, all pages cut at once")),),
    ),
    PrintoutKind(
        "matches", _("Match sheets"), _("Boards, colours, line-ups, signatures."), slips.match_sheets,
        of_round=True, usual=_always, suits=lambda event: event.is_team, choices=frozenset({RANGE}),
        pieces=slips.MATCHES_PER_PAGE,
    ),
    PrintoutKind(
        "standings", _("Standings"), _("Places and the criteria that decide them."), tables.standings_list,
        of_round=True, of_event=True, usual=_always, choices=frozenset({SIZE, LARGE, RANGE, AFTER}),
    ),
    PrintoutKind(
        "wall", _("Wall list"), _("For the wall: places, names and points in very large type."),
        tables.wall_list,
        of_round=True, of_event=True, choices=frozenset({SIZE, RANGE, AFTER}),
    ),
    PrintoutKind(
        "categories", _("Standings by category"), _("Each category with places of its own."),
        tables.standings_by_category,
        of_round=True, of_event=True, suits=lambda event: bool(event.categories),
        choices=frozenset({SIZE, AFTER}),
    ),
    PrintoutKind(
        "crosstable", _("Cross table"), _("All rounds of each competitor."), tables.cross_table,
        of_round=True, of_event=True, choices=frozenset({SIZE, AFTER}),
        suits=lambda event: event.knows_results,
    ),
    PrintoutKind(
        "prizes", _("Prize list"), _("Winners and prizes, and how each amount came about."),
        tables.prize_printout,
        of_event=True, suits=lambda event: bool(event.prizes), choices=frozenset({SIZE}),
    ),
    PrintoutKind(
        "start-list", _("Start list"), _("All competitors by number, teams with their players."),
        lists.start_list,
        of_event=True, choices=frozenset({SIZE, LARGE, RANGE}),
    ),
    PrintoutKind(
        "attendance", _("Attendance list"), _("To tick off the competitors present."), lists.attendance_list,
        of_round=True, of_event=True, choices=frozenset({SIZE, LARGE, RANGE}),
        orders=((lists.BY_NUMBER, _("by number")),),
    ),
    PrintoutKind(
        "colours", _("Colour history"), _("The colours of each competitor, round by round."),
        lists.colour_history,
        of_round=True, of_event=True, choices=frozenset({SIZE, RANGE, AFTER}),
        suits=lambda event: event.knows_results and not event.is_team,
    ),
    PrintoutKind(
        "booklet", _("Booklet"), _("Start list, tables, all rounds, and the games of each competitor."),
        lists.booklet,
        of_event=True, choices=frozenset({SIZE}),
    ),
    PrintoutKind(
        "cards", _("Table cards"), _("The number of each table; for a round, with the players."),
        cards.table_cards,
        of_round=True, of_event=True, choices=frozenset({RANGE}), pieces=cards.CARDS_PER_PAGE,
    ),
    PrintoutKind(
        "plates", _("Name plates"), _("To be folded, readable from both sides."), cards.name_plates,
        of_event=True, choices=frozenset({RANGE}), pieces=cards.PLATES_PER_PAGE,
    ),
    PrintoutKind(
        "labels", _("Labels"), _("For standard sheets of labels."), cards.labels,
        of_event=True, choices=frozenset({RANGE}), pieces=cards.LABELS_PER_PAGE,
    ),
)  # fmt: skip
"""In the order in which they are offered and printed."""


def kinds_for(event: Event, *, of_round: bool) -> list[PrintoutKind]:
    return [each for each in KINDS if each.suits(event) and (each.of_round if of_round else each.of_event)]
