"""Pairings of a round, or games of all rounds, as lines of a page."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from html import escape
from typing import Any, NamedTuple

from django.db.models import Case, QuerySet, TextField, Value, When
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.engine import RoundKind, fraction_text
from standings.pages.events.notes import Remark, marks_of, remarks_of
from standings.pages.events.sides import COLOURS, Side, side_of
from standings.tables.cells import TINT, WORDS, RoundResult, boards_open, facts_in, sign, tint
from tournaments.event.choices import Kind, white_side
from tournaments.event.moves import last_move
from tournaments.event.resultcodes import side_texts
from tournaments.models import Event, Pairing, Round
from tournaments.models.pairing import public_games, public_pairings
from tournaments.search.folding import sort_key


@dataclass(frozen=True)
class PairingRow:
    """A pairing of a round.

    `label`: the table number for screen readers. `results`: the score of each side, empty without a result,
    of the first side only without an opponent. `boards`: the first side's results on the boards. `white`: the
    side of a player with White, empty if unknown. A match in progress has `open_boards`, and its running
    score in `results`. `delayed`: `postponed` or `adjourned`, or empty. `at`: when the result was recorded,
    None if unknown or not read. `board`: the number of a single board, else 0.
    """

    round: int
    table: int
    label: str
    first: Side
    second: Side | None
    results: list["SideResult"]
    remarks: list[Remark]
    boards: list["SideResult"]
    kind: str
    white: str = ""
    open_boards: int = 0
    delayed: str = ""
    at: datetime | None = None
    board: int = 0
    last_move: str = ""

    @property
    def marks(self) -> str:
        return marks_of(self.remarks)

    @property
    def score(self) -> str:
        return " : ".join(result.text for result in self.results)

    @property
    def state(self) -> str:
        boards = boards_open(self.open_boards) if self.open_boards else ""
        return ", ".join(filter(None, (boards, self.delayed or self.last_move)))

    @property
    def unopposed(self) -> str:
        return str(WORDS.get(RoundKind[Kind(self.kind).name], ""))

    @property
    def boards_html(self) -> SafeString:
        return SafeString(" ".join(result.html for result in self.boards))

    @property
    def shows_boards(self) -> bool:
        return self.open_boards > 0 or any(board.css == "n move" for board in self.boards)

    @property
    def is_awaited(self) -> bool:
        return self.second is not None and (not self.results or self.open_boards > 0)

    def row(
        self,
        rounds: str,
        competitors: str,
        *,
        has_boards: bool,
        is_place: bool = False,
        has_flags: bool = True,
        has_table: bool = True,
    ) -> str:
        """Return the pairing as a table row in HTML; `rounds` and `competitors` are starts of URLs.

        `is_place`: the row is the link target of the match, and has no links to it. `has_flags`: with flags.
        `has_table`: the row begins with the table number.
        """
        place = f' id="m{self.table}"' if is_place else ""
        second, label = self.second, f' aria-label="{escape(self.label)}"'
        link, end = f'<a href="{rounds}{self.round}/{self.table}/"', "</a>"
        named, link = f"{link}{label}>", f"{link}>"
        if is_place:
            named = link = end = ""
        sides = " <span>:</span>\n".join(result.html for result in self.results) or "–" * (not self.state)
        marks = f"<i>{escape(self.marks)}</i>" if self.marks else ""
        state = f" <small>{escape(self.state)}</small>" if self.state else ""
        first = _side_link(self.first, competitors, has_flag=has_flags)
        if self.first.colour:
            word = escape(self.first.colour_word)
            # A non-breaking space only: the colour stays on the line of the name.
            first += f'&nbsp;<span\nclass="colour" role="img" aria-label="{word}">{self.first.colour}</span>'
        beside = f'<td role="cell" class="boards">\n{self.boards_html}\n</td>\n' if has_boards else ""
        opponent = _side_link(second, competitors, has_flag=has_flags) if second else ""
        head = f'<th scope="row" role="rowheader">{named}{self.table}{end}</th>\n' if has_table else ""
        return (
            f'<tr role="row"{place}>\n{head}'
            f'<td role="cell" class="first">{first}</td>\n'
            f'<td role="cell" class="result">\n{link}{sides}{marks}{state}{end}\n</td>\n'
            f'<td role="cell" class="second">\n{opponent}\n</td>\n'
            f"{beside}</tr>"
        )


def _side_link(side: Side, competitors: str, *, has_flag: bool) -> str:
    return f'{side.flag if has_flag else ""}<a href="{competitors}{side.number}/">{escape(side.name)}</a>'


class SideResult(NamedTuple):
    """The score of a side of a pairing, or a running board's last move; `css` is the tint for that side."""

    text: str
    css: str

    @property
    def html(self) -> str:
        return f'<b class="{self.css}">{escape(self.text)}</b>'


def board_result(kind: str, own: int | None, theirs: int | None, moves: str = "") -> SideResult:
    if move := last_move(moves)[0]:
        return SideResult(move, "n move")
    text = side_texts(kind, own, theirs)[0]
    if kind == Kind.FORFEIT:
        return SideResult(text, "x")
    if own is None or theirs is None:
        return SideResult(text or "·", "n")
    return SideResult(text, TINT[(own > theirs) - (own < theirs)])


def board_results(event: Event, **of: object) -> dict[int, list[SideResult]]:
    """Return the first side's results on the boards of these games, by the key of the pairing; one query."""
    boards: dict[int, list[SideResult]] = defaultdict(list)
    games = public_games(event).filter(**of).annotate(**_running_moves("pairing__"))
    columns = "pairing", "kind", "first_score", "second_score", "running_moves"
    for pairing, *result in games.order_by("pairing", "board").values_list(*columns):
        boards[pairing].append(board_result(*result))
    return boards


def _running_moves(path: str = "") -> dict[str, Case]:
    running = {f"{path}round__state": Round.State.PUBLISHED, "kind": Kind.PENDING, "delayed": ""}
    return {"running_moves": Case(When(**running, then="moves"), default=Value(""), output_field=TextField())}


def by_name(lines: Iterable[PairingRow], *, players: bool) -> list[PairingRow]:
    """Return a line for each competitor with a pairing, by name; that competitor is the first side.

    `players`: the sides have White and Black.
    """
    each_side = []
    for line in lines:
        first, second = line.first, line.second
        if second is None:
            each_side.append(line)
            continue
        if players:
            signs = COLOURS[line.white]
            first, second = replace(first, colour=signs[0]), replace(second, colour=signs[1])
        each_side.append(replace(line, first=first, second=second))
        results = list(reversed(line.results)) if len(line.results) > 1 else line.results
        each_side.append(replace(line, first=second, second=first, results=results, boards=[]))
    return sorted(each_side, key=lambda line: (sort_key(line.first.name), line.first.number or 0))


def rows_of(
    event: Event, pairings: QuerySet[Any], boards: Mapping[int, list[SideResult]] | None = None
) -> list[PairingRow]:
    """Return these pairings as lines; three queries, and those of the standings. One without pairings."""
    found = pairings.select_related("first", "second", "round").defer("moves").annotate(**_running_moves())
    if not found:
        return []
    lines, remarks = list[PairingRow](), remarks_of(event)
    facts = {number: facts_in(event, number) for number in {each.round.number for each in found}}
    label = _("Match %(table)s") if event.is_team else _("Table %(table)s")
    for pairing in found:
        number = pairing.round.number
        results = facts[number]
        row = PairingRow(
            round=number,
            table=pairing.table,
            label=label % {"table": pairing.table},
            first=side_of(event, pairing.first),
            second=side_of(event, pairing.second) if pairing.second else None,
            results=list(_side_results(pairing, results)),
            remarks=remarks.of_pairing(number, pairing.table),
            boards=(boards or {}).get(pairing.pk, []),
            kind=pairing.kind,
            white="" if event.is_team or not pairing.second else white_side(event, pairing.colours),
            open_boards=results[pairing.first.number].open_boards if pairing.first.number in results else 0,
            delayed=pairing.get_delayed_display(),
            at=getattr(pairing, "recorded_at", None),
            last_move=last_move(pairing.running_moves)[0],
        )
        lines.append(row)
    return lines


def rows_of_all_rounds(event: Event) -> list[PairingRow]:
    """Return every pairing with an opponent, by start numbers.

    If the colours are unknown, the lower number is first. Three queries, and those of the standings.
    """
    pairings = public_pairings(event).filter(second__isnull=False)
    lines = []
    for line in rows_of(event, pairings.order_by("round__number")):
        first, second = _start_numbers(line)
        if line.white or line.second is None or first < second:
            lines.append(line)
        else:
            results = line.results[::-1]
            lines.append(replace(line, first=line.second, second=line.first, results=results))
    return sorted(lines, key=_start_numbers)


def _start_numbers(line: PairingRow) -> tuple[int, int]:
    return line.first.number or 0, (line.second and line.second.number) or 0


def _side_results(pairing: Pairing, results: dict[int, RoundResult]) -> Iterator[SideResult]:
    """Yield the score of each side; after a withdrawal, the one that the tables count."""
    texts = side_texts(pairing.kind, pairing.first_score, pairing.second_score, pairing.advantage)
    for side, text in zip((pairing.first, pairing.second), texts, strict=True):
        own = results.get(side.number) if side else None
        score_text = text or (
            sign(own) if own and own.kind in (RoundKind.FORFEIT, RoundKind.ANNULLED) else ""
        )
        if own and own.open_boards:
            score_text = fraction_text(own.score, 2)
        if score_text:
            yield SideResult(score_text, tint(own) if own else "n")
