"""Compare the pages, files and API responses of the demo events between a revision and the working tree.

    python -m tools.samepages [BASE] [--all] [--show N]

BASE is crawled in a temporary git worktree; the working tree gets the same requests at the same time. Both
have a new SQLite database with the demo events. The responses of BASE are cached in the repository's
`.git/samepages`, so that the next run requests the working tree only. The exit code is 1 if a response
differs in more than normalise.py ignores.
"""

import argparse
import difflib
import hashlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NamedTuple

from tools.samepages.normalise import normalised_headers, parts_of
from tools.samepages.visit import EVENTS, Request

BEFORE_THE_REDESIGN = "542ef33"
VISIT = Path(__file__).with_name("visit.py")
MOST_COMPARED = 40
"""Responses of a kind whose differences are computed. If all have changed, more do not help."""

LONGEST_DIFFERENCE = 40
DIGITS = re.compile(r"\d+")


class Answer(NamedTuple):
    """A response as written by visit.py; `days` are those of its visit."""

    request: Request
    kind: str
    status: int
    headers: dict[str, str]
    body: bytes
    days: tuple[str, ...]

    @property
    def head(self) -> str:
        return f"{self.status}\n{normalised_headers(self.headers)}"

    def texts(self) -> dict[str, str]:
        content_type = self.headers.get("Content-Type", "") if self.status == 200 else "text/html"
        return {"(head)": self.head, **dict(parts_of(self.body, content_type, self.days))}


@dataclass
class Comparison:
    """The number of responses of each kind, how many differ, and the distinct changes."""

    asked: Counter[str] = field(default_factory=Counter)
    differing: Counter[str] = field(default_factory=Counter)
    changes: dict[str, "Change"] = field(default_factory=dict)

    def add(self, before: Answer, after: Answer) -> None:
        self.asked[before.kind] += 1
        if before.head == after.head and before.body == after.body:
            return
        if self.differing[before.kind] >= MOST_COMPARED:
            self.differing[before.kind] += before.texts() != after.texts()
            return
        lines = list(difference(before, after))
        if not lines:
            return
        self.differing[before.kind] += 1
        changed = [
            DIGITS.sub("0", line) for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")
        ]
        change = self.changes.setdefault("\n".join(changed), Change(before.kind, lines))
        change.count += 1


@dataclass
class Change:
    """A change in `count` responses, with the kind of the first and the lines of its difference."""

    kind: str
    lines: list[str]
    count: int = 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.samepages", description=__doc__.partition("\n")[0])
    parser.add_argument("base", metavar="BASE", nargs="?", default=BEFORE_THE_REDESIGN, help="a git revision")
    parser.add_argument("--all", action="store_true", help="every address instead of a sample of each kind")
    parser.add_argument("--show", metavar="N", type=int, default=20, help="how many changes to print")
    options = parser.parse_args()
    tree = Path(git("rev-parse", "--show-toplevel"))
    base = git("rev-parse", "--verify", f"{options.base}^{{commit}}")
    with tempfile.TemporaryDirectory(prefix="samepages-") as folder:
        before, after = visited(base, tree, Path(folder), everything=options.all)
        comparison = compared(before, after)
    return report(comparison, options.show)


def git(*arguments: str) -> str:
    result = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(result.stderr)
    return result.stdout.strip()


# --- visits -----------------------------------------------------------------------------------------------


def visited(base: str, tree: Path, folder: Path, *, everything: bool) -> tuple[Path, Path]:
    """Return the databases of responses of the base and of the tree; visit them unless cached."""
    old, new = folder / "old", folder / "new"
    old.mkdir()
    new.mkdir()
    kept = kept_answers(base, everything=everything)
    if kept.exists():
        requests = "".join(
            f"{line}\n" for (line,) in rows(kept, "SELECT request FROM answers ORDER BY rowid")
        )
        visitor = start(tree, new, ["--asked"])
        visitor.communicate(requests.encode())
        end(visitor)
        return kept, new / "answers.sqlite3"
    with worktree(base, folder / "tree") as base_tree:
        crawler = start(base_tree, old, ["--all"] if everything else [])
        visitor = start(tree, new, ["--asked"], stdin=crawler.stdout)
        if crawler.stdout:
            crawler.stdout.close()  # so that the crawler ends if the other process does
        for process in (crawler, visitor):
            end(process)
    kept.parent.mkdir(exist_ok=True)
    partly = kept.with_suffix(f".{os.getpid()}")
    shutil.copyfile(old / "answers.sqlite3", partly)
    partly.replace(kept)
    return kept, new / "answers.sqlite3"


def kept_answers(base: str, *, everything: bool) -> Path:
    """Return the path of a revision's cached responses, by kind of visit and Python version."""
    made_of = b"".join(path.read_bytes() for path in (VISIT, *sorted(EVENTS.glob("*.json"))))
    made_of += sys.version.encode() + Path(sys.prefix).resolve().as_posix().encode()
    name = f"{base[:12]}-{hashlib.sha256(made_of).hexdigest()[:12]}{'-all' if everything else ''}.sqlite3"
    return Path(git("rev-parse", "--path-format=absolute", "--git-common-dir")) / "samepages" / name


@contextmanager
def worktree(base: str, folder: Path) -> Iterator[Path]:
    git("worktree", "add", "--detach", str(folder), base)
    try:
        yield folder
    finally:
        git("worktree", "remove", "--force", str(folder))


def start(
    tree: Path, folder: Path, options: list[str], stdin: IO[bytes] | None = None
) -> subprocess.Popen[bytes]:
    """Start a visit in a tree. Its stdin is a pipe unless given; its stdout is a pipe."""
    environment = {name: text for name, text in os.environ.items() if name not in OF_THE_SHELL}
    return subprocess.Popen(
        [sys.executable, "-P", "-W", "ignore", str(VISIT), str(folder), *options],
        cwd=tree,
        env=environment | {"PYTHONDONTWRITEBYTECODE": "1"},
        stdin=stdin or subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


OF_THE_SHELL = ("PYTHONPATH", "SECURE_SSL_REDIRECT", "CSRF_TRUSTED_ORIGINS", "OTP_REQUIRED", "PROXIES")
"""Environment variables of the caller's own site, which are removed."""


def end(process: subprocess.Popen[bytes]) -> None:
    if code := process.wait():
        sys.exit(f"The visit failed with exit code {code}.")


# --- comparison -------------------------------------------------------------------------------------------


def rows(path: Path, query: str) -> Iterator[tuple[Any, ...]]:
    connection = sqlite3.connect(path)
    yield from connection.execute(query)
    connection.close()


def answers(path: Path) -> Iterator[Answer]:
    ((began, ended),) = rows(path, "SELECT began, ended FROM visit")
    days = tuple(dict.fromkeys((began, ended)))
    for request, kind, status, headers, body in rows(path, "SELECT * FROM answers ORDER BY rowid"):
        fields = Request(*json.loads(request)), kind, status, json.loads(headers), zlib.decompress(body)
        yield Answer(*fields, days)


def compared(before: Path, after: Path) -> Comparison:
    comparison = Comparison()
    for old, new in zip(answers(before), answers(after), strict=True):
        comparison.add(old, new)
    return comparison


def difference(before: Answer, after: Answer) -> Iterator[str]:
    old, new = before.texts(), after.texts()
    by = f"{before.request.account}{' by htmx' if before.request.htmx else ''}"
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name):
            where = f"{by} {before.request.address} {name}".strip()
            was, now = (side.get(name, "(no such file)").splitlines() for side in (old, new))
            yield from difflib.unified_diff(was, now, where, where, n=1, lineterm="")


def report(comparison: Comparison, most: int) -> int:
    for kind, count in sorted(comparison.asked.items()):
        differing = comparison.differing[kind]
        print(f"{count:6} {f'{differing} differ' if differing else 'same':>12}  {kind}")
    changes = sorted(comparison.changes.values(), key=lambda change: -change.count)
    for change in changes[:most]:
        print(f"\n{change.count} answers compared have this change, first of {change.kind}")
        print("\n".join(line[:300] for line in change.lines[:LONGEST_DIFFERENCE]))
        if len(change.lines) > LONGEST_DIFFERENCE:
            print(f"… {len(change.lines) - LONGEST_DIFFERENCE} more lines")
    differing = comparison.differing.total()
    print(f"\n{comparison.asked.total()} answers compared, {differing} differ in {len(changes)} ways.")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
