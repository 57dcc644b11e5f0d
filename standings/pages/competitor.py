"""One competitor round by round, and the players of a team."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from math import inf
from typing import Any, NamedTuple

from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.basis import basis_of, rests_on
from standings.engine import RoundKind, Scale, Standings, get, points_text
from standings.entries import flag_beside
from standings.pages.codes import anchor_of
from standings.pages.frame import event_answer
from standings.pages.remarks import BY_HAND, CORRECTED, Remark, Remarks, marks_of, remarks_of
from standings.pages.sides import NO_FLAG
from standings.services import places_after_each_round, ranked
from standings.serving.pages import event_page
from standings.tables.cells import ANNULLED, RoundCells, RoundResult, rounds_of_competitor, sign, tint
from standings.tables.sheet import shown_criteria
from standings.words import name_of, value_of
from tournaments.event.arrays import Entry
from tournaments.event.choices import Kind
from tournaments.event.resultcodes import side_texts
from tournaments.models import Event, Player
from tournaments.models.pairing import shown_games

NEIGHBOURS = 2
"""So many above and below in the table are offered first to be compared with."""


@dataclass(frozen=True)
class RoundLine:
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
    """The score of a player in a round, and the table; blank where he did not play."""

    result: str = ""
    css: str = ""
    round: int = 0
    table: int = 0
    words: str = ""


class CompetitorValue(NamedTuple):
    """The value of a competitor under a criterion; `address` is the criterion's in addresses."""

    address: str
    name: str
    text: str


@dataclass(frozen=True)
class CompetitorCard:
    """One competitor: where it stands, its rounds, its players; and whom to compare it with.

    `basis` says what the place and the values rest on, `computed` the place without rulings where it is
    another, and `remarks` why something carries a mark.
    """

    entry: Entry
    flag: SafeString
    place: str
    computed: str
    basis: str
    values: list[CompetitorValue]
    rounds: list[RoundLine]
    remarks: list[Remark]
    shared: bool
    players: list[PlayerLine]
    total_name: str
    others: list[tuple[str, list[Entry]]]

    @property
    def annulled(self) -> bool:
        """Say whether a result counts for nobody, because somebody withdrew."""
        return any(line.css == ANNULLED for line in self.rounds)


def competitor_card(event: Event, number: int) -> CompetitorCard | None:
    """The card of a competitor, None where there is none."""
    entries, standings = ranked(event)
    row = next((at for at, entry in enumerate(entries) if entry.number == number), None)
    if row is None:
        return None
    entry, remarks = entries[row], remarks_of(event)
    lines = list(_lines(event, standings, entries, row, remarks))
    return CompetitorCard(
        entry=entry,
        flag=flag_beside(event, entry),
        place=f"{standings.place[row]}{standings.place_mark(row)}" if standings.place[row] else "",
        computed=_computed(standings, row),
        basis=rests_on(basis_of(standings.table)),
        values=[
            CompetitorValue(judged.criterion.address, name_of(judged.criterion), value_of(judged, row))
            for judged in shown_criteria(standings)
            if judged.text(row)
        ],
        rounds=lines,
        shared=bool(standings.sharing[row] > 1),
        remarks=[
            *remarks.competitors.get(number, []),
            *(remark for line in lines for remark in remarks.of_pairing(line.round, line.table)),
        ],
        players=_players(event, number, standings.table.rounds) if event.is_team else [],
        total_name=name_of(get("match-points" if standings.table.primary is Scale.MATCH else "game-points")),
        others=_others(entries, standings, row),
    )


def _others(entries: list[Entry], standings: Standings, row: int) -> list[tuple[str, list[Entry]]]:
    """Everybody else once, under headings: two on each side in the table, opponents by round, all others."""
    order = standings.order.tolist()
    at = order.index(row)
    beside = [*order[max(at - NEIGHBOURS, 0) : at], *order[at + 1 : at + 1 + NEIGHBOURS]]
    met = [each.opponent for each in rounds_of_competitor(standings.table, row) if each.opponent >= 0]
    # In a double round robin everybody is met twice.
    opponents = [each for each in dict.fromkeys(met) if each not in beside]
    near = {row, *beside, *opponents}
    by_heading = {
        _("Next in the table"): beside,
        _("Opponents"): opponents,
        _("All others"): [each for each in range(len(entries)) if each not in near],
    }
    return [(name, [entries[each] for each in rows]) for name, rows in by_heading.items() if rows]


def _computed(standings: Standings, row: int) -> str:
    """The place without rulings, empty where it is the same."""
    computed = standings.as_computed.place[row]
    return str(computed or "-") if computed != standings.place[row] else ""


def _lines(
    event: Event, standings: Standings, entries: list[Entry], row: int, remarks: Remarks
) -> Iterator[RoundLine]:
    table = standings.table
    places = places_after_each_round(event)
    totals = table.points().cumsum(axis=1)[row].tolist()
    # For its words alone: no cell is written, so nobody asks for labels or an address.
    words = RoundCells(entries, str, "", players=not event.is_team)
    since, corrected = _placed_since(standings, row), escape(_("corrected"))
    for competitor_round, total, after in zip(rounds_of_competitor(table, row), totals, places, strict=True):
        marks = marks_of(remarks.of_pairing(competitor_round.round, competitor_round.table))
        spoken = words.words(competitor_round, changed=BY_HAND in marks)
        opponent = entries[competitor_round.opponent] if competitor_round.opponent >= 0 else None
        yield RoundLine(
            round=competitor_round.round,
            opponent=opponent,
            flag=flag_beside(event, opponent) if opponent else NO_FLAG,
            colour={1: "○", -1: "●"}.get(competitor_round.result.colour, "") if not event.is_team else "",
            result=_result(competitor_round.result) + marks,
            css=tint(competitor_round.result),
            words=SafeString(f"{spoken}, {corrected}" if CORRECTED in marks else spoken),
            table=competitor_round.table,
            total=points_text(total, 2),
            place=f"{after[row] or '-'}{'*' if since <= competitor_round.round else ''}",
        )


def _placed_since(standings: Standings, row: int) -> float:
    """The first round after which the place is one set by hand; infinity for none."""
    rulings = (ruling for ruling in standings.overrides if ruling.kind == "place")
    return min((ruling.after for ruling in rulings if ruling.competitor == row), default=inf)


def _result(played: RoundResult) -> str:
    """Both sides' points, or the sign of what was not played."""
    own = sign(played)
    if played.kind != RoundKind.PLAYED or played.advantage:
        return own
    return f"{own}-{points_text(played.opponent_score, 2)}"


def _players(event: Event, number: int, rounds: int) -> list[PlayerLine]:
    """The players of a team who are listed or played, in board order; two queries."""
    games = shown_games(event)
    cells: dict[int, dict[int, BoardCell]] = defaultdict(dict)
    scores: dict[int, list[int]] = defaultdict(list)
    # A board has its players in two columns, and a team is on either side.
    for side, other in (("first", "second"), ("second", "first")):
        played = games.filter(**{f"pairing__{side}__number": number}).exclude(**{f"{side}_player": None})
        for game in played.values(
            "kind",
            "board",
            player=F(f"{side}_player"),
            round=F("pairing__round__number"),
            table=F("pairing__table"),
            own=F(f"{side}_score"),
            theirs=F(f"{other}_score"),
            against=F(f"{other}_player__name"),
        ):
            cells[game["player"]][game["round"]] = _board_cell(game)
            if game["own"] is not None:
                scores[game["player"]].append(game["own"])
    players = Player.objects.filter(competitor__event=event, competitor__number=number).order_by(
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
        for player in players
    ]


def _board_cell(game: Mapping[str, Any]) -> BoardCell:
    own, theirs, round_number, table = game["own"], game["theirs"], game["round"], game["table"]
    result = side_texts(game["kind"], own, theirs)[0]
    values = {"number": round_number, "board": game["board"], "name": game["against"] or _("nobody")}
    if game["kind"] == Kind.FORFEIT:
        words = _("round %(number)s, board %(board)s, against %(name)s, by forfeit") % values
        return BoardCell(result, "x", round_number, table, words)
    words = _("round %(number)s, board %(board)s, against %(name)s") % values
    if own is None or theirs is None:
        return BoardCell(result or "·", "n", round_number, table, words)
    css = "w" if own > theirs else "l" if own < theirs else "d"
    return BoardCell(result, css, round_number, table, words)


@event_page
def competitor(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """One competitor, round by round."""
    card = competitor_card(event, number)
    if card is None:
        raise Http404
    return event_answer(request, event, "competitor", {"card": card, "code": anchor_of(event, card.entry)})
