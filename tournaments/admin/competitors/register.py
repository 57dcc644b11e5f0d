"""The register: who takes part, in one table that is changed like a spreadsheet."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.admin.competitors.registersheet import (
    NEW,
    Column,
    SheetRow,
    columns_of,
    rows_of,
    shown_text,
    sorted_rows,
    texts_of,
)
from tournaments.admin.competitors.registertyping import TypedSheet, enter_typed
from tournaments.admin.frame import page, who
from tournaments.admin.permissions import desk_view
from tournaments.admin.ratinglists.lookup import lookup_address
from tournaments.event.choices import StartOrder
from tournaments.event.numbers import whole_number
from tournaments.models import Event
from tournaments.recording.refusal import Refused
from tournaments.recording.register import findings_by_row, fixed_rows
from tournaments.recording.rulings import left_out
from tournaments.recording.startlist import renumber, swap_numbers, why_numbers_stand

PAGE = 250
EMPTY_ROWS = 5


@desk_view()
def register(request: HttpRequest, event: Event) -> HttpResponse:
    """Show a page of the table; store what was typed, number anew, or swap two numbers."""
    players = event.is_team and request.GET.get("of") == "players"
    columns = columns_of(event, players=players)
    sort = request.GET.get("sort", "")
    typed: dict[str, SheetRow] = {}
    if "renumber" in request.POST or "swap" in request.POST:
        if _numbers_changed(request, event):
            return redirect(request.get_full_path())
    elif request.method == "POST":
        typed, saved = enter_typed(event, TypedSheet(request.POST, columns, players=players), who(request))
        _tell(request, saved, typed)
        if not typed:
            _warn(request, event)
            return redirect(request.get_full_path())
    shown = Paginator(sorted_rows(rows_of(event, players=players), sort, columns), PAGE).get_page(
        request.GET.get("page")
    )
    return page(
        request,
        event,
        "event_register",
        _("Register"),
        _("Who takes part, in one table: type, paste cells of a spreadsheet, sort, add rows."),
        columns=columns,
        sort=sort,
        players=players,
        shown=shown,
        sheet=_sheet(event, shown.object_list, typed, columns, players=players),
        new=_new_rows(typed, columns),
        teams=list(event.competitors.values_list("number", "name")) if players else [],
        orders=StartOrder.choices,
        numbers_stand=why_numbers_stand(event),
        rating_lookup="" if event.is_team and not players else lookup_address(event),
        place=_place(players=players, sort=sort, number=shown.number),
    )


def _place(*, players: bool, sort: str, number: int) -> str:
    """Return the query of the page that is shown, `&` at its end, for links to sort it otherwise."""
    query = QueryDict(mutable=True)
    if players:
        query["of"] = "players"
    return f"{query.urlencode()}&" if query else ""


# --- what the page prints ---------------------------------------------------------------------------------


def _sheet(
    event: Event, rows: Any, typed: dict[str, SheetRow], columns: Sequence[Column], *, players: bool
) -> list[SheetRow]:
    """Return the rows of the page: as stored, or as typed where they could not be stored."""
    found, fixed = findings_by_row(event), fixed_rows(event, players=players)
    sheet = []
    for row in rows:
        line = typed.get(f"r{row.pk}")
        if line is None:
            texts = texts_of(row, columns)
            line = SheetRow(f"r{row.pk}", "", "", row.version, texts, shown_text(texts), found.get(row, []))
        line.number = str(row.competitor.number if players else row.number)
        line.name = f"{line.number} {row.name}"
        line.may_go = row.pk not in fixed
        line.print(columns)
        sheet.append(line)
    return sheet


def _new_rows(typed: dict[str, SheetRow], columns: Sequence[Column]) -> list[SheetRow]:
    """Return the rows that could not be entered, and empty ones after them."""
    refused = [line for key, line in typed.items() if key.startswith(NEW)]
    first = max((int(each.key[1:]) for each in refused), default=0) + 1
    empty = (
        SheetRow(f"{NEW}{at}", "", "", 0, {each.name: "" for each in columns})
        for at in range(first, first + EMPTY_ROWS)
    )
    lines = [*refused, *empty]
    for line in lines:
        line.print(columns)
    return lines


# --- what is said -----------------------------------------------------------------------------------------


def _tell(request: HttpRequest, saved: int, typed: dict[str, SheetRow]) -> None:
    if saved:
        message = ngettext("%(count)s row saved.", "%(count)s rows saved.", saved)
        messages.success(request, message % {"count": saved})
    if typed:
        message = ngettext(
            "%(count)s row is not saved: see what it says.",
            "%(count)s rows are not saved: see what they say.",
            len(typed),
        )
        messages.error(request, message % {"count": len(typed)})
    if not saved and not typed:
        messages.info(request, _("Nothing was changed."))


def _warn(request: HttpRequest, event: Event) -> None:
    for each in left_out(event):
        messages.warning(request, each.message)


def _numbers_changed(request: HttpRequest, event: Event) -> bool:
    """Number anew, or swap two; say whether it was done. Why not is told as a message."""
    posted = request.POST
    try:
        if "renumber" in posted:
            done = renumber(event, posted.get("order", ""), who(request), posted.get("draw-seed", ""))
            told = _("Numbered anew: %(changed)s have another number.") % {"changed": done.changed}
            if done.seed:
                told += " " + _("The lots were drawn with the seed %(seed)s.") % {"seed": done.seed}
        else:
            one, other = (whole_number(posted.get(name, "").strip()) or 0 for name in ("one", "other"))
            first, second = swap_numbers(event, one, other, who(request))
            told = _("Swapped: %(one)s and %(other)s.") % {"one": first.name, "other": second.name}
    except Refused as refused:
        messages.error(request, str(refused))
        return False
    messages.success(request, told)
    return True
