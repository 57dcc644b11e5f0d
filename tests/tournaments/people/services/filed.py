"""Three events with namesakes whose files change between imports, and the true identity of the entries."""

import json
from dataclasses import dataclass, field
from typing import Any

from tournaments.event.finding import errors
from tournaments.models import Competitor, PersonLink, Player
from tournaments.recording.imports.importing import ImportRequest, import_event

Who = str
"""A player, by the name in the test. Namesakes have the same name in the file."""

ABOUT: dict[Who, dict[str, Any]] = {
    "zora": {"fide_id": 99887766, "born": "1987-03-29", "rating": 2111, "club": "Vexburg"},
    "elder": {"born": "1950", "rating": 1700},
    "younger": {"born": "1999", "rating": 2400, "title": "FM"},
    "bea": {"rating": 1900},
    "cora": {"sex": "w"},
}
"""Facts in the file that distinguish namesakes."""

WRITINGS: dict[Who, tuple[str, ...]] = {
    **dict.fromkeys(("zora", "elder", "younger"), ("Quixley, Zora", "Zora QUIXLEY", "Quixley-Thorne, Zora")),
    "bea": ("Marlow, Bea", "Bea Marlow", "Marlow-Finch, Bea"),
    "cora": ("Starling, Cora", "Cora Starling", "Старлинг Кора"),
}

REQUEST = ImportRequest(by="Ada", reason="The file says so.", accept="The file says so.")


@dataclass
class File:
    """The current file of an event: numbers, and withdrawn players.

    In a team event the numbers are those of the teams. `games`: rounds of pairs.
    """

    slug: str
    seats: dict[int, list[Who]]
    games: list[list[tuple[Who, Who]]]
    is_team: bool = False
    gone: set[Who] = field(default_factory=set)
    writings: dict[Who, int] = field(default_factory=dict)
    more: dict[Who, dict[str, Any]] = field(default_factory=dict)

    @property
    def everybody(self) -> list[Who]:
        return [who for listed in self.seats.values() for who in listed]

    @property
    def there(self) -> list[Who]:
        return [who for who in self.everybody if who not in self.gone]

    def name(self, who: Who) -> str:
        return WRITINGS[who][self.writings.get(who, 0)]

    def number(self, who: Who) -> int:
        return next(number for number, listed in self.seats.items() if who in listed)

    def swap(self, one: Who, other: Who) -> None:
        """Swap two numbers; in an event of players also the teams."""
        places = [(self.number(who), self.seats[self.number(who)].index(who)) for who in (one, other)]
        for (number, at), who in zip(places, (other, one), strict=True):
            self.seats[number][at] = who

    def store(self) -> bool:
        """Import the current file. Return False if it is refused, for example because a logged competitor is
        missing.
        """
        return not errors(import_event(json.dumps(self._content()), announce=lambda _: None, wishes=REQUEST))

    def who_is(self, link: PersonLink) -> Who | None:
        """Return the player of a link's entry, or None if the entry is missing."""
        entry: Competitor | Player | None = link.player or link.competitor
        if entry is None:
            return None
        if isinstance(entry, Competitor):
            return self.seats[entry.number][0]
        listed = [who for who in self.seats[entry.competitor.number] if who not in self.gone]
        return next((who for at, who in enumerate(listed, start=1) if at == entry.board), None)

    def shown_name(self, who: Who) -> str:
        """Return the displayed name."""
        number = self.number(who)
        if not self.is_team:
            return Competitor.objects.get(event__slug=self.slug, number=number).name
        listed = [each for each in self.seats[number] if each not in self.gone]
        players = Player.objects.filter(competitor__event__slug=self.slug, competitor__number=number)
        return players.get(board=listed.index(who) + 1).name

    def _content(self) -> dict[str, Any]:
        teams = {"entrants": "teams", "boards": 2, "scoring": {"game": [1, 0.5, 0], "match": [2, 1, 0]}}
        kind = {**teams, "system": "olympiad-2010"} if self.is_team else {}
        event = {
            "slug": self.slug, "name": self.slug.title(), "start": "2020", "discipline": "chess",
            "state": "live", "entrants": "players", "schedule": "swiss", "rounds": 5,
            "scoring": {"game": [1, 0.5, 0]}, "system": "fmjd-swiss",
            "notes": "".join(f"{self.name(who)} came by train. " for who in self.there), **kind,
        }  # fmt: skip
        return {
            "format": "crosstable-event",
            "version": 1,
            "event": event,
            "competitors": self._teams() if self.is_team else self._players(),
            "rounds": [
                {"number": at, "pairings": [*self._pairings(pairs)]}
                for at, pairs in enumerate(self.games, start=1)
            ],
        }

    def _about(self, who: Who) -> dict[str, Any]:
        return {"name": self.name(who), **ABOUT[who], **self.more.get(who, {})}

    def _players(self) -> list[dict[str, Any]]:
        return [
            {"number": self.number(who), **self._about(who)} for who in sorted(self.there, key=self.number)
        ]

    def _teams(self) -> list[dict[str, Any]]:
        return [
            {
                "number": number,
                "name": f"Team {number}",
                "players": [
                    {"board": board, **self._about(who)}
                    for board, who in enumerate((each for each in listed if each not in self.gone), start=1)
                ],
            }
            for number, listed in self.seats.items()
        ]

    def _pairings(self, pairs: list[tuple[Who, Who]]) -> list[dict[str, Any]]:
        met = [pair for pair in pairs if not self.gone & {*pair}]
        if not self.is_team:
            return [
                {"table": at, "first": self.number(one), "second": self.number(other), "score": [1, 0],
                 "note": f"{self.name(one)} offered a draw."}
                for at, (one, other) in enumerate(met, start=1)
            ]  # fmt: skip
        games = []
        for board, (one, other) in enumerate(met, start=1):
            first, second = sorted((one, other), key=self.number)
            if self.number(first) != self.number(second):
                games.append({
                    "board": board, "first": self.name(first), "second": self.name(second),
                    "white": "first", "score": [0.5, 0.5],
                    "moves": f'[White "{self.name(first)}"]\n\n1. d4 {{{self.name(second)} thinks}} d5',
                })  # fmt: skip
        half = len(games) / 2
        return [{"table": 1, "first": 1, "second": 2, "score": [half, half], "games": games}]


def files() -> list[File]:
    """Return the files of an event of players, a match of two teams, and another event of players."""
    return [
        File(
            "club",
            {1: ["bea"], 2: ["zora"], 3: ["cora"], 4: ["elder"]},
            [[("bea", "zora"), ("cora", "elder")], [("bea", "elder"), ("zora", "cora")]],
        ),
        File("cup", {1: ["zora", "bea"], 2: ["elder", "cora"]}, [[("zora", "elder"), ("bea", "cora")]], True),
        File("open", {1: ["younger"], 2: ["bea"], 3: ["elder"], 4: ["zora"]}, []),
    ]
