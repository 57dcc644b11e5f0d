"""Line-ups of a team: from the roster, from its last match or typed, and their faults."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.translation import gettext as _

from tournaments.event.choices import BoardOrder
from tournaments.event.numbers import whole_number
from tournaments.models import Event, Game, Player, Round

Order = tuple[int | None, ...]
"""Keys of a team's players from board 1. None for an empty board."""

NOBODY = ("-", "–", "x")
HIGHEST_DIGIT = 9


@dataclass(frozen=True, slots=True)
class TypedOrder:
    """A typed line-up. `fault`: what is wrong with it, or blank."""

    order: Order
    fault: str = ""


class TeamRoster:
    """The players of a team in order, with the numbers that users type.

    The number is the place in the board order if all players have one, otherwise the place in the list.
    """

    def __init__(self, players: Sequence[Player]) -> None:
        self.players = players
        has_places = all(player.board for player in players)
        self.numbers = {
            player.pk: player.board if player.board and has_places else at
            for at, player in enumerate(players, 1)
        }
        self.by_number = {self.numbers[player.pk]: player for player in players}
        self.by_key = {player.pk: player for player in players}

    @property
    def is_short(self) -> bool:
        """Return whether all numbers have one digit, so that a line-up can be typed as `1245`."""
        return max(self.by_number, default=0) <= HIGHEST_DIGIT

    def default(self, boards: int) -> Order:
        return self.without((None,) * boards, ())

    def without(self, order: Order, absent: Collection[int]) -> Order:
        """Replace absent players with the next ones. An empty line-up gets the first present players."""
        size = max((board for board, key in enumerate(order, 1) if key), default=0)
        kept = [key for key in order[:size] if key is None or key not in absent]
        present = [player.pk for player in self.players if player.pk not in absent]
        start = max((present.index(key) + 1 for key in kept if key), default=0)
        reserves = [key for key in present[start:] + present[:start] if key not in kept]
        seated = kept + reserves[: (size or len(order)) - len(kept)]
        return (*seated, *[None] * (len(order) - len(seated)))

    def text(self, order: Order) -> str:
        """Return a line-up as it is typed, `1 2 4 5`. Blank if all boards are empty."""
        if not any(key in self.by_key for key in order):
            return ""
        signs = [str(self.numbers[key]) if key in self.numbers else NOBODY[0] for key in order]
        return ("" if self.is_short else " ").join(signs)

    def names(self, order: Order) -> list[str]:
        return [self.by_key[key].name if key in self.by_key else "" for key in order]

    def read(self, text: str, boards: int) -> TypedOrder:
        """Parse a typed line-up: numbers, names, or a dash for an empty board."""
        tokens = self._tokens(text.strip())
        keys: list[int | None] = []
        for token in tokens:
            if token in NOBODY:
                keys.append(None)
                continue
            found = self._matching_players(token)
            if len(found) != 1:
                return TypedOrder((None,) * boards, self._ambiguous_text(token, found))
            keys.append(found[0].pk)
        if len(keys) > boards:
            values = {"boards": boards, "count": len(keys)}
            return TypedOrder((None,) * boards, _("%(count)s players for %(boards)s boards.") % values)
        order = (*keys, *[None] * (boards - len(keys)))
        return TypedOrder(order, self.fault(order))

    def fault(self, order: Order) -> str:
        """Return a sentence why this cannot be a line-up of the team. Blank if it can."""
        seated = [key for key in order if key is not None]
        if not set(seated) <= set(self.by_key):
            return _("A player is not of this team. Choose again.")
        twice = next((key for key in seated if seated.count(key) > 1), None)
        if twice is not None:
            return _("%(player)s sits at two boards.") % {"player": self.by_key[twice].name}
        return ""

    def out_of_order(self, event: Event, order: Order) -> str:
        """Return a sentence about the first player above a lower place in a fixed board order, or blank."""
        if event.board_order != BoardOrder.FIXED:
            return ""
        seated = [self.by_key[key] for key in order if key in self.by_key]
        placed = [(player, player.board) for player in seated if player.board is not None]
        for (above, place), (below, lower) in pairwise(placed):
            if place > lower:
                values = {"above": above.name, "place": place, "below": below.name, "lower": lower}
                return _("%(above)s, %(place)s in the board order, sits above %(below)s, %(lower)s.") % values
        return ""

    def _tokens(self, text: str) -> list[str]:
        if self.is_short and re.fullmatch(r"[\d–x-]+", text) and len(text) > 1:
            return list(text)
        separator = r"[,;/]" if re.search(r"[,;/]", text) else r"\s+"
        return [each.strip() for each in re.split(separator, text) if each.strip()]

    def _matching_players(self, token: str) -> list[Player]:
        number = whole_number(token)
        if number is not None:
            return [self.by_number[number]] if number in self.by_number else []
        wanted = token.casefold()
        names = [(player, player.name.casefold()) for player in self.players]
        exact = [player for player, name in names if name == wanted]
        return exact or [player for player, name in names if wanted in name]

    def _ambiguous_text(self, token: str, found: Sequence[Player]) -> str:
        if found:
            return _("“%(text)s” may be %(names)s. Type more of the name, or the number.") % {
                "text": token, "names": _(" or ").join(player.name for player in found),
            }  # fmt: skip
        return _("“%(text)s” is not a player of this team. Type a number of the list, or a name.") % {
            "text": token
        }


def team_rosters(event: Event, teams: Iterable[int]) -> dict[int, TeamRoster]:
    """Return the rosters of teams by key. A single query."""
    players: dict[int, list[Player]] = {key: [] for key in teams}
    for player in Player.objects.filter(competitor__event=event, competitor__in=list(players)):
        players[player.competitor_id].append(player)
    return {key: TeamRoster(listed) for key, listed in players.items()}


def last_orders(round_: Round, boards: int) -> Mapping[int, Order]:
    """Return the line-up of each team in its last match before a round, by key. A single query."""
    games = Game.objects.filter(pairing__round__event=round_.event, pairing__round__number__lt=round_.number)
    found: dict[int, tuple[int, dict[int, int | None]]] = {}
    rows = games.order_by("-pairing__round__number").values_list(
        *("pairing__round__number", "pairing__first", "pairing__second"),
        *("board", "first_player", "second_player"),
    )
    for number, first, second, board, *players in rows:
        for team, player in zip((first, second), players, strict=True):
            last, seats = found.setdefault(team, (number, {}))
            if last == number:
                seats[board] = player
    return {
        team: tuple(seats.get(board) for board in range(1, boards + 1))
        for team, (_number, seats) in found.items()
        if any(seats.values())
    }
