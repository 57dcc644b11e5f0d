"""Import events from files, folders and archives: differences first, then a transaction per file."""

from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, reset_queries

from tournaments.event.finding import Finding, Place, error, errors, lines_by_kind
from tournaments.interchange.formats.foreign_files import UNKNOWN_FORMAT
from tournaments.interchange.formats.json.parsing import content_of
from tournaments.interchange.formats.json.reader import Reading
from tournaments.interchange.formats.layouts import LAYOUTS
from tournaments.interchange.formats.layouts.outline import add_outline_options, outline_given, outline_of
from tournaments.interchange.formats.layouts.reading import MISSING_FACT, evidence_and_facts
from tournaments.interchange.formats.manifest import NO_MANIFEST, Manifest, read_manifest
from tournaments.interchange.formats.options import add_reading_options, options_of
from tournaments.interchange.formats.sources import MANIFEST, Source, manifests, sources
from tournaments.interchange.imports import report
from tournaments.interchange.imports.description import difference_lines, summary
from tournaments.interchange.imports.import_diff import ImportDiff
from tournaments.recording.imports.importing import ImportRequest, import_file
from tournaments.recording.integrity import uniqueness_error
from tournaments.recording.refusal import Refused
from tournaments.search.index import refresh_after_import

SEARCHED_AFTER = 100
"""The search index is updated after this many files."""

BAR = 30
BEFORE = "done before"


class Command(BaseCommand):
    """Print the changes of each file, and store it."""

    help = (
        "Imports events from event files, tournament reports, folders and ZIP archives (docs/import.md), "
        "and tables as new events or, with --into, into an existing event. Files with warnings are "
        "imported; files with errors are not."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files", metavar="FILE", nargs="+", type=Path, help="Files, folders or ZIP archives."
        )
        parser.add_argument("--dry-run", action="store_true", help="Show the changes without saving them.")
        parser.add_argument(
            "--into", metavar="SLUG", default="", help="The event that tables and reports are read into."
        )
        parser.add_argument(
            "--reason", default="", help="Why published results change; the public log shows it."
        )
        parser.add_argument(
            "--accept",
            metavar="REASON",
            default="",
            help="Reason to import a file despite its errors; stored with the imports of its event.",
        )
        add_reading_options(parser)
        codes = [each.code for each in LAYOUTS]
        parser.add_argument(
            "--layout", choices=codes, default="", help="How the file is laid out; else it is recognised."
        )
        add_outline_options(parser)
        parser.add_argument(
            "--manifest",
            type=Path,
            help="A table with a row for each file, for facts missing from the files (docs/import.md).",
        )
        parser.add_argument(
            "--report",
            type=Path,
            help="A CSV report with a row for each file; if the file exists, the files in it are skipped.",
        )

    def handle(self, *_: Any, files: list[Path], **options: Any) -> None:
        """Raise CommandError with exit code 1 if a file had errors, else 2 if a file was skipped."""
        settings = {each: options[each] for each in ("dry_run", "into", "reason", "accept")}
        outline = outline_given(options)
        if options["into"] and outline.places:
            raise CommandError(
                "With --into the tables go into an event that is there and keeps its settings."
            )
        self.written: dict[str, str] = {}  # the file of each event
        self.wishes = ImportRequest(**settings, options=options_of(options), outline=outline)
        # Find all files first: the progress bar needs their number, and wrong paths are reported before any
        # import.
        every, start = list(sources(files, options["report"])), perf_counter()
        found = [each for each in every if not each.passed_over]
        if len(found) > 1 and (outline.name or outline.slug):
            raise CommandError(
                "Several files cannot share one name. Use --name and --slug with one file only."
            )
        self.manifest = self._manifest(files, found, options["manifest"])
        self.report = None if options["dry_run"] else _report_at(options["report"])
        self._tell_passed_over(every, has_manifest=options["manifest"] is None)
        counted = Counter(self._turns(found))
        self._show_bar("")
        if len(found) > 1:
            seconds = perf_counter() - start
            counts = ", ".join(f"{count} {what}" for what, count in counted.items())
            self.stdout.write(
                f"{len(found)} files: {counts}; {seconds:.1f} s, {len(found) / seconds:.1f} a second"
            )
        if not found:
            raise CommandError("There is no file to import.")
        skipped = f"{counted[report.SKIPPED]} of {len(found)} files were skipped: their format is not known."
        if counted[report.FAULTY]:
            failed = f"{counted[report.FAULTY]} of {len(found)} files had errors and were not imported."
            raise CommandError(f"{failed} {skipped}" if counted[report.SKIPPED] else failed)
        if counted[report.SKIPPED]:
            raise CommandError(skipped, returncode=2)

    def _tell_passed_over(self, every: Sequence[Source], *, has_manifest: bool) -> None:
        """Print names and number of skipped files by reason, without the manifest in use."""
        by_reason: dict[str, list[Source]] = defaultdict(list)
        for each in every:
            if each.passed_over and not (has_manifest and each.passed_over == MANIFEST):
                by_reason[each.passed_over].append(each)
        for reason, passed in by_reason.items():
            names = ", ".join(each.name for each in passed)
            self.stdout.write(f"{len(passed)} {report.PASSED_OVER} (each is {reason}): {names}")
            for each in passed:
                # without checksum, because the file is not read
                if self.report and not self.report.is_done(each.name, ""):
                    self.report.add(
                        report.ReportLine(each.name, "", report.PASSED_OVER, findings=f"It is {reason}.")
                    )

    def _manifest(self, paths: list[Path], found: list[Source], chosen: Path | None) -> Manifest:
        """Return the named manifest or the one among the files. Raise CommandError if it is invalid."""
        there = [Source(chosen.name, partial(content_of, chosen))] if chosen else list(manifests(paths))
        if len(there) > 1:
            names = ", ".join(each.name for each in there)
            raise CommandError(f"There are several manifests: {names}. Choose one with --manifest.")
        if not there:
            return NO_MANIFEST
        content, problem = there[0].read()
        read = read_manifest(content, [each.name for each in found]) if not problem else NO_MANIFEST
        for finding in (problem,) if problem else read.findings:
            self.stderr.write(f"{there[0].name}: {finding}")
        if problem or errors(read.findings):
            raise CommandError("The manifest has errors. No events were imported.")
        return read

    def _turns(self, found: Sequence[Source]) -> Iterator[str]:
        for index, source in enumerate(found, start=1):
            yield self._turn(source, index, len(found))
            if not self.wishes.dry_run and (index % SEARCHED_AFTER == 0 or index == len(found)):
                refresh_after_import()

    def _turn(self, source: Source, index: int, count: int) -> str:
        self._show_bar("")
        content, problem = source.read()
        digest = sha256(content).hexdigest()
        if self.report and self.report.is_done(source.name, digest):
            return BEFORE
        if count > 1:
            self.stdout.write(f"[{index}/{count}] {source.name}")
        self.diffs: list[ImportDiff] = []
        findings = (problem,) if problem else self._import(source.name, content)
        for line in lines_by_kind(findings):
            self.stderr.write(f"{source.name}: {line}")
        for each in findings:
            if each.code == MISSING_FACT:
                options = each.where.replace(", ", ", --")
                self.stderr.write(f"{source.name}: Give the missing facts with --{options}.")
        diff = self.diffs[0] if self.diffs else None
        changes = diff is not None and not diff.differences.is_empty
        state = report.IMPORTED if changes else report.UNCHANGED
        if errors(findings):
            is_unknown = any(each.code == UNKNOWN_FORMAT for each in findings)
            state = report.SKIPPED if is_unknown else report.FAULTY
        elif diff:
            self.written[diff.document.event.slug] = source.name
        if self.report:
            event, changed = (diff.document.event.slug, summary(diff.differences)) if diff else ("", "")
            told = "\n".join(map(str, findings))
            self.report.add(report.ReportLine(source.name, digest, state, event, changed, told))
        # under DEBUG, Django stores all queries, and a folder of events would fill the memory
        reset_queries()
        if count > 1:
            done = BAR * index // count
            self._show_bar(f"{'█' * done}{'░' * (BAR - done)} {index}/{count}")
        return state

    def _show_bar(self, bar: str) -> None:
        """Print the progress bar on a terminal; a blank removes it."""
        if self.stderr.isatty():
            self.stderr.write(f"\r\x1b[K{bar}", ending="")
            self.stderr.flush()

    def _import(self, name: str, content: bytes) -> tuple[Finding, ...]:
        wishes = self._wishes_for(self.manifest.rows.get(name, {}))
        try:
            return import_file(name, content, announce=self._announce, report=self._describe, wishes=wishes)
        except Refused as taken:
            return (error("address-taken", Place("slug"), str(taken)),)
        except DatabaseError as refusal:
            why = uniqueness_error(refusal) or f"{refusal}."
            text = f"The database refused the event: {why} The event was not saved."
            return (error("refused-by-the-database", Place(), text),)

    def _wishes_for(self, row: Mapping[str, str]) -> ImportRequest:
        """Return the import options of a file: of its row in the manifest, else of the command line."""
        asked = self.wishes
        chosen = {**asdict(asked.options), **row}
        return replace(
            asked,
            reason=row.get("reason", asked.reason),
            accept=row.get("accept", asked.accept),
            options=options_of(chosen),
            outline=outline_of(row, "the manifest").completed_by(asked.outline),
        )

    def _describe(self, reading: Reading) -> None:
        for line in (*evidence_and_facts(reading), *reading.account):
            self.stdout.write(str(line))

    def _announce(self, diff: ImportDiff) -> None:
        slug = diff.document.event.slug
        other = "" if self.wishes.into or diff.differences.is_empty else self.written.get(slug)
        if diff.stored and other:
            text = f"“{other}” was imported as the event “{slug}”. Give this file another address (--slug)."
            raise Refused(text)
        self.diffs.append(diff)
        if diff.stored:  # the summary is enough for a new event, in which everything is new
            for line in difference_lines(diff.differences):
                self.stdout.write(line)
        self.stdout.write(f"{diff.document.event.slug}: {summary(diff.differences)}")


def _report_at(path: Path | None) -> report.ImportReport | None:
    if path is None:
        return None
    try:
        return report.ImportReport(path)
    except OSError as problem:
        raise CommandError(f"The report cannot be written: {problem}. Name another place.") from problem
