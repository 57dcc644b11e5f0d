"""Reading options: facts about a file that it does not have, chosen in previews and commands."""

from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tournaments.event.dates import ORDERS
from tournaments.event.document import EventEntry
from tournaments.event.numbers import points_text
from tournaments.event.scores import full_score, number_of_boards
from tournaments.interchange.formats.encodings import ENCODINGS

# the options with a list of values and their meanings
CHOICES: dict[str, Mapping[str, str]] = {
    "encoding": ENCODINGS,
    "dates": ORDERS,
    "dash": {
        "bye": "a round without an opponent, and what it gave",
        "loss": "a game lost to that number",
    },
    "colours": {
        "black": "Black, as in 12w1 and 5b½",
        "white": "White, as in 12b1 and 5n½ (or c, č, p)",
    },
    "bye": {
        "win": "as much as a match won on all boards",
        "draw": "as much as a drawn match",
        "nothing": "no points",
    },
    "half_byes": {"yes": "yes, half a point each", "no": "no, no points"},
}

# the options that answer findings, by their codes
ANSWERED_BY: dict[str, str] = {
    "several-layouts": "layout", "wrong-encoding": "encoding", "two-readings": "dash",
    "colour-letters": "colours", "bye-points": "bye", "half-byes": "half_byes",
    "several-events": "part", "unknown-part": "part",
    **dict.fromkeys(("ambiguous-date", "date-order", "short-year", "bad-date"), "dates"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """Options for reading a file. Blank options are detected, or the user is asked.

    Options in CHOICES have one of its values. `dates`: the order of day, month and year. `dash`: the meaning
    of `-1` in a crosstable. `colours`: the meaning of `b`. `bye`: the value of a team's pairing-allocated
    bye; blank for the rules of the event. `layout`: the code of a layout (`layouts/`). `part`: the number or
    name of an event in a file of several.
    """

    encoding: str = ""
    dates: str = ""
    dash: str = ""
    colours: str = ""
    bye: str = ""
    half_byes: str = ""
    layout: str = ""
    part: str = ""


AS_FOUND = ReadingOptions()


def bye_of_choice(event: EventEntry, choice: str) -> tuple[int, int] | None:
    """Return game and match points of a team's bye in half-points, None without a choice."""
    if choice == "win":
        return full_score(event), event.match_win
    if choice == "draw":
        return number_of_boards(event) * event.game_draw, event.match_draw
    return (0, 0) if choice else None


def taken_for_byes(given: tuple[int, int], *, is_chosen: bool) -> str:
    """Return the sentences about the points of teams' byes in a finding."""
    texts = [
        f"{points_text(points)} {of} {'point' if points == 2 else 'points'}"
        for points, of in zip(given[::-1], ("match", "game"), strict=True)
    ]
    reason = "as chosen" if is_chosen else "by the rules of the event"
    return f"Taken: {' and '.join(texts)}, {reason}. Choose another answer if the bye gave something else."


def options_of(chosen: Mapping[str, Any]) -> ReadingOptions:
    """Return the options of a form or command. Unknown values are blank."""
    # A page that was open for a long time may have a choice that no longer exists.
    found = {name: value for name, known in CHOICES.items() if (value := chosen.get(name) or "") in known}
    # A removed layout is ignored: `recognised` looks it up.
    others = {name: chosen.get(name) or "" for name in ("layout", "part")}
    return ReadingOptions(**found, **others)


def add_reading_options(parser: ArgumentParser) -> None:
    texts = {
        "encoding": "How the text is encoded; else it is found out.",
        "dates": "The order of dates such as 07/08/2005; else it is asked.",
        "dash": "What -1 in a cross table is; else the table tells, or it is asked.",
        "colours": "The colour that b is in a cross table; else all cells tell, or it is asked.",
        "bye": "What a bye gave to a team, if the report does not say; else by the event's rules.",
        "half_byes": "Whether blank rounds are half-point byes; else it is asked.",
    }
    for name, text in texts.items():
        option = f"--{name.replace('_', '-')}"
        parser.add_argument(option, choices=list(CHOICES[name]), default="", help=text)
    parser.add_argument(
        "--part", default="", help="Which of several events in a file is read: its number or its name."
    )
