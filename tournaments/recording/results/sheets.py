"""The lines of a results screen, and pasted blocks of results."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from uuid import uuid4

from django.utils.translation import gettext as _

from tournaments.event.choices import Kind, PairingSide
from tournaments.event.resultcodes import ResultError, recorded_text, text_in
from tournaments.models import Competitor, Event, Game, Pairing, Player, Round
from tournaments.models.pairing import decided_by_withdrawal
from tournaments.recording.refusal import PastedLine, PastedList
from tournaments.recording.results.storing import SubmittedResult, read_typed, unrecorded_board, with_games

_LABELLED = re.compile(r"\s*+(\d++(?:\.\d++)?)(?:\s*+;|[^\S\t]*+\t)\s*+(.*)")


@dataclass(frozen=True, slots=True)
class ResultLine:
    """One line of a results screen.

    `board`: None for individual games, byes and absences, and the total of a match without boards.
    `label`: the table, or `3.2` for board 2 of table 3. `version`: sent back as `seen`. `first` and `second`:
    players or competitors, blank if unnamed. `game`: the stored board, or None.
    """

    pairing: Pairing
    board: int | None
    label: str
    first: str
    second: str
    white: str
    kind: str
    text: str
    version: int
    delayed: str = ""
    games_played: int | None = None
    game: Game | None = None

    @property
    def typed(self) -> str:
        """Return the result as a user would type it, with the games of a micro-match: `2-0 g3`."""
        return with_games(self.text or self.delayed, self.games_played)

    @property
    def is_missing(self) -> bool:
        return self.is_open and not self.delayed

    @property
    def is_open(self) -> bool:
        return self.kind == Kind.PENDING

    @property
    def is_off(self) -> bool:
        return self.pairing.second_id is None


def result_lines(round_: Round, *, totals: bool = False) -> list[ResultLine]:
    """Return the lines of a round by table and board. At most three queries.

    Pairings that a withdrawal from a round robin decides have no line, because they need no result.
    A match has a line for every board, including boards without players. A match with a typed total has a
    line for the total; with `totals`, every match without board results has one.
    """
    pairings = round_.pairings.select_related("first", "second").order_by("table")
    pairings = pairings.exclude(decided_by_withdrawal())
    event = round_.event
    if not event.is_team:
        return [_result_line(event, each) for each in pairings]
    # A single query for all boards: a league round has about forty.
    games = Game.objects.select_related("first_player", "second_player").order_by("board")
    by_pairing: dict[int, dict[int, Game]] = {}
    for game in games.filter(pairing__in=list(pairings)):
        by_pairing.setdefault(game.pairing_id, {})[game.board] = game
    return [
        line
        for each in pairings
        for line in _match_lines(event, each, by_pairing.get(each.pk, {}), totals=totals)
    ]


def _match_lines(
    event: Event, pairing: Pairing, games: dict[int, Game], *, totals: bool
) -> Iterator[ResultLine]:
    is_wanted = totals or pairing.kind != Kind.PENDING or pairing.delayed
    is_total = is_wanted and all(game.kind == Kind.PENDING and not game.delayed for game in games.values())
    if pairing.second_id is None or is_total:
        yield _result_line(event, pairing)
        return
    # Boards beyond the number of the event came from a file and are listed so that they can be cleared.
    for board in sorted({*range(1, (event.boards or 0) + 1), *games}):
        yield _result_line(event, pairing, board, games.get(board))


def _result_line(
    event: Event, pairing: Pairing, board: int | None = None, game: Game | None = None
) -> ResultLine:
    row: Pairing | Game = pairing
    sides: tuple[Competitor | Player | None, ...] = (pairing.first, pairing.second)
    label, white = str(pairing.table), PairingSide.FIRST.value if pairing.second else ""
    if board is not None:
        row = game or unrecorded_board(pairing, board)
        sides = (row.first_player, row.second_player)
        label, white = f"{label}.{board}", row.white
    first, second = (side.name if side else "" for side in sides)
    return ResultLine(
        pairing,
        board,
        label,
        first,
        second,
        white,
        row.kind,
        recorded_text(event, row),
        row.version,
        row.delayed,
        row.games_played,
        game,
    )


# --- pasted block -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PastedResult(PastedLine):
    """One pasted line. `row`: the line of the screen that it is for."""

    row: ResultLine | None = None
    result: str = ""

    @property
    def words(self) -> str:
        if self.fault or self.row is None:
            return _("Line %(number)s, “%(text)s”: %(fault)s") % {
                "number": self.line, "text": self.text, "fault": self.fault,
            }  # fmt: skip
        values = {
            "label": self.row.label,
            "first": self.row.first or self.row.pairing.first.name,
            "second": self.row.second or (self.row.pairing.second.name if self.row.pairing.second else ""),
            "result": self.result or _("no result"),
            "was": self.row.text,
        }
        if self.row.is_off:
            return _("%(label)s: %(first)s, %(result)s") % values
        if self.row.text and self.row.text != self.result:
            return _("%(label)s: %(first)s against %(second)s, %(result)s instead of %(was)s") % values
        return _("%(label)s: %(first)s against %(second)s, %(result)s") % values


class PastedResults(PastedList[PastedResult]):
    @property
    def entries(self) -> list[SubmittedResult]:
        """Return the entries for `enter_together`, with new ids and versions. Empty if there are faults."""
        if self.faults:
            return []
        return [
            # A pasted block has no client that creates ids. If it is sent twice, the versions refuse it.
            SubmittedResult(uuid4(), each.row.pairing.pk, each.row.board, each.text, each.row.version)
            for each in self.lines
            if each.row
        ]


def read_block(round_: Round, text: str, *, totals: bool = False) -> PastedResults:
    """Parse a pasted block for the lines of `result_lines`. At most three queries.

    `1-0` is for the next line with an opponent, `7;1-0` for the line labelled 7.
    """
    lines = result_lines(round_, totals=totals)
    return PastedResults(tuple(_read_results(round_.event, lines, text)))


def _read_results(event: Event, lines: Sequence[ResultLine], text: str) -> Iterator[PastedResult]:
    by_label = {line.label: at for at, line in enumerate(lines)}
    following, taken = 0, set[int]()
    for number, written in enumerate(text.splitlines(), start=1):
        if not written.strip():
            continue
        found = _LABELLED.fullmatch(written)
        label, result = (found[1], found[2].strip()) if found else ("", written.strip())
        with_opponent = (each for each in range(following, len(lines)) if not lines[each].is_off)
        at = by_label.get(label, -1) if label else next(with_opponent, -1)
        yield _pasted_result(event, lines, at, taken, PastedResult(number, result), label)
        # After a labelled line the block continues below that line, as in a list.
        following = at + 1 if at >= 0 else following
        taken.add(at)


def _pasted_result(
    event: Event, lines: Sequence[ResultLine], at: int, taken: set[int], pasted: PastedResult, label: str
) -> PastedResult:
    if at < 0:
        missing = _("There is no line %(label)s here.") if label else _("There are more results than lines.")
        return replace(pasted, fault=missing % {"label": label})
    row = lines[at]
    if at in taken:
        fault = _("%(label)s has a result above already.") % {"label": row.label}
        return replace(pasted, row=row, fault=fault)
    try:
        result = read_typed(event, row.pairing, row.board, row.white, pasted.text)
    except ResultError as invalid:
        return replace(pasted, row=row, fault=str(invalid))
    is_match = event.is_team and row.board is None
    text = text_in(event, result, of_match=is_match) or result.delayed
    return replace(pasted, row=row, result=text)
