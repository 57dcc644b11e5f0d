"""All games of a person, filtered by discipline, year, colour and result, and as PGN or PDN."""

from collections import Counter
from collections.abc import Iterator, Mapping

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from standings.careers.overevents import Career
from standings.careers.participation import ANNULLED
from standings.careers.totals import GameOfCareer
from standings.catalogue.listpage import Filter, ListPage
from standings.downloads.gamefiles import ListedGame, game_texts, is_draughts, listed_game
from standings.statistics.counting import FORFEIT, PLAYED, UNKNOWN
from tournaments.event.moves import publishable_moves
from tournaments.models import Event, Game, Pairing, PersonLink
from tournaments.models.pairing import all_public_games, all_public_pairings
from tournaments.texts import DISCIPLINES

PER_PAGE = 100

FILTERS = {
    "discipline": gettext_lazy("Discipline"), "year": gettext_lazy("Year"),
    "colour": gettext_lazy("Colour"), "result": gettext_lazy("Result"),
}  # fmt: skip
"""The query parameters in display order."""

COLOURS, RESULTS = {1: "white", -1: "black", 0: UNKNOWN}, {1: "won", 0: "drawn", -1: "lost"}
NAMES: dict[str, str | Promise] = DISCIPLINES | {
    "white": gettext_lazy("White"), "black": gettext_lazy("Black"), UNKNOWN: gettext_lazy("not recorded"),
    "won": gettext_lazy("won"), "drawn": gettext_lazy("drawn"), "lost": gettext_lazy("lost"),
    FORFEIT: gettext_lazy("forfeit"), ANNULLED: gettext_lazy("annulled"),
}  # fmt: skip
"""The names of filter values; a year is its own name."""


class CareerGames(ListPage):
    """A page of the games of a career that match the filters, the latest first."""

    def __init__(self, career: Career, asked: Mapping[str, str]) -> None:
        super().__init__(asked, PER_PAGE)
        self.chosen = {key: asked[key] for key in FILTERS if asked.get(key)}
        games = (GameOfCareer(each, game) for each in reversed(career) for game in reversed(each.all_games))
        every = [(each, _filter_values(each)) for each in games]
        self._counts = {key: Counter(values[key] for _game, values in every) for key in FILTERS}
        self.games = [each for each, values in every if self.chosen.items() <= values.items()]
        self.total = len(self.games)

    @property
    def shown(self) -> list[GameOfCareer]:
        return self.games[self.first - 1 : self.last]

    @property
    def filters(self) -> list[Filter]:
        return [
            Filter(key, label, [self._option(key, each, str(NAMES.get(each, each))) for each in counts])
            for (key, label), counts in zip(FILTERS.items(), self._counts.values(), strict=True)
        ]

    @property
    def endings(self) -> list[str]:
        """Return the file formats of these games: PGN for chess, PDN for draughts."""
        return sorted({_ending_of(each.participation.event) for each in self.games})

    def file(self, person: int, ending: str) -> str:
        """Return the games of that notation, the earliest first; at most three queries."""
        recorded = dict(_recorded_games(person))
        played = [(each.participation.event, each.game) for each in reversed(self.games)]
        keys = [(event.pk, game.round, game.table, game.board) for event, game in played]
        found = (recorded[key] for key in keys if key in recorded)
        return game_texts((each for each in found if _ending_of(each[0]) == ending), ending)


def _filter_values(each: GameOfCareer) -> dict[str, str]:
    event, game = each.participation.event, each.game
    result = RESULTS[game.ended] if game.kind == PLAYED else game.kind
    values = event.discipline, event.start[:4] or UNKNOWN, COLOURS[game.colour], result
    return dict(zip(FILTERS, values, strict=True))


def _ending_of(event: Event) -> str:
    return "pdn" if is_draughts(event.discipline) else "pgn"


def _recorded_games(person: int) -> Iterator[tuple[tuple[int, int, int, int], tuple[Event, ListedGame]]]:
    """Yield each game with its event, by the keys of event, round, table and board."""
    links = PersonLink.objects.filter(person=person).values_list("competitor", "player")
    own, players = map(set, zip(*links, strict=True)) if links else (set(), set())
    pairings = all_public_pairings().filter(Q(first__in=own) | Q(second__in=own), second__isnull=False)
    boards = all_public_games().filter(Q(first_player__in=players) | Q(second_player__in=players))
    sides = ("pairing__first", "pairing__second", "first_player", "second_player")
    records: list[tuple[Pairing | Game, Pairing]] = [
        *((each, each) for each in pairings.select_related("round__event", "first", "second")),
        *((each, each.pairing) for each in boards.select_related("pairing__round__event", *sides)),
    ]
    for record, pairing in records:
        at, event = pairing.round, pairing.round.event
        record.moves = publishable_moves(record.moves)
        game = listed_game(event, at, pairing.table, record, pairing.first, pairing.second)
        yield (event.pk, at.number, pairing.table, game.board or 0), (event, game)
