"""Records `001`: players and their results in all rounds."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from tournaments.event.choices import OVER, is_settled, white_side
from tournaments.event.document import (
    CompetitorEntry,
    Document,
    EventEntry,
    GameEntry,
    PairingEntry,
    PlayerEntry,
)
from tournaments.interchange.formats.trf.cells import (
    BLANK,
    CODE_ALONE,
    FIRST_COLUMN,
    WIDTH,
    cell_text,
    code_alone,
    code_of,
)
from tournaments.interchange.formats.trf.records import TITLES
from tournaments.interchange.formats.trf.tournament_lines import (
    adjusted_points,
    bye_written,
    day_written,
    game_points_in_units,
    padded_points,
    text_at_columns,
)

NAME_WIDTH, TITLE_WIDTH, CODE_WIDTH = 33, 3, 3
LARGEST_RATING, LARGEST_ID = 9999, 10**11 - 1


@dataclass
class PlayerSheet:
    """The cells of a player by round, from 0, and the sum of half-points in the report."""

    cells: dict[int, str] = field(default_factory=dict)
    points: int = 0


class PlayerSheets:
    """The cells of all players by start number."""

    def __init__(self, event: EventEntry, numbers: Iterable[int]) -> None:
        win, draw, loss = game_points_in_units(event)
        bye = 0 if event.is_team else bye_written(event)
        self.event = event
        self.worth = dict(
            zip("1W+F=DH0LU", (win, win, win, win, draw, draw, draw, loss, loss, bye), strict=True)
        )
        self.sheets = {number: PlayerSheet() for number in numbers}

    def enter(self, number: int, round_: int, opponent: int, colour: str, code: str) -> None:
        if sheet := self.sheets.get(number):
            sheet.cells[round_ - 1] = cell_text(opponent, colour, code)
            sheet.points += self.worth.get(code, 0)

    def enter_game(
        self, round_: int, numbers: tuple[int, int], codes: tuple[str, str], *, first_white: bool | None
    ) -> None:
        """Enter the cells of both players.

        `first_white`: whether the first player had White, None if unknown.
        """
        colours = {True: ("w", "b"), False: ("b", "w"), None: ("-", "-")}[first_white]
        # A result without an opponent is a forfeit for other programs.
        for own, other, colour, code in zip(numbers, numbers[::-1], colours, codes, strict=True):
            self.enter(own, round_, other, colour, code if other else "+" if code in "+1" else "-")


def sheets_of_players(document: Document) -> PlayerSheets:
    sheets = PlayerSheets(document.event, (each.number for each in document.competitors))
    for number, pairing in document.pairings():
        if pairing.second is None:
            sheets.enter(pairing.first, number, 0, "", code_alone(pairing.kind, pairing.note))
        else:
            numbers, codes = (pairing.first, pairing.second), codes_of(document.event, pairing)
            first_white = True if white_side(document.event, pairing.colours) else None
            sheets.enter_game(number, numbers, codes, first_white=first_white)
    for each in absences(document):
        sheets.enter(each.number, each.round, 0, "", each.code)
    for competitor in document.competitors:
        given = sum(adjusted_points(document.event, bonus) for bonus in competitor.adjustments)
        sheets.sheets[competitor.number].points += given
    return sheets


def codes_of(event: EventEntry, of: PairingEntry | GameEntry) -> tuple[str, str]:
    first, second, note = of.first_score, of.second_score, getattr(of, "note", "")
    return code_of(event, of.kind, first, second, note), code_of(event, of.kind, second, first, note)


def line_of_player(number: int, person: CompetitorEntry | PlayerEntry, sheet: PlayerSheet, rank: int) -> str:
    rating = person.rating if person.rating and person.rating <= LARGEST_RATING else None
    line = text_at_columns(
        "001",
        (
            (4, f"{number:4d}"),
            (9, person.sex),
            (10, person.title.rjust(TITLE_WIDTH) if person.title in TITLES.values() else ""),
            (14, person.name[:NAME_WIDTH].rstrip()),
            (48, f"{rating:4d}" if rating else ""),
            (53, person.code[:CODE_WIDTH] if isinstance(person, CompetitorEntry) else ""),
            (57, f"{person.fide_id:11d}" if 0 < (person.fide_id or 0) <= LARGEST_ID else ""),
            (69, day_written(person.born)),
            (80, padded_points(sheet.points, 4)),
            (85, f"{rank:4d}"),
        ),
    )
    last = max(sheet.cells, default=-1)
    return (
        line.ljust(FIRST_COLUMN)
        + "".join(sheet.cells.get(index, BLANK).ljust(WIDTH) for index in range(last + 1))
    ).rstrip()


def ranks_by_points(sheets: PlayerSheets) -> dict[int, int]:
    """Return places by points, tied ones shared. Players of teams have no other ranking."""
    ordered = sorted(-sheet.points for sheet in sheets.sheets.values())
    place_of: dict[int, int] = {}
    for place, own in enumerate(ordered, start=1):
        place_of.setdefault(-own, place)
    return {number: place_of[sheet.points] for number, sheet in sheets.sheets.items()}


# --- absences ---------------------------------------------------------------------------------------------


class Absence(NamedTuple):
    """A round of a competitor without a pairing in the event. `code`: H or Z."""

    round: int
    number: int
    code: str


def absences(document: Document) -> Iterator[Absence]:
    """Yield the absences in the rounds so far, and in the next round.

    They need a record because engines pair players with a blank.
    """
    last = max((each.number for each in document.rounds if _has_games(each.pairings)), default=0)
    for each in document.rounds:
        is_past = each.number < last or is_settled(document.event.state, each.state)
        if is_past and each.state != "draft" and _has_games(each.pairings):
            paired = {number for pairing in each.pairings for number in pairing.numbers}
            yield from (
                Absence(each.number, one.number, "Z")
                for one in document.competitors
                if one.number not in paired
            )
    event = document.event
    if event.state not in OVER and not event.is_round_robin and last < event.planned_rounds:
        number = last + 1
        paired = {
            each.first for round_ in document.rounds if round_.number == number for each in round_.pairings
        }
        for competitor in document.competitors:
            code = _code_asked_for(competitor, number)
            if code and competitor.number not in paired:
                yield Absence(number, competitor.number, code)


def _has_games(pairings: tuple[PairingEntry, ...]) -> bool:
    return any(each.second is not None for each in pairings)


def _code_asked_for(competitor: CompetitorEntry, number: int) -> str:
    if competitor.withdrawn_after is not None and competitor.withdrawn_after < number:
        return "Z"
    return CODE_ALONE.get(competitor.requested_byes.get(str(number), ""), "")
