"""An event as a tree: the one shape between the event file, the database, the checks and the engine.

The reader and the database loader both make it; the writer prints it, the checks judge it, the differences
compare two of them. Every attribute is named as in the models. Scores are half-points. Everything stands
in canonical order: competitors and rounds by number, pairings by table, games by board, players by
`player_order`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypedDict

ALONE = frozenset({"bye", "half-bye", "zero-bye", "absent"})
"""Kinds of pairing without an opponent."""

SCORELESS = frozenset({"pending", "unknown"})
"""Kinds of pairing without a score."""

SEXES = ("m", "w")
"""What a file says of somebody's sex, where it says it."""

REQUESTED = ("half-bye", "zero-bye")
"""The byes that a competitor may ask for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Particulars:
    """What is known of a competitor or a player apart from the play; blank where nothing is.

    `born` is a day or a year alone. The public is told the year: `tournaments.public`.
    """

    club: str = ""
    city: str = ""
    sex: str = ""  # of SEXES
    born: str = ""
    categories: tuple[str, ...] = ()
    fmjd_id: int | None = None


@dataclass(frozen=True, slots=True)
class PlayerEntry(Particulars):
    """A member of a team."""

    name: str
    fide_id: int | None = None
    board: int | None = None
    title: str = ""
    rating: int | None = None

    @property
    def identity(self) -> int | str:
        """What tells a player from the others of the team: the FIDE id, or the name where there is none."""
        return self.name if self.fide_id is None else self.fide_id


@dataclass(frozen=True, slots=True)
class CompetitorEntry(Particulars):
    """A team or a player of the event. `requested_byes` holds kinds by the number of the round, as text."""

    number: int
    name: str
    code: str = ""
    flag: str = ""  # blank where the code says it
    title: str = ""
    rating: int | None = None
    rating_class: str = ""
    fide_id: int | None = None
    outside: bool = False
    withdrawn_after: int | None = None
    requested_byes: dict[str, str] = field(default_factory=dict)
    manual: int | None = None
    manual_after: int | None = None
    players: tuple[PlayerEntry, ...] = ()
    manual_pinned: bool = field(default=False, compare=False)  # the file left `manual_after` out


@dataclass(frozen=True, slots=True)
class GameEntry:
    """One board of a match; the players are members of the two teams, None where the source names nobody."""

    board: int
    first_player: PlayerEntry | None = None
    second_player: PlayerEntry | None = None
    white: str = ""
    kind: str = "played"
    first_score: int | None = None
    second_score: int | None = None
    advantage: str = ""
    games_played: int | None = None


@dataclass(frozen=True, slots=True)
class PairingEntry:
    """Two competitors in a round, or one without an opponent. `first` and `second` are competitor numbers."""

    table: int
    first: int
    second: int | None = None
    kind: str = "played"
    first_score: int | None = None
    second_score: int | None = None
    first_match_points: int | None = None  # both None where they follow from the score
    second_match_points: int | None = None
    advantage: str = ""
    games_played: int | None = None
    note: str = ""
    games: tuple[GameEntry, ...] = ()

    @property
    def numbers(self) -> tuple[int, ...]:
        """The competitors that sit here."""
        return (self.first,) if self.second is None else (self.first, self.second)


@dataclass(frozen=True, slots=True)
class RoundEntry:
    """One round. In a file it is closed unless it says otherwise."""

    number: int
    date: str = ""
    state: str = "closed"
    pairings: tuple[PairingEntry, ...] = ()

    @property
    def is_draft(self) -> bool:
        """Whether its pairings are still being made."""
        return self.state == "draft"


@dataclass(frozen=True, slots=True)
class OverrideEntry:
    """A manual change to what the system gives; `undoes` is the number of another override."""

    number: int
    kind: str
    reason: str
    by: str
    at: datetime
    round: int | None = None
    table: int | None = None
    competitor: int | None = None
    criterion: str = ""
    levels: tuple[str, ...] = ()
    place: int | None = None
    criteria: tuple[str, ...] = ()
    undoes: int | None = None
    was: str = ""
    after: int | None = None
    rules_from: dict[str, Any] = field(default_factory=dict)  # settings by the names of the models
    rules_to: dict[str, Any] = field(default_factory=dict)
    moved: tuple[tuple[int, int | None, int | None], ...] = ()
    pinned: bool = field(default=False, compare=False)  # the file left `after` out


@dataclass(frozen=True, slots=True)
class ChangeEntry:
    """An entry of the public change log. `moved`: number, place before, place after (None: had no place)."""

    round: int
    table: int
    was: str
    now: str
    reason: str
    by: str
    at: datetime
    moved: tuple[tuple[int, int | None, int | None], ...] = ()


@dataclass(frozen=True, slots=True)
class AcknowledgementEntry:
    """A warning that somebody looked at and accepts."""

    finding: str
    reason: str
    by: str
    at: datetime
    round: int | None = None
    table: int | None = None


class PublishedTable(TypedDict):
    """An order (lists of numbers that share a place) and columns (label → competitor number → exact text)."""

    order: list[list[int]]
    columns: dict[str, dict[str, str]]
    source: str


class KnownDifference(TypedDict):
    """A difference between published and computed standings that is understood."""

    what: str
    competitors: list[int]
    why: str


@dataclass(frozen=True, slots=True)
class PublishedEntry:
    """The standings as the source printed them: plain data, shaped as the model's JSON fields are.

    `publisher` printed them, at `source`; `taken` is the day on which they were taken from there.
    """

    order: list[list[int]] = field(default_factory=list)
    columns: dict[str, dict[str, str]] = field(default_factory=dict)
    after_round: dict[str, PublishedTable] = field(default_factory=dict)
    publisher: str = ""
    source: str = ""
    taken: str = ""
    known: list[KnownDifference] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class EventEntry:
    """What the event is and by which rules it is ranked. Points are half-points."""

    slug: str
    name: str
    discipline: str
    entrants: str
    schedule: str
    planned_rounds: int
    game_win: int
    game_draw: int
    game_loss: int
    system: str
    game_results: str = ""  # `3-0 1½-1`, where the results of a game are listed
    match_win: int = 4
    match_draw: int = 2
    match_loss: int = 0
    boards: int | None = None
    former_slugs: tuple[str, ...] = ()
    teams_are: str = "nations"
    series: str = ""
    place: str = ""
    country: str = ""
    start: str = ""
    end: str = ""
    state: str = "final"
    criteria: tuple[str, ...] = ()
    primary: str = ""
    bye_game: int | None = None
    bye_match: int | None = None
    wins_count_byes: bool = False
    withdrawal_at_half: str = "forfeit"
    unplayed: str = ""
    places: str = "blank"
    cell_number: str = "place"
    columns: str = "deciding"
    sources: tuple[str, ...] = ()
    licence: str = ""
    notes: str = ""
    trf: tuple[str, ...] = ()  # lines of a tournament report that nothing else here says

    @property
    def is_team(self) -> bool:
        """Whether the competitors are teams."""
        return self.entrants == "teams"

    @property
    def has_nations(self) -> bool:
        """Whether a competitor's code is its country's, so that the flag needs no saying."""
        return self.teams_are == "nations"

    @property
    def is_round_robin(self) -> bool:
        """Whether everybody meets everybody, once or twice."""
        return self.schedule != "swiss"


@dataclass(frozen=True, slots=True)
class Document:
    """One event, whole."""

    event: EventEntry
    competitors: tuple[CompetitorEntry, ...] = ()
    rounds: tuple[RoundEntry, ...] = ()
    overrides: tuple[OverrideEntry, ...] = ()
    changes: tuple[ChangeEntry, ...] = ()
    acknowledged: tuple[AcknowledgementEntry, ...] = ()
    published: PublishedEntry | None = None

    def pairings(self) -> Iterator[tuple[int, PairingEntry]]:
        """Every pairing with the number of its round."""
        return ((each.number, pairing) for each in self.rounds for pairing in each.pairings)

    def without_drafts(self) -> "Document":
        """The document without its rounds that are drafts, and without the warnings accepted in them."""
        drafts = {each.number for each in self.rounds if each.is_draft}
        if not drafts:
            return self
        return replace(
            self,
            rounds=tuple(each for each in self.rounds if each.number not in drafts),
            acknowledged=tuple(each for each in self.acknowledged if each.round not in drafts),
        )


def player_order(player: PlayerEntry) -> tuple[bool, int, str, int]:
    """The board order, then those without a board by name and id."""
    return player.board is None, player.board or 0, player.name, player.fide_id or 0


def own_flag(code: str, flag: str) -> str:
    """The flag, blank where it is the code without its trailing digits and so needs no saying."""
    return "" if flag == code.rstrip("0123456789") else flag
