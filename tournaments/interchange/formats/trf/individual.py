"""The rounds of an event of players."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from tournaments.event.choices import PairingColours
from tournaments.event.document import EventEntry, PairingEntry, RoundEntry
from tournaments.event.finding import Finding, Place, errors, objection, warning
from tournaments.event.numbers import points_text
from tournaments.event.scores import bye_points
from tournaments.interchange.formats.log import Log
from tournaments.interchange.formats.trf.abnormal import AbnormalRecords
from tournaments.interchange.formats.trf.cells import KIND_ALONE, NOTE_ALONE, RoundCell
from tournaments.interchange.formats.trf.meetings import ReportedMeeting, meetings_of_round
from tournaments.interchange.formats.trf.records import MOST_ROUNDS, PlayerRecord
from tournaments.interchange.formats.trf.report_lines import ReportLine, whole
from tournaments.interchange.formats.trf.settings import Settings

_BYES = frozenset("FHZ")


def rounds_of_players(
    event: EventEntry,
    settings: Settings,
    players: Mapping[int, PlayerRecord],
    abnormal: AbnormalRecords,
    log: Log,
    half_byes: str = "",
) -> tuple[RoundEntry, ...]:
    """Return all rounds with cells. Tables are ordered by score, then by the lower number."""
    _announce_byes(settings.records.get("240", ()), players, log)
    paired: list[list[PairingEntry]] = []
    for index in range(max((len(each.cells) for each in players.values()), default=0)):
        meetings, alone = meetings_of_round(event, players, index, log)
        pairings = [_pairing_of_meeting(each) for each in meetings]
        pairings += [_pairing_without_opponent(event, player.number, cell) for player, cell in alone]
        paired.append(abnormal.awarded(event, index + 1, pairings))
    points: dict[int, int] = defaultdict(int)
    for pairings in paired:
        add_points(pairings, points)
    if not errors(log.findings):
        log.findings += _differing_points(event, settings, players, abnormal, points, paired, half_byes)
    points.clear()
    rounds = []
    for index, pairings in enumerate(paired):
        if pairings:
            kinds = {each.kind for each in pairings}
            is_open = "pending" in kinds or not kinds & {"played", "forfeit", "unknown"}
            rounds.append(new_round(settings, index, pairings, points, is_open=is_open))
        add_points(pairings, points)
    return tuple(rounds)


def _differing_points(
    event: EventEntry,
    settings: Settings,
    players: Mapping[int, PlayerRecord],
    abnormal: AbnormalRecords,
    points: Mapping[int, int],
    paired: list[list[PairingEntry]],
    answer: str,
) -> list[Finding]:
    half_bye, win = bye_points(event, "half-bye")[0] * settings.game[0], event.game_win
    differing: list[Finding] = []
    byes: list[tuple[int, PlayerRecord]] = []
    doubtful: list[str] = []  # players with more blank rounds than half-point byes
    for number, player in players.items():
        own = points.get(number, 0) * settings.game[0]
        # Compared as fractions, because the scoring of the file may differ from that of the event.
        # Programs print points with or without a bonus.
        added, _ = abnormal.beside_results(number)
        if player.points is None or player.points * win in {own, own + added * win}:
            continue
        found = points_differ(player.line, "points", player.points, own // win + added)
        missing, rest = divmod(player.points * win - own, half_bye) if half_bye else (0, 1)
        blank = [at for at, each in enumerate(paired) if each and not any(number in e.numbers for e in each)]
        if rest == 0 < missing <= len(blank) and answer != "no":
            byes += [(at, player) for at in blank[:missing]]
            doubtful += [player.name] if missing < len(blank) else []
        else:
            differing.append(found)
    if not byes:
        return differing
    for at, player in byes if answer else ():
        paired[at].append(_pairing_without_opponent(event, player.number, RoundCell(0, "", "H")))
    listed = "; ".join(f"{player.name} in round {at + 1}" for at, player in byes[:3])
    first = f" Of {'; '.join(doubtful[:3])} the first blank rounds are taken." if doubtful else ""
    text = f"{listed}{'; …' if len(byes) > 3 else ''}.{first}"
    count = f"{len(byes)} half-point {'bye' if len(byes) == 1 else 'byes'} left blank"
    agree = f"All printed points{f' but {len(differing)}' if differing else ''} then agree"
    message = (
        f"{count}, read as answered: {text}" if answer else f"{count}? {agree}. Answer yes or no. {text}"
    )
    return [*differing, (warning if answer else objection)("half-byes", byes[0][1].line.place, message)]


def _announce_byes(lines: Iterable[ReportLine], players: Mapping[int, PlayerRecord], log: Log) -> None:
    for line in lines:
        code, round_ = line.text[4:5].upper(), whole(line.text[6:9])
        if code not in _BYES or not round_ or round_ > MOST_ROUNDS:
            text = "A bye is announced as “240 H 003 0026”: kind F, H or Z, round, players. Correct it."
            log.add("bad-bye", line.place, text)
            continue
        for start in range(10, len(line.text), 5):
            number = whole(line.text[start : start + 4])
            if number is None or number not in players:
                text = f"A bye for “{number or ''}”, but no record 001 has this number. Correct the number."
                log.add("unknown-number", line.place, text)
                continue
            cells = players[number].cells
            # The record of a player ends with the last round played; a later bye extends it.
            cells.extend([None] * (round_ - len(cells)))
            cell = cells[round_ - 1]
            if cell is None:
                cells[round_ - 1] = RoundCell(0, "", code)
            elif cell.opponent or KIND_ALONE.get(cell.code) != KIND_ALONE[code]:
                place = Place(line.place.path, round=round_)
                log.findings.append(bye_not_given(f"player {number}", place))


def bye_not_given(who: str, place: Place) -> Finding:
    """Return a warning: a bye for a competitor with another result in that round."""
    text = (
        f"A bye is announced for {who}, but another entry exists in that round, and that entry counts. "
        "Correct one of the two."
    )
    return warning("bye-not-given", place, text)


def _pairing_of_meeting(meeting: ReportedMeeting) -> PairingEntry:
    ended = meeting.outcome
    first, second = meeting.first.number, meeting.second.number
    return PairingEntry(
        table=0,
        first=first,
        second=second,
        colours="" if meeting.white else PairingColours.UNKNOWN.value,
        kind=ended.kind,
        first_score=ended.first,
        second_score=ended.second,
        note=ended.note,
    )


def _pairing_without_opponent(event: EventEntry, number: int, cell: RoundCell) -> PairingEntry:
    kind, note = KIND_ALONE[cell.code], NOTE_ALONE.get(cell.code, "")
    score = event.game_win if note else bye_points(event, kind)[0]
    return PairingEntry(table=0, first=number, kind=kind, first_score=score, note=note)


def new_round(
    settings: Settings,
    index: int,
    pairings: list[PairingEntry],
    points: Mapping[int, int],
    *,
    is_open: bool,
) -> RoundEntry:
    """Return a round, from 0, with tables: games before byes, higher scores first, then lower numbers."""
    ordered = sorted(pairings, key=lambda each: _order_of_tables(each, points))
    return RoundEntry(
        number=index + 1,
        date=settings.dates[index] if index < len(settings.dates) else "",
        state="published" if is_open else "closed",
        pairings=tuple(replace(each, table=table) for table, each in enumerate(ordered, start=1)),
    )


def _order_of_tables(pairing: PairingEntry, points: Mapping[int, int]) -> tuple[bool, int, int, int]:
    scores = sorted(points.get(number, 0) for number in pairing.numbers)
    return pairing.second is None, -scores[-1], -scores[0], min(pairing.numbers)


def add_points(pairings: list[PairingEntry], points: dict[int, int]) -> None:
    for each in pairings:
        points[each.first] += each.first_score or 0
        if each.second is not None:
            points[each.second] += each.second_score or 0


def points_differ(line: ReportLine, what: str, printed: int, given: int) -> Finding:
    """Return an objection to printed points. Both values are half-points."""
    text = (
        f"{points_text(printed)} {what} here, but {points_text(given)} from the results, which count. "
        "Correct one of the two."
    )
    return objection("points-differ", line.place, text)
