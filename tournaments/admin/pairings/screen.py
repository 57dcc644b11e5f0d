"""The pairings of a round: who sits where, who is not paired yet, and lines to pair them in."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.admin.frame import of_round, page, refusal_of, who
from tournaments.admin.permissions import desk_view
from tournaments.admin.results.sheet import round_of
from tournaments.event.choices import Kind
from tournaments.event.numbers import whole_number
from tournaments.event.resultcodes import recorded_text
from tournaments.models import Competitor, Event, Override, Pairing, Round
from tournaments.recording.matches import decided_in
from tournaments.recording.pairings import add_pairings
from tournaments.recording.rounds import take_back_pairings, unpaired_of, why_published
from tournaments.recording.rulings import findings_in
from tournaments.recording.seating import (
    ReadPairing,
    TypedPairing,
    competitor_text,
    read_pairings,
    read_typed_pairings,
    sides_text,
)

MOST_LINES = 300
FEWEST_LINES, MOST_BLANK = 1, 50

KEYS: tuple[tuple[Kind, str, str | Promise], ...] = (
    (Kind.BYE, "y", gettext_lazy("bye")),
    (Kind.HALF_BYE, "=", gettext_lazy("½ bye")),
    (Kind.ZERO_BYE, "0", gettext_lazy("0 bye")),
    (Kind.ABSENT, "-", gettext_lazy("absent")),
)
"""What one who has no opponent may have, and the key that means it."""


@dataclass(frozen=True, slots=True)
class PairingRow:
    """A pairing as the screen lists it; `by_hand`: it carries a `*`; `is_decided`: it has a result."""

    pairing: Pairing
    first: str
    second: str
    result: str
    by_hand: bool
    is_decided: bool


@dataclass(frozen=True, slots=True)
class PairingFields:
    """A line to pair two in: blank, or as it was typed with what is wrong with it."""

    table: str
    first: str = ""
    second: str = ""
    fault: str = ""


@desk_view()
def pairings(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show the screen; store the lines that were typed, all or none, or take published pairings back."""
    round_, refusal, seated = round_of(event, number), "", list[ReadPairing]()
    if request.method == "POST":
        if "take-back" in request.POST:
            refusal = refusal_of(lambda: _take_back(request, round_))
        else:
            seated = read_typed_pairings(round_, list(typed_in(request)))
            refusal = store(request, round_, seated)
        if not refusal:
            return redirect(request.path)
    return page(
        request,
        event,
        "pairings",
        _("Pairings of round %(round)s") % {"round": number},
        _("Says who meets whom: type two numbers or names a line."),
        **of_round(
            round_, refusal=refusal, reason=request.POST.get("reason", ""), **_context(round_, seated)
        ),
    )


def typed_in(request: HttpRequest) -> Iterator[TypedPairing]:
    """Yield the lines of a posted form that say anything; who was given a bye by its button comes last."""
    # Whoever posts a million lines gets as far as a form of ours does.
    columns = [request.POST.getlist(name)[:MOST_LINES] for name in ("table", "first", "second")]
    number = 0
    for number, (table, first, second) in enumerate(zip(*columns, strict=False), start=1):
        if first.strip() or second.strip():
            yield TypedPairing(number, first, second, table)
    # A button's value, `bye 12`: the form works without a script.
    kind, _blank, competitor = request.POST.get("off", "").partition(" ")
    if competitor:
        yield TypedPairing(number + 1, competitor, kind)


def store(request: HttpRequest, round_: Round, seated: Sequence[ReadPairing]) -> str:
    """Store the lines, all or none, and return why not, or an empty string."""
    faults = [each for each in seated if each.fault]
    if faults:
        told_ = ngettext(
            "%(count)s line is wrong. Nothing is saved yet.",
            "%(count)s lines are wrong. Nothing is saved yet.",
            len(faults),
        )
        return told_ % {"count": len(faults)}
    seats = [each.seats for each in seated if each.seats and not each.is_stored]
    if not seated:
        return _("Nothing was typed. Type two numbers or names in a line.")
    if not seats:
        # Sent twice by the way back of the browser: no error, since all is as it was wanted.
        messages.info(request, _("These pairings are saved already."))
        return ""
    refusal = refusal_of(lambda: add_pairings(round_, seats, who(request), request.POST.get("reason", "")))
    if not refusal:
        saved = ngettext("%(count)s pairing is saved.", "%(count)s pairings are saved.", len(seats))
        messages.success(request, saved % {"count": len(seats)})
    return refusal


def _take_back(request: HttpRequest, round_: Round) -> None:
    take_back_pairings(round_, who(request))
    told_ = _("The pairings are taken back: they are a draft, and readers do not see them any more.")
    messages.success(request, told_)


def tables_of(round_: Round) -> list[PairingRow]:
    """Return the pairings of a round by table; three queries."""
    rows = list(round_.pairings.select_related("first", "second").order_by("table"))
    by_hand, decided = tables_by_hand(round_), decided_in(round_)
    return [
        PairingRow(
            row, *sides_text(row), recorded_text(round_.event, row), row.table in by_hand, row.pk in decided
        )
        for row in rows
    ]


def tables_by_hand(round_: Round) -> set[int | None]:
    """Return the tables whose pairing was changed by hand; one query."""
    changed = Override.objects.filter(event=round_.event, kind=Override.Kind.PAIRING, undone_by=None)
    return set(changed.filter(round=round_.number).values_list("table", flat=True))


def _context(round_: Round, seated: Sequence[ReadPairing]) -> dict[str, Any]:
    tables, unpaired = tables_of(round_), unpaired_of(round_)
    return {
        "tables": tables,
        "unpaired": [(each, competitor_text(each)) for each in unpaired],
        "keys": KEYS,
        "lines": list(_lines(tables, seated, unpaired)),
        "findings": findings_in(round_),
        "may_take_back": not (round_.is_draft or why_published(round_.event, round_)),
    }


def _lines(
    tables: Sequence[PairingRow], seated: Sequence[ReadPairing], unpaired: Sequence[Competitor]
) -> Iterator[PairingFields]:
    """Yield the lines as they were typed, then blank ones for whoever is left, at the next free tables."""
    for each in seated:
        yield PairingFields(each.typed.table, each.typed.first, each.typed.second, each.fault)
    taken = {table.pairing.table for table in tables} | {whole_number(each.typed.table) for each in seated}
    # One for each two who are left; fifty at most, as nobody types more before saving.
    left = min((len(unpaired) + 1) // 2 - len(seated), MOST_BLANK)
    free = (table for table in count(1) if table not in taken)
    for table in islice(free, max(left, FEWEST_LINES)):
        yield PairingFields(str(table))


LONGEST_BLOCK = 50_000


@desk_view()
def paste(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Show a field for the block, then what it says line by line; store it whole, or say why not."""
    round_, refusal = round_of(event, number), ""
    text = request.POST.get("text", "")[:LONGEST_BLOCK]
    # The preview comes back as the lines of the screen's own form, which read names and byes already.
    if "first" in request.POST:
        refusal = store(request, round_, read_typed_pairings(round_, list(typed_in(request))))
        if not refusal:
            return redirect("admin:round-pairings", event.pk, number)
    seated = read_pairings(round_, text)[:MOST_LINES]
    faults = sum(bool(each.fault) for each in seated)
    return page(
        request,
        event,
        "pairings_paste",
        _("Paste the pairings of round %(round)s") % {"round": number},
        _("Takes a block of pairings, a line each, and shows it in words before any of it is saved."),
        **of_round(
            round_,
            text=text,
            pasted=seated,
            faults=faults,
            count=0 if faults else len(seated),
            back=reverse("admin:round-pairings", args=[event.pk, number]),
            refusal=refusal,
            reason=request.POST.get("reason", ""),
        ),
    )
