"""The open games of a competitor: the one in progress or the next one, and those that are late."""

from typing import NamedTuple

from django.db.models import Q
from django.utils.translation import gettext as _

from standings.basis import Basis, basis_of
from standings.pages.competitors.team_players import BoardCell, games_of_teams
from standings.pages.events.pairing_rows import PairingRow, by_name, rows_of
from standings.services import ranked
from standings.tables.cells import AGAINST, spoken_round
from standings.texts import day_and_time_text, zone_text
from tournaments.models import Event
from tournaments.models.pairing import public_pairings, public_rounds, without_result


class OpenGame(NamedTuple):
    """A pairing without a result, or a bye; the competitor is its first side.

    `when`: day and time of the round, as far as recorded. `boards`: those of a match in progress.
    """

    label: str
    when: str
    pairing: PairingRow
    boards: list[BoardCell]

    @property
    def where(self) -> str:
        number = spoken_round(self.pairing.round)
        return f"{number} · {self.pairing.label}" if self.pairing.second else number

    @property
    def against(self) -> str:
        if self.pairing.second is None:
            return self.pairing.unopposed
        colour = {"○": 1, "●": -1}.get(self.pairing.first.colour, 0)
        return str(AGAINST[colour]) % {"name": self.pairing.second.name}

    @property
    def text(self) -> str:
        """Return `Round 2 · Match 1, 5 May 2026, 14:00: against Reds, 1 : 1 (1 0 ·), 1 board open`."""
        boards = f" ({' '.join(board.result for board in self.boards)})" if self.boards else ""
        score = self.pairing.score if self.pairing.open_boards else ""
        facts = self.against, f"{score}{boards}", self.pairing.state
        return f"{', '.join(filter(None, (self.where, self.when)))}: {', '.join(filter(None, facts))}"


def open_games(event: Event, number: int) -> list[OpenGame]:
    """Return the open games of the competitor in a live event, the one in progress or the next one first.

    One query; four with open games, five for a match in progress.
    """
    if event.state != Event.State.LIVE or not event.knows_round_order:
        return []
    basis = basis_of(ranked(event).standings.table)
    # A bye in a round that is over is in the past.
    bye = Q(second__isnull=True, round__number__gte=basis.round + (not basis.pending))
    found = public_pairings(event).filter(
        without_result() | bye, Q(first__number=number) | Q(second__number=number)
    )
    lines = by_name(rows_of(event, found.order_by("round__number")), players=not event.is_team)
    own = [line for line in lines if line.first.number == number]
    in_time = [line for line in own if not line.delayed]
    running = [line for line in in_time if line.open_boards]
    # A round robin is paired in advance: only its next round is listed.
    coming = [line for line in in_time if line.round >= basis.round and line not in running][:1]
    late = [line for line in own if line not in running and (line.delayed or line.round < basis.round)]
    rounds = {each.number: each for each in public_rounds(event)} if own else {}
    games = games_of_teams(event, number).get(number, []) if any(line.open_boards for line in own) else []
    boards = [game.cell() for game in games]
    return [
        OpenGame(
            _label_of_game(event, basis, line),
            day_and_time_text(rounds[line.round], zone_text(event)),
            line,
            [board for board in boards if board.round == line.round and line.open_boards],
        )
        for line in (*running, *coming, *late)
    ]


def _label_of_game(event: Event, basis: Basis, line: PairingRow) -> str:
    if line.second is None or line.delayed:
        return ""
    if line.round < basis.round and not line.open_boards:
        return _("Result still to come")
    if line.open_boards or (line.round == basis.round and (basis.pending < basis.paired or basis.running)):
        return _("In progress")
    return _("Next match") if event.is_team else _("Next game")
