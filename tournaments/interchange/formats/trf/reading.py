"""Documents from tournament reports. Invalid input is a finding, never an exception."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from standings.engine import SYSTEMS
from tournaments.event.arrays import order_of_places
from tournaments.event.checks import check_document
from tournaments.event.checks.published import with_complete_results
from tournaments.event.choices import knows_results
from tournaments.event.completing import complete, in_order
from tournaments.event.dates import parse_day
from tournaments.event.document import (
    CompetitorEntry,
    Document,
    EventEntry,
    PlayerEntry,
    PublishedEntry,
    own_flag,
)
from tournaments.event.finding import Finding, Place, error, errors, warning
from tournaments.event.judging import unplayed_by_draughts_rules
from tournaments.event.values import LARGEST
from tournaments.interchange.formats.account import Account, ReadingTally
from tournaments.interchange.formats.dummies import dummies, without
from tournaments.interchange.formats.json.reader import Reading
from tournaments.interchange.formats.log import Log
from tournaments.interchange.formats.options import AS_FOUND, ReadingOptions, bye_of_choice
from tournaments.interchange.formats.trf.abnormal import AbnormalRecords, abnormal_of
from tournaments.interchange.formats.trf.cells import FIRST_COLUMN, WIDTH
from tournaments.interchange.formats.trf.comments import (
    START,
    ReadComments,
    competitors_with_comments,
    event_with_comments,
    read_comments,
    rounds_with_comments,
    with_commented_rulings,
)
from tournaments.interchange.formats.trf.identities import fide_id_of_columns, sex_of, team_rosters
from tournaments.interchange.formats.trf.individual import rounds_of_players
from tournaments.interchange.formats.trf.preserved import PARTLY, preserved_lines
from tournaments.interchange.formats.trf.publishing import publishable_lines
from tournaments.interchange.formats.trf.records import PlayerRecord, TeamRecord, by_number, player_record
from tournaments.interchange.formats.trf.report_lines import COMMENT, ReportLine, report_lines, whole
from tournaments.interchange.formats.trf.returning import (
    renumbered,
    reported_by_pairing_number,
    returned,
    with_pairing_numbers,
)
from tournaments.interchange.formats.trf.settings import (
    Settings,
    by_tag,
    date_of,
    event_of_settings,
    settings_of,
    with_team_bye,
)
from tournaments.interchange.formats.trf.team_records import Teams, teams_of_records
from tournaments.interchange.formats.trf.teams import boards_of_file, rounds_of_teams

PLAYED_KINDS = frozenset({"played", "pending", "unknown"})

PROPOSED_RULES = "proposed-rules"  # code of a finding
ADDRESS = "report"  # the slug while a file is read, because a report has none

_PAIRING = re.compile(r"rounds\[([0-9]+)\](?:\.pairings\[([0-9]+)\])?.*")
_OFF = re.compile(r"(?: *+0000 -(?: Z)?)+")
_COMPETITOR = re.compile(r"competitors\[([0-9]+)\].*")
_RECORDS_OF_FACTS: dict[str, set[str]] = {
    "name": {"012"}, "schedule": {"092", "192"}, "discipline": set(), "system": set(), "rules": set(),
}  # fmt: skip
_TAG_OF_KEY = {"event.end": "052", "event.boards": "352", "event.country": "032"}


@dataclass
class Report:
    lines: list[ReportLine]
    settings: Settings
    comments: ReadComments
    players: dict[int, PlayerRecord]
    abnormal: AbnormalRecords
    log: Log
    teams: Teams | None = None
    dummies: list[str] = field(default_factory=list)  # names of dummy competitors
    options: ReadingOptions = AS_FOUND
    start_numbers: dict[int, int] = field(default_factory=dict)  # of a report by pairing number

    @property
    def records(self) -> Mapping[int, PlayerRecord | TeamRecord]:
        return self.teams.records if self.teams else self.players


def read_report(
    content: bytes, slug: str, options: ReadingOptions = AS_FOUND, base: Document | None = None
) -> Reading:
    """Read a tournament report. `slug` is used if no comment of the file has one.

    `base`: the stored event. A report without our comment belongs to it, and does not change its settings.
    Findings refer to the lines of the file.
    """
    log = Log()
    report = _report_of(content, log, options)
    if report is None:
        return Reading(None, tuple(log.findings))
    document = _document_of_report(report, slug, base)
    completed, remarks = complete(document)
    ordered = _with_preserved_lines(in_order(completed), report)
    is_stored = base is not None and document.event is base.event
    if base and is_stored:
        report.start_numbers = reported_by_pairing_number(base, ordered)
        if report.start_numbers:
            text = (
                "The competitors are numbered by their pairing numbers. They keep their start numbers, and "
                "the pairings are read accordingly."
            )
            log.findings.append(warning("pairing-numbers", report.lines[0].place, text))
            ordered = in_order(renumbered(ordered, report.start_numbers))
        ordered = with_pairing_numbers(base, ordered, report.start_numbers)
        if not base.event.is_team:
            ordered = in_order(returned(base, ordered))
        if not knows_results(base.event):
            there = {each.number for each in ordered.competitors}
            if lost := [each.name for each in base.competitors if each.number not in there]:
                text = f"The report lacks {', '.join(lost[:5])}. Write each name as it is in the event."
                log.findings.append(error("names-differ", report.lines[0].place, text))
            ordered = with_complete_results(replace(ordered, published=base.published))
    found = (
        remarks if errors(log.findings) else (*remarks, *check_document(ordered))
    )  # an incomplete document cannot be checked
    is_new = not (report.comments.of("event") or is_stored)
    if not report.comments.of("event"):
        day = report.settings.first_day if is_new else None
        found = (*found, *_default_rules(ordered, proposed_by=day))
    # The first comment of each round; with None that of all, else the first line.
    commented: dict[int | None, ReportLine] = {}
    for comment in (comment for listed in report.comments.objects.values() for comment in listed):
        commented.setdefault(None, comment.line)
        if comment.round:
            commented.setdefault(comment.round, comment.line)
    commented.setdefault(None, report.lines[0])
    checked = (_at_line(each, ordered, report, commented) for each in found)
    findings = sorted((*log.findings, *checked), key=_line_number)
    lacking = [fact for fact, tags in _RECORDS_OF_FACTS.items() if not tags & report.settings.records.keys()]
    return Reading(ordered, tuple(findings), _account(report, ordered), tuple(lacking) if is_new else ())


def event_of_records(content: bytes) -> EventEntry | None:
    report = _report_of(content, Log())
    return _reported_event(report, is_team=_is_of_teams(report)) if report else None


def document_of_records(content: bytes) -> Document | None:
    """Return the document of our own report without checks, None for other files."""
    report = _report_of(content, Log())
    return in_order(complete(_document_of_report(report, ADDRESS, None))[0]) if report else None


def _report_of(content: bytes, log: Log, options: ReadingOptions = AS_FOUND) -> Report | None:
    lines, findings = report_lines(content, options.encoding)
    log.findings += findings
    if any(each.code == "wrong-encoding" for each in findings):
        return None
    if not any(line.tag == "001" for line in lines):
        text = "This is no tournament report: no line begins with 001. Give each player such a line."
        log.findings.append(error("not-a-report", Place(), text))
        return None
    records = by_tag(lines)
    settings = settings_of(records, log, options.dates)
    comments = read_comments([line for line in lines if line.text.startswith(START)], log)
    for line in settings.odd_points:
        text = "Points for byes or colours that this event cannot have; the line is kept but does not count."
        log.findings.append(warning("points-not-counted", line.place, text))
    abnormal = abnormal_of(records.get("299", ()), settings.game[0], log)
    players = by_number((player_record(line, log) for line in records["001"]), log)
    return Report(lines, settings, comments, dict(sorted(players.items())), abnormal, log, options=options)


def _default_rules(document: Document, *, proposed_by: str | None) -> Iterator[Finding]:
    event, place = document.event, Place("event").key("system")
    if proposed_by is not None:
        yield warning(PROPOSED_RULES, place, text_of_rules(event, proposed_by))
    is_unplayed = any(pairing.kind not in PLAYED_KINDS for _, pairing in document.pairings())
    if is_unplayed and unplayed_by_draughts_rules(event):
        text = (
            "Unplayed rounds count by the rules of draughts (FMJD), as the event's system has it. Look at "
            "the tie-breaks, or choose FIDE's system."
        )
        yield warning("unplayed-as-in-draughts", place, text)


def text_of_rules(event: EventEntry, day: str) -> str:
    reason = "the newest, for the report has no day of start"
    if day:
        reason = f"by the start on {day}" if parse_day(day) else f"by the year {day} alone"
    edition = f", and “{event.unplayed}” for unplayed rounds, {reason}" if event.unplayed else ""
    return (
        f"No ranking system is named: “{SYSTEMS[event.system].name}” is proposed{edition}. "
        f"Look at {'both' if edition else 'it'}, and at the criteria."
    )


def _account(report: Report, document: Document) -> Account:
    tally = ReadingTally()
    # Parts of a record are not lines of the file, so only complete lines are compared.
    preserved = {text for text in document.event.trf if text[:3] not in PARTLY}
    quotable = publishable_lines(document)
    for line in report.lines:
        is_applied = line.number in report.abnormal.applied
        if line.text in preserved and not line.text.startswith(COMMENT) and not is_applied:
            # Other lines, such as DAT of Tornelo, may have private data after the tag and number.
            tally.unread("lines", line.text if line.text in quotable else line.text[:8].strip())
        else:
            tally.read("lines")
    tally.read("competitors", len(document.competitors))
    reserves = report.players.keys() - report.teams.team_of.keys() if report.teams else ()
    for name in (*report.dummies, *(report.players[each].name for each in sorted(reserves))):
        tally.unread("competitors", name)
    tally.read("cells", sum(cell is not None for each in report.players.values() for cell in each.cells))
    if ranks := _valid_ranks(report):
        tally.read("ranks", len(ranks))
        for number, each in report.records.items():
            if number not in ranks:
                tally.unread("ranks", f"{number} {each.name}: {each.rank or 'none'}")
    tie_breaks = report.settings.tie_breaks
    for code in tie_breaks.others:
        tally.unread("tie-break codes", code)
    if tie_breaks.applied:
        tally.read("tie-break codes", len(tie_breaks.applied))
    return tally.account()


def _line_number(finding: Finding) -> int:
    found = re.match("line ([0-9]+)", finding.where)
    return int(found[1]) if found else 0


def _document_of_report(report: Report, slug: str, base: Document | None) -> Document:
    reported = _reported_event(report, is_team=_is_of_teams(report))
    event = event_with_comments(report.comments, reported)
    event = event if report.comments.of("event") else replace(event, slug=slug)
    if base and not report.comments.of("event") and base.event.entrants == reported.entrants:
        event = base.event
    if report.teams:
        chosen_bye = bye_of_choice(event, report.options.bye)
        if chosen_bye and not report.comments.of("event") and not (base and event is base.event):
            event = replace(event, bye_game=chosen_bye[0], bye_match=chosen_bye[1])
        competitors = [_team_of_record(report.teams, number) for number in sorted(report.teams.records)]
        rounds = rounds_of_teams(
            event, report.settings, report.teams, report.players, report.abnormal, report.log, chosen_bye
        )
    else:
        competitors = [_competitor_of_record(each, report) for each in report.players.values()]
        rounds = rounds_of_players(
            event, report.settings, report.players, report.abnormal, report.log, report.options.half_byes
        )
    report.abnormal.tell_unapplied()
    found = report.abnormal.adjustments(event, [each.number for each in competitors])
    competitors = [replace(each, adjustments=found[each.number]) for each in competitors]
    document = Document(
        event=event,
        competitors=competitors_with_comments(report.comments, event, competitors),
        rounds=rounds_with_comments(report.comments, event, rounds),
        published=None if report.comments.of("event") else _published_ranks(report),
    )
    document = with_commented_rulings(report.comments, document)
    return document if report.comments.of("event") else _without_dummy_records(document, report)


def _without_dummy_records(document: Document, report: Report) -> Document:
    found = dummies(document)
    for each in found:
        met = sum(
            each.number in pairing.numbers and pairing.second is not None
            for _, pairing in document.pairings()
        )
        text = (
            f"“{each.name}” is read as a bye and not as a competitor ({met}). Use another name if it is a "
            "competitor."
        )
        report.log.findings.append(warning("dummy-competitor", report.records[each.number].line.place, text))
        report.dummies.append(each.name)
        if report.teams is None:
            del report.players[each.number]
            continue
        record = report.teams.records.pop(each.number)
        for player in dict.fromkeys(record.players):
            if report.teams.team_of.get(player) == each.number:
                del report.teams.team_of[player]
                del report.players[player]
    if not found:
        return document
    return without(replace(document, published=_published_ranks(report)), {each.number for each in found})


def _is_of_teams(report: Report) -> bool:
    records = report.settings.records
    if "310" in records:
        return True
    # Old records (`013`) of a few teams among players are for a team prize.
    listed = {
        whole(line.text[at : at + 4])
        for line in records.get("013", ())
        for at in range(36, len(line.text), 5)
    }
    playing = {number for number, each in report.players.items() if each.has_game}
    return "013" in records and listed >= playing


def _reported_event(report: Report, *, is_team: bool) -> EventEntry:
    settings, boards = report.settings, None
    if is_team:
        numbered = {
            number: PlayerEntry(**_person_of_record(each, report)) for number, each in report.players.items()
        }
        report.teams = teams = teams_of_records(settings, report.players, numbered, report.log)
        boards = boards_of_file(settings, teams, report.players)
        for record in teams.records.values():
            # A record may name a player twice; the first board is used.
            for board, number in enumerate(dict.fromkeys(record.players), start=1):
                if teams.team_of.get(number) == record.number and number in teams.players:
                    teams.players[number] = replace(teams.players[number], board=board)
        for line in settings.records.get("320", ()):
            settings = with_team_bye(settings, line, report.log)
    played, numbers = _last_played_round(report), report.records.keys()
    counted, listed = settings.rounds or 0, (len(each.cells) for each in report.players.values())
    rounds = max(counted, min(listed, default=0))
    if 0 < played < rounds:
        start, end = (FIRST_COLUMN + WIDTH * each for each in (played, rounds))
        rest = [each.line.text[start:end].rstrip() for each in report.players.values()]
        # Some programs count rounds in which every player has the cell `0000 -`, or write blanks.
        are_off = all(_OFF.fullmatch(each) and each.count("-") == rounds - played for each in rest)
        if are_off or not (counted > played or any(rest)):
            settings = replace(settings, rounds=played)
            if not any("Z" in each for each in rest):
                text = f"Round {played + 1} has no games, and is left out. Add it if it will be played."
                report.log.findings.append(warning("empty-round", settings.records["001"][0].place, text))
    return event_of_settings(settings, ADDRESS, boards=boards, played=played, numbers=numbers, log=report.log)


def _last_played_round(report: Report) -> int:
    last = 0
    for player in report.players.values():
        for number, cell in enumerate(player.cells, start=1):
            if number > last and cell and cell.opponent and cell.code:
                last = number
    return last


# --- competitors ------------------------------------------------------------------------------------------


def _competitor_of_record(player: PlayerRecord, report: Report) -> CompetitorEntry:
    if player.number > LARGEST:
        report.log.add(
            "out-of-range", player.line.place, f"{player.number} is not between 1 and {LARGEST}. Correct it."
        )
    return CompetitorEntry(
        number=player.number,
        code=player.federation,
        flag=own_flag(player.federation, player.federation),
        **_person_of_record(player, report),
    )


def _person_of_record(player: PlayerRecord, report: Report) -> dict[str, Any]:
    born = date_of(report.settings, player.line, player.born, report.log)
    # Two digits may be 1905 or 2005; birth precedes the event.
    is_to_come = bool(report.settings.start) and born[:4] > report.settings.start[:4]
    if is_to_come and born[:4] not in player.born:
        born = f"{int(born[:4]) - 100}{born[4:]}"
    return {
        "name": player.name,
        "fide_id": fide_id_of_columns(player.fide_id),
        "title": player.title,
        "rating": player.rating,
        "sex": sex_of(player.sex),
        "born": born,
    }


def _team_of_record(teams: Teams, number: int) -> CompetitorEntry:
    record = teams.records[number]
    members = (each for each in dict.fromkeys(record.players) if teams.team_of.get(each) == number)
    return CompetitorEntry(
        number=number,
        name=record.name or f"No. {number}",
        code=record.nickname,
        flag=own_flag(record.nickname, record.nickname)[:3],
        players=tuple(teams.players[each] for each in members if each in teams.players),
    )


def _published_ranks(report: Report) -> PublishedEntry | None:
    ranks = _valid_ranks(report)
    if not ranks or not _last_played_round(report):
        return None
    order = order_of_places(dict(sorted(ranks.items())), len(report.records) + 1)
    return PublishedEntry(order=order, source="TRF")


def _valid_ranks(report: Report) -> dict[int, int]:
    ranked = ((number, each.rank) for number, each in report.records.items())
    return {number: rank for number, rank in ranked if rank and rank <= len(report.records)}


# --- preserved lines and places of findings ---------------------------------------------------------------


def _with_preserved_lines(document: Document, report: Report) -> Document:
    teams = report.teams
    numbers = team_rosters(document).numbers if teams else {}
    renumbered = {
        number: numbers.get((team, teams.players[number].identity), number)
        for number, team in (teams.team_of.items() if teams else ())
        if teams and number in teams.players
    }
    preserved = preserved_lines(
        report.lines,
        report.settings,
        [each for each in report.players.values() if not teams or each.number in teams.team_of],
        teams.records.values() if teams else (),
        renumbered,
        document.event,
        report.abnormal.in_fields,
    )
    return replace(document, event=replace(document.event, trf=preserved))


def _at_line(
    finding: Finding, document: Document, report: Report, commented: Mapping[int | None, ReportLine]
) -> Finding:
    if finding.where.startswith("line "):
        return finding
    line = _line_of(finding.where, document, report) or commented.get(finding.round) or commented[None]
    return replace(finding, where=f"line {line.number}")


def _line_of(where: str, document: Document, report: Report) -> ReportLine | None:
    if found := _PAIRING.fullmatch(where):
        pairings, at = document.rounds[int(found[1])].pairings, found[2]
        pairing = pairings[int(at)] if at is not None else next(iter(pairings), None)
        return _line_of_competitor(pairing.first, report) if pairing else None
    if found := _COMPETITOR.fullmatch(where):
        return _line_of_competitor(document.competitors[int(found[1])].number, report)
    lines = report.settings.records.get(_TAG_OF_KEY.get(where, "012"), [])
    return lines[0] if lines and where.startswith("event") else None


def _line_of_competitor(number: int, report: Report) -> ReportLine | None:
    reported = next((key for key, start in report.start_numbers.items() if start == number), number)
    record = report.records.get(reported)
    return record.line if record else None
