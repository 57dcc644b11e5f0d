"""The process that validates a file for the page: the file on standard input, JSON on standard output.

Arguments: the name of the file, seconds, megabytes. The limits are set before reading.
"""

import json
import os
import sys
from itertools import islice
from threading import Thread
from typing import Any

from tournaments.event.document import Document
from tournaments.event.judging import judge_document
from tournaments.operations.processes.confinement import end_with, limited

MOST_ROWS = 10  # rows of the standings in the output


def first_rows(document: Document) -> dict[str, Any]:
    """Return the first rows of an event's standings as text, with the ranking criteria.

    If only the published ranking is known, its columns are in the place of criteria, and `after` is None.
    """
    standings = judge_document(document)
    columns = [standings.column(code) for code in standings.criteria]
    published = standings.table.published
    printed = published.columns if published else {}
    rows = [
        {
            "place": row.place,
            "name": standings.table.names[row.competitor],
            "values": [
                *(column.text(row.competitor) for column in columns),
                *(figures[row.competitor] for figures in printed.values()),
            ],
        }
        for row in islice(standings.rows(), MOST_ROWS)
    ]
    criteria = [{"abbr": each.criterion.abbr, "name": each.criterion.name} for each in columns]
    criteria += [{"abbr": label, "name": label} for label in printed]
    return {"criteria": criteria, "rows": rows, "after": None if published else standings.table.rounds}


def main(name: str, seconds: int, megabytes: int) -> int:
    Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    limited(seconds, megabytes)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # After the limits, because imports take memory too.
    from tournaments.interchange.formats.validating.validation import validate  # noqa: PLC0415 - the reason is above

    found = validate(sys.stdin.buffer.read(), name)
    told = found.plain()
    if found.document and not found.errors and found.document.competitors:
        told["standings"] = first_rows(found.document)
    json.dump(told, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
