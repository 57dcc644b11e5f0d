"""Pair a round by FIDE's Swiss rules with gacrux, or pair the rounds of a report again and compare them.

Only the process of an engine imports this (`__main__`): gacrux takes seconds and much memory, prints its own
output, and may fail in any way.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from typing import Any

from gacrux.gacruxexeptions import GacruxInputError, GacruxNoLegalPairing
from gacrux.pairingdutch import pairing_dutch
from gacrux.pairingfideteam import pairing_fideteam
from gacrux.trf2json import trf2json
from gacrux.version import version as gacrux_version

from tournaments.pairing.engine import (
    BAD_REPORT,
    NO_PAIRING,
    CheckedRound,
    EngineError,
    Method,
    PairingTask,
    Progress,
    ProposedPair,
)

COLOUR_MODELS = {Method.TEAM_A: "typea", Method.TEAM_B: "typeb", Method.TEAM: "nocolor"}

OF_A_PAIR = frozenset(f"QC{number}" for number in range(10, 22))
TEAMS_OF_A_PAIR = frozenset({"QC8", "QC9", "QC10"})
"""Criteria of a single pair, for players and for teams; the others are criteria of a bracket."""


def name_and_version() -> str:
    return f"gacrux {gacrux_version()['version']}"


def pair(task: PairingTask, tell: Progress) -> list[ProposedPair]:
    with _engines_faults(), redirect_stdout(StringIO()):
        tournament = _tournament(task)
        left_out = set(task.absent)
        for each in tournament["competitors"]:
            each["present"] = each["cid"] not in left_out
        engine = _engine(tournament, task, task.round, tell)
        pairs = _by_table(engine, engine.compute_pairing(checkonly=False))
    expected = {each["cid"] for each in tournament["competitors"]} - left_out
    paired = {number for each in pairs for number in each.numbers}
    if paired != expected:
        who = ", ".join(map(str, sorted(map(task.start_number, paired ^ expected))))
        raise EngineError(BAD_REPORT, f"the pairing differs from the request: {who}")
    return pairs


def check(task: PairingTask, tell: Progress) -> Iterator[CheckedRound]:
    """Pair each round up to `task.round` again and yield the comparison.

    Absences are those of the report, as in the list of pairings. Raise EngineError if the report is refused.
    """
    with _engines_faults(), redirect_stdout(StringIO()):
        tournament = _tournament(task)
    for number in range(1, task.round + 1):
        try:
            with _engines_faults(), redirect_stdout(StringIO()):
                found = _checked(tournament, task, number)
        except EngineError as fault:
            found = CheckedRound(number, problem=fault.reason)
        tell(number, task.round)
        yield found


@contextmanager
def _engines_faults() -> Iterator[None]:
    """Convert gacrux's errors about a tournament to EngineError; defects are raised unchanged."""
    try:
        yield
    except GacruxNoLegalPairing as fault:
        raise EngineError(NO_PAIRING, str(fault)) from fault
    except GacruxInputError as fault:
        raise EngineError(BAD_REPORT, str(fault)) from fault


def _tournament(task: PairingTask) -> dict[str, Any]:
    reader = trf2json()
    reader.parse_file(task.report.replace("\r\n", "\n"), 0)
    status = reader.chessjson["status"]
    if status["code"] > 0:
        raise EngineError(BAD_REPORT, "; ".join(map(str, status["error"])))
    tournament: dict[str, Any] = reader.get_tournament(1)
    tournament["maxMeets"] = 1
    method = Method(task.method)
    if method.is_team:
        # The order of the two scores is a setting of the event.
        scores = "gp+mp" if task.game_scores else "mp+gp"
        tournament["pairingSystem"] = ["fideteam", COLOUR_MODELS[method], scores]
        first, second = ("game", "match") if task.game_scores else ("match", "game")
        tournament["scoreSystem"].update({"primary": first, "secondary": second})
    else:
        tournament["pairingSystem"] = ["dutch"]
    return tournament


def _engine(tournament: dict[str, Any], task: PairingTask, number: int, tell: Progress | None = None) -> Any:
    """Return a gacrux engine for a round, which reports each bracket that it has paired."""
    base: Any = pairing_fideteam if Method(task.method).is_team else pairing_dutch

    class Telling(base):  # type: ignore[misc]  # published without types
        """The engine with a report of the brackets that are paired."""

        def pair_bracket(self, scorelevel: int, *args: Any, **kwargs: Any) -> Any:
            paired = super().pair_bracket(scorelevel, *args, **kwargs)
            if tell:
                tell(self.levels - scorelevel, self.levels)
            return paired

    return Telling(tournament, number, {"experimental": [], "verbose": 0, "top_color": task.colour})


def _checked(tournament: dict[str, Any], task: PairingTask, number: int) -> CheckedRound:
    checking_engine = _engine(tournament, task, number)
    paired = checking_engine.compute_pairing(checkonly=True)
    actual = _by_table(checking_engine, paired)
    engine = _engine(tournament, task, number)
    prescribed = engine.compute_pairing(checkonly=False)
    proposed = _by_table(engine, prescribed)
    was, now = ({each.numbers: each for each in some} for some in (actual, proposed))
    if was.keys() == now.keys():
        return CheckedRound(number)
    # In the engine's order of tables: lower tables are sorted by score in both lists.
    first = next((each for each in proposed if each.numbers not in was), proposed[0] if proposed else None)
    theirs = next((each for each in actual if first and set(each.numbers) & set(first.numbers)), None)
    return CheckedRound(number, theirs, first, _criterion(engine, paired, prescribed))


def _criterion(engine: Any, paired: Sequence[Any], prescribed: Sequence[Any]) -> str:
    """Return the first criterion that is better in the first bracket that differs; else blank.

    If the brackets are equal in all criteria, the order of FIDE's procedure or the colours decide.
    """
    names = [each.name for each in engine.qdefs_enum() if each.value < engine.crosstable.maxquality()]
    by_level = {each["scorelevel"]: each for each in paired if each}
    for bracket in prescribed:
        other = by_level.get(bracket["scorelevel"])
        if other is None or _seats(bracket) == _seats(other):
            continue
        for name in names:
            theirs, best = (each["quality"].get(name) for each in (other, bracket))
            if theirs != best and theirs is not None and best is not None and name != "QMM":
                return _criterion_name(name)
        both = ({frozenset(pair) for pair in _seats(each)} for each in (bracket, other))
        return "" if next(both) == next(both) else "order"
    return ""


def _seats(bracket: Mapping[str, Any]) -> set[tuple[int, int]]:
    return {(each["w"], each["b"]) for each in bracket["pairs"]}


def _by_table(engine: Any, brackets: Sequence[Any]) -> list[ProposedPair]:
    scores = engine.crosstable.level2score
    found = [
        (each["board"], _proposed(engine, each, scores))
        for bracket in brackets
        if bracket
        for each in bracket.get("pairs", ())
    ]
    return [pair for _table, pair in sorted(found, key=lambda each: each[0])]


def _proposed(engine: Any, edge: Mapping[str, Any], scores: Sequence[Any]) -> ProposedPair:
    white, black = edge["w"], edge["b"]
    if not (white and black):
        return ProposedPair(white or black, None, rule="bye")
    competitors = engine.competitors
    ours = {number: competitors[number]["scorelevel"] for number in (white, black)}
    low, high = min(ours.values()), max(ours.values())
    floats = {str(number): "down" if of == high else "up" for number, of in ours.items() if low != high}
    quality = edge.get("quality") or {}
    spoken = TEAMS_OF_A_PAIR if isinstance(engine, pairing_fideteam) else OF_A_PAIR
    unmet = [
        _criterion_name(name)
        for name, value in quality.items()
        if name in spoken and (any(value) if isinstance(value, list) else value)
    ]
    return ProposedPair(white, black, int(2 * scores[max(ours.values())]), floats, edge["colorrule"], unmet)


def _criterion_name(name: str) -> str:
    """Return FIDE's name for gacrux's name, C12 for QC12; `order` for the steps of the procedure."""
    return name.removeprefix("Q") if name.startswith("QC") else "C8" if name == "QN8" else "order"
