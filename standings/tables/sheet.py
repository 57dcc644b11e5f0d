"""The standings that tables are written from, as one reader asked for them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from django.utils.translation import gettext as _

from standings.basis import Basis, basis_of, round_sentence, sentence
from standings.engine import CriterionColumn, Row, Standings
from standings.tables.cells import AS_RECORDED, Style
from standings.words import value_of
from tournaments.event.arrays import Entry
from tournaments.models import Event
from tournaments.wording import name_of_edition

OLIMPBASE = ("game-points", "match-points", "buchholz@game", "dsb", "dsmp")


@dataclass(frozen=True)
class StandingsSheet:
    """The standings of an event, and how one reader wants to see them.

    `address` is the event's page, `query` what links to values carry on, `style` how the reader wants points
    and cells. `ruled` are the standings as ruled where these are the ones as computed. `moves`: whether the
    moves of the last round are of interest, as they are not in a final table. `published` are the places that
    the source printed, by competitor number. Before the round `linked_from` the cells of rounds are no links.
    `with_running` are the standings with the results of the round that is played, if these are those before
    it: its cells are shown, and do not count.
    """

    event: Event
    standings: Standings
    entries: list[Entry]
    address: str
    query: str = ""
    style: Style = AS_RECORDED
    ruled: Standings | None = None
    moves: bool = True
    published: Mapping[int, int] = field(default_factory=dict)
    linked_from: int = 1
    with_running: Standings | None = None

    @property
    def as_computed(self) -> bool:
        """Say whether manual changes are left out."""
        return self.ruled is not None

    @cached_property
    def basis(self) -> Basis:
        """Return the results that the standings rest on."""
        return basis_of(self.standings.table)

    @property
    def shown_results(self) -> Standings:
        """Return the standings whose rounds have cells."""
        return self.with_running or self.standings

    @cached_property
    def running(self) -> Basis:
        """Return the results that are shown, of which the standings may count fewer."""
        return basis_of(self.shown_results.table)

    @cached_property
    def basis_text(self) -> str:
        """Return the basis as a sentence, and another one for the round that does not count yet."""
        counted = sentence(self.basis)
        return f"{counted} {round_sentence(self.running, self.basis)}" if self.with_running else counted

    @property
    def edition_text(self) -> str:
        """Return the edition of FIDE's rules that the standings follow, as a sentence; blank for none."""
        policy = self.standings.table.policy
        if not self.event.knows_results or not policy.code.startswith("fide-"):
            return ""
        return _("Unplayed rounds count by %(rules)s.") % {"rules": name_of_edition(policy.code)}

    @cached_property
    def codes_tell(self) -> bool:
        """Say whether the cells name opponents by their codes: teams, each with a code of its own."""
        codes = [entry.code for entry in self.entries]
        return self.event.is_team and all(codes) and len(set(codes)) == len(codes)

    @cached_property
    def rows(self) -> list[Row]:
        """Return the rows in standings order."""
        return list(self.standings.rows())

    @cached_property
    def by_competitor(self) -> list[Row]:
        """Return the rows in the order of the crosstable."""
        return sorted(self.rows, key=lambda row: row.competitor)

    @cached_property
    def first_on_place(self) -> dict[int, int]:
        """Return for each place the first row of the crosstable that has it."""
        # Reversed, so that the first row of a place is the one that remains.
        return {row.place: row.competitor for row in reversed(self.rows) if row.place}

    @cached_property
    def start_numbers(self) -> bool:
        """Say whether the numbers in cells and headings are start numbers, and not places.

        The event may want it so. And it is so where a row has no place of its own: a number leads to one row.
        """
        # A shared place leads to several rows, and a number in a cell must lead to one.
        own_places = bool((self.standings.sharing == 1).all())
        return self.event.cell_number == Event.CellNumber.START or not own_places

    def number(self, row: int) -> str:
        """Return the number that leads to a competitor's row, and to no other."""
        return str(self.entries[row].number if self.start_numbers else self.standings.place[row])

    def label(self, row: int) -> str:
        """Return how a competitor is called in the cells of the others."""
        return self.entries[row].code if self.codes_tell else self.number(row)


def codes_shown(sheet: StandingsSheet) -> list[str]:
    """Return the codes of the criteria that have a column, in their order."""
    codes = sheet.standings.criteria
    if codes and sheet.event.columns == Event.Columns.OLIMPBASE:
        codes = (*OLIMPBASE, *(code for code in codes if code not in OLIMPBASE))
    return [code for code in codes if is_used(sheet.standings, code)]


def shown_criteria(standings: Standings) -> list[CriterionColumn]:
    """Return the deciding columns, without manual numbers that nobody entered."""
    return [judged for judged in standings.columns if is_used(standings, judged.criterion.code)]


def published_figures(standings: Standings) -> list[tuple[str, Sequence[str]]]:
    """Return the columns of a published ranking without results: printed label, printed figures by row."""
    published = standings.table.published
    return list(published.columns.items()) if published else []


def is_used(standings: Standings, code: str) -> bool:
    """Say whether a criterion has a column: manual numbers have none where nobody entered one."""
    return code != "manual" or bool(standings.table.manual_numbers.any())


@dataclass(frozen=True)
class StandingsNeighbour:
    """One line of the standings around a competitor: its place and its value; `here` is the competitor."""

    entry: Entry
    place: str
    text: str
    here: bool


def neighbours_of(sheet: StandingsSheet, row: int, code: str, reach: int = 2) -> list[StandingsNeighbour]:
    """Return the lines of the standings around a row of the crosstable, itself included.

    UnknownCriterionError where there is no such criterion.
    """
    judged = sheet.standings.column(code)
    at = next(at for at, line in enumerate(sheet.rows) if line.competitor == row)
    around = sheet.rows[max(at - reach, 0) : at + reach + 1]
    return [
        StandingsNeighbour(
            sheet.entries[line.competitor],
            f"{line.place or '-'}{sheet.standings.place_mark(line.competitor)}",
            value_of(judged, line.competitor),
            here=line.competitor == row,
        )
        for line in around
    ]
