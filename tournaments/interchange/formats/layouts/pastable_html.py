"""The HTML table of this site for pasting into a page. It cannot be imported."""

from tournaments.event.finding import Finding, Place, error
from tournaments.interchange.formats.layouts.layout import LayoutFile

PASTABLE_TABLE = '<table border="1" cellpadding="4" cellspacing="0">'
PASTABLE_HEAD = "#eeeeee"
"""The beginning of the table, and the colour of its heading."""


def refusal(file: LayoutFile) -> Finding | None:
    """Return an error if the file is the table for pasting, which has no results."""
    signs = (PASTABLE_TABLE, f'<tr bgcolor="{PASTABLE_HEAD}">', "/competitors/")
    if not all(sign in file.text for sign in signs):
        return None
    text = (
        "This is the table of this site that is made to be pasted into a page. It has no results, so it is "
        "not imported. Download the event file (JSON), the CSV or the report (TRF) and import that."
    )
    return error("table-to-paste", Place(), text)
