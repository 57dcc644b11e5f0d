"""Back up the database while the site runs, and check the dump."""

from argparse import ArgumentParser
from pathlib import Path
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.models import Event
from tournaments.operations.upkeep import dumpfolder
from tournaments.operations.upkeep.dumping import check_backup, make_backup
from tournaments.operations.upkeep.fingerprints import Fingerprint

FAILED, UNTRIED, BUSY = 1, 3, 75


class Command(BaseCommand):
    """Dump, restore into a scratch database, compare, and prune old dumps."""

    help = (
        "Dumps the database into a folder, restores the dump into a scratch database and compares both "
        "(docs/deployment.md). Exit code 1: no good dump; 3: the dump could not be tested; 75: another "
        "backup is running."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", metavar="FOLDER", type=Path, nargs="?", help="Folder of the dumps.")
        parser.add_argument("--keep", metavar="N", type=int, default=14, help="Dumps that stay: %(default)s.")
        parser.add_argument("--check", metavar="FILE", type=Path, help="Try this dump instead.")
        parser.add_argument(
            "--timeout", metavar="SECONDS", type=int, default=3600, help="How long it may take: %(default)s."
        )

    def handle(
        self, *_: Any, folder: Path | None, keep: int, check: Path | None, timeout: int, **__: Any
    ) -> None:
        """Make or check a backup. Raise CommandError with the exit code of the failure."""
        if (folder is None) == (check is None) or keep < 1:
            raise CommandError("Give a folder, or a dump with --check, and a --keep of at least 1.")
        start = perf_counter()
        try:
            if check:
                holds = check_backup(check.resolve(), timeout)
                self.stdout.write(_said(check, holds, "restored and equal", start))
            elif folder:
                self._back_up(dumpfolder.DumpFolder(folder.resolve()), keep, timeout, start)
        except dumpfolder.BusyError as problem:
            raise CommandError(str(problem), returncode=BUSY) from problem
        except dumpfolder.NotTriedError as problem:
            raise CommandError(f"Not tried: {problem}", returncode=UNTRIED) from problem
        except dumpfolder.NotEqualError as problem:
            raise CommandError(f"The dump is no good. {problem}", returncode=FAILED) from problem
        except (dumpfolder.NotDumpedError, OSError) as problem:
            raise CommandError(f"There is no new backup. {problem}", returncode=FAILED) from problem

    def _back_up(self, folder: dumpfolder.DumpFolder, keep: int, timeout: int, start: float) -> None:
        with folder.alone():
            made = make_backup(folder, timeout)
            became = "not tried" if made.doubt else "restored and equal"
            self.stdout.write(_said(made.path, made.holds, became, start))
            for path in folder.prune(keep):
                self.stdout.write(f"{path.name} deleted: {keep} are kept")
        if made.doubt:
            raise dumpfolder.NotTriedError(made.doubt)


def _said(path: Path, holds: Fingerprint, became: str, start: float) -> str:
    rows = sum(table.rows for table in holds["tables"].values())
    events = f", {found.rows} events" if (found := holds["tables"].get(Event._meta.db_table)) else ""
    return (
        f"{path.name}: {path.stat().st_size:,} bytes, {len(holds['tables'])} tables, {rows:,} rows{events};"
        f" {became} in {perf_counter() - start:.1f} s"
    )
