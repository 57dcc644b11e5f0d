"""The teams of a report, and the records about their matches."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tournaments.event.document import EventEntry, PairingEntry, PlayerEntry
from tournaments.event.finding import warning
from tournaments.event.scores import following_match_points
from tournaments.interchange.formats.log import Log
from tournaments.interchange.formats.trf.cells import BYES
from tournaments.interchange.formats.trf.records import (
    MOST_ROUNDS,
    PlayerRecord,
    TeamRecord,
    by_number,
    team_record,
)
from tournaments.interchange.formats.trf.report_lines import ReportLine, columns, reported_half_points, whole
from tournaments.interchange.formats.trf.settings import Settings

Sides = tuple[int, int]
_FORFEITS = {"+-": (1, 0), "-+": (0, 1), "--": (0, 0)}


@dataclass
class Teams:
    """The teams with their players, and the records about matches. Rounds are from 0."""

    records: dict[int, TeamRecord]
    team_of: dict[int, int]
    players: dict[int, PlayerEntry]
    lineups: dict[tuple[int, int], list[int]] = field(default_factory=dict)  # by round and team; 0: nobody
    byes: dict[tuple[int, int], str] = field(default_factory=dict)  # by round and team: U, F, H or Z
    forfeits: dict[tuple[int, Sides], Sides] = field(default_factory=dict)  # by round and teams: the winner
    bye: tuple[int | None, int | None] = (None, None)  # game and match points of a pairing-allocated bye
    lists_byes: bool = False  # a record 320 names all pairing-allocated byes

    def named(self, number: int) -> PlayerEntry:
        """Return a player as in games; the other data is in the team."""
        player = self.players[number]
        return PlayerEntry(name=player.name, fide_id=player.fide_id)


def teams_of_records(
    settings: Settings, players: Mapping[int, PlayerRecord], numbered: dict[int, PlayerEntry], log: Log
) -> Teams:
    """Return the teams and the records about their matches.

    There is a finding for each player in two teams or in none. A reserve in none is left out.
    """
    lines = settings.records.get("310") or settings.records.get("013", [])
    records = by_number((team_record(line, at, log) for at, line in enumerate(lines, start=1)), log)
    teams = Teams(records, {}, numbered)
    for record in teams.records.values():
        for number in record.players:
            if number not in players:
                text = (
                    f"Number {number} plays for {record.name}, and no record 001 names him. Correct the "
                    "number."
                )
                log.add("unknown-number", record.line.place, text)
            elif (other := teams.team_of.setdefault(number, record.number)) != record.number:
                known = f"{teams.records[other].name} (line {teams.records[other].line.number})"
                text = f"Player {number} is in {known} already. Take him out of one."
                log.add("player-twice", record.line.place, text)
    for number in sorted(players.keys() - teams.team_of.keys()):
        player, place = players[number], players[number].line.place
        if player.has_game:
            text = f"Player {number} is in no team. Add the number to the record 310 of his team."
            log.add("player-without-team", place, text)
            continue
        text = (
            f"{player.name} ({number}) is in no team and has no game, so this reserve was left out. Add the "
            "number to the record 310 of the team."
        )
        log.findings.append(warning("reserve-without-team", place, text))
    for line in settings.records.get("300", ()):
        round_ = _round_in_columns(line, line.text[4:7], log)
        team = _team_of(line, line.text[8:11], teams, log)
        if round_ is not None and team is not None:
            order = [whole(line.text[at : at + 4]) or 0 for at in range(16, len(line.text), 5)]
            teams.lineups[round_, team] = order
    _read_byes(settings, teams, log)
    for line in settings.records.get("330", ()):
        won, round_ = _FORFEITS.get(columns(line.text, 5, 6)), _round_in_columns(line, line.text[7:10], log)
        white = _team_of(line, line.text[11:14], teams, log)
        black = _team_of(line, line.text[15:18], teams, log)
        if won is None:
            text = f"“{columns(line.text, 5, 6)}” is no forfeit. Write +-, -+ or -- in columns 5 and 6."
            log.add("bad-forfeit", line.place, text)
        elif round_ is not None and white and black and white != black:
            teams.forfeits[round_, (white, black)] = won
    return teams


def leading_match_points(event: EventEntry, own: int, other: int) -> int:
    """Return the match points in records: by the higher score; 0-0 is lost by both.

    All values are half-points. In some events a win needs more than half of all game points, so that 1-0 on
    two boards is not a win.
    """
    if own == other:
        return event.match_draw if own else event.match_loss
    return event.match_win if own > other else event.match_loss


# --- records about matches --------------------------------------------------------------------------------


def _round_in_columns(line: ReportLine, text: str, log: Log) -> int | None:
    number = whole(text)
    if number and number <= MOST_ROUNDS:
        return number - 1
    log.add("bad-number", line.place, f"“{text}” is no number of a round. Correct it.")
    return None


def _team_of(line: ReportLine, text: str, teams: Teams, log: Log) -> int | None:
    number = whole(text)
    if number in teams.records:
        return number
    log.add("unknown-number", line.place, f"“{text.strip()}” is no team of this file. Correct the number.")
    return None


def _read_byes(settings: Settings, teams: Teams, log: Log) -> None:
    for line in settings.records.get("320", ()):
        teams.lists_byes = True
        teams.bye = reported_half_points(line.text[9:13]), reported_half_points(line.text[4:8])
        # `320` has a team for each round from the first on, without the number of the round.
        for index, at in enumerate(range(14, len(line.text), 4)):
            if whole(text := line.text[at : at + 3]) and (team := _team_of(line, text, teams, log)):
                teams.byes[index, team] = "U"
    for line in settings.records.get("240", ()):
        code, round_ = line.text[4:5].upper(), _round_in_columns(line, line.text[6:9], log)
        if code not in BYES:
            text = f"“{code}” is no kind of bye. Write F, H or Z in column 5."
            log.add("bad-bye", line.place, text)
        for at in range(10, len(line.text), 5):
            text = line.text[at : at + 4]
            team = _team_of(line, text, teams, log) if text.strip() else None
            if round_ is not None and team is not None and code in BYES:
                teams.byes[round_, team] = code


def scores_of_sides(event: EventEntry, pairing: PairingEntry) -> Iterator[tuple[int, int, int]]:
    """Yield number, game points and match points of the teams in a pairing with a score, in half-points."""
    scores = pairing.first_score, pairing.second_score
    points = pairing.first_match_points, pairing.second_match_points
    for number, score, other, given in zip(pairing.numbers, scores, scores[::-1], points, strict=False):
        if score is not None:
            # The document has match points only if they do not follow from the score.
            follows = following_match_points(event, pairing.kind, score, other)
            yield number, score, follows if given is None else given
