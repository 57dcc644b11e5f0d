"""What a file does not say of itself, and whoever imports it may: shared by previews and commands."""

from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tournaments.event.dates import ORDERS
from tournaments.event.document import EventEntry
from tournaments.event.numbers import points_text
from tournaments.event.scores import boards_of, full_score
from tournaments.formats.encodings import ENCODINGS

DASHES: dict[str, str] = {
    "bye": "a round without an opponent, and what it gave",
    "loss": "a game lost to that number",
}
"""What a dash before a figure can mean in a cross table."""

COLOURS: dict[str, str] = {
    "black": "Black, as in 12w1 and 5b½",
    "white": "White, as in 12b1 and 5n½ (or c, č, p)",
}
"""What a `b` in the cells of a cross table can mean."""

BYES: dict[str, str] = {
    "win": "as much as a match won on all boards",
    "draw": "as much as a drawn match",
    "nothing": "no points",
}
"""What the pairing-allocated bye of a team can have given."""

CHOICES: dict[str, Mapping[str, str]] = {
    "encoding": ENCODINGS,
    "dates": ORDERS,
    "dash": DASHES,
    "colours": COLOURS,
    "bye": BYES,
}
"""The options that are one of a list, each with what it means."""


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How a file is to be read; a blank is found out from the file, or asked.

    `encoding` is a key of ENCODINGS; `dates` is the order of day, month and year, one of ORDERS; `dash` is
    what `-1` in a cross table means, one of DASHES, and `colours` what `b` does, one of COLOURS; `layout` is
    the code of a layout (`layouts/`); `part` is the number or the name of an event, where a file holds
    several. `bye` is what a team without an opponent got, one of BYES; blank: by the rules of the event.
    """

    encoding: str = ""
    dates: str = ""
    dash: str = ""
    colours: str = ""
    bye: str = ""
    layout: str = ""
    part: str = ""


AS_FOUND = ReadingOptions()


def bye_of_choice(event: EventEntry, choice: str) -> tuple[int, int] | None:
    """Return game points and match points of a team's bye in half-points; None without a choice."""
    if choice == "win":
        return full_score(event), event.match_win
    if choice == "draw":
        return boards_of(event) * event.game_draw, event.match_draw
    return (0, 0) if choice else None


def taken_for_byes(given: tuple[int, int], *, is_chosen: bool) -> str:
    """Return the sentences of a finding about the game points and match points that byes of teams get."""
    texts = [
        f"{points_text(points)} {of} {'point' if points == 2 else 'points'}"
        for points, of in zip(given[::-1], ("match", "game"), strict=True)
    ]
    reason = "as chosen" if is_chosen else "by the rules of the event"
    return f"Taken: {' and '.join(texts)}, {reason}. Choose another answer if the bye gave something else."


def options_of(chosen: Mapping[str, Any]) -> ReadingOptions:
    """Return the options of a form or of a command; what is no choice is left blank."""
    values = {name: chosen.get(name) or "" for name in CHOICES}
    # A page that was open for long may name a choice that there is no more.
    found = {name: values[name] for name, known in CHOICES.items() if values[name] in known}
    # A layout that there is no more counts as none: `recognised` looks it up.
    others = {name: chosen.get(name) or "" for name in ("layout", "part")}
    return ReadingOptions(**found, **others)


def add_reading_options(parser: ArgumentParser) -> None:
    """Let a command be told how a file is to be read."""
    arguments: tuple[tuple[str, Mapping[str, str], str], ...] = (
        ("--encoding", ENCODINGS, "How the text is encoded; else it is found out."),
        ("--dates", ORDERS, "The order of dates such as 07/08/2005; else it is asked."),
        ("--dash", DASHES, "What -1 in a cross table is; else the table tells, or it is asked."),
        ("--colours", COLOURS, "The colour that b is in a cross table; else all cells tell, or it is asked."),
        ("--bye", BYES, "What a bye gave to a team, if the report does not say; else by the event's rules."),
    )
    for name, choices, text in arguments:
        parser.add_argument(name, choices=list(choices), default="", help=text)
    parser.add_argument(
        "--part", default="", help="Which of several events in a file is read: its number or its name."
    )
