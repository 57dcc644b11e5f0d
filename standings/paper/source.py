"""The data of printouts: the event and a round, each read once for all printouts of a request."""

from collections.abc import Sequence
from functools import cached_property

from django.db.models import Prefetch
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from standings.engine import fraction_text
from standings.pages.events.notes import ManualChange, Remark, Remarks, remarks_of
from standings.pages.frame import sheet_of
from standings.paper.options import PaperOptions
from standings.services import paired_rounds
from standings.tables.sheet import StandingsSheet
from standings.texts import day_and_time_text
from tournaments.models import Competitor, Event, Game, Pairing, Player, Round
from tournaments.models.pairing import decided_by_withdrawal
from tournaments.pairing.history import play_histories

WHITE, BLACK = "○", "●"


class PaperSource:
    """The data of printouts. `round`: None for printouts of the event."""

    def __init__(
        self, request: HttpRequest, event: Event, options: PaperOptions, round_: Round | None = None
    ) -> None:
        self.request, self.event, self.options, self.round = request, event, options, round_

    @property
    def is_draft(self) -> bool:
        return self.round is not None and self.round.is_draft

    @property
    def round_text(self) -> str:
        if self.round is None:
            return ""
        day = day_and_time_text(self.round)  # readers are in the hall
        text = _("Round %(number)s") % {"number": self.round.number}
        return f"{text}, {day}" if day else text

    @cached_property
    def competitors(self) -> list[Competitor]:
        """Return all competitors by number with players; one query, two for teams."""
        rows = Competitor.objects.filter(event=self.event).order_by("number")
        if self.event.is_team:
            rows = rows.prefetch_related(Prefetch("players", Player.objects.all()))
        return list(rows)

    @cached_property
    def pairings(self) -> list[Pairing]:
        """Return the pairings of the round by table with boards; one query, two for teams."""
        rows = Pairing.objects.filter(round=self.round).select_related("round__event", "first", "second")
        if self.event.is_team:
            boards = Game.objects.select_related("first_player", "second_player").order_by("board")
            rows = rows.prefetch_related(Prefetch("games", boards))
        return list(rows.order_by("table"))

    @cached_property
    def decided(self) -> set[int]:
        """Return the keys of the round's pairings that a withdrawal decides; one query, none in a Swiss."""
        if not self.event.is_round_robin:
            return set()
        rows = Pairing.objects.filter(decided_by_withdrawal(), round=self.round)
        return set(rows.values_list("pk", flat=True))

    @property
    def wanted(self) -> list[Pairing]:
        return [each for each in self.pairings if self.options.among(each.table)]

    @cached_property
    def remarks(self) -> Remarks:
        """Return the corrections and rulings of the event; two queries."""
        return remarks_of(self.event)

    def remarks_at(self, pairings: Sequence[Pairing]) -> list[Remark]:
        number = self.round.number if self.round else 0
        return [each for pairing in pairings for each in self.remarks.of_pairing(number, pairing.table)]

    @cached_property
    def points(self) -> dict[int, str]:
        before = self.round.number if self.round else 1
        past = play_histories(sheet_of(self.event, None).standings.table, before)
        return {number: fraction_text(each.points, 2) for number, each in past.items()}

    @cached_property
    def paired(self) -> int:
        """Return the number of the last published round; one query."""
        return paired_rounds(self.event)

    @cached_property
    def standings(self) -> StandingsSheet:
        """Return the standings after the requested round.

        Printouts of a round show the standings before it until it is closed.
        """
        if self.round and self.round.number > 1 and self.paired and not self.round.is_closed:
            return sheet_of(self.event, min(self.round.number - 1, self.paired))
        after = self.round.number if self.round else self.options.after
        return sheet_of(self.event, after if 0 < after <= self.paired else None)

    def note_of(self, remark: Remark) -> str:
        return f"{remark.sign} {self.words_of(remark.ruled)}"

    def words_of(self, ruled: ManualChange) -> str:
        return f"{ruled.what}. {ruled.reason} ({ruled.by}, {date_format(localtime(ruled.at))})"
