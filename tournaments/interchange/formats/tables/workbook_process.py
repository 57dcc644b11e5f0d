"""The process that parses a workbook. Running out of memory ends this process and not the site.

It limits its own memory and time, reads the workbook from standard input and writes JSON: the sheets with
their cells, or the reason if there are none.
"""

import json
import os
import sys
from datetime import date, datetime, time, timedelta
from io import BytesIO
from threading import Thread
from typing import Any

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, PasswordError, SheetTypeEnum

from tournaments.operations.processes.confinement import end_with, limited


class RefusedError(Exception):
    """A rejected workbook. `code`: of the finding. The message is for users."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class SheetReader:
    """Reads sheets within limits on the rows and columns of a sheet, and on the cells and letters of all."""

    def __init__(self, limits: dict[str, int]) -> None:
        self.rows, self.columns = limits["rows"], limits["columns"]
        self.cells, self.letters = limits["cells"], limits["letters"]
        self.sheets, self.filled = limits["sheets"], limits["filled"]

    def read(self, content: bytes) -> list[dict[str, Any]]:
        """Return the sheets with their cells. Raise RefusedError if a limit is exceeded."""
        with CalamineWorkbook.from_filelike(BytesIO(content)) as book:
            kinds = [each.typ for each in book.sheets_metadata]
            if SheetTypeEnum.MacroSheet in kinds or SheetTypeEnum.Vba in kinds:
                raise RefusedError("macros", "The workbook has macros, which are never taken in.")
            if len(kinds) > self.sheets:
                text = f"The workbook has {len(kinds)} sheets; at most {self.sheets} are read. Cut it."
                raise RefusedError("too-large-a-sheet", text)
            sheets = [at for at, kind in enumerate(kinds) if kind is SheetTypeEnum.WorkSheet]
            return [self._sheet(book.get_sheet_by_index(at)) for at in sheets]

    def _sheet(self, sheet: CalamineSheet) -> dict[str, Any]:
        # From the first row and column of the sheet, even if these are empty.
        height, width = (each + 1 for each in sheet.end or (-1, -1))
        if height > self.rows:
            text = f"Sheet {sheet.name} has more than {self.rows} rows. Cut the table."
            raise RefusedError("too-large-a-sheet", text)
        if width > self.columns:
            text = f"Sheet {sheet.name} has cells beyond column {self.columns}. Cut the table."
            raise RefusedError("too-large-a-sheet", text)
        self.cells -= height * width
        if self.cells < 0:
            raise RefusedError("too-large-a-sheet", "The workbook has too many cells. Cut the tables.")
        rows = [[self._cell(each) for each in row] for row in sheet.to_python(skip_empty_area=False)]
        return {"name": sheet.name, "rows": rows}

    def _cell(self, value: Any) -> Any:
        if value == "":
            return value
        # A file can repeat a cell at the cost of a few bytes.
        self.filled -= 1
        if self.filled < 0:
            raise RefusedError("too-large-a-sheet", "The workbook has too many cells. Cut the tables.")
        if isinstance(value, str):
            self.letters -= len(value)
            if self.letters < 0:
                raise RefusedError("too-large-a-sheet", "The workbook has too much text. Cut the tables.")
            return value
        if isinstance(value, datetime):
            return {"day": value.date().isoformat() if value.time() == time() else value.isoformat(" ")}
        if isinstance(value, date):
            return {"day": value.isoformat()}
        return {"time": str(value)} if isinstance(value, time | timedelta) else value


def main() -> None:
    Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    limits = json.loads(sys.argv[1])
    limited(limits["seconds"], limits["megabytes"])
    answer: dict[str, Any]
    try:
        answer = {"sheets": SheetReader(limits).read(sys.stdin.buffer.read())}
    except RefusedError as problem:
        answer = {"code": problem.code, "message": str(problem)}
    except PasswordError:
        answer = {"code": "encrypted", "message": "The workbook is encrypted. Save it without a password."}
    except CalamineError as problem:
        answer = {"code": "unreadable-workbook", "message": str(problem)[:200]}
    except MemoryError:
        raise
    except BaseException as problem:  # noqa: BLE001 - the parser panics over some files
        answer = {"code": "unreadable-workbook", "message": type(problem).__name__}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
