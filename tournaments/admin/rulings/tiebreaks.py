"""Manual tie-breaks: a list that begins with the competitors who need a number."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from standings.engine import Standings
from tournaments.admin.frame import page, who
from tournaments.admin.permissions import desk_view
from tournaments.crosstable import judge
from tournaments.event.numbers import whole_number
from tournaments.models import Competitor, Event, ManualTiebreak
from tournaments.recording.events.tiebreaks import Tiebreak, enter_tiebreaks, level_competitors
from tournaments.recording.locking import last_saved
from tournaments.recording.refusal import Conflict, Refused

WHOLE_NUMBER = re.compile(r"[+-]?\d{1,6}")


@dataclass(slots=True)
class TiebreakRow:
    """A competitor of the list.

    `place`: the place with the current numbers, 0 if unranked. `stored`: the stored number, or blank.
    `typed`: content of the field. `saved`: user and time of a save after the form was opened.
    """

    number: int
    name: str
    place: int
    stored: str
    version: int
    typed: str
    fault: str = ""
    saved: tuple[str, datetime | None] | None = None

    @property
    def is_open(self) -> bool:
        return bool(self.typed or self.stored or self.fault or self.saved)


@desk_view()
def tiebreaks(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the list. A POST stores all changed numbers unless one is refused."""
    standings = judge(event)
    lines = _tiebreak_lines(event, standings)
    fault = ""
    if request.method == "POST":
        fault = _save_tiebreaks(request, event, lines)
        if not fault and "keep" not in request.POST:
            return redirect("admin:event-tiebreaks", event.pk)
    lines.sort(key=_place_order)
    level = [[line for line in lines if line.number in numbers] for numbers in level_competitors(event)]
    grouped = {line.number for group in level for line in group}
    return page(
        request,
        event,
        "event_tiebreaks",
        _("Manual tie-breaks"),
        _(
            "Numbers for competitors who are level on all other criteria, for example after a lot or a "
            "play-off. A higher number ranks higher; empty is 0. Other competitors need no number."
        ),
        groups=sorted(level, key=lambda group: group[0].place),
        others=[line for line in lines if line.number not in grouped],
        fault=fault,
        is_used="manual" in standings.criteria,
        rounds=standings.table.rounds,
    )


def _save_tiebreaks(request: HttpRequest, event: Event, lines: list[TiebreakRow]) -> str:
    """Store the changed numbers. Return the error, or an empty string. The lines keep the typed values."""
    changed = _changed_tiebreaks(lines, request.POST)
    if "keep" in request.POST:
        return ""
    if any(line.fault for line in lines):
        return _("Nothing was saved: a number is not valid.")
    try:
        numbers = enter_tiebreaks(event, changed, who(request))
    except Conflict:
        return _("Nothing was saved: another person has saved a number. Choose, then save.")
    except Refused as refused:
        return str(refused)
    _add_place_message(request, event, numbers)
    return ""


def _changed_tiebreaks(lines: list[TiebreakRow], posted: QueryDict) -> list[Tiebreak]:
    """Return the numbers that the form changed. Sets `typed`, `fault` and `saved` of the lines."""
    chosen, changed = posted.get("keep", ""), []
    for line in lines:
        number = line.number
        text, was = (posted.get(f"{name}-{number}", "").strip() for name in ("number", "was"))
        # `keep` discards the typed number in favour of one that another user saved.
        if text == was or str(number) == chosen:
            continue
        line.typed = text
        if text and not WHOLE_NUMBER.fullmatch(text):
            line.fault = _(
                "“%(text)s” is not a whole number. Type a number such as 2, or leave it empty."
            ) % {"text": text}
            continue
        version = whole_number(posted.get(f"seen-{number}", "")) or 0
        if version != line.version and text != line.stored:
            # Only for this version, because a later one belongs to another save.
            row = ManualTiebreak.objects.filter(competitor__number=number, version=line.version).first()
            line.saved = last_saved(row) if row else ("", None)
        changed.append(Tiebreak(number, int(text) if text else None, version))
    return changed


def _add_place_message(request: HttpRequest, event: Event, numbers: Iterable[int]) -> None:
    changed = set(numbers)
    if not changed:
        messages.info(request, _("No changes."))
        return
    lines = sorted(
        (line for line in _tiebreak_lines(event, judge(event)) if line.number in changed), key=_place_order
    )
    places = ", ".join(f"{line.place or '-'} {line.name}" for line in lines)
    messages.success(request, _("Saved. Places now: %(places)s.") % {"places": places})


def _place_order(line: TiebreakRow) -> tuple[bool, int, int]:
    return not line.place, line.place, line.number


def _tiebreak_lines(event: Event, standings: Standings) -> list[TiebreakRow]:
    table = standings.table
    places = dict(zip(table.numbers.tolist(), standings.place.tolist(), strict=True))
    competitors = Competitor.objects.filter(event=event).select_related("manual_tiebreak").order_by("number")
    lines = []
    for each in competitors:
        row: ManualTiebreak | None = getattr(each, "manual_tiebreak", None)
        text, version = (str(row.number), row.version) if row else ("", 0)
        lines.append(TiebreakRow(each.number, each.name, places[each.number], text, version, text))
    return lines
