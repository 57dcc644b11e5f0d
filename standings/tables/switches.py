"""The reader's display options as query parameters, and the links that change them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import quote_plus

from django.utils.translation import gettext as _

from standings.flags import code_beside
from standings.services import default_round
from standings.tables.cells import AS_RECORDED, COLOUR_FIRST, RESULT_FIRST, Style
from standings.tables.sheet import DETAILS, StandingsSheet
from tournaments.event.choices import RatingsFrom
from tournaments.models import Event

NOTATIONS = {"1-0": (1, "1-½-0"), "2-0": (2, "2-1-0")}

CELLS = {"12w1": "12w 1", COLOUR_FIRST: "W12 1", RESULT_FIRST: "+12w"}
# In the order of the table, so that each choice has a single URL.
DETAILS_PATTERN = rf"none|(?=\w){''.join(f'(?:{name}(?:,|$))?' for name in DETAILS)}(?<!,)"
SHOWN = "shown"
WIDE = "wide"
# Query parameters that links on a page retain.
CARRIED = ("notation", "cells", "ratings", "places", "as", "layout", "columns", "running", "why")


class SwitchOption(NamedTuple):
    """An option of a switch. `query`: the query string that selects it."""

    text: str
    query: str
    chosen: bool


class Switch(NamedTuple):
    """A display option with its possible values."""

    label: str
    options: list[SwitchOption]


def style_of(event: Event, chosen: Mapping[str, str]) -> Style:
    """Return the reader's notation. Options that do not apply to the event are ignored."""
    # An unescaped + in a query string is decoded as a space.
    cells = chosen.get("cells", "").replace(" ", "+") if not event.is_team else ""
    if chosen.get("notation") not in NOTATIONS or not notation_of(event):
        return AS_RECORDED._replace(cells=cells)
    return Style(NOTATIONS[chosen["notation"]][0], event.game_win, cells)


def apply_choices(sheet: StandingsSheet, chosen: Mapping[str, str]) -> StandingsSheet:
    """Return the sheet with the reader's options. `as=computed` excludes manual changes."""
    details = chosen["columns"].split(",") if "columns" in chosen else None
    style, reasons = style_of(sheet.event, chosen), chosen.get("why", "")
    styled = replace(sheet, style=style, details=details, reasons=reasons)
    if chosen.get("as") != "computed" or not sheet.shown_results.overrides:
        return styled
    running = sheet.with_running and sheet.with_running.as_computed
    return replace(styled, standings=sheet.standings.as_computed, ruled=sheet.standings, with_running=running)


def notation_of(event: Event) -> str:
    if event.game_results:
        return ""
    scoring = (event.game_win, event.game_draw, event.game_loss)
    return {(2, 1, 0): "1-0", (4, 2, 0): "2-0"}.get(scoring, "")


def switches_of(sheet: StandingsSheet, chosen: Mapping[str, str], *, rounds: int = 0) -> list[Switch]:
    event, rated = sheet.event, any(entry.rating for entry in sheet.entries)
    switches, hidden_or_shown = [], {"": _("hidden"), SHOWN: _("shown")}
    usual = notation_of(event)
    if usual and event.knows_results:
        names = {key: called for key, (_shows, called) in NOTATIONS.items()}
        switches.append(_switch(_("points"), "notation", names, usual, chosen))
    if not event.is_team and event.knows_round_order:
        switches.append(_switch(_("cells"), "cells", CELLS, next(iter(CELLS)), chosen))
    if event.knows_results:
        switches.append(reasons_switch(chosen))
    if rated and not event.is_team and event.knows_results and event.ratings_from != RatingsFrom.LOCAL:
        switches.append(_switch(_("performances"), "ratings", hidden_or_shown, "", chosen))
    if rounds > 1:
        switches.append(_switch(_("places by round"), "places", hidden_or_shown, "", chosen))
    wanted, proposed = sheet.wanted_details, replace(sheet, details=None).wanted_details
    # Competitors with a flag only, and no code, have no column of codes.
    has_codes = any(code_beside(event, entry) for entry in sheet.entries)
    columns = []
    for name in filter(sheet.differs, DETAILS):
        label = _("federation") if name == "code" and not has_codes else _(name)
        then = [each for each in DETAILS if (each in wanted) != (each == name)]
        given = "" if then == proposed else ",".join(then) or "none"
        columns.append(SwitchOption(label, query_of({**chosen, "columns": given}), name in wanted))
    return [*switches, Switch(_("columns"), columns)] if columns else switches


def reasons_switch(chosen: Mapping[str, str]) -> Switch:
    lengths = {"": _("short"), "long": _("long"), "hidden": _("hidden")}
    return _switch(_("reasons for the order"), "why", lengths, "", chosen)


def running_link(sheet: StandingsSheet, chosen: Mapping[str, str]) -> SwitchOption | None:
    """Return the link that includes or excludes the running round; chosen if it is included.

    None if there is no choice: no round is running or complete, or the running round has no results.
    """
    if sheet.with_running and sheet.running.pending == sheet.running.paired:
        return None
    if sheet.with_running:
        # A match counts once all its boards are finished.
        text = _("With finished matches") if sheet.event.is_team else _("With running results")
        return SwitchOption(text, query_of({**chosen, "running": SHOWN}), False)
    if chosen.get("running") != SHOWN or default_round(sheet.event) is None:
        return None
    text = _("Without round %(number)s") % {"number": sheet.basis.round}
    return SwitchOption(text, query_of({**chosen, "running": ""}), True)


def layout_link(chosen: Mapping[str, str]) -> SwitchOption:
    is_wide = chosen.get("layout") == WIDE
    text = _("as a list") if is_wide else _("wide table")
    return SwitchOption(text, query_of({**chosen, "layout": "" if is_wide else WIDE}), is_wide)


def _switch(label: str, name: str, texts: dict[str, str], usual: str, chosen: Mapping[str, str]) -> Switch:
    now = chosen.get(name, usual).replace(" ", "+")
    options = (
        SwitchOption(text, query_of({**chosen, name: "" if key == usual else key}), key == now)
        for key, text in texts.items()
    )
    return Switch(label, list(options))


def query_of(choices: Mapping[str, str]) -> str:
    """Return the query string, or `./` to remove the query of the current page."""
    # A page has fifty such links, and `urlencode` takes twice as long.
    query = "&".join(f"{name}={quote_plus(value)}" for name, value in choices.items() if value)
    # An empty URL would retain the query of the current page.
    return f"?{query}" if query else "./"


def carried_choices(chosen: Mapping[str, str]) -> dict[str, str]:
    return {name: chosen[name] for name in CARRIED if name in chosen}
