"""The cards: one match with its boards, and one competitor round by round, as a score sheet prints them."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import F
from django.utils.safestring import SafeString

from standings.cells import Facts, RoundCells, own_rounds, sign, tint
from standings.columns import shown_criteria
from standings.engine import Kind as EngineKind
from standings.engine import Scale, Standings, get, points_text
from standings.entries import Entry, entries_of, flag_of, year_of
from standings.services import places_after_each_round, standings_of
from tournaments.models import Event, Game, Kind, Pairing, Player
from tournaments.resultcodes import result_text, side_texts

NO_FLAG = SafeString("")
COLOURS = {"first": ("○", "●"), "second": ("●", "○"), "": ("", "")}
COLOUR_WORDS = {"○": "White", "●": "Black", "": ""}


@dataclass(frozen=True)
class Side:
    """One side of a match or of a board."""

    name: str
    flag: SafeString = NO_FLAG
    number: int | None = None
    title: str = ""
    rating: int | None = None
    colour: str = ""

    @property
    def colour_word(self) -> str:
        """The colour, read aloud."""
        return COLOUR_WORDS[self.colour]


@dataclass(frozen=True)
class Board:
    """One board of a match."""

    number: int
    first: Side
    second: Side
    result: str
    defaulted: bool
    unplayed: str


@dataclass(frozen=True)
class MatchCard:
    """A match with its boards, or one game; `score` is what stands between the two names."""

    round: int
    table: int
    first: Side
    second: Side | None
    score: str
    defaulted: bool
    words: str
    match_points: str
    note: str
    boards: list[Board]
    total: str


def match_card(event: Event, number: int, table: int) -> MatchCard | None:
    """The card of a pairing, None where there is none; two queries."""
    pairings = Pairing.objects.select_related("first", "second")
    pairing = pairings.filter(round__event=event, round__number=number, table=table).first()
    if pairing is None:
        return None
    colours = ("", "") if event.is_team or pairing.second is None else COLOURS["first"]
    year = year_of(event)
    sides = [
        Side(side.name, flag_of(side.flag or side.code, year), side.number, side.title, side.rating, colour)
        for side, colour in zip((pairing.first, pairing.second), colours, strict=True)
        if side is not None
    ]
    return MatchCard(
        round=number,
        table=table,
        first=sides[0],
        second=sides[1] if len(sides) > 1 else None,
        score=_score(pairing),
        defaulted=pairing.kind != Kind.PLAYED and pairing.kind not in (Kind.PENDING, Kind.UNKNOWN),
        words=_words(pairing),
        match_points=_match_points(event, pairing),
        note=pairing.note,
        boards=list(_boards(pairing)) if event.is_team else [],
        total=result_text(pairing.kind, pairing.first_score, pairing.second_score),
    )


def _score(pairing: Pairing) -> str:
    first, second = side_texts(pairing.kind, pairing.first_score, pairing.second_score, pairing.advantage)
    return f"{first} : {second}" if second else first or "–"


def _words(pairing: Pairing) -> str:
    if pairing.kind == Kind.FORFEIT:
        both = pairing.first_score == pairing.second_score
        return "Lost by forfeit on both sides." if both else "Decided by forfeit."
    if pairing.kind == Kind.PLAYED:
        played = pairing.games_played
        return f"A micro-match of {played} game{'s' * (played != 1)}." if played else ""
    return f"{pairing.get_kind_display().capitalize()}."


def _match_points(event: Event, pairing: Pairing) -> str:
    """Match points where they do not follow from the score, so that nobody wonders."""
    if not event.is_team or pairing.first_match_points is None:
        return ""
    points = (pairing.first_match_points, pairing.second_match_points or 0)
    return "-".join(points_text(each, 2) for each in points)


def _boards(pairing: Pairing) -> Iterator[Board]:
    games = (
        Game.objects.filter(pairing=pairing).select_related("first_player", "second_player").order_by("board")
    )
    for game in games:
        white = COLOURS[game.white]
        yield Board(
            number=game.board,
            first=_player(game.first_player, white[0]),
            second=_player(game.second_player, white[1]),
            result=result_text(game.kind, game.first_score, game.second_score, game.advantage),
            defaulted=game.kind == Kind.FORFEIT,
            unplayed="" if game.kind in (Kind.PLAYED, Kind.FORFEIT) else game.get_kind_display(),
        )


def _player(player: Player | None, colour: str) -> Side:
    if player is None:
        return Side("nobody")
    return Side(player.name, title=player.title, rating=player.rating, colour=colour)


# --- the competitor ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """One round of a competitor."""

    round: int
    opponent: Entry | None
    flag: SafeString
    colour: str
    result: str
    css: str
    words: SafeString
    table: int
    total: str
    place: str


@dataclass(frozen=True)
class PlayerLine:
    """One player of a team: a cell per round, then the points of the boards."""

    name: str
    title: str
    rating: int | None
    cells: list["BoardCell"]
    total: str
    games: int


class BoardCell(NamedTuple):
    """What a player scored in a round, and at which table; blank where he did not play."""

    result: str = ""
    css: str = ""
    round: int = 0
    table: int = 0
    words: str = ""


@dataclass(frozen=True)
class CompetitorCard:
    """One competitor: where it stands, its rounds, its players."""

    entry: Entry
    flag: SafeString
    place: str
    values: list[tuple[str, str]]
    lines: list[Line]
    players: list[PlayerLine]
    total_name: str


def competitor_card(event: Event, number: int) -> CompetitorCard | None:
    """The card of a competitor, None where there is none."""
    entries = entries_of(event)
    row = next((at for at, entry in enumerate(entries) if entry.number == number), None)
    if row is None:
        return None
    standings = standings_of(event)
    entry, year = entries[row], year_of(event)
    return CompetitorCard(
        entry=entry,
        flag=flag_of(entry.flag or entry.code, year),
        place=str(standings.place[row]) if standings.place[row] else "",
        values=[
            (judged.criterion.name, judged.text(row))
            for judged in shown_criteria(standings)
            if judged.text(row)
        ],
        lines=list(_lines(event, standings, entries, row)),
        players=_players(event, number, standings.table.rounds) if event.is_team else [],
        total_name=get("match-points" if standings.table.primary is Scale.MATCH else "game-points").name,
    )


def _lines(event: Event, standings: Standings, entries: list[Entry], row: int) -> Iterator[Line]:
    table, year = standings.table, year_of(event)
    places = places_after_each_round(event)
    totals = table.points().cumsum(axis=1)[row].tolist()
    words = RoundCells(entries, str, "", players=not event.is_team)
    for own_round, total, after in zip(own_rounds(table, row), totals, places, strict=True):
        opponent = entries[own_round.opponent] if own_round.opponent >= 0 else None
        yield Line(
            round=own_round.round,
            opponent=opponent,
            flag=flag_of(opponent.flag or opponent.code, year) if opponent else NO_FLAG,
            colour={1: "○", -1: "●"}.get(own_round.facts.colour, "") if not event.is_team else "",
            result=_result(own_round.facts),
            css=tint(own_round.facts),
            words=SafeString(words.words(own_round)),
            table=own_round.table,
            total=points_text(total, 2),
            place=str(after[row] or "-"),
        )


def _result(facts: Facts) -> str:
    """Both sides' points, or the sign of what was not played."""
    own = sign(facts)
    if facts.kind != EngineKind.PLAYED or facts.advantage:
        return own
    return f"{own}-{points_text(facts.theirs, 2)}"


def _players(event: Event, number: int, rounds: int) -> list[PlayerLine]:
    """The players of a team who are listed or played, in board order; two queries."""
    games = Game.objects.filter(pairing__round__event=event)
    cells: dict[int, dict[int, BoardCell]] = defaultdict(dict)
    scores: dict[int, list[int]] = defaultdict(list)
    for side, other in (("first", "second"), ("second", "first")):
        found = games.filter(**{f"pairing__{side}__number": number}).values_list(
            f"{side}_player", "pairing__round__number", "pairing__table", "kind", f"{side}_score",
            f"{other}_score", "board", f"{other}_player__name",
        )  # fmt: skip
        for player, round_number, table, kind, own, theirs, board, against in found:
            if player is None:
                continue
            cells[player][round_number] = _board_cell(round_number, table, kind, own, theirs, board, against)
            if own is not None:
                scores[player].append(own)
    listed = Player.objects.filter(competitor__event=event, competitor__number=number).order_by(
        F("board").asc(nulls_last=True), "pk"
    )
    return [
        PlayerLine(
            player.name,
            player.title,
            player.rating,
            [cells[player.pk].get(at, BoardCell()) for at in range(1, rounds + 1)],
            points_text(sum(scores[player.pk]), 2),
            len(scores[player.pk]),
        )
        for player in listed
    ]


def _board_cell(
    round_number: int,
    table: int,
    kind: str,
    own: int | None,
    theirs: int | None,
    board: int,
    against: str | None,
) -> BoardCell:
    result = side_texts(kind, own, theirs)[0]
    words = f"round {round_number}, board {board}, against {against or 'nobody'}"
    if kind == Kind.FORFEIT:
        return BoardCell(result, "x", round_number, table, f"{words}, by forfeit")
    if own is None or theirs is None:
        return BoardCell(result or "·", "n", round_number, table, words)
    css = "w" if own > theirs else "l" if own < theirs else "d"
    return BoardCell(result, css, round_number, table, words)
