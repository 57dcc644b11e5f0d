"""Parse the posted register: rows to store, and rows that cannot be stored."""

from collections.abc import Sequence
from copy import copy
from typing import Any

from django.contrib.auth.models import User
from django.forms import modelform_factory
from django.http import QueryDict
from django.utils.translation import gettext as _

from tournaments.admin.competitors.registersheet import (
    NEW,
    Column,
    SheetRow,
    SheetRowForm,
    rendered_texts,
    rendered_texts_json,
    rows_of,
    text_of,
    texts_of,
)
from tournaments.event.numbers import whole_number
from tournaments.models import Competitor, Event, Player
from tournaments.recording.competitors.bulk_changes import CellFinding, RegisterRow, enter_rows
from tournaments.recording.competitors.ratings import Row
from tournaments.recording.locking import lock_event

MAX_NEW_ROWS = 600
SEEN = "-seen"


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
