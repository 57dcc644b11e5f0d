"""Rounds of a competitor as lines of its page, and as rows of a table in HTML."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import inf

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.engine import RoundKind, Standings, fraction_text
from standings.flags import flag_html
from standings.pages.competitors.team_players import BoardCell, PlayerRow
from standings.pages.events.notes import BY_HAND, CORRECTED, Remarks, marks_of
from standings.pages.events.sides import COLOUR_WORDS, NO_FLAG
from standings.tables.cells import (
    RoundCells,
    RoundResult,
    boards_open,
    rounds_of_competitor,
    sign,
    tint,
)
from tournaments.event.arrays import CompetitorInfo
from tournaments.models import Event


@dataclass(frozen=True)
class RoundRow:
    round: int
    opponent: CompetitorInfo | None
    flag: SafeString
    colour: str
    result: str
    css: str
    words: SafeString
    table: int
    total: str
    place: str
    boards: list[BoardCell]


def round_lines(
    event: Event,
    standings: Standings,
    entries: list[CompetitorInfo],
    row: int,
    remarks: Remarks,
    places: Sequence[Sequence[int]],
    boards: Mapping[int, list[BoardCell]],
    last_placed: float = inf,
) -> Iterator[RoundRow]:
    """Yield the rounds of a row of the crosstable; `places` are those of all rows after each round.

    Places after the round `last_placed` are not shown.
    """
    table = standings.table
    totals = table.points().cumsum(axis=1)[row].tolist()
    # Only for the texts: no cell is written, so labels and URL are not needed.
    words = RoundCells(entries, str, "", players=not event.is_team)
    rulings = (ruling for ruling in standings.overrides if ruling.kind == "place")
    ruled_since = min((ruling.after for ruling in rulings if ruling.competitor == row), default=inf)
    corrected = escape(_("corrected"))
    # If the order of rounds is unknown, there are no places after them, and games are by opponent.
    places = places or [[0] * len(entries)] * table.rounds
    in_order = list(zip(rounds_of_competitor(table, row), totals, places, strict=True))
    if not (table.order_known or event.is_team):  # the columns of a team's players are by stored rounds
        in_order.sort(key=lambda item: (item[0].opponent < 0, item[0].opponent))
    for competitor_round, total, after in in_order:
        marks = marks_of(remarks.of_pairing(competitor_round.round, competitor_round.table))
        spoken = words.words(competitor_round, changed=BY_HAND in marks)
        opponent = entries[competitor_round.opponent] if competitor_round.opponent >= 0 else None
        yield RoundRow(
            round=competitor_round.round,
            opponent=opponent,
            flag=flag_html(event, opponent) if opponent else NO_FLAG,
            colour={1: "○", -1: "●"}.get(competitor_round.result.colour, "") if not event.is_team else "",
            result=_result(competitor_round.result) + marks,
            css=tint(competitor_round.result),
            words=SafeString(f"{spoken}, {corrected}" if CORRECTED in marks else spoken),
            table=competitor_round.table,
            total=fraction_text(total, 2),
            place=""
            if competitor_round.round > last_placed
            else f"{after[row] or '-'}{'*' if ruled_since <= competitor_round.round else ''}",
            boards=boards.get(competitor_round.round, []),
        )


def boards_by_round(players: list[PlayerRow]) -> dict[int, list[BoardCell]]:
    boards: dict[int, list[BoardCell]] = defaultdict(list)
    for player in players:
        for cell in player.cells:
            if cell.round:
                boards[cell.round].append(cell)
    return {number: sorted(cells, key=lambda cell: cell.board) for number, cells in boards.items()}


def _result(played: RoundResult) -> str:
    """Return the scores of both sides, the running score of a match, or the sign of an unplayed round."""
    text = sign(played)
    if played.open_boards:
        return f"{text}, {boards_open(played.open_boards)}"
    if played.kind != RoundKind.PLAYED or played.advantage:
        return text or played.delayed_text
    return f"{text}-{fraction_text(played.opponent_score, 2)}"


class RoundRows:
    """Writes the rounds of a competitor as table rows in HTML: a template is ten times slower.

    `number`: the competitor's start number. `linked`: rows link to comparisons and to the standings after
    them. In an archive they do not; they are link targets of the standings. `has_boards`: there is a column
    of boards.
    """

    def __init__(self, event: Event, number: int, *, linked: bool, has_boards: bool) -> None:
        self.event, self.number, self.linked, self.has_boards = event, number, linked, has_boards
        self.rounds, self.competitors, self.standings = (
            reverse(name, args=[event.slug]) for name in ("rounds", "competitors", "standings")
        )
        self.up_to, self.spoken = _("Standings up to round %(number)s"), _("Round %(number)s, %(words)s")
        self.compare, self.compare_with = escape(_("compare")), _("Compare with %(name)s")
        # In an archive, the script adds the labels.
        labels = (f' data-label="{escape(label)}"' if linked else "" for label in (_("total"), _("place")))
        self.total, self.place = labels

    def html(self, lines: Sequence[RoundRow]) -> SafeString:
        return SafeString("\n".join(map(self._row, lines)))

    def _row(self, line: RoundRow) -> str:
        boards = "".join(board.html for board in line.boards)
        beside = f'<td role="cell" class="boards">{boards}\n</td>\n' if self.has_boards else ""
        place = "" if self.linked else f' id="r{line.round}"'
        number = f'<th scope="row" role="rowheader">\n{self._number(line.round)}\n</th>\n'
        sums = (
            f'<td role="cell"{self.total}>{escape(line.total)}</td>\n'
            f'<td role="cell"{self.place if line.place else ""}>{escape(line.place)}</td>\n'
        )
        if not self.event.knows_round_order:
            number = sums = ""
        return (
            f'<tr role="row"{place}>\n{number}'
            f'<td role="cell">\n{self._opponent(line)}\n</td>\n'
            f"{'' if self.event.is_team else self._colour(line)}"
            f'<td role="cell" class="result {line.css}">\n{self._result(line)}\n</td>\n'
            f"{sums}{beside}</tr>"
        )

    def _number(self, number: int) -> str:
        if not self.linked:
            return f"{number}"
        up_to = escape(self.up_to % {"number": number})
        return f'<a href="{self.standings}after/{number}/" aria-label="{up_to}">{number}</a>'

    def _opponent(self, line: RoundRow) -> str:
        opponent = line.opponent
        if opponent is None:
            return f'<span class="title">{line.words}</span>'
        name = escape(opponent.name)
        link = f'<a href="{self.competitors}{opponent.number}/">{name}</a>'
        if not self.linked:
            return link
        link = f"{line.flag}{link}"
        address = reverse("compare", args=[self.event.slug, self.number, opponent.number])
        label = escape(self.compare_with % {"name": opponent.name})
        return f'{link}\n<a class="versus" href="{address}" aria-label="{label}">{self.compare}</a>'

    def _colour(self, line: RoundRow) -> str:
        if not self.linked:
            return f'<td role="cell" class="colours">{line.colour}</td>\n'
        word = escape(str(COLOUR_WORDS[line.colour]))
        sign = f'\n<span class="colour" role="img" aria-label="{word}">{line.colour}</span>'
        return f'<td role="cell" class="colours">{sign if line.colour else ""}\n</td>\n'

    def _result(self, line: RoundRow) -> str:
        if not line.table:
            return escape(line.result)
        # `line.words` is HTML.
        label: str = line.words
        if self.event.knows_round_order:
            label = escape(self.spoken) % {"number": line.round, "words": line.words}
        return (
            f'<a href="{self.rounds}{line.round}/{line.table}/" aria-label="{label}">'
            f"{escape(line.result) or '·'}</a>"
        )
