"""Print the standings of an event file or of a recorded event, as text or JSON."""

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from standings.api.views import ranked_rows
from standings.basis import basis_of, sentence
from standings.checking.comparing import (
    ORDER,
    Agreement,
    PlaceGap,
    PublishedStandings,
    agreements_with_published,
    count_place_gaps,
)
from standings.engine import (
    POLICIES,
    SYSTEMS,
    RankingOverride,
    Standings,
    UnknownCriterionError,
    get_criterion,
    rank,
)
from standings.tables.sheet import published_figures
from tournaments.crosstable import judge
from tournaments.event.finding import Finding
from tournaments.event.judging import judge_document
from tournaments.interchange.formats import file_formats
from tournaments.interchange.formats.options import ReadingOptions, add_reading_options, options_of
from tournaments.interchange.formats.sources import readable, sources
from tournaments.models import Event, Published

PLAYER_RECORD, TEAM_RECORD = "001", "310"
"""Records of a tournament report that contain ranks."""


@dataclass(frozen=True)
class Subject:
    """An event from a file or from the database.

    `record` is the report's record that contains the ranks, blank for other formats. `is_listed`: the file
    lists its criteria.
    """

    slug: str
    standings: Standings
    published: PublishedStandings | None
    findings: Sequence[Finding]
    record: str = ""
    is_listed: bool = True


class Command(BaseCommand):
    """`manage.py standings FILE|SLUG`."""

    help = (
        "Print the standings of a recorded event, or of a file without touching the database: an event file "
        "or a tournament report, also in a folder or a ZIP."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", metavar="FILE|SLUG")
        parser.add_argument("--after", type=int, metavar="N", help="after round N instead of the last one")
        parser.add_argument("--system", metavar="CODE", help="rank under another system")
        parser.add_argument("--criteria", metavar="A,B,C", help="replace the system's criteria")
        parser.add_argument("--unplayed", metavar="POLICY", help="value unplayed rounds otherwise")
        parser.add_argument("--show", metavar="D,E", help="further columns, which decide nothing")
        parser.add_argument("--check", action="store_true", help="compare with the published standings")
        parser.add_argument("--json", action="store_true", help="as JSON")
        add_reading_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Raise CommandError if the event or an option is unknown, or if a check fails."""
        subject = _subject(options["event"], options_of(options))
        standings = _judge(subject, options)
        shown = _codes(options["show"]) if options["show"] else ()
        if options["json"]:
            self.stdout.write(json.dumps(_as_json(subject, standings, shown), ensure_ascii=False, indent=1))
        else:
            self.stdout.write("\n".join(_as_text(standings, shown)))
        if options["check"]:
            self._check(subject, standings, final=options["after"] is None, quiet=options["json"])

    def _check(self, subject: Subject, standings: Standings, *, final: bool, quiet: bool) -> None:
        if standings.table.published is not None:
            raise CommandError(f"{subject.slug} has no results, so its published standings cannot be checked")
        if subject.published is None:
            raise CommandError(f"{subject.slug} has no published standings to check against")
        tables = _published_tables(subject.published, standings, final=final)
        if not tables:
            raise CommandError(
                f"{subject.slug} has no published standings after round {standings.table.rounds}"
            )
        if not quiet:
            report = f"ranks of the report (record {subject.record})"
            source = report if subject.record else "published standings"
            for after, agreements in tables:
                self.stdout.write(f"\n{source} after round {after}")
                self.stdout.write("\n".join(_agreement_lines(agreements, standings)))
            for line in _report_lines(subject, standings):
                self.stdout.write(line)
            if standings.overrides:
                self.stdout.write(
                    "\n".join(["", *map(partial(_ruling_line, standings), standings.overrides)])
                )
        unexplained = sum(len(agreement.unexplained) for _, found in tables for agreement in found)
        if unexplained:
            raise CommandError(f"{unexplained} differences from the published standings", returncode=1)


def _published_tables(
    published: PublishedStandings, standings: Standings, *, final: bool
) -> list[tuple[int, list[Agreement]]]:
    """Return the comparison for each published table, with its round, after which standings are computed."""
    last = standings.table.rounds
    earlier = sorted(map(int, published.after_round)) if final else [last]
    tables = [(last, agreements_with_published(standings, published))] if final else []
    tables += [
        (after, agreements_with_published(standings.after(after), published, is_final=False))
        for after in earlier
        if after <= last
    ]
    return [(after, agreements) for after, agreements in tables if agreements]


def _subject(named: str, options: ReadingOptions) -> Subject:
    path = Path(named)
    if path.exists():
        return _from_file(path, options)
    event = Event.objects.filter(slug=named).first()
    if event is None:
        raise CommandError(f"there is neither a file nor an event called {named!r}")
    published = Published.objects.filter(event=event).first()
    return Subject(event.slug, judge(event), published, ())


def _from_file(path: Path, options: ReadingOptions) -> Subject:
    is_single = path.is_file() and file_formats.suffix_of(path.name) != ".zip"
    found = list(sources([path])) if is_single else readable(sources([path]))
    if len(found) != 1:
        raise CommandError(f"{path} holds {len(found)} files that can be read; name the one of the event")
    content, problem = found[0].read()
    if problem:
        raise CommandError(str(problem), returncode=1)
    if file_formats.is_table(found[0].name) and not file_formats.holds_event(found[0].name, content):
        raise CommandError(
            f"{found[0].name} is a table, and no whole event: import it into one, and name that"
        )
    reading = file_formats.read_event_file(content, found[0].name, options=options)
    document = reading.document
    if document is None or reading.errors:
        raise CommandError("\n".join(str(finding) for finding in reading.findings), returncode=1)
    standings = judge_document(document)
    record = (
        (TEAM_RECORD if document.event.is_team else PLAYER_RECORD)
        if file_formats.is_report(found[0].name, content)
        else ""
    )
    return Subject(
        document.event.slug,
        standings,
        document.published,
        reading.findings,
        record,
        is_listed=bool(document.event.criteria),
    )


def _judge(subject: Subject, options: dict[str, Any]) -> Standings:
    """Return the standings as ruled. Options for system, list or policy override the rules in force."""
    standings = subject.standings
    if options["after"] is not None:
        if not 0 < options["after"] <= standings.table.rounds:
            raise CommandError(f"there is no round {options['after']}: {standings.table.rounds} are paired")
        standings = standings.after(options["after"])
    if not any(options[name] for name in ("system", "criteria", "unplayed")):
        return standings
    table, system = standings.table, standings.system
    if options["system"]:
        system = _known(SYSTEMS, options["system"], "system")
    if options["criteria"]:
        system = system.ordered_by(_codes(options["criteria"]))
    if options["unplayed"]:
        table = replace(table, unplayed=_known(POLICIES, options["unplayed"], "unplayed policy"))
    # Changes of rules are left out, because they would restore their own system.
    return rank(table, system, [ruling for ruling in standings.overrides if ruling.kind != "rules"])


def _known(table: dict[str, Any], code: str, what: str) -> Any:
    if code not in table:
        raise CommandError(f"there is no {what} {code!r}; there are {', '.join(table)}")
    return table[code]


def _codes(text: str) -> tuple[str, ...]:
    codes = tuple(code.strip() for code in text.split(",") if code.strip())
    try:
        return tuple(get_criterion(code).code for code in codes)
    except UnknownCriterionError as unknown:
        raise CommandError(str(unknown)) from unknown


def _as_json(subject: Subject, standings: Standings, shown: tuple[str, ...]) -> dict[str, Any]:
    findings = [
        {"code": f.code, "severity": f.severity, "where": f.where, "message": f.message}
        for f in subject.findings
    ]
    return {
        "event": subject.slug,
        "after": standings.table.rounds,
        "system": standings.system.code,
        "criteria": list(standings.criteria),
        "rows": [row.model_dump() for row in ranked_rows(standings, shown)],
        "findings": findings,
    }


def _as_text(standings: Standings, shown: tuple[str, ...]) -> list[str]:
    """Return a text table, a line per competitor, with its basis and the rulings."""
    columns = [standings.column(code) for code in (*standings.criteria, *shown)]
    numbers, printed = standings.table.numbers.tolist(), published_figures(standings)
    labels = [*(label for label, _figures in printed), *(column.criterion.abbr for column in columns)]
    lines = [["", "pl.", "name", *labels, "decided by"]]
    for row in standings.rows():
        place = f"{row.place or '-'}{'=' if row.shared else ''}{standings.place_mark(row.competitor)}"
        cells = [figures[row.competitor] for _label, figures in printed]
        cells += [column.text(row.competitor) for column in columns]
        name = standings.table.names[row.competitor]
        lines.append([place, str(numbers[row.competitor]), name, *cells, row.decided_by or ""])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    reasons = [f"* {ruling.kind} manually changed: {ruling.reason}" for ruling in standings.overrides]
    return [sentence(basis_of(standings.table)), *(_line(cells, widths) for cells in lines), *reasons]


def _line(cells: list[str], widths: list[int]) -> str:
    name, last = 2, len(cells) - 1
    aligned = (
        cell.ljust(width) if at in (name, last) else cell.rjust(width)
        for at, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join(aligned).rstrip()


def _report_lines(subject: Subject, standings: Standings) -> list[str]:
    """Return lines about the criteria of a report and its other disagreements with its results."""
    if not subject.record:
        return []
    codes = ", ".join(get_criterion(code).abbr for code in standings.criteria)
    lines = [f"ranked by {codes}; unplayed rounds as in {standings.table.policy.code}"]
    if not subject.is_listed:
        lines.append("the report names no tie-breaks (records 202 and 212): name them by --criteria")
    if subject.record == TEAM_RECORD:
        lines.append("the ranks of players (record 001) are not compared: nothing here ranks them")
    lines += [str(each) for each in subject.findings if each.code in {"points-differ", "unknown-tie-break"}]
    return lines


def _gap_lines(places: Agreement, standings: Standings) -> list[str]:
    first = get_criterion(standings.criteria[0]).abbr
    words = {
        PlaceGap.LEVEL: "one of several that share ours, which contradicts nothing",
        PlaceGap.TIE_BREAKS: f"that of somebody with the same {first}, whom the tie-breaks part otherwise",
        PlaceGap.SCORE: f"that of somebody with another {first}",
    }
    gaps = count_place_gaps(standings, places)
    return [f"  another place, {text}: {gaps[gap]}" for gap, text in words.items() if gaps[gap]]


def _agreement_lines(agreements: list[Agreement], standings: Standings) -> list[str]:
    name_of = dict(zip(standings.table.numbers.tolist(), standings.table.names, strict=True))
    lines = []
    for agreement in agreements:
        if not agreement.checked:
            lines.append(f"{agreement.label}: not checked, no criterion is known by that label")
            continue
        lines.append(f"{agreement.label}: {agreement.agreeing} of {agreement.rows} agree")
        lines += _gap_lines(agreement, standings) if agreement.label == ORDER else []
        for figures in agreement.figures:
            if figures.is_same and not figures.ruled:
                continue
            ruled = f", as ruled {figures.ruled}" if figures.ruled else ""
            reason = f" ({figures.why})" if figures.why else ""
            lines.append(
                f"  {name_of[figures.number]}: published {figures.published},"
                f" computed {figures.computed}{ruled}{reason}"
            )
    return lines


def _ruling_line(standings: Standings, ruling: RankingOverride) -> str:
    name = standings.table.names[ruling.competitor] if ruling.competitor >= 0 else ""
    value = " · ".join(map(str, ruling.levels))
    what = {
        "place": f"place {ruling.place} for {name}",
        "value": f"{ruling.criterion} {value} for {name}",
        "pairing": f"the pairing of round {ruling.round}, table {ruling.table}",
        "criteria": f"the criteria {', '.join(ruling.criteria)}",
        "rules": "the rules of the ranking",
    }
    return f"ruled by hand: {what.get(ruling.kind, ruling.kind)} ({ruling.reason})"
