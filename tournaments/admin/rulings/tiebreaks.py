"""Manual tie-breaks: one list, in which those whom nothing else separates come first."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
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
from tournaments.recording.locking import last_saved
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.tiebreaks import Tiebreak, enter_tiebreaks, level_competitors

WHOLE = re.compile(r"[+-]?\d{1,6}")


@dataclass(slots=True)
class TiebreakLine:
    """One competitor of the list.

    `stored` is his number as it is now, blank for none, under `version`; `typed` what stands in the field.
    `place` is where he stands with the numbers given, 0 for nowhere. `saved` tells of somebody's save while
    the form was open.
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
        """Say whether somebody should see it."""
        return bool(self.typed or self.stored or self.fault or self.saved)


@dataclass(frozen=True, slots=True)
class LevelGroup:
    """Competitors whom the other criteria leave level, on the first of their places."""

    place: int
    rows: list[TiebreakLine]


@dataclass(frozen=True, slots=True)
class TiebreakSheet:
    """The list: those who need a number in their groups, and the others."""

    groups: list[LevelGroup]
    others: list[TiebreakLine]
    by_number: dict[int, TiebreakLine] = field(repr=False)


@desk_view()
def tiebreaks(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the list; a post stores the numbers that were changed, all or none."""
    standings = judge(event)
    sheet = _sheet(event, standings)
    fault = ""
    if request.method == "POST":
        fault = _save(request, event, sheet)
        if not fault and "keep" not in request.POST:
            return redirect("admin:event-tiebreaks", event.pk)
    return page(
        request,
        event,
        "event_tiebreaks",
        _("Manual tie-breaks"),
        _(
            "Numbers for competitors whom nothing else separates, as by lot or a play-off: more is better,"
            " empty is 0. Nobody else needs one."
        ),
        sheet=sheet,
        fault=fault,
        is_used="manual" in standings.criteria,
        rounds=standings.table.rounds,
    )


def _save(request: HttpRequest, event: Event, sheet: TiebreakSheet) -> str:
    """Store what was changed, and return why not, or an empty string; the lines keep what was typed."""
    changed = _typed(sheet, request.POST)
    if "keep" in request.POST:
        return ""
    if any(line.fault for line in sheet.by_number.values()):
        return _("Nothing is saved yet: a number is none.")
    try:
        numbers = enter_tiebreaks(event, changed, who(request))
    except Conflict:
        return _("Nothing is saved yet: somebody else saved a number meanwhile. Choose, then save.")
    except Refused as refused:
        return str(refused)
    _tell(request, event, numbers)
    return ""


def _typed(sheet: TiebreakSheet, posted: QueryDict) -> list[Tiebreak]:
    """Return the numbers that the form changed; each line takes what was typed and who saved another."""
    chosen, changed = posted.get("keep", ""), []
    for number, line in sheet.by_number.items():
        text, was = (posted.get(f"{name}-{number}", "").strip() for name in ("number", "was"))
        # `keep` takes back what was typed where somebody else has saved a number.
        if text == was or str(number) == chosen:
            continue
        line.typed = text
        if text and not WHOLE.fullmatch(text):
            line.fault = _("“%(text)s” is no whole number. Type one, such as 2, or leave it empty.") % {
                "text": text
            }
            continue
        version = whole_number(posted.get(f"seen-{number}", "")) or 0
        if version != line.version and text != line.stored:
            line.saved = _who_saved(line, number)
        changed.append(Tiebreak(number, int(text) if text else None, version))
    return changed


def _who_saved(line: TiebreakLine, number: int) -> tuple[str, datetime | None]:
    """Return who saved the number that the form did not know, and when; nobody where it was taken away."""
    # Only where it is of that version still: else the name told would be of another save.
    row = ManualTiebreak.objects.filter(competitor__number=number, version=line.version).first()
    return last_saved(row) if row else ("", None)


def _tell(request: HttpRequest, event: Event, numbers: Iterable[int]) -> None:
    """Tell who stands where with the numbers given."""
    changed = set(numbers)
    if not changed:
        messages.info(request, _("Nothing was changed."))
        return
    lines = sorted((line for line in _lines(event, judge(event)) if line.number in changed), key=_order)
    places = ", ".join(f"{line.place or '-'} {line.name}" for line in lines)
    messages.success(request, _("Saved. Places now: %(places)s.") % {"places": places})


def _sheet(event: Event, standings: Standings) -> TiebreakSheet:
    lines = {line.number: line for line in _lines(event, standings)}
    groups = [_group(numbers, lines) for numbers in level_competitors(event)]
    grouped = {line.number for group in groups for line in group.rows}
    others = [line for line in lines.values() if line.number not in grouped]
    return TiebreakSheet(sorted(groups, key=lambda group: group.place), sorted(others, key=_order), lines)


def _group(numbers: Iterable[int], lines: Mapping[int, TiebreakLine]) -> LevelGroup:
    found = sorted((lines[number] for number in numbers), key=_order)
    return LevelGroup(found[0].place, found)


def _order(line: TiebreakLine) -> tuple[bool, int, int]:
    return not line.place, line.place, line.number


def _lines(event: Event, standings: Standings) -> list[TiebreakLine]:
    table = standings.table
    places = dict(zip(table.numbers.tolist(), standings.place.tolist(), strict=True))
    competitors = Competitor.objects.filter(event=event).select_related("manual_tiebreak").order_by("number")
    return [_line(each, places[each.number]) for each in competitors]


def _line(competitor: Competitor, place: int) -> TiebreakLine:
    row = getattr(competitor, "manual_tiebreak", None)
    text = str(row.number) if row else ""
    return TiebreakLine(competitor.number, competitor.name, place, text, row.version if row else 0, text)
