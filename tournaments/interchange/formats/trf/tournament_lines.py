"""The records of the tournament, from an event."""

from collections.abc import Iterable, Iterator

from tournaments.event.choices import OVER
from tournaments.event.dates import parse_day
from tournaments.event.document import Document, EventEntry, PointsAdjustment
from tournaments.event.numbers import exact_text
from tournaments.event.officials import of_role, signature
from tournaments.event.scores import bye_points
from tournaments.interchange.formats.trf.pairing_lines import pairing_lines
from tournaments.interchange.formats.trf.settings import OFFICES, ROUND_DATES
from tournaments.interchange.formats.trf.tie_breaks import tie_break_lines


def game_points_in_units(event: EventEntry) -> tuple[int, int, int]:
    """Return win, draw and loss in the report, in half-points."""
    # This scoring is the usual one doubled, and all programs know the usual one.
    if event.game_loss == 0 and event.game_win == 2 * event.game_draw:
        return 2, 1, 0
    return event.game_win, event.game_draw, event.game_loss


def bye_written(event: EventEntry) -> int:
    """Return the half-points of a pairing-allocated bye for players, in the report."""
    own = bye_points(event, "bye")[0] * game_points_in_units(event)[0]
    return own // event.game_win


def adjusted_points(event: EventEntry, adjustment: PointsAdjustment) -> int:
    """Return the half-points of a bonus or penalty in the report, rounded towards 0."""
    own = abs(adjustment["game"]) * game_points_in_units(event)[0] // event.game_win
    return own if adjustment["game"] >= 0 else -own


def padded_points(half_points: int, width: int) -> str:
    """Return points with a decimal, `11.5`, in the width of their columns; without it if they are wider."""
    text = _decimal(half_points)
    return (text if len(text) <= width else text.removesuffix(".0")).rjust(width)


def _decimal(half_points: int) -> str:
    text = exact_text(half_points)
    return text if "." in text else f"{text}.0"


def tournament_lines(document: Document, *, players: int, rated: int) -> Iterator[str]:
    """Yield the records of the tournament, a line each.

    For players they are those that all engines read: the rounds as `XXR`, and no `192` of a Swiss, which some
    reject if it is none of their systems. Teams need the newer records in any case.
    """
    event = document.event
    yield f"012 {event.name}"
    for tag, text in (("022", event.place), ("032", event.country)):
        if text:
            yield f"{tag} {text}"
    for tag, date in (("042", event.start), ("052", event.end)):
        if date:
            yield f"{tag} {day_written(date)}"
    yield f"062 {players}"
    yield f"072 {rated}"
    if event.is_team:
        yield f"082 {len(document.competitors)}"
    yield f"092 {_kind_in_words(event)}"
    for tag, role in OFFICES.items():
        yield from (f"{tag} {signature(each)}" for each in of_role(event.officials, role))
    if event.time_control:
        yield f"122 {event.time_control}"
    yield from _round_dates(document)
    yield from _scoring_lines(event)
    if event.is_team:
        yield f"142 {event.planned_rounds}"
    if event.is_team or event.is_round_robin:
        yield f"192 {_code_of_kind(event)}"
    yield from pairing_lines(event, game_points_in_units(event)[0], event.match_win)
    yield from tie_break_lines(event)
    if event.time_code:
        yield f"222 {event.time_code}"
    if event.is_team:
        yield f"352 {_colours(event.boards or 1)}"
        points = {"TW": event.match_win, "TD": event.match_draw, "TL": event.match_loss}
        if tuple(points.values()) != (4, 2, 0):
            yield "362 " + "   ".join(f"{code}{padded_points(each, 4)}" for code, each in points.items())
    yield f"XXR {event.planned_rounds}"


def usual_lines(event: EventEntry) -> frozenset[str]:
    """Return the lines of default values, which need not be preserved."""
    return frozenset(
        {f"092 {_kind_in_words(event)}", f"192 {_code_of_kind(event)}", f"352 {_colours(event.boards or 1)}"}
    )


def day_written(date: str) -> str:
    """Return a date as 2022/05/17, with zeros for an unknown day or month; blank for no date."""
    return date.replace("-", "/") if len(date) != 4 else f"{date}/00/00"


def said_by_fields(event: EventEntry) -> frozenset[str]:
    """Return the tags of records that this event has in fields. Older reports preserved them."""
    said = {*OFFICES} if event.officials else set()
    said |= {"122"} if event.time_control else set()
    return frozenset(said | ({"222"} if event.time_code else set()))


def _kind_in_words(event: EventEntry) -> str:
    who = "Team" if event.is_team else "Individual"
    kinds = {
        "swiss": "Swiss-System",
        "round-robin": "Round-Robin",
        "double-round-robin": "Double Round-Robin",
    }
    return f"{who}: {kinds[event.schedule]}"


_TEAM_COLOURS = {"type-a": "TYPEA_", "type-b": "TYPEB_", "none": ""}


def _code_of_kind(event: EventEntry) -> str:
    if event.is_team and event.team_colours and not event.is_round_robin:
        return (
            f"FIDE_TEAM_{_TEAM_COLOURS[event.team_colours]}{'GP_MP' if event.primary == 'game' else 'MP_GP'}"
        )
    return (
        f"CUSTOM_{'TEAM_' if event.is_team else ''}{'SWISS' if event.schedule == 'swiss' else 'ROUNDROBIN'}"
    )


def _colours(boards: int) -> str:
    return ("WB" * boards)[:boards]


def _round_dates(document: Document) -> Iterator[str]:
    dates = {each.number: each.date for each in document.rounds if parse_day(each.date)}
    # py4swiss reads several of them from other columns; after the event no pairing is needed.
    if dates and document.event.state in OVER:
        texts = (
            (ROUND_DATES[number - 1], date[2:].replace("-", "/")) for number, date in sorted(dates.items())
        )
        yield text_at_columns("132", texts)


def text_at_columns(tag: str, texts: Iterable[tuple[int, str]]) -> str:
    line = tag
    for start, text in texts:
        line = line.ljust(start) + text if text.strip() else line
    return line


def _scoring_lines(event: EventEntry) -> Iterator[str]:
    win, draw, loss = game_points_in_units(event)
    bye = bye_written(event)
    if (win, draw, loss) == (2, 1, 0) and (event.is_team or bye == win):
        return
    listed = [("W", win), ("D", draw), ("L", loss), *([] if event.is_team else [("P", bye)])]
    yield "162  " + "    ".join(f"{code}{padded_points(each, 4)}" for code, each in listed)
    if not event.is_team:
        worth = {"WW BW FPB FW": win, "WD BD HPB": draw, "WL BL": loss, "PAB": bye, "ZPB FL": 0}
        codes = ((code, each) for listed_, each in worth.items() for code in listed_.split())
        yield "XXS " + " ".join(f"{code}={_decimal(each)}" for code, each in codes)
