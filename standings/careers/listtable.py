"""The list of persons or teams as a sortable table."""

from collections.abc import Iterable
from html import escape

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.careers.directory import BEST_FIRST, PER_PAGE, Directory, ListedOverEvents
from standings.tables.sorting import DESCENDING, SortedTable, SortKey, TableColumn, text_column

AS_LISTED = [0] * PER_PAGE
"""Equal sort keys: the database has sorted the rows."""


def directory_table(directory: Directory, title: str, *, is_team: bool) -> SortedTable:
    lines = directory.lines
    names = [
        f'<th scope="row" class="who"><a class="name" href="{escape(each.leading.address)}">'
        f"{escape(each.leading.name)}</a></th>"
        for each in lines
    ]
    head = (_("team"), _("Team")) if is_team else (_("name"), _("Name"))
    code = (_("code"), _("Code")) if is_team else (_("federation"), _("Federation"))
    codes = (SafeString("".join(each.flags) + escape(", ".join(each.codes))) for each in lines)
    columns = [
        TableColumn(SortKey.NAME, *head, "who", names, AS_LISTED, BEST_FIRST.get(SortKey.NAME, DESCENDING)),
        _sorting(SortKey.CODE, *code, "left", codes),
    ]
    if not is_team:
        titles = (", ".join(each.titles) for each in lines)
        columns.append(_sorting(SortKey.TITLE, _("title"), _("Title"), "left", titles))
    events = (each.events for each in lines)
    columns.append(_sorting(SortKey.EVENTS, _("events"), _("Events"), "tb", events))
    medals = (
        (SortKey.GOLD, _("1st"), _("First places")),
        (SortKey.SILVER, _("2nd"), _("Second places")),
        (SortKey.BRONZE, _("3rd"), _("Third places")),
    )
    for at, (key, label, name) in enumerate(medals):
        # Zeros are blank, since phones leave out blank cells.
        columns.append(_sorting(key, label, name, "tb", [each.medals[at] or "" for each in lines]))
    if not is_team:
        label, name = _("in teams"), _("First, second and third places with teams")
        columns.append(_sorting(SortKey.TEAM, label, name, "tb", map(_team_medals_text, lines)))
    asked = {"sort": directory.sort, "dir": directory.direction}
    return SortedTable(title, columns, asked, carried=directory.carried)


def _team_medals_text(each: ListedOverEvents) -> str:
    medals = each.medals
    of_teams = (medals.team_first, medals.team_second, medals.team_third)
    return "–".join(map(str, of_teams)) if any(of_teams) else ""


def _sorting(key: SortKey, label: str, name: str, css: str, texts: Iterable[object]) -> TableColumn:
    return text_column(key, label, name, css, texts, AS_LISTED, BEST_FIRST.get(key, DESCENDING))
