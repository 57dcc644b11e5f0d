"""Standings with the reader's display options, as input for the tables."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from operator import attrgetter

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from standings.basis import Basis, basis_of, round_sentence, sentence
from standings.engine import CriterionColumn, Row, Standings
from standings.flags import code_beside, country_of, printed_code, year_of
from standings.services import category_members
from standings.tables.cells import AS_RECORDED, Style
from standings.texts import value_of
from tournaments.event.arrays import CompetitorInfo
from tournaments.models import Event
from tournaments.prizes.members import rows_among
from tournaments.texts import name_of_edition

DETAILS = (
    *(gettext_noop("title"), gettext_noop("code"), gettext_noop("rating"), gettext_noop("club")),
    *(gettext_noop("city"), gettext_noop("category"), gettext_noop("born")),
)
"""The facts about competitors that readers can show or hide, with their labels, in order."""

OLIMPBASE = ("game-points", "match-points", "buchholz@game", "dsb", "dsmp")


@dataclass(frozen=True)
class StandingsSheet:
    """The standings of an event and the reader's display options.

    `address`: the URL of the event. `query`: the query string of links to values. `style`: the notation of
    points and cells. `ruled`: the standings with the arbiter's decisions, if `standings` excludes them.
    `moves`: whether to show places gained in the last round, as is not done in final tables. `published`: the
    published places by competitor number. `last_round_only`: without cells of earlier rounds, links of cells,
    and details of competitors.
    `with_running`: the standings including the running round, if `standings` excludes it; its cells are shown
    but do not count. `details`: the reader's choice among `DETAILS`, None for the proposed ones. `among`: the
    numbers of the competitors in the table, None for all. `group`: their name. `reasons`:
    reasons for the order are `long`, `hidden` or short.
    """

    event: Event
    standings: Standings
    entries: list[CompetitorInfo]
    address: str
    query: str = ""
    style: Style = AS_RECORDED
    ruled: Standings | None = None
    moves: bool = True
    published: Mapping[int, int] = field(default_factory=dict)
    last_round_only: bool = False
    with_running: Standings | None = None
    details: Collection[str] | None = None
    among: Collection[int] | None = None
    group: str = ""
    reasons: str = ""

    @property
    def as_computed(self) -> bool:
        return self.ruled is not None

    @cached_property
    def basis(self) -> Basis:
        return basis_of(self.standings.table)

    @property
    def shown_results(self) -> Standings:
        """Return the standings that provide the round cells."""
        return self.with_running or self.standings

    @cached_property
    def running(self) -> Basis:
        return basis_of(self.shown_results.table)

    @cached_property
    def basis_text(self) -> str:
        """Return the basis as a sentence, with a second sentence if a running round does not count yet."""
        counted = sentence(self.basis)
        return f"{counted} {round_sentence(self.running, self.basis)}" if self.with_running else counted

    @property
    def edition_text(self) -> str:
        policy = self.standings.table.policy
        if not self.event.knows_results or not policy.code.startswith("fide-"):
            return ""
        return _("Unplayed rounds count by %(rules)s.") % {"rules": name_of_edition(policy.code)}

    @cached_property
    def codes_tell(self) -> bool:
        codes = [entry.code for entry in self.entries]
        return self.event.is_team and all(codes) and len(set(codes)) == len(codes)

    @cached_property
    def facts(self) -> Callable[[str], list[tuple[str, ...]]]:
        return cache(self._facts)

    def _facts(self, name: str) -> list[tuple[str, ...]]:
        """Return the known values of each competitor. `name`: one of `DETAILS`, `federation` or `sex`."""
        event, entries = self.event, self.entries
        if name == "category":
            groups = {code: group.numbers for code, group in category_members(event).items()}
            codes = ([code for code in groups if each.number in groups[code]] for each in entries)
            # A label with the code of a category of the event may be decided otherwise by hand.
            labels = ([label for label in each.categories if label not in groups] for each in entries)
            return [(*own, *filter(None, other)) for own, other in zip(codes, labels, strict=True)]
        values: Iterable[object]
        if name == "code":
            values = (code_beside(event, each) + country_of(event, each) for each in entries)
        elif name == "federation":
            year = year_of(event)
            values = (printed_code(country_of(event, each).rstrip("0123456789"), year) for each in entries)
        else:
            values = map(attrgetter("birth_year" if name == "born" else name), entries)
        return [(str(value),) if value else () for value in values]

    def differs(self, name: str) -> bool:
        """Return whether the competitors in the table differ in this fact."""
        facts = self.facts(name)
        return len({facts[row.competitor] for row in self.rows_of_group}) > 1

    @cached_property
    def wanted_details(self) -> Collection[str]:
        if self.last_round_only:
            return ["code"] if self.codes_tell else []
        if self.details is not None:
            return self.details
        # Players may be minors, so a table shows the year of birth only on request.
        hidden = {"born", "city" if any(self.facts("club")) else ""}
        return [name for name in DETAILS if name not in hidden]

    def shows(self, name: str) -> bool:
        return name in self.wanted_details and self.differs(name)

    @cached_property
    def rows(self) -> list[Row]:
        return list(self.standings.rows())

    @cached_property
    def rows_of_group(self) -> list[Row]:
        """Return the rows of the competitors `among`, with places within the group."""
        return self.rows if self.among is None else rows_among(self.standings, self.among)

    @cached_property
    def by_competitor(self) -> list[Row]:
        return sorted(self.rows, key=lambda row: row.competitor)

    @cached_property
    def first_on_place(self) -> dict[int, int]:
        # Reversed, so that the first row on a place overwrites the others.
        return {row.place: row.competitor for row in reversed(self.rows) if row.place}

    @cached_property
    def start_numbers(self) -> bool:
        """Return whether numbers in cells and headings are start numbers instead of places.

        True if the event requires it or if places are shared or missing.
        """
        # A number must link to a single row, and a shared place would link to several.
        own_places = bool((self.standings.sharing == 1).all())
        return self.event.cell_number == Event.CellNumber.START or not own_places

    def number(self, row: int) -> str:
        return str(self.entries[row].number if self.start_numbers else self.standings.place[row])

    def label(self, row: int) -> str:
        return self.entries[row].code if self.codes_tell else self.number(row)

    def place_text(self, row: int) -> str:
        return f"{self.standings.place[row] or '-'}{self.standings.place_mark(row)}"

    def short_name(self, row: int) -> str:
        """Return the code of a team, or the name of a player before the comma, else its last word.

        The pseudonyms of hidden players, `N.N. 5`, end with a number and are returned whole.
        """
        name = self.entries[row].name
        if self.event.is_team:
            return self.label(row) if self.codes_tell else name
        short = name.partition(",")[0] if "," in name else name.split()[-1]
        return name if short.isdecimal() else short


def displayed_codes(sheet: StandingsSheet) -> list[str]:
    codes = sheet.standings.criteria
    if codes and sheet.event.columns == Event.Columns.OLIMPBASE:
        codes = (*OLIMPBASE, *(code for code in codes if code not in OLIMPBASE))
    return [code for code in codes if is_used(sheet.standings, code)]


def displayed_criteria(standings: Standings) -> list[CriterionColumn]:
    """Return the columns of the ranking criteria, without manual numbers if none are recorded."""
    return [judged for judged in standings.columns if is_used(standings, judged.criterion.code)]


def published_figures(standings: Standings) -> list[tuple[str, Sequence[str]]]:
    """Return the columns of a published ranking without results, as (printed label, figures by row)."""
    published = standings.table.published
    return list(published.columns.items()) if published else []


def is_used(standings: Standings, code: str) -> bool:
    """Return whether a criterion has a column. Manual numbers have one only if some are recorded."""
    return code != "manual" or bool(standings.table.manual_numbers.any())


@dataclass(frozen=True)
class StandingsNeighbour:
    """A row of the standings near a competitor. `here`: whether it is the competitor's row."""

    entry: CompetitorInfo
    place: str
    text: str
    here: bool


def neighbours_of(sheet: StandingsSheet, row: int, code: str, reach: int = 2) -> list[StandingsNeighbour]:
    """Return the rows at most `reach` positions from a row of the crosstable, including it.

    Raise UnknownCriterionError if there is no such criterion.
    """
    judged = sheet.standings.column(code)
    at = next(at for at, line in enumerate(sheet.rows) if line.competitor == row)
    around = sheet.rows[max(at - reach, 0) : at + reach + 1]
    return [
        StandingsNeighbour(
            sheet.entries[line.competitor],
            sheet.place_text(line.competitor),
            value_of(judged, line.competitor),
            here=line.competitor == row,
        )
        for line in around
    ]
