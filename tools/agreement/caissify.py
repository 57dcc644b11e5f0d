"""A PAIRING_COMMAND with the engine of caissify-pairings, which follows FIDE's rules of 2026.

    PAIRING_COMMAND="PYTHON tools/agreement/caissify.py {report}"

PYTHON has the package caissify-pairings; this project does not depend on it. The reader of the package takes
each absence for a downfloat, as before 2026, so the players are described here.
"""

import sys
from pathlib import Path
from typing import Any

from caissify_pairings.engines.dutch import DutchEngine

POINTS = {"1": 2, "W": 2, "+": 2, "U": 2, "F": 2, "=": 1, "D": 1, "H": 1}
"""Half-points by the code of a result; all others are 0."""

PLAYED = frozenset("1=0WDL")
COLOURS = {"w": "white", "b": "black"}

Cell = tuple[int, str, str]
"""A round of a player: opponent or 0, colour, result."""


def cells_of(record: str) -> list[Cell]:
    parts = (record[at : at + 8].ljust(8) for at in range(91, len(record), 10))
    return [(int(each[:4].strip() or 0), each[5], each[7]) for each in parts]


def described(number: int, players: dict[int, list[Cell]], rounds: int) -> dict[str, Any]:
    """Return a player for the engine, with the history of so many rounds."""

    def score(of: int, before: int) -> int:
        return sum(POINTS.get(result, 0) for _opponent, _colour, result in players[of][:before])

    floats, colours, unplayed_wins = list[str](), list[str](), 0
    for before, (opponent, colour, result) in enumerate(players[number][:rounds]):
        own = POINTS.get(result, 0)
        if opponent and result in PLAYED:
            difference = score(number, before) - score(opponent, before)
            colours.append(COLOURS[colour])
        else:
            difference = own  # C.04.3, 1.4.3: only a round with points is a downfloat
            unplayed_wins += own == 2
        floats.append("down" if difference > 0 else "up" if difference < 0 else "none")
    return {
        "id": number,
        "starting_number": number,
        "pairing_number": number,
        "score": score(number, rounds) / 2,
        "color_hist": colours,
        "float_history": floats,
        "forfeit_win_count": unplayed_wins,
    }


def main() -> None:
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    values = {line[:3]: line[4:].strip() for line in lines}
    players = {int(line[4:8]): cells_of(line) for line in lines if line.startswith("001")}
    rounds = min(map(len, players.values()))
    met = {
        (number, opponent)
        for number, cells in players.items()
        for opponent, _colour, result in cells
        if opponent and result in PLAYED
    }
    engine = DutchEngine(
        # A player with a further round is absent.
        players=[described(each, players, rounds) for each in players if len(players[each]) == rounds],
        previous_pairings=met,
        round_number=rounds + 1,
        total_rounds=int(values["XXR"]),
        initial_color="black" if values.get("152") == "B" else "white",
    )
    pairs = engine.generate_pairings()
    print(len(pairs))
    for each in pairs:
        print(each["white_id"], each.get("black_id") or 0)


if __name__ == "__main__":
    main()
