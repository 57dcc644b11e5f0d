"""Documents from the tables of a layout: changes to an existing event, or a new event."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any, cast

from standings.engine import edition_of, ranks_by_edition
from tournaments.event.checks import check_document
from tournaments.event.choices import SCORELESS, Entrants, Kind, OfficialRole, Schedule
from tournaments.event.dates import parse_year
from tournaments.event.document import Document, EventEntry
from tournaments.event.finding import Finding, Place, error, errors, warning
from tournaments.event.judging import OLYMPIADS, usual_system
from tournaments.event.numbers import parse_points, results_of_text
from tournaments.event.officials import signed
from tournaments.event.scores import bye_points
from tournaments.interchange.formats.json.parsing import parse
from tournaments.interchange.formats.json.reader import Reading, with_unknown_results
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.formats.layouts.cells import SCORINGS, outline_of_cells, outline_of_places
from tournaments.interchange.formats.layouts.chess_results import games_of_players
from tournaments.interchange.formats.layouts.layout import LayoutReading
from tournaments.interchange.formats.layouts.outline import FACTS, EventOutline, outline_of
from tournaments.interchange.formats.layouts.recognition import UNRECOGNISED, RecognisedFile, Recognition
from tournaments.interchange.formats.layouts.titles import discipline_in, year_in
from tournaments.interchange.formats.log import Log, read_object
from tournaments.interchange.formats.options import ReadingOptions, bye_of_choice, taken_for_byes
from tournaments.interchange.formats.tables.headings import COMPETITORS, NOTHING, PRINTED
from tournaments.interchange.formats.tables.listed_games import GameList
from tournaments.interchange.formats.tables.reading import NO_COLUMNS, UNKNOWN_TABLE, read_tables
from tournaments.interchange.formats.trf.reading import PROPOSED_RULES, text_of_rules

# needed for each event, with the text of the finding; boards only in events of teams
NEEDED = {
    "name": "the name of the event",
    "start": "the date, or at least the year, in which it began",
    "discipline": "what was played, such as chess or draughts-100",
    "entrants": "whether players or teams competed",
    "schedule": "how the competitors were paired: swiss, round-robin or double-round-robin",
    "scoring": "what a game won, drawn and lost gives, such as 1-½-0",
    "boards": "on how many boards a match is played",
    "rounds": "how many rounds there are",
    "results": "whether this is the final table (“unknown” results) or the results come “later”",
}

MISSING_FACT = "missing-fact"  # code of a finding

USUAL_MATCH = "2-1-0"

_PLAIN_FACTS = (
    "slug", "name", "series", "place", "country", "time_zone", "start", "end", "discipline", "entrants",
    "schedule", "system", "time_control", "rated_as", "ratings_from", "licence", "notes",
)  # fmt: skip
_OF_TABLES = ("results", "published")  # facts that event files and reports have in another form
_TOGETHER = {"end": ("start", "end")}  # facts that are checked together, by the fact that the finding names


@dataclass(frozen=True)
class LaidOutReading(Reading):
    """A reading with its layout.

    `outline`: the facts of a new event, None if the file was read into an existing event.
    """

    recognition: Recognition = UNRECOGNISED
    outline: EventOutline | None = None


def evidence_and_facts(reading: Reading) -> Iterator[str]:
    """Yield the layout of a file with its evidence, and each fact of a new event with its place."""
    if not isinstance(reading, LaidOutReading):
        return
    found = reading.recognition
    if found.layout:
        by = f"{found.evidence or 'no sign of it'}{', as chosen' if found.is_chosen else ''}"
        yield f"layout: {found.layout.name} ({found.layout.code}): {by}"
    if outline := reading.outline:
        for name, where in outline.places.items():
            yield f"{name}: {outline.fact(name).replace(chr(10), '; ')} ({where})"


def read_into_event(base: Document, found: RecognisedFile, options: ReadingOptions) -> LaidOutReading:
    """Read the tables of a file into an event, which retains its settings and published standings."""
    reading = found.reading
    if errors(reading.findings):
        return LaidOutReading(None, reading.findings, recognition=found.recognition)
    # Printed figures, and points without games, would be counted as read, but are not compared here.
    is_list = not reading.games and all(each.role in (NOTHING, COMPETITORS) for each in reading.mappings)
    unused = {"label", "points", PRINTED} if is_list else {PRINTED}
    tables = [
        (table, replace(each, columns={at: of for at, of in each.columns.items() if of not in unused}))
        for table, each in reading.tables
    ]
    boards = [*games_of_players(base, reading.player_results)]
    games = GameList.with_used_columns(boards) if boards else reading.games
    read = read_tables(base, tables, options, () if reading.account is None else None, games)
    document = read.document and replace(read.document, published=base.published)
    return _combined(found, replace(read, document=document))


def _combined(found: RecognisedFile, read: Reading, outline: EventOutline | None = None) -> LaidOutReading:
    account = (*(found.reading.account or ()), *read.account)
    findings = (*found.reading.findings, *read.findings)
    return LaidOutReading(read.document, findings, account, (), found.recognition, outline)


def outline_for(reading: LayoutReading, chosen: EventOutline, file_name: str) -> EventOutline:
    """Return all facts of a new event: chosen ones, then those of the file, defaults, those of its results.

    `file_name` is used for the name and year only if they are still unknown.
    """
    outline = chosen.completed_by(reading.outline).with_facts(chosen.defaults, "a default")
    stem = PurePosixPath(file_name).stem.replace("_", " ")
    # Editions are often stored as 1998.csv.
    name = f"{outline.series} {stem}" if stem.isdecimal() else stem.replace("-", " ")
    outline = outline.with_fact("name", name, "the name of the file")
    outline = outline.with_fact("start", year_in(stem), "the name of the file")
    outline = outline.with_fact("discipline", discipline_in(stem), "the name of the file")
    cells = outline_of_cells(reading.tables, outline.entrants, outline.discipline, reading.games)
    outline = outline.completed_by(cells)
    if not reading.games:
        outline = outline.completed_by(outline_of_places(reading.tables, outline))
    return _with_usual(outline)


def _with_usual(outline: EventOutline) -> EventOutline:
    usual = {"1-½-0": "chess", "3-0 1½-1": "chess", "2-0 1½-½": "chess", "2-1-0": "draughts-100"}
    scoring = outline.scoring
    outline = outline.with_fact("discipline", usual.get(scoring, ""), f"the scoring {scoring}")
    of_discipline = {"chess": "1-½-0", "draughts-100": "2-1-0", "draughts-64": "2-1-0"}
    if outline.discipline in of_discipline:
        where = f"what is usual in {outline.discipline}"
        outline = outline.with_fact("scoring", of_discipline[outline.discipline], where)
    if outline.entrants == Entrants.TEAMS:
        outline = outline.with_fact("match_scoring", USUAL_MATCH, "what is usual")
    if outline.discipline and outline.entrants in Entrants and outline.schedule in Schedule:
        is_team, is_swiss = outline.entrants == Entrants.TEAMS, outline.schedule == Schedule.SWISS
        code = usual_system(
            outline.discipline, is_team=is_team, is_swiss=is_swiss, name=outline.name, start=outline.start
        )
        outline = outline.with_fact("system", code, "discipline, kind and year")
    return outline


def read_new_event(found: RecognisedFile, outline: EventOutline, options: ReadingOptions) -> LaidOutReading:
    """Return the event in the tables with the facts of the outline. Findings name missing facts."""
    reading = found.reading
    if errors(reading.findings):
        return LaidOutReading(None, reading.findings, recognition=found.recognition, outline=outline)
    if not (reading.games or any(each.role for each in reading.mappings)):
        # Facts about the event do not matter before the tables are known.
        has_columns = any(table.grid.width > 1 for table, _ in reading.tables)
        refusal = UNKNOWN_TABLE if has_columns else NO_COLUMNS
        return _combined(found, Reading(None, (refusal,)), outline)
    best: Reading | None = None
    taken = outline
    # If cells have words instead of points, use the scoring that gives the printed points.
    for scoring in [outline.scoring] if outline.scoring else SCORINGS:
        tried, log = outline.with_fact("scoring", scoring, "the printed points"), Log()
        log.findings += _missing_facts(outline)
        event = None if log.findings else _event_of_outline(tried, log)
        if event is None:
            return _combined(found, Reading(None, tuple(log.findings)), outline)
        bye = bye_of_choice(event, options.bye) if event.is_team else None
        if bye:
            event = replace(event, bye_game=bye[0], bye_match=bye[1])
        read = read_tables(
            Document(event),
            reading.tables,
            options,
            outline.titles if reading.account is None else None,
            reading.games,
        )
        if best is None or len(read.findings) < len(best.findings):
            best, taken = read, tried
    assert best is not None  # noqa: S101 - one scoring at least was tried
    finished = best.document and _with_state(best.document, taken)
    findings = best.findings
    if finished:
        findings = (
            *_faults_of_facts(finished, taken),
            *findings,
            *_only_players(finished, reading),
            *_byes_of_teams(finished, reading, best, options),
        )
    complete = with_unknown_results(replace(best, document=finished, findings=findings))
    return _combined(found, complete, taken)


def _only_players(document: Document, tables: LayoutReading) -> Iterator[Finding]:
    if tables.games is None and any(each.column("player") is not None for each in tables.mappings):
        text = (
            f"The file lists the players of {len(document.competitors)} teams, but no matches, so the event "
            "has no results yet. The points of players are not read, because they are no standings of teams. "
            "Import the pairings or the cross table of the teams as the event, then this file into it. "
            "If you import this file only, check the number of boards."
        )
        yield warning("no-matches", Place(), text)


def _byes_of_teams(
    document: Document, tables: LayoutReading, read: Reading, options: ReadingOptions
) -> Iterator[Finding]:
    byes = sum(each.kind == Kind.BYE for _, each in document.pairings())
    if any("first_score" in each.columns.values() for each in tables.mappings) or any(
        each.scores.first != "" for each in (tables.games.games if tables.games else ())
    ):
        return  # results with scores have the value
    is_contradicted = any(each.code == "printed-points" for each in read.findings)
    if document.event.is_team and byes and (options.bye or is_contradicted):
        text = f"The points of a team bye are missing from the table (byes: {byes}). "
        taken = taken_for_byes(bye_points(document.event, Kind.BYE), is_chosen=bool(options.bye))
        yield warning("bye-points", Place(), text + taken)


def _faults_of_facts(document: Document, outline: EventOutline) -> Iterator[Finding]:
    alone = set(check_document(Document(document.event)))
    for each in check_document(document):
        # Reading tables does not check the event itself, so these faults are not reported yet.
        if each in alone:
            name = each.where.removeprefix("event.")
            sources = "; ".join(f"{other}: {outline.places[other]}" for other in _TOGETHER.get(name, ()))
            by = f" Told by: {sources}." if sources else ""
            yield replace(each, where=name, message=each.message + by)


def _missing_facts(outline: EventOutline) -> Iterator[Finding]:
    is_asked = {"boards": outline.entrants == Entrants.TEAMS, "results": "results" in outline.places}
    asked = [each for each in NEEDED if each != "scoring" and is_asked.get(each, True)]
    if missing := [each for each in asked if not outline.fact(each)]:
        text = f"The file lacks {'; '.join(NEEDED[each] for each in missing)}."
        yield error(MISSING_FACT, Place(", ".join(missing)), text)


def _event_of_outline(outline: EventOutline, log: Log) -> EventEntry | None:
    if outline.entrants != Entrants.TEAMS:
        outline = replace(outline, boards="", match_scoring="")
    raw = _object_of_outline(outline, log)
    # The rules of an olympiad define unplayed rounds.
    is_olympiad = outline.system in {code for _, code in OLYMPIADS}
    if outline.discipline == "chess" and parse_year(outline.start) and not is_olympiad:
        raw["rules"] = {"unplayed": edition_of(outline.start).code}
    if log.findings:
        return None
    return read_object(EventEntry, raw, Place(), log)


def _object_of_outline(outline: EventOutline, log: Log) -> dict[str, Any]:
    named = [
        (OfficialRole.CHIEF.value, [outline.chief_arbiter]),
        (OfficialRole.DEPUTY.value, outline.deputy_arbiters.splitlines()),
        (OfficialRole.ORGANISER.value, [outline.organiser]),
    ]
    found = (signed(role, text) for role, texts in named for text in texts)
    raw: dict[str, Any] = {
        **{name: outline.fact(name) for name in _PLAIN_FACTS},
        "sources": outline.sources.splitlines(),
        "officials": [
            {key: value for key, value in each.items() if value is not None} for each in found if each
        ],
    }
    if outline.scoring:
        raw["scoring"] = _raw_scoring(outline, log)
    if outline.match_scoring:
        raw.setdefault("scoring", {})["match"] = _points_of_fact(outline, "match_scoring", log)
    for name in ("rounds", "boards"):
        if outline.fact(name):
            raw[name] = _whole_number(outline, name, log)
    return {key: value for key, value in raw.items() if value}


def with_facts(reading: Reading, chosen: EventOutline, *, is_stored: bool = False) -> Reading:
    """Return an event file or report with the chosen facts, and with the defaults of facts that it lacks.

    Findings name the facts that were replaced, and what contradicts the new ones.
    """
    document, log = reading.document, Log()
    if document is None or not (chosen.places or chosen.defaults):
        return reading
    own = _as_written(document.event)
    proposed = {key: own.pop(key) for key in reading.proposed if key in own}
    given = _object_of_outline(chosen, log)
    defaults = _object_of_outline(outline_of(chosen.defaults, "a default"), log)
    if given.get("entrants", own["entrants"]) != own["entrants"]:
        log.add("bad-fact", Place("entrants"), f"The file is of {own['entrants']}. Remove this fact.")
    scoring = {**defaults.get("scoring", {}), **own.get("scoring", {}), **given.get("scoring", {})}
    raw = {**proposed, **defaults, **own, **given} | ({"scoring": scoring} if scoring else {})
    if "system" in proposed:
        raw |= _proposed_rules(raw, defaults | given)
    event = None if log.findings else read_object(EventEntry, raw, Place("event"), log)
    if event is None:
        return replace(reading, findings=(*reading.findings, *log.findings))
    changed = replace(document, event=event)
    now = _as_written(event)
    replaced = [
        _replaced(key, _as_text(own[key]), _as_text(now[key]), "event" if is_stored else "file")
        for key in given
        if key in own and own[key] != now.get(key)
    ]
    first_day = event.start or next((each.date for each in document.rounds if each.date), "")
    unused = "Only tables use this fact; it is ignored."
    replaced += [warning("fact-not-used", Place(each), unused) for each in _OF_TABLES if chosen.fact(each)]
    before, after = set(check_document(document)), check_document(changed)
    kept = [
        replace(each, message=text_of_rules(event, first_day)) if each.code == PROPOSED_RULES else each
        for each in reading.findings
        if each not in before or each in after
    ]
    more = [each for each in after if each not in before]
    return replace(reading, document=changed, findings=(*kept, *more, *replaced))


def _proposed_rules(raw: dict[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    is_team, is_swiss = raw["entrants"] == Entrants.TEAMS, raw["schedule"] == Schedule.SWISS
    system = chosen.get("system") or usual_system(raw["discipline"], is_team=is_team, is_swiss=is_swiss)
    rules = {**raw["rules"]}
    if not ranks_by_edition(system):
        rules.pop("unplayed", None)
    elif parse_year(chosen.get("start", "")):
        rules["unplayed"] = edition_of(chosen["start"]).code
    return {"system": system, "rules": rules}


def _as_written(event: EventEntry) -> dict[str, Any]:
    return cast("dict[str, Any]", parse(write(Document(event)))[0]["event"])


def replaced_facts(chosen: EventOutline, own: EventOutline) -> Iterator[Finding]:
    for name in FACTS:
        if chosen.fact(name) and own.fact(name) and chosen.fact(name) != own.fact(name):
            yield _replaced(name, own.fact(name), chosen.fact(name))


def _replaced(name: str, old: str, new: str, source: str = "file") -> Finding:
    return warning("fact-replaced", Place(name), f"“{new}” replaces “{old}” of the {source}, as chosen.")


def _as_text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_as_text(each)}" for key, each in value.items())
    return "-".join(map(_as_text, value)) if isinstance(value, list) else str(value)


def _whole_number(outline: EventOutline, name: str, log: Log) -> int | None:
    text = outline.fact(name)
    if text.isdecimal() and len(text) < 5:
        return int(text)
    log.add("bad-fact", Place(name), f"“{text}” is not a whole number. Write {NEEDED[name]} in figures.")
    return None


def _raw_scoring(outline: EventOutline, log: Log) -> dict[str, Any]:
    if " " not in outline.scoring.strip():
        return {"game": _points_of_fact(outline, "scoring", log)}
    try:
        listed = results_of_text(outline.scoring)
    except ValueError:
        log.add("bad-fact", Place("scoring"), f"“{outline.scoring}” lists no results. Write 3-0 1½-1.")
        return {}
    return {"results": [[Decimal(each) / 2 for each in pair] for pair in listed]}


def _points_of_fact(outline: EventOutline, name: str, log: Log) -> list[Decimal]:
    parts = outline.fact(name).replace(" ", "").replace("–", "-").split("-")
    try:
        points = [parse_points(each) for each in parts]
        if len(points) == 3:
            return [Decimal(each.numerator) / each.denominator for each in points]
    except (ValueError, ZeroDivisionError):
        pass
    text = f"“{outline.fact(name)}” is no scoring. Write win, draw and loss: {' or '.join(SCORINGS)}."
    log.add("bad-fact", Place(name), text)
    return []


def _with_state(document: Document, outline: EventOutline) -> Document:
    is_open = any(each.kind in SCORELESS for _, each in document.pairings())
    is_open |= bool(document.rounds) and document.rounds[-1].number < document.event.planned_rounds
    is_over = outline.results == "unknown"
    event = replace(document.event, state="live" if is_open or not (document.rounds or is_over) else "final")
    published = None if outline.results == "later" else document.published
    if published:
        source = next(iter(outline.sources.splitlines()), "")
        published = replace(published, publisher=outline.published, source=source)
    return replace(document, event=event, published=published)
