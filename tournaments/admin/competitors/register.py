"""The register: all competitors in a table that is edited like a spreadsheet."""

from collections.abc import Sequence
from copy import copy
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.forms import modelform_factory
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.admin.competitors.registersheet import (
    NEW,
    Column,
    SheetRow,
    SheetRowForm,
    columns_of,
    rendered_texts,
    rendered_texts_json,
    rows_of,
    sorted_rows,
    text_of,
    texts_of,
)
from tournaments.admin.frame import page, who
from tournaments.admin.permissions import desk_view
from tournaments.admin.ratinglists import lookup_address
from tournaments.event.choices import StartOrder
from tournaments.event.numbers import whole_number
from tournaments.models import Competitor, Event, Player
from tournaments.recording.competitors.bulk_changes import (
    CellFinding,
    RegisterRow,
    enter_rows,
    findings_by_row,
    fixed_rows,
)
from tournaments.recording.competitors.ratings import Row
from tournaments.recording.competitors.start_numbers import (
    is_numbered,
    planned_renumbering,
    renumber,
    swap_numbers,
    why_numbers_stand,
)
from tournaments.recording.events.rulings import left_out
from tournaments.recording.locking import lock_event
from tournaments.recording.refusal import Refused

PAGE_SIZE = 250
EMPTY_ROWS = 5
MAX_NEW_ROWS = 600
SEEN = "-seen"


@desk_view()
def register(request: HttpRequest, event: Event) -> HttpResponse:
    players = event.is_team and request.GET.get("of") == "players"
    columns = columns_of(event, players=players)
    sort = request.GET.get("sort", "")
    typed: dict[str, SheetRow] = {}
    if numbers := _unconfirmed_numbers(request, event):
        return numbers
    if "renumber" in request.POST or "swap" in request.POST:
        if _change_numbers(request, event):
            return redirect(request.get_full_path())
    elif request.method == "POST":
        typed, saved = enter_typed(event, TypedSheet(request.POST, columns, players=players), who(request))
        _add_save_messages(request, saved, typed)
        if not typed:
            for each in left_out(event):
                messages.warning(request, each.message)
            return redirect(request.get_full_path())
    shown = Paginator(sorted_rows(rows_of(event, players=players), sort, columns), PAGE_SIZE).get_page(
        request.GET.get("page")
    )
    return page(
        request,
        event,
        "event_register",
        _("Register"),
        _("All competitors in one table: type, paste from a spreadsheet, sort, add rows."),
        columns=columns,
        sort=sort,
        players=players,
        shown=shown,
        sheet=_sheet_rows(event, shown.object_list, typed, columns, players=players),
        new=_rows_to_add(typed, columns),
        teams=list(event.competitors.values_list("number", "name")) if players else [],
        orders=StartOrder.choices,
        numbered=is_numbered(event),
        numbers_stand=why_numbers_stand(event),
        rating_lookup="" if event.is_team and not players else lookup_address(event),
        place="of=players&" if players else "",  # the query string before that of a link to sort
    )


# --- rows -------------------------------------------------------------------------------------------------


def _sheet_rows(
    event: Event, rows: Any, typed: dict[str, SheetRow], columns: Sequence[Column], *, players: bool
) -> list[SheetRow]:
    found, fixed = findings_by_row(event), fixed_rows(event, players=players)
    sheet = []
    for row in rows:
        sheet_row = typed.get(f"r{row.pk}")
        if sheet_row is None:
            texts = texts_of(row, columns)
            sheet_row = SheetRow(
                f"r{row.pk}", "", "", row.version, texts, rendered_texts_json(texts), found.get(row, [])
            )
        sheet_row.number = str(row.competitor.number if players else row.number)
        sheet_row.pairing_number = "" if players else row.pairing_number or ""
        sheet_row.name = f"{sheet_row.number} {row.name}"
        sheet_row.may_go = row.pk not in fixed
        sheet_row.print(columns)
        sheet.append(sheet_row)
    return sheet


def _rows_to_add(typed: dict[str, SheetRow], columns: Sequence[Column]) -> list[SheetRow]:
    rejected = [sheet_row for key, sheet_row in typed.items() if key.startswith(NEW)]
    first = max((int(each.key[1:]) for each in rejected), default=0) + 1
    empty = (
        SheetRow(f"{NEW}{at}", "", "", 0, {each.name: "" for each in columns})
        for at in range(first, first + EMPTY_ROWS)
    )
    lines = [*rejected, *empty]
    for sheet_row in lines:
        sheet_row.print(columns)
    return lines


# --- typed rows -------------------------------------------------------------------------------------------


class TypedSheet:
    """A posted register. `rows`: changed rows to store. `refused`: rejected rows as typed, by key."""

    def __init__(self, data: QueryDict, columns: Sequence[Column], *, players: bool) -> None:
        self.data, self.columns, self.players = data, columns, players
        self.form_class: Any = modelform_factory(
            Player if players else Competitor, form=SheetRowForm, fields=[each.name for each in columns]
        )
        self.rows: list[RegisterRow] = []
        self.refused: dict[str, SheetRow] = {}

    def read(self, event: Event) -> None:
        """Parse all rows. The event must be locked, so that the compared versions are current."""
        keys = [name.removesuffix(SEEN) for name in self.data if name.endswith(SEEN)]
        stored = rows_of(event, players=self.players).in_bulk([whole_number(key[1:]) or 0 for key in keys])
        # Rows that another user deleted are ignored, and not created again.
        for pk, row in stored.items():
            self._read_stored(f"r{pk}", row)
        teams = {each.number: each for each in event.competitors.all()} if self.players else {}
        for at in range(1, MAX_NEW_ROWS + 1):
            if any(self.texts(f"{NEW}{at}").values()):
                self._read_new(f"{NEW}{at}", event, teams)

    def texts(self, key: str) -> dict[str, str]:
        return {each.name: self.data.get(f"{key}-{each.name}", "").strip() for each in self.columns}

    def refuse(self, key: str, faults: list[CellFinding]) -> None:
        self.refused[key] = SheetRow(
            key=key,
            number=self.data.get(f"{key}-team", ""),
            name="",
            seen=self._seen(key),
            texts=self.texts(key),
            shown=self.data.get(f"{key}-shown", ""),
            faults=faults,
            is_typed=True,
        )

    def _seen(self, key: str) -> int:
        return whole_number(self.data.get(key + SEEN, "")) or 0

    def _shown(self, key: str) -> dict[str, str]:
        return rendered_texts(self.data.get(f"{key}-shown", ""), self.columns)

    def _read_stored(self, key: str, row: Row) -> None:
        if f"{key}-remove" in self.data:
            if self._seen(key) == row.version:
                self.rows.append(RegisterRow(key, row, is_removed=True))
            else:
                text = _("Another person has changed this row. Check it, then remove it.")
                self.refuse(key, [CellFinding("", text, is_error=True)])
        elif self.texts(key) not in (texts_of(row, self.columns), self._shown(key)):
            # A copy, since the form changes its instance.
            form = self._form(key, copy(row))
            if not form.is_valid():
                self._refuse_form(key, form, row)
            elif any(text_of(form.instance, each.name) != text_of(row, each.name) for each in self.columns):
                self.rows.append(RegisterRow(key, form.instance))

    def _read_new(self, key: str, event: Event, teams: dict[int, Competitor]) -> None:
        team = teams.get(whole_number(self.data.get(f"{key}-team", "").strip()) or 0)
        if self.players and team is None:
            text = _("The team is missing. Write the number of the team.")
            self.refuse(key, [CellFinding("", text, is_error=True)])
            return
        # The final number is assigned when the competitor is stored.
        row = Player(competitor=team) if team else Competitor(event=event, number=1)
        form = self._form(key, row)
        if form.is_valid():
            self.rows.append(RegisterRow(key, form.instance, is_new=True))
        else:
            self._refuse_form(key, form, row)

    def _form(self, key: str, row: Row) -> SheetRowForm:
        form: SheetRowForm = self.form_class(self.data, instance=row, prefix=key)
        columns = {each.name for each in self.columns} | {"seen"}
        for name in set(form.fields) - columns:  # fields without a column keep their values
            del form.fields[name]
        form.shown = self._shown(key)
        return form

    def _refuse_form(self, key: str, form: SheetRowForm, row: Row) -> None:
        faults = [
            CellFinding("" if name == "__all__" else name, str(text), is_error=True)
            for name, texts in form.errors.items()
            for text in texts
            if not (name == "__all__" and form.differences)  # the cell shows the choice
        ]
        self.refuse(key, faults)
        if form.differences:
            sheet_row = self.refused[key]
            sheet_row.form, sheet_row.seen, sheet_row.shown = (
                form,
                row.version,
                rendered_texts_json(texts_of(row, self.columns)),
            )


def enter_typed(event: Event, sheet: TypedSheet, by: User) -> tuple[dict[str, SheetRow], int]:
    """Store the rows independently of each other. Return rejected rows, and the number of stored rows."""
    with lock_event(event) as locked:
        sheet.read(locked)
        faults_by_key = enter_rows(locked, sheet.rows, by)
    for key, faults in faults_by_key.items():
        sheet.refuse(key, faults)
    return sheet.refused, len(sheet.rows) - len(faults_by_key)


# --- messages ---------------------------------------------------------------------------------------------


def _add_save_messages(request: HttpRequest, saved: int, typed: dict[str, SheetRow]) -> None:
    if saved:
        message = ngettext("%(count)s row saved.", "%(count)s rows saved.", saved)
        messages.success(request, message % {"count": saved})
    if typed:
        message = ngettext(
            "%(count)s row is not saved: see the error.",
            "%(count)s rows are not saved: see the errors.",
            len(typed),
        )
        messages.error(request, message % {"count": len(typed)})
    if not saved and not typed:
        messages.info(request, _("No changes."))


def _unconfirmed_numbers(request: HttpRequest, event: Event) -> HttpResponse | None:
    """Return a page with the new numbers, unless the user has confirmed them or they are refused."""
    posted = request.POST
    if "renumber" not in posted:
        return None
    try:
        plan = planned_renumbering(event, posted.get("order", ""), posted.get("draw-seed", ""))
    except Refused:
        return None
    if posted.get("seen") == plan.summary:
        return None
    if "seen" in posted:
        messages.warning(request, _("The competitors have changed. Check the numbers again."))
    return page(
        request,
        event,
        "event_numbers",
        _("New numbers"),
        _("The new numbers are shown before they are saved."),
        plan=plan,
        shown=plan.rows if plan.seed else plan.changed,
    )


def _change_numbers(request: HttpRequest, event: Event) -> bool:
    """Renumber, or swap two numbers. Return False, with an error message, if that fails."""
    posted = request.POST
    try:
        if "renumber" in posted:
            order, seed, seen = (posted.get(name, "") for name in ("order", "draw-seed", "seen"))
            outcome = renumber(event, order, who(request), seed, seen)
            text = _("Renumbered: %(changed)s have a new number.") % {"changed": len(outcome.changed)}
            if outcome.seed:
                text += " " + _("The lots were drawn with the seed %(seed)s.") % {"seed": outcome.seed}
        else:
            one, other = (whole_number(posted.get(name, "").strip()) or 0 for name in ("one", "other"))
            first, second = swap_numbers(event, one, other, who(request))
            text = _("Swapped: %(one)s and %(other)s.") % {"one": first.name, "other": second.name}
    except Refused as rejected:
        messages.error(request, str(rejected))
        return False
    messages.success(request, text)
    return True
