"""The standings as HTML that can be pasted into a page or a mail.

Mail programs drop styles, classes and scripts, and our own policy blocks inline styles in the preview. So the
table uses only HTML attributes, and its links are absolute.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.basis import basis_text
from standings.services import ranked
from standings.tables.sheet import StandingsSheet, displayed_criteria, published_figures
from standings.texts import dates_text, values_of
from tournaments.interchange.formats.layouts.recognition import PASTABLE_HEAD, PASTABLE_TABLE
from tournaments.models import Event

MOST_BREAKS = 6
"""The maximum number of criteria columns, for the width of a mail."""


def pastable_file(event: Event, address: str, after: int | None = None) -> str:
    """Return the HTML as a full page, which declares language and encoding for use from a disk."""
    entries, standings = ranked(event, after)
    sheet = StandingsSheet(event, standings, entries, address)
    head = format_html('<meta charset="utf-8">\n<title>{}</title>', event.name)
    return f'<!DOCTYPE html>\n<html lang="en">\n{head}\n{pastable(sheet)}\n</html>\n'


def pastable(sheet: StandingsSheet, limit: int | None = None) -> SafeString:
    """Return the standings in the active language, at most `limit` rows. The sheet has the full URL."""
    event = sheet.event
    # With the URL of the page, so that a forwarded table states its source.
    title = format_html(
        '<p><b><a href="{}">{}</a></b>{}<br>{}</p>\n',
        sheet.address,
        event.name,
        "".join(f", {each}" for each in (event.place, dates_text(event), sheet.group) if each),
        _("Standings %(basis)s") % {"basis": basis_text(sheet.basis)},
    )
    table = f"{PASTABLE_TABLE}\n"
    columns = _optional_columns(sheet)
    rows = _pastable_rows(sheet, columns, limit)
    edition = format_html("\n<p>{}</p>", sheet.edition_text) if sheet.edition_text else ""
    heads = [("right", _("pl.")), ("left", _("Team") if sheet.event.is_team else _("Name"))]
    heads += [(align, heading) for align, heading, _texts in columns]
    cells = format_html_join("", '<th align="{}">{}</th>', heads)
    lines = [
        title,
        table,
        format_html('<tr bgcolor="{}">{}</tr>\n', PASTABLE_HEAD, cells),
        *rows,
        "</table>",
        edition,
    ]
    return SafeString("".join(lines))


class _Column(NamedTuple):
    """A column: the alignment, the heading, and the texts by row of the crosstable."""

    align: str
    heading: str
    texts: Sequence[str]


def _optional_columns(sheet: StandingsSheet) -> list[_Column]:
    """Return the columns of codes and ratings if any row has one, and of the first criteria."""
    columns = []
    if any(entry.code for entry in sheet.entries):
        columns.append(_Column("left", _("from"), [entry.code for entry in sheet.entries]))
    if not sheet.event.is_team and any(entry.rating for entry in sheet.entries):
        columns.append(_Column("right", _("rating"), [str(entry.rating or "") for entry in sheet.entries]))
    criteria = displayed_criteria(sheet.standings)[:MOST_BREAKS]
    columns += [_Column("right", each.criterion.abbr, values_of(each)) for each in criteria]
    printed = published_figures(sheet.standings)[:MOST_BREAKS]
    return columns + [_Column("right", label, figures) for label, figures in printed]


def _pastable_rows(
    sheet: StandingsSheet, columns: Sequence[_Column], limit: int | None
) -> Iterator[SafeString]:
    for row in sheet.rows_of_group[:limit]:
        entry = sheet.entries[row.competitor]
        place = format_html(
            '<td align="right">{}</td>', f"{row.place}{'=' if row.shared else ''}" if row.place else "–"
        )
        page = f"{sheet.address}competitors/{entry.number}/"
        name = format_html('<td align="left"><a href="{}">{}</a></td>', page, entry.name)
        texts = ((each.align, each.texts[row.competitor]) for each in columns)
        cells = format_html_join("", '<td align="{}">{}</td>', texts)
        yield format_html("<tr>{}{}{}</tr>\n", place, name, cells)
