"""The records of the tournament, and the settings of the event in them."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from standings.engine import SYSTEMS, edition_of
from tournaments.event.choices import OfficialRole
from tournaments.event.dates import (
    SHORT_DATE,
    AmbiguousDateError,
    DateError,
    date_order_text,
    order_of,
    order_of_rounds,
    read_date,
)
from tournaments.event.document import EventEntry, Official
from tournaments.event.federations import code_of_name
from tournaments.event.finding import Place, warning
from tournaments.event.officials import signature, signed
from tournaments.event.values import LARGEST
from tournaments.interchange.formats.log import Log
from tournaments.interchange.formats.trf.pairing_lines import pairing_records
from tournaments.interchange.formats.trf.records import MOST_ROUNDS
from tournaments.interchange.formats.trf.report_lines import ReportLine, reported_half_points, whole
from tournaments.interchange.formats.trf.tie_breaks import TieBreaks, tie_breaks_of

# byes and forfeits in XXS: the points of another result, or 0
POINTS_AS_USUAL = frozenset({"FW": "WW", "FPB": "WW", "HPB": "WD", "FL": "", "ZPB": ""}.items())

_DECIDES_FIRST = re.compile("^FIDE_TEAM(?:_TYPE[AB])?_(MP|GP)")  # in record 192
OFFICES = {"102": OfficialRole.CHIEF.value, "112": OfficialRole.DEPUTY.value}  # records of a single official

ROUND_DATES = range(91, 91 + 10 * MOST_ROUNDS, 10)
_AS_THE_FORMAT_HAS_IT = re.compile("[0-9]{2}/[0-9]{2}/[0-9]{2}")  # rounds in record 132
_ENCODED_POINTS = re.compile(r"([A-Z]{1,3})=([0-9.]+)")
_SCORED = re.compile(r"(TW|TD|TL|[WDLAPX]) *([0-9]+(?:[.,][05]?0*)?)")


@dataclass
class Settings:
    """The tournament's records, and the scoring in them. Points are half-points."""

    records: dict[str, list[ReportLine]]
    rounds: int | None = None
    start: str = ""
    dates: list[str] = field(default_factory=list)
    date_order: str = ""  # as chosen for the file
    found_order: str = ""  # as in the dates of the file if none was chosen
    short_order: str = ""  # of two-digit years in the records of the event and its rounds
    game: tuple[int, int, int] = (2, 1, 0)
    match: tuple[int, int, int] = (4, 2, 0)
    bye_game: int | None = None
    bye_match: int | None = None
    odd_points: list[ReportLine] = field(default_factory=list)
    not_taken: list[ReportLine] = field(default_factory=list)  # without any data; they are preserved
    tie_breaks: TieBreaks = field(default_factory=TieBreaks)

    @property
    def first_day(self) -> str:
        """Return the start date, or that of the first dated round; blank if unknown."""
        return self.start or next(filter(None, self.dates), "")

    def text(self, tag: str) -> str:
        """Return the text after the tag, blank if there is no such record."""
        return self.records[tag][0].text[4:].strip() if tag in self.records else ""


def by_tag(lines: Iterable[ReportLine]) -> dict[str, list[ReportLine]]:
    records: dict[str, list[ReportLine]] = defaultdict(list)
    for line in lines:
        if line.tag:
            records[line.tag].append(line)
    return dict(records)


def settings_of(records: dict[str, list[ReportLine]], log: Log, date_order: str = "") -> Settings:
    """Return the tournament's records, with findings for invalid ones.

    `date_order`: the order of dates chosen for the file, or blank.
    """
    settings = Settings(records, date_order=date_order)
    if not date_order:
        rounds = [
            text for line, text in _texts_of_rounds(settings) if not _AS_THE_FORMAT_HAS_IT.fullmatch(text)
        ]
        dates = order_of([settings.text("042"), settings.text("052")], rounds)
        if dates.order:
            settings.found_order = dates.order
            log.findings.append(warning("date-order", Place(), date_order_text(dates)))
        all_rounds = [text for _, text in _texts_of_rounds(settings) if text]
        short = order_of_rounds(settings.text("042"), all_rounds, settings.text("052"))
        settings.short_order = short.order
        if short.evidence:
            log.findings.append(
                warning("date-order", settings.records["132"][0].place, date_order_text(short))
            )
    settings.rounds = _round_count(records, log)
    settings.start = _date_record(settings, "042", log)
    settings.dates = [date_of(settings, line, text, log) for line, text in _texts_of_rounds(settings)]
    for line in settings.records.get("XXS", ()):
        _read_encoded(settings, line, log)
    for line in settings.records.get("162", ()):
        found = _scored(line)
        settings.game = _checked_scoring(line, [found.get(each) for each in "WDL"], settings.game, log)
        settings.bye_game = _bye_points(line, found.get("P", settings.bye_game), log)
        usual = found.get("A", 0) == 0 and found.get("X", settings.game[1]) == settings.game[1]
        settings.odd_points += [] if usual else [line]
    for line in settings.records.get("362", ()):
        found = _scored(line)
        settings.match = _checked_scoring(
            line, [found.get(each) for each in ("TW", "TD", "TL")], settings.match, log
        )
    if settings.bye_game == settings.game[0]:
        settings.bye_game = None
    return settings


def event_of_settings(
    settings: Settings,
    slug: str,
    *,
    boards: int | None,
    played: int,
    numbers: Collection[int],
    log: Log,
) -> EventEntry:
    """Return the event, `final` if all its rounds have results, else `live`.

    `played`: the last round with a result. `numbers`: of the competitors.
    """
    rounds = settings.rounds or max(played, 1)
    schedule, is_team = _schedule_of_kind(settings), boards is not None
    # FIDE's system is an open one, so the file may have criteria.
    system = f"fide-{'team-' if is_team else ''}{'swiss' if schedule == 'swiss' else 'round-robin'}"
    decides = _DECIDES_FIRST.search(settings.text("192").upper()) if is_team else None
    primary = "game" if decides and decides[1] == "GP" else ""
    criteria = _criteria_of_records(settings, system, primary, log)
    win = settings.match[0] if is_team else settings.game[0]
    pairing = pairing_records(settings.records, numbers, rounds, win, is_team=is_team)
    settings.not_taken += pairing.not_taken
    place = settings.text("022")[:120]
    return EventEntry(
        slug=slug,
        name=settings.text("012")[:200] or slug,
        place="" if place == "-" else place,  # programs write a dash for an unknown place
        country=_country_or_preserve(settings, log),
        start=settings.start,
        end=_date_record(settings, "052", log),
        state="final" if played >= rounds else "live",
        discipline="chess",
        entrants="players" if boards is None else "teams",
        schedule=schedule,
        planned_rounds=rounds,
        boards=boards,
        game_win=settings.game[0],
        game_draw=settings.game[1],
        game_loss=settings.game[2],
        match_win=settings.match[0],
        match_draw=settings.match[1],
        match_loss=settings.match[2],
        bye_game=settings.bye_game,
        bye_match=settings.bye_match,
        system=system,
        criteria=criteria,
        primary=primary,
        unplayed=edition_of(settings.first_day).code,
        unrated=settings.tie_breaks.unrated,
        officials=_officials(settings),
        time_control=_text_or_preserve(settings, "122", 200),
        time_code=_text_or_preserve(settings, "222", 60),
        **pairing.fields,
    )


def _officials(settings: Settings) -> tuple[Official, ...]:
    lines = [(role, line) for tag, role in OFFICES.items() for line in settings.records.get(tag, ())]
    named = [(role, line) for role, line in lines if line.text[4:].strip()]
    officials = tuple(found for role, line in named if (found := signed(role, line.text[4:])))
    if [signature(each) for each in officials] == [line.text[4:].strip() for _, line in named]:
        return officials
    settings.not_taken.extend(line for _, line in lines)
    return ()


def _text_or_preserve(settings: Settings, tag: str, most: int) -> str:
    lines = settings.records.get(tag, [])
    text = settings.text(tag)
    if len(lines) == 1 and 0 < len(text) <= most:
        return text
    settings.not_taken.extend(lines)
    return ""


def _country_or_preserve(settings: Settings, log: Log) -> str:
    text = settings.text("032")
    if not text.strip("-") or re.fullmatch("[A-Za-z]{2,3}", text):
        return text.strip("-").upper()
    if code := code_of_name(text):
        return code
    line = settings.records["032"][0]
    settings.not_taken.append(line)
    message = f"“{text}” is not a federation code and was ignored; the line is kept. Write, for example, NED."
    log.findings.append(warning("unknown-country", line.place, message))
    return ""


def _schedule_of_kind(settings: Settings) -> str:
    kind = f"{settings.text('092')} {settings.text('192')}".upper()
    if not any(word in kind for word in ("ROBIN", "BERGER")):
        return "swiss"
    return "double-round-robin" if "DOUBLE" in kind else "round-robin"


def _criteria_of_records(settings: Settings, system: str, primary: str, log: Log) -> tuple[str, ...]:
    listed = SYSTEMS[system].criteria
    score = "GPTS" if primary else listed[0]
    settings.tie_breaks = tie_breaks_of(settings.records, score, log)
    if primary and not settings.tie_breaks.criteria:
        return (score, *(code for code in listed if code != score))
    return settings.tie_breaks.criteria


# --- rounds and dates -------------------------------------------------------------------------------------


def _round_count(records: dict[str, list[ReportLine]], log: Log) -> int | None:
    for tag in ("142", "XXR"):
        for line in records.get(tag, ()):
            number = whole(line.text[4:])
            if number and number <= MOST_ROUNDS:
                return number
            text = f"“{line.text[4:]}” is no number of rounds from 1 to {MOST_ROUNDS}. Correct it."
            log.add("bad-number", line.place, text)
    return None


def _texts_of_rounds(settings: Settings) -> list[tuple[ReportLine, str]]:
    lines = settings.records.get("132", [])
    texts = [
        (line, line.text[start : start + 10]) for line in lines for start in ROUND_DATES if line.text[start:]
    ]
    # Programs write a record with columns as wide as a player's cells, or a record for each round.
    if not texts or len(lines) > 1:
        texts = [(line, line.text[4:]) for line in lines]
    return [(line, text.strip()) for line, text in texts]


def _date_record(settings: Settings, tag: str, log: Log) -> str:
    line = next(iter(settings.records.get(tag, ())), None)
    return date_of(settings, line, line.text[4:].strip(), log) if line else ""


def date_of(settings: Settings, line: ReportLine, text: str, log: Log) -> str:
    """Return an ISO date; "" with a finding if it is ambiguous."""
    # The format's own order of a short year, 22/05/17, is no guess and has no finding.
    is_usual = not settings.date_order and line.tag == "132" and _AS_THE_FORMAT_HAS_IT.fullmatch(text)
    is_of_event = line.tag in {"042", "052", "132"} and SHORT_DATE.fullmatch(text)
    order = settings.date_order or (settings.short_order if is_of_event else "")
    try:
        read = read_date(text, order or ("ymd" if is_usual else settings.found_order))
    except AmbiguousDateError as problem:
        log.add("ambiguous-date", line.place, str(problem))
    except DateError:
        text = f"“{text}” is not a date and was ignored. Write 2026/05/17, or choose the order of dates."
        log.findings.append(warning("bad-date", line.place, text))
    else:
        if read.remark and not (is_usual or order):
            text = f"{read.remark}. Choose the order of dates if this is wrong."
            log.findings.append(warning("short-year", line.place, text))
        return read.date
    return ""


# --- points -----------------------------------------------------------------------------------------------


def _scored(line: ReportLine) -> dict[str, int]:
    points = ((code, reported_half_points(text)) for code, text in _SCORED.findall(line.text[4:].upper()))
    return {code: value for code, value in points if value is not None}


def _read_encoded(settings: Settings, line: ReportLine, log: Log) -> None:
    points = {code: reported_half_points(text) or 0 for code, text in _ENCODED_POINTS.findall(line.text)}
    if "WW" not in points:
        settings.odd_points.append(line)
        return
    settings.game = _checked_scoring(
        line, [points.get(each) for each in ("WW", "WD", "WL")], settings.game, log
    )
    settings.bye_game = _bye_points(line, points.get("PAB"), log)
    # An event has no points for requested byes, or by colour.
    alike = all(points.get(f"B{each}") in {points.get(f"W{each}"), None} for each in "WDL")
    usual = all(points.get(code, points.get(as_, 0)) == points.get(as_, 0) for code, as_ in POINTS_AS_USUAL)
    if not (alike and usual):
        settings.odd_points.append(line)


def _checked_scoring(
    line: ReportLine, found: list[int | None], usual: tuple[int, int, int], log: Log
) -> tuple[int, int, int]:
    win, draw, loss = (default if each is None else each for each, default in zip(found, usual, strict=True))
    if LARGEST >= win > draw > loss >= 0:
        return win, draw, loss
    text = "A win must give more than a draw, a draw more than a loss, and no result less than 0. Correct it."
    log.add("scoring-order", line.place, text)
    return usual


def with_team_bye(settings: Settings, line: ReportLine, log: Log) -> Settings:
    """Return the settings with the pairing-allocated bye of `320`."""
    match, game = (
        _bye_points(line, reported_half_points(text), log) for text in (line.text[4:8], line.text[9:13])
    )
    return replace(settings, bye_game=game, bye_match=match)


def _bye_points(line: ReportLine, points: int | None, log: Log) -> int | None:
    if points is None or 0 <= points <= LARGEST:
        return points
    log.add("out-of-range", line.place, f"A bye gives between 0 and {LARGEST // 2} points. Correct it.")
    return None
