"""Compare random tournaments with all kinds of unplayed rounds between gacrux and our engine.

Both read the reports that we write, without the comments for data that the format lacks.
"""

from __future__ import annotations

import pickle
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from gacrux.tiebreak import tiebreak
from gacrux.trf2json import trf2json

from tools.agreement.ours import Ours, table_under
from tournaments.event.document import (
    CompetitorEntry,
    Document,
    EventEntry,
    GameEntry,
    PairingEntry,
    PlayerEntry,
    PointsAdjustment,
    RoundEntry,
)
from tournaments.interchange.formats.trf.cells import DECIDED, FULL_POINT, NOT_RATED
from tournaments.interchange.formats.trf.reading import read_report
from tournaments.interchange.formats.trf.writing import write_report

STARTS = {"fide-2024": "2025-05-01", "fide-2026": "2026-05-01"}
"""A start date for each edition that gacrux knows, because it selects the edition by date."""

RATED = ("ARO", "ARO/C1", "ARO/M1", "TPR", "PTP", "APRO", "APPO", "RTNG")
PLAYERS = (
    "PTS", "WIN", "WON", "BPG", "BWG", "REP", "STD", "TPN", "PS", "PS/C1", "PS/C2", "BH", "BH/C1", "BH/C2",
    "BH/M1", "BH/M2", "BH/P", "BH/C1/P", "AOB", "SB", "SB/C1", "SB/C2", "SB/P", "SB/C1/P", "KS", "KS/L60",
    "KS/L+1", "KS/L-1", *RATED, "VUR", "NUM", "ABH",
)  # fmt: skip
TEAMS = (
    "MPTS", "GPTS", "MPvGP", "WIN:MP", "WON:MP", "PS:MP", "PS:GP", "BH:MP", "BH:MP/C1", "BH:MP/P", "BH:GP",
    "BH:GP/C1", "AOB:MP", "SB:MP", "SB:GP", "KS:MP", "EMMSB", "EMMSB/C1", "EMMSB/P", "EMGSB", "EMGSB/C1",
    "EGMSB", "EGMSB/C1", "EGGSB", "EGGSB/C1", "SSSC", "SSSC/K4", "SSSC/P", "BC",
)  # fmt: skip
ALONE = {
    "players": ("FB", "FB/C1", "AOB/F"),
    "teams": ("FB:MP", "FB:MP/C1", "FB:GP", "SSSC/F"),
}
"""Codes that are requested separately: gacrux applies Fore Buchholz to later criteria too."""

IN_ORDER = {
    "players": (("PTS", "DE"), ("PTS", "DE/P")),
    "teams": (
        ("MPTS", "EDE"), ("MPTS", "EDE/P"), ("MPTS", "EDET"), ("MPTS", "EDEBB"),
        ("MPTS", "GPTS", "TBR"), ("MPTS", "GPTS", "BBE"),
    ),
}  # fmt: skip
"""Lists whose last criterion only considers competitors who are still tied."""


# --- random tournaments -----------------------------------------------------------------------------------


class Lot:
    """A random tournament, determined by its number."""

    def __init__(self, number: int) -> None:
        self._dice = random.Random(number)
        self.is_team = number % 4 == 3
        self.is_round_robin = number % 8 in {5, 7}
        self.boards = self._dice.randint(2, 4)
        self.size = self._dice.randint(4, 8 if self.is_team or self.is_round_robin else 13)
        self.rounds = self._rounds_of_all() if self.is_round_robin else self._dice.randint(3, 7)
        self._number = number
        self._left = {each: self._dice.randint(1, self.rounds) for each in self._some(0.1)}
        self._late = {each: self._dice.randint(1, self.rounds) for each in self._some(0.1)}
        self._whites: Counter[int] = Counter()
        self._unrated = self._some(self._dice.choice((0, 0, 0.2)))
        # Teams have other match points, because SSSC divides by 0 if boards give more than matches.
        self._win, self._draw = (
            (2, 1) if self.is_team else self._dice.choice(((2, 1), (2, 1), (2, 1), (6, 2)))
        )
        self._match_win = self._dice.choice((4, 4, 6))
        self._bonus = self._some(self._dice.choice((0, 0, 0, 0.1)))

    def document(self) -> Document:
        competitors = tuple(self._competitor(number) for number in self._numbers())
        rounds = tuple(self._round(number) for number in range(1, self.rounds + 1))
        return Document(self._event(), competitors, rounds)

    def _numbers(self) -> range:
        return range(1, self.size + 1)

    def _some(self, share: float) -> set[int]:
        return {each for each in self._numbers() if self._dice.random() < share}

    def _rounds_of_all(self) -> int:
        return self.size - 1 + self.size % 2

    def _event(self) -> EventEntry:
        return EventEntry(
            slug="drawn",
            name=f"Drawn {self._number}",
            discipline="chess",
            entrants="teams" if self.is_team else "players",
            schedule="round-robin" if self.is_round_robin else "swiss",
            planned_rounds=self.rounds,
            boards=self.boards if self.is_team else None,
            game_win=self._win,
            game_draw=self._draw,
            game_loss=0,
            match_win=self._match_win,
            primary="match" if self.is_team else "",
            system="fide-team-swiss" if self.is_team else "fide-swiss",
        )

    def _competitor(self, number: int) -> CompetitorEntry:
        rating = None if number in self._unrated else self._dice.randint(1000, 2800)
        given = tuple(self._adjustments()) if number in self._bonus else ()
        if not self.is_team:
            return CompetitorEntry(number=number, name=f"Player {number}", rating=rating, adjustments=given)
        players = self._members(number)
        return CompetitorEntry(number=number, name=f"Team {number}", players=players, adjustments=given)

    def _adjustments(self) -> Iterator[PointsAdjustment]:
        """Yield bonuses and penalties, for teams in one score or both."""
        match, game = self._dice.choice(((2, 0), (0, 2), (-2, -2)) if self.is_team else ((0, 1), (0, -1)))
        yield {
            "round": self._dice.randint(1, self.rounds),
            "game": game,
            "match": match,
            "final": False,
            "reason": "",
        }

    def _members(self, number: int) -> tuple[PlayerEntry, ...]:
        return tuple(
            PlayerEntry(name=f"Player {number}-{board}", board=board, rating=2500 - 10 * number - board)
            for board in range(1, self.boards + 2)
        )

    # --- rounds ---

    def _round(self, number: int) -> RoundEntry:
        pairs, alone = self._paired_as_scheduled(number) if self.is_round_robin else self._paired(number)
        pairings = [self._match(*pair) for pair in pairs] + [
            PairingEntry(table=1, first=each, **told) for each, told in alone
        ]
        return RoundEntry(
            number=number,
            pairings=tuple(replace(each, table=table) for table, each in enumerate(pairings, start=1)),
        )

    def _paired_as_scheduled(
        self, number: int
    ) -> tuple[list[tuple[int, int]], list[tuple[int, dict[str, Any]]]]:
        """Return the pairs of a round of a round robin by the circle method; an odd competitor is free."""
        even = self.size + self.size % 2
        turned = [(at + number - 1) % (even - 1) + 1 for at in range(even - 1)]
        pairs = [(turned[0], even)] + [(turned[at], turned[-at]) for at in range(1, even // 2)]
        return [self._seated(pair) for pair in pairs if max(pair) <= self.size], []

    def _paired(self, number: int) -> tuple[list[tuple[int, int]], list[tuple[int, dict[str, Any]]]]:
        alone, there = [], []
        for each in self._numbers():
            gone = self._left.get(each, self.rounds) < number or self._late.get(each, 1) > number
            if gone:
                alone += [(each, zero_bye())] if self._dice.random() < 0.7 else []
            elif self._dice.random() < 0.12:
                alone.append((each, self._asked()))
            else:
                there.append(each)
        self._dice.shuffle(there)
        if len(there) % 2:
            alone.append((there.pop(), self._bye("bye")))
        return [self._seated(there[at : at + 2]) for at in range(0, len(there), 2)], alone

    def _seated(self, pair: Sequence[int]) -> tuple[int, int]:
        first, second = sorted(pair, key=lambda each: (self._whites[each], self._dice.random()))
        self._whites[first] += 1
        return first, second

    def _asked(self) -> dict[str, Any]:
        kind = self._dice.choice(("half", "half", "zero", "full"))
        if kind == "full":
            return self._bye("bye") | {"note": FULL_POINT}
        return zero_bye() if kind == "zero" else self._bye("half-bye")

    def _bye(self, kind: str) -> dict[str, Any]:
        boards = self.boards if self.is_team else 1
        return {"kind": kind, "first_score": boards * (self._draw if kind == "half-bye" else self._win)}

    # --- pairings ---

    def _match(self, first: int, second: int) -> PairingEntry:
        if not self.is_team:
            return PairingEntry(table=1, first=first, second=second, **self._result(games=True))
        roll = self._dice.random()
        if roll < 0.1:
            return PairingEntry(table=1, first=first, second=second, **self._forfeited(self.boards))
        games = self._games(first, second)
        while is_only_by_forfeit(games):
            games = self._games(first, second)
        own, other = points_of(games)
        # A match without played boards may give less than all points. The team with more points still wins.
        match_points = [self._worth(*sides) for sides in ((own, other), (other, own))]
        return PairingEntry(
            table=1,
            first=first,
            second=second,
            first_score=own,
            second_score=other,
            first_match_points=match_points[0],
            second_match_points=match_points[1],
            games=games,
        )

    def _worth(self, own: int, other: int) -> int:
        """Return the match points of a team, in half-points. 0-0 is no draw."""
        return self._match_win if own > other else 2 * (own == other > 0)

    def _result(self, *, games: bool) -> dict[str, Any]:
        roll = self._dice.random()
        if games and roll < 0.02:
            return {"kind": "played", "first_score": 0, "second_score": 0, "note": DECIDED}
        if roll < 0.85:
            own, other = self._dice.choice(((self._win, 0), (self._draw, self._draw), (0, self._win)))
            note = {"note": NOT_RATED} if games and self._dice.random() < 0.05 else {}
            return {"kind": "played", "first_score": own, "second_score": other} | note
        return self._forfeited()

    def _forfeited(self, boards: int = 1) -> dict[str, Any]:
        own, other = self._dice.choice(((1, 0), (0, 1), (0, 0)))
        worth = self._win * boards
        return {"kind": "forfeit", "first_score": own * worth, "second_score": other * worth}

    def _games(self, first: int, second: int) -> tuple[GameEntry, ...]:
        """Return the boards of a match; a team with missing players leaves its last boards empty."""
        sides = [self._lineup(first), self._lineup(second)]
        # gacrux requires a line-up if both sides of a board are empty
        if sides[0][-1] is sides[1][-1] is None:
            sides[1] = [*self._members(second)[: self.boards]]
        games = []
        for board in range(1, self.boards + 1):
            own, other = (side[board - 1] for side in sides)
            told = self._result(games=False) if own and other else self._left_to(own is not None)
            white = "first" if board % 2 else "second"
            games.append(GameEntry(board=board, first_player=own, second_player=other, white=white, **told))
        return tuple(games)

    def _left_to(self, first: bool) -> dict[str, Any]:
        """Return a board with a player on one side only."""
        return {"kind": "forfeit", "first_score": self._win * first, "second_score": self._win * (not first)}

    def _lineup(self, number: int) -> list[PlayerEntry | None]:
        """Return the players by board, sometimes with a reserve or with an empty last board."""
        members: list[PlayerEntry | None] = [*self._members(number)]
        roll = self._dice.random()
        if roll < 0.2:
            return [*members[: self.boards - 1], None]
        if roll < 0.4:
            del members[self._dice.randrange(self.boards)]
        return members[: self.boards]


def is_only_by_forfeit(games: Sequence[GameEntry]) -> bool:
    """Return whether both teams have points and no board was played, which gacrux considers played."""
    return all(points_of(games)) and not any(each.kind == "played" for each in games)


def points_of(games: Sequence[GameEntry]) -> tuple[int, int]:
    return sum(each.first_score or 0 for each in games), sum(each.second_score or 0 for each in games)


def zero_bye() -> dict[str, Any]:
    return {"kind": "zero-bye", "first_score": 0}


# --- values -----------------------------------------------------------------------------------------------


class GaveUpError(Exception):
    """gacrux fails on a tournament that its own reader accepts."""


class Gacrux:
    """gacrux's values for a report."""

    def __init__(self, report: str, *, round_robin: bool) -> None:
        """Read the report. Raise ValueError if gacrux refuses it."""
        reader = trf2json()
        reader.parse_file(report, False)
        status = reader.chessjson["status"]
        if status["code"]:
            raise ValueError(f"gacrux refuses the report: {status}")
        tournament = reader.get_tournament(1)
        for match in tournament["matchList"]:
            match["games"] = [game for game in match["games"] if game]  # gacrux fails on empty boards
        self._tournament = pickle.dumps(tournament)
        self._kind = {"pre_determined": True} if round_robin else {"swiss": True}

    def values(self, codes: Sequence[str], unrated: str) -> Iterator[tuple[str, int, str | None]]:
        """Yield code, number and value for a list of criteria that gacrux ranks by. Raise GaveUpError."""
        tournament = pickle.loads(self._tournament)  # noqa: S301 - our own; a copy, because gacrux changes its input
        params = {"tiebreak": list(codes), "check": False, "unrated": unrated or None, **self._kind}
        try:
            found = tiebreak(tournament, LATEST, params).compute_tiebreaks(tournament, params)
        except KeyError as fault:
            raise GaveUpError from fault
        for each in found["competitors"]:
            for code, value in zip(codes, each["tiebreakScore"], strict=True):
                yield code, int(each["cid"]), None if value is None else str(value)


LATEST = -1  # the last planned round


class Found(NamedTuple):
    """A value that both engines have for a random tournament."""

    number: int
    edition: str
    code: str
    competitor: int
    ours: str | None
    theirs: str | None


def compared(number: int) -> Iterator[Found]:
    """Yield our value and gacrux's for each competitor and code of a tournament, under the same edition."""
    lot = Lot(number)
    edition = list(STARTS)[number // 8 % 2]
    drawn = lot.document()
    report = report_of(replace(drawn, event=replace(drawn.event, start=STARTS[edition])))
    document = read_report(report.encode(), "drawn").accepted
    if document is None or document.event.unplayed != edition:
        raise ValueError(f"Our reader refuses tournament {number}, or takes it for one of another edition.")
    theirs = Gacrux(report, round_robin=lot.is_round_robin)
    for codes, before, unrated in lists_of(lot):
        ours = Ours(table_under(document, edition, unrated), before)
        for code, competitor, value in theirs.values(codes, unrated):
            if not is_excused(code, document):
                name = f"{code}/U{unrated}" if unrated else code
                yield Found(number, edition, name, competitor, ours.value(code, competitor, value), value)


def report_of(document: Document) -> str:
    """Return the report in other programs' format: without our comments, for players with accelerations."""
    lines = [line for line in write_report(document).splitlines() if not line.startswith(COMMENT)]
    if not document.event.is_team:
        lines += ["XXA    1  1.0  1.0", "XXA    2  0.5"]  # points for the pairing only, which must not count
    return "\r\n".join([*lines, ""])


COMMENT = "###"


def lists_of(lot: Lot) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], str]]:
    """Yield lists for gacrux, the preceding criteria, and the rating of unrated players."""
    kind = "teams" if lot.is_team else "players"
    columns = TEAMS if lot.is_team else PLAYERS
    yield columns, columns[:1], ""
    for code in ALONE[kind]:
        yield (code,), columns[:1], ""
    for codes in IN_ORDER[kind]:
        yield codes, codes[:-1], ""
    if not lot.is_team:
        yield RATED, columns[:1], "1400"


ON_BOARDS = ("BC", "TBR", "BBE")


def is_excused(code: str, document: Document) -> bool:
    """Return whether this is a known error of gacrux (docs/fide.md)."""
    last = document.event.planned_rounds
    met = Counter(frozenset(each.numbers) for _, each in document.pairings())
    for number, each in document.pairings():
        if code == "EDE/P" and each.kind == "forfeit" and met[frozenset(each.numbers)] > 1:
            return True
        if code == "STD" and each.kind == "played" and each.first_score == each.second_score == 0:
            return True
        is_set = {game.kind for game in each.games} == {"forfeit"}
        if code in ON_BOARDS and is_set:
            return True
        if code == "FB:GP" and number == last and (is_set or each.kind == "forfeit"):
            return True
    return False


@dataclass
class Comparison:
    """Number of compared values, the differences, and the tournaments on which gacrux failed."""

    values: int = 0
    different: list[Found] = field(default_factory=list)
    given_up: list[int] = field(default_factory=list)

    def add(self, more: Comparison) -> None:
        self.values += more.values
        self.different += more.different
        self.given_up += more.given_up

    def __str__(self) -> str:
        given_up = f"; gacrux gave up {len(self.given_up)}, first {self.given_up[0]}" if self.given_up else ""
        return f"{self.values:,} values, {len(self.different):,} differ{given_up}"


CHUNK, TOLD = 20, 500
"""Tournaments per task of a process, and tournaments per line of progress."""


def compare_chunk(numbers: range) -> Comparison:
    comparison = Comparison()
    for number in numbers:
        try:
            found = list(compared(number))
        except GaveUpError:
            comparison.given_up.append(number)
        else:
            different = [each for each in found if each.ours != each.theirs]
            comparison.add(Comparison(len(found), different))
    return comparison


def compare_many(count: int) -> bool:
    together = Comparison()
    chunks = [range(at, min(at + CHUNK, count)) for at in range(0, count, CHUNK)]
    with ProcessPoolExecutor() as workers:
        for numbers, comparison in zip(chunks, workers.map(compare_chunk, chunks), strict=True):
            together.add(comparison)
            if numbers.stop % TOLD == 0:
                print(f"{numbers.stop:,} of {count:,}: {together}", file=sys.stderr, flush=True)
    first: dict[str, Found] = {}
    for each in together.different:
        first.setdefault(each.code, each)
    for code, times in Counter(each.code for each in together.different).most_common():
        print(f"{times:7,}  {code}, first {first[code]}")
    print(f"{count:,} tournaments drawn: {together}.")
    return not together.different
