"""Complete a document: players named only in games, the first rounds of rulings, the order."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from tournaments.event.choices import ALONE, DECIDED, Kind, UnknownFact
from tournaments.event.document import (
    CompetitorEntry,
    Document,
    EventEntry,
    PairingEntry,
    PlayerEntry,
    RoundEntry,
    own_flag,
    player_order,
)
from tournaments.event.finding import Finding, Place, error, warning
from tournaments.event.scores import bye_points, own_match_points

_WITHOUT_POINTS = frozenset({Kind.ZERO_BYE, Kind.ABSENT})
_BEGIN_IN_A_ROUND = frozenset({"place", "value", "criteria"})


class _Roster:
    """The players of a team: those of its list, then those named only in games."""

    def __init__(self, players: Iterable[PlayerEntry]) -> None:
        self.by_identity: dict[int | str, PlayerEntry] = {}
        self.by_name: dict[str, list[PlayerEntry]] = defaultdict(list)
        for player in players:
            self._add(player)

    def _add(self, player: PlayerEntry) -> None:
        if self.by_identity.setdefault(player.identity, player) is player:
            self.by_name[player.name].append(player)

    def learn(self, named: PlayerEntry) -> None:
        if named.name and named.fide_id not in self.by_identity:
            self._add(named)

    def find(self, named: PlayerEntry) -> PlayerEntry | None:
        """Return the member with this id, or with this name if it is unique. A new name is added."""
        if named.fide_id is not None:
            return self.by_identity.get(named.fide_id)
        same_name = self.by_name[named.name]
        if len(same_name) != 1 and named.name not in self.by_identity:
            self._add(named)
        return self.by_identity.get(named.name) or same_name[0]

    def members(self, players: Iterable[PlayerEntry]) -> tuple[PlayerEntry, ...]:
        known = tuple(players)
        identities = {each.identity for each in known}
        return known + tuple(each for key, each in self.by_identity.items() if key not in identities)


def of_its_event(document: Document) -> Document:
    """Return the document with flags and bye points that follow from the event."""
    event = document.event
    return replace(
        document,
        competitors=tuple(competitor_of(each, of_nations=event.has_nations) for each in document.competitors),
        rounds=tuple(
            replace(each, pairings=tuple(pairing_of(event, seat) for seat in each.pairings))
            for each in document.rounds
        ),
    )


def competitor_of(competitor: CompetitorEntry, *, of_nations: bool) -> CompetitorEntry:
    """Return the competitor; for national teams without a flag that follows from the code."""
    flag = own_flag(competitor.code, competitor.flag) if of_nations else competitor.flag
    return competitor if flag == competitor.flag else replace(competitor, flag=flag)


def pairing_of(event: EventEntry, pairing: PairingEntry) -> PairingEntry:
    """Return the pairing with the points of a bye without a score, and without match points that follow."""
    scores = pairing.first_score, pairing.second_score
    given = pairing.first_match_points, pairing.second_match_points
    if pairing.kind in ALONE and scores == (None, None):
        game, match = bye_points(event, pairing.kind)
        scores = game, None
        given = (match, None) if event.is_team and given == (None, None) else given
    elif given == (None, None):
        return pairing
    first, second = own_match_points(event, pairing.kind, scores, given) if event.is_team else given
    return replace(pairing, first_score=scores[0], first_match_points=first, second_match_points=second)


def complete(document: Document) -> tuple[Document, list[Finding]]:
    """Return the document with players of games, first rounds of rulings, and no superfluous round."""
    findings: list[Finding] = []
    for each in document.rounds:
        is_empty = all(pairing.kind in _WITHOUT_POINTS for pairing in each.pairings)
        if each.number > document.event.planned_rounds and is_empty:
            text = f"Round {each.number} has no games, and is left out. Add it if it will be played."
            findings.append(warning("empty-round", Place("event.rounds", round=each.number), text))
            document = replace(document, rounds=tuple(other for other in document.rounds if other != each))
    rosters = {each.number: _Roster(each.players) for each in document.competitors}
    # Ids first: a name in one game may mean a player whose id is in another game.
    for _, pairing in document.pairings():
        for game in pairing.games:
            for number, player in ((pairing.first, game.first_player), (pairing.second, game.second_player)):
                if player and player.fide_id is not None and number in rosters:
                    rosters[number].learn(player)
    rounds = tuple(
        replace(each, pairings=tuple(_seated_all(each, index, rosters, findings)))
        for index, each in enumerate(document.rounds)
    )
    decided = [number for number, pairing in document.pairings() if pairing.kind in DECIDED]
    current = max(decided, default=0)  # for a ruling that names no round
    completed = replace(
        document,
        rounds=rounds,
        competitors=tuple(_pinned(each, rosters[each.number], current) for each in document.competitors),
        overrides=tuple(
            replace(each, after=current, pinned=True)
            if each.kind in _BEGIN_IN_A_ROUND and each.after is None
            else each
            for each in document.overrides
        ),
    )
    return completed, findings


def with_unknown_facts(document: Document, *, is_new: bool, has_made_rounds: bool) -> Document:
    """Return the document with the facts that a table omits as `unknown` of the event.

    If a new event has no colours in any pairing, the colours are unknown for the event.
    """
    unknown = set(document.event.unknown)
    if has_made_rounds:
        unknown.add(UnknownFact.ROUND_ORDER.value)
    met = [each for _, each in document.pairings() if each.second is not None]
    if is_new and met and all(each.colours for each in met):
        unknown.add(UnknownFact.COLOURS.value)
        rounds = tuple(
            replace(each, pairings=tuple(replace(pairing, colours="") for pairing in each.pairings))
            for each in document.rounds
        )
        document = replace(document, rounds=rounds)
    return replace(document, event=replace(document.event, unknown=tuple(sorted(unknown))))


def in_order(document: Document) -> Document:
    return replace(
        document,
        competitors=tuple(
            replace(each, players=tuple(sorted(each.players, key=player_order)))
            for each in sorted(document.competitors, key=lambda each: each.number)
        ),
        rounds=tuple(_round_in_order(each) for each in sorted(document.rounds, key=lambda each: each.number)),
        overrides=tuple(sorted(document.overrides, key=lambda each: each.number)),
        changes=tuple(
            sorted(document.changes, key=lambda each: (each.at, each.round, each.table, each.was, each.now))
        ),
        acknowledged=tuple(
            sorted(
                document.acknowledged,
                key=lambda each: (each.at, each.finding, each.round or 0, each.table or 0),
            )
        ),
    )


# --- players ----------------------------------------------------------------------------------------------


def _seated_all(
    round_: RoundEntry, index: int, rosters: dict[int, _Roster], findings: list[Finding]
) -> Iterable[PairingEntry]:
    round_place = Place(round=round_.number).item("rounds", index)
    for at, pairing in enumerate(round_.pairings):
        if not pairing.games:
            yield pairing
            continue
        place = replace(round_place.item("pairings", at), table=pairing.table)
        first_team, second_team = rosters.get(pairing.first), rosters.get(pairing.second or 0)
        games = []
        for board, game in enumerate(pairing.games):
            here = place.item("games", board)
            first = _find_member(game.first_player, first_team, here.key("first"), findings)
            second = _find_member(game.second_player, second_team, here.key("second"), findings)
            games.append(replace(game, first_player=first, second_player=second))
        yield replace(pairing, games=tuple(games))


def _find_member(
    named: PlayerEntry | None, roster: _Roster | None, place: Place, findings: list[Finding]
) -> PlayerEntry | None:
    if named is None or roster is None:
        return named
    found = roster.find(named)
    if found is None:
        text = f"The FIDE id {named.fide_id} has a name nowhere in this team. Give the name."
        findings.append(error("player-without-name", place, text))
    elif named.name and named.name != found.name:
        text = (
            f"FIDE id {named.fide_id} is “{named.name}” here and “{found.name}” in the team. The name in "
            "the team is kept. Use one spelling."
        )
        findings.append(warning("player-name-differs", place, text))
    return found


# --- rulings ----------------------------------------------------------------------------------------------


def _pinned(competitor: CompetitorEntry, roster: _Roster, current: int) -> CompetitorEntry:
    members = roster.members(competitor.players)
    if competitor.manual is None or competitor.manual_after is not None:
        return competitor if len(members) == len(competitor.players) else replace(competitor, players=members)
    return replace(competitor, players=members, manual_after=current, manual_pinned=True)


def _round_in_order(round_: RoundEntry) -> RoundEntry:
    pairings = (
        replace(each, games=tuple(sorted(each.games, key=lambda game: game.board))) if each.games else each
        for each in round_.pairings
    )
    return replace(round_, pairings=tuple(sorted(pairings, key=lambda each: each.table)))
