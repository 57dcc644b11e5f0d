"""The reader's own choices: in which notation and style a table is shown, and the links that change it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from standings.services import default_round
from standings.tables.cells import AS_RECORDED, COLOUR_FIRST, RESULT_FIRST, Style
from standings.tables.sheet import StandingsSheet
from tournaments.event.choices import RatingsFrom
from tournaments.models import Event

NOTATIONS = {"1-0": (1, "1-½-0"), "2-0": (2, "2-1-0")}
"""What a game won counts in each notation, and how it is called."""

CELLS = {"12w1": "12w 1", COLOUR_FIRST: "W12 1", RESULT_FIRST: "+12w"}
SHOWN = "shown"
WIDE = "wide"
CARRIED = ("notation", "cells", "ratings", "places", "as", "layout", "running")
"""The choices that links on a page carry on."""


class SwitchOption(NamedTuple):
    """One way to show a table, and the address that asks for it."""

    text: str
    query: str
    chosen: bool


class Switch(NamedTuple):
    """Some ways to show a table, of which one is in force."""

    label: str
    options: list[SwitchOption]


def style_of(event: Event, chosen: Mapping[str, str]) -> Style:
    """Return how the reader wants points and cells; what the event has no use for is left as it is."""
    # A bare + in an address arrives as a space.
    cells = chosen.get("cells", "").replace(" ", "+") if not event.is_team else ""
    if chosen.get("notation") not in NOTATIONS or not notation_of(event):
        return AS_RECORDED._replace(cells=cells)
    return Style(NOTATIONS[chosen["notation"]][0], event.game_win, cells)


def as_chosen(sheet: StandingsSheet, chosen: Mapping[str, str]) -> StandingsSheet:
    """Return the sheet as the reader wants it; `as=computed` leaves out what was changed by hand."""
    styled = replace(sheet, style=style_of(sheet.event, chosen))
    if chosen.get("as") != "computed" or not sheet.shown_results.overrides:
        return styled
    running = sheet.with_running and sheet.with_running.as_computed
    return replace(styled, standings=sheet.standings.as_computed, ruled=sheet.standings, with_running=running)


def notation_of(event: Event) -> str:
    """Return how the event itself counts games; empty where neither notation is its own."""
    if event.game_results:
        return ""
    scoring = (event.game_win, event.game_draw, event.game_loss)
    return {(2, 1, 0): "1-0", (4, 2, 0): "2-0"}.get(scoring, "")


def switches_of(
    event: Event, chosen: Mapping[str, str], *, rated: bool = False, rounds: int = 0
) -> list[Switch]:
    """Return the switches that make sense for this event; `rated`: somebody has a rating."""
    switches = []
    usual = notation_of(event)
    if usual and event.knows_results:
        names = {key: called for key, (_shows, called) in NOTATIONS.items()}
        switches.append(_switch(_("points"), "notation", names, usual, chosen))
    if not event.is_team and event.knows_round_order:
        switches.append(_switch(_("cells"), "cells", CELLS, next(iter(CELLS)), chosen))
    if rated and not event.is_team and event.knows_results and event.ratings_from != RatingsFrom.LOCAL:
        columns = {"": _("hidden"), SHOWN: _("shown")}
        switches.append(_switch(_("performances"), "ratings", columns, "", chosen))
    if rounds > 1:
        lines = {"": _("hidden"), SHOWN: _("shown")}
        switches.append(_switch(_("places by round"), "places", lines, "", chosen))
    return switches


def running_link(sheet: StandingsSheet, chosen: Mapping[str, str]) -> SwitchOption | None:
    """Return the link that counts the results of the round that is played, or not; chosen: they count.

    None if there is no choice: no round is played, or none is complete.
    """
    if sheet.with_running:
        return SwitchOption(_("With running results"), query_of({**chosen, "running": SHOWN}), False)
    if chosen.get("running") != SHOWN or default_round(sheet.event) is None:
        return None
    return SwitchOption(_("Without running results"), query_of({**chosen, "running": ""}), True)


def layout_link(chosen: Mapping[str, str]) -> SwitchOption:
    """Return the link that turns a phone's list into the wide table, or back; chosen: the table is wide."""
    is_wide = chosen.get("layout") == WIDE
    text = _("as a list") if is_wide else _("wide table")
    return SwitchOption(text, query_of({**chosen, "layout": "" if is_wide else WIDE}), is_wide)


def _switch(label: str, name: str, texts: dict[str, str], usual: str, chosen: Mapping[str, str]) -> Switch:
    """Return the switch; the event's usual way needs no parameter."""
    now = chosen.get(name, usual).replace(" ", "+")
    options = (
        SwitchOption(text, query_of({**chosen, name: "" if key == usual else key}), key == now)
        for key, text in texts.items()
    )
    return Switch(label, list(options))


def query_of(choices: Mapping[str, str]) -> str:
    """Return the choices as the end of an address; `./`, which drops those of the page, for none."""
    query = urlencode({name: value for name, value in choices.items() if value})
    # Not an empty address, which keeps the query of the page that it stands on.
    return f"?{query}" if query else "./"


def carried_choices(chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the choices that links to other tables carry on."""
    return {name: chosen[name] for name in CARRIED if name in chosen}
