"""Corrections and rulings: when, why, by whom, and which places changed."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse

from standings.caching.cached_pages import event_page
from standings.pages.frame import event_response
from tournaments.models import Change, Competitor, Event, ManualTiebreak, Override
from tournaments.texts import paired_text, phrase_of, was_of


@dataclass(frozen=True)
class Move:
    """A competitor whose place a correction changed; 0 for no place."""

    number: int
    name: str
    before: int
    after: int


@dataclass(frozen=True)
class ChangeRow:
    change: Change
    moves: list[Move]

    @property
    def paired(self) -> str:
        """Return a sentence about rounds paired from the previous result, or an empty text."""
        return paired_text(self.change.paired)


@dataclass(frozen=True)
class RulingRow:
    """A ruling, and the number of the ruling that undid it."""

    override: Override
    what: str
    was: str
    undone_by: int | None
    moves: list[Move] | None
    """The changed places; None for kinds that do not record them."""


def changes_of(event: Event) -> list[ChangeRow]:
    """Return the corrections, the latest first; two queries."""
    names = _names_by_number(event)
    return [
        ChangeRow(change, [_move(moved, names) for moved in change.moved])
        for change in Change.objects.filter(event=event).order_by("-at", "-pk")
    ]


def _names_by_number(event: Event) -> dict[int, str]:
    return dict(Competitor.objects.filter(event=event).values_list("number", "name"))


def _move(moved: list[int | None], names: dict[int, str]) -> Move:
    # Moves contain numbers instead of keys, because the competitor may have been deleted.
    number, before, after = (figure or 0 for figure in moved)
    return Move(number, names.get(number, ""), before, after)


def rulings_of(event: Event) -> list[RulingRow]:
    """Return the rulings in the order of their numbers; two queries."""
    names = _names_by_number(event)
    rulings = Override.objects.filter(event=event).select_related(
        "competitor", "event", "undoes", "undone_by"
    )
    return [
        RulingRow(
            ruling,
            phrase_of(ruling),
            was_of(ruling),
            # The reverse side of a one-to-one field raises an AttributeError if it is empty.
            ruling.undone_by.number if hasattr(ruling, "undone_by") else None,
            [_move(moved, names) for moved in ruling.moved] if ruling.tells_moves else None,
        )
        for ruling in rulings.order_by("number")
    ]


@event_page
def changes(request: HttpRequest, event: Event) -> HttpResponse:
    tiebreaks = ManualTiebreak.objects.filter(competitor__event=event).exists()
    context = {"changes": changes_of(event), "rulings": rulings_of(event), "tiebreaks": tiebreaks}
    return event_response(request, event, "changes", context)
