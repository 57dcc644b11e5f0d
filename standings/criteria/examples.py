"""Small example tournaments for explanations of criteria: drawn as text, ranked, and shown as tables."""

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from standings.criteria import published
from standings.engine import (
    CHESS,
    DRAUGHTS,
    SYSTEMS,
    Crosstable,
    RankingSystem,
    Scale,
    Scoring,
    Standings,
    fraction_text,
    get_criterion,
    rank,
    read_crosstable,
)
from standings.tables.cells import LETTER, CrosstableRound, rounds_of_competitor, sign, tint

MANY_ROUNDS = 5
BOARD = re.compile(r"([a-z])(\d*)")
"""A board in a drawing: the result, and the number of games."""


@dataclass(frozen=True)
class TableCell:
    """A round of a competitor. `css`: the class of the cell."""

    text: str
    css: str


@dataclass(frozen=True)
class TableRow:
    name: str
    rating: str
    cells: list[TableCell]
    total: str


@dataclass(frozen=True)
class Tournament:
    """A tournament drawn as text. `first`: the criterion before the explained one."""

    code: str
    name: str | Promise
    about: str | Promise
    drawn: str
    system: RankingSystem
    first: str = "total-score"
    scoring: Scoring = DRAUGHTS
    known: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def table(self) -> Crosstable:
        return read_crosstable(self.drawn, scoring=self.scoring, **self.known)

    @cached_property
    def micro_matches(self) -> bool:
        return int(self.table.games.max()) > 1

    @property
    def is_wide(self) -> bool:
        """Return whether its table needs the full page width: matches with boards in many rounds."""
        return bool(self.boards) and self.table.rounds > MANY_ROUNDS

    @property
    def has_colours(self) -> bool:
        """Return whether the drawing has colours. Colours of boards follow from the first board."""
        return not self.boards and ("w:" in self.drawn)

    @cached_property
    def boards(self) -> dict[tuple[int, int], str]:
        """Return the boards of each match as text by (row, round): `+×2 1+ =`."""
        # Read from the drawing, because arrays contain only counts of results and not their order.
        drawn = (line.split()[2:] for line in self.drawn.splitlines() if line.strip())
        return {
            (row, number): " ".join(
                BOARD_SIGNS[sign] + (f"×{games}" if games else "") for sign, games in BOARD.findall(signs)
            )
            for row, cells in enumerate(drawn)
            for number, cell in enumerate(cells, start=1)
            if (signs := cell.partition("/")[2])
        }

    @property
    def rows(self) -> list[TableRow]:
        lines, table = [], self.table
        for row, name in enumerate(table.names):
            rating = int(table.rating[row])
            rating_text = f"{rating}{'a' * bool(table.rating_a[row])}" if rating else ""
            cells = [_table_cell(self, row, each) for each in rounds_of_competitor(table, row)]
            total = fraction_text(int(table.totals()[row]), 2)
            lines.append(TableRow(name, rating_text, cells, total))
        return lines

    @property
    def rated(self) -> bool:
        return bool(self.table.rating.any())

    @property
    def rounds(self) -> range:
        return range(1, self.table.rounds + 1)

    def judged_by(self, code: str) -> Standings:
        criteria = (code,) if code == self.first else (self.first, code)
        return rank(self.table, self.system.ordered_by(criteria))


SWISS = Tournament(
    "swiss",
    gettext_lazy("Six players, four rounds"),
    gettext_lazy("A Swiss in draughts: 2 points for a win, 1 for a draw. 1+ is a draw with advantage."),
    """
    1 A  2300a           5:1+-1-  3:2-0    2:0-2  bye
    2 B  2250a           6:0-2    4:2-0    1:2-0  3:0-2
    3 C  2200b manual=1  4:1--1+  1:0-2    6:1-1  2:2-0
    4 D  2150a           3:1+-1-  2:0-2    5:0-2  6:2-0
    5 E  2100a           1:1--1+  6:1--1+  4:2-0  –
    6 F                  2:2-0    5:1+-1-  3:1-1  4:0-2
    """,
    SYSTEMS["fmjd-swiss"],
)
ROUND_ROBIN = Tournament(
    "round-robin",
    gettext_lazy("Five players, round robin"),
    gettext_lazy("A round robin in draughts: 2 points for a win, 1 for a draw, 0 for a rest day."),
    """
    1 V  2:2-0  3:1-1  4:2-0  5:1-1  bye=0
    2 W  1:0-2  5:2-0  bye=0  4:0-2  3:1-1
    3 P  4:1-1  1:1-1  5:2-0  bye=0  2:1-1
    4 Q  3:1-1  bye=0  1:0-2  2:2-0  5:2-0
    5 Z  bye=0  2:0-2  3:0-2  1:1-1  4:0-2
    """,
    SYSTEMS["manual-round-robin"],
    known={"games_each": 4},
)
MICRO_MATCHES = Tournament(
    "micro-matches",
    gettext_lazy("Four players, micro-matches"),
    gettext_lazy(
        "Super-blitz: a micro-match ends with the first game won and scores 5-0. ×3 took three games."
    ),
    """
    1 K  2:5-0x1  4:5-0x3  3:0-5x2
    2 L  1:0-5x1  3:5-0x3  4:5-0x2
    3 M  4:0-5x1  2:0-5x3  1:5-0x2
    4 N  3:5-0x1  1:0-5x3  2:0-5x2
    """,
    SYSTEMS["manual-round-robin"],
    first="wins",
    scoring=Scoring(game_win=10),
)
TEAMS = Tournament(
    "teams",
    gettext_lazy("Five teams, four rounds"),
    gettext_lazy(
        "Matches on four boards: 2 match points for a match won, 1 for a drawn one. No round was played in"
        " full."
    ),
    """
    1 A  2400  2:+    3:2½-1½  4:1-3  5:3-1
    2 B  2350  1:-    5:1-3    3:4-0  4:1½-2½
    3 C  2300  4:3-1  1:1½-2½  2:0-4  –
    4 D  2250  3:1-3  bye      1:3-1  2:2½-1½
    5 E        bye    2:3-1    ½bye   1:1-3
    """,
    SYSTEMS["olympiad-2008"],
    first="match-points",
    scoring=Scoring(game_win=CHESS.game_win, boards=4),
    known={"primary": Scale.MATCH},
)
BOARDS = Tournament(
    "boards",
    gettext_lazy("Three teams, board by board"),
    gettext_lazy(
        "Draughts on three boards: 2 points for a game won, 1 for a draw. The points of a match are "
        "followed by its boards: + won, = drawn, − lost, ×2 a micro-match of two games."
    ),
    """
    1 A  2:4-2/w2pd  3:3-3/wlp  –
    2 B  1:2-4/l2md  –          3:+
    3 C  –           1:3-3/lwm  2:-
    """,
    SYSTEMS["league"],
    first="match-points",
    scoring=Scoring(game_win=DRAUGHTS.game_win, boards=3),
    known={"primary": Scale.MATCH},
)
CHESS_SWISS = Tournament(
    "chess-swiss",
    gettext_lazy("Sixteen players, five rounds"),
    gettext_lazy(
        "The Swiss tournament of FIDE's own exercises in tie-breaking (M. Held, Technical Commission, "
        "2024), with byes, forfeits and a withdrawal. A win is 1 point, a draw ½; w is White, b Black."
    ),
    published.FIDE_SWISS,
    SYSTEMS["fide-swiss"],
    first="PTS",
    scoring=CHESS,
    known={"unrated": 0},
)
CHESS_ROUND_ROBIN = Tournament(
    "chess-round-robin",
    gettext_lazy("Six players, chess round robin"),
    gettext_lazy(
        "The round robin of FIDE's own exercises in tie-breaking (M. Held, Technical Commission, 2024), with"
        " one forfeit. A win is 1 point, a draw ½; w is White, b Black."
    ),
    published.FIDE_ROUND_ROBIN,
    SYSTEMS["fide-round-robin"],
    first="PTS",
    scoring=CHESS,
    known={"games_each": 5},
)
CHESS_TEAMS = Tournament(
    "chess-teams",
    gettext_lazy("Fourteen teams, seven rounds"),
    gettext_lazy(
        "The teams of FIDE's own exercises in tie-breaking (M. Held, Technical Commission, 2024), on four "
        "boards: 2 match points for a match won, 1 for a drawn one. The points of a match are followed by "
        "its boards: + won, = drawn, − lost."
    ),
    published.FIDE_TEAMS,
    SYSTEMS["fide-team-swiss"],
    first="MPTS",
    scoring=Scoring(game_win=CHESS.game_win, boards=4),
    known={"primary": Scale.MATCH},
)
POTSDAM = Tournament(
    "potsdam",
    gettext_lazy("A real open: Potsdam 2025"),
    gettext_lazy(
        "Seven rounds in September 2025, with late entries and withdrawals. Published by Sharly Chess on "
        "GitHub, as on chess-results.com. A win is 1 point, a draw ½; w is White, b Black."
    ),
    published.POTSDAM,
    SYSTEMS["fide-swiss"],
    first="PTS",
    scoring=CHESS,
    known={"unrated": 0},
)
TOURNAMENTS = (
    *(SWISS, ROUND_ROBIN, MICRO_MATCHES, TEAMS, BOARDS),
    *(CHESS_SWISS, CHESS_ROUND_ROBIN, CHESS_TEAMS),
)
BOARD_SIGNS = {"w": "+", "d": "=", "l": "−", "p": "1+", "m": "1-", "o": "−"}

EXAMPLES_BY_CODE = {
    "total-score": (SWISS, "A"),
    "match-points": (TEAMS, "D"),
    "wins@game": (BOARDS, "A"),
    "game-points": (TEAMS, "A"),
    "won-lost-ratio": (ROUND_ROBIN, "Q"),
    "progress": (SWISS, "A"),
    "plus-minus-draws": (SWISS, "E"),
    "plus-draws": (SWISS, "A"),
    "manual": (SWISS, "C"),
    "sonneborn-berger": (SWISS, "C"),
    "koya": (ROUND_ROBIN, "V"),
    "dsb": (TEAMS, "C"),
    "dsmp": (TEAMS, "C"),
    "direct-encounter": (ROUND_ROBIN, "P"),
    "best-opponents": (ROUND_ROBIN, "P"),
    "faster-wins": (MICRO_MATCHES, "K"),
    "slower-losses": (MICRO_MATCHES, "N"),
    "DE": (CHESS_ROUND_ROBIN, "Alyx"),
    "EDE": (CHESS_TEAMS, "Antelopes"),
    "EDEBT": (CHESS_TEAMS, "Koalas"),
    "EDEBB": (CHESS_TEAMS, "Koalas"),
    "EDET": (CHESS_TEAMS, "Koalas"),
    "EDEB": (CHESS_TEAMS, "Koalas"),
    "WIN": (CHESS_SWISS, "Maria"),
    "WON": (CHESS_SWISS, "Maria"),
    "REP": (CHESS_SWISS, "Jessica"),
    "GE": (CHESS_SWISS, "Jessica"),
    "KS": (CHESS_SWISS, "Opal"),
    "BH/P": (CHESS_SWISS, "Jessica"),
    "SB/P": (CHESS_SWISS, "Jessica"),
}
"""The tournament and the competitor that show a criterion. Default: B in the Swiss.

FIDE's criteria: David in the chess Swiss, or the Narwhals if the criterion is only for teams.
"""


def example_for(code: str) -> tuple[Tournament, int]:
    criterion = get_criterion(code)
    tournament, name = SWISS, "B"
    if criterion.is_fide:
        # A code with a score is for teams, even if the plain criterion is for players.
        of_teams = criterion.teams or criterion.scale
        tournament, name = (CHESS_TEAMS, "Narwhals") if of_teams else (CHESS_SWISS, "David")
    if not (criterion.is_fide and criterion.scale):
        tournament, name = EXAMPLES_BY_CODE.get(
            code, EXAMPLES_BY_CODE.get(criterion.plain_code, (tournament, name))
        )
    return tournament, tournament.table.names.index(name)


Case = tuple[str | Promise, str, int]

UNPLAYED: tuple[Case, ...] = (
    (gettext_lazy("a bye"), "D", 2),
    (gettext_lazy("won by forfeit"), "A", 1),
    (gettext_lazy("lost by forfeit"), "B", 1),
    (gettext_lazy("a requested half-point bye"), "E", 3),
    (gettext_lazy("absent"), "C", 4),
)
"""The kinds of unplayed rounds with an example: (description, team, round)."""
UNPLAYED_BY_OPPONENT: Case = (gettext_lazy("an opponent with a bye"), "C", 1)
"""A played round whose value may depend on the opponent's unplayed rounds."""


def _table_cell(tournament: Tournament, row: int, competitor_round: CrosstableRound) -> TableCell:
    result, table = competitor_round.result, tournament.table
    if competitor_round.opponent < 0:
        return TableCell(sign(result), tint(result))
    games = int(table.games[row, competitor_round.round - 1])
    times = f" ×{games}" if tournament.micro_matches else ""
    boards = tournament.boards.get((row, competitor_round.round), "")
    colour = LETTER[result.colour] if tournament.has_colours else ""
    shown = f"{colour}{sign(result)}{times}" + (f" ({boards})" if boards else "")
    return TableCell(f"{table.names[competitor_round.opponent]} {shown}", tint(result))
